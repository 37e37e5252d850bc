"""The split of a game: its parts sum to the swings to the last bit, and are right by hand."""

import json

import numpy as np
import pytest

from arboretum_agents.registry import make_agent
from arboretum_agents.search.rollouts import play_until
from arboretum_env.config import GameConfig
from arboretum_env.engine.moves import apply_action
from arboretum_env.engine.scoring import score
from arboretum_env.errors import ConfigError, IllegalActionError
from arboretum_env.phase import Phase
from arboretum_training.analysis.luck import split
from arboretum_training.analysis.retry import attempt, mistakes
from arboretum_training.analysis.story import Course, story
from arboretum_training.research.playouts import Playouts
from tests.agents.test_search_endgame import all_deals
from tests.analysis.games import LAST_DISCARD, bots_course, thrown_away

GAMES = {
    "2": GameConfig(species=4, num_ranks=5, hand_size=3),
    "3, starting discards": GameConfig(
        num_players=3, species=4, num_ranks=5, hand_size=2, starting_discards=True
    ),
    "4": GameConfig(num_players=4, species=4, num_ranks=6, hand_size=2),
}


@pytest.mark.parametrize("spec", ["planner", "planner:temperature=2"])
@pytest.mark.parametrize("name", GAMES)
def test_the_parts_sum_to_the_swings_exactly(name: str, spec: str) -> None:
    config = GAMES[name]
    game = bots_course(config, 3, ("random", "greedy"))
    playouts = Playouts(make_agent(spec, config), 24)
    for seat in range(config.num_players):
        found = split(story(game, seat), playouts)
        document = json.loads(json.dumps(found.to_json()))
        assert len(document["swings"]) == len(found.swings) >= 8
        for swing, after in zip(
            document["swings"], [*document["swings"][1:], {"margin": document["last"]}], strict=True
        ):
            parts = swing["decision"]["value"] + swing["luck"]["value"]
            whole = swing["swing"]["value"]
            assert parts == whole == after["margin"]["value"] - swing["margin"]["value"]
        whole = sum(document[part]["value"] for part in ("decisions", "draws", "rivals"))
        assert whole == document["last"]["value"] - document["start"]["value"]
        points = score(game.states[-1]).points[0]
        margin = points[seat] - (points.sum() - points[seat]) / (config.num_players - 1)
        assert found.last.source == "exact"
        assert found.last.value == pytest.approx(margin, abs=1e-4)


def test_where_nothing_is_learned_there_is_no_luck() -> None:
    """At a temperature too: the randomness is keyed, and so the same on both sides."""
    config = GAMES["2"]
    game = bots_course(config, 3, ("random", "greedy"))
    for spec in ("planner", "planner:temperature=2"):
        found = split(story(game, 0), Playouts(make_agent(spec, config), 24))
        kinds = {
            kind: [s.luck.value for s in found.swings if s.kind == kind]
            for kind in ("none", "draw")
        }
        assert len(kinds["none"]) >= 6
        assert set(kinds["none"]) == {0.0}
        assert any(kinds["draw"])


def test_half_a_plant_is_no_luck() -> None:
    """Wherever a game stands, also between a card and its cell: the choice is not to be luck."""
    config = GAMES["2"]
    game = bots_course(config, 3, ("random", "greedy"))
    playouts = Playouts(make_agent("greedy", config), 16)
    taken = 0
    for until, state in enumerate(game.states):
        if state.phase[0] != Phase.PLACE or state.mover[0] != 0:
            continue
        told = story(game, 0, until)
        assert told == story(game, 0, until - 1)
        last = split(told, playouts).swings[-1]
        if last.kind == "none":
            assert last.luck.to_json() == {"value": 0.0, "source": "exact"}
            taken += 1
    assert taken >= 3


def test_a_seat_that_plays_like_the_reference_loses_nothing() -> None:
    config = GAMES["3, starting discards"]
    game = bots_course(config, 5)
    for seat in range(3):
        found = split(story(game, seat), Playouts(make_agent("planner", config), 24))
        assert {swing.decision.value for swing in found.swings} == {0.0}
        assert mistakes(found) == []


def enumerated_margin(game: Course, at: int, actions: tuple[int, ...] = ()) -> float:
    """Mean margin of the mover over every deal, each played on by the planner."""
    state = game.states[at]
    seat, agent = int(state.mover[0]), make_agent("planner", state.config)
    margins = []
    for world in all_deals(state, seat):
        for action in actions:
            apply_action(world, [action])
        play_until(world, agent, np.zeros(1, np.uint64), -1)
        points = score(world).points[0]
        margins.append(points[seat] - (points.sum() - points[seat]) / (len(points) - 1))
    return float(np.mean(margins))


def test_values_are_means_over_every_deal() -> None:
    game = thrown_away()
    found = split(story(game, 0), Playouts(make_agent("planner", game.states[0].config), 720))
    late = [swing for swing in found.swings if swing.step.at >= 25]  # up to 5 unseen cards
    assert len(late) == 4
    for swing in late:
        value = enumerated_margin(game, swing.step.at)
        chosen = enumerated_margin(game, swing.step.at, swing.step.actions)
        assert swing.before.source == "exact"
        assert swing.before.value == pytest.approx(value, abs=1e-4)
        assert swing.decision.value == pytest.approx(chosen - value, abs=1e-4)


def test_the_mistake_of_the_game_by_hand() -> None:
    """Throwing C8 away gives seat 1 two points: a margin of 1 instead of 3."""
    game = thrown_away()
    playouts = Playouts(make_agent("planner", game.states[0].config), 64)
    found = split(story(game, 0), playouts)
    last = found.swings[-1]
    assert (last.step.at, last.step.move) == (LAST_DISCARD, "xC8")
    assert last.before.to_json() == {"value": 3.0, "source": "exact"}
    assert last.decision.to_json() == {"value": -2.0, "source": "exact"}
    assert (last.luck.value, last.after.value, last.is_mistake) == (0.0, 1.0, True)
    assert last in mistakes(found)
    answer = attempt(last.step, "xD7", playouts)
    assert (answer.reference, answer.played) == ("xD7", "xC8")
    assert (answer.gap.value, answer.played_gap.value, answer.better.value) == (0.0, -2.0, 2.0)
    again = attempt(last.step, "xC8", playouts)
    assert (again.gap.value, again.better.value) == (-2.0, 0.0)
    with pytest.raises(IllegalActionError, match="move 'xC4': not legal there"):
        attempt(last.step, "xC4", playouts)


def test_a_game_that_is_not_over_ends_where_it_stands() -> None:
    """With C1 chosen there are 7 points to be had: C1 D4 C5, worth 4, and D1 D4; as planted 3."""
    game = thrown_away()
    playouts = Playouts(make_agent("planner", game.states[0].config), 64)
    for until, move, worth in ((33, "d", 7.0), (34, "C1@-1,0", 3.0)):
        found = split(story(game, 0, until), playouts)
        # A plant is one move: half of one is none.
        assert found.swings[-1].step.move == move
        assert found.last.value == worth
    assert found.swings[-1].decision.value == -4.0


@pytest.mark.parametrize("worlds", [0, 15, 4097])
def test_numbers_of_worlds_out_of_range_are_refused(worlds: int) -> None:
    with pytest.raises(ConfigError, match=f"worlds {worlds}: expected 16..4096"):
        Playouts(make_agent("greedy", GameConfig()), worlds)
