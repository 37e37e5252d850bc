"""The page and pictures of a tournament: every figure is there, and no name becomes markup."""

import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from arboretum_env.drawing.html import element, to_text
from arboretum_env.drawing.png import decode_png
from arboretum_training.evaluation.report_theme import DARK, LIGHT, mixed, style_sheet, tint
from arboretum_training.evaluation.standings import Pairing, Standings, standings
from arboretum_training.evaluation.statistics import Interval
from arboretum_training.evaluation.tournament_charts import payoff_matrix, rating_chart, short_name
from arboretum_training.evaluation.tournament_page import tournament_page, write_page
from arboretum_training.evaluation.tournament_report import percent, percents, spread
from tests.evaluation.stub_agents import FirstLegal, LastLegal
from tests.evaluation.tournaments import played, settings_of

AGENTS = ["random", FirstLegal, LastLegal]


def ahead_of(pairing: Pairing) -> tuple[float, Interval]:
    return pairing.ahead, pairing.ahead_ci95


NASTY = '<script>alert("x")</script>&\x07'


class Reader(HTMLParser):
    """The texts of a page, and every tag and attribute in it."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


@pytest.fixture(scope="module", params=[(2, "round-robin"), (4, "round-robin"), (3, "mixed")])
def result(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Standings:
    players, form = request.param
    settings = settings_of(AGENTS, players, form, deals=4)
    return standings(played(tmp_path_factory.mktemp("t"), settings))


def test_every_figure_is_on_the_page(result: Standings) -> None:
    texts = {text.strip() for text in Reader(tournament_page(result, "arboretum x")).texts}
    for agent in result.agents:
        assert agent.name in texts
        assert f"{agent.rating.rating:.0f}" in texts and spread(agent.rating) in texts
        assert percent(agent.win_rate) in texts and percents(agent.win_rate_ci95) in texts
        assert " · ".join(map(percent, agent.seat_win_rates)) in texts
        for figure in (agent.mean_score, agent.denied_points, agent.denied_to_others):
            assert f"{figure:.1f}" in texts
        assert percent(agent.ties) in texts
    for pairing in result.pairings.values():
        assert percent(pairing.ahead) in texts and percents(pairing.ahead_ci95) in texts
        assert percent(pairing.win_rate) in texts
    for agent in result.settings.agents:
        assert agent.pinned in texts and agent.digest[:16] in texts
    assert f"{result.games:,} games" in texts
    assert "arboretum x" in texts


def test_forfeits_are_named_at_the_head(result: Standings) -> None:
    first, *others = result.agents
    failing = replace(result, agents=(replace(first, forfeits=1234), *others))
    for page, wanted in ((failing, [f"{first.name} forfeited 1,234 games"]), (result, [])):
        texts = [text.strip() for text in Reader(tournament_page(page, "")).texts]
        assert [text for text in texts if "forfeited" in text] == wanted


def test_every_pair_stands_there_once_with_its_p_value(result: Standings) -> None:
    texts = [text.strip() for text in Reader(tournament_page(result, "")).texts]
    pairs = [text for text in texts if re.fullmatch(r"\w+ against \w+", text)]
    assert len(pairs) == len(set(pairs)) == 3
    for pair in pairs:
        one, _, other = pair.split()
        assert f"{result.pairings[one, other].p_holm:.2g}" in texts


def test_the_page_needs_nothing_else(result: Standings) -> None:
    page = tournament_page(result, "")
    reader = Reader(page)
    assert not {"script", "link", "img", "iframe", "object"} & set(reader.tags)
    assert not [
        name for name, _ in reader.attributes if name in ("src", "href") or name[:2] == "on"
    ]
    assert "url(" not in page and "@import" not in page
    assert "svg" in reader.tags
    assert "prefers-color-scheme:dark" in page


def test_the_same_tournament_is_the_same_page(result: Standings) -> None:
    assert tournament_page(result, "x") == tournament_page(result, "x")


def test_names_and_commands_never_become_markup(result: Standings) -> None:
    named = replace(
        result,
        agents=tuple(replace(agent, name=NASTY) for agent in result.agents),
        settings=replace(
            result.settings,
            agents=tuple(replace(agent, name=NASTY) for agent in result.settings.agents),
        ),
        pairings={(NASTY, NASTY): next(iter(result.pairings.values()))},
    )
    page = tournament_page(named, NASTY)
    reader = Reader(page)
    assert "script" not in reader.tags
    assert set(reader.tags) <= set(Reader(tournament_page(result, "")).tags)
    assert any('<script>alert("x")</script>&\ufffd' in text for text in reader.texts)
    for picture in (rating_chart(named), payoff_matrix(named, ahead_of, 0.5, NASTY)):
        ET.fromstring(ET.tostring(picture))  # XML cannot hold every character


def test_an_unfinished_tournament_says_so(result: Standings) -> None:
    assert "not complete yet" not in Reader(tournament_page(result, "")).texts
    unfinished = replace(result, complete=False)
    assert "not complete yet" in Reader(tournament_page(unfinished, "")).texts


def test_the_rating_chart_is_drawn_to_scale(result: Standings) -> None:
    chart = rating_chart(result)
    ticks = {
        float(text.text or ""): float(text.get("x", ""))
        for text in chart.findall("text")
        if re.fullmatch(r"-?\d+", text.text or "")
    }
    (left, x_left), (right, x_right) = min(ticks.items()), max(ticks.items())
    scale = (x_right - x_left) / (right - left)
    for group, agent in zip(chart.findall("g"), result.agents, strict=True):
        [dot] = group.findall("circle")
        where = x_left + (agent.rating.rating - left) * scale
        assert float(dot.get("cx", "")) == pytest.approx(where, abs=0.1)
        interval = agent.rating.ci95
        assert interval is not None
        [bar] = group.findall("rect")
        assert float(bar.get("x", "")) == pytest.approx(
            x_left + (interval.low - left) * scale, abs=0.1
        )
        assert left <= interval.low <= interval.high <= right


def test_files_are_written_with_pictures(result: Standings, tmp_path: Path) -> None:
    files = write_page(tmp_path, result, "arboretum tournament")
    assert [file.name for file in files] == [
        "report.html", "ratings.svg", "ratings.png", "matrix.svg", "matrix.png"
    ]  # fmt: skip
    for name in ("ratings", "matrix"):
        picture = ET.parse(tmp_path / f"{name}.svg").getroot()
        pixels = decode_png((tmp_path / f"{name}.png").read_bytes())
        assert pixels.shape[1] == pytest.approx(1.5 * int(picture.get("width", "")), abs=1)
        assert len({tuple(colour) for colour in pixels[::7, ::7].reshape(-1, 3)}) > 3


def test_cells_are_coloured_around_the_fair_share() -> None:
    assert tint(0.5, 0.5) == ("good", 0)
    assert tint(1.0, 0.25) == ("good", 0.85)
    assert tint(0.0, 0.25) == ("bad", 0.85)
    assert tint(0.125, 0.25) == ("bad", 0.425)
    assert mixed("good", 0) == LIGHT["panel"]
    assert mixed("good", 1) == LIGHT["good"]


def test_every_colour_has_its_dark_twin() -> None:
    assert LIGHT.keys() == DARK.keys()
    for name in LIGHT:
        assert f"--{name}:{LIGHT[name]}" in style_sheet()
        assert f"--{name}:{DARK[name]}" in style_sheet()


def test_long_names_keep_their_end() -> None:
    assert short_name("greedy") == "greedy"
    assert short_name("runs/" + "x" * 30 + "/step9") == "…" + "x" * 17 + "/step9"


def test_texts_between_elements() -> None:
    made = element("p", "a", element("b", "<"), "c", "d", title='"')
    assert to_text(made) == '<p title="&quot;">a<b>&lt;</b>cd</p>'
