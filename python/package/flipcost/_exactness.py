"""Notes on rules whose outcomes are not exact, which the engine gives only about a single target."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from typing import Any

from ._arguments import plain
from ._engine import Algorithm, Target
from ._errors import FlipcostError

__all__ = ["inexact", "law_note", "of_rules"]

# The number of targets that are checked, and the number of those not exact that a note names.
MAX_CHECKED, MAX_NAMED = 20, 3
# The largest number of outcomes of a target that is checked.
MAX_OUTCOMES = 100_000


def inexact(query: str, notes: list[str]) -> list[str]:
    """Returns a note on each of the user's rules in a question that is not exact for one of its first targets. `notes`
    are those of the engine."""
    if '"rule:' not in query:
        return []
    asked = json.loads(query)
    named = asked.get("algorithms") or [asked.get("algorithm")]
    rules = [text for text in named if isinstance(text, str) and text.startswith("rule:")]
    sources = str(asked.get("sources") or asked.get("source") or "2").split(",")
    targets = list(_targets(asked))
    found = [_note(rule, sources, targets) for rule in rules]
    return [note for note in found if note and not any(_begun(note) == _begun(known) for known in notes)]


def of_rules(notes: list[str]) -> list[str]:
    """Returns the notes on rules that are not exact."""
    return [note for note in notes if _begun(note)]


def _begun(note: str) -> str:
    name, exact, _ = note.partition(" is not exact: ")
    return name if exact and name.startswith("rule:") else ""


def _note(rule: str, sources: list[Any], targets: list[Target]) -> str | None:
    """Returns a note if the rule is not exact for one of the targets."""
    wrong = []
    for source in sources:
        for target in targets:
            try:
                distance = Algorithm(rule).distance(target, source)
            except FlipcostError:
                continue  # the rule does not make this target, or no number says how well
            if distance:
                by = f" from {source}" if len(sources) > 1 else ""
                wrong.append(f"{plain(distance)} ≈ {float(distance):.3g} for {_name(target)}{by}")
    if not wrong:
        return None
    more = f" and {len(wrong) - MAX_NAMED} more" if len(wrong) > MAX_NAMED else ""
    return (
        f"{Algorithm(rule).id} is not exact: the total variation distance of its outcomes from those of the target is "
        f"{', '.join(wrong[:MAX_NAMED])}{more}"
    )


def law_note(law: Any) -> str | None:
    """Returns a note on a law if its algorithm is a user's rule that is not exact."""
    rule = law.algorithm.spelling
    return _note(rule, [law.source], [law.target]) if rule.startswith("rule:") else None


def _name(target: Target) -> str:
    return f"n = {target.sides}" if target.sides is not None else str(target)


def _targets(asked: dict[str, Any]) -> Iterator[Target]:
    """Returns the first targets of a question that are small enough for a check."""
    given = asked.get("target") or asked.get("targets") or f"{asked.get('from', 1)}..{asked.get('to', MAX_CHECKED)}"
    texts = given if isinstance(given, list) else [given]
    for text in islice((one for text in texts for one in _items(str(text))), MAX_CHECKED):
        try:
            target = Target(text)
        except FlipcostError:
            continue  # such as a list of several
        if target.total <= MAX_OUTCOMES:
            yield target


def _items(text: str) -> Iterator[str]:
    """Returns the targets of a text one by one: a comma at its end or a range makes it a list."""
    several = text.endswith(",") or ".." in text
    for item in text.split(",") if several else [text]:
        first, dots, last = item.partition("..")
        if dots and first.isdigit() and last.isdigit():
            yield from map(str, range(int(first), int(last) + 1))
        elif item:
            yield item
