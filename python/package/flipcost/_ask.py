"""Questions of the engine: any of them, by its name."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, SupportsIndex

from . import _engine
from ._arguments import plain, shown, whole
from ._errors import QuestionError
from ._table import Answer

__all__ = ["ask", "asked"]


def _answered(question: Mapping[str, Any], threads: SupportsIndex) -> Answer:
    return Answer(_engine.ask(json.dumps(question), whole(threads, "threads")))


def asked(ask: str, fields: Mapping[str, Any]) -> Answer:
    """The answer to a question with the fields that are not None, False or empty."""
    given = {
        name: value
        for name, value in fields.items()
        if value is not None and value is not False and value != []
    }
    return _answered({"ask": ask, **given}, 0)


def ask(query: str | Mapping[str, Any], /, *, threads: SupportsIndex = 0, **fields: Any) -> Answer:
    """Answers any question of the engine: a dict or JSON as `flipcost --query` prints it, or the
    kind of question with its fields. A field that is a word of Python has an underscore: `from_=2`.

    >>> import flipcost
    >>> flipcost.ask("bounded", sources="6", targets="4..5")["rolls"]
    [2, 'never']
    >>> flipcost.ask({"ask": "mr", "x": "1/29", "terms": 5}).command
    'flipcost mr 1/29 --terms 5'
    """
    fields = {name.removesuffix("_"): plain(value) for name, value in fields.items()}
    if isinstance(query, Mapping):
        return _answered({**plain(query), **fields}, threads)
    if not isinstance(query, str):
        raise QuestionError(
            f"{shown(query)} is no question: a kind such as 'cost', or a question as a dict or as "
            "JSON, was expected"
        )
    if not query.lstrip().startswith("{"):
        return _answered({"ask": query, **fields}, threads)
    if fields:
        raise QuestionError("the question is whole as JSON: no further fields were expected")
    return Answer(_engine.ask(query, whole(threads, "threads")))
