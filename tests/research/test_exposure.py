"""Bits that moves tell, by hand and by Bayes' rule over every assignment."""

import numpy as np
import pytest

from arboretum_agents.registry import make_agent
from arboretum_env.actions import Action, encode
from arboretum_env.agent import PolicyAgent
from arboretum_env.config import GameConfig
from arboretum_env.engine.moves import apply_action
from arboretum_env.errors import ViewError
from arboretum_env.phase import Phase
from arboretum_env.view import PlayerView, PlayerViews, redact
from arboretum_training.research.belief import rivals_of, rooms, worlds_of
from arboretum_training.research.exposure import Exposure, entropy, exposure
from arboretum_training.research.hidden import hidden_cards
from arboretum_training.research.likelihood import Likelihood
from arboretum_training.research.odds_belief import OddsBelief, UniformModel
from tests.random_games import random_positions
from tests.research.test_beliefs import assignments

SMALL = {
    "2 players": GameConfig(species=3, num_ranks=3, hand_size=2),
    "3 players": GameConfig(num_players=3, species=3, num_ranks=3, hand_size=1),
}


def planner(config: GameConfig) -> PolicyAgent:
    agent = make_agent("planner:temperature=0.5", config)
    assert isinstance(agent, PolicyAgent)
    return agent


def moves(config: GameConfig, most: int) -> list[tuple[PlayerView, list[int]]]:
    """(what an idle seat sees, the mover's next move) of random games."""
    found = []
    rng = np.random.default_rng(0)
    for state, masks in random_positions(config, 3, seed=5):
        for i in range(len(state)):
            if state.done[i] or state.phase[i] == Phase.PLACE:
                continue
            game, mover = state.select([i]), int(state.mover[i])
            view = redact(game, (mover + 1) % config.num_players)[0]
            if not 2 <= len(hidden_cards(view).unseen) <= most:
                continue
            actions = [int(rng.choice(np.flatnonzero(masks[i])))]
            if view.phase is Phase.PLAY:
                apply_action(game, np.array(actions))
                cells = redact(game, mover).legal_action_mask()[0]
                actions.append(int(rng.choice(np.flatnonzero(cells))))
            found.append((view, actions))
    return found


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("odds", [False, True])
def test_bits_are_those_of_bayes_rule_over_every_assignment(name: str, odds: bool) -> None:
    config = SMALL[name]
    likelihood = Likelihood(planner(config), 0.1)
    phases, told = set(), 0.0
    for view, actions in moves(config, 6)[::3]:
        belief = UniformModel().believe(view)
        if odds:
            shape = belief.log_odds.shape
            belief = OddsBelief(view, np.random.default_rng(1).normal(0, 1, shape))
        every = assignments(view)
        before = np.exp(belief.log_joint(every))
        games = worlds_of(view, every, np.random.default_rng(0))
        after = before.copy()
        for row in range(len(every)):
            game = games.select([row])
            for action in actions:
                views = redact(game, view.mover)
                if not views.legal_action_mask()[0, action]:
                    after[row] = 0.0
                    break
                after[row] *= likelihood.chances(views, np.array([action]))[0]
                apply_action(game, np.array([action]))
        after /= after.sum()
        some = after > 0
        found = exposure(belief, actions, likelihood, samples=1000)
        assert found.exact
        divergence = float(after[some] @ np.log2(after[some] / before[some]))
        assert found.bits == pytest.approx(divergence)
        assert found.entropy_before == pytest.approx(-float(before @ np.log2(before)))
        assert found.entropy_after == pytest.approx(-float(after[some] @ np.log2(after[some])))
        assert found.card_bits >= 0
        assert found.choice_bits >= -1e-12
        phases.add(view.phase)
        told = max(told, found.choice_bits)
    assert phases == {Phase.DRAW_FIRST, Phase.DRAW_SECOND, Phase.PLAY, Phase.DISCARD}
    assert told > 0.01


def test_a_discard_of_one_who_plays_at_random_tells_its_card_alone() -> None:
    """By hand: three of thirteen unseen cards are the rival's; each of them is as likely thrown.

    The card was there with chance 3/13; the others are none the likelier.
    """
    config = GameConfig(species=4, num_ranks=4, hand_size=2)
    views = (
        redact(state, 1)[0]
        for state, _ in random_positions(config, 30, seed=1)
        if state.phase[0] == Phase.DISCARD and state.mover[0] == 0
    )
    view = next(v for v in views if not v.known_hands[0] and len(hidden_cards(v).unseen) == 13)
    assert hidden_cards(view).slots[0] == 3
    card = hidden_cards(view).unseen[4]
    action = encode(config, Action("discard_card", card))
    agent = make_agent("planner:temperature=0.5", config)
    assert isinstance(agent, PolicyAgent)
    found = exposure(UniformModel().believe(view), [action], Likelihood(agent, 1.0))
    assert found.card_bits == pytest.approx(np.log2(13 / 3))
    assert found.choice_bits == pytest.approx(0.0, abs=1e-9)
    # 13 choose 3 hands before, 12 choose 2 after.
    assert found.entropy_before == pytest.approx(np.log2(286))
    assert found.entropy_after == pytest.approx(np.log2(66))


def test_samples_come_close() -> None:
    config = SMALL["2 players"]
    likelihood = Likelihood(planner(config), 0.1)
    view, actions = max(moves(config, 8), key=lambda move: len(hidden_cards(move[0]).unseen))
    belief = UniformModel().believe(view)
    exact = exposure(belief, actions, likelihood, samples=1000)
    drawn = exposure(belief, actions, likelihood, samples=20)
    assert (exact.exact, drawn.exact, drawn.n) == (True, False, 20)
    many = [exposure(belief, actions, likelihood, samples=20, seed=k).bits for k in range(100)]
    assert np.mean(many) == pytest.approx(exact.bits, abs=0.15)
    assert isinstance(drawn, Exposure)


def test_entropy_of_a_uniform_belief_is_the_log_of_how_many_there_are() -> None:
    view, _ = moves(SMALL["3 players"], 6)[0]
    assert entropy(UniformModel().believe(view)) == pytest.approx(np.log(len(assignments(view))))


def test_what_is_no_rivals_move_is_refused() -> None:
    config = SMALL["2 players"]
    likelihood = Likelihood(planner(config), 0.1)
    view, actions = moves(config, 8)[0]
    own = PlayerViews(config, view.to_observation()[None, :])
    assert rivals_of(view) == (view.mover,)
    assert rooms(view).sum() == len(hidden_cards(own[0]).unseen)
    for state, _ in random_positions(config, 1, seed=5):
        mine = redact(state, int(state.mover[0]))[0]
        with pytest.raises(ViewError, match="expected a rival of seat"):
            exposure(UniformModel().believe(mine), actions, likelihood)
        if state.phase[0] == Phase.PLACE:
            idle = redact(state, 1 - int(state.mover[0]))[0]
            with pytest.raises(ViewError, match="expected the position before"):
                exposure(UniformModel().believe(idle), actions, likelihood)
            break
