"""The luck of the draws is zero on average, and taking it out leaves a result unbiased."""

import numpy as np
import pytest
from numpy.typing import NDArray

from arboretum_env.config import GameConfig
from arboretum_env.engine import layout
from arboretum_env.engine.deal import deal, deal_exact
from arboretum_env.engine.moves import apply_action, legal_action_mask
from arboretum_env.engine.state import GameState
from arboretum_training.evaluation import draw_luck
from arboretum_training.evaluation.control_variate import (
    MIN_DEALS,
    control,
    evaluate_with_luck,
    luck_of_deals,
    play_unit_with_luck,
    without_luck,
)
from arboretum_training.evaluation.draw_luck import LUCK_NAMES, NUM_LUCKS
from arboretum_training.evaluation.errors import EvaluationError
from arboretum_training.evaluation.evaluate import evaluate, plan_units, play_match_of
from arboretum_training.evaluation.summary import summarise

CONFIGS = [
    GameConfig(),
    GameConfig(num_players=3, starting_discards=True),
    GameConfig(num_players=4),
    GameConfig(species=3, num_ranks=4, hand_size=3),
]


def middle_of_games(config: GameConfig, decisions: int) -> GameState:
    """Eight games after some random moves, each about to draw."""
    games = deal(config, 5, np.arange(8))
    rng = np.random.default_rng(3)
    for _ in range(decisions):
        mask = legal_action_mask(games)
        actions = [rng.choice(np.flatnonzero(row)) if row.any() else -1 for row in mask]
        apply_action(games, np.array(actions))
    assert (games.phase <= 1).all() and (games.deck_left > 1).all()
    return games


@pytest.mark.parametrize(
    ("config", "decisions"),
    [(config, decisions) for config in CONFIGS[:3] for decisions in (10, 11, 55)]
    + [(CONFIGS[3], 5), (CONFIGS[3], 10)],
    ids=str,
)
def test_over_all_cards_that_could_come_luck_is_zero(config: GameConfig, decisions: int) -> None:
    games = middle_of_games(config, decisions)
    found = 0.0
    for row in range(len(games)):
        deck = games.deck(row)
        drawn = int(games.rows["drawn"][row])
        luck = []
        for position in range(len(deck)):
            # Any card of the deck is as likely to be the next one.
            world = games.select([row])
            order = [deck[position], *deck[:position], *deck[position + 1 :]]
            world.rows["deck"][0, drawn:] = order
            luck.append(draw_luck._luck_of_next_card(world)[0])
        found += np.abs(luck).sum()
        assert np.mean(luck, axis=0) == pytest.approx(np.zeros(NUM_LUCKS), abs=1e-9)
    assert found > 0.0


def test_luck_by_hand() -> None:
    """Seat 0 plants C1-C2 and seat 1 D2-D3; then their hands are empty, and seat 0 draws."""
    config = GameConfig(species="CD", hand_size=2, num_ranks=8)
    hands = [[0, 1], [9, 10]]  # C1 C2, D2 D3
    deck = [6, 8, 7, 15, 2, 3, 4, 5, 11, 12, 13, 14]
    games = deal_exact(config, hands, deck)
    said = draw_luck._said_of_cards(games)[0]
    assert (said[:, :2] == 0).all()  # nothing is planted: no card makes a path of two
    assert (said[:, 2:] == 0).all()  # nor is any path at stake
    for seat, (first, second) in enumerate(hands):
        for card, x in ((first, 0), (second, 1)):
            plant(games, seat, card, x)
    said = draw_luck._said_of_cards(games)[0]
    gain, denied_gain, right, denied_right = said.T
    # C1-C2 has 2 points and 1 more for the 1; C3 at its end adds 1, C8 adds 1 and 2.
    assert (gain[2], gain[7]) == (1, 3)
    # D2-D3 has 2 points; D1 before it adds 1 and 1, D8 behind it 1 and 2.
    assert (denied_gain[8], denied_gain[15]) == (2, 3)
    # Nobody holds a card: a C5 brings seat 0 a lead of 5 in Cassia, where it has 3 points at stake
    # and its rival none.
    assert right[4] == pytest.approx(3 * np.tanh(5 / 3))
    assert denied_right[4] == 0
    assert denied_right[12] == pytest.approx(2 * np.tanh(5 / 3))
    assert right[12] == 0
    luck = draw_luck._luck_of_next_card(games)[0]
    left = games.deck(0)
    assert luck[0] == pytest.approx(gain[left[0]] - np.mean([gain[card] for card in left]))
    share = len(left) / config.deck_size
    assert luck[len(LUCK_NAMES) :] == pytest.approx(luck[: len(LUCK_NAMES)] * share)


def plant(games: GameState, seat: int, card: int, x: int) -> None:
    """Puts a hand card into an arboretum, past all rules."""
    row = games.rows[0]
    row["place"][card] = layout.IN_ARBORETUM + seat
    row["order"][card] = row["planted"][seat]
    row["planted"][seat] += 1
    row["x"][card], row["y"][card] = x, 0
    row["grid"][seat, 0, x] = card + 1


@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_only_draws_from_the_deck_count_and_each_of_them(config: GameConfig) -> None:
    [unit] = plan_units(["random", "greedy"], config, deals=4, seed=3)
    _, match = play_match_of(unit, keep_actions=True)
    luck = draw_luck.draw_luck(match)
    games = match.initial.clone()
    expected = np.zeros_like(luck)
    assert match.actions is not None
    for actions in match.actions.astype(np.int64):
        for row in np.flatnonzero((actions == 0) & ~games.done):
            one = games.select([row])
            expected[row, int(one.mover[0])] += draw_luck._luck_of_next_card(one)[0]
        apply_action(games, actions)
    assert luck == pytest.approx(expected)
    assert np.abs(luck).max() > 0.0
    with pytest.raises(ValueError, match="kept no actions"):
        draw_luck.draw_luck(play_match_of(unit, keep_actions=False)[1])


def test_luck_of_real_games_is_zero_on_average() -> None:
    units = plan_units(["random", "greedy"], GameConfig(), deals=640, seed=3)
    played = [play_unit_with_luck(unit) for unit in units]
    luck = np.concatenate([part for _, part in played]).sum(axis=1)
    deals = luck.reshape(640, 2, NUM_LUCKS).mean(axis=1)
    scores = deals.mean(axis=0) / (deals.std(axis=0) / 640**0.5)
    assert np.abs(scores).max() < 3.5


def drawn_games(
    rng: np.random.Generator, deals: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """A toy: draw a card of 1..6 (expected points 91/6), square it, add something nobody knows.

    Its luck is said by two functions: the card itself, and one that has nothing to do with it.
    """
    cards = rng.integers(1, 7, size=deals)
    luck = np.column_stack([cards - 3.5, rng.integers(0, 2, size=deals) - 0.5])
    return cards.astype(float) ** 2 + rng.normal(scale=3.0, size=deals), luck


def test_a_known_expectation_is_hit_without_bias_and_with_less_variance() -> None:
    rng = np.random.default_rng(1)
    plain, cleared = [], []
    for _ in range(3_000):
        values, luck = drawn_games(rng, 40)
        plain.append(values.mean())
        cleared.append(without_luck(values, luck).mean())
    error = np.std(cleared) / 3_000**0.5
    assert abs(np.mean(cleared) - 91 / 6) < 3 * error
    # Of the variance 149.1 + 9, the card explains (1/2 of the square's slope 7): 49 * 35 / 12.
    expected = 1 - 49 * 35 / 12 / (5369 / 36 + 9)
    assert np.var(cleared) / np.var(plain) == pytest.approx(expected, abs=0.04)


def test_intervals_cover_a_known_expectation_as_often_as_they_say() -> None:
    rng = np.random.default_rng(2)
    covered = []
    for table in range(600):
        low, high = control(*drawn_games(rng, 100), seed=table, resamples=400).ci95
        covered.append(low <= 91 / 6 <= high)
    assert 0.93 <= np.mean(covered) <= 0.97


def test_the_reduction_is_reported_and_useless_luck_costs_little() -> None:
    rng = np.random.default_rng(3)
    values, luck = drawn_games(rng, 4_000)
    assert control(values, luck, seed=1).variance_reduction == pytest.approx(
        49 * 35 / 12 / (5369 / 36 + 9), abs=0.01
    )
    useless = control(values, rng.normal(size=(4_000, 4)), seed=1)
    assert -0.01 < useless.variance_reduction < 0.005
    constant = control(np.full(100, 0.5), np.zeros((100, 2)), seed=1)
    assert (constant.value, constant.variance_reduction) == (0.5, 0.0)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_luck_of_a_deal_is_the_first_agents_lead(players: int) -> None:
    config = GameConfig(num_players=players)
    [unit] = plan_units(["random", "greedy"], config, deals=2, seed=3)
    games, luck = play_unit_with_luck(unit)
    by_deal = luck_of_deals(games, luck, 2)
    for index in range(2):
        leads = []
        for game in range(index * players, (index + 1) * players):
            seat = games.seating[game].tolist().index(0)
            leads.append(luck[game, seat] - np.delete(luck[game], seat, axis=0).mean(axis=0))
        assert by_deal[index] == pytest.approx(np.mean(leads, axis=0))


def test_games_and_figures_are_those_of_a_plain_evaluation_for_any_number_of_workers() -> None:
    config = GameConfig(species=3, num_ranks=4, hand_size=3)
    runs = [
        evaluate_with_luck(["greedy", "random"], config, deals=650, seed=3, workers=workers)
        for workers in (1, 2)
    ]
    plain = evaluate(["greedy", "random"], config, deals=650, seed=3)
    assert (runs[0][0].games.points == plain.games.points).all()
    assert runs[0][1] == runs[1][1]
    summary, controlled = summarise(plain), runs[0][1]
    assert controlled.margin.value == pytest.approx(summary.margin, abs=0.1)
    assert controlled.margin.value != summary.margin
    assert controlled.win_rate.value == pytest.approx(summary.agents["greedy"].win_rate, abs=0.05)


def test_too_little_to_fit_is_refused() -> None:
    with pytest.raises(EvaluationError, match=f"639 deals: expected at least {MIN_DEALS}"):
        evaluate_with_luck(["random", "random"], GameConfig(), deals=639, seed=1)
    with pytest.raises(EvaluationError, match="3 agents: expected 2 for a control variate"):
        evaluate_with_luck(["random"] * 3, GameConfig(), deals=700, seed=1)
