"""The tree of lines as it is drawn: stems go down exactly as far as another branch hangs on them."""

from __future__ import annotations

from typing import Any

from warptape.cli.branches import ASCII, UNICODE, drawn, line_text
from warptape.replays.lines import Line, Way


def way(depth: int, **given: Any) -> Way:
    line: dict[str, Any] = {
        "tip": 9, "parts": 4, "decisions": 5, "own": 2, "current": False, "outcome": "", "last": "p1: roll", **given,
    }  # fmt: skip
    return Way(Line(**line), depth, 4, None if depth == 0 else 1, 2)


def test_the_stems_of_a_tree() -> None:
    depths = [0, 1, 2, 3, 2, 1, 2, 1]
    ways = [way(depth) for depth in depths]
    assert [branch for _, branch in drawn(ways, UNICODE)] == [
        "",
        "├─ ",
        "│  ├─ ",
        "│  │  └─ ",
        "│  └─ ",
        "├─ ",
        "│  └─ ",
        "└─ ",
    ]
    assert [branch for _, branch in drawn(ways, ASCII)][:4] == ["", "|- ", "|  |- ", "|  |  `- "]


def test_what_a_line_says() -> None:
    assert line_text(way(0, current=True, left="undo")).startswith("@9 *  2 decisions")
    left = {"left": "undo", "left_at": 12, "left_by": "p1", "reason": "the cat"}
    text = "@9  leaves at @4, 2 decisions more; taken back by p1 at @12 (the cat); last p1: roll; ended: won"
    assert line_text(way(1, outcome="won", **left)) == text
    assert "; left by a rewind by Ann at @12;" in line_text(
        way(1, left="rewind", left_at=12, person="Ann", left_by="p1")
    )


def test_a_terminal_gets_strokes(run: Any, terminals: Any) -> None:
    run("new", "pig", "--undo", "free", "--name", "free", "--seed", "lucky")
    run("act", "free", "roll", "roll")
    run("undo", "free")
    run("act", "free", "hold")
    terminal = terminals("lines", "free", PYTHONIOENCODING="utf-8")
    assert terminal.ended() == 0
    assert "└─ @" in terminal.seen
    assert "└─ @" not in run("lines", "free").output


def test_a_terminal_gets_both_boards_beside_each_other(run: Any, terminals: Any) -> None:
    run("new", "pig", "--undo", "free", "--name", "free", "--seed", "lucky")
    run("act", "free", "roll", "roll")
    terminal = terminals("diff", "free@6", "@9", PYTHONIOENCODING="utf-8", NO_COLOR="1")
    assert terminal.ended() == 0
    first = next(line for line in terminal.seen.splitlines() if "free @6" in line)
    assert "free @9" in first
    assert "≠" in first
