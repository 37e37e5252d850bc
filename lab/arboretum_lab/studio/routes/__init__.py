"""The addresses of the studio: one router a line."""

from fastapi import APIRouter

from arboretum_lab.studio.routes import agents, cards, games, play, records, session

ROUTERS: tuple[APIRouter, ...] = (
    session.router,
    agents.router,
    cards.router,
    games.router,
    play.router,
    records.router,
)
