"""Information states: perfect recall, nothing hidden in them, and other worlds that fit them."""

import random
from collections import Counter

import numpy as np
import pyspiel
import pytest
from open_spiel.python.observation import make_observation

from arboretum_env.actions import Action, decode, encode
from arboretum_env.errors import ConfigError, ViewError
from arboretum_env.observation import Place, observation_slices, observe
from arboretum_env.openspiel.observer import event_row
from arboretum_env.openspiel.table import CHANCE
from integrations.openspiel.games import GAMES, THREE, at_random, playout

RECALL = pyspiel.IIGObservationType(perfect_recall=True)
Past = tuple[object, ...]


def kind_of(*, recall: bool, public: bool, private: bool) -> pyspiel.IIGObservationType:
    own = pyspiel.PrivateInfoType.SINGLE_PLAYER if private else pyspiel.PrivateInfoType.NONE
    return pyspiel.IIGObservationType(perfect_recall=recall, public_info=public, private_info=own)


def test_perfect_recall_by_enumeration() -> None:
    """An information state, as text and as tensor, is a past, neither more nor less.

    A past is what the seat observed from the first decision on, and what it did. All histories in
    which seat 0 is dealt C1 are gone through.
    """
    past_of: dict[tuple[int, str], Past] = {}
    text_of: dict[Past, str] = {}
    tensor_of: dict[tuple[int, str], tuple[float, ...]] = {}
    decided: set[tuple[int, str]] = set()

    def visit(state: pyspiel.State, pasts: list[Past]) -> None:
        if state.is_terminal():
            return
        if state.is_chance_node():
            for card, _ in state.chance_outcomes():
                visit(state.child(card), pasts)
            return
        seen = list(pasts)
        for seat in range(3):
            shown = state.observation_string(seat)
            if pasts[seat][-1:] != (shown,):
                seen[seat] = (*pasts[seat], shown)
            text = state.information_state_string(seat)
            past = seat, *seen[seat], *state.legal_actions(seat)
            assert past_of.setdefault((seat, text), past) == past
            assert text_of.setdefault(past, text) == text
            tensor = tuple(state.information_state_tensor(seat))
            assert tensor_of.setdefault((seat, text), tensor) == tensor
        mover = state.current_player()
        decided.add((mover, state.information_state_string()))
        for action in state.legal_actions():
            acted = list(seen)
            acted[mover] = (*seen[mover], action)
            visit(state.child(action), acted)

    state = pyspiel.load_game(THREE).new_initial_state()
    visit(state.child(0), [(), (), ()])
    assert len(set(tensor_of.values())) == len(tensor_of) == len(text_of)
    # Seat 1 has one of 5 cards, and sees which of the others, in 20 ways, seat 0 planted and
    # discarded. Then k cards may be the deck's last, 3, or 2 if seat 0 still holds C1 (12 of 20):
    # 1 state before it draws, k + 1 after a draw, 2k after both (deck and pile, in either order),
    # and for each of these, 3 choices to place and 3 to discard after.
    seat_1 = 5 * (8 * (1 + 4 + 7 * 6) + 12 * (1 + 3 + 7 * 4))
    assert Counter(seat for seat, _ in decided) == {0: 876 // 6, 1: seat_1}


def exchanged(state: pyspiel.State, one: int, other: int) -> pyspiel.State:
    """The state with two cards in each other's place from the deal on."""
    config = state.table.config
    swap = {one: other, other: one}
    twin = state.get_game().new_initial_state()
    for step in state.full_history():
        if step.player == CHANCE:
            twin.apply_action(swap.get(step.action, step.action))
            continue
        action = decode(config, step.action)
        if action.kind in ("play_card", "discard_card"):
            action = Action(action.kind, swap.get(action.index, action.index))
        twin.apply_action(encode(config, action))
    return twin


def unseen_by(state: pyspiel.State, seat: int) -> list[int]:
    table = state.table
    cards = observe(table.game, seat)[0][observation_slices(table.config)["cards"]]
    return np.flatnonzero(cards.reshape(-1, 4)[:, 0] == Place.UNSEEN).tolist()


@pytest.mark.parametrize("name", GAMES)
def test_nothing_hidden_is_in_an_information_state(name: str) -> None:
    """Any two cards that a seat cannot see may change places: it sees no difference."""
    game = pyspiel.load_game(name)
    generator = random.Random(12)
    observers = [
        game.make_py_observer(kind_of(recall=recall, public=public, private=private))
        for recall in (False, True)
        for public in (False, True)
        for private in (False, True)
    ]
    compared = 0
    for state in playout(game, at_random(generator)):
        if state.is_terminal() or state.table.dealing or generator.random() < 0.7:
            continue
        for seat in range(game.num_players()):
            hidden = unseen_by(state, seat)
            if len(hidden) < 2:
                continue
            twin = exchanged(state, *generator.sample(hidden, 2))
            compared += str(twin) != str(state)
            assert twin.current_player() == state.current_player()
            if seat == state.current_player():
                assert twin.legal_actions() == state.legal_actions()
            for observer in observers:
                observer.set_from(state, seat)
                before = observer.tensor.copy()
                observer.set_from(twin, seat)
                assert np.array_equal(observer.tensor, before)
                assert observer.string_from(twin, seat) == observer.string_from(state, seat)
    assert compared


@pytest.mark.parametrize("name", GAMES)
def test_a_spectator_sees_what_is_public(name: str) -> None:
    """The same from every chair, and no hand in it that the seats do not all know."""
    game = pyspiel.load_game(name)
    generator = random.Random(3)
    observers = [
        game.make_py_observer(kind_of(recall=recall, public=True, private=False))
        for recall in (False, True)
    ]
    for state in playout(game, at_random(generator)):
        for observer in observers:
            shown = []
            for seat in range(game.num_players()):
                observer.set_from(state, seat)
                shown.append((observer.tensor.tobytes(), observer.string_from(state, seat)))
            assert len(set(shown)) == 1
        if state.is_terminal():
            continue
        places = observers[0].dict["cards"][:, 0]
        for seat in range(game.num_players()):
            own = observe(state.table.game, seat)[0][: 4 * len(places)].reshape(-1, 4)[:, 0]
            assert not np.any(places[own == Place.OWN_HAND])


def test_pieces_of_an_information_state() -> None:
    """The past of seat 1 after a turn and a half, by hand."""
    game = pyspiel.load_game(
        "python_arboretum(species=2,ranks=4,hand_size=1,starting_discards=True)"
    )
    state = game.new_initial_state()
    # C1 / D4 dealt, D3 on seat 1's pile. Seat 0: takes D3 and draws C2; plants C1, discards D3.
    # Seat 1: draws D1, takes D3; plants D4.
    place = 1 + 2 + 8
    for action in [0, 7, 6, 2, 0, 1, 3, place, place + 25 + 6, 0, 4, 2, 3 + 7, place]:
        state.apply_action(action)
    assert state.information_state_string(1) == (
        "seat 1 | hand D4 | discards - D3 | p1(D3) ? C1@0,0 xD3 d(D1) p0(D3) D4@0,0"
    )
    observation = make_observation(game, RECALL)
    observation.set_from(state, 1)
    pieces = observation.dict
    assert pieces["dealt_hand"].tolist() == [0, 0, 0, 0, 0, 0, 0, 1]
    assert pieces["dealt_discards"].tolist() == [0, 7]
    assert pieces["history"][:8].tolist() == [
        [3, 7, 0, 0],  # seat 0 takes D3 from the pile of seat 1, the observer's own
        [1, 0, 0, 0],
        [7, 1, 0, 0],
        [8, 7, 0, 0],
        [2, 5, 0, 0],
        [4, 7, 0, 0],
        [7, 8, 0, 0],
        [0, 0, 0, 0],
    ]
    assert len(pieces["history"]) == 4 * game.config.max_turns
    now = state.observation_tensor(1)
    assert observation.tensor[-len(now) :].tolist() == now
    private = game.make_py_observer(kind_of(recall=False, public=False, private=True))
    private.set_from(state, 1)
    assert private.dict["hand"].tolist() == [0, 0, 0, 0, 1, 0, 1, 0]
    assert private.dict["chosen_card"].tolist() == [-1]
    assert private.string_from(state, 1) == "hand D1 D3"
    assert event_row(game.config, 0, "C2@-1,3") == (7, 2, -1, 3)


def test_a_choice_is_its_holders_alone() -> None:
    game = pyspiel.load_game("python_arboretum(species=2,ranks=4,hand_size=1)")
    state = game.new_initial_state()
    for action in [0, 7, 0, 1, 0, 2, 4]:
        state.apply_action(action)
    assert state.information_state_string(0) == "seat 0 | hand C1 | d(C2) d(C3) C2@"
    assert state.information_state_string(1) == "seat 1 | hand D4 | ? ? ?@"
    assert "chosen C2" in state.observation_string(0)
    assert "chosen" not in state.observation_string(1)


def test_observations_that_nobody_has() -> None:
    game = pyspiel.load_game(THREE)
    everything = pyspiel.IIGObservationType(
        perfect_recall=False, public_info=True, private_info=pyspiel.PrivateInfoType.ALL_PLAYERS
    )
    with pytest.raises(ConfigError, match="ALL_PLAYERS: expected SINGLE_PLAYER or NONE"):
        game.make_py_observer(everything)
    with pytest.raises(ConfigError, match="expected none"):
        game.make_py_observer(RECALL, {"colour": "red"})


@pytest.mark.parametrize("name", GAMES)
def test_resampled_states_look_the_same(name: str) -> None:
    game = pyspiel.load_game(name)
    generator = random.Random(8)
    others = 0
    for state in playout(game, at_random(generator)):
        if state.table.dealing or generator.random() < 0.5:
            continue
        for seat in range(game.num_players()):
            other = state.resample_from_infostate(seat, generator.random)
            assert other.current_player() == state.current_player()
            assert other.information_state_string(seat) == state.information_state_string(seat)
            assert other.information_state_tensor(seat) == state.information_state_tensor(seat)
            assert other.observation_tensor(seat) == state.observation_tensor(seat)
            others += str(other) != str(state)
    assert others


def test_resampling_is_uniform() -> None:
    """Against every history that fits an information state, found by going through them all."""
    game = pyspiel.load_game("python_arboretum(species=2,ranks=4,hand_size=2)")
    true = game.new_initial_state()
    # C1 D3 / C4 D1; seat 0 draws C2 D4, plants C1, discards D3; seat 1 draws C3 and takes D3, and
    # has chosen a card. To seat 0 that is any of five, and its C3 may be any of four.
    for action in [0, 6, 3, 4, 0, 1, 0, 7, 3, 11, 33, 0, 2, 2, 6]:
        true.apply_action(action)
    assert true.current_player() == 1 and true.table.choosing
    wanted = true.information_state_string(0)
    fitting: list[str] = []
    actions = [step.action for step in true.full_history()]

    def visit(state: pyspiel.State, depth: int) -> None:
        if depth == len(actions):
            if state.information_state_string(0) == wanted:
                fitting.append(str(state.history()))
            return
        own = depth < 2 or 4 <= depth < 11
        chosen = [actions[depth]] if own or depth in (11, 13) else state.legal_actions()
        for action in chosen:
            if action in state.legal_actions():
                visit(state.child(action), depth + 1)

    visit(game.new_initial_state(), 0)
    assert len(set(fitting)) == len(fitting) == 4 * 3 * 2 * 4
    generator = random.Random(1)
    samples = 60 * len(fitting)
    drawn = Counter(
        str(true.resample_from_infostate(0, generator.random).history()) for _ in range(samples)
    )
    assert set(drawn) == set(fitting)
    # Chi-squared with 95 degrees of freedom: mean 95, standard deviation 13.8.
    assert sum((count - 60) ** 2 / 60 for count in drawn.values()) < 95 + 4 * 13.8


def test_resampling_during_the_deal() -> None:
    state = pyspiel.load_game(THREE).new_initial_state()
    with pytest.raises(ViewError, match="expected a complete deal"):
        state.resample_from_infostate(0, random.Random(0).random)
