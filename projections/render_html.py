"""A Scene as HTML: a self-contained page, or a fragment for a notebook."""

from __future__ import annotations

from html import escape

from .palette import TONES, resolve
from .render_svg import render_svg
from .scene import Panel, Row, Scene, Scheme
from .svg_pen import FONT
from .typeset import clean, width

ROLES = ("page", "card", "line", "muted", "axis", "accent", "good", "warn", "bad")
"""Roles of surfaces, and of text that stands on them."""


def render_page(scene: Scene, scheme: Scheme = "auto") -> str:
    """The scene as an HTML page without outside resources; `auto` follows the reader's light or dark setting."""
    schemes = "light dark" if scheme == "auto" else scheme
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8"/>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1"/>\n'
        f'<meta name="color-scheme" content="{schemes}"/>\n'
        f"<title>{_text(scene.title)}</title>\n<style>body{{margin:0}}"
        ".wt-view{min-height:100vh;border-radius:0!important}</style>\n</head>\n<body>\n"
        f"{render_fragment(scene, scheme)}</body>\n</html>\n"
    )


def render_fragment(scene: Scene, scheme: Scheme = "auto") -> str:
    """The scene as one `div`: heading, drawing, panels. It brings its own background, so any page will do."""
    parts = [
        f'<div class="wt-view wt-view-{scheme}">',
        f"<style>{_style(scheme)}</style>",
        f"<header><h1>{_text(scene.title)}</h1>",
    ]
    if scene.subtitle:
        parts.append(f"<p>{_text(scene.subtitle)}</p>")
    parts.append('</header>\n<div class="wt-split">')
    if scene.cells or scene.areas or scene.pieces or scene.marks or scene.tracks or scene.legend:
        parts.append(f'<div class="wt-board">{render_svg(scene, scheme, panels=False)}</div>')
    if scene.panels:
        parts.append('<div class="wt-panels">')
        parts += [panel_table(panel) for panel in scene.panels]
        parts.append("</div>")
    parts.append("</div>\n</div>\n")
    return "\n".join(parts)


def panel_table(panel: Panel) -> str:
    """A panel as a section with a heading and a table."""
    rows = "\n".join(_row(row) for row in panel.rows)
    return f'<section><h2>{_text(panel.title)}</h2>\n<table role="presentation">\n{rows}\n</table></section>'


def _row(row: Row) -> str:
    side, tone = "", ""
    if row.role:
        role = resolve(row.role).replace(".", "-")
        if role in ROLES:
            tone = f' class="wt-t-{role}"'
        else:
            side = f' class="wt-b-{role}"'
    indent = f"padding-left:{10 + 16 * min(row.depth, 8)}px"
    if not row.label or not row.text:
        cell, scope = ("th", ' scope="row"') if row.label else ("td", "")
        words = _text(row.label or row.text)
        return f'<tr{side}><{cell}{scope}{tone} colspan="2" style="{indent}">{words}</{cell}></tr>'
    # A short label stays on one line whatever is beside it.
    wrapping = ";white-space:nowrap" if width(clean(row.label)) <= 20 else ""
    label = f'<th scope="row"{tone} style="{indent}{wrapping}">{_text(row.label)}</th>'
    return f"<tr{side}>{label}<td>{_text(row.text)}</td></tr>"


def _text(text: str) -> str:
    return escape(clean(text))


def _style(scheme: Scheme) -> str:
    root = f".wt-view-{scheme}"
    rules = [f"{root}{{{_colours(scheme == 'dark')}}}"]
    if scheme == "auto":
        rules.append(f"@media (prefers-color-scheme:dark){{{root}{{{_colours(True)}}}}}")
    rules += [
        f"{root}{{background:var(--wtv-page-f);color:var(--wtv-page-i);font:15px/1.45 {FONT};padding:20px 24px;"
        "border-radius:14px;box-sizing:border-box}",
        f"{root} header h1{{font-size:23px;line-height:1.2;margin:0 0 4px;color:inherit}}",
        f"{root} header p{{margin:0 0 8px;color:var(--wtv-axis-i)}}",
        f"{root} .wt-split{{display:flex;flex-wrap:wrap;gap:20px;align-items:flex-start}}",
        f"{root} .wt-board{{flex:0 1 auto;min-width:0}}",
        f"{root} .wt-board svg{{max-width:100%;height:auto;display:block;margin-left:-24px}}",
        f"{root} .wt-panels{{flex:1 1 280px;max-width:560px;display:grid;gap:14px;padding-top:20px}}",
        f"{root} section{{background:var(--wtv-card-f);color:var(--wtv-card-i);border:1px solid var(--wtv-line-f);"
        "border-radius:10px;padding:10px 8px}",
        f"{root} h2{{font-size:15px;margin:0 0 4px;padding:0 10px;color:inherit}}",
        f"{root} table{{border-collapse:collapse;width:100%;font-size:14px;margin:0;background:none}}",
        f"{root} tr{{background:none!important}}",
        f"{root} th,{root} td{{text-align:left!important;vertical-align:top;padding:3px 10px;border:0;overflow-wrap:anywhere}}",
        f"{root} th{{color:var(--wtv-muted-i);font-weight:600;width:1%;min-width:84px;max-width:180px;overflow-wrap:break-word}}",
    ]
    rules += [f"{root} .wt-t-{role}{{color:var(--wtv-{role}-i)}}" for role in ROLES]
    rules += [
        f"{root} .wt-b-{role.replace('.', '-')}>:first-child{{box-shadow:inset 5px 0 0 var(--wtv-{role.replace('.', '-')}-f)}}"
        for role in sides()
    ]
    return "\n".join(rules)


def sides() -> list[str]:
    """The roles of pieces, which a row may show as a bar at its edge."""
    return [role for role in TONES if role.partition(".")[0] in ("unit", "foe", "token", "hidden")]


def _colours(dark: bool) -> str:
    text = ""
    for role in [*ROLES, *sides()]:
        tone, name = TONES[role], role.replace(".", "-")
        fill, ink = (tone.dark_fill, tone.dark_ink) if dark else (tone.fill, tone.ink)
        text += f"--wtv-{name}-f:{fill};--wtv-{name}-i:{ink};"
    return text
