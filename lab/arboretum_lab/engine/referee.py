"""Games that the engine referees, for clients that know no rules.

Whoever runs the engine may see every seat, so the mover's view comes with each answer.
"""

from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal
from arboretum_env.engine.moves import apply_action
from arboretum_env.engine.state import GameState
from arboretum_env.errors import ActionError, ConfigError
from arboretum_env.history import HistoryKeeper
from arboretum_env.notation import legal_moves, parse_move
from arboretum_env.records.arb_writer import write_arb
from arboretum_env.records.from_game import record_from_match
from arboretum_env.records.scoresheet import state_sheet
from arboretum_env.seeding import Purpose, root_from_seed
from arboretum_env.view import PlayerView, redact
from arboretum_env.view_json import config_from_json, view_to_json
from arboretum_lab.engine.requests import (
    ApplyRequest,
    EndGameRequest,
    NewGameRequest,
    RecordRequest,
    RequestError,
    ViewRequest,
)

MAX_GAMES: Final = 10_000


@dataclass
class _Game:
    initial: GameState
    state: GameState
    keeper: HistoryKeeper
    deal: str
    actions: list[int] = field(default_factory=list)

    def view(self, seat: int) -> PlayerView:
        row = np.zeros(1, np.int64)
        histories = self.keeper.histories(row, np.array([seat]))
        return redact(self.state, seat, histories=histories)[0]


class Referee:
    """Keeps games by name; not for several threads."""

    def __init__(self) -> None:
        self._games: dict[str, _Game] = {}
        self._begun = 0

    def new_game(self, request: NewGameRequest) -> dict[str, Any]:
        """Deals a game.

        Raises:
            RequestError: of kind ``game``: no such game can be played, or too many are.
        """
        try:
            config = config_from_json(request.config)
        except ConfigError as error:
            raise RequestError("game", str(error)) from error
        if len(self._games) >= MAX_GAMES:
            raise RequestError("game", f"{MAX_GAMES} games are kept: end_game some of them")
        self._begun += 1
        name = f"game{self._begun}"
        self._games[name] = self._deal(config, request)
        return self._position(name)

    def view(self, request: ViewRequest) -> dict[str, Any]:
        """What a seat sees.

        Raises:
            RequestError: of kind ``game``.
        """
        game = self._find(request.game)
        if request.seat >= game.state.config.num_players:
            last = game.state.config.num_players - 1
            raise RequestError("game", f"seat {request.seat}: expected 0..{last}")
        view = game.view(request.seat)
        return {"game": request.game, "view": view_to_json(view), "legal": list(legal_moves(view))}

    def apply(self, request: ApplyRequest) -> dict[str, Any]:
        """Plays a move; an illegal one changes nothing.

        Raises:
            RequestError: of kind ``game`` or ``move``.
        """
        game = self._find(request.game)
        try:
            actions = parse_move(game.view(int(game.state.mover[0])), request.move)
        except ActionError as error:
            raise RequestError("move", str(error)) from error
        for action in actions:
            before, step = game.state.clone(), np.array([action])
            apply_action(game.state, step)
            game.keeper.note(before, game.state, step)
            game.actions.append(action)
        return self._position(request.game)

    def record(self, request: RecordRequest) -> dict[str, Any]:
        """The record of a finished game; before, it would tell the deck.

        Raises:
            RequestError: of kind ``game``.
        """
        game = self._find(request.game)
        if not game.state.done[0]:
            raise RequestError("game", f"game {request.game!r} is not over")
        record = record_from_match(game.initial, game.actions, deal=game.deal)
        return {"game": request.game, "arb": write_arb(record)}

    def end_game(self, request: EndGameRequest) -> dict[str, Any]:
        """Forgets a game.

        Raises:
            RequestError: of kind ``game``.
        """
        self._find(request.game)
        del self._games[request.game]
        return {"game": request.game}

    def _deal(self, config: GameConfig, request: NewGameRequest) -> _Game:
        root = root_from_seed(request.seed, Purpose.USER)
        initial = deal(config, root, [request.number])
        text = f"user seed {request.seed} game {request.number}"
        return _Game(initial, initial.clone(), HistoryKeeper(initial), text)

    def _find(self, name: str) -> _Game:
        if name not in self._games:
            raise RequestError("game", f"game {name[:40]!r}: expected one that new_game has named")
        return self._games[name]

    def _position(self, name: str) -> dict[str, Any]:
        """Where a game stands: the mover's view, or the result."""
        game = self._games[name]
        if game.state.done[0]:
            return {"game": name, "done": True, **state_sheet(game.state).to_json()}
        mover = int(game.state.mover[0])
        view = game.view(mover)
        return {
            "game": name,
            "done": False,
            "mover": mover,
            "view": view_to_json(view),
            "legal": list(legal_moves(view)),
        }
