"""Two people at one prompt in a game with secrets: who sits down, what they see, and what stays of the one before."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import click
import pytest

import warptape
from warptape.cli.asides import COMMANDS
from warptape.cli.session import Session
from warptape.domain.chance import Luck
from warptape.domain.errors import NotAllowed

SCROLLBACK = "\x1b[3J"
DOOM = ("new", "doom-of-the-eldar", "--name", "doom", "--option", "setup=quickstart", "--seed", "iyanden")
SECRETS = r"#01\(|FS#|\(TH\d\)|\(PR\)|Fleshstealer|mine 7|order is"


@pytest.fixture
def table(run: Any, terminals: Any) -> Any:
    """A game of two people with secrets on a terminal; the Tyranids decide first."""
    run(*DOOM)
    return terminals("play", "doom")


def screen(terminal: Any) -> str:
    """All that is on the terminal and can be scrolled back to."""
    seen: str = terminal.seen.rpartition(SCROLLBACK)[2]
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", seen)


def sit_down(terminal: Any, seat: str) -> None:
    terminal.until(f"Hand over to {seat}, who presses Enter.")
    terminal.type("\r")
    terminal.until(" to decide: ")
    terminal.until(f"{seat}>")


def test_nothing_is_shown_before_somebody_has_sat_down(table: Any) -> None:
    table.until("Hand over to tyranid, who presses Enter.")
    assert "Sector" not in screen(table)
    assert not re.search(SECRETS, table.seen)
    table.type("\t\x1b[A\x03")  # completion, history, Ctrl-C: nobody sits here yet
    table.until("Hand over to tyranid, who presses Enter.")
    assert "mine" not in table.seen
    table.type("\r")
    table.until("tyranid>")
    assert "FS#01" in screen(table)


def test_whoever_leaves_where_the_game_is_handed_over_has_seen_nothing(table: Any) -> None:
    table.until("Hand over to tyranid, who presses Enter.")
    table.type("quit\r")
    table.until("Recorded up to @")
    assert table.ended() == 0
    assert "Sector" not in table.seen
    assert not re.search(SECRETS, table.seen)


def test_what_is_typed_at_one_seat_of_a_game_with_secrets_is_in_no_history_of_another(
    run: Any, terminals: Any, tmp_path: Any
) -> None:
    """Two people of one account, each at a seat of their own; the line that says how to go on names the seat."""
    run(*DOOM)
    terminal = terminals("play", "doom", "--as", "tyranid")
    terminal.until("tyranid>")
    terminal.type("mine 7\r")
    terminal.until("order is 7")
    terminal.until("tyranid>")
    terminal.type("quit\r")
    terminal.until("`warptape play 'doom' --as tyranid` goes on from there.")
    assert terminal.ended() == 0
    terminal = terminals("play", "doom", "--as", "eldar")
    terminal.until("eldar, waiting for tyranid>")
    terminal.type("\x1b[A\r")
    terminal.until("eldar, waiting for tyranid>")
    terminal.type("quit\r")
    assert terminal.ended() == 0
    assert "mine 7" not in terminal.seen
    history = tmp_path / "state" / "warptape" / "history"
    assert not history.exists() or "mine 7" not in history.read_text()


def test_nothing_stays_of_the_seat_before(table: Any, data: Any) -> None:
    """Neither on the screen nor above it, nor in history, completion and repetition; and each command is the seat's."""
    sit_down(table, "tyranid")
    table.type("mine 7\r")
    table.until("order is 7")
    table.until("tyranid>")
    table.type("end\r")
    table.until("Hand over to eldar, who presses Enter.")
    assert not re.search(SECRETS, screen(table))
    assert "Sector" not in screen(table)
    table.type("\t\x1b[A")
    table.type("\r")
    table.until(" to decide: ")
    table.until("eldar>")
    assert "tyranid: acts in secret" in screen(table)
    table.type("\x1b[A\x1b[A\x15.\r")
    table.until("There is no action to repeat")
    for line, answer in (
        ("log 60", "Swarm #01 enters"), ("show", "Off the map"), ("show @start", "Off the map"), ("legal use", "vision"),
        ("lines", "decisions"), ("undo", "eldar may not take back an action of tyranid"), ("redo", "nothing to redo"),
        ("why hit FS", "You know of no FS"), ("mv FS n1", "You know of no FS"), ("note watch n1", "Noted on"),
    ):  # fmt: skip
        table.type(f"{line}\r")
        table.until(answer)
        table.until("eldar>")
    assert not re.search(SECRETS, screen(table))
    (note,) = [event for event in data("log", "doom") if event["kind"] == "NoteAdded"]
    assert note["event"]["seat"] == "eldar"
    table.type("\x04")
    table.until("Recorded up to")
    assert table.ended() == 0
    assert "Sector" not in screen(table)


def test_what_a_seat_missed_is_told_when_it_sits_down_again(table: Any) -> None:
    sit_down(table, "tyranid")
    for line in ("mine 3", "end"):
        table.type(f"{line}\r")
        if line == "mine 3":
            table.until("tyranid>")
    sit_down(table, "eldar")
    table.type("use spear\r")
    table.until("torpedoes, rolled")
    while (
        table.until("eldar>", "to decide: Which special", "Which Swarm", "Hand over to tyranid")
        != "Hand over to tyranid"
    ):
        table.type("1\r")
        table.until("eldar: ", "Hand over to tyranid")
        if "Hand over to tyranid" in screen(table):
            break
    table.type("\r")
    table.until("tyranid>")
    seen = screen(table)
    assert seen.index("eldar: use spear") < seen.index("Tyranid movement.")


def test_consent_is_given_by_the_seat_that_did_not_ask(run: Any, data: Any, terminals: Any) -> None:
    """In the hot seat it takes the chair for that; whoever asks cannot answer."""
    run(*DOOM, "--undo", "consent")
    run("act", "doom", "mine 3", "end", "use spear")
    table = terminals("play", "doom")
    sit_down(table, "eldar")
    table.type("undo\r")
    table.until("would like to take back")
    table.until("eldar>")
    table.type("consent yes\r")
    table.until("Hand over to tyranid, who presses Enter.")
    table.type("\r")
    table.until("Do you agree, tyranid?")
    table.type("no\r")
    sit_down(table, "eldar")
    table.type("undo\r")
    table.until("would like to take back")
    table.until("eldar>")
    table.type("consent yes\r")
    table.until("Hand over to tyranid, who presses Enter.")
    table.type("\r")
    table.until("Do you agree, tyranid?")
    table.type("yes\r")
    sit_down(table, "eldar")
    table.type("\x04")
    assert table.ended() == 0
    answers = [event["event"] for event in data("log", "doom") if event["kind"] == "UndoAnswered"]
    assert [(answer["seat"], answer["granted"]) for answer in answers] == [("tyranid", False), ("tyranid", True)]
    (report,) = data("audit", "doom")
    assert report["ok"]
    assert [(found["seat"], found["consent"], found["count"]) for found in report["takebacks"]] == [
        ("eldar", "tyranid", 1)
    ]


def test_a_curtain_falls_in_the_raid_too(run: Any, data: Any, terminals: Any) -> None:
    run("new", "hidden", "--name", "raid", "--seed", "s")
    terminal = terminals("play", "raid")
    first = data("legal", "raid")["seat"]
    other = {"raider": "warden", "warden": "raider"}[first]
    sit_down(terminal, first)
    terminal.type("1\r")
    while terminal.until(f"Hand over to {other}", " to decide: ") != f"Hand over to {other}":
        terminal.until(f"{first}>")
        terminal.type("1\r")
    terminal.until("presses Enter.")
    terminal.type("\r")
    terminal.until(f"{other}>")
    terminal.type("\x04")
    assert terminal.ended() == 0


def test_an_open_game_and_a_single_seat_have_no_curtain(run: Any, pig: Any, terminals: Any) -> None:
    run(*DOOM)
    for words, prompt in ((("first",), "p1>"), (("doom", "--as", "tyranid"), "tyranid>")):
        terminal = terminals("play", *words)
        terminal.until(prompt)
        assert "Hand over" not in terminal.seen
        terminal.type("\x04")
        assert terminal.ended() == 0


def test_what_another_process_plays_does_not_show_at_the_seat(table: Any, run: Any, data: Any) -> None:
    """Whoever sits here is not told what the next seat may know, and the line typed is not that seat's."""
    sit_down(table, "tyranid")
    run("act", "doom", "mine 7", "end")
    before = data("legal", "doom")["length"]
    table.type("1\r")
    table.until("That line is not taken")
    table.until("Hand over to eldar")
    assert data("legal", "doom")["length"] == before
    table.type("\x04")
    assert table.ended() == 0


# Whole games at one prompt


class Chairs:
    """A session without a terminal, at which both seats type random actions; keeps what each was shown."""

    def __init__(self, game: Any, luck: Luck, monkeypatch: pytest.MonkeyPatch, lines: int) -> None:
        self.session = Session(game, self.read, curtain=True)
        self.luck, self.lines = luck, lines
        self.shown: list[tuple[str | None, str]] = []
        self.prompts: list[str] = []
        monkeypatch.setattr(click, "echo", self.echo)
        monkeypatch.setattr("warptape.cli.session.blank", lambda: None)

    def echo(self, text: Any = "", **how: Any) -> None:
        self.shown.append((self.session.at_seat, str(text)))

    def read(self, prompt: str) -> str:
        game, session = self.session.game, self.session
        self.prompts.append(prompt)
        if prompt.startswith("Hand over"):
            assert session.at_seat is None
            assert session.completions() == []
            assert session.history() is None
            return ""
        decision = game.decision
        if decision is None or self.lines == 0:
            raise EOFError
        self.lines -= 1
        assert prompt == f"{decision.seat}> "
        assert session.at_seat == session.viewer == session.acting == decision.seat
        self.shown += [(session.at_seat, text) for text in session.completions()]
        return self.luck.choice(["show", "legal", "log 40", *[str(1 + self.luck.below(len(decision.actions)))] * 6])


@pytest.fixture
def chairs(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    with warptape.open(":memory:") as store:
        yield lambda number, lines: Chairs(
            store.new("doom-of-the-eldar", seed=f"chairs {number}", options={"setup": "quickstart"}),
            Luck("chairs", number),
            monkeypatch,
            lines,
        )


def decided(game: Any) -> Iterator[tuple[Any, str]]:
    """Every action that was taken, with the phase in which it was; the log is folded once."""
    state = game.ruleset.state()
    for _, event in game.events():
        if type(event).__name__ == "ActionTaken":
            yield event, state.phase
        event.apply(state)


def test_no_seat_is_shown_what_only_the_other_may_know(chairs: Any) -> None:
    """Over random games at one prompt: the Eldar are never told what a Swarm is before it is revealed to them."""
    found = handed = interrupts = 0
    for number in range(2):
        seats = chairs(number, 330)
        session, game = seats.session, seats.session.game
        session.run()
        # By token, from which position on the Eldar may know what it is.
        known: dict[str, int] = {}
        for position, event in game.events():
            if type(event).__name__ == "CounterRevealed" and (event.seen_by is None or "eldar" in event.seen_by):
                known.setdefault(event.token, position)
        hidden = "|".join(f"{n:02}" for n in range(1, game.state.tokens + 1) if f"#{n:02}" not in known)
        assert hidden
        token = f"#(?:{hidden})"
        names = re.compile(rf"{token}\(|[A-Z0-9]{token}|{token} is [A-Z]|{token} \([A-Z]")
        for seat, text in seats.shown:
            named = names.search(text)
            if seat == "eldar":
                assert not named, text
                assert "order is" not in text
            elif named:
                found += 1
            assert seat is not None or text.startswith(("\nRecorded", "Recorded")), text
        order = [prompt.split()[3].rstrip(",") for prompt in seats.prompts if prompt.startswith("Hand over")]
        assert all(one != other for one, other in pairwise(order)), "hands over to whom it is from"
        handed += len(order)
        interrupts += sum(
            event.seat == "eldar" and type(event.action).__name__ == "LoseCounter" and phase.startswith("tyranid")
            for event, phase in decided(game)
        )
    assert found > 100
    assert handed > 15
    assert interrupts > 0, "no Eldar decision within a battle of the Tyranids was met"


def test_the_opponents_decision_in_ones_own_battle_hands_over_and_back(chairs: Any) -> None:
    """The Eldar choose a loss in a Tyranid battle: the prompt is theirs for that, then the Tyranids' again."""
    seats = chairs("battle", 400)
    game = seats.session.game
    seats.session.run()
    asked = [prompt for prompt in seats.prompts if prompt.startswith("Hand over")]
    phases = [(event.seat, phase) for event, phase in decided(game)]
    assert ("eldar", "tyranid_combat") in phases
    changes = [seat for number, (seat, _) in enumerate(phases) if number == 0 or phases[number - 1][0] != seat]
    assert [prompt.split()[3].rstrip(",") for prompt in asked][: len(changes)] == changes


def test_undo_at_the_prompt_is_of_the_seat_that_sits_there() -> None:
    with warptape.open(":memory:") as store:
        game = store.new("doom-of-the-eldar", seed="undo", options={"setup": "quickstart"})
        game.act("mine 3")
        game.act("end")
        assert game.decision.seat == "eldar"
        session = Session(game, lambda prompt: "")
        session.at_seat = "eldar"
        with pytest.raises(NotAllowed, match="eldar may not take back an action of tyranid"):
            COMMANDS["undo"](session, "")


def test_a_secret_draw_of_real_counters_is_entered_by_who_may_see_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """At a table the Tyranids draw: the prompt asks them, not the Eldar whose line led to the draw."""
    with warptape.open(":memory:") as store:
        game = store.new("doom-of-the-eldar", seed="t", chance="table", seats={})
        shown: list[tuple[str | None, str]] = []
        lines = iter(["quickstart", "end"])
        session: Session

        def read(prompt: str) -> str:
            if prompt.startswith("Hand over"):
                return ""
            if prompt == "result> ":
                dice = "One of: 1, 2, 3, 4, 5, 6." in shown[-1][1]
                shown.append((session.at_seat, "counter" if not dice else "die"))
                return session.completions()[0]
            return next(lines, "quit")

        session = Session(game, read, curtain=True)
        monkeypatch.setattr(click, "echo", lambda text="", **how: shown.append((session.at_seat, str(text))))
        monkeypatch.setattr("warptape.cli.session.blank", lambda: None)
        session.run()
        drawn = [seat for seat, text in shown if text == "counter"]
        assert drawn == ["tyranid"] * len(drawn) != []
        assert not any("bag 'lid'" in text for seat, text in shown if seat == "eldar")
        assert game.decision.seat == "tyranid"


def test_one_seat_alone_cannot_enter_what_only_the_other_may_see(run: Any) -> None:
    run("new", "doom-of-the-eldar", "--name", "t", "--chance", "table")
    out = run("play", "t", "--as", "eldar", stdin="quickstart\nend\n1\n2\n").output
    assert "It is for tyranid alone to see. Have it entered by who may see it" in out
    assert "Left undone." in out
    assert not re.search(r"\bGH1\b|\bHM\b", out)
