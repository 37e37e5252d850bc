"""A final score explained, species by species: sums in hand, rights, best paths, points."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from arboretum_env.cards import SPECIES_NAMES
from arboretum_env.config import GameConfig
from arboretum_env.display import Displayed
from arboretum_env.engine.scoring import Scores, best_path, score
from arboretum_env.engine.state import GameState


@dataclass(frozen=True)
class SpeciesRow:
    """One player's account of one species.

    Attributes:
        species: the letter.
        held: ranks left in hand, ascending.
        cancelled: whether an opponent's 1 set the held top rank to 0.
        hand_sum: the sum that decides the right, a cancelled top rank counted 0.
        right: whether the player may score the species.
        best_path: cards of one best path in order, as texts; empty if there is none.
        path_points: the best path's points, whatever the right.
    """

    species: str
    held: tuple[int, ...]
    cancelled: bool
    hand_sum: int
    right: bool
    best_path: tuple[str, ...]
    path_points: int

    @property
    def points(self) -> int:
        """What the player scores."""
        return self.path_points if self.right else 0

    @property
    def sum_text(self) -> str:
        """The sum with its terms, a cancelled top rank in brackets: ``1+3+(8) = 4``."""
        terms = [str(rank) for rank in self.held]
        if self.cancelled:
            terms[-1] = f"({terms[-1]})"
        if len(terms) < 2 and not self.cancelled:
            return str(self.hand_sum)
        return f"{'+'.join(terms)} = {self.hand_sum}"


@dataclass(frozen=True)
class PlayerSheet:
    """One player's rows, in the order of the species in play, and what the tie-break counts."""

    rows: tuple[SpeciesRow, ...]
    distinct_species: int

    @property
    def score(self) -> int:
        """The player's total."""
        return sum(row.points for row in self.rows)


@dataclass(frozen=True)
class ScoreSheet(Displayed):
    """The whole account of one game.

    Attributes:
        players: a sheet per seat.
        winners: seats that win, ascending; several share the win.
    """

    players: tuple[PlayerSheet, ...]
    winners: tuple[int, ...]

    @property
    def scores(self) -> tuple[int, ...]:
        """Totals per seat."""
        return tuple(player.score for player in self.players)

    def to_json(self) -> dict[str, Any]:
        """``scores``, ``winners`` and ``players`` as the commands print them."""
        return {
            "scores": list(self.scores),
            "winners": list(self.winners),
            "players": [
                {"species": {row.species: _row_json(row) for row in player.rows}}
                for player in self.players
            ],
        }


def _row_json(row: SpeciesRow) -> dict[str, Any]:
    return {
        "hand_sum": row.hand_sum,
        "right": row.right,
        "best_path": list(row.best_path),
        "path_points": row.path_points,
        "points": row.points,
    }


def score_sheet(
    config: GameConfig,
    scores: Scores,
    hands: Sequence[Sequence[int]],
    arboreta: Sequence[Sequence[tuple[int, int, int]]],
) -> ScoreSheet:
    """Explain the scores of one game.

    Args:
        config: species, ranks and rule switches.
        scores: the scores, a batch of one.
        hands: card ids left in hand, per seat; fewer seats than ``scores`` cut the sheet short.
        arboreta: (x, y, card id) per seat.
    """
    seats = range(len(hands))
    return ScoreSheet(
        players=tuple(
            PlayerSheet(
                rows=tuple(
                    _row(config, scores, seat, species, hands[seat], arboreta[seat])
                    for species in range(config.num_species)
                ),
                distinct_species=int(scores.distinct_species[0, seat]),
            )
            for seat in seats
        ),
        winners=tuple(seat for seat in seats if scores.winners[0, seat]),
    )


def state_sheet(state: GameState) -> ScoreSheet:
    """Explain the scores of a position, a batch of one, with hands and arboreta as they are."""
    seats = range(state.config.num_players)
    return score_sheet(
        state.config,
        score(state),
        [state.hand(0, seat) for seat in seats],
        [state.arboretum(0, seat) for seat in seats],
    )


def _row(
    config: GameConfig,
    scores: Scores,
    seat: int,
    species: int,
    hand: Sequence[int],
    arboretum: Sequence[tuple[int, int, int]],
) -> SpeciesRow:
    ranks = config.num_ranks
    held = tuple(sorted(card % ranks + 1 for card in hand if card // ranks == species))
    hand_sum = int(scores.hand_sum[0, seat, species])
    return SpeciesRow(
        species=config.species[species],
        held=held,
        cancelled=hand_sum != sum(held),
        hand_sum=hand_sum,
        right=bool(scores.right[0, seat, species]),
        best_path=tuple(map(config.card_text, best_path(arboretum, species, ranks))),
        path_points=int(scores.path_points[0, seat, species]),
    )


def sheet_text(sheet: ScoreSheet, names: Sequence[str] = ()) -> str:
    """The sheet as lines of text: a block per player, a row per species.

    Args:
        sheet: the account.
        names: who played, per seat; ``""`` or nothing where unknown.
    """
    blocks = []
    for seat, player in enumerate(sheet.players):
        name = names[seat] if seat < len(names) else ""
        title = f"seat {seat}" + (f" ({name})" if name else "")
        won = ", shares the win" if len(sheet.winners) > 1 else ", wins"
        lines = [f"{title}: {player.score} points{won if seat in sheet.winners else ''}"]
        lines.append(f"  {'species':<17}{'in hand':<20}{'right':<7}{'points':>6}  best path")
        lines += [_row_text(row) for row in player.rows]
        if any(row.cancelled for row in player.rows):
            lines.append("  (in brackets: counts 0, as an opponent holds the 1 of the species)")
        lines.append(f"  species planted (tie-break): {player.distinct_species}")
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks)


def _row_text(row: SpeciesRow) -> str:
    name = f"{row.species} {SPECIES_NAMES[row.species]}"
    path = " ".join(row.best_path)
    if path and not row.right:
        path = f"{path} (denied {row.path_points})"
    right = "yes" if row.right else "no"
    return f"  {name:<17}{row.sum_text:<20}{right:<7}{row.points:>6}  {path or '-'}"
