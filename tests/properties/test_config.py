"""GameConfig: the derived sizes of the full games, and one clear line for what cannot be played."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arboretum_env.actions import action_slices, num_actions
from arboretum_env.config import GameConfig
from arboretum_env.errors import ConfigError
from arboretum_env.observation import observation_length
from tests.properties.strategies import SOME, configs

# Players, starting discards, cards, deck, fewest and most turns, most plants, side, actions.
FULL_GAMES = [
    (2, False, 48, 34, 17, 33, 17, 19, 460),
    (3, False, 64, 43, 22, 42, 14, 16, 388),
    (4, False, 80, 52, 26, 51, 13, 15, 390),
    (2, True, 48, 33, 17, 33, 17, 19, 460),
    (3, True, 64, 41, 21, 42, 14, 16, 388),
    (4, True, 80, 49, 25, 51, 13, 15, 390),
]


@pytest.mark.parametrize("row", FULL_GAMES, ids=str)
def test_sizes_of_the_full_games(row: tuple[int, ...]) -> None:
    players, starting, cards, deck, fewest, most, plants, side, actions = row
    config = GameConfig(num_players=players, starting_discards=bool(starting))
    assert config.num_cards == cards
    assert config.deck_size == deck
    assert (config.min_turns, config.max_turns) == (fewest, most)
    assert (config.max_plants, config.side) == (plants, side)
    assert num_actions(config) == actions
    assert observation_length(config) == 4 * cards + 9
    assert (config.num_ranks, config.hand_size) == (8, 7)
    assert (config.cancel_eights, config.rights) == (True, "highest")


def test_action_ranges_of_the_two_player_game() -> None:
    assert action_slices(GameConfig()) == {
        "draw_deck": slice(0, 1),
        "draw_discard": slice(1, 3),
        "play_card": slice(3, 51),
        "place_cell": slice(51, 412),
        "discard_card": slice(412, 460),
    }


def test_a_number_of_species_means_the_first_ones() -> None:
    assert GameConfig(species=3, num_ranks=6).species == "CDJ"
    assert GameConfig(num_players=4).species == "CDJVLGMPOW"


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"num_players": 1}, "num_players"),
        ({"num_players": 5}, "num_players"),
        ({"num_players": "many"}, "num_players"),
        ({"num_ranks": 2}, "num_ranks"),
        ({"num_ranks": 9}, "num_ranks"),
        ({"hand_size": 0}, "hand_size"),
        ({"hand_size": 8}, "hand_size"),
        ({"species": 1}, "1 species"),
        ({"species": 11}, "11 species"),
        ({"species": "C"}, "1 species"),
        ({"species": "CCD"}, "'CCD'"),
        ({"species": "CDX"}, "'CDX'"),
        ({"species": "cd"}, "'cd'"),
        ({"rights": "none"}, "rights"),
        ({"cancel_eights": "perhaps"}, "cancel_eights"),
        ({"starting_discards": 2}, "starting_discards"),
        ({"colour": "red"}, "colour"),
        # A deck of 1 would leave no legal second draw on turn one.
        ({"species": 2, "num_ranks": 3, "hand_size": 3}, "deck of 0"),
        ({"species": 3, "num_ranks": 5, "hand_size": 7}, "deck of 1"),
        ({"species": 2, "num_ranks": 8, "starting_discards": True}, "deck of 1"),
        ({"num_players": 4, "species": 2}, "deck of -12"),
    ],
)
def test_what_cannot_be_played_is_told_in_one_line(options: dict[str, Any], told: str) -> None:
    with pytest.raises(ConfigError) as raised:
        GameConfig(**options)
    message = str(raised.value)
    assert told in message
    assert "\n" not in message


def test_a_deck_of_two_is_enough() -> None:
    assert GameConfig(species=2).deck_size == 2
    assert GameConfig(species=3, num_ranks=5, hand_size=6, starting_discards=True).deck_size == 2


@SOME
@given(
    st.integers(0, 6),
    st.integers(0, 12),
    st.integers(0, 10),
    st.integers(0, 9),
    st.booleans(),
)
def test_a_config_is_playable_or_refused(
    players: int, species: int, ranks: int, hand: int, starting: bool
) -> None:
    in_range = 2 <= players <= 4 and 2 <= species <= 10 and 3 <= ranks <= 8 and 1 <= hand <= 7
    deck = species * ranks - players * hand - (players - 1) * starting
    options = {"num_players": players, "species": species, "num_ranks": ranks}
    options |= {"hand_size": hand, "starting_discards": starting}
    if in_range and deck >= 2:
        assert GameConfig(**options).deck_size == deck
    else:
        with pytest.raises(ConfigError):
            GameConfig(**options)


@SOME
@given(configs())
def test_derived_bounds(config: GameConfig) -> None:
    """D cards after hands, at most D - 1 turns, W = ceil((D-1)/P) + 2."""
    after_hands = config.num_species * config.num_ranks - config.num_players * config.hand_size
    assert config.max_turns == after_hands - 1
    assert config.side == -(-(after_hands - 1) // config.num_players) + 2
    assert num_actions(config) == 1 + config.num_players + 2 * config.num_cards + config.side**2


def test_a_config_cannot_be_changed() -> None:
    config = GameConfig()
    with pytest.raises(ValueError, match="frozen"):
        config.num_players = 3
