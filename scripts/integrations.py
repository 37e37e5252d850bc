"""Tests Arboretum against the tools that it fits, in environments of their own.

``make test-integrations`` calls it, with names of environments or none for all, and flags in the
variables PIP_FLAGS and PYTEST_FLAGS. What gets along with the tested versions of constraints.txt
shares one environment; what pins something else gets one to itself. Each lies under ``.venvs`` and
is built once: a stamp in it names everything that it was built from.
"""

import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from create_venv import create_venv

CHECKOUT = Path(__file__).resolve().parent.parent
VENVS = CHECKOUT / ".venvs"
STAMP = ".installed"


@dataclass(frozen=True)
class Environment:
    """One environment, and what pytest runs in it.

    Attributes:
        name: its folder under ``.venvs``.
        extras: of arboretum-lab, which is installed editable.
        packages: what is installed beside it.
        instead: pins that take the place of those that constraints.txt has for the same packages.
        npm: packages of npm, with their versions, for pages that a browser opens.
        runs: the arguments of one pytest run each. A run reads the configuration nearest to its
            tests: ``integrations/pytest.toml``, or pyproject.toml for the tests of the core.
    """

    name: str
    extras: tuple[str, ...]
    packages: tuple[str, ...] = ()
    instead: tuple[str, ...] = ()
    npm: tuple[str, ...] = ()
    runs: tuple[tuple[str, ...], ...] = ()


ENVIRONMENTS: Final = (
    Environment(
        "ecosystem",
        extras=("train", "openspiel", "export", "dev"),
        packages=("torchrl", "supersuit"),
        npm=("onnxruntime-web@1.30.0",),
        runs=(
            ("integrations/torchrl", "integrations/supersuit", "integrations/openspiel", "-n", "2"),
            # A page under load loads its runtime slowly: not beside others.
            ("integrations/onnxruntime_web",),
        ),
    ),
    # The studio in a browser. What it plays against needs no network, so no torch.
    Environment(
        "studio",
        extras=("web", "dev"),
        packages=("pytest-playwright", "pillow"),
        npm=("axe-core@4.14.1", "typescript@5.9.3"),
        runs=(("integrations/studio",),),
    ),
    # The studies, executed in their small setting, and their pairs of a notebook and a script.
    Environment(
        "notebooks",
        extras=("research", "dev"),
        packages=("ipykernel", "jupytext", "nbmake"),
        runs=(
            ("-c", "integrations/pytest.toml", "--rootdir", ".", "--nbmake", "notebooks"),
            ("integrations/notebooks",),
        ),
    ),
    # RLlib asks for exactly this gymnasium, so the environment itself is tested with it too.
    Environment(
        "rllib",
        extras=("ray", "render", "dev"),
        instead=("gymnasium==1.2.2",),
        runs=(("integrations/rllib",), ("tests/api", "-n", "2")),
    ),
)


def constraints_of(environment: Environment) -> str:
    """The text of constraints.txt, with some pins replaced."""

    def package(line: str) -> str:
        return re.sub(r"[-_.]+", "-", line.partition("==")[0]).lower()  # one spelling: PEP 503

    replaced = {package(pin) for pin in environment.instead}
    lines = (CHECKOUT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    kept = [line for line in lines if package(line) not in replaced]
    return "\n".join([*kept, *environment.instead, ""])


def prepare(environment: Environment, pip_flags: list[str]) -> Path:
    """Builds the environment unless it stands; returns its Python."""
    folder = VENVS / environment.name
    python, stamp = folder / "bin" / "python", folder / STAMP
    constraints = constraints_of(environment)
    requirements = [f".[{','.join(environment.extras)}]", *environment.packages]
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    built_from = json.dumps([sys.version, project, requirements, constraints, environment.npm])
    fingerprint = hashlib.sha256(built_from.encode()).hexdigest()
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == fingerprint:
        return python
    print(f"Installing into {folder.relative_to(CHECKOUT)} (minutes the first time)", flush=True)
    create_venv(folder)
    constraints_file = folder / "constraints.txt"
    constraints_file.write_text(constraints, encoding="utf-8")
    install = [str(python), "-m", "pip", "install", "-qq", "--disable-pip-version-check"]
    install += ["--no-compile"]  # most files of these large libraries are never imported
    subprocess.run(
        [*install, *pip_flags, "--constraint", str(constraints_file), "--editable", *requirements],
        check=True,
        cwd=CHECKOUT,
    )
    if environment.npm:
        npm = ["npm", "install", "--prefix", str(folder), "--ignore-scripts", "--no-audit"]
        subprocess.run([*npm, "--no-fund", *environment.npm], check=True)
    # Last, so that an interrupted installation is begun again.
    stamp.write_text(fingerprint, encoding="utf-8")
    return python


def main(names: list[str]) -> int:
    """Builds the named environments, or all, and runs their tests.

    Returns:
        0 if every test passed in every environment.
    """
    known = {environment.name: environment for environment in ENVIRONMENTS}
    if unknown := [name for name in names if name not in known]:
        raise SystemExit(
            f"no environment {', '.join(unknown)}: expected some of {', '.join(known)}"
        )
    pip_flags, pytest_flags = (
        shlex.split(os.environ.get(variable, "")) for variable in ("PIP_FLAGS", "PYTEST_FLAGS")
    )
    failed = []
    for name in names or known:
        python = prepare(known[name], pip_flags)
        for arguments in known[name].runs:
            what = f"{name}: pytest {' '.join(arguments)}"
            print(what, flush=True)
            command = [str(python), "-m", "pytest", *arguments, *pytest_flags]
            if subprocess.run(command, check=False, cwd=CHECKOUT).returncode:
                failed.append(what)
    for what in failed:
        print(f"failed: {what}", file=sys.stderr)
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
