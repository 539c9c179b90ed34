"""The types of arguments, which type checkers use."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from os import PathLike as _PathLike
from typing import Any, Protocol, SupportsIndex, TypeAlias

from ._straight import Ruled
from ._engine import Algorithm, Cells, Fractions, Source, Target

Cell: TypeAlias = Fraction | int | float | Decimal | str | bool | None
Weight: TypeAlias = SupportsIndex | Fraction | Decimal | str


class Weighted(Protocol):
    """Outcomes with weights: icepool's `Die`, dyce's `H`, a `Counter`."""

    def items(self) -> Iterable[tuple[object, int]]: ...


class Random(Protocol):
    """A source of rolls like `random.Random`."""

    def randbytes(self, n: int, /) -> Any: ...


class Generator(Protocol):
    """A source of rolls like `numpy.random.Generator`."""

    def bytes(self, length: int, /) -> Any: ...


class Future(Protocol):
    """The future that an executor returns for a call."""

    def result(self) -> Any: ...


class Executor(Protocol):
    """An executor, which runs calls elsewhere: `concurrent.futures.ProcessPoolExecutor`, `dask.distributed.Client`,
    `mpi4py.futures.MPIPoolExecutor`."""

    def submit(self, call: Callable[..., Any], /, *arguments: Any) -> Any: ...


class Array(Protocol):
    """An array of NumPy, a Series of pandas or polars."""

    def __array__(self) -> Any: ...


Several: TypeAlias = list[Any] | tuple[Any, ...] | range | Array
SourceLike: TypeAlias = Source | SupportsIndex | str | Sequence[Weight]
TargetLike: TypeAlias = (
    Target | SupportsIndex | str | Iterable[Weight] | Mapping[object, Weight] | Weighted
)
WantedLike: TypeAlias = TargetLike
TargetsLike: TypeAlias = str | Iterable[TargetLike]
# An id, an algorithm, a rule, or a function that `flipcost.rule` makes a rule.
AlgorithmLike: TypeAlias = Algorithm | Ruled | Callable[[Any, Any], Any] | str
PathLike: TypeAlias = str | _PathLike[str]
# A rule, the path of its file, or its text of several lines.
RuleLike: TypeAlias = AlgorithmLike | PathLike
# One algorithm, several, or a text of ids with commas.
AlgorithmsLike: TypeAlias = AlgorithmLike | Iterable[AlgorithmLike]
NaturalLike: TypeAlias = SupportsIndex | str
ExactLike: TypeAlias = SupportsIndex | Fraction | Decimal | str
AtLike: TypeAlias = ExactLike | Iterable[ExactLike | Sequence[ExactLike]]
LoadLike: TypeAlias = (
    ExactLike | Target | Iterable[Weight] | Mapping[object, Weight] | Weighted
)
NumbersLike: TypeAlias = SupportsIndex | str | Iterable[SupportsIndex]
# Numbers of sides, or dice such as `d6`.
DiceLike: TypeAlias = NumbersLike | Iterable[SupportsIndex | str | Source]
PricesLike: TypeAlias = Mapping[int, ExactLike]
SettingsLike: TypeAlias = str | Iterable[str] | Mapping[str, ExactLike]
TermsLike: TypeAlias = str | Iterable[int | None]
Rng: TypeAlias = Random | Generator | Callable[[int], int]
Progress: TypeAlias = Callable[[int, int], object]
Content: TypeAlias = tuple[str, bytes | Cells | Fractions, list[str]]
