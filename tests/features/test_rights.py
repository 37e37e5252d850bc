"""Chances of the right to score, against counting every hand that a rival could hold."""

import math
from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from arboretum_env.config import GameConfig
from arboretum_env.features.rights import SUMS, rights
from arboretum_env.view import PlayerView, PlayerViews, redact
from tests.features.oracle import batch, view_of
from tests.random_games import CONFIGS, random_positions

SMALL = GameConfig(num_players=2, species="CDJ", num_ranks=4, hand_size=2)


def effective(cards: Iterable[int], species: int, config: GameConfig, *, cancelled: bool) -> int:
    """Rank sum of a species in a hand; a cancelled top rank counts 0."""
    ranks = [card % config.num_ranks + 1 for card in cards if card // config.num_ranks == species]
    return sum(0 if cancelled and rank == config.num_ranks else rank for rank in ranks)


def counted(
    view: PlayerView, species: int, odds: Callable[[int], Fraction] = lambda card: Fraction(1)
) -> tuple[list[Fraction], list[Fraction], Fraction]:
    """(own right, rival's right, top rank cancelled) by listing the rival's hands; 2 players.

    The first two are lists over the observer's sum. A hand counts by the product of its cards'
    odds; the third ignores them.
    """
    config, rival = view.config, 1 - view.seat
    shown = {card for pile in view.discard_piles for card in pile}
    shown |= {card for planted in view.arboreta for _, _, card in planted}
    unseen = set(range(config.num_cards)) - shown - set(view.hand) - view.known_hands[rival]
    missing = config.hand_size - len(view.known_hands[rival])
    ace = species * config.num_ranks
    own, theirs = [Fraction(0)] * SUMS, [Fraction(0)] * SUMS
    top_cancelled = Fraction(0)
    hands = list(combinations(sorted(unseen), missing))
    counts = [math.prod(map(odds, drawn)) for drawn in hands]
    for drawn, count in zip(hands, counts, strict=True):
        share = Fraction(count, sum(counts))
        hand = {*drawn, *view.known_hands[rival]}
        total = effective(
            hand, species, config, cancelled=config.cancel_eights and ace in view.hand
        )
        for x in range(SUMS):
            own[x] += share * (x >= total)
            theirs[x] += share * (total >= x)
        top_cancelled += Fraction(config.cancel_eights and ace in hand, len(hands))
    return own, theirs, top_cancelled


@pytest.mark.parametrize(
    "config",
    [
        SMALL,
        SMALL.model_copy(update={"cancel_eights": False}),
        GameConfig(num_players=2, species="CDJ", num_ranks=5, hand_size=3),
    ],
    ids=["small", "nothing cancelled", "bigger"],
)
def test_two_players_match_counting_all_hands(config: GameConfig) -> None:
    some_known = 0
    for position, _ in random_positions(config, games=3, seed=8):
        if position.done.any():
            continue
        views = redact(position, position.mover)
        found = rights(views)
        for b, view in enumerate(views):
            some_known += len(view.known_hands[1 - view.seat])
            for s in range(config.num_species):
                own, theirs, cancelled = counted(view, s)
                held = effective(view.hand, s, config, cancelled=False)
                assert found.hand_sum[b, s] == held
                np.testing.assert_allclose(found.own[b, s], [float(x) for x in own], atol=1e-12)
                np.testing.assert_allclose(
                    found.rival[b, 1, s], [float(x) for x in theirs], atol=1e-12
                )
                assert found.top_cancelled[b, s] == pytest.approx(float(cancelled), abs=1e-12)
    assert some_known > 10


def test_odds_count_hands_by_their_cards() -> None:
    """Tilts of species and odds of ranks, against hands weighted by the product of both."""
    config, ranks = SMALL, [Fraction(1), Fraction(3, 2), Fraction(2), Fraction(4)]
    factors = [Fraction(2), Fraction(1, 3), Fraction(1)]  # by species
    tilts = np.tile(np.log(np.array([float(f) for f in factors])), (1, 2, 1))
    checked = 0
    for position, _ in random_positions(config, games=1, seed=5):
        if position.done.any():
            continue
        [view] = views = redact(position, position.mover)
        found = rights(views, tilts, np.array([float(r) for r in ranks]))
        for s in range(config.num_species):

            def odds(card: int, s: int = s) -> Fraction:
                # A species' own chances take the others' cards as likely as any.
                own = card // config.num_ranks == s
                return factors[s] * ranks[card % config.num_ranks] if own else Fraction(1)

            own, theirs, cancelled = counted(view, s, odds)
            np.testing.assert_allclose(found.own[0, s], [float(x) for x in own], atol=1e-12)
            np.testing.assert_allclose(found.rival[0, 1, s], [float(x) for x in theirs], atol=1e-12)
            assert found.top_cancelled[0, s] == pytest.approx(float(cancelled), abs=1e-12)
            checked += 1
    assert checked > 30


def test_a_position_worked_out_by_hand() -> None:
    # C1..C4, D1..D4, J1..J4. The observer holds C3 and D1; unseen are ten cards, two of them the
    # rival's. Cassia's rank sum of the rival: over 3 with C4 (9 of 45 hands), and never otherwise
    # but with C1 + C2 = 3, which ties.
    view = view_of(SMALL, [{}, {}], ["C3", "D1"])
    found = rights(batch([view]))
    assert found.hand_sum[0].tolist() == [3, 1, 0]
    assert found.own[0, 0, 3] == pytest.approx(1 - 9 / 45)
    assert found.rival[0, 1, 0, 3] == pytest.approx(10 / 45)  # a C4, or C1 with C2
    # Of Dogwood the observer holds the 1: the rival's 4 counts nothing. Over 1 it comes with D2 or
    # D3: 45 - C(8, 2) = 17 hands.
    assert found.own[0, 1, 1] == pytest.approx(1 - 17 / 45)
    # Jacaranda's 1 is in the rival's hand in 9 of 45 cases.
    assert found.top_cancelled[0].tolist() == pytest.approx([9 / 45, 0.0, 9 / 45])


@pytest.mark.parametrize("name", CONFIGS)
def test_chances_are_chances(name: str) -> None:
    config = CONFIGS[name]
    for position, _ in random_positions(config, games=4, seed=9):
        running = position.select(~position.done)
        if not len(running):
            continue
        found = rights(redact(running, running.mover))
        own, rival = found.own, found.rival[:, 1:]
        assert ((own >= -1e-9) & (own <= 1 + 1e-9)).all()
        assert ((rival >= -1e-9) & (rival <= 1 + 1e-9)).all()
        assert (np.diff(own, axis=-1) >= -1e-9).all()  # a larger sum never hurts
        assert (np.diff(rival, axis=-1) <= 1e-9).all()
        assert own[..., -1] == pytest.approx(1)
        assert not found.rival[:, 0].any() or config.rights == "all"
        if config.rights == "highest":
            # Somebody has the right: at sum 0 it is one of the rivals, or all sums are 0.
            assert (rival[..., 0].sum(axis=1) >= 1 - 1e-9).all()


def test_everybody_has_the_right_where_the_rules_say_so() -> None:
    config = GameConfig(num_players=3, rights="all")
    first, _ = next(random_positions(config, games=1, seed=3))
    found = rights(redact(first, first.mover))
    assert (found.own == 1).all()
    assert (found.rival[:, 1:] == 1).all()


def test_no_views_have_no_rights() -> None:
    config = GameConfig()
    found = rights(PlayerViews(config, np.zeros((0, 201), np.int8)))
    assert found.own.shape == (0, 6, SUMS)
