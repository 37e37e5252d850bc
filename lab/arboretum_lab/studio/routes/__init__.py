"""The addresses of the studio: one router a line."""

from fastapi import APIRouter

from arboretum_lab.studio.routes import (
    agents,
    analysis,
    cards,
    chair,
    games,
    lesson,
    pad,
    play,
    puzzles,
    records,
    session,
)

ROUTERS: tuple[APIRouter, ...] = (
    session.router,
    agents.router,
    cards.router,
    games.router,
    play.router,
    records.router,
    analysis.router,
    pad.router,
    chair.router,
    lesson.router,
    puzzles.router,
)
