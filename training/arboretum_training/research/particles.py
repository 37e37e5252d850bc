"""Beliefs from what rivals did: deals that agree with the past, weighed by how likely it was.

A particle is a whole deal. At the start particles are deals at random. Whenever something is seen,

* a card that turned up elsewhere than a particle has it changes places with a card that lay where
  it turned up, each of those that a rival then held unseen as likely as another,
* the weight is multiplied by how much likelier or less likely the past has become, decision by
  decision of the rivals, under their policy.

Before anybody's choices are looked at all deals that agree are equally likely, and the exchange
leads from such a deal to such a deal, so that weights need no other factor (the backward kernel is
the exchange's reverse under that prior). When the *effective sample size*, the square of the sum of
weights by the sum of their squares, falls below half of the particles, they are drawn anew in
proportion to their weights, and moved: two slots change their cards, accepted by the Metropolis
rule, so that copies part again. What a rival's turn says is taken in by as large shares as half of
the particles can bear (tempering).

Sources: Del Moral, Doucet and Jasra, Sequential Monte Carlo samplers, Journal of the Royal
Statistical Society B 68 (2006); Kong, Liu and Wong, Journal of the American Statistical Association
89 (1994), for the effective sample size.
"""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from arboretum_env.agent import PolicyAgent
from arboretum_env.config import GameConfig
from arboretum_env.errors import ArboretumError, ConfigError
from arboretum_env.view import PlayerView
from arboretum_training.research.likelihood import Likelihood
from arboretum_training.research.particle_belief import ParticleBelief
from arboretum_training.research.pasts import EVENTS_PER_TURN, Past, past_of

PARTICLES: Final = 256
SLIP: Final = 0.1
MOVES: Final = 8
LEAST: Final = 2.0

_PURPOSE: Final = 0xBE11
_ENOUGH: Final = 0.5  # of the particles; fewer effective ones are drawn anew
_LEAST_SHARE: Final = 1 / 16
_NEVER: Final = 1 << 30  # decisions; a slot that no rival has got affects none of theirs


class BeliefCollapseError(ArboretumError):
    """Hardly a particle agrees with what the rivals did: the belief would be a guess."""


_Key = tuple[GameConfig, int, bytes, tuple[str, ...]]


@dataclass(frozen=True)
class _Cloud:
    """N particles after some events.

    Attributes:
        events: how many events have been taken in.
        deals: [N, C] cards in the order of the deal.
        owners: [C] the rival that a slot has come to unseen, -1 for none.
        since: [C] the decision from which on it had it.
        deadlines: [C] by card that a rival has shown: (decision, rival), -1 for others.
        logs: [N, T] log chances of the rivals' decisions.
        weights: [N] log weights, the largest 0.
        sizes: effective sample sizes at every step so far.
    """

    events: int
    deals: NDArray[np.int64]
    owners: NDArray[np.int64]
    since: NDArray[np.int64]
    deadlines: NDArray[np.int64]
    logs: NDArray[np.float64]
    weights: NDArray[np.float64]
    sizes: tuple[float, ...]


class ParticleModel:
    """See the module, and ``belief.BeliefModel``.

    What is believed is a function of the view and its history: whether the same game was looked at
    before changes nothing but the time that it takes.

    Args:
        policy: how rivals are thought to play; it is reset here.
        particles: how many deals.
        slip: see ``Likelihood``.
        moves: changes that are tried on every particle after it was drawn anew.
        least: effective sample size below which the belief counts as collapsed.
        seed: of all randomness.

    Raises:
        ConfigError: a setting out of range.
    """

    def __init__(
        self,
        policy: PolicyAgent,
        *,
        particles: int = PARTICLES,
        slip: float = SLIP,
        moves: int = MOVES,
        least: float = LEAST,
        seed: int = 0,
    ) -> None:
        if particles < 16:
            raise ConfigError(f"particles {particles}: expected at least 16")
        if not 0.0 <= slip <= 1.0:
            raise ConfigError(f"slip {slip}: expected 0..1")
        if moves < 0:
            raise ConfigError(f"moves {moves}: expected 0 or more")
        if not 1.0 <= least <= particles / 2:
            raise ConfigError(f"least {least}: expected 1..{particles / 2:g}, half the particles")
        policy.reset(np.zeros(1, np.uint64), seed)
        self._likelihood = Likelihood(policy, slip)
        self.particles, self.moves, self.least, self.seed = particles, moves, least, seed
        self._kept: tuple[_Key, _Cloud] | None = None

    def believe(self, view: PlayerView) -> ParticleBelief:
        """What the seat believes.

        Raises:
            ViewError: a view without the history of the whole game.
            BeliefCollapseError: see there.
        """
        past = past_of(view)
        cloud = self._begun(view, past)
        # The same stops for every view of a game: where the seat's own turns began.
        stops = [
            EVENTS_PER_TURN * turn
            for turn in range(view.seat, view.turn + 1, past.config.num_players)
        ]
        for stop in stops:
            if stop > cloud.events:
                cloud = self._after(past, cloud, stop)
        self._kept = _key(view, past, cloud.events), cloud
        last = len(past.decisions) - 1
        if last > cloud.events:
            cloud = self._after(past, cloud, last)
        return ParticleBelief.of(view, cloud.deals, cloud.owners, cloud.weights, cloud.sizes)

    def _begun(self, view: PlayerView, past: Past) -> _Cloud:
        """The last game's particles, if this is its continuation, or new ones."""
        if self._kept is not None:
            key, cloud = self._kept
            if key == _key(view, past, cloud.events):
                return cloud
        rng = np.random.default_rng((self.seed, _PURPOSE))
        hidden = np.flatnonzero(past.known < 0)
        cards = np.setdiff1d(np.arange(past.config.num_cards), past.known)
        deals = np.tile(past.known, (self.particles, 1))
        deals[:, hidden] = rng.permuted(np.tile(cards, (self.particles, 1)), axis=1)
        count = past.config.num_cards
        return _Cloud(
            events=0,
            deals=deals,
            owners=past.owners,
            since=np.where(past.owners >= 0, 0, _NEVER),
            deadlines=np.full((count, 2), -1),
            logs=np.zeros((self.particles, 0)),
            weights=np.zeros(self.particles),
            sizes=(),
        )

    def _after(self, past: Past, cloud: _Cloud, stop: int) -> _Cloud:
        """The particles after more events.

        Raises:
            BeliefCollapseError: see there.
        """
        rng = np.random.default_rng((self.seed, _PURPOSE, past.seat, stop))
        until = past.decisions[stop]
        deals, owners, since = cloud.deals.copy(), cloud.owners.copy(), cloud.since.copy()
        deadlines = cloud.deadlines.copy()
        start = np.full(len(deals), cloud.logs.shape[1])
        for each in past.shown:
            if not cloud.events <= each.at < stop:
                continue
            if each.kind == "received":
                owners[each.slot], since[each.slot] = each.seat, each.decision + 1
                continue
            if each.kind == "drawn":
                allowed = np.zeros(deals.shape, np.bool_)
                allowed[:, each.slot] = True
            else:
                allowed = (owners == each.seat) & (deadlines[deals, 0] < 0)
                deadlines[each.card] = each.decision, each.seat
            _bring(deals, each.card, allowed, since, start, rng)
        logs = np.zeros((len(deals), until))
        logs[:, : cloud.logs.shape[1]] = cloud.logs
        new = self._likelihood.log_chances(past, deals, until, start)
        logs = np.where(np.arange(until) >= start[:, None], new, logs)
        found = _Cloud(
            stop, deals, owners, since, deadlines, logs, cloud.weights, cloud.sizes
        )  # fmt: skip
        exponents = np.where(np.arange(until) < cloud.logs.shape[1], 1.0, 0.0)
        gain = _gain(_weighed_sum(logs, exponents), cloud.logs.sum(axis=1))
        found = self._weighed(past, found, gain, exponents, rng)
        while exponents.min(initial=1.0) < 1.0:
            new = found.logs[:, cloud.logs.shape[1] :].sum(axis=1)
            share = min(_bearable(found.weights, new), 1.0 - float(exponents[-1]))
            exponents[cloud.logs.shape[1] :] += share
            found = self._weighed(past, found, share * new, exponents, rng)
        return found

    def _weighed(
        self,
        past: Past,
        cloud: _Cloud,
        gain: NDArray[np.float64],
        exponents: NDArray[np.float64],
        rng: np.random.Generator,
    ) -> _Cloud:
        """The particles with other weights; drawn anew and moved where few would count.

        Args:
            past: what was seen.
            cloud: the particles.
            gain: [N] what is added to their log weights.
            exponents: [T] how far every decision counts from now on, 0..1.
            rng: for drawing and moving.

        Raises:
            BeliefCollapseError: see there.
        """
        weights = cloud.weights + gain
        size = effective_size(weights)
        if not size >= self.least:
            turn = (cloud.events - 1) // EVENTS_PER_TURN
            raise BeliefCollapseError(
                f"turn {turn + 1}, seat {past.seat}: an effective sample size of {size:.1f} of "
                f"{len(weights)} particles, expected at least {self.least:g}: the rivals do not "
                "play like the policy; take another one, more particles, or a larger slip"
            )
        found = replace(cloud, weights=weights - weights.max(), sizes=(*cloud.sizes, size))
        if size < _ENOUGH * len(weights):
            return self._moved(past, _drawn_anew(found, rng), exponents, rng)
        return found

    def _moved(
        self, past: Past, cloud: _Cloud, exponents: NDArray[np.float64], rng: np.random.Generator
    ) -> _Cloud:
        """The particles after Metropolis moves, which leave the belief as it is."""
        deals, logs = cloud.deals.copy(), cloud.logs.copy()
        held = np.flatnonzero(cloud.owners >= 0)
        fixed = past.known >= 0
        for each in past.shown:
            if each.kind == "drawn" and each.at < cloud.events:
                fixed[each.slot] = True
        free = np.flatnonzero(~fixed)
        if not len(held) or not self.moves:
            return cloud
        count = len(deals)
        pairs = np.stack(
            [rng.choice(held, (count, self.moves)), rng.choice(free, (count, self.moves))], axis=-1
        )
        thresholds = np.log(rng.random((count, self.moves)))
        done = np.zeros(count, np.int64)  # moves of every particle that have been dealt with
        while True:
            rows, one, other = [], [], []
            for row in np.flatnonzero(done < self.moves):
                while done[row] < self.moves:
                    a, b = pairs[row, done[row]]
                    if (
                        a != b
                        and _agrees(cloud, deals[row, a], b)
                        and _agrees(cloud, deals[row, b], a)
                    ):
                        rows.append(row)
                        one.append(a)
                        other.append(b)
                        break
                    done[row] += 1  # a move that is impossible is one that is refused
            if not rows:
                return replace(cloud, deals=deals, logs=logs)
            proposal = deals[rows]
            index = np.arange(len(rows))
            proposal[index, one], proposal[index, other] = deals[rows, other], deals[rows, one]
            start = np.minimum(cloud.since[one], cloud.since[other])
            until = logs.shape[1]
            new = self._likelihood.log_chances(past, proposal, until, start)
            new = np.where(np.arange(until) >= start[:, None], new, logs[rows])
            gain = _gain(_weighed_sum(new, exponents), _weighed_sum(logs[rows], exponents))
            accepted = thresholds[rows, done[rows]] < gain
            taken = np.array(rows)[accepted]
            deals[taken], logs[taken] = proposal[accepted], new[accepted]
            done[rows] += 1


def _weighed_sum(logs: NDArray[np.float64], exponents: NDArray[np.float64]) -> NDArray[np.float64]:
    """[n] sums of logs [n, T]; what has the exponent 0 does not count, impossible or not."""
    weighed: NDArray[np.float64] = np.where(exponents > 0, logs, 0.0) @ exponents
    return weighed


def _gain(after: NDArray[np.float64], before: NDArray[np.float64]) -> NDArray[np.float64]:
    """[n] after less before; 0 where it was impossible before: that leaves a weight of 0 at 0."""
    impossible = np.isneginf(before)
    return np.where(impossible, 0.0, after - np.where(impossible, 0.0, before))


def _key(view: PlayerView, past: Past, events: int) -> _Key:
    """What the particles after so many events are a function of."""
    assert view.history is not None
    return view.config, view.seat, past.known.tobytes(), view.history[:events]


def effective_size(log_weights: NDArray[np.float64]) -> float:
    """Square of the sum of weights by the sum of their squares; 0 if all of them are 0.

    >>> effective_size(np.log([1.0, 1.0, 2.0]))
    2.6666666666666665
    """
    most = log_weights.max()
    if not np.isfinite(most):
        return 0.0
    weights = np.exp(log_weights - most)
    return float(weights.sum() ** 2 / (weights**2).sum())


def _bearable(weights: NDArray[np.float64], gain: NDArray[np.float64]) -> float:
    """The largest share of a gain after which enough particles count, by bisection."""
    enough = _ENOUGH * len(weights)
    if effective_size(weights + gain) >= enough:
        return 1.0
    low, high = 0.0, 1.0
    while high - low > _LEAST_SHARE / 2:
        middle = (low + high) / 2
        if effective_size(weights + middle * gain) >= enough:
            low = middle
        else:
            high = middle
    return max(low, _LEAST_SHARE)


def _bring(
    deals: NDArray[np.int64],
    card: int,
    allowed: NDArray[np.bool_],
    since: NDArray[np.int64],
    start: NDArray[np.int64],
    rng: np.random.Generator,
) -> None:
    """Puts a card into an allowed slot of every deal, in exchange for what lay there.

    Args:
        deals: [N, C]; mutated.
        card: its id.
        allowed: [N, C] slots where it may be.
        since: [C] the decision from which on a rival had a slot.
        start: [N] the first decision that may be otherwise now; mutated.
        rng: chooses among the slots.
    """
    rows = np.arange(len(deals))
    there = (deals == card).argmax(axis=1)
    moving = np.flatnonzero(~allowed[rows, there])
    scores = np.where(allowed[moving], rng.random(allowed.shape)[moving], -1.0)
    into, out = scores.argmax(axis=1), there[moving]
    deals[moving, out], deals[moving, into] = deals[moving, into], card
    start[moving] = np.minimum(start[moving], np.minimum(since[into], since[out]))


def _agrees(cloud: _Cloud, card: int, slot: int) -> bool:
    """Whether a card may lie in a slot, for all that has been seen."""
    decision, seat = cloud.deadlines[card]
    return bool(decision < 0 or (cloud.owners[slot] == seat and cloud.since[slot] <= decision))


def _drawn_anew(cloud: _Cloud, rng: np.random.Generator) -> _Cloud:
    """As many particles, in proportion to their weights, which become equal.

    Systematic resampling: Kitagawa, Journal of Computational and Graphical Statistics 5 (1996).
    """
    weights = np.exp(cloud.weights)
    count = len(weights)
    points = (rng.random() + np.arange(count)) / count
    rows = np.minimum(np.searchsorted(np.cumsum(weights / weights.sum()), points), count - 1)
    return replace(cloud, deals=cloud.deals[rows], logs=cloud.logs[rows], weights=np.zeros(count))
