"""The page's modules have types in comments, which the TypeScript compiler checks."""

import subprocess
import sys
from pathlib import Path

TSC = Path(sys.prefix) / "node_modules" / "typescript" / "bin" / "tsc"
PROJECT = Path(__file__).parents[2] / "lab" / "arboretum_lab" / "studio" / "tsconfig.json"


def test_types() -> None:
    command = ["node", str(TSC), "--project", str(PROJECT)]
    answer = subprocess.run(command, check=False, capture_output=True, text=True)
    assert answer.returncode == 0, answer.stdout
    modules = list((PROJECT.parent / "static" / "js").rglob("*.js"))
    assert modules
    unchecked = [m.name for m in modules if not m.read_text("utf-8").startswith("// @ts-check")]
    assert unchecked == []
