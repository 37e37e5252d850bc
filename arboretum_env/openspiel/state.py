"""A state of the game: OpenSpiel's questions, put to a ``Table``."""

from typing import Any, Final

import pyspiel

from arboretum_env.actions import action_text, decode, torus_cell
from arboretum_env.engine.scoring import score
from arboretum_env.openspiel.table import Table
from arboretum_env.openspiel.text import information_text
from arboretum_env.rewards import final_rewards

_CHANCE: Final = int(pyspiel.PlayerId.CHANCE)
_TERMINAL: Final = int(pyspiel.PlayerId.TERMINAL)


class ArboretumState(pyspiel.State):  # type: ignore[misc]  # pyspiel has no types
    """A history of the game. Chance actions are card ids, the seats' the flat action ids.

    Attributes:
        table: everything there is to know; OpenSpiel copies it when it clones the state.
    """

    def __init__(self, game: Any) -> None:
        super().__init__(game)
        self.table = Table(game.config)
        self._reward = game.reward

    def current_player(self) -> int:
        """The seat to move, or OpenSpiel's id for chance or the end."""
        table = self.table
        if table.dealing or table.drawing:
            return _CHANCE
        return _TERMINAL if table.over else table.mover

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.table.over

    def _legal_actions(self, player: int) -> list[int]:
        return self.table.legal_actions() if player == self.table.mover else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The cards that may come, each as likely as any other."""
        cards = self.table.cards_left()
        return [(card, 1.0 / len(cards)) for card in cards]

    def _apply_action(self, action: int) -> None:
        if self.table.dealing or self.table.drawing:
            self.table.give(action)
        else:
            self.table.act(action)

    def _action_to_string(self, player: int, action: int) -> str:
        table = self.table
        if player == _CHANCE:
            return table.config.card_text(action)
        return action_text(table.config, action, player, self._true_cell(player, action))

    def _true_cell(self, seat: int, action: int) -> tuple[int, int] | None:
        """True coordinates of a cell next to the seat's arboretum; None for anything else."""
        config = self.table.config
        decoded = decode(config, action)
        arboretum = self.table.game.arboretum(0, seat)
        if decoded.kind == "place_cell":
            for x, y, _ in arboretum:
                for true in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                    if torus_cell(config, *true) == decoded.index:
                        return true
        return None

    def returns(self) -> list[float]:
        """What every seat has won; zeros before the end."""
        if not self.table.over:
            return [0.0] * self.table.config.num_players
        won: list[float] = final_rewards(score(self.table.game), self._reward)[0].tolist()
        return won

    def __str__(self) -> str:
        """Everything: what each seat knows, a line a seat, and whether chance is to move."""
        table = self.table
        lines = [information_text(table, seat) for seat in range(table.config.num_players)]
        if table.dealing:
            lines = ["dealt " + " ".join(map(table.config.card_text, table.dealt))]
        return "\n".join([*lines, "drawing"] if table.drawing else lines)
