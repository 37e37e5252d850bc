"""Particles against every deal that looks to the seat like the game it was in."""

from collections.abc import Iterator
from itertools import permutations

import numpy as np
import pytest
from numpy.typing import NDArray

from arboretum_agents.registry import make_agent
from arboretum_env.agent import PolicyAgent
from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal, initial_deal
from arboretum_env.engine.moves import apply_action
from arboretum_env.engine.state import GameState
from arboretum_env.errors import ConfigError, ViewError
from arboretum_env.match import play_match
from arboretum_env.phase import Phase
from arboretum_env.view import PlayerView, redact
from arboretum_training.research.belief import rooms
from arboretum_training.research.hidden import hidden_cards
from arboretum_training.research.likelihood import Likelihood, dealt
from arboretum_training.research.particles import (
    BeliefCollapseError,
    ParticleModel,
    _gain,
    _weighed_sum,
    effective_size,
)
from arboretum_training.research.pasts import past_of
from arboretum_training.research.positions import decisions_of

POLICY = "planner:temperature=1"
SMALL = {
    "2 players": GameConfig(species=2, num_ranks=4, hand_size=1),
    "2 players, two cards": GameConfig(species=3, num_ranks=3, hand_size=2),
    "3 players": GameConfig(num_players=3, species=3, num_ranks=3, hand_size=1),
    "3 players, starting discards": GameConfig(
        num_players=3, species=3, num_ranks=4, hand_size=1, starting_discards=True
    ),
}
EVERY_PHASE = tuple(phase for phase in Phase if phase is not Phase.GAME_OVER)


def policy(config: GameConfig, spec: str = POLICY) -> PolicyAgent:
    agent = make_agent(spec, config)
    assert isinstance(agent, PolicyAgent)
    agent.reset(np.zeros(1, np.uint64), 0)
    return agent


def played(config: GameConfig, seed: int, spec: str = POLICY) -> tuple[GameState, list[int]]:
    ids = np.array([seed], np.uint64)
    agent = make_agent(spec, config)
    agent.reset(ids, seed)
    seating = np.zeros((1, config.num_players), np.int64)
    match = play_match(deal(config, seed, ids), [agent], seating, ids, keep_actions=True)
    return match.initial, match.game_actions(0)


def positions(config: GameConfig, games: int, spec: str = POLICY) -> Iterator[PlayerView]:
    for seed in range(games):
        initial, actions = played(config, seed, spec)
        yield from (
            view for view, _ in decisions_of(initial, actions, seed % config.num_players,
                                             EVERY_PHASE)
        )  # fmt: skip


def every_deal(view: PlayerView) -> NDArray[np.int64]:
    """[n, C] all deals in which the same actions lead to the very view."""
    past = past_of(view)
    known = past.known.copy()
    for shown in past.shown:
        if shown.kind == "drawn":
            known[shown.slot] = shown.card
    free = np.flatnonzero(known < 0)
    cards = np.setdiff1d(np.arange(view.config.num_cards), known)
    deals = np.tile(known, (int(np.prod(np.arange(1, len(free) + 1))), 1))
    deals[:, free] = list(permutations(cards))
    games = dealt(past, deals)
    for action, mover in zip(past.actions, past.movers, strict=True):
        views = redact(games, mover)
        rows = np.arange(len(games))[views.legal_action_mask()[:, action]]
        games, deals = games.select(rows), deals[rows]
        apply_action(games, np.full(len(games), action))
    if view.chosen_card is not None:
        apply_action(games, np.full(len(games), _choose(view)))
    same = (redact(games, view.seat).observation == view.to_observation()).all(axis=1)
    return deals[same]


def _choose(view: PlayerView) -> int:
    assert view.chosen_card is not None
    return 1 + view.config.num_players + view.chosen_card


def exact_marginals(view: PlayerView, slip: float) -> NDArray[np.float64]:
    """[U, P] by Bayes' rule over every deal."""
    deals, past = every_deal(view), past_of(view)
    until = len(past.actions)
    start = np.zeros(len(deals), np.int64)
    logs = Likelihood(policy(view.config), slip).log_chances(past, deals, until, start)
    weights = np.exp(logs.sum(axis=1))
    weights /= weights.sum()
    marginals = np.zeros((len(hidden_cards(view).unseen), view.config.num_players))
    games = dealt(past, deals)
    for action in past.actions:
        apply_action(games, np.full(len(games), action))
    for row, weight in enumerate(weights):
        for number, card in enumerate(hidden_cards(view).unseen):
            holder = [k for k in range(view.config.num_players) if card in games.hand(row, k)]
            place = (holder[0] - view.seat) % view.config.num_players - 1 if holder else -1
            marginals[number, place] += weight
    return marginals


@pytest.mark.parametrize("name", SMALL)
def test_deals_that_agree_are_those_that_look_alike(name: str) -> None:
    """Sampled without regard to choices, they are uniform over what brute force finds."""
    compared = 0
    for view in positions(SMALL[name], 3):
        unknown = int((past_of(view).known < 0).sum()) - sum(
            shown.kind == "drawn" for shown in past_of(view).shown
        )
        if not 2 <= unknown <= 6 or compared == 5 or not hidden_cards(view).unseen:
            continue
        model = ParticleModel(policy(view.config), particles=2000, slip=1.0)
        belief = model.believe(view)
        assert belief.effective_size == pytest.approx(2000)  # nothing is likelier: equal weights
        shares = rooms(view) / len(hidden_cards(view).unseen)
        closed = np.tile(shares, (len(belief.marginals), 1))
        assert belief.marginals == pytest.approx(closed, abs=0.05)
        assert exact_marginals(view, 1.0) == pytest.approx(closed)
        compared += 1
    assert compared >= 3


@pytest.mark.parametrize("name", SMALL)
def test_particles_find_the_posterior_of_the_policy(name: str) -> None:
    """Bayes' rule over every deal; uniform is far off in some of the positions."""
    compared, uniform_off = 0, 0.0
    for view in positions(SMALL[name], 4):
        unknown = int((past_of(view).known < 0).sum()) - sum(
            shown.kind == "drawn" for shown in past_of(view).shown
        )
        if not 3 <= unknown <= 7 or view.phase is not Phase.PLAY or compared == 5:
            continue
        model = ParticleModel(policy(view.config), particles=3000, slip=0.05, moves=6)
        found, expected = model.believe(view).marginals, exact_marginals(view, 0.05)
        assert found == pytest.approx(expected, abs=0.05)
        shares = rooms(view) / len(expected)
        uniform_off = max(uniform_off, float(np.abs(expected - shares).max()))
        compared += 1
    assert compared >= 3
    assert uniform_off > 0.08


def test_what_was_asked_before_changes_nothing() -> None:
    config = GameConfig(num_players=3, species=4, num_ranks=4, hand_size=2)
    views = list(positions(config, 1))
    model = ParticleModel(policy(config), particles=64)
    going = [model.believe(view) for view in views]
    for view, belief in list(zip(views, going, strict=True))[:: len(views) // 4]:
        fresh = ParticleModel(policy(config), particles=64).believe(view)
        assert fresh.places.tobytes() == belief.places.tobytes()
        assert fresh.weights.tobytes() == belief.weights.tobytes()
    # Another game in between, and back.
    other = next(positions(GameConfig(species=2, num_ranks=4, hand_size=1), 1))
    with pytest.raises(ViewError):
        model.believe(PlayerView.from_observation(other.config, other.to_observation()))
    again = model.believe(views[5])
    assert again.places.tobytes() == going[5].places.tobytes()


def test_hidden_cards_change_no_byte() -> None:
    """Another deal that looks the same to the seat: the same belief."""
    config = SMALL["2 players, two cards"]
    initial, actions = played(config, 2)
    [*_, (view, _)] = [
        pair for pair in decisions_of(initial, actions, 1) if len(hidden_cards(pair[0]).unseen) >= 3
    ]
    past = past_of(view)
    deals = every_deal(view)
    beliefs = set()
    for row in (0, len(deals) // 2, len(deals) - 1):
        [again] = [
            other
            for other, _ in decisions_of(
                dealt(past, deals[row : row + 1]), [*past.actions, actions[len(past.actions)]], 1
            )
            if other.turn == view.turn
        ]
        belief = ParticleModel(policy(config), particles=64).believe(again)
        beliefs.add(belief.places.tobytes() + belief.weights.tobytes())
    assert len(beliefs) == 1
    assert len({deals[row].tobytes() for row in (0, len(deals) // 2, len(deals) - 1)}) > 1


def test_collapse_is_an_error_and_no_guess() -> None:
    """Rivals that play at random, believed to be the planner without a slip."""
    config = GameConfig()
    views = list(positions(config, 1, "random"))
    model = ParticleModel(policy(config, "planner"), particles=16, slip=0.0)
    with pytest.raises(BeliefCollapseError, match=r"turn \d+, seat 0: an effective sample size of"):
        model.believe(views[-1])


def test_a_mixture_leaves_nothing_out_and_agrees_with_itself() -> None:
    config = SMALL["3 players"]
    view = next(v for v in positions(config, 1) if len(hidden_cards(v).unseen) == 4)
    belief = ParticleModel(policy(config), particles=32, slip=0.1).believe(view)
    pattern = [place for place, room in enumerate(rooms(view)) for _ in range(room)]
    every = np.array(sorted(set(permutations(pattern))), np.int8)
    chances = np.exp(belief.log_joint(every))
    assert chances.min() > 0
    assert chances.sum() == pytest.approx(1.0)
    for place in range(3):
        assert ((every == place) * chances[:, None]).sum(axis=0) == pytest.approx(
            belief.marginals[:, place]
        )
    sums = belief.hand_sums((0, 1, 2))
    assert sums.chances.sum() == pytest.approx(1.0)
    drawn = belief.sample(4000, np.random.default_rng(0))
    assert [(drawn == k).mean(axis=0) for k in range(3)] == pytest.approx(
        belief.marginals.T, abs=0.05
    )


def test_the_deal_is_read_off_the_past() -> None:
    """In random games, where cards go to a pile and come back: every slot that the seat knew."""
    back = 0
    for players in (2, 3, 4):
        config = GameConfig(num_players=players, starting_discards=players == 3)
        initial, actions = played(config, players, "random")
        hands, _, discards = initial_deal(initial, 0)
        for seat in range(players):
            *_, (view, _) = decisions_of(initial, actions, seat)
            past = past_of(view)
            first = seat * config.hand_size
            assert past.known[first : first + config.hand_size].tolist() == hands[seat]
            starting = [pile[0] for pile in discards if pile]
            after = players * config.hand_size
            assert past.known[after : after + len(starting)].tolist() == starting
            assert past.actions == actions[: len(past.actions)]
            assert view.history is not None
            own = [e for k, e in enumerate(view.history) if k // 4 % players == seat]
            thrown = {e.removeprefix("x") for e in own if e.startswith("x")}
            back += sum(e.startswith(f"p{seat}(") and e[3:5] in thrown for e in own)
    assert back > 0


def test_effective_size_by_hand() -> None:
    assert effective_size(np.zeros(8)) == pytest.approx(8.0)
    assert effective_size(np.array([0.0, -np.inf])) == 1.0
    assert effective_size(np.full(3, -np.inf)) == 0.0


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"particles": 8}, "particles 8: expected at least 16"),
        ({"slip": 1.5}, r"slip 1.5: expected 0\.\.1"),
        ({"moves": -1}, "moves -1: expected 0 or more"),
        ({"least": 0.0}, r"least 0.0: expected 1\.\.128, half the particles"),
    ],
)
def test_settings_out_of_range_are_refused(setting: dict, message: str) -> None:
    config = SMALL["2 players"]
    with pytest.raises(ConfigError, match=message):
        ParticleModel(policy(config), **setting)


def test_a_view_without_its_past_is_refused() -> None:
    config = SMALL["2 players"]
    *_, view = positions(config, 1)
    bare = PlayerView.from_observation(config, view.to_observation())
    with pytest.raises(ViewError, match="no history"):
        ParticleModel(policy(config)).believe(bare)
    short = PlayerView.from_observation(config, view.to_observation(), ("?",))
    with pytest.raises(ViewError, match="a history of 1 events: expected"):
        ParticleModel(policy(config)).believe(short)


def test_what_does_not_count_yet_may_be_impossible() -> None:
    """Zero times minus infinity is no number; some processors' products said so, others did not."""
    logs = np.array([[-1.0, -np.inf], [-np.inf, -2.0], [-np.inf, -np.inf], [-0.5, -0.25]])
    assert _weighed_sum(logs, np.array([1.0, 0.0])).tolist() == [-1.0, -np.inf, -np.inf, -0.5]
    assert _weighed_sum(logs, np.array([1.0, 0.5])).tolist() == [-np.inf, -np.inf, -np.inf, -0.625]
    before, after = (
        np.array([-1.0, -np.inf, -np.inf, -2.0]),
        np.array([-1.5, -3.0, -np.inf, -np.inf]),
    )
    assert _gain(after, before).tolist() == [-0.5, 0.0, 0.0, -np.inf]
