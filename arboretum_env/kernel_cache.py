"""Where the machine code of kernels is kept between two starts.

The folders are Numba's own: ``NUMBA_CACHE_DIR`` if it is set, else ``__pycache__`` beside the
module, else the user's cache folder. What differs from Numba's cache:

- An entry belongs to all that a kernel compiles from (``arboretum_env.fingerprint``), not to the
  file that the kernel stands in.
- No folder has to be writable. Code is read from wherever it is; what cannot be kept is compiled
  anew by every process, and one ``CacheWarning`` says so. Damaged files are written afresh.
- Code from the cache needs the addresses of some symbols, and no compiler. Setting up Numba's takes
  longer than playing the first game, so that a warm start leaves it alone.
"""

import contextlib
import hashlib
import sys
import warnings
from pathlib import Path
from typing import Any, NamedTuple

import llvmlite.binding
from numba.core import config
from numba.core.caching import IndexDataCacheFile
from numba.core.compiler import CompileResult
from numba.core.dispatcher import Dispatcher
from numba.core.runtime import rtsys
from numba.misc.appdirs import AppDirs

from arboretum_env.errors import CacheWarning
from arboretum_env.fingerprint import fingerprint

_warned: list[str] = []
"""What this process was warned of: once is enough, whatever the number of kernels."""


class _Entry(NamedTuple):
    """One compiled signature of a kernel.

    Attributes:
        stamp: the fingerprint that it was compiled from. The index has it too, but files of two
            processes may come to lie side by side.
        symbols: what its machine code needs from outside.
        reduced: Numba's own form of it.
    """

    stamp: str
    symbols: tuple[str, ...]
    reduced: tuple[Any, ...]


class KernelCache:
    """The cache of one kernel; Numba's dispatcher calls it wherever it would call its own.

    Args:
        kernel: the compiled function.
    """

    def __init__(self, kernel: Dispatcher) -> None:
        self._kernel = kernel
        self._source = Path(kernel.py_func.__code__.co_filename)
        self._stamp = ""

    @property
    def cache_path(self) -> str:
        """The folder that is tried first, for Numba's statistics."""
        return str(self._folders()[0])

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Compiled code for a signature, or None if it has to be compiled."""
        key = _key(sig, target_context.codegen())
        for number, folder in enumerate(self._folders()):
            entry = self._read(folder, key)
            if entry is None:
                continue
            revived = _revive(entry, target_context)
            if revived is not None:
                if number and config.CACHE_DIR:
                    self._keep(key, entry, found_in=folder)  # also where it was asked for
                return revived
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keeps newly compiled code in the first folder that takes it."""
        entry = _Entry(self._fingerprint(), _symbols(data.library), data._reduce())
        self._keep(_key(sig, data.codegen), entry)

    def flush(self) -> None:
        """Forgets the kernel's code, wherever it may be forgotten."""
        for folder in self._folders():
            with contextlib.suppress(OSError):
                self._file(folder).flush()

    def _fingerprint(self) -> str:
        # Not before the first call: by then all modules are complete.
        if not self._stamp:
            self._stamp = fingerprint(self._kernel)
        return self._stamp

    def _folders(self) -> list[Path]:
        home = self._source.parent
        # There may be sources of this name in many places.
        name = f"{home.name}_{hashlib.sha256(str(home).encode()).hexdigest()[:16]}"
        user = Path(AppDirs("numba", appauthor=False).user_cache_dir)
        folders = [home / "__pycache__", user / name]
        return [Path(config.CACHE_DIR) / name, *folders] if config.CACHE_DIR else folders

    def _file(self, folder: Path) -> IndexDataCacheFile:
        name = f"{self._source.stem}.{self._kernel.py_func.__qualname__}"
        tagged = f"{name}-kernel.{sys.implementation.cache_tag}"
        return IndexDataCacheFile(str(folder), tagged, self._fingerprint())

    def _read(self, folder: Path, key: Any) -> _Entry | None:
        file = self._file(folder)
        try:
            entry = file.load(key)
            return _Entry(*entry) if entry and entry[0] == self._fingerprint() else None
        except OSError:
            return None
        except Exception:  # noqa: BLE001 - whatever reading a damaged file comes to
            with contextlib.suppress(OSError):
                file.flush()
            return None

    def _keep(self, key: Any, entry: _Entry, found_in: Path | None = None) -> None:
        refusals: list[str] = []
        for folder in self._folders():
            try:
                if folder != found_in:
                    folder.mkdir(parents=True, exist_ok=True)
                    self._file(folder).save(key, tuple(entry))
            except Exception as error:  # noqa: BLE001 - a game goes on without a cache
                reason = error.strerror if isinstance(error, OSError) else repr(error)
                refusals.append(f"{folder}: {reason}")
                continue
            if refusals and config.CACHE_DIR:
                _warn(f"{refusals[0]}; compiled kernels are kept in {folder} instead")
            return
        _warn(
            f"compiled kernels cannot be kept ({'; '.join(refusals)}): every start compiles them "
            "anew, which takes about 15 seconds"
        )


def _key(sig: Any, codegen: Any) -> tuple[Any, ...]:
    """Signature and processor; the rest is in the fingerprint."""
    return sig, codegen.magic_tuple()


def _symbols(library: Any) -> tuple[str, ...]:
    """Names that compiled code expects from outside itself."""
    module = library._final_module
    return tuple(
        value.name
        for values in (module.functions, module.global_variables)
        for value in values
        if value.is_declaration and not value.name.startswith("llvm.")
    )


def _revive(entry: _Entry, target_context: Any) -> Any:
    """Links code from the cache into this process; None if that fails."""
    try:
        rtsys.initialize(target_context)
        # Code with a symbol that nobody has would end the process.
        if any(llvmlite.binding.address_of_symbol(name) is None for name in entry.symbols):
            target_context.refresh()  # the whole compiler with all its libraries
        return CompileResult._rebuild(target_context, *entry.reduced)
    except Exception:  # noqa: BLE001 - it is compiled anew then
        return None


def _warn(problem: str) -> None:
    if not _warned:
        _warned.append(problem)
        advice = "name a folder that you may write to: NUMBA_CACHE_DIR=/path/to/folder"
        warnings.warn(f"{problem}; {advice}", CacheWarning, stacklevel=2)
