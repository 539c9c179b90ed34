"""Plots by matplotlib, where it is installed. What they show is exact; the picture is not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from numbers import Real
from typing import TYPE_CHECKING, Any

from ._arguments import shown
from ._errors import FlipcostError
from ._frames import optional

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ._engine import Draws, Law, Target
    from ._table import Table

__all__ = ["law", "table", "target"]

# The most bars.
MOST_BARS = 2_000


def _axes(ax: Axes | None) -> Any:
    return optional("matplotlib.pyplot").subplots()[1] if ax is None else ax


def law(law: Law | Draws, ax: Axes | None = None) -> Axes:
    """P(T = t), up to where no more than a thousandth is left."""
    first, last = (law.quantile(q) for q in ("1/1000", "999/1000"))
    low, high = max((first or 0) - 1, 0), (last or 0) + 1
    if high - low > MOST_BARS:
        raise FlipcostError(
            f"T is spread over {high - low} numbers of rolls: at most {MOST_BARS} bars are drawn; plot law.sf of some"
        )
    axes = _axes(ax)
    rolls = range(low, high + 1)
    axes.bar(list(rolls), [float(p) for p in law.pmf(rolls)])
    axes.set(xlabel=law.unit, ylabel="probability", title=f"{float(law.decimal(6)):g} {law.unit} on average")
    return axes  # type: ignore[no-any-return]


def target(target: Target, ax: Axes | None = None) -> Axes:
    """The probability of each outcome."""
    outcomes = target.to_dict()
    if len(outcomes) > MOST_BARS:
        raise FlipcostError(f"{len(outcomes)} outcomes are too many: at most {MOST_BARS} bars are drawn")
    axes = _axes(ax)
    axes.bar(_ticks(outcomes), [weight / target.total for weight in outcomes.values()])
    axes.set(xlabel="outcome", ylabel="probability")
    return axes  # type: ignore[no-any-return]


def _ticks(values: Iterable[Any]) -> list[Any]:
    """Numbers as they are, all else as text."""
    found = list(values)
    numbers = all(isinstance(value, Real) for value in found)
    return [float(value) for value in found] if numbers else [str(value) for value in found]


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def table(table: Table, x: str | None, y: Sequence[str] | None, ax: Axes | None = None) -> Axes:
    """Columns of numbers over one column."""
    numbers = [
        column.name
        for place, column in enumerate(table.columns)
        if any(_is_number(value) for value in table._column(place)[:100])
    ]
    over = x or next(iter(column.name for column in table.columns), "")
    drawn = [name for name in numbers if name != over] if y is None else list(y)
    if not drawn:
        raise FlipcostError(f"{shown(table)} has no column of numbers to draw over {over!r}")
    for name in drawn:
        if name not in numbers:
            table[name]  # is there no such column?
            raise FlipcostError(f"the column {name!r} has no numbers: choose among {', '.join(numbers)}")
    axes = _axes(ax)
    places = _ticks(table[over])
    draw = axes.plot if over in numbers else axes.bar
    for name in drawn:
        heights = [float(value) if _is_number(value) else float("nan") for value in table[name]]
        draw(places, heights, label=name)
    unit = {column.name: column.unit for column in table.columns}[drawn[0]]
    axes.set(xlabel=over, ylabel=unit or drawn[0])
    axes.legend()
    return axes  # type: ignore[no-any-return]
