"""play: at a prompt, as lines from a pipe and as keys on a terminal."""

from __future__ import annotations

import re
import signal
from typing import Any

import pytest

from warptape.cli import app


def played(run: Any, *lines: str, game: str = "first", code: int = 0) -> str:
    output: str = run("play", game, stdin="".join(f"{line}\n" for line in lines), code=code).output
    return output


def test_board_question_and_numbered_actions(run: Any, pig: Any) -> None:
    out = played(run, "roll")
    assert "turn total" in out
    assert "to decide: Roll or hold?" in out
    assert "  1  roll\n  2  hold\n" in out
    assert "Recorded up to @6. `warptape play 'first'` goes on from there." in out


def test_an_action_by_number_by_notation_and_again(run: Any, data: Any, pig: Any) -> None:
    played(run, "1", "roll", ".", "")
    assert [event["text"] for event in data("log", "first") if event["kind"] == "ActionTaken"] == ["p1: roll"] * 4


def test_why_takes_numbers_as_actions_do(run: Any, pig: Any) -> None:
    out = played(run, "why 1", "why 2", "why 99")
    assert "Legal: " in out
    assert "refused PIG-2" in played(run, "why hold")
    assert "There is no action number 99" in out


def test_there_is_nothing_to_repeat_at_first(run: Any, data: Any, pig: Any) -> None:
    assert "no action to repeat" in played(run, "", ".")
    assert data("legal", "first")["length"] == 4


def test_refusals_and_typos_are_told_and_the_game_goes_on(run: Any, data: Any, pig: Any) -> None:
    out = played(run, "hold", "fly", "99", "roll")
    assert "refused PIG-2" in out
    assert "type roll or hold" in out
    assert "There is no action number 99" in out
    assert out.count("`legal` lists what may be done, `help` says what else can be typed.") == 1
    assert data("legal", "first")["length"] == 7


def test_commands_inside(run: Any, data: Any) -> None:
    run("new", "pig", "--undo", "free", "--name", "free", "--seed", "s")
    out = played(
        run, "roll", "undo", "redo", "why hold", "why", "note good", "log", "log 2", "legal", "legal hold", "legal fly",
        "show", "show 3", "show @d1", "show x", "lines", "help", "?", "undo --reroll", "undo wrong", "consent yes",
        "/show", "exit", game="free",
    )  # fmt: skip
    for sentence in (
        "Taken back to @3.", "Played again after all", "Legal: hold.", "Type the action after", "Noted on @",
        "No legal action begins with 'fly'", "is no place in a game", " *  1 decision", "Nothing is lost when you leave",
        "Fate has a new salt", "Type `undo`", "Nobody asks", "Recorded up to",
    ):  # fmt: skip
        assert sentence in out, sentence
    assert "Traceback" not in out


def test_legal_with_a_name_lists_what_names_it(run: Any) -> None:
    run("new", "doom-of-the-eldar", "--seed", "names", "--name", "doom", "--seat", "tyranid=bot:random")
    out = played(run, "legal tem", "legal TE", "quit", game="doom").split("legal tem", 1)[1]
    assert "set souls TEM" in out
    assert "set souls EXA" not in out
    assert "No legal action begins with 'TE' or names it now" in out


def test_the_end_shows_the_outcome_and_what_to_do_next(run: Any) -> None:
    run("new", "pig", "--option", "goal=1", "--name", "short", "--seed", "s", "--chance", "table")
    out = played(run, "roll", "5", "hold", "roll", "q", game="short")
    assert "The game is over: won (p1), the goal is reached." in out
    assert "warptape audit 'short'" in out
    assert "The game is over: `undo`" in out


def test_a_table_game_asks_for_each_result(run: Any, data: Any) -> None:
    run("new", "pig", "--chance", "table", "--name", "table")
    out = played(run, "roll", "7", "four", "4", "roll", "", "roll", game="table")
    assert out.count("What came out of a die") == 3
    assert "'7' cannot be: one of 1, 2, 3, 4, 5, 6." in out
    assert "Left undone." in out
    assert [e["event"]["values"] for e in data("log", "table") if e["kind"] == "DiceRolled"] == [[4]]


def test_bots_move_first_and_answer(run: Any) -> None:
    run("new", "pig", "--seat", "p2=bot:sensible", "--name", "duel", "--seed", "s")
    out = played(run, "roll", "hold", game="duel")
    assert "p2: roll" in out


def test_consent_at_the_prompt(run: Any, data: Any) -> None:
    run("new", "pig", "--undo", "consent", "--name", "fair", "--seed", "lucky")
    out = played(run, "roll", "undo", "consent yes", game="fair")
    assert "Player 1 would like to take back all after the opening (@3)." in out
    assert "Agreed to by Player 2." in out
    assert data("legal", "fair")["position"] == 3


def test_play_of_a_ruleset_says_how_to_start(run: Any) -> None:
    assert "`warptape new pig` starts one" in run("play", "pig", code=2, stdin="").stderr
    assert "no games in this store" in run("play", "nothing", code=2, stdin="").stderr


def test_one_seat_only(run: Any, pig: Any) -> None:
    assert (
        run("play", "first", "--as", "p2", stdin="legal\nlegal roll\n").output.count("(p1) to decide: Roll or hold?")
        == 3
    )
    out = run("play", "first", "--as", "p2", stdin="roll\n\n").output
    assert "p2, waiting for p1> roll" in out
    assert out.count("p1 to decide now, not for p2") == 1
    assert "1  roll" not in out
    assert "1  roll" in run("play", "first", "--as", "p1", stdin="").output


def test_each_seat_sees_only_its_own_secrets(run: Any, data: Any) -> None:
    """In the raid the raider's counters are hidden from the warden: no board or sentence of the other seat shows them."""
    run("new", "hidden", "--name", "raid", "--seed", "s", "--seat", "raider=bot:random")
    log = data("log", "raid", "--as", "all")
    hidden = [event["event"]["item"] for event in log if event["event"].get("seen_by") == ["raider"]]
    hidden = [item for item in hidden if isinstance(item, str)]
    out = played(run, "log 500", "show", game="raid")
    seen = [event["event"].get("item") for event in data("log", "raid", "--as", "warden")]
    secret = [item for item in hidden if item not in seen]
    assert secret, "the seed must give the raider something that the warden does not know"
    assert not [item for item in secret if re.search(rf"\b{re.escape(item)}\b", out)]


# On a terminal


def test_a_terminal_gets_colours_completion_and_history(
    run: Any, data: Any, pig: Any, terminals: Any, tmp_path: Any
) -> None:
    terminal = terminals("play", "first")
    terminal.until("p1>")
    assert "\x1b[1m" in terminal.seen
    terminal.type("ro\t")
    terminal.until("ll")  # only what completion adds is drawn
    terminal.type("\r")
    terminal.until("Rolled")
    terminal.until("p1>")
    terminal.type("\x1b[A\r")  # the arrow up
    terminal.until("Rolled")
    terminal.until("p1>")
    terminal.type("quit\r")
    assert terminal.ended() == 0
    assert data("legal", "first")["length"] == 10
    assert "roll" in (tmp_path / "state" / "warptape" / "history").read_text()


def test_ctrl_c_and_ctrl_d_lose_nothing(run: Any, data: Any, pig: Any, terminals: Any) -> None:
    terminal = terminals("play", "first")
    terminal.until("p1>")
    terminal.type("roll\r")
    terminal.until("Rolled")
    terminal.until("p1>")
    terminal.type("hol\x03")
    terminal.until("Nothing of this line was done")
    terminal.until("p1>")
    terminal.type("\x04")
    terminal.until("Recorded up to @6.")
    assert terminal.ended() == 0
    assert "Traceback" not in terminal.seen
    assert data("legal", "first")["length"] == 7


def test_no_color_is_honoured(run: Any, pig: Any, terminals: Any) -> None:
    for words in (("show", "first"), ("log", "first"), ("games",), ("legal", "first")):
        terminal = terminals(*words, NO_COLOR="1")
        assert terminal.ended() == 0
        assert "\x1b[" not in terminal.seen
    terminal = terminals("games")
    assert terminal.ended() == 0
    assert "\x1b[1m" in terminal.seen


def test_play_offers_a_new_game(data: Any, terminals: Any) -> None:
    terminal = terminals("play", "pig")
    terminal.until("Start a new game of pig?")
    terminal.type("y\r")
    terminal.until("p1>")
    terminal.type("\x04")
    assert terminal.ended() == 0
    assert [game["ruleset"] for game in data("games")] == ["pig"]


def test_replay_steps_by_keys(run: Any, pig: Any, terminals: Any) -> None:
    run("act", "first", "roll", "roll")
    terminal = terminals("replay", "first", "--plain")
    terminal.until("Step 0 of 2")
    for keys, shown in (("\x1b[C", "Step 1"), ("\r", "Step 2"), ("\x1b[D", "Step 1"), ("g", "Step 0"), ("G", "Step 2")):
        terminal.type(keys)
        terminal.until(shown)
        terminal.until("leave")
    terminal.type("q")
    assert terminal.ended() == 0


def test_delete_asks_on_a_terminal(run: Any, data: Any, pig: Any, terminals: Any) -> None:
    terminal = terminals("delete", "first")
    terminal.until("Delete game")
    terminal.type("n\r")
    assert terminal.ended() == 130
    assert len(data("games")) == 1


def test_a_killed_prompt_loses_nothing(run: Any, data: Any, pig: Any, terminals: Any) -> None:
    terminal = terminals("play", "first")
    terminal.until("p1>")
    terminal.type("roll\r")
    terminal.until("Rolled")
    terminal.process.send_signal(signal.SIGKILL)
    assert terminal.ended() == -signal.SIGKILL
    assert data("legal", "first")["length"] == 7
    (report,) = data("audit", "first")
    assert report["ok"]


def test_what_others_do_meanwhile_is_told(run: Any, pig: Any, terminals: Any) -> None:
    terminal = terminals("play", "first", "--as", "p2")
    terminal.until("waiting for p1>")
    run("act", "first", "roll", "hold")
    terminal.type("\r")
    terminal.until("Meanwhile:")
    terminal.until("p1: hold")
    terminal.until("p2>")
    terminal.type("roll\r")
    terminal.until("p2: roll")
    terminal.until("p2>")
    terminal.type("\x04")
    assert terminal.ended() == 0


def test_long_texts_go_on_between_words_below_their_beginning(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(app, "is_terminal", lambda: True)
    monkeypatch.setattr(app, "width", lambda: 40)
    app.say_hanging("  1  equip MAX  ", "Maximus takes a card with a long text")
    assert capsys.readouterr().out == (
        "  1  equip MAX  Maximus takes a card\n                with a long text\n"
    )  # fmt: skip
    monkeypatch.setattr(app, "is_terminal", lambda: False)
    app.say_hanging("  1  equip MAX  ", "Maximus takes a card with a long text")
    assert capsys.readouterr().out == "  1  equip MAX  Maximus takes a card with a long text\n"


def test_the_log_counts_what_it_prints_and_a_note_says_where_it_stands(run: Any, pig: Any) -> None:
    out = played(run, "roll", "roll", "note brave", "log 3")
    told = [line for line in out.split("p1> log 3\n")[1].splitlines() if re.match(r" +\d+  ", line)]
    found = re.search(r"Noted on @(\d+)\.", out)
    assert found is not None
    assert len(told) == 3
    assert told[-1] == f"{int(found[1]) + 1:>5}  Note on @{found[1]}: brave"
