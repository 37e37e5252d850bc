"""Measures of the course of play: draws, discards and what became of them, against slow replays."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from arboretum_agents.registry import make_agent
from arboretum_env.actions import decode
from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal
from arboretum_env.engine.moves import apply_action
from arboretum_env.engine.state import GameState
from arboretum_env.errors import RecordError
from arboretum_env.match import play_match
from arboretum_env.phase import Phase
from arboretum_env.records.arb_reader import read_arb
from arboretum_env.records.files import load_record
from arboretum_env.records.from_game import record_from_match
from arboretum_env.records.replay import positions
from arboretum_training.research.discards import discards
from arboretum_training.research.games import PlayedGames
from arboretum_training.research.tempo import tempo
from tests.analysis.games import THROWN_AWAY
from tests.random_games import CONFIGS
from tests.research.boards import lists_of, points_of

GAMES = Path(__file__).parents[1] / "data" / "games"


def random_games(config: GameConfig, count: int) -> PlayedGames:
    agent, ids = make_agent("random", config), np.arange(count, dtype=np.uint64)
    agent.reset(ids, 4)
    seating = np.zeros((count, config.num_players), np.int64)
    return PlayedGames.of_match(
        play_match(deal(config, 21, ids), [agent], seating, ids, keep_actions=True)
    )


def test_a_game_by_hand() -> None:
    """``tests.analysis.games``: all draws from the deck, seven discards, seat 0 ends the game."""
    record = read_arb(THROWN_AWAY)
    games = PlayedGames.of_records([record])
    drawn = tempo(games)
    assert drawn.draws.tolist() == [[[8, 0, 0], [6, 0, 0]]]
    assert (drawn.turns.tolist(), drawn.closer.tolist()) == ([7], [0])
    assert drawn.deck_share().tolist() == [[1.0, 1.0]] * 7

    left = discards(games)
    texts = [record.config.card_text(int(card)) for card in left.card]
    assert texts == ["D2", "D3", "D5", "D6", "C6", "C7", "C8"]
    assert left.seat.tolist() == [0, 1, 0, 1, 0, 1, 0]
    assert left.turn.tolist() == list(range(7))
    assert (left.taken_by == -1).all() and (left.taken_on == -1).all()
    # C8: next to C1 it makes seat 0's C1 C8, 2 + 1 + 2; seat 1's C2 C3 becomes C2 C3 C8, 5 for 2.
    assert left.path_gain[-1].tolist() == [5, 3]
    assert left.exposure[-1] == 3
    # In seat 0's hand it would take 2 points from seat 1, in seat 1's it would change nothing.
    assert left.right_gain[-1].tolist() == [[0, -2], [0, 0]]
    assert left.right_exposure[-1] == 0


def test_draws_from_piles_by_hand() -> None:
    """Seat 1 takes D2 up again, which seat 0 discarded; seat 0 takes its own D5 back."""
    text = """[Arboretum "1"]
[Players "2"]
[Species "CD"]
[StartingDiscards "0"]
[Hands "C8 / C4"]
[Deck "D1 D2 C2 D3 D4 D5 C3 D6 C5 C6 C7 D8 C1 D7"]
[Result "*"]

1. d d D1@0,0 xD2
2. p0(D2) d C2@0,0 xD2
3. d d D3@1,0 xD4
4. p0(D4) p1(D2) D2@1,0 xD4
"""
    whole = read_arb(text)
    with pytest.raises(RecordError, match="not finished"):
        PlayedGames.of_records([whole])
    # The same four turns as a batch, cut off there.
    every = list(positions(whole))
    games = PlayedGames(
        every[0].state, np.array(every[-1].actions, np.int16)[:, None], every[-1].state
    )
    drawn = tempo(games)
    assert drawn.draws.tolist() == [[[4, 0, 0], [1, 1, 2]]]
    assert drawn.source[:, :, 0].tolist() == [[0, 0], [2, 0], [0, 0], [2, 1]]
    left = discards(games)
    assert left.taken_by.tolist() == [1, 1, 1, -1]
    assert left.taken_on.tolist() == [1, 3, 3, -1]


@pytest.mark.parametrize("name", CONFIGS)
def test_every_draw_and_discard_of_random_games(name: str) -> None:
    config = CONFIGS[name]
    games = random_games(config, 3)
    drawn, left = tempo(games), discards(games)
    number = {
        (int(g), int(t)): i for i, (g, t) in enumerate(zip(left.game, left.turn, strict=True))
    }
    found = 0
    for game in range(3):
        state = games.initial.select([game])
        draws = np.zeros((config.num_players, 3), np.int64)
        lying: dict[int, int] = {}  # card -> discard
        taken: dict[int, tuple[int, int]] = {}
        last = -1
        for action in games.actions[:, game][games.actions[:, game] >= 0]:
            seat, turn = int(state.mover[0]), int(state.turn[0])
            before = [state.discard_pile(0, p) for p in range(config.num_players)]
            phase, meant = Phase(int(state.phase[0])), decode(config, int(action))
            left_before = int(state.deck_left[0])
            apply_action(state, np.array([action]))
            if meant.kind == "draw_deck":
                draws[seat, 0] += 1
                last = seat if left_before == 1 else last
            elif meant.kind == "draw_discard":
                draws[seat, 1 if meant.index == 0 else 2] += 1
                card = before[(seat + meant.index) % config.num_players][-1]
                if card in lying:
                    taken[lying.pop(card)] = seat, turn
            elif phase is Phase.DISCARD:
                row = number[game, turn]
                lying[meant.index] = row
                assert (left.seat[row], left.card[row]) == (seat, meant.index)
                check_discard(state, left.path_gain[row], left.right_gain[row], meant.index)
                found += 1
        assert np.array_equal(drawn.draws[game], draws)
        assert drawn.turns[game] == state.turn[0]
        assert drawn.closer[game] == last
        for row in np.flatnonzero(left.game == game):
            assert (left.taken_by[row], left.taken_on[row]) == taken.get(int(row), (-1, -1))
    assert found == len(left.card)
    assert (left.taken_by >= 0).any()


def gain_of(config: GameConfig, planted: list[tuple[int, int, int]], card: int) -> int:
    """The most that a card adds to the best paths of one arboretum, cell by cell."""
    everything = config.model_copy(update={"rights": "all"})
    nobody: list[list[int]] = [[] for _ in range(config.num_players)]

    def paths(cards: list[tuple[int, int, int]]) -> int:
        return int(points_of(everything, nobody, [cards, *nobody[1:]])[0])  # type: ignore[list-item]

    taken = {(x, y) for x, y, _ in planted}
    near = {(x + dx, y + dy) for x, y in taken for dx, dy in ((0, 1), (0, -1), (1, 0), (-1, 0))}
    cells = (near - taken) or {(0, 0)}
    return max(paths([*planted, (x, y, card)]) for x, y in cells) - paths(planted)


def check_discard(
    state: GameState, path_gain: NDArray[np.int64], right_gain: NDArray[np.int64], card: int
) -> None:
    """Against lists: the card planted on every cell, and the card in every hand."""
    config = state.config
    hands, arboreta = lists_of(state, 0)
    now = points_of(config, hands, arboreta)
    for seat in range(config.num_players):
        assert path_gain[seat] == gain_of(config, arboreta[seat], card)
        held = [[*hand, card] if p == seat else hand for p, hand in enumerate(hands)]
        assert np.array_equal(right_gain[seat], points_of(config, held, arboreta) - now)


def test_games_of_several_records_keep_their_order_and_length() -> None:
    config = GameConfig(num_players=3)
    games = random_games(config, 4)
    records = [
        record_from_match(games.initial, games.actions[:, g][games.actions[:, g] >= 0], index=g)
        for g in range(4)
    ]
    again = PlayedGames.of_records(records)
    assert np.array_equal(again.actions, games.actions)
    assert np.array_equal(again.scores.points, games.scores.points)
    assert [int(turn) for turn in again.final.turn] == [int(turn) for turn in games.final.turn]


def test_what_is_not_known_whole_is_refused() -> None:
    for name in ("unfinished.arb", "one_chair.arb"):
        with pytest.raises(RecordError, match=r"not finished|unknown"):
            PlayedGames.of_records([load_record(GAMES / name)])
    kinds = [load_record(GAMES / name) for name in ("four_players.arb", "anu_game_1.arb")]
    with pytest.raises(RecordError, match="one kind at a time"):
        PlayedGames.of_records(kinds)
