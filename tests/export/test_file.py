"""Exported files: the same policy through onnxruntime, without torch; and what is refused."""

import hashlib
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest

from arboretum_agents.neural.checkpoint_reader import find_checkpoint, read_checkpoint
from arboretum_agents.neural.policy import NeuralAgent, load_agent
from arboretum_agents.onnx_policy import METADATA, OnnxAgent, load_onnx_agent
from arboretum_agents.registry import Mode, make_agent
from arboretum_agents.search.steady import Network
from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal
from arboretum_env.errors import CheckpointError
from arboretum_env.layout_hash import layout_hash
from arboretum_env.match import play_match
from arboretum_env.version import RULES_VERSION
from arboretum_lab.cli.main import main
from arboretum_training.evaluation.agent_identity import identify
from arboretum_training.export import weights_digest
from tests.agents.positions import mover_views, random_network
from tests.export.conftest import Export, saved_run

pytestmark = [pytest.mark.usefixtures("one_thread"), pytest.mark.slow]

MODES: tuple[Mode, ...] = ("sample", "greedy")


def pair(
    exported: Export, config: GameConfig, mode: Mode = "sample"
) -> tuple[OnnxAgent, NeuralAgent]:
    """The file's agent and torch's, reset alike."""
    mine = load_onnx_agent(exported(config.num_players), config, mode)
    torchs = NeuralAgent(config, random_network(config), mode)
    for agent in (mine, torchs):
        agent.reset(np.arange(3, dtype=np.uint64), 5)
    return mine, torchs


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_file_says_what_torch_says(exported: Export, players: int) -> None:
    """Every kind of setup and rule switch, all phases, batches of any size."""
    for options in ({}, {"starting_discards": True}, {"cancel_eights": False, "rights": "all"}):
        config = GameConfig(num_players=players, **options)
        mine, torchs = pair(exported, config)
        views = mover_views(config, 2, seed=81)
        legal = views.legal_action_mask()
        probabilities, value = mine.policy(views)
        for found, expected in zip(mine.policy(views), torchs.policy(views), strict=True):
            assert found.dtype == np.float32
            assert np.allclose(found, expected, atol=1e-5, rtol=0)
        assert (probabilities[~legal] == 0).all()
        assert np.allclose(mine.beliefs(views), torchs.beliefs(views), atol=1e-5, rtol=0)
        for rows in ([0], [5, 3], []):
            alone = mine.policy(views.select(np.array(rows, int)))
            assert np.allclose(alone[0], probabilities[rows], atol=1e-6, rtol=0)
            assert np.allclose(alone[1], value[rows], atol=1e-5, rtol=0)
        again = mine.policy(views)
        assert (again[0].tobytes(), again[1].tobytes()) == (
            probabilities.tobytes(),
            value.tobytes(),
        )


@pytest.mark.parametrize("players", [2, 3, 4])
def test_its_moves_are_those_of_torch(exported: Export, players: int) -> None:
    config = GameConfig(num_players=players)
    views = mover_views(config, 8, seed=82)
    for mode in MODES:
        mine, torchs = pair(exported, config, mode)
        # Where two moves are equally likely up to the last bit, either may be taken.
        same = mine.act(views) == torchs.act(views)
        assert same.mean() > 0.995
        assert len(same) > 400
        assert views.legal_action_mask()[np.arange(len(views)), mine.act(views)].all()


@pytest.mark.parametrize("mode", MODES)
def test_a_search_may_follow_it(exported: Export, mode: Mode) -> None:
    config = GameConfig()
    views = mover_views(config, 2, seed=84)
    mine, _ = pair(exported, config, mode)
    assert isinstance(mine, Network)
    actions, value = mine.decide(views)
    assert np.array_equal(actions, mine.act(views))
    assert value.tobytes() == mine.policy(views)[1].tobytes()
    assert mine.reward == "mixed"
    few = views.select(np.arange(0, len(views), 40))
    search = make_agent(f"search:simulations=2,policy={exported(2)}", config, mode=mode)
    search.reset(few.game_id, 1)
    assert few.legal_action_mask()[np.arange(len(few)), search.act(few)].all()


@pytest.mark.parametrize("mode", MODES)
def test_it_plays_whole_games(exported: Export, mode: Mode) -> None:
    config = GameConfig(num_players=3)
    ids = np.arange(2, dtype=np.uint64)
    agent = make_agent(f"{exported(3)}:mode={mode}", config)
    assert isinstance(agent, OnnxAgent)
    assert agent.mode == mode
    seats = np.zeros((2, 3), np.int64)
    results = [
        play_match(deal(config, 5, ids), [agent], seats, ids, keep_actions=True) for _ in range(2)
    ]
    assert results[0].actions is not None and results[1].actions is not None
    assert np.array_equal(results[0].actions, results[1].actions)


def test_idle_seats_are_refused(exported: Export) -> None:
    config = GameConfig()
    views = mover_views(config, 1, seed=83).select([0])
    views.observation[0, -9] = 1
    for mode in MODES:
        with pytest.raises(ValueError, match="view 0 is of an idle seat or a finished game"):
            load_onnx_agent(exported(2), config, mode).act(views)


def test_it_needs_neither_torch_nor_training(exported: Export) -> None:
    program = f"""
import sys
for name in ("torch", "safetensors", "scipy", "onnx", "arboretum_training"):
    sys.modules[name] = None  # importing it fails
import numpy as np
from arboretum_agents.registry import make_agent
from arboretum_env.config import GameConfig
from arboretum_env.engine.deal import deal
from arboretum_env.match import play_match
config, ids = GameConfig(), np.arange(2, dtype=np.uint64)
agents = [make_agent({str(exported(2))!r}, config), make_agent("greedy", config)]
played = play_match(deal(config, 1, ids), agents, np.tile([0, 1], (2, 1)), ids)
print(played.final.done.all())
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert (done.stdout.strip(), done.stderr) == ("True", "")


def test_the_file_says_what_it_is(exported: Export) -> None:
    for players in (2, 4):
        config = GameConfig(num_players=players)
        facts = load_onnx_agent(exported(players), config).facts
        assert facts.game == {
            "num_players": players,
            "num_species": {2: 6, 4: 10}[players],
            "num_ranks": 8,
            "hand_size": 7,
        }
        assert facts.rules_version == RULES_VERSION
        assert facts.layout_hash == layout_hash(config)
        assert facts.weights == weights_digest(random_network(config))
        assert facts.reward == "mixed"
    model = onnx.load(exported(2))
    assert [(each.domain, each.version) for each in model.opset_import] == [("", 20)]
    assert model.producer_name == "arboretum-lab"
    # Nothing of the machine that it was written on.
    assert b".py" not in exported(2).read_bytes()


def test_the_weights_digest_is_that_of_the_checkpoint(tmp_path: Path) -> None:
    game = GameConfig(num_players=3, species=4, num_ranks=4, hand_size=3)
    run = saved_run(tmp_path / "run", game)
    digest = read_checkpoint(find_checkpoint(run)).digest
    assert weights_digest(load_agent(run, game).network) == digest


def test_the_command_says_what_it_wrote(exported: Export) -> None:
    path = exported(2)
    said = json.loads(path.with_suffix(".json").read_text())
    data = path.read_bytes()
    facts = load_onnx_agent(path, GameConfig()).facts
    assert said == {
        "file": str(path),
        "bytes": len(data),
        "sha256": hashlib.sha256(data).hexdigest(),
        "nodes": len(onnx.load(path).graph.node),
        "policy": json.loads(facts.to_json()),
    }


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["greedy", "--out", "x.onnx"], "agent 'greedy': expected a network, e.g. a run folder"),
        (["greedy", "--out", "x.pt"], "--out x.pt: expected a name that ends with .onnx"),
        (["no/where", "--out", "x.onnx"], "agent 'no/where': expected a run or checkpoint folder"),
        (["greedy", "--out", "x.onnx", "--players", "5"], "game options: num_players 5: expected"),
    ],
)
def test_bad_input_is_one_line(
    capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    assert main(["export", *words]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    [line] = printed.err.splitlines()
    assert line.startswith(f"arboretum: error: {message}")


def test_reports_pin_it_by_the_hash_of_the_file(exported: Export) -> None:
    who = identify(f"{exported(2)}:mode=greedy")
    assert who.pinned == f"onnx@{who.digest[:12]}:mode=greedy"
    assert who.source == "onnx"
    assert who.agent == f"{exported(2)}:mode=greedy"


Change = Callable[[Any], None]


def with_facts(**changes: Any) -> Change:
    def change(model: Any) -> None:
        [entry] = model.metadata_props
        entry.value = json.dumps(json.loads(entry.value) | changes)

    return change


def elsewhere(model: Any) -> None:
    """Moves a tensor out of the file."""
    tensor = model.graph.initializer[0]
    tensor.ClearField("raw_data")
    tensor.data_location = onnx.TensorProto.EXTERNAL
    entry = tensor.external_data.add()
    entry.key, entry.value = "location", "/etc/hostname"


REFUSED: dict[str, tuple[Change, str]] = {
    "other rules": (with_facts(rules_version=99), "rules version 99: expected 1"),
    "other schema": (with_facts(schema_version=2), "schema version 2: expected 1"),
    "other layout": (with_facts(layout_hash="ab" * 32), "observation-layout hash abababababab...:"),
    "other game": (
        with_facts(game={"num_players": 2, "num_species": 5, "num_ranks": 8, "hand_size": 7}),
        "made for 2 players with 5 species of 8 ranks and hands of 7, cannot play 2 players with 6",
    ),
    "strange facts": (with_facts(weights=7), "metadata 'arboretum': expected schema_version, "),
    "no facts": (lambda model: model.metadata_props.pop(), "has no metadata 'arboretum'"),
    "data elsewhere": (elsewhere, "refers to data outside the file: refused"),
    "other outputs": (lambda model: model.graph.output.pop(), "inputs and outputs"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_does_not_fit_is_refused(exported: Export, tmp_path: Path, name: str) -> None:
    change, message = REFUSED[name]
    model = onnx.load(exported(2))
    assert [entry.key for entry in model.metadata_props] == [METADATA]
    change(model)
    path = tmp_path / "changed.onnx"
    path.write_bytes(model.SerializeToString())
    with pytest.raises(CheckpointError) as error:
        load_onnx_agent(path, GameConfig())
    assert message in str(error.value)
    assert str(path) in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "content", [b"", b"not a model", b"\x80\x04}."], ids=["empty", "text", "pickle"]
)
def test_what_is_no_model_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "policy.onnx"
    path.write_bytes(content)
    with pytest.raises(CheckpointError, match=r"policy\.onnx: "):
        make_agent(str(path), GameConfig())


def test_another_number_of_players_is_refused(exported: Export) -> None:
    with pytest.raises(CheckpointError, match=r"made for 2 players .* cannot play 3 players"):
        make_agent(str(exported(2)), GameConfig(num_players=3))
