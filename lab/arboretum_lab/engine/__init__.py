"""``arboretum engine``: moves for views, and games, over JSON lines (docs/protocol.md)."""
