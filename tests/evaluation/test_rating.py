"""Ratings: by hand for two agents, known strengths found again, intervals that cover them."""

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from arboretum_training.evaluation.rating import (
    deal_comparisons,
    fit_strengths,
    rate,
    refit_strengths,
    to_elo,
)
from tests.evaluation.tournaments import made_games


def counts_of(won: float, lost: float) -> NDArray[np.float64]:
    return np.array([[0.0, won], [lost, 0.0]])


@pytest.mark.parametrize(("won", "lost"), [(3, 1), (10, 10), (7.5, 2.5), (40, 0)])
def test_two_agents_have_the_log_odds_with_one_more_drawn_game(won: float, lost: float) -> None:
    first, second = fit_strengths(counts_of(won, lost))
    assert first - second == pytest.approx(math.log((won + 0.5) / (lost + 0.5)), abs=1e-6)
    assert first + second == pytest.approx(0)


def test_ratings_are_on_elos_scale() -> None:
    # (9.5 + 0.5) : (0.5 + 0.5) are odds of 10 to 1.
    comparisons = counts_of(9.5, 0.5)[None]
    free, anchored = rate(comparisons, 0), rate(comparisons, 0, anchor=1)
    assert [agent.rating for agent in free] == pytest.approx([1200, 800], abs=1e-3)
    assert [agent.rating for agent in anchored] == pytest.approx([1400, 1000], abs=1e-3)
    assert free[0].ci95 is None  # one deal


def test_comparisons_of_a_two_player_game_are_its_win_shares() -> None:
    games = made_games(
        deals=[0, 0, 5, 5],
        seating=[[0, 1], [1, 0], [0, 1], [1, 0]],
        points=[[9, 3], [4, 6], [7, 7], [5, 5]],
        winners=[[0], [1], [0], [0, 1]],  # the third by more species; the fourth shared
    )
    [first, second] = deal_comparisons(games, 2)
    assert first.tolist() == [[0, 2], [0, 0]]
    assert second.tolist() == [[0, 1.5], [0.5, 0]]


def test_places_at_a_table_of_four() -> None:
    # Agent 2 wins by the tie-break over 0; 1 and 3 share the third place.
    games = made_games([0], [[0, 1, 2, 3]], [[8, 2, 8, 2]], winners=[[2]])
    [counts] = deal_comparisons(games, 4)
    assert counts.tolist() == [
        [0, 1, 0, 1],
        [0, 0, 0, 0.5],
        [1, 1, 0, 1],
        [0, 0.5, 0, 0],
    ]


def test_copies_of_an_agent_are_not_compared_with_each_other() -> None:
    games = made_games([0], [[0, 1, 1]], [[5, 9, 1]])
    [counts] = deal_comparisons(games, 2)
    assert counts.tolist() == [[0, 1], [1, 0]]


def test_agents_that_never_met_directly_are_rated_by_a_chain() -> None:
    counts = np.zeros((3, 3))
    counts[0, 1], counts[1, 0] = 9.5, 0.5
    counts[1, 2], counts[2, 1] = 9.5, 0.5
    ratings = to_elo(fit_strengths(counts), anchor=2)
    assert ratings == pytest.approx([1800, 1400, 1000], abs=1e-3)


def test_agents_that_no_chain_connects_stand_at_the_mean_of_their_group() -> None:
    counts = np.zeros((4, 4))
    counts[0, 1], counts[1, 0] = 9.5, 0.5
    assert to_elo(fit_strengths(counts), None) == pytest.approx([1200, 800, 1000, 1000], abs=1e-3)


@pytest.mark.parametrize("spread", [0.0, 1.0, 5.0, 9.0])
def test_many_fits_at_once_are_the_fits_one_by_one(spread: float) -> None:
    """Newton's method here and choix' algorithm agree, far from where Newton begins too."""
    rng = np.random.default_rng(8)
    strengths = spread * np.array([-1.0, -0.2, 0.3, 0.4, 0.5])
    chances = 1 / (1 + np.exp(strengths[None] - strengths[:, None]))
    won = np.triu(rng.binomial(50, chances, size=(6, 5, 5)), 1).astype(float)
    counts = won + np.tril(50 - won.transpose(0, 2, 1), -1)
    expected = [fit_strengths(sample) for sample in counts]
    assert refit_strengths(counts, expected[0]) == pytest.approx(np.array(expected), abs=1e-5)


def test_a_sample_without_an_agents_games_leaves_it_in_the_middle() -> None:
    counts = np.zeros((2, 2, 2))
    counts[0] = counts_of(9.5, 0.5)
    assert refit_strengths(counts, np.array([1.0, -1.0]))[1] == pytest.approx([0, 0], abs=1e-6)


def plackett_luce_games(
    strengths: NDArray[np.float64], deals: int, rng: np.random.Generator
) -> NDArray[np.float64]:
    """[D, N, N] comparisons of rankings of three drawn seat by seat, as the model says."""
    agents = len(strengths)
    comparisons = np.zeros((deals, agents, agents))
    for deal in range(deals):
        left = list(rng.choice(agents, 3, replace=False))
        while left:
            weights = np.exp(strengths[left])
            first = left.pop(rng.choice(len(left), p=weights / weights.sum()))
            comparisons[deal, first, left] += 1
    return comparisons


def test_known_strengths_are_found_again() -> None:
    strengths = np.array([1.0, 0.4, 0.0, -0.5, -0.9])
    comparisons = plackett_luce_games(strengths, 6_000, np.random.default_rng(2))
    assert fit_strengths(comparisons.sum(axis=0)) == pytest.approx(strengths, abs=0.06)


def test_intervals_cover_the_true_rating() -> None:
    """95 % intervals of 120 tournaments: binomial, so below 0.88 or at 1.0 once in thousands."""
    strengths = np.array([0.8, 0.1, -0.3, -0.6])
    truth = to_elo(strengths, None)
    rng = np.random.default_rng(5)
    inside = np.zeros(len(strengths))
    for trial in range(120):
        comparisons = plackett_luce_games(strengths, 60, rng)
        for agent, rating in enumerate(rate(comparisons, trial, resamples=200)):
            assert rating.ci95 is not None
            inside[agent] += rating.ci95.low <= truth[agent] <= rating.ci95.high
    assert (inside / 120 >= 0.88).all(), inside
    assert inside.sum() < 4 * 120, inside


def test_resampling_whole_deals_is_not_fooled_by_copies() -> None:
    """Each deal's games ten times over say nothing new."""
    comparisons = plackett_luce_games(np.array([0.5, 0.0, -0.5]), 50, np.random.default_rng(1))
    once, ten_times = rate(comparisons, 3), rate(10 * comparisons, 3)
    for one, many in zip(once, ten_times, strict=True):
        assert one.ci95 is not None and many.ci95 is not None
        width, copied = np.ptp(one.ci95), np.ptp(many.ci95)
        assert copied > 0.95 * width  # the credited drawn game weighs less, nothing else


def test_equal_seeds_give_equal_intervals_and_an_anchor_has_none() -> None:
    comparisons = plackett_luce_games(np.array([0.5, 0.0, -0.5]), 30, np.random.default_rng(1))
    assert rate(comparisons, 3) == rate(comparisons, 3)
    assert rate(comparisons, 3)[0].ci95 != rate(comparisons, 4)[0].ci95
    assert rate(comparisons, 3, anchor=1)[1].ci95 == (1000, 1000)
    assert rate(comparisons, 3, resamples=0)[0].ci95 is None
