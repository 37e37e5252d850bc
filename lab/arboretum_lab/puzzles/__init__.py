"""Puzzles from recorded games: how they are found and checked, and the few dozen that ship."""
