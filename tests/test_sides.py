"""Two boards compared: beside each other or one below the other, with what changed marked and named."""

from __future__ import annotations

from typing import Any

import pytest

from warptape.projections.scene import Area, Axes, Box, Cell, Panel, Piece, Row, Scene, Track
from warptape.projections.sides import CHANGED, boards, changed
from warptape.projections.text_signs import measure


def squares(*pieces: tuple[str, int, int], bag: str = "3 left") -> Scene:
    """A board of five squares by three with named columns and rows, and a panel."""
    return Scene(
        title="Board",
        cells=tuple(Cell(x=x, y=y) for x in range(5) for y in range(3)),
        axes=Axes(columns=("a", "b", "c", "d", "e"), rows=("1", "2", "3")),
        pieces=tuple(Piece(at=(x, y), glyph=glyph) for glyph, x, y in pieces),
        panels=(Panel(title="Bag", rows=(Row(label="Bag", text=bag),)),),
    )


def test_wide_boards_stand_side_by_side_with_a_sign_where_lines_differ() -> None:
    found = boards(squares(("T", 1, 0)), squares(("T", 3, 0)), 120)
    assert found.beside
    assert all(measure(line) <= 120 for line in found.lines)
    rows = found.text().splitlines()
    (top,) = [row for row in rows if row.startswith(" 1")]
    assert "(T)" in top[:58]
    assert top[58:61] == " ≠ "
    assert "(T)" in top[61:]
    (middle,) = [row for row in rows if row.startswith(" 2")]
    assert middle[58:61] == " │ "
    assert found.places == ["b1", "d1"]


def test_what_changed_is_marked_and_the_rest_is_not() -> None:
    found = boards(squares(("T", 1, 0), ("G", 0, 2)), squares(("T", 3, 0), ("G", 0, 2)), 120)
    marked = ["".join(text for text, role in line if role.startswith(CHANGED)) for line in found.lines]
    (line,) = [text for text in marked if text]
    assert line.count("T") == 2
    assert "G" not in line
    styled = [str(span.style) for span in found.to_rich().spans]
    assert any("reverse" in style for style in styled)


def test_narrow_boards_stand_one_below_the_other() -> None:
    found = boards(squares(("T", 1, 0)), squares(("T", 3, 0), bag="2 left"), 60)
    assert not found.beside
    rows = found.text().splitlines()
    starred = [row for row in rows if row.startswith("≠ ")]
    assert ["(T)" in row for row in starred if " 1" in row[:5]] == [True, True]
    assert [row for row in starred if "left" in row][-1].endswith("2 left")
    assert sum(row.strip() == "Board" for row in rows) == 2


def test_ascii_only_has_no_other_sign() -> None:
    for columns in (60, 120):
        text = boards(squares(("T", 1, 0)), squares(("T", 3, 0)), columns, ascii_only=True).text()
        assert text.isascii()
        assert "* " in text


def test_the_same_boards_have_nothing_marked() -> None:
    found = boards(squares(("T", 1, 0)), squares(("T", 1, 0)), 120)
    assert found.places == []
    assert "≠" not in found.text()


def test_areas_tracks_and_squares_beyond_the_names_are_named() -> None:
    def scene(at: str, here: int) -> Scene:
        return Scene(
            title="Map",
            areas=(Area(id="n", name="North", at=(0, 0), code="N"), Area(id="s", name="South", at=(0, 9))),
            pieces=(Piece(at=at, glyph="X"),),
            tracks=(Track(name="Doom", boxes=(Box(label="0"), Box(label="1")), here=here),),
        )

    assert changed(scene("n", 0), scene("s", 1)) == ["N", "South", "Doom"]
    assert changed(Scene(title="", marks=()), Scene(title="", pieces=(Piece(at=(7, 8), glyph="X"),))) == ["(7, 8)"]
    gate = Cell(x=0, y=-2, name="V1, entry tile")
    assert changed(Scene(title="", cells=(gate,)), Scene(title="")) == ["V1"]


@pytest.mark.parametrize("columns", [40, 83, 100, 200])
def test_no_line_is_too_wide(columns: int) -> None:
    found: Any = boards(squares(("T", 1, 0)), squares(("T", 3, 0), bag="a long text " * 9), columns)
    assert max(map(measure, found.lines)) <= max(columns, 42)
