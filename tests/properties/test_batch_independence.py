"""A batch of B games is B single games, bit for bit: in any batch, order, slice and thread.

Everything about a game is hashed at every decision: its row, mask, every seat's observation, what
features make of it, a sampled world, and at the end its scores. Kernels let other threads run, so
threads that shared any memory would show here.
"""

import hashlib
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from numpy.typing import NDArray

from arboretum_env.actions import num_actions
from arboretum_env.agent import sample_rows
from arboretum_env.config import GameConfig
from arboretum_env.determinize import determinize
from arboretum_env.engine.deal import deal
from arboretum_env.engine.moves import apply_action, legal_action_mask, step
from arboretum_env.engine.scoring import score
from arboretum_env.engine.state import GameState
from arboretum_env.features.outlook import outlook
from arboretum_env.features.placements import placements
from arboretum_env.observation import observe
from arboretum_env.seeding import uniforms
from arboretum_env.view import PlayerViews
from tests.random_games import CONFIGS

Ids = NDArray[np.uint64]
SOME_IDS = np.random.default_rng(12).integers(0, 2**62, 24, np.uint64)
ROOT = 77


def choose(config: GameConfig, state: GameState, masks: NDArray[np.bool_], ids: Ids) -> NDArray:
    """[B] a random legal action a game that depends on the game and nothing else; -1 at the end."""
    count = state.turn.astype(np.int64) * 5 + state.phase
    numbers = uniforms(3, ids, np.zeros(len(ids), np.int64), count)
    going = np.flatnonzero(masks.any(axis=1))
    actions = np.full(len(ids), -1, np.int64)
    actions[going] = sample_rows(masks[going].astype(np.float64), numbers[going])
    return actions


def by_row(*arrays: NDArray) -> list[bytes]:
    """The bytes of every row of some arrays [B, ...]."""
    flat = [np.ascontiguousarray(array).reshape(len(array), -1).view(np.uint8) for array in arrays]
    return [row.tobytes() for row in np.concatenate(flat, axis=1)]


def seen_and_derived(state: GameState, ids: Ids) -> list[bytes]:
    """Of every game: what its seats see, what features make of the mover's view, and a world."""
    seats = [observe(state, seat) for seat in range(state.config.num_players)]
    mover = observe(state, state.mover)
    views = PlayerViews(state.config, mover, ids)
    standing = outlook(views)
    worlds = determinize(views, ids)
    rows = by_row(*seats, standing.best, standing.total_gain, worlds.raw)
    options = placements(views)
    for row in range(len(ids)):
        mine = slice(options.offsets[row], options.offsets[row + 1])
        rows[row] += options.card[mine].tobytes() + options.cell[mine].tobytes()
        rows[row] += options.features[mine].tobytes()
    return rows


def play(state: GameState, ids: Ids, *, shuffle: bool = False) -> dict[int, str]:
    """Plays games to their end.

    Args:
        state: B games, played in place; a copy if they are shuffled.
        ids: [B] key the choices.
        shuffle: put the rows into another order after every decision.

    Returns:
        By game id, a digest of everything about the game at every decision.
    """
    config = state.config
    rng = np.random.default_rng(0)
    hashes = {int(number): hashlib.blake2b(digest_size=12) for number in ids}
    masks = np.empty((len(ids), num_actions(config)), np.bool_)
    legal_action_mask(state, masks)
    decision = 0
    while True:
        over = state.done.copy()
        rows = by_row(state.raw, masks)
        if decision % 9 == 0:
            rows = [a + b for a, b in zip(rows, seen_and_derived(state, ids), strict=True)]
        for number, ended, row in zip(ids.tolist(), over.tolist(), rows, strict=True):
            if not ended:  # others may still go on
                hashes[number].update(row)
        if over.all():
            break
        step(state, choose(config, state, masks, ids), masks)
        if shuffle:
            order = rng.permutation(len(ids))
            state, ids, masks = state.select(order), ids[order], masks[order]
        decision += 1
    scores = score(state)
    rest = (scores.points, scores.winners, scores.hand_sum, scores.right, scores.path_points)
    for number, row in zip(ids.tolist(), by_row(*rest, state.raw), strict=True):
        hashes[number].update(row)
    return {number: digest.hexdigest() for number, digest in hashes.items()}


def play_dealt(config: GameConfig, ids: Sequence[int] | Ids, *, shuffle: bool = False) -> dict:
    array = np.asarray(ids, np.uint64)
    return play(deal(config, ROOT, array), array, shuffle=shuffle)


@pytest.mark.parametrize("name", CONFIGS)
def test_any_batch_order_and_split(name: str) -> None:
    config, ids = CONFIGS[name], SOME_IDS
    expected = play_dealt(config, ids)
    assert len(set(expected.values())) == len(ids)
    for row in (0, 7, 23):
        assert play_dealt(config, ids[row : row + 1]).items() <= expected.items()
    for split in ([5], [1, 2, 4, 8, 16], [23]):
        parts = [play_dealt(config, part) for part in np.split(ids, split)]
        assert {key: value for part in parts for key, value in part.items()} == expected
    assert play_dealt(config, ids[::-1]) == expected
    assert play_dealt(config, ids, shuffle=True) == expected
    others = np.arange(300, dtype=np.uint64)
    many = np.concatenate([others[:250], ids, others[250:]])
    assert expected.items() <= play_dealt(config, many).items()


def test_threads_that_play_their_own_batches() -> None:
    """Games of all kinds at once, more threads than cores, over and over."""
    jobs = [
        (config, SOME_IDS[first : first + 8]) for config in CONFIGS.values() for first in (0, 8)
    ]
    expected = [play_dealt(*job) for job in jobs]
    together = threading.Barrier(6)

    def run(number: int) -> bool:
        together.wait(60)
        return all(play_dealt(*jobs[job]) == expected[job] for job in range(number, len(jobs), 6))

    with ThreadPoolExecutor(6) as threads:
        for _ in range(2):
            assert all(threads.map(run, range(6)))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_threads_that_play_slices_of_one_batch(players: int) -> None:
    config = GameConfig(num_players=players)
    ids = np.arange(40, dtype=np.uint64)
    whole = deal(config, ROOT, ids)
    expected = play(whole, ids)
    shared = deal(config, ROOT, ids)
    slices = [slice(0, 1), slice(1, 10), slice(10, 11), slice(11, 30), slice(30, 40)]
    parts = [GameState(config, shared.raw[part]) for part in slices]
    assert all(np.shares_memory(part.raw, shared.raw) for part in parts)
    with ThreadPoolExecutor(len(parts)) as threads:
        digests = list(threads.map(play, parts, [ids[part] for part in slices]))
    assert {key: value for part in digests for key, value in part.items()} == expected
    assert shared.raw.tobytes() == whole.raw.tobytes()


@pytest.mark.parametrize("name", CONFIGS)
def test_both_ways_to_step(name: str) -> None:
    """``step`` is ``apply_action`` and then ``legal_action_mask``."""
    config = CONFIGS[name]
    fused, apart = (deal(config, ROOT, SOME_IDS) for _ in range(2))
    masks = legal_action_mask(fused)
    while not fused.done.all():
        actions = choose(config, fused, masks, SOME_IDS)
        step(fused, actions, masks)
        apply_action(apart, actions)
        assert fused.raw.tobytes() == apart.raw.tobytes()
        assert masks.tobytes() == legal_action_mask(apart).tobytes()


def test_a_difference_is_noticed() -> None:
    """The digest can fail: one card changed in a deck, and one other choice, show in it."""
    config = CONFIGS["reduced 3"]
    ids = SOME_IDS[:3]
    expected = play_dealt(config, ids)
    other = deal(config, ROOT + 1, ids)
    assert set(play(other, ids).values()).isdisjoint(expected.values())
    assert play(deal(config, ROOT, ids), ids + np.uint64(1)).values() != expected.values()
    assert play_dealt(config, ids) == expected
