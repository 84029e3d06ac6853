"""Doom of the Eldar drawn: what the map shows of a position, and that no seat sees what is the other's."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from warptape.domain.chance import Fate
from warptape.domain.doom_of_the_eldar.positions import position
from warptape.domain.doom_of_the_eldar.ruleset import RULESET
from warptape.domain.doom_of_the_eldar.state import ELDAR, TYRANID, Battle, DoomState, Ending, Options
from warptape.domain.referee import Match
from warptape.domain.secrets import view
from warptape.projections.boards.doom_of_the_eldar import board
from warptape.projections.outlines import crossings
from warptape.projections.scene import Scene

SVG = "{http://www.w3.org/2000/svg}"
GOLDEN = Path(__file__).parent / "golden"
BOOK = RULESET.book


def quick_start(**instead: str) -> dict[str, str]:
    """The quick start by area, with other contents for some areas and boxes."""
    found: dict[str, list[str]] = {}
    for unit, area in BOOK.quickstart(Options()).items():
        found.setdefault(area, []).append(unit)
    return {area: " ".join(units) for area, units in found.items()} | instead


def opening() -> DoomState:
    """The first turn: the quick start, and seven Swarms in three sectors."""
    tyranid = {"s1": "TH1 GH2 RW1", "s4": "HM SM", "s6": "PR FS"}
    return position("tyranid_movement", eldar=quick_start(), tyranid=tyranid, marker=7)


def battle() -> DoomState:
    """The fourth turn: twelve Swarms in one sector, one of them scried, a fallen fortress, a battle in space."""
    eldar = quick_start(
        spear="GUA1", redmoon="", tears="EXA ASP1 ASP2 GUA2 AVA", n5="WSH4 SHA2 SHA4 NWG2",
        destroyed_ground="TIT GUA3", destroyed_spacecraft="WSH2 NWG4",
    )  # fmt: skip
    tyranid = {
        "s3": "TH1 TH2 GH1 SM HS1 HS2 RW1 GP SK FS GH2 PR", "n1": "RW2 HS3", "n2": "TH3 GH3 RW3", "spear": "HT HS4",
    }  # fmt: skip
    state = position(
        "eldar_combat", eldar=eldar, tyranid=tyranid, scried=("HS1",), devastated=("redmoon",), marker=37, turn=4,
        order=2,
    )  # fmt: skip
    state.battle = Battle("n2", "space", ELDAR, 2, ELDAR, 58, 0, "50-59", 4, False, ELDAR)
    return state


def late() -> DoomState:
    """The twelfth turn: the assault over, five areas devastated, the Raiders come, Hordes everywhere."""
    eldar = quick_start(
        spear="", redmoon="", singers="", n5="", shrine="GUA6", tears="ASP1 GUA2", out="AVA WRG",
        s3="YRI RGH RWS1", n4="RWS2", raider_conversion="RAI1 RAI2", dreams="ASP5 FAL3 TEM RAI3",
        destroyed_ground="EXA GUA1 GUA3 TIT ASP2 ASP4 GUA5 FAL2",
        destroyed_spacecraft="WSH2 WSH4 SHA2 SHA4 NWG2 NWG4",
    )  # fmt: skip
    tyranid = {"shrine": "TH1 TH2 HS1 HM", "tears": "GH1 TH3 RW1", "forests": "HT FS PR", "n5": "SK SM"}
    return position(
        "tyranid_combat", eldar=eldar, tyranid=tyranid, stages={"PR": 1},
        devastated=("spear", "tears", "redmoon", "shrine", "singers"), marker=66, turn=12, over=9, quiet=2, order=4,
    )  # fmt: skip


def rows(scene: Scene, title: str) -> dict[str, str]:
    return {row.label: row.text for panel in scene.panels if panel.title.startswith(title) for row in panel.rows}


@pytest.mark.parametrize(("name", "state", "seat"), [("opening", opening, TYRANID), ("battle", battle, ELDAR)])
def test_the_board_in_text(name: str, state: object, seat: str) -> None:
    """Golden text: the files are to be read in review; what changed on purpose is written by hand or copied from the failure."""
    text = board(RULESET, view(state(), seat), f"Iyanden, as {seat}").text()  # type: ignore[operator]
    golden = GOLDEN / f"doom_of_the_eldar_{name}.txt"
    assert text + "\n" == golden.read_text(encoding="utf-8")
    assert all(len(line) <= 100 for line in text.splitlines())


@pytest.mark.parametrize("columns", [60, 79, 80, 100, 140])
def test_narrow_and_wide_pages_hold_the_same(columns: int) -> None:
    for state in (opening(), battle(), late()):
        text = board(RULESET, state, "x").text(columns, ascii_only=True)
        assert text.isascii()
        assert all(len(line) <= columns for line in text.splitlines())
        for token in state.swarms:
            assert text.count(token) >= 2, "once in its box, once in the list"
    assert "|" in board(RULESET, opening(), "x").text(79, ascii_only=True)


def test_every_area_and_piece_is_in_the_svg() -> None:
    for state in (opening(), battle(), late()):
        scene = board(RULESET, state, "Iyanden")
        for scheme in ("light", "dark", "auto"):
            root = ET.fromstring(scene.svg(scheme))  # type: ignore[arg-type]
        words = [text.text for text in root.iter(SVG + "text")]
        tips = {title.text for group in root.iter(SVG + "g") for title in group.findall(SVG + "title")}
        marked = {area.id for area in scene.areas if area.mark}
        for id, region in BOOK.catalogue.areas.items():
            assert region.name in tips
            assert ("*" * (id in marked) + id) in words
        on_map = [unit for unit, place in state.units.items() if place in BOOK.areas]
        joined = " ".join(filter(None, tips))
        assert all(f"({unit})" in joined for unit in on_map)
        assert all(token in words for token in state.swarms)
        assert all(sum(piece.name.startswith(f"{token} ") for piece in scene.pieces) == 1 for token in state.swarms)


def test_the_wedges_leave_no_gap() -> None:
    """The polygons lie side by side: their lengths on any level add up to that of the whole ellipse."""
    scene = board(RULESET, opening(), "x")
    for y in (77.3, 204.1, 333.3, 499.9, 612.7, 801.9, 921.2):
        pairs = []
        for area in scene.areas:
            found = crossings(area.outline, y)
            pairs += list(zip(found[::2], found[1::2], strict=True))
        pairs.sort()
        for (_, end), (start, _) in pairwise(pairs):
            assert start == pytest.approx(end, abs=0.05)


def test_fortified_and_devastated_are_told_without_colour() -> None:
    scene = board(RULESET, late(), "x")
    ground = {area.id: (area.ground, area.kind) for area in scene.areas}
    assert ground["spear"] == ("hatched", "ruin")
    assert ground["dreams"] == ("double", "hull")
    assert (ground["n2"], ground["s2"]) == (("plain", "space"), ("plain", "far"))
    squares = {piece.at: piece.glyph for piece in scene.pieces if piece.shape == "square"}
    assert squares == {area: "D" if area in late().devastated else "F" for area in BOOK.craftworld}
    assert "░░░ [D] ░░" in scene.text()


def test_stacks_lie_top_first() -> None:
    """DOE-LOSS-6: the last counter to enter lies on top, and is shown first."""
    state = view(battle(), ELDAR)
    scene = board(RULESET, state, "x")
    assert [p.code or p.glyph for p in scene.pieces if p.at == "s3"] == list(reversed(state.stacks["s3"]))
    assert rows(scene, "On the map")["s3"] == "#12 #11 #10 #09 #08 #07 #06 #05(HS1) #04 #03 #02 #01"
    top = next(piece for piece in scene.pieces if piece.at == "s3")
    assert top.name == "Swarm #12, face down, 1 of 12 from the top"


def test_a_token_looks_as_its_seat_knows_it() -> None:
    """DOE-REVEAL-3: unknown, known though face down (its owner, or scried), and face up look different."""
    eldar = {p.code or p.glyph: p for p in board(RULESET, view(battle(), ELDAR), "x").pieces if p.shape == "round"}
    tyranid = {p.code or p.glyph: p for p in board(RULESET, view(battle(), TYRANID), "x").pieces if p.shape == "round"}
    assert [(eldar[token].glyph, eldar[token].role, eldar[token].faded) for token in ("#01", "#05", "#18")] == [
        ("#01", "hidden", False),
        ("HS", "hidden", True),
        ("HT", "foe", False),
    ]
    assert (tyranid["#01"].glyph, tyranid["#01"].faded) == ("TH", True)
    assert tyranid["#18"].name == "#18 Hive Tyrant 18-18, face up, 2 of 2 from the top"


def test_nothing_secret_is_in_a_scene() -> None:
    """DOE-REVEAL-3, DOE-MINE-1: the scene of the Eldar's view names no hidden counter and no order of the mine."""
    for state in (opening(), battle(), late()):
        down = [token for token in state.swarms if token not in state.face]
        hidden = {state.counter(token) for token in down if view(state, ELDAR).counter(token) is None}
        scene = board(RULESET, view(state, ELDAR), "x")
        shown = [piece for piece in scene.pieces if piece.shape == "round" and (piece.code or piece.glyph) in down]
        assert len(shown) == len(down)
        assert hidden
        text = scene.to_json()
        open_kinds = {BOOK.counters[state.face[token]].kind for token in state.face}
        open_kinds |= {BOOK.counters[c].kind for token in down if (c := view(state, ELDAR).counter(token))}
        for counter in filter(None, hidden):
            if BOOK.counters[counter].kind not in open_kinds:
                assert BOOK.counters[counter].name not in text
                assert f"({BOOK.counters[counter].code})" not in text
        assert "Mine's order" not in text
    assert rows(board(RULESET, view(late(), TYRANID), "x"), "The war")["Mine's order"] == "detonate at 4 Eldar counters"


def test_two_worlds_that_look_the_same_are_drawn_the_same() -> None:
    """The Eldar's picture does not depend on what lies face down, nor on the order of the mine."""
    one = position("tyranid_movement", eldar=quick_start(), tyranid={"s1": "TH1 SM", "s2": "HM"}, order=2)
    other = position("tyranid_movement", eldar=quick_start(), tyranid={"s1": "HT PR", "s2": "RW1"}, order=9)
    drawn = [board(RULESET, view(state, ELDAR), "x").to_json() for state in (one, other)]
    assert drawn[0] == drawn[1]


def test_the_track_in_rows() -> None:
    scene = board(RULESET, late(), "x")
    (track,) = scene.tracks
    assert (len(track.boxes), track.per_row, track.here, len(track.notes)) == (90, 10, 66, 9)
    assert track.notes[:3] == ("0 VP, no double", "1 VP, double 1", "2 VP, double 1-2")
    assert track.notes[6] == "6 VP, any double"
    assert track.name == "Wave Assault Track: over since turn 9"
    assert " 60 61 62 63 64 65▶66 67 68 69  6 VP, any double" in scene.text()
    fifteen = position(options=Options(track_layout="rows_of_15"), marker=14)
    (track,) = board(RULESET, fifteen, "x").tracks
    assert (track.per_row, len(track.notes), track.here) == (15, 6, 14)
    assert all(len(line) <= 100 for line in board(RULESET, fifteen, "x").text().splitlines())


def test_the_panels() -> None:
    scene = board(RULESET, late(), "x")
    war = rows(scene, "The war")
    assert war["Turn"] == "12, Tyranid combat"
    assert war["To decide"].startswith("Tyranids: ")
    assert war["Points now"] == "Eldar 6, Tyranids 7 (areas 5, Avatar 1, Wraithguard 1)"
    assert war["Assault"] == "over since turn 9, 2 of 6 quiet turns, the last turn is 29"
    assert war["Lid"] == "10 counters"
    off = rows(scene, "Off the map")
    assert off["Destroyed spacecraft"] == "WSH2 WSH4 SHA2 SHA4 NWG2 NWG4"
    assert off["Out of the game"] == "AVA WRG"
    assert off["Raiders' reserve"] == "RAI1 RAI2"
    assert off["Warp Gate"] == "ALA KNI HAR ULT SAI BIE"
    here = rows(scene, "On the map")
    assert here["shrine"] == "GUA6 / #04=HM #03=HS1 9-6 #02=TH2 12-12 #01=TH1 12-12"
    assert here["forests"] == "GUA7 / #10=PR 12-12 #09=FS 8-8 #08=HT 18-18"
    assert rows(board(RULESET, battle(), "x"), "Battle at Tearsreach") == {
        "Attacker": "Eldar", "Round": "2", "Eldar": "58, column 50-59", "Die": "4", "Re-roll": "Eldar",
    }  # fmt: skip


def test_the_fleshstealer_shows_the_figures_of_its_prey() -> None:
    """DOE-FLESH-1: alone it is worth 8-8, beside the Wraithguard as much as they are."""
    for eldar, figures in (("", "8-8"), ("WRG", "24-24")):
        scene = board(RULESET, position(eldar={"souls": eldar}, tyranid={"souls": "FS"}), "x")
        assert rows(scene, "On the map")["souls"].endswith(f"#01=FS {figures}")


def test_the_figures_of_the_counters_as_far_as_the_seat_knows_them() -> None:
    """DOE-COMP-1, DOE-COMP-2: the map in text has no room for them; a Swarm's stand there for those who know it."""
    tyranid = rows(board(RULESET, view(battle(), TYRANID), "x"), "Figures")
    assert tyranid["Ground"].startswith("EXA=12-8, ASP=6-4, GUA=4-4, ")
    assert "WRG=24-24" in tyranid["Ground"]
    assert tyranid["Ships"] == "GHO=8, WSH=6, SHA=5, NWG=4, RGH=8, RWS=6"
    assert tyranid["Tyranids"] == ("FS=8-8, GH=12-8, GP=14-14, HS=9-6, PR=6-6, RW=7-7, SK=16-16, TH=12-12")
    assert rows(board(RULESET, view(battle(), ELDAR), "x"), "Figures") == {
        "Ground": tyranid["Ground"], "Ships": tyranid["Ships"], "Tyranids": "HS=9-6",
    }  # fmt: skip
    assert "Tyranids" not in rows(board(RULESET, view(opening(), ELDAR), "x"), "Figures")


def test_what_can_be_chosen_and_where_the_battle_is() -> None:
    marks = {area.id: area.mark for area in board(RULESET, late(), "x").areas if area.mark}
    assert marks == dict.fromkeys(("tears", "shrine", "forests"), "mark")
    marks = {area.id: area.mark for area in board(RULESET, battle(), "x").areas if area.mark}
    assert marks["n2"] == "mark.danger"
    assert "*n2 Tearsreach" in board(RULESET, battle(), "x").text()


def test_converted_counters_and_those_to_be_set_up_have_their_rows() -> None:
    options = Options(repeat_conversion_pool="separate")
    state = position(eldar=quick_start(converted_ground="GUA8", destroyed_ground="GUA7"), options=options)
    off = rows(board(RULESET, state, "x"), "Off the map")
    assert (off["Converted ground forces"], off["Destroyed ground forces"]) == ("GUA8", "GUA7")
    scene = board(RULESET, Match(RULESET, Fate("a seed")).state, "x")
    assert "GUA8" in rows(scene, "Off the map")["To be set up"]
    assert "Turn" not in rows(scene, "The war")


def test_the_end() -> None:
    state = late()
    state.ended = Ending("areas_lost", 6, 11, {"areas": 9, "AVA": 1, "WRG": 1}, TYRANID)
    scene = board(RULESET, state, "x")
    assert scene.subtitle == "Turn 12. The Tyranids win"
    assert rows(scene, "The game is over") == {
        "Result": "The Tyranids win",
        "Because": "all areas of the Craftworld are lost",
        "Eldar": "6 VP",
        "Tyranids": "11 VP (areas 9, Avatar 1, Wraithguard 1)",
    }


def test_the_signs_on_the_board_are_in_the_legend() -> None:
    scene = board(RULESET, view(battle(), ELDAR), "x")
    assert [key.text for key in scene.legend] == [
        "fortified", "devastated", "Eldar ground force", "Eldar ship", "Eldar hero",
        "Swarm, face down", "Swarm, face down but known here", "Horde, face up", "battle", "can be chosen",
    ]  # fmt: skip


def test_a_crowd_in_one_area_is_drawn_in_full() -> None:
    """DOE-STACK-2: there is no limit in space, so all Swarms and all ships may meet in one area."""
    ships = " ".join(unit.id for unit in BOOK.units.values() if unit.group == "ship")
    state = position(eldar={"n3": ships + " FAR YRI"}, tyranid={"n3": " ".join(BOOK.lid(Options()))})
    scene = board(RULESET, state, "x")
    words = [text.text for text in ET.fromstring(scene.svg()).iter(SVG + "text")]
    for token in state.swarms:
        assert token in words
        assert f"{token}~" in scene.text()
        assert token in rows(scene, "On the map")["n3"]


@pytest.mark.parametrize("seed", ["doom", "iyanden"])
def test_every_position_of_a_random_game_is_drawn(seed: str) -> None:
    match, rng, shown = Match(RULESET, Fate(seed)), Random(seed), set()
    for number in range(3000):
        decision = match.decision
        if decision is None:
            break
        question = type(match.state.pending[-1])
        # Each kind of question, and a sample of the rest: drawing them all would take long.
        if question not in shown or number % 20 == 0:
            for state in (match.state, view(match.state, ELDAR), view(match.state, TYRANID)):
                scene = board(RULESET, state, seed)
                assert all(len(line) <= 100 for line in scene.text().splitlines())
            ET.fromstring(scene.svg())
            shown.add(question)
        match.act(decision.actions[rng.randrange(len(decision.actions))])
    assert len(shown) >= 6
    scene = board(RULESET, match.state, seed)
    assert scene.text()
    assert (match.decision is None) == (scene.panels[0].title == "The game is over")
