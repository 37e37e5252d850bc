"""Tests Arboretum against the tools that it fits, in environments of their own.

``make test-integrations`` calls it, with names of environments or none for all, and flags in the
variables PIP_FLAGS and PYTEST_FLAGS. What gets along with the tested versions of constraints.txt
shares one environment; what pins something else gets one to itself. Each lies under ``.venvs`` and
is built once: a stamp in it names everything that it was built from.

Four environments test the core again, by ``make test-versions``: with the lowest versions that
pyproject.toml allows, with the newest that there are, and with other versions of Python. What is
not on this machine is told and left out.
"""

import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

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
        versions: of what is installed: those of constraints.txt, the lowest that pyproject.toml
            allows ("floor"), or the newest. torch is always that of constraints.txt, of which
            there is a build for the CPU.
        python: the version of Python; None for the one that runs this.
        runs: the arguments of one pytest run each. A run reads the configuration nearest to its
            tests: ``integrations/pytest.toml``, or pyproject.toml for the tests of the core.
    """

    name: str
    extras: tuple[str, ...]
    packages: tuple[str, ...] = ()
    instead: tuple[str, ...] = ()
    npm: tuple[str, ...] = ()
    versions: Literal["tested", "floor", "newest"] = "tested"
    python: str | None = None
    runs: tuple[tuple[str, ...], ...] = ()


TEST_TOOLS: Final = ("filelock", "hypothesis", "pytest", "pytest-xdist")
# Of other versions than the tested ones, a warning is theirs to mend.
CORE: Final = (
    "-W",
    "default",
    "-n",
    "2",
    "tests/rules",
    "tests/notation/test_round_trip.py",
    "tests/api/test_reset.py",
    "tests/api/test_pettingzoo_suite.py",
)
LEARNING: Final = (
    "-W",
    "default",
    "tests/training/test_gae.py",
    "tests/training/test_losses.py",
    "tests/evaluation/test_statistics.py",
    "tests/resume/test_checkpoint.py",
)

_OTHER_VERSIONS: Final[tuple[Literal["floor", "newest"], ...]] = ("floor", "newest")
ON_GYMNASIUM: Final = (
    "tests/api/test_gymnasium_env.py",
    "tests/api/test_gymnasium_vector.py",
    "tests/api/test_pettingzoo_suite.py",
)

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
        runs=(
            ("integrations/studio", "--ignore=integrations/studio/test_accessibility.py"),
            ("integrations/studio/test_accessibility.py", "-n", "2"),
        ),
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
    # RLlib asks for exactly this gymnasium, so what stands on gymnasium is tested with it too.
    Environment(
        "rllib",
        extras=("ray", "render", "dev"),
        instead=("gymnasium==1.2.2",),
        runs=(("integrations/rllib",), (*ON_GYMNASIUM, "-n", "2")),
    ),
    *(
        Environment(
            versions,
            extras=("train", "render"),
            packages=TEST_TOOLS,
            versions=versions,
            runs=(CORE, LEARNING),
        )
        for versions in _OTHER_VERSIONS
    ),
    # Without torch, of which the machines of most people have a CPU build for one Python alone.
    Environment("python312", extras=("render",), packages=TEST_TOOLS, python="3.12", runs=(CORE,)),
    Environment("python313", extras=("render",), packages=TEST_TOOLS, python="3.13", runs=(CORE,)),
)
VERSIONS: Final = tuple(
    environment.name
    for environment in ENVIRONMENTS
    if environment.versions != "tested" or environment.python
)
"""Those that test the core again, with other versions."""


def constraints_of(environment: Environment) -> str:
    """The versions that pip is held to, in the form of constraints.txt."""

    def package(line: str) -> str:
        name = re.split(r"[=>\[]", line, maxsplit=1)[0]
        return re.sub(r"[-_.]+", "-", name).lower()  # one spelling: PEP 503

    lines = (CHECKOUT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    if environment.versions == "tested":
        replaced = {package(pin) for pin in environment.instead}
        kept = [line for line in lines if package(line) not in replaced]
        return "\n".join([*kept, *environment.instead, ""])
    kept = [line for line in lines if package(line) == "torch"]
    if environment.versions == "floor":
        kept += [line for line in lines if package(line) in TEST_TOOLS]
        kept += [
            requirement.replace(">=", "==")
            for requirement in direct_requirements(environment)
            if package(requirement) != "torch"
        ]
    return "\n".join([*kept, ""])


def direct_requirements(environment: Environment) -> list[str]:
    """What pyproject.toml asks for, ``name>=version`` each, of the core and the extras."""
    project = project_table()
    extras = project["optional-dependencies"]
    named = [
        *project["dependencies"],
        *(line for name in environment.extras for line in extras[name]),
    ]
    return [line for line in named if not line.startswith(project["name"])]


def project_table() -> dict[str, Any]:
    """The table ``project`` of pyproject.toml."""
    text = (CHECKOUT / "pyproject.toml").read_text(encoding="utf-8")
    project: dict[str, Any] = tomllib.loads(text)["project"]
    return project


def find_python(version: str | None) -> str | None:
    """A Python of this version (``3.12``): on the path, or of pyenv; None where there is none."""
    if version is None:
        return sys.executable
    name = f"python{version}"
    pyenv = Path(os.environ.get("PYENV_ROOT", "~/.pyenv")).expanduser()
    of_pyenv = sorted(str(path) for path in pyenv.glob(f"versions/{version}.*/bin/{name}"))
    for candidate in filter(None, [shutil.which(name), *of_pyenv]):
        # One on the path may be pyenv's stand-in, which runs nothing.
        done = subprocess.run([candidate, "-c", ""], check=False, capture_output=True)
        if done.returncode == 0:
            return candidate
    return None


def prepare(environment: Environment, base: str, pip_flags: list[str]) -> Path:
    """Builds the environment, of the Python ``base``, unless it stands; returns its Python."""
    folder = VENVS / environment.name
    python, stamp = folder / "bin" / "python", folder / STAMP
    constraints = constraints_of(environment)
    requirements = [f".[{','.join(environment.extras)}]", *environment.packages]
    which = [sys.version, base]
    built_from = json.dumps([which, project_table(), requirements, constraints, environment.npm])
    fingerprint = hashlib.sha256(built_from.encode()).hexdigest()
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == fingerprint:
        return python
    print(f"Installing into {folder.relative_to(CHECKOUT)} (minutes the first time)", flush=True)
    subprocess.run([base, str(CHECKOUT / "scripts" / "create_venv.py"), str(folder)], check=True)
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
    """Builds the named environments, or all but ``VERSIONS``, and runs their tests.

    Args:
        names: of environments; ``versions`` alone stands for ``VERSIONS``.

    Returns:
        0 if every test passed in every environment.
    """
    known = {environment.name: environment for environment in ENVIRONMENTS}
    if names == ["versions"]:
        names = list(VERSIONS)
    if unknown := [name for name in names if name not in known]:
        raise SystemExit(
            f"no environment {', '.join(unknown)}: expected some of {', '.join(known)}"
        )
    pip_flags, pytest_flags = (
        shlex.split(os.environ.get(variable, "")) for variable in ("PIP_FLAGS", "PYTEST_FLAGS")
    )
    failed = []
    for name in names or [name for name in known if name not in VERSIONS]:
        base = find_python(known[name].python)
        if base is None:
            print(f"{name}: left out, there is no Python {known[name].python} here", flush=True)
            continue
        python = prepare(known[name], base, pip_flags)
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
