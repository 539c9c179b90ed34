"""Questions of the engine as functions."""

from __future__ import annotations

import json
import time
import warnings
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, SupportsIndex

from . import _engine
from ._arguments import as_index, ids, listed, maybe, names, numbers, plain, priced, shown, whole
from ._engine import Algorithm, Sequence, Source, Target
from ._errors import FlipcostError, QuestionError, UnknownNameError
from ._table import Answer, Sweep

if TYPE_CHECKING:
    from ._types import Rng, SourceLike, TargetLike

__all__ = [
    "advise",
    "algorithms",
    "ask",
    "batch",
    "cite",
    "compare",
    "cost",
    "identify",
    "plan",
    "roll",
    "sequence",
    "sequences",
    "shuffle",
    "sweep",
]

# The most targets of a list that is swept.
MOST_LISTED = 1_000_000


class Algorithms(Mapping[str, Algorithm]):
    """The algorithms by id. Functions of libraries, such as `cpython-randbelow`, are found by their
    ids too, but not listed.

    >>> import flipcost
    >>> "interval" in flipcost.algorithms, len(flipcost.algorithms) > 10
    (True, True)
    """

    def __getitem__(self, key: str) -> Algorithm:
        return Algorithm(key)

    def __contains__(self, key: object) -> bool:
        try:
            return isinstance(key, str) and Algorithm(key) is not None
        except UnknownNameError:
            return False

    def __iter__(self) -> Iterator[str]:
        return iter(_engine.algorithm_ids())

    def __len__(self) -> int:
        return len(_engine.algorithm_ids())

    def __repr__(self) -> str:
        return f"<algorithms: {', '.join(self)}>"


algorithms = Algorithms()


def _answered(question: Mapping[str, Any], threads: SupportsIndex) -> Answer:
    return Answer(_engine.ask(json.dumps(question), whole(threads, "threads")))


def _asked(ask: str, threads: SupportsIndex = 0, **fields: Any) -> Answer:
    """The answer to a question with the fields that are not None, False or empty."""
    given = {
        name: plain(value)
        for name, value in fields.items()
        if value is not None and value is not False and value != []
    }
    return _answered({"ask": ask, **given}, threads)


def cite(what: str | Algorithm | None = None, bibtex: bool = False) -> str:
    """How to cite flipcost, an algorithm (itself or its id) or an entry of the OEIS; UnknownNameError
    if there is none.

    >>> import flipcost
    >>> flipcost.cite("interval", bibtex=True).splitlines()[0]
    '@article{han-hoshi1997,'
    """
    name = what.id if isinstance(what, Algorithm) else what
    if name is not None and not isinstance(name, str):
        raise UnknownNameError(f"{shown(what)} is no name: an id such as 'interval' was expected")
    return _engine.cite(name, bool(bibtex))


def ask(query: str | Mapping[str, Any], /, *, threads: SupportsIndex = 0, **fields: Any) -> Answer:
    """Answers any question of the engine: a dict or JSON as `flipcost --query` prints it, or the
    kind of question with its fields.

    >>> import flipcost
    >>> flipcost.ask("bounded", sources="6", targets="4..5")["rolls"]
    [2, 'never']
    >>> flipcost.ask({"ask": "mr", "x": "1/29", "terms": 5}).command
    'flipcost mr 1/29 --terms 5'
    """
    if isinstance(query, Mapping):
        return _answered({**plain(query), **plain(fields)}, threads)
    if not isinstance(query, str):
        raise QuestionError(
            f"{shown(query)} is no question: a kind such as 'cost', or a question as a dict or as "
            "JSON, was expected"
        )
    if not query.lstrip().startswith("{"):
        return _answered({"ask": query, **plain(fields)}, threads)
    if fields:
        raise QuestionError("the question is whole as JSON: no further fields were expected")
    return Answer(_engine.ask(query, whole(threads, "threads")))


def cost(
    target: TargetLike,
    source: SourceLike = "coin",
    *,
    algorithms: Iterable[str | Algorithm] | None = None,
    columns: Iterable[str] | None = None,
    digits: SupportsIndex | None = None,
    exact: bool = False,
) -> Answer:
    """What a target costs: a row for each algorithm, best first.

    >>> import flipcost
    >>> flipcost.cost(12, source=6, columns=["algorithm", "expected_exact", "worst_case"])[0]
    {'algorithm': 'fast-dice-roller', 'expected_exact': Fraction(2, 1), 'worst_case': 2}
    """
    return _asked(
        "cost",
        target=Target(target),
        source=Source(source),
        algorithms=ids(algorithms),
        columns=names(columns),
        digits=maybe(digits, "digits"),
        exact=bool(exact),
    )


def compare(
    sources: int | str | Iterable[int],
    targets: int | str | Iterable[int],
    *,
    algorithms: Iterable[str | Algorithm] | None = None,
    digits: SupportsIndex | None = None,
) -> Answer:
    """Sources against targets: numbers, ranges or lists of sides.

    >>> import flipcost
    >>> len(flipcost.compare([2, 6], range(4, 7), algorithms=["fast-dice-roller"]))
    6
    """
    return _asked(
        "compare",
        sources=numbers(sources, "sources"),
        targets=numbers(targets, "targets"),
        algorithms=ids(algorithms),
        digits=maybe(digits, "digits"),
    )


def _dice(dice: Any) -> str:
    """Dice as the program writes them, one by one."""
    return numbers(list(dice) if isinstance(dice, range) else dice, "dice")


def plan(
    target: TargetLike,
    dice: int | str | Iterable[int] | None = None,
    *,
    prices: Mapping[int, int | Fraction | str] | None = None,
    split: bool = True,
    optimal: bool = False,
    effort: SupportsIndex | None = None,
) -> Answer:
    """The cheapest recipe for a target with several dice, each of which may be rolled any number of
    times; `prices` says what a roll costs where it is not 1.

    It is the cheapest of those that keep one uniform number and, unless `split` is False, may share
    what is left over between two dice. With `optimal`, rules of every form are compared: the answer
    has the best that a search of at most `effort` steps finds, what no rule costs less than
    (`lower_exact`), and if the two are `proved` equal.

    >>> import flipcost
    >>> flipcost.plan(13, [6, 10])[0]["expected_exact"]
    Fraction(7540540, 3599999)
    >>> best = flipcost.plan(13, [6, 10], optimal=True)[0]
    >>> best["expected_exact"], best["proved"]
    (Fraction(7252300, 3599999), 'yes')
    """
    return _asked(
        "plan",
        target=Target(target),
        dice=None if dice is None else _dice(dice),
        cost=priced(prices),
        no_split=not split,
        optimal=bool(optimal),
        effort=maybe(effort, "effort"),
    )


def batch(
    targets: str | Iterable[TargetLike],
    source: SourceLike = "coin",
    *,
    best_order: bool = False,
    digits: SupportsIndex | None = None,
) -> Answer:
    """Several targets in a row, with the state kept between them. In a text a comma separates
    targets, weights have colons and a law with commas stands in brackets.

    >>> import flipcost
    >>> flipcost.batch([4, 13], source=6)["expected_exact"][:2]
    [Fraction(2327482, 699855), Fraction(2558414, 699855)]
    """
    return _asked(
        "batch",
        targets=targets if isinstance(targets, str) else _items(targets),
        source=Source(source),
        best_order=bool(best_order),
        digits=maybe(digits, "digits"),
    )


def _items(targets: Iterable[TargetLike]) -> list[str]:
    """Targets as items of a list, where a comma separates them: a law with commas stands in
    brackets."""

    def item(target: TargetLike) -> str:
        if isinstance(target, str):
            return target
        text = str(Target(target))
        return f"({text})" if "," in text and not text.startswith("{") else text

    return [item(target) for target in listed(targets, "targets", "targets")]


def shuffle(
    cards: SupportsIndex,
    source: SourceLike = "coin",
    *,
    draw: SupportsIndex | None = None,
    digits: SupportsIndex | None = None,
    libraries: bool = False,
    broken: bool = False,
) -> Answer:
    """A deck in random order, by each method; `libraries` for functions of real libraries, `broken`
    for shuffles that are not uniform.

    >>> import flipcost
    >>> flipcost.shuffle(52, source=6)[0]["algorithm"]
    'fast-dice-roller'
    """
    return _asked(
        "shuffle",
        cards=whole(cards, "cards"),
        source=Source(source),
        draw=maybe(draw, "draw"),
        digits=maybe(digits, "digits"),
        libraries=bool(libraries),
        broken=bool(broken),
    )


def identify(terms: Iterable[int | None], *, limit: SupportsIndex = 20) -> Answer:
    """Entries of the OEIS, among those that the package carries, with these terms; None is an
    unknown term.

    >>> import flipcost
    >>> flipcost.identify([1, 1, 1, 1, 2, 1, 1, 1, 3, 2, 5])[0]["sequence"]
    'cycle-rounds:source=2 and mr-period:base=2'
    """
    found = listed(terms, "terms", "whole numbers")
    text = ",".join("?" if term is None else _term(term) for term in found)
    return _asked("oeis-identify", terms=text, limit=whole(limit, "limit"))


def _term(term: object) -> str:
    number = as_index(term)
    if number is None:
        raise QuestionError(f"terms has {shown(term)} in it: whole numbers or None were expected")
    return str(number)


def advise(
    target: TargetLike | None = None,
    source: SourceLike = "coin",
    *,
    shuffle: SupportsIndex | None = None,
    bits: SupportsIndex | None = None,
    dice: str | Iterable[int] | None = None,
    prefer: str = "rolls",
) -> Answer:
    """Which method to take for a target, for a shuffle of so many cards, or for so many random bits;
    `prefer` is `rolls`, `bounded`, `no-memory`, `simple` or `constant-time`. The source is one, or
    `dice` are several."""
    if dice is not None and Source(source) != Source.coin:
        raise QuestionError("source and dice were both given: one of them was expected", "dice")
    return _asked(
        "advise",
        target=None if target is None else Target(target),
        shuffle=maybe(shuffle, "shuffle"),
        bits=maybe(bits, "bits"),
        source=None if dice is not None else Source(source),
        dice=None if dice is None else _dice(dice),
        prefer=prefer,
    )


def roll(
    target: TargetLike,
    source: SourceLike = "coin",
    *,
    algorithm: str | Algorithm | None = None,
    rng: Rng | None = None,
) -> Any:
    """One outcome, by the algorithm that costs the least unless another is named.

    `rng` is the source: None for the operating system's randomness, a `random.Random`, or a callable
    that is given the sides of the die and returns a face from 1 to that number.

    >>> import flipcost, random
    >>> flipcost.roll(6, rng=random.Random(7)) in range(1, 7)
    True
    >>> flips = iter([1, 2, 1])  # heads, tails, heads
    >>> flipcost.roll(6, rng=lambda sides: next(flips))
    3
    """
    target = Target(target)
    if algorithm is None:
        algorithm = "knuth-yao" if target.sides is None else "fast-dice-roller"
    if not isinstance(algorithm, Algorithm):
        algorithm = algorithms[algorithm]
    return algorithm.roll(source, target, rng)[0]


def sequence(name: str | SupportsIndex) -> Sequence:
    """A sequence by its number in the OEIS (`"A136043"` or 136043) or its id; `s[1:10]` are its terms
    a(1), ..., a(9). UnknownNameError if there is none.

    >>> import flipcost
    >>> flipcost.sequence("A136043")[1000]
    50
    """
    number = as_index(name)
    return Sequence(name if number is None else f"A{number:06}")  # type: ignore[arg-type]


def sequences() -> list[str]:
    """The ids of the sequences that need no parameters."""
    return _engine.sequence_ids()


class _Bar:
    """tqdm's bar if it is installed. It appears after a second, and only where a person looks; not
    even tqdm is loaded before."""

    def __init__(self) -> None:
        self._begun = time.monotonic()
        self._bar: Any = None
        self._sought = False

    def tell(self, done: int, all: int) -> None:
        """Shows that so many are done."""
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
        """Takes it away."""
        if self._bar is not None:
            self._bar.close()


def sweep(
    targets: range | tuple[SupportsIndex, SupportsIndex] | Iterable[TargetLike],
    source: SourceLike = "coin",
    *,
    algorithms: Iterable[str | Algorithm] | None = None,
    columns: Iterable[str] | None = None,
    digits: SupportsIndex | None = None,
    exact: bool = False,
    threads: SupportsIndex = 0,
    progress: bool = True,
) -> Sweep:
    """What every target costs: of a range, of a tuple (first, last), both of them included, or of a
    list or an array of targets. Rows are in order of the targets, then of the registry. Without
    `algorithms` it is the one that costs the least: the fast dice roller, or Knuth and Yao's where a
    target of a list has weights. A column may be an expression of others: `"expected - log2(n)"`; where
    it has no value, such as a logarithm of 0, it is not a number.

    It runs on all cores without the interpreter's lock, and stops at Ctrl-C.

    >>> import flipcost
    >>> list(flipcost.sweep([6, 1000, 52], columns=["n", "expected_exact"])["n"])
    [6, 1000, 52]
    """
    question = {
        **_swept(targets),
        "source": str(Source(source)),
        "columns": names(columns),
        **({} if digits is None else {"digits": whole(digits, "digits")}),
        **({"exact": True} if exact else {}),
    }
    if algorithms is not None:
        question["algorithms"] = ids(algorithms)
    bar = _Bar() if progress else None
    try:
        tell = None if bar is None else bar.tell
        return Sweep(*_engine.sweep(json.dumps(question), whole(threads, "threads"), tell))
    finally:
        if bar is not None:
            bar.close()


def _swept(targets: Any) -> dict[str, Any]:
    """The fields of a sweep of these targets, with the algorithm that costs the least."""
    if isinstance(targets, tuple):
        ends = [as_index(end) for end in targets]
        if len(ends) == 2 and None not in ends:
            return _between(*(whole(end, "an end of targets") for end in ends))
    elif isinstance(targets, range):
        if not targets:
            raise FlipcostError(
                f"{targets!r} is an empty range of targets: range(first, last + 1) was expected"
            )
        if targets.step == 1:
            return _between(whole(targets[0], "the first target"), targets[-1])
        return _of_list(targets, (targets[-1] - targets[0]) // targets.step + 1)
    elif not isinstance(targets, (str, Target)):
        found = listed(targets, "targets", "targets, a range or a tuple (first, last)")
        return _of_list(found, len(found))
    raise QuestionError(
        f"targets is {shown(targets)}: range(first, last + 1), a tuple (first, last), both of them "
        "included, or a list of targets was expected"
    )


def _between(first: int, last: int) -> dict[str, Any]:
    return {
        "ask": "sweep",
        "from": plain(first),
        "to": plain(last),
        "algorithms": ["fast-dice-roller"],
    }


def _of_list(targets: Iterable[Any], many: int) -> dict[str, Any]:
    if many == 0:
        raise QuestionError("targets is empty: one target or more was expected")
    if many > MOST_LISTED:
        raise QuestionError(f"{plain(many)} targets are too many: {MOST_LISTED} are the most in a list")
    found = [Target(target) for target in targets]
    fair = all(target.sides is not None for target in found)
    return {
        "ask": "sweep-weights",
        "weights": [str(target) for target in found],
        "algorithms": ["fast-dice-roller" if fair else "knuth-yao"],
    }
