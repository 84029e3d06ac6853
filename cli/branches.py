"""The lines of a game drawn as a tree: where each leaves another, how long it is, how it was left, how it ended."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from .app import is_plain_ascii, is_terminal, say_hanging

if TYPE_CHECKING:
    from ..replays.lines import Line, Way


class Strokes(NamedTuple):
    """What a tree is drawn with."""

    fork: str
    last: str
    down: str
    blank: str = "   "


UNICODE = Strokes("├─ ", "└─ ", "│  ")
ASCII = Strokes("|- ", "`- ", "|  ")
HOW = {"undo": "taken back", "redo": "left for what had been taken back before", "rewind": "left by a rewind"}


def say_tree(ways: Sequence[Way]) -> None:
    """Print the tree of lines; the line that the game is on has a star."""
    strokes = UNICODE if is_terminal() and not is_plain_ascii() else ASCII
    for way, branch in drawn(ways, strokes):
        style: dict[str, Any] = {"bold": True} if way.line.current else {}
        say_hanging(branch, line_text(way), **style)


def drawn(ways: Sequence[Way], strokes: Strokes) -> Iterator[tuple[Way, str]]:
    """Yield each line with what is drawn before it."""
    open_: list[bool] = []
    for number, way in enumerate(ways):
        later = next((other for other in ways[number + 1 :] if other.depth <= way.depth), None)
        more = later is not None and later.depth == way.depth
        del open_[way.depth :]
        open_.append(more)
        if not way.depth:
            yield way, ""
            continue
        stems = "".join(strokes.down if going_on else strokes.blank for going_on in open_[1 : way.depth])
        yield way, stems + (strokes.fork if more else strokes.last)


def line_text(way: Way) -> str:
    """Return one line of a game: its tip, how long it is, where it leaves, how it was left, its last action, its end."""
    line = way.line
    long = _decisions(way.own)
    if way.parent is not None:
        long = f"leaves at @{way.parts}, {long} more"
    text = f"@{line.tip}{' *' if line.current else ''}  {long}"
    if how := _left(line):
        text += f"; {how}"
    if line.last:
        text += f"; last {line.last}"
    return text + (f"; ended: {line.outcome}" if line.outcome else "")


def _left(line: Line) -> str:
    if not line.left:
        return ""
    by = line.person or line.left_by
    why = f" ({line.reason})" if line.reason else ""
    return f"{HOW.get(line.left, line.left)}{f' by {by}' if by else ''} at @{line.left_at}{why}"


def _decisions(count: int) -> str:
    return f"{count} decision{'' if count == 1 else 's'}"


def tree_data(ways: Sequence[Way]) -> list[dict[str, Any]]:
    """Return the tree for scripts: each line with its depth, the tip of the line it hangs on, and where it leaves that."""
    import msgspec

    return [
        {
            **msgspec.to_builtins(way.line),
            "depth": way.depth,
            "parent": way.parent,
            "leaves": way.parts,
            "after": way.own,
        }
        for way in ways
    ]
