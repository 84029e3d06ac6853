"""The commands on every kind of store that lasts."""

from __future__ import annotations

from typing import Any


def test_a_game_from_new_to_audit(run: Any, data: Any, lasting_store_url: str) -> None:
    def store(*words: str, **more: Any) -> Any:
        return run(*words, "--store", lasting_store_url, **more)

    store("new", "pig", "--name", "first", "--seed", "lucky", "--undo", "free")
    store("act", "first", "roll", "roll", "hold")
    store("undo", "first")
    assert "Meanwhile" in store("act", "first", "roll", "--expect", "3", code=4).stderr
    store("fork", "first@d2", "--name", "branch")
    store("act", "branch", "hold", "--key", "k")
    store("act", "branch", "hold", "--key", "k")
    store("export", "branch", "-o", "branch.tape.jsonl")
    store("import", "branch.tape.jsonl")
    store("simulate", "pig", "-n", "4", "--seed", "s", "--jobs", "2", "--record")
    games = data("games", "--store", lasting_store_url)
    assert len(games) == 7
    assert "All 7 are sound." in run("audit", lasting_store_url).output
    assert "first bad" not in store("audit", "first", "branch").output
    assert store("log", "branch").output.count("p1: hold") == 1
    store("delete", "first", "--with-forks", "--yes")
    assert len(data("games", "--store", lasting_store_url)) == 5
