"""undo, redo, consent, rewind, lines, fork, note."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture
def free(run: Any, data: Any) -> None:
    """A game in which everything may be taken back, two rolls in."""
    run("new", "pig", "--undo", "free", "--name", "free", "--seed", "lucky")
    run("act", "free", "roll", "roll")


def rolls(data: Any, name: str) -> list[Any]:
    return [event["event"]["values"] for event in data("log", name, "--line") if event["kind"] == "DiceRolled"]


def test_undo_then_the_same_action_gives_the_same_dice(run: Any, data: Any, free: None) -> None:
    before = rolls(data, "free")
    assert "Taken back to @6." in run("undo", "free").output
    assert rolls(data, "free") == before[:1]
    run("act", "free", "roll")
    assert rolls(data, "free") == before


def test_reroll_says_so_in_the_log(run: Any, data: Any, free: None) -> None:
    run("undo", "free", "--reroll", "--reason", "the cat did it")
    log = run("log", "free").output
    assert "Taken back to @6 (the cat did it)." in log
    assert "Fate has a new salt" in log


def test_redo_until_nothing_is_left(run: Any, data: Any, free: None) -> None:
    run("undo")
    run("undo")
    assert data("redo")["position"] == 6
    assert data("redo")["position"] == 9
    assert "nothing to redo" in run("redo", code=3).stderr
    run("undo")
    run("act", "free", "hold")
    run("redo", code=3)


def test_undo_stops_at_the_opening(run: Any, free: None) -> None:
    run("undo")
    run("undo")
    assert "nothing to take back: nobody has taken an action" in run("undo", code=3).stderr
    assert "nothing to take back: nobody has taken an action" in run("undo", "--as", "p1", code=3).stderr


def test_until_revealed_refuses_what_was_seen(run: Any, pig: Any) -> None:
    run("act", "first", "roll")
    assert "revealed" in run("undo", code=3).stderr
    run("act", "first", "hold")
    assert "may not" in run("undo", "--as", "p2", code=3).stderr
    run("undo", "--as", "p1")


def test_rewind_goes_to_a_line_that_was_left(run: Any, data: Any, free: None) -> None:
    run("rewind", "free@6")
    run("act", "free", "hold")
    assert data("rewind", "free@9")["position"] == 9
    assert len(data("lines", "free")) == 2
    assert "There is no event" in run("rewind", "free@99", code=2).stderr
    assert "Say where to go" in run("rewind", "free", code=2).stderr


def test_rewind_needs_the_free_policy(run: Any, pig: Any) -> None:
    run("act", "first", "roll")
    assert "fork" in run("rewind", "first@3", code=3).stderr


def test_consent(run: Any, data: Any) -> None:
    run("new", "pig", "--undo", "consent", "--name", "fair", "--seed", "lucky")
    assert "Nobody asks" in run("consent", "fair", "yes", code=3).stderr
    run("act", "fair", "roll")
    assert "needs consent" in run("undo", "fair").output
    for words in (["legal"], ["show"]):
        assert "Player 1 would like to go back to @3: `consent` answers, yes or no." in run(*words, "fair").output
    assert "p1 has asked to take back to @3 already (@7)" in run("undo", "fair", code=3).stderr
    assert "other seat must answer" in run("consent", "fair", "yes", "--as", "p1", code=3).stderr
    assert "Refused by Player 2." in run("consent", "fair", "no").output
    assert data("legal", "fair")["position"] == 6 + 2
    assert "would like" not in run("legal", "fair").output
    assert "reason is not recorded" in run("undo", "fair", "--reason", "a slip").output
    assert data("consent", "fair", "yes")["position"] == 3


def test_lines_marks_the_current_one(run: Any, data: Any, free: None) -> None:
    run("undo")
    run("act", "free", "hold")
    found = data("lines", "free")
    assert [(line["current"], line["depth"]) for line in found] == [(True, 0), (False, 1)]
    assert (found[1]["left"], found[1]["left_by"], found[1]["leaves"]) == ("undo", "p1", 6)
    now, left = run("lines", "free").output.splitlines()
    assert now.startswith(f"@{found[0]['tip']} *  2 decisions; last p1: hold")
    assert left == f"`- @{found[1]['tip']}  leaves at @6, 1 decision more; taken back by p1 at @10; last p1: roll"


def test_lines_tell_a_seat_no_secret_of_another(run: Any, data: Any) -> None:
    run("new", "hidden", "--name", "raid", "--seed", "s", "--undo", "free")
    run("act", "raid", "guard 1", "skip", "storm 2 c1 2")
    assert "storm 2 c1 2" in run("lines", "raid").output
    assert "acts in secret" in run("lines", "raid", "--as", "warden").output
    assert "storm 2 c1 2" in run("lines", "raid", "--as", "raider").output
    assert [line["current"] for line in data("lines", "raid", "--as", "warden")] == [True]


def test_fork_shares_the_past_and_leaves_the_parent_alone(run: Any, data: Any, free: None) -> None:
    found = data("fork", "free@6", "--name", "branch")
    assert (found["name"], found["forked_at"]) == ("branch", 6)
    assert rolls(data, "branch") == rolls(data, "free")[:1]
    run("act", "branch", "hold")
    assert data("legal", "free")["position"] == 9
    deeper = data("fork", "branch@3", "--name", "deeper")
    assert deeper["forked_at"] == 3
    assert "fork of" in run("games").output


def test_fork_can_seat_bots(run: Any, data: Any, free: None) -> None:
    found = data("fork", "free", "--name", "bots", "--seat", "p1=bot:random", "--seat", "p2=bot:random")
    assert found["outcome"]["result"] == "won"  # with nobody to wait for, they play to the end
    assert "bot:random, bot:sensible" in run("fork", "free", "--seat", "p1=bot:x", code=2).stderr


def test_note_stands_in_the_log_and_changes_nothing(run: Any, data: Any, free: None) -> None:
    board = data("show", "free@9")
    assert run("note", "free@6", "a", "brave", "roll").output == "Noted on @6.\n"
    assert "Note on @6: a brave roll" in run("log", "free").output
    assert data("legal", "free")["seat"] == "p1"
    assert data("show", "free@9") == board
    assert "some words" in run("note", "free", " ", code=3).stderr


def test_diff_draws_both_boards_where_they_are_asked_for(run: Any, data: Any, free: None) -> None:
    plain = run("diff", "free@6", "@9").output
    assert plain.startswith("free @6 and free @9: ")
    drawn = run("diff", "free@6", "@9", "--boards").output
    assert drawn.endswith(plain)
    assert "free @6" in drawn.splitlines()[0]
    assert "free @9" in drawn.splitlines()[0]  # beside each other in the 100 columns there are
    assert run("diff", "free@6", "@6", "--boards").output == "free @6 and free @6: no difference.\n"
    assert data("diff", "free@6", "@9")["places"] == []  # pig has no board of places


def test_diff_names_the_places_that_changed(run: Any, data: Any) -> None:
    run("new", "space-marine-adventures", "--name", "hulk", "--seed", "ancient", "--seat", "team=bot:random")
    places = data("diff", "hulk@r1", "hulk@r2")["places"]
    assert places
    out = run("diff", "hulk@r1", "hulk@r2", "--boards").output
    assert f"Changed on the board: {', '.join(places)}." in out


def test_a_fork_as_of_a_seat(run: Any, data: Any) -> None:
    run("new", "hidden", "--name", "raid", "--seed", "s", "--undo", "free")
    run("act", "raid", "guard 1", "skip")
    made = data("fork", "raid@d2", "--as-of", "raider", "--name", "what if")
    assert (made["as_of"], made["forked_at"]) == ("raider", data("diff", "raid@d2", "@d2")["left"]["position"])
    assert "What the raider did not know is drawn anew." in run("log", "what if").output
    assert "is a fork of 'raid' after" in run("fork", "raid", "--as-of", "warden").output
    run("audit", "what if", "last")  # exits with 0: nothing is wrong
    assert "There is no seat" in run("fork", "raid", "--as-of", "nobody", code=2).stderr
    assert "Before @" in run("rewind", "what if@d1", code=3).stderr
    found = data("diff", "raid@d2", "what if")
    assert found["right"]["event"] == "Resalted"  # all before it is the same, as far as the fork knows it
