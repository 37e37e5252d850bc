"""The suite is the one that was published: its deals, its ladder, its scale."""

import numpy as np
import pytest

from arboretum_env.engine.deal import deal
from arboretum_env.seeding import Purpose, root_from_seed
from arboretum_training.evaluation.ladder import published_ladder, published_ratings
from arboretum_training.evaluation.suite import (
    ANCHOR,
    DEALS,
    LADDER,
    PLAYERS,
    SEED,
    SUITE_VERSION,
    deals_hash,
    game_of,
    rungs_of,
)

HASHES = {
    (2, 1): "5542ada4a99430eec91b035fce2822a57e59898c0353b2243bedfbde4da08be2",
    (2, 512): "6b28736063e3fae8ab039f20c4bb059f259c19dc24dc0fcc2967fc7a1aededcd",
    (3, 1): "a9bec4db5c361476e740195e8e4159139adceae154297d7a2bc809b7cac43b0c",
    (3, 256): "caf03b4bfdbfd560df655ea70709cf44d32a07fb8cb3abd59f0cb579fe3a7645",
    (4, 1): "f7b19e39380b9ea625d67ddf76bcb034869584e1d4f651a3850e7983e5344880",
    (4, 256): "63335f712c4747893036df96f92c114fd845942a03f7e6a013b7997f136394be",
}
"""Hashes of the first deals of version 1, by players and number of deals."""

LADDERS = {
    1: {
        "random@1": {2: 512, 3: 256, 4: 256},
        "greedy@1": {2: 512, 3: 256, 4: 256},
        "blocker@1": {2: 512, 3: 256, 4: 256},
        "planner@1": {2: 512, 3: 256, 4: 256},
        "search@1:simulations=32": {2: 128},
    }
}
"""Rungs and deals by version of the suite. A published version is never edited."""


@pytest.mark.parametrize(("players", "deals"), HASHES)
def test_the_deals_are_those_that_were_published(players: int, deals: int) -> None:
    assert deals_hash(players, deals) == HASHES[players, deals]


def test_the_ladder_is_the_one_that_was_published() -> None:
    assert {rung.spec: rung.deals for rung in LADDER} == LADDERS[SUITE_VERSION]
    assert all("@" in rung.spec for rung in LADDER), "a bare name would change its meaning"


@pytest.mark.parametrize("players", PLAYERS)
def test_nobody_else_is_dealt_the_suites_deals(players: int) -> None:
    deals = {
        purpose: deal(game_of(players), root_from_seed(SEED, purpose), np.arange(64)).raw.tobytes()
        for purpose in Purpose
    }
    assert len(set(deals.values())) == len(Purpose)


@pytest.mark.parametrize("players", PLAYERS)
def test_the_scale_was_made_with_this_ladder(players: int) -> None:
    ladder = published_ladder()
    assert ladder["suite"] == SUITE_VERSION
    assert ladder["official"] is True
    assert [rung["pinned"] for rung in ladder["rungs"]] == [rung.spec for rung in LADDER]
    part = ladder["players"][str(players)]
    assert part["deals_hash"] == HASHES[players, DEALS[players]]
    ratings = published_ratings(players)
    assert set(ratings) == {rung.spec for rung in rungs_of(players)}
    assert ratings[ANCHOR] == 1000
    assert ratings["random@1"] < 1000 < ratings["planner@1"]
