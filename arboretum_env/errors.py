"""The family of errors that the project raises on purpose.

Every message says what was given, what was expected and where. The subclasses also derive from the
built-in error that a caller would guess (``ValueError``), so that ``except ValueError`` works too.
"""


class ArboretumError(Exception):
    """Base of every error that Arboretum Lab raises on purpose."""


class ConfigError(ArboretumError, ValueError):
    """Game options that do not describe a playable game.

    Attributes:
        option: the first option at fault; empty where it is not one alone.
    """

    def __init__(self, message: str, option: str = "") -> None:
        super().__init__(message)
        self.option = option


class CardError(ArboretumError, ValueError):
    """A card text or card id that is not in play."""


class ActionError(ArboretumError, ValueError):
    """An action id, array or text that is malformed: wrong type, shape or range."""


class IllegalActionError(ActionError):
    """A well-formed action that the rules forbid in this position. Nothing was changed."""


class ForfeitError(ArboretumError, RuntimeError):
    """An agent that cannot go on with a game, where nobody counts forfeits."""


class DealError(ArboretumError, ValueError):
    """An exact deal that is impossible: a card twice, a missing card, a wrong hand size."""


class ViewError(ArboretumError, ValueError):
    """A view or observation that contradicts itself or its ``GameConfig``."""


class BoardError(ArboretumError, ValueError):
    """A board given for scoring that cannot exist: a card twice, a cell twice, a gap."""


class DrawingError(ArboretumError):
    """A picture that cannot be made here, e.g. for want of an optional library."""


class RecordError(ArboretumError, ValueError):
    """A game record that cannot be read or replayed.

    Attributes:
        line: 1-based line of the text, or ``None`` when the record did not come from text.
        token: the offending piece of text.
        reason: what was wrong and what was expected, without the position.
    """

    def __init__(self, reason: str, *, line: int | None = None, token: str = "") -> None:
        self.reason = reason
        self.line = line
        self.token = token
        where = f"line {line}: " if line is not None else ""
        what = f"{token!r}: " if token else ""
        super().__init__(f"{where}{what}{reason}")


class CheckpointError(ArboretumError, ValueError):
    """A checkpoint that cannot be written, found or trusted. Nothing of it was executed or used."""


class RunError(ArboretumError, ValueError):
    """A run folder that cannot be made, found or continued."""


class TrainingError(ArboretumError, RuntimeError):
    """Training that cannot go on: numbers that are no longer finite."""


class CacheWarning(UserWarning):
    """Compiled code cannot be kept where it should be. Everything works; starts take longer."""
