"""The event store: one suite on an SQLite file, in memory and on PostgreSQL."""

from __future__ import annotations

import itertools
import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading
import time
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import pytest

from warptape.domain.errors import AmbiguousGame, Conflict, NameTaken, NotAllowed, StoreError, UnknownGame
from warptape.replays.reader import CHUNK
from warptape.replays.shelf import check_name, unknown
from warptape.replays.store import DELETED, Row, Shelf, Store, open_store

CONTENT = b"board = 'maze'"


@pytest.fixture
def store(store_url: str) -> Iterator[Store]:
    with open_store(store_url) as store:
        yield store


def rows(start: int, count: int, kind: str = "DiceRolled") -> list[Row]:
    return [
        Row(position, kind, b'{"position":%d}\n{"salt":"\xc3\xa9"}' % position)
        for position in range(start, start + count)
    ]


_minutes = itertools.count()


def now() -> str:
    """A time later than all before it."""
    hours, minutes = divmod(next(_minutes), 60)
    return f"2024-05-01T{hours:02}:{minutes:02}:00Z"


def new(store: Store, game: str = "g1", *, name: str = "", events: int = 3, **more: object) -> Shelf:
    shelf = Shelf(
        id=game,
        name=name or f"game {game}",
        ruleset="pig",
        ruleset_version="1",
        content="c0ffee",
        created=now(),
        changed=now(),
        length=0,
        head="00",
        **more,  # type: ignore[arg-type]
    )
    shelf.length = shelf.first + events
    store.create(shelf, rows(shelf.first, events), CONTENT)
    return shelf


def append(store: Store, game: str, expected: int, batch: Sequence[Row] | int = 4, **more: object) -> None:
    batch = rows(expected, batch) if isinstance(batch, int) else batch
    store.append(game, expected, batch, head=f"{expected:02x}", changed=now(), **more)  # type: ignore[arg-type]


# ---------------------------------------------------------------------- recording and reading


def test_what_is_put_in_comes_out(store: Store) -> None:
    shelf = new(
        store,
        seats={"eldar": "bot:sensible", "tyranid": "Zoë"},
        secrets={"0": ["nonce", "seed"]},
        extra={"note": "täglich"},
    )
    assert store.shelf("g1") == shelf
    assert list(store.rows("g1")) == rows(0, 3)
    assert store.content("c0ffee") == CONTENT

    append(store, "g1", 3, outcome="won", key_public=True, secrets={"5": ["other", "salt"]}, keys={"k": 3})
    after = store.shelf("g1")
    assert (after.length, after.head, after.outcome, after.key_public) == (7, "03", "won", True)
    assert after.secrets == {"0": ["nonce", "seed"], "5": ["other", "salt"]}
    assert (after.seats, after.extra, after.created) == (shelf.seats, shelf.extra, shelf.created)
    append(store, "g1", 7)
    assert store.shelf("g1").outcome == "won", "None leaves the outcome"
    assert list(store.rows("g1")) == rows(0, 11)


def test_a_store_is_read_again_by_the_next_process(lasting_store_url: str) -> None:
    with open_store(lasting_store_url) as store:
        new(store)
        append(store, "g1", 3, keys={"k": 3})
    with open_store(lasting_store_url) as store:
        assert list(store.rows("g1")) == rows(0, 7)
        assert store.find_key("g1", "k") == 3
        append(store, "g1", 7)


def test_a_range_of_rows(store: Store) -> None:
    new(store, events=10)
    assert list(store.rows("g1", 4)) == rows(4, 6)
    assert list(store.rows("g1", 4, 7)) == rows(4, 3)
    assert list(store.rows("g1", 8, 99)) == rows(8, 2)
    assert list(store.rows("g1", 7, 4)) == list(store.rows("g1", 10)) == list(store.rows("nobody")) == []


def test_rows_stream_across_chunks_while_others_write(store: Store) -> None:
    new(store, events=2 * CHUNK + 5)
    reading = store.rows("g1")
    first = next(reading)
    append(store, "g1", 2 * CHUNK + 5)  # the reader holds nothing that would keep a writer waiting
    assert [first, *reading] == rows(0, 2 * CHUNK + 9)
    assert list(store.rows("g1", 3, CHUNK + 3)) == rows(3, CHUNK)


def test_reading_needs_the_same_memory_whatever_the_length(tmp_path: Path) -> None:
    with open_store(tmp_path / "games.db") as store:
        new(store, events=0)
        for start in range(0, 20_000, 5_000):
            append(store, "g1", start, [Row(start + n, "x", b"x" * 1_000) for n in range(5_000)])
        tracemalloc.start()
        assert sum(len(row.data) for row in store.rows("g1")) == 20_000_000
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
        tracemalloc.stop()


def test_rows_of_some_kinds(store: Store) -> None:
    batch = [Row(n, kind, b"{}") for n, kind in enumerate(["GameOpened", "DiceRolled", "ActionTaken", "DiceRolled"])]
    new(store, events=0)
    append(store, "g1", 0, batch)
    new(store, "g2", events=5)
    assert store.kinds("g1", ["ActionTaken", "GameOpened"]) == [batch[0], batch[2]]
    assert store.kinds("g1", {"DiceRolled"}, 2) == [batch[3]]
    assert store.kinds("g1", {"DiceRolled"}, 0, 3) == [batch[1]]
    assert store.kinds("g1", ["Rewound"]) == store.kinds("g1", []) == []


def test_content_is_kept_once_a_digest(store: Store) -> None:
    new(store)
    shelf = Shelf("g2", "other", "pig", "1", "c0ffee", now(), now(), 3, "00")
    store.create(shelf, rows(0, 3), None)
    assert store.content("c0ffee") == CONTENT
    with pytest.raises(StoreError, match="no content with the digest"):
        store.content("f00d")
    stray = Shelf("g3", "stray", "pig", "1", "f00d", now(), now(), 3, "00")
    with pytest.raises(StoreError, match="no content with the digest f00d"):
        store.create(stray, rows(0, 3), None)
    with pytest.raises(UnknownGame):
        store.shelf("g3")
    assert list(store.rows("g3")) == []


# ---------------------------------------------------------------------- refusals that leave nothing behind


def test_a_stale_writer_is_told(store: Store) -> None:
    new(store)
    append(store, "g1", 3)
    before = store.shelf("g1")
    for expected in (3, 4, 11):
        with pytest.raises(Conflict, match="has 7 events now") as caught:
            append(store, "g1", expected, keys={"late": expected})
        assert (caught.value.expected, caught.value.actual) == (expected, 7)
    assert store.shelf("g1") == before
    assert list(store.rows("g1")) == rows(0, 7)
    assert store.find_key("g1", "late") is None


@pytest.mark.parametrize("positions", [[4], [3, 5], [3, 4, 4], [4, 3], [2, 3], []])
def test_a_gap_is_refused(store: Store, positions: list[int]) -> None:
    new(store)
    with pytest.raises(StoreError):
        append(store, "g1", 3, [Row(position, "x", b"") for position in positions])
    assert list(store.rows("g1")) == rows(0, 3)


@pytest.mark.parametrize("fault", ["last event lost", "event too many"])
def test_a_log_that_does_not_fit_its_shelf_takes_no_more(store: Store, fault: str) -> None:
    new(store)
    with store.transaction(write=True) as cursor:
        if fault == "last event lost":
            cursor.execute("DELETE FROM stored_events WHERE originator_id = ? AND originator_version = ?", ("g1", 2))
        else:
            store._insert(cursor, "g1", rows(4, 1))
    there = list(store.rows("g1"))
    with pytest.raises(StoreError, match="damaged") as caught:
        append(store, "g1", 3, keys={"k": 3})
    assert not isinstance(caught.value, Conflict)
    assert list(store.rows("g1")) == there
    assert store.shelf("g1").length == 3
    assert store.find_key("g1", "k") is None


def test_an_idempotency_key_is_used_once(store: Store) -> None:
    new(store)
    new(store, "g2")
    append(store, "g1", 3, keys={"try-1": 3, "try-2": 5})
    assert (store.find_key("g1", "try-1"), store.find_key("g1", "try-2")) == (3, 5)
    assert store.find_key("g2", "try-1") is store.find_key("g1", "try") is store.find_key("g1", "a\0") is None
    with pytest.raises(Conflict, match="'try-2' was used before, at event @5"):
        append(store, "g1", 7, keys={"new": 7, "try-2": 8})
    assert list(store.rows("g1")) == rows(0, 7)
    assert store.find_key("g1", "new") is None
    append(store, "g2", 3, keys={"try-1": 3})  # another game, another key
    for key, position in [("a\0b", 7), ("\udcff", 7), ("early", 2), ("late", 11)]:
        with pytest.raises(StoreError, match="idempotency key"):
            append(store, "g1", 7, keys={key: position})


def test_an_unknown_game_takes_nothing(store: Store) -> None:
    with pytest.raises(UnknownGame):
        append(store, "nobody", 0)
    assert list(store.rows("nobody")) == []


def test_an_append_is_one_guard_and_the_inserts(tmp_path: Path) -> None:
    with open_store(tmp_path / "games.db") as store:
        new(store)
        seen: list[str] = []
        with store.datastore.get_connection(commit=True) as connection:  # type: ignore[attr-defined]
            connection._sqlite_conn.set_trace_callback(seen.append)
        append(store, "g1", 3, 2, keys={"k": 3})
    assert [statement.split()[0] for statement in seen] == ["BEGIN", "UPDATE", *["INSERT"] * 3, "COMMIT"]


# ---------------------------------------------------------------------- several writers


def test_of_two_threads_one_wins_each_time(store: Store) -> None:
    new(store, events=0)
    rounds = 25
    barrier = threading.Barrier(2)
    results: list[list[str]] = [[], []]

    def write(me: int) -> None:
        for turn in range(rounds):
            barrier.wait()
            try:
                append(store, "g1", 2 * turn, [Row(2 * turn + n, f"by {me}", b"") for n in range(2)])
                results[me].append("won")
            except Conflict as conflict:
                results[me].append(f"lost {conflict.expected} {conflict.actual}")

    threads = [threading.Thread(target=write, args=(me,)) for me in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expected = [[f"lost {2 * turn} {2 * turn + 2}", "won"] for turn in range(rounds)]
    assert [sorted(pair) for pair in zip(*results, strict=True)] == expected
    kinds = [row.kind for row in store.rows("g1")]
    winners = [0 if results[0][turn] == "won" else 1 for turn in range(rounds)]
    assert kinds == [f"by {winner}" for winner in winners for _ in range(2)]


def test_threads_in_different_games_do_not_disturb_each_other(store: Store) -> None:
    failures: list[BaseException] = []

    def play(game: str) -> None:
        try:
            new(store, game, events=1)
            for turn in range(10):
                append(store, game, 1 + 4 * turn)
                assert list(store.rows(game)) == rows(0, 5 + 4 * turn)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=play, args=(f"t{number}",)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert len(store.shelves()) == 4


PROLOGUE = """
import sys
from warptape.domain.errors import Conflict
from warptape.replays.store import Row, Shelf, open_store
url, me = sys.argv[1:]
def say(word): print(word, flush=True)
def batch(start, count): return [Row(n, "by " + me, b"%d" % n) for n in range(start, start + count)]
"""
RACER = """
store = open_store(url)
say("ready")
for line in sys.stdin:
    start = int(line)
    try:
        store.append("g1", start, batch(start, 3), head=me, changed="2024-06-01")
        say("won")
    except Conflict as conflict:
        say(f"lost {conflict.expected} {conflict.actual}")
"""
LOOPER = """
store = open_store(url)
start = store.shelf("g1").length
while True:
    store.append("g1", start, batch(start, 5), head=f"{start:x}", changed="2024-06-01", keys={f"k{start}": start})
    say(start)
    start += 5
"""
STARTER = """
say("ready")
sys.stdin.readline()
with open_store(url) as store:
    store.create(Shelf(me, "game " + me, "pig", "1", "c", "2024", "2024", 2, "00"), batch(0, 2), b"content")
    say("done")
"""


def process(script: str, url: str, me: str) -> subprocess.Popen[str]:
    arguments = [sys.executable, "-c", PROLOGUE + script, url, me]
    return subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def tell(racer: subprocess.Popen[str], line: object) -> None:
    assert racer.stdin is not None
    racer.stdin.write(f"{line}\n")
    racer.stdin.flush()


def hear(racer: subprocess.Popen[str]) -> str:
    assert racer.stdout is not None
    return racer.stdout.readline().strip()


def finish(racer: subprocess.Popen[str]) -> None:
    racer.communicate(timeout=20)
    assert racer.returncode == 0


def test_of_two_processes_one_wins_each_time(lasting_store_url: str) -> None:
    with open_store(lasting_store_url) as store:
        new(store, events=0)
        racers = [process(RACER, lasting_store_url, str(me)) for me in range(2)]
        assert [hear(racer) for racer in racers] == ["ready"] * 2
        winners = []
        for start in range(0, 60, 3):
            for racer in racers:
                tell(racer, start)
            answers = [hear(racer) for racer in racers]
            assert sorted(answers) == [f"lost {start} {start + 3}", "won"]
            winners.append(answers.index("won"))
        for racer in racers:
            finish(racer)
        assert [row.kind for row in store.rows("g1")] == [f"by {winner}" for winner in winners for _ in range(3)]


def test_a_killed_process_leaves_whole_batches_and_all_it_acknowledged(lasting_store_url: str) -> None:
    chance = random.Random(40)
    with open_store(lasting_store_url) as store:
        new(store, events=0)
        for _ in range(4):
            looper = process(LOOPER, lasting_store_url, "looper")
            acknowledged = [int(hear(looper)) for _ in range(chance.randrange(1, 40))]
            time.sleep(chance.random() * 0.01)
            looper.send_signal(signal.SIGKILL)
            output, _ = looper.communicate(timeout=20)
            acknowledged += [int(line) for line in output.splitlines()]
            if lasting_store_url.startswith("postgresql"):
                settle(store)
            length = store.shelf("g1").length
            assert length >= acknowledged[-1] + 5
            assert length % 5 == 0
            assert [row.position for row in store.rows("g1")] == list(range(length))
            assert [store.find_key("g1", f"k{start}") for start in range(0, length, 5)] == list(range(0, length, 5))
            assert store.shelf("g1").head == f"{length - 5:x}"


def settle(store: Store) -> None:
    """Wait until the server has ended the killed process's session: until then its last batch may still commit."""
    for _ in range(100):
        with store.transaction(write=False) as cursor:
            cursor.execute(
                "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database()"
                " AND pid <> pg_backend_pid() AND state <> 'idle'"
            )
            if cursor.fetchall() == [(0,)]:
                return
        time.sleep(0.02)
    raise AssertionError("the killed process's session goes on")


def test_concurrent_starts_on_an_empty_store(lasting_store_url: str) -> None:
    starters = [process(STARTER, lasting_store_url, f"s{number}") for number in range(4)]
    assert [hear(starter) for starter in starters] == ["ready"] * 4
    for starter in starters:
        tell(starter, "go")
    assert [hear(starter) for starter in starters] == ["done"] * 4
    for starter in starters:
        finish(starter)
    with open_store(lasting_store_url) as store:
        assert sorted(shelf.id for shelf in store.shelves()) == ["s0", "s1", "s2", "s3"]
        assert store.content("c") == b"content"


def test_a_fork_and_the_deletion_of_its_parent_do_not_both_happen(store: Store) -> None:
    results: dict[str, object] = {}

    def attempt(name: str, action: Callable[[], object]) -> None:
        barrier.wait()
        try:
            action()
            results[name] = "done"
        except (NotAllowed, UnknownGame) as error:
            results[name] = type(error)

    for turn in range(12):
        parent, child, fork = f"p{turn}", f"c{turn}", f"f{turn}"
        new(store, parent)
        new(store, child, lineage=[(parent, 1)])
        barrier = threading.Barrier(2)
        lineage = [(parent, 1)] if turn % 2 else [(parent, 1), (child, 3)]
        threads = [
            threading.Thread(target=attempt, args=("fork", partial(new, store, fork, lineage=lineage))),
            threading.Thread(target=attempt, args=("delete", partial(store.delete, parent, with_forks=True))),
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        there = {shelf.id for shelf in store.shelves()} & {parent, child, fork}
        if results["fork"] == "done" and results["delete"] == "done":
            assert there == set(), "the fork came first and went with its parent"
        elif results["fork"] == "done":
            assert (results["delete"], there) == (NotAllowed, {parent, child, fork})
        else:
            assert (results["fork"], results["delete"], there) == (UnknownGame, "done", set())
        assert all((list(store.rows(game)) != []) == (game in there) for game in (parent, child, fork))


def test_a_store_held_by_another_program_is_busy_not_broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("warptape.replays.sqlite.PATIENCE", 0.2)
    with open_store(tmp_path / "games.db") as store:
        new(store)
        other = sqlite3.connect(tmp_path / "games.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="in use by another program; try again") as caught:
            append(store, "g1", 3)
        assert not isinstance(caught.value, Conflict)
        assert store.put_snapshot("g1", 2, "s", b"state") is False, "a snapshot that cannot be kept is no error"
        other.execute("ROLLBACK")
        append(store, "g1", 3)


# ---------------------------------------------------------------------- the shelf


def test_games_are_found_by_id_prefix_name_and_last(store: Store) -> None:
    for game, name in [("3f12ab", "Hive"), ("3f99cd", "Ghost"), ("a1", "3f12"), ("b_2", "100%")]:
        new(store, game, name=name)
    assert store.find("3f99cd").name == "Ghost"
    assert store.find("3f9").id == "3f99cd"
    assert store.find("Ghost").id == "3f99cd"
    assert store.find("3f12").id == "a1", "a name before the beginning of an id"
    assert store.find("b_").id == "b_2"
    assert store.find("last").id == "b_2"
    append(store, "3f12ab", 3)
    assert store.find("last").id == "3f12ab"
    with pytest.raises(AmbiguousGame, match=r"3f12ab \(Hive\) or 3f99cd \(Ghost\)"):
        store.find("3f")
    with pytest.raises(UnknownGame, match="Did you mean 'Ghost'"):
        store.find("Goast")
    for text in ("", "%", "_", "hive!", "a\0", "\udcff", "b_2x"):
        with pytest.raises(UnknownGame):
            store.find(text)


def test_an_empty_store_has_no_last_game(store: Store) -> None:
    for text in ("last", "anything"):
        with pytest.raises(UnknownGame, match="no games in this store yet"):
            store.find(text)


def test_many_games_with_one_beginning_are_not_all_listed(store: Store) -> None:
    for number in range(9):
        new(store, f"x{number}")
    with pytest.raises(AmbiguousGame, match="or more: type more"):
        store.find("x")


def test_the_games_changed_last_stand_first(store: Store) -> None:
    for game in ("g1", "g2", "g3"):
        new(store, game)
    append(store, "g2", 3)
    assert [shelf.id for shelf in store.shelves()] == ["g2", "g3", "g1"]
    assert [shelf.id for shelf in store.shelves(limit=2)] == ["g2", "g3"]
    assert [shelf.id for shelf in store.shelves(limit=2, offset=2)] == ["g1"]
    assert [shelf.id for shelf in store.shelves(ruleset="pig", limit=1)] == ["g2"]
    assert store.shelves(ruleset="chess") == []


def test_names_and_ids_are_unique(store: Store) -> None:
    new(store, "g1", name="Hive")
    new(store, "g2", name="Ghost")
    for game, name in [("g1", "new"), ("g3", "Hive"), ("g3", "g1"), ("Hive", "new")]:
        with pytest.raises(NameTaken):
            new(store, game, name=name)
    for name in ("Ghost", "g2"):
        with pytest.raises(NameTaken):
            store.rename("g1", name)
    with pytest.raises(UnknownGame):
        store.rename("g3", "new")
    store.rename("g1", "Hive")
    store.rename("g1", "Hive fleet")
    assert [(shelf.id, shelf.name) for shelf in store.shelves()] == [("g2", "Ghost"), ("g1", "Hive fleet")]


@pytest.mark.parametrize(
    "name", ["", "  ", "x" * 81, "me@home", "two\nlines", "bell\a", "-v", "last", "LAST", " edge", "\udcff", "a\u2028b"]
)
def test_names_that_are_not_allowed(store_url: str, name: str) -> None:
    with open_store(store_url) as store:
        with pytest.raises(StoreError, match="cannot be the name of a game"):
            store.create(Shelf("g1", name or "", "pig", "1", "", now(), now(), 1, "0"), rows(0, 1), None)
        assert store.shelves() == []


@pytest.mark.parametrize("name", ["x" * 80, "Ätna 3", "100%", "семь", "it's", 'a "b"', "last one", "a-b", "👩‍🚀"])
def test_names_that_are_allowed(name: str) -> None:
    check_name(name)


@pytest.mark.parametrize("game", ["", "last", "-x", "a b", "deleted:x", "x" * 65, "é", "a\n"])
def test_ids_that_are_not_allowed(game: str) -> None:
    with open_store(":memory:") as store, pytest.raises(StoreError, match="cannot be the id"):
        new(store, game, name="fine")


def test_nearest_names() -> None:
    assert "Did you mean 'hive' or 'dive'?" in unknown("hiev", ["hive", "dive", "zzzz"])
    assert "Did you mean" not in unknown("qqq", ["hive"])


# ---------------------------------------------------------------------- forks, deletion, snapshots


def family(store: Store) -> None:
    """g1 <- fork (at 5) <- fork of the fork (at 7); g1 <- other (at 2)."""
    new(store, "g1", events=10)
    new(store, "fork", events=3, lineage=[("g1", 5)])
    new(store, "deep", events=0, lineage=[("g1", 5), ("fork", 7)])
    new(store, "other", events=1, lineage=[("g1", 2)])


def test_a_fork_has_rows_of_its_own_from_the_fork_point_on(store: Store) -> None:
    family(store)
    assert store.shelf("fork").lineage == [("g1", 5)]
    assert (store.shelf("fork").first, store.shelf("fork").length, store.shelf("fork").parent) == (6, 9, "g1")
    assert list(store.rows("fork")) == list(store.rows("fork", 0, 9)) == rows(6, 3)
    assert list(store.rows("fork", 2, 8)) == rows(6, 2)
    append(store, "deep", 8)  # the first rows of a fork made without any
    assert list(store.rows("deep")) == rows(8, 4)
    assert store.children("g1") == ["fork", "other"]
    assert store.children("fork") == ["deep"]
    assert store.children("deep") == []


@pytest.mark.parametrize("lineage", [[("g1", 10)], [("nobody", 0)], [("g1", 5), ("fork", 5)], [("g1", 5), ("fork", 9)]])
def test_a_fork_needs_an_event_of_its_parent(store: Store, lineage: list[tuple[str, int]]) -> None:
    family(store)
    with pytest.raises((StoreError, UnknownGame), match=r"no event|not in this store|No game"):
        new(store, "bad", events=1, lineage=lineage)
    assert "bad" not in {shelf.id for shelf in store.shelves()}


def test_a_parent_is_not_deleted_without_its_forks(store: Store) -> None:
    family(store)
    with pytest.raises(NotAllowed, match="fork, other and deep"):
        store.delete("g1")
    with pytest.raises(NotAllowed, match="deep"):
        store.delete("fork")
    assert len(store.shelves()) == 4
    assert list(store.rows("g1")) == rows(0, 10)
    assert store.delete("other") == ["other"]
    assert store.delete("fork", with_forks=True) == ["fork", "deep"]
    assert store.delete("g1") == ["g1"]
    assert store.shelves() == []
    with pytest.raises(UnknownGame):
        store.delete("g1")


def test_a_deleted_game_leaves_nothing_of_itself(store: Store) -> None:
    new(store, "g1")
    append(store, "g1", 3, keys={"k": 3})
    assert store.put_snapshot("g1", 6, "s", b"state")
    new(store, "g2")
    store.delete("g1")
    assert list(store.rows("g1")) == []
    assert store.find_key("g1", "k") is None
    assert store.snapshot("g1", 9, "s") is None
    assert list(store.rows("g2")) == rows(0, 3)
    new(store, "g1", events=2)  # the id is free again
    assert list(store.rows("g1")) == rows(0, 2)
    store.delete("g1")
    assert [shelf.id for shelf in store.shelves()] == ["g2"]


def test_the_notification_log_never_gives_a_number_twice(store: Store) -> None:
    new(store, "g1")
    new(store, "g2")
    follows = store.recorder.max_notification_id()
    assert follows is not None
    store.delete("g2")  # the newest rows, whose numbers SQLite alone would give again
    new(store, "g3", events=2)
    news = store.recorder.select_notifications(follows, 10, inclusive_of_start=False)
    assert [(n.originator_id, n.topic) for n in news] == [
        ("deleted:g2", DELETED),
        ("g3", "DiceRolled"),
        ("g3", "DiceRolled"),
    ]
    assert all(n.id > follows for n in news)


def test_snapshots_are_a_cache(store: Store) -> None:
    new(store, events=10)
    new(store, "g2", events=10)
    assert store.snapshot("g1", 9, "s1") is None
    for position in (2, 5, 8):
        assert store.put_snapshot("g1", position, "s1", b"at %d" % position)
    assert store.put_snapshot("g1", 6, "s2", b"another schema")
    assert store.put_snapshot("g2", 7, "s1", b"another game")
    assert store.snapshot("g1", 1, "s1") is None
    assert store.snapshot("g1", 7, "s1") == (5, b"at 5")
    assert store.snapshot("g1", 8, "s1") == (8, b"at 8")
    assert store.put_snapshot("g1", 8, "s1", b"again")
    assert store.snapshot("g1", 99, "s1") == (8, b"again")
    assert store.put_snapshot("nobody", 1, "s1", b"") is False
    store.drop_snapshots("g1")
    assert store.snapshot("g1", 99, "s1") is store.snapshot("g1", 99, "s2") is None
    assert store.snapshot("g2", 99, "s1") == (7, b"another game")
    store.drop_snapshots()
    assert store.snapshot("g2", 99, "s1") is None
    assert list(store.rows("g1")) == rows(0, 10)


# ---------------------------------------------------------------------- trouble


def test_a_closed_store_says_so(store: Store) -> None:
    new(store)
    store.close()
    store.close()
    with pytest.raises(StoreError, match="is closed"):
        store.shelves()
    with pytest.raises(StoreError, match="is closed"):
        append(store, "g1", 3)
    assert store.put_snapshot("g1", 1, "s", b"") is False


@pytest.mark.parametrize("person", ["\udcff", "a\ud800b"])
def test_text_that_is_no_unicode_is_refused(store: Store, person: str) -> None:
    for more in ({"seats": {"eldar": person}}, {"outcome": person}):
        with pytest.raises(StoreError, match="not valid Unicode"):
            new(store, **more)
    assert store.shelves() == []


def test_libraries_are_imported_only_for_the_store_that_needs_them() -> None:
    script = """
import sys
from warptape.replays.store import open_store
assert not {"eventsourcing", "sqlite3", "psycopg"} & set(sys.modules)
open_store(":memory:").close()
assert "psycopg" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", script], check=True)


def test_missing_folders_are_made(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "in side" / "ga?mes#1.db"
    with open_store(f"sqlite:///{path}") as store:
        new(store)
    assert path.exists()
    with open_store(path) as store:
        assert store.find("g1").length == 3


def test_a_full_disk_records_nothing(tmp_path: Path) -> None:
    with open_store(tmp_path / "games.db") as store:
        new(store)
        with store.datastore.get_connection(commit=True) as connection:  # type: ignore[attr-defined]
            pages = connection._sqlite_conn.execute("PRAGMA page_count").fetchone()[0]
            connection._sqlite_conn.execute(f"PRAGMA max_page_count = {pages + 2}")
        with pytest.raises(StoreError, match="full; nothing was recorded"):
            append(store, "g1", 3, [Row(3, "x", b"x" * 50_000)])
        assert store.put_snapshot("g1", 2, "s", b"x" * 50_000) is False
        assert store.shelf("g1").length == 3
        append(store, "g1", 3, 1)
        assert list(store.rows("g1")) == rows(0, 4)


def test_a_file_that_is_no_store_is_left_alone(tmp_path: Path) -> None:
    text, foreign, own, newer = (tmp_path / name for name in ("notes.txt", "foreign.db", "es.db", "newer.db"))
    text.write_text("Dear diary, this is no database at all. " * 50)
    with sqlite3.connect(foreign) as connection:
        connection.execute("CREATE TABLE songs (title TEXT)")
    with sqlite3.connect(own) as connection:
        connection.execute("CREATE TABLE stored_events (originator_id TEXT)")
    with open_store(newer) as store, store.transaction(write=True) as cursor:
        cursor.execute("UPDATE warptape_store SET version = 99")
    for path, reason in [
        (text, "is not a store"),
        (foreign, "another program"),
        (own, "another program"),
        (newer, "tables of version 99"),
        (tmp_path, "is a folder"),
        (text / "games.db", "cannot be opened"),
    ]:
        before = path.read_bytes() if path.is_file() else b""
        with pytest.raises(StoreError, match=reason) as caught:
            open_store(path)
        assert str(path) in str(caught.value)
        assert before == (path.read_bytes() if path.is_file() else b"")


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_permission(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(StoreError, match="cannot be opened"):
        open_store(tmp_path / "games.db")
    tmp_path.chmod(0o700)


@pytest.mark.parametrize("url", ["", "  ", "mysql://u:secret@host/db", "a\0b", "http://x"])
def test_nonsense_for_a_url(url: str) -> None:
    with pytest.raises(StoreError) as caught:
        open_store(url)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://me:secret@127.0.0.1:1/db",
        "postgres://me:secret@127.0.0.1:1/db?connect_timeout=2",
        "postgresql://127.0.0.1:1/db?user=me&password=secret",
        "postgresql://me:secret@127.0.0.1:port/db",
        "postgresql://me:secret@127.0.0.1:1/db?nonsense=1",
        "postgresql://me:sec%ret@127.0.0.1:1/db",
        "postgresql://[::1/db?password=secret",
    ],
)
def test_a_server_that_does_not_answer(url: str) -> None:
    pytest.importorskip("psycopg")
    with pytest.raises(StoreError, match=r"does not answer|is not the URL") as caught:
        open_store(url)
    assert "secret" not in str(caught.value)
    assert "sec%ret" not in str(caught.value)
    assert "***" in str(caught.value)


@pytest.mark.parametrize("password", ["se/cret", "se?cret", "se#cret", "se@cret", "/secret", "12@secret"])
def test_a_password_that_is_not_written_as_a_url_demands(password: str) -> None:
    pytest.importorskip("psycopg")
    for scheme in ("postgresql", "postgres"):
        with pytest.raises(StoreError, match="in a URL that is written %") as caught:
            open_store(f"{scheme}://me:{password}@127.0.0.1:1/db")
        assert "cret" not in str(caught.value)


@pytest.mark.parametrize("text", [b"x", b"a short note", b"SQLite format 3"])
def test_a_short_file_is_not_taken_for_an_empty_store(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "note.txt"
    path.write_bytes(text)
    with pytest.raises(StoreError, match="is not a store"):
        open_store(path)
    assert path.read_bytes() == text
    assert [found.name for found in tmp_path.iterdir()] == ["note.txt"]


def test_a_database_or_schema_that_is_not_ours(postgres_database: str) -> None:
    import psycopg

    base, _, _ = postgres_database.partition("?")
    with pytest.raises(StoreError, match="does not exist"):
        open_store(base + "_nowhere")
    with psycopg.connect(base, autocommit=True) as connection:
        connection.execute("CREATE SCHEMA theirs")
        connection.execute("CREATE TABLE theirs.stored_events (originator_id uuid)")
    with pytest.raises(StoreError, match="another program"):
        open_store(f"{base}?schema=theirs")
    for schema in ("odd%20name", "Public", 'a"b', "1st"):
        with pytest.raises(StoreError, match="cannot be the schema"):
            open_store(f"{base}?schema={schema}")


# ---------------------------------------------------------------------- what others did


def test_what_happened_in_any_game_can_be_followed(store: Store) -> None:
    assert store.latest() == 0
    assert store.changed_since(0, 10) == []
    new(store, "g1")
    new(store, "g2", events=2)
    append(store, "g1", 3, 2)
    seen = store.changed_since(0, 100)
    assert [(game, position) for _, game, position in seen] == [
        *[("g1", n) for n in range(3)], ("g2", 0), ("g2", 1), ("g1", 3), ("g1", 4),
    ]  # fmt: skip
    numbers = [number for number, _, _ in seen]
    assert numbers == sorted(set(numbers))
    assert store.latest() == numbers[-1]
    assert store.changed_since(0, 3) == seen[:3]
    assert store.changed_since(numbers[2], 100) == seen[3:]
    assert store.changed_since(store.latest(), 100) == []
    store.delete("g2")
    ((number, game, position),) = store.changed_since(numbers[-1], 100)
    assert (number > numbers[-1], game, position) == (True, "deleted:g2", 0)
    assert {game for _, game, _ in store.changed_since(0, 100)} == {"g1", "deleted:g2"}


def test_a_deleted_game_takes_its_tokens_with_it(store: Store) -> None:
    for game in ("g1", "g2"):
        new(store, game)
    with store.transaction(write=True) as cursor:
        for digest, game in (("1", "g1"), ("2", "g1"), ("3", "g2"), ("4", "")):
            cursor.execute(
                "INSERT INTO warptape_tokens VALUES (?, ?, 'seat', '', '', 0, '2024', '', '')", (digest, game)
            )
    store.delete("g1")
    with store.transaction(write=False) as cursor:
        cursor.execute("SELECT digest FROM warptape_tokens ORDER BY digest")
        assert cursor.fetchall() == [("3",), ("4",)]


def test_a_server_tells_other_processes_of_every_change(postgres_database: str) -> None:
    import psycopg

    base = postgres_database.partition("?")[0]
    with psycopg.connect(base, autocommit=True) as listener, open_store(f"{base}?schema=told") as store:
        listener.execute("LISTEN stored_events")

        def told() -> int:
            return len(list(listener.notifies(timeout=0.3, stop_after=1)))

        assert told() == 0
        for change in (
            partial(new, store, "g1"),
            partial(append, store, "g1", 3),
            partial(new, store, "fork", events=0, lineage=[("g1", 5)]),
            partial(store.rename, "fork", "spoon"),
            partial(store.delete, "fork"),
        ):
            change()
            assert told() == 1
        with pytest.raises(Conflict):
            append(store, "g1", 3)
        assert told() == 0
