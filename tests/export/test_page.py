"""docs/export.md: its example of Python without this project runs."""

import shutil
from pathlib import Path

import pytest

from arboretum_env.pettingzoo_env import raw_env
from tests.docs.blocks import ROOT, blocks_of
from tests.export.conftest import Export

PAGE = ROOT / "docs" / "export.md"


def test_the_example_takes_a_legal_action(
    exported: Export, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    [code] = [block.text for block in blocks_of(PAGE) if block.language == "python"]
    shutil.copy(exported(2), tmp_path / "policy.onnx")
    monkeypatch.chdir(tmp_path)
    env = raw_env(num_players=2)
    env.reset(seed=1)
    seen = env.observe(env.agent_selection)
    names = {"observation": seen["observation"]}
    exec(compile(code, str(PAGE), "exec"), names)  # noqa: S102 - the page's own example
    assert seen["action_mask"][names["action"]]
