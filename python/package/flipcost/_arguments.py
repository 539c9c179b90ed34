"""Arguments of questions, of any of Python's types, as the engine takes them."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping, Set
from fractions import Fraction
from typing import Any, SupportsIndex

from ._engine import Algorithm, Source, Target
from ._errors import QuestionError

__all__ = [
    "as_index",
    "ids",
    "listed",
    "maybe",
    "names",
    "numbers",
    "plain",
    "priced",
    "shown",
    "whole",
]

# The longest value that a sentence shows whole.
SHOWN = 60


def shown(value: object) -> str:
    """A value as a sentence shows it: its representation, or its type where that is long."""
    try:
        text = repr(value)
    except ValueError:  # an int of more digits than Python writes
        text = ""
    return text if 0 < len(text) <= SHOWN and "\n" not in text else f"a long {type(value).__name__}"


def as_index(value: object) -> int | None:
    """An int, for an int of Python's or NumPy's; None for a bool and for all else."""
    if isinstance(value, bool) or not isinstance(value, SupportsIndex):
        return None
    try:
        return operator.index(value)
    except TypeError:  # an array of several
        return None


def whole(value: object, name: str) -> int:
    """An int from 0; QuestionError, which calls it `name`, for what is none."""
    number = as_index(value)
    if number is None or number < 0:
        said = f"{name} is {shown(value)}: a whole number from 0 was expected"
        raise QuestionError(said, name if name.isidentifier() else None, shown(value))
    return number


def maybe(value: object, name: str) -> int | None:
    """As `whole`, or None."""
    return None if value is None else whole(value, name)


def listed(values: Any, name: str, of: str) -> list[Any]:
    """The values of a list, an array or an iterator; QuestionError for a text, bytes, a set, a
    mapping, and what is not iterated. `of` says what was expected in it."""
    unfit = isinstance(values, (str, bytes, bytearray, Set, Mapping))
    flat = getattr(values, "ndim", 1) > 0
    if unfit or not flat or not hasattr(values, "__iter__") or as_index(values) is not None:
        said = f"{name} is {shown(values)}: a list of {of} was expected"
        raise QuestionError(said, name, shown(values))
    return list(values)


def _chosen(values: Any, name: str, of: str) -> list[str]:
    """Texts of a list that is not empty; none for None."""
    if values is None:
        return []
    if isinstance(values, str):
        said = f"{name} is a list of {of}: [{values!r}] was expected"
        raise QuestionError(said, name, shown(values))
    found = listed(values, name, of)
    if not found:
        said = f"{name} is empty: a list of {of}, or None, was expected"
        raise QuestionError(said, name, shown(found))
    return [_text(value, name, of) for value in found]


def _text(value: object, name: str, of: str) -> str:
    if isinstance(value, Algorithm):
        return value.id
    if isinstance(value, str):
        return str(value)
    said = f"{name} has {shown(value)} in it: texts were expected, {of}"
    raise QuestionError(said, name, shown(value))


def ids(algorithms: Any) -> list[str]:
    """The ids of algorithms; none for None."""
    if isinstance(algorithms, Algorithm):
        said = f"algorithms is a list of ids: [{algorithms.id!r}] was expected"
        raise QuestionError(said, "algorithms", algorithms.id)
    return _chosen(algorithms, "algorithms", "ids")


def names(columns: Any) -> list[str]:
    """The names of columns; none for None."""
    return _chosen(columns, "columns", "names")


def numbers(values: Any, name: str) -> str:
    """Numbers as the program writes them: `2,4,10..20`."""
    number = as_index(values)
    if number is not None:
        return str(number)
    if isinstance(values, str):
        return values
    if isinstance(values, range) and values.step == 1 and values:
        return f"{values[0]}..{values[-1]}"
    found = listed(values, name, "whole numbers")
    return ",".join(str(whole(value, f"a number of {name}")) for value in found)


def priced(prices: Any) -> list[str]:
    """Prices of rolls as the program writes them: `10=3/2`."""
    if prices is None:
        return []
    if not hasattr(prices, "items"):
        raise QuestionError(
            f"prices is {shown(prices)}: a dict from sides to prices was expected, such as {{6: 1}}",
            "prices",
            shown(prices),
        )
    return [f"{whole(sides, 'a die of prices')}={plain(price)}" for sides, price in prices.items()]


def plain(value: Any) -> Any:
    """A value as JSON can hold it: exact numbers as text."""
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, (str, Fraction, Source, Target)):
        return str(value)
    if isinstance(value, Algorithm):
        return value.id
    number = as_index(value)
    if number is not None:
        return number if -(2**63) <= number < 2**64 else _digits(number)
    if isinstance(value, Mapping):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, (bytes, bytearray, Set, float)):
        raise QuestionError(
            f"{shown(value)} is a {type(value).__name__}: an int, a Fraction, a text or a list of "
            "them was expected"
        )
    if isinstance(value, Iterable):
        return [plain(inner) for inner in value]
    return str(value)


def _digits(number: int) -> str:
    """The digits of a large number."""
    try:
        return str(number)
    except ValueError:
        return str(Target(number))  # the engine writes as many as there are
