"""Asks any question of the engine by its name."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, SupportsIndex

from . import _engine
from ._arguments import whole
from ._errors import KindError, QuestionError
from ._table import Answer
from ._units import SECONDS, executed, question_of

if TYPE_CHECKING:
    from ._types import Executor

__all__ = ["ask", "asked"]


def _answered(
    question: str, threads: SupportsIndex = 0, executor: Executor | None = None, seconds: float = SECONDS
) -> Answer:
    try:
        if executor is not None:
            return Answer(_engine.answered(executed(question, executor, seconds)))
        return Answer(_engine.ask(question, whole(threads, "threads")))
    except QuestionError as error:
        raise _of_python(error) from None


def _of_python(error: QuestionError) -> QuestionError:
    """Returns the error with the argument's name and value first; KindError for a value of a wrong type."""
    wrong = re.match(r"the field `\w+`: (it is (?:an? (?:list|object)|the number \S+|\w+): )?(.*)", str(error), re.DOTALL)
    if wrong is None or error.field is None or error.given is None:
        return error
    named = f"{error.field}:" if wrong[2].startswith(f'"{error.given}"') else f"{error.field} is {error.given}:"
    return (KindError if wrong[1] else QuestionError)(f"{named} {wrong[2]}", error.field, error.given)


def asked(ask: str, fields: Mapping[str, Any], executor: Executor | None = None) -> Answer:
    """Returns the answer to a question with the fields that are not None, False or empty."""
    given = {
        name: value
        for name, value in fields.items()
        if value is not None and value is not False and value != []
    }
    return _answered(json.dumps({"ask": ask, **given}), 0, executor)


def ask(
    query: str | Mapping[str, Any],
    /,
    *,
    threads: SupportsIndex = 0,
    executor: Executor | None = None,
    seconds: float = SECONDS,
    **fields: Any,
) -> Answer:
    """Answers any question of the engine: a dict or JSON as `flipcost --query` writes it, or the
    kind of question with its fields. A field that is a keyword of Python gets an underscore: `from_=2`.

    Fields are as in `flipcost.cost`: ranges, lists of weights and rules. With an executor, anything
    with `submit`, its units are run there: see `flipcost.units`.

    >>> import flipcost
    >>> flipcost.ask("cost", target="4..5", source="6", algorithms=["bounded"])["worst_case"]
    [2, None]
    >>> flipcost.ask({"ask": "sequence", "id": "mr:x=1/29", "terms": 5}).command
    'flipcost sequence mr:x=1/29 --terms 5'
    """
    return _answered(question_of(query, fields), threads, executor, seconds)
