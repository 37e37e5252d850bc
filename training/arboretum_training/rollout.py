"""Collecting self-play decisions.

Games are played side by side in lock step: all are always in the same phase, so that a batch needs
one head of the network. A game that ends is followed by a new deal. The learner sits in all seats.

PLAY and PLACE are one joint decision here (a card on a cell). So a turn has four decisions: two
draws, a placement, a discard.

``B`` decisions of one kind, ``M`` placements of all of them, ``G`` trajectories, ``P`` players.
"""

from dataclasses import dataclass, fields
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray

from arboretum_agents.neural.categorical import Segments, masked_log_softmax, segment_log_softmax
from arboretum_agents.neural.encoder import encode, pile_tops
from arboretum_agents.neural.network import PolicyNetwork
from arboretum_agents.neural.policy import as_tensor
from arboretum_env.actions import action_slices
from arboretum_env.agent import sample_rows
from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal
from arboretum_env.engine.moves import apply_action
from arboretum_env.engine.scoring import Scores, score
from arboretum_env.engine.state import GameState
from arboretum_env.features.placements import placements
from arboretum_env.phase import Phase
from arboretum_env.rewards import RewardKind, final_rewards
from arboretum_env.view import PlayerViews, redact
from arboretum_training.actor_critic import ActorCritic
from arboretum_training.config import RolloutConfig
from arboretum_training.decisions import KINDS, Decisions
from arboretum_training.privileged import encode_truth

DECISIONS_PER_TURN: Final = 4  # of the learner: two draws, a placement, a discard


@dataclass
class Finished:
    """Games that ended in a window.

    Attributes:
        trajectories: [G] their trajectories, a seat of a game each.
        outcomes: [G] float32, the return of that seat.
        turns: [E] turns of each of the E ended games.
        points, denied_points, win_shares: [E, P] by seat.
    """

    trajectories: NDArray[np.int64]
    outcomes: NDArray[np.float32]
    turns: NDArray[np.int64]
    points: NDArray[np.int64]
    denied_points: NDArray[np.int64]
    win_shares: NDArray[np.float64]


def seat_returns(scores: Scores, reward: RewardKind) -> NDArray[np.float32]:
    """What every seat learns from a game.

    Args:
        scores: B games.
        reward: as the environment's (``final_rewards``), but with the margin squashed by tanh: the
            critic needs bounds, and a rout teaches no more than a clear win.

    Returns:
        [B, P] float32 in [-1, 1]; ``win`` sums to zero over the seats.
    """
    win = final_rewards(scores, "win")
    margin = np.tanh(final_rewards(scores, "margin"))
    share = {"win": 1.0, "margin": 0.0, "mixed": 0.5}[reward]
    return np.asarray(share * win + (1 - share) * margin, np.float32)


class Collector:
    """Plays games with a network in every seat and records its decisions.

    The trajectory of a seat in a game is numbered ``game_id * P + seat``.

    Args:
        game: the game.
        config: how many games and turns, and the reward.
        root: root of the deals.
        rng: draws every choice; advanced.
    """

    def __init__(
        self, game: GameConfig, config: RolloutConfig, root: int, rng: np.random.Generator
    ) -> None:
        self.game = game
        self.config = config
        self.root = root
        self.rng = rng
        self.game_ids = np.arange(config.games, dtype=np.int64)
        self.next_game_id = config.games
        self.time = 0
        self.state: GameState = deal(game, root, self.game_ids)

    def collect(self, model: ActorCritic) -> tuple[dict[str, Decisions], Finished]:
        """Plays a window of ``config.turns`` turns in every game.

        Args:
            model: decides for all seats; not changed.

        Returns:
            The decisions by kind, each in time order, and the games that ended.
        """
        parts: dict[str, list[Decisions]] = {kind: [] for kind in KINDS}
        ended: list[Finished] = []
        with torch.inference_mode():
            for _ in range(self.config.turns):
                for kind in ("draw", "draw", "play", "discard"):
                    parts[kind].append(self._decide(model, kind))
                ended.append(self._replace_ended())
        decisions = {kind: Decisions.concatenate(list_) for kind, list_ in parts.items()}
        parts_of = [[getattr(part, entry.name) for part in ended] for entry in fields(Finished)]
        return decisions, Finished(*(np.concatenate(part) for part in parts_of))

    def _decide(self, model: ActorCritic, kind: str) -> Decisions:
        mover = self.state.mover.astype(np.int64)
        views = redact(self.state, mover, self.game_ids.astype(np.uint64))
        encoded = encode(views)
        truth = encode_truth(self.state, mover)
        network = model.network
        z, pooled = network.trunk(as_tensor(encoded.species), as_tensor(encoded.scalars))
        value = model.judge(z, pooled, as_tensor(truth.species), as_tensor(truth.scalars)).numpy()
        uniform = self.rng.random(len(views))
        arrays: dict[str, NDArray[np.generic]] = {
            "species": encoded.species,
            "scalars": encoded.scalars,
            "truth_species": truth.species,
            "truth_scalars": truth.scalars,
            "value": value,
            "trajectory": self.game_ids * self.game.num_players + mover,
            "time": np.full(len(views), self.time),
        }
        self.time += 1
        if kind == "play":
            return self._place(network, views, z, arrays, uniform)
        slices = action_slices(self.game)
        legal = views.legal_action_mask()
        if kind == "draw":
            columns = slice(0, slices["draw_discard"].stop)
            arrays["tops"] = pile_tops(views)
            logits = network.draw_logits(z, pooled, as_tensor(arrays["tops"]))
        else:
            columns = slices["discard_card"]
            logits = network.discard_logits(z)
        arrays["legal"] = np.ascontiguousarray(legal[:, columns])
        log_probs = masked_log_softmax(logits, as_tensor(arrays["legal"])).numpy()
        chosen = sample_rows(np.where(arrays["legal"], np.exp(log_probs), 0), uniform)
        arrays["chosen"] = chosen
        arrays["log_prob"] = log_probs[np.arange(len(chosen)), chosen]
        apply_action(self.state, columns.start + chosen)
        return Decisions(kind, arrays)

    def _place(
        self,
        network: PolicyNetwork,
        views: PlayerViews,
        z: torch.Tensor,
        arrays: dict[str, NDArray[np.generic]],
        uniform: NDArray[np.float64],
    ) -> Decisions:
        options = placements(views)
        segments = Segments.from_lengths(as_tensor(options.counts))
        logits = network.placement_logits(
            z, segments, as_tensor(options.card), as_tensor(options.gain),
            as_tensor(options.features),
        )  # fmt: skip
        log_probs = segment_log_softmax(logits, segments).numpy()
        picked = _sample_segments(np.exp(log_probs.astype(np.float64)), options.offsets, uniform)
        arrays["count"] = options.counts
        arrays["chosen"] = picked - options.offsets[:-1]
        arrays["log_prob"] = log_probs[picked]
        slices = action_slices(self.game)
        apply_action(self.state, slices["play_card"].start + options.card[picked])
        apply_action(self.state, slices["place_cell"].start + options.cell[picked])
        kept: dict[str, NDArray[np.generic]] = {
            "card": options.card,
            "gain": options.gain,
            "features": options.features,
        }
        return Decisions("play", arrays, kept)

    def _replace_ended(self) -> Finished:
        """Scores the games that are over and deals new ones in their place."""
        players = self.game.num_players
        rows = np.flatnonzero(self.state.phase == Phase.GAME_OVER)
        over = self.state.select(rows)
        scores = score(over)
        trajectories = self.game_ids[rows, None] * players + np.arange(players)
        finished = Finished(
            trajectories=trajectories.ravel(),
            outcomes=seat_returns(scores, self.config.reward).ravel(),
            turns=over.turn.astype(np.int64),
            points=scores.points,
            denied_points=scores.denied_points,
            win_shares=scores.win_shares,
        )
        new_ids = self.next_game_id + np.arange(len(rows))
        self.game_ids[rows] = new_ids
        self.next_game_id += len(rows)
        self.state.raw[rows] = deal(self.game, self.root, new_ids).raw
        return finished


def _sample_segments(
    weights: NDArray[np.float64], offsets: NDArray[np.int64], uniform: NDArray[np.float64]
) -> NDArray[np.int64]:
    """Index [B] into the flat weights [M], sampled within each segment by inversion."""
    cumulative = np.cumsum(weights)
    first, last = offsets[:-1], offsets[1:] - 1
    before = cumulative[first] - weights[first]
    targets = before + uniform * (cumulative[last] - before)
    picked = np.searchsorted(cumulative, targets, side="right")
    # Rounding may move a target over its segment's bounds by a hair.
    return np.clip(picked, first, last)
