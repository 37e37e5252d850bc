"""No byte of a seat's traffic, and no line of the log, depends on a card that it cannot know.

Whole games are played over HTTP twice, with the same moves and with hidden cards that have changed
places (``twins.py``); everything that was ever sent to the seat's browser before the end must be
the same. Then games with agents, in which at every decision the hidden cards of the true state are
redrawn (``tests/secrecy/reshuffle.py``).
"""

import itertools
import logging
import secrets
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arboretum_env.config import GameConfig
from arboretum_lab.studio import store
from arboretum_lab.studio.studio import Studio
from tests.secrecy.reshuffle import reshuffle_hidden
from tests.studio.desk import Desk, open_studio
from tests.studio.twins import Script, random_script, twin

GAMES = [
    (GameConfig(num_players=players, starting_discards=starting_discards), seat)
    for players, starting_discards, seat in (
        (2, False, 0),
        (2, True, 1),
        (3, False, 1),
        (3, True, 0),
        (4, False, 3),
        (4, True, 0),
    )
]
IDS = [
    f"{config.num_players} players, {'with' if config.starting_discards else 'no'} discards"
    for config, _ in GAMES
]


class Table:
    """All seats of a game at devices of their own; one of them is watched.

    Args:
        folder: of the studio.
        script: the game.
        watched: the seat whose browser's traffic is kept.
    """

    def __init__(self, client: Any, script: Script, watched: int) -> None:
        self._script, self._watched = script, watched
        players = script.config.num_players
        host = Desk(client)
        seats = ["human"] + ["guest"] * (players - 1)
        made = host.new_game(
            *seats, deal=script.form(), starting_discards=script.config.starting_discards
        )
        self._desks = [host]
        for invitation in made["invitations"]:
            guest = Desk(client)
            guest.call("POST", f"/games/{made['id']}/join", {"token": invitation["token"]})
            self._desks.append(guest)
        self._id = made["id"]
        self.watched = self._desks[watched]

    def play(self) -> list[bytes]:
        """Plays the game but for its last decision; the watched traffic."""
        for number, action in enumerate(self._script.actions[:-1]):
            self._look(number)
            mover = number // 5 % self._script.config.num_players
            body = {"state_id": self._state_id, "seat": mover, "action": action}
            self._desks[mover].call("POST", f"/games/{self._id}/moves", body)
        self._look(0)
        return self.watched.traffic

    def _look(self, number: int) -> None:
        """All that a page may ask for, refused requests included."""
        desk, seat, where = self.watched, self._watched, f"/games/{self._id}"
        state = desk.state(self._id)
        self._state_id = state["state_id"]
        if number % 7 == 0:
            desk.call("GET", f"{where}/events?after=-1")
            desk.call("GET", "/games")
            desk.refused("GET", f"{where}?seat={(seat + 1) % state['players']}")
            desk.refused("GET", f"{where}/record?whole_deal=true")
        if number % 11 == 0:
            for move in ("d", "p0", "p1", "C1@0,0", "M7@1,0", "xC8", 0, 20, 100, 250, 380):
                if move not in ("d", "p0", "p1", 0) or state["mover"] != seat:
                    body = {"state_id": state["state_id"], "seat": seat}
                    how = {"move": move} if isinstance(move, str) else {"action": move}
                    if move not in [choice["action"] for choice in state["legal"]]:
                        desk.send("POST", f"{where}/moves", {**body, **how, "state_id": -1})
                        if state["mover"] != seat:
                            desk.refused("POST", f"{where}/moves", {**body, **how})
            desk.send("POST", f"{where}/hint", {"seat": seat, "spec": "greedy"})


@pytest.fixture
def _same_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games and invitations are named alike in every studio."""
    monkeypatch.setattr(store.time, "time", lambda: 1_000_000.0)


@pytest.mark.slow
@pytest.mark.usefixtures("_same_names")
@pytest.mark.parametrize(("config", "seat"), GAMES, ids=IDS)
def test_whole_games(
    config: GameConfig,
    seat: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    rng = np.random.default_rng(17)
    script = random_script(config, rng)
    other = twin(script, seat, rng, swaps=400)
    moved = [a != b for a, b in zip(script.deck, other.deck, strict=True)]
    hands = [a != b for a, b in zip(script.hands, other.hands, strict=True)]
    assert sum(moved) > 3 and sum(hands) == config.num_players - 1  # every rival's hand differs
    traffic, logs = [], []
    caplog.set_level(logging.WARNING, "numba")  # what it compiles, it compiles in the first game
    for number, game in enumerate((script, other)):
        names = map("name-{}".format, itertools.count())
        monkeypatch.setattr(secrets, "token_urlsafe", lambda size, names=names: next(names))
        caplog.clear()
        with caplog.at_level(logging.DEBUG):
            with open_studio(tmp_path / str(number), lan=True) as client:
                traffic.append(Table(client, game, seat).play())
            logs.append([record.getMessage() for record in caplog.records])
    assert len(traffic[0]) > len(script.actions)
    for one, two in zip(*traffic, strict=True):
        assert one == two
    assert logs[0] == logs[1]


@pytest.mark.slow
@pytest.mark.parametrize("seats", [("human", "greedy"), ("random", "human", "planner", "greedy")])
def test_games_with_agents(seats: tuple[str, ...], tmp_path: Path) -> None:
    rng = np.random.default_rng(18)
    own, compared = seats.index("human"), 0
    with open_studio(tmp_path) as client:
        desk = Desk(client)
        state = desk.settled(desk.new_game(*seats, seed=2))
        studio = client.app.state.studio  # type: ignore[attr-defined]
        assert isinstance(studio, Studio)
        while not state["over"]:
            session = studio.store.find(state["id"], next(_owners(studio))).session
            asked = ("GET", f"/games/{state['id']}"), ("POST", f"/games/{state['id']}/hint")
            body = {"seat": own, "spec": "planner"}
            truth = session.state
            seen = [desk.send(*asked[0]).content, desk.send(*asked[1], body).content]
            session.state = reshuffle_hidden(truth, np.array([own]), rng)
            assert session.state.raw.tobytes() != truth.raw.tobytes()
            assert [desk.send(*asked[0]).content, desk.send(*asked[1], body).content] == seen
            session.state = truth
            compared += 1
            legal = state["legal"]
            action = legal[int(rng.integers(len(legal)))]["action"]
            state = desk.settled(desk.move(state, action))
    assert compared > 20


def _owners(studio: Studio) -> Any:
    return (kept.creator for kept in studio.store._kept.values())
