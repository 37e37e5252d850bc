"""A second, slow, literal telling of the rules, to check the engine against.

Written from the rulebook alone: it imports nothing of ``arboretum_env`` and shares no idea with
it. Cards are texts (``"M7"``), an arboretum is a dict from (x, y) to a card on a table without
border, and a path is found by walking every path there is. Where a reduced game has R < 8 ranks,
the top rank takes the 8's part.

Actions are tuples: ``("deck",)``, ``("pile", seat)`` with an absolute seat, ``("play", "M7")``,
``("place", (x, y))`` with true coordinates, ``("discard", "M7")``.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

Cell = tuple[int, int]
Arboretum = dict[Cell, str]  # cell -> card, in planting order
Action = tuple[Any, ...]

FIRST, SECOND, PLAY, PLACE, DISCARD, OVER = (
    "draw_first",
    "draw_second",
    "play",
    "place",
    "discard",
    "over",
)


class IllegalMoveError(Exception):
    """The rules forbid the action here."""


@dataclass(frozen=True)
class Options:
    """What a game is played with; the defaults are the two-player game of the rulebook."""

    num_players: int = 2
    species: str = "CDJVLG"
    num_ranks: int = 8
    hand_size: int = 7
    starting_discards: bool = False
    cancel_eights: bool = True
    rights: str = "highest"

    @cached_property
    def cards(self) -> list[str]:
        """Every card in play, species by species, rank by rank: a card's place here is its id."""
        return [f"{s}{rank}" for s in self.species for rank in range(1, self.num_ranks + 1)]


@dataclass(frozen=True)
class SpeciesScore:
    """One player's account of one species."""

    hand_sum: int
    right: bool
    path_points: int  # of the best path, whoever has the right
    points: int  # what counts


@dataclass(frozen=True)
class Score:
    """The end of a game: per seat and species, then the totals."""

    species: list[dict[str, SpeciesScore]]
    totals: list[int]
    distinct_species: list[int]
    winners: list[int]


def rank(card: str) -> int:
    """``M7`` -> 7."""
    return int(card[1:])


def neighbours(cell: Cell) -> list[Cell]:
    """The four orthogonal neighbours."""
    x, y = cell
    return [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]


def increasing_paths(arboretum: Mapping[Cell, str], start: Cell) -> Iterator[list[Cell]]:
    """Every way of stepping from ``start`` to orthogonal neighbours of strictly higher rank."""
    yield [start]
    for cell in neighbours(start):
        if cell in arboretum and rank(arboretum[cell]) > rank(arboretum[start]):
            for rest in increasing_paths(arboretum, cell):
                yield [start, *rest]


def scoring_paths(arboretum: Mapping[Cell, str], species: str) -> list[list[str]]:
    """Every path that could score ``species``: both ends of it, at least two cards."""
    found = []
    for start, card in arboretum.items():
        if card[0] != species:
            continue
        for cells in increasing_paths(arboretum, start):
            cards = [arboretum[cell] for cell in cells]
            if len(cards) >= 2 and cards[-1][0] == species:
                found.append(cards)
    return found


def path_points(cards: Sequence[str], top_rank: int = 8) -> int:
    """Points of one path, whose ends are of the scored species."""
    all_of_it = all(card[0] == cards[0][0] for card in cards)
    points = len(cards)
    if len(cards) >= 4 and all_of_it:
        points = 2 * len(cards)
    if rank(cards[0]) == 1:
        points += 1
    if rank(cards[-1]) == top_rank:
        points += 2
    return points


def best_path_points(arboretum: Mapping[Cell, str], species: str, top_rank: int = 8) -> int:
    """Points of the best path of a species, 0 without one."""
    paths = scoring_paths(arboretum, species)
    return max((path_points(path, top_rank) for path in paths), default=0)


def hand_sum(options: Options, hands: Sequence[Sequence[str]], seat: int, species: str) -> int:
    """The sum that decides the right: ranks of the species left in this seat's hand."""
    total = 0
    for card in hands[seat]:
        if card[0] != species:
            continue
        others = [other for k, hand in enumerate(hands) if k != seat for other in hand]
        is_eight = rank(card) == options.num_ranks
        cancelled = options.cancel_eights and is_eight and f"{species}1" in others
        total += 0 if cancelled else rank(card)
    return total


def score_table(
    options: Options, hands: Sequence[Sequence[str]], arboreta: Sequence[Mapping[Cell, str]]
) -> Score:
    """Score hands and arboreta, whatever led to them."""
    seats = range(len(hands))
    per_seat: list[dict[str, SpeciesScore]] = [{} for _ in seats]
    for species in options.species:
        sums = [hand_sum(options, hands, seat, species) for seat in seats]
        for seat in seats:
            # The highest sum has the right and ties share it; when nobody holds the species all
            # sums are 0, so that everybody has it.
            right = options.rights == "all" or sums[seat] == max(sums)
            best = best_path_points(arboreta[seat], species, options.num_ranks)
            points = best if right else 0
            per_seat[seat][species] = SpeciesScore(sums[seat], right, best, points)
    totals = [sum(entry.points for entry in per_seat[seat].values()) for seat in seats]
    distinct = [len({card[0] for card in arboreta[seat].values()}) for seat in seats]
    tied = [seat for seat in seats if totals[seat] == max(totals)]
    most = max(distinct[seat] for seat in tied)
    winners = [seat for seat in tied if distinct[seat] == most]
    return Score(per_seat, totals, distinct, winners)


class ReferenceGame:
    """One game from an exact deal.

    Attributes:
        options: what the game is played with.
        hands: cards in hand per seat, in the order they came.
        deck: what is left of it; the next card to be drawn is the first.
        discards: pile per seat, bottom first, top last.
        arboreta: planted cards per seat, in planting order.
        known: per seat, the hand cards that everybody saw it take from a pile.
        turn: completed turns; seat 0 takes the first.
        phase: what the mover decides next.
        chosen: the card chosen but not yet placed (still a hand card), or None.
    """

    def __init__(
        self,
        options: Options,
        hands: Sequence[Sequence[str]],
        deck: Sequence[str],
        discards: Sequence[Sequence[str]] | None = None,
    ) -> None:
        self.options = options
        self.hands = [list(hand) for hand in hands]
        self.deck = list(deck)
        self.discards = [list(pile) for pile in discards or [[] for _ in hands]]
        self.arboreta: list[Arboretum] = [{} for _ in hands]
        self.known: list[set[str]] = [set() for _ in hands]
        self.turn = 0
        self.phase = FIRST
        self.chosen: str | None = None

    @classmethod
    def from_shuffle(cls, options: Options, shuffled: Sequence[str]) -> "ReferenceGame":
        """Set up from a shuffled pack: hands first, then any starting discards, in seat order."""
        pack = list(shuffled)
        hands = [
            [pack.pop(0) for _ in range(options.hand_size)] for _ in range(options.num_players)
        ]
        discards: list[list[str]] = [[] for _ in hands]
        if options.starting_discards:
            for pile in discards[1:]:
                pile.append(pack.pop(0))
        return cls(options, hands, pack, discards)

    def copy(self) -> "ReferenceGame":
        """An independent copy of this position."""
        twin = ReferenceGame(self.options, self.hands, self.deck, self.discards)
        twin.arboreta = [dict(arboretum) for arboretum in self.arboreta]
        twin.known = [set(cards) for cards in self.known]
        twin.turn, twin.phase, twin.chosen = self.turn, self.phase, self.chosen
        return twin

    @property
    def mover(self) -> int:
        """Absolute seat whose turn it is."""
        return self.turn % self.options.num_players

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.phase == OVER

    def legal(self) -> set[Action]:
        """Every action that the mover may take now; empty once the game is over."""
        hand = self.hands[self.mover]
        if self.phase in (FIRST, SECOND):
            actions: set[Action] = {("pile", k) for k, pile in enumerate(self.discards) if pile}
            if self.deck:
                actions.add(("deck",))
            return actions
        if self.phase == PLAY:
            return {("play", card) for card in hand}
        if self.phase == PLACE:
            return {("place", cell) for cell in self.open_cells(self.mover)}
        if self.phase == DISCARD:
            return {("discard", card) for card in hand}
        return set()

    def open_cells(self, seat: int) -> set[Cell]:
        """Where a seat may plant: next to any own card; the first card anywhere, called (0, 0)."""
        planted = self.arboreta[seat]
        if not planted:
            return {(0, 0)}
        return {near for cell in planted for near in neighbours(cell) if near not in planted}

    def apply(self, action: Action) -> None:
        """Take a legal action.

        Raises:
            IllegalMoveError: the rules forbid the action here.
        """
        if action not in self.legal():
            raise IllegalMoveError(f"{action} is not legal in phase {self.phase}")
        seat = self.mover
        hand = self.hands[seat]
        match action:
            case ("deck",):
                hand.append(self.deck.pop(0))
                self.phase = SECOND if self.phase == FIRST else PLAY
            case ("pile", owner):
                card = self.discards[owner].pop()
                hand.append(card)
                self.known[seat].add(card)
                self.phase = SECOND if self.phase == FIRST else PLAY
            case ("play", card):
                self.chosen = card
                self.phase = PLACE
            case ("place", cell):
                assert self.chosen is not None
                self._leave_hand(seat, self.chosen)
                self.arboreta[seat][cell] = self.chosen
                self.chosen = None
                self.phase = DISCARD
            case ("discard", card):
                self._leave_hand(seat, card)
                self.discards[seat].append(card)
                # Whoever took the deck's last card finishes the turn; then all is over.
                self.phase = FIRST if self.deck else OVER
                self.turn += 1

    def _leave_hand(self, seat: int, card: str) -> None:
        self.hands[seat].remove(card)
        self.known[seat].discard(card)

    def score(self) -> Score:
        """The score of this position, with the hands as they are."""
        return score_table(self.options, self.hands, self.arboreta)
