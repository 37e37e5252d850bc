"""What a position and a game are worth, to whom and why: numbers for people who look at a game.

Whatever is computed for a seat is a function of what the seat sees (``PlayerView``); the open cards
of a finished game are a standpoint of their own, which has to be asked for. Every number says where
it comes from (``figure.Figure``). Nothing here needs torch, unless a network is asked.
"""
