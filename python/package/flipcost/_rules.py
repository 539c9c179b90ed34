"""Your own rules, as functions of Python or as tables."""

from __future__ import annotations

import functools
import html
import pickle
import sys
from collections.abc import Callable, Hashable, Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, SupportsIndex

from . import _engine
from ._arguments import plain
from ._engine import Again, Algorithm, Law, Out
from ._errors import KindError, QuestionError
from ._straight import RULES, Ruled, rule_id, straight_rule
from ._values import refuse, shown
from .questions import export, rule_check

if TYPE_CHECKING:
    from ._table import Answer
    from ._types import Rng, SourceLike, TargetLike, WantedLike, Weight

__all__ = ["Chain", "Rule", "rule"]

# A rule of steps counts as endless if states beyond these hardly matter.
FEW_STATES = 5000


class Rule(Ruled):
    """A rule of your own, by its steps: `start(n, m)` is the first state, and `step(state, face, n, m)` the next one, or
    `out(x)` with x from 0 to n - 1, or `again()`. `face` is 1 to m. States are anything that can be hashed.

    It is made from two functions or from an object that has them as methods, or it is a subclass that defines them. A rule can
    be used wherever an algorithm can, as in `flipcost.cost(6, algorithms=[rule])`. Exceptions of the functions are passed on.

    >>> import flipcost
    >>> def start(n, m):
    ...     return 1, 0
    >>> def step(state, face, n, m):
    ...     v, c = state[0] * m, state[1] * m + face - 1
    ...     if c < v // n * n:
    ...         return flipcost.out(c % n)
    ...     return v % n, c - v // n * n
    >>> roller = flipcost.Rule(start, step)
    >>> roller.fair(6, "coin"), roller.law(6, "coin").mean
    (True, Fraction(11, 3))
    """

    _made: Algorithm | None = None

    def __init__(self, start: Any = None, step: Callable[..., Any] | None = None, *, name: str | None = None) -> None:
        if start is not None and step is None:
            name = name or type(start).__name__
            start, step = getattr(start, "start", None), getattr(start, "step", None)
        if start is not None or step is not None:
            self.start, self.step = start, step
            name = name or getattr(step, "__name__", None)
        self._name = name

    @property
    def algorithm(self) -> Algorithm:
        """The rule as an algorithm."""
        if self._made is None:
            start, step = (getattr(self, name, None) for name in ("start", "step"))
            if start is None or step is None or not callable(start) or not callable(step):
                raise KindError("a rule has two functions, start(n, m) and step(state, face, n, m): both were expected")
            name = rule_id(getattr(self, "_name", None) or type(self).__name__)
            text = _engine.register_rule(name, start, step, FEW_STATES)
            self._made = Algorithm(text)
            RULES[text] = (_algorithm_of, self)
        return self._made

    def __getstate__(self) -> dict[str, Any]:
        made = self._made is not None and self._made.spelling in RULES
        return {name: value for name, value in vars(self).items() if not (made and name == "_made")}

    def law(self, target: TargetLike, source: SourceLike = "coin") -> Law:
        """Returns the exact law of the number of rolls."""
        return self.algorithm.law(target, source)

    def outcomes(self, target: TargetLike, source: SourceLike = "coin") -> dict[int, Fraction]:
        """Returns the exact probability of each outcome, from 0."""
        return self.algorithm.outcomes(target, source)

    def distance(self, target: TargetLike, source: SourceLike = "coin") -> Fraction:
        """Returns the exact total variation distance of the outcomes from the target; running for ever counts as an
        outcome."""
        return self.algorithm.distance(target, source)

    def fair(self, target: TargetLike, source: SourceLike = "coin") -> bool:
        """Returns whether each outcome has exactly the probability that it has in the target."""
        return self.distance(target, source) == 0

    def roll(
        self,
        target: WantedLike,
        source: SourceLike = "coin",
        rng: Rng | None = None,
        *,
        count: SupportsIndex | None = None,
    ) -> tuple[Any, Any]:
        """Returns one outcome and the rolls that it took, or lists of `count` of them, as `Algorithm.roll` does."""
        return self.algorithm.roll(target, source, rng, count=count)

    def check(self, targets: WantedLike = "2..20", source: SourceLike = "coin", *, exact: bool = False) -> Answer:
        """Returns the verdict, as `flipcost.rule_check` gives it: a row for each target. `check(6).verdict` is True, or
        a sentence that is false: `assert rule.check(6).verdict`."""
        return rule_check(self, source, targets=targets, exact=exact)

    def to_drn(self, target: TargetLike, source: SourceLike = "coin") -> str:
        """Returns the chain of the rule in DRN, for Storm."""
        return self._exported("drn", target, source)

    def to_prism(self, target: TargetLike, source: SourceLike = "coin") -> str:
        """Returns the chain of the rule in the PRISM language, for PRISM and Storm."""
        return self._exported("prism", target, source)

    def _exported(self, language: str, target: TargetLike, source: SourceLike) -> str:
        return export(language, target, source, algorithm=self).document

    def __repr__(self) -> str:
        return f"<{self.algorithm.id}>"

    def _repr_html_(self) -> str:
        said = vars(self).get("__doc__") or "a rule of your own"
        return f"<p><b>{html.escape(self.algorithm.id)}</b>: {html.escape(said.strip().splitlines()[0])}</p>"


class Straight(Rule):
    """A rule made of one function, whose name and docstring it has."""

    def __init__(self, function: Callable[[Any, Any], Any]) -> None:
        if not callable(function):
            refuse(function, "function", "a function of n and m, which returns an outcome,")
        super().__init__()
        functools.update_wrapper(self, function)  # type: ignore[arg-type]

    @property
    def algorithm(self) -> Algorithm:
        """The rule as an algorithm."""
        if self._made is None:
            self._made = straight_rule(vars(self)["__wrapped__"])
            RULES[self._made.spelling] = (_algorithm_of, self)
        return self._made

    def __reduce__(self) -> Any:
        function: Any = vars(self)["__wrapped__"]
        found: Any = sys.modules.get(function.__module__)
        for name in function.__qualname__.split("."):
            found = getattr(found, name, None)
        return function.__qualname__ if found is self else (Straight, (function,))


def _algorithm_of(rule: Ruled) -> Algorithm:
    return rule.algorithm


_reduced = Algorithm.__reduce__


def reduce_algorithm(self: Algorithm) -> Any:
    """Pickles an algorithm; a rule of functions that another process can import is pickled with them."""
    make, rule = RULES.get(self.spelling, (None, None))
    try:
        pickle.dumps(rule)
    except (pickle.PicklingError, AttributeError, TypeError):
        make = None  # a copy in this process is still possible
    return _reduced(self) if make is None else (make, (rule,))


setattr(Algorithm, "__reduce__", reduce_algorithm)


def rule(function: Callable[[Any, Any], Any]) -> Rule:
    """Returns a rule of your own as straight code, `function(n, m)`, that calls `flipcost.flip()`, `flipcost.roll(m)`
    and `flipcost.word(w)` and returns an outcome from 0 to n - 1. It can also be used as a decorator.

    Nothing is simulated: the code is run once for each path of rolls, and paths that reach the same place with the same
    variables are one state. The code may depend only on its rolls. This is assumed, and a violation is noticed only if a
    repeated run differs. Cost: one run of the function for each face of each state. At most 500 states are followed if
    these decide all but 2^-64.

    >>> import flipcost
    >>> @flipcost.rule
    ... def roller(n, m):
    ...     v, c = 1, 0
    ...     while True:
    ...         while v < n:
    ...             v, c = 2 * v, 2 * c + flipcost.flip()
    ...         if c < n:
    ...             return c
    ...         v, c = v - n, c - n
    >>> roller.law(6, "coin").mean, roller.check(6)["states"]
    (Fraction(11, 3), [7])
    """
    return Straight(function)


class Chain(Rule):
    """A rule of your own as a table: a dict from each state to its successors. The successors are a list with one item for
    each face, or a dict from each successor to its probability, such as a Fraction or "1/3". A successor is a state,
    `out(x)` or `again()`. The rule starts in the first state. With probabilities it rolls no source, and its cost is the
    number of steps.

    >>> import flipcost
    >>> from flipcost import out
    >>> die = flipcost.Chain({"a": ["b", "c"], "b": [out(0), out(1)], "c": [out(2), "a"]})
    >>> die.fair(3, "coin"), die.law(3, "coin").mean
    (True, Fraction(8, 3))
    >>> flipcost.Chain({0: {out(0): "1/3", out(1): "1/3", 0: "1/3"}}).outcomes(2, "coin")
    {0: Fraction(1, 2), 1: Fraction(1, 2)}
    """

    def __init__(
        self,
        transitions: Mapping[Any, Iterable[Any] | Mapping[Any, Weight]],
        *,
        name: str = "chain",
    ) -> None:
        if not isinstance(transitions, Mapping) or not transitions:
            raise KindError(
                f"a chain is made of {shown(transitions)}: a dict from each state to what follows was expected"
            )
        names = _names(transitions)
        weighted = isinstance(next(iter(transitions.values())), Mapping)
        lines = ["state,probability,next" if weighted else "state,face,next"]
        for state, follows in transitions.items():
            if isinstance(follows, Mapping) is not weighted or isinstance(follows, (str, Out, Again)):
                said = f"state {shown(state)} leads to {shown(follows)}"
                raise QuestionError(f"{said}: a list for each state, or a dict for each state, was expected")
            pairs = [(plain(share, f"a probability of state {shown(state)}"), to) for to, share in follows.items()] if isinstance(follows, Mapping) else enumerate(follows, 1)
            lines += [f"{names[state]},{one},{_next(to, names, state)}" for one, to in pairs]
        self._made = Algorithm(f"rule:{rule_id(name)}\n" + "\n".join(lines) + "\n")


def _names(states: Iterable[Any]) -> dict[Any, str]:
    """Returns the names of the states in a table: their texts, if these are distinct."""
    texts = {state: str(state) for state in states}
    fit = all(text.strip() == text and text[:1] not in ("=", "") and not set(text) & set(",\r\n") for text in texts.values())
    if fit and len(set(texts.values())) == len(texts):
        return texts
    return {state: f"s{place}" for place, state in enumerate(texts)}


def _next(to: Any, names: Mapping[Any, str], state: object) -> str:
    if isinstance(to, Out):
        return f"={to.outcome}"
    if isinstance(to, Again):
        return next(iter(names.values()))
    if isinstance(to, Hashable) and to in names:
        return names[to]
    raise QuestionError(f"state {shown(state)} leads to {shown(to)}: a state of the chain, out(x) or again() was expected")
