"""Deals of ``reset``: seeds, streams, exact deals, and what is refused."""

import copy
from typing import Any

import numpy as np
import pytest

from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal
from arboretum_env.errors import ActionError, ConfigError, DealError, ViewError
from arboretum_env.pettingzoo_env import env, raw_env
from arboretum_env.seeding import Purpose, root_from_seed
from tests.api.aec_conformance import fingerprint


def cards(text: str) -> list[str]:
    return text.split()


HANDS = [cards("C8 D3 J2 V6 V8 L5 G2"), cards("D1 D8 J7 V4 L2 G1 G8")]
DECK = cards(
    "V1 C6 C1 C2 C3 C4 C5 C7 D2 D4 D5 D6 D7 J1 J3 J4 J5 J6 J8 V2 V3 V5 V7 L1 L3 L4 L6 L7 L8 "
    "G3 G4 G5 G6 G7"
)
DEAL: dict[str, Any] = {"hands": HANDS, "deck": DECK}


def position(environment: Any) -> tuple[list[list[int]], list[int], list[list[int]]]:
    """(hands, deck, piles) of the game that is being played."""
    game = environment.unwrapped._game
    seats = range(game.config.num_players)
    return (
        [game.hand(0, seat) for seat in seats],
        game.deck(0),
        [game.discard_pile(0, seat) for seat in seats],
    )


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_seed_deals_the_engines_games_in_order(players: int) -> None:
    environment = raw_env(num_players=players)
    games = deal(GameConfig(num_players=players), root_from_seed(42, Purpose.USER), [0, 1, 2])
    for number in range(3):
        environment.reset(seed=42 if number == 0 else None)
        hands, deck, _ = position(environment)
        assert hands == [games.hand(number, seat) for seat in range(players)]
        assert deck == games.deck(number)
    environment.reset(seed=np.int64(42))
    assert position(environment)[1] == games.deck(0)


def test_exact_deal() -> None:
    config = GameConfig()
    for environment in (raw_env(), env()):
        environment.reset(options=DEAL)
        hands, deck, piles = position(environment)
        assert [sorted(map(config.card_text, hand)) for hand in hands] == [*map(sorted, HANDS)]
        assert [config.card_text(card) for card in deck] == DECK
        assert piles == [[], []]
        assert environment.agent_selection == "player_0"


def test_exact_deal_with_ids_arrays_and_starting_discards() -> None:
    config = GameConfig(num_players=3, species=3, num_ranks=4, hand_size=2, starting_discards=True)
    options = {
        "hands": np.arange(6).reshape(3, 2),
        "deck": tuple(range(8, 12)),
        "discards": [[], [np.int64(6)], ["D4"]],
    }
    environment = raw_env(config=config)
    environment.reset(options=options)
    assert position(environment) == ([[0, 1], [2, 3], [4, 5]], [8, 9, 10, 11], [[], [6], [7]])


def test_an_exact_deal_takes_no_game_from_the_stream() -> None:
    plain, mixed = raw_env(), raw_env()
    plain.reset(seed=7)
    mixed.reset(seed=7, options=DEAL)
    mixed.reset()
    assert position(mixed) == position(plain)
    plain.reset()
    mixed.reset(options=DEAL)
    mixed.reset()
    assert position(mixed) == position(plain)


def test_options_of_others_are_ignored() -> None:
    plain, other = raw_env(), raw_env()
    plain.reset(seed=7)
    other.reset(seed=7, options={"render_fps": 3, "options": 1})
    assert fingerprint(plain) == fingerprint(other)
    other.reset(seed=7, options={})
    assert fingerprint(plain) == fingerprint(other)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"hands": HANDS}, "needs both 'hands' and 'deck'"),
        ({"deck": DECK}, "needs both 'hands' and 'deck'"),
        ({"discards": [[], []]}, "needs both 'hands' and 'deck'"),
        ({**DEAL, "dekc": []}, "option 'dekc': expected .*; did you mean 'deck'"),
        ({**DEAL, "seed": 1}, "option 'seed': expected 'hands', 'deck', 'discards'$"),
        ({"hand": HANDS}, "option 'hand': expected .*; did you mean 'hands'"),
        ({"Deck": DECK}, "option 'Deck': expected .*; did you mean 'deck'"),
        ({**DEAL, "hands": None}, "hands None: expected a list"),
        ({**DEAL, "hands": "C8 D3"}, "hands 'C8 D3': expected a list"),
        ({**DEAL, "hands": ["C8 D3", HANDS[1]]}, r"hands\[0\] 'C8 D3': expected a list"),
        ({**DEAL, "hands": HANDS[:1]}, "1 hands and 2 discard piles: expected 2 of each"),
        ({**DEAL, "hands": [HANDS[0][:6], HANDS[1]]}, "hand of seat 0 has 6 cards: expected 7"),
        ({**DEAL, "deck": None}, "deck None: expected a list"),
        ({**DEAL, "deck": "V1"}, "deck 'V1': expected a list"),
        ({**DEAL, "deck": DECK[1:]}, "deck of 33 cards: expected 34"),
        ({**DEAL, "deck": ["C8", *DECK[1:]]}, "C8 is dealt twice"),
        ({**DEAL, "deck": ["M7", *DECK[1:]]}, "'M7' is not a card in play"),
        ({**DEAL, "deck": ["V9", *DECK[1:]]}, "'V9' is not a card in play"),
        ({**DEAL, "deck": [48, *DECK[1:]]}, "card id 48 is not in play"),
        ({**DEAL, "deck": [-1, *DECK[1:]]}, "card id -1 is not in play"),
        ({**DEAL, "deck": [24.0, *DECK[1:]]}, "24.0 is not a card"),
        ({**DEAL, "deck": [True, *DECK[1:]]}, "True is not a card"),
        ({**DEAL, "deck": [None, *DECK[1:]]}, "None is not a card"),
        ({**DEAL, "discards": [[], ["V1"]]}, "discard pile of seat 1 starts with 1 cards"),
        ({**DEAL, "discards": [[]]}, "2 hands and 1 discard piles"),
        ([1], "options .1.: expected a dict"),
    ],
)
def test_bad_options_are_refused_and_change_nothing(options: Any, message: str) -> None:
    environment = raw_env()
    environment.reset(seed=1)
    environment.step(0)
    before, twin = fingerprint(environment), copy.deepcopy(environment)
    with pytest.raises(DealError, match=message) as caught:
        environment.reset(seed=2, options=options)
    assert "\n" not in str(caught.value)
    assert fingerprint(environment) == before
    for each in (environment, twin):  # the stream of seed 1 goes on
        each.reset()
    assert fingerprint(environment) == fingerprint(twin)


@pytest.mark.parametrize("seed", [-1, 1.0, "1", True, np.float64(1), [1]])
def test_bad_seed_is_refused_and_changes_nothing(seed: Any) -> None:
    environment = raw_env()
    environment.reset(seed=1)
    before = fingerprint(environment)
    with pytest.raises(DealError, match=r"seed .*: expected a non-negative integer"):
        environment.reset(seed=seed)
    assert fingerprint(environment) == before


def test_calls_before_the_first_reset() -> None:
    environment = raw_env()
    with pytest.raises(ActionError, match="call reset"):
        environment.step(0)
    for call in (lambda: environment.observe("player_0"), environment.state):
        with pytest.raises(ViewError, match=r"call reset\(\) first"):
            call()
    assert environment.agents == []


def test_contradicting_options_of_the_environment() -> None:
    with pytest.raises(ConfigError, match="expected one or the other"):
        raw_env(num_players=3, config=GameConfig(num_players=3))
    with pytest.raises(ConfigError, match="num_players"):
        env(num_players=5)
    with pytest.raises(ConfigError, match="mask_in 'infos': expected one of 'observation', 'info'"):
        env(mask_in="infos")
    with pytest.raises(ConfigError, match="render_mode 'svg': expected one of None, 'ansi'"):
        env(render_mode="svg")
    assert env(num_players=3, species="WOMPGLVJ").unwrapped.config.species == "WOMPGLVJ"
    environment = raw_env()
    environment.reset(seed=0)
    with pytest.raises(ViewError, match="agent 'player_2': expected one of player_0, player_1"):
        environment.observe("player_2")


@pytest.mark.parametrize("make", [raw_env, env])
def test_a_reset_keeps_the_configuration(make: Any) -> None:
    """Whatever is asked for once holds for every later game, seeded or not, and its spaces stay."""
    config = GameConfig(
        num_players=3,
        species="WOM",
        num_ranks=5,
        hand_size=2,
        starting_discards=True,
        cancel_eights=False,
        rights="all",
    )
    environment = make(config=config, reward="margin", mask_in="info", render_mode="ansi")
    spaces = [
        space(agent)
        for agent in environment.possible_agents
        for space in (environment.observation_space, environment.action_space)
    ]
    for seed in (5, None, 5, None, 0):
        environment.reset(seed=seed)
        raw = environment.unwrapped
        assert raw.config is config and raw._game.config is config
        assert (raw.reward_kind, raw.mask_in, raw.render_mode) == ("margin", "info", "ansi")
        assert environment.possible_agents == ["player_0", "player_1", "player_2"]
        assert spaces == [
            space(agent)
            for agent in environment.possible_agents
            for space in (environment.observation_space, environment.action_space)
        ]
        # The switches are in what is seen, and the discards lie there.
        assert environment.observe("player_1")[-3:].tolist() == [1, 0, 1]
        assert [len(pile) for pile in position(environment)[2]] == [0, 1, 1]
        while not any(environment.terminations.values()):
            mask = environment.infos[environment.agent_selection]["action_mask"]
            environment.step(int(mask.argmax()))
        points = environment.infos["player_0"]["scores"]
        others = (points[1] + points[2]) / 2
        assert environment.rewards["player_0"] == pytest.approx((points[0] - others) / 20)
