"""Divides questions into units, which are computed separately, on any machine, and then merged."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from numbers import Number
from typing import TYPE_CHECKING, Any

from . import _engine
from ._arguments import algorithms, check_pair, dice, listed, numbers, plain, source, target, text, wanted
from ._engine import Part, Unit
from ._errors import KindError, QuestionError
from ._straight import RULES
from ._table import Answer
from ._values import refuse, shown

if TYPE_CHECKING:
    from ._types import Executor

__all__ = ["Part", "Unit", "merge", "units"]

# The default predicted time of a unit, in seconds.
SECONDS = 600.0
# A name of this process and its forks.
PROCESS = os.urandom(16)


def question_of(query: Any, fields: Mapping[str, Any]) -> str:
    """Returns a question as JSON, from a dict or JSON, or from the kind of question with its fields."""
    given = {name.removesuffix("_"): _field(name.removesuffix("_"), value) for name, value in fields.items()}
    if isinstance(query, Mapping):
        return json.dumps({**plain(query), **given})
    if not isinstance(query, str):
        raise KindError(
            f"{shown(query)} is not a question: a kind such as 'cost', or a question as a dict or as "
            "JSON, was expected"
        )
    if not query.lstrip().startswith("{"):
        return json.dumps({"ask": query, **given})
    if given:
        raise QuestionError("the question is complete in JSON: no further fields were expected")
    return query


def _field(name: str, value: Any) -> Any:
    """Returns a field as the functions of questions read it: a range, weights, algorithms."""
    if name == "algorithm":
        return text(value, name)
    if name == "algorithms":
        return algorithms(value, name)
    if name == "source":
        return source(value, name)
    if name == "dice":
        return dice(value, name)
    if name in ("target", "targets", "sources"):
        check_pair(value, name, "weights are a text" if name == "target" else "a list is")
        if isinstance(value, range) and name != "targets":
            return wanted(value, name) if name == "target" else numbers(value, name)
    if name == "target" and hasattr(value, "__iter__") and not isinstance(value, str):
        several = isinstance(value, (list, tuple)) and not all(isinstance(one, Number) for one in value)
        return plain(value) if several else target(value, name)
    return plain(value, name)


def _seconds(seconds: Any) -> float:
    try:
        return float(seconds)
    except TypeError:
        refuse(seconds, "seconds", "a number above 0")
    except (ValueError, OverflowError):
        raise QuestionError(f"seconds is {shown(seconds)}: a number above 0 was expected") from None


def units(query: str | Mapping[str, Any], /, seconds: float = SECONDS, **fields: Any) -> list[Unit]:
    """Cuts a question, in any form that `flipcost.ask` accepts, into units of about equal work. Each unit is
    predicted to take at most `seconds` on one core, and there are at least 4 units if there are 4 rows. The costs of
    many targets and checks are cut; any other question is one unit.

    A unit can be pickled. `unit.run()` computes it and depends on nothing else, and `unit.split(k)` splits it into k
    units. `flipcost.merge` combines the results.

    >>> import flipcost
    >>> parts = [unit.run() for unit in flipcost.units("cost", target="2..100")]
    >>> flipcost.merge(reversed(parts)) == flipcost.ask("cost", target="2..100")
    True
    """
    return _engine.units(question_of(query, fields), _seconds(seconds))


def _parts(results: Any) -> list[Part]:
    found = [results] if isinstance(results, Part) else listed(results, "results", "results of units")
    for result in found:
        if not isinstance(result, Part):
            raise KindError(f"{shown(result)} is not a result of a unit: `unit.run()` gives one")
    return found


def merge(results: Iterable[Part]) -> Part | Answer:
    """Combines results of units of one question, in any order. The results of all units give the answer that
    `flipcost.ask` gives; the results of some units give a result that can be merged again. If two results hold the
    same places, they are compared. QuestionError if they differ, or belong to different questions.

    >>> import flipcost
    >>> first, *rest = [unit.run() for unit in flipcost.units("cost", target="2..100")]
    >>> flipcost.merge([first, rest[0]]).is_whole, flipcost.merge([first, *rest]).shape[0] > 99
    (False, True)
    """
    joined = _engine.join(_parts(results))
    return Answer(_engine.answered(joined)) if joined.is_whole else joined


def _check_rules(query: str, process: bytes) -> None:
    """Raises QuestionError for a rule made of functions of another process."""
    if "functions " not in query:
        return
    asked = json.loads(query)
    for text in [*asked.get("algorithms", []), asked.get("algorithm"), asked.get("rule")]:
        name, _, rest = (text or "").removeprefix("rule:").partition("\n")
        if rest.startswith("functions ") and (process != PROCESS or f"rule:{name}\n{rest}" not in RULES):
            raise QuestionError(
                f"the rule {name} is made of functions that this process does not have: run its units in threads or in forks of "
                "the process that made it, or write the rule as a flipcost.Chain or a file, which every process reads"
            )


_run = Unit.run


def run(self: Unit, threads: int = 1) -> Part:
    """Computes the unit on this number of threads. The result depends only on the unit. QuestionError if the unit has a
    rule made of functions that this process does not have."""
    _check_rules(self.query, PROCESS)
    return _run(self, threads)


Unit.run = run  # type: ignore[method-assign]


def run_unit(unit: Unit, process: bytes) -> Part:
    """Computes a unit of this process; executors call this function."""
    _check_rules(unit.query, process)
    return unit.run()


def executed(question: str, executor: Executor, seconds: float = SECONDS) -> Part:
    """Returns all places of a question, computed by an executor."""
    if not hasattr(executor, "submit"):
        refuse(executor, "executor", "something with `submit`, such as concurrent.futures.ProcessPoolExecutor(),")
    cut = _engine.units(question, _seconds(seconds))
    futures = [executor.submit(run_unit, unit, PROCESS) for unit in cut]
    try:
        return _engine.join([future.result() for future in futures])
    except BaseException:
        for future in futures:
            getattr(future, "cancel", bool)()
        raise
