"""A state of the game: OpenSpiel's questions, put to a ``Table``."""

from collections.abc import Callable
from typing import Any

import pyspiel

from arboretum_env.actions import action_text, decode, torus_cell
from arboretum_env.engine.scoring import score
from arboretum_env.openspiel.resample import resampled
from arboretum_env.openspiel.table import CHANCE, NOBODY, Table
from arboretum_env.openspiel.text import information_text
from arboretum_env.rewards import final_rewards


class ArboretumState(pyspiel.State):  # type: ignore[misc]  # pyspiel has no types
    """A history of the game. Chance actions are card ids, the seats' the flat action ids.

    Attributes:
        table: everything there is to know.
    """

    def __init__(self, game: Any) -> None:
        super().__init__(game)
        self.table: Table = game.undealt

    def current_player(self) -> int:
        """The seat to move, or OpenSpiel's id for chance or the end."""
        return self.table.to_move

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.table.to_move == NOBODY

    def _legal_actions(self, player: int) -> list[int]:
        return self.table.legal_actions() if player == self.table.to_move else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The cards that may come, each as likely as any other."""
        cards = self.table.cards_left()
        return [(card, 1.0 / len(cards)) for card in cards]

    def _apply_action(self, action: int) -> None:
        table = self.table
        self.table = table.give(action) if table.to_move == CHANCE else table.act(action)

    def _action_to_string(self, player: int, action: int) -> str:
        table = self.table
        if player == CHANCE:
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
        if not self.is_terminal():
            return [0.0] * self.table.config.num_players
        won: list[float] = final_rewards(score(self.table.game), self.get_game().reward)[0].tolist()
        return won

    def resample_from_infostate(
        self, player_id: int, probability_sampler: Callable[[], float]
    ) -> "ArboretumState":
        """A state that ``player_id`` cannot tell from this one; all such are equally likely.

        For OpenSpiel's Python algorithms, IS-MCTS among them. Its C++ code does not find it.
        """
        steps = [(int(step.player), int(step.action)) for step in self.full_history()]
        other: ArboretumState = self.get_game().new_initial_state()
        for action in resampled(self.table, steps, player_id, probability_sampler):
            other.apply_action(action)
        return other

    def __str__(self) -> str:
        """Everything: what each seat knows, a line a seat, and whether chance is to move."""
        table = self.table
        lines = [information_text(table, seat) for seat in range(table.config.num_players)]
        if table.dealing:
            lines = ["dealt " + " ".join(map(table.config.card_text, table.dealt))]
        return "\n".join([*lines, "drawing"] if table.drawing else lines)
