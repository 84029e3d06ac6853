"""The colours of roles: for a light and a dark page, and for a terminal."""

from __future__ import annotations

from typing import Literal, NamedTuple

Inks = Literal["terminal", "light", "dark"]
"""How text is coloured: by the terminal's own colours, or by the fills and inks of a light or a dark page."""


class Tone(NamedTuple):
    """A fill and the ink that is read on it, for a light and for a dark page, and a rich style.

    Ink on fill has a contrast of 4.5 or more (WCAG AA).
    """

    fill: str
    ink: str
    dark_fill: str
    dark_ink: str
    style: str


TONES: dict[str, Tone] = {
    # surfaces
    "page": Tone("#f4f1e9", "#23262b", "#12151a", "#e8e5dc", ""),
    "card": Tone("#fffdf8", "#23262b", "#1b2028", "#e8e5dc", ""),
    "line": Tone("#d8d1c0", "#23262b", "#343c48", "#e8e5dc", "bright_black"),
    "title": Tone("#fffdf8", "#23262b", "#1b2028", "#f4f1e9", "bold"),
    "muted": Tone("#fffdf8", "#5d6370", "#1b2028", "#a3adba", "bright_black"),
    "axis": Tone("#f4f1e9", "#5d6370", "#12151a", "#a3adba", "bright_black"),
    "accent": Tone("#fffdf8", "#0b5a8a", "#1b2028", "#7cc4f2", "cyan"),
    "good": Tone("#fffdf8", "#1d6b34", "#1b2028", "#86d69a", "green"),
    "warn": Tone("#fffdf8", "#875200", "#1b2028", "#f0c060", "yellow"),
    "bad": Tone("#fffdf8", "#a8231c", "#1b2028", "#f59a91", "red"),
    # what lies on the board
    "mark": Tone("#0b6fa8", "#ffffff", "#5ab8f0", "#04162e", "bold cyan"),
    "mark.last": Tone("#8a5a00", "#ffffff", "#f0c060", "#2b1f00", "yellow"),
    "mark.danger": Tone("#b3261e", "#ffffff", "#f0877d", "#2a0503", "bold red"),
    "link": Tone("#8c8878", "#000000", "#5b6675", "#ffffff", "bright_black"),
    "badge": Tone("#b3261e", "#ffffff", "#ffd9d5", "#6b0f0a", "bold red"),
    # squares
    "cell": Tone("#e9e2d0", "#5b5546", "#434d5d", "#d3dae4", "bright_black"),
    "cell.wall": Tone("#525a6b", "#ffffff", "#252c37", "#c3ccd8", "grey42"),
    "cell.vessel": Tone("#cfe0ee", "#27506f", "#25465f", "#bfdcf2", "blue"),
    "cell.exit": Tone("#bfe3c6", "#1b552a", "#1f5230", "#c4efcd", "bold green"),
    "cell.spawn": Tone("#f0cbd8", "#7a1d43", "#5c2a45", "#f8c9dc", "magenta"),
    "cell.objective": Tone("#f6dd8f", "#604600", "#6b5308", "#fdeab0", "bold yellow"),
    "cell.bulkhead": Tone("#c39b74", "#3d2206", "#6e4d2c", "#f8e2c6", "yellow"),
    "cell.door": Tone("#d9d3f0", "#473a80", "#3f3770", "#d9d3f7", "blue"),
    "cell.hazard": Tone("#f6c9a8", "#742f07", "#663414", "#fdd5b8", "red"),
    "cell.passage": Tone("#cfe3da", "#24503f", "#2c4a42", "#c3e4d6", "cyan"),
    "cell.dark": Tone("#b7b0c6", "#2c2440", "#2a2342", "#c9bfe2", "magenta"),
    # how much happened in a place: on a light page the darker the more, on a dark one the brighter
    "area.heat.1": Tone("#fde9b8", "#4f3600", "#3d2f1c", "#f3e2bd", "yellow"),
    "area.heat.2": Tone("#fbc671", "#4a2600", "#6b3d16", "#ffe8c8", "yellow"),
    "area.heat.3": Tone("#f08c45", "#2e0f00", "#a84a18", "#ffffff", "bright_yellow"),
    "area.heat.4": Tone("#cc4125", "#ffffff", "#e8773f", "#240900", "red"),
    "area.heat.5": Tone("#851222", "#ffffff", "#ffc878", "#2e1600", "bold red"),
    # areas of a map
    "area": Tone("#e3e6da", "#3d4430", "#2d3529", "#d3dbc8", ""),
    "area.land": Tone("#e6e0cd", "#4a4330", "#3a362a", "#e2d9c0", ""),
    "area.hull": Tone("#e4ead6", "#38472a", "#2c3a2c", "#d2e3c4", ""),
    "area.ruin": Tone("#c9b7a8", "#3f2517", "#3d2a22", "#f0d3c2", "red"),
    "area.space": Tone("#dbe1f0", "#33426b", "#1f2740", "#c2cdec", ""),
    "area.far": Tone("#cfd3e2", "#3a4163", "#181d30", "#b3bcdc", ""),
    # pieces: sides by colour, opponents by kind, tokens
    "unit": Tone("#1f5fae", "#ffffff", "#7fb2f0", "#04162e", "bold blue"),
    "unit.red": Tone("#b3261e", "#ffffff", "#f0877d", "#2a0503", "bold red"),
    "unit.blue": Tone("#1f5fae", "#ffffff", "#7fb2f0", "#04162e", "bold bright_blue"),
    "unit.green": Tone("#1f7038", "#ffffff", "#7fd08e", "#04210b", "bold green"),
    "unit.yellow": Tone("#e9bd1a", "#2b2000", "#f0cf5a", "#2b2000", "bold yellow"),
    "unit.orange": Tone("#b34f07", "#ffffff", "#f3a65a", "#2b1400", "bold yellow"),
    "unit.purple": Tone("#6b3fa0", "#ffffff", "#c49bf0", "#1d0636", "bold magenta"),
    "unit.white": Tone("#ffffff", "#23262b", "#f2f0ea", "#22252a", "bold bright_white"),
    "unit.grey": Tone("#626975", "#ffffff", "#b4bcc8", "#1a1d22", "bold white"),
    "unit.black": Tone("#23262b", "#ffffff", "#07080a", "#f4f1e9", "bold white"),
    "foe": Tone("#6d1b4e", "#ffffff", "#e29ac4", "#2b061c", "bold magenta"),
    "foe.1": Tone("#8a2a63", "#ffffff", "#e8a8cd", "#2b061c", "magenta"),
    "foe.2": Tone("#5c2a86", "#ffffff", "#c9a4f2", "#1d0636", "bold magenta"),
    "foe.3": Tone("#3b3f2a", "#ffffff", "#c4cc98", "#1d200c", "bold bright_green"),
    "foe.4": Tone("#7d1111", "#ffffff", "#ff9f92", "#2a0503", "bold bright_red"),
    "token": Tone("#efe6c8", "#3d3514", "#cfc59a", "#241f08", "yellow"),
    "token.good": Tone("#2d7a45", "#ffffff", "#86d69a", "#04210b", "green"),
    "token.bad": Tone("#a8231c", "#ffffff", "#f59a91", "#2a0503", "red"),
    "hidden": Tone("#3c4350", "#ffffff", "#aab4ca", "#10131a", "bold"),
}


def resolve(role: str, default: str = "card") -> str:
    """The nearest role that has colours: `unit.teal` falls back to `unit`, an unknown one to `default`."""
    while role:
        if role in TONES:
            return role
        role = role.rpartition(".")[0]
    return default


TEXTS = {"page", "card", "title", "muted", "axis", "accent", "good", "warn", "bad"}
"""Roles of text that stands on the card itself."""

STROKES = {"line", "link", "cell.wall"}
"""Roles of what is drawn as a solid stroke: what is a fill elsewhere is their ink."""


def style(role: str, inks: Inks = "terminal", ground: str = "") -> str:
    """Return the rich style of a role in a text; for a page the card lies below, or the area whose role is `ground`."""
    name = resolve(role, "page")
    tone = TONES[name]
    if inks == "terminal":
        return tone.style
    fill, ink = _page(name, inks)
    bold = "bold " if tone.style.startswith("bold") else ""
    if name in STROKES:
        return fill
    if name in TEXTS:
        return f"{bold}{ink}" + (f" on {_page(resolve(ground), inks)[0]}" if ground else "")
    return f"{bold}{ink} on {fill}"


def _page(name: str, inks: Inks) -> tuple[str, str]:
    tone = TONES[name]
    return (tone.fill, tone.ink) if inks == "light" else (tone.dark_fill, tone.dark_ink)
