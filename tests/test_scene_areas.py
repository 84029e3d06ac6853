"""Maps of areas in drawings: plans in text, pieces fitted into outlines, conditions and tokens told without colour."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from warptape.projections.outlines import chord, crossings, hatching, inset
from warptape.projections.scene import Area, Box, Key, Panel, Piece, Row, Scene, Track
from warptape.projections.text_plan import read_plan
from warptape.projections.typeset import width

SVG = "{http://www.w3.org/2000/svg}"
PLAN = (
    "+-----+---------+",
    "|     |  lake   |",
    "| ca. +---+     |",
    "|     |keep     |",
    "+-----+   +--+  |",
    "| hill    |  |  |",
    "+---------+--+--+",
)
"""Four areas would be two: the walls are broken. See `GOOD`."""
GOOD = (
    "+-----+---------+",
    "|     |  lake   |",
    "| ca. +---+     |",
    "|     |h. |     |",
    "+-----+   +-----+",
    "|         | keep|",
    "+---------+-----+",
)
IDS = ("castle", "lake", "hill", "keep")


def areas(**more: Any) -> tuple[Area, ...]:
    square = ((0.0, 0.0), (400.0, 0.0), (400.0, 300.0), (0.0, 300.0))
    return tuple(
        Area(
            id=id,
            name=id.capitalize(),
            code=id[0],
            at=(200.0 + 400 * n, 150.0),
            outline=tuple((x + 400 * n, y) for x, y in square),
            **more.get(id, {}),
        )
        for n, id in enumerate(IDS)
    )


def ground(*pieces: Piece, plan: tuple[str, ...] = GOOD, **more: Any) -> Scene:
    return Scene(title="Vale", areas=areas(**more), plan=plan, pieces=pieces)


def board_of(scene: Scene, columns: int = 40, ascii_only: bool = True) -> list[str]:
    return scene.text(columns, ascii_only=ascii_only).splitlines()[2:]


def test_a_plan_is_stretched_to_the_page_and_to_what_stands_there() -> None:
    scene = ground(*(Piece(at="lake", glyph="AB", name=str(n), code=f"#{n}") for n in range(5)))
    assert board_of(scene) == [
        "+--------------+-----------------------+",
        "|              |         l Lake        |",
        "|   c Castle   |  (AB#0) (AB#1) (AB#2) |",
        "|              +--------+ (AB#3) (AB#4)|",
        "|              |        |              |",
        "+--------------+ h Hill +--------------+",
        "|                       |    k Keep    |",
        "+-----------------------+--------------+",
    ]
    assert scene.text(40).splitlines()[5] == "│              ├────────┐ (AB#3) (AB#4)│"


def test_a_plan_without_a_box_for_each_area_is_not_used() -> None:
    assert read_plan(GOOD, IDS) is not None
    for plan in (PLAN, GOOD[:-2], ("+--+", "|hi|", "+--+"), ("", ""), ("é",), ("x" * 500,)):
        assert read_plan(plan, IDS) is None
        assert "Castle" in ground(plan=plan).text()
    # A beginning that fits two areas names neither.
    assert read_plan(tuple(line.replace("ca.", "ke.") for line in GOOD), ("keep", "kernel", "lake", "hill")) is None


def test_a_plan_that_is_too_wide_or_has_no_room_is_not_used() -> None:
    assert "+" in ground().text(40, ascii_only=True)
    wide = tuple(line.replace("-----+-", "-" * 60 + "+-") for line in GOOD)
    assert "+--" not in ground(plan=wide).text(40, ascii_only=True)
    long = Scene(
        title="x",
        areas=tuple(Area(id=id, name="", code=id, at=(n, 0)) for n, id in enumerate("khlc")),
        plan=("+-+-+-+-" + "-" * 30 + "+", "|k|h|l|c" + " " * 30 + "|", "+-+-+-+-" + "-" * 30 + "+"),
        pieces=(Piece(at="k", glyph="ABC", code="12345"),),
    )
    assert "(ABC12345)" in long.text(40)
    assert "+--" not in long.text(40, ascii_only=True)


def test_hatched_ground_and_marked_areas_in_text() -> None:
    scene = ground(lake={"ground": "hatched"}, keep={"mark": "mark"})
    lines = board_of(scene)
    assert any(":: l Lake ::" in line for line in lines)
    assert any("*k Keep" in line for line in lines)
    assert "░░ l Lake ░░" in scene.text(40)


def test_grounds_and_marks_in_svg_need_no_colour() -> None:
    def drawn(**more: Any) -> str:
        root = ET.fromstring(ground(**more).svg("light"))
        for element in root.iter():
            element.attrib.pop("class", None)
        return "".join(ET.tostring(group, encoding="unicode") for group in root if group.tag != SVG + "desc")

    variants = [{}, {"ground": "hatched"}, {"ground": "double"}, {"mark": "mark"}]
    assert len({drawn(lake=variant) for variant in variants}) == len(variants)


def test_shapes_codes_and_values_are_told_without_colour() -> None:
    plain = {"at": "lake", "glyph": "AB", "shape": "round"}
    variants = [
        plain, {**plain, "shape": "triangle"}, {**plain, "shape": "oblong"}, {**plain, "shape": "square"},
        {**plain, "code": "#12"}, {**plain, "faded": True},
    ]  # fmt: skip
    texts = {ground(Piece(**variant)).text() for variant in variants}
    drawings = {ground(Piece(**variant)).svg("light").partition("</style>")[2] for variant in variants}
    assert len(texts) == len(drawings) == len(variants)
    words = [text.text for text in ET.fromstring(ground(Piece(**plain, value="12-8")).svg()).iter(SVG + "text")]
    assert {"AB", "12-8"} <= {*words}
    # Pieces that differ in what is written on them are not counted as one.
    assert "×" not in ground(Piece(**plain, code="#1"), Piece(**plain, code="#2")).text()
    assert "(AB)×2" in ground(Piece(**plain), Piece(**plain)).text()


def test_pieces_of_a_crowd_lie_inside_their_outline() -> None:
    crowd = [Piece(at="lake", glyph=f"{n}", name=f"piece {n}") for n in range(60)]
    root = ET.fromstring(ground(*crowd).svg())
    circles = [
        (float(c.get("cx") or 0), float(c.get("cy") or 0), float(c.get("r") or 0)) for c in root.iter(SVG + "circle")
    ]
    assert len(circles) >= 60
    # Four squares of 320 pixels side by side, 24 from the edge; the lake is the second.
    assert all(x - r >= 344 and x + r <= 664 for x, _, r in circles)
    lone = ET.fromstring(ground(crowd[0]).svg())
    assert max(float(c.get("r") or 0) for c in lone.iter(SVG + "circle")) > max(r for _, _, r in circles)


def test_a_track_in_rows_with_notes() -> None:
    track = Track(name="Wave", boxes=tuple(Box(label=str(n)) for n in range(8)), here=5, per_row=3, notes=("a", "b"))
    assert Scene(title="x", tracks=(track,)).text().splitlines()[2:] == ["", "Wave", " 0 1 2  a", " 3 4▶5  b", " 6 7"]
    words = [text.text for text in ET.fromstring(Scene(title="x", tracks=(track,)).svg()).iter(SVG + "text")]
    assert words == ["x", "Wave", "0", "1", "2", "a", "3", "4", "5", "b", "6", "7"]
    narrow = Track(name="Wave", boxes=tuple(Box(label="long name") for _ in range(20)), per_row=20)
    assert all(len(line) <= 40 for line in Scene(title="x", tracks=(narrow,)).text(40).splitlines())


def test_tracks_and_panels_below_a_plan_stand_side_by_side() -> None:
    track = Track(name="Wave", boxes=(Box(label="1"),), per_row=1, notes=("first",))
    panels = (Panel(title="War", rows=(Row(label="Turn", text="3"),)), Panel(title="Off", rows=(Row(text="none"),)))
    scene = Scene(title="x", areas=areas(), plan=GOOD, tracks=(track,), panels=panels)
    assert any("Wave" in line and "War" in line for line in scene.text(100).splitlines())
    narrow = scene.text(44).splitlines()
    assert not any("Wave" in line and "War" in line for line in narrow)
    assert all(any(word in line for line in narrow) for word in ("Wave", "War", "Off"))


def test_the_legend_of_a_map_shows_pieces_as_they_stand_there() -> None:
    keys = (
        Key(text="ship", glyph="SHP", shape="oblong"),
        Key(text="known", glyph="TH", code="#07", shape="round", faded=True),
    )
    scene = Scene(title="x", areas=areas(), plan=GOOD, legend=keys)
    assert "=SHP= ship   ~TH#07~ known" in scene.text()
    words = [text.text for text in ET.fromstring(scene.svg()).iter(SVG + "text")]
    assert {"SHP", "TH", "#07"} <= {*words}


def test_the_geometry_of_outlines() -> None:
    square = ((0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0))
    assert chord(square, 5, 5) == (0, 10)
    assert chord(square, 5, 11) is None
    assert chord(square, 12, 5) is None
    for outline in (square, tuple(reversed(square))):
        assert {(round(x, 6), round(y, 6)) for x, y in inset(outline, 1)} == {(1, 1), (9, 1), (9, 9), (1, 9)}
    lines = hatching(square, 2.0)
    assert len(lines) == 8
    assert all(-1e-6 <= value <= 10 + 1e-6 for line in lines for point in line for value in point)
    ring = ((0.0, 0.0), (30.0, 0.0), (30.0, 30.0), (20.0, 30.0), (20.0, 10.0), (10.0, 10.0), (10.0, 30.0), (0.0, 30.0))
    assert crossings(ring, 20) == [0, 10, 20, 30]
    assert chord(ring, 25, 20) == (20, 30)
    assert chord(ring, 15, 20) is None


POINTS = st.tuples(st.floats(-500, 500), st.floats(-500, 500))


@settings(max_examples=80, deadline=None)
@given(st.lists(POINTS, min_size=1, max_size=9).map(tuple), st.floats(0.5, 9), POINTS)
def test_any_outline_can_be_drawn(outline: Any, distance: float, point: tuple[float, float]) -> None:
    """Crossed, flat or doubled: no outline stops a drawing, and a level line goes in as often as it comes out."""
    assert len(crossings(outline, point[1])) % 2 == 0
    assert all(math.isfinite(value) for spot in inset(outline, distance) for value in spot)
    assert all(math.isfinite(value) for line in hatching(outline, 7.0) for spot in line for value in spot)
    marked = Area(id="a", name="A", at=point, outline=outline, ground="hatched", mark="mark")
    double = Area(id="b", name="B", at=point, outline=outline, ground="double")
    ET.fromstring(Scene(title="x", areas=(marked, double), pieces=(Piece(at="a", glyph="P"),)).svg())


WORDS = st.text("abc e\u0301会-+|░\x1b", max_size=14)


@settings(max_examples=120, deadline=None)
@given(
    st.lists(st.text("+-| ab.", max_size=20), max_size=8).map(tuple) | st.just(GOOD),
    st.lists(st.tuples(st.sampled_from(IDS), WORDS, WORDS), max_size=12),
    WORDS,
    st.integers(40, 110),
    st.booleans(),
)
def test_any_plan_keeps_to_the_page(
    plan: tuple[str, ...], held: list[tuple[str, str, str]], name: str, columns: int, ascii_only: bool
) -> None:
    pieces = tuple(Piece(at=at, glyph=glyph, code=code) for at, glyph, code in held)
    named = tuple(
        Area(id=id, name=name, code=name[:3], at=(n * 10, n * 5), ground="hatched" if n % 2 else "plain", mark=name)
        for n, id in enumerate(IDS)
    )
    text = Scene(title="x", areas=named, plan=plan, pieces=pieces).text(columns, ascii_only=ascii_only)
    assert all(width(line) <= columns for line in text.splitlines())
    if plan == GOOD and columns > 60 and not name.strip():
        walls = [line for line in text.splitlines() if line[:1] in ("|", "│")]
        assert len({width(line) for line in walls}) == 1


@pytest.mark.parametrize("columns", [40, 64, 100])
def test_all_that_stands_on_a_plan_is_shown(columns: int) -> None:
    pieces = [Piece(at=id, glyph=f"{id[0]}{n:02}") for id in IDS for n in range(30)]
    text = ground(*pieces).text(columns)
    assert all(f"({piece.glyph})" in text for piece in pieces)
