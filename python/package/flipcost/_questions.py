"""The questions that have a different form in Python: rolls, sequences, sweeps by columns."""

from __future__ import annotations

import json
import operator
import time
import warnings
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, SupportsIndex

from . import _arguments as given
from . import _engine, questions
from ._arguments import listed, plain, whole
from ._values import as_index, refuse
from ._engine import Algorithm, Sequence, Source, Target
from ._errors import QuestionError, RefusedError, UnknownNameError
from ._ask import asked
from ._exactness import inexact
from ._straight import OWN, is_examined, roll_recorded
from ._table import Answer, Sweep
from ._units import executed
from .questions import oeis_identify

if TYPE_CHECKING:
    from ._types import AlgorithmLike, AlgorithmsLike, Executor, NumbersLike, Rng, SourceLike, TargetLike, WantedLike

__all__ = [
    "Algorithms",
    "algorithms",
    "cite",
    "compare",
    "identify",
    "roll",
    "sequence",
    "sequences",
    "sweep",
]

identify = oeis_identify

# The most targets of a list that is swept.
MAX_LISTED = 1_000_000


class Algorithms(Mapping[str, Algorithm]):
    """The algorithms by id, in which underscores are read as hyphens. Functions of libraries, such as
    `cpython-randbelow`, are found by their ids too, but not listed.

    >>> import flipcost
    >>> "interval" in flipcost.algorithms, len(flipcost.algorithms) > 10
    (True, True)
    """

    def __getitem__(self, key: str) -> Algorithm:
        return Algorithm(key)

    def __contains__(self, key: object) -> bool:
        try:
            return isinstance(key, str) and self[key] is not None
        except UnknownNameError:
            return False

    def __iter__(self) -> Iterator[str]:
        return iter(_engine.algorithm_ids())

    def __len__(self) -> int:
        return len(_engine.algorithm_ids())

    def __repr__(self) -> str:
        return f"<algorithms: {', '.join(self)}>"

    def _ipython_key_completions_(self) -> list[str]:
        return list(self)


algorithms = Algorithms()


def cite(what: AlgorithmLike | None = None, bibtex: bool = False) -> str:
    """Returns how to cite flipcost, an algorithm (itself or its id) or an entry of the OEIS; UnknownNameError if it is
    unknown.

    >>> import flipcost
    >>> flipcost.cite("interval", bibtex=True).splitlines()[0]
    '@article{han-hoshi1997,'
    """
    name = what.id if isinstance(what, Algorithm) else what
    if name is not None and not isinstance(name, str):
        refuse(what, "what", "an id such as 'interval'")
    return _engine.cite(name, bool(bibtex))


def roll(
    target: WantedLike,
    source: SourceLike = "coin",
    *,
    algorithm: AlgorithmLike | None = None,
    rng: Rng | None = None,
    count: SupportsIndex | None = None,
) -> Any:
    """Returns one outcome, or a list of `count` outcomes, by the algorithm that costs the least, from a loaded source by
    the interval algorithm, unless another is named.

    `rng` is the source: None for the operating system's randomness, a `random.Random`, a
    `numpy.random.Generator`, or a callable that is given the sides of the die and returns a face from
    1 to that number. An unknown source takes one; a generator shows its faces equally likely. It gives
    a word of 64 bits for one outcome, and up to 8192 bytes at once for many.

    In the straight code of a rule that is being examined it is a roll of its source: see `flipcost.rule`.

    >>> import flipcost, random
    >>> flipcost.roll(6, rng=random.Random(7)) in range(1, 7)
    True
    >>> flipcost.roll(2, flipcost.Source([1, 2]), rng=random.Random(7)) in (1, 2)
    True
    >>> flips = iter([1, 2, 1])  # heads, tails, heads
    >>> flipcost.roll(6, rng=lambda sides: next(flips))
    3
    """
    if is_examined():
        return roll_recorded(target) if count is None else list(map(roll_recorded, [target] * operator.index(count)))
    if isinstance(target, str) and _engine.endless(target):
        if rng is not None:
            said = "a law without an end is rolled from the operating system's randomness: leave out rng"
            raise RefusedError(f"{said}, or seed it: flipcost.questions.roll({target!r}, seed=1)", "rng")
        rolled = questions.roll(target, source, algorithm=algorithm, count=1 if count is None else count)["result"]
        found = [int(one) if one.lstrip("-").isdigit() else one for one in rolled]
        return found[0] if count is None else found
    wanted, source = given.law_of(target, "target"), given.source_of(source, "source")
    if algorithm is None:
        algorithm = _engine.usual(source, wanted)
    return Algorithm(given.algorithm(algorithm, "algorithm")).roll(wanted, source, rng, count=count)[0]


OWN.add(roll.__code__)


def sequence(name: str | SupportsIndex) -> Sequence:
    """Returns a sequence by its number in the OEIS (`"A136043"` or 136043) or its id; `s[1:10]` are its terms a(1),
    ..., a(9). UnknownNameError if it is unknown.

    >>> import flipcost
    >>> flipcost.sequence("A136043")[1000]
    50
    """
    number = as_index(name)
    return Sequence(name if number is None else f"A{number:06}")  # type: ignore[arg-type]


def sequences() -> list[str]:
    """Returns the ids of the sequences that need no parameters.

    >>> import flipcost
    >>> "mr:x=1/29" in flipcost.sequences(), len(flipcost.sequences()) > 10
    (False, True)
    """
    return _engine.sequence_ids()


class _Bar:
    """A progress bar of tqdm, if tqdm is installed. The bar appears after a second, and only at a terminal or in a
    notebook; tqdm is not loaded before that."""

    def __init__(self) -> None:
        self._begun = time.monotonic()
        self._bar: Any = None
        self._sought = False

    def tell(self, done: int, all: int) -> None:
        """Shows the number of finished items."""
        if not self._sought and time.monotonic() - self._begun > 1:
            self._sought = True
            self._bar = self._found(all)
        if self._bar is not None:
            self._bar.update(done - self._bar.n)

    def _found(self, all: int) -> Any:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # a notebook without widgets gets the bar as text
                from tqdm.auto import tqdm
        except ImportError:
            return None
        return tqdm(total=all, unit="n", unit_scale=True, disable=None, leave=False)

    def close(self) -> None:
        """Removes the bar."""
        if self._bar is not None:
            self._bar.close()


def sweep(
    targets: range | str | Iterable[TargetLike],
    source: SourceLike = "coin",
    *,
    algorithms: AlgorithmsLike | None = None,
    columns: str | Iterable[str] | None = None,
    digits: SupportsIndex | None = None,
    exact: bool = False,
    threads: SupportsIndex = 0,
    progress: bool = True,
    executor: Executor | None = None,
) -> Sweep:
    """Returns what every target costs: of `range(2, 9)`, of `"2..8"`, or of a list or an array of targets. Rows are
    in order of the targets, then of the registry. Without `algorithms` it is the one that costs the least: the fast
    dice roller, or Knuth and Yao's where a target of a list has weights. Columns are a list or a text such as
    `"n,toll"`. A column may be an expression of others, also with a name, `"mine = expected - log2(n)"`; where it has
    no value, such as a logarithm of 0, it is not a number.

    It runs on all cores without the interpreter's lock, and stops at Ctrl-C. With an executor, anything with
    `submit`, its units are run there (see `flipcost.units`), but for columns of exact fractions, each of which
    is computed here when it is looked at.

    >>> import flipcost
    >>> list(flipcost.sweep([6, 1000, 52], columns=["n", "expected_exact"])["n"])
    [6, 1000, 52]
    """
    question = _swept(targets) | {
        "source": given.source(source, "source"),
        "columns": given.texts(columns, "columns"),
        "digits": given.maybe(digits, "digits"),
        "exact": bool(exact),
    }
    if algorithms is not None:
        question["algorithms"] = given.algorithms(algorithms, "algorithms")
    question = {name: value for name, value in question.items() if value is not None}
    bar = _Bar() if progress else None
    try:
        tell = None if bar is None else bar.tell
        by = None if executor is None else partial(executed, executor=executor)
        query, found, notes = _engine.sweep(json.dumps(question), whole(threads, "threads"), tell, by)
        return Sweep(query, found, [*notes, *inexact(query, notes)])
    finally:
        if bar is not None:
            bar.close()


def compare(
    sources: NumbersLike = "2,4,6,8,10,12,20",
    targets: NumbersLike = "2..100",
    *,
    weights: Iterable[TargetLike] | None = None,
    algorithms: AlgorithmsLike | None = None,
    digits: SupportsIndex | None = None,
    executor: Executor | None = None,
) -> Answer:
    """Returns the best algorithm for every source and target: a short form of `cost` with `best`.

    >>> import flipcost
    >>> flipcost.compare([2, 6], [6])["algorithm"]
    ['fast-dice-roller', 'fast-dice-roller']
    """
    return asked("cost", {
        "target": given.numbers(targets, "targets") if weights is None else given.targets(weights, "weights"),
        "sources": given.numbers(sources, "sources"),
        "algorithms": given.algorithms(algorithms, "algorithms"),
        "digits": given.maybe(digits, "digits"),
        "best": True,
    }, executor)


def _swept(targets: Any) -> dict[str, Any]:
    """Returns the fields of a sweep of these targets, with the algorithm that costs the least."""
    given.check_pair(targets, "targets", "a list is")
    if isinstance(targets, range):
        if not targets:
            raise QuestionError(f"targets is {targets!r}, which is empty: range(first, last + 1) was expected", "targets")
        if targets.step == 1:
            return _between(f"{plain(whole(targets[0], 'the first target'))}..{plain(targets[-1])}")
        return _of_list(targets, (targets[-1] - targets[0]) // targets.step + 1)
    if isinstance(targets, str) and ".." in targets and "," not in targets:
        return _between(targets)
    if isinstance(targets, (str, Target)):
        refuse(targets, "targets", 'range(first, last + 1), "first..last" or a list of targets')
    found = listed(targets, "targets", 'targets, range(first, last + 1) or "first..last"')
    return _of_list(found, len(found))


def _between(targets: str) -> dict[str, Any]:
    return {"ask": "cost", "target": targets, "algorithms": ["fast-dice-roller"]}


def _of_list(targets: Iterable[Any], many: int) -> dict[str, Any]:
    if many == 0:
        raise QuestionError("targets is empty: one target or more was expected")
    if many > MAX_LISTED:
        raise QuestionError(f"{plain(many)} targets are too many: {MAX_LISTED} are the most in a list")
    found = [given.law_of(target, "a target of targets") for target in targets]
    fair = all(target.sides is not None for target in found)
    return {
        "ask": "cost",
        "target": [str(target) for target in found],
        "algorithms": ["fast-dice-roller" if fair else "knuth-yao"],
    }
