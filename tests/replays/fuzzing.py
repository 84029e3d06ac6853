"""Hostile bytes for every reader: what each may do with them, and how they are made.

    python tests/replays/fuzzing.py TARGET [SECONDS]      mutates the corpus at random and keeps what fails
    python tests/replays/fuzzing_atheris.py TARGET …      has atheris do it, guided by coverage (extra `fuzz`)

A target takes bytes and returns, or raises an AssertionError or whatever else nobody should see. What was found is kept
in tests/corpus/TARGET, and every run of the tests tries all of it.
"""

from __future__ import annotations

import gzip
import hashlib
import importlib
import io
import os
import random
import re
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
from replay_model import SeededDesk

from warptape.domain import rules as registry
from warptape.domain.content import Content
from warptape.domain.errors import (
    BadAddress,
    BadLog,
    BadNotation,
    ContentError,
    IllegalAction,
    NeedsOutcome,
    WarptapeError,
)
from warptape.replays.address import parse_address
from warptape.replays.audit import audit, audit_file
from warptape.replays.chain import HEAD_KINDS
from warptape.replays.codec import Codec
from warptape.replays.game import Game
from warptape.replays.library import Library
from warptape.replays.logline import checksum
from warptape.replays.moves import moves, read_moves
from warptape.replays.reproduce import reproduce
from warptape.replays.told import tell_log
from warptape.replays.transcript import transcript_lines

TESTS = Path(__file__).resolve().parent.parent
CORPUS = TESTS / "corpus"
SHIPPED = [name for name, point in registry.installed().items() if point.value.startswith("warptape.")]


def install() -> None:
    """Make the rulesets beside the tests known where they are not installed: outside of the tests."""
    sys.path.append(str(TESTS / "rulesets"))
    for name in ("pig", "hidden", "nested"):
        registry._loaded.setdefault(name, importlib.import_module(name).RULESET)


# ---------------------------------------------------------------------- what a reader may do


def _sentence(error: WarptapeError) -> None:
    text = str(error)
    assert text.strip(), type(error)
    assert len(text) < 3000, text[:3000]


def whole_file(data: bytes, name: str = "x.tape.jsonl") -> None:
    """A log file: audited and imported, or refused with nothing imported; what is imported can be read in every way."""
    with tempfile.TemporaryDirectory() as folder, Library[Game](":memory:", SeededDesk(1)) as library:
        path = Path(folder) / name
        path.write_bytes(data)
        report = audit_file(path)
        assert report.ok or report.first is not None
        try:
            game = library.load(path)
        except WarptapeError as error:
            _sentence(error)
            refusal: WarptapeError | None = error
        else:
            refusal = None
        if refusal is not None:
            assert library.games() == [], "half an import"
            assert not report.ok or not isinstance(refusal, BadLog), (
                f"only the import has something against it: {refusal}"
            )
            return
        assert audit(game).ok == report.ok
        told = list(tell_log(game))
        assert len(told) == game.length
        for seat in (None, *game.seats):
            with suppress(WarptapeError):
                assert "".join(transcript_lines(game, "txt", seat=seat))
            with suppress(WarptapeError):
                list(moves(game, seat=seat))
        out = game.export(Path(folder) / "again.tape.jsonl")
        if report.ok:
            assert audit_file(out).ok
        if b'"report":' in data.partition(b"\n")[0]:
            try:
                assert str(reproduce(path))
            except WarptapeError as error:
                _sentence(error)


def packed_file(data: bytes) -> None:
    """A compressed log file, damaged or not."""
    whole_file(data, "x.tape.jsonl.gz")


def forged_file(data: bytes) -> None:
    """A log file whose sums, positions, chain and footer were made to fit: what is left are types, secrets and rules."""
    whole_file(mended(data))


def content_files(data: bytes) -> None:
    """A content file in place of one of a game's own: the game is set up, or the content is refused."""
    name, _, text = data.partition(b"\n")
    known = {f"{rules} {file}": (rules, file) for rules in SHIPPED for file in registry.ruleset(rules).content.files}
    which = known.get(name.decode(errors="replace")) or sorted(known.values())[len(name) % len(known)]
    try:
        try:
            content = registry.ruleset(which[0]).content.replacing({which[1]: text.decode()})
        except UnicodeDecodeError:
            return
        assert Content.decode(content.encode()) == content
        with Library[Game](":memory:", SeededDesk(1)) as library:
            library.new(which[0], seed="content", content=content)
    except ContentError as error:
        _sentence(error)
        return


def moves_file(data: bytes) -> None:
    """A file of moves, typed into a game at a table."""
    names = ["pig", "hidden", "nested"]
    with Library[Game](":memory:", SeededDesk(1)) as library:
        given: list[str] = []
        while True:  # the set-up may need results
            try:
                game = library.new(names[len(data) % 3], chance="table", outcomes=given)
                break
            except NeedsOutcome as error:
                given.append(error.possible[0])
        try:
            for move in read_moves(io.BytesIO(data), list(game.seats)):
                length, state = game.length, game.state.copy()
                try:
                    game.act(move.text, move.seat or None, outcomes=move.results)
                except WarptapeError as error:
                    _sentence(error)
                    assert (game.length, game.state) == (length, state)
        except BadNotation as error:
            _sentence(error)


def notation(data: bytes) -> None:
    """Notation and addresses, typed in the middle of a game of every ruleset."""
    text = data.decode(errors="replace")
    with suppress(BadAddress):
        parse_address(text)
    for rules, state, seat in _positions():
        try:
            actions = rules.parse(state, seat, text)
        except (BadNotation, IllegalAction) as error:
            _sentence(error)
            continue
        for action in actions[:20]:
            refusal = rules.refusal(state, seat, action)
            assert refusal is None or refusal.reason
            assert rules.notation(state, action)
            assert rules.describe(state, action)


def stored_event(data: bytes) -> None:
    """The bytes of one event in a store."""
    for name in ("pig", "hidden", "nested", *SHIPPED):
        codec = Codec(registry.ruleset(name))
        for rows in ([(3, data)], [(3, data), (4, data)]):
            try:
                events = codec.decode_all(rows)
            except BadLog as error:
                _sentence(error)
            else:
                assert len(events) == len(rows)
                for seat in ("p1", "raider"):
                    with suppress(BadLog):
                        codec.decode(data, 3, seat)


TARGETS: dict[str, Callable[[bytes], None]] = {
    "file": whole_file,
    "packed": packed_file,
    "forged": forged_file,
    "content": content_files,
    "moves": moves_file,
    "notation": notation,
    "event": stored_event,
}

_at: list[Any] = []


def _positions() -> list[Any]:
    """Rules, state and seat in the middle of games of every ruleset."""
    if not _at:
        with Library[Game](":memory:", SeededDesk(1)) as library:
            for name in ("pig", "hidden", "nested", *SHIPPED):
                for decisions in (0, 20):
                    game = library.new(name, seed="middle")
                    rules = game.ruleset
                    game.run({seat: next(iter(rules.bots)) for seat in game.seats}, decisions)
                    if game.decision is not None:
                        _at.append((rules, game.state.copy(), game.decision.seat))
    return _at


def mended(data: bytes) -> bytes:
    """A log file's lines with sums, positions, chain, lineless content digest and footer made to fit, as far as they can."""
    lines = data.split(b"\n")
    if lines and not lines[-1]:
        lines.pop()
    made: list[bytes] = []
    whole, batch, position = hashlib.sha256(), hashlib.sha256(), 0
    for number, line in enumerate(lines):
        rest = line[line.find(b'",') + 2 :] if line.startswith(b'{"sum":"') else line
        if b'"sha256":"' in rest and number == len(lines) - 1:
            rest = re.sub(rb'"sha256":"[^"]*"', b'"sha256":"%s"' % whole.hexdigest().encode(), rest)
            rest = re.sub(rb'"head":"[^"]*"', b'"head":"%s"' % batch.hexdigest().encode(), rest)
            rest = re.sub(rb'"events":-?\d+', b'"events":%d' % position, rest)
        elif (start := rest.find(b'"event":')) >= 0:
            kind = re.search(rb'"event":\{"type":"(\w+)"', rest)
            if kind and kind[1].decode() in HEAD_KINDS and position:
                rest = re.sub(rb'"prev":"[^"]*"', b'"prev":"%s"' % batch.hexdigest().encode(), rest, count=1)
                batch = hashlib.sha256()
            rest = re.sub(rb'\A"at":-?\d+', b'"at":%d' % position, rest)
            start = rest.find(b'"event":')
            event = rest[start + 8 :].partition(b',"beside":[')[0]
            batch.update((event if b',"beside":[' in rest else event[:-1]) + b"\n")
            position += 1
        elif number == 1 and made:
            digest = hashlib.sha256(rest.removeprefix(b'"content":')[:-1]).hexdigest().encode()
            first = re.sub(rb'"content":"[^"]*"', b'"content":"%s"' % digest, made[0][26:-1])
            made[0] = b'{"sum":"' + checksum(first).encode() + b'",' + first + b"\n"
            whole = hashlib.sha256(made[0])
        made.append(b'{"sum":"' + checksum(rest).encode() + b'",' + rest + b"\n")
        whole.update(made[-1])
    return b"".join(made)


# ---------------------------------------------------------------------- how hostile bytes are made

TOKENS = [
    b"null", b"true", b"-1", b"0", b"1", b"1e400", b"NaN", b"-Infinity", b"9223372036854775807", b"9223372036854775808",
    b"9" * 400, b"1.5", b"[]", b"{}", b"[" * 100 + b"]" * 100, b'""', b'"\\u0000"', b'"\\ud800"', b"\xff", b"\xef\xbb\xbf",
    b"\r\n", b"\0", b'"sealed"', b'{"sealed":""}', b'"__proto__"', b"../", b"@", b" = ", b"# ", b"Rewound", b"GameOpened",
    b'"to":-1', b'"type":"', b"2147483648", "é😀\u202e".encode(), b"a" * 300,
]  # fmt: skip
VALUES: list[Any] = [
    None, True, False, -1, 0, 1, 2, 7, 255, 2**31, 2**62, 2**63 - 1, -(2**63), 0.5, "", "x", "p1", "p2", "raider", "..", "\0",
    "a" * 300, [], {}, [0], [[]], {"type": "Turn"}, {"type": "x"}, {"sealed": ""}, {"sealed": "0" * 64}, {"": ""},
]  # fmt: skip


def mutated(data: bytes, luck: random.Random, others: list[bytes], target: str = "") -> bytes:
    """Some bytes, changed here and there: at random, by words that mean something, or value by value where it is JSON."""
    ways = DEEP if target in ("forged", "event") and luck.random() < 0.8 else WAYS
    for _ in range(luck.choice([1, 1, 1, 2, 3, 6])):
        data = luck.choice(ways)(data, luck, others)
    return data


def _flip(data: bytes, luck: random.Random, others: list[bytes]) -> bytes:
    if not data:
        return b"x"
    at = luck.randrange(len(data))
    return data[:at] + bytes([luck.randrange(256)]) + data[at + 1 :]


def _cut(data: bytes, luck: random.Random, others: list[bytes]) -> bytes:
    a, b = sorted((luck.randint(0, len(data)), luck.randint(0, len(data))))
    return data[:a] + data[min(b, a + 200) :] if luck.random() < 0.8 else data[:a]


def _token(data: bytes, luck: random.Random, others: list[bytes]) -> bytes:
    at = luck.randint(0, len(data))
    return data[:at] + luck.choice(TOKENS) + data[at + luck.choice([0, 1, 4]) :]


def _splice(data: bytes, luck: random.Random, others: list[bytes]) -> bytes:
    other = luck.choice(others) if others else data
    a, b = luck.randint(0, len(data)), luck.randint(0, len(other))
    return data[:a] + other[b : b + luck.choice([10, 100, 1000])] + data[a:]


def _lines(data: bytes, luck: random.Random, others: list[bytes]) -> bytes:
    lines = data.split(b"\n")
    a, b = luck.randrange(len(lines)), luck.randrange(len(lines))
    match luck.randrange(4):
        case 0:
            del lines[a]
        case 1:
            lines.insert(b, lines[a])
        case 2:
            lines[a], lines[b] = lines[b], lines[a]
        case _:
            other = (luck.choice(others) if others else data).split(b"\n")
            lines.insert(a, luck.choice(other))
    return b"\n".join(lines)


def _values(data: bytes, luck: random.Random, others: list[bytes]) -> bytes:
    """Changes one value of a line of JSON: the forms stay those of warptape, so that what reads them is reached."""
    lines = data.split(b"\n")
    at = luck.randrange(len(lines))
    try:
        plain = msgspec.json.decode(lines[at])
        places = list(_places(plain))
        holder, key = luck.choice(places)
        match luck.randrange(5):
            case 0 if isinstance(holder, dict):
                del holder[key]
            case 1:
                holder[key] = luck.choice(VALUES)
            case 2 if isinstance(holder[key], int):
                holder[key] += luck.choice([-1, 1, 2, 100])
            case 3 if isinstance(holder[key], list):
                holder[key] = [*holder[key], *holder[key]] or [0]
            case _:
                other, name = luck.choice(places)
                holder[key] = other[name]
        lines[at] = msgspec.json.encode(plain)
    except (msgspec.MsgspecError, ValueError, RecursionError, IndexError, TypeError):
        return _token(data, luck, others)
    return b"\n".join(lines)


def _places(value: Any) -> Any:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in list(items):
        yield value, key
        yield from _places(item)


WAYS = [_flip, _cut, _token, _splice, _lines, _values]
DEEP = [_values, _values, _values, _lines]
"""Ways that leave the form of a line alone, and so come further than to the decoder."""


# ---------------------------------------------------------------------- the corpus


def corpus(target: str) -> dict[str, bytes]:
    """What is kept for a target: by the name of its file."""
    folder = CORPUS / target
    return (
        {file.name: file.read_bytes() for file in sorted(folder.iterdir()) if file.is_file()} if folder.is_dir() else {}
    )


def seeds(target: str) -> list[bytes]:
    """What mutations of a target begin with; for all that is of log files, the same logs."""
    found = list(corpus(target).values())
    if target in ("file", "packed"):
        found += corpus("forged").values()
    if target == "packed":
        found = [data if data.startswith(b"\x1f\x8b") else gzip.compress(data, mtime=0) for data in found]
    return found


def hunt(target: str, seconds: float, seed: int, keep: bool = True) -> tuple[int, list[str]]:
    """Mutate the corpus for some seconds; returns how many inputs were tried, and the names of those kept that failed."""
    begun, luck, tried, failed = seeds(target), random.Random(seed), 0, []
    end = time.monotonic() + seconds
    seen: set[str] = set()
    while time.monotonic() < end:
        data = mutated(luck.choice(begun), luck, begun, target)
        tried += 1
        try:
            TARGETS[target](data)
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                break
            import traceback

            frame = traceback.extract_tb(error.__traceback__)[-1]
            where = f"{type(error).__name__} {Path(frame.filename).name}:{frame.lineno}"
            if where in seen:
                continue
            seen.add(where)
            name = hashlib.sha256(data).hexdigest()[:12]
            if keep:
                (CORPUS / target).mkdir(parents=True, exist_ok=True)
                (CORPUS / target / name).write_bytes(data)
            failed.append(f"{name}: {where}: {str(error)[:200]}")
    return tried, failed


if __name__ == "__main__":
    install()
    os.environ.setdefault("WARPTAPE_REPORTS", "off")
    count, found = hunt(sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 60.0, time.time_ns())
    print(f"{sys.argv[1]}: {count} inputs, {len(found)} failures", *found, sep="\n  ")
    sys.exit(bool(found))
