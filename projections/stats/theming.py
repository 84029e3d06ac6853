"""Charts of matplotlib in the colours of the house: for light and dark pages, with words for those who do not see them."""

from __future__ import annotations

import hashlib
import io
import re
import warnings
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, ParamSpec
from xml.sax.saxutils import escape

from ...domain.errors import WarptapeError
from ..palette import TONES
from ..scene import Scheme
from ..svg_pen import FONT
from ..typeset import clean

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

P = ParamSpec("P")

PAGE, CARD, INK, MUTED, RULE = "page", "card", "ink", "muted", "rule"
COLOURS = {
    PAGE: (TONES["page"].fill, TONES["page"].dark_fill),
    CARD: (TONES["card"].fill, TONES["card"].dark_fill),
    INK: (TONES["page"].ink, TONES["page"].dark_ink),
    MUTED: (TONES["axis"].ink, TONES["axis"].dark_ink),
    RULE: (TONES["line"].fill, TONES["line"].dark_fill),
    "good": (TONES["good"].ink, TONES["good"].dark_ink),
    "bad": (TONES["bad"].ink, TONES["bad"].dark_ink),
    "none": (TONES["unit.grey"].fill, TONES["unit.grey"].dark_fill),
    "side.1": (TONES["unit.blue"].fill, TONES["unit.blue"].dark_fill),
    "side.2": (TONES["foe.1"].fill, TONES["foe.1"].dark_fill),
    "side.3": (TONES["unit.orange"].fill, TONES["unit.orange"].dark_fill),
    "side.4": (TONES["unit.green"].fill, TONES["unit.green"].dark_fill),
}
"""By name a colour for a light and one for a dark page; no two names have the same light one."""
NAMES = {light: name for name, (light, _) in COLOURS.items()}
HEX = re.compile(r"(fill|stroke): (#[0-9a-f]{6})")
UNFIT = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|[\u202a-\u202e\u2066-\u2069]")
"""What XML cannot hold, and what turns the direction of a text."""
STYLE = {
    "svg.fonttype": "none",
    "text.parse_math": False,
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "axes.unicode_minus": False,
}


class NeedsExtra(WarptapeError):
    """A part of the package is not installed."""


def light(name: str) -> str:
    """Return a colour by name, as it is on a light page: `svg` gives it its counterpart on a dark one."""
    return COLOURS[name][0]


def check_extra() -> None:
    """Raise NeedsExtra, saying what to install, unless charts can be drawn."""
    try:
        import matplotlib.figure  # noqa: F401
    except ImportError as error:
        raise NeedsExtra(
            "Charts need matplotlib, which is not installed: pip install 'warptape[plots]'. Heat maps do without: --only heat."
        ) from error


def styled(chart: Callable[P, str]) -> Callable[P, str]:
    """Have a chart drawn in our own style, whatever that of the process is."""

    @wraps(chart)
    def drawn(*args: P.args, **kwargs: P.kwargs) -> str:
        from matplotlib import rc_context, rcdefaults

        with rc_context(), warnings.catch_warnings():
            # A letter that the font lacks is the reader's to find: the letters stay text.
            warnings.filterwarnings("ignore", "Glyph .* missing")
            rcdefaults()
            with rc_context(STYLE):
                return chart(*args, **kwargs)

    return drawn


def figure(
    wide: float, tall: float, rows: int = 1, columns: int = 1, *, sharey: bool = False
) -> tuple[Figure, list[Axes]]:
    """Return an empty figure of so many inches and its plots, row by row."""
    from matplotlib.figure import Figure

    found = Figure(figsize=(wide, tall), facecolor=light(PAGE), layout="constrained")
    found.get_layout_engine().set(w_pad=0.12, h_pad=0.1)
    axes = found.subplots(rows, columns, squeeze=False, sharey=sharey)
    return found, [plain(one) for row in axes for one in row]


def plain(axes: Axes) -> Axes:
    """Leave nothing of a plot's frame but its ground and quiet lines."""
    axes.set_facecolor(light(CARD))
    for spine in axes.spines.values():
        spine.set_visible(False)
    axes.tick_params(colors=light(INK), length=0, labelsize=9)
    axes.grid(axis="x", color=light(RULE), linewidth=0.8)
    axes.set_axisbelow(True)
    return axes


def headed(axes: Axes, text: str) -> None:
    """Write a heading over a plot."""
    axes.set_title(text, loc="left", fontsize=10, color=light(MUTED))


def svg(drawing: Figure, title: str, words: str, scheme: Scheme = "auto") -> str:
    """Return a figure as an SVG document of its own: the same bytes every time, `auto` follows the reader's setting."""
    from matplotlib import rc_context
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    drawing.suptitle(title, x=0.01, ha="left", fontsize=13, fontweight="bold", color=light(INK))
    out = io.StringIO()
    name = "wt-" + hashlib.sha256(f"{title}|{words}|{scheme}".encode()).hexdigest()[:10]
    with rc_context({"svg.hashsalt": name}):
        # `savefig` would draw everything once more beforehand, to see how large it is.
        FigureCanvasSVG(drawing).print_svg(out, metadata={"Date": None, "Creator": None})
    text = out.getvalue()
    body = text[text.index("<svg") :]
    opening, body = body[: body.index(">") + 1], body[body.index(">") + 1 :]
    size = re.search(r'viewBox="0 0 ([0-9.]+) ([0-9.]+)"', opening)
    assert size is not None
    body = re.sub(r"<metadata>.*?</metadata>", "", body, flags=re.DOTALL)
    body = re.sub(r"<!--.*?-->", "", body, flags=re.DOTALL)
    body = re.sub(r'(id="|url\(#|href="#)', rf"\g<1>{name}-", body)  # no two drawings on a page have an id in common
    body = body.replace("'DejaVu Sans'", FONT.replace('"', "'"))
    body = body.replace("*{stroke", f".wt-chart-{scheme} *{{stroke")  # of a page only what is in here
    body = UNFIT.sub("\ufffd", body)
    body = HEX.sub(lambda found: _coloured(found[1], found[2], scheme), body)
    wide, tall = float(size[1]), float(size[2])
    return "\n".join(
        [
            '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
            f'class="wt-chart wt-chart-{scheme}" role="img" width="{wide * 4 / 3:.0f}" height="{tall * 4 / 3:.0f}" '
            f'viewBox="0 0 {size[1]} {size[2]}" aria-labelledby="{name}-t {name}-d">',
            f'<title id="{name}-t">{escape(clean(title))}</title>',
            f'<desc id="{name}-d">{escape(clean(words))}</desc>',
            f"<style>{_style(scheme)}</style>",
            body.strip(),
            "",
        ]
    )


def _coloured(what: str, value: str, scheme: Scheme) -> str:
    """A colour with its variable; a viewer that knows no variables uses the plain value before it."""
    name = NAMES.get(value)
    if name is None:
        return f"{what}: {value}"
    own = COLOURS[name][scheme == "dark"]
    return f"{what}: {own}; {what}: var(--wt-chart-{name.replace('.', '-')}, {own})"


def _style(scheme: Scheme) -> str:
    root = f".wt-chart-{scheme}"
    rules = [f"{root}{{{_variables(scheme == 'dark')}}}"]
    if scheme == "auto":
        rules.append(f"@media (prefers-color-scheme:dark){{{root}{{{_variables(True)}}}}}")
    return "\n".join(rules)


def _variables(dark: bool) -> str:
    return "".join(f"--wt-chart-{name.replace('.', '-')}:{tones[dark]};" for name, tones in COLOURS.items())
