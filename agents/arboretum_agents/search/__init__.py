"""Search: determinised tree search over any policy, and exact endgames."""
