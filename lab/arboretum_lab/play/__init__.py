"""``arboretum play``: games in the terminal, for people and agents (docs/playing.md)."""
