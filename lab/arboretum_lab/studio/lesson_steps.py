"""The lesson's content: a dozen short steps, each with something to do.

Whether an answer is right is never written here: ``lesson`` asks the engine. Numbers in the words
are those of the step's own board; the tests compute each of them (``CLAIMS`` there).
"""

from dataclasses import dataclass
from typing import Any, Final, Literal

Cards = tuple[str, ...]
Arboretum = tuple[tuple[int, int, str], ...]

Kind = Literal["play", "path", "species", "number", "seats", "discard"]


@dataclass(frozen=True)
class Board:
    """Hands and arboreta, seat 0 is the reader; ``species`` in play."""

    species: str
    hands: tuple[Cards, ...]
    arboreta: tuple[Arboretum, ...]

    def to_json(self) -> dict[str, Any]:
        """As for ``arboretum score``."""
        return {
            "species": self.species,
            "players": [
                {"hand": list(hand), "arboretum": [list(planted) for planted in arboretum]}
                for hand, arboretum in zip(self.hands, self.arboreta, strict=True)
            ],
        }


@dataclass(frozen=True)
class Game:
    """A game under way: an exact deal and the moves so far; the reader is seat 0 and to move."""

    species: str
    hands: tuple[Cards, ...]
    deck: Cards
    moves: tuple[str, ...]


@dataclass(frozen=True)
class Step:
    """One step.

    Attributes:
        id: names it in addresses.
        title: a few words.
        text: paragraphs.
        task: what to do, one sentence.
        kind: what an answer is: ``play`` moves, ``path`` cards in order, ``species`` letters,
            ``number`` one of ``numbers``, ``seats`` seats, ``discard`` one card of seat 0's hand.
        praise: said when it is done, before what the engine has to say.
        board: what it is about, but for ``play``.
        game: of ``play``.
        goal: ``play``: ``pile`` two draws, one of them from a pile; ``turn`` the turn ended and a
            path of ``species`` stands; ``win`` the game won. ``path``: ``any`` of at least
            ``cards`` cards, or ``best``.
        species: that it asks about.
        cards: see ``goal``.
        numbers: choices of ``number``.
    """

    id: str
    title: str
    text: tuple[str, ...]
    task: str
    kind: Kind
    praise: str
    board: Board | None = None
    game: Game | None = None
    goal: Literal["", "pile", "turn", "win", "any", "best"] = ""
    species: str = ""
    cards: int = 2
    numbers: tuple[int, ...] = ()


def _row(*cards: str) -> Arboretum:
    return tuple((x, 0, card) for x, card in enumerate(cards))


_FIRST_TURNS: Final = (
    *("d", "d", "M3@0,0", "xC5"),
    *("d", "d", "C1@0,0", "xO6"),
)
_DEAL: Final[dict[str, Any]] = {
    "species": "MOC",
    "hands": (("M3", "O2", "C5"), ("C1", "M8", "O6")),
    "deck": (
        *("M4", "O7", "C2", "M1", "O4", "M5", "C8", "O1", "M6"),
        *("C3", "O8", "M2", "C6", "O3", "C7", "M7", "O5", "C4"),
    ),
}

STEPS: Final[tuple[Step, ...]] = (
    Step(
        id="draw",
        title="Two cards to begin with",
        text=(
            "You grow an arboretum of trees, a card a turn. A turn has three parts: draw two "
            "cards, plant one, discard one.",
            "Each of the two cards comes from the face-down deck or from the top of any discard "
            "pile, your own or a rival's. You see the first card before you choose the second. "
            "In this small game there are three species and hands of three cards; the real game "
            "has hands of seven.",
        ),
        task="Draw two cards, at least one of them from a discard pile.",
        kind="play",
        goal="pile",
        game=Game(**_DEAL, moves=_FIRST_TURNS),
        praise="What you took from a pile everybody has seen: your rivals know that you hold it.",
    ),
    Step(
        id="plant",
        title="Plant one, discard one",
        text=(
            "Now plant one card next to any card of yours, left, right, above or below, never "
            "diagonally. There is no border, and a planted card never moves.",
            "Then discard one card, face up, onto your own pile. Whoever wants it may take it.",
        ),
        task="Plant the Maple 4 beside your Maple 3, then discard a card.",
        kind="play",
        goal="turn",
        species="M",
        game=Game(**_DEAL, moves=(*_FIRST_TURNS, "p1(O6)", "d")),
        praise="Your turn is over, and your two Maples make a first path.",
    ),
    Step(
        id="path",
        title="Paths climb",
        text=(
            "At the end every species may score one path. A path runs from card to neighbouring "
            "card, and every card is higher than the one before it. Steps may skip ranks, and "
            "the path may turn corners.",
            "It begins and ends with the species that it scores. Between them any species will do.",
        ),
        task="Tap a path of Maple with at least three cards, in order.",
        kind="path",
        goal="any",
        species="M",
        cards=3,
        board=Board(
            "MOC",
            ((), ()),
            (
                (
                    *((0, 1, "C3"), (1, 1, "C5"), (2, 1, "M7")),
                    *((0, 0, "M2"), (1, 0, "O4"), (2, 0, "O6")),
                ),
                (),
            ),
        ),
        praise="Every card of a path is worth a point.",
    ),
    Step(
        id="ends",
        title="Both ends of one species",
        text=(
            "One card may serve the paths of several species. But no path without its two ends: "
            "the lowest and the highest card must be of the species that scores.",
        ),
        task="Which species have a path here?",
        kind="species",
        board=Board(
            "MOC",
            ((), ()),
            (
                (
                    *((0, 1, "C4"), (1, 1, "O2"), (2, 1, "O8")),
                    *((0, 0, "M1"), (1, 0, "O3"), (2, 0, "M5"), (3, 0, "C7")),
                ),
                (),
            ),
        ),
        praise="From the Cassia 4 no way leads up to the Cassia 7.",
    ),
    Step(
        id="worth",
        title="What a path is worth",
        text=(
            "A point for every card. If the path has four cards or more and all are of one "
            "species, two points for every card.",
            "One more if it begins with a 1, two more if it ends with an 8. These last are never "
            "doubled.",
        ),
        task="What is this path of Maple worth?",
        kind="number",
        species="M",
        numbers=(5, 8, 10, 13),
        board=Board("MO", ((), ()), (_row("M1", "M3", "M4", "M6", "M8"), ())),
        praise="Five cards of one species count double.",
    ),
    Step(
        id="best",
        title="Only the best one counts",
        text=(
            "Of each species only one path scores: the best. The longest is not always the best, "
            "nor the first that one sees.",
        ),
        task="Tap the best path of Oak, in order.",
        kind="path",
        goal="best",
        species="O",
        board=Board(
            "MOC",
            ((), ()),
            (
                (
                    *((0, 1, "M3"), (1, 1, "C6"), (2, 1, "O8")),
                    *((0, 0, "O2"), (1, 0, "O4"), (2, 0, "O5"), (3, 0, "O7")),
                ),
                (),
            ),
        ),
        praise="Four Oaks count double, and the 8 adds two.",
    ),
    Step(
        id="right",
        title="The right to score",
        text=(
            "A path scores nothing by itself. For each species everybody adds up the ranks of "
            "that species left in hand. Only the highest sum has the right to score the species; "
            "equal sums share it.",
            "So the cards that would make your path longer are also those that you must keep.",
        ),
        task="Who may score Maple?",
        kind="seats",
        species="M",
        board=Board("MOC", (("M3", "M4", "O5"), ("M6", "C2", "O1")), ((), ())),
        praise="What is planted does not count for the right, only what is held.",
    ),
    Step(
        id="cancel",
        title="The 1 fells the 8",
        text=(
            "The 8 is strong in hand, but there is a cure: if an opponent holds the 1 of the "
            "species, your 8 counts 0. Your own 1 does not hurt your own 8, and a planted or "
            "discarded 1 does nothing.",
        ),
        task="Who may score Maple now?",
        kind="seats",
        species="M",
        board=Board("MOC", (("M8", "O2"), ("M1", "O3"), ("M5", "C4")), ((), (), ())),
        praise="The 1 itself counts 1, whatever it does to the 8.",
    ),
    Step(
        id="nobody",
        title="When nobody holds any",
        text=(
            "If nobody holds a card of a species, all sums are 0, all are equal, and everybody "
            "may score it.",
        ),
        task="Who may score Cassia?",
        kind="seats",
        species="C",
        board=Board("MOC", (("M8", "O2"), ("M1", "O3"), ("M5", "O4")), ((), (), ())),
        praise="A species that nobody fights for is a gift to whoever has planted it.",
    ),
    Step(
        id="twist",
        title="Hold what hurts",
        text=(
            "Here is the twist of the game. The right blocks all others, even if its holder has "
            "no path of the species. A high card kept in hand can cost a rival more than it "
            "would bring you.",
            "The last turn: you have planted and must discard one of four cards. You have seen "
            "your rival take all its hand cards from the piles.",
        ),
        task="Discard the card that lets you win.",
        kind="discard",
        board=Board(
            "MOC",
            (("M2", "M5", "O7", "C3"), ("M6", "O6", "C1")),
            (
                _row("M1", "M3", "C5", "M7"),
                (*_row("O1", "O3", "O4", "O8"), (0, 1, "C2"), (1, 1, "C6")),
            ),
        ),
        praise="Your two Maples keep your own path, and the Oak 7 fells your rival's grove.",
    ),
    Step(
        id="end",
        title="The last card",
        text=(
            "The game ends when the deck is empty: who took its last card finishes the turn, "
            "then all score. If your first card empties the deck, the second has to come from a "
            "pile.",
            "Most points win. If points are equal, whoever planted more species; if that is "
            "equal too, the win is shared.",
        ),
        task="One card is left in the deck. Play the last turn so that you win.",
        kind="play",
        goal="win",
        game=Game(
            species="MO",
            hands=(("M2", "M4", "M7", "O5", "O8"), ("O1", "O3", "O6", "M1", "M6")),
            deck=("M5", "O2", "M8", "O4", "M3", "O7"),
            moves=(
                *("d", "d", "M2@0,0", "xO2"),
                *("d", "d", "O1@0,0", "xM8"),
                *("d", "p1(M8)", "M4@1,0", "xO5"),
                *("p0(O5)", "p0(O2)", "O3@1,0", "xM6"),
            ),
        ),
        praise="That is the whole game.",
    ),
)
