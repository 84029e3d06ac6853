"""An archive follows its sources: whatever happens to the games, and whenever it is interrupted, it ends as a fresh one."""

from __future__ import annotations

import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from archives import Sources, column, dump, fresh, same, sound

import warptape
from warptape.domain.errors import WarptapeError
from warptape.projections.archive import Archive, FileSource, FolderSource, Followed, StoreSource

BOTS = {"pig": "random", "nested": "random", "hidden": "random"}


def followed(path: Path, *sources: Any, jobs: int = 1) -> Followed:
    with Archive(path) as archive:
        return archive.follow(*sources, jobs=jobs)


def some_games(store: warptape.Store, count: int, decisions: int = 12) -> list[warptape.Game]:
    """Games of all test rulesets, begun."""
    games = []
    for number in range(count):
        name = sorted(BOTS)[number % len(BOTS)]
        game = store.new(name, seed=f"{name} {number}", undo="free")
        game.run(dict.fromkeys(game.seats, BOTS[name]), decisions)
        games.append(game)
    return games


# What happens to games between two runs


class Life:
    """Random things that happen to the games of a store."""

    def __init__(self, store: warptape.Store, folder: Path, seed: int) -> None:
        self.store, self.folder, self.luck, self.number = store, folder, random.Random(seed), 0

    def game(self) -> warptape.Game:
        return self.store.game(self.luck.choice(self.store.games()).id)

    def happens(self) -> str:
        """Do one thing and say what; what the rules of a game do not allow is left."""
        self.number += 1
        what = self.luck.choice(
            ["new", "play", "play", "end", "undo", "redo", "rewind", "fork", "rename", "load", "delete"]
        )
        try:
            getattr(self, f"_{what}")()
        except WarptapeError as error:
            return f"no {what}: {error}"
        return what

    def _new(self) -> None:
        some_games(self.store, self.luck.randrange(1, 4), self.luck.randrange(20))

    def _play(self) -> None:
        game = self.game()
        game.run(dict.fromkeys(game.seats, "random"), self.luck.randrange(1, 9))

    def _end(self) -> None:
        game = self.game()
        game.run(dict.fromkeys(game.seats, "random"))

    def _undo(self) -> None:
        self.game().undo()

    def _redo(self) -> None:
        self.game().redo()

    def _rewind(self) -> None:
        game = self.game()
        game.rewind(self.luck.randrange(game.length))

    def _fork(self) -> None:
        game = self.game()
        fork = game.fork(self.luck.randrange(game.length))
        fork.run(dict.fromkeys(fork.seats, "random"), 5)

    def _rename(self) -> None:
        self.store.store.rename(self.game().id, f"called {self.number}")

    def _load(self) -> None:
        file = self.game().export(self.folder / f"{self.number}.tape.jsonl")
        self.store.load(file)

    def delete(self, some: list[str]) -> None:
        """Delete one of some games that is still there."""
        there = self.store.store.which(some)
        self.store.store.delete(min(there), with_forks=True)

    def _delete(self) -> None:
        self.store.store.delete(self.game().id, with_forks=True)
        if not self.store.games():
            self._new()


@pytest.mark.parametrize("seed", [*range(2), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 20))])
def test_whatever_happens_to_games_the_archive_is_as_a_fresh_one(
    seed: int, lasting_store_url: str, tmp_path: Path
) -> None:
    path = tmp_path / "followed.db"
    with warptape.open(lasting_store_url) as store:
        some_games(store, 6)

        def sources() -> list[Any]:
            return [StoreSource(store.store)]

        life = Life(store, tmp_path, seed)
        done = set()
        for _ in range(6):
            assert followed(path, *sources()).failed == []
            same(path, sources, tmp_path)
            done |= {life.happens().partition(":")[0] for _ in range(8)}
        assert followed(path, *sources()).failed == []
        same(path, sources, tmp_path)
        assert len(done) > 5, "too little happened"
        again = followed(path, *sources())
        assert (again.added, again.updated, again.removed, again.rows) == (0, 0, 0, 0)


def test_a_secret_game_becomes_whole_when_it_ends_and_its_fork_when_both_are_over(tmp_path: Path) -> None:
    path = tmp_path / "a.db"

    def whole() -> dict[str, int]:
        assert followed(path, StoreSource(store.store)).failed == []
        same(path, lambda: [StoreSource(store.store)], tmp_path)
        return {row[1]: row[column("games", "whole")] for row in dump(path)["games"]}

    with warptape.open(tmp_path / "s.db") as store:
        parent = store.new("hidden", seed="whole", undo="free", name="parent")
        bots = dict.fromkeys(parent.seats, "random")
        parent.run(bots, 12)
        assert whole() == {"parent": 0}
        hidden = {row[:2] for row in dump(path)["draws"] if row[column("draws", "item")] is None}
        assert hidden
        fork = parent.fork(name="fork")
        fork.run(bots)
        assert fork.outcome is not None
        assert whole() == {"parent": 0, "fork": 0}
        parent.run(bots)
        assert parent.outcome is not None
        assert whole() == {"parent": 1, "fork": 1}
        assert not any(row[column("draws", "item")] is None for row in dump(path)["draws"] if row[:2] in hidden)


def test_what_the_shelf_says_of_the_end_of_a_game_opens_no_secret(tmp_path: Path) -> None:
    """A store says which games are over, but the log decides."""
    with warptape.open(tmp_path / "s.db") as store:
        game = store.new("hidden", seed="shelf", undo="free")
        game.run(dict.fromkeys(game.seats, "random"), 15)
        followed(tmp_path / "a.db", StoreSource(store.store))
        honest = dump(tmp_path / "a.db")
        salts = re.findall(rb'"salt":"(\w{32})"', b"".join(row.data for row in store.store.rows(game.id)))
        assert salts
    with sqlite3.connect(tmp_path / "s.db") as raw:
        raw.execute("UPDATE warptape_games SET outcome = 'won'")
    raw.close()
    with warptape.open(tmp_path / "s.db") as store:
        followed(tmp_path / "b.db", StoreSource(store.store))
    lied = dump(tmp_path / "b.db")
    assert {name: lied[name] for name in lied if name != "tracking"} == {
        name: honest[name] for name in honest if name != "tracking"
    }
    for path in (tmp_path / "a.db", tmp_path / "b.db"):
        held = path.read_bytes()
        assert not [salt for salt in salts if salt in held]


# Several sources


@pytest.fixture
def shared(tmp_path: Path) -> tuple[warptape.Store, Sources, list[warptape.Game]]:
    """A store, its copy, and a folder of some games' logs: all games are in several of them."""
    with warptape.open(tmp_path / "one.db") as store:
        games = some_games(store, 6)
        (tmp_path / "logs").mkdir()
        for game in games[:4]:
            game.export(tmp_path / "logs" / f"{game.id}.tape.jsonl.gz")
    shutil.copy(tmp_path / "one.db", tmp_path / "two.db")
    first, second = warptape.open(tmp_path / "one.db"), warptape.open(tmp_path / "two.db")

    def sources() -> list[Any]:
        return [StoreSource(first.store), StoreSource(second.store), FolderSource(tmp_path / "logs")]

    return second, sources, games


def test_a_game_in_several_sources_is_there_once_from_whoever_has_most_of_it(
    shared: tuple[warptape.Store, Sources, list[warptape.Game]], tmp_path: Path
) -> None:
    second, sources, games = shared
    path = tmp_path / "a.db"

    def places() -> dict[str, str]:
        return {row[0]: Path(row[column("games", "found_in")]).name for row in dump(path)["games"]}

    first = followed(path, *sources())
    assert first.added == 6
    assert first.copies + first.updated == 10, "the copy's six, and four files"
    assert len(places()) == 6
    backwards = tmp_path / "backwards.db"
    for source in reversed(sources()):
        followed(backwards, source)
    assert dump(backwards) == dump(path), "the order does not matter"
    grown = second.game(games[0].id)
    grown.run(dict.fromkeys(grown.seats, "random"), 5)
    followed(path, *sources())
    assert places()[grown.id] == "two.db"
    same(path, sources, tmp_path)
    second.store.delete(grown.id)
    assert followed(path, *sources()).removed == 1
    assert places()[grown.id] != "two.db", "the others have it still"
    same(path, sources, tmp_path)
    again = followed(path, *sources())
    assert (again.added, again.updated, again.removed, again.copies, again.rows) == (0, 0, 0, 0, 0)


def test_a_store_is_one_source_however_it_is_spelled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.db"
    (tmp_path / "here").mkdir()
    with warptape.open(tmp_path / "s.db") as store:
        some_games(store, 2)
        assert followed(path, StoreSource(store.store)).added == 2
    (tmp_path / "link.db").symlink_to(tmp_path / "s.db")
    monkeypatch.chdir(tmp_path / "here")
    for spelled in ("../s.db", "../here/../s.db", "../link.db"):
        with warptape.open(spelled) as store:
            assert followed(path, StoreSource(store.store, spelled)) == Followed(unchanged=2), spelled


def test_files_are_followed_by_their_bytes(tmp_path: Path) -> None:
    path, logs = tmp_path / "a.db", tmp_path / "logs"
    logs.mkdir()

    def sources() -> list[Any]:
        return [FolderSource(logs)]

    with warptape.open(":memory:") as store:
        games = some_games(store, 4)
        for game in games:
            game.export(logs / f"{game.name}.tape.jsonl")
        assert followed(path, *sources()).added == 4
        files = sorted(logs.iterdir())
        files[0].touch()
        assert followed(path, *sources()).unchanged == 4
        games[0].run(dict.fromkeys(games[0].seats, "random"))
        games[0].export(logs / f"{games[0].name}.tape.jsonl")
        assert followed(path, *sources()).updated == 1
        same(path, sources, tmp_path)
        # Under a name that held one game lies another.
        games[1].export(logs / f"{games[2].name}.tape.jsonl")
        followed(path, *sources())
        same(path, sources, tmp_path)
        assert games[2].id not in {row[0] for row in dump(path)["games"]}
        (logs / f"{games[1].name}.tape.jsonl").unlink()
        followed(path, *sources())
        same(path, sources, tmp_path)
        assert games[1].id in {row[0] for row in dump(path)["games"]}, "the other file has it"
        # What is named by itself stays when it is not named again.
        games[2].export(tmp_path / "alone.tape.jsonl")
        assert followed(path, FileSource([tmp_path / "alone.tape.jsonl"])).added == 1
        assert followed(path, FileSource([])).removed == 0
        assert games[2].id in {row[0] for row in dump(path)["games"]}


def test_what_one_seat_knew_gives_way_to_the_whole_game(tmp_path: Path) -> None:
    with warptape.open(tmp_path / "s.db") as store:
        game = store.new("hidden", seed="seat", undo="free")
        game.run(dict.fromkeys(game.seats, "random"))
        seen = game.export(tmp_path / "seen.tape.jsonl", "raider")
        path = tmp_path / "a.db"
        followed(path, FileSource([seen]))
        assert [row[column("games", "seen_as")] for row in dump(path)["games"]] == ["raider"]
        followed(path, StoreSource(store.store))
        assert [row[column("games", "seen_as")] for row in dump(path)["games"]] == [None]
        sources: Sources = lambda: [FileSource([seen]), StoreSource(store.store)]  # noqa: E731
        same(path, sources, tmp_path)


def test_another_game_under_the_same_id_is_named_and_displaces_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with warptape.open(tmp_path / "s.db") as store, warptape.open(tmp_path / "t.db") as other:
        game, longer = store.new("pig", seed="a"), other.new("pig", seed="b")
        longer.run(dict.fromkeys(longer.seats, "random"))
        other.store.close()
        with sqlite3.connect(tmp_path / "t.db") as raw:
            for table, column in (("warptape_games", "id"), ("stored_events", "originator_id")):
                raw.execute(f"UPDATE {table} SET {column} = ? WHERE {column} = ?", (game.id, longer.id))
        raw.close()
        followed(path, StoreSource(store.store))
        before = dump(path)
        with warptape.open(tmp_path / "t.db") as again:
            found = followed(path, StoreSource(again.store))
        assert len(found.failed) == 1
        assert "another game with the id" in found.failed[0]
        assert dump(path) == before


# What cannot be read


def test_a_damaged_game_and_an_unreadable_file_are_named_and_stop_no_other(tmp_path: Path) -> None:
    path, logs = tmp_path / "a.db", tmp_path / "logs"
    logs.mkdir()
    with warptape.open(tmp_path / "s.db") as store:
        games = some_games(store, 9)
        for game in games[:3]:
            game.export(logs / f"{game.id}.tape.jsonl")
    with sqlite3.connect(tmp_path / "s.db") as raw:

        def spoil(game: warptape.Game, sql: str, *params: Any) -> None:
            assert raw.execute(sql, (*params, game.id)).rowcount > 0

        state = "UPDATE stored_events SET state = ? WHERE originator_version = 5 AND originator_id = ?"
        spoil(games[0], state, b"{not json")
        spoil(games[1], "DELETE FROM stored_events WHERE originator_version = 5 AND originator_id = ?")
        spoil(games[2], "UPDATE warptape_games SET seats = '[' WHERE id = ?")
        spoil(games[3], "DELETE FROM stored_events WHERE originator_version > 7 AND originator_id = ?")
        spoil(games[4], "UPDATE warptape_games SET ruleset = 'chess' WHERE id = ?")
        spoil(games[5], "UPDATE warptape_games SET lineage = '{{{' WHERE id = ?")
    raw.close()
    whole = sorted(logs.iterdir())
    whole[0].write_bytes(whole[0].read_bytes()[:-40])
    (logs / "empty.tape.jsonl").touch()
    (logs / "folder.tape.jsonl").mkdir()
    if hasattr(os, "mkfifo"):
        os.mkfifo(logs / "pipe.tape.jsonl")
    (logs / "nowhere.tape.jsonl").symlink_to(tmp_path / "gone")
    with warptape.open(tmp_path / "s.db") as store:
        found = followed(path, StoreSource(store.store), FolderSource(logs))
        bad = {game.id for game in games[:6]}
        named = {line.partition(":")[0] for line in found.failed}
        assert {name for name in named if "/" not in name} == bad
        assert {Path(name).name for name in named if "/" in name} == {
            whole[0].name, "empty.tape.jsonl", "folder.tape.jsonl", "pipe.tape.jsonl", "nowhere.tape.jsonl",
        }  # fmt: skip
        kept = {row[0] for row in dump(path)["games"]}
        assert kept == {game.id for game in games[6:]} | {file.name.partition(".")[0] for file in whole[1:]}
        assert all(line.partition(": ")[2] for line in found.failed), found.failed
        sound(path)
        again = followed(path, StoreSource(store.store), FolderSource(logs), jobs=2)
        assert sorted(again.failed) == sorted(found.failed)
        assert again.rows == 0


def test_a_number_that_no_table_can_hold_keeps_one_game_out_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import pig

    with warptape.open(tmp_path / "s.db") as store:
        games = [store.new("pig", seed=str(number), options={"goal": 20 + number}) for number in range(3)]
        monkeypatch.setattr(
            pig.Pig, "figures", lambda rules, state: {"score": 2**70 if state.options.goal == 21 else 1}
        )
        found = followed(tmp_path / "a.db", StoreSource(store.store))
        assert len(found.failed) == 1
        assert found.failed[0].startswith(games[1].id)
        assert "holds what no table can hold" in found.failed[0]
        assert found.added == 2
        sound(tmp_path / "a.db")


def test_a_game_that_is_damaged_later_stays_as_it_was(tmp_path: Path) -> None:
    with warptape.open(tmp_path / "s.db") as store:
        games = some_games(store, 3)
        followed(tmp_path / "a.db", StoreSource(store.store))
        before = dump(tmp_path / "a.db")
    with sqlite3.connect(tmp_path / "s.db") as raw:
        raw.execute("UPDATE stored_events SET state = x'00' WHERE originator_id = ?", (games[1].id,))
        raw.execute("UPDATE warptape_games SET head = 'x' WHERE id = ?", (games[1].id,))
    raw.close()
    with warptape.open(tmp_path / "s.db") as store:
        assert len(followed(tmp_path / "a.db", StoreSource(store.store)).failed) == 1
    assert dump(tmp_path / "a.db") == before


# Killed, and at once

FOLLOW = """
import sys
from warptape.projections.archive import Archive, StoreSource
from warptape.projections.archive import build
from warptape.replays.store import open_store
store, out, jobs, rows, place, calls = sys.argv[1:]
build.ROWS_A_TRANSACTION = int(rows)
if place:
    import os, signal
    real, left = getattr(Archive, place), int(calls)
    def dying(*given):
        global left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(*given)
    setattr(Archive, place, dying)
with open_store(store) as opened, Archive(out) as archive:
    print(archive.follow(StoreSource(opened, store), jobs=int(jobs)).text())
"""

Begin = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def begin(rulesets: dict[str, str]) -> Begin:
    """Begins to follow a store in a process of its own, which may kill itself at a call of a method of Archive."""

    def call(store: Path, out: Path, jobs: int = 1, rows: int = 500, place: str = "", calls: int = 0) -> Any:
        words = [str(store), str(out), str(jobs), str(rows), place, str(calls)]
        return subprocess.Popen(
            [sys.executable, "-c", FOLLOW, *words],
            env=rulesets,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    return call


@pytest.fixture
def grown(tmp_path: Path) -> tuple[Path, Path]:
    """A store whose games have changed in every way since they were archived, and that archive."""
    with warptape.open(tmp_path / "s.db") as store:
        archived = [game.id for game in some_games(store, 12)]
        followed(tmp_path / "a.db", StoreSource(store.store))
        life = Life(store, tmp_path, 7)
        for _ in range(25):
            life.happens()
        life.delete(archived)
    return tmp_path / "s.db", tmp_path / "a.db"


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system kills in another way")
@pytest.mark.parametrize(
    ("place", "calls"),
    [
        ("_insert", 1),
        ("_insert", 3),
        ("_settled", 2),
        ("_settled", 9),
        ("_take_out", 1),
        ("_take_out", 6),
        ("_retire", 1),
    ],
)
def test_a_run_that_is_killed_leaves_whole_games_and_the_next_one_ends_as_a_fresh_one(
    place: str, calls: int, grown: tuple[Path, Path], begin: Begin, tmp_path: Path
) -> None:
    store, path = grown
    dying = begin(store, path, place=place, calls=calls)
    _, said = dying.communicate(timeout=120)
    assert dying.returncode == -signal.SIGKILL, said
    sound(path)
    rows = dump(path)
    lengths = {row[0]: row[column("games", "events")] for row in rows["games"]}
    events: dict[str, int] = dict.fromkeys(lengths, 0)
    for row in rows["events"]:
        events[row[0]] += 1
    assert events == lengths, "a game is in whole or not at all"
    with warptape.open(store) as opened:
        assert followed(path, StoreSource(opened.store)).failed == []
        same(path, lambda: [StoreSource(opened.store)], tmp_path)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system kills in another way")
@pytest.mark.parametrize("seed", [*range(2), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 40))])
def test_killed_at_any_moment_and_begun_again_it_ends_as_a_fresh_one(seed: int, begin: Begin, tmp_path: Path) -> None:
    store, path, luck = tmp_path / "s.db", tmp_path / "a.db", random.Random(seed)
    with warptape.open(store) as opened:
        some_games(opened, 30, 40)
        life = Life(opened, tmp_path, seed)
        for _ in range(4):
            running = begin(store, path, jobs=luck.choice([1, 2]), rows=luck.choice([100, 2000]))
            while not path.exists() and running.poll() is None:
                time.sleep(0.01)
            time.sleep(luck.random() * 1.2)
            running.kill()
            running.communicate(timeout=60)
            life.happens()
        assert followed(path, StoreSource(opened.store)).failed == []
        same(path, lambda: [StoreSource(opened.store)], tmp_path)


def test_two_that_follow_at_once_end_as_one(grown: tuple[Path, Path], begin: Begin, tmp_path: Path) -> None:
    store, path = grown
    new = tmp_path / "new.db"
    for out in (path, new):  # one that is there, and one that both make
        running = [begin(store, out, rows=300) for _ in range(2)]
        for one in running:
            _, said = one.communicate(timeout=120)
            assert one.returncode == 0, said
        with warptape.open(store) as opened:
            same(out, lambda opened=opened: [StoreSource(opened.store)], tmp_path)  # type: ignore[misc]


def test_it_may_be_deleted_and_is_built_again(grown: tuple[Path, Path], tmp_path: Path) -> None:
    store, path = grown
    with warptape.open(store) as opened:
        followed(path, StoreSource(opened.store))
        before = dump(path)
        path.unlink()
        followed(path, StoreSource(opened.store, str(store)), jobs=2)
    assert dump(path) == before


def test_what_an_older_run_read_does_not_replace_what_a_newer_one_put_in(tmp_path: Path) -> None:
    """Two runs read the same game, and the one that read it first writes last."""
    from warptape.projections.archive.projecting import Task, projected

    path = tmp_path / "a.db"
    with warptape.open(tmp_path / "s.db") as store:
        (game,) = some_games(store, 1)
        source = StoreSource(store.store)
        (found,) = source.games()
        (old,) = projected([Task(source.name, found.item, found.mark, url="x")], 1, store.store)
        game.run(dict.fromkeys(game.seats, "random"), 3)
        followed(path, source)
        before, summary = dump(path), Followed()
        with Archive(path) as archive:
            archive._put([old], summary)
        assert dump(path) == before
        assert summary == Followed(unchanged=1)


def test_a_game_that_is_deleted_while_it_is_read_is_no_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from warptape.projections.archive import projecting

    with warptape.open(tmp_path / "s.db") as store:
        games = some_games(store, 3)
        real = projecting._stored

        def deleting(task: Any, stores: Any) -> Any:
            if task.item == games[1].id:
                store.store.delete(task.item)
            return real(task, stores)

        monkeypatch.setattr(projecting, "_stored", deleting)
        found = followed(tmp_path / "a.db", StoreSource(store.store))
        assert found.failed == []
        assert found.added == 2
        same(tmp_path / "a.db", lambda: [StoreSource(store.store)], tmp_path)


def test_another_warptape_projects_all_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from warptape.projections.archive import sources

    with warptape.open(tmp_path / "s.db") as store:
        some_games(store, 3)
        followed(tmp_path / "a.db", StoreSource(store.store))
        sources.stamp.cache_clear()
        with monkeypatch.context() as patched:
            patched.setattr(sources, "__version__", "99")
            assert followed(tmp_path / "a.db", StoreSource(store.store)).updated == 3
        sources.stamp.cache_clear()


def test_progress_is_told_of_every_game_once(tmp_path: Path) -> None:
    with warptape.open(tmp_path / "s.db") as store:
        some_games(store, 5)
        for _ in range(2):
            expected, done = [], []
            with Archive(tmp_path / "a.db") as archive:
                archive.follow(StoreSource(store.store), expect=expected.append, done=lambda done=done: done.append(1))  # type: ignore[misc]
            assert sum(expected) == len(done) == 5


def test_the_rows_of_one_process_and_of_several_are_the_same(tmp_path: Path) -> None:
    with warptape.open(tmp_path / "s.db") as store:
        some_games(store, 20, 60)
        followed(tmp_path / "a.db", StoreSource(store.store, str(tmp_path / "s.db")), jobs=2)
        assert dump(tmp_path / "a.db") == fresh(lambda: [StoreSource(store.store)], tmp_path)
        assert msgspec.json.encode(followed(tmp_path / "a.db", StoreSource(store.store)))
