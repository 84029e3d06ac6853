"""A store that another program has edited: damage of any kind is found and named, and ends no command or audit."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import forging
import pytest
from replay_model import SeededDesk

from warptape.domain.errors import BadLog, RulesetCrash, StoreError, WarptapeError
from warptape.domain.events import DiceRolled
from warptape.replays.game import Game
from warptape.replays.library import Library

ROW = "UPDATE stored_events SET {} WHERE originator_id = '{}' AND originator_version = {}"


@pytest.fixture
def played(tmp_path: Path) -> tuple[Library[Game], Game, sqlite3.Connection]:
    """A game of Pig with an undo, and a connection of another program to its store."""
    library = Library[Game](tmp_path / "games.db", SeededDesk(3))
    game = library.new("pig", seed="damage", undo="free", options={"goal": 1000})
    for _ in range(4):
        game.act("roll")
    game.undo()
    game.act("roll")
    return library, library.game(game.id), sqlite3.connect(tmp_path / "games.db", isolation_level=None)


Played = tuple[Library[Game], Game, sqlite3.Connection]


def test_an_event_kept_as_text_is_read_as_the_same_event(played: Played) -> None:
    library, game, other = played
    other.execute("UPDATE stored_events SET state = CAST(state AS TEXT)")
    assert library.audit(game.id).ok
    assert library.game(game.id).state == game.state


@pytest.mark.parametrize("value", ["7", "NULL", "x''", "CAST(x'ff00' AS TEXT)", "'[]'"])
def test_whatever_stands_in_the_place_of_an_event(played: Played, value: str) -> None:
    library, game, other = played
    other.execute(ROW.format(f"state = {value}", game.id, 6))
    first = library.audit(game.id).findings[0]
    assert first.position == 6
    with pytest.raises(BadLog, match="@6"):
        library.game(game.id).state  # noqa: B018
    with pytest.raises(BadLog, match="@6"):
        list(library.game(game.id).log())


@pytest.mark.parametrize("position", ["'abc'", "6.5", "-6", "9000"])
def test_an_event_at_no_position(played: Played, position: str) -> None:
    library, game, other = played
    other.execute(ROW.format(f"originator_version = {position}", game.id, 6))
    report = library.audit(game.id)
    assert not report.ok
    assert {finding.position for finding in report.findings} & {0, 6}
    if position != "6.5":  # which is as good an order as any
        with pytest.raises(WarptapeError):
            library.game(game.id).act("roll")


def test_a_rewind_that_goes_forward_is_no_endless_search(played: Played) -> None:
    library, game, other = played
    (at,) = game.positions({"Rewound"})
    for to in (at, at + 900, 10**18):
        data = f'{{"type":"Rewound","to":{to},"by":"undo"}}'.encode()
        other.execute(ROW.format("state = ?", game.id, at), (data,))
        with pytest.raises(BadLog, match=f"cannot go back to @{to}"):
            library.game(game.id).state  # noqa: B018
        assert not library.audit(game.id).ok


@pytest.mark.parametrize("length", [2**63 - 1, 1_000_000, 0])
def test_a_length_that_lies(played: Played, length: int) -> None:
    library, game, other = played
    other.execute("UPDATE warptape_games SET length = ?", (length,))
    assert "the shelf says" in str(library.audit(game.id).findings[0])
    with pytest.raises(WarptapeError):
        library.game(game.id).act("roll")
    with pytest.raises(WarptapeError):
        library.game(game.id).rewind("@d1")
    assert other.execute("SELECT MAX(originator_version) FROM stored_events").fetchone() == (game.length - 1,)


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("secrets", '{"x":["a","b"]}'),
        ("secrets", '{"0":["a"]}'),
        ("secrets", "[]"),
        ("seats", "[]"),
        ("extra", "["),
        ("length", "many"),
        ("length", "-5"),
        ("lineage", '[["a",5],["b",3]]'),
        ("lineage", '[["a",-2]]'),
        ("lineage", '[["a",9000]]'),
    ],
)
def test_a_record_on_the_shelf_that_nobody_wrote(played: Played, column: str, value: str) -> None:
    library, game, other = played
    other.execute(f"UPDATE warptape_games SET {column} = ?", (value,))
    with pytest.raises(StoreError, match=f"record of game {game.id} is damaged"):
        library.game(game.id)


@pytest.mark.parametrize(
    ("column", "value", "word"),
    [("ruleset", "chess", "ruleset"), ("ruleset", "", "ruleset"), ("extra", '{"seat":"p9","undo":"free"}', "no seat")],
)
def test_a_shelf_that_says_otherwise_than_the_log(played: Played, column: str, value: str, word: str) -> None:
    library, game, other = played
    other.execute(f"UPDATE warptape_games SET {column} = ?", (value,))
    report = library.audit(game.id)
    assert not report.ok
    assert any(word in str(finding) for finding in report.findings)


def test_parents_in_a_ring_do_not_keep_a_game_from_being_deleted(played: Played) -> None:
    library, game, other = played
    branch = game.fork("@d1")
    other.execute("UPDATE warptape_games SET parent = ? WHERE id = ?", (branch.id, game.id))
    assert library.store.delete(game.id, with_forks=True) == [game.id, branch.id]
    assert library.games() == []


def test_spans_of_a_line_are_cut_out_of_what_was_read() -> None:
    from warptape.replays.rows import _within
    from warptape.replays.timeline import Span

    rows: Any = [(at, b"") for at in range(10, 20)]
    spans = [Span(0, 8), Span(9, 11), Span(13, 13), Span(18, 30), Span(40, 50)]
    assert [at for at, _ in _within(rows, spans)] == [10, 11, 13, 18, 19]


@pytest.mark.usefixtures("small_steps")
def test_a_snapshot_that_lies_is_found_by_the_audit(lasting_store_url: str) -> None:
    library = Library[Game](lasting_store_url, SeededDesk(3))
    parent = library.new("pig", seed="snapshots", undo="free", options={"goal": 1000})
    for _ in range(8):
        parent.act("roll")
    game = parent.fork()
    for _ in range(8):
        game.act("roll")
    store, schema = library.store, game.schema
    assert library.audit(game.id).ok
    for owner in (parent, game):
        position = store.snapshots(owner.id, schema)[-1]
        found = store.snapshot(owner.id, position, schema)
        assert found is not None
        lie = game.state_at(position)
        lie.scores = [999, 0]
        game.keep(position, lie)
        report = library.audit(game.id)
        assert [(finding.check, finding.position) for finding in report.findings] == [("shelf", position)]
        assert "the snapshot kept of this position" in str(report.findings[0])
        store.put_snapshot(owner.id, position, schema, b"0" + found[1])  # damaged: it would not be used
        assert library.audit(game.id).ok
        assert library.game(game.id).state == game.state
        store.put_snapshot(owner.id, position, schema, found[1])
    store.drop_snapshots()
    assert library.audit(game.id).ok


def test_a_log_on_which_the_rules_fail_can_be_read_to_find_out_why(played: Played, tmp_path: Path) -> None:
    library, game, _ = played

    def turn_of_nobody(lines: list[dict[str, Any]]) -> None:
        event = next(line["event"] for line in reversed(lines) if line["event"]["type"] == "Awaiting")
        event["push"] = [{"type": "Turn", "player": 7}]

    path = game.export(tmp_path / "game.tape.jsonl")
    path.write_bytes(forging.forged(path.read_bytes(), turn_of_nobody))
    bad = library.load(path, "bad")
    for attempt in (lambda: bad.decision, lambda: bad.act("roll"), lambda: bad.at().decision, lambda: draw(bad)):
        with pytest.raises(RulesetCrash, match="An audit says whether the log is to blame"):
            attempt()
    assert not bad.audit().ok
    assert len(list(bad.log())) == bad.length
    assert bad.transcript("txt")
    assert bad.lines()


def draw(game: Game) -> Any:
    from warptape.projections import boards

    return boards.draw(game.ruleset, None)


def test_an_event_that_the_rules_cannot_tell(played: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    _, game, _ = played

    def planted(*_: Any) -> str:
        raise KeyError("planted")

    monkeypatch.setattr(type(game.ruleset), "tell", planted)
    told = list(game.log())
    assert told[2].text == "TurnStarted, which the rules cannot tell (KeyError)."
    assert len(told) == game.length


def test_an_event_that_does_not_fit_the_position_before_it_is_named(
    played: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    library, game, _ = played
    game.store.drop_snapshots()
    game = library.game(game.id)
    at = next(position for position, event in game.events() if isinstance(event, DiceRolled))

    def unfit(event: Any, state: Any) -> None:
        raise KeyError("no such die")

    monkeypatch.setattr(DiceRolled, "apply", unfit)
    for attempt in (lambda: list(game.log()), lambda: game.transcript("txt")):
        with pytest.raises(WarptapeError, match=f"@{at}.*no such die"):
            attempt()
