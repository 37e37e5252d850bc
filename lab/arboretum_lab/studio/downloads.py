"""Files for people to keep."""

import json
from typing import Literal

from fastapi.responses import Response

from arboretum_env.records.arb_writer import write_arb
from arboretum_env.records.json_form import record_to_json
from arboretum_env.records.record import GameRecord


def record_file(record: GameRecord, name: str, form: Literal["arb", "json"]) -> Response:
    """A record as a download."""
    if form == "json":
        text = json.dumps(record_to_json(record), indent=1, ensure_ascii=False) + "\n"
    else:
        text = write_arb(record)
    return Response(
        text.encode(),
        media_type="application/json" if form == "json" else "text/plain; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="arboretum-{name}.{form}"'},
    )
