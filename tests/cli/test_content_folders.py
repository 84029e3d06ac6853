"""Own boards and cards in a folder: begun, checked with file, line and reason, played with."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import warptape
from warptape.domain.chance import Luck
from warptape.domain.content import Content
from warptape.domain.rules import ruleset
from warptape.replays.contents import read_folder, replaced

GAME = "space-marine-adventures"
EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "own-cards"
OWN_FACES = {"3-up", "3-down"}
OWN_CARDS = {"SP-17", "SP-18", "SP-26", "SP-27", "SP-28"}


def folder_of(run: Any, *words: str) -> Path:
    run("content", "new", "own", "--ruleset", GAME, *words)
    return Path("own")


def change(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")


@pytest.mark.parametrize("name", [GAME, "doom-of-the-eldar", "tyranid-attack"])
def test_a_new_folder_holds_the_games_own_content_and_can_be_played_with(run: Any, data: Any, name: str) -> None:
    run("content", "new", "own", "--ruleset", name)
    assert read_folder("own") == dict(ruleset(name).content.files)
    found = data("content", "check", "own")
    assert found["ruleset"] == name
    assert found["faults"] == found["changes"] == []
    assert found["digest"] == ruleset(name).content.digest


def test_only_the_files_named_are_written(run: Any) -> None:
    folder_of(run, "--file", "boards.toml", "--file", "specials.toml")
    assert sorted(read_folder("own")) == ["boards.toml", "specials.toml"]
    assert (
        "no content file cards.toml"
        in run("content", "new", "b", "--ruleset", GAME, "--file", "cards.toml", code=2).stderr
    )
    assert not Path("b").exists()


def test_nothing_is_written_over(run: Any) -> None:
    folder = folder_of(run, "--file", "boards.toml")
    change(folder / "boards.toml", "Gantry Lattice", "My Lattice")
    before = (folder / "boards.toml").read_text(encoding="utf-8")
    said = run("content", "new", "own", "--ruleset", GAME, code=2).stderr
    assert "boards.toml is there already" in said
    assert [file.name for file in folder.iterdir()] == ["boards.toml"]
    assert (folder / "boards.toml").read_text(encoding="utf-8") == before
    Path("file").write_text("")
    assert "cannot be written" in run("content", "new", "file", "--ruleset", GAME, code=2).stderr


def test_the_game_is_asked_for_where_it_is_not_plain(run: Any) -> None:
    said = run("content", "new", "own", code=2).stderr
    assert "Say for which game" in said
    assert GAME in said
    assert "No ruleset 'chess'" in run("content", "new", "own", "--ruleset", "chess", code=2).stderr
    folder = folder_of(run, "--file", "specials.toml")
    # Two games have a file of that name; which is meant, the file says.
    assert GAME in run("content", "check", "own").output
    change(folder / "specials.toml", "game =", "gume =")
    assert "Say for which game" in run("content", "check", "own", code=2).stderr
    assert "specials.toml" in run("content", "check", "own", "--ruleset", GAME, code=1).output


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("boards.toml", "#######A#####", "#######AB####", "boards.toml, line 32: faces '1-up': 'B' must be there exactly once"),
        ("boards.toml", "#######A#####", "#######A####", "boards.toml, line 32: faces '1-up': a face has 13 rows"),
        ("specials.toml", 'op = "blast", range', 'op = "blast", reach', "specials.toml, line 17: specials 'SP-01': it has an unknown field `reach`"),
        ("specials.toml", 'op = "blast"', 'op = "bang"', "specials.toml, line 17: specials 'SP-01':"),
        ("specials.toml", "copies = 2", "copies = 3", "specials.toml, line 11: specials 'SP-01': the copies of"),
        ("infestation.toml", "level = 1", "level = 2", "infestation.toml: cards of level 1: there must be 24, not 23"),
        ("missions.toml", '"all_on_exit", ', "", "missions.toml, line 17: missions 'mission-1': its ends must be"),
        ("marines.toml", "[[marines]]", "[[marines]", "marines.toml is not valid TOML"),
    ],
)  # fmt: skip
def test_a_fault_is_said_with_file_line_and_reason(run: Any, file: str, old: str, new: str, said: str) -> None:
    folder = folder_of(run)
    change(folder / file, old, new)
    assert said in run("content", "check", "own", code=1).output.replace("\n", " ")
    # Nothing is recorded with it either.
    assert said in run("new", GAME, "--content", "own", code=2).stderr.replace("\n", " ")
    assert "There are no games" in run("games").output


def test_a_fault_in_one_file_hides_none_in_another(run: Any, data: Any) -> None:
    folder = folder_of(run)
    change(folder / "boards.toml", "#######A#####", "#######AB####")
    change(folder / "specials.toml", 'op = "blast", range', 'op = "blast", reach')
    found = data("content", "check", "own", code=1)["faults"]
    assert sorted(fault.split(",")[0] for fault in found) == ["boards.toml", "specials.toml"]


def test_what_is_own_is_counted_and_named(data: Any) -> None:
    found = data("content", "check", str(EXAMPLE))
    own = {change["table"]: {name.split()[0] for name in change["own"]} for change in found["changes"]}
    assert own == {"faces": OWN_FACES, "specials": OWN_CARDS}


def content() -> Content:
    return replaced(ruleset(GAME), read_folder(str(EXAMPLE)))


def test_the_example_is_played_on_its_own_board_with_its_own_cards(run: Any, data: Any) -> None:
    """Whole games by the bot on both faces, until each own card was held and played; they audit clean."""
    played: Counter[str] = Counter()
    with warptape.open("shelf.db") as store:
        for number in range(60):
            game = store.new(GAME, seed=f"own {number}", content=content(), name=f"own{number}")
            game.act(f"board {sorted(OWN_FACES)[number % 2]}")
            play_on(game)
            assert game.outcome is not None
            for _, event in game.events():
                if type(event).__name__ == "SpecialPlayed":
                    played[event.card] += 1
            if played.keys() >= OWN_CARDS and number > 3:
                break
    assert played.keys() >= OWN_CARDS, played
    run("export", "own0", "-o", "own0.tape.jsonl")
    assert run("audit", "own0", "own0.tape.jsonl", "--rules").exit_code == 0
    told = run("transcript", "own0").output
    assert "Bilge Hold" in told
    # What was exported holds the boards and cards: another shelf needs no folder.
    elsewhere = ("--store", "elsewhere.db")
    run("import", "own0.tape.jsonl", *elsewhere)
    assert run("transcript", "last", *elsewhere).output == told


def play_on(game: Any) -> None:
    """Play a game to its end: any play of an own card first, else what the bot does."""
    luck = Luck("own cards")
    bot = game.ruleset.bots["sensible"]
    while (decision := game.decision) is not None:
        own = [action for action in decision.actions if getattr(action, "card", "") in OWN_CARDS]
        game.act(own[0] if own else bot(game.ruleset, game.state, decision, luck))
