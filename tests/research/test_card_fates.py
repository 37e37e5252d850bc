"""The fates of cards, against a slow walk through each game's own record."""

import numpy as np
import pytest

from arboretum_env.config import GameConfig
from arboretum_env.engine.scoring import score
from arboretum_training.research.card_fates import DISCARDED, KEPT, PLANTED, card_fates
from arboretum_training.research.games import PlayedGames
from arboretum_training.research.studies.tables import games_among_equals


def slow_fates(games: PlayedGames, game: int) -> dict[tuple[int, int], tuple[int, int]]:
    """By seat and card: its fate, and the completed turns when it last came into that hand."""
    state, players = games.initial.select([game]), games.final.config.num_players
    hands = [set(state.hand(0, seat)) for seat in range(players)]
    came = {(seat, card): 0 for seat in range(players) for card in hands[seat]}
    played = PlayedGames(state, games.actions[:, [game]], games.final.select([game]))
    for position, _ in played.decisions():
        for seat in range(players):
            now = set(position.hand(0, seat))
            for card in now - hands[seat]:
                came[seat, card] = int(position.turn[0])
            hands[seat] = now
    end = games.final
    fates = {}
    for seat, card in came:
        planted = {card for _, _, card in end.arboretum(game, seat)}
        kept = set(end.hand(game, seat))
        fate = KEPT if card in kept else PLANTED if card in planted else DISCARDED
        fates[seat, card] = (fate, came[seat, card])
    return fates


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_card_that_a_hand_saw_has_the_fate_that_a_walk_through_the_game_finds(
    players: int,
) -> None:
    games = games_among_equals("greedy@1", GameConfig(num_players=players), 6, 5)
    fates, ranks = card_fates(games), games.final.config.num_ranks
    for game in range(len(games)):
        rows = fates.game == game
        cards = fates.species[rows] * ranks + fates.rank[rows] - 1
        turns = int(games.final.turn[game])
        found = {
            (int(seat), int(card)): (int(fate), round(float(came) * turns))
            for seat, card, fate, came in zip(
                fates.seat[rows], cards, fates.fate[rows], fates.came[rows], strict=True
            )
        }
        assert found == slow_fates(games, game)


def test_paths_and_rights_are_those_of_the_final_scores() -> None:
    games = games_among_equals("planner@1", GameConfig(num_players=3), 8, 6)
    fates, scores = card_fates(games), score(games.final)
    at = (fates.game, fates.seat, fates.species)
    np.testing.assert_array_equal(fates.own_path, scores.path_points[at])
    np.testing.assert_array_equal(fates.right, scores.right[at])
    for row in range(0, len(fates.game), 17):
        paths = scores.path_points[fates.game[row], :, fates.species[row]]
        rivals = [paths[seat] for seat in range(3) if seat != fates.seat[row]]
        assert fates.rival_path[row] == max(rivals)


def test_every_hand_keeps_its_size_and_what_is_planted_is_all_of_the_arboreta() -> None:
    games = games_among_equals("random@1", GameConfig(num_players=4), 10, 7)
    fates = card_fates(games)
    for game in range(len(games)):
        for seat in range(4):
            rows = (fates.game == game) & (fates.seat == seat)
            assert (fates.fate[rows] == KEPT).sum() == 7
            assert (fates.fate[rows] == PLANTED).sum() == len(games.final.arboretum(game, seat))


def test_shares_by_rank_are_those_that_counting_gives() -> None:
    games = games_among_equals("planner@1", GameConfig(num_players=2), 16, 8)
    fates = card_fates(games)
    shares = fates.kept_by_rank(8)
    for rank in range(1, 9):
        of_rank = [fate for fate, r in zip(fates.fate, fates.rank, strict=True) if r == rank]
        assert shares[rank - 1] == pytest.approx(of_rank.count(KEPT) / len(of_rank))
