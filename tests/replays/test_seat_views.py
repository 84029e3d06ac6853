"""What one seat is given of a game: its log hides what the screen hides, for ever, until somebody asks for hindsight."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import forging
import pytest
from click.testing import CliRunner

from warptape.cli import main
from warptape.domain.errors import BadLog
from warptape.domain.events import KeyRevealed
from warptape.domain.secrets import SEALED, sealable
from warptape.replays.game import Game
from warptape.replays.library import Library
from warptape.replays.logfile import LogFile

GAMES = [("hidden", "raider"), ("hidden", "warden"), ("doom-of-the-eldar", "eldar"), ("doom-of-the-eldar", "tyranid")]
Command = Callable[..., str]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a finished game of each kind, its secret of chance revealed, and an unfinished one."""
    path = tmp_path_factory.mktemp("views") / "games.db"
    with Library[Game](path) as library:
        for name in ("hidden", "doom-of-the-eldar"):
            options = {"setup": "quickstart"} if name == "doom-of-the-eldar" else {"rounds": "3"}
            for called, limit in ((f"{name} over", 10_000), (f"{name} open", 12)):
                game = library.new(name, seed="views", options=options, name=called, undo="until-revealed")
                game.run(dict.fromkeys(game.seats, "random"), limit=limit)
            over = library.game(f"{name} over")
            assert over.outcome is not None
            assert any(isinstance(event, KeyRevealed) for _, event in over.events())
    return path


@pytest.fixture
def command(store: Path) -> Command:
    def run(*words: str, code: int = 0) -> str:
        done = CliRunner().invoke(main, ["--store", str(store), *words])
        assert done.exit_code == code, done.output
        return done.output

    return run


@pytest.mark.parametrize(("name", "seat"), GAMES)
def test_a_seats_file_has_the_chain_of_the_whole_and_says_what_was_left_out(
    store: Path, tmp_path: Path, name: str, seat: str
) -> None:
    with Library[Game](store) as library:
        game = library.game(f"{name} over")
        files = [
            LogFile(game.export(tmp_path / "whole.tape.jsonl")),
            LogFile(game.export(tmp_path / "seat.tape.jsonl", seat)),
        ]
        (whole, part) = ([row.data.partition(b"\n") for row, _ in file.rows()] for file in files)
        assert [public for public, _, _ in whole] == [public for public, _, _ in part]
        left_out: dict[str, int] = {}
        for _, event in game.events(seat=seat):
            count = sum(value == SEALED for _, value, _ in sealable(event))
            if count:
                left_out[type(event).__name__] = left_out.get(type(event).__name__, 0) + count
        header, footer = files[1].header, files[1].footer
        assert (header.seat, header.redacted) == (seat, left_out)
        assert left_out if (name, seat) != ("doom-of-the-eldar", "tyranid") else not left_out
        assert footer is not None
        assert files[0].footer is not None
        assert footer.head == files[0].footer.head
        assert footer.withheld == sum(left_out.values())


@pytest.mark.parametrize(("name", "seat"), GAMES)
def test_a_seats_file_is_replayed_as_that_seat_saw_it(store: Path, tmp_path: Path, name: str, seat: str) -> None:
    """Positions, log, story and audit of the import are those of `--as` in the game it came from, also after its end."""
    with Library[Game](store) as library, Library[Game](":memory:") as other:
        for called in ("over", "open"):
            game = library.game(f"{name} {called}")
            own = other.load(game.export(tmp_path / "seat.tape.jsonl", seat), name=game.name)
            assert own.seen_as == seat
            for position in range(0, game.length, max(1, game.length // 40)):
                assert own.state_at(position) == game.at(position).view(seat)
            assert [(one.position, one.text) for one in own.log()] == [
                (one.position, one.text) for one in game.log(seat)
            ]
            for form in ("txt", "md", "html"):
                assert own.transcript(form) == game.transcript(form, seat=seat)
            assert own.audit().ok
            again = own.export(tmp_path / "again.tape.jsonl")
            assert [row for row, _ in LogFile(again).rows()] == [
                row for row, _ in LogFile(tmp_path / "seat.tape.jsonl").rows()
            ]


@pytest.mark.parametrize(("name", "seat"), GAMES)
def test_after_the_end_a_seat_is_still_shown_what_it_knew_and_hindsight_shows_all(
    command: Command, name: str, seat: str
) -> None:
    """The secret of chance is out by then, and none of what it would give is told as what the seat knew."""
    game, same = f"{name} over", (name, seat) == ("doom-of-the-eldar", "tyranid")
    for words in (
        ("log", game),
        ("log", game, "--json"),
        ("transcript", game),
        ("show", f"{game}@d9"),
        ("show", f"{game}@d9", "--format", "json"),
        ("replay", f"{game}@d9", "--boards"),
        ("diff", f"{game}@d5", f"{game}@d9", "--json"),
    ):
        everything = command(*words)
        assert command(*words, "--as", seat, "--hindsight") == everything
        assert command(*words, "--hindsight") == everything
        if words[0] in ("log", "transcript") and not same:
            assert command(*words, "--as", seat) != everything
    whole = command("export", game, "-o", "-")
    assert command("export", game, "--as", seat, "--hindsight", "-o", "-") == whole
    assert command("export", game, "--as", seat, "-o", "-") != whole


def test_what_the_raider_did_not_know_stays_hidden_after_the_end(command: Command) -> None:
    log = json.loads(command("log", "hidden over", "--as", "raider", "--json"))
    guards = [
        one["event"]["action"]
        for one in log
        if one["kind"] == "ActionTaken" and one["event"]["action"]["type"] == "guard"
    ]
    assert guards
    assert all(isinstance(action["gate"], dict) for action in guards)
    log = json.loads(command("log", "hidden over", "--as", "raider", "--hindsight", "--json"))
    guards = [
        one["event"]["action"]
        for one in log
        if one["kind"] == "ActionTaken" and one["event"]["action"]["type"] == "guard"
    ]
    assert {action["gate"] for action in guards} <= {1, 2, 3}


@pytest.mark.parametrize("name", ["hidden", "doom-of-the-eldar"])
def test_hindsight_waits_for_the_end_and_needs_the_whole_log(command: Command, tmp_path: Path, name: str) -> None:
    for words in (("show",), ("log",), ("transcript",), ("replay",), ("notes",), ("export", "-o", "-")):
        said = command(words[0], f"{name} open", *words[1:], "--hindsight", code=3)
        assert "not over" in said
    seat = dict(GAMES)[name]
    path = str(tmp_path / "seat.tape.jsonl")
    command("export", f"{name} over", "--as", seat, "-o", path)
    (loaded,) = json.loads(command("import", path, "--json"))
    assert f"Only what {seat} knew" in command("show", loaded["id"], "--hindsight", code=3)


def test_a_header_that_tells_less_than_was_left_out_is_refused(store: Path, tmp_path: Path) -> None:
    with Library[Game](store) as library:
        path = library.game("hidden over").export(tmp_path / "seat.tape.jsonl", "raider")
    lines = path.read_bytes().splitlines(keepends=True)
    header: dict[str, Any] = json.loads(lines[0])
    kind = next(iter(header["redacted"]))
    header["redacted"][kind] -= 1
    lines[0] = forging.summed(forging.encode(header) + b"\n")
    bad = forging.write(tmp_path / "bad.tape.jsonl", forging.footed(lines))
    with pytest.raises(BadLog, match="other values than are missing"):
        list(LogFile(bad).rows())
