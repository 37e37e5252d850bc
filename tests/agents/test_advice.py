"""Advice: the agent's own moves, its probabilities, and true words about them."""

import re

import numpy as np
import pytest
from numpy.typing import NDArray

from arboretum_agents.advice import advise
from arboretum_agents.bots.planner import PlannerAgent
from arboretum_agents.bots.random import RandomAgent
from arboretum_agents.explanation import explain
from arboretum_agents.registry import make_agent
from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal, deal_exact
from arboretum_env.engine.moves import apply_action
from arboretum_env.errors import ForfeitError, IllegalActionError
from arboretum_env.forfeit import FORFEIT
from arboretum_env.match import play_match
from arboretum_env.notation import legal_moves, parse_move
from arboretum_env.phase import Phase
from arboretum_env.view import PlayerView, PlayerViews, redact
from tests.random_games import CONFIGS

TINY = GameConfig(species="CDJ", num_ranks=3, hand_size=2)
TURNS = "d d C1@0,0 xD3 p0 d D1@0,0 xJ2 p1 d C3@0,1 xJ2"


def tiny_view(moves: str) -> PlayerView:
    """The mover's view of the example game of docs/records.md after some moves."""
    state = deal_exact(TINY, [["C1", "C2"], ["J2", "D1"]], ["C3", "D3", "D2", "J1", "J3"])
    for move in moves.split():
        for action in parse_move(redact(state, state.mover)[0], move):
            apply_action(state, np.array([action]))
    return redact(state, state.mover)[0]


def explained(moves: str, move: str) -> str:
    view = tiny_view(moves)
    return explain(RandomAgent(TINY), view, move, parse_move(view, move))


@pytest.mark.parametrize(
    ("moves", "move", "words"),
    [
        ("", "d", "Draws from the deck of 5."),
        # Seat 1 moves; D3 beside nothing adds nothing, D1 is in its hand.
        (
            "d d C1@0,0 xD3",
            "p0(D3)",
            "Takes D3 from seat 0's pile, which could add 0 to its own paths and 0 to those of "
            "seat 0.",
        ),
        # C1-C3: two cards, one for the 1, two for the 3, which takes the 8's part. C2 is all that
        # is left of the species, and in the own hand.
        (
            TURNS[: TURNS.index(" C3@0,1")],
            "C3@0,1",
            "Plants C3 at 0,1, adding 5 to its own paths; keeps 2 in Cassia (enough for the right "
            "to score 100 %).",
        ),
        # J1 is kept. Seat 1 holds D3 and one of D2 and J3, a 3 that J1 would cancel.
        (
            TURNS[: TURNS.rindex(" xJ2")],
            "xJ2",
            "Discards J2, which could add 0 to seat 1's paths; keeps 1 in Jacaranda (enough for "
            "the right to score 100 %).",
        ),
        # The other way round: J2 is kept, and J3 with seat 1 would be more.
        (
            TURNS[: TURNS.rindex(" xJ2")],
            "xJ1",
            "Discards J1, which could add 0 to seat 1's paths; keeps 2 in Jacaranda (enough for "
            "the right to score 50 %).",
        ),
        # A 3 of Cassia would give seat 0 five points, and is not seat 1's to take.
        (
            "d d C1@0,0 xC3",
            "p0(C3)",
            "Takes C3 from seat 0's pile, which could add 0 to its own paths and 5 to those of "
            "seat 0.",
        ),
    ],
)
def test_facts_by_hand(moves: str, move: str, words: str) -> None:
    assert explained(moves, move) == words


def test_a_right_that_a_1_may_cancel() -> None:
    """Seat 0 keeps the 3 of Dogwood; D1 is one of three cards, of which seat 1 holds two."""
    state = deal_exact(TINY, [["D3", "C2"], ["J1", "D1"]], ["C1", "D2", "J2", "C3", "J3"])
    for move in ("d", "d", "C1@0,0"):
        for action in parse_move(redact(state, 0)[0], move):
            apply_action(state, np.array([action]))
    view = redact(state, 0)[0]
    words = explain(RandomAgent(TINY), view, "xD2", parse_move(view, "xD2"))
    # Unseen: D1, C3, J1, J2, J3, two of them in hand 1.
    assert words.endswith(
        "keeps 3 in Dogwood (enough for the right to score 100 %, unless a rival's 1 cancels the "
        "3: 40 %)."
    )
    words = explain(RandomAgent(TINY), view, "xD3", parse_move(view, "xD3"))
    assert words.endswith("keeps 2 in Dogwood (enough for the right to score 100 %).")


@pytest.mark.parametrize("name", CONFIGS)
def test_a_whole_game_by_advice_is_the_agents_game(name: str) -> None:
    config, ids = CONFIGS[name], np.array([5], np.uint64)
    for spec in ("planner", "random"):
        agent = make_agent(spec, config)
        agent.reset(ids, 3)
        state = deal(config, 1, ids)
        match = play_match(
            state, [agent], np.zeros((1, config.num_players), np.int64), ids, keep_actions=True
        )
        actions: list[int] = []
        while not state.done[0]:
            advice = advise(agent, redact(state, state.mover)[0], 5)
            for action in advice.actions:
                apply_action(state, np.array([action]))
            actions += advice.actions
        assert actions == match.game_actions(0)


LEAD = re.compile(r"By its own values (\S+) is (-?[0-9.]+) points behind\.")
CARELESS = re.compile(r"Without regard to rivals' points: (\S+)\.")


@pytest.mark.parametrize("name", [name for name in CONFIGS if name.endswith("players")])
def test_what_is_said_of_the_planner_is_true(name: str) -> None:
    config = CONFIGS[name]
    agent = PlannerAgent(config)
    careless = PlannerAgent.with_weights(config, agent.weights._replace(deny=0.0, offer=0.0))
    said = 0
    for game in range(3):
        state = deal(config, game, [0])
        while not state.done[0]:
            views = redact(state, state.mover)
            view = views[0]
            advice = advise(agent, view)
            first = {move: ids[0] for move, ids in legal_moves(view).items()}
            first |= {move[:2]: ids[0] for move, ids in legal_moves(view).items() if len(ids) > 1}
            if lead := LEAD.search(advice.explanation):
                values = agent.action_values(views)[0]
                values[advice.actions[0]], own = -np.inf, values[advice.actions[0]]
                assert first[lead[1]] == values.argmax()
                assert float(lead[2]) == pytest.approx(own - values.max(), abs=0.0501)
            else:
                assert len(set(first.values())) == 1
            other = int(careless.act(views)[0])
            match = CARELESS.search(advice.explanation)
            assert (match is None) == (other == advice.actions[0])
            if match:
                assert first[match[1]] == other
                said += 1
            for action in advice.actions:
                apply_action(state, np.array([action]))
    assert said > 3


class Halves(RandomAgent):
    """Draws its card from the first two with chances 0.25 and 0.75, its cell likewise."""

    def policy(self, views: PlayerViews) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        chances = np.zeros(views.legal_action_mask().shape, np.float32)
        for row, mask in enumerate(views.legal_action_mask()):
            first, second = np.flatnonzero(mask)[:2]
            chances[row, [first, second]] = 0.25, 0.75
        return chances, np.full(len(views), 0.5, np.float32)


def test_probabilities_by_hand() -> None:
    view = tiny_view(TURNS[: TURNS.index(" C3@0,1")])  # C2 C3 J1 J2, cells around C1
    advice = advise(Halves(TINY), view)
    cells = [parse_move(view, f"C2@{cell}")[1] for cell in ("-1,0", "0,-1", "0,1", "1,0")]
    low, high = np.argsort(cells)[:2]
    names = ["-1,0", "0,-1", "0,1", "1,0"]
    likely = {move: chance for move, chance in (advice.probabilities or {}).items() if chance}
    assert likely == {
        f"C2@{names[low]}": 0.0625,
        f"C2@{names[high]}": 0.1875,
        f"C3@{names[low]}": 0.1875,
        f"C3@{names[high]}": 0.5625,
    }
    assert advice.value == 0.5
    assert advise(RandomAgent(TINY), view).probabilities is None
    assert advise(Halves(TINY), view, probabilities=False).probabilities is None
    assert advise(Halves(TINY), view, explained=False).explanation == ""


def test_an_agent_that_fails_or_errs() -> None:
    class Failing(RandomAgent):
        def act(self, views: PlayerViews) -> NDArray[np.int64]:
            return np.full(len(views), FORFEIT)

        def forfeit_reason(self, game_id: int, seat: int) -> str:
            return f"no idea in game {game_id}, seat {seat}"

    with pytest.raises(ForfeitError, match="no idea in game 7, seat 0"):
        advise(Failing(TINY), tiny_view(""), 7)

    class Wrong(RandomAgent):
        def act(self, views: PlayerViews) -> NDArray[np.int64]:
            return np.zeros(len(views), np.int64)

    with pytest.raises(IllegalActionError, match=r"Wrong chose actions \[0\]: illegal here"):
        advise(Wrong(TINY), tiny_view("d d C1@0,0"))
    with pytest.raises(IllegalActionError, match="action 0: it is no card of the hand"):
        advise(Wrong(TINY), tiny_view("d d"))
    view = redact(deal(TINY, 1, [0]), 1)[0]
    assert view.phase is Phase.DRAW_FIRST
    with pytest.raises(IllegalActionError, match="seat 1 is not to move"):
        advise(RandomAgent(TINY), view)
