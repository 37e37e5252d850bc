"""What a score says beyond its total: path points lost for want of a right, and shared wins."""

from arboretum_env.config import GameConfig
from arboretum_env.engine.scoring import score_board

CONFIG = GameConfig(num_players=2, species="MOC")


def cards(text: str) -> list[int]:
    return [CONFIG.parse_card(card) for card in text.split()]


def row(text: str) -> list[tuple[int, int, int]]:
    return [(x, 0, card) for x, card in enumerate(cards(text))]


def test_denied_points_are_all_path_points_without_the_right() -> None:
    """Seat 0's Maple (3) and Oak (4) are denied by seat 1's hand, its Cassia (2) is not."""
    scores = score_board(
        CONFIG,
        [cards("C5"), cards("M8 O3 C4")],
        [row("M2 M3 M4 O2 O8 C2 C3"), row("C6 C7")],
    )
    assert scores.path_points.tolist() == [[[3, 4, 2], [0, 0, 2]]]
    assert scores.right.tolist() == [[[False, False, True], [True, True, False]]]
    assert scores.points.tolist() == [[2, 0]]
    assert scores.denied_points.tolist() == [[3 + 4, 2]]
    assert scores.win_shares.tolist() == [[1.0, 0.0]]


def test_a_win_shared_by_two_counts_half_for_each() -> None:
    scores = score_board(CONFIG, [[], []], [row("M2 M3"), row("O2 O3")])
    assert scores.points.tolist() == [[2, 2]]
    assert scores.denied_points.tolist() == [[0, 0]]
    assert scores.win_shares.tolist() == [[0.5, 0.5]]
