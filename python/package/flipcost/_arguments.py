"""Converts arguments of questions from any of Python's types to the form of the engine. None stays None."""

from __future__ import annotations

import os
import pathlib
from collections.abc import Iterable, Mapping, Set
from decimal import Decimal
from fractions import Fraction
from numbers import Number
from types import FunctionType, MethodType
from typing import Any

from . import _engine
from ._engine import Algorithm, Source, Target
from ._errors import KindError, QuestionError
from ._fractions import LongFraction
from ._straight import Ruled, straight_rule
from ._values import as_index, refuse, shown

def whole(value: object, name: str) -> int:
    """Returns a whole number from 0 on; the sentence about any other value calls it `name`."""
    number = as_index(value)
    if number is None:
        refuse(value, name, "a whole number from 0")
    if number < 0:
        said = f"{name} is {shown(value)}: a whole number from 0 was expected"
        raise QuestionError(said, name if name.isidentifier() else None, shown(value))
    return number


def maybe(value: object, name: str) -> int | None:
    """Converts a value as `whole` does, but returns None for None."""
    return None if value is None else whole(value, name)


def listed(values: Any, name: str, of: str) -> list[Any]:
    """Returns the values of a list, an array or an iterator; KindError for a text, bytes, a set, a mapping, and
    anything that cannot be iterated. `of` names the expected items."""
    unfit = isinstance(values, (str, bytes, bytearray, Set, Mapping))
    flat = getattr(values, "ndim", 1) > 0
    if unfit or not flat or not hasattr(values, "__iter__") or as_index(values) is not None:
        refuse(values, name, f"a list of {of}")
    return list(values)


def rule(value: object, name: str) -> str:
    """Returns the text of a rule: that of a rule object, the given text, or the contents of its file."""
    if is_algorithm(value):
        return algorithm(value, name).removeprefix("rule:")
    if not isinstance(value, (str, os.PathLike)):
        refuse(value, name, "a rule, a function, the path of a rule or its text")
    given = os.fspath(value)
    if "\n" in given:
        return given
    try:
        return f"{given}\n{pathlib.Path(given).read_text(encoding='utf-8')}"
    except (OSError, ValueError) as error:
        raise QuestionError(f"{name}: {given} cannot be read: {error}", name, given) from None


def text(value: object, name: str) -> str | None:
    """Returns a text."""
    if value is None:
        return None
    if is_algorithm(value) or name == "algorithm":
        return algorithm(value, name)
    if isinstance(value, str):
        return str(value)
    if name == "word" and as_index(value) is not None:
        refuse(value, name, f"a word such as 'java', or target={value} by its name,")
    refuse(value, name, "a text")


def texts(values: Any, name: str) -> list[str] | str | None:
    """Returns a list of texts, which must not be empty; one text is split at its commas by the engine."""
    if values is None or isinstance(values, str):
        return values
    return [text(value, name) or "" for value in _several(values, name, "names")]


def is_algorithm(value: object) -> bool:
    """Whether a value is an algorithm, a rule, or a function that `flipcost.rule` makes a rule."""
    return isinstance(value, (Algorithm, Ruled, FunctionType, MethodType))


def algorithm(value: Any, name: str) -> str:
    """Returns the text of an algorithm in questions. Underscores of an id become hyphens."""
    if isinstance(value, (FunctionType, MethodType)):
        value = straight_rule(value)
    if isinstance(value, Ruled):
        value = value.algorithm
    if isinstance(value, Algorithm):
        return value.spelling
    if not isinstance(value, str):
        refuse(value, name, "an id, an algorithm, a rule or a function")
    id, colon, rest = value.partition(":")
    return id.strip().replace("_", "-") + colon + rest


def algorithms(values: Any, name: str) -> list[str] | None:
    """Returns the texts of one algorithm or of several; a text of ids is split at its commas."""
    if values is None:
        return None
    if isinstance(values, str) and "\n" not in values:
        values = values.split(",")
    if is_algorithm(values) or isinstance(values, str):
        values = [values]
    found = _several(values, name, "ids, algorithms, rules or functions")
    return [algorithm(value, name) for value in found]


def _several(values: Any, name: str, of: str) -> list[Any]:
    """Returns the values of a list, which must not be empty."""
    found = listed(values, name, of)
    if not found:
        said = f"{name} is empty: a list of {of}, or None, was expected"
        raise QuestionError(said, name, shown(found))
    return found


# The default of required arguments, which help shows as <required>. Its class has no name in the module, so that
# arguments of every type can have this default.
MISSING: Any = type("Required", (), {"__repr__": lambda _: "<required>"})()


def needed(value: Any, name: str) -> Any:
    """Returns a value that is not None; KindError for None and for a missing argument, which the sentence calls
    `name`."""
    if value is MISSING:
        raise KindError(f"{name} is missing: this is what the question is about, and a value was expected", name)
    if value is None:
        raise KindError(f"{name} is None: this is what the question is about, and a value was expected", name, "None")
    return value


def source(value: Any, name: str) -> str | None:
    """Returns the text of a source."""
    return None if value is None else str(source_of(value, name))


def source_of(value: Any, name: str) -> Source:
    """Returns a source; an error calls it `name`."""
    return _engine.source_of(value, name)


def law_of(value: Any, name: str) -> Target:
    """Returns a target; an error calls it `name`."""
    return _engine.target_of(value, name)


def target(value: Any, name: str) -> str | None:
    """Returns a target. The engine reads a text, which may be the function of a library."""
    return value if value is None or isinstance(value, str) else str(law_of(value, name))


def wanted(value: Any, name: str) -> str | None:
    """Returns a target or several targets as the program writes them: a range, or a list. A pair of numbers is refused
    where `name` has a plural, since it may be meant as a range."""
    if isinstance(value, range):
        written = numbers(value, name) or ""
        return written if ".." in written else f"{written},"  # without the comma they are weights
    if name == "targets" and isinstance(value, (list, tuple)):
        check_pair(value, name, "weights are a text", list)
    return target(value, name)


def check_pair(values: Any, name: str, other: str, kind: type[Any] = tuple) -> None:
    """Raises KindError for a tuple (or for one of this kind) of two numbers, which may be meant as a range. `other` is
    what else it may mean."""
    if isinstance(values, (tuple, kind)) and len(values) == 2:
        first, last = map(as_index, values)
        if first is not None and last is not None:
            ways = f'range({plain(first)}, {plain(last + 1)}) or "{plain(first)}..{plain(last)}"'
            pair = f'"{plain(first)}:{plain(last)}"' if "text" in other else f"[{plain(first)}, {plain(last)}]"
            raise KindError(f"{name} is {shown(values)}: a range is {ways}, and {other} {pair}", name, shown(values))


def load(value: Any, name: str) -> Any:
    """Returns a load of a die: one number, or the weights of the faces."""
    if value is None or isinstance(value, (str, Fraction, Decimal, float)) or as_index(value) is not None:
        return plain(value, name)
    weights = [str(weight) for weight in law_of(value, name).to_dict().values()]
    if len(weights) < 2:
        said = f"{name} is {shown(value)}: a number above 0, or two weights or more, were expected"
        raise QuestionError(said, name, shown(value))
    return ":".join(weights)


def at(values: Any, name: str) -> Any:
    """Returns known probabilities of an unknown source, one or several: of heads, or the weights of a die."""
    made = plain(values, name)
    if made == []:
        said = f"{name} is empty: a probability of heads, or weights of the faces, were expected"
        raise QuestionError(said, name, shown(values))
    return made


def targets(values: Any, name: str, one: bool = False) -> str | list[str] | None:
    """Returns targets as items of a list, where a comma separates them: a target whose text has commas is put in brackets.
    If `one`, a number is a single target, not a list."""

    def item(target: Any) -> str:
        if isinstance(target, str):
            return target
        text = str(law_of(target, f"a target of {name}"))
        return f"({text})" if "," in text and not text.startswith("{") else text

    if values is None or isinstance(values, str):
        return values
    if isinstance(values, Target) or one and as_index(values) is not None:
        return [item(values)]
    check_pair(values, name, "a list is")
    return [item(value) for value in listed(values, name, "targets")]


def numbers(values: Any, name: str) -> str | None:
    """Returns numbers as the program writes them: `2,4,10..20`."""
    if isinstance(values, range) and values.step == 1 and values:
        return f"{values[0]}..{values[-1]}"
    if isinstance(values, range) and not values:
        raise QuestionError(f"{name} is {values}, which is empty: range(first, last + 1) was expected", name)
    check_pair(values, name, "a list is")
    return wholes(values, name)


def dice(values: Any, name: str) -> str | None:
    """Returns dice as the program writes them: numbers of sides, texts such as `d6`, or sources."""
    if isinstance(values, (list, tuple)):
        values = [as_index(one.sides) if isinstance(one, Source) else one for one in values]
        if any(isinstance(one, str) for one in values):
            return ",".join(one if isinstance(one, str) else str(whole(one, f"a die of {name}")) for one in values)
    return wholes(values, name)


def wholes(values: Any, name: str) -> str | None:
    """Returns numbers as the program writes them, one by one in their order, without ranges."""
    if values is None or isinstance(values, str):
        return values
    number = as_index(values)
    if number is not None:
        return str(number)
    found = listed(values, name, "whole numbers")
    if not found:
        raise QuestionError(f"{name} is empty: one number or more was expected", name, shown(values))
    return ",".join(str(whole(value, f"a number of {name}")) for value in found)


def prices(values: Any, name: str) -> list[str] | None:
    """Returns prices of rolls as the program writes them: `10=3/2`."""
    if values is None:
        return None
    if not hasattr(values, "items"):
        refuse(values, name, "a dict from sides to prices, such as {6: 1},")
    return [f"{whole(sides, f'a die of {name}')}={plain(price)}" for sides, price in values.items()]


def settings(values: Any, name: str) -> list[str] | str | None:
    """Returns a dict from names to values as the program writes it: `p=1/3`."""
    if not isinstance(values, Mapping):
        return texts(values, name)
    return [f"{key}={plain(value, name)}" for key, value in values.items()]


def terms(values: Any, name: str) -> str | None:
    """Returns terms of a sequence; None stands for an unknown term."""
    if values is None or isinstance(values, str):
        return values

    def written(term: object) -> str:
        number = as_index(term)
        if term is None or number is not None:
            return "?" if number is None else str(number)
        refuse(term, f"a term of {name}", "a whole number or None")

    return ",".join(written(term) for term in listed(values, name, "whole numbers"))


def path(value: Any, name: str) -> str | None:
    """Returns the name of a file."""
    try:
        return None if value is None else os.fspath(value)
    except TypeError:
        refuse(value, name, "the name of a file, as a text or a path,")


def flag(value: Any, name: str) -> bool:
    """Returns True or False; KindError for another value."""
    if isinstance(value, bool):
        return value
    if type(value).__name__ in ("bool_", "bool"):  # of NumPy
        return bool(value)
    raise KindError(f"{name} is {shown(value)}: True or False was expected", name, shown(value))


def plain(value: Any, name: str | None = None) -> Any:
    """Returns a value for JSON, with exact numbers as text. An error calls it `name`."""
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, LongFraction):
        return f"{_digits(value.numerator)}/{_digits(value.denominator)}"
    if isinstance(value, (str, Fraction, Source, Target)):
        return str(value)
    if is_algorithm(value):
        return algorithm(value, name or "")
    number = as_index(value)
    if number is not None:
        return number if -(2**63) <= number < 2**64 else _digits(number)
    if isinstance(value, Decimal) and value.is_finite():
        return str(Fraction(value))
    if isinstance(value, Mapping):
        return {str(key): plain(inner, name) for key, inner in value.items()}
    if isinstance(value, (bytes, bytearray, Set, float)):
        said = f"is {shown(value)}, a {type(value).__name__}: an int, a Fraction, a text or a list of them was expected"
        raise KindError(f"{name or 'an argument'} {said}", name, shown(value))
    if isinstance(value, Iterable):
        return [plain(inner, name) for inner in value]
    if isinstance(value, (Number, os.PathLike)):
        return str(value)
    refuse(value, name or "an argument", "an int, a Fraction, a text or a list of them")


def _digits(number: int) -> str:
    """Returns the digits of a large number."""
    try:
        return str(number)
    except ValueError:
        return str(Target(number))  # the engine writes any number of digits
