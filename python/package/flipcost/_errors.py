"""The exceptions, each with the engine's sentence. All are ValueErrors."""

__all__ = [
    "FlipcostError",
    "KindError",
    "QuestionError",
    "RefusedError",
    "SourceError",
    "TargetError",
    "TooLargeError",
    "UnknownNameError",
]


class FlipcostError(ValueError):
    """The base of flipcost's exceptions. If they are known, `field` is the argument or the field of the question
    that is wrong, and `given` its value as text; else they are None."""

    field: str | None
    given: str | None

    def __init__(
        self, sentence: str = "", field: str | None = None, given: str | None = None
    ) -> None:
        super().__init__(sentence)
        self.field = field
        self.given = given


class SourceError(FlipcostError):
    """The value is not a source."""


class TargetError(FlipcostError):
    """The value is not a target."""


class RefusedError(FlipcostError):
    """The algorithm cannot make this target from this source."""


class TooLargeError(FlipcostError):
    """The exact result is too long to be computed or listed."""


class QuestionError(FlipcostError):
    """The question cannot be answered as it stands."""


class KindError(QuestionError, TypeError):
    """An argument has the wrong type. This error is also a TypeError."""


class UnknownNameError(FlipcostError, KeyError):
    """No algorithm or sequence has this name. This error is also a KeyError."""

    def __str__(self) -> str:
        return ValueError.__str__(self)
