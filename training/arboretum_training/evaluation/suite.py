"""The suite: a fixed ladder of opponents on fixed deals, so that results can be compared.

Everything that decides a result stands in this file and is covered by ``SUITE_VERSION``. A
published version is never edited: another rung, another number of deals, is a new version, and
results of different versions are not compared.

The agent sits alone against copies of a rung, in every seat of every deal. The deals come from a
purpose of their own (``Purpose.SUITE``), so no training and no other evaluation sees them, whatever
its seed; ``tests/golden`` pins their hashes.
"""

import hashlib
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np

from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal, initial_deal
from arboretum_env.seeding import Purpose, root_from_seed
from arboretum_training.evaluation.unit_files import digest

SUITE_VERSION: Final = 1
SEED: Final = 2026
PLAYERS: Final = (2, 3, 4)
ANCHOR: Final = "greedy@1"
"""The rung whose rating is 1000."""


@dataclass(frozen=True)
class Rung:
    """An opponent of the ladder.

    Attributes:
        spec: its frozen name.
        deals: deals against it, by number of players; fewer for slow ones, and a rung may be left
            out at some numbers of players.
    """

    spec: str
    deals: dict[int, int]


DEALS: Final = {2: 512, 3: 256, 4: 256}
"""Deals of the suite, by number of players."""

LADDER: Final[tuple[Rung, ...]] = (
    Rung("random@1", DEALS),
    Rung("greedy@1", DEALS),
    Rung("blocker@1", DEALS),
    Rung("planner@1", DEALS),
    Rung("search@1:simulations=32", {2: 128}),  # with 3 or 4 copies it would take hours
)
"""The rungs of ``SUITE_VERSION``, in no order but that of the card."""


def rungs_of(players: int) -> tuple[Rung, ...]:
    """The rungs that are played at a number of players."""
    return tuple(rung for rung in LADDER if players in rung.deals)


def game_of(players: int) -> GameConfig:
    """The game of the suite: the rulebook's for the number of players."""
    return GameConfig(num_players=players)


@cache
def deals_hash(players: int, deals: int) -> str:
    """SHA-256 of the first deals of the suite: every hand, the deck in order, every pile.

    Args:
        players: number of players.
        deals: how many.
    """
    config = game_of(players)
    state = deal(config, root_from_seed(SEED, Purpose.SUITE), np.arange(deals))
    whole = hashlib.sha256()
    for index in range(deals):
        hands, deck, discards = initial_deal(state, index)
        cards = [[config.card_text(card) for card in part] for part in (*hands, deck, *discards)]
        whole.update(digest(cards).encode())
    return whole.hexdigest()
