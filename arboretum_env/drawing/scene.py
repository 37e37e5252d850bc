"""What a drawing shows, as plain data: made from a seat's view or from a whole position.

Every drawing starts from a ``Scene``. One made by ``scene_of_view`` holds nothing but what the seat
knows, since it is a function of the seat's ``PlayerView``; so no drawing of it can show a hidden
card.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from arboretum_env.config import GameConfig
from arboretum_env.engine.scoring import best_path, score_board
from arboretum_env.engine.state import GameState
from arboretum_env.phase import Phase
from arboretum_env.records.replay import Position
from arboretum_env.records.scoresheet import ScoreSheet, score_sheet
from arboretum_env.view import PlayerView, redact

_EXTRA_CARDS: Final[dict[Phase, int]] = {
    Phase.DRAW_FIRST: 0,
    Phase.DRAW_SECOND: 1,
    Phase.PLAY: 2,
    Phase.PLACE: 2,  # a chosen card is a hand card until it is placed
    Phase.DISCARD: 1,
    Phase.GAME_OVER: 0,
}
"""Cards that the mover holds beyond the hand size."""


@dataclass(frozen=True)
class SpeciesPath:
    """The best path of one species in one arboretum.

    Attributes:
        species: index of the species in play.
        cards: card ids from first to last.
        cells: their (x, y).
        right: whether the seat may score it; None while the game goes on.
    """

    species: int
    cards: tuple[int, ...]
    cells: tuple[tuple[int, int], ...]
    right: bool | None


@dataclass(frozen=True)
class SeatScene:
    """One seat's part of a drawing.

    Attributes:
        name: who plays, ``""`` where unknown.
        arboretum: (x, y, card id) in planting order.
        discard_pile: card ids, bottom to top.
        hand: card ids that are shown, ascending.
        hidden_cards: how many more cards the hand holds, not shown.
        paths: the best path of every species that has one.
    """

    name: str
    arboretum: tuple[tuple[int, int, int], ...]
    discard_pile: tuple[int, ...]
    hand: tuple[int, ...]
    hidden_cards: int
    paths: tuple[SpeciesPath, ...]


@dataclass(frozen=True)
class Scene:
    """Everything that a drawing shows.

    Attributes:
        config: the game's options.
        seats: a part per absolute seat.
        observer: the seat whose knowledge is shown, or None for a spectator.
        mover: the seat to move; after the end, the seat that would have been next.
        phase: what the mover decides.
        turn: completed turns.
        deck_size: cards left in the deck.
        chosen_card: the card about to be placed, when it may be shown.
        last_planted: (x, y) of the card planted last, and whose it is.
        last_discarded: the seat on whose pile the last turn's discard still lies.
        sheet: the final score explained, after the end and when all hands are known.
    """

    config: GameConfig
    seats: tuple[SeatScene, ...]
    observer: int | None
    mover: int
    phase: Phase
    turn: int
    deck_size: int
    chosen_card: int | None
    last_planted: tuple[int, tuple[int, int]] | None
    last_discarded: int | None
    sheet: ScoreSheet | None

    @property
    def status(self) -> str:
        """One line on where the game stands."""
        if self.phase is Phase.GAME_OVER:
            if self.sheet is None:
                return f"game over after {self.turn} turns"
            points = "-".join(map(str, self.sheet.scores))
            seats = " and ".join(map(str, self.sheet.winners))
            verb = "share the win" if len(self.sheet.winners) > 1 else "wins"
            plural = "seats" if len(self.sheet.winners) > 1 else "seat"
            return f"game over after {self.turn} turns: {points}, {plural} {seats} {verb}"
        doing = {
            Phase.DRAW_FIRST: "draws the first card",
            Phase.DRAW_SECOND: "draws the second card",
            Phase.PLAY: "chooses a card to plant",
            Phase.PLACE: "chooses a cell",
            Phase.DISCARD: "discards",
        }[self.phase]
        if self.chosen_card is not None:
            doing += f" for {self.config.card_text(self.chosen_card)}"
        return f"turn {self.turn + 1}: seat {self.mover} {doing}, deck {self.deck_size}"


def scene_of_view(
    view: PlayerView, names: Sequence[str] = (), unknown: Collection[int] = frozenset()
) -> Scene:
    """What a seat knows.

    Args:
        view: the seat's knowledge.
        names: who plays, per absolute seat.
        unknown: cards that a record with unknown cards does not place: not to be shown in a hand.
    """
    hands = [set(known) for known in view.known_hands]
    hands[view.seat] |= set(view.hand)
    return _scene(
        view.config,
        names,
        view.seat,
        (view.mover, view.phase, view.turn, view.deck_size),
        None if view.chosen_card in unknown else view.chosen_card,
        view.arboreta,
        view.discard_piles,
        [hand.difference(unknown) for hand in hands],
    )


def scene_of_state(
    state: GameState,
    index: int = 0,
    names: Sequence[str] = (),
    *,
    show_hands: bool = True,
    unknown: Collection[int] = frozenset(),
) -> Scene:
    """The whole position as a spectator sees it.

    Args:
        state: games.
        index: which of them.
        names: who plays, per seat.
        show_hands: show every hand; otherwise only the cards that are publicly known to be there
            and, after the end, all.
        unknown: cards that a record with unknown cards does not place: not to be shown in a hand.
    """
    seats = range(state.config.num_players)
    phase = Phase(int(state.phase[index]))
    every = show_hands or phase is Phase.GAME_OVER
    chosen = int(state.chosen_card[index])
    hands = [
        set(state.hand(index, seat) if every else state.known_in_hand(index, seat))
        for seat in seats
    ]
    return _scene(
        state.config,
        names,
        None,
        (int(state.mover[index]), phase, int(state.turn[index]), int(state.deck_left[index])),
        chosen if chosen >= 0 and show_hands and chosen not in unknown else None,
        [tuple(state.arboretum(index, seat)) for seat in seats],
        [tuple(state.discard_pile(index, seat)) for seat in seats],
        [hand.difference(unknown) for hand in hands],
    )


def scene_of_position(
    position: Position, seat: int | None = None, *, show_hands: bool = True
) -> Scene:
    """A record's position as a spectator or, with ``seat``, as that seat sees it.

    Args:
        position: of a replay; cards that the record does not place are shown in no hand.
        seat: whose knowledge is shown; None for a spectator.
        show_hands: show a spectator every hand, otherwise only what is publicly known.
    """
    names, unknown = position.record.seats, position.unknown
    if seat is not None:
        return scene_of_view(redact(position.state, seat)[0], names, unknown)
    return scene_of_state(position.state, names=names, show_hands=show_hands, unknown=unknown)


def _scene(
    config: GameConfig,
    names: Sequence[str],
    observer: int | None,
    clock: tuple[int, Phase, int, int],
    chosen_card: int | None,
    arboreta: Sequence[tuple[tuple[int, int, int], ...]],
    discard_piles: Sequence[tuple[int, ...]],
    hands: Sequence[set[int]],
) -> Scene:
    mover, phase, turn, deck_size = clock
    players = config.num_players
    hidden = [
        config.hand_size + (_EXTRA_CARDS[phase] if seat == mover else 0) - len(hands[seat])
        for seat in range(players)
    ]
    sheet = None
    if phase is Phase.GAME_OVER and not any(hidden):
        ordered = [sorted(hand) for hand in hands]
        sheet = score_sheet(config, score_board(config, ordered, arboreta), ordered, arboreta)
    previous = (mover - 1) % players
    planter = mover if phase is Phase.DISCARD else previous
    planted = arboreta[planter][-1][:2] if arboreta[planter] else None
    fresh = phase in (Phase.DRAW_FIRST, Phase.GAME_OVER) and bool(discard_piles[previous])
    return Scene(
        config=config,
        seats=tuple(
            SeatScene(
                name=names[seat] if seat < len(names) else "",
                arboretum=tuple(arboreta[seat]),
                discard_pile=tuple(discard_piles[seat]),
                hand=tuple(sorted(hands[seat])),
                hidden_cards=hidden[seat],
                paths=_paths(config, tuple(arboreta[seat]), sheet, seat),
            )
            for seat in range(players)
        ),
        observer=observer,
        mover=mover,
        phase=phase,
        turn=turn,
        deck_size=deck_size,
        chosen_card=chosen_card,
        last_planted=None if planted is None else (planter, planted),
        last_discarded=previous if fresh and turn > 0 else None,
        sheet=sheet,
    )


def _paths(
    config: GameConfig,
    arboretum: tuple[tuple[int, int, int], ...],
    sheet: ScoreSheet | None,
    seat: int,
) -> tuple[SpeciesPath, ...]:
    paths = _open_paths(config, arboretum)
    if sheet is None:
        return paths
    rows = sheet.players[seat].rows
    return tuple(replace(path, right=rows[path.species].right) for path in paths)


@lru_cache(maxsize=64)  # of a game's positions only every fifth changes an arboretum
def _open_paths(
    config: GameConfig, arboretum: tuple[tuple[int, int, int], ...]
) -> tuple[SpeciesPath, ...]:
    """The best path of every species that has one, while nobody knows the rights."""
    cell_of = {card: (x, y) for x, y, card in arboretum}
    paths = []
    for species in range(config.num_species):
        cards = tuple(best_path(arboretum, species, config.num_ranks))
        if cards:
            cells = tuple(cell_of[card] for card in cards)
            paths.append(SpeciesPath(species, cards, cells, None))
    return tuple(paths)
