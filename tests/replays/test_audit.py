"""The audit: it finds whatever was tampered with, says where and why, and is not felled by any damage."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import forging
import msgspec
import pytest

import warptape
from warptape.domain import rules as registry
from warptape.domain.errors import BadLog
from warptape.domain.rules import Ruleset, ruleset
from warptape.replays.audit import audit, audit_file, audit_stored
from warptape.replays.findings import Report


@pytest.fixture
def store() -> Iterator[warptape.Store]:
    with warptape.open(":memory:") as store:
        yield store


def row(report: Report, check: str) -> Any:
    return next(one for one in report.rows if one.check == check)


def tamper(store: warptape.Store, game: str, position: int, data: bytes, kind: str | None = None) -> None:
    """Change a stored event behind everybody's back."""
    with store.store.transaction(write=True) as cursor:
        sql = "UPDATE stored_events SET state = ?, topic = COALESCE(?, topic) WHERE originator_id = ? AND originator_version = ?"
        cursor.execute(sql, (data, kind, game, position))
        assert cursor.rowcount == 1


def batches(game: warptape.Game) -> list[int]:
    """For each position the head of its batch."""
    heads, head = [], 0
    for one in game.rows():
        head = one.position if b'"prev":' in one.data else head
        heads.append(head)
    return heads


# ---------------------------------------------------------------------- nothing wrong


def test_a_sound_game(store: warptape.Store) -> None:
    game = store.new("pig", seed="sound", options={"goal": 30}, seats={"p2": "bot:sensible"}, undo="free")
    while game.decision is not None:
        game.act(game.decision.actions[-1])
    report = game.audit()
    assert report.ok
    assert report.first is None
    assert [(one.check, one.verdict) for one in report.rows] == [
        ("shelf", "ok"), ("chain", "ok"), ("structure", "ok"), ("secrets", "ok"), ("chance", "ok"), ("entered", "ok"),
        ("rules", "ok"), ("takebacks", "ok"),
    ]  # fmt: skip
    assert row(report, "structure").count == game.length
    assert row(report, "rules").count == len(game.kinds({"ActionTaken"}))
    rolls = len(game.kinds({"DiceRolled"}))
    assert row(report, "chance").detail == f"{rolls} follow from the key"
    assert "rules      ok" in report.text()


def test_take_backs_of_what_was_seen_are_listed(store: warptape.Store) -> None:
    """An undo that took back what chance had shown is no fault; who looks for fishing finds where, what and by whom."""
    game = store.new("pig", seed="b", undo="free")
    game.act("roll", person="Ann")
    game.undo("p1", person="Ann", reason="oops")
    game.act("roll")
    game.rewind("@start", reroll=True, reason="another die")
    report = game.audit()
    assert report.ok
    assert (row(report, "takebacks").verdict, row(report, "takebacks").count) == ("noted", 2)
    (value,) = game.event(5).values  # type: ignore[attr-defined]
    undone, rewound = report.takebacks
    assert str(undone) == (f"@7: undo by p1 (Ann) to @3, 'oops' took back 1 outcome already seen: @5 die/p1 {value}")
    assert (rewound.by, rewound.to, rewound.count) == ("rewind", 3, 1)
    assert [seen.position for seen in rewound.seen] == [9]
    assert "  take-back: @7: undo by p1 (Ann)" in report.text()
    assert msgspec.json.decode(msgspec.json.encode(report))["takebacks"][0]["person"] == "Ann"
    assert any("new secret" in remark and "re-roll" in remark for remark in report.remarks)


def test_what_was_entered_by_hand_is_listed(store: warptape.Store) -> None:
    game = store.new("pig", chance="table")
    game.act("roll", outcomes=["3"])
    game.act("roll", outcomes=["6"])
    report = game.audit()
    assert report.ok
    assert row(report, "chance").detail == "2 entered by hand"
    assert (row(report, "entered").verdict, row(report, "entered").count) == ("noted", 2)
    assert [str(one) for one in report.entered] == ["@5 die/p1 3", "@8 die/p1 6"]
    assert "  by hand: @8 die/p1 6" in report.text()


def test_what_a_take_back_crossed_is_counted_where_it_is_too_much_to_list(store: warptape.Store) -> None:
    game = store.new("pig", chance="table", undo="free", options={"goal": 1000})
    for _ in range(30):
        game.act("roll", outcomes=["4"])
    for _ in range(25):
        game.rewind("@start")
        game.redo()
    game.rewind("@start", person="Ben")
    report = game.audit()
    assert report.ok
    assert row(report, "entered").count == 30
    assert len(report.entered) == 20
    assert "by hand: and 10 more" in report.text()
    assert row(report, "takebacks").count == 26
    assert row(report, "takebacks").detail == "26 of what had been seen"
    assert "take-back: and 6 more" in report.text()
    first = report.takebacks[0]
    assert (first.count, [seen.what for seen in first.seen]) == (30, ["die/p1 4"] * 3)


def test_a_take_back_by_consent_says_who_agreed_and_tells_no_secret(store: warptape.Store) -> None:
    """The audit may be read by either seat: what was for one seat alone is not told."""
    game = store.new("hidden", seed="e", undo="consent")
    while game.decision is not None and not game.positions({"CardDrawn"}):
        peek = next((one for one in game.decision.actions if type(one).__name__ == "Peek"), None)
        game.act(peek or game.decision.actions[0])
    game.ask_undo("raider")
    game.consent("warden")
    report = game.audit()
    assert report.ok, report.text()
    (takeback,) = report.takebacks
    assert (takeback.seat, takeback.consent) == ("raider", "warden")
    assert takeback.seen[0].what == "something for raider alone (CardDrawn)"


def test_abandoned_lines_and_forks_are_audited(store: warptape.Store) -> None:
    game = store.new("nested", seed="lines", undo="free")
    rng = random.Random(2)
    for _ in range(60):
        if game.decision is None or rng.random() < 0.2:
            game.rewind(rng.randrange(game.length))
        else:
            game.act(rng.choice(list(game.decision.actions)))
    fork = game.fork(at=game.length - 1)
    if fork.decision is not None:
        fork.act(fork.decision.actions[0])
    for one in (game, fork):
        report = one.audit()
        assert report.ok, report.text()
        assert row(report, "structure").count == one.length
    # An event that only the fork's past and an abandoned line hold.
    left = next(p for p in range(4, fork.shelf.lineage[0][1]) if not game.tree.on_line(p, game.tip))
    data = next(iter(game.rows(left, left + 1))).data
    tamper(store, game.id, left, data.replace(b'"type":', b'"type": ', 1))
    assert audit(store.game(fork.id)).first.position == left  # type: ignore[union-attr]


def test_without_rules_and_without_a_key(store: warptape.Store, tmp_path: Path) -> None:
    game = store.new("pig", seed="c")
    game.act("roll")
    report = audit_file(game.export(tmp_path / "x"), rules=False)
    assert report.ok
    assert row(report, "rules").verdict == "unchecked"
    assert row(report, "chance").detail == "1 could be (the secret of chance is not known here)"


def test_a_ruleset_that_is_not_installed(
    store: warptape.Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Chain and form are checked all the same, and the report says that the rules could not be."""
    game = store.new("pig", seed="d", undo="free", options={"goal": 10})
    while game.decision is not None:
        game.act(game.decision.actions[-1])
    game.undo()
    data = game.export(tmp_path / "x").read_bytes()
    monkeypatch.setitem(registry._loaded, "pig", registry._loaded["pig"])
    del registry._loaded["pig"]
    monkeypatch.setattr(registry, "installed", dict)
    for report in (audit_file(tmp_path / "x"), store.audit(game.id)):
        assert report.ok, report.text()
        assert row(report, "rules").verdict == row(report, "chance").verdict == "unchecked"
        assert "No ruleset 'pig' is installed" in row(report, "rules").detail
        assert row(report, "structure").count == game.length

    def edit(events: list[dict[str, Any]]) -> None:
        next(line["event"] for line in events if line["event"]["type"] == "Rewound")["to"] = 1

    broken = audit_file(forging.write(tmp_path / "y", forging.forged(data, edit)))
    assert broken.first is not None
    assert broken.first.check == "structure"
    assert "middle of a batch" in broken.first.reason


# ---------------------------------------------------------------------- every byte of a stored game


def checked(store: warptape.Store, game: warptape.Game, position: int, data: bytes, heads: list[int]) -> None:
    """One stored event holds other bytes: the audit finds it, and names it or its batch."""
    tamper(store, game.id, position, data)
    report = audit_stored(store.store, game.shelf)
    assert not report.ok, (position, data)
    first = report.first
    assert first is not None
    assert first.position is not None
    last = first.position if first.until is None else first.until
    assert first.position <= position <= last, (str(first), position, data)
    assert first.position >= heads[max(0, heads[position] - 1)]


def test_one_changed_byte_of_any_stored_event(store: warptape.Store) -> None:
    game = store.new("pig", seed="short 4", options={"goal": 3}, undo="free")
    game.act("roll")
    game.undo()
    game.act(["roll", "hold"])
    heads = batches(game)
    rng = random.Random(5)
    for one in list(game.rows()):
        for offset, byte in enumerate(one.data):
            value = byte ^ 1 if offset % 2 else rng.randrange(256)
            if value != byte:
                changed = one.data[:offset] + bytes([value]) + one.data[offset + 1 :]
                checked(store, game, one.position, changed, heads)
        tamper(store, game.id, one.position, one.data)
    assert audit_stored(store.store, game.shelf).ok


def test_one_changed_byte_of_a_stored_secret(store: warptape.Store) -> None:
    game = store.new("hidden", seed="e")
    game.run({"raider": "bold", "warden": "random"}, 4)
    heads = batches(game)
    for one in list(game.rows()):
        if b"\n" not in one.data:
            continue
        for offset in range(one.data.index(b"\n"), len(one.data), 3):
            changed = one.data[:offset] + bytes([one.data[offset] ^ 1]) + one.data[offset + 1 :]
            checked(store, game, one.position, changed, heads)
        checked(store, game, one.position, one.data.partition(b"\n")[0], heads)
        tamper(store, game.id, one.position, one.data)
    assert audit_stored(store.store, game.shelf).ok


def test_events_that_are_gone_or_filed_elsewhere(store: warptape.Store) -> None:
    game = store.new("pig", seed="f")
    for _ in range(3):
        game.act(game.decision.actions[0])
    data = {one.position: one for one in game.rows()}
    tamper(store, game.id, 5, data[5].data, "Rewound")
    assert "files it under Rewound" in str(store.audit(game.id).first)
    tamper(store, game.id, 5, data[5].data, data[5].kind)
    assert store.audit(game.id).ok
    for position in range(game.length):
        with store.store.transaction(write=True) as cursor:
            cursor.execute(
                "DELETE FROM stored_events WHERE originator_id = ? AND originator_version = ?", (game.id, position)
            )
        report = store.audit(game.id)
        assert not report.ok
        assert report.first is not None
        assert report.first.position in (position, position - 1)
        with store.store.transaction(write=True) as cursor:
            store.store._insert(cursor, game.id, [data[position]])
    assert store.audit(game.id).ok


@pytest.mark.parametrize(
    ("column", "value"),
    [("length", 3), ("head", "00"), ("outcome", "won"), ("ruleset_version", "9"), ("seats", '{"p1":"bot:x"}'),
     ("extra", '{"undo":"consent"}'), ("secrets", '{"0":["","other"]}')],
)  # fmt: skip
def test_a_shelf_that_lies(store: warptape.Store, column: str, value: Any) -> None:
    game = store.new("pig", seed="g")
    game.act("roll")
    with store.store.transaction(write=True) as cursor:
        cursor.execute(f"UPDATE warptape_games SET {column} = ? WHERE id = ?", (value, game.id))
    report = store.audit(game.id)
    assert not report.ok
    assert len(report.findings) == 1, report.text()


def test_damage_is_never_an_exception(store: warptape.Store) -> None:
    """Random bytes, random types, events of other kinds in other places: findings, and nothing else."""
    game = store.new("hidden", seed="h", undo="free")
    game.run({"raider": "bold", "warden": "random"}, 25)
    game.undo()
    game.note("x")
    game.reroll()
    original = list(game.rows())
    rng = random.Random(9)
    junk = [
        b"", b"\n", b"{}", b"[]", b"null", b'{"type":"Rewound","to":-5}', b'{"type":"Rewound","to":99999}',
        b'{"type":"Rewound","to":"x"}', b'{"type":"GameOpened"}', b'{"type":"Awaiting","keep":9,"push":[{"type":"Scout"}]}',
        b'{"type":"CardDrawn","deck":"none/1","place":0,"item":"x"}', b'{"type":"CounterReturned","bag":"b","token":"t"}',
        b'{"type":"KeyRevealed","since":0,"nonce":"","seed":""}', b'{"type":"ActionTaken","seat":"raider","action":{"type":"word","word":"x"}}',
        b'{"type":"DiceRolled","stream":"die/x","sides":0,"values":[],"count":0}', b'{"type":"GameForked","lineage":[]}',
        b'{"type":"DeckShuffled","deck":"gate","ordinal":7,"items":[]}', b"[" * 100_000, b"\xff\xfe", b'{"type":"RoundBegan","number":' + b"9" * 500 + b"}",
    ]  # fmt: skip
    for _ in range(150):
        victims = rng.sample(original, rng.randint(1, 3))
        for one in victims:
            other = rng.choice(original)
            data = rng.choice(
                [rng.choice(junk), other.data, one.data[: rng.randrange(len(one.data))], rng.randbytes(30)]
            )
            tamper(store, game.id, one.position, data, rng.choice([None, other.kind]))
        changed = [list(row) for row in store.store.rows(game.id)] != [list(row) for row in original]
        assert audit_stored(store.store, game.shelf).ok != changed
        for one in victims:
            tamper(store, game.id, one.position, one.data, one.kind)
    assert store.audit(game.id).ok


# ---------------------------------------------------------------------- logs whose digests all fit


@pytest.fixture(scope="module")
def duel(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A whole game of Pig without a secret in the file: only the rules can tell that it was forged."""
    with warptape.open(":memory:") as store:
        game = store.new("pig", seed="duel", options={"goal": 20})
        game.run({"p1": "random", "p2": "sensible"}, 7)
        return game.export(tmp_path_factory.mktemp("duel") / "x").read_bytes()


def forgeries(data: bytes) -> Iterator[tuple[int, forging.Edit]]:
    """For each consequence of an action an edit that drops it, one that repeats it, and one that changes it."""

    def drop(n: int) -> forging.Edit:
        return lambda events: events.__delitem__(n)

    def repeat(n: int) -> forging.Edit:
        return lambda events: events.insert(n, msgspec.json.decode(msgspec.json.encode(events[n])))

    def change(n: int, field: str, value: Any) -> forging.Edit:
        return lambda events: events[n]["event"].__setitem__(field, value)

    for n, line in enumerate(msgspec.json.decode(line)["event"] for line in data.splitlines()[2:-1]):
        if line["type"] in ("GameOpened", "ActionTaken"):
            continue
        yield n, drop(n)
        yield n, repeat(n)
        for field, value in line.items():
            if isinstance(value, int):
                yield n, change(n, field, value + 1)
            elif field == "rule":
                yield n, change(n, field, "PIG-9")


def test_what_the_rules_do_not_give_is_named(duel: bytes, tmp_path: Path) -> None:
    """An event more, less or other than what follows from the action, though chain, sums and footer fit."""
    tried = 0
    for position, edit in forgeries(duel):
        report = audit_file(forging.write(tmp_path / "x", forging.forged(duel, edit)))
        first = report.first
        assert first is not None, position
        assert first.position is not None
        assert position - 3 <= first.position <= position + 1, (position, str(first))
        assert first.line == first.position + 3
        tried += 1
    assert tried > 60


def test_an_action_that_the_rules_refuse(duel: bytes, tmp_path: Path) -> None:
    def hold_at_once(events: list[dict[str, Any]]) -> None:
        event = next(line["event"] for line in events if line["event"]["type"] == "ActionTaken")
        event["action"] = {"type": "hold"}

    def out_of_turn(events: list[dict[str, Any]]) -> None:
        event = next(line["event"] for line in events if line["event"]["type"] == "ActionTaken")
        event["seat"] = "p2"

    for edit, why in ((hold_at_once, "PIG-2"), (out_of_turn, "for p1 to decide")):
        report = audit_file(forging.write(tmp_path / "x", forging.forged(duel, edit)))
        assert report.first is not None
        assert report.first.check == "rules"
        assert why in report.first.reason
        assert report.first.position == 4


def test_all_faults_are_counted_and_the_first_come_first(duel: bytes, tmp_path: Path) -> None:
    def edit(events: list[dict[str, Any]]) -> None:
        for line in events:
            if line["event"]["type"] == "PointsGathered":
                line["event"]["rule"] = "X"

    report = audit_file(forging.write(tmp_path / "x", forging.forged(duel, edit)))
    gathered = duel.count(b"PointsGathered")
    assert gathered > 2
    assert report.total == gathered
    positions = [finding.position for finding in report.findings]
    assert positions == sorted(positions)  # type: ignore[type-var]
    assert "first bad: @" in report.text()


def test_other_rules_than_it_was_recorded_by(duel: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules change: a log of an older version that differs is told, not condemned; of the same version it is."""

    class Hog(type(ruleset("pig"))):  # type: ignore[misc]
        def resolve(self, state: Any, step: Any, action: Any) -> Any:
            for item in super().resolve(state, step, action):
                if type(item).__name__ == "PointsGathered":
                    item = msgspec.structs.replace(item, points=item.points + 1)
                answer = yield item
                assert answer is None

    class Better(Hog):
        version = "2"

        def resolve(self, state: Any, step: Any, action: Any) -> Any:
            inner, answer = ruleset_pig.resolve(state, step, action), None
            while True:
                try:
                    item = inner.send(answer)
                except StopIteration:
                    return
                if type(item).__name__ == "PointsGathered":
                    item = msgspec.structs.replace(item, points=item.points + 1)
                answer = yield item

    ruleset_pig: Ruleset = ruleset("pig")
    monkeypatch.setitem(registry._loaded, "pig", Better())
    path = forging.write(tmp_path / "x", duel)
    report = audit_file(path)
    assert report.ok
    assert row(report, "rules").verdict == "unchecked"
    assert "recorded by version 1 of the rules, and 2 is here" in row(report, "rules").detail
    Better.version = "1"
    assert not audit_file(path).ok
    with warptape.open(":memory:") as store:
        assert store.load(path).length > 10  # a report of a fault in the rules must load


def test_rules_that_crash(duel: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken(type(ruleset("pig"))):  # type: ignore[misc]
        def ask(self, state: Any, step: Any) -> Any:
            raise ZeroDivisionError("a fault")

    monkeypatch.setitem(registry._loaded, "pig", Broken())
    report = audit_file(forging.write(tmp_path / "x", duel))
    assert report.first is not None
    assert "a fault" in report.first.reason


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(BadLog, match="There is no file"):
        audit_file(tmp_path / "none")
    report = audit_file(forging.write(tmp_path / "x", b"hello\n"))
    assert not report.ok
    assert report.first is not None
    assert report.first.line == 1


def test_a_report_for_machines(duel: bytes, tmp_path: Path) -> None:
    report = audit_file(forging.write(tmp_path / "x", duel[:-40]))
    again = msgspec.json.decode(msgspec.json.encode(report), type=Report)
    assert again == report
    assert not again.ok


def test_a_game_that_is_played_on_meanwhile_is_no_finding(store: warptape.Store) -> None:
    game = store.new("pig", seed="meanwhile", undo="free", options={"goal": 1000})
    game.act("roll")
    shelf = store.store.shelf(game.id)
    game.act("roll")
    game.undo()
    assert audit_stored(store.store, shelf).ok  # as it was when the audit began
    assert game.audit().ok
    with store.store.transaction(write=True) as cursor:
        cursor.execute("UPDATE warptape_games SET length = ?", (shelf.length,))
    (finding,) = [found for found in store.audit(game.id).findings if found.check == "shelf"]
    assert f"says {shelf.length} events, and there are {game.length}" in finding.reason
