"""The engine dressed as a reference game, so that one test text judges both.

Action ids are worked out here from the published action table (draw_deck 1, draw_discard P,
play_card C, place_cell W*W, discard_card C) and not by the package's own codec.
"""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal_exact
from arboretum_env.engine.moves import apply_action, legal_action_mask
from arboretum_env.engine.scoring import Scores, score, score_board
from arboretum_env.engine.state import GameState
from arboretum_env.errors import IllegalActionError
from arboretum_env.observation import observe
from tests.reference import Action, Cell, IllegalMoveError, Options, Score, SpeciesScore
from tests.reference_observation import PHASES


def config_of(options: Options) -> GameConfig:
    """The package's options for the reference's."""
    return GameConfig(
        num_players=options.num_players,
        species=options.species,
        num_ranks=options.num_ranks,
        hand_size=options.hand_size,
        starting_discards=options.starting_discards,
        cancel_eights=options.cancel_eights,
        rights=options.rights,
    )


class ActionIds:
    """Flat action ids of one kind of game, for the reference's action tuples."""

    def __init__(self, options: Options) -> None:
        self.players = options.num_players
        cards = options.cards
        after_hands = len(cards) - options.num_players * options.hand_size
        self.side = math.ceil((after_hands - 1) / options.num_players) + 2
        self.place = 1 + self.players + len(cards)
        self.size = self.place + self.side**2 + len(cards)
        first_play, first_discard = 1 + self.players, self.place + self.side**2
        self._cards: dict[Action, int] = {}
        for number, card in enumerate(cards):
            self._cards["play", card] = first_play + number
            self._cards["discard", card] = first_discard + number

    def of(self, action: Action, mover: int) -> int:
        """The id of one action; pile owners count from the mover."""
        match action:
            case ("deck",):
                return 0
            case ("pile", owner):
                return 1 + int(owner - mover) % self.players
            case ("place", (x, y)):
                return self.place + int(y % self.side) * self.side + int(x % self.side)
        return self._cards[action]

    def table(self, actions: set[Action], mover: int) -> dict[int, Action]:
        """Id -> action for a legal set; shorter than the set if two actions share an id."""
        return {self.of(action, mover): action for action in actions}


def score_of(options: Options, scores: Scores, row: int = 0) -> Score:
    """One game's scores in the reference's form."""
    seats = range(scores.points.shape[1])
    species = [
        {
            letter: SpeciesScore(
                hand_sum=int(scores.hand_sum[row, seat, index]),
                right=bool(scores.right[row, seat, index]),
                path_points=int(scores.path_points[row, seat, index]),
                points=int(scores.path_points[row, seat, index])
                if scores.right[row, seat, index]
                else 0,
            )
            for index, letter in enumerate(options.species)
        }
        for seat in seats
    ]
    return Score(
        species,
        totals=[int(points) for points in scores.points[row]],
        distinct_species=[int(number) for number in scores.distinct_species[row]],
        winners=[seat for seat in seats if scores.winners[row, seat]],
    )


def engine_score_table(
    options: Options, hands: Sequence[Sequence[str]], arboreta: Sequence[Mapping[Cell, str]]
) -> Score:
    """The engine's answer to ``reference.score_table``."""
    config = config_of(options)
    hand_ids = [[config.parse_card(card) for card in hand] for hand in hands]
    planted = [
        [(x, y, config.parse_card(card)) for (x, y), card in arboretum.items()]
        for arboretum in arboreta
    ]
    return score_of(options, score_board(config, hand_ids, planted))


class EngineGame:
    """One engine game (a batch of one) with the attributes of ``ReferenceGame``."""

    def __init__(
        self,
        options: Options,
        hands: Sequence[Sequence[str]],
        deck: Sequence[str],
        discards: Sequence[Sequence[str]] | None = None,
        *,
        state: GameState | None = None,
    ) -> None:
        self.options = options
        self.config = config_of(options)
        self.ids = ActionIds(options)
        self.state = deal_exact(self.config, hands, deck, discards) if state is None else state

    def copy(self) -> "EngineGame":
        """An independent copy of this position."""
        return EngineGame(self.options, [], [], state=self.state.clone())

    def _texts(self, card_ids: Sequence[int]) -> list[str]:
        return [self.config.card_text(int(card)) for card in card_ids]

    @property
    def hands(self) -> list[list[str]]:
        """Cards in hand per seat."""
        return [self._texts(self.state.hand(0, seat)) for seat in range(self.options.num_players)]

    @property
    def deck(self) -> list[str]:
        """Next card first."""
        return self._texts(self.state.deck(0))

    @property
    def discards(self) -> list[list[str]]:
        """Piles per seat, bottom first."""
        seats = range(self.options.num_players)
        return [self._texts(self.state.discard_pile(0, seat)) for seat in seats]

    @property
    def arboreta(self) -> list[dict[Cell, str]]:
        """Planted cards per seat, in planting order."""
        return [
            {(int(x), int(y)): self.config.card_text(int(card)) for x, y, card in planted}
            for planted in (self.state.arboretum(0, k) for k in range(self.options.num_players))
        ]

    @property
    def known(self) -> list[set[str]]:
        """Publicly known hand cards per seat, as that seat's own observation tells them."""
        found = []
        for seat in range(self.options.num_players):
            row = observe(self.state, np.array([seat]))[0]
            places = row[: 4 * self.config.num_cards].reshape(-1, 4)[:, 0]
            found.append(set(self._texts(np.flatnonzero(places == 2).tolist())))
        return found

    @property
    def turn(self) -> int:
        """Completed turns."""
        return int(self.state.turn[0])

    @property
    def mover(self) -> int:
        """Absolute seat to move."""
        return int(self.state.mover[0])

    @property
    def phase(self) -> str:
        """The reference's name of the phase."""
        return PHASES[int(self.state.phase[0])]

    @property
    def chosen(self) -> str | None:
        """The card chosen but not placed."""
        card = int(self.state.chosen_card[0])
        return None if card < 0 else self.config.card_text(card)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.state.done[0])

    def legal(self) -> set[Action]:
        """The mask as action tuples; cells through the true neighbours of planted cards."""
        mover = self.mover
        ids = {int(i) for i in np.flatnonzero(legal_action_mask(self.state)[0])}
        cards = self.options.cards
        candidates: set[Action] = {("deck",)}
        candidates |= {("pile", seat) for seat in range(self.options.num_players)}
        candidates |= {(kind, card) for kind in ("play", "discard") for card in cards}
        actions = {action for action in candidates if self.ids.of(action, mover) in ids}
        cells = {i for i in ids if self.ids.place <= i < self.ids.place + self.ids.side**2}
        planted = self.arboreta[mover]
        near = {(x + dx, y + dy) for x, y in planted for dx in (-1, 0, 1) for dy in (-1, 0, 1)}
        for cell in near or {(0, 0)}:
            if self.ids.of(("place", cell), mover) in cells:
                actions.add(("place", cell))
        assert len(actions) == len(ids), "a legal id stands for no action near the arboretum"
        return actions

    def apply(self, action: Action) -> None:
        """Take an action, or raise ``IllegalMoveError`` as the reference does."""
        try:
            apply_action(self.state, np.array([self.ids.of(action, self.mover)]))
        except IllegalActionError as error:
            raise IllegalMoveError(str(error)) from error

    def score(self) -> Score:
        """The score of this position."""
        return score_of(self.options, score(self.state))
