"""Colours and style of the pages that report measurements, by daylight and in the dark.

Every colour has a name. Pictures carry the light ones as attributes, so that they stand alone; on a
page the style sheet overrides them by class, and follows what the reader's system prefers. Results
below a fair share are brown, above it teal (ColorBrewer's BrBG, which is safe for the common kinds
of colour blindness); every cell also has its number. Source: Harrower and Brewer, ColorBrewer.org
(2003).
"""

from typing import Final

from arboretum_env.drawing import theme

LIGHT: Final[dict[str, str]] = {
    "page": theme.LIGHT["page"],
    "panel": theme.LIGHT["panel"],
    "edge": theme.LIGHT["edge"],
    "soil": theme.LIGHT["soil"],
    "ink": theme.LIGHT["ink"],
    "faint": "#736D5F",
    "good": "#35978F",
    "bad": "#BF812D",
    "mark": "#01665E",
    "line1": "#01665E",
    "line2": "#B35806",
    "line3": "#542788",
    "line4": "#2166AC",
}
DARK: Final[dict[str, str]] = {
    "page": "#191B18",
    "panel": "#22251F",
    "edge": "#3A3E35",
    "soil": "#2A2E27",
    "ink": "#ECE8DC",
    "faint": "#A39E8F",
    "good": "#2C8A82",
    "bad": "#A06A24",
    "mark": "#7FD0C7",
    "line1": "#5CC4B8",
    "line2": "#F0A04B",
    "line3": "#B79AE0",
    "line4": "#7FB6E8",
}

_STRONGEST: Final = 0.85  # share of the colour in the cell of a rate of 0 or 1


def tint(rate: float, fair: float) -> tuple[str, float]:
    """Which colour a rate's cell has, ``good`` or ``bad``, and how much of it, 0 to 1.

    >>> tint(0.75, 0.5), tint(0.25, 0.5)
    (('good', 0.425), ('bad', 0.425))
    """
    reach = 1 - fair if rate >= fair else fair
    return ("good" if rate >= fair else "bad"), round(_STRONGEST * abs(rate - fair) / reach, 4)


def mixed(colour: str, share: float) -> str:
    """The light colour of a cell: so much of the colour, the rest the panel's."""
    channels = (
        round(share * int(LIGHT[colour][at : at + 2], 16))
        + round((1 - share) * int(LIGHT["panel"][at : at + 2], 16))
        for at in (1, 3, 5)
    )
    return "#" + "".join(f"{min(255, channel):02X}" for channel in channels)


def style_sheet() -> str:
    """The style of a page; nothing is loaded from anywhere."""
    light = ";".join(f"--{name}:{colour}" for name, colour in LIGHT.items())
    dark = ";".join(f"--{name}:{colour}" for name, colour in DARK.items())
    fills = "\n".join(f".f-{name}{{fill:var(--{name})}}" for name in LIGHT)
    strokes = "\n".join(f".s-{name}{{stroke:var(--{name})}}" for name in LIGHT)
    return f""":root{{color-scheme:light dark;{light}}}
@media (prefers-color-scheme:dark){{:root{{{dark}}}}}
{fills}
{strokes}
{_RULES}"""


_RULES: Final = """.cell.good{fill:color-mix(in srgb,var(--good) var(--much),var(--panel))}
.cell.bad{fill:color-mix(in srgb,var(--bad) var(--much),var(--panel))}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);
 font:16px/1.5 "Arboretum Sans","Segoe UI",system-ui,-apple-system,"DejaVu Sans",sans-serif}
main{max-width:1080px;margin:0 auto;padding:40px 24px 64px}
header{border-bottom:3px solid var(--mark);padding-bottom:18px;margin-bottom:28px}
h1{font-size:30px;line-height:1.2;margin:0 0 10px}
h2{font-size:20px;margin:0 0 4px}
.facts{display:flex;flex-wrap:wrap;gap:8px;margin:0;padding:0;list-style:none}
.facts li{background:var(--soil);border-radius:14px;padding:2px 12px;font-size:14px}
.facts .warn{background:var(--bad);color:#fff}
section{background:var(--panel);border:1px solid var(--edge);border-radius:14px;
 padding:22px 24px;margin:0 0 22px}
section>p{margin:0 0 14px;color:var(--faint);font-size:14px;max-width:78ch}
.wide{overflow-x:auto}
svg{display:block;max-width:100%;height:auto}
.wide svg{max-width:none}
table{border-collapse:collapse;width:100%;font-size:14.5px;font-variant-numeric:tabular-nums}
th{font-weight:600;color:var(--faint);text-align:right;padding:6px 10px;white-space:nowrap;
 border-bottom:2px solid var(--edge);font-size:13px}
td{padding:8px 10px;text-align:right;white-space:nowrap;border-bottom:1px solid var(--edge)}
tr:last-child td{border-bottom:0}
tbody tr:hover{background:var(--soil)}
.name{text-align:left;white-space:normal;overflow-wrap:anywhere;min-width:10em;font-weight:600}
.text{text-align:left;white-space:normal;overflow-wrap:anywhere}
small{color:var(--faint);font-size:12.5px;font-weight:400}
.bar{display:inline-block;width:92px;height:8px;border-radius:4px;background:var(--soil);
 position:relative;vertical-align:middle;margin-right:10px}
.bar i{position:absolute;left:0;top:0;bottom:0;border-radius:4px;background:var(--good)}
.bar b{position:absolute;top:-3px;bottom:-3px;width:2px;background:var(--faint)}
.figure{display:inline-block;min-width:2.9em}
.spread{display:inline-block;min-width:6.4em}
code{font:13px/1.5 ui-monospace,"DejaVu Sans Mono",monospace;overflow-wrap:anywhere}
pre{background:var(--soil);border-radius:8px;padding:12px 14px;white-space:pre-wrap;margin:0}
details{margin:14px 0 0}summary{cursor:pointer;font-weight:600;padding:4px 0}
footer{color:var(--faint);font-size:13px}
@media (max-width:640px){main{padding:20px 12px}section{padding:16px 14px}}
@media print{body{background:#fff}section{break-inside:avoid}}
"""
