"""Views of made-up tables, and the features of one placement worked out by walking every path."""

import random
from collections.abc import Sequence

import numpy as np

from arboretum_env.config import GameConfig
from arboretum_env.phase import Phase
from arboretum_env.view import PlayerView, PlayerViews
from tests.differential.test_random_boards import random_arboretum
from tests.reference import (
    Arboretum,
    Cell,
    best_path_points,
    increasing_paths,
    neighbours,
    path_points,
    rank,
    scoring_paths,
)


def view_of(
    config: GameConfig,
    arboreta: Sequence[Arboretum],
    hand: Sequence[str],
    *,
    seat: int = 0,
    phase: Phase = Phase.PLAY,
    chosen: str | None = None,
) -> PlayerView:
    """The view of a seat that is to move; ``arboreta`` by absolute seat."""
    return PlayerView(
        config=config,
        seat=seat,
        mover=seat,
        phase=phase,
        deck_size=min(5, config.deck_size),
        turn=seat,
        chosen_card=None if chosen is None else config.parse_card(chosen),
        hand=tuple(sorted(config.parse_card(card) for card in hand)),
        known_hands=(frozenset(),) * config.num_players,
        discard_piles=((),) * config.num_players,
        arboreta=tuple(
            tuple((x, y, config.parse_card(card)) for (x, y), card in planted.items())
            for planted in arboreta
        ),
    )


def batch(views: Sequence[PlayerView]) -> PlayerViews:
    """The views as one struct of arrays."""
    return PlayerViews(views[0].config, np.stack([view.to_observation() for view in views]))


def from_origin(arboretum: Arboretum) -> Arboretum:
    """The same arboretum moved so that its first card stands at 0, 0."""
    first_x, first_y = next(iter(arboretum), (0, 0))
    return {(x - first_x, y - first_y): card for (x, y), card in arboretum.items()}


def random_views(
    config: GameConfig, count: int, seed: int
) -> list[tuple[PlayerView, list[Arboretum], list[str]]]:
    """Views in PLAY with their arboreta by absolute seat and hands; every size that games have."""
    rng = random.Random(seed)
    pack = [config.card_text(card) for card in range(config.num_cards)]
    made = []
    for number in range(count):
        cards = rng.sample(pack, len(pack))
        seat = number % config.num_players
        hand = [cards.pop() for _ in range(min(config.hand_size + 2, len(cards) - 1))]
        arboreta = []
        for owner in range(config.num_players):
            most = min(config.max_plants - (owner == seat), len(cards))
            size = rng.choice([0, most, rng.randint(0, most)])
            planted = random_arboretum(rng, [cards.pop() for _ in range(size)], rng.random())
            arboreta.append(from_origin(planted))
        made.append((view_of(config, arboreta, hand, seat=seat), arboreta, hand))
    return made


def open_cells(arboretum: Arboretum) -> set[Cell]:
    """Where the next card may stand."""
    around = {near for cell in arboretum for near in neighbours(cell)} - set(arboretum)
    return around or {(0, 0)}


def points_gained(config: GameConfig, arboretum: Arboretum, card: str, cell: Cell) -> list[int]:
    """Per species in play, what planting a card adds to its best path."""
    after = {**arboretum, cell: card}
    top = config.num_ranks
    return [
        best_path_points(after, species, top) - best_path_points(arboretum, species, top)
        for species in config.species
    ]


def placement_features(
    config: GameConfig, arboretum: Arboretum, card: str, cell: Cell
) -> dict[str, float]:
    """``PLACEMENT_FEATURES`` of one placement, by name."""
    top = config.num_ranks
    gained = points_gained(config, arboretum, card, cell)
    after = {**arboretum, cell: card}
    cells_of = {planted: where for where, planted in after.items()}
    through = [path for path in scoring_paths(after, card[0]) if card in path]
    near = [arboretum[other] for other in neighbours(cell) if other in arboretum]
    lower = [other for other in near if rank(other) < rank(card)]
    higher = [other for other in near if rank(other) > rank(card)]

    # Ways in: increasing paths that end at a lower neighbour; ways on: from a higher neighbour.
    everywhere = [
        [arboretum[step] for step in steps]
        for start in arboretum
        for steps in increasing_paths(arboretum, start)
    ]
    ways_in = [path for path in everywhere if path[-1] in lower]
    ways_on = [path for path in everywhere if path[0] in higher]
    before = [(path[0][0], len(path) + (rank(path[0]) == 1)) for path in ways_in]
    onward = [(path[-1][0], len(path) + 2 * (rank(path[-1]) == top)) for path in ways_on]

    def pure(paths: list[list[str]]) -> int:
        return max((len(p) for p in paths if {c[0] for c in p} == {card[0]}), default=0)

    opened = open_cells(after) - open_cells(arboretum)
    return {
        "total_gain": 0.1 * sum(gained),
        "own_gain": 0.1 * gained[config.species.index(card[0])],
        "own_points": 0.1 * max((path_points(path, top) for path in through), default=0),
        "neighbours": 0.25 * len(near),
        "new_cells": 0.25 * len(opened & set(neighbours(cells_of[card]))),
        "lower": 0.25 * len(lower),
        "higher": 0.25 * len(higher),
        "same_lower": 0.25 * sum(other[0] == card[0] for other in lower),
        "same_higher": 0.25 * sum(other[0] == card[0] for other in higher),
        "gap_below": 0.125 * min((rank(card) - rank(other) for other in lower), default=0),
        "gap_above": 0.125 * min((rank(other) - rank(card) for other in higher), default=0),
        "own_before": 0.125 * max((w for s, w in before if s == card[0]), default=0),
        "own_after": 0.125 * max((w for s, w in onward if s == card[0]), default=0),
        "any_before": 0.125 * max((w for _, w in before), default=0),
        "any_after": 0.125 * max((w for _, w in onward), default=0),
        "pure_cards": 0.125 * (pure(ways_in) + 1 + pure(ways_on)),
    }
