"""The import contracts of pyproject.toml hold, and each of them can be broken."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = (
    "arboretum_env",
    "agents/arboretum_agents",
    "training/arboretum_training",
    "lab/arboretum_lab",
)


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs import-linter in ``folder``, on the packages that lie there."""
    paths = [str((folder / source).parent) for source in SOURCES]
    return subprocess.run(
        [Path(sys.executable).parent / "lint-imports", "--no-cache", "--no-logo"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        check=False,
        capture_output=True,
        text=True,
    )


def test_contracts_hold() -> None:
    done = lint_imports(ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("module", "forbidden", "contract"),
    [
        ("arboretum_env/features", "torch", "The game knows neither learning libraries"),
        ("arboretum_env/records", "safetensors.numpy", "The game knows neither learning libraries"),
        ("arboretum_env/engine", "gymnasium.spaces", "gymnasium and pettingzoo only in adapters"),
        ("arboretum_env/drawing", "arboretum_agents", "Imports run one way"),
        ("arboretum_env/engine", "arboretum_env.view", "Inside the game: rules <- state"),
        ("agents/arboretum_agents/bots", "torch.nn", "torch only in arboretum_agents.neural"),
        ("agents/arboretum_agents/neural", "arboretum_training", "Imports run one way"),
        ("training/arboretum_training", "pickle", "No pickle anywhere"),
        ("training/arboretum_training", "arboretum_lab.cli", "Imports run one way"),
        ("lab/arboretum_lab/cli", "torch", "torch only in arboretum_agents.neural"),
        ("lab/arboretum_lab/play", "fastapi.responses", "fastapi only in the studio"),
        ("lab/arboretum_lab/cli", "uvicorn", "fastapi only in the studio"),
    ],
)
def test_a_violation_is_caught(tmp_path: Path, module: str, forbidden: str, contract: str) -> None:
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for source in SOURCES:
        shutil.copytree(
            ROOT / source, tmp_path / source, ignore=shutil.ignore_patterns("__pycache__")
        )
    with (tmp_path / module / "__init__.py").open("a", encoding="utf-8") as file:
        file.write(f"\nimport {forbidden}\n")

    done = lint_imports(tmp_path)

    assert done.returncode == 1, done.stdout + done.stderr
    [broken] = [line for line in done.stdout.splitlines() if " BROKEN" in line]
    assert broken.startswith(contract), broken
