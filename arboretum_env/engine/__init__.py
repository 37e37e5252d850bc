"""The batched engine: state, deals, moves, paths and scoring."""
