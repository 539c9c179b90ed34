"""Shows single values in sentences, and refuses those of a wrong type."""

from __future__ import annotations

import operator
from typing import NoReturn, SupportsIndex

from ._errors import KindError

# The number of characters up to which a sentence shows a value whole.
MAX_SHOWN_LENGTH = 60


def shown(value: object) -> str:
    """Returns the text of a value in a sentence: its representation, or its type if the representation is long."""
    try:
        text = repr(value)
    except ValueError:  # an int of more digits than Python writes
        text = ""
    return text if 0 < len(text) <= MAX_SHOWN_LENGTH and "\n" not in text else f"a long {type(value).__name__}"


def refuse(value: object, name: str, expected: str) -> NoReturn:
    """Raises KindError for a value of a wrong type; the sentence calls it `name`."""
    said = f"{name} is {shown(value)}: {expected} was expected"
    raise KindError(said, name if name.isidentifier() else None, shown(value))


def as_index(value: object) -> int | None:
    """Returns the int of an int of Python or NumPy; None for a bool and for other values."""
    if isinstance(value, bool) or not isinstance(value, SupportsIndex):
        return None
    try:
        return operator.index(value)
    except TypeError:  # an array of several
        return None
