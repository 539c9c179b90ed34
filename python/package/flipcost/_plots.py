"""Plots with matplotlib, if it is installed. The numbers behind them are exact; the pictures are rounded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from numbers import Real
from typing import TYPE_CHECKING, Any

from ._values import shown
from ._errors import FlipcostError
from ._frames import optional

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ._engine import Draws, Law, Target
    from ._table import Table

__all__ = ["law", "table", "target"]

# The largest number of bars in a plot.
MAX_BARS = 2_000


def _axes(ax: Axes | None) -> Any:
    return optional("matplotlib.pyplot").subplots()[1] if ax is None else ax


def law(law: Law | Draws, ax: Axes | None = None) -> Axes:
    """Plots P(T = t), up to the t beyond which at most a thousandth is left."""
    first, last = (law.quantile(q) for q in ("1/1000", "999/1000"))
    low, high = max((first or 0) - 1, 0), (last or 0) + 1
    if high - low > MAX_BARS:
        raise FlipcostError(
            f"T is spread over {high - low} numbers of rolls: at most {MAX_BARS} bars are drawn; plot law.sf of some"
        )
    axes = _axes(ax)
    rolls = range(low, high + 1)
    # computes differences of doubles, since exact fractions for thousands of rolls take long
    left = [2.0**log for log in law.log2_sf(range(low - 1, high + 1))]
    axes.bar(list(rolls), [before - after for before, after in pairwise(left)])
    axes.set(xlabel=law.unit, ylabel="probability", title=f"{float(law.decimal(6)):g} {law.unit} on average")
    return axes  # type: ignore[no-any-return]


def target(target: Target, ax: Axes | None = None) -> Axes:
    """Plots the probability of each outcome."""
    outcomes = target.to_dict()
    if len(outcomes) > MAX_BARS:
        raise FlipcostError(f"{len(outcomes)} outcomes are too many: at most {MAX_BARS} bars are drawn")
    axes = _axes(ax)
    axes.bar(_ticks(outcomes), [weight / target.total for weight in outcomes.values()])
    axes.set(xlabel="outcome", ylabel="probability")
    return axes  # type: ignore[no-any-return]


def _ticks(values: Iterable[Any]) -> list[Any]:
    """Returns numbers unchanged, and all other values as text."""
    found = list(values)
    numbers = all(isinstance(value, Real) for value in found)
    return [float(value) for value in found] if numbers else [str(value) for value in found]


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def table(table: Table, x: str | None, y: Sequence[str] | None, ax: Axes | None = None) -> Axes:
    """Plots columns of numbers over one column: lines over numbers, bars over names."""
    columns = {column.name: column for column in table.columns}
    numbers = [name for name in columns if any(_is_number(value) for value in table[name][:100])]
    if x is None:
        varied = (name for name in columns if len({str(value) for value in table[name][:100]}) > 1)
        x = next(varied, next(iter(columns), ""))
    if y is None:
        others = [name for name in numbers if name != x]
        decimals = [name for name in others if columns[name].kind == "decimal"] or others
        same = [name for name in decimals if columns[name].unit == columns[decimals[0]].unit]
        y = same if x in numbers else same[:1]
    if not y:
        raise FlipcostError(f"{shown(table)} has no column of numbers to draw over {x!r}")
    places = _ticks(table[x])
    for name in y:
        if table[name] is not None and name not in numbers:
            raise FlipcostError(f"the column {name!r} has no numbers: choose among {', '.join(numbers)}")
    axes = _axes(ax)
    for i, name in enumerate(y):
        heights = [float(value) if _is_number(value) else float("nan") for value in table[name]]
        if x in numbers:
            axes.plot(places, heights, label=name)
        else:
            width = 0.8 / len(y)
            axes.bar([row + i * width for row in range(len(places))], heights, width, label=name)
    if x not in numbers:
        axes.set_xticks(range(len(places)), places, rotation=30, ha="right")
    axes.set(xlabel=x, ylabel=columns[y[0]].unit or y[0])
    axes.legend()
    return axes  # type: ignore[no-any-return]
