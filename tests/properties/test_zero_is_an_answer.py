"""Zero is a seat, a card, an action, a seed, a game and a step like any other, never "none".

A frequent fault of programs in which seat 0 and card 0 are false: they are skipped, or taken for
what is missing.
"""

import json
from pathlib import Path

import numpy as np
import pytest

from arboretum_agents.neural.checkpoint_reader import find_checkpoint, latest_step, read_checkpoint
from arboretum_agents.registry import make_agent
from arboretum_env.agent import decision_uniforms
from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal, deal_exact
from arboretum_env.engine.moves import apply_action, legal_action_mask
from arboretum_env.engine.state import GameState
from arboretum_env.errors import CheckpointError
from arboretum_env.features.placements import placements
from arboretum_env.match import play_match
from arboretum_env.pettingzoo_env import raw_env
from arboretum_env.records.arb_reader import read_arb
from arboretum_env.records.arb_writer import write_arb
from arboretum_env.records.from_game import record_from_match
from arboretum_env.seeding import Purpose, root_from_seed
from arboretum_env.view import PlayerView, redact
from arboretum_lab.cli.main import main
from arboretum_training.checkpoint import save_checkpoint
from tests.resume.tiny_run import make_checkpoint

GAMES = Path(__file__).parents[1] / "data" / "games"
CONFIG = GameConfig(species="CDJ", num_ranks=3, hand_size=1)
HANDS, DECK = [["C1"], ["D1"]], ["C3", "J1", "D3", "J2", "J3", "D2", "C2"]
PLAY, PLACE = 3, 3 + 9


def chosen_first_card() -> GameState:
    """Seat 0 has chosen C1, card 0."""
    state = deal_exact(CONFIG, HANDS, DECK)
    for action in (0, 0, PLAY + 0):
        apply_action(state, [action])
    return state


def test_card_0_is_chosen_shown_and_placed() -> None:
    state = chosen_first_card()
    assert CONFIG.card_text(0) == "C1"
    assert state.chosen_card.tolist() == [0]
    mover, rival = redact(state, 0)[0], redact(state, 1)[0]
    assert (mover.chosen_card, rival.chosen_card) == (0, None)
    assert PlayerView.from_observation(CONFIG, mover.to_observation()).chosen_card == 0
    options = placements(redact(state, 0))
    assert (options.card.tolist(), options.cell.tolist()) == ([0], [0])
    assert np.flatnonzero(legal_action_mask(state)[0]).tolist() == [PLACE]
    for name in ("random", "greedy"):
        agent = make_agent(name, CONFIG)
        agent.reset(np.zeros(1, np.uint64), 0)
        assert agent.act(redact(state, 0)).tolist() == [PLACE]
    apply_action(state, [PLACE])
    assert state.chosen_card.tolist() == [-1]
    assert state.arboretum(0, 0) == [(0, 0, 0)]


def test_card_0_on_a_pile_is_its_top_and_can_be_drawn() -> None:
    state = deal_exact(CONFIG, HANDS, DECK)
    first_discard = PLACE + CONFIG.side**2
    for action in (0, 0, PLAY + 2, PLACE, first_discard + 0):  # plants C3, discards C1
        apply_action(state, [action])
    assert state.discard_pile(0, 0) == [0]
    assert np.flatnonzero(legal_action_mask(state)[0]).tolist() == [0, 2]  # deck, the other's pile
    apply_action(state, [2])
    assert 0 in state.hand(0, 1) and state.known_in_hand(0, 1) == [0]
    assert redact(state, 0)[0].known_hands[1] == {0}


def test_card_0_in_a_record() -> None:
    """As a choice without a cell, and as a known card of a pile."""
    state = deal_exact(CONFIG, HANDS, DECK)
    record = record_from_match(state, [0, 0, PLAY + 0])
    assert record.turns[0].card == 0 and record.turns[0].cell is None
    text = write_arb(record)
    assert text.rstrip().endswith("1. d d C1@")
    assert read_arb(text) == record


def test_seat_0_may_win_alone() -> None:
    """Seat 1 draws first, seat 0 is the only winner."""
    ids = np.arange(30, dtype=np.uint64)
    agents = [make_agent(name, GameConfig()) for name in ("greedy", "random")]
    for agent in agents:
        agent.reset(ids, 0)
    result = play_match(
        deal(GameConfig(), 0, ids), agents, np.tile([0, 1], (30, 1)), ids, keep_actions=True
    )
    row = int(np.flatnonzero(result.scores.winners[:, 0])[0])
    record = record_from_match(result.initial, result.game_actions(row), index=row)
    assert record.winners == (0,)
    assert '[Winners "0"]' in write_arb(record)
    assert read_arb(write_arb(record)).winners == (0,)


def test_seed_0_is_a_seed() -> None:
    first, second = raw_env(), raw_env()
    first.reset(seed=0)
    second.reset(seed=0)
    assert first._game is not None
    dealt = deal(GameConfig(), root_from_seed(0, Purpose.USER), [0])
    assert first._game.raw.tobytes() == dealt.raw.tobytes()
    assert np.array_equal(first.state(), second.state())
    second.reset(seed=1)
    assert not np.array_equal(first.state(), second.state())


def test_game_0_seat_0_and_decision_0_key_randomness() -> None:
    state = deal(GameConfig(), 5, [0, 1])
    views = redact(state, 0, np.array([0, 1], np.uint64))
    numbers = decision_uniforms(0, views).tolist()
    assert len({*numbers, *decision_uniforms(1, views).tolist()}) == 4


def test_step_0_is_a_checkpoint(tmp_path: Path) -> None:
    (tmp_path / "checkpoints").mkdir()
    assert latest_step(tmp_path) is None
    save_checkpoint(tmp_path, make_checkpoint(0), keep=1)
    assert latest_step(tmp_path) == 0
    assert read_checkpoint(find_checkpoint(tmp_path)).step == 0
    with pytest.raises(CheckpointError, match="step 0 is saved already"):
        save_checkpoint(tmp_path, make_checkpoint(0), keep=1)


def test_zero_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    game = str(GAMES / "anu_game_1.arb")

    def printed(*words: str) -> str:
        assert main(list(words)) == 0
        return capsys.readouterr().out

    deal_text = printed("render", game, "--turn", "0")
    assert deal_text.startswith("turn 1: seat 0 draws the first card")
    assert printed("render", game, "--move", "0") == deal_text
    seat_0 = printed("render", game, "--turn", "0", "--seat", "0")
    seat_1 = printed("render", game, "--turn", "0", "--seat", "1")
    assert len({deal_text, seat_0, seat_1}) == 3
    small = ["--deals", "3", "--workers", "1", "--json"]
    by_seed = [
        json.loads(printed("evaluate", "random", "random", "--seed", seed, *small))
        for seed in ("0", "1")
    ]
    assert [report["seed"] for report in by_seed] == [0, 1]
    assert by_seed[0]["agents"] != by_seed[1]["agents"]
