"""Who asks: a browser's token, which the server has signed, and its hash, which it keeps.

A token is a random number and its signature with a key that never leaves the data folder. So the
server keeps no list of sessions that somebody could fill; it keeps the hash of a token with the
games whose seats the browser holds, and a hash gives nobody a seat.
"""

import base64
import binascii
import contextlib
import hashlib
import hmac
import os
import secrets
from pathlib import Path
from typing import Final

_NUMBER_BYTES: Final = 24
_KEY_BYTES: Final = 32
_KEY_FILE: Final = "session.key"


def token_hash(token: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


class Tokens:
    """Signs tokens and knows its own ones again, also after a restart.

    Args:
        folder: where the key is kept.
    """

    def __init__(self, folder: Path) -> None:
        self._key = _read_or_make_key(folder / _KEY_FILE)

    def issue(self) -> str:
        """A new token."""
        return self._signed(secrets.token_bytes(_NUMBER_BYTES))

    def knows(self, token: str) -> bool:
        """Whether this server has issued a token."""
        try:
            data = base64.b64decode(token + "=" * (-len(token) % 4), b"-_", validate=True)
        except (binascii.Error, ValueError):  # ValueError: a letter that is not ASCII
            return False
        # Compared as texts: two spellings of the same bytes would be two browsers.
        return hmac.compare_digest(token, self._signed(data[:_NUMBER_BYTES]))

    def _signed(self, number: bytes) -> str:
        signature = hmac.digest(self._key, number, "sha256")
        return base64.urlsafe_b64encode(number + signature).decode().rstrip("=")


def _read_or_make_key(path: Path) -> bytes:
    """The key in a file that its owner alone can read; two servers that begin agree on one."""
    if not path.exists():
        part = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(secrets.token_bytes(_KEY_BYTES))
        with contextlib.suppress(FileExistsError):  # the other one was first
            path.hardlink_to(part)
        part.unlink()
    return path.read_bytes()
