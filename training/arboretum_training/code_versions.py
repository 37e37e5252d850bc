"""The code that computes a result, by version and content: what it follows from beside settings.

Processes that compute parts of one result, on whatever machines, have to be alike in all of it.
"""

import hashlib
import platform
from collections.abc import Mapping
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from arboretum_env.version import RULES_VERSION

_DISTRIBUTIONS: Final = ("arboretum-lab", "numpy", "numba", "torch")
_PACKAGES: Final = ("arboretum_env", "arboretum_agents", "arboretum_training")
_CONTENT: Final = frozenset({".py", ".json", ".safetensors"})


@lru_cache
def code_versions() -> Mapping[str, str]:
    """Versions of everything that a game or an update may depend on, by name.

    ``code`` is a digest of this project's own files: a checkout has one version for many contents.
    """
    found = {"python": platform.python_version(), "rules": str(RULES_VERSION)}
    for name in _DISTRIBUTIONS:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "none"
    folders = []
    for package in _PACKAGES:
        spec = find_spec(package)
        assert spec is not None and spec.origin is not None  # each is a regular package
        folders.append(Path(spec.origin).parent)
    return {**found, "code": content_digest(folders)[:12]}


def content_digest(folders: list[Path]) -> str:
    """SHA-256 of the code and weights in some folders, by their paths within these."""
    digest = hashlib.sha256()
    for number, folder in enumerate(folders):
        files = (path for path in folder.rglob("*") if path.suffix in _CONTENT and path.is_file())
        for name, path in sorted((path.relative_to(folder).as_posix(), path) for path in files):
            data = path.read_bytes()
            digest.update(f"{number} {name} {len(data)}\n".encode())
            digest.update(data)
    return digest.hexdigest()


def differences(here: Mapping[str, str], there: Mapping[str, str]) -> str:
    """What differs, in words.

    >>> differences({"numpy": "2.4", "torch": "2.13"}, {"numpy": "2.3", "torch": "2.13"})
    'numpy 2.4, not 2.3'
    """
    names = [*here, *(name for name in there if name not in here)]
    pairs = ((name, here.get(name, "none"), there.get(name, "none")) for name in names)
    return "; ".join(
        f"{name} {mine}, not {theirs}" for name, mine, theirs in pairs if mine != theirs
    )
