"""The app factory."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from fastapi import FastAPI
from fastapi.staticfiles import StaticFiles

from arboretum_lab.studio.errors import add_error_handlers
from arboretum_lab.studio.guard import Guard
from arboretum_lab.studio.routes import ROUTERS
from arboretum_lab.studio.settings import Settings
from arboretum_lab.studio.studio import Studio

STATIC: Final = Path(__file__).parent / "static"


def create_app(settings: Settings) -> FastAPI:
    """A studio as an app for any ASGI server.

    Raises:
        ConfigError: the data folder cannot be used.
    """
    studio = Studio(settings)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        yield
        studio.close()

    # No pages about the interface: they would load scripts from elsewhere.
    app = FastAPI(
        title="Arboretum studio",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
        openapi_url="/api/openapi.json",
    )
    app.state.studio = studio
    add_error_handlers(app)
    for router in ROUTERS:
        app.include_router(router)
    app.mount("/", StaticFiles(directory=STATIC, html=True), name="static")
    app.add_middleware(Guard, settings=settings)
    return app
