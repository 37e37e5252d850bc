"""One number for everything that an observation and an action id of a game mean."""

import hashlib
import json

from arboretum_env.actions import ACTION_LAYOUT
from arboretum_env.config import GameConfig
from arboretum_env.observation import OBSERVATION_LAYOUT


def layout_hash(config: GameConfig) -> str:
    """SHA-256 over the names, sizes and ranges of a game's observation and actions.

    Weights and reference scores mean something only for the layout that they were made with.
    """
    observation = [(p.name, p.shape(config), p.low, p.high) for p in OBSERVATION_LAYOUT]
    actions = [(p.name, p.size(config)) for p in ACTION_LAYOUT]
    text = json.dumps([observation, actions], separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
