"""``planner`` and ``blocker``: positions in which holding, denying and offering decide."""

from dataclasses import replace

import numpy as np
import pytest

from arboretum_agents.bots.blocker import BLOCKER
from arboretum_agents.bots.planner import PlannerAgent
from arboretum_agents.bots.planner_weights import UNTUNED, PlannerWeights
from arboretum_agents.registry import make_agent
from arboretum_env.actions import Action, decode
from arboretum_env.agent import Agent
from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal
from arboretum_env.match import play_match
from arboretum_env.phase import Phase
from arboretum_env.view import PlayerView, redact
from tests.features.oracle import batch, view_of
from tests.random_games import random_positions
from tests.table import picture

TWO = GameConfig()
PATH = picture("C2 C3 C4 C5")
SPARE = ["J1", "J2", "V1", "V2"]


def choice(view: PlayerView, weights: PlannerWeights = UNTUNED) -> Action:
    [action] = PlannerAgent.with_weights(view.config, weights).act(batch([view]))
    return decode(view.config, int(action))


def discarded(view: PlayerView, weights: PlannerWeights = UNTUNED) -> str:
    action = choice(view, weights)
    assert action.kind == "discard_card"
    return view.config.card_text(action.index)


@pytest.mark.parametrize("seat", [0, 1])
def test_it_holds_what_secures_its_own_path(seat: int) -> None:
    arboreta = [PATH if k == seat else {} for k in range(2)]
    # Of two sevens that no path can use, the Cassia decides the right to score four Cassias.
    hand = ["C7", "D7", *SPARE]
    view = view_of(TWO, arboreta, ["C7", "D7"], seat=seat, phase=Phase.DISCARD)
    assert discarded(view) == "D7"
    assert discarded(view_of(TWO, arboreta, hand, seat=seat, phase=Phase.DISCARD)) != "C7"


@pytest.mark.parametrize("players", [2, 3, 4])
def test_it_holds_what_denies_a_rivals_path(players: int) -> None:
    config = GameConfig(num_players=players)
    arboreta = [{}, PATH, *[{}] * (players - 2)]
    view = view_of(config, arboreta, ["C8", "D8"], phase=Phase.DISCARD)
    deaf = UNTUNED._replace(deny=0.0, offer=0.0, guard=0.0)
    # Without a thought for rivals the two are alike, and the lower card id goes.
    assert discarded(view, deaf) == "C8"
    assert discarded(view, deaf._replace(deny=1.0)) == "D8"
    assert discarded(view, BLOCKER) == "D8"


def test_denial_is_a_dial() -> None:
    """More denial never lets go of a blocking card that less denial holds."""
    arboreta = [picture("D2 D3 D4"), PATH]
    view = view_of(TWO, arboreta, ["C7", "D7"], phase=Phase.DISCARD)
    held = [
        discarded(view, UNTUNED._replace(deny=deny, offer=0.0)) == "D7"
        for deny in np.linspace(0, 5, 26)
    ]
    assert not held[0]
    assert held[-1]
    assert held == sorted(held)


def test_the_dials_scale_the_table() -> None:
    agent = make_agent("planner:denial=2,tempo=0", TWO)
    plain = make_agent("planner", TWO)
    assert isinstance(agent, PlannerAgent)
    assert isinstance(plain, PlannerAgent)
    tempo = pytest.approx(plain.weights.tempo - 0.1)
    assert agent.weights == plain.weights._replace(deny=2 * plain.weights.deny, tempo=tempo)
    untuned = make_agent("planner:tuned=false", TWO)
    assert isinstance(untuned, PlannerAgent)
    assert untuned.weights == UNTUNED


def test_tempo_is_a_dial() -> None:
    """Far ahead, the more it hurries the sooner it prefers the deck to a useful discard."""
    arboreta = [picture("C1 C2 C3 C4 C5"), {}]
    base = view_of(TWO, arboreta, ["C8", "C7", "D1"], phase=Phase.DRAW_FIRST)
    view = replace(base, discard_piles=((), (TWO.parse_card("J6"),)))
    weights = UNTUNED._replace(deck=-5.0)
    deck = [
        choice(view, weights._replace(tempo=tempo)) == Action("draw_deck")
        for tempo in np.linspace(0, 2, 21)
    ]
    assert not deck[0]
    assert deck[-1]
    assert deck == sorted(deck)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_more_tempo_takes_the_deck_ahead_and_leaves_it_behind(players: int) -> None:
    """In every draw of real games: who draws from the deck ahead at one tempo does so at more."""
    config = GameConfig(num_players=players)
    dials = [make_agent(f"planner:tempo={tempo}", config) for tempo in (0, 1, 4, 16)]
    ahead = behind = 0
    for position, _ in random_positions(config, games=6, seed=17):
        running = position.select(~position.done & (position.phase <= Phase.DRAW_SECOND))
        if not len(running):
            continue
        views = redact(running, running.mover)
        assert isinstance(dials[1], PlannerAgent)
        lead = dials[1].policy(views)[1]
        deck = np.array([agent.act(views) == 0 for agent in dials])
        hurried = np.diff(deck.astype(int), axis=0)
        assert (hurried[:, lead > 0] >= 0).all()
        assert (hurried[:, lead < 0] <= 0).all()
        ahead += int(hurried[:, lead > 0].sum())
        behind -= int(hurried[:, lead < 0].sum())
    assert ahead > 0
    assert behind > 0


@pytest.mark.parametrize("players", [2, 3, 4])
def test_more_denial_leaves_rivals_fewer_points(players: int) -> None:
    """Over whole games, on the same deals."""
    config = GameConfig(num_players=players)
    greedy = make_agent("greedy", config)
    theirs = [
        duel(make_agent(f"planner:denial={denial}", config), greedy, config, 60)[2]
        for denial in (0, 1, 3)
    ]
    assert theirs[0] > theirs[1]
    assert theirs[0] > theirs[2] + 0.3


def test_it_does_not_offer_what_completes_a_rivals_path() -> None:
    view = view_of(TWO, [{}, picture("V2 V3 V4")], ["V5", "J5"], phase=Phase.DISCARD)
    careless = UNTUNED._replace(offer=0.0, deny=0.0, offer_hold=0.0)
    assert discarded(view, careless._replace(hold_any=0.0)) == "J5"  # alike: the lower card id
    assert discarded(view, UNTUNED._replace(deny=0.0)) == "J5"
    swapped = view_of(TWO, [{}, picture("J2 J3 J4")], ["V5", "J5"], phase=Phase.DISCARD)
    assert discarded(swapped, careless._replace(hold_any=0.0)) == "J5"
    assert discarded(swapped, UNTUNED._replace(deny=0.0)) == "V5"


def test_a_one_guards_against_a_rivals_top_rank() -> None:
    """With an 8 of the species about, the 1 that cancels it is held; with the 8 planted, not."""
    guarded = UNTUNED._replace(guard=2.0, deny=0.0, offer=0.0, keep=0.0)
    unseen_top = view_of(TWO, [PATH, {}], ["C1", "D2"], phase=Phase.DISCARD)
    assert discarded(unseen_top, guarded) == "D2"
    weights = guarded._replace(hold=0.0, hold_planted=0.05)
    assert discarded(unseen_top, weights) == "D2"
    planted = view_of(TWO, [picture("C2 C3 C4 C8"), {}], ["C1", "D2"], phase=Phase.DISCARD)
    assert discarded(planted, weights) == "C1"


def duel(first: Agent, second: Agent, config: GameConfig, deals: int) -> tuple[float, float, float]:
    """(win rate of the first in one seat, its mean score, the others' mean score)."""
    players = config.num_players
    ids = np.repeat(np.arange(deals, dtype=np.uint64), players)
    seats = np.tile(np.arange(players), deals)
    seating = np.ones((len(ids), players), np.int64)
    seating[np.arange(len(ids)), seats] = 0
    for agent in (first, second):
        agent.reset(ids, 6)
    scores = play_match(deal(config, 6, ids), [first, second], seating, ids).scores
    rows = np.arange(len(ids))
    return (
        float(scores.win_shares[rows, seats].mean()),
        float(scores.points[rows, seats].mean()),
        float(scores.points[seating == 1].mean()),
    )


@pytest.mark.parametrize("starting_discards", [False, True])
@pytest.mark.parametrize(("players", "least"), [(2, 0.7), (3, 0.4), (4, 0.3)])
def test_planner_beats_greedy(players: int, least: float, starting_discards: bool) -> None:
    """Well below what it reaches over thousands of deals, well above its fair share."""
    config = GameConfig(num_players=players, starting_discards=starting_discards)
    won, _, _ = duel(make_agent("planner", config), make_agent("greedy", config), config, 60)
    assert won > least


def test_blocker_beats_greedy_and_lowers_its_score() -> None:
    greedy, again = make_agent("greedy", TWO), make_agent("greedy", TWO)
    won, _, blocked = duel(make_agent("blocker", TWO), greedy, TWO, 60)
    _, free, _ = duel(greedy, again, TWO, 60)
    assert won > 0.6
    assert blocked < 0.8 * free
