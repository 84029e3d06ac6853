"""Notes and tags: who may read them, where they are shown, what carries them, and how they are taken back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import forging
import msgspec
import pytest

from warptape.domain.errors import BadAddress, BadLog, NotAllowed
from warptape.domain.events import NoteAdded, Resalted
from warptape.replays.audit import audit
from warptape.replays.game import Game
from warptape.replays.library import Library
from warptape.replays.report import report
from warptape.replays.viewer import Viewer


@pytest.fixture
def library() -> Iterator[Library[Game]]:
    with Library[Game](":memory:") as found:
        yield found


@pytest.fixture
def raid(library: Library[Game]) -> Game:
    """A raid between two people after the first order."""
    game = library.new("hidden", seed="notes", undo="until-revealed")
    game.act("guard 2")
    return game


def texts(game: Game, seat: str | None = None, **given: Any) -> list[str]:
    return [note.text for note in game.notes(seat, **given)]


def test_a_note_without_tags_is_written_as_it_always_was() -> None:
    event = NoteAdded(at=3, text="brave", seat="p1")
    assert msgspec.json.encode(event) == b'{"type":"NoteAdded","seat":"p1","at":3,"text":"brave"}'
    assert msgspec.json.decode(b'{"type":"NoteAdded","at":3,"text":"brave"}', type=NoteAdded).tags == ()


def test_notes_and_tags_are_shown_where_they_belong(library: Library[Game]) -> None:
    game = library.new("pig", seed="notes")
    game.act("roll")
    game.note("a brave roll", 4, tags=["opening", "luck"], person="Ben")
    game.note("", 4, tags=["blunder"])
    game.note("later", 5)
    assert [(note.at, note.text, note.tags, note.person) for note in game.notes()] == [
        (4, "a brave roll", ("opening", "luck"), "Ben"), (4, "", ("blunder",), ""), (5, "later", (), ""),
    ]  # fmt: skip
    assert texts(game, tags=["LUCK"]) == ["a brave roll"]
    assert texts(game, tags=["luck", "blunder"]) == []
    assert [one.text for one in game.log()][-3:] == [
        "Note on @4: a brave roll [opening, luck]", "Note on @4: [blunder]", "Note on @5: later",
    ]  # fmt: skip
    story = game.transcript("txt")
    assert "  | a brave roll [opening, luck] (Ben)\n" in story
    assert "  | [blunder]\n" in story
    assert "<aside>a brave roll [opening, luck] (Ben)</aside>" in game.transcript("html")
    assert r"> *a brave roll \[opening, luck\]* (Ben)" in game.transcript("md")
    viewer = Viewer(game, 4)
    beat = next(beat for beat in viewer.beats.after(-1) if beat.position == 4)
    assert beat.notes == ("Note by Ben: a brave roll [opening, luck]", "Note: [blunder]")
    assert viewer.targets("note") == [4, 5]


def test_a_note_needs_words_or_a_tag_that_is_one(raid: Game) -> None:
    for text, tags in (("", ()), ("  ", ()), ("x", ("two words",)), ("x", ("",)), ("", ("#1",)), ("x", ("a" * 41,))):
        with pytest.raises(NotAllowed):
            raid.note(text, tags=tags)
    with pytest.raises(NotAllowed, match="no seat"):
        raid.note("x", seat="nobody")
    with pytest.raises(NotAllowed, match="belongs to a seat"):
        raid.note("x", private=True)


def test_what_a_seat_writes_in_an_open_game_with_secrets_is_for_that_seat(
    library: Library[Game], raid: Game, tmp_path: Path
) -> None:
    raid.note("I guard gate two", tags=["plan"], seat="warden")
    raid.note("well met", seat="raider", private=False)
    assert texts(raid) == texts(raid, "warden") == ["I guard gate two", "well met"]
    assert texts(raid, "raider") == ["well met"]
    for form in ("txt", "md", "html"):
        assert "gate two" in raid.transcript(form, seat="warden")
        assert "gate two" not in raid.transcript(form, seat="raider")
        assert "plan" not in raid.transcript(form, seat="raider")
    told = " ".join(one.text for one in raid.log("raider"))
    assert "which only warden may read" in told
    assert "gate two" not in told
    assert not any("gate two" in line for beat in Viewer(raid, seat="raider").beats.after(-1) for line in beat.lines())
    for seat, count in (("raider", 1), ("warden", 2)):
        path = raid.export(tmp_path / f"{seat}.tape.jsonl", seat)
        assert (b"gate two" in path.read_bytes()) == (b"plan" in path.read_bytes()) == (seat == "warden")
        own = library.load(path)
        assert len(own.notes()) == count
        assert own.audit().ok
    assert raid.audit().ok
    fork = raid.fork(as_of="raider")
    assert texts(fork) == ["well met"]
    assert fork.audit().ok


def test_a_private_note_does_not_keep_the_rules_from_being_checked(library: Library[Game], tmp_path: Path) -> None:
    game = library.new("pig", seed="notes")
    game.act("roll")
    game.note("mine alone", seat="p1", private=True)
    game.act("roll")
    assert texts(game, "p2") == []
    found = audit(game.export(tmp_path / "p2.tape.jsonl", "p2"))
    assert found.ok
    assert next(row for row in found.rows if row.check == "rules").verdict == "ok"


def test_nothing_is_sealed_under_a_secret_that_is_not_here(library: Library[Game], raid: Game, tmp_path: Path) -> None:
    """The salt of a seal comes from the secret of chance: without one anybody could try words until the digest fits."""
    copy = library.load(raid.export(tmp_path / "copy.tape.jsonl"))
    played = copy.note("I guard gate two", seat="warden")
    assert [type(event) for event in played.events] == [NoteAdded]
    assert isinstance(copy.event(played.position - 1), Resalted)
    assert copy.audit().ok
    assert texts(copy, "raider") == []


def test_after_the_end_nothing_is_private(library: Library[Game]) -> None:
    game = library.new("hidden", seed="notes", options={"rounds": 1}, undo="until-revealed")
    game.run(dict.fromkeys(game.seats, "random"))
    game.note("I guarded gate two", seat="warden")
    assert texts(game, "raider") == ["I guarded gate two"]
    with pytest.raises(NotAllowed, match="over"):
        game.note("x", seat="warden", private=True)


def test_a_note_is_taken_back_by_whoever_wrote_it(raid: Game) -> None:
    first = raid.note("one", seat="raider", private=False).position
    second = raid.note("two").position
    with pytest.raises(NotAllowed, match="a note of raider"):
        raid.remove_note(first, seat="warden")
    with pytest.raises(BadAddress, match="No note was written at @0"):
        raid.remove_note(0)
    raid.remove_note(first, seat="raider")
    assert texts(raid) == ["two"]
    with pytest.raises(NotAllowed, match="taken back already"):
        raid.remove_note(first)
    raid.remove_note(second)
    assert texts(raid) == []
    assert "two" not in raid.transcript("txt")
    log = [one.text for one in raid.log()]
    assert any(text.endswith(": one") for text in log)
    assert log[-1] == f"The note @{second} is taken back."
    assert raid.audit().ok


def test_notes_stay_through_take_backs_exports_and_forks(library: Library[Game], tmp_path: Path) -> None:
    game = library.new("pig", seed="notes", undo="free")
    game.act("roll")
    game.act("roll")
    left = game.tip
    game.note("on what is taken back", left, tags=["doubt"])
    game.undo()
    game.act("hold")
    assert texts(game) == ["on what is taken back"]
    assert "on what is taken back [doubt]" in game.transcript("txt", variations=True)
    assert "on what is taken back" not in game.transcript("txt")
    copy = library.load(game.export(tmp_path / "game.tape.jsonl.gz"))
    assert [(note.at, note.text, note.tags) for note in copy.notes()] == [(left, "on what is taken back", ("doubt",))]
    fork = game.fork()
    game.note("after the fork")
    assert texts(fork) == ["on what is taken back"]
    taken = library.game(game.id)
    taken.remove_note(taken.notes()[0].position)
    assert texts(fork) == ["on what is taken back"]


def test_a_report_holds_no_note_private_or_not(library: Library[Game], raid: Game, tmp_path: Path) -> None:
    raid.note("I guard gate two", tags=["plan"], seat="warden")
    raid.note("call me on Friday")
    for seat in (None, "raider", "warden"):
        path = report(raid, tmp_path / "bug.report.tape.jsonl", message="odd", seat=seat)
        data = path.read_bytes()
        assert b"gate two" not in data
        assert b"plan" not in data
        assert b"Friday" not in data
        assert audit(path).ok, audit(path).text()


@pytest.mark.parametrize("wrong", ["no note", "twice", "open"])
def test_a_log_whose_notes_cannot_be_is_refused(library: Library[Game], raid: Game, tmp_path: Path, wrong: str) -> None:
    at = raid.note("secret", seat="warden").position
    raid.remove_note(at)
    path = raid.export(tmp_path / "notes.tape.jsonl")

    def edit(lines: list[dict[str, Any]]) -> None:
        if wrong == "no note":
            lines[-1]["event"]["note"] = 0
        elif wrong == "twice":
            lines.append(json.loads(json.dumps(lines[-1])))
        else:
            lines[at]["event"]["text"] = "secret"
            lines[at]["beside"] = [item for item in lines[at]["beside"] if item["field"] != "text"]

    bad = forging.write(tmp_path / "bad.tape.jsonl", forging.forged(path.read_bytes(), edit))
    with pytest.raises(BadLog, match=r"no note @|stands open"):
        library.load(bad)
