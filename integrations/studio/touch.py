"""Fingers on a touch screen: what a browser makes of real touch points, gestures included."""

from dataclasses import dataclass, field

from playwright.sync_api import CDPSession, Page

Point = tuple[float, float]

_STEPS = 6


@dataclass
class Fingers:
    """The fingers of one hand on a page.

    Attributes:
        page: of a browser that has a touch screen.
    """

    page: Page
    _session: CDPSession = field(init=False)

    def __post_init__(self) -> None:
        self._session = self.page.context.new_cdp_session(self.page)

    def move(self, *ways: tuple[Point, Point]) -> None:
        """Puts fingers down, moves each from one point to another, and lifts them all."""
        starts = [way[0] for way in ways]
        for count in range(1, len(ways) + 1):  # one after the other, as fingers come down
            self._send("touchStart", starts[:count])
        for step in range(1, _STEPS + 1):
            part = step / _STEPS
            points = [(a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part) for a, b in ways]
            self._send("touchMove", points)
            self.page.wait_for_timeout(20)
        self._send("touchEnd", [])

    def _send(self, kind: str, points: list[Point]) -> None:
        touches = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        self._session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})
