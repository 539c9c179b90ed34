"""Converts arguments of questions from any of Python's types to the form of the engine. None stays None."""

from __future__ import annotations

import operator
import os
import pathlib
from collections.abc import Iterable, Mapping, Set
from decimal import Decimal
from fractions import Fraction
from typing import Any, SupportsIndex

from . import _engine
from ._engine import Algorithm, Source, Target
from ._errors import QuestionError
from ._fractions import LongFraction

# What error sentences call the items of a text with commas.
COMMA_ITEMS = "names"
# The number of characters up to which a sentence shows a value whole.
MAX_SHOWN_LENGTH = 60


class Ruled:
    """An object that has an algorithm, such as a user's rule."""

    @property
    def algorithm(self) -> Algorithm:
        """The rule as an algorithm."""
        raise NotImplementedError


def shown(value: object) -> str:
    """Returns the text of a value in a sentence: its representation, or its type if the representation is long."""
    try:
        text = repr(value)
    except ValueError:  # an int of more digits than Python writes
        text = ""
    return text if 0 < len(text) <= MAX_SHOWN_LENGTH and "\n" not in text else f"a long {type(value).__name__}"


def as_index(value: object) -> int | None:
    """Returns the int of an int of Python or NumPy; None for a bool and for other values."""
    if isinstance(value, bool) or not isinstance(value, SupportsIndex):
        return None
    try:
        return operator.index(value)
    except TypeError:  # an array of several
        return None


def whole(value: object, name: str) -> int:
    """Returns a whole number from 0 on; raises QuestionError for any other value, which the sentence calls `name`."""
    number = as_index(value)
    if number is None or number < 0:
        said = f"{name} is {shown(value)}: a whole number from 0 was expected"
        raise QuestionError(said, name if name.isidentifier() else None, shown(value))
    return number


def maybe(value: object, name: str) -> int | None:
    """Converts a value as `whole` does, but returns None for None."""
    return None if value is None else whole(value, name)


def listed(values: Any, name: str, of: str) -> list[Any]:
    """Returns the values of a list, an array or an iterator; QuestionError for a text, bytes, a set, a mapping, and
    anything that cannot be iterated. `of` names the expected items."""
    unfit = isinstance(values, (str, bytes, bytearray, Set, Mapping))
    flat = getattr(values, "ndim", 1) > 0
    if unfit or not flat or not hasattr(values, "__iter__") or as_index(values) is not None:
        said = f"{name} is {shown(values)}: a list of {of} was expected"
        raise QuestionError(said, name, shown(values))
    return list(values)


def _texts(values: Any, name: str, of: str) -> list[str] | str | None:
    """Returns the texts in a list, which must not be empty."""
    if values is None:
        return None
    if isinstance(values, str) and of == COMMA_ITEMS:
        return values
    if isinstance(values, (str, Algorithm, Ruled)):
        said = f"{name} is a list of {of}: [{text(values, name)!r}] was expected"
        raise QuestionError(said, name, shown(values))
    found = listed(values, name, of)
    if not found:
        said = f"{name} is empty: a list of {of}, or None, was expected"
        raise QuestionError(said, name, shown(found))
    for value in found:
        if not isinstance(value, (str, Algorithm, Ruled)):
            said = f"{name} has {shown(value)} in it: texts were expected, {of}"
            raise QuestionError(said, name, shown(value))
    return [text(value, name) or "" for value in found]


def rule(value: object, name: str) -> str:
    """Returns the text of a rule: that of a rule object, the given text, or the contents of its file."""
    given = text(value, name)
    if isinstance(value, (Algorithm, Ruled)) and given:
        return given.removeprefix("rule:")
    if given is None:
        raise QuestionError(f"{name} is None: the path of a rule, or its text, was expected", name, "None")
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
    if isinstance(value, Ruled):
        value = value.algorithm
    if isinstance(value, Algorithm):
        return value.spelling
    if isinstance(value, str):
        return str(value)
    raise QuestionError(f"{name} is {shown(value)}: a text was expected", name, shown(value))


def texts(values: Any, name: str) -> list[str] | str | None:
    """Returns a list of texts, or splits one text at its commas."""
    return _texts(values, name, COMMA_ITEMS)


def algorithms(values: Any, name: str) -> list[str] | str | None:
    """Returns the ids of algorithms."""
    return _texts(values, name, "ids")


# The default of required arguments. It has the type Any, so that arguments of every type can have it.
MISSING: Any = object()


def needed(value: Any, name: str) -> Any:
    """Returns a value that is not None; TypeError for None and for a missing argument, which the sentence calls
    `name`."""
    if value is MISSING:
        raise TypeError(f"{name} is missing: this is what the question is about, and a value was expected")
    if value is None:
        raise TypeError(f"{name} is None: this is what the question is about, and a value was expected")
    return value


def source(value: Any, name: str) -> str | None:
    """Returns a source."""
    return None if value is None else str(Source(value))


def target(value: Any, name: str) -> str | None:
    """Returns a target."""
    return None if value is None else str(Target(value))


def wanted(value: Any, name: str) -> str | None:
    """Returns a target or several targets as the program writes them: a range, or a list."""
    if isinstance(value, range):
        return numbers(value, name)
    if isinstance(value, str):
        return value
    return None if value is None else str(Target(value))


def load(value: Any, name: str) -> Any:
    """Returns a load of a die: one number, or the weights of the faces."""
    if value is None or isinstance(value, (str, Fraction, Decimal, float)) or as_index(value) is not None:
        return plain(value, name)
    weights = [str(weight) for weight in Target(value).to_dict().values()]
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
        text = str(Target(target))
        return f"({text})" if "," in text and not text.startswith("{") else text

    if values is None or isinstance(values, str):
        return values
    if isinstance(values, Target) or one and as_index(values) is not None:
        return [item(values)]
    return [item(value) for value in listed(values, name, "targets")]


def numbers(values: Any, name: str) -> str | None:
    """Returns numbers as the program writes them: `2,4,10..20`."""
    if isinstance(values, range) and values.step == 1 and values:
        return f"{values[0]}..{values[-1]}"
    return wholes(values, name)


def dice(values: Any, name: str) -> str | None:
    """Returns dice as the program writes them."""
    return wholes(values, name)


def wholes(values: Any, name: str) -> str | None:
    """Returns numbers as the program writes them, one by one in their order, without ranges."""
    if values is None or isinstance(values, str):
        return values
    number = as_index(values)
    if number is not None:
        return str(number)
    found = listed(values, name, "whole numbers")
    return ",".join(str(whole(value, f"a number of {name}")) for value in found)


def prices(values: Any, name: str) -> list[str] | None:
    """Returns prices of rolls as the program writes them: `10=3/2`."""
    if values is None:
        return None
    if not hasattr(values, "items"):
        raise QuestionError(
            f"{name} is {shown(values)}: a dict from sides to prices was expected, such as {{6: 1}}",
            name,
            shown(values),
        )
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
        said = f"{name} has {shown(term)} in it: whole numbers or None were expected"
        raise QuestionError(said, name, shown(term))

    return ",".join(written(term) for term in listed(values, name, "whole numbers"))


def path(value: Any, name: str) -> str | None:
    """Returns the name of a file."""
    try:
        return None if value is None else os.fspath(value)
    except TypeError:
        said = f"{name} is {shown(value)}: the name of a file, as a text or a path, was expected"
        raise QuestionError(said, name, shown(value)) from None


def plain(value: Any, name: str | None = None) -> Any:
    """Returns a value for JSON, with exact numbers as text. An error calls it `name`."""
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, LongFraction):
        return f"{_digits(value.numerator)}/{_digits(value.denominator)}"
    if isinstance(value, (str, Fraction, Source, Target)):
        return str(value)
    if isinstance(value, (Algorithm, Ruled)):
        return text(value, "")
    number = as_index(value)
    if number is not None:
        return number if -(2**63) <= number < 2**64 else _digits(number)
    if isinstance(value, Decimal) and value.is_finite():
        return str(Fraction(value))
    if isinstance(value, Mapping):
        return {str(key): plain(inner, name) for key, inner in value.items()}
    if isinstance(value, (bytes, bytearray, Set, float)):
        raise QuestionError(
            f"{shown(value)} is a {type(value).__name__}: an int, a Fraction, a text or a list of "
            "them was expected",
            name,
            shown(value),
        )
    if isinstance(value, Iterable):
        return [plain(inner, name) for inner in value]
    return str(value)


def _digits(number: int) -> str:
    """Returns the digits of a large number."""
    try:
        return str(number)
    except ValueError:
        return str(Target(number))  # the engine writes any number of digits
