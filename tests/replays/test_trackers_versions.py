"""What went wrong with logs and versions in other programs, as their users reported it, each shown not to happen here."""

from __future__ import annotations

import gzip
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import forging
import lanterns
import msgspec
import pytest

import warptape
from warptape.domain import rules as registry
from warptape.domain.content import Content
from warptape.domain.errors import BadLog
from warptape.domain.rules import ruleset
from warptape.replays.audit import audit_file
from warptape.replays.audits import Summary, Task, run
from warptape.replays.logfile import LogFile

DOOM = "doom-of-the-eldar"


@pytest.fixture
def store() -> Iterator[warptape.Store]:
    with warptape.open(":memory:") as store:
        yield store


def other_content(rules: Any) -> Content:
    """The content of a later edition: every list of counters, cards and names is in another order, and names differ."""
    files = {}
    for name, text in rules.content.files.items():
        records = text.split("\n[[")
        files[name] = "\n[[".join([records[0], *reversed(records[1:])]).replace("Banshees", "Bansheees")
    return Content(files)


def test_the_order_of_counters_changed_between_versions_and_old_replays_showed_wrong_pieces(
    store: warptape.Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A log holds names, not numbers in a list of today; and the content it was played with goes along with it."""
    game = store.new(DOOM, seed="counters", seats={"eldar": "bot:random", "tyranid": "bot:random"})
    path = game.export(tmp_path / "old.tape.jsonl")
    places = [0, game.length // 3, game.length - 1]
    shown = [game.at(place).board().text() for place in places]
    told = [one.text for one in game.log()]
    rules = ruleset(DOOM)
    later = type(rules)(other_content(rules))
    assert later.content.digest != rules.content.digest
    monkeypatch.setitem(registry._loaded, DOOM, later)
    for again in (store.game(game.id), store.load(path)):
        assert again.ruleset.content.digest == rules.content.digest
        assert [again.at(place).board().text() for place in places] == [
            text.replace(game.name, again.name) for text in shown
        ]
        assert [one.text for one in again.log()] == told
        assert again.audit().ok


def test_a_log_that_holds_a_deck_and_a_seed_which_disagree(store: warptape.Store, tmp_path: Path) -> None:
    """The cards that were drawn stand in the log, and the secret they follow from: an audit and an import compare them."""
    game = store.new("hidden", seed="both", undo="free")
    game.run({"raider": "bold", "warden": "random"}, 30)
    path = game.export(tmp_path / "both.tape.jsonl", with_secret=True)
    lines = path.read_bytes().splitlines(keepends=True)
    lines[0] = forging.summed(lines[0].replace(b'["","both"]', b'["","another"]'))
    path.write_bytes(forging.footed(lines))
    report = audit_file(path)
    assert report.first is not None
    assert report.cause == "chance cannot be"
    assert "does not fit the commitment" in report.first.reason
    with pytest.raises(BadLog, match="does not fit the commitment"):
        store.load(path)

    def other_card(events: list[dict[str, Any]]) -> None:
        line = next(line["event"] for line in events if line["event"]["type"] == "CounterRevealed")
        line["item"] = "axe1" if line["item"] != "axe1" else "axe2"

    forged = forging.write(tmp_path / "card.tape.jsonl", forging.forged(path.read_bytes(), other_card))
    assert not audit_file(forged).ok
    with pytest.raises(BadLog):
        store.load(forged)


def test_choices_are_missing_from_the_log_so_that_the_game_cannot_be_rebuilt(
    store: warptape.Store, tmp_path: Path
) -> None:
    """Everything that happened stands in the log, forced answers and chance too: each position comes from it alone."""
    game = store.new("nested", seed="all of it", seats={"red": "bot:random", "blue": "bot:random"})
    game.run({})
    played = [msgspec.json.encode(game.at(position).state) for position in range(game.length)]
    with warptape.open(":memory:") as other:
        copy = other.load(game.export(tmp_path / "x.tape.jsonl"))
        assert [msgspec.json.encode(copy.at(position).state) for position in range(copy.length)] == played

    def left_out(events: list[dict[str, Any]]) -> None:
        at = [number for number, line in enumerate(events) if line["event"]["type"] == "ActionTaken"][5]
        stop = next(n for n in range(at + 1, len(events)) if events[n]["event"]["type"] == "ActionTaken")
        del events[at:stop]  # a whole choice is gone, and all digests fit

    report = audit_file(
        forging.write(tmp_path / "y", forging.forged((tmp_path / "x.tape.jsonl").read_bytes(), left_out))
    )
    assert not report.ok


def test_an_index_off_the_end_is_dropped_without_a_word(store: warptape.Store, tmp_path: Path) -> None:
    """A place, a position or a step beyond what there is: refused with the line, by the audit and by the import."""
    game = store.new("hidden", seed="index", undo="free")
    game.run({"raider": "bold", "warden": "random"}, 30)
    game.undo()
    game.note("here")
    data = game.export(tmp_path / "x.tape.jsonl").read_bytes()
    kinds = {"CardDrawn": ("place", 99), "Rewound": ("to", 10_000), "NoteAdded": ("at", 10_000)}
    seen = {one["event"]["type"] for one in map(msgspec.json.decode, data.splitlines()[2:-1])}
    assert seen >= kinds.keys()
    for kind, (field, value) in kinds.items():
        where: list[int] = []

        def beyond(events: list[dict[str, Any]], kind: str = kind, field: str = field, value: int = value) -> None:
            number = next(number for number, line in enumerate(events) if line["event"]["type"] == kind)
            events[number]["event"][field] = value
            where.append(number)  # noqa: B023

        path = forging.write(tmp_path / "y", forging.forged(data, beyond))
        first = audit_file(path).first
        assert first is not None
        assert (first.position, first.line) == (where[0], where[0] + 3), kind
        with pytest.raises(BadLog) as caught:
            store.load(path)
        assert caught.value.line == where[0] + 3, kind


def test_a_log_cut_short_is_taken_for_a_shorter_game(store: warptape.Store, tmp_path: Path) -> None:
    """Wherever it is cut, between lines too, it is refused, and counted as a file that was cut short."""
    game = store.new("pig", seed="cut", options={"goal": 10}, undo="free")
    game.run({"p1": "random", "p2": "random"})
    data = game.export(tmp_path / "whole.tape.jsonl").read_bytes()
    ends = [number for number, byte in enumerate(data) if byte == 10][:-1]
    rng = random.Random(4)
    for size in [*(end + 1 for end in ends), *rng.sample(range(1, len(data) - 1), 60)]:
        path = forging.write(tmp_path / "cut.tape.jsonl", data[:size])
        report = audit_file(path)
        assert report.first is not None
        if size > ends[0]:  # else there is not even a header
            assert report.cause == "file cut short", (size, report.first)
        with pytest.raises(BadLog):
            store.load(path)
    packed = gzip.compress(data)
    for size in range(30, len(packed) - 1, 40):
        report = audit_file(forging.write(tmp_path / "cut.tape.jsonl.gz", packed[:size]))
        assert report.cause == "file cut short"


def test_made_by_a_newer_version_is_said_of_the_same_version(store: warptape.Store, tmp_path: Path) -> None:
    """Newer is what has a newer format, whatever the software calls itself; damage is not put down to a version."""
    game = store.new("pig", seed="same")
    game.act("roll")
    data = game.export(tmp_path / "x.tape.jsonl").read_bytes()
    version = f"warptape {warptape.__version__}"

    def made(software: str, form: int) -> Path:
        lines = data.splitlines(keepends=True)
        head = lines[0].replace(f'"{version}"'.encode(), f'"{software}"'.encode(), 1)
        lines[0] = forging.summed(head.replace(b'"format":1', f'"format":{form}'.encode()))
        return forging.write(tmp_path / "y.tape.jsonl", forging.footed(lines))

    for software in (version, "warptape 99.0", "warptape 0.0.1", "another recorder"):
        assert audit_file(made(software, 1)).ok
        assert store.load(made(software, 1)).length == game.length
    for software in ("warptape 99.0", version):
        with pytest.raises(BadLog, match=f"made by {software}, format 2, .* install {software} or newer"):
            store.load(made(software, 2))
    damaged = forging.write(tmp_path / "z", data.replace(b'"sides":6', b'"sides":7'))
    assert "newer" not in str(audit_file(damaged).first)
    assert "install" not in str(audit_file(damaged).first)


def test_an_error_does_not_say_which_game_of_many_failed(store: warptape.Store, tmp_path: Path) -> None:
    """File, name of the game, line and position are in the summary, and the others are audited all the same."""
    tasks = []
    for number in range(5):
        game = store.new("pig", seed=str(number), name=f"Game {number}")
        game.act("roll")
        path = game.export(tmp_path / f"{number}.tape.jsonl")
        tasks.append(Task(path.name, path=str(path)))
    middle = tmp_path / "2.tape.jsonl"
    middle.write_bytes(middle.read_bytes().replace(b'"sides":6', b'"sides":7'))
    (tmp_path / "3.tape.jsonl").unlink()
    for jobs in (1, 2):
        found = list(run(tasks, jobs))
        assert [one.label for one in found] == [task.label for task in tasks]
        assert [one.ok for one in found] == [True, True, False, False, True]
        summary = Summary()
        for one in found:
            summary.add(one)
        assert summary.text() == "3 of 5 are sound; 1 could not be read, 1 file damaged."
        assert summary.failed[0] == (
            "2.tape.jsonl ('Game 2'): @5 (line 8): the checksum does not fit: this line was changed"
        )
        assert summary.failed[1].startswith("3.tape.jsonl: There is no file")


def test_every_change_of_a_long_log_is_found_and_named_by_its_line(store: warptape.Store, tmp_path: Path) -> None:
    """Two thousand events with secrets, abandoned lines and the end: bytes here and there, of every kind of line."""
    game = store.new(DOOM, seed="long 1", undo="free")
    game.run(dict.fromkeys(game.seats, "random"))
    while game.length < 2000:
        game.rewind("@r3", reroll=True)
        game.run(dict.fromkeys(game.seats, "random"), 60)
    data = game.export(tmp_path / "x.tape.jsonl", with_secret=True).read_bytes()
    assert data.count(b'"beside":') > 20
    lines = data.splitlines(keepends=True)
    assert len(lines) > 2000
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    rng = random.Random(7)
    secret = [number for number, line in enumerate(lines) if b'"beside":' in line]
    chosen = [0, 1, 2, len(lines) - 1, *rng.sample(secret, 10), *rng.sample(range(len(lines)), 90)]
    for tried, number in enumerate(chosen):
        offset = rng.randrange(starts[number], starts[number + 1])
        changed = data[:offset] + bytes([data[offset] ^ rng.randint(1, 255)]) + data[offset + 1 :]
        path = forging.write(tmp_path / "y.tape.jsonl", changed)
        with pytest.raises(BadLog) as caught:
            for _ in LogFile(path).rows():
                pass
        assert caught.value.line == number + 1, offset
        if tried % 12 == 0:
            first = audit_file(path).first
            assert first is not None
            assert first.line == number + 1, offset


# ---------------------------------------------------------------------- rules that changed since


class Easier(lanterns.Lanterns):
    """A dared bet is won by a 2 already, and nobody may stake 3 any more."""

    version = "4"
    needed = 2

    def ask(self, state: Any, step: Any) -> Any:
        decision = super().ask(state, step)
        kept = tuple(action for action in decision.actions if action != lanterns.Stake(3))
        return msgspec.structs.replace(decision, actions=kept)

    def explain(self, state: Any, step: Any, action: Any) -> Any:
        if action == lanterns.Stake(3):
            return warptape.domain.rules.Refusal("LAN-5", "a stake is 1 or 2")  # type: ignore[attr-defined]
        return super().explain(state, step, action)


def test_rules_that_changed_are_listed_decision_by_decision(
    store: warptape.Store, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Refused now, or followed by other events now: every one, with position, seat, notation and rule."""
    monkeypatch.setitem(registry._loaded, "lanterns", lanterns.Lanterns())
    game = store.new("lanterns", seed="changes 2", options={"turns": 30}, undo="free")
    rng = random.Random(3)
    while game.decision is not None:
        answers = game.decision.actions
        game.act("yes" if len(answers) == 2 else rng.choice(answers[:3]))
    path = game.export(tmp_path / "x.tape.jsonl")
    threes = [at for at, event in game.events() if getattr(event, "action", None) == lanterns.Stake(3)]
    dared = [at for at, event in game.events() if getattr(event, "action", None) == lanterns.YES]
    close = [
        at
        for at in dared
        if 2 <= warptape.domain.secrets.bare(game.at(at).state.value) < 4  # type: ignore[attr-defined]
    ]
    assert len(threes) > 3
    assert len(close) > 3
    assert game.audit(listing=True).differences == []
    monkeypatch.setitem(registry._loaded, "lanterns", Easier())
    for report in (audit_file(path, listing=True), store.game(game.id).audit(listing=True)):
        assert report.ok, "rules may change"
        found = report.differences
        assert sorted(one.position for one in found) == sorted([*threes, *close])
        refused = [one for one in found if one.kind == "refused"]
        assert [(one.position, one.seat, one.action, one.rule) for one in refused] == [
            (at, game.event(at).seat, "stake 3", "LAN-5") for at in threes  # type: ignore[attr-defined]
        ]  # fmt: skip
        others = [one for one in found if one.kind == "other events"]
        assert [(one.position, one.action, one.rule) for one in others] == [(at, "yes", "LAN-4") for at in close]
        assert all(one.at > one.position for one in others)
        assert all("Scored" in one.text for one in others)
        assert f"  differs: @{threes[0]} {refused[0].seat} stake 3: refused now (LAN-5): " in report.text()
    brief = audit_file(path)
    assert len(brief.differences) == 1
    row = brief.row("rules")
    assert row is not None
    assert row.verdict == "unchecked"
    assert f"recorded by version 3 of the rules, and 4 is here: {len(found)} differ, the first @" in row.detail
    again = store.load(path)  # and it replays, to the same end
    assert again.state_at(again.tip) == game.state_at(game.tip)
    skipped = audit_file(path, rules=False)
    assert skipped.differences == []
