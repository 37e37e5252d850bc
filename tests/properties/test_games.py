"""What holds in every position of every game, whatever its options."""

import numpy as np
from hypothesis import given

from arboretum_env.config import GameConfig
from arboretum_env.engine.state import GameState
from arboretum_env.phase import Phase
from tests.properties.strategies import SOME, configs, seeds
from tests.random_games import random_positions

# docs/rules.md: hand_size before a turn, two more after drawing, as before in the end.
EXTRA_CARDS = {
    Phase.DRAW_FIRST: 0,
    Phase.DRAW_SECOND: 1,
    Phase.PLAY: 2,
    Phase.PLACE: 2,
    Phase.DISCARD: 1,
    Phase.GAME_OVER: 0,
}


GAMES = 3


def places(state: GameState, game: int) -> list[list[int]]:
    """Every place where a card can be."""
    found = [state.deck(game)]
    for seat in range(state.config.num_players):
        found += [state.hand(game, seat), state.discard_pile(game, seat)]
        found.append([card for _, _, card in state.arboretum(game, seat)])
    return found


@SOME
@given(configs(), seeds)
def test_every_card_is_in_exactly_one_place(config: GameConfig, seed: int) -> None:
    for state, _ in random_positions(config, GAMES, seed):
        for game in range(len(state)):
            cards = sorted(card for place in places(state, game) for card in place)
            assert cards == list(range(config.num_cards))


@SOME
@given(configs(), seeds)
def test_hand_sizes_by_phase(config: GameConfig, seed: int) -> None:
    for state, _ in random_positions(config, GAMES, seed):
        for game in range(len(state)):
            extra = EXTRA_CARDS[Phase(int(state.phase[game]))]
            for seat in range(config.num_players):
                expected = config.hand_size + extra * (seat == state.mover[game])
                assert len(state.hand(game, seat)) == expected


@SOME
@given(configs(), seeds)
def test_a_mover_always_has_an_action_and_a_finished_game_none(
    config: GameConfig, seed: int
) -> None:
    for state, mask in random_positions(config, GAMES, seed):
        assert (mask.any(axis=1) == ~state.done).all()
        assert (state.done == (state.phase == Phase.GAME_OVER)).all()


@SOME
@given(configs(), seeds)
def test_each_turn_takes_one_card_out_of_deck_and_discards(config: GameConfig, seed: int) -> None:
    """What the bounds of docs/rules.md, The end, follow from."""
    start = config.num_cards - config.num_players * config.hand_size
    for state, _ in random_positions(config, GAMES, seed):
        for game in np.flatnonzero(state.phase == Phase.DRAW_FIRST).tolist():
            piles = [state.discard_pile(game, seat) for seat in range(config.num_players)]
            left = int(state.deck_left[game]) + sum(map(len, piles))
            assert left == start - state.turn[game]


@SOME
@given(configs(), seeds)
def test_turns_plants_and_reach(config: GameConfig, seed: int) -> None:
    """The bounds on turns, planted cards, coordinates and extent, at the end of games."""
    *_, (state, _) = random_positions(config, GAMES, seed)
    after_hands = config.num_cards - config.num_players * config.hand_size
    deck = after_hands - (config.num_players - 1) * config.starting_discards
    most_plants = -(-(after_hands - 1) // config.num_players)
    for game in range(len(state)):
        turns = int(state.turn[game])
        assert -(-deck // 2) <= turns <= after_hands - 1
        for seat in range(config.num_players):
            planted = state.arboretum(game, seat)
            # Seats plant once a turn, from seat 0 on.
            assert len(planted) == len(range(seat, turns, config.num_players)) <= most_plants
            if planted:
                x, y, _ = zip(*planted, strict=True)
                assert (x[0], y[0]) == (0, 0)
                assert max(map(abs, x + y)) <= most_plants - 1
                assert (max(x) - min(x) + 1) + (max(y) - min(y) + 1) <= len(planted) + 1


@SOME
@given(configs(), seeds)
def test_arboreta_are_connected_and_never_covered(config: GameConfig, seed: int) -> None:
    """Each later card touches an earlier one, on its true coordinates."""
    *_, (state, _) = random_positions(config, GAMES, seed)
    for game in range(len(state)):
        for seat in range(config.num_players):
            earlier: set[tuple[int, int]] = set()
            for x, y, _ in state.arboretum(game, seat):
                assert (x, y) not in earlier
                touching = {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} & earlier
                assert touching or not earlier
                earlier.add((x, y))
