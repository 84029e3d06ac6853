"""Logs outlive versions: what an older ruleset or format recorded is read, shown, audited, imported and played on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import forging
import lanterns
import lanterns_1
import msgspec
import pytest

import warptape
from warptape.domain import rules as registry
from warptape.domain.errors import BadLog, NotAllowed, UnknownRuleset
from warptape.domain.events import ActionTaken, VersionChanged
from warptape.domain.upcasts import Upcasts, later
from warptape.replays import upcasting
from warptape.replays.audit import audit_file, audit_stored
from warptape.replays.logfile import LogFile
from warptape.replays.upcasting import Several

LOG = Path(__file__).resolve().parent.parent / "logs" / "older" / "lanterns-1.tape.jsonl"


@pytest.fixture
def store() -> Iterator[warptape.Store]:
    with warptape.open(":memory:") as store:
        yield store


def install(monkeypatch: pytest.MonkeyPatch, rules: Any) -> Any:
    monkeypatch.setitem(registry._loaded, "lanterns", rules)
    return rules


@pytest.fixture
def today(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Version 3 of Lanterns is installed."""
    return install(monkeypatch, lanterns.Lanterns())


def row(report: Any, check: str) -> Any:
    return next(one for one in report.rows if one.check == check)


def rows(path: Path) -> list[bytes]:
    """The bytes of a file's events, without what lies beside them."""
    return [row.data.partition(b"\n")[0] for row, _ in LogFile(path).rows()]


# ---------------------------------------------------------------------- a ruleset's older form


def test_a_log_of_version_1_gives_the_position_that_version_1_gave(
    store: warptape.Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At every event: renamed fields, kinds, actions, steps and options, a split event, one that is gone; and secrets."""
    install(monkeypatch, lanterns_1.Lanterns1())
    then = [store.load(LOG).at(position).state for position in range(60)]
    install(monkeypatch, lanterns.Lanterns())
    game = store.load(LOG)
    assert game.length == 60
    for position, old in enumerate(then):
        now = game.at(position).state
        assert now.options.turns == old.options.rounds
        assert (now.turn, now.points, now.challenged, now.shown) == (old.round, old.points, old.dared, old.shown)
        assert now.value == old.pips
        assert now.chance == old.chance
        assert len(now.pending) == len(old.pending)
    last = game.at(59).state.pending
    assert last == [lanterns.Settle(player=1, stake=3, seen_by=("p2",)), lanterns.Challenge(by=0)]
    assert game.decision is not None
    assert game.decision.seat == "p1"


def test_split_and_dropped_events_keep_their_place(store: warptape.Store, today: Any) -> None:
    game = store.load(LOG)
    (at,) = [at for at, event in game.events() if isinstance(event, Several) and len(event.events) == 2][:1]
    both = game.event(at)
    assert isinstance(both, Several)
    assert [type(one).__name__ for one in both.events] == ["StakeShown", "Scored"]
    assert both.reveals
    told = {told.position: told.text for told in game.log()}
    assert told[at] == "p2 had staked 3. p2 has 3 points."
    gone = next(at for at, event in game.events() if isinstance(event, Several) and not event.events)
    assert told[gone] == ""
    assert game.transcript("txt").count("had staked") == 4
    assert game.headings("round") == [game.locate(f"@r{number}") for number in range(1, 7)]
    bets = [row.position for row in game.line_rows() if row.kind == "Settled"]
    assert game.places({"Scored", "StakeShown"}) == game.places({"StakeShown"}) == bets
    assert game.places({"Scored"}) == [row.position for row in game.line_rows() if b'"won":true' in row.data]
    with pytest.raises(warptape.WarptapeError, match="has 6"):
        game.locate("@r7")


def test_a_seat_sees_of_an_older_log_what_it_saw_then(store: warptape.Store, today: Any, tmp_path: Path) -> None:
    game = store.load(LOG)
    for seat in ("p1", "p2"):
        view = game.at(59).view(seat)
        assert (view.pending[0].stake == 3) == (seat == "p2")
        seen = store.load(game.export(tmp_path / f"{seat}.tape.jsonl", seat))
        for position in range(game.length):
            assert seen.at(position).state == today.view(game.at(position).state, seat), position
        report = seen.audit()
        assert report.ok, report.text()
        assert "not in this log" in row(report, "secrets").detail


def test_an_export_of_an_older_log_has_the_bytes_it_was_recorded_in(
    store: warptape.Store, today: Any, tmp_path: Path
) -> None:
    game = store.load(LOG)
    assert rows(game.export(tmp_path / "x.tape.jsonl", with_secret=True)) == rows(LOG)
    assert LogFile(tmp_path / "x.tape.jsonl").header.version == "1"
    stored = [row.data.partition(b"\n")[0] for row in game.rows()]
    assert stored == rows(LOG)
    assert store.load(tmp_path / "x.tape.jsonl").shelf.head == game.shelf.head


def test_an_older_log_is_audited_over_its_own_bytes_and_by_the_rules_of_today(
    store: warptape.Store, today: Any
) -> None:
    game = store.load(LOG)
    for report in (audit_file(LOG), game.audit()):
        assert report.ok, report.text()
        assert row(report, "structure").count == 60
        assert row(report, "secrets").verdict == "ok"
        assert row(report, "secrets").count == 24
        assert "follow from the key" in row(report, "chance").detail
        assert (row(report, "rules").verdict, row(report, "rules").count) == ("ok", 11)
        assert report.differences == []


def test_every_changed_line_of_an_older_log_is_found_by_its_line(today: Any, tmp_path: Path) -> None:
    lines = LOG.read_bytes().splitlines(keepends=True)
    for number, line in enumerate(lines):
        middle = 30 + (len(line) - 34) // 2
        changed = line[:middle] + bytes([line[middle] ^ 1]) + line[middle + 1 :]
        report = audit_file(forging.write(tmp_path / "x", b"".join([*lines[:number], changed, *lines[number + 1 :]])))
        assert report.first is not None
        assert report.first.line == number + 1


def test_a_forged_older_log_is_found(today: Any, tmp_path: Path) -> None:
    """Sums and chain fit, and what today's rules make of the older events does not."""

    def won(events: list[dict[str, Any]]) -> None:
        event = next(line["event"] for line in events if line["event"]["type"] == "Settled")
        event["won"] = not event["won"]

    def secret(events: list[dict[str, Any]]) -> None:
        line = next(line for line in events if line["event"]["type"] == "Peeked")
        line["beside"][0]["value"] += 1

    def missing(events: list[dict[str, Any]]) -> None:
        next(line for line in events if line["event"]["type"] == "Peeked").pop("beside")

    def no_field(events: list[dict[str, Any]]) -> None:
        next(line["event"] for line in events if line["event"]["type"] == "Settled").pop("won")

    for edit, words in (
        (won, "1 differ"),
        (secret, "does not fit its seal"),
        (missing, "secrets of the event are missing"),
        (no_field, "upcaster of lanterns fails on Settled"),
    ):
        data = forging.forged(LOG.read_bytes(), edit)
        if edit is missing:
            data = forging.footed(
                [*(lines := data.splitlines(keepends=True))[:-1], lines[-1].replace(b'"withheld":0', b'"withheld":1')]
            )
        report = audit_file(forging.write(tmp_path / "x", data))
        assert words in report.text(), (edit, report.text())


def test_an_older_game_is_played_on_in_the_form_of_today(store: warptape.Store, today: Any, tmp_path: Path) -> None:
    """What was recorded stays as it is; the first action says from where on the log has another form."""
    game = store.load(LOG)
    played = game.act("yes")
    (changed,) = [event for event in played.events if isinstance(event, VersionChanged)]
    assert changed.version == "3"
    at = played.position + played.events.index(changed)
    assert [era.version for era in game.eras()] == ["1", "3"]
    assert game.eras()[1].first == at
    assert "From here on version 3 of the rules." in [told.text for told in game.log()]
    while game.decision is not None:
        game.act(game.decision.actions[0])
    assert len(game.positions({"VersionChanged"})) == 1
    state = game.state
    assert state == store.game(game.id).state_at(game.tip)
    report = game.audit()
    assert report.ok, report.text()
    assert any(f"@{at}: played on by version 3" in remark for remark in report.remarks)
    assert game.headings("round") == [game.locate(f"@r{number}") for number in range(1, 9)]
    copy = store.load(game.export(tmp_path / "x.tape.jsonl"))
    assert copy.state == state
    assert copy.audit().ok
    assert rows(tmp_path / "x.tape.jsonl")[:60] == rows(LOG)


def test_back_into_the_older_part_and_on_from_there(store: warptape.Store, today: Any) -> None:
    game = store.load(LOG)
    game.act("no")
    game.rewind("@r2")
    assert game.state.turn == 2
    game.act(game.decision.actions[0])
    assert len(game.positions({"VersionChanged"})) == 1, "the form goes by the position, whatever the line"
    fork = game.fork(at="@20")
    while fork.decision is not None:
        fork.act(fork.decision.actions[-1])
    assert len(fork.positions({"VersionChanged"})) == 1
    for one in (game, fork):
        assert one.audit().ok, one.audit().text()
        assert store.game(one.id).at("@end").state == one.state
    assert game.diff("@r2", game, "@r2").same


def test_a_retry_by_key_gives_the_same_where_the_version_changed(store: warptape.Store, today: Any) -> None:
    game = store.load(LOG)
    first = game.act("yes", key="k1")
    again = store.game(game.id).act("yes", key="k1")
    assert again.repeated
    assert [type(event) for event in again.events] == [type(event) for event in first.events]
    assert len(game.positions({"ActionTaken"})) == 12


def test_a_log_that_version_2_recorded_takes_the_shorter_way(store: warptape.Store, today: Any) -> None:
    """Upcasters follow each other; a later version than the one they are named by needs none."""
    eras = upcasting
    assert eras.older(today, eras.Era(0, 1, "3")) is None
    one, two = (eras.older(today, eras.Era(0, 1, version)) for version in ("1", "2"))
    assert one is not None
    assert two is not None
    assert one.decode(b'{"type":"Settled","who":1,"amount":2,"won":true}').events[1].gained == 2  # type: ignore[attr-defined]
    assert two.decode(b'{"type":"Scored","player":1,"points":2}').gained == 2  # type: ignore[attr-defined]
    with pytest.raises(msgspec.ValidationError):
        two.decode(b'{"type":"Settled","who":1,"amount":2,"won":true}')


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [("2", "1", True), ("1", "1", False), ("1.10", "1.9", True), ("1.0", "1", False), ("1", "1.0.1", False), ("", "1", False)],
)  # fmt: skip
def test_which_version_is_later(one: str, other: str, expected: bool) -> None:
    assert later(one, other) is expected


# ---------------------------------------------------------------------- the kernel's older forms


def test_the_events_that_all_games_share_have_older_forms_too(
    store: warptape.Store, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A format 2, in which a note has another field than in format 1: logs of format 1 are read, and go on in format 2."""
    install(monkeypatch, lanterns.Lanterns())
    game = store.load(LOG)
    text = next(event.text for _, event in game.events() if type(event).__name__ == "NoteAdded")  # type: ignore[attr-defined]

    def noted(plain: dict[str, Any]) -> dict[str, Any]:
        return {**plain, "text": f"{plain['text']} (as format 1 has it)"}

    monkeypatch.setattr(upcasting, "FORMATS", {1: Upcasts(events={"NoteAdded": noted})})
    for module in ("upcasting", "heading", "logfile", "logline", "examine", "library"):
        monkeypatch.setattr(f"warptape.replays.{module}.FORMAT", 2)
    old = store.game(game.id)
    notes = [event for _, event in old.events() if type(event).__name__ == "NoteAdded"]
    assert [note.text for note in notes] == [f"{text} (as format 1 has it)"]  # type: ignore[attr-defined]
    old.note("in format 2")
    old.reroll()
    old.act("yes")
    assert [(era.format, era.version) for era in old.eras()] == [(1, "1"), (2, "3")]
    path = old.export(tmp_path / "x.tape.jsonl")
    assert LogFile(path).header.format == 2
    copy = store.load(path)
    notes = [event for _, event in copy.events() if type(event).__name__ == "NoteAdded"]
    assert [note.text for note in notes] == [f"{text} (as format 1 has it)", "in format 2"]  # type: ignore[attr-defined]
    assert copy.audit().ok, copy.audit().text()
    monkeypatch.undo()  # the older warptape is back: it says what to install, for the file and in the store
    install(monkeypatch, lanterns.Lanterns())
    with pytest.raises(BadLog, match=r"made by warptape \S+, format 2.*install warptape \S+ or newer"):
        store.load(path)
    with pytest.raises(BadLog, match=r"made by warptape \S+, format 2.*install"):
        store.game(copy.id).state  # noqa: B018
    report = audit_stored(store.store, copy.shelf)
    assert report.ok
    assert row(report, "structure").verdict == "unchecked"
    assert "install warptape" in row(report, "structure").detail
    assert row(report, "chain").verdict == "ok"


# ---------------------------------------------------------------------- newer than what is installed


@pytest.fixture
def from_the_future(monkeypatch: pytest.MonkeyPatch, store: warptape.Store, tmp_path: Path) -> Path:
    """A log that version 4 recorded, which has an event that version 3 does not know."""

    class Blown(lanterns.TurnBegan, frozen=True, tag="Blown"):
        pass

    class Future(lanterns.Lanterns):
        version = "4"
        events = (*lanterns.Lanterns.events, Blown)

        def run(self, state: Any, step: Any) -> Any:
            if isinstance(step, lanterns.Begin) and step.number == 3:
                yield Blown(3, rule="LAN-9")
            yield from super().run(state, step)

    install(monkeypatch, Future())
    game = store.new("lanterns", seed="future", name="Future")
    while game.decision is not None:
        game.act(game.decision.actions[0])
    path = game.export(tmp_path / "future.tape.jsonl")
    install(monkeypatch, lanterns.Lanterns())
    return path


def test_a_log_of_a_newer_ruleset_replays_as_far_as_it_is_known(store: warptape.Store, from_the_future: Path) -> None:
    game = store.game("Future")
    (at,) = game.positions({"Blown"})
    assert game.at(at - 1).state.turn == 2
    why = "recorded by version 4 of lanterns, and version 3 is installed: install lanterns 4 or newer"
    with pytest.raises(BadLog, match=f"@{at}: .*{why}"):
        game.at(at)
    with pytest.raises(BadLog, match=rf"Line {at + 3}: .*{why}"):
        store.load(from_the_future)
    for report in (audit_file(from_the_future), audit_stored(store.store, game.shelf)):
        assert report.ok, report.text()
        assert row(report, "chain").verdict == "ok"
        for check in ("structure", "chance", "rules"):
            assert row(report, check).verdict == "unchecked"
        assert f"not known here from @{at} on" in row(report, "structure").detail
        assert why in row(report, "structure").detail


def test_a_game_of_a_newer_ruleset_can_be_shown_and_not_be_played_on(
    store: warptape.Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Future(lanterns.Lanterns):
        version = "4"

    install(monkeypatch, Future())
    game = store.new("lanterns", seed="x")
    game.act("stake 1")
    install(monkeypatch, lanterns.Lanterns())
    game = store.game(game.id)
    assert game.decision is not None
    with pytest.raises(NotAllowed, match=r"cannot be played on here: .* install lanterns 4 or newer"):
        game.act("yes")
    game.note("but noted")
    assert game.positions({"VersionChanged"}) == []
    report = game.audit()
    assert report.ok
    assert game.decision is not None


def test_without_the_ruleset_the_chain_is_checked(
    store: warptape.Store, today: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = store.load(LOG)
    game.act("yes")
    monkeypatch.delitem(registry._loaded, "lanterns")
    for load in (lambda: store.load(LOG), lambda: store.game(game.id)):
        with pytest.raises(UnknownRuleset, match=r"No ruleset 'lanterns' is installed.*audit` can still check"):
            load()
    for report in (audit_file(LOG), store.audit(game.id)):
        assert report.ok, report.text()
        assert row(report, "chain").verdict == row(report, "structure").verdict == "ok"
        assert row(report, "rules").verdict == row(report, "chance").verdict == "unchecked"
    (undone,) = game.positions({"Rewound"})
    assert undone
    assert row(report, "takebacks").verdict == "unchecked"


def test_an_action_stays_one_action() -> None:
    """Of the stack the lowest steps are counted: an upcaster of actions or steps gives one for one."""
    upcasts = Upcasts(steps={"Old": lambda plain: {**plain, "type": "New"}})
    (event,) = upcasts.event({"type": "Awaiting", "keep": 1, "push": [{"type": "Old"}, {"type": "Kept"}, 5]})
    assert event["push"] == [{"type": "New"}, {"type": "Kept"}, 5]
    assert isinstance(ActionTaken, type)
