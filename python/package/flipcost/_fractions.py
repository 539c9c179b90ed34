"""Makes fractions of numbers that are known to have no common divisor, without computing a divisor."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any, cast

__all__ = ["LongFraction", "coprime"]

# An int of more bits may have more than 4,300 digits, Python's default limit for text.
LONG_BITS = 14_000


class LongFraction(Fraction):
    """A fraction of thousands of digits. If Python refuses to write so many digits, its text is the nearest double and
    the number of digits."""

    __slots__ = ()

    def _text(self) -> str:
        digits = math.floor(max(self.numerator.bit_length(), self.denominator.bit_length()) * math.log10(2)) + 1
        try:
            return f"≈ {float(self)} (a fraction of about {digits} digits)"
        except OverflowError:
            return f"a fraction of about {digits} digits"

    def __str__(self) -> str:
        try:
            return super().__str__()
        except ValueError:
            return self._text()

    def __repr__(self) -> str:
        try:
            return super().__repr__()
        except ValueError:
            return f"<{self._text()}>"

    def __reduce__(self) -> Any:
        return coprime, (self.numerator, self.denominator)

    def __copy__(self) -> LongFraction:
        return self

    def __deepcopy__(self, memo: Any) -> LongFraction:
        return self


def _fraction_maker(kind: type[Fraction]) -> Callable[[int, int], Fraction]:
    """Returns the function that makes a Fraction from a numerator and a positive denominator in lowest terms."""
    made: Any = getattr(kind, "_from_coprime_ints", None)  # Python 3.12 and later
    if made is None:
        made = partial(cast(Any, kind), _normalize=False)  # Python 3.11
    try:
        if made(2, 3) == Fraction(2, 3) and isinstance(made(2, 3), kind):
            return made  # type: ignore[no-any-return]
    except TypeError:
        pass
    return kind


_short, _long = _fraction_maker(Fraction), _fraction_maker(LongFraction)


def coprime(numerator: int, denominator: int) -> Fraction:
    """Returns the fraction of a numerator and a positive denominator in lowest terms."""
    long = max(numerator.bit_length(), denominator.bit_length()) > LONG_BITS
    return (_long if long else _short)(numerator, denominator)
