"""rulesets, new, games, rename, delete."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest


def test_rulesets_lists_an_installed_package_with_its_options(run: Any, data: Any) -> None:
    assert "pig  Pig, version 1" in run("rulesets").output
    (pig,) = data("rulesets", "pig")
    assert pig["seats"] == ["p1", "p2"]
    assert pig["bots"] == ["random", "sensible"]
    assert {"name": "goal", "default": "100", "takes": "a whole number from 1 to 1000"} in pig["options"]


def test_rulesets_shows_house_content(run: Any) -> None:
    assert "house" in run("rulesets", "--content").output


def test_an_unknown_ruleset_is_named_with_those_installed(run: Any) -> None:
    assert "pig" in run("rulesets", "chess", code=2).stderr
    assert "pig" in run("new", "chess", code=2).stderr


def test_new_prints_id_name_and_the_first_decision(run: Any, data: Any) -> None:
    result = run("new", "pig", "--name", "Friday", "--seed", "lucky")
    (game,) = data("games")
    assert result.output.startswith(f"Game {game['id']} 'Friday'\n")
    assert "Player 1 (p1) to decide" in result.output
    assert data("new", "pig")["name"] == "Pig"


def test_new_with_a_bot_plays_up_to_the_person(data: Any) -> None:
    found = data("new", "pig", "--seat", "p1=bot:sensible", "--seed", "a")
    assert found["seat"] == "p2"
    assert found["position"] > 5


def test_new_with_bots_alone_plays_to_the_end(run: Any, data: Any) -> None:
    found = data("new", "pig", "--seat", "p1=bot:sensible", "--seat", "p2=bot:random", "--seed", "a")
    assert found["outcome"]["result"] == "won"
    assert data("games")[0]["outcome"] == "won"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--option", "goal"], "NAME=VALUE"),
        (["--option", "goal=many"], "a whole number from 1 to 1000"),
        (["--option", "goal=9999"], "a whole number from 1 to 1000"),
        (["--option", "speed=1"], "Its options: goal, players"),
        (["--option", "goal=5", "--option", "goal=6"], "given twice"),
        (["--seat", "p9=human"], "Its seats: p1, p2"),
        (["--seat", "p1=bot:genius"], "bot:random, bot:sensible"),
        (["--seat", "p1=cat"], "'human' or by 'bot:NAME'"),
        (["--chance", "dice"], "'fate', 'table'"),
        (["--undo", "never"], "consent"),
        (["--seed", ""], "seed is empty"),
        (["--name", "a@b"], "separates a game from a position"),
        (["--name", "last"], "changed last"),
        (["--content", "nowhere"], "cannot be read"),
    ],
)
def test_new_refuses_what_cannot_be_and_records_nothing(run: Any, data: Any, words: list[str], sentence: str) -> None:
    assert sentence in run("new", "pig", *words, code=2).stderr
    assert data("games") == []


def test_a_content_folder_replaces_files_of_the_same_name(run: Any, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    assert "holds no .toml files" in run("new", "pig", "--content", str(folder), code=2).stderr
    (folder / "cards.toml").write_text("n = 1")
    assert "pig has no content file cards.toml" in run("new", "pig", "--content", str(folder), code=2).stderr
    (folder / "cards.toml").write_bytes(b"\xff")
    assert "UTF-8" in run("new", "pig", "--content", str(folder), code=2).stderr


def test_a_name_is_taken_once(run: Any, pig: Any) -> None:
    for words in (["new", "pig", "--name", "first"], ["fork", "first", "--name", "first"]):
        error = run(*words, code=2).stderr
        assert error == "There is a game with the name 'first' already: choose another one.\n"


def test_games_lists_the_last_played_first(run: Any, data: Any, pig: Any) -> None:
    assert "There are no games" not in run("games").output
    run("new", "pig", "--name", "second")
    assert [game["name"] for game in data("games")] == ["second", "first"]
    run("act", "first", "roll")
    assert [game["name"] for game in data("games")] == ["first", "second"]
    assert data("games", "--ruleset", "other") == []


def test_games_of_an_empty_shelf_says_what_to_do(run: Any) -> None:
    assert "warptape new" in run("games").output


def test_a_game_is_named_by_id_prefix_name_or_last(data: Any, pig: Any) -> None:
    for name in (pig["id"], pig["id"][:4], "first", "last", "last@end"):
        assert data("legal", name)["position"] == 3


def test_rename(run: Any, data: Any, pig: Any) -> None:
    run("rename", "first", "better name")
    assert data("games")[0]["name"] == "better name"
    assert "control" in run("rename", "last", "a\nb", code=2).stderr
    assert "first" in run("rename", "first", "x", code=2).stderr


def test_delete_asks_and_keeps_what_forks_need(run: Any, data: Any, pig: Any) -> None:
    assert "--yes" in run("delete", "first", code=2).stderr
    run("fork", "first", "--name", "branch")
    assert "forks" in run("delete", "first", "--yes", code=3).stderr
    assert len(data("games")) == 2
    assert "and 1 fork deleted" in run("delete", "first", "--with-forks", "--yes").output
    assert data("games") == []
