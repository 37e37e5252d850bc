"""The version of the rules, which whatever outlives a process (a checkpoint) carries along."""

from typing import Final

RULES_VERSION: Final = 1
"""Raised on every change of what is legal, what is scored or what an observation means."""
