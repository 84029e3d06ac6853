"""What notebooks show of warptape's things by themselves: tables in HTML, in the colours of the page they stand on."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from html import escape

from ..replays.shelf import Shelf

MOST = 50
"""Rows that are shown; how many more there are is said."""


def table_html(
    columns: Sequence[str],
    rows: Sequence[Sequence[object]],
    caption: str = "",
    most: int = MOST,
    right: Collection[int] = (),
) -> str:
    """Return rows as a table in HTML; numbers stand on the right, as do the columns `right`, and `None` as a dash."""
    head = "".join(f'<th scope="col">{escape(column)}</th>' for column in columns)
    body = "".join(
        f"<tr>{''.join(_cell(cell, number in right) for number, cell in enumerate(row))}</tr>" for row in rows[:most]
    )
    more = f"<p>… and {len(rows) - most} more.</p>" if len(rows) > most else ""
    title = f'<caption style="text-align: left">{escape(caption)}</caption>' if caption else ""
    return f"<div><table>{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}</div>"


def _cell(value: object, right: bool) -> str:
    if value is None:
        return "<td>–</td>"
    if isinstance(value, int | float) and not isinstance(value, bool):
        shown = f"{value:,}" if isinstance(value, int) else f"{value:,.3g}"
        return f'<td style="text-align: right">{shown}</td>'
    return f'<td style="text-align: {"right" if right else "left"}">{escape(str(value))}</td>'


def shelf_html(shelves: Iterable[Shelf]) -> str:
    """Return the games of a store as a table in HTML."""
    rows = [
        (one.name, one.ruleset, one.length, one.changed[:16].replace("T", " "), one.outcome or "in play")
        for one in shelves
    ]
    return table_html(("game", "ruleset", "events", "changed", "outcome"), rows, "" if rows else "No games yet.")
