"""Methods of laws, sources and algorithms that are written in Python: notebooks show and plot them."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from ._arguments import plain
from ._engine import Algorithm, Draws, Law, Source
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


def source_to_html(self: Source) -> str:
    """Returns one line."""
    return f"<p><b>{html.escape(repr(self))}</b>: a source of {self.sides} faces; its cost is counted in {self.unit}</p>"


def algorithm_to_html(self: Algorithm) -> str:
    """Returns the name of the algorithm, its description and its publication."""
    said = [html.escape(text) for text in (self.name, self.rule, self.citation) if text not in ("", self.id)]
    return "<br>".join([f"<p><b>{html.escape(self.id)}</b>", *said]) + "</p>"


# These functions become methods of the compiled classes.
for _name, _method, _classes in (
    ("plot", plot, (Law, Draws)),
    ("_repr_html_", to_html, (Draws,)),
    ("_repr_html_", law_to_html, (Law,)),
    ("_repr_html_", source_to_html, (Source,)),
    ("_repr_html_", algorithm_to_html, (Algorithm,)),
):
    for _class in _classes:
        setattr(_class, _name, _method)
