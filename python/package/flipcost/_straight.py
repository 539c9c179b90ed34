"""Straight code as a rule: the code is run again for each path of rolls, up to the first roll beyond the path.

The rest of the run depends only on the state of the code at that roll. For each running function the state is: the last
line that began with no expression pending, the variables at that line and now, the results of rolls and calls since then,
and the number of items that the surrounding loops have taken. The globals that the code names belong to it, too. Two paths
that agree in all of these are one state. If the state may include something else (a generator, an object of a class, an
attribute that changes), every path is a separate state.
"""

from __future__ import annotations

import dis
import inspect
import operator
import secrets
import sys
import threading
from collections.abc import Callable
from fractions import Fraction
from types import BuiltinFunctionType, CodeType, FrameType, FunctionType, MethodType, ModuleType
from typing import Any, SupportsIndex

from . import _engine
from ._engine import Algorithm, Out, out
from ._errors import FlipcostError, KindError
from ._values import as_index, refuse, shown

__all__ = ["OWN", "RULES", "Ruled", "flip", "is_examined", "roll_recorded", "rule_id", "straight_rule", "word"]


class Ruled:
    """An object that has an algorithm, such as a user's rule."""

    @property
    def algorithm(self) -> Algorithm:
        """The rule as an algorithm."""
        raise NotImplementedError



class _Stopped(BaseException):
    """Raised to leave the code when it requests a roll beyond its path."""


class _Incomparable(Exception):
    """Raised if a part of the state cannot be compared."""


_here = threading.local()


class Place:
    """The state of straight code at a roll. Equal states have the same future."""

    __slots__ = ("_key", "_name", "path")

    def __init__(self, key: Any, name: str, path: tuple[int, ...]) -> None:
        self._key = key
        self._name = name
        self.path = path

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Place) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __repr__(self) -> str:
        return self._name


# The loops around an instruction: for each loop, the offset of the instruction that takes its items; None
# for an instruction within an expression.
Loops = tuple[int, ...]

_HIDDEN = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR


_known: dict[CodeType, dict[int, Loops] | None] = {}


def _lines(code: CodeType) -> dict[int, Loops] | None:
    """Returns the result of `_find_lines`, computed once for each function."""
    if code not in _known:
        _known[code] = _find_lines(code)
    return _known[code]


def _find_lines(code: CodeType) -> dict[int, Loops] | None:
    """Returns the instructions of a function at which its stack holds only the iterators of the surrounding loops; None
    if the function changes something that its variables do not show."""
    instructions = list(dis.get_instructions(code))
    if code.co_flags & _HIDDEN or any(one.opname in ("STORE_ATTR", "DELETE_ATTR") for one in instructions):
        return None
    if ".0" in code.co_varnames:
        return {}  # the code of a comprehension, whose items belong to the function around it
    after = {one.offset: instructions[i + 1].offset for i, one in enumerate(instructions[:-1])}
    by_offset = {one.offset: one for one in instructions}
    # the stack before each instruction: for each value, the loop whose iterator it is, or -1 for any other value
    stacks: dict[int, Loops | None] = {instructions[0].offset: ()}
    known = dict(stacks)
    open_ = [instructions[0].offset]
    while open_:
        offset = open_.pop()
        one, stack = by_offset[offset], known[offset]
        ends = one.opname.startswith(("RETURN_", "RAISE_", "RERAISE")) or one.opname in ("JUMP_FORWARD", "JUMP_BACKWARD",
            "JUMP_BACKWARD_NO_INTERRUPT", "JUMP_ABSOLUTE")
        ways = [] if ends else [(after.get(offset), False)]
        if one.opcode in dis.hasjrel or one.opcode in dis.hasjabs:
            ways.append((one.argval, True))
        for to, jump in ways:
            if to is None or stack is None:
                continue
            effect = dis.stack_effect(one.opcode, one.arg, jump=jump)
            later = stack[: len(stack) + effect] if effect < 0 else stack + (-1,) * effect
            if one.opname == "GET_ITER":
                later = (*later[:-1], after[offset])
            if to not in known:
                known[to] = later
                open_.append(to)
            elif known[to] not in (later, None):
                known[to] = None  # not understood
                open_.append(to)
    return {offset: stack for offset, stack in known.items() if stack is not None and -1 not in stack}


_PLAIN = (int, bool, str, bytes, type(None), float, complex, Fraction)


def _comparison_key(value: Any, seen: dict[int, int]) -> Any:
    """Returns a key of a value, for comparisons: values with equal keys have the same future. `seen` numbers mutable
    objects such as lists, since two names may refer to one object."""
    kind = type(value)
    if kind in _PLAIN:
        return kind, repr(value) if kind in (float, complex) else value
    if kind is tuple:
        return kind, tuple(_comparison_key(item, seen) for item in value)
    if kind is range:
        return kind, value.start, value.stop, value.step
    if kind in (type, ModuleType, BuiltinFunctionType) or isinstance(value, type):
        return kind, id(value)
    if id(value) in seen:
        return "same", seen[id(value)]
    seen[id(value)] = len(seen)
    if kind is FunctionType:
        bound = [cell.cell_contents for cell in value.__closure__ or ()] + list(value.__defaults__ or ())
        return kind, value.__code__, tuple(_comparison_key(item, seen) for item in bound)
    if kind in (list, set, frozenset):
        return kind, tuple(_comparison_key(item, seen) for item in value)
    if kind is dict:
        return kind, tuple((_comparison_key(key, seen), _comparison_key(item, seen)) for key, item in value.items())
    raise _Incomparable


def _variables(frame: FrameType, seen: dict[int, int]) -> Any:
    return tuple((name, _comparison_key(value, seen)) for name, value in frame.f_locals.items() if name != ".0")


class _Running:
    """A function that is running."""

    def __init__(self, frame: FrameType) -> None:
        self.frame = frame
        self.lines = _lines(frame.f_code)
        self.since: list[Any] = []
        # for each surrounding loop: its offset, the object that it iterates over, and how many
        # items it has taken
        self.loops: list[list[Any]] = []
        self.begun: Any = (0, _variables(frame, {}))

    def line(self) -> None:
        """Records that a line begins."""
        offset = self.frame.f_lasti
        around = (self.lines or {}).get(offset)
        if around is None:
            return
        before = (self.begun, tuple(self.since))
        self.loops = [loop for loop, place in zip(self.loops, around) if loop[0] == place]
        self.loops += [[place, before, 0] for place in around[len(self.loops) :]]
        for loop in self.loops:
            loop[2] += loop[0] == offset
        self.since = []
        self.begun = (offset, _variables(self.frame, {}))

    def key(self) -> Any:
        loops = tuple(tuple(loop) for loop in self.loops)
        return self.frame.f_code, self.begun, tuple(self.since), loops


class _Run:
    """One run of straight code, with these rolls."""

    def __init__(self, faces: tuple[int, ...], sides: int) -> None:
        self.faces = faces
        self.sides = sides
        self.used = 0
        self.running: list[_Running] = []
        self.codes: dict[CodeType, FrameType] = {}
        self.unseen = False
        self.place: Place | None = None

    def trace(self, frame: FrameType, event: str, argument: Any) -> Any:
        """The trace function: Python calls it for each function, and for each of its lines."""
        if event == "call":
            if frame.f_code in OWN:
                return None
            self.codes.setdefault(frame.f_code, frame)
            self._record(lambda: self.running.append(_Running(frame)))
            self.unseen |= not self.running or self.running[-1].lines is None
        elif not self.unseen and event == "line":
            self._record(self.running[-1].line)
        elif not self.unseen and event == "return":
            self.running.pop()
            if self.running:
                self._record(lambda: self.running[-1].since.append(_comparison_key(argument, {})))
        return None if self.unseen else self.trace

    def _record(self, look: Callable[[], Any]) -> None:
        try:
            look()
        except _Incomparable:
            self.unseen = True

    def roll(self) -> int:
        """Returns the next face, from 1."""
        if self.used == len(self.faces):
            sys.settrace(None)
            self.place = self._place()
            raise _Stopped
        self.used += 1
        face = self.faces[self.used - 1]
        if self.running:
            self.running[-1].since.append(face)
        return face

    def _place(self) -> Place:
        key: Any = None
        if not self.unseen:
            try:
                key = self._key()
            except _Incomparable:
                pass
        if key is None:
            return Place(self.faces, _named(self.faces), self.faces)
        names = []
        for depth, running in enumerate(self.running):
            hidden = running.frame.f_code.co_varnames[:2] if depth == 0 else ()
            pairs = running.frame.f_locals.items()
            had = [f"{name} = {value!r}" for name, value in pairs if name not in hidden]
            names.append(", ".join(had + [f"+ {one[1] if isinstance(one, tuple) else one}" for one in running.since]))
        return Place(key, " / ".join(names), self.faces)

    def _key(self) -> Any:
        seen: dict[int, int] = {}
        now = tuple(_variables(running.frame, seen) for running in self.running)
        named = tuple(
            (name, _comparison_key(frame.f_globals[name], seen))
            for code, frame in self.codes.items()
            for name in code.co_names
            if name in frame.f_globals and not isinstance(frame.f_globals[name], (FunctionType, ModuleType, type))
        )
        return tuple(running.key() for running in self.running), now, named


def _named(faces: tuple[int, ...]) -> str:
    """Names a place by the rolls that lead to it."""
    return f"after {'rolls ' if faces else 'no rolls'}{', '.join(map(str, faces))}"


def _replayed(function: Callable[[Any, Any], Any], n: int, m: int, faces: tuple[int, ...]) -> Place | Out:
    """Returns the outcome or the state after these rolls."""
    run = _Run(faces, m)
    before, outer = sys.gettrace(), getattr(_here, "run", None)
    _here.run = run
    try:
        sys.settrace(run.trace)
        try:
            outcome = function(n, m)
        finally:
            sys.settrace(before)
            _here.run = outer
    except _Stopped:
        assert run.place is not None
        return run.place
    if run.place is not None:
        raise FlipcostError("the rule catches all exceptions, even the one that ends its run: `except Exception` was expected")
    number = as_index(outcome)
    if number is None or number < 0:
        said = f"{_named(faces)} the rule returned {shown(outcome)}: an outcome, an integer from 0, was expected"
        raise (FlipcostError if number is not None else KindError)(said)
    return out(number)


def straight(function: Callable[[Any, Any], Any]) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Returns the start and the step of straight code."""

    def start(n: int, m: int) -> Place | Out:
        return _replayed(function, n, m, ())

    def step(state: Place, face: int, n: int, m: int) -> Place | Out:
        return _replayed(function, n, m, (*state.path, face))

    return start, step


# The number of states that are followed at first: finding a state takes a run of the function from its beginning.
FEW_STATES = 500
# What makes each rule of functions of this process again, by the rule's text in questions.
RULES: dict[str, tuple[Callable[[Any], Algorithm], Any]] = {}
_made: dict[Any, Algorithm] = {}


def rule_id(name: str) -> str:
    """Returns a name with the characters that an id may not have replaced by `_`."""
    return "".join(letter if letter.isalnum() or letter in "_-." else "_" for letter in name)


def straight_rule(function: Any) -> Algorithm:
    """Returns the rule of straight code. The same function is always the same rule."""
    # registered functions stay, so that no other object gets the same number
    key = (id(function.__self__), function.__func__) if isinstance(function, MethodType) else id(function)
    if key not in _made:
        name = rule_id(str(getattr(function, "__name__", None) or type(function).__name__))
        text = _engine.register_rule(name, *straight(function), FEW_STATES)
        _made[key] = Algorithm(text)
        RULES[text] = (straight_rule, function)
    return _made[key]


def is_examined() -> bool:
    """Whether a rule in straight code is being examined in this thread."""
    return getattr(_here, "run", None) is not None


def roll_recorded(sides: Any) -> int:
    """Returns a face, from 1, for the rule in straight code that is being examined."""
    run: _Run = _here.run
    if sides != run.sides:
        raise FlipcostError(
            f"the rule rolls a die of {shown(sides)} sides, and the source has {run.sides}: one source was expected"
        )
    return run.roll()


def flip() -> int:
    """Returns a flip in straight code (see `flipcost.rule`): 0 or 1. Outside of a rule the flip comes from the operating
    system's randomness.

    >>> import flipcost
    >>> flipcost.flip() in (0, 1), flipcost.rule(lambda n, m: flipcost.flip()).law(2, "coin").mean
    (True, Fraction(1, 1))
    """
    return roll_recorded(2) - 1 if is_examined() else secrets.randbits(1)


def word(bits: SupportsIndex) -> int:
    """Returns a word of this many bits in straight code, made of flips or of larger words. Outside of a rule the word
    comes from the operating system's randomness.

    >>> import flipcost
    >>> flipcost.word(4) in range(16), flipcost.rule(lambda n, m: flipcost.word(4)).law(16, "coin").mean
    (True, Fraction(4, 1))
    """
    try:
        width = operator.index(bits)  # in C, so that no code of Python belongs to the rule
    except TypeError:
        refuse(bits, "bits", "a number of bits from 0")
    if width < 0:
        raise FlipcostError(f"bits is {width}: a number of bits from 0 was expected")
    run: _Run | None = getattr(_here, "run", None)
    if run is None:
        return secrets.randbits(width)
    each = run.sides.bit_length() - 1
    if run.sides != 1 << each or width % each:
        raise FlipcostError(
            f"a word of {width} bits is not a whole number of rolls of a source of {run.sides} sides: choose another number of bits"
        )
    value = 0
    for _ in range(width // each):
        value = value << each | run.roll() - 1
    return value


# Functions of this module that a rule calls, but that are not part of it.
OWN = {one.__code__ for one in (flip, word, is_examined, roll_recorded, _Run.roll)}
