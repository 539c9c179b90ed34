"""Questions of the engine as functions."""

from __future__ import annotations

import json
import time
import warnings
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from . import _engine
from ._engine import Algorithm, Sequence, Source, Target
from ._errors import FlipcostError, UnknownNameError
from ._table import Answer, Sweep

if TYPE_CHECKING:
    from ._engine import Rng, SourceLike, TargetLike

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

cite = _engine.cite


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


def _plain(value: Any) -> Any:
    """A value as JSON can hold it: exact numbers as text."""
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int):
        return value if abs(value) < 2**53 else str(value)
    if isinstance(value, (str, Fraction, Source, Target)):
        return str(value)
    if isinstance(value, Algorithm):
        return value.id
    if isinstance(value, Mapping):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, Iterable):
        return [_plain(inner) for inner in value]
    if isinstance(value, float):
        raise FlipcostError(f"{value!r} is a float: an int, a Fraction or a text was expected")
    return str(value)


def _numbers(values: int | str | Iterable[int]) -> str:
    """A list of numbers as it is written: `2,4,10..20`."""
    if isinstance(values, (int, str)):
        return str(values)
    if isinstance(values, range) and values.step == 1 and len(values) > 0:
        return f"{values[0]}..{values[-1]}"
    return ",".join(str(value) for value in values)


def _query(ask: str, fields: Mapping[str, Any]) -> str:
    """A question as JSON, without the fields that are None, False or empty."""
    given = {
        name: _plain(value)
        for name, value in fields.items()
        if value is not None and value is not False and value != []
    }
    return json.dumps({"ask": ask, **given})


def _asked(ask: str, threads: int = 0, **fields: Any) -> Answer:
    return Answer(_engine.ask(_query(ask, fields), threads))


def _ids(algorithms: Iterable[str | Algorithm] | None) -> list[str]:
    if isinstance(algorithms, str):
        raise FlipcostError(f"algorithms is a list of ids: [{algorithms!r}] was expected")
    return [
        algorithm.id if isinstance(algorithm, Algorithm) else algorithm
        for algorithm in algorithms or []
    ]


def _names(columns: Iterable[str] | None) -> list[str]:
    if isinstance(columns, str):
        raise FlipcostError(f"columns is a list of names: [{columns!r}] was expected")
    return list(columns or [])


def ask(query: str | Mapping[str, Any], /, *, threads: int = 0, **fields: Any) -> Answer:
    """Answers any question of the engine: a dict or JSON as `flipcost --query` prints it, or the
    kind of question with its fields.

    >>> import flipcost
    >>> flipcost.ask("bounded", sources="6", targets="4..5")["rolls"]
    [2, 'never']
    >>> flipcost.ask({"ask": "mr", "x": "1/29", "terms": 5}).command
    'flipcost mr 1/29 --terms 5'
    """
    if isinstance(query, Mapping):
        text = json.dumps({**_plain(query), **_plain(fields)})
    elif query.lstrip().startswith("{"):
        if fields:
            raise FlipcostError("the question is whole as JSON: no further fields were expected")
        text = query
    else:
        text = json.dumps({"ask": query, **_plain(fields)})
    return Answer(_engine.ask(text, threads))


def cost(
    target: TargetLike,
    source: SourceLike = "coin",
    *,
    algorithms: Iterable[str | Algorithm] | None = None,
    columns: Iterable[str] | None = None,
    digits: int | None = None,
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
        algorithms=_ids(algorithms),
        columns=_names(columns),
        digits=digits,
        exact=exact,
    )


def compare(
    sources: int | str | Iterable[int],
    targets: int | str | Iterable[int],
    *,
    algorithms: Iterable[str | Algorithm] | None = None,
    digits: int | None = None,
) -> Answer:
    """Sources against targets: numbers, ranges or lists of sides.

    >>> import flipcost
    >>> len(flipcost.compare([2, 6], range(4, 7), algorithms=["fast-dice-roller"]))
    6
    """
    return _asked(
        "compare",
        sources=_numbers(sources),
        targets=_numbers(targets),
        algorithms=_ids(algorithms),
        digits=digits,
    )


def plan(
    target: TargetLike,
    dice: int | str | Iterable[int] | None = None,
    *,
    prices: Mapping[int, int | Fraction | str] | None = None,
    split: bool = True,
    optimal: bool = False,
    effort: int | None = None,
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
        dice=None if dice is None else _numbers(list(dice) if isinstance(dice, range) else dice),
        cost=[f"{sides}={price}" for sides, price in (prices or {}).items()],
        no_split=not split,
        optimal=optimal,
        effort=effort,
    )


def batch(
    targets: Iterable[TargetLike],
    source: SourceLike = "coin",
    *,
    best_order: bool = False,
    digits: int | None = None,
) -> Answer:
    """Several targets in a row, with the state kept between them.

    >>> import flipcost
    >>> flipcost.batch([4, 13], source=6)["expected_exact"][:2]
    [Fraction(2327482, 699855), Fraction(2558414, 699855)]
    """
    return _asked(
        "batch",
        targets=[Target(target) for target in targets],
        source=Source(source),
        best_order=best_order,
        digits=digits,
    )


def shuffle(
    cards: int,
    source: SourceLike = "coin",
    *,
    draw: int | None = None,
    digits: int | None = None,
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
        cards=cards,
        source=Source(source),
        draw=draw,
        digits=digits,
        libraries=libraries,
        broken=broken,
    )


def identify(terms: Iterable[int | None], *, limit: int = 20) -> Answer:
    """Entries of the OEIS, among those that the package carries, with these terms; None is an
    unknown term.

    >>> import flipcost
    >>> flipcost.identify([1, 1, 1, 1, 2, 1, 1, 1, 3, 2, 5])[0]["sequence"]
    'cycle-rounds:source=2 and mr-period:base=2'
    """
    text = ",".join("?" if term is None else str(term) for term in terms)
    return _asked("oeis-identify", terms=text, limit=limit)


def advise(
    target: TargetLike | None = None,
    source: SourceLike = "coin",
    *,
    shuffle: int | None = None,
    bits: int | None = None,
    dice: str | Iterable[int] | None = None,
    prefer: str = "rolls",
) -> Answer:
    """Which method to take for a target, for a shuffle of so many cards, or for so many random bits;
    `prefer` is `rolls`, `bounded`, `no-memory`, `simple` or `constant-time`."""
    return _asked(
        "advise",
        target=None if target is None else Target(target),
        shuffle=shuffle,
        bits=bits,
        source=None if dice is not None else Source(source),
        dice=None if dice is None else _numbers(dice),
        prefer=prefer,
    )


def roll(
    target: TargetLike,
    source: SourceLike = "coin",
    *,
    algorithm: str | Algorithm | None = None,
    rng: Rng | None = None,
) -> int | str:
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
    if isinstance(algorithm, str):
        algorithm = algorithms[algorithm]
    return algorithm.roll(source, target, rng)[0]


def sequence(name: str) -> Sequence:
    """A sequence by its number in the OEIS or its id; `s[1:10]` are its terms a(1), ..., a(9).

    >>> import flipcost
    >>> flipcost.sequence("A136043")[1000]
    50
    """
    return Sequence(name)


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
    targets: range | tuple[int, int],
    source: SourceLike = "coin",
    *,
    algorithms: Iterable[str | Algorithm] | None = None,
    columns: Iterable[str] | None = None,
    digits: int | None = None,
    exact: bool = False,
    threads: int = 0,
    progress: bool = True,
) -> Sweep:
    """What every target in a range costs: rows in order of n, then algorithm. Without `algorithms`
    it is the fast dice roller, which costs the least. A column may be an expression of others:
    `"expected - log2(n)"`.

    It runs on all cores without the interpreter's lock, and stops at Ctrl-C.
    """
    if isinstance(targets, range):
        if targets.step != 1 or len(targets) == 0:
            raise FlipcostError(
                f"{targets!r} is no range of targets: range(first, last + 1) was expected"
            )
        first, last = targets[0], targets[-1]
    else:
        first, last = targets
    ids = _ids(algorithms) or ["fast-dice-roller"]
    query = json.dumps(
        {
            "ask": "sweep",
            "from": first,
            "to": last,
            "source": str(Source(source)),
            "algorithms": ids,
            "columns": _names(columns),
            **({} if digits is None else {"digits": digits}),
            **({"exact": True} if exact else {}),
        }
    )
    if not progress:
        return Sweep(*_engine.sweep(query, threads))
    bar = _Bar()
    try:
        return Sweep(*_engine.sweep(query, threads, bar.tell))
    finally:
        bar.close()
