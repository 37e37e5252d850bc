"""A thousand golden decisions, made again in a browser: onnxruntime-web, WASM, one thread."""

import base64
import json
from pathlib import Path

import numpy as np
import pytest
import torch

from arboretum_agents.neural.policy import NeuralAgent
from arboretum_env.config import GameConfig
from arboretum_env.observation import observation_length
from arboretum_training.export import export_policy
from integrations.onnxruntime_web.browser import open_page
from tests.agents.positions import mover_views, random_network

DECISIONS = 334  # of each number of players: 1,002 in all


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_browser_decides_as_torch(players: int, tmp_path: Path) -> None:
    torch.set_num_threads(1)
    config = GameConfig(num_players=players)
    agent = NeuralAgent(config, random_network(config), "greedy")
    exported = export_policy(agent, tmp_path / "policy.onnx")
    views = mover_views(config, 8, seed=91)
    views = views.select(np.linspace(0, len(views) - 1, DECISIONS).astype(int))
    probabilities, _ = agent.policy(views)
    greedy = agent.act(views)
    golden = {
        "length": observation_length(config),
        "actions": probabilities.shape[1],
        "observations": base64.b64encode(views.observation.tobytes()).decode(),
        "probabilities": base64.b64encode(probabilities.astype("<f4").tobytes()).decode(),
        "greedy": greedy.tolist(),
    }
    files = {
        "golden.json": json.dumps(golden).encode(),
        "policy.onnx": exported.path.read_bytes(),
    }
    (tmp_path / "profile").mkdir()
    report = open_page(files, tmp_path / "profile", patience=600)
    assert "error" not in report, report["error"]
    assert report["decisions"] == DECISIONS
    assert report["largestDifference"] <= 1e-5
    # Where two moves are equally likely up to the last bit, either may come first.
    assert len(report["otherMoves"]) <= DECISIONS // 100
