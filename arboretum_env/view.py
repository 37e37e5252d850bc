"""What a seat knows, as structures: ``PlayerViews`` for kernels, ``PlayerView`` for people.

Both hold exactly the information of an observation. Every bot, every network, the search and every
drawing for a seat start from one of these and never see a ``GameState``.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from arboretum_env.actions import num_actions, torus_cell
from arboretum_env.compile import kernel
from arboretum_env.config import GameConfig
from arboretum_env.display import Displayed
from arboretum_env.engine.state import GameState
from arboretum_env.errors import ViewError
from arboretum_env.history import HistoryEvent
from arboretum_env.observation import Place, observation_length, observation_slices, observe
from arboretum_env.phase import DECISIONS_PER_TURN, Phase


@kernel
def _masks(observations, num_cards, players, side, masks):  # type: ignore[no-untyped-def]
    """The mover's legal actions from what it sees; idle seats get none."""
    cells = side * side
    for b in range(observations.shape[0]):
        cards = observations[b, : 4 * num_cards].reshape(num_cards, 4)
        rest = observations[b, 4 * num_cards :]
        mask = masks[b]
        mask[:] = False
        phase = rest[2]
        if rest[0] != 0 or phase == 5:
            continue
        if phase <= 1:
            mask[0] = rest[3] > 0
        elif phase == 3:
            mask[1 + players + num_cards] = True  # the origin, unless something stands there
        for card in range(num_cards):
            place = cards[card, 0]
            if phase <= 1:
                if 6 <= place < 10:
                    mask[1 + place - 6] = True
            elif phase == 2:
                mask[1 + players + card] = 1 <= place <= 2
            elif phase == 4:
                mask[1 + players + num_cards + cells + card] = 1 <= place <= 2
            elif place == 10:
                x = np.int64(cards[card, 2])
                y = np.int64(cards[card, 3])
                for dx, dy in ((0, 1), (0, -1), (1, 0), (-1, 0)):
                    cell = ((y + dy) % side) * side + (x + dx) % side
                    mask[1 + players + num_cards + cell] = True
        if phase == 3:
            for card in range(num_cards):
                if cards[card, 0] == 10:
                    cell = (cards[card, 3] % side) * side + cards[card, 2] % side
                    mask[1 + players + num_cards + cell] = False


class PlayerViews:
    """B views of B games, one seat each, as a struct of arrays.

    Attributes:
        config: the game's options.
        observation: [B, L] int8, the information itself (``OBSERVATION_LAYOUT``).
        game_id: [B] uint64, which game; keys an agent's randomness.
        histories: B tuples of past events (``arboretum_env.history``), or None when nobody kept
            them.
    """

    __slots__ = ("config", "game_id", "histories", "observation")

    def __init__(
        self,
        config: GameConfig,
        observation: NDArray[np.int8],
        game_id: NDArray[np.uint64] | None = None,
        histories: list[tuple[HistoryEvent, ...]] | None = None,
    ) -> None:
        """Wraps observations; the arrays are kept, not copied.

        Raises:
            ViewError: not [B, L] int8 for this game, or not B game ids.
        """
        length = observation_length(config)
        if observation.ndim != 2 or observation.shape[1] != length or observation.dtype != np.int8:
            raise ViewError(
                f"observations of shape {observation.shape} and dtype {observation.dtype}: "
                f"expected [B, {length}] int8"
            )
        self.config = config
        self.observation = np.ascontiguousarray(observation)
        if game_id is None:
            game_id = np.zeros(len(observation), np.uint64)
        if game_id.shape != (len(observation),):
            raise ViewError(f"game ids of shape {game_id.shape}: expected [{len(observation)}]")
        self.game_id: NDArray[np.uint64] = np.ascontiguousarray(game_id, np.uint64)
        self.histories = histories

    def __len__(self) -> int:
        return len(self.observation)

    def __getitem__(self, index: int) -> "PlayerView":
        history = self.histories[index] if self.histories is not None else None
        return PlayerView.from_observation(self.config, self.observation[index], history)

    def __iter__(self) -> Iterator["PlayerView"]:
        return (self[index] for index in range(len(self)))

    def select(self, index: Any) -> Self:
        """The views of some rows; ``index`` is an integer or boolean array over the batch."""
        rows = np.arange(len(self))[index]
        return type(self)(
            self.config,
            self.observation[rows],
            self.game_id[rows],
            None if self.histories is None else [self.histories[int(row)] for row in rows],
        )

    def piece(self, name: str) -> NDArray[np.int8]:
        """``[B, *shape]`` one piece of ``OBSERVATION_LAYOUT``, a view; scalars come as [B]."""
        block = self.observation[:, observation_slices(self.config)[name]]
        cards = self.config.num_cards
        return block.reshape(len(self), cards, 4) if name == "cards" else block[:, 0]

    @property
    def cards(self) -> NDArray[np.int8]:
        """[B, C, 4] (place, order, x, y) of every card."""
        return self.piece("cards")

    @property
    def mover(self) -> NDArray[np.int8]:
        """[B] seat to move, counted from the observer."""
        return self.piece("mover")

    @property
    def seat(self) -> NDArray[np.int8]:
        """[B] the observer's absolute seat."""
        return self.piece("seat")

    @property
    def phase(self) -> NDArray[np.int8]:
        """[B] ``Phase``."""
        return self.piece("phase")

    @property
    def deck_size(self) -> NDArray[np.int8]:
        """[B] cards left in the deck."""
        return self.piece("deck_size")

    @property
    def turn(self) -> NDArray[np.int8]:
        """[B] completed turns of all seats."""
        return self.piece("turn")

    @property
    def chosen_card(self) -> NDArray[np.int8]:
        """[B] card chosen and not yet placed, -1 for none or not the observer's to know."""
        return self.piece("chosen_card")

    @property
    def decision(self) -> NDArray[np.int64]:
        """[B] number of the seat's decision within its game, counted from 0."""
        rounds = self.turn.astype(np.int64) // self.config.num_players
        return rounds * DECISIONS_PER_TURN + self.phase

    def legal_action_mask(self) -> NDArray[np.bool_]:
        """[B, A] bool, the mover's legal actions; all False for idle seats and after the end."""
        config = self.config
        masks = np.empty((len(self), num_actions(config)), np.bool_)
        _masks(self.observation, config.num_cards, config.num_players, config.side, masks)
        return masks


def redact(
    state: GameState,
    seats: Any,
    game_id: NDArray[np.uint64] | None = None,
    histories: list[tuple[HistoryEvent, ...]] | None = None,
) -> PlayerViews:
    """What one seat of every game knows.

    Args:
        state: B games.
        seats: [B] absolute seats, or one seat for all.
        game_id: [B] ids to key agents' randomness with; zeros by default.
        histories: what those seats have seen so far, if somebody kept it.
    """
    return PlayerViews(state.config, observe(state, seats), game_id, histories)


@dataclass(frozen=True)
class PlayerView(Displayed):
    """What one seat knows, as plain Python with absolute seats.

    Attributes:
        config: the game's options.
        seat: the observer's seat.
        mover: the seat to move.
        phase: what the mover decides next.
        deck_size: cards left in the deck.
        turn: completed turns of all seats.
        chosen_card: card chosen and not yet placed; None if none or not the observer's to know.
        hand: the observer's card ids, ascending.
        known_hands: per seat, the card ids publicly known to be in that hand.
        discard_piles: per seat, card ids from bottom to top.
        arboreta: per seat, (x, y, card id) in planting order.
        history: past events, or None when nobody kept them.
    """

    config: GameConfig
    seat: int
    mover: int
    phase: Phase
    deck_size: int
    turn: int
    chosen_card: int | None
    hand: tuple[int, ...]
    known_hands: tuple[frozenset[int], ...]
    discard_piles: tuple[tuple[int, ...], ...]
    arboreta: tuple[tuple[tuple[int, int, int], ...], ...]
    history: tuple[HistoryEvent, ...] | None = None

    @classmethod
    def from_observation(
        cls,
        config: GameConfig,
        observation: NDArray[np.int8],
        history: tuple[HistoryEvent, ...] | None = None,
    ) -> Self:
        """Rebuilds a view from an observation [L].

        Raises:
            ViewError: a wrong shape, or pieces that contradict the layout.
        """
        if observation.shape != (observation_length(config),):
            raise ViewError(
                f"observation of shape {observation.shape}: expected [{observation_length(config)}]"
            )
        slices = observation_slices(config)
        scalar = {
            name: int(observation[at.start]) for name, at in slices.items() if name != "cards"
        }
        table = observation[slices["cards"]].reshape(-1, 4).astype(int).tolist()
        seat, players = scalar["seat"], config.num_players
        if not 0 <= seat < players or not 0 <= scalar["mover"] < players:
            raise ViewError(f"seat {seat}, mover {scalar['mover']}: expected 0..{players - 1}")
        if scalar["phase"] not in list(Phase):
            raise ViewError(f"phase {scalar['phase']}: expected 0..{max(Phase).value}")

        def at_place(place: int) -> list[int]:
            return [card for card, (where, *_) in enumerate(table) if where == place]

        def ordered(place: int, sign: int) -> list[int]:
            return sorted(at_place(place), key=lambda card: sign * table[card][1])

        def by_seat(values: list[Any]) -> tuple[Any, ...]:
            return tuple(values[(p - seat) % players] for p in range(players))

        own_known = at_place(Place.OWN_KNOWN)
        known = [own_known] + [at_place(Place.RIVAL_HAND + k) for k in range(1, players)]
        return cls(
            config=config,
            seat=seat,
            mover=(seat + scalar["mover"]) % players,
            phase=Phase(scalar["phase"]),
            deck_size=scalar["deck_size"],
            turn=scalar["turn"],
            chosen_card=None if scalar["chosen_card"] < 0 else scalar["chosen_card"],
            hand=tuple(sorted(at_place(Place.OWN_HAND) + own_known)),
            known_hands=by_seat([frozenset(cards) for cards in known]),
            discard_piles=by_seat([tuple(ordered(Place.PILE + k, -1)) for k in range(players)]),
            arboreta=by_seat(
                [
                    tuple((table[c][2], table[c][3], c) for c in ordered(Place.ARBORETUM + k, 1))
                    for k in range(players)
                ]
            ),
            history=history,
        )

    def to_observation(self) -> NDArray[np.int8]:
        """[L] int8, the observation that this view was, or could have been, rebuilt from."""
        config, players = self.config, self.config.num_players
        table = np.zeros((config.num_cards, 4), np.int8)
        table[:, 1] = -1
        for card in self.hand:
            table[card, 0] = Place.OWN_HAND
        for p in range(players):
            k = (p - self.seat) % players
            for card in self.known_hands[p]:
                table[card, 0] = Place.OWN_KNOWN if k == 0 else Place.RIVAL_HAND + k
            for depth, card in enumerate(reversed(self.discard_piles[p])):
                table[card, :2] = Place.PILE + k, depth
            for number, (x, y, card) in enumerate(self.arboreta[p]):
                table[card] = Place.ARBORETUM + k, number, x, y
        scalars = (
            (self.mover - self.seat) % players,
            self.seat,
            self.phase,
            self.deck_size,
            self.turn,
            -1 if self.chosen_card is None else self.chosen_card,
            config.starting_discards,
            config.cancel_eights,
            config.rights == "all",
        )
        return np.concatenate([table.ravel(), np.array(scalars, np.int8)])

    def legal_actions(self) -> list[int]:
        """Flat ids of the legal actions; [] for an idle seat and after the end."""
        views = PlayerViews(self.config, self.to_observation()[None, :])
        return [int(action) for action in np.flatnonzero(views.legal_action_mask()[0])]

    def true_cell(self, cell: int) -> tuple[int, int]:
        """True coordinates of a torus cell next to (or in) the observer's own arboretum.

        Raises:
            ViewError: the cell touches nothing that is planted.
        """
        if not self.arboreta[self.seat]:
            return 0, 0
        for x, y, _ in self.arboreta[self.seat]:
            for dx, dy in ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)):
                if torus_cell(self.config, x + dx, y + dy) == cell:
                    return x + dx, y + dy
        raise ViewError(f"torus cell {cell} does not touch the arboretum of seat {self.seat}")
