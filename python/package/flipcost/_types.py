"""What arguments may be, for type checkers."""

from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Protocol, TypeAlias

from ._engine import Cells, Fractions, Source, Target

Cell: TypeAlias = Fraction | int | float | Decimal | str | bool | None
Weight: TypeAlias = int | Fraction | str


class Weighted(Protocol):
    """Outcomes with weights: icepool's `Die`, dyce's `H`, a `Counter`."""

    def items(self) -> Iterable[tuple[object, int]]: ...


class Random(Protocol):
    """A source of rolls, as `random.Random` is."""

    def randrange(self, start: int, /) -> int: ...


SourceLike: TypeAlias = Source | int | str
TargetLike: TypeAlias = (
    Target | int | str | Iterable[Weight] | Mapping[object, Weight] | Weighted
)
Rng: TypeAlias = Random | Callable[[int], int]
Progress: TypeAlias = Callable[[int, int], object]
Content: TypeAlias = tuple[str, bytes | Cells | Fractions, list[str]]
