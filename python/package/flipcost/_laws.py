"""Methods of laws that are written in Python: notebooks use them to show and plot laws."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from ._arguments import plain
from ._engine import Draws, Law
from ._exactness import law_note

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__: list[str] = []


def plot(self: Law | Draws, ax: Axes | None = None) -> Axes:
    """Draws P(T = t) with matplotlib, up to the t beyond which at most a thousandth is left."""
    from . import _plots

    return _plots.law(self, ax)


def to_html(self: Draws) -> str:
    """Returns a short table."""
    worst = "unbounded" if self.worst_case is None else str(self.worst_case)
    rows = {
        "draws": str(self.count),
        "expected": f"{plain(self.mean)} ≈ {self.decimal(6)} {self.unit}",
        "standard deviation": f"{self.std:.6g} {self.unit}",
        "worst case": worst,
        "all but 1 of 1000 take at most": f"{self.quantile('999/1000')} {self.unit}",
    }
    style = 'style="text-align:left"'
    lines = (f"<tr><th {style}>{name}</th><td {style}>{html.escape(text)}</td></tr>" for name, text in rows.items())
    return f"<table>{''.join(lines)}</table>"


_law_to_html = Law._repr_html_


def law_to_html(self: Law) -> str:
    """Returns a short table, and whether the outcomes of a rule are not exact."""
    note = law_note(self)
    return _law_to_html(self) + (f"<p>{html.escape(note)}</p>" if note else "")


# These functions become methods of the compiled classes.
for _name, _method, _classes in (
    ("plot", plot, (Law, Draws)),
    ("_repr_html_", to_html, (Draws,)),
    ("_repr_html_", law_to_html, (Law,)),
):
    for _class in _classes:
        setattr(_class, _name, _method)
