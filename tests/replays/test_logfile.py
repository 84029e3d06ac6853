"""Log files: what goes out comes in again, and nothing that was tampered with does."""

from __future__ import annotations

import contextlib
import gzip
import itertools
import os
import random
import re
import shutil
import tracemalloc
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import forging
import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import warptape
from warptape.domain.errors import BadLog, NotAllowed, StoreError, UnknownRuleset, WarptapeError
from warptape.domain.events import Event, Head
from warptape.replays import schema
from warptape.replays.audit import audit_file
from warptape.replays.logfile import LogFile

ROOT = Path(__file__).resolve().parent.parent.parent
LOGS = ROOT / "tests" / "logs"
BOTS = {"red": "bot:random", "blue": "bot:random"}


@pytest.fixture
def store() -> Iterator[warptape.Store]:
    with warptape.open(":memory:") as store:
        yield store


@pytest.fixture
def other() -> Iterator[warptape.Store]:
    """The store of somebody else."""
    with warptape.open(":memory:") as store:
        yield store


def pig(store: warptape.Store, **more: Any) -> warptape.Game:
    """A short game with a take-back and a note, not over yet."""
    game = store.new("pig", options={"goal": 20}, undo="free", **more)
    game.act("roll", person="Ann")
    game.undo(reason="oops")
    game.act("roll")
    if len(game.decision.actions) == 2:
        game.act("hold")
    game.note("well, <well>")
    return game


def exported(game: warptape.Game, folder: Path, *args: Any, **more: Any) -> bytes:
    return game.export(folder / "game.tape.jsonl", *args, **more).read_bytes()


def refused(store: warptape.Store, path: Path) -> BadLog:
    """What the import of a bad file raises; nothing is imported."""
    before = [shelf.id for shelf in store.games()]
    with pytest.raises(BadLog) as caught:
        store.load(path)
    assert [shelf.id for shelf in store.games()] == before
    assert str(caught.value).endswith("."), "a sentence"
    return caught.value


# ---------------------------------------------------------------------- there and back


@pytest.mark.parametrize("name", ["g.tape.jsonl", "g.tape.jsonl.gz"])
def test_what_goes_out_comes_in(store: warptape.Store, other: warptape.Store, tmp_path: Path, name: str) -> None:
    game = pig(store, name="Sunday")
    copy = other.load(game.export(tmp_path / name))
    assert (copy.name, copy.length, copy.shelf.head) == ("Sunday", game.length, game.shelf.head)
    assert list(copy.rows()) == list(game.rows())
    assert all(copy.state_at(p) == game.state_at(p) for p in range(game.length))
    assert [list(row) for row in copy.tree.rewinds] == [list(row) for row in game.tree.rewinds]
    again = other.load(tmp_path / name)
    assert again.name == "Sunday 2"
    assert other.load(tmp_path / name, "Monday").name == "Monday"


def test_a_file_is_readable_and_the_same_each_time(store: warptape.Store, tmp_path: Path) -> None:
    game = pig(store)
    data = exported(game, tmp_path)
    assert data == exported(game, tmp_path)
    packed = [game.export(tmp_path / f"{n}.gz").read_bytes() for n in range(2)]
    assert packed[0] == packed[1]
    assert gzip.decompress(packed[0]) == data
    lines = [msgspec.json.decode(line) for line in data.splitlines()]
    assert [line["at"] for line in lines[2:-1]] == list(range(game.length))
    assert (
        data.splitlines(keepends=True)[3]
        == b'{"sum":"9a5a2d2dc799ef84","at":1,"event":{"type":"GameSet","rule":"PIG-1"}}\n'
    )
    assert lines[-1]["events"] == game.length


def test_an_export_that_fails_leaves_nothing(store: warptape.Store, tmp_path: Path) -> None:
    game = pig(store)
    with pytest.raises(StoreError, match="cannot be written"):
        game.export(tmp_path / "nowhere" / "game.tape.jsonl")
    (tmp_path / "folder").mkdir()
    with pytest.raises(StoreError, match="cannot be written"):
        game.export(tmp_path / "folder")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_a_fork_stands_by_itself(store: warptape.Store, other: warptape.Store, tmp_path: Path) -> None:
    game = pig(store)
    fork = game.fork(at=game.length - 1)
    below = fork.fork(at=5)
    below.act("roll")
    for one in (fork, below):
        copy = other.load(one.export(tmp_path / "fork.tape.jsonl"))
        assert copy.shelf.lineage == []
        assert list(copy.rows()) == list(one.rows())
        assert copy.state_at(copy.tip) == one.state_at(one.tip)
        assert copy.audit().ok
        again = store.load(copy.export(tmp_path / "again.tape.jsonl"))
        assert list(again.rows()) == list(one.rows())
        assert store.load(again.fork().export(tmp_path / "more.tape.jsonl")).audit().ok


def test_bots_that_are_not_here_leave_their_seats(store: warptape.Store, other: warptape.Store, tmp_path: Path) -> None:
    game = store.new("pig", seats={"p2": "bot:random"})

    def other_bot(events: list[dict[str, Any]]) -> None:
        events[0]["event"]["seats"]["p2"] = "bot:gone"

    data = forging.forged(exported(game, tmp_path), other_bot).splitlines(keepends=True)
    data[0] = forging.summed(data[0].replace(b"bot:random", b"bot:gone"))
    copy = other.load(forging.write(tmp_path / "x", forging.footed(data)))
    assert copy.seats == {"p1": "human", "p2": "human"}
    assert copy.audit().ok
    assert store.load(copy.export(tmp_path / "y")).seats == copy.seats


STEPS = st.lists(st.tuples(st.sampled_from("aaaaaurwfnc"), st.integers(0, 10**6)), min_size=5, max_size=40)


HISTORIES = 1500 if os.environ.get("WARPTAPE_SLOW") == "1" else 40
RULESETS = ["pig", "nested", "hidden", "space-marine-adventures"]


@settings(max_examples=HISTORIES, deadline=None, suppress_health_check=list(HealthCheck))
@given(ruleset=st.sampled_from(RULESETS), seed=st.integers(0, 999), steps=STEPS)
def test_any_history_survives_the_journey(
    ruleset: str, seed: int, steps: list[tuple[str, int]], tmp_path: Path
) -> None:
    """Random histories of actions, undo, redo, rewinds, forks, notes and new secrets: the same at every event."""
    with warptape.open(":memory:") as store:
        game = store.new(ruleset, seed=str(seed), undo="free")
        for step, number in steps:
            game = happened(game, step, number)
        copy = store.load(game.export(tmp_path / "any.tape.jsonl.gz", with_secret=True))
        assert [row.data for row in copy.rows()] == [row.data for row in game.rows()]
        assert all(copy.state_at(p) == game.state_at(p) for p in range(game.length))
        assert copy.state == game.state  # folded from the file, and as it was played
        assert copy.audit().ok, copy.audit().text()
        assert game.audit().ok, game.audit().text()
        if game.decision is not None:  # with its secret, the copy goes on as the game does
            action = game.decision.actions[0]
            mine, its = game.act(action), copy.act(action)
            assert unstamped(mine.events) == unstamped(its.events)


def unstamped(events: Sequence[Event]) -> list[Event]:
    """Events without the time and the digest in their heads (an action that ends a game brings a second head)."""
    return [msgspec.structs.replace(event, time="", prev="") if isinstance(event, Head) else event for event in events]


def happened(game: Any, step: str, number: int) -> Any:
    """One random step of a history; what is not possible now is left out."""
    match step:
        case "a" if game.decision is not None:
            game.act(game.decision.actions[number % len(game.decision.actions)])
        case "u" | "r":
            with contextlib.suppress(NotAllowed):
                game.undo(reroll=number % 5 == 0) if step == "u" else game.redo()
        case "w":
            game.rewind(number % game.length)
        case "f" if number % 3 == 0:
            return game.fork(at=number % game.length)
        case "n":
            game.note(f"note {number}", number % game.length)
        case "c" if number % 3 == 0 and game.decision is not None:
            game.reroll()
    return game


# ---------------------------------------------------------------------- secrets


def test_the_secret_of_chance_leaves_only_when_the_owner_says_so(store: warptape.Store, tmp_path: Path) -> None:
    game = pig(store, seed="tell no one")
    salt = game.fate.salts[0]
    assert b"tell no one" not in exported(game, tmp_path)
    given_away = exported(game, tmp_path, with_secret=True)
    assert b'"secrets":{"0":["","tell no one"]}' in given_away
    with pytest.raises(NotAllowed, match="does not include the secret"):
        game.export(tmp_path / "x", "p1", with_secret=True)
    quiet = pig(store)
    nonce = quiet.fate.salts[0].nonce
    assert salt.nonce == ""
    assert nonce.encode() not in exported(quiet, tmp_path)


def test_an_imported_game_is_played_on_with_a_new_secret(
    store: warptape.Store, other: warptape.Store, tmp_path: Path
) -> None:
    """Undo, notes and looking need no secret; the first action takes a new one and says so; so does one after an undo."""
    game = pig(store)
    copy = other.load(game.export(tmp_path / "g.tape.jsonl"))
    copy.note("no secret needed")
    copy.undo()
    assert copy.fate.salts == {}
    played = copy.act("roll")
    assert [type(event).__name__ for event in played.events[:3]] == ["Resalted", "ActionTaken", "DiceRolled"]
    assert "not here" in played.events[0].reason
    second = copy.act(copy.decision.actions[0])
    assert type(second.events[0]).__name__ == "ActionTaken"
    copy.rewind("@start")
    assert type(copy.act("roll").events[0]).__name__ == "Resalted"
    report = copy.audit()
    assert report.ok, report.text()
    assert store.load(copy.export(tmp_path / "back.tape.jsonl")).audit().ok


def test_bots_play_an_imported_game_on(store: warptape.Store, other: warptape.Store, tmp_path: Path) -> None:
    game = store.new("nested", seed="imported", undo="until-revealed", seats=BOTS)
    game.run({}, 5)
    copy = other.load(game.export(tmp_path / "g.tape.jsonl"))
    copy.run({})
    assert copy.outcome is not None
    assert copy.audit().ok
    assert type(copy.event(game.length)).__name__ == "Resalted"


@pytest.mark.parametrize("seat", ["raider", "warden"])
def test_what_one_seat_knows(store: warptape.Store, other: warptape.Store, tmp_path: Path, seat: str) -> None:
    """The file holds that seat's secrets and no other's; the chain is the same, and it plays back as the seat saw it."""
    game = store.new("hidden", seed="s")
    game.run({"raider": "bold", "warden": "random"}, 40)
    data = exported(game, tmp_path, seat)
    beside = [item for line in data.splitlines() for item in msgspec.json.decode(line).get("beside", [])]
    assert beside
    assert all(seat in item["seen_by"] for item in beside)
    footer = msgspec.json.decode(data.splitlines()[-1])
    assert footer["withheld"] > 0
    assert footer["head"] == game.shelf.head
    copy = other.load(tmp_path / "game.tape.jsonl")
    assert copy.seen_as == seat
    assert [event for _, event in copy.events()] == [event for _, event in game.events(seat=seat)]
    assert all(copy.state_at(p) == game.ruleset.view(game.state_at(p), seat) for p in range(game.length))
    assert copy.state == copy.state_at(copy.tip)
    with pytest.raises(NotAllowed, match="cannot be played on"):
        copy.act("skip")
    with pytest.raises(NotAllowed, match="cannot be exported for"):
        copy.export(tmp_path / "x", "warden" if seat == "raider" else "raider")
    assert copy.export(tmp_path / "again.tape.jsonl").read_bytes().splitlines()[1:-1] == data.splitlines()[1:-1]


def test_a_seat_that_is_not_there(store: warptape.Store, tmp_path: Path) -> None:
    with pytest.raises(NotAllowed, match=r"no seat 'p7'\. Its seats: p1, p2"):
        pig(store).export(tmp_path / "x", "p7")


# ---------------------------------------------------------------------- damage


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A short game to its end: dice, a take-back, the revealed key."""
    with warptape.open(":memory:") as store:
        game = store.new("pig", seed="short 4", options={"goal": 3}, undo="free")
        game.act("roll")
        game.undo()
        game.act(["roll", "hold"])
        assert game.outcome is not None
        return exported(game, tmp_path_factory.mktemp("short"))


def at_line(data: bytes, offset: int) -> int:
    return data.count(b"\n", 0, offset) + 1


@pytest.mark.parametrize("step", [3, pytest.param(1, marks=pytest.mark.slow)])
def test_one_changed_byte_is_found_and_its_line_named(
    short: bytes, store: warptape.Store, tmp_path: Path, step: int
) -> None:
    path = tmp_path / "x.tape.jsonl"
    rng = random.Random(1)
    for offset, byte in list(enumerate(short))[::step]:
        value = byte ^ 1 if offset % 2 else rng.choice([b for b in range(256) if b != byte])
        path.write_bytes(short[:offset] + bytes([value]) + short[offset + 1 :])
        with pytest.raises(BadLog) as caught:
            store.load(path)
        assert caught.value.line == at_line(short, offset), (offset, chr(byte), chr(value))
        if offset % 11 == 0:
            first = warptape.replays.audit.audit_file(path).first  # type: ignore[attr-defined]
            assert first.line == at_line(short, offset)
    assert store.games() == []


def test_dropped_swapped_repeated_inserted_cut(short: bytes, store: warptape.Store, tmp_path: Path) -> None:
    path = tmp_path / "x.tape.jsonl"
    lines = short.splitlines(keepends=True)
    count = len(lines)

    def tried(changed: list[bytes]) -> int | None:
        path.write_bytes(b"".join(changed))
        return refused(store, path).line

    for n in range(count):
        assert tried(lines[:n] + lines[n + 1 :]) in (n + 1, n + 2), f"line {n + 1} dropped"
        assert tried(lines[: n + 1] + lines[n:]) == (n + 2 if n else 2), f"line {n + 1} repeated"
        assert tried(lines[:n]) == n + 1, f"cut after line {n}"
        assert tried([*lines[:n], lines[n][: len(lines[n]) // 2]]) == n + 1, f"cut in line {n + 1}"
        assert tried([*lines[:n], b"\n", *lines[n:]]) == n + 1, "an empty line"
        assert tried([*lines[:n], lines[n][:-1] + b"\r\n", *lines[n + 1 :]]) == n + 1
        assert tried([*lines[:n], lines[n][:-1] + b" \n", *lines[n + 1 :]]) == n + 1
    for n, m in itertools.combinations(range(2, count - 1), 2):
        swapped = list(lines)
        swapped[n], swapped[m] = lines[m], lines[n]
        assert tried(swapped) == n + 1, f"lines {n + 1} and {m + 1} swapped"
    assert tried([*lines, b"\n"]) == count + 1
    assert tried([*lines, lines[-1]]) == count + 1
    assert tried([short[:-1]]) == count


def test_what_an_editor_does_to_a_whole_file_is_said(short: bytes, store: warptape.Store, tmp_path: Path) -> None:
    for changed, words in (
        (b"\xef\xbb\xbf" + short, "Line 1: the file begins with a byte order mark"),
        (short.replace(b"\n", b"\r\n"), "Line 1: the line ends with a carriage return"),
    ):
        assert words in str(refused(store, forging.write(tmp_path / "x.tape.jsonl", changed)))


FORGED: dict[str, Callable[[bytes], bytes]] = {
    "a key twice": lambda line: line.replace(b'"type":"Point', b'"type":"PointsLost","type":"Point'),
    "a space": lambda line: line.replace(b'"type":', b'"type": '),
    "an unknown field": lambda line: line.replace(b'"points":', b'"pints":1,"points":'),
    "an unknown type": lambda line: line.replace(b"PointsGathered", b"PointsStolen"),
    "a field of another kind": lambda line: line.replace(b'"points":', b'"points":"x","rul":'),
    "a huge number": lambda line: line.replace(b'"points":', b'"points":9' + b"9" * 400 + b',"x":'),
    "65 bits": lambda line: line.replace(b'"points":', b'"points":9223372036854775808,"x":'),
    "no number": lambda line: line.replace(b'"points":', b'"points":NaN,"x":'),
    "infinity": lambda line: line.replace(b'"points":', b'"points":1e999,"x":'),
    "deep nesting": lambda line: line.replace(b'"points":', b'"points":' + b"[" * 50_000 + b"]" * 50_000 + b',"x":'),
    "nesting a little too deep": lambda line: line.replace(
        b'"points":', b'"x":' + b"[" * 80 + b"]" * 80 + b',"points":'
    ),
    "an escape": lambda line: line.replace(b"PIG-1", b"\\u0050IG-1"),
    "no UTF-8": lambda line: line.replace(b"PIG-1", b"PIG\xff1"),
    "a lone surrogate": lambda line: line.replace(b"PIG-1", b"\\ud800"),
    "a default": lambda line: line.replace(b',"rule":"PIG-1"', b',"rule":""'),
    "a field of the line": lambda line: line.replace(b'"event":', b'"evident":1,"event":'),
    "an empty list of secrets": lambda line: line.replace(b'"}}', b'"},"beside":[]}'),
    "a secret of nothing": lambda line: line.replace(
        b'"}}', b'"},"beside":[{"field":"points","value":1,"salt":"","seen_by":["p1"]}]}'
    ),
    "fields in another order": lambda line: re.sub(rb'("at":[0-9]+),("event":.*)}', rb"\2,\1}", line),
    "a list": lambda line: b'{"sum":"0000000000000000",1]\n',
    "nothing": lambda line: b"{}\n",
    "a null": lambda line: b"null\n",
}


@pytest.mark.parametrize("how", FORGED)
def test_a_forged_line_is_named(how: str, store: warptape.Store, tmp_path: Path) -> None:
    """Every sum and digest is made to fit: what is left is the one way to write a line, and its types."""
    game = store.new("pig", seed="b", options={"goal": 1000})
    while b"PointsGathered" not in list(game.rows())[-1].kind.encode():
        game.act("roll")
    lines = exported(game, tmp_path).splitlines(keepends=True)
    number = len(lines) - 1
    changed = FORGED[how](lines[number - 1])
    assert changed != lines[number - 1]
    lines[number - 1] = forging.summed(changed) if len(changed) > 30 else changed
    if b'"event":' in changed:
        lines = forging.headed(lines)
    error = refused(store, forging.write(tmp_path / "x", forging.footed(lines)))
    assert error.line == number, str(error)
    assert len(str(error)) < 500


def test_a_line_of_17_megabytes(short: bytes, store: warptape.Store, tmp_path: Path) -> None:
    lines = short.splitlines(keepends=True)
    lines[4] = lines[4][:-3] + b"x" * (17 * 2**20) + b'"}}\n'
    assert "longer than 16 MB" in str(refused(store, forging.write(tmp_path / "x", b"".join(lines))))
    with (tmp_path / "y").open("wb") as file:
        file.write(b"".join(lines[:3]) + b"{" * (17 * 2**20))
    assert refused(store, tmp_path / "y").line == 4


HEADERS = {
    b'"format":1': (b'"format":7', "install warptape"),
    b'"warptape":"tape"': (b'"warptape":"book"', "no log of a game"),
    b'"ruleset":"pig"': (b'"ruleset":"hog"', "another ruleset|No ruleset"),
    b'"version":"1"': (b'"version":"2"', "another version"),
    b'"seat":""': (b'"seat":"p9"', "no seat of the game"),
    b'"secrets":{}': (b'"secrets":{"0":["","x"]}', "does not fit the commitment"),
    b'"lineage":[]': (b'"lineage":[["x",3]]', "other ancestors"),
    b'"seats":{"p1":"human"': (b'"seats":{"p1":"Ann"', "other seats"),
    b'"name":"Pig"': (b'"name":"a@b"', "cannot be the name"),
    b'"content":"4': (b'"content":"5', "the content is not the one"),
}


@pytest.mark.parametrize("old", HEADERS, ids=lambda old: old.decode())
def test_a_lying_header(old: bytes, short: bytes, store: warptape.Store, tmp_path: Path) -> None:
    new, why = HEADERS[old]
    lines = short.splitlines(keepends=True)
    assert old in lines[0]
    lines[0] = forging.summed(lines[0].replace(old, new))
    path = forging.write(tmp_path / "x", forging.footed(lines))
    with pytest.raises(WarptapeError, match=why):
        store.load(path)
    assert store.games() == []


@pytest.mark.parametrize("field", ["events", "head", "withheld", "sha256"])
def test_a_lying_footer(field: str, short: bytes, store: warptape.Store, tmp_path: Path) -> None:
    lines = short.splitlines(keepends=True)
    footer = msgspec.json.decode(lines[-1])
    footer[field] = footer[field] + 1 if isinstance(footer[field], int) else "0" * 64
    lines[-1] = forging.summed(msgspec.json.encode(footer) + b"\n")
    error = refused(store, forging.write(tmp_path / "x", b"".join(lines)))
    assert error.line == len(lines) if field != "head" else error.line in range(3, len(lines))


def test_other_content_is_named(short: bytes, store: warptape.Store, tmp_path: Path) -> None:
    lines = short.splitlines(keepends=True)
    for text in (b'{"a.toml":"x"}', b'{"../a":"x"}', b"[]"):
        lines[1] = forging.summed(b'{"sum":"0000000000000000","content":' + text + b"}\n")
        assert refused(store, forging.write(tmp_path / "x", forging.footed(lines))).line == 2


def test_each_changed_event_breaks_the_chain_of_its_batch(short: bytes, store: warptape.Store, tmp_path: Path) -> None:
    """The line's sum and the footer's digest are made to fit, as one would who does not know of the chain."""
    original = short.splitlines(keepends=True)
    heads = [n for n, line in enumerate(original, 1) if b'"prev":"' in line or n == 3]
    for n in range(3, len(original)):
        lines = list(original)
        lines[n - 1] = forging.summed(lines[n - 1].replace(b'"type":', b'"extra":1,"type":'))
        error = refused(store, forging.write(tmp_path / "x", forging.footed(lines)))
        start = max(head for head in heads if head <= n)
        assert error.line == start, (n, str(error))
        if n != start:
            assert f"@{start - 3}" in str(error)


def edited(position: int, **values: Any) -> forging.Edit:
    """An edit of one event; a field that was left out goes before the last one."""

    def edit(events: list[dict[str, Any]]) -> None:
        event = events[position]["event"]
        last = list(event)[-1]
        moved = {last: event.pop(last)} if values.keys() - event.keys() else {}
        event.update(values)
        event.update(moved | {name: value for name, value in values.items() if name in moved})

    return edit


def test_what_cannot_have_happened_is_refused_though_all_digests_fit(
    short: bytes, store: warptape.Store, tmp_path: Path
) -> None:
    events = [msgspec.json.decode(line)["event"] for line in short.splitlines()[2:-1]]
    die = next(n for n, event in enumerate(events) if event["type"] == "DiceRolled")
    rewind = next(n for n, event in enumerate(events) if event["type"] == "Rewound")
    awaiting = next(n for n, event in enumerate(events) if event["type"] == "Awaiting")
    value = events[die]["values"][0]
    key = len(events) - 1
    assert events[key]["type"] == "KeyRevealed"
    tries: list[tuple[int, forging.Edit, str]] = [
        (die, edited(die, values=[7]), "cannot show"),
        (die, edited(die, values=[value % 6 + 1]), "the key gives"),
        (rewind, edited(rewind, to=rewind), "cannot go back"),
        (rewind, edited(rewind, to=rewind + 5), "cannot go back"),
        (rewind, edited(rewind, to=-1), "cannot go back"),
        (rewind, edited(rewind, to=1), "middle of a batch"),
        (0, edited(0, commitment="0" * 64), "commitment|committed"),
        (0, edited(0, chance="tarot"), "no undo policy"),
        (key, edited(key, seed="other"), "committed to"),
        (key, edited(key, since=3), "no event committed|committed to"),
        (awaiting, lambda all_: all_.insert(awaiting, all_[awaiting]), "middle of a batch"),
        (0, lambda all_: all_.insert(0, all_.pop(1)), "begins with GameOpened"),
        (4, lambda all_: all_.insert(4, all_[0]), "a second time|one form"),
    ]
    assert forging.forged(short, lambda all_: None) == short
    for position, edit, why in tries:
        path = forging.write(tmp_path / "x", forging.forged(short, edit))
        error = refused(store, path)
        found = audit_file(path)
        assert not found.ok
        assert error.line in range(3, len(events) + 3)
        if why != "commitment|committed":
            assert error.line == position + 3, (why, str(error))
        assert any(part in str(error) for part in why.split("|")), str(error)


def test_a_card_that_was_not_in_the_deck(store: warptape.Store, tmp_path: Path) -> None:
    """All digests fit, and the secret is not in the file: a card drawn twice, and one that is in no deck."""
    game = store.new("hidden", seed="cards")
    game.run({"raider": "bold", "warden": "random"}, 60)
    data = exported(game, tmp_path)
    drawn = [row.position for row in game.rows() if row.kind == "CardDrawn" and b"sealed" not in row.data]
    for item in ("dragon", "alarm"):
        spoiled = 0
        for position in drawn:
            path = forging.write(tmp_path / "x", forging.forged(data, edited(position, item=item)))
            deck = game.state_at(position - 1).chance.decks[game.event(position).deck]  # type: ignore[attr-defined]
            if item not in deck.left():
                spoiled += 1
                error = refused(store, path)
                assert error.line == position + 3
                assert f"the card '{item}' was not in the deck" in str(error)
        assert spoiled


def test_a_key_reveals_a_forged_secret(store: warptape.Store, tmp_path: Path) -> None:
    """A secret beside an event must fit its seal, its field and its audience."""
    game = store.new("hidden", seed="seals")
    game.run({"raider": "bold", "warden": "random"}, 8)
    data = exported(game, tmp_path)
    lines = data.splitlines(keepends=True)
    at = next(n for n, line in enumerate(lines) if b'"beside"' in line)
    plain = msgspec.json.decode(lines[at])
    item = plain["beside"][0]
    for change in (
        {"value": 99}, {"value": "x"}, {"salt": "0" * 32}, {"seen_by": ["raider", "warden"]}, {"field": "other"},
    ):  # fmt: skip
        changed = list(lines)
        changed[at] = forging.summed(msgspec.json.encode({**plain, "beside": [{**item, **change}]}) + b"\n")
        assert refused(store, forging.write(tmp_path / "x", forging.footed(changed))).line == at + 1
    for beside in ([item, item], []):
        changed = list(lines)
        changed[at] = forging.summed(msgspec.json.encode({**plain, "beside": beside}) + b"\n")
        assert refused(store, forging.write(tmp_path / "x", forging.footed(changed))).line in (at + 1, len(lines))
    del plain["beside"]
    footer = msgspec.json.decode(lines[-1])
    lines[at] = forging.summed(msgspec.json.encode(plain) + b"\n")
    lines[-1] = msgspec.json.encode({**footer, "withheld": footer["withheld"] + 1}) + b"\n"
    error = refused(store, forging.write(tmp_path / "x", forging.footed(lines)))
    assert error.line == at + 1
    assert "is missing" in str(error)


# ---------------------------------------------------------------------- other files


NONSENSE = {
    "empty": b"",
    "a line break": b"\n",
    "no log": b"hello\n",
    "some JSON": b'{"a":1}\n',
    "a list": b"[1,2]\n",
    "zeros": b"\0" * 1000,
    "a store": b"SQLite format 3\0" + b"\0" * 200,
    "a picture": b"\x89PNG\r\n\x1a\n" + bytes(range(256)),
    "UTF-16": "\ufeff{}\n".encode("utf-16"),
    "brackets": b"[" * 200_000,
}


@pytest.mark.parametrize("what", NONSENSE)
@pytest.mark.parametrize("name", ["x.tape.jsonl", "x.tape.jsonl.gz"])
def test_files_that_are_no_logs(what: str, name: str, store: warptape.Store, tmp_path: Path) -> None:
    path = forging.write(tmp_path / name, NONSENSE[what])
    assert refused(store, path).line == 1
    path.write_bytes(gzip.compress(NONSENSE[what]))
    assert refused(store, path).line == 1


def test_what_is_no_json_is_said_in_one_sentence(short: bytes, store: warptape.Store, tmp_path: Path) -> None:
    lines = short.splitlines(keepends=True)
    for at, data, reason in (
        (3, b"(" + lines[3][1:], "invalid character (byte 0)"),
        (4, b"{\n", "Input data was truncated"),
    ):
        path = forging.write(tmp_path / "x.tape.jsonl", b"".join([*lines[:at], data, *lines[at + 1 :]]))
        error = refused(store, path)
        assert str(error) == f"Line {at + 1}: this is not JSON: {reason[0].lower()}{reason[1:]}."


def test_no_file_and_a_folder(store: warptape.Store, tmp_path: Path) -> None:
    assert "There is no file" in str(refused(store, tmp_path / "none.tape.jsonl"))
    assert "is a folder" in str(refused(store, tmp_path))
    assert "There is no file" in str(refused(store, tmp_path / "none.gz"))
    assert "cannot be read" in str(refused(store, Path("a\0b")))


def test_damaged_compression(short: bytes, store: warptape.Store, tmp_path: Path) -> None:
    """A compressed file that is cut or whose data changed is refused, whatever the place."""
    packed = gzip.compress(short, mtime=0)
    path = tmp_path / "x.tape.jsonl.gz"
    for size in range(0, len(packed), 7):
        path.write_bytes(packed[:size])
        assert refused(store, path).line
    for offset in range(10, len(packed), 2):
        path.write_bytes(packed[:offset] + bytes([packed[offset] ^ 4]) + packed[offset + 1 :])
        try:
            unharmed = gzip.decompress(path.read_bytes()) == short  # a bit that stands for nothing
        except (OSError, EOFError, zlib.error):
            unharmed = False
        assert unharmed or refused(store, path).line
    path.write_bytes(packed + b"more")
    assert refused(store, path).line
    path.write_bytes(packed + gzip.compress(b"more\n"))
    assert refused(store, path).line == short.count(b"\n") + 1
    shutil.copy(path, tmp_path / "x.tape.jsonl")
    assert "ends in .gz" in str(refused(store, tmp_path / "x.tape.jsonl"))


def test_a_ruleset_that_is_not_installed(short: bytes, store: warptape.Store, tmp_path: Path) -> None:
    def renamed(events: list[dict[str, Any]]) -> None:
        events[0]["event"]["ruleset"] = "hog"

    lines = forging.forged(short, renamed).splitlines(keepends=True)
    lines[0] = forging.summed(lines[0].replace(b'"ruleset":"pig"', b'"ruleset":"hog"'))
    with pytest.raises(UnknownRuleset, match="No ruleset 'hog' is installed"):
        store.load(forging.write(tmp_path / "x", forging.footed(lines)))


def test_a_file_that_changes_while_it_is_read(short: bytes, tmp_path: Path) -> None:
    path = forging.write(tmp_path / "x", short)
    log = LogFile(path)
    assert len(list(log.rows())) > 5
    path.write_bytes(forging.forged(short, lambda events: events.pop()))
    with pytest.raises(BadLog, match="changed while"):
        list(log.rows())


def test_memory_does_not_grow_with_the_file(store: warptape.Store, other: warptape.Store, tmp_path: Path) -> None:
    """Export and audit of a log twice as long take no more memory."""
    game = store.new("pig", seed="long", options={"goal": 1000}, undo="free")
    path = tmp_path / "long.tape.jsonl"
    peaks = []
    for length in (1_500, 3_000):
        while game.length < length:
            game.run({"p1": "sensible", "p2": "sensible"}, 900)
            if game.decision is None:
                game.rewind(0, reroll=True)
        game.export(path)
        tracemalloc.start()
        game.export(path)
        _, exporting = tracemalloc.get_traced_memory()
        tracemalloc.reset_peak()
        assert audit_file(path, rules=False).ok
        _, auditing = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        peaks.append((exporting, auditing))
    assert all(after < 1.2 * before + 20_000 for before, after in zip(*peaks, strict=True)), peaks
    assert other.load(path).length == game.length


# ---------------------------------------------------------------------- the format stays


RECORDED = [path for path in sorted(LOGS.glob("*.tape.jsonl*")) if path.suffix != ".txt"]


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.name)
def test_a_recorded_log_of_each_format_reads_for_ever(path: Path, store: warptape.Store) -> None:
    game = store.load(path)
    report = game.audit()
    assert report.ok, report.text()
    assert (LOGS / f"{path.name}.txt").read_text(encoding="utf-8") == game.transcript("txt", variations=True)


def test_there_is_a_log_of_this_format() -> None:
    assert any(LogFile(path).header.format == 1 for path in RECORDED)


def test_the_schema_is_current_and_every_line_fits_it(store: warptape.Store, tmp_path: Path) -> None:
    text = (ROOT / "docs" / "format.schema.json").read_text(encoding="utf-8")
    assert text == schema.text(), "run `make docs`"
    root = msgspec.json.decode(text)
    game = store.new("hidden", seed="s", undo="free")
    game.run({"raider": "bold", "warden": "random"}, 30)
    game.undo()
    game.note("x")
    fork = game.fork()
    fork.reroll()
    lines = [msgspec.json.decode(line) for line in exported(fork, tmp_path).splitlines()]
    assert all(fits(line, root, root) for line in lines)
    for number, line in enumerate(lines):
        assert not fits({**line, "more": 1}, root, root), number
        assert not fits({**line, "sum": "x"}, root, root), number
    assert not fits({**lines[2], "event": {**lines[2]["event"], "format": "one"}}, root, root)


def fits(value: Any, part: Any, root: Any) -> bool:
    """Whether a value fits a JSON Schema, as far as our schema uses the language."""
    known = {
        "$schema", "$defs", "$ref", "title", "description", "default", "type", "enum", "const", "pattern", "anyOf",
        "allOf", "if", "then", "properties", "required", "additionalProperties", "items", "prefixItems", "minItems",
        "maxItems",
    }  # fmt: skip
    assert part.keys() <= known, part.keys() - known
    kinds = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int, "null": type(None)}
    if "$ref" in part and not fits(value, root["$defs"][part["$ref"].rpartition("/")[2]], root):
        return False
    if "type" in part and not isinstance(value, kinds[part["type"]]):
        return False
    if ("enum" in part and value not in part["enum"]) or ("const" in part and value != part["const"]):
        return False
    if "pattern" in part and not re.search(part["pattern"], value):
        return False
    if "anyOf" in part and not any(fits(value, one, root) for one in part["anyOf"]):
        return False
    if not all(fits(value, one["then"], root) for one in part.get("allOf", ()) if fits(value, one["if"], root)):
        return False
    if isinstance(value, dict):
        more, named = part.get("additionalProperties", {}), part.get("properties", {})
        if not all(name in value for name in part.get("required", ())):
            return False
        for name, item in value.items():
            inner = named.get(name, more)
            if inner is False or (inner is not True and not fits(item, inner, root)):
                return False
    if isinstance(value, list) and isinstance(part.get("items"), dict):
        return all(fits(item, part["items"], root) for item in value)
    return True


def test_what_people_wrote_in_a_log_is_told_without_control_characters(
    store: warptape.Store, other: warptape.Store, tmp_path: Path
) -> None:
    game = pig(store)
    path = game.export(tmp_path / "game.tape.jsonl")

    def note(lines: list[dict[str, Any]]) -> None:
        text = "\x1b[2J\x1b]0;owned\x07red \u202eder\u202c\n# heading"
        lines.append({"sum": "0" * 16, "at": 0, "event": {"type": "NoteAdded", "prev": "", "at": 5, "text": text}})

    path.write_bytes(forging.forged(path.read_bytes(), note))
    copy = other.load(path)
    told = list(copy.log())[-1].text
    assert "red der # heading" in told
    assert told.isprintable()
    assert "\x1b" not in copy.transcript("txt") + copy.transcript("md") + copy.transcript("html")
