"""Games over HTTP: a whole one against an agent, and what is refused."""

from pathlib import Path

from tests.studio.desk import Desk, open_studio


def test_a_whole_game_against_an_agent(tmp_path: Path) -> None:
    with open_studio(tmp_path) as client:
        desk = Desk(client)
        state = desk.new_game("human", "greedy", seed=5)
        while not state["over"]:
            assert state["mover"] == 0 and state["legal"]
            state = desk.settled(desk.move(state, state["legal"][0]["action"]))
        assert state["phase"] == "game_over"
        assert state["sheet"]["scores"] == [
            sum(row["points"] for row in player["species"].values())
            for player in state["sheet"]["players"]
        ]
        assert state["legal"] == [] and state["hands"][0] == state["hand"]
