"""act, legal, why."""

from __future__ import annotations

import re
from typing import Any


def test_act_tells_what_happened_and_what_is_next(run: Any, pig: Any) -> None:
    out = run("act", "first", "roll").output
    assert "p1: roll" in out
    assert "Rolled" in out
    assert "to decide: Roll or hold?" in out


def test_one_text_is_one_undo_and_several_texts_are_several(run: Any, data: Any) -> None:
    run("new", "pig", "--seed", "lucky", "--name", "free", "--undo", "free")
    run("act", "free", "roll roll")
    assert data("undo", "free")["position"] == 3
    run("act", "free", "roll", "roll")
    assert data("undo", "free")["position"] == 13  # the log is at 10; one roll is 11 to 13


def test_the_first_refused_of_several_is_named_with_what_stands(run: Any, data: Any, pig: Any) -> None:
    error = run("act", "first", "roll", "hold", "hold", code=3).stderr
    assert "'hold' failed; 2 before it are recorded." in error
    assert "refused PIG-2".lower() in error.lower()
    assert data("legal", "first")["seat"] == "p2"


def test_a_line_of_several_actions_is_all_or_none(run: Any, data: Any) -> None:
    run("new", "pig", "--seed", "lucky", "--name", "free", "--undo", "free")
    run("act", "free", "roll hold hold", code=3)
    assert data("legal", "free")["position"] == 3


def test_act_reads_lines_and_names_the_one_that_fails(run: Any, data: Any, pig: Any) -> None:
    error = run("act", "first", "-", stdin="# the opening\nroll\n\nrol\nhold\n", code=2).stderr
    assert "Line 4: 'rol' failed; 1 before it is recorded." in error
    found = data("act", "first", "-", stdin="roll\nhold\n")
    assert found["seat"] == "p2"
    assert run("act", "first", "-", stdin="").output.startswith("No actions were given.")


def test_a_key_makes_a_retry_safe(data: Any, run: Any, pig: Any) -> None:
    once = data("act", "first", "roll", "roll", "--key", "k1")
    again = data("act", "first", "roll", "roll", "--key", "k1")
    assert not once["repeated"]
    assert again["repeated"]
    assert again["position"] == once["position"]
    assert "recorded before" in run("act", "first", "roll", "roll", "--key", "k1").output


def test_a_retry_after_half_of_it_records_the_rest(data: Any, run: Any, pig: Any) -> None:
    run("act", "first", "roll", "--key", "k")
    found = data("act", "first", "roll", "roll", "--key", "k")
    assert found["position"] == 9


def test_expect_is_a_conflict_when_somebody_acted(run: Any, data: Any, pig: Any) -> None:
    run("act", "first", "roll", "--expect", "3")
    error = run("act", "first", "roll", "--expect", "3", code=4).stderr
    assert "Meanwhile: @4 p1" in error
    assert data("legal", "first")["length"] == 7


def test_out_of_turn_is_refused(run: Any, pig: Any) -> None:
    assert "p1 to decide now, not for p2" in run("act", "first", "roll", "--as", "p2", code=3).stderr
    assert "Its seats: p1, p2" in run("act", "first", "roll", "--as", "cat", code=2).stderr


def test_bots_answer(data: Any, run: Any) -> None:
    run("new", "pig", "--seed", "a", "--seat", "p2=bot:sensible", "--name", "duel")
    run("act", "duel", "roll")
    found = data("act", "duel", "hold")
    assert found["seat"] == "p1"
    assert {event["event"].get("person") for event in found["events"]} >= {"bot:sensible"}


def test_table_chance_is_entered(run: Any, data: Any) -> None:
    run("new", "pig", "--chance", "table", "--name", "table")
    error = run("act", "table", "roll", code=2).stderr
    assert "One of: 1, 2, 3, 4, 5, 6." in error
    assert "--rolled" in error
    assert "cannot come out" in run("act", "table", "roll", "--rolled", "7", code=2).stderr
    assert "Nothing here needs" in run("act", "table", "roll", "--rolled", "4,5", code=2).stderr
    assert data("legal", "table")["position"] == 3
    found = data("act", "table", "roll", "roll", "--rolled", "4", "--rolled", "6")
    assert [event["event"]["values"] for event in found["events"] if event["kind"] == "DiceRolled"] == [[4], [6]]
    assert "once for each" in run("act", "table", "roll", "hold", "--rolled", "4", code=2).stderr


def test_a_shell_that_ate_part_of_an_action_gets_a_hint(run: Any, pig: Any) -> None:
    assert "quotes" in run("act", "first", code=2).stderr
    assert "quotes" in run("act", "first", "mv", "MAX", code=2).stderr


def test_legal_groups_and_numbers(run: Any, data: Any, pig: Any) -> None:
    run("act", "first", "roll")
    found = data("legal", "first")
    assert [(item["number"], item["verb"], item["notation"]) for item in found["actions"]] == [
        (1, "roll", "roll"),
        (2, "hold", "hold"),
    ]
    assert "2  hold" in run("legal", "first", "hold").output
    assert "Verbs: roll, hold" in run("legal", "first", "fly", code=2).stderr


def test_legal_lists_the_actions_that_name_a_piece_or_a_place(run: Any, data: Any) -> None:
    run("new", "doom-of-the-eldar", "--seed", "names", "--name", "doom", "--seat", "tyranid=bot:random")
    every = data("legal", "doom")["actions"]
    for name, lower in (("TEM", "tem"), ("souls", "SOULS")):
        found = data("legal", "doom", "--for", lower)["actions"]
        assert found == [item for item in every if name in item["notation"].split()]
        assert 1 < len(found) < len(every)
    assert data("legal", "doom", "set", "--for", "TEM")["actions"] == data("legal", "doom", "--for", "TEM")["actions"]
    assert "set souls TEM" in run("legal", "doom", "--for", "TEM").output
    assert "No legal action names 'TE' now" in run("legal", "doom", "--for", "TE", code=2).stderr
    assert "begins with 'quickstart' now" in run("legal", "doom", "quickstart", "--for", "TEM", code=2).stderr


def test_legal_for_a_seat_is_nothing_while_another_must_decide(run: Any, data: Any, pig: Any) -> None:
    assert [item["notation"] for item in data("legal", "first", "--as", "p1")["actions"]] == ["roll"]
    waiting = data("legal", "first", "--as", "p2")
    assert (waiting["seat"], waiting["actions"]) == ("p1", [])
    assert "Verbs: none, p1 must decide" in run("legal", "first", "roll", "--as", "p2", code=2).stderr
    assert "Its seats: p1, p2" in run("legal", "first", "--as", "cat", code=2).stderr


def test_who_acts_is_told_what_that_seat_may_know(run: Any, data: Any) -> None:
    """The warden acts, takes back and does again; the raider's bot draws and storms in secret in between."""
    run("new", "hidden", "--name", "raid", "--seed", "s", "--seat", "raider=bot:random", "--undo", "free")
    lines: list[str] = []
    events: list[Any] = []
    for number in range(1, 13):
        asked = data("legal", "raid", "--as", "warden")
        assert asked["seat"] == "warden"
        action = asked["actions"][0]["notation"]
        if number % 2:
            lines += run("act", "raid", action).output.splitlines()
        else:
            events += data("act", "raid", action)["events"]
        if number % 5 == 0:
            lines += run("undo", "raid").output.splitlines()
            events += data("redo", "raid")["events"]
    known = {event["position"]: event["event"] for event in data("log", "raid", "--as", "warden")}
    assert [event["event"] for event in events] == [known[event["position"]] for event in events]
    said = re.sub(" +", " ", run("log", "raid", "--as", "warden").output)
    told = [re.sub(" +", " ", line).strip() for line in lines if re.match(r" *\d+  ", line)]
    assert not [line for line in told if line not in said.replace(" x ", " ")]
    assert any("acts in secret" in line for line in told)
    assert any(event["event"].get("seen_by") == ["raider"] for event in events)


def test_why_explains_with_the_rule_and_changes_nothing(run: Any, data: Any, pig: Any) -> None:
    refused = run("why", "first", "hold", code=3)
    assert "PIG-2" in refused.output
    assert "there is nothing to hold yet" in refused.output
    found = data("why", "first", "hold", code=3)
    assert (found["legal"], found["rule"]) == (False, "PIG-2")
    assert "Legal: roll." in run("why", "first", "roll").output
    assert "type roll or hold" in run("why", "first", "hodl", code=2).stderr
    assert data("legal", "first")["length"] == 4


def test_why_quotes_the_register_of_a_game_that_has_one() -> None:
    from types import SimpleNamespace

    from warptape.cli.commands.acting import rule_texts
    from warptape.domain import register
    from warptape.domain.rules import installed, ruleset

    for name in installed():
        rules = ruleset(name)
        book = register.of(type(rules))
        if book is not None:
            (found,) = rule_texts(SimpleNamespace(ruleset=rules), book.rules[0].id)  # type: ignore[arg-type]
            assert found["text"] == book.rules[0].text
            return
    raise AssertionError("no installed ruleset has a register")


def test_a_number_is_for_the_prompt(run: Any, pig: Any) -> None:
    error = run("act", "first", "1", code=2).stderr
    assert "Numbers are for the prompt of `warptape play`" in error
    assert "Numbers" not in run("act", "first", "fly", code=2).stderr
