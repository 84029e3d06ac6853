"""Every command on a game on a server, beside the same on a game in a file: the same output, or a clear refusal."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

IDS = re.compile(r"\b[a-hj-km-np-z2-9]{10}\b")
TIMES = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+Z?")
DIGESTS = re.compile(r"\b[0-9a-f]{64}\b")
KEYS = re.compile(r' *"key": ?"[^"]*",\n?')
SUMS = re.compile(r'"sum":"[0-9a-f]{16}"')


def plain(text: str) -> str:
    """What a command printed, but for what no two games share: ids, times, digests, and the keys of changes."""
    for pattern, word in ((KEYS, ""), (SUMS, '"sum":"SUM"'), (DIGESTS, "DIGEST"), (IDS, "ID"), (TIMES, "TIME")):
        text = pattern.sub(word, text)
    return text


class Both:
    """The same commands, here and there."""

    def __init__(self, run: Any, server: str) -> None:
        self.run = run
        self.server = server

    def local(self, *words: str, **how: Any) -> str:
        return str(self.run(*words, **how).output)

    def remote(self, *words: str, **how: Any) -> str:
        return str(self.run("--store", self.server, *words, **how).output)

    def same(self, *words: str, **how: Any) -> str:
        """Run a command on both, and return what it printed there; it is the same."""
        here, there = self.local(*words, **how), self.remote(*words, **how)
        assert plain(there) == plain(here), words
        return there


@pytest.fixture
def both(run: Any, live: Any) -> Both:
    return Both(run, live.url)


def test_pig_is_played_told_and_taken_back_with_the_same_words(both: Both, tmp_path: Path) -> None:
    opened = ("new", "pig", "--name", "first", "--seed", "lucky", "--undo", "free", "--option", "goal=30")
    here, there = both.local(*opened), both.remote(*opened)
    first, rest = plain(there).split("An invitation for each seat", 1)
    assert first == plain(here)
    assert rest.count(f"{both.server}/join#") == 2
    for words in (
        ("act", "first", "roll", "roll"),
        ("act", "first", "roll", "--by", "Anna", "--json"),
        ("legal", "first"),
        ("legal", "first", "--json"),
        ("legal", "first", "hold"),
        ("why", "first", "roll"),
        ("show", "first"),
        ("show", "first@d1", "--format", "svg"),
        ("show", "first@start", "--json"),
        ("log", "first"),
        ("log", "first", "--json"),
        ("log", "first", "-n", "3", "--all"),
        ("log", "first", "--moves"),
        ("undo", "first", "--reason", "the cat"),
        ("redo", "first"),
        ("undo", "first"),
        ("rewind", "first@d2"),
        ("act", "first", "hold"),
        ("note", "first", "a brave roll", "--tag", "blunder"),
        ("note", "first@d1", "well", "--json"),
        ("notes", "first"),
        ("notes", "first", "--tag", "blunder", "--json"),
        ("lines", "first"),
        ("lines", "first", "--json"),
        ("diff", "first@d1", "@d2"),
        ("diff", "first@d1", "@d2", "--boards"),
        ("replay", "first"),
        ("replay", "first@d2", "--plain", "--boards"),
        ("transcript", "first"),
        ("transcript", "first", "--format", "html", "--variations"),
        ("stats", "first"),
        ("fork", "first@d1", "--name", "what if", "--json"),
    ):
        if words[0] == "fork":
            made, other = json.loads(both.local(*words)), json.loads(both.remote(*words))
            assert sorted(other.pop("invitations")) == ["p1", "p2"]
            assert {**made, "id": "", "parent": ""} == {**other, "id": "", "parent": ""}
        else:
            both.same(*words)
    both.same("games")
    both.same("rename", "what if", "Friday night")
    both.same("show", "Friday night")
    both.same("delete", "Friday night", "--yes")
    both.same("games")


def test_refusals_say_the_same_with_the_same_exit_code(both: Both) -> None:
    for one in (both.local, both.remote):
        one("new", "pig", "--name", "first", "--seed", "lucky")
    for words, code in (
        (("act", "first", "hold"), 3),
        (("act", "first", "fly"), 2),
        (("act", "first", "roll", "--as", "p2"), 3),
        (("act", "first", "roll", "--expect", "99"), 4),
        (("act", "first", "roll", "--rolled", "4"), 2),
        (("why", "first", "hold"), 3),
        (("why", "first", "hold", "--json"), 3),
        (("undo", "first"), 3),
        (("redo", "first"), 3),
        (("rewind", "first@start"), 3),
        (("consent", "first", "yes"), 3),
        (("reproduce", "first"), 1),
        (("note", "first@99", "there"), 2),
        (("show", "first@d99"), 2),
        (("show", "frist"), 2),
        (("delete", "nothing", "--yes"), 2),
        (("new", "pig", "--name", "first"), 2),
        (("new", "pog"), 2),
        (("new", "pig", "--option", "goal=0"), 2),
        (("new", "pig", "--seat", "p2=bot:clever"), 2),
        (("fork", "first", "--name", "first"), 2),
        (("export", "first", "--as", "p9"), 2),
    ):
        both.same(*words, code=code)


def test_consent_is_asked_for_across_the_line(both: Both) -> None:
    for one in (both.local, both.remote):
        one("new", "pig", "--name", "first", "--seed", "lucky", "--undo", "consent")
    for words in (
        ("act", "first", "roll"),
        ("undo", "first"),
        ("consent", "first", "no", "--as", "p2"),
        ("undo", "first", "--as", "p1"),
        ("consent", "first", "yes"),
        ("log", "first"),
    ):
        both.same(*words)


def test_play_at_a_pipe_is_the_same(both: Both) -> None:
    for one in (both.local, both.remote):
        one("new", "pig", "--name", "first", "--seed", "lucky", "--undo", "free")
    lines = [
        "roll", "1", ".", "", "hold", "fly", "99", "why hold", "undo", "redo", "undo", "note well", "log 5",
        "lines", "show @d1", "show x", "legal", "legal roll", "consent yes", "/show", "roll", "undo --reroll", "quit",
    ]  # fmt: skip
    both.same("play", "first", stdin="".join(f"{line}\n" for line in lines))
    both.same("log", "first")


def test_a_game_at_a_table_asks_for_results_there_too(both: Both) -> None:
    for one in (both.local, both.remote):
        one("new", "pig", "--name", "table", "--chance", "table")
    both.same("act", "table", "roll", code=2)
    both.same("act", "table", "roll", "--rolled", "7", code=2)
    both.same("act", "table", "roll", "--rolled", "4")
    both.same("play", "table", stdin="roll\n7\nfour\n5\nroll\n\nhold\n")
    both.same("log", "table", "--moves")


def test_bots_play_on_the_server(both: Both) -> None:
    for one in (both.local, both.remote):
        one("new", "pig", "--name", "duel", "--seed", "lucky", "--seat", "p2=bot:sensible", "--option", "goal=20")
    both.same("play", "duel", stdin="roll\nroll\nhold\nroll\nhold\n")
    both.same("log", "duel")
    both.same("show", "duel")


def test_lines_read_from_a_file_are_taken_once_with_a_key(both: Both) -> None:
    for one in (both.local, both.remote):
        one("new", "pig", "--name", "first", "--seed", "lucky")
    moves = "# two moves\np1: roll\np1: roll\n"
    both.same("act", "first", "-", "--key", "friday", stdin=moves)
    both.same("act", "first", "-", "--key", "friday", stdin=moves)
    both.same("log", "first")


def test_logs_go_out_and_come_in(both: Both, run: Any, live: Any, tmp_path: Path, monkeypatch: Any) -> None:
    for one in (both.local, both.remote):
        one("new", "pig", "--name", "first", "--seed", "lucky", "--option", "goal=10")
        one("act", "first", "roll", "roll")
    both.same("export", "first", "-o", "-")
    both.remote("export", "first", "-o", "there.tape.jsonl.gz")
    both.local("export", "first", "-o", "here.tape.jsonl")
    run("audit", "there.tape.jsonl.gz")
    run("import", "there.tape.jsonl.gz")
    out = run("--store", live.url, "import", "here.tape.jsonl", code=2).output  # games are imported by the host alone
    assert "name a token with --token" in out
    monkeypatch.setenv("WARPTAPE_TOKEN", live.host)
    out = run("--store", live.url, "import", "here.tape.jsonl").output
    assert "is game" in out
    assert "p1 to decide" in out or "Player 1 (p1) to decide" in out
    (tmp_path / "bad.tape.jsonl").write_text((tmp_path / "here.tape.jsonl").read_text()[:-30])
    assert "Nothing of it was imported" in run("--store", live.url, "import", "bad.tape.jsonl", code=1).output


def test_reports_pages_and_archives_are_of_what_is_seen(both: Both, run: Any, live: Any, tmp_path: Path) -> None:
    for one in (both.local, both.remote):
        one("new", "pig", "--name", "first", "--seed", "lucky")
        one("act", "first", "roll", "roll")
    both.remote("page", "first", "-o", "page.html")
    assert (tmp_path / "page.html").read_text().startswith("<!DOCTYPE html>")
    assert "1 added" in both.remote("archive", "build", "archive.db")
    both.same("act", "first", "roll")
    assert "1 updated" in both.remote("archive", "build", "archive.db")
    both.same("stats")
    both.remote("report", "first", "-o", "bug.tape.jsonl", "--message", "odd")
    assert "odd" in run("reproduce", "bug.tape.jsonl", code=None).output
    audit = both.remote("audit", "first")
    assert "chance" in audit
    assert "could be (the secret of chance is not known here)" in audit
    assert "All 1 are sound" in both.remote("audit", live.url)


def test_what_makes_no_sense_on_a_server_is_refused_in_words(both: Both, run: Any) -> None:
    assert "store of your own" in both.remote("simulate", "pig", "-n", "1", "--record", code=2)
    assert "--store https://HOST" in run("join", "wi_a_code_alone", code=2).output
    assert "There are no games in this store yet" in run("invite", "first", "--seat", "p1", code=2).output
    out = run("new", "pig", "--store", "http://games.example", code=4).output
    assert "use https://" in out


def test_with_nothing_to_open_it_the_way_in_is_named(run: Any, serve: Any) -> None:
    live = serve()
    assert "There are no games in this store yet" in run("--store", live.url, "show", "first", code=2).output
    assert "token" in run("--store", live.url, "new", "pig", code=2).output
    assert "opens nothing here" in run("--store", live.url, "--token", "wt_wrong", "games", code=2).output
