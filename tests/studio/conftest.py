"""A studio on an empty folder, and a browser in front of it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from tests.studio.desk import Desk, open_studio


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with open_studio(tmp_path / "data", lan=True) as client:
        yield client


@pytest.fixture
def desk(client: TestClient) -> Desk:
    return Desk(client)
