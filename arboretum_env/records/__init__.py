"""A game as data and as text: records, their notation and their replay."""
