"""Tyranid Attack drawn: what the board shows of a position in every shape of ship, and that no seat sees what is the other's."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from random import Random

import msgspec
import pytest

from warptape.domain.chance import Fate
from warptape.domain.referee import Match, Referee
from warptape.domain.secrets import view
from warptape.domain.tyranid_attack.events_ship import SectionRemoved
from warptape.domain.tyranid_attack.positions import position
from warptape.domain.tyranid_attack.ruleset import RULESET
from warptape.domain.tyranid_attack.state import MARINES, TYRANID, Act, Ending, HiveState, Options
from warptape.domain.tyranid_attack.steps import Aim, FollowUp, PlaceTemplate, PutOn
from warptape.projections.boards.tyranid_attack import MOST, board
from warptape.projections.scene import Cell, Piece, Scene

SVG = "{http://www.w3.org/2000/svg}"
GOLDEN = Path(__file__).parent / "golden"
BOOK = RULESET.book


def straight() -> HiveState:
    """Six sections to the north: a Scout taken up, one prone, a hurt Sergeant, templates, a cyst, an artifact, a known card."""
    return position(
        layout="1N 2N+ 3N 4N 5N 6N", turn=4, active="SC1", prone=("HV1",), life={"SG1": 1}, artifacts={"SC1": [4]},
        models={"SC1": "4:f3", "SG1": "4:g2", "HV1": "3:j3", "GE1": "4:i5", "BO1": "4:b2"},
        templates={"OBJ-3": "3:j8", "OBJ-1": "1:d4"}, cysts=["4:h9"], lying={2: "5:h6"}, card="EX-12", known=True,
        tile="LOC-5", acts={"SG1": Act(fresh=False)},
    )  # fmt: skip


def bent() -> HiveState:
    """A ship that turns east: the Tyranid part, a Warrior taken up, a template that stands tall."""
    return position(
        TYRANID, layout="1N 2N 3N+ 4E 5E 6E", turn=4, active="DS1", templates={"OBJ-6": "5:f4 tall"},
        models={"SC1": "4:f3", "SG1": "4:g2", "GE1": "4:i5", "DS1": "2:e5"}, destroyed=["OBJ-3"], tile="LOC-5",
    )  # fmt: skip


def curled() -> HiveState:
    """A ship that curls up: a reinforcement is about to be rolled for, the entry area lies to the west."""
    return position(
        "reinforce", layout="1N 2E 3S 4E 5N 6N", entry=(-1, 0), turn=4, tile="LOC-2",
        models={"SC1": "4:f3", "SG1": "4:g2", "GE1": "4:i5"},
    )  # fmt: skip


def wide() -> HiveState:
    """Six sections to the east: 85 squares wide."""
    return position(layout="1E 2E 3E 4E 5E 6E", models={"SC1": "4:f3", "GE1": "1:h6"}, active="SC1", turn=2)


SHIPS = (straight, bent, curled, wide)


def draw(state: HiveState) -> Scene:
    return board(RULESET, state, "Aboard")


def at(state: HiveState, name: str) -> tuple[int, int]:
    left, top = BOOK.ship(state).corner(int(name[0]))
    return left + ord(name[2]) - ord("a"), top + int(name[3:]) - 1


def cell(scene: Scene, state: HiveState, name: str) -> Cell:
    return next(cell for cell in scene.cells if (cell.x, cell.y) == at(state, name))


def piece(scene: Scene, name: str) -> Piece:
    return next(piece for piece in scene.pieces if piece.name.startswith(f"{name} "))


def rows(scene: Scene, title: str) -> dict[str, str]:
    return {row.label: row.text for panel in scene.panels if panel.title == title for row in panel.rows}


@pytest.mark.parametrize(
    ("name", "state", "seat"),
    [("straight", straight, MARINES), ("bent", bent, TYRANID), ("curled", curled, TYRANID)],
)
def test_the_board_in_text(name: str, state: Callable[[], HiveState], seat: str) -> None:
    """Golden text: the files are to be read in review; what changed on purpose is written by hand or copied from the failure."""
    text = board(RULESET, view(state(), seat), f"The hive ship, as {seat}").text()
    golden = GOLDEN / f"tyranid_attack_{name}.txt"
    assert text + "\n" == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("columns", [40, 60, 80, 100, 140, 300])
@pytest.mark.parametrize("state", SHIPS)
def test_every_section_and_model_is_in_the_text_of_any_width(state: Callable[[], HiveState], columns: int) -> None:
    position = state()
    text = draw(position).text(columns, ascii_only=True)
    assert text.isascii()
    assert all(len(line) <= columns for line in text.splitlines())
    drawn = msgspec.structs.replace(draw(position), title="", subtitle="", panels=(), legend=()).text(columns)
    size = 3 if columns > 45 else 2
    for laid in position.chain:
        assert f"{laid.section}:" in drawn
    for name, model in position.models.items():
        assert (name.lower() if model.prone else name)[:size] in drawn, "the name on its square, or what it begins with"


def test_a_wide_ship_is_cut_between_sections() -> None:
    """TA-BOARD-7: the column that two sections share is drawn with both, since the halves belong to both."""
    lines = draw(wide()).text(100).splitlines()
    tops = [line for line in lines if line[1:3] == ": " and line[0].isdigit()]
    assert [[part for part in line.split("█") if part.strip()[-1:] == ":"] for line in tops] == [
        ["1: ", "2: ", "3:"],
        ["3: ", "4: ", "5:"],
        ["5: ", "6: "],
    ]
    assert all(len(line) == 3 * 29 for line in (tops[0] + " ", tops[1] + " ")), "29 squares of three columns"
    bands = draw(wide()).text(60).splitlines()
    assert [line[:2] for line in bands if line[1:3] == ": "] == ["1:", "2:", "3:", "4:", "5:", "6:"]


def test_a_bent_ship_shows_nothing_of_the_next_band_alone() -> None:
    """Where a band ends, the wall of sections that are drawn in the next band alone is left out."""
    lines = draw(curled()).text(100).splitlines()
    first = lines[3:24]
    assert first[0].startswith("   1: █b█")
    assert "░" not in "".join(first), "nothing of the unexplored section"
    assert first[-1].strip().startswith("████b")
    assert lines[24] == ""
    assert lines[25].startswith("6: █b█")


@pytest.mark.parametrize("state", SHIPS)
def test_squares_are_what_the_ship_says(state: Callable[[], HiveState]) -> None:
    """TA-BOARD-4 to -8: floor, walls, shared squares and half squares, with the names that a player types."""
    position = state()
    ship, scene = BOOK.ship(position), draw(position)
    cells = {(cell.x, cell.y): cell for cell in scene.cells}
    floor = {at for at, cell in cells.items() if cell.kind != "wall" and cell.glyph != "E"}
    assert floor == set(ship.bare)
    dark = {square for section in position.cards for square in ship.squares[section]}
    for square in floor:
        shown = cells[square]
        assert shown.name.startswith(ship.name(square))
        if square in dark and square not in ship.outer:
            assert shown.kind == "dark"
        elif len(ship.sections[square]) == 2 and not {square} & ship.solid:
            assert (shown.kind, shown.half) == ("passage", "")
            assert shown.name.endswith("shared by sections " + " and ".join(map(str, ship.sections[square])))
        assert (shown.kind == "spawn") == (square in ship.outer)
    for laid in position.chain:
        left, top = ship.corner(laid.section)
        frame = next(frame for frame in scene.frames if frame.label == f"{laid.section}:")
        assert (frame.x, frame.y, frame.columns, frame.rows) == (left + 0.5, top + 0.5, 14, 10)
        assert ("turned round" in frame.name) == bool(laid.rotation)
        for column, letter in enumerate("abcdefghijklmno"):
            assert cells[left + column, top].glyph in ("+", letter if 0 < column < 14 else "", "")
        assert [cells[left, top + row].glyph for row in (1, 2, 3, 4, 6, 7, 8, 9)] == [
            "2",
            "3",
            "4",
            "5",
            "7",
            "8",
            "9",
            "10",
        ]


def test_half_squares_lie_on_their_side() -> None:
    """TA-REINF-7, TA-MOVE-11: those on the outer edge, and those of the rear section that face the entry area."""
    state = straight()
    scene = draw(state)
    halves = {name: cell(scene, state, name) for name in ("1:e11", "1:k11", "1:a6", "1:o6", "6:e1")}
    assert [(halves[name].kind, halves[name].half) for name in halves] == [
        ("exit", "n"), ("exit", "n"), ("spawn", "e"), ("spawn", "w"), ("spawn", "s"),
    ]  # fmt: skip


def test_the_entry_area_lies_against_the_rear_section() -> None:
    """TA-SETUP-6, TA-EXPL-6."""
    for state, expected in ((straight(), {(x, 11) for x in range(1, 14)}), (curled(), {(-1, y) for y in range(1, 10)})):
        scene = draw(state)
        assert {(cell.x, cell.y) for cell in scene.cells if cell.glyph == "E"} == expected
    for entry, spot in (((1, 0), (15, 5)), ((0, -1), (7, -1))):
        layout = "1E 2S 3S 4S 5S 6S"
        scene = draw(position(layout=layout, entry=entry, models={"SC1": "1:h6"}))
        assert spot in {(cell.x, cell.y) for cell in scene.cells if cell.glyph == "E"}


def test_models_with_wounds_artifacts_and_prone() -> None:
    """TA-LIFE, TA-ART, TA-SPEC-11."""
    scene = draw(straight())
    assert piece(scene, "SG1").badge == "-1"
    assert (piece(scene, "SC1").value, piece(scene, "SC1").badge) == ("A4", "")
    assert [one.glyph for one in scene.pieces if one.faded] == ["HV1"]
    assert piece(scene, "SC1").name == "SC1 Scout at 4:f3, A4"
    assert piece(scene, "GE1").shape != piece(scene, "SC1").shape
    assert "hv1" in scene.text()
    assert rows(scene, "Space Marines") == {
        "HV1": "3:j3 Heavy Weapon Scout, prone",
        "SC1": "4:f3 Scout, A4, taken up",
        "SG1": "4:g2 Scout Sergeant, life 1, done",
    }
    assert rows(scene, "Tyranids") == {"BO1": "4:b2 Tyranid Warrior with Boneswords", "GE1": "4:i5 Genestealer"}


def test_a_tenth_of_a_kind_has_three_signs() -> None:
    scene = draw(position(models={"AN10": "1:h6", "SC1": "2:e5"}, options=Options(extra_tyranids="android=10")))
    assert piece(scene, "AN10").glyph == "A10"


def test_templates_cysts_and_artifacts_lie_on_their_squares() -> None:
    """TA-OBJ-4, TA-CYST-1, TA-ART-7."""
    state = straight()
    scene = draw(state)
    blocks = {frame.name: (frame.x, frame.y, frame.columns, frame.rows) for frame in scene.frames if frame.solid}
    assert blocks == {
        "Respiratory Vent OBJ-3": (*at(state, "3:j8"), 2, 2),
        "Dermal Sphincter OBJ-1": (*at(state, "1:d4"), 3, 2),
    }
    tall = draw(bent())
    assert [(frame.columns, frame.rows) for frame in tall.frames if frame.solid] == [(2, 3)]
    assert [(cell(scene, state, name).kind, cell(scene, state, name).glyph) for name in ("1:f5", "4:h9", "5:h6")] == [
        ("objective", "O1"), ("hazard", "Cy"), ("vessel", "A2"),
    ]  # fmt: skip


def test_a_card_lies_on_the_unexplored_section_and_covers_no_floor() -> None:
    """TA-SETUP-12, TA-SPEC-4: named only for those who have looked at it."""
    state = straight()
    for seat, glyph in ((MARINES, "!"), (TYRANID, "?")):
        scene = draw(view(state, seat))
        (card,) = [one for one in scene.pieces if one.role == "hidden"]
        x, y = at(state, "6:a1")
        assert isinstance(card.at, tuple)
        assert x < card.at[0] < x + 14
        assert y < card.at[1] < y + 10
        assert card.at not in BOOK.ship(state).bare
        name = BOOK.catalogue.cards["EX-12"].name
        assert (card.glyph, name in card.name) == (glyph, seat == MARINES)
        assert (name in scene.to_json()) == (seat == MARINES)


def test_a_card_that_nobody_has_looked_at_is_named_to_nobody() -> None:
    """TA-EXPL-8: not in the picture of the log's owner either, even where a position was laid out with it."""
    name = BOOK.catalogue.cards["EX-12"].name
    unknown, known = (position(models={"SC1": "4:f3"}, card="EX-12", known=known) for known in (False, True))
    assert name in draw(known).to_json()
    assert name in dict(RULESET.summarize(known))["Unexplored"]
    for state in (unknown, view(unknown, MARINES), view(unknown, TYRANID)):
        assert name not in draw(state).to_json()
        assert rows(draw(state), "The assault")["Unexplored"].endswith("a card lies there")
        assert dict(RULESET.summarize(state))["Unexplored"].endswith("a card lies there")


@pytest.mark.parametrize("tile", ["LOC-1", "LOC-5"])
def test_nothing_secret_is_in_the_other_seats_scene(tile: str) -> None:
    """TA-SETUP-15, TA-SPEC-4: the Tyranids' picture is the same whatever tile is held and whatever card was seen."""
    worlds = [
        position(models={"SC1": "4:f3", "GE1": "2:h3"}, tile=held, card=card, known=True)
        for held, card in ((tile, "EX-12"), ("LOC-3", "EX-02"))
    ]
    for state in worlds:
        named = rows(draw(view(state, MARINES)), "The assault")
        assert named["The tile held"].startswith("section ")
        assert "a card lies" not in named["Unexplored"]
    pictures = [draw(view(state, TYRANID)).to_json() for state in worlds]
    assert pictures[0] == pictures[1]
    assert rows(draw(view(worlds[0], TYRANID)), "The assault")["The tile held"] == "face down"


def test_moves_and_targets_of_the_model_taken_up_are_marked() -> None:
    """TA-TURN-2: each square and each target once, as the decision offers them."""
    state = straight()
    scene, decision = draw(state), RULESET.decision(state)
    assert decision is not None
    squares = {action.to for action in decision.actions if hasattr(action, "to") and action.to not in state.at}
    assert {mark.at for mark in scene.marks if mark.role == "mark"} == squares
    targets = {
        target if isinstance(target, str) else "floor"
        for action in decision.actions
        for target in [volley[0] for volley in getattr(action, "volleys", ())] + [getattr(action, "target", "")]
        if target
    }
    assert rows(scene, "The assault")["Can attack"].split() == sorted(targets)
    assert {mark.at for mark in scene.marks if mark.role == "mark.danger"} == {
        state.models[name].at for name in targets
    }
    assert [mark.at for mark in scene.marks if mark.role == "mark.last"] == [state.models["SC1"].at]
    assert rows(scene, "The assault")["SC1 may"] == "move 8, attack"


def test_a_template_that_can_be_attacked_is_marked() -> None:
    """TA-SHOOT-8."""
    state = position(models={"SC1": "1:d6"}, active="SC1", templates={"OBJ-1": "1:d4"})
    scene = draw(state)
    assert "OBJ-1" in rows(scene, "The assault")["Can attack"]
    assert "xO1" in scene.text()


def test_entry_squares_are_marked() -> None:
    """TA-REINF-6, TA-REINF-7: outer half squares more than 8 squares from every Marine."""
    state = curled()
    scene = draw(state)
    names = rows(scene, "The assault")["Tyranids can enter at"].split()
    assert "6:e1" in names
    assert "4:o6" not in names, "near the Scouts"
    assert "1:a6" not in names, "faces the entry area"
    assert {mark.at for mark in scene.marks} == {at(state, name) for name in names}


def test_squares_of_other_questions_are_marked() -> None:
    put = PutOn(model="GE2", section=6, apart=1)
    aim = Aim(side=TYRANID, model="DS1", weapon="")
    template = PlaceTemplate(objective="OBJ-6")
    follow = FollowUp(side=MARINES, model="SC1")
    models = {"SC1": "4:f3", "DS1": "4:f4", "GE1": "4:g3"}
    for step, roles in ((put, {"mark"}), (aim, {"mark.danger"}), (template, {"mark"}), (follow, {"mark.danger"})):
        state = position(models=models, pending=[step])
        decision = RULESET.decision(state)
        assert decision is not None
        scene = draw(state)
        assert {mark.role for mark in scene.marks} == roles
        assert len({mark.at for mark in scene.marks}) == len(scene.marks)
        offered = {getattr(action, "at", getattr(action, "corner", None)) for action in decision.actions} - {None}
        expected = offered or {state.models[name].at for name in ("DS1", "GE1")}
        assert {mark.at for mark in scene.marks} == expected


def test_nearly_the_whole_ship_is_not_marked() -> None:
    """TA-SETUP-16: hundreds of squares are open to a Scout who is being deployed."""
    match = Match(RULESET, Fate("hive"))
    decision = match.decision
    assert decision is not None
    match.act(RULESET.parse(match.state, decision.seat, "deploy SC1")[0])
    decision = match.decision
    assert decision is not None
    assert len(decision.actions) > MOST
    assert draw(match.state).marks == ()
    assert "SC1" in draw(match.state).subtitle


def test_the_panel_of_the_assault() -> None:
    scene = draw(view(bent(), TYRANID))
    assault = rows(scene, "The assault")
    assert assault["To decide"] == "the Tyranids: What does DS1 do?"
    assert assault["Objectives"] == "1 of 4 destroyed (OBJ-3)"
    assert assault["Hellfire shells, melta-bombs"] == "3, 2"
    assert assault["The Energy Cortex (OBJ-6)"].split()[0] == "5:f4"
    assert assault["In the pool"].startswith("7 Genestealers, ")
    assert assault["Still to be found"] == "TE1 TE2 TE3 TF1 LI1"
    assert (assault["Blobs left"], assault["Cysts left"]) == ("AB1 AB2 AB3 AB4", "3")
    assert scene.subtitle == "Turn 4. The Tyranids: What does DS1 do?"
    state = position(models={"SC1": "4:f3"}, lost=("SC2",), spent=("AN1",), orders=["mark"])
    state.discards = ["EX-01"]
    assault = rows(draw(state), "The assault")
    assert (assault["Scouts lost"], assault["Dead for good"]) == ("SC2", "AN1")
    assert assault["Orders"] == BOOK.names.order("mark")
    assert assault["Discarded"] == BOOK.names.card("EX-01")


def test_the_end() -> None:
    state = straight()
    state.ended, state.pending = Ending(TYRANID, "templates_lost", 9, 2, 3), []
    scene = draw(state)
    assert scene.subtitle == "Turn 4. The Tyranids win"
    assert rows(scene, "The game is over") == {
        "Result": "the Tyranids win", "Because": "four objectives can no longer be had", "In turn": "9",
        "Destroyed": "2 objectives", "Marines left": "3",
    }  # fmt: skip


def test_every_sign_is_in_the_legend() -> None:
    scene = draw(straight())
    assert [key.text for key in scene.legend] == [
        "Scout Sergeant", "Scout", "Heavy Weapon Scout", "Genestealer", "Tyranid Warrior with Boneswords", "prone",
        "card face down, but known here", "Respiratory Vent (OBJ-3)", "Dermal Sphincter (OBJ-1)",
        "square of two sections", "unexplored", "entry area", "cyst", "artifact", "half square on the outer edge",
        "can be chosen", "can be attacked",
    ]  # fmt: skip


def test_everything_is_in_the_svg() -> None:
    for make in SHIPS:
        state = make()
        scene = draw(state)
        for scheme in ("light", "dark", "auto"):
            root = ET.fromstring(scene.svg(scheme))  # type: ignore[arg-type]
        wide, tall = float(root.get("width") or 0), float(root.get("height") or 0)
        for element in root.iter(SVG + "text"):
            assert 0 <= float(element.get("x") or 0) <= wide
            assert 0 <= float(element.get("y") or 0) <= tall
        words = [text.text for text in root.iter(SVG + "text")]
        tips = {title.text for group in root.iter(SVG + "g") for title in group.findall(SVG + "title")}
        assert all(f"{laid.section}:" in words for laid in state.chain)
        assert all(name in words for name in state.models)
        assert {one.name for one in scene.pieces} <= tips
        assert {frame.name for frame in scene.frames} <= tips
        assert "g" in words, "the letters on the walls"


def test_before_the_ship_is_laid() -> None:
    scene = draw(HiveState())
    assert (scene.cells, scene.pieces, scene.marks) == ((), (), ())
    assert scene.text()


@pytest.mark.parametrize(
    ("seed", "options"), [("hive", {}), ("brood", {"party": "points", "extra_tyranids": "dreadnought=1"})]
)
def test_every_position_of_a_random_game_is_drawn(seed: str, options: dict[str, str]) -> None:
    match, rng, shown = Match(RULESET, Fate(seed), options=RULESET.parse_options(options)), Random(seed), set()
    for number in range(1500):
        decision = match.decision
        if decision is None:
            break
        question = type(match.state.pending[-1])
        # Each kind of question, and a sample of the rest: drawing them all would take long.
        if question not in shown or number % 25 == 0:
            for state in (match.state, view(match.state, MARINES), view(match.state, TYRANID)):
                scene = board(RULESET, state, seed)
                assert all(len(line) <= 100 for line in scene.text().splitlines())
            ET.fromstring(scene.svg())
            assert Scene.from_json(scene.to_json()) == scene
            shown.add(question)
        match.act(decision.actions[rng.randrange(len(decision.actions))])
    assert len(shown) >= 5


def test_the_board_can_be_drawn_after_every_event() -> None:
    """TA-EXPL-4 to -9: also while the ship rolls on, when sections, cards and the entry area are on their way."""
    match, rng = Match(RULESET, Fate("rolls on")), Random("rolls on")
    while (decision := match.decision) and sum(isinstance(event, SectionRemoved) for event in match.events) < 4:
        # Whoever can sets off an exploration: a game at random hardly ever does.
        entering = [action for action in decision.actions if getattr(action, "way", "") == "enter"]
        match.act(rng.choice(entering or list(decision.actions)))
    state, removed = HiveState(), 0
    for number, event in enumerate(match.events):
        event.apply(state)
        removed = number if isinstance(event, SectionRemoved) else removed
        if number - removed < 25 or number % 20 == 0:
            between = state.copy()
            between.pending = []
            scene = draw(between)
            assert scene.text()
            assert between.chain == [] or {(c.x, c.y) for c in scene.cells} >= BOOK.ship(between).bare
            assert scene.marks == () or [mark.role for mark in scene.marks] == ["mark.last"]
    assert removed


def test_the_last_shots_are_lines() -> None:
    """Those of the model that was taken up last, until another is."""
    state = position(models={"SC1": "2:b5", "SC2": "2:b6", "GE1": "2:h5"}, active="SC1")
    line = (state.models["SC1"].at, state.models["GE1"].at)
    referee = Referee(RULESET, state, Fate("shots"))

    def do(words: str) -> Scene:
        for action in RULESET.parse(referee.state, MARINES, words):
            referee.take(MARINES, action)
        return board(RULESET, referee.state)

    scene = do("shoot GE1")
    assert [(link.start, link.end) for link in scene.links] == [line]
    assert len(scene.svg()) > len(msgspec.structs.replace(scene, links=()).svg())
    assert do("done SC1").links
    assert not do("use SC2").links
