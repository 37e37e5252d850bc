"""What is said at the table, and that nothing hidden is among it."""

import contextlib
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal_exact, initial_deal
from arboretum_env.errors import ArboretumError
from arboretum_env.notation import legal_moves
from arboretum_env.records.files import load_record
from arboretum_lab.play.session import Session
from arboretum_lab.play.table import Table
from tests.play.screen import GAME, Screen, decisions, hidden_cards, tiny_session
from tests.protocol.bots import command
from tests.random_games import CONFIGS

PASS = re.compile(r"pass the screen to seat (\d)")


def sit_down(session: Session, screen: Screen, folder: Path) -> Table:
    return Table(session, screen, folder / "game.arb")


def test_a_game_of_two_people_by_hand(tmp_path: Path) -> None:
    session = tiny_session("human:Ann", "human:Bo")
    answers = [each for turn in GAME for each in ("", *turn.split())]
    screen = Screen(answers)
    assert sit_down(session, screen, tmp_path).play()
    assert [prompt for prompt in screen.prompts if "pass" in prompt] == [
        f"pass the screen to seat {seat} ({name}), then press Enter> "
        for seat, name in ((0, "Ann"), (1, "Bo"), (0, "Ann"), (1, "Bo"))
    ]
    assert screen.prompts[1:5] == [
        f"seat 0, {due}> " for due in ("first draw", "second draw", "plant", "discard")
    ]
    assert screen.printed.count("<clear>") == 3
    # What Bo is told of Ann's turn, and Ann of her own draws.
    assert "turn 1, seat 0 (Ann): d d C1@0,0 xD3" in screen.printed
    assert "turn 1, seat 0 (Ann): d(C3)" in screen.printed
    assert screen.printed[-1].startswith("game over after 4 turns: 5-5, seats 0 and 1 share the")
    assert "seat 0 (Ann): 5 points, shares the win" in screen.printed[-1]
    assert "C Cassia" in screen.printed[-1]


def test_commands_by_hand(tmp_path: Path) -> None:
    session = tiny_session("human", "greedy")
    screen = Screen(
        [
            *("HELP", "?", "moves", "p0", "hint greedy", "hint gredy", "hint human", "undo", "d"),
            *("d", "moves", "undo", "d", "board", "save", f"save {tmp_path}/x.arb", "save x.txt"),
            *(f"save {tmp_path}/x.arb", "save \0.arb", "quit"),
        ]
    )
    table = sit_down(session, screen, tmp_path)
    assert not table.play()
    said = screen.printed
    assert sum(text.startswith("moves:\n  d        draw from the deck") for text in said) == 2
    assert "      d" in said
    assert "  C1@ 0,0\n  C2@ 0,0\n  C3@ 0,0\n  D3@ 0,0" in said
    assert "p0: seat 0's discard pile is empty; or help" in said
    assert "greedy would play d\n  Draws from the deck of 5." in said
    assert any(text.startswith("no hint: unknown agent 'gredy'") for text in said)
    assert "no hint: a person gives no hints: name an agent" in said
    assert "there is nothing to take back" in said
    assert "taken back; something hidden had been seen: the game no longer counts" in said
    assert f"saved: {tmp_path}/game.arb (it holds the whole deal: do not look)" in said
    assert f"saved: {tmp_path}/x.arb (it holds the whole deal: do not look)" in said
    assert "not saved: x.txt: expected a name that ends in .arb or .json" in said
    assert table.path == tmp_path / "x.arb"
    assert any(text.startswith("not saved: ") and "null" in text for text in said)
    record = load_record(tmp_path / "x.arb")
    assert (record.num_decisions, record.takebacks) == (2, 1)


def test_another_game_is_not_written_over(tmp_path: Path) -> None:
    (tmp_path / "old.arb").write_text("mine")
    screen = Screen([f"save {tmp_path}/old.arb"])
    with pytest.raises(EOFError):
        sit_down(tiny_session("human", "greedy"), screen, tmp_path).play()
    assert f"not saved: {tmp_path}/old.arb: is there already, expected a new name" in screen.printed
    assert (tmp_path / "old.arb").read_text() == "mine"


def test_after_a_takeback_the_game_does_not_count_and_says_so(tmp_path: Path) -> None:
    session = tiny_session("human", "human")
    answers = [each for turn in GAME for each in ("", *turn.split())]
    screen = Screen([*answers[:3], "undo", *answers[2:]])
    assert sit_down(session, screen, tmp_path).play()
    assert screen.text.endswith("takebacks: 1; the game counts in no statistic")


def test_a_forfeit_ends_the_game(tmp_path: Path) -> None:
    session = tiny_session("human", f"process:{command(tmp_path, 'dies at once')}")
    screen = Screen(GAME[0].split())
    assert sit_down(session, screen, tmp_path).play()
    assert "forfeit seat 1: ended with exit code 1; all others share the win" in screen.text


def test_agents_alone_play_to_the_end(tmp_path: Path) -> None:
    screen = Screen([])
    assert sit_down(tiny_session("greedy", "planner"), screen, tmp_path).play()
    assert screen.prompts == []
    assert screen.printed[-1].startswith("game over after")


def test_completion_knows_moves_commands_and_agents(tmp_path: Path) -> None:
    session = tiny_session("human", "greedy")
    screen = Screen(["d", "d"])
    with pytest.raises(EOFError):
        sit_down(session, screen, tmp_path).play()
    first, _, plant = screen.completers
    assert first is not None and plant is not None
    assert first("", "") == ["d", "board", "moves", "hint", "undo", "save", "quit", "help"]
    assert first("", "he") == ["help"]
    assert plant("", "")[:4] == ["C1@", "C2@", "C3@", "D3@"]
    assert plant("", "c3") == ["C3@"]
    assert plant("", "C3@") == ["C3@0,0"]
    assert plant("hint ", "gr") == ["greedy"]
    assert "human" not in plant("hint ", "")
    assert plant("quit ", "") == []
    assert plant("zzz ", "") == []


class Person:
    """Answers at random, legal moves and commands, and leaves after so many answers."""

    def __init__(self, session: Session, rng: np.random.Generator, stop: int) -> None:
        self.session, self.rng, self.stop = session, rng, stop
        self.answers: list[str] = []

    def __call__(self, screen: Screen) -> str:
        if len(self.answers) == self.stop:
            raise EOFError
        moves = list(legal_moves(self.session.view(self.session.mover)))
        if self.rng.random() < 0.3:
            moves = ["board", "moves", "help", "hint", "hint greedy", "x", "p0", "p1", "d@0,0"]
        self.answers.append(moves[int(self.rng.integers(len(moves)))])
        return self.answers[-1]


class Replayed(Session):
    """Agents do here what they did in another session, whatever they see."""

    script: list[int]

    def let_agent_move(self) -> None:
        self.apply([self.script.pop(0)])


class Noted(Session):
    """Notes what agents do."""

    def let_agent_move(self) -> None:
        super().let_agent_move()
        self.__dict__.setdefault("noted", []).append(self._actions[-1])


@pytest.mark.parametrize("name", CONFIGS)
def test_nothing_printed_depends_on_hidden_cards(name: str, tmp_path: Path) -> None:
    """Cards that are hidden when a person stops change places: all that was printed is the same."""
    config = CONFIGS[name]
    seats = ("human", "planner", "greedy", "random")[: config.num_players]
    whole = "reduced" not in name
    differing = 0
    for seed in range(8):
        rng = np.random.default_rng(seed)
        session = Noted.begin(config, seats, seed)
        person = Person(session, rng, stop=2 + seed * (5 if whole else 1))
        screen = Screen(person)
        try:
            if sit_down(session, screen, tmp_path).play():
                continue
        except EOFError:
            pass
        hidden = hidden_cards(session, 0)
        moved = dict(zip(hidden, rng.permutation(hidden).tolist(), strict=True))
        hands, deck, discards = initial_deal(session._initial, 0)
        other = Replayed(
            deal_exact(
                config,
                [[moved.get(card, card) for card in hand] for hand in hands],
                [moved.get(card, card) for card in deck],
                discards,
            ),
            seats,
            seed,
            f"user seed {seed} game 0",
        )
        other.script = list(session.__dict__.get("noted", []))
        again = Screen(person.answers)
        with pytest.raises(EOFError):
            sit_down(other, again, tmp_path).play()
        assert again.text == screen.text
        assert decisions(other) == decisions(session)
        differing += not np.array_equal(other.state.raw, session.state.raw)
    assert differing >= (4 if whole else 1)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_at_a_shared_screen_nobody_is_shown_anothers_hand(players: int, tmp_path: Path) -> None:
    """Between a hand-over and the next nothing hidden from the person at the screen is named."""
    config = GameConfig(num_players=players)
    seats = ("human", "human", "greedy", "human")[:players]
    session = Session.begin(config, seats, 5)
    person = Person(session, np.random.default_rng(players), stop=150)
    checked = 0
    start = 0

    def answer(screen: Screen) -> str:
        nonlocal start, checked
        if match := PASS.search(screen.prompts[-1]):
            assert int(match[1]) == session.mover
            start = len(screen.printed)
            # The screen was wiped before, and shows nothing but whose turn it is.
            assert len(screen.printed) == 1 or screen.printed[-2] == "<clear>"
            return ""
        hidden = {config.card_text(card) for card in hidden_cards(session, session.mover)}
        named = set(re.findall(r"\b[A-Z][1-8]\b", "\n".join(screen.printed[start:])))
        named -= {"M7"}  # of the help
        assert not named & hidden
        checked += len(hidden)
        return person(screen)

    with contextlib.suppress(EOFError):
        sit_down(session, Screen(answer), tmp_path).play()
    assert checked > 1000


WORDS = st.sampled_from(
    ["d", "p0", "p1", "M7@0,1", "xM7", "help", "moves", "undo", "hint", "hint zzz", "save", "board"]
)
ODD = st.text(max_size=30) | st.sampled_from(
    ["\0", "hint \0", "@", "d" * 10_000, "hint " + "x" * 900, "save \0", "٣@٠,٠", "p٠", "M7@²,1"]
)


@settings(deadline=None, max_examples=60)
@given(st.lists(WORDS | ODD, max_size=25), st.integers(0, 5))
def test_odd_answers_never_crash_it(answers: list[str], seed: int) -> None:
    """They are refused in words, or do what they say."""
    answers = [answer for answer in answers if not re.match(r"\s*(save|hint)\s+\S", answer)]
    session = Session.begin(GameConfig(species=4, hand_size=3), ("human", "greedy"), seed)
    screen = Screen([*answers, "quit"])
    table = Table(session, screen, Path("never-written.arb"))
    session.save = lambda path: None  # type: ignore[method-assign]
    try:
        assert not table.play()
    except ArboretumError:  # pragma: no cover - the assertion says what it is about
        pytest.fail("an error reached the person's game")
    assert len(screen.prompts) == 1 + next(
        (index for index, answer in enumerate(answers) if answer.strip().lower() == "quit"),
        len(answers),
    )
