"""Keys of information sets: equal exactly where a seat cannot tell two positions apart."""

import numpy as np
import pytest
from numpy.typing import NDArray

from arboretum_env.actions import Action, decode, encode
from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal, deal_exact, initial_deal
from arboretum_env.engine.moves import apply_action, legal_action_mask
from arboretum_env.engine.state import GameState
from arboretum_env.errors import DealError
from arboretum_env.history import HistoryKeeper
from arboretum_env.view import redact
from arboretum_training.research.information_key import InformationKeys
from tests.random_games import CONFIGS, random_actions

ROW = np.zeros(1, np.int64)


def keys_after(initial: GameState, actions: list[int]) -> tuple[GameState, list[bytes]]:
    """(the position, every seat's key) after some decisions of a batch of one."""
    state, keys = initial.clone(), InformationKeys(initial)
    for action in actions:
        keys.note(state, np.array([action]))
        apply_action(state, np.array([action]))
    seats = range(initial.config.num_players)
    return state, [keys.of(ROW, np.array([seat]))[0].tobytes() for seat in seats]


def redealt(
    initial: GameState, state: GameState, actions: list[int], seat: int, rng: np.random.Generator
) -> tuple[GameState, list[int]]:
    """Another deal that looks the same to a seat so far, and the actions as they are in it.

    Cards that the seat has never seen change places: in rivals' hands and in the deck.
    """
    config = initial.config
    hidden = set(state.deck(0))
    for rival in range(config.num_players):
        if rival != seat:
            hidden |= set(state.hand(0, rival)) - set(state.known_in_hand(0, rival))
    cards = sorted(hidden)
    to = dict(zip(cards, rng.permutation(cards).tolist(), strict=True))
    hands, deck, piles = initial_deal(initial, 0)
    other = deal_exact(
        config,
        [[to.get(card, card) for card in hand] for hand in hands],
        [to.get(card, card) for card in deck],
        piles,
    )
    mapped = []
    for action in actions:
        meant = decode(config, action)
        if meant.kind == "play_card" and meant.index in to:  # chosen and not yet shown
            action = encode(config, Action("play_card", to[meant.index]))
        mapped.append(action)
    return other, mapped


def random_game(config: GameConfig, seed: int) -> tuple[GameState, list[int]]:
    rng, initial = np.random.default_rng(seed), deal(config, seed, [0])
    state, actions = initial.clone(), []
    while not state.done.all():
        action = random_actions(legal_action_mask(state), rng)
        actions.append(int(action[0]))
        apply_action(state, action)
    return initial, actions


@pytest.mark.parametrize("name", CONFIGS)
def test_hidden_cards_change_no_key(name: str) -> None:
    config, rng = CONFIGS[name], np.random.default_rng(1)
    moved = 0
    for seed in range(2):
        initial, actions = random_game(config, seed)
        for count in range(0, len(actions), 11):
            state, keys = keys_after(initial, actions[:count])
            for seat in range(config.num_players):
                other, mapped = redealt(initial, state, actions[:count], seat, rng)
                _, others = keys_after(other, mapped)
                assert others[seat] == keys[seat]
                moved += sum(a != b for a, b in zip(others, keys, strict=True))
    assert moved > 0  # the rivals, whose own cards changed, do notice


def knowledge(
    initial: GameState, state: GameState, keeper: HistoryKeeper, row: int, seat: int
) -> tuple[object, ...]:
    """All that a seat may know, spelt out: its deal, what happened, and what it sees now."""
    hands, _, piles = initial_deal(initial, row)
    history = keeper.histories(np.array([row]), np.array([seat]))[0]
    view = redact(state.select([row]), seat).observation[0].tobytes()
    return seat, tuple(hands[seat]), tuple(map(tuple, piles)), history, view


def test_keys_are_equal_exactly_where_the_knowledge_is() -> None:
    """Thousands of games of six cards, in which equal knowledge is common."""
    config = GameConfig(num_players=2, species=2, num_ranks=3, hand_size=1)
    rng, games = np.random.default_rng(3), 1500
    initial = deal(config, 5, np.arange(games))
    state, keys, keeper = initial.clone(), InformationKeys(initial), HistoryKeeper(initial)
    by_key: dict[bytes, tuple[object, ...]] = {}
    by_knowledge: dict[tuple[object, ...], bytes] = {}
    seen = 0
    for _ in range(20):
        for seat in range(2):
            rows = np.flatnonzero(~state.done)
            of: NDArray[np.uint8] = keys.of(rows, np.full(len(rows), seat))
            for row, key in zip(rows, of, strict=True):
                known = knowledge(initial, state, keeper, int(row), seat)
                assert by_key.setdefault(key.tobytes(), known) == known
                assert by_knowledge.setdefault(known, key.tobytes()) == key.tobytes()
                seen += 1
        actions = random_actions(legal_action_mask(state), rng)
        before = state.clone()
        keys.note(state, actions)
        apply_action(state, actions)
        keeper.note(before, state, actions)
    assert seen > len(by_key) + 10_000 > 20_000  # many met again, and many different ones


def test_the_past_counts() -> None:
    """Seat 1 draws from the pile and the deck, or the other way round: one position, two pasts."""
    config = GameConfig(num_players=2, species="CD", hand_size=1)
    initial = deal(config, 1, [0])
    state, actions = initial.clone(), []
    for _ in range(5):  # seat 0's turn, with two draws from the deck
        actions.append(int(np.flatnonzero(legal_action_mask(state)[0])[0]))
        apply_action(state, np.array(actions[-1:]))
    assert actions[:2] == [0, 0]
    pile = encode(config, Action("draw_discard", 1))
    one, first = keys_after(initial, [*actions, 0, pile])
    other, second = keys_after(initial, [*actions, pile, 0])
    assert np.array_equal(one.raw, other.raw)
    assert all(a != b for a, b in zip(first, second, strict=True))
    assert len({*first, *second}) == 4
    assert keys_after(initial, [*actions, pile, 0])[1] == second


def test_the_rules_count() -> None:
    """Equal deals under another rule are other information sets, for every seat."""
    usual = GameConfig(num_players=2, species="CD", hand_size=1)
    switched = usual.model_copy(update={"cancel_eights": False})
    _, first = keys_after(deal(usual, 1, [0]), [0])
    _, second = keys_after(deal(switched, 1, [0]), [0])
    assert len({*first, *second}) == 4


def test_a_game_under_way_has_no_keys() -> None:
    state = deal(GameConfig(), 1, [0, 1])
    apply_action(state, np.array([0, 0]))
    with pytest.raises(DealError, match="begun already"):
        InformationKeys(state)
