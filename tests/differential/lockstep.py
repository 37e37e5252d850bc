"""Many random games at once, engine and reference side by side, compared at every decision.

The engine advances a batch; every game of it has a reference game that is dealt the same cards.
At each decision of each game must agree: the legal set; phase, mover, turn, deck size and chosen
card; and the mover's observation, which tells its hand, all piles in order, all arboreta with
coordinates and every publicly known card. Of the games chosen for it, all seats' observations. At
the deal and in the end: hands, piles, arboreta, the deck's order, and every number of the score.

Uniformly random play seldom reaches the corners of the rules, so four manners of play take turns:
uniform; lingering (draws from piles whenever possible: the longest games, plants in a line as far
out as can be); hurrying (draws from the deck: the shortest); and mean (empties the rivals' piles,
plants as close to the middle as can be).
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from arboretum_env.engine.deal import deal
from arboretum_env.engine.moves import apply_action, legal_action_mask, step
from arboretum_env.engine.scoring import score
from arboretum_env.engine.state import GameState
from arboretum_env.observation import observe
from tests.engine_game import ActionIds, config_of, score_of
from tests.reference import FIRST, PLACE, SECOND, Action, Options, ReferenceGame
from tests.reference_observation import PHASES, observation

UNIFORM, LINGERING, HURRYING, MEAN = range(4)


class DisagreementError(Exception):
    """Engine and reference differ."""


@dataclass
class Tally:
    """What a run compared."""

    games: int = 0
    decisions: int = 0
    observations: int = 0
    turns: list[int] = field(default_factory=list)
    extent: int = 0  # largest |x| or |y| planted

    def add(self, other: "Tally") -> None:
        """Count another run too."""
        self.games += other.games
        self.decisions += other.decisions
        self.observations += other.observations
        self.turns += other.turns
        self.extent = max(self.extent, other.extent)


def agree(what: str, engine: object, reference: object, game: int) -> None:
    """Raise when the two differ."""
    if engine != reference:
        raise DisagreementError(f"game {game}, {what}: engine {engine}, reference {reference}")


def far_out(cell: tuple[int, int]) -> int:
    """How far a cell lies from the first card along one axis."""
    return max(abs(cell[0]), abs(cell[1]))


def choose(
    rng: random.Random, manner: int, legal: dict[int, Action], game: ReferenceGame
) -> tuple[int, Action]:
    """An action in a manner of play; one cell in eight is chosen at random all the same."""
    options = sorted(legal.items())  # sets have no order that a seed could repeat
    if game.phase == PLACE and manner in (LINGERING, MEAN) and rng.random() < 7 / 8:
        reach = [far_out(action[1]) for _, action in options]
        wanted = max(reach) if manner == LINGERING else min(reach)
        options = [option for option, r in zip(options, reach, strict=True) if r == wanted]
    elif game.phase in (FIRST, SECOND) and manner != UNIFORM:
        piles = [option for option in options if option[1][0] == "pile"]
        rivals = [option for option in piles if option[1][1] != game.mover]
        decks = [option for option in options if option[1][0] == "deck"]
        options = {LINGERING: piles, HURRYING: decks, MEAN: rivals}[manner] or options
    return rng.choice(options)


class Lockstep:
    """A batch of engine games and their references.

    Attributes:
        state: the engine's games, advanced by ``apply_action``.
        fused: the same games, advanced by ``step``.
        games: the references.
        tally: what was compared.
    """

    def __init__(self, options: Options, root: int, ids: range, observed: range) -> None:
        self.options = options
        self.config = config_of(options)
        self.actions = ActionIds(options)
        self.state = deal(self.config, root, np.array(ids, np.uint64))
        self.fused = self.state.clone()
        self.ids = list(ids)
        self.observed = np.isin(self.ids, observed)
        self.tally = Tally()
        self.random = [random.Random(f"{root}/{number}") for number in ids]
        texts = options.cards
        self.texts = texts
        self.games = []
        for row in range(len(ids)):
            hands, piles, deck = self._table(self.state, row)
            self._check_deal(hands, piles, deck)
            self.games.append(ReferenceGame(options, hands, deck, piles))

    def _cards(self, ids: list[int]) -> list[str]:
        return [self.texts[number] for number in ids]

    def _table(
        self, state: GameState, row: int
    ) -> tuple[list[list[str]], list[list[str]], list[str]]:
        seats = range(self.options.num_players)
        hands = [self._cards(state.hand(row, seat)) for seat in seats]
        piles = [self._cards(state.discard_pile(row, seat)) for seat in seats]
        return hands, piles, self._cards(state.deck(row))

    def _check_deal(self, hands: list[list[str]], piles: list[list[str]], deck: list[str]) -> None:
        """Hands of the right size, one starting discard for all but the first, each card once."""
        players = self.options.num_players
        dealt = [card for group in (*hands, *piles, deck) for card in group]
        agree("pack", sorted(dealt), sorted(self.texts), -1)
        agree("hand sizes", [len(hand) for hand in hands], [self.options.hand_size] * players, -1)
        expected = [0] + [int(self.options.starting_discards)] * (players - 1)
        agree("starting discards", [len(pile) for pile in piles], expected, -1)

    def run(self) -> Tally:
        """Play every game to its end and compare all the way."""
        mask = legal_action_mask(self.state)
        while not all(game.over for game in self.games):
            agree("mask shape", mask.shape, (len(self.games), self.actions.size), -1)
            self._advance(mask)
            mask = legal_action_mask(self.state)
        agree("mask after the end", bool(mask.any()), False, -1)
        self._compare_observations()
        for row in range(len(self.games)):
            self._compare_table(row)
        self._compare_scores()
        return self.tally

    def _advance(self, mask: NDArray[np.bool_]) -> None:
        """Compare one decision of every game and take it."""
        self._compare_observations()
        chosen = np.full(len(self.games), -1, np.int64)
        facts = self._facts()
        for row, (game, legal_ids) in enumerate(zip(self.games, legal_sets(mask), strict=True)):
            legal = game.legal()
            table = self.actions.table(legal, game.mover)
            agree("ids of different actions", len(table), len(legal), self.ids[row])
            agree("legal actions", legal_ids, set(table), self.ids[row])
            cards = -1 if game.chosen is None else self.texts.index(game.chosen)
            reference = (PHASES.index(game.phase), game.mover, game.turn, len(game.deck), cards)
            agree("phase, mover, turn, deck, chosen", facts[row], reference, self.ids[row])
            if game.over:
                continue
            manner = self.ids[row] % 4
            chosen[row], action = choose(self.random[row], manner, table, game)
            game.apply(action)
            self.tally.decisions += 1
        fused_mask = np.empty_like(mask)
        apply_action(self.state, chosen)
        step(self.fused, chosen, fused_mask)
        agree("fused step", self.fused.raw.tobytes(), self.state.raw.tobytes(), -1)
        agree("fused mask", (fused_mask == legal_action_mask(self.state)).all(), True, -1)

    def _facts(self) -> list[tuple[int, ...]]:
        state = self.state
        columns = (state.phase, state.mover, state.turn, state.deck_left, state.chosen_card)
        return list(zip(*(column.tolist() for column in columns), strict=True))

    def _compare_table(self, row: int) -> None:
        game, number = self.games[row], self.ids[row]
        hands, piles, deck = self._table(self.state, row)
        agree("hands", list(map(sorted, hands)), list(map(sorted, game.hands)), number)
        agree("piles", piles, game.discards, number)
        agree("deck", deck, game.deck, number)
        for seat, planted in enumerate(game.arboreta):
            engine = [(x, y, self.texts[card]) for x, y, card in self.state.arboretum(row, seat)]
            agree("arboretum", engine, [(x, y, card) for (x, y), card in planted.items()], number)
            self.tally.extent = max([self.tally.extent, *map(far_out, planted)])

    def _compare_observations(self) -> None:
        """The mover of every game, and the other seats of the observed games."""
        movers = self.state.mover.astype(np.int64)
        going = np.array([not game.over for game in self.games]) | self.observed
        rows = np.flatnonzero(going)
        self._compare_seats(rows, movers[rows])
        rows = np.flatnonzero(self.observed)
        for k in range(1, self.options.num_players):
            self._compare_seats(rows, (movers[rows] + k) % self.options.num_players)

    def _compare_seats(self, rows: NDArray[np.int64], seats: NDArray[np.int64]) -> None:
        """The observation of one seat of each of some games."""
        engine = observe(self.state.select(rows), seats).tolist()
        for row, seat, seen in zip(rows.tolist(), seats.tolist(), engine, strict=True):
            told = observation(self.games[row], seat)
            if seen != told:
                where = [i for i, (a, b) in enumerate(zip(seen, told, strict=True)) if a != b]
                raise DisagreementError(
                    f"game {self.ids[row]}, observation of seat {seat} differs at {where}"
                )
        self.tally.observations += len(rows)

    def _compare_scores(self) -> None:
        scores = score(self.state)
        for row, game in enumerate(self.games):
            agree("score", score_of(self.options, scores, row), game.score(), self.ids[row])
            self.tally.turns.append(game.turn)
        self.tally.games += len(self.games)


def legal_sets(mask: NDArray[np.bool_]) -> Iterator[set[int]]:
    """The legal ids of every row of a mask [B, A]."""
    rows, ids = np.nonzero(mask)
    ends = np.searchsorted(rows, np.arange(len(mask) + 1))
    flat = ids.tolist()
    for start, end in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True):
        yield set(flat[start:end])


def compare(
    options: Options, root: int, games: range, *, observed: float, batch: int = 200
) -> Tally:
    """Play and compare games; in a share ``observed`` of each batch all seats are observed.

    Raises:
        DisagreementError: engine and reference differ.
    """
    total = Tally()
    for start in range(0, len(games), batch):
        ids = games[start : start + batch]
        total.add(Lockstep(options, root, ids, ids[: round(observed * len(ids))]).run())
    return total
