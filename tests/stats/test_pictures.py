"""Heat maps over the boards and charts: they show all there is, are sound SVG, the same every time, and fit any page."""

from __future__ import annotations

import re
import sqlite3
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

import warptape
from warptape.domain.errors import WarptapeError
from warptape.domain.rules import ruleset as installed_ruleset
from warptape.projections.archive import Archive
from warptape.projections.stats import Statistics, statistics
from warptape.projections.stats.grounds import Ground, grounds, installed, state_at
from warptape.projections.stats.heat import Heat
from warptape.projections.stats.heat_map import MEASURES, HeatMap
from warptape.projections.stats.pictures import pictures
from warptape.projections.stats.theming import COLOURS, NeedsExtra
from warptape.replays.contents import read_folder, replaced

SVG = "{http://www.w3.org/2000/svg}"
RULESETS = ["doom-of-the-eldar", "space-marine-adventures", "tyranid-attack"]
each = pytest.mark.parametrize("ruleset", RULESETS)


Boards = Callable[[str], tuple[list[Heat], dict[str, Ground]]]


@pytest.fixture(scope="module")
def boards(archive: Path, found: Statistics) -> Boards:
    """Gives the places of a ruleset that have heat and the grounds they lie on, which are drawn once for all tests."""

    @cache
    def drawn(ruleset: str) -> tuple[list[Heat], dict[str, Ground]]:
        places = [one for one in found.heat or () if one.ruleset == ruleset]
        spots: dict[str, list[str]] = {}
        for one in places:
            spots.setdefault(one.board, []).append(one.spot)
        with Archive(archive, readonly=True) as made:
            return places, grounds(made.connection, ruleset, spots, installed(made.connection))

    return drawn


def sound(svg: str) -> ET.Element:
    """The document, once it is looked through: readable, with words, and nothing from elsewhere."""
    root = ET.fromstring(svg)
    assert root.tag == f"{SVG}svg"
    assert root.get("role") == "img"
    title, desc = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert title is not None
    assert desc is not None
    assert title.text
    assert desc.text
    assert root.get("aria-labelledby") == f"{title.get('id')} {desc.get('id')}"
    ids = [one.get("id") for one in root.iter() if one.get("id")]
    assert len({*ids}) == len(ids)
    assert not re.search(r"(href|src)=\"(?!#)|url\((?!#)|@import|<script", svg)
    return root


@each
def test_every_board_is_drawn_bare(boards: Boards, ruleset: str) -> None:
    places, grounds = boards(ruleset)
    assert {*grounds} == {one.board for one in places}
    for board, ground in grounds.items():
        assert not ground.scene.pieces
        assert not ground.scene.marks
        assert not ground.scene.links
        mine = {one.spot for one in places if one.board == board}
        assert len(mine & {*ground.spots.values()}) >= 0.95 * len(mine), mine - {*ground.spots.values()}
        assert len({*ground.spots.values()}) == len(ground.spots), "a place is drawn twice"


def test_a_section_that_lies_turned_round_is_turned_back(boards: Boards) -> None:
    """The floor under the heat is that of the section as it is printed: nobody moves into a wall."""
    _, grounds = boards("tyranid-attack")
    book: Any = installed_ruleset("tyranid-attack").book  # type: ignore[attr-defined]
    for board, ground in grounds.items():
        printed = book.catalogue.sections[int(board)].rows
        named = {name.partition(":")[2] for name in ground.spots.values()}
        floor = {
            f"{chr(ord('a') + column)}{row + 1}"
            for row, line in enumerate(printed)
            for column, mark in enumerate(line)
            if mark != "#"
        }
        assert named <= floor
        assert len(named) >= len(floor) - 6


def test_a_section_is_drawn_as_it_is_printed_and_not_as_one_of_the_games_left_it(boards: Boards, archive: Path) -> None:
    """Templates, cysts and artifacts that lay there, and what was not explored yet, are no part of the board."""
    with Archive(archive, readonly=True) as made:
        sql = "SELECT count(*) FROM events JOIN games ON id = game WHERE ruleset = 'tyranid-attack' AND kind = 'TemplatePlaced'"
        assert made.connection.execute(sql).fetchone()[0], "templates were laid in these games"
    _, grounds = boards("tyranid-attack")
    assert len(grounds) == 6
    for ground in grounds.values():
        cells = ground.scene.cells
        assert {cell.kind for cell in cells} <= {"floor", "wall", "passage", "spawn", "exit"}
        assert not any(cell.glyph for cell in cells if cell.kind not in ("wall", "exit"))
        assert not any("unexplored" in frame.name for frame in ground.scene.frames)
        assert not any(frame.solid for frame in ground.scene.frames)


@each
@pytest.mark.parametrize("measure", MEASURES)
def test_the_heat_map_names_all_places_with_their_numbers(boards: Boards, ruleset: str, measure: Any) -> None:
    places, grounds = boards(ruleset)
    chart = HeatMap("A title & more", measure, tuple(places), grounds)
    root = sound(chart.svg())
    tips = [title.text or "" for title in root.iter(f"{SVG}title")]
    words = [text.text or "" for text in root.iter(f"{SVG}text")]
    drawn = {name for ground in grounds.values() for name in ground.spots.values()}
    beside = " ".join(words)
    names = {area.id: area.name for ground in grounds.values() for area in ground.scene.areas}
    for one in places:
        count = getattr(one, measure)
        if one.spot not in drawn:
            assert not count or f"{one.spot} {count}" in beside
        elif one.place in names:
            assert names[one.place] in tips
            assert f"{count:,}" in words
        else:
            assert f"{one.place}: {one.moves:,} moves to, {one.fights:,} fights, {one.losses:,} losses" in tips
            assert not count or str(count) in words
    assert 1 <= max(chart.level(one) for one in places) == 5
    hottest = max(places, key=chart.rate)
    assert chart.level(hottest) == 5
    assert all((chart.level(one) == 0) == (getattr(one, measure) == 0) for one in places)


def test_heat_is_by_the_games_of_a_board() -> None:
    often = Heat("x", "a", "b1", "a:b1", 10, 0, 0, 10)
    seldom = Heat("x", "b", "b1", "b:b1", 10, 0, 0, 1)
    chart = HeatMap("x", "moves", (often, seldom), {})
    assert (chart.level(often), chart.level(seldom)) == (1, 5)
    assert "a:b1 10, b:b1 10" in chart.svg()


def test_a_position_is_folded_from_the_archives_own_events(connection: sqlite3.Connection, played: Path) -> None:
    with warptape.open(played) as store:
        for shelf in store.games("space-marine-adventures")[:3]:
            game = store.game(shelf.id)
            for position in (game.length // 2, game.length - 1):
                state = state_at(connection, game.id, position, game.ruleset)
                assert state == game.at(position).state


def test_boards_of_ones_own_are_not_guessed(connection: sqlite3.Connection, found: Statistics) -> None:
    spots = {"": [one.spot for one in found.heat or () if one.ruleset == "doom-of-the-eldar"]}

    def none(game: str) -> Any:
        raise WarptapeError("no such boards here")

    assert grounds(connection, "doom-of-the-eldar", spots, none) == {}
    chart = HeatMap("x", "moves", tuple(one for one in found.heat or () if one.ruleset == "doom-of-the-eldar"), {})
    shown = re.sub(r"</text>\s*<text[^>]*>", " ", chart.svg())
    assert all(f"{one.name} {one.moves}" in shown for one in chart.places if one.moves)


def test_there_is_a_picture_of_everything(connection: sqlite3.Connection, found: Statistics) -> None:
    pytest.importorskip("matplotlib")
    made = dict(pictures(found, connection))
    assert {*made} == {
        "dice-d2-fate.svg", "dice-d6-fate.svg",
        *(f"{part}-{ruleset}.svg" for part in ("outcomes", "length", "losses", "cards", "units") for ruleset in RULESETS),
        *(f"heat-{ruleset}-{measure}.svg" for ruleset in RULESETS for measure in MEASURES),
    }  # fmt: skip
    for name, svg in made.items():
        sound(svg)
        assert "prefers-color-scheme:dark" in svg, name
    # Drawing again gives the same; one of each kind shows that.
    again = dict(pictures(msgspec.structs.replace(found, games=found.games[:1]), connection))
    assert {name.partition("-")[0] for name in again} == {name.partition("-")[0] for name in made}
    assert again == {name: made[name] for name in again}
    losses = made["losses-doom-of-the-eldar.svg"]
    assert all(
        one.name in losses for one in [one for one in found.losses or () if one.ruleset == "doom-of-the-eldar"][:5]
    )
    assert "14" in made["length-tyranid-attack.svg"] or "rounds" in made["length-tyranid-attack.svg"]


def test_a_chart_has_the_colours_of_the_page_it_is_for(connection: sqlite3.Connection, found: Statistics) -> None:
    pytest.importorskip("matplotlib")
    alone = statistics(connection, ruleset="tyranid-attack", only=["losses"])
    (_, light), (_, dark) = *pictures(alone, connection, scheme="light"), *pictures(alone, connection, scheme="dark")
    page = COLOURS["page"]
    assert page[0] in light
    assert page[1] not in light
    assert page[1] in dark
    assert page[0] not in dark
    assert "*{stroke" in light.replace(".wt-chart-light *", "*"), "a rule of matplotlib's own"
    assert not re.search(r"(?<!\.wt-chart-light )\*\{", light), "which holds for nothing else on the page"
    plain = re.findall(r"(?:fill|stroke): (#[0-9a-f]{6})(?!; (?:fill|stroke): var)", light)
    assert not plain, "every colour has its counterpart"


def test_odd_names_are_only_text(connection: sqlite3.Connection, found: Statistics) -> None:
    pytest.importorskip("matplotlib")
    from warptape.projections.stats import charts

    losses = [
        msgspec.structs.replace(one, unit="<b>$x_1$ & \u202e\x00") for one in found.losses or () if one.side == "eldar"
    ]
    svg = charts.losses("<script>", losses, [])
    sound(svg)
    assert "<script>" not in svg


def test_charts_say_which_extra_they_need(
    connection: sqlite3.Connection, found: Statistics, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(NeedsExtra, match=r"pip install 'warptape\[plots\]'"):
        next(pictures(found, connection))
    heat = statistics(connection, only=["heat"])
    assert len(list(pictures(heat, connection))) == 9, "heat maps do without"


def test_python_draws_into_a_folder(
    archive: Path, tmp_path: Path, of_logs: Callable[..., Statistics], played: Path
) -> None:
    with warptape.archive(archive) as made:
        found = made.stats(only=["heat"], ruleset="doom-of-the-eldar", svg=tmp_path / "one" / "two")
    assert len(found.heat or ()) > 10
    assert len(list((tmp_path / "one" / "two").iterdir())) == 3
    with warptape.open(played) as store:
        game = store.game(store.games("tyranid-attack")[0].id)
        game.stats(only=["heat"], svg=tmp_path / "game")
        assert len(list((tmp_path / "game").iterdir())) == 3
    (tmp_path / "file").write_text("")
    with Archive(archive, readonly=True) as made, pytest.raises(warptape.StoreError, match="cannot be written"):
        made.stats(only=["heat"], svg=tmp_path / "file")


def test_heat_lies_on_boards_of_ones_own_where_the_store_keeps_them(tmp_path: Path) -> None:
    folder = Path(__file__).parents[2] / "docs" / "examples" / "own-cards"
    own = replaced(installed_ruleset("space-marine-adventures"), read_folder(folder))
    with warptape.open(tmp_path / "games.db") as store:
        game = store.new("space-marine-adventures", seed="own", content=own)
        game.run({"team": "sensible"})
        store.stats(only=["heat"], svg=tmp_path / "store")
        game.stats(only=["heat"], svg=tmp_path / "game")
        store.archive(tmp_path / "archive.db")
    with warptape.archive(tmp_path / "archive.db") as made:
        made.stats(only=["heat"], svg=tmp_path / "archive")
    name = "heat-space-marine-adventures-moves.svg"
    there, alone, without = ((tmp_path / folder / name).read_text() for folder in ("store", "game", "archive"))
    assert there == alone
    assert "Not on the drawing" not in there
    assert there.count("moves to,") > 50
    assert "Not on the drawing" in without, "the archive does not hold the boards, and the installed ones are others"
