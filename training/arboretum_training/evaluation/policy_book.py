"""A fixed policy for kernels: a hash table from what a seat sees to how it acts.

Filled by asking an agent once for every observation, so that exact methods can follow any agent
whose choice depends on its view alone. ``L`` denotes the length of an observation, ``A`` actions.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from arboretum_env.actions import num_actions
from arboretum_env.agent import Agent, PolicyAgent, wants_history
from arboretum_env.compile import kernel
from arboretum_env.config import GameConfig
from arboretum_env.observation import observation_length
from arboretum_env.seeding import mix64
from arboretum_env.view import PlayerViews
from arboretum_training.evaluation.errors import EvaluationError

_BATCH: Final = 4096  # views that an agent is asked for at once
_PROBES: Final = 3  # seeds and games that a choice must not depend on


class PolicyBook(NamedTuple):
    """Linear probing; a hash of 0 is a free slot. Of no slots for the uniform policy."""

    hashes: NDArray[np.uint64]  # [slots], 0 or a power of two of them
    observations: NDArray[np.uint8]  # [slots, L] the bytes of the int8 observations
    probabilities: NDArray[np.float64]  # [slots, A]


def empty_book(config: GameConfig, slots: int = 0) -> PolicyBook:
    """A book without entries; with no slots it stands for the uniform policy."""
    return PolicyBook(
        np.zeros(slots, np.uint64),
        np.zeros((slots, observation_length(config)), np.uint8),
        np.zeros((slots, num_actions(config)), np.float64),
    )


@kernel
def hash_of(observation):  # type: ignore[no-untyped-def]
    """A hash of [L] bytes; never 0."""
    value = np.uint64(len(observation))
    for byte in observation:
        value = mix64(value ^ np.uint64(byte)) + np.uint64(1)
    return value | np.uint64(1)


@kernel
def find(book, observation, key):  # type: ignore[no-untyped-def]
    """The slot of an observation with hash ``key``, or the free slot for it; -1 if there is none.

    Whether the slot is taken says ``book.hashes``.
    """
    slots = len(book.hashes)
    slot = np.int64(key >> np.uint64(33)) & (slots - 1)
    for _ in range(slots):
        if book.hashes[slot] == 0:
            return slot
        if book.hashes[slot] == key:
            same = True
            for i in range(len(observation)):
                same = same and book.observations[slot, i] == observation[i]
            if same:
                return slot
        slot = (slot + 1) & (slots - 1)
    return np.int64(-1)


@kernel
def note(book, observation):  # type: ignore[no-untyped-def]
    """Enters an observation unless it is there; False if the book is full."""
    key = hash_of(observation)
    slot = find(book, observation, key)
    if slot < 0:
        return False
    if book.hashes[slot] == 0:
        book.hashes[slot] = key
        book.observations[slot] = observation
    return True


def fill_in(book: PolicyBook, config: GameConfig, agent: Agent) -> None:
    """Asks an agent for its policy at every observation of the book.

    Args:
        book: its probabilities are written.
        config: the game's options.
        agent: a ``PolicyAgent``, or an agent that always acts alike on the same view.

    Raises:
        EvaluationError: an agent that wants histories; one whose choice at some view depends on its
            seed or on the game, and that does not tell its probabilities; or one that is not sure
            to act legally.
    """
    if wants_history(agent):
        raise EvaluationError(
            f"agent {type(agent).__name__} wants histories: expected one that acts on its view"
        )
    taken = np.flatnonzero(book.hashes)
    for start in range(0, len(taken), _BATCH):
        slots = taken[start : start + _BATCH]
        views = PlayerViews(config, book.observations[slots].view(np.int8))
        if isinstance(agent, PolicyAgent):
            agent.reset(views.game_id, 0)
            odds = agent.policy(views)[0].astype(np.float64)
        else:
            odds = np.zeros((len(views), num_actions(config)))
            odds[np.arange(len(views)), _only_choice(agent, views)] = 1
        legal = views.legal_action_mask()
        if (odds[~legal] != 0).any() or not np.allclose(odds.sum(axis=1), 1, atol=1e-4):
            raise EvaluationError(
                f"agent {type(agent).__name__}: expected probabilities of legal actions that sum "
                "to one"
            )
        book.probabilities[slots] = odds / odds.sum(axis=1, keepdims=True)  # they were float32


def _only_choice(agent: Agent, views: PlayerViews) -> NDArray[np.int64]:
    choices = []
    for probe in range(_PROBES):
        games = np.arange(len(views), dtype=np.uint64) + np.uint64(probe * len(views))
        asked = PlayerViews(views.config, views.observation, games)
        agent.reset(games, probe)
        choices.append(agent.act(asked))
    if not all(np.array_equal(choices[0], other) for other in choices):
        raise EvaluationError(
            f"agent {type(agent).__name__} acts at random: expected one that tells its "
            "probabilities (policy)"
        )
    return choices[0]
