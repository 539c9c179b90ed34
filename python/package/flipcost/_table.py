"""Tables: the class that answers and sweeps have in common."""

from __future__ import annotations

import csv
import html
import io
import json
import math
import os
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, SupportsIndex, overload

from . import _engine, _frames
from ._arguments import plain
from ._values import as_index, shown
from ._columns import Lazy, Names, Numbers, Objects, Values, short
from ._errors import FlipcostError, UnknownNameError
from ._exactness import inexact, of_rules

if TYPE_CHECKING:
    import pandas
    import polars
    from matplotlib.axes import Axes

    from ._types import Content

__all__ = ["Answer", "Column", "Sweep", "Table", "Verdict"]

# A table in a notebook shows at most this many rows; of a longer table, rows in the middle are left out.
MAX_SHOWN = 20


class Column(NamedTuple):
    """The name, the kind and the unit of a column."""

    name: str
    #: `text`, `count`, `exact`, `formula`, `decimal`, `bound`, `statistical` or `flag`
    kind: str
    #: such as `flips`; empty if the column has no unit
    unit: str


class Verdict(str):
    """The text that says where a check fails. It is false: `assert rule.check(6).verdict` fails for an unfair rule.

    >>> import flipcost
    >>> failed = flipcost.verify_that("expected < 5", 100).verdict
    >>> bool(failed), failed == str(failed)
    (False, True)
    """

    __slots__ = ()

    def __bool__(self) -> bool:
        return False


class Table:
    """Rows and columns: an answer, a sweep, or some rows or columns of one.

    `table["n"]` is a column, `table[["n", "toll"]]` a table of these columns, `table[0]` a row, and `table[:5]` a
    list of rows.

    >>> import flipcost
    >>> sweep = flipcost.sweep(range(2, 100), columns=["n", "expected_exact", "worst_case"])
    >>> sweep.shape, sweep[["n", "expected_exact"]].head(2)[1]
    ((98, 3), {'n': 3, 'expected_exact': Fraction(8, 3)})
    """

    #: the columns, in order
    columns: tuple[Column, ...]
    #: remarks of the engine, one sentence each
    notes: list[str]

    def __init__(
        self, query: str, columns: Sequence[Column], values: Sequence[Any], notes: list[str]
    ) -> None:
        self._query = query
        self.columns = tuple(columns)
        self._values = list(values)
        self.notes = notes

    def __len__(self) -> int:
        """The number of rows."""
        return len(self._values[0]) if self._values else 0

    def _column(self, place: int) -> Any:
        return self._values[place]

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of rows and of columns."""
        return len(self), len(self.columns)

    @property
    def query(self) -> dict[str, Any]:
        """The question; `flipcost.ask(answer.query)` asks it again. A part of a table has the question of the whole."""
        asked: dict[str, Any] = json.loads(self._query)
        return asked

    @cached_property
    def command(self) -> str:
        """The command line that asks the same question."""
        return _engine.command(self._query)

    def head(self, rows: SupportsIndex = 5) -> Table:
        """Returns the first rows as a table."""
        last = as_index(rows)
        if last is None:
            raise TypeError(f"rows is {shown(rows)}: a whole number was expected")
        return self._excerpt(range(len(self.columns)), slice(last))

    def _excerpt(self, places: Sequence[int], rows: slice) -> Table:
        values = (self._column(place) for place in places)
        cut = [values if rows == slice(None) else values[rows] for values in values]
        return Table(self._query, [self.columns[place] for place in places], cut, self.notes)

    def _text(self, row: int, place: int) -> str:
        values = self._column(place)
        if isinstance(values, Lazy):
            return values.text_of(row)
        value = values[row]
        if isinstance(value, bool):
            return str(value).lower()
        return "" if value is None else str(plain(value) if isinstance(value, Fraction) else value)

    def _texts(self, place: int) -> list[str | None]:
        values = self._column(place)
        if isinstance(values, Objects):
            return values.texts()
        return [self._text(row, place) or None for row in range(len(self))]

    def _spelled(self, row: int, place: int) -> str:
        """Returns the text of a cell as the tables of the program show it."""
        if self.columns[place].kind == "decimal":
            value = self._column(place)[row]
            if isinstance(value, float):
                return _engine.spelled(value)
        return short(self._text(row, place)) or "-"

    def _place(self, name: str) -> int:
        for place, column in enumerate(self.columns):
            if column.name == name:
                return place
        known = [column.name for column in self.columns]
        near = get_close_matches(name, known, 1, 0.7)
        hint = f"did you mean {near[0]!r}?" if near else f"choose one of {', '.join(known)}"
        raise UnknownNameError(f"{name!r} is not a column here: {hint}", None, name)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Returns the rows, each a dict from names to values."""
        names = [column.name for column in self.columns]
        columns = [self._column(place) for place in range(len(names))]
        for values in zip(*columns):
            yield dict(zip(names, values))

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return self.rows()

    @overload
    def __getitem__(self, key: str) -> Any: ...
    @overload
    def __getitem__(self, key: SupportsIndex) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, key: slice) -> list[dict[str, Any]]: ...
    @overload
    def __getitem__(self, key: list[str]) -> Table: ...
    def __getitem__(self, key: str | SupportsIndex | slice | list[str]) -> Any:
        """Returns a column by its name, some columns by a list of names, a row by its number, or a list of rows by a
        slice."""
        if isinstance(key, str):
            return self._column(self._place(key))
        if isinstance(key, list) and all(isinstance(name, str) for name in key):
            return self._excerpt([self._place(name) for name in key], slice(None))
        if isinstance(key, list) or not isinstance(key, slice) and as_index(key) is None:
            raise TypeError(f"{shown(key)} is not the name of a column, the number of a row or a slice of rows")
        try:
            rows = range(len(self))[key]
        except IndexError:
            raise IndexError(f"there is no row {shown(key)}: there are {len(self)}") from None
        return self._row(rows) if isinstance(rows, int) else [self._row(row) for row in rows]

    def _row(self, row: int) -> dict[str, Any]:
        return {
            column.name: self._column(place)[row] for place, column in enumerate(self.columns)
        }

    def _ipython_key_completions_(self) -> list[str]:
        return [column.name for column in self.columns]

    def to_pandas(self) -> pandas.DataFrame:
        """Returns a DataFrame. Doubles and integers are not copied through objects; exact columns are columns of
        Fractions. A number without a bound is infinity, and an integer that is missing is pandas' NA."""
        frame: pandas.DataFrame = _frames.to_pandas(self)
        return frame

    def to_polars(self) -> polars.DataFrame:
        """Returns a DataFrame. Doubles and integers are not copied through objects; exact columns, formulas, decimals
        and integers from 2^64 on are text, since polars has no fractions."""
        frame: polars.DataFrame = _frames.to_polars(self)
        return frame

    def to_arrow(self) -> Any:
        """Returns a table of pyarrow, with the types of `to_polars`. Columns of doubles and integers are not copied."""
        return _frames.to_arrow(self)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Returns the table for libraries that read Arrow: `polars.DataFrame(table)`, `pyarrow.table(table)`,
        DuckDB."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    @overload
    def to_csv(self, path: None = None) -> str: ...
    @overload
    def to_csv(self, path: str | os.PathLike[str]) -> None: ...
    def to_csv(self, path: str | os.PathLike[str] | None = None) -> str | None:
        """Writes the table to a file as CSV, or returns it as a text. Exact values are fractions, as the program writes
        them, and missing values are empty.

        >>> import flipcost
        >>> flipcost.cost(6, algorithms="interval", columns="n,expected_exact").to_csv()
        'n,expected_exact\\n6,4\\n'
        """
        if path is not None:
            with open(path, "w", encoding="utf-8", newline="") as file:
                file.write(self.to_csv())
            return None
        lines = io.StringIO()
        writer = csv.writer(lines, lineterminator="\n")
        writer.writerow([column.name for column in self.columns])
        texts = [self._texts(place) for place in range(len(self.columns))]
        writer.writerows([None if text == "nan" else text for text in row] for row in zip(*texts))
        return lines.getvalue()

    def json(self) -> str:
        """Returns the table as one line of JSON: query, command, version, columns, rows and notes."""

        def column(described: Column) -> dict[str, str]:
            found = described._asdict()
            return found if described.unit else {"name": described.name, "kind": described.kind}

        def cells(place: int) -> Sequence[Any]:
            if self.columns[place].kind in ("exact", "formula"):
                return self._texts(place)
            return [_to_json(value) for value in self._column(place)]

        return json.dumps(
            {
                "query": self.query,
                "command": self.command,
                "version": _engine.__version__,
                "columns": [column(described) for described in self.columns],
                "rows": list(zip(*(cells(place) for place in range(len(self.columns))))),
                "notes": self.notes,
            },
            separators=(",", ":"),
            ensure_ascii=False,
        )

    def plot(self, x: str | None = None, y: str | list[str] | None = None, ax: Axes | None = None) -> Axes:
        """Draws columns y of numbers over the column x with matplotlib: lines over numbers, bars over names. The
        default of x is the first column that varies. The default of y is the first column of decimals and, if x has
        numbers, all others of the same unit."""
        from . import _plots

        return _plots.table(self, x, [y] if isinstance(y, str) else y, ax)

    def _shown(self) -> list[int | None]:
        rows = list(range(len(self)))
        if len(rows) <= MAX_SHOWN:
            return list(rows)
        half = MAX_SHOWN // 2
        return [*rows[:half], None, *rows[-half:]]

    def _repr_html_(self) -> str:
        def cell(text: str) -> str:
            return html.escape(short(text))

        def align(column: Column) -> str:
            return "left" if column.kind in ("text", "flag") else "right"

        out = ["<table><thead><tr>"]
        for column in self.columns:
            unit = f"<br><small>{html.escape(column.unit)}</small>" if column.unit else ""
            out.append(f'<th style="text-align:{align(column)}">{cell(column.name)}{unit}</th>')
        out.append("</tr></thead><tbody>")
        for row in self._shown():
            out.append("<tr>")
            for place, column in enumerate(self.columns):
                text = "..." if row is None else html.escape(self._spelled(row, place))
                out.append(f'<td style="text-align:{align(column)}">{text}</td>')
            out.append("</tr>")
        out.append("</tbody></table>")
        if len(self) > MAX_SHOWN:
            out.append(f"<p>{len(self)} rows</p>")
        out.extend(f"<p>{html.escape(note)}</p>" for note in self.notes)
        return "".join(out)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Table):
            return NotImplemented
        places = range(len(self.columns))
        return (self._query, self.columns) == (other._query, other.columns) and all(
            self._column(place) == other._column(place) for place in places
        )

    def __repr__(self) -> str:
        names = ", ".join(column.name for column in self.columns)
        return f"<Table of `{short(self.command)}`: {len(self)} rows of {names}{self._rules_not_exact()}>"

    def _rules_not_exact(self) -> str:
        return "".join(f"; {note}" for note in of_rules(self.notes))

    def __str__(self) -> str:
        """Returns the table as text; of a long table, rows in the middle are left out."""
        lines = [[column.name for column in self.columns]]
        for row in self._shown():
            places = range(len(self.columns))
            lines.append(["..." if row is None else self._spelled(row, place) for place in places])
        if not self.columns:
            return "\n".join(self.notes)
        lines = [[short(text) for text in line] for line in lines]
        widths = [max(map(len, texts)) for texts in zip(*lines)]
        left = [column.kind in ("text", "flag") for column in self.columns]
        written = [
            "  ".join(
                text.ljust(width) if first else text.rjust(width)
                for text, width, first in zip(line, widths, left)
            ).rstrip()
            for line in lines
        ]
        return "\n".join([*written, *self.notes])


def _to_json(value: Any) -> Any:
    """Returns a cell for JSON: a number if every program reads it exactly, else a text."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None if math.isnan(value) else str(value)
    if isinstance(value, int) and abs(value) <= 2**53:
        return value
    return str(plain(value))


class Answer(Table):
    """The answer to a question: a table with notes, and in some cases a picture, a document or a
    verdict.

    >>> import flipcost
    >>> answer = flipcost.cost(6, algorithms=["fast-dice-roller", "rejection"])
    >>> answer["expected_exact"]
    [Fraction(11, 3), Fraction(4, 1)]
    >>> answer[0]["algorithm"]
    'fast-dice-roller'
    """

    def __init__(self, engine: _engine.Answer, notes: list[str] | None = None) -> None:
        if notes is None:
            notes = engine.notes
            notes += inexact(engine.query, notes)
        super().__init__(engine.query, [Column(*column) for column in engine.columns], [], notes)
        self._engine = engine

    @property
    def summary(self) -> str:
        """One sentence that answers the question.

        >>> import flipcost
        >>> flipcost.cost(6).summary
        'A d6 from a coin takes 11/3 ≈ 3.667 flips on average by the fast dice roller; no method takes fewer.'
        """
        return self._engine.summary

    def __len__(self) -> int:
        return len(self._engine)

    def _column(self, place: int) -> Values:
        return Values(self._engine.cell(row, place) for row in range(len(self)))

    def _text(self, row: int, place: int) -> str:
        return self._engine.text_of(row, place) or ""

    def _spelled(self, row: int, place: int) -> str:
        return short(self._engine.shown(row, place) or "")

    @overload
    def __getitem__(self, key: str) -> Values: ...
    @overload
    def __getitem__(self, key: SupportsIndex) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, key: slice) -> list[dict[str, Any]]: ...
    @overload
    def __getitem__(self, key: list[str]) -> Table: ...
    def __getitem__(self, key: str | SupportsIndex | slice | list[str]) -> Any:
        return super().__getitem__(key)

    def _row(self, row: int) -> dict[str, Any]:
        return {
            column.name: self._engine.cell(row, place)
            for place, column in enumerate(self.columns)
        }

    @property
    def verdict(self) -> bool | Verdict | None:
        """For a check: True, or the sentence that says where it fails, which is false. For other questions: None."""
        verdict = self._engine.verdict
        return Verdict(verdict) if isinstance(verdict, str) else verdict

    @property
    def document(self) -> str:
        """The answer as a document (a recipe, a model, a draft); empty if it is a table only."""
        return self._engine.document or ""

    def svg(self) -> str:
        """Returns the picture of the answer, as the text of an SVG file; FlipcostError if it has none."""
        return self._engine.svg()

    def text(self) -> str:
        """Returns the picture of the answer as lines of text; FlipcostError if it has none."""
        return self._engine.drawn_text()

    def json(self) -> str:
        """Returns the answer as one line of JSON, as `flipcost ask` writes it."""
        return self._engine.json()

    def _repr_svg_(self) -> str | None:
        try:
            return self.svg()
        except FlipcostError:
            return None

    def _repr_html_(self) -> str:
        # notebooks show the HTML of an object rather than its picture, so the HTML includes the picture
        table = self._repr_svg_() or ""
        if table:
            table = f"<div>{table[table.index('<svg') :]}</div>"
        if self.columns:
            table += super()._repr_html_()
        if self.document:
            table += f"<pre>{html.escape(self.document)}</pre>"
        return table

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Answer):
            return NotImplemented
        return self._engine == other._engine

    def __repr__(self) -> str:
        names = ", ".join(column.name for column in self.columns)
        return f"<Answer to `{self.command}`: {len(self)} rows of {names}{self._rules_not_exact()}>"

    def __reduce__(self) -> Any:
        return Answer, (self._engine, self.notes)


class Sweep(Table):
    """The columns of a sweep, by name; `sweep[5]` is a row, `sweep[:5]` a list of rows.

    Columns of doubles and of integers below 2^64 are buffers: `numpy.asarray(sweep["toll"])`
    reads them without a copy. Integers are signed if all are below 2^63. Exact columns become
    Fractions when they are read. A missing double is not a number, and a number without a bound is
    `math.inf`. Two sweeps are equal if their questions and columns are.

    >>> import flipcost
    >>> sweep = flipcost.sweep(range(5, 8), columns=["n", "expected_exact", "expected"])
    >>> sweep["expected_exact"][:]
    [Fraction(18, 5), Fraction(11, 3), Fraction(24, 7)]
    >>> sweep["n"] * 2, sweep["expected"].format
    ([10, 12, 14], 'd')
    """

    def __init__(
        self,
        query: str,
        columns: list[tuple[tuple[str, str, str], Content]],
        notes: list[str],
    ) -> None:
        def values(form: str, content: Any, names: list[str]) -> Lazy:
            if not isinstance(content, bytes):
                return Objects(content)
            return Names(content, names) if names or form == "H" else Numbers(content, form)

        self._made = (query, columns, notes)
        described = [Column(*described) for described, _ in columns]
        super().__init__(query, described, [values(*content) for _, content in columns], notes)

    def __repr__(self) -> str:
        names = ", ".join(column.name for column in self.columns)
        return f"<Sweep `{short(self.command)}`: {len(self)} rows of {names}{self._rules_not_exact()}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sweep):
            return NotImplemented
        return self._made == other._made

    def __reduce__(self) -> Any:
        return Sweep, self._made
