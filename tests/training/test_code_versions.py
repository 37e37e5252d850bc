"""Processes that compute one result can tell whether they have the same code."""

from pathlib import Path

from arboretum_training.code_versions import code_versions, content_digest, differences


def package(folder: Path, **files: str) -> list[Path]:
    folder.mkdir()
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(text)
    return [folder]


def test_a_digest_is_of_names_and_contents_wherever_they_lie(tmp_path: Path) -> None:
    whole = content_digest(package(tmp_path / "a", x_py="1", y_json="2"))
    assert whole == content_digest(package(tmp_path / "b", x_py="1", y_json="2", z_pyc="3"))
    others = [
        content_digest(package(tmp_path / "c", x_py="1", y_json="3")),
        content_digest(package(tmp_path / "d", x_py="1", w_json="2")),
        content_digest(package(tmp_path / "e", x_py="1")),
        content_digest(package(tmp_path / "f", x_py="12", y_json="")),
        content_digest([*package(tmp_path / "g", x_py="1"), *package(tmp_path / "h", y_json="2")]),
    ]
    assert len({whole, *others}) == 6


def test_versions_are_those_of_what_plays_and_learns() -> None:
    found = code_versions()
    assert list(found) == ["python", "rules", "arboretum-lab", "numpy", "numba", "torch", "code"]
    assert "none" not in found.values()


def test_what_one_side_lacks_differs() -> None:
    assert differences({"seed": "1"}, {"seed": "1", "start": "ab"}) == "start none, not ab"
    assert differences({"seed": "1", "start": "ab"}, {"seed": "2"}) == (
        "seed 1, not 2; start ab, not none"
    )
