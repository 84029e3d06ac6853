"""A small pen for SVG: escaped elements, and a style sheet of just the roles that were used."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import lru_cache
from xml.sax.saxutils import escape, quoteattr

from .palette import TONES, resolve
from .scene import Piece, Scheme
from .typeset import clean, clip, width

FONT = "system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,'DejaVu Sans',sans-serif"
TURN = {"n": 0, "ne": 45, "e": 90, "se": 135, "s": 180, "sw": 225, "w": 270, "nw": 315}


def num(value: float) -> str:
    """A coordinate with at most two decimals, the same on every platform."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def text_width(text: str, size: float) -> float:
    """A safe estimate of the pixels a text takes: nothing in a standalone file can measure a font."""
    return width(text) * size * 0.56


def reach(shape: str) -> float:
    """How far a piece of radius 1 reaches to the side."""
    return {"diamond": 1.12, "triangle": 1.12, "oblong": 1.4}.get(shape, 1.0)


KEPT = 4096
"""Drawings of single things that are kept for the next time."""

_kept: dict[Hashable, tuple[tuple[str, ...], frozenset[tuple[str, str]]]] = {}


class Pen:
    """Collects elements in document order and the roles they use."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self._roles: set[tuple[str, str]] = set()

    @property
    def roles(self) -> frozenset[tuple[str, str]]:
        """The roles that were used: (`f`, `i`, `s` or `e` for fill, ink, stroke or edge, the role)."""
        return frozenset(self._roles)

    def again(self, key: Hashable, draw: Callable[[Pen], object]) -> None:
        """Add what `draw` adds, kept under a key that says all of it: most of a board is the same a step later."""
        kept = _kept.get(key)
        if kept is None:
            pen = Pen()
            draw(pen)
            if len(_kept) >= KEPT:
                _kept.clear()
            kept = _kept[key] = (tuple(pen.parts), pen.roles)
        self.parts += kept[0]
        self._roles |= kept[1]

    def fill(self, role: str, default: str = "card") -> str:
        """The class that fills with the colour of a role."""
        return self._class("f", resolve(role, default))

    def ink(self, role: str, default: str = "card") -> str:
        """The class that fills with the colour read on a role: for its text."""
        return self._class("i", resolve(role, default))

    def stroke(self, role: str, default: str = "line") -> str:
        """The class that draws lines in the colour of a role."""
        return self._class("s", resolve(role, default))

    def edge(self, role: str, default: str = "card") -> str:
        """The class that draws lines in the ink of a role."""
        return self._class("e", resolve(role, default))

    def _class(self, use: str, role: str) -> str:
        self._roles.add((use, role))
        return f"wt-{use}-{role.replace('.', '-')}"

    def add(self, name: str, **attributes: str | float) -> None:
        """An empty element; `cls` stands for class, an underscore for a hyphen."""
        self.parts.append(f"<{name}{_attributes(attributes)}/>")

    def open(self, tooltip: str = "", ref: str = "", **attributes: str | float) -> None:
        """Starts a group, with a tooltip if there is one; `ref` are the words by which actions name what is in it."""
        if ref:
            attributes["data-ref"] = ref
        self.parts.append(f"<g{_attributes(attributes)}>")
        if tip := clean(tooltip):
            self.parts.append(f"<title>{escape(tip)}</title>")

    def close(self) -> None:
        """Ends the group."""
        self.parts.append("</g>")

    def text(
        self, x: float, y: float, text: str, cls: str, size: float, *, anchor: str = "", bold: bool = False
    ) -> None:
        """A line of text with its baseline at y."""
        attributes: dict[str, str | float] = {"x": x, "y": y, "cls": cls, "font_size": size}
        if anchor:
            attributes["text_anchor"] = anchor
        if bold:
            attributes["font_weight"] = "700"
        self.parts.append(f"<text{_attributes(attributes)}>{escape(clean(text))}</text>")

    def shape(self, shape: str, x: float, y: float, r: float, **attributes: str | float) -> None:
        """The outline of a piece of radius r about (x, y)."""
        if shape == "round":
            self.add("circle", cx=x, cy=y, r=r, **attributes)
        elif shape == "square":
            self.add("rect", x=x - r * 0.9, y=y - r * 0.9, width=r * 1.8, height=r * 1.8, rx=r * 0.3, **attributes)
        elif shape == "oblong":
            self.add("rect", x=x - r * 1.35, y=y - r * 0.8, width=r * 2.7, height=r * 1.6, rx=r * 0.3, **attributes)
        else:
            d, h = r * 1.12, r * 0.87
            corners = [(x, y - d), (x + d, y), (x, y + d), (x - d, y)]
            if shape == "triangle":
                corners = [(x, y - d), (x + d, y + h), (x - d, y + h)]
            elif shape == "hex":
                corners = [
                    (x - r / 2, y - h),
                    (x + r / 2, y - h),
                    (x + r, y),
                    (x + r / 2, y + h),
                    (x - r / 2, y + h),
                    (x - r, y),
                ]
            points = " ".join(f"{num(a)},{num(b)}" for a, b in corners)
            self.add("polygon", points=points, stroke_linejoin="round", **attributes)

    def piece(self, piece: Piece, x: float, y: float, r: float) -> None:
        """A piece of radius r about (x, y): shadow, body, ring, glyph, badge, facing."""
        role = resolve(piece.role, "unit")
        self.open(piece.name or piece.glyph, piece.ref, cls="wt-piece")
        if piece.facing:
            self.open(transform=f"rotate({TURN[piece.facing]} {num(x)} {num(y)})")
            tip = [(x, y - r * 1.5), (x + r * 0.55, y - r * 0.9), (x - r * 0.55, y - r * 0.9)]
            self.add("polygon", points=" ".join(f"{num(a)},{num(b)}" for a, b in tip), cls=self.fill(role))
            self.close()
        if piece.faded:
            # Hollow and dashed, not paler: the glyph stays as readable as before.
            body = f"{self.fill('card')} {self.edge('card')}"
            self.shape(piece.shape, x, y, r - 0.8, cls=body, stroke_width=1.6, stroke_dasharray="3 2.5")
            ink = self.ink("card")
        else:
            self.shape(piece.shape, x, y + r * 0.12, r, fill="#000", opacity="0.28")
            self.shape(piece.shape, x, y, r, cls=self.fill(role))
            ring = self.edge(role)
            self.shape(piece.shape, x, y, r * 0.86, cls=ring, fill="none", stroke_width=1.1, stroke_opacity="0.55")
            ink = self.ink(role)
        self._letters(piece, x, y, r, ink)
        if badge := clip(clean(piece.badge), 2):
            bx, by = x + r * 0.74, y + r * 0.7
            self.add(
                "circle", cx=bx, cy=by, r=r * 0.46, cls=f"{self.fill('badge')} {self.stroke('card')}", stroke_width=1.4
            )
            self.text(bx, by + r * 0.23, badge, self.ink("badge"), r * 0.64, anchor="middle", bold=True)
        self.close()

    def _letters(self, piece: Piece, x: float, y: float, r: float, ink: str) -> None:
        """The glyph, and below it, smaller, the code or the figures."""
        glyph = clip(clean(piece.glyph) or "?", 3)
        below = clip(clean(piece.code) or clean(piece.value), 5)
        size = r * (1.1, 1.1, 0.86, 0.74)[min(width(glyph), 3)]
        if piece.shape == "oblong":
            size = r * (1.0, 1.0, 0.9, 0.82)[min(width(glyph), 3)]
        elif piece.shape == "triangle":
            y, size = y + r * 0.3, size * 0.86
        if below and piece.shape == "triangle":  # it has little room above
            self.text(x, y + r * 0.5, below, ink, r * (0.54 if width(below) <= 3 else 0.46), anchor="middle", bold=True)
            y, size = y - r * 0.18, min(size, r * (0.6 if width(glyph) < 3 else 0.5))
        elif below:
            y, size = y - r * 0.25, min(size, r * 0.68)
            small = r * (0.6 if width(below) <= 3 else 0.5)
            self.text(x, y + r * 0.83, below, ink, small, anchor="middle", bold=True)
        self.text(x, y + size * 0.36, glyph, ink, size, anchor="middle", bold=True)

    def style(self, scheme: Scheme) -> str:
        """The style sheet: a variable for each colour (so that a page may set its own) and the plain value before it.

        A viewer that knows no variables uses the plain value. Rules are scoped to the scheme, since the style
        sheets of all drawings on one page act together.
        """
        root = f".wt-{scheme}"
        roles = {role for _, role in self._roles}
        light, dark = variables(roles), variables(roles, dark=True)
        rules = [f"{root}{{{dark if scheme == 'dark' else light}}}"]
        if scheme == "auto":
            rules.append(f"@media (prefers-color-scheme:dark){{{root}{{{dark}}}}}")
        rules += uses(self._roles, root, dark=scheme == "dark")
        rules.append(f"{root} text{{font-family:{FONT}}}")
        return "\n".join(rules)


def variables(roles: Iterable[str], dark: bool = False) -> str:
    """The declarations of roles' colours, as variables: `--wt-ROLE-f` the fill, `--wt-ROLE-i` the ink."""
    text = ""
    for role in sorted(roles):
        tone, name = TONES[role], role.replace(".", "-")
        fill, ink = (tone.dark_fill, tone.dark_ink) if dark else (tone.fill, tone.ink)
        text += f"--wt-{name}-f:{fill};--wt-{name}-i:{ink};"
    return text


def uses(roles: Iterable[tuple[str, str]], root: str, dark: bool = False) -> list[str]:
    """The rules of the classes that a pen gives to elements inside `root`, for the roles it used."""
    rules = []
    for use, role in sorted(roles):
        tone, name = TONES[role], role.replace(".", "-")
        fill, ink = (tone.dark_fill, tone.dark_ink) if dark else (tone.fill, tone.ink)
        which, value = ("f", fill) if use in "fs" else ("i", ink)
        what = "fill" if use in "fi" else "stroke"
        rules.append(f"{root} .wt-{use}-{name}{{{what}:{value};{what}:var(--wt-{name}-{which})}}")
    return rules


def _attributes(attributes: dict[str, str | float]) -> str:
    text = ""
    for name, value in attributes.items():
        shown = _quoted(value) if isinstance(value, str) else f'"{num(value)}"'
        text += f" {'class' if name == 'cls' else name.replace('_', '-')}={shown}"
    return text


@lru_cache(maxsize=4096)
def _quoted(value: str) -> str:
    return quoteattr(clean(value))


def polygon_path(points: Sequence[tuple[float, float]]) -> str:
    """The path of a closed polygon."""
    return "M" + "L".join(f"{num(x)} {num(y)}" for x, y in points) + "Z"
