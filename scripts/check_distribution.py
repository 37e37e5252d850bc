"""Builds the sdist and the wheel, and tries the wheel in a fresh environment outside the checkout.

The environment gets the core dependencies alone (no torch), in the versions of constraints.txt:
what works without extras is a promise, and an editable installation cannot show whether the wheel
holds all files. Run by ``make test-integrations``.
"""

import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

from create_venv import create_venv

CHECKOUT = Path(__file__).resolve().parent.parent
PACKAGES = {"arboretum_env", "arboretum_agents", "arboretum_training", "arboretum_lab"}


def build(folder: Path) -> tuple[Path, Path]:
    """Builds into ``folder``: the sdist from the checkout, and the wheel from that sdist."""
    subprocess.run(
        [sys.executable, "-m", "build", "--outdir", str(folder), str(CHECKOUT)],
        check=True,
    )
    [sdist], [wheel] = folder.glob("*.tar.gz"), folder.glob("*.whl")
    return sdist, wheel


def check_contents(sdist: Path, wheel: Path) -> None:
    """The wheel holds the typed packages and nothing beside them; the sdist can be tested."""
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names}
    packages = {top for top in tops if not top.endswith(".dist-info")}
    assert packages == PACKAGES, f"top level of {wheel.name}: {sorted(packages)}"
    for package in PACKAGES:
        assert f"{package}/py.typed" in names, f"{wheel.name} lacks {package}/py.typed"
    in_checkout = {
        str(path.relative_to(root))
        for root in (CHECKOUT / part for part in ("", "agents", "training", "lab"))
        for package in PACKAGES
        for path in (root / package).rglob("*.py")
    }
    page = CHECKOUT / "lab" / "arboretum_lab" / "studio" / "static"
    in_checkout |= {
        str(path.relative_to(CHECKOUT / "lab")) for path in page.rglob("*") if path.is_file()
    }
    missing = in_checkout - set(names)
    assert not missing, f"{wheel.name} lacks {sorted(missing)}"
    with tarfile.open(sdist) as archive:
        files = {re.sub("^[^/]*/", "", name) for name in archive.getnames()}
    for needed in ("LICENSE", "CHANGELOG.md", "Makefile", "constraints.txt", "tests", "configs"):
        found = any(file == needed or file.startswith(f"{needed}/") for file in files)
        assert found, f"{sdist.name} lacks {needed}"


def main() -> None:
    """Builds, installs, and runs ``smoke_core.py`` there."""
    with tempfile.TemporaryDirectory(prefix="arboretum-distribution-") as name:
        folder = Path(name)
        sdist, wheel = build(folder / "dist")
        check_contents(sdist, wheel)
        python = create_venv(folder / "venv")
        constraints = CHECKOUT / "constraints.txt"
        install = [str(python), "-m", "pip", "install", "-qq", "--disable-pip-version-check"]
        subprocess.run([*install, "--constraint", str(constraints), str(wheel)], check=True)
        # -I: neither the working directory nor PYTHONPATH may lend what the wheel lacks.
        smoke = CHECKOUT / "scripts" / "smoke_core.py"
        subprocess.run([python, "-I", smoke], check=True, cwd=folder)
    print(f"{wheel.name} and {sdist.name}: built, installed and tried in a fresh environment")


if __name__ == "__main__":
    main()
