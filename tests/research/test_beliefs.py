"""Beliefs by odds against every assignment, one by one."""

from itertools import permutations

import numpy as np
import pytest
from numpy.typing import NDArray

from arboretum_env.config import GameConfig
from arboretum_env.engine.scoring import score
from arboretum_env.errors import ViewError
from arboretum_env.phase import Phase
from arboretum_env.view import PlayerView, redact
from arboretum_training.research.belief import rooms, true_places, worlds_of
from arboretum_training.research.hidden import hidden_cards
from arboretum_training.research.odds_belief import OddsBelief, UniformModel
from tests.random_games import random_positions

CONFIGS = {
    "2 players": GameConfig(species=3, num_ranks=3, hand_size=2),
    "3 players": GameConfig(num_players=3, species=3, num_ranks=3, hand_size=1),
    "4 players": GameConfig(
        num_players=4, species=3, num_ranks=3, hand_size=1, starting_discards=True
    ),
    "no cancelling": GameConfig(species=3, num_ranks=3, hand_size=2, cancel_eights=False),
    "rights for all": GameConfig(num_players=3, species=3, num_ranks=3, hand_size=1, rights="all"),
}


def views_of(config: GameConfig, most: int, wanted: int) -> list[PlayerView]:
    """Views with at most so many unseen cards, of every phase and seat."""
    found = []
    for number, (state, _) in enumerate(random_positions(config, 4, seed=3)):
        for i in range(len(state)):
            view = redact(state.select([i]), (number + i) % config.num_players)[0]
            if 0 < len(hidden_cards(view).unseen) <= most and not state.done[i]:
                found.append(view)
    return found[:: max(1, len(found) // wanted)]


def assignments(view: PlayerView) -> NDArray[np.int8]:
    """[n, U] every one that fills the places, without a thought."""
    pattern = [place for place, room in enumerate(rooms(view)) for _ in range(room)]
    return np.array(sorted(set(permutations(pattern))), np.int8).reshape(-1, len(pattern))


def believed(view: PlayerView, seed: int) -> tuple[OddsBelief, NDArray[np.int8], NDArray]:
    """A belief with odds of all sizes, all assignments, and their chances by the definition."""
    rng = np.random.default_rng(seed)
    log_odds = rng.normal(0, 2, (len(hidden_cards(view).unseen), view.config.num_players))
    every = assignments(view)
    weights = np.array(
        [np.prod([np.exp(log_odds[u, p]) for u, p in enumerate(row)]) for row in every]
    )
    return OddsBelief(view, log_odds), every, weights / weights.sum()


@pytest.mark.parametrize("name", CONFIGS)
def test_marginals_and_joint_are_those_of_every_assignment(name: str) -> None:
    views = views_of(CONFIGS[name], 7, 12)
    assert len(views) >= 8
    for number, view in enumerate(views):
        belief, every, chances = believed(view, number)
        for place in range(view.config.num_players):
            expected = ((every == place) * chances[:, None]).sum(axis=0)
            assert belief.marginals[:, place] == pytest.approx(expected)
        assert np.exp(belief.log_joint(every)) == pytest.approx(chances)
        assert belief.marginals.sum(axis=0) == pytest.approx(rooms(view))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_uniform_posterior_has_a_closed_form(players: int) -> None:
    """Room of the place by unseen cards, in whole games of every size."""
    config = GameConfig(num_players=players)
    for number, (state, _) in enumerate(random_positions(config, 1, seed=2)):
        if number % 19 or state.done[0]:
            continue
        view = redact(state, number % players)[0]
        belief = UniformModel().believe(view)
        closed = rooms(view) / len(hidden_cards(view).unseen)
        assert belief.marginals == pytest.approx(np.tile(closed, (len(belief.unseen), 1)))


@pytest.mark.parametrize("name", CONFIGS)
def test_sums_and_rights_are_those_of_every_deal_scored_by_the_rules(name: str) -> None:
    config = CONFIGS[name]
    cancelled = 0
    for number, view in enumerate(views_of(config, 7, 10)):
        belief, every, chances = believed(view, number)
        scores = score(worlds_of(view, every, np.random.default_rng(0)))
        species = tuple(range(config.num_species))
        found = belief.hand_sums(species)
        assert found.expected == pytest.approx(np.tensordot(chances, scores.hand_sum, 1))
        assert found.rights == pytest.approx(np.tensordot(chances, scores.right, 1))
        # The joint distribution itself, outcome by outcome.
        joint: dict[bytes, float] = {}
        for sums, chance in zip(scores.hand_sum.astype(np.int64), chances, strict=True):
            joint[sums.tobytes()] = joint.get(sums.tobytes(), 0.0) + chance
        listed = {np.ascontiguousarray(s).tobytes(): c
                  for s, c in zip(found.sums, found.chances, strict=True)}  # fmt: skip
        assert listed == pytest.approx(joint)
        alone = belief.hand_sums((1,))
        assert alone.rights[:, 0] == pytest.approx(found.rights[:, 1])
        assert alone.chances_of(0, 1) @ np.arange(len(alone.chances_of(0, 1))) == pytest.approx(
            found.expected[0, 1]
        )
        raw = [sum(c % config.num_ranks + 1 for c in view.hand if c // config.num_ranks == s)
               for s in species]  # fmt: skip
        cancelled += bool((np.array(raw) - found.expected[view.seat] > 1e-9).any())
    assert (cancelled > 0) == config.cancel_eights


def test_samples_are_drawn_from_it() -> None:
    view = views_of(CONFIGS["3 players"], 6, 3)[1]
    belief, every, chances = believed(view, 5)
    drawn = belief.sample(20_000, np.random.default_rng(1))
    for row, chance in zip(every, chances, strict=True):
        share = float((drawn == row).all(axis=1).mean())
        assert share == pytest.approx(chance, abs=5 * np.sqrt(chance / 20_000) + 1e-4)


def test_worlds_look_to_the_seat_as_its_view_does() -> None:
    config = GameConfig(num_players=3)
    compared = 0
    for number, (state, _) in enumerate(random_positions(config, 1, seed=8)):
        if number % 13 or state.done[0]:
            continue
        view = redact(state, 1)[0]
        belief = UniformModel().believe(view)
        places = belief.sample(3, np.random.default_rng(number))
        worlds = worlds_of(view, places, np.random.default_rng(number))
        for i in range(3):
            world = worlds.select([i])
            assert redact(world, 1)[0] == view
            assert true_places(view, world).tolist() == places[i].tolist()
            assert sorted(world.deck(0)) == sorted(belief.unseen[places[i] == 2])
            if view.phase is Phase.PLACE:
                assert int(world.chosen_card[0]) in world.hand(0, view.mover)
        compared += 1
    assert compared > 10


def test_odds_that_cannot_be_are_refused() -> None:
    view = views_of(CONFIGS["2 players"], 6, 3)[0]
    unseen = len(hidden_cards(view).unseen)
    with pytest.raises(ViewError, match=r"shape \(1, 2\): expected"):
        OddsBelief(view, np.zeros((1, 2)))
    nowhere = np.full((unseen, 2), -np.inf)
    nowhere[:, 1] = 0.0  # everything in the deck
    with pytest.raises(ViewError, match="no assignment"):
        OddsBelief(view, nowhere)
