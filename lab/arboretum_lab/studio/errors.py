"""Refusals: all in one shape, ``{"error": {"code", "message"}}``, and never a traceback."""

import logging
from typing import Any, Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from arboretum_env.errors import ArboretumError
from arboretum_env.option_faults import fault_place, fault_reason

log = logging.getLogger("arboretum.studio")

_STATUS: Final = {
    "bad_request": 400,
    "no_session": 401,
    "forbidden": 403,
    "not_found": 404,
    "method": 405,
    "stale": 409,
    "curtain": 409,
    "taken": 409,
    "not_now": 409,
    "not_kept": 409,
    "too_large": 413,
    "illegal": 422,
    "invalid": 422,
    "too_many": 429,
    "internal": 500,
}
"""Every code of a refusal, and its status."""


class RefusedError(ArboretumError):
    """A request that is not done, with the reason in words.

    Args:
        code: one of the codes above; programs read it.
        message: one line; people read it.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code, self.message = code, " ".join(message.split())
        self.status = _STATUS[code]


def error_body(code: str, message: str) -> dict[str, Any]:
    """A refusal as JSON."""
    return {"error": {"code": code, "message": message}}


def add_error_handlers(app: FastAPI) -> None:
    """Has the app answer what it refuses in that one shape; faults of its own are ``guard``'s."""
    app.add_exception_handler(RefusedError, _refusal)
    app.add_exception_handler(ArboretumError, _bad_input)
    app.add_exception_handler(RequestValidationError, _malformed)
    app.add_exception_handler(HTTPException, _http)


def _answer(status: int, code: str, message: str) -> JSONResponse:
    return JSONResponse(error_body(code, message), status_code=status)


def _refusal(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RefusedError)
    return _answer(error.status, error.code, error.message)


def _bad_input(request: Request, error: Exception) -> JSONResponse:
    return _answer(422, "invalid", " ".join(str(error).split()))


def _malformed(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    first = dict(error.errors()[0])
    part, *place = first["loc"]
    if first["type"] == "json_invalid":
        return _answer(422, "invalid", f"the body is not JSON: {first['ctx']['error']}")
    where = fault_place({**first, "loc": tuple(place)}) or f"the {part}"
    return _answer(422, "invalid", f"{where}: {fault_reason(first)}")


def _http(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    codes = {404: "not_found", 405: "method", 400: "bad_request"}
    message = {
        404: f"there is nothing at {request.url.path[:80]}",
        405: f"{request.method} is not done here",
        400: "the body cannot be read",
    }.get(error.status_code, str(error.detail))
    response = _answer(error.status_code, codes.get(error.status_code, "bad_request"), message)
    response.headers.update(error.headers or {})
    return response
