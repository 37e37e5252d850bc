"""Puzzles from recorded games."""
