"""Rights of one position by hand, and of random ones by going through every deal."""

import numpy as np
import pytest

from arboretum_env.config import GameConfig
from arboretum_env.engine.scoring import score
from arboretum_env.features.rights import rights
from arboretum_env.view import redact
from arboretum_training.analysis.beliefs import uniform_beliefs
from arboretum_training.analysis.rights_table import rights_table
from arboretum_training.research.hidden import hidden_cards
from tests.agents.test_search_endgame import all_deals
from tests.analysis.games import FIFTH_TURN, LAST_DISCARD, thrown_away
from tests.random_games import random_positions


def test_a_position_by_hand() -> None:
    """Unseen: C1 C4 C5 C6 C7 D7 D8, one of them in seat 1's hand; seat 0 holds C8."""
    view = thrown_away().view(FIFTH_TURN, 0)
    table = rights_table(view)
    own, rival = table["C"]
    assert (own.known_sum, rival.known_sum) == (8, 0)
    # Only a C1 there changes anything: it cancels the 8, and 1 beats 0.
    assert own.expected_sum.value == pytest.approx(8 * 6 / 7, abs=1e-4)
    assert own.right.value == pytest.approx(6 / 7, abs=1e-4)
    assert rival.expected_sum.value == pytest.approx((1 + 4 + 5 + 6 + 7) / 7, abs=1e-4)
    assert rival.right.value == pytest.approx(1 / 7, abs=1e-4)
    assert (rival.path, rival.path_points) == (("C2", "C3"), 2)
    assert rival.expected_points.value == pytest.approx(2 / 7, abs=1e-4)
    # C1 before C2 adds a card and the bonus for a 1; every other card adds less.
    assert rival.potential == 4
    assert {row.right.source for row in table["C"]} == {"exact"}
    own, rival = table["D"]
    # Nobody is known to hold D: both have the right unless seat 1 has D7 or D8.
    assert own.right.value == pytest.approx(5 / 7, abs=1e-4)
    assert rival.right.value == 1.0
    assert rival.expected_sum.value == pytest.approx(15 / 7, abs=1e-4)
    assert (own.path, own.path_points, own.potential) == (("D1", "D4"), 3, 3)


def test_the_last_discard_by_hand() -> None:
    own, rival = rights_table(thrown_away().view(LAST_DISCARD, 0))["C"]
    assert (own.known_sum, own.right.value, rival.right.value) == (8, 1.0, 0.0)
    assert (rival.known_sum, rival.expected_sum.value) == (0, 4.0)
    assert rival.expected_points.value == 0.0


def test_beliefs_by_hand() -> None:
    game = thrown_away()
    beliefs = uniform_beliefs(game.view(FIFTH_TURN, 0))[1]
    texts = {game.states[0].config.card_text(card): value for card, value in beliefs.items()}
    assert set(texts) == {"C1", "C4", "C5", "C6", "C7", "D7", "D8"}
    assert [each.value for each in texts.values()] == pytest.approx([1 / 7] * 7, abs=1e-4)
    last = uniform_beliefs(game.view(LAST_DISCARD, 0))[1]
    assert {card: value.value for card, value in last.items()} == {3: 1.0}


@pytest.mark.parametrize(
    "config",
    [
        GameConfig(species=2, num_ranks=4, hand_size=1),
        GameConfig(species=3, num_ranks=3, hand_size=2),
        GameConfig(num_players=3, species=3, num_ranks=3, hand_size=1),
        GameConfig(num_players=4, species=3, num_ranks=3, hand_size=1, starting_discards=True),
        GameConfig(num_players=3, species=3, num_ranks=3, hand_size=1, cancel_eights=False),
        GameConfig(num_players=3, species=3, num_ranks=3, hand_size=1, rights="all"),
    ],
)
def test_every_deal_says_the_same(config: GameConfig) -> None:
    """Means over all deals, one by one: rights, sums and who holds what; of every phase."""
    compared = 0
    for number, (state, _) in enumerate(random_positions(config, 3, seed=4)):
        for i in range(len(state)):
            game, seat = state.select([i]), number % config.num_players
            view = redact(game, seat)[0]
            if state.done[i] or len(hidden_cards(view).unseen) > 6:
                continue
            deals = all_deals(game, seat)
            scores = [score(deal) for deal in deals]
            right = np.mean([each.right[0] for each in scores], axis=0)
            sums = np.mean([each.hand_sum[0] for each in scores], axis=0)
            for species, rows in enumerate(rights_table(view).values()):
                assert [row.right.value for row in rows] == pytest.approx(
                    right[:, species], abs=1e-4
                )
                assert [row.expected_sum.value for row in rows] == pytest.approx(
                    sums[:, species], abs=1e-4
                )
                points = scores[0].path_points[0, :, species]
                assert [row.path_points for row in rows] == points.tolist()
            for rival, beliefs in uniform_beliefs(view).items():
                for card in range(config.num_cards):
                    held = np.mean([card in deal.hand(0, rival) for deal in deals])
                    believed = beliefs[card].value if card in beliefs else 0.0
                    assert believed == pytest.approx(held, abs=1e-4)
            compared += 1
    assert compared >= 10


def test_of_two_players_it_is_what_the_bots_reckon_with() -> None:
    config = GameConfig()
    for number, (state, _) in enumerate(random_positions(config, 1, seed=5)):
        if number % 29 or state.done[0]:
            continue
        views = redact(state, 0)
        chances = rights(views)
        table = rights_table(views[0])
        for species, letter in enumerate(config.species):
            of_cards = chances.own[0, species, chances.hand_sum[0, species]]
            top = (species + 1) * config.num_ranks - 1
            if top not in views[0].hand:  # whose cancelling the bots take in later
                assert table[letter][0].right.value == pytest.approx(of_cards, abs=1e-4)
