"""JSON lines between the lab and programs in any language (docs/protocol.md)."""
