"""Converts tables to data frames of pandas, polars and Arrow."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ._columns import Names, Numbers

if TYPE_CHECKING:
    from ._table import Table

__all__ = ["optional", "to_arrow", "to_pandas", "to_polars"]


def optional(name: str) -> Any:
    """Imports an optional package."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        package = name.partition(".")[0]
        raise ImportError(f"{package} is not installed: pip install {package}") from error


def _type(values: Sequence[Any]) -> str | None:
    """Returns the type of these values in a data frame, where some may be missing: `bool`, `int64`, `uint64`, or
    `float64` for numbers that doubles hold, such as a bound or infinity. None for other values."""
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


# For each type, the type of pandas whose values may be missing.
_NULLABLE = {"bool": "boolean", "int64": "Int64", "uint64": "UInt64"}
# The type of the values in a buffer of each format.
_FORMATS = {"d": "float64", "q": "int64", "Q": "uint64"}


def to_pandas(table: Table) -> Any:
    """Returns a DataFrame of pandas."""
    pd = optional("pandas")
    np = optional("numpy")
    data: dict[str, Any] = {}
    for place, column in enumerate(table.columns):
        values = table._column(place)
        if isinstance(values, Numbers):
            data[column.name] = np.asarray(values)
        elif isinstance(values, Names):
            codes = np.asarray(values.codes).astype("int32")
            data[column.name] = pd.Categorical.from_codes(codes, values.names)
        else:
            made = list(values[:])
            kind = _type(made)
            if kind is not None and any(value is None for value in made):
                kind = _NULLABLE.get(kind, kind)
            data[column.name] = pd.Series(made, dtype=kind or object)
    return pd.DataFrame(data)


def _typed(table: Table, place: int) -> tuple[str, list[Any]]:
    """Returns the values of a column that has no buffer, and their type. The type is `string` if data frames have no
    type for them."""
    if table.columns[place].kind in ("exact", "formula"):
        return "string", table._texts(place)
    made = list(table._column(place)[:])
    kind = _type(made)
    if kind is None:
        return "string", [None if value is None else str(value) for value in made]
    if kind == "float64":
        made = [None if value is None else float(value) for value in made]
    return kind, made


def to_polars(table: Table) -> Any:
    """Returns a DataFrame of polars."""
    pl = optional("polars")
    np = optional("numpy")
    types = {
        "bool": pl.Boolean,
        "int64": pl.Int64,
        "uint64": pl.UInt64,
        "float64": pl.Float64,
        "string": pl.String,
    }
    data: dict[str, Any] = {}
    for place, column in enumerate(table.columns):
        values = table._column(place)
        if isinstance(values, Numbers):
            data[column.name] = pl.Series(column.name, np.asarray(values))
        elif isinstance(values, Names):
            names = pl.Series(column.name, values.names, dtype=pl.String)
            data[column.name] = names.gather(np.asarray(values.codes))
        else:
            kind, made = _typed(table, place)
            data[column.name] = pl.Series(column.name, made, dtype=types[kind])
    return pl.DataFrame(data)


def to_arrow(table: Table) -> Any:
    """Returns a table of pyarrow."""
    pa = optional("pyarrow")
    arrays = []
    for place in range(len(table.columns)):
        values = table._column(place)
        if isinstance(values, Numbers):
            kind = getattr(pa, _FORMATS[values.format])()
            arrays.append(pa.Array.from_buffers(kind, len(values), [None, pa.py_buffer(values.view)]))
        elif isinstance(values, Names):
            codes = pa.Array.from_buffers(pa.uint16(), len(values), [None, pa.py_buffer(values.codes)])
            names = pa.array(values.names, pa.string())
            arrays.append(pa.DictionaryArray.from_arrays(codes, names).dictionary_decode())
        else:
            kind, made = _typed(table, place)
            arrays.append(pa.array(made, pa.bool_() if kind == "bool" else getattr(pa, kind)()))
    return pa.Table.from_arrays(arrays, names=[column.name for column in table.columns])
