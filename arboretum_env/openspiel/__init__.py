"""Arboretum as a game of OpenSpiel, ``python_arboretum``; ``docs/openspiel.md`` is its page.

Importing this package registers the game with ``pyspiel`` (the extra ``openspiel``). The rules are
the engine's: ``table`` plays one game whose deck has no order yet, ``game``, ``state`` and
``observer`` put OpenSpiel's interfaces on it.
"""

from arboretum_env.openspiel.game import ArboretumGame, game_of

__all__ = ["ArboretumGame", "game_of"]
