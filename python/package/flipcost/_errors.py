"""What goes wrong, each with the engine's sentence. All are a ValueError."""

__all__ = [
    "FlipcostError",
    "QuestionError",
    "RefusedError",
    "SourceError",
    "TargetError",
    "TooLargeError",
    "UnknownNameError",
]


class FlipcostError(ValueError):
    """The base of flipcost's exceptions. Where it is known, `field` is the argument or the field of the
    question that is wrong, and `given` what it was, as text; else they are None."""

    field: str | None
    given: str | None

    def __init__(
        self, sentence: str = "", field: str | None = None, given: str | None = None
    ) -> None:
        super().__init__(sentence)
        self.field = field
        self.given = given


class SourceError(FlipcostError):
    """It is no source."""


class TargetError(FlipcostError):
    """It is no target."""


class RefusedError(FlipcostError):
    """The algorithm does not make this target of this source."""


class TooLargeError(FlipcostError):
    """The exact result is too long to be computed or listed."""


class QuestionError(FlipcostError):
    """The question cannot be answered as it stands."""


class UnknownNameError(FlipcostError, KeyError):
    """No algorithm or sequence has this name. It is a KeyError, too."""

    def __str__(self) -> str:
        return ValueError.__str__(self)
