"""Scoring of random tables, engine against reference: denser boards than games bring about."""

import random

import pytest

from arboretum_env.engine.scoring import best_path
from tests.engine_game import engine_score_table
from tests.reference import (
    Arboretum,
    Options,
    neighbours,
    path_points,
    score_table,
    scoring_paths,
)

LETTERS = "CDJVLGMPOW"


def random_arboretum(rng: random.Random, cards: list[str], spread: float) -> Arboretum:
    """Plant cards from a corner of the table outwards; ``spread`` 0 makes a blob, 1 a thin tree."""
    planted: Arboretum = {}
    start = (rng.randint(-5, 5), rng.randint(-5, 5))
    for card in cards:
        free = sorted({near for cell in planted for near in neighbours(cell)} - set(planted))
        if rng.random() < spread:
            free = [cell for cell in free if sum(near in planted for near in neighbours(cell)) == 1]
        planted[rng.choice(free) if free else start] = card
    return planted


def random_table(
    rng: random.Random,
) -> tuple[Options, list[list[str]], list[Arboretum]]:
    """Options, hands of any size and arboreta; few species make many pure paths."""
    players = rng.randint(2, 4)
    species = "".join(rng.sample(LETTERS, rng.randint(2, 10)))
    options = Options(
        players,
        species,
        num_ranks=rng.randint(3, 8),
        hand_size=1,
        cancel_eights=rng.random() < 0.8,
        rights=rng.choice(["highest", "highest", "highest", "all"]),
    )
    pack = rng.sample(options.cards, len(options.cards))
    hands: list[list[str]] = []
    piles: list[list[str]] = []
    for group in [hands, piles]:
        most = len(pack) // (players + 1) if group is hands else len(pack) // players
        for _ in range(players):
            size = rng.randint(0, most)
            group.append(pack[:size])
            pack = pack[size:]
    arboreta = [random_arboretum(rng, pile, rng.choice([0.0, 0.5, 1.0])) for pile in piles]
    return options, hands, arboreta


def playable(options: Options) -> bool:
    """Whether the package has such a game at all (a deck of two after hands of one)."""
    return len(options.cards) - options.num_players >= 2


@pytest.mark.parametrize("seed", range(8))
def test_scores(seed: int) -> None:
    rng = random.Random(f"boards {seed}")
    with_path = 0
    for _ in range(400):
        options, hands, arboreta = random_table(rng)
        if not playable(options):
            continue
        expected = score_table(options, hands, arboreta)
        assert engine_score_table(options, hands, arboreta) == expected, (options, hands, arboreta)
        with_path += any(total > 0 for total in expected.totals)
    assert with_path > 150


@pytest.mark.parametrize("seed", range(4))
def test_best_path(seed: int) -> None:
    """The path shown is one of the best; of these the shortest, then that of smaller card ids."""
    rng = random.Random(f"paths {seed}")
    for _ in range(150):
        options, _, arboreta = random_table(rng)
        ids = {card: number for number, card in enumerate(options.cards)}
        for arboretum in arboreta:
            planted = [(x, y, ids[card]) for (x, y), card in arboretum.items()]
            for index, species in enumerate(options.species):
                ranked = [
                    (-path_points(path, options.num_ranks), len(path), [ids[card] for card in path])
                    for path in scoring_paths(arboretum, species)
                ]
                expected = min(ranked)[2] if ranked else []
                assert best_path(planted, index, options.num_ranks) == expected


@pytest.mark.parametrize("length", [8, 40, 78])
def test_a_line_of_any_length(length: int) -> None:
    """A board larger than any game's: one row, 1 to 8 of each species after the other."""
    options = Options(2, LETTERS)
    row = {(x - 30, 7): card for x, card in enumerate(options.cards[:length])}
    result = engine_score_table(options, [["W7"], ["W8"]], [row, {}])
    assert result == score_table(options, [["W7"], ["W8"]], [row, {}])
    # Every whole species of eight is worth 16 + 1 + 2; W1 ... W6 (12 + 1) is blocked by W8.
    assert result.totals == [19 * (length // 8), 0]


def test_a_full_block_of_the_whole_pack() -> None:
    """Eighty cards in one rectangle, ten by eight, in an order that makes paths everywhere."""
    options = Options(2, LETTERS)
    for shift in range(8):
        block = {
            (x, y): f"{LETTERS[x]}{(x + y + shift) % 8 + 1}" for x in range(10) for y in range(8)
        }
        expected = score_table(options, [[], []], [block, {}])
        assert engine_score_table(options, [[], []], [block, {}]) == expected
        assert expected.totals[0] >= 10 * 8
