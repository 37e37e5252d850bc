"""How agents learn and are measured."""
