"""Who plays: bots, neural agents and the registry that makes them from specs."""
