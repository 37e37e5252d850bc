"""Pgx's card games on the CPU, jitted and vectorised, at the best of several batch sizes.

A unit of play is one compiled scan of many steps: no Python runs in between, which is Pgx's fastest
way. Each step picks random legal actions from ``legal_action_mask`` by the cheapest means found
(one uniform number a game and a running count), and computes the mover's ``observation``, which is
part of the state.

Of two ways to go on after a game's end the faster counts as well: ``auto_reset`` deals anew in
every step of every game, because both branches of a condition are computed in a batch; playing a
batch until its last game is over leaves the other games idle, and only decisions that were made
are counted.

Bridge bidding wants a table of double-dummy results, which Pgx downloads. What is in it does not
matter to speed, so it gets a small one of random deals.
"""

import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from benchmarks.peers.contest import Contestant, Play

BATCHES: Final = (16, 128, 1024)
STEPS: Final = 16  # of a scan
TABLE_ROWS: Final = 1000
TRIAL_SECONDS: Final = 1.0


def make(name: str) -> Play:
    """The fastest of all batch sizes and ways."""
    environment = _environment(name)
    plays = [play for batch in BATCHES for play in _ways(environment, batch)]
    return max(plays, key=_trial)


def _trial(play: Play) -> float:
    """Decisions per second of the best unit within some time."""
    for _ in play(0):  # compiles
        pass
    best, begun = 0.0, time.perf_counter()
    while not best or time.perf_counter() - begun < TRIAL_SECONDS:
        started = time.perf_counter()
        made = sum(play(1))
        best = max(best, made / (time.perf_counter() - started))
    return best


def _environment(name: str) -> Any:
    import pgx

    if name != "bridge_bidding":
        return pgx.make(name)
    from pgx.bridge_bidding import BridgeBidding

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "results.npy"
        np.save(path, double_dummy_table(TABLE_ROWS))
        return BridgeBidding(str(path))


def double_dummy_table(rows: int) -> np.ndarray:
    """[2, rows, 4] int32: deals as Pgx writes them, and made-up results.

    A deal is four numbers, one a suit, of 13 base-4 digits: who holds each card. A result is four
    numbers of five hexadecimal digits, the tricks of one declarer in each strain.
    """
    rng = np.random.default_rng(0)
    holders = rng.permuted(np.tile(np.repeat(np.arange(4), 13), (rows, 1)), axis=1)
    keys = holders.reshape(rows, 4, 13) @ (4 ** np.arange(12, -1, -1))
    tricks = rng.integers(0, 14, (rows, 4, 5))
    values = tricks @ (16 ** np.arange(4, -1, -1))
    return np.stack([keys, values]).astype(np.int32)


def _ways(environment: Any, batch: int) -> Iterator[Play]:
    import jax
    import jax.numpy as jnp
    from pgx.experimental.wrappers import auto_reset

    init = jax.vmap(environment.init)

    def actions(mask: Any, key: Any) -> Any:
        counts = jnp.cumsum(mask, axis=1)
        picks = jnp.int32(jax.random.uniform(key, (batch,)) * counts[:, -1])
        return jnp.argmax(counts > picks[:, None], axis=1)

    def scan(step: Callable[[Any, Any, Any], Any]) -> Any:
        def one(state: Any, key: Any) -> Any:
            live = ~(state.terminated | state.truncated)
            key, choice = jax.random.split(key)
            return step(state, actions(state.legal_action_mask, choice), key), live.sum()

        return jax.jit(lambda state, key: jax.lax.scan(one, state, jax.random.split(key, STEPS)))

    resetting = jax.vmap(auto_reset(environment.step, environment.init))
    rolling = scan(
        lambda state, action, key: resetting(state, action, jax.random.split(key, batch))
    )
    finishing = scan(lambda state, action, key: jax.vmap(environment.step)(state, action))
    deal = jax.jit(lambda key: init(jax.random.split(key, batch)))
    state = deal(jax.random.PRNGKey(0))

    def roll(unit: int) -> Iterator[int]:
        nonlocal state
        state, _ = rolling(state, jax.random.PRNGKey(unit))
        state.observation.block_until_ready()
        yield STEPS * batch  # a finished game is dealt anew within the step

    def finish(unit: int) -> Iterator[int]:
        key, dealing = jax.random.split(jax.random.PRNGKey(unit))
        games = deal(dealing)
        while not bool((games.terminated | games.truncated).all()):
            key, now = jax.random.split(key)
            games, live = finishing(games, now)
            yield int(live.sum())

    yield roll
    yield finish


CONTESTANTS: Final = tuple(
    Contestant(f"pgx-{name.replace('_', '-')}", f"Pgx {name}, CPU, best batch", partial(make, name))
    for name in ("sparrow_mahjong", "bridge_bidding")
)
