from collections.abc import (
    Callable,
    ItemsView,
    Iterable,
    Iterator,
    KeysView,
    Mapping,
    ValuesView,
)
from decimal import Decimal
from fractions import Fraction
from typing import Any, ClassVar, Literal, Never, SupportsIndex, final, overload

from matplotlib.axes import Axes

from ._types import (
    Cell,
    Content,
    Progress,
    Rng,
    Several as _Several,
    SourceLike,
    TargetLike,
    WantedLike,
    Weight,
    Weighted,
)

__all__ = [
    "Algorithm",
    "algorithm_ids",
    "program",
    "Answer",
    "ask",
    "cite",
    "command",
    "spelled",
    "Again",
    "Out",
    "again",
    "out",
    "register_rule",
    "Law",
    "Survival",
    "Draws",
    "Sequence",
    "sequence_ids",
    "Cells",
    "Fractions",
    "sweep",
    "Source",
    "Target",
    "endless",
    "source_of",
    "target_of",
    "usual",
    "Part",
    "Unit",
    "answered",
    "join",
    "units",
    "__version__",
]

__version__: str

@final
class Source:
    """A source of rolls: a die (fair, loaded or unknown), a coin, or a word of random bits. The number
    of rolls is the cost.

    A source is made from the number of sides or from a text: `Source(6)`, `Source("coin")`,
    `Source("d%")`, `Source("word:64")`, `Source("1:2")`; or from a list of weights, one for each
    face. Every function that takes a source also accepts a number, a text or a list.

    >>> from flipcost import Source
    >>> from fractions import Fraction
    >>> Source.die(6).sides, str(Source.coin), Source.words(64).unit
    (6, '2', 'words')
    >>> Source([1, 2]) == Source.coin(Fraction(1, 3)), Source.unknown(2).sides
    (True, 2)
    """
    coin: ClassVar[Source]
    def __new__(cls, source: SourceLike) -> Source: ...
    @staticmethod
    def die(sides: SupportsIndex | str) -> Source:
        """Returns a fair die of 2 to 2^64 sides."""
    @staticmethod
    def words(bits: SupportsIndex) -> Source:
        """Returns a word of 1 to 8192 independent fair bits."""
    @staticmethod
    def unknown(faces: SupportsIndex) -> Source:
        """Returns a die of 2 to 64 faces whose probabilities are unknown."""
    def __call__(self, heads: Weight) -> Source: ...
    def _repr_html_(self) -> str: ...
    @property
    def probabilities(self) -> list[Fraction] | None:
        """The probability of each face as a `Fraction`, in order; `None` if they are unknown, or if
        there are more than 2^16 faces.
        """
    @property
    def sides(self) -> int:
        """The number of faces."""
    @property
    def unit(self) -> str:
        """The unit of cost: `flips`, `rolls` or `words`."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Target(Mapping[Any, int]):
    """A target: a fair die, or outcomes with probabilities proportional to weights.

    A target is made from the number of sides, from a text in the notation of the program (`"3d6"`,
    `"4:7:8"`, `"10^18+9"`, `"binomial:n=20,p=1/3"`), from a list of weights, or from a mapping from
    outcomes to weights: a `dict`, a `Counter`, icepool's `Die`, dyce's `H`. Every function that
    takes a target also accepts these values.

    >>> from flipcost import Target
    >>> Target(6).sides, Target([4, 7, 8]).total, Target("2d6").to_dict()[7]
    (6, 19, 6)
    >>> Target({"red": 1, "blue": 2}).to_dict()
    {'red': 1, 'blue': 2}

    `to_dict` and rolls return the original keys of a mapping. If the target is a text, an outcome
    that is written as an integer is an int, and any other a str.
    """
    def __new__(cls, target: TargetLike) -> Target: ...
    @staticmethod
    def weighted(weights: Iterable[Weight] | Mapping[object, Weight] | Weighted) -> Target:
        """Returns a target with probabilities proportional to these weights: ints, Fractions, or a
        mapping to them.
        """
    @staticmethod
    def sum(dice: str) -> Target:
        """Returns the sum of dice in the usual notation: `"3d6"`, `"2d6+1d4"`."""
    @property
    def sides(self) -> int | None:
        """The sides of a fair die; None for weights that differ."""
    @property
    def total(self) -> int:
        """The sum of the weights in lowest terms; of a fair die, its sides."""
    def entropy(self, source: SourceLike | None = None) -> float:
        """Returns the entropy in rolls of a source, as the nearest double: no method costs less on
        average.
        """
    @property
    def _is_die(self) -> bool: ...
    def to_dict(self) -> dict[Any, int]:
        """Returns the weight of each outcome, as a dict, which `icepool.Die(...)`, `dyce.H(...)` and
        `Counter(...)` accept. Outcomes with the same name share a key, whose weight is their sum.
        """
    @property
    def mean(self) -> Fraction:
        """The mean of the outcomes."""
    @property
    def variance(self) -> Fraction:
        """The variance of the outcomes."""
    @property
    def std(self) -> float:
        """The standard deviation of the outcomes, as the nearest double."""
    def pmf(self, outcome: Any) -> Any:
        """Returns the probability of an outcome, as a Fraction; for a list or an array, of each outcome in it."""
    def cdf(self, outcome: Any) -> Any:
        """Returns the probability of an outcome of at most x, as a Fraction; for a list or an array, for each x in it."""
    def sf(self, outcome: Any) -> Any:
        """Returns the probability of an outcome above x, as a Fraction; for a list or an array, for each x in it."""
    def quantile(self, q: Fraction | SupportsIndex | float | str) -> Any:
        """Returns the least outcome x with P(X <= x) >= q; a float is the decimal that it shows."""
    def max(self, *others: TargetLike) -> Target:
        """Returns the largest of independent rolls of this and of others."""
    def min(self, *others: TargetLike) -> Target:
        """Returns the least of independent rolls of this and of others."""
    def keep(
        self,
        rolls: SupportsIndex,
        highest: SupportsIndex | None = None,
        *,
        lowest: SupportsIndex | None = None,
    ) -> Target:
        """Returns the sum of the highest (or the lowest) of some independent rolls: `Target(6).keep(4, 3)` is 4d6kh3."""
    def plot(self, ax: Axes | None = None) -> Axes:
        """Draws the probability of each outcome, by matplotlib."""
    def get(self, outcome: Any, default: Any = None) -> Any:
        """Returns the weight of an outcome, or the default."""
    def keys(self) -> KeysView[Any]:
        """Returns the outcomes."""
    def values(self) -> ValuesView[int]:
        """Returns the weights."""
    def items(self) -> ItemsView[Any, int]:
        """Returns the outcomes with their weights."""
    def __add__(self, other: Target | SupportsIndex | Fraction, /) -> Target: ...
    def __radd__(self, other: SupportsIndex | Fraction, /) -> Target: ...
    def __bool__(self) -> bool: ...
    def __contains__(self, outcome: object, /) -> bool: ...
    def __getitem__(self, outcome: Any, /) -> int: ...
    def __iter__(self) -> Iterator[Any]: ...
    def __len__(self) -> int: ...
    def _repr_html_(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Algorithm:
    """An algorithm of the registry, or a function of a library.

    >>> import flipcost
    >>> flipcost.algorithms["fast-dice-roller"].law(6, "coin").mean
    Fraction(11, 3)
    """
    def __new__(cls, id: str) -> Algorithm: ...
    @property
    def id(self) -> str:
        """The algorithm's id, with its parameters."""
    @property
    def spelling(self) -> str:
        """The algorithm's text in questions: its id, or for a user's rule its id and its text."""
    @property
    def name(self) -> str:
        """The algorithm's name."""
    @property
    def citation(self) -> str:
        """The publication that describes the algorithm."""
    @property
    def rule(self) -> str:
        """A description in a sentence or two."""
    @property
    def bounded(self) -> str:
        """The condition under which the number of rolls is bounded."""
    def law(self, target: TargetLike, source: SourceLike | None = None) -> Law:
        """Returns the exact law of the number of rolls."""
    def outcomes(self, target: TargetLike, source: SourceLike | None = None) -> dict[int, Fraction]:
        """Returns the exact probability of each outcome, as a dict of Fractions; outcomes are counted
        from 0.
        """
    def distance(self, target: TargetLike, source: SourceLike | None = None) -> Fraction:
        """Returns the exact total variation distance of the outcomes from the target: 0 if the
        algorithm is fair. Running forever counts as a separate outcome.
        """
    def formula(self, target: WantedLike, source: SourceLike | None = None) -> Any:
        """Returns the expected rolls as a function of the probabilities of the faces, which may be
        unknown. With SymPy it is an expression of SymPy. Without SymPy it is a pair of the
        coefficients of the numerator and the denominator: for a coin two lists that begin with the
        constant, for a die two dicts by the exponents of p1, p2, ..., without trailing zeros. A
        formula that is not a rational function is a text.
        """
    @overload
    def roll(
        self,
        target: WantedLike,
        source: SourceLike | None = None,
        rng: Rng | None = None,
        *,
        count: None = None,
    ) -> tuple[Any, int]:
        """Rolls one outcome; returns the outcome and the number of rolls. With `count` it rolls many,
        and returns a list of the outcomes and a list of the numbers of rolls.

        `rng` gives the rolls: None for the operating system's randomness, a `random.Random`, a
        `numpy.random.Generator`, or any callable that takes the sides of the die and returns a face
        from 1 to this number. An unknown source needs such a callable or a generator; a generator
        makes its faces equally likely.
        """
    @overload
    def roll(
        self,
        target: WantedLike,
        source: SourceLike | None = None,
        rng: Rng | None = None,
        *,
        count: SupportsIndex | None,
    ) -> tuple[Any, Any]: ...
    def _repr_html_(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Out:
    """An outcome of a rule, counted from 0, as `out(x)` returns it."""
    def __new__(cls, outcome: SupportsIndex) -> Out: ...
    @property
    def outcome(self) -> int:
        """The outcome."""

@final
class Again:
    """The value that `again()` returns: the rule begins again."""

def out(x: SupportsIndex) -> Out:
    """Ends a step with the outcome x, from 0 to n - 1.

    >>> import flipcost
    >>> flipcost.out(2)
    out(2)
    """

def again() -> Again:
    """Goes back to `start(n, m)`; the rolls so far are lost.

    >>> import flipcost
    >>> flipcost.again()
    again()
    """

def register_rule(name: str, start: Callable[..., Any], step: Callable[..., Any], few: int) -> str:
    """Registers the rule of these functions and returns its text in a query; messages call it `name`.
    At first only `few` states are explored; a rule with more states counts as endless if its later
    states hardly matter.
    """

@final
class Law:
    """The exact law of T, the number of rolls for one outcome.

    >>> import flipcost
    >>> law = flipcost.algorithms["fast-dice-roller"].law(6, "coin")
    >>> law.mean, law.variance, law.pmf(3), law.quantile("9/10")
    (Fraction(11, 3), Fraction(16, 9), Fraction(3, 4), 5)
    >>> law.decimal(30)
    Decimal('3.666666666666666666666666666667')
    """
    def __new__(cls, *_arguments: Never) -> Law: ...
    @property
    def algorithm(self) -> Algorithm:
        """The algorithm."""
    @property
    def source(self) -> Source:
        """The source, which is rolled."""
    @property
    def target(self) -> Target:
        """The target."""
    @property
    def unit(self) -> str:
        """The unit of T: `flips`, `rolls` or `words`."""
    @property
    def mean(self) -> Fraction:
        """The expected number of rolls, as a Fraction. TooLargeError if it has millions of digits:
        `decimal` has no such limit.
        """
    @property
    def variance(self) -> Fraction:
        """The variance, as a Fraction."""
    def decimal(
        self,
        digits: SupportsIndex,
        of: Literal["mean", "variance", "std", "skewness", "entropy", "toll"] = "mean",
    ) -> Decimal:
        """Returns `digits` correctly rounded decimals of the mean, as a `decimal.Decimal`; or of the
        value that `of` names: `"mean"`, `"variance"`, `"std"`, `"skewness"`, `"entropy"` or
        `"toll"`. TooLargeError for more than a million decimals, or if they would take minutes:
        logarithms and targets beyond 2^64 take longest.
        """
    @property
    def std(self) -> float:
        """The standard deviation, as the nearest double."""
    @property
    def skewness(self) -> float:
        """The skewness E[(T - E[T])^3] / std^3, as the nearest double; not a number if T does not
        vary.
        """
    @property
    def median(self) -> int | None:
        """The median: the least t with P(T <= t) >= 1/2."""
    def pgf(self, z: Fraction | int | float | str | Decimal) -> Fraction:
        """Returns the probability generating function E[z^T], as a Fraction, for z from 0 to 1 such as
        `Fraction(1, 2)` or `"1/2"`.
        """
    @property
    def entropy(self) -> float:
        """The entropy of the target in rolls, as the nearest double: no method costs less."""
    @property
    def toll(self) -> float:
        """The expected number of rolls above the entropy, as the nearest double."""
    @property
    def worst_case(self) -> int | None:
        """The largest number of rolls that can be needed; None if it is unbounded."""
    @overload
    def pmf(self, t: _Several) -> list[Fraction]:
        """Returns P(T = t), as a Fraction; 0 for t below 0. For a list or an array it is computed for
        each t. TooLargeError for t above a million.
        """
    @overload
    def pmf(self, t: SupportsIndex) -> Fraction: ...
    @overload
    def cdf(self, t: _Several) -> list[Fraction]:
        """Returns P(T <= t), as a Fraction; 0 for t below 0. For a list or an array it is computed for
        each t. TooLargeError for t above a million.
        """
    @overload
    def cdf(self, t: SupportsIndex) -> Fraction: ...
    def survival(self) -> Survival:
        """Returns an endless iterator of the Fractions P(T > t) for t = 0, 1, 2, ... Threads may share
        it: each value is returned once.
        """
    @overload
    def quantile(self, q: _Several) -> list[int | None]:
        """Returns the least t with P(T <= t) >= q, for q such as `Fraction(9, 10)` or `"9/10"`; None
        if there is no such t. For a list or an array it is computed for each q.
        """
    @overload
    def quantile(self, q: Fraction | int | float | str | Decimal) -> int | None: ...
    def repeat(self, count: SupportsIndex) -> Draws:
        """Returns the law of all rolls of `count` results."""
    @overload
    def sf(self, t: _Several) -> list[Fraction]:
        """Returns P(T > t), as a Fraction; 1 for t below 0. For a list or an array it is computed for
        each t. TooLargeError for t above a million.
        """
    @overload
    def sf(self, t: SupportsIndex) -> Fraction: ...
    @overload
    def isf(self, q: _Several) -> list[int | None]:
        """Returns the least t with P(T > t) <= q, for q such as `Fraction(1, 2**256)` or `"2^-256"`;
        None if there is no such t. For a list or an array it is computed for each q.
        """
    @overload
    def isf(self, q: Fraction | int | float | str | Decimal) -> int | None: ...
    @overload
    def log2_sf(self, t: _Several, digits: None = None) -> list[float]:
        """Returns log2 P(T > t), in the same form as `Draws.log2_sf`."""
    @overload
    def log2_sf(self, t: _Several, digits: SupportsIndex) -> list[Decimal | float]: ...
    @overload
    def log2_sf(self, t: SupportsIndex, digits: None = None) -> float: ...
    @overload
    def log2_sf(self, t: SupportsIndex, digits: SupportsIndex) -> Decimal | float: ...
    def __add__(self, other: Law | Draws, /) -> Draws: ...
    def __radd__(self, other: int | Law | Draws, /) -> Draws: ...
    def __mul__(self, count: SupportsIndex, /) -> Draws: ...
    def __rmul__(self, count: SupportsIndex, /) -> Draws: ...
    def plot(self, ax: Axes | None = None) -> Axes:
        """Draws P(T = t) with matplotlib, up to the t beyond which at most a thousandth is left."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def _repr_html_(self) -> str: ...
    def _repr_latex_(self) -> str: ...

@final
class Draws:
    """The exact law of T, the number of rolls of many independent results.

    >>> import flipcost
    >>> d6 = flipcost.algorithms["fast-dice-roller"].law(6, "coin")
    >>> dice = d6.repeat(100)
    >>> dice.mean, dice.isf("2^-40"), dice.log2_sf(488)
    (Fraction(1100, 3), 488, -40.67548288503893)
    """
    @property
    def count(self) -> int:
        """The number of draws."""
    @property
    def unit(self) -> str:
        """The unit of T: `flips`, `rolls` or `words`."""
    @property
    def mean(self) -> Fraction:
        """The expected number of rolls, as a Fraction. TooLargeError if it has millions of digits."""
    @property
    def variance(self) -> Fraction:
        """The variance, as a Fraction."""
    @property
    def worst_case(self) -> int | None:
        """The largest number of rolls that can be needed; None if it is unbounded."""
    @overload
    def sf(self, t: _Several) -> list[Fraction | float]:
        """Returns P(T > t), as a Fraction or a double like `pmf`. TooLargeError if it is too small for
        a double; `log2_sf` returns its logarithm.
        """
    @overload
    def sf(self, t: SupportsIndex) -> Fraction | float: ...
    @overload
    def log2_sf(self, t: _Several, digits: None = None) -> list[float]:
        """Returns log2 P(T > t), as the nearest double, or as a Decimal with `digits` correctly
        rounded decimals; minus infinity if P(T > t) is 0. For a list or an array it is computed for
        each t.
        """
    @overload
    def log2_sf(self, t: _Several, digits: SupportsIndex) -> list[Decimal | float]: ...
    @overload
    def log2_sf(self, t: SupportsIndex, digits: None = None) -> float: ...
    @overload
    def log2_sf(self, t: SupportsIndex, digits: SupportsIndex) -> Decimal | float: ...
    @overload
    def pmf(self, t: _Several) -> list[Fraction | float]:
        """Returns P(T = t): a Fraction if its denominator has up to 65,536 bits, otherwise the nearest
        double. For a list or an array it is computed for each t.
        """
    @overload
    def pmf(self, t: SupportsIndex) -> Fraction | float: ...
    @overload
    def cdf(self, t: _Several) -> list[Fraction | float]:
        """Returns P(T <= t), as a Fraction or a double like `pmf`."""
    @overload
    def cdf(self, t: SupportsIndex) -> Fraction | float: ...
    def survival(self) -> Iterator[Fraction | float]:
        """Returns an endless iterator of P(T > t) for t = 0, 1, 2, ..."""
    @overload
    def quantile(self, q: _Several) -> list[int | None]:
        """Returns the least t with P(T <= t) >= q; None if there is no such t. For a list or an array
        it is computed for each q.
        """
    @overload
    def quantile(self, q: Fraction | int | float | str | Decimal) -> int | None: ...
    @property
    def std(self) -> float:
        """The standard deviation, as the nearest double."""
    @property
    def skewness(self) -> float:
        """The skewness, as the nearest double; not a number if T does not vary."""
    @property
    def median(self) -> int | None:
        """The median: the least t with P(T <= t) >= 1/2."""
    @property
    def entropy(self) -> float:
        """The entropy of all targets in rolls, as the nearest double: no method costs less."""
    @property
    def toll(self) -> float:
        """The expected number of rolls above the entropy, as the nearest double."""
    def decimal(
        self,
        digits: SupportsIndex,
        of: Literal["mean", "variance", "std", "skewness", "entropy", "toll"] = "mean",
    ) -> Decimal:
        """Returns `digits` correctly rounded decimals of the mean, or of the value that `of` names, as
        in `Law.decimal`.
        """
    def pgf(self, z: Fraction | int | float | str | Decimal) -> Fraction:
        """Returns the probability generating function E[z^T], as a Fraction, for z from 0 to 1."""
    def plot(self, ax: Axes | None = None) -> Axes:
        """Draws P(T = t) with matplotlib, up to the t beyond which at most a thousandth is left."""
    @overload
    def isf(self, q: _Several) -> list[int | None]:
        """Returns the least t with P(T > t) <= q, for q such as `Fraction(1, 2**256)` or `"2^-256"`;
        None if there is no such t. For a list or an array it is computed for each q.
        """
    @overload
    def isf(self, q: Fraction | int | float | str | Decimal) -> int | None: ...
    def repeat(self, count: SupportsIndex) -> Draws:
        """Returns these draws, repeated `count` times."""
    def __add__(self, other: Law | Draws, /) -> Draws: ...
    def __radd__(self, other: int | Law | Draws, /) -> Draws: ...
    def __mul__(self, count: SupportsIndex, /) -> Draws: ...
    def __rmul__(self, count: SupportsIndex, /) -> Draws: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def _repr_html_(self) -> str: ...

@final
class Survival(Iterator[Fraction]):
    """An endless iterator of P(T > t) for t = 0, 1, 2, ..."""
    def __iter__(self) -> Survival: ...
    def __next__(self) -> Fraction: ...

@final
class Sequence:
    """A named sequence of the engine. Its index is that of the OEIS: `s[1:10]` are the terms
    a(1), ..., a(9).

    >>> import flipcost
    >>> flipcost.sequence("A136043")[1:10]
    [1, 1, 1, 1, 2, 1, 1, 1, 3]
    """
    def __new__(cls, id: str) -> Sequence: ...
    @property
    def id(self) -> str:
        """The sequence's id, with its parameters."""
    @property
    def a_number(self) -> str | None:
        """The sequence's number in the OEIS, if it has one."""
    @property
    def name(self) -> str:
        """The sequence's name: its number in the OEIS, or a description of its terms."""
    @property
    def offset(self) -> int:
        """The index of the sequence's first term."""
    def terms(self, first: SupportsIndex, last: SupportsIndex) -> list[int]:
        """Returns the terms a(first), ..., a(last). After Ctrl-C, terms that are computed together are
        still computed in the background, and dropped.
        """
    @overload
    def __getitem__(self, index: SupportsIndex, /) -> int: ...
    @overload
    def __getitem__(self, index: slice, /) -> list[int]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Answer:
    """An answer of the engine: columns, rows, notes. `flipcost.Answer` makes a table of it."""
    def __len__(self) -> int: ...
    @property
    def query(self) -> str:
        """The question, as JSON."""
    @property
    def command(self) -> str:
        """The command line that asks the question."""
    @property
    def summary(self) -> str:
        """One sentence that answers the question."""
    @property
    def columns(self) -> list[tuple[str, str, str]]:
        """The columns of the answer: the name, the kind and the unit of each."""
    @property
    def notes(self) -> list[str]:
        """Remarks on the answer."""
    @property
    def verdict(self) -> bool | str | None:
        """The outcome of a check: None, True, or the sentence of the counterexample."""
    @property
    def document(self) -> str | None:
        """The answer as a document; `None` if the answer is not a document."""
    def cell(self, row: int, column: int) -> Cell:
        """Returns a cell."""
    def shown(self, row: int, column: int) -> str | None:
        """Returns a cell in the form for readers."""
    def text_of(self, row: int, column: int) -> str | None:
        """Returns a cell as the program writes it."""
    def svg(self) -> str:
        """Returns the answer's picture as SVG."""
    def drawn_text(self) -> str:
        """Returns the answer's picture as lines for a terminal."""
    def json(self) -> str:
        """Returns the answer as one line of JSON, as `flipcost ask` prints it."""
    def __eq__(self, other: object, /) -> bool: ...

@final
class Cells:
    """Cells that become objects when they are read."""
    def __len__(self) -> int: ...
    def __getitem__(self, index: int, /) -> Cell: ...
    def block(self, first: int, end: int) -> list[Cell]:
        """Returns the cells of these rows."""
    def texts(self, first: int, end: int) -> list[str | None]:
        """Returns the cells of these rows as the program writes them; None where they are empty."""
    def __eq__(self, other: object, /) -> bool: ...

@final
class Fractions:
    """A column of exact fractions of a sweep; a cell is computed when it is read.

    A fraction that the program would leave out because it is too long is None. If the sweep is
    `exact`, a fraction of more than [`MAX_BITS`] bits raises TooLargeError.
    """
    def __len__(self) -> int: ...
    def __getitem__(self, index: int, /) -> Cell: ...
    def block(self, first: int, end: int) -> list[Cell]:
        """Returns the cells of these rows."""
    def texts(self, first: int, end: int) -> list[str | None]:
        """Returns the cells of these rows as the program writes them; None where they are empty."""
    def __eq__(self, other: object, /) -> bool: ...

@final
class Unit:
    """A part of a question, to be computed anywhere: see `flipcost.units`."""
    @property
    def query(self) -> str:
        """The question to which this object belongs, as JSON."""
    @property
    def digest(self) -> str:
        """The SHA-256 of the question and of the version of flipcost. Results with the same digest can
        be merged.
        """
    @property
    def places(self) -> tuple[int, int]:
        """The places of the answer that the unit computes, as (first, last + 1): rows, or n of the
        range, counted from 0.
        """
    @property
    def seconds(self) -> float:
        """The predicted seconds on one core."""
    def run(self, threads: int = 1) -> Part:
        """Computes the unit on this number of threads. The result depends only on the unit. QuestionError if the unit has a
            rule made of functions that this process does not have.
        """
    def split(self, k: int) -> list[Unit]:
        """Splits the places of the unit into k units of about equal work, or into fewer if there are
        fewer than k places.
        """
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Part:
    """The results of units of one question: see `flipcost.merge`."""
    @property
    def query(self) -> str:
        """The question to which this object belongs, as JSON."""
    @property
    def digest(self) -> str:
        """The SHA-256 of the question and of the version of flipcost. Results with the same digest can
        be merged.
        """
    @property
    def sha256(self) -> str:
        """The SHA-256 of the contents of the part."""
    @property
    def places(self) -> list[tuple[int, int]]:
        """The places that the part contains, as ranges (first, last + 1)."""
    @property
    def is_whole(self) -> bool:
        """Whether the part contains all places."""
    def __eq__(self, other: object, /) -> bool: ...

def units(query: str, seconds: float) -> list[Unit]:
    """Splits a question into units whose predicted time is at most this number of seconds."""
def join(parts: list[Part]) -> Part:
    """Joins parts of one question."""
def answered(part: Part) -> Answer:
    """Returns the answer of a complete part."""
def source_of(value: Any, name: str) -> Source:
    """Converts a [`Source`], or a value from which one can be made; an error calls it `name`.

    # Errors
    `SourceError` if the value is not a source, `KindError` if the value has another type.
    """
def target_of(value: Any, name: str) -> Target:
    """Converts a [`Target`], or a value from which one can be made; an error calls it `name`.

    # Errors
    `TargetError` if the value is not a target, `KindError` if the value has another type.
    """
def endless(text: str) -> bool:
    """Returns whether a text names a law with infinitely many outcomes or irrational probabilities."""
def usual(source: Source, target: Target) -> str:
    """Returns the id of the default algorithm for rolling a target from a source."""
def algorithm_ids() -> list[str]:
    """Returns the ids of the registry, in its order."""
def sequence_ids() -> list[str]:
    """Returns the ids of the sequences that need no parameters."""
def ask(query: str, threads: int = 0, progress: Progress | None = None) -> Answer:
    """Answers a question given as JSON on this number of threads (0 takes all cores)."""
def cite(what: str | None = None, bibtex: bool = False) -> str:
    """Returns how to cite flipcost, an algorithm or an entry of the OEIS."""
def command(query: str) -> str:
    """Returns the command line that asks a question given as JSON."""
def program(words: list[str]) -> int:
    """Runs the program with these words, the first of which is its name, and returns its exit status.
    Ctrl-C ends the process, as it ends the program.
    """
def spelled(value: float) -> str:
    """Formats a double for readers."""
def sweep(
    query: str,
    threads: int = 0,
    progress: Progress | None = None,
    executed: Callable[[str], Part] | None = None,
) -> tuple[str, list[tuple[tuple[str, str, str], Content]], list[str]]:
    """Answers a sweep of a range or of listed targets by columns. The columns of exact fractions of a
    range are [`Fractions`], which are computed when they are read. If other programs compute the
    answer, `executed` returns its complete [`Part`].
    """
