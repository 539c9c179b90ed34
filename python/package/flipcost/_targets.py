"""Targets as laws of their outcomes: the methods of `Target` that are written in Python. A target is a mapping from
outcomes to weights."""

from __future__ import annotations

import html
import math
from collections import Counter
from collections.abc import Callable, ItemsView, Iterator, KeysView, Mapping, ValuesView
from fractions import Fraction
from typing import TYPE_CHECKING, Any, SupportsIndex

from ._arguments import plain
from ._values import as_index, shown
from ._engine import Target
from ._errors import KindError, TargetError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ._types import TargetLike

__all__: list[str] = []

# The largest number of rows of a table in a notebook.
MAX_SHOWN = 20
# The largest number of products of weights in a sum or a choice of dice.
MAX_PRODUCTS = 20_000_000


def _numbers(target: Target, what: str) -> dict[Any, int]:
    """Returns the weights of outcomes that are numbers."""
    weights = target.to_dict()
    for outcome in weights:
        if isinstance(outcome, (str, bytes)) or not hasattr(outcome, "__add__"):
            raise TargetError(f"the outcome {shown(outcome)} is not a number: {what} needs numbers")
    return weights


def _check_products(products: int, what: str) -> None:
    if products > MAX_PRODUCTS:
        raise TargetError(f"{what} takes {products} products of weights: at most {MAX_PRODUCTS} were expected")


def length(self: Target) -> int:
    return self.total if self._is_die else len(self.to_dict())


def truth(self: Target) -> bool:
    return True


def iterate(self: Target) -> Iterator[Any]:
    return iter(self.to_dict())


def contains(self: Target, outcome: object) -> bool:
    return get(self, outcome) is not None


def weight(self: Target, outcome: Any) -> int:
    """Returns the weight of an outcome; KeyError if the target does not have it."""
    found = get(self, outcome)
    if found is None:
        raise KeyError(outcome)
    return found  # type: ignore[no-any-return]


def get(self: Target, outcome: Any, default: Any = None) -> Any:
    """Returns the weight of an outcome, or the default."""
    if self._is_die:
        face = as_index(outcome)
        return 1 if face is not None and 0 < face <= self.total else default
    return self.to_dict().get(outcome, default)


def keys(self: Target) -> KeysView[Any]:
    """Returns the outcomes."""
    return self.to_dict().keys()


def values(self: Target) -> ValuesView[int]:
    """Returns the weights."""
    return self.to_dict().values()


def items(self: Target) -> ItemsView[Any, int]:
    """Returns the outcomes with their weights."""
    return self.to_dict().items()


def mean(self: Target) -> Fraction:
    """The mean of the outcomes."""
    if self._is_die:
        return Fraction(self.total + 1, 2)
    return Fraction(sum(Fraction(x) * w for x, w in _numbers(self, "a mean").items())) / self.total


def variance(self: Target) -> Fraction:
    """The variance of the outcomes."""
    if self._is_die:
        return Fraction(self.total**2 - 1, 12)
    squares = sum(Fraction(x) ** 2 * w for x, w in _numbers(self, "a variance").items())
    return Fraction(squares) / self.total - self.mean**2


def std(self: Target) -> float:
    """The standard deviation of the outcomes, as the nearest double."""
    square = self.variance
    # a square root of 64 bits or more, and one more bit, which is 1 if the root is inexact
    shift = 64 + max(square.denominator.bit_length() - square.numerator.bit_length(), 0)
    scaled, rest = divmod(square.numerator << 2 * shift, square.denominator)
    root = math.isqrt(scaled)
    return (2 * root + (rest > 0 or root * root < scaled)) / (2 << shift)


def _apply_to_each(self: Target, outcomes: Any, share: Callable[[Any], Fraction]) -> Any:
    """Applies a function to an outcome, or to each in a list or an array."""
    if hasattr(outcomes, "__array__") and getattr(outcomes, "ndim", 1) > 0:
        import numpy

        array = numpy.asarray(outcomes)
        return numpy.array([share(x) for x in array.ravel().tolist()], dtype=object).reshape(array.shape)
    single = isinstance(outcomes, (str, bytes)) or not hasattr(outcomes, "__iter__")
    if single or isinstance(outcomes, tuple) and contains(self, outcomes):
        return share(outcomes)
    return [share(x) for x in outcomes]


def pmf(self: Target, outcome: Any) -> Any:
    """Returns the probability of an outcome, as a Fraction; for a list or an array, of each outcome in it."""
    texts = not self._is_die and any(isinstance(x, str) for x in self.to_dict())

    def share(x: Any) -> Fraction:
        weight = get(self, x)
        if weight is None and isinstance(x, str) and not texts:
            raise KindError(f"outcome is {shown(x)}: the outcomes here are no texts, and a number such as 1 was expected")
        return Fraction(weight or 0, self.total)

    return _apply_to_each(self, outcome, share)


def cdf(self: Target, outcome: Any) -> Any:
    """Returns the probability of an outcome of at most x, as a Fraction; for a list or an array, for each x in it."""
    weights = _numbers(self, "P(X <= x)")
    return _apply_to_each(self, 
        outcome, lambda x: Fraction(sum(w for y, w in weights.items() if y <= x), self.total)
    )


def sf(self: Target, outcome: Any) -> Any:
    """Returns the probability of an outcome above x, as a Fraction; for a list or an array, for each x in it."""
    weights = _numbers(self, "P(X > x)")
    return _apply_to_each(self, outcome, lambda x: Fraction(sum(w for y, w in weights.items() if y > x), self.total))


def quantile(self: Target, q: Fraction | SupportsIndex | float | str) -> Any:
    """Returns the least outcome x with P(X <= x) >= q; a float is the decimal that it shows."""
    given: Any = float.__repr__(q) if isinstance(q, float) else q
    rest = Fraction(given) * self.total
    if 0 <= rest <= self.total:
        for outcome, weight in sorted(_numbers(self, "a quantile").items()):
            rest -= weight
            if weight and rest <= 0:
                return outcome
    raise TargetError(f"q = {shown(q)} is not a probability: 0 to 1 was expected")


def plus(self: Target, other: Any) -> Target:
    """Returns the sum of independent rolls, or of a roll and a number."""
    mine = _numbers(self, "a sum")
    if not isinstance(other, Target):
        if as_index(other) is None and not isinstance(other, Fraction):
            return NotImplemented  # type: ignore[no-any-return]
        return Target({x + other: w for x, w in mine.items()})
    others = _numbers(other, "a sum")
    _check_products(len(mine) * len(others), "this sum")
    sums: Counter[Any] = Counter()
    for x, w in mine.items():
        for y, v in others.items():
            sums[x + y] += w * v
    return _ordered(sums)


def plus_before(self: Target, other: Any) -> Target:
    return plus(self, other)


def largest(self: Target, *others: TargetLike) -> Target:
    """Returns the largest of independent rolls of this and of others."""
    return _extreme([self, *map(Target, others)], 1)


def least(self: Target, *others: TargetLike) -> Target:
    """Returns the least of independent rolls of this and of others."""
    return _extreme([self, *map(Target, others)], -1)


def keep(
    self: Target, rolls: SupportsIndex, highest: SupportsIndex | None = None, *, lowest: SupportsIndex | None = None
) -> Target:
    """Returns the sum of the highest (or the lowest) of some independent rolls: `Target(6).keep(4, 3)` is 4d6kh3."""
    many, few = as_index(rolls), as_index(lowest if highest is None else highest)
    if (highest is None) == (lowest is None) or many is None or few is None or not 0 < few <= many:
        raise TargetError(
            f"rolls is {shown(rolls)}, highest {shown(highest)} and lowest {shown(lowest)}: one of the last two, "
            "from 1 to the number of rolls, was expected"
        )
    weights = sorted(_numbers(self, "a sum").items(), reverse=highest is not None)
    # the number of ways to get each pair of a number of rolls so far and the sum of the rolls that count
    ways: dict[tuple[int, Any], int] = {(0, 0): 1}
    _check_products(len(weights) ** 2 * many**2 * few, "this choice")
    for outcome, weight in weights:
        more: Counter[tuple[int, Any]] = Counter()
        for (rolled, total), way in ways.items():
            for again in range(many - rolled + 1):
                counted = min(again, max(few - rolled, 0))
                chosen = math.comb(many - rolled, again) * weight**again
                more[rolled + again, total + counted * outcome] += way * chosen
        ways = more
    return _ordered({total: way for (rolled, total), way in ways.items() if rolled == many})


def plot(self: Target, ax: Axes | None = None) -> Axes:
    """Draws the probability of each outcome, by matplotlib."""
    from . import _plots

    return _plots.target(self, ax)


def to_html(self: Target) -> str:
    if self._is_die:
        return f"<p>{html.escape(repr(self))}: a fair die of {plain(self.total)} sides</p>"
    rows = list(self.to_dict().items())
    cells = [(x, Fraction(w, self.total)) for x, w in rows[:MAX_SHOWN]]
    lines = "".join(
        f"<tr><td>{html.escape(str(x))}</td><td>{plain(p)}</td><td>{float(p):.6g}</td></tr>" for x, p in cells
    )
    more = f"<p>{len(rows)} outcomes</p>" if len(rows) > MAX_SHOWN else ""
    head = "<tr><th>outcome</th><th colspan=2>probability</th></tr>"
    return f"<table>{head}{lines}</table>{more}"


def _ordered(weights: Mapping[Any, int]) -> Target:
    return Target(dict(sorted(weights.items())))


def _extreme(targets: list[Target], sign: int) -> Target:
    """Returns the law of the largest of independent rolls, or with the sign -1 of the least, since P(all <= x) is a product."""
    laws = [_numbers(target, "the largest") for target in targets]
    outcomes = sorted({x for law in laws for x in law}, key=lambda x: sign * x)
    reached, below = [0] * len(laws), 0
    weights: dict[Any, int] = {}
    for outcome in outcomes:
        reached = [sum + law.get(outcome, 0) for sum, law in zip(reached, laws)]
        weights[outcome] = math.prod(reached) - below
        below += weights[outcome]
    return _ordered({x: w for x, w in weights.items() if w})


# These functions become methods and properties of the compiled class.
for _name, _method in {
    "__len__": length,
    "__bool__": truth,
    "__iter__": iterate,
    "__contains__": contains,
    "__getitem__": weight,
    "get": get,
    "keys": keys,
    "values": values,
    "items": items,
    "mean": property(mean),
    "variance": property(variance),
    "std": property(std),
    "pmf": pmf,
    "cdf": cdf,
    "sf": sf,
    "quantile": quantile,
    "__add__": plus,
    "__radd__": plus_before,
    "max": largest,
    "min": least,
    "keep": keep,
    "plot": plot,
    "_repr_html_": to_html,
}.items():
    setattr(Target, _name, _method)
_mapping: Any = Mapping
_mapping.register(Target)
