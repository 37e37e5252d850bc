"""``arboretum serve``: the game in a browser; all rules stay on the server (docs/studio.md)."""
