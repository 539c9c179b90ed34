"""Fractions of numbers that have no common divisor, made without looking for one."""

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

__all__ = ["coprime"]


def _maker() -> Callable[[int, int], Fraction]:
    """What makes a Fraction of a numerator and a positive denominator in lowest terms."""
    made: Any = getattr(Fraction, "_from_coprime_ints", None)  # Python 3.12 and later
    if made is None:
        bare: Any = Fraction
        made = partial(bare, _normalize=False)  # Python 3.11
    try:
        if made(2, 3) == Fraction(2, 3):
            return made  # type: ignore[no-any-return]
    except TypeError:
        pass
    return Fraction


coprime = _maker()
