"""The drawing model and its renderers: what is drawn, that nothing breaks out of it, that it is the same each time."""

from __future__ import annotations

import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from warptape.domain.secrets import SEALED, Secret
from warptape.projections.palette import TONES, resolve
from warptape.projections.render_text import layout
from warptape.projections.scene import (
    Area,
    Axes,
    BadScene,
    Box,
    Cell,
    Frame,
    Key,
    Link,
    Mark,
    Panel,
    Piece,
    Row,
    Scene,
    Track,
    table,
)
from warptape.projections.typeset import clean, clip, pad, width, wrap

SVG = "{http://www.w3.org/2000/svg}"

GRID = ("##A##", "#1..#", "#.#.B", "#..O#", "#####")


def maze() -> Scene:
    """A small maze with one of everything that a board of squares may have."""
    kinds = {"#": "wall", ".": "floor", "A": "exit", "B": "bulkhead", "O": "objective", "1": "spawn"}
    cells = [
        Cell(x=x, y=y, kind=kinds[c], glyph=c if c in "AB1" else "", name="" if c == "#" else f"{'abcde'[x]}{y + 1}")
        for y, row in enumerate(GRID)
        for x, c in enumerate(row)
    ]
    cells += [Cell(x=2, y=-1, kind="vessel", name="V1"), Cell(x=2, y=-2, kind="vessel", name="V2")]
    return Scene(
        title="Vault",
        subtitle="round 1",
        cells=tuple(cells),
        axes=Axes(columns=tuple("abcde"), rows=tuple("12345")),
        pieces=(
            Piece(at=(2, -1), glyph="M", role="unit.blue", name="Mara at V1"),
            Piece(at=(3, 1), glyph="R", role="unit.red", name="Rook at d2, wounded", badge="!"),
            Piece(at=(1, 1), glyph="T", role="foe.1", shape="diamond", name="Tick at b2"),
            Piece(at=(3, 2), glyph="X", role="foe.2", shape="hex", name="first at d3"),
            Piece(at=(3, 2), glyph="Y", role="foe.2", shape="hex", name="second at d3"),
            Piece(at=(2, 3), glyph="G", role="foe.3", shape="square", name="gun at c4", facing="n"),
        ),
        marks=(Mark(at=(2, 1), name="Rook may move here"),),
        links=(Link(start=(3, 1), end=(1, 1), role="mark.danger", arrow=True, name="line of fire"),),
        panels=(
            Panel(
                title="Squad",
                rows=(Row(label="Mara", text="healthy", role="unit.blue"), Row(label="Rook", text="wounded")),
            ),
            Panel(title="Events", rows=(Row(text="Rook is wounded.", role="bad"),)),
        ),
        legend=(
            Key(text="Marine", glyph="M", role="unit.blue", shape="round"),
            Key(text="bulkhead", glyph="B", kind="bulkhead"),
            Key(text="console", kind="objective"),
        ),
    )


def country() -> Scene:
    """A small map of areas with a road, a move, a stack and a track."""
    return Scene(
        title="Marches",
        areas=(
            Area(id="keep", name="Old Keep", code="k", at=(0, 0), radius=40),
            Area(id="ford", name="Ford", at=(300, 0), outline=((260, -40), (340, -40), (300, 60)), kind="space"),
        ),
        links=(Link(start="keep", end="ford"), Link(start="ford", end="keep", role="mark", arrow=True, dashed=True)),
        pieces=(
            Piece(at="keep", glyph="AB", role="unit.green", name="Axe Band"),
            Piece(at="keep", glyph="AB", role="unit.green", name="Axe Band"),
            Piece(at="ford", glyph="?", role="hidden", shape="hex", name="hidden counter", faded=True),
        ),
        tracks=(
            Track(
                name="Phase",
                boxes=(Box(label="Move"), Box(label="Fight", role="bad"), Box(label="Rest")),
                here=1,
                pieces=(Piece(at=(2, 0), glyph="S", role="token"),),
            ),
        ),
    )


def lines_of(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines()]


def test_a_maze_as_text() -> None:
    text = maze().text(61)
    assert text.splitlines() == [
        "Vault",
        "round 1",
        "",
        "         ░·░           Squad ────────────────────────────────",
        "    a  b (M) d  e      Mara healthy",
        " 1 ██████ A ██████ 1   Rook wounded",
        " 2 ███‹T1 * (R!███ 2",
        " 3 ███ · ███{X+▒B▒ 3   Events ───────────────────────────────",
        " 4 ███ · [G↑ ◈ ███ 4   Rook is wounded.",
        " 5 ███████████████ 5",
        "    a  b  c  d  e",
        "",
        "(M) Marine   ▒B▒ bulkhead    ◈  console",
    ]


def test_a_maze_in_ascii_and_narrow() -> None:
    text = maze().text(40, ascii_only=True)
    assert text.isascii()
    assert text.splitlines()[3:11] == [
        "         :.:",
        "    a  b (M) d  e",
        " 1 ###### A ###### 1",
        " 2 ###<T1 * (R!### 2",
        " 3 ### . ###{X+%B% 3",
        " 4 ### . [G^ @ ### 4",
        " 5 ############### 5",
        "    a  b  c  d  e",
    ]
    # Too narrow for panels at the side: they follow below.
    assert lines_of(text)[12].startswith("Squad ---")


def test_a_map_as_text() -> None:
    text = country().text(60)
    assert text.splitlines() == [
        "Marches",
        "",
        "     k Old Keep                                 Ford",
        "       (AB)×2   · · · · · · · · · · · · · · · · ~?~",
        "",
        "Phase",
        " [Move]▶[Fight] [Rest](S)",
    ]


def test_a_board_too_wide_for_the_page_is_cut_into_bands() -> None:
    wide = Scene(title="Corridor", cells=tuple(Cell(x=x, y=0, kind="wall" if x % 2 else "floor") for x in range(90)))
    assert wide.text(40).splitlines()[2:] == ["·█" * 20, "", "·█" * 20, "", "·█" * 5]
    assert wide.text(100).splitlines()[2:] == ["·█" * 45]


def tiles() -> Scene:
    """Three tiles of 15 columns, the first two over a shared column, and a large piece of two by two squares."""
    cells = [
        Cell(x=x, y=y, kind="floor" if y else "wall", glyph="" if y else "ab"[x % 2]) for x in range(44) for y in (0, 1)
    ]
    frames = [
        Frame(x=0.5, y=0, columns=14, rows=2, label="1", name="first"),
        Frame(x=14.5, y=0, columns=14.5, rows=2, label="2", name="second"),
        Frame(x=29, y=0, columns=15, rows=2, label="3", name="third"),
        Frame(x=1, y=0, columns=2, rows=2, name="Great Cistern", role="cell.objective", solid=True),
    ]
    return Scene(title="Tiles", cells=tuple(cells), frames=tuple(frames))


def test_a_board_of_tiles_too_wide_for_the_page_is_cut_between_them() -> None:
    """The column that the first two share stands in the bands of both; at 90 columns they fit side by side."""

    def tops(columns: int) -> list[str]:
        return [line for line in tiles().text(columns).splitlines()[2:] if "a" in line]

    assert tops(200) == [" 1 " + "█b██a█" * 6 + "█b█" + " 2 " + "█b██a█" * 7 + " 3 " + "█a██b█" * 7]
    assert [line.count("█") // 2 for line in tops(90)] == [27, 14]
    assert [line.count("█") // 2 for line in tops(50)] == [13, 14, 14]
    assert [line[:6] for line in tops(50)] == [" 1 █b█", " 2 █b█", " 3 █a█"]
    assert tops(50)[0].endswith("█b█ 2")
    assert [len(line) for line in tops(40)] == [29, 29, 29], "two columns a square, the last one blank"
    assert "first" not in tiles().text()


def test_tiles_in_svg_have_outlines_labels_and_tooltips_and_large_pieces_their_names() -> None:
    root = ET.fromstring(tiles().svg())
    groups = {title.text: group for group in root.iter(SVG + "g") for title in group.findall(SVG + "title")}
    outline = groups["first"].find(SVG + "rect")
    assert outline is not None
    assert (outline.get("fill"), outline.get("width")) == ("none", str(14 * 40))
    assert [text.text for text in groups["first"].findall(SVG + "text")] == ["1"]
    assert [text.text for text in groups["Great Cistern"].findall(SVG + "text")] == ["Great", "Cistern"]
    words = [text.text for text in root.iter(SVG + "text")]
    assert words.count("a") == words.count("b") == 22, "what is written on walls"
    assert Scene.from_json(tiles().to_json()) == tiles()


def test_a_faded_piece_whose_sign_fills_its_square_has_small_letters() -> None:
    pieces = (Piece(at=(0, 0), glyph="AB1", faded=True), Piece(at=(1, 0), glyph="AB2"))
    assert Scene(title="x", pieces=pieces).text().splitlines()[2] == "ab1AB2"


def test_a_state_without_a_board_is_a_table() -> None:
    state = {"scores": {"ann": 12, "bob": 40}, "turn_total": 7, "over": False, "rolls": [3, 5], "log": [{"die": 3}]}
    scene = table("Pig", state, "first to 100")
    assert [panel.title for panel in scene.panels] == ["Game", "scores", "log"]
    assert scene.panels[0].rows == (
        Row(label="turn total", text="7"),
        Row(label="over", text="no"),
        Row(label="rolls", text="3, 5"),
    )
    assert scene.panels[1].rows == (Row(label="ann", text="12"), Row(label="bob", text="40"))
    assert scene.panels[2].rows == (Row(label="1"), Row(label="die", text="3", depth=1))
    assert "ann 12" in scene.text()


def test_a_table_of_a_struct_and_of_a_long_list() -> None:
    class Hand(msgspec.Struct):
        cards: list[dict[str, int]]
        owner: str | None = None

    scene = table("Hand", Hand(cards=[{"rank": n} for n in range(500)]), most=10)
    assert scene.panels[0].rows == (Row(label="owner", text="-"),)
    assert len(scene.panels[1].rows) == 11
    assert scene.panels[1].rows[-1].text == "… and 990 more"
    game = table("Long", [(f"row {n}", n) for n in range(12)], most=10)
    assert [row.text for row in game.panels[0].rows] == [*map(str, range(10)), "… and 2 more"]
    assert table("One", 3).panels[0].rows == (Row(label="value", text="3"),)


def test_a_table_of_rows_and_of_secrets() -> None:
    scene = table("Hulk", [("round", "2"), ("bag", {"open": 1, "dark": Secret(SEALED, ("team",))})])
    assert scene.panels[0].rows == (Row(label="round", text="2"),)
    assert scene.panels[1].rows == (Row(label="open", text="1"), Row(label="dark", text="hidden"))
    known = table("Hulk", {"hand": [Secret(4, ("team",)), Secret(SEALED, ("foe",))], "top": SEALED})
    assert known.panels[0].rows == (Row(label="hand", text="4, hidden"), Row(label="top", text="hidden"))
    assert table("Empty", []).text() == "Empty\n"


@pytest.mark.parametrize("scene", [maze(), country(), table("Pig", {"a": {"b": [1, {"c": 2}]}})])
def test_json_round_trip(scene: Scene) -> None:
    text = scene.to_json()
    assert "\n" not in text
    assert Scene.from_json(text) == scene
    assert Scene.from_json(text).svg() == scene.svg()


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"title": 3}', '{"title": "x", "cels": []}', '{"title": "x", "pieces": [{"at": "nowhere", "glyph": "A"}]}', "[" * 100_000]
)  # fmt: skip
def test_what_is_no_scene_is_refused(text: str) -> None:
    with pytest.raises(BadScene):
        Scene.from_json(text)


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"cells": (Cell(x=1, y=1), Cell(x=1, y=1))}, r"Two cells stand on square \(1, 1\)"),
        ({"pieces": (Piece(at="mars", glyph="A"),)}, "no area 'mars'"),
        ({"links": (Link(start=(0, 0), end="mars"),)}, "no area 'mars'"),
        ({"areas": (Area(id="a", name="A", at=(float("nan"), 0)),)}, "Area 'a' has a coordinate"),
        ({"frames": (Frame(x=float("inf"), y=0, columns=2, rows=2, label="7"),)}, "Frame '7' has a coordinate"),
        ({"frames": (Frame(x=0, y=0, columns=2, rows=900),)}, "more than 400 squares"),
        ({"areas": (Area(id="a", name="A", at=(0, 0)), Area(id="a", name="B", at=(1, 0)))}, "same id"),
        ({"cells": (Cell(x=0, y=0), Cell(x=10**9, y=0))}, "more than 400 squares"),
        ({"tracks": (Track(name="T", boxes=(Box(label="1"),), pieces=(Piece(at=(1, 0), glyph="A"),)),)}, "no box at"),
    ],
)
def test_what_cannot_be_drawn_is_refused(parts: dict[str, Any], message: str) -> None:
    with pytest.raises(BadScene, match=message):
        Scene(title="x", **parts)


def test_svg_is_accessible_and_stands_alone() -> None:
    svg = maze().svg()
    root = ET.fromstring(svg)
    assert root.tag == SVG + "svg"
    assert root.get("role") == "img"
    title, desc = root[0], root[1]
    assert (title.tag, title.text) == (SVG + "title", "Vault")
    assert root.get("aria-labelledby") == f"{title.get('id')} {desc.get('id')}"
    assert desc.text is not None
    for words in ("round 1.", "Mara at V1", "Rook at d2, wounded", "Squad: Mara healthy; Rook wounded."):
        assert words in desc.text
    assert svg.count("http") == 1  # the name space alone
    for outside in ("href", "url(", "@import", "<script", "<image", "<foreignObject"):
        assert outside not in svg


def test_svg_draws_every_square_and_piece_with_its_tooltip() -> None:
    scene = maze()
    root = ET.fromstring(scene.svg())
    tips = [title.text for group in root.iter(SVG + "g") for title in group.findall(SVG + "title")]
    names = [cell.name for cell in scene.cells if cell.name] + [piece.name for piece in scene.pieces]
    names += [scene.links[0].name, scene.marks[0].name]
    assert all(tips.count(name) == 1 for name in names)
    glyphs = [text.text for text in root.iter(SVG + "text")]
    for glyph in "MRTXYGAB1!":
        assert glyph in glyphs


def test_svg_of_areas_and_tracks() -> None:
    root = ET.fromstring(country().svg())
    words = [text.text for text in root.iter(SVG + "text")]
    for word in ("Old Keep", "k", "Ford", "×2", "Phase", "Fight", "AB", "?"):
        assert word in words
    assert len([path for path in root.iter(SVG + "path") if (path.get("d") or "").endswith("Z")]) == 1


def test_everything_drawn_lies_inside_the_picture() -> None:
    for scene in (maze(), tiles(), country(), table("Pig", {"a": {"b": 1}, "c": {"d": "long " * 40}})):
        root = ET.fromstring(scene.svg())
        wide, tall = float(root.get("width") or 0), float(root.get("height") or 0)
        for element in root.iter():
            for names, limit in ((("x", "cx", "x1", "x2"), wide), (("y", "cy", "y1", "y2"), tall)):
                for name in names:
                    if (value := element.get(name)) is not None:
                        assert 0 <= float(value) <= limit, (element.tag, name, value)


def test_schemes() -> None:
    auto, light, dark = (maze().svg(scheme) for scheme in ("auto", "light", "dark"))
    assert "@media (prefers-color-scheme:dark)" in auto
    assert "@media" not in light + dark
    page = TONES["page"]
    light_page, dark_page = f"--wt-page-f:{page.fill};", f"--wt-page-f:{page.dark_fill};"
    assert [(light_page in svg, dark_page in svg) for svg in (auto, light, dark)] == [
        (True, True),
        (True, False),
        (False, True),
    ]


def test_html_is_a_page_with_drawing_and_panels() -> None:
    page = maze().html()
    root = ET.fromstring(page)
    assert root.findtext("head/title") == "Vault"
    assert len(list(root.iter(SVG + "svg"))) == 1
    assert [h.text for h in root.iter("h2")] == ["Squad", "Events"]
    assert [cell.text for row in root.iter("tr") for cell in row] == [
        "Mara",
        "healthy",
        "Rook",
        "wounded",
        "Rook is wounded.",
    ]
    assert "<script" not in page
    assert page.count("http") == 1
    # The panels are in the page, so not once more in the drawing.
    assert "Mara" not in [text.text for text in root.iter(SVG + "text")]
    assert maze()._repr_html_() in maze().html()
    assert "<svg" not in table("Pig", {"a": 1}).html()


def test_print_is_the_plain_text_and_rich_the_same_in_colour() -> None:
    for scene in (maze(), country()):
        assert str(scene) == scene.text()
        rich = scene.to_rich()
        assert [line.rstrip() for line in rich.plain.splitlines()] == scene.text().splitlines()
        assert any("blue" in str(span.style) or "green" in str(span.style) for span in rich.spans)


def test_the_text_renderer_does_not_load_rich() -> None:
    code = (
        "import sys; from warptape.projections.scene import Scene, Cell; "
        "s = Scene(title='x', cells=(Cell(x=0, y=0),)); s.text(), s.svg(), s.html(); "
        "sys.exit('rich' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_piece_is_told_without_colour() -> None:
    """Wound, kind and side show in a drawing stripped of all colour."""

    def drawn(piece: Piece) -> tuple[str, str]:
        scene = Scene(title="x", cells=(Cell(x=0, y=0),), pieces=(piece,))
        root = ET.fromstring(scene.svg("light"))
        for element in root.iter():
            element.attrib.pop("class", None)
        return scene.text(), ET.tostring(root.findall(SVG + "g")[-1], encoding="unicode")

    plain = Piece(at=(0, 0), glyph="M")
    others = [
        msgspec.structs.replace(plain, **change)
        for change in ({"badge": "!"}, {"faded": True}, {"shape": "diamond"}, {"shape": "square"}, {"shape": "hex"}, {"glyph": "R"}, {"facing": "e"})
    ]  # fmt: skip
    texts, drawings = zip(*(drawn(piece) for piece in [plain, *others]), strict=True)
    assert len(set(texts)) == len(set(drawings)) == 8


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dim, bright = sorted((luminance(one), luminance(other)))
    return (bright + 0.05) / (dim + 0.05)


@pytest.mark.parametrize("role", TONES)
def test_ink_is_readable_on_its_ground(role: str) -> None:
    tone = TONES[role]
    assert contrast(tone.fill, tone.ink) >= 4.5
    assert contrast(tone.dark_fill, tone.dark_ink) >= 4.5


def test_pieces_stand_out_from_the_floor() -> None:
    floor = TONES["cell"]
    for role, tone in TONES.items():
        if role.startswith(("unit", "foe", "token", "hidden")):
            # The fill or the ring in its ink: graphics need 3 to 1.
            assert max(contrast(tone.fill, floor.fill), contrast(tone.ink, floor.fill)) >= 3, role
            assert max(contrast(tone.dark_fill, floor.dark_fill), contrast(tone.dark_ink, floor.dark_fill)) >= 3, role


def test_roles_fall_back() -> None:
    assert resolve("unit.blue") == "unit.blue"
    assert resolve("unit.teal") == "unit"
    assert resolve("cell.lava.hot", "page") == "cell"
    assert resolve("nonsense", "page") == "page"
    assert resolve("") == "card"


def test_the_same_scene_gives_the_same_bytes_in_any_process() -> None:
    code = (
        "import sys; from warptape.projections.scene import Scene\n"
        "for line in sys.stdin.buffer:\n"
        "    s = Scene.from_json(line); sys.stdout.buffer.write((s.text() + s.svg() + s.html()).encode())"
    )
    scenes = (maze(), country())
    here = "".join(scene.text() + scene.svg() + scene.html() for scene in scenes).encode()
    for seed in ("1", "2"):
        run = subprocess.run(
            [sys.executable, "-c", code],
            input="\n".join(scene.to_json() for scene in scenes).encode(),
            capture_output=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        )
        assert run.stdout == here


WILD = st.one_of(
    st.text(max_size=40),
    st.text("<>&\"'\x1b[31m\x00\x07\u202e\u200d\n\t ]{}/", max_size=20),
    st.text("会議e\u0301\u0308🎲Ω ", max_size=12),
)
SPOTS = st.tuples(st.integers(-3, 24), st.integers(-3, 12))


def some(strategy: st.SearchStrategy[Any], most: int = 4) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(strategy, max_size=most).map(tuple)


@st.composite
def scenes(draw: st.DrawFn) -> Scene:
    """Scenes with any text anywhere, anything left out, several pieces in one place."""
    kinds = (
        st.sampled_from(["floor", "wall", "vessel", "exit", "spawn", "objective", "bulkhead", "door", "hazard"]) | WILD
    )
    spots = draw(st.lists(SPOTS, unique=True, max_size=12))
    half: st.SearchStrategy[Any] = st.sampled_from(["", "n", "e", "s", "w"])
    cells = tuple(
        Cell(x=x, y=y, kind=draw(kinds), glyph=draw(WILD), name=draw(WILD), half=draw(half)) for x, y in spots
    )
    numbers = st.floats(-1000, 1000)
    points = st.tuples(numbers, numbers)
    areas = tuple(
        Area(
            id=str(n),
            name=draw(WILD),
            code=draw(WILD),
            at=draw(points),
            radius=draw(st.floats(0, 90)),
            outline=draw(some(points)),
            kind=draw(WILD),
        )
        for n in range(draw(st.integers(0, 4)))
    )
    anywhere = SPOTS | st.sampled_from([area.id for area in areas]) if areas else SPOTS
    pieces = st.builds(
        Piece,
        at=anywhere,
        glyph=WILD,
        role=WILD | st.sampled_from(sorted(TONES)),
        shape=st.sampled_from(["round", "square", "diamond", "hex"]),
        name=WILD,
        badge=WILD,
        facing=st.sampled_from(["", "n", "se", "w"]),
        faded=st.booleans(),
    )
    rows = st.builds(Row, label=WILD, text=WILD, role=WILD, depth=st.integers(0, 12))
    boxes = st.builds(Box, label=WILD, role=WILD, name=WILD)
    keys = st.builds(Key, text=WILD, glyph=WILD, role=WILD, shape=st.sampled_from(["", "round", "hex"]), kind=kinds)
    return Scene(
        title=draw(WILD),
        subtitle=draw(WILD),
        cells=cells,
        areas=areas,
        axes=draw(st.none() | st.builds(Axes, columns=some(WILD), rows=some(WILD))),
        pieces=draw(some(pieces, 8)),
        marks=draw(some(st.builds(Mark, at=SPOTS, role=WILD, glyph=WILD, name=WILD))),
        links=draw(some(st.builds(Link, start=anywhere, end=anywhere, role=WILD, name=WILD, arrow=st.booleans()))),
        tracks=draw(some(st.builds(Track, name=WILD, boxes=some(boxes), here=st.none() | st.integers(0, 5)), 2)),
        panels=draw(some(st.builds(Panel, title=WILD, rows=some(rows)), 3)),
        legend=draw(some(keys)),
    )


def unbroken(scene: Scene, columns: int, ascii_only: bool) -> None:
    """Any name at all: the XML parses and says what it should, the text keeps its width and steers no terminal."""
    for scheme in ("auto", "dark"):
        root = ET.fromstring(scene.svg(scheme))
        assert (root[0].text or "") == clean(scene.title)
    page = ET.fromstring(scene.html())
    assert (page.findtext("head/title") or "") == clean(scene.title)
    assert not [element for element in page.iter() if str(element.tag).endswith(("script", "img"))]
    text = scene.text(columns, ascii_only=ascii_only)
    assert all(width(line) <= columns for line in text.split("\n"))
    assert all(c == "\n" or c.isprintable() for c in text)
    assert not ascii_only or text.isascii()
    assert scene.text(columns, ascii_only=ascii_only) == text
    assert Scene.from_json(scene.to_json()) == scene


def lined_up(scene: Scene) -> None:
    """Whatever stands on it, each line of a board alone has the same width."""
    bare = Scene(title="", cells=scene.cells, axes=scene.axes, marks=scene.marks, pieces=tuple(p for p in scene.pieces if not isinstance(p.at, str)))  # fmt: skip
    lines = [sum(width(text) for text, _ in line) for line in layout(bare, 100)]
    assert len({wide for wide in lines if wide}) <= 1


@settings(max_examples=30, deadline=None)
@given(scenes(), st.integers(40, 120), st.booleans())
def test_no_text_breaks_a_drawing_and_its_squares_line_up(scene: Scene, columns: int, ascii_only: bool) -> None:
    unbroken(scene, columns, ascii_only)
    lined_up(scene)


@pytest.mark.slow
@settings(max_examples=3000, deadline=None)
@given(scenes(), st.integers(40, 120), st.booleans())
def test_no_text_breaks_any_of_thousands_of_drawings(scene: Scene, columns: int, ascii_only: bool) -> None:
    unbroken(scene, columns, ascii_only)
    lined_up(scene)


@given(WILD, st.integers(1, 12))
def test_measured_text(text: str, columns: int) -> None:
    line = clean(text)
    assert clean(line) == line
    assert width(clip(line, columns)) <= columns
    assert width(pad(line, columns)) == columns
    parts = wrap(line, columns)
    assert "".join("".join(parts).split()) == "".join(line.split())
    assert all(width(part) <= max(columns, 2) for part in parts)


def test_columns_of_wide_and_combining_characters() -> None:
    assert width("会議") == 4
    assert width("e\u0301") == 1
    assert clip("会議", 3) == "会"
    assert pad("会議", 3) == "会 "
    assert clean("a\x1b[31mb\u202e \n\t c") == "a[31mb c"
    assert wrap("one two three", 7) == ["one two", "three"]
    assert wrap("abcdefgh", 3) == ["abc", "def", "gh"]
