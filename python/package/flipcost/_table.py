"""Tables: what answers and sweeps have in common."""

from __future__ import annotations

import html
import importlib
import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, SupportsIndex, overload

from . import _engine
from ._arguments import as_index, shown
from ._errors import FlipcostError

if TYPE_CHECKING:
    import pandas
    import polars

    from ._types import Content

__all__ = ["Answer", "Column", "Sweep"]

# The rows of a table in a notebook: more are cut in the middle.
MOST_SHOWN = 20
# The letters of a cell in a notebook.
LONGEST = 60
# So many values are made at once where all are looked at.
BLOCK = 256


class Column(NamedTuple):
    """What a column holds."""

    name: str
    #: `text`, `count`, `exact`, `formula`, `decimal`, `bound`, `statistical` or `flag`
    kind: str
    #: such as `flips`; empty where there is none
    unit: str


class _Lazy(Sequence[Any]):
    """Values that are made when they are looked at."""

    def __len__(self) -> int:
        raise NotImplementedError

    def _at(self, index: int) -> Any:
        raise NotImplementedError

    def _block(self, first: int, end: int) -> list[Any]:
        return [self._at(place) for place in range(first, end)]

    def __iter__(self) -> Iterator[Any]:
        for first in range(0, len(self), BLOCK):
            yield from self._block(first, min(first + BLOCK, len(self)))

    @overload
    def __getitem__(self, index: int) -> Any: ...
    @overload
    def __getitem__(self, index: slice) -> list[Any]: ...
    def __getitem__(self, index: int | slice) -> Any:
        places = range(len(self))[index]
        if isinstance(places, int):
            return self._at(places)
        if places.step == 1:
            return self._block(places.start, places.stop)
        return [self._at(place) for place in places]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other))

    def text_of(self, index: int) -> str:
        """The value as the program writes it; nothing for None."""
        raise NotImplementedError

    def __repr__(self) -> str:
        shown = ", ".join(_short(self.text_of(place)) for place in range(min(len(self), 4)))
        return f"<{len(self)} values: {shown}{', ...' if len(self) > 4 else ''}>"


class _Of(_Lazy):
    """Exact values, text or numbers of any size."""

    def __init__(self, cells: _engine.Cells | _engine.Fractions) -> None:
        self._cells = cells
        # the rows looked at last, if they are few: the first of them, and their values
        self._kept: tuple[int, list[Any]] = (0, [])

    def __len__(self) -> int:
        return len(self._cells)

    def _at(self, index: int) -> Any:
        return self._block(index, index + 1)[0]

    def _block(self, first: int, end: int) -> list[Any]:
        start, kept = self._kept
        if start <= first <= end <= start + len(kept):
            return kept[first - start : end - start]
        made = self._cells.block(first, end)
        if len(made) <= BLOCK:
            self._kept = (first, made)
            return made[:]
        return made

    def text_of(self, index: int) -> str:
        return self._cells.texts(index, index + 1)[0] or ""

    def texts(self) -> list[str | None]:
        """All values as the program writes them; None where there is none."""
        return self._cells.texts(0, len(self._cells))


class _Names(_Lazy):
    """Texts that come again and again, by their codes."""

    def __init__(self, codes: memoryview, names: list[str]) -> None:
        self.codes = codes
        self.names = names

    def __len__(self) -> int:
        return len(self.codes)

    def _at(self, index: int) -> str:
        return self.names[self.codes[index]]

    def text_of(self, index: int) -> str:
        return self._at(index)

    def __reduce__(self) -> Any:
        return _names, (bytes(self.codes), self.names)


def _names(codes: bytes, names: list[str]) -> _Names:
    return _Names(memoryview(codes).cast("H"), names)


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


def _import(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise ImportError(f"{name} is not installed: pip install {name}") from error


def _type(values: Sequence[Any]) -> str | None:
    """What a data frame takes them for, where some may be missing: `bool`, `int64`, `uint64`, or `float64`
    for numbers that doubles hold, such as a bound or infinity. None for all else."""
    known = [value for value in values if value is not None]
    if not known:
        return None
    if any(isinstance(value, bool) for value in known):
        return "bool" if all(isinstance(value, bool) for value in known) else None
    if all(isinstance(value, int) for value in known):
        least, most = min(known), max(known)
        if -(2**63) <= least and most < 2**63:
            return "int64"
        return "uint64" if least >= 0 and most < 2**64 else None
    doubles = all(
        isinstance(value, float) or isinstance(value, int) and abs(value) <= 2**53
        for value in known
    )
    return "float64" if doubles else None


# The types of pandas whose values may be missing.
_NULLABLE = {"bool": "boolean", "int64": "Int64", "uint64": "UInt64"}


class _Table:
    """Rows and columns."""

    #: the columns, in order
    columns: tuple[Column, ...]
    #: remarks of the engine, one sentence each
    notes: list[str]

    def __len__(self) -> int:
        raise NotImplementedError

    def _column(self, place: int) -> Sequence[Any] | memoryview:
        raise NotImplementedError

    def _text(self, row: int, place: int) -> str:
        values = self._column(place)
        if isinstance(values, _Lazy):
            return values.text_of(row)
        value = values[row]
        return "" if value is None else str(value)

    def _texts(self, place: int) -> list[str | None]:
        return [self._text(row, place) or None for row in range(len(self))]

    def _spelled(self, row: int, place: int) -> str:
        """A cell as a person reads it, as the tables of the program spell it."""
        if self.columns[place].kind == "decimal":
            value = self._column(place)[row]
            if isinstance(value, float):
                return _engine.spelled(value)
        return _short(self._text(row, place)) or "-"

    def _place(self, name: str) -> int:
        for place, column in enumerate(self.columns):
            if column.name == name:
                return place
        known = ", ".join(column.name for column in self.columns)
        raise FlipcostError(f"{name!r} is no column here: choose one of {known}")

    def rows(self) -> Iterator[dict[str, Any]]:
        """The rows, each a dict from names to values."""
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
    def __getitem__(self, key: str | SupportsIndex | slice) -> Any:
        """A column by its name, a row by its number, or a list of rows by a slice."""
        if isinstance(key, str):
            return self._column(self._place(key))
        if not isinstance(key, slice) and as_index(key) is None:
            raise TypeError(f"{shown(key)} is no column's name, no row's number and no slice of rows")
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
        """A DataFrame. Doubles and integers are not copied through objects; exact columns are
        columns of Fractions. A number without a bound is infinity, and an integer that is missing is
        pandas' NA."""
        pd = _import("pandas")
        np = _import("numpy")
        data: dict[str, Any] = {}
        for place, column in enumerate(self.columns):
            values = self._column(place)
            if isinstance(values, memoryview):
                data[column.name] = np.asarray(values)
            elif isinstance(values, _Names):
                codes = np.asarray(values.codes).astype("int32")
                data[column.name] = pd.Categorical.from_codes(codes, values.names)
            else:
                made = list(values[:])
                kind = _type(made)
                if kind is not None and any(value is None for value in made):
                    kind = _NULLABLE.get(kind, kind)
                data[column.name] = pd.Series(made, dtype=kind or object)
        frame: pandas.DataFrame = pd.DataFrame(data)
        return frame

    def to_polars(self) -> polars.DataFrame:
        """A DataFrame. Doubles and integers are not copied through objects; exact columns, formulas,
        decimals and integers from 2^64 on are text, since polars has no fractions."""
        pl = _import("polars")
        np = _import("numpy")
        data: dict[str, Any] = {}
        for place, column in enumerate(self.columns):
            values = self._column(place)
            if isinstance(values, memoryview):
                data[column.name] = pl.Series(column.name, np.asarray(values))
                continue
            if isinstance(values, _Names):
                names = pl.Series(column.name, values.names, dtype=pl.String)
                data[column.name] = names.gather(np.asarray(values.codes))
                continue
            if column.kind in ("exact", "formula"):
                texts = self._texts(place)
                data[column.name] = pl.Series(column.name, texts, dtype=pl.String)
                continue
            made = list(values[:])
            kinds = {
                "bool": pl.Boolean,
                "int64": pl.Int64,
                "uint64": pl.UInt64,
                "float64": pl.Float64,
            }
            kind = _type(made)
            if kind is None:
                made = [None if value is None else str(value) for value in made]
            dtype = kinds.get(kind or "", pl.String)
            data[column.name] = pl.Series(column.name, made, dtype=dtype, strict=False)
        frame: polars.DataFrame = pl.DataFrame(data)
        return frame

    def _shown(self) -> list[int | None]:
        rows = list(range(len(self)))
        if len(rows) <= MOST_SHOWN:
            return list(rows)
        half = MOST_SHOWN // 2
        return [*rows[:half], None, *rows[-half:]]

    def _repr_html_(self) -> str:
        def cell(text: str) -> str:
            return html.escape(_short(text))

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
        if len(self) > MOST_SHOWN:
            out.append(f"<p>{len(self)} rows</p>")
        out.extend(f"<p>{html.escape(note)}</p>" for note in self.notes)
        return "".join(out)

    def __str__(self) -> str:
        """The table as text, cut in the middle if it is long."""
        lines = [[column.name for column in self.columns]]
        for row in self._shown():
            places = range(len(self.columns))
            lines.append(["..." if row is None else self._spelled(row, place) for place in places])
        if not self.columns:
            return "\n".join(self.notes)
        lines = [[_short(text) for text in line] for line in lines]
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


class Answer(_Table):
    """The answer to a question: a table with notes, and in some cases a picture, a document or a
    verdict.

    >>> import flipcost
    >>> answer = flipcost.cost(6, algorithms=["fast-dice-roller", "rejection"])
    >>> answer["expected_exact"]
    [Fraction(11, 3), Fraction(4, 1)]
    >>> answer[0]["algorithm"]
    'fast-dice-roller'
    """

    def __init__(self, engine: _engine.Answer) -> None:
        self._engine = engine
        self.columns = tuple(Column(*column) for column in engine.columns)
        self.notes = engine.notes

    @property
    def summary(self) -> str:
        """One sentence that holds the value asked for.

        >>> import flipcost
        >>> flipcost.cost(6).summary
        'A d6 from a coin takes 11/3 ≈ 3.667 flips on average by the fast dice roller; no method takes fewer.'
        """
        return self._engine.summary

    def __len__(self) -> int:
        return len(self._engine)

    def _column(self, place: int) -> list[Any]:
        return [self._engine.cell(row, place) for row in range(len(self))]

    def _text(self, row: int, place: int) -> str:
        return self._engine.text_of(row, place) or ""

    def _spelled(self, row: int, place: int) -> str:
        return _short(self._engine.shown(row, place) or "")

    @overload
    def __getitem__(self, key: str) -> list[Any]: ...
    @overload
    def __getitem__(self, key: SupportsIndex) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, key: slice) -> list[dict[str, Any]]: ...
    def __getitem__(self, key: str | SupportsIndex | slice) -> Any:
        return super().__getitem__(key)

    def _row(self, row: int) -> dict[str, Any]:
        return {
            column.name: self._engine.cell(row, place)
            for place, column in enumerate(self.columns)
        }

    @property
    def query(self) -> dict[str, Any]:
        """The question; `flipcost.ask(answer.query)` asks it again."""
        asked: dict[str, Any] = json.loads(self._engine.query)
        return asked

    @property
    def command(self) -> str:
        """The command line that asks the same."""
        return self._engine.command

    @property
    def verdict(self) -> bool | str | None:
        """Of a check: True, or the sentence that says where it fails; else None."""
        return self._engine.verdict

    @property
    def document(self) -> str | None:
        """The answer as a document, where it is one: a recipe, a model, a draft."""
        return self._engine.document

    def svg(self) -> str:
        """Its picture, as the text of an SVG file; FlipcostError if it has none."""
        return self._engine.svg()

    def text(self) -> str:
        """Its picture as lines of text; FlipcostError if it has none."""
        return self._engine.drawn_text()

    def json(self) -> str:
        """The answer as one line of JSON, as `flipcost ask` prints it."""
        return self._engine.json()

    def _repr_svg_(self) -> str | None:
        try:
            return self.svg()
        except FlipcostError:
            return None

    def _repr_html_(self) -> str:
        # notebooks prefer this to a picture: so the picture is in it
        table = self._repr_svg_() or ""
        if table:
            table = f"<div>{table[table.index('<svg') :]}</div>"
        if self.columns:
            table += super()._repr_html_()
        if self.document is not None:
            table += f"<pre>{html.escape(self.document)}</pre>"
        return table

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Answer):
            return NotImplemented
        return self._engine == other._engine

    def __repr__(self) -> str:
        names = ", ".join(column.name for column in self.columns)
        return f"<Answer to `{self.command}`: {len(self)} rows of {names}>"

    def __reduce__(self) -> Any:
        return Answer, (self._engine,)


def _cast(view: memoryview[int], form: str) -> memoryview[int] | memoryview[float]:
    """Bytes as doubles, or as integers with a sign or without."""
    if form == "d":
        return view.cast("d")
    return view.cast("q") if form == "q" else view.cast("Q")


class Sweep(_Table):
    """The columns of a sweep, by name; `sweep[5]` is a row, `sweep[:5]` a list of rows.

    Columns of doubles and of integers below 2^64 are memoryviews: `numpy.asarray(sweep["toll"])`
    reads them without a copy. Integers are signed where all are below 2^63. Exact columns are made
    into Fractions when they are looked at. A missing double is not a number, and a number without a
    bound is `math.inf`. Two sweeps are equal if their questions and columns are.

    >>> import flipcost
    >>> sweep = flipcost.sweep(range(5, 8), columns=["n", "expected_exact", "expected"])
    >>> sweep["expected_exact"][:]
    [Fraction(18, 5), Fraction(11, 3), Fraction(24, 7)]
    >>> list(sweep["n"]), sweep["expected"].format
    ([5, 6, 7], 'd')
    """

    def __init__(
        self,
        command: str,
        columns: list[tuple[tuple[str, str, str], Content]],
        notes: list[str],
    ) -> None:
        self._made = (command, columns, notes)
        self.command = command
        self.columns = tuple(Column(*described) for described, _ in columns)
        self.notes = notes
        self._values: list[memoryview[int] | memoryview[float] | _Of | _Names] = []
        for _, (form, content, names) in columns:
            if not isinstance(content, bytes):
                self._values.append(_Of(content))
            elif names or form == "H":
                self._values.append(_Names(memoryview(content).cast("H"), names))
            else:
                view = memoryview(content)
                self._values.append(_cast(view, form))

    def __len__(self) -> int:
        """The number of rows."""
        return len(self._values[0]) if self._values else 0

    def _column(self, place: int) -> Any:
        return self._values[place]

    def _texts(self, place: int) -> list[str | None]:
        values = self._values[place]
        return values.texts() if isinstance(values, _Of) else super()._texts(place)

    def __repr__(self) -> str:
        names = ", ".join(column.name for column in self.columns)
        return f"<Sweep `{_short(self.command)}`: {len(self)} rows of {names}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sweep):
            return NotImplemented
        return self._made == other._made

    def __reduce__(self) -> Any:
        return Sweep, self._made
