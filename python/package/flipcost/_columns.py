"""Columns: lists of values with arithmetic and slices. Long values are made only when they are read."""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import repeat
from numbers import Number
from typing import Any, overload

from . import _engine
from ._values import shown
from ._errors import FlipcostError

__all__ = ["Lazy", "Names", "Numbers", "Objects", "Values", "short"]

# The largest number of letters of a cell in a notebook.
LONGEST = 60
# When all values of a column are read, this many are made at a time.
BLOCK = 256


def short(text: str) -> str:
    """Returns a text, shortened to the length of a cell."""
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


class Computing:
    """The arithmetic and the order of columns, value by value, with another column or with one number. If a value is missing, its
    result is missing, too."""

    def _computed(self, other: Any, compute: Callable[[Any, Any], Any], turned: bool = False) -> Any:
        if isinstance(other, (str, bytes)) or getattr(other, "ndim", 0) > 0:
            return NotImplemented  # an array computes with columns itself
        mine: Any = self
        others: Iterable[Any] = repeat(other)
        if isinstance(other, Collection):
            if len(other) != len(mine):
                raise FlipcostError(
                    f"{shown(other)} has {len(other)} values, and the column {len(mine)}: as many, or one number, "
                    "were expected"
                )
            others = other
        pairs = zip(others, mine) if turned else zip(mine, others)
        return Values(None if a is None or b is None else compute(a, b) for a, b in pairs)

    def __add__(self, other: Any) -> Any:
        return self._computed(other, operator.add)

    def __radd__(self, other: Any) -> Any:
        return self._computed(other, operator.add, True)

    def __sub__(self, other: Any) -> Any:
        return self._computed(other, operator.sub)

    def __rsub__(self, other: Any) -> Any:
        return self._computed(other, operator.sub, True)

    def __mul__(self, other: Any) -> Any:
        return self._computed(other, operator.mul)

    def __rmul__(self, other: Any) -> Any:
        return self._computed(other, operator.mul, True)

    def __truediv__(self, other: Any) -> Any:
        return self._computed(other, operator.truediv)

    def __rtruediv__(self, other: Any) -> Any:
        return self._computed(other, operator.truediv, True)

    def __pow__(self, other: Any) -> Any:
        return self._computed(other, operator.pow)

    def __lt__(self, other: Any) -> Any:
        return self._computed(other, operator.lt)

    def __le__(self, other: Any) -> Any:
        return self._computed(other, operator.le)

    def __gt__(self, other: Any) -> Any:
        return self._computed(other, operator.gt)

    def __ge__(self, other: Any) -> Any:
        return self._computed(other, operator.ge)

    def __neg__(self) -> Any:
        return self._computed(-1, operator.mul)


class Values(Computing, list[Any]):
    """A list with arithmetic: `values * 2` has twice each value, and `values > 3` says for each whether it is larger."""

    def __getitem__(self, index: Any) -> Any:
        found = super().__getitem__(index)
        return Values(found) if isinstance(index, slice) else found

    def __iadd__(self, other: Any) -> Any:
        return self + other

    def __imul__(self, other: Any) -> Any:
        return self * other

    def tolist(self) -> list[Any]:
        """Returns the values as a plain list."""
        return list(self)


class Lazy(Computing, Sequence[Any]):
    """A column whose values are made only when they are read."""

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
    def __getitem__(self, index: slice) -> Values: ...
    def __getitem__(self, index: int | slice) -> Any:
        places = range(len(self))[index]
        if isinstance(places, int):
            return self._at(places)
        if places.step == 1:
            return Values(self._block(places.start, places.stop))
        return Values(self._at(place) for place in places)

    def __eq__(self, other: object) -> Any:
        if isinstance(other, (str, Number)):
            return Values(value == other for value in self)
        if not isinstance(other, Sequence):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other))

    def __ne__(self, other: object) -> Any:
        equal = self.__eq__(other)
        if isinstance(equal, Values):
            return Values(not one for one in equal)
        return equal if equal is NotImplemented else not equal

    def tolist(self) -> list[Any]:
        """Returns the values as a plain list."""
        return self._block(0, len(self))

    def text_of(self, index: int) -> str:
        """Returns the value as the program writes it; an empty text for None."""
        raise NotImplementedError

    def __repr__(self) -> str:
        shown = ", ".join(short(self.text_of(place)) for place in range(min(len(self), 4)))
        return f"<{len(self)} values: {shown}{', ...' if len(self) > 4 else ''}>"


class Numbers(Lazy):
    """Doubles or integers below 2^64, in a buffer that NumPy reads without a copy."""

    def __init__(self, content: bytes, form: str) -> None:
        self._content = content
        #: the format of its bytes, in the notation of memoryview: `d`, `q` or `Q`
        self.format = form
        self.view: memoryview[Any] = memoryview(content).cast(form)  # type: ignore[call-overload]

    def __len__(self) -> int:
        return len(self.view)

    def _at(self, index: int) -> Any:
        return self.view[index]

    def _block(self, first: int, end: int) -> list[Any]:
        return self.view[first:end].tolist()

    def text_of(self, index: int) -> str:
        return str(self.view[index])

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        import numpy

        array = numpy.asarray(self.view)
        return array.astype(dtype) if copy or dtype not in (None, array.dtype) else array

    def __bytes__(self) -> bytes:
        return self._content

    def __buffer__(self, flags: int) -> memoryview[Any]:
        return self.view

    def __reduce__(self) -> Any:
        return Numbers, (self._content, self.format)


class Objects(Lazy):
    """Exact values, text or numbers of any size."""

    def __init__(self, cells: _engine.Cells | _engine.Fractions) -> None:
        self._cells = cells
        # the rows that were read last, if they are few: the number of the first row, and the values
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
        """Returns all values as the program writes them; None for missing values."""
        return self._cells.texts(0, len(self._cells))


class Names(Lazy):
    """A column of texts with many repetitions, each stored as the code of its text."""

    def __init__(self, content: bytes, names: list[str]) -> None:
        self._content = content
        self.codes = memoryview(content).cast("H")
        self.names = names

    def __len__(self) -> int:
        return len(self.codes)

    def _at(self, index: int) -> str:
        return self.names[self.codes[index]]

    def text_of(self, index: int) -> str:
        return self._at(index)

    def __reduce__(self) -> Any:
        return Names, (self._content, self.names)
