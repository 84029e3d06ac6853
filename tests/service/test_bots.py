"""Bots over HTTP: they are told what programs are told through a pipe, wait for their turn, and play whole games."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from service_house import House, Quiet, Table, house

from warptape.replays.game import Game
from warptape.replays.library import Library
from warptape.replays.outside.messages import encode
from warptape.replays.outside.players import Pace, Player
from warptape.replays.outside.process import Command
from warptape.replays.outside.questions import Question, over, read
from warptape.replays.store import open_store

BOTS = Path(__file__).parents[2] / "docs" / "examples" / "bots"
NODE = shutil.which("node")
DOOM, SEED = "doom-of-the-eldar", "over a pipe and over HTTP"
STEP = 1 if os.environ.get("WARPTAPE_SLOW") else 6
"""Of so many questions one goes over HTTP; the others are answered in the store, which is quicker."""


@pytest.fixture(scope="module")
def opened() -> Iterator[House]:
    with house() as one:
        yield one


class Piped:
    """A whole game of two programs through pipes, and every line that each was told or said."""

    def __init__(self, second: list[str]) -> None:
        self.lines: list[tuple[str, str, bytes]] = []
        commands = {"eldar": [sys.executable, str(BOTS / "greedy.py")], "tyranid": second}
        with open_store(":memory:") as store:
            game = Library[Game](store, Quiet()).new(DOOM, seed=SEED)
            players = {
                seat: Player(seat, Command(tuple(words), str(BOTS), "greedy"), Pace(60), self._hear)
                for seat, words in commands.items()
            }
            try:
                while (decision := game.decision) is not None:
                    game.act(players[decision.seat].choose(game), decision.seat)
                for player in players.values():
                    player.over(game)
            finally:
                for player in players.values():
                    player.close()
            self.told = [(one.kind, one.text) for one in game.log()]

    def _hear(self, seat: str, sign: str, line: bytes) -> None:
        self.lines.append((seat, sign, line))


@pytest.fixture(scope="module")
def piped() -> Piped:
    second = [NODE, str(BOTS / "greedy.mjs")] if NODE else [sys.executable, str(BOTS / "greedy.py")]
    return Piped(second)


def unnamed(hello: bytes) -> bytes:
    """The first message without the id and the name of the game, which are another's here."""
    return re.sub(rb'"game":{"id":"[^"]*","name":"[^"]*"}', b"", hello, count=1)


def timeless(ask: bytes) -> bytes:
    """A question without its clock: over HTTP there is no limit."""
    return re.sub(rb'"clock":{"answer":[^,]*,"game":null}', b"", ask)


@pytest.mark.slow
def test_messages_over_http_are_those_of_a_pipe_byte_for_byte(opened: House, piped: Piped) -> None:
    """One client at each seat gives the answers that the programs gave, and is told what they were told, to the end."""
    table = opened.new(DOOM, seed=SEED)
    since = dict.fromkeys(table.seats, 0)
    kinds, number = set(), 0
    for seat, sign, line in piped.lines:
        if sign == "<":
            number += 1
            if number % STEP:
                table.game.act(Question(table.game, seat).chosen(read(line)), seat)
            else:
                reply = table.ask("POST", "/turn", seat, content=line)
                assert reply.status_code in (200, 204), reply.text
                table.game.refresh()
            since[seat] = json.loads(line)["id"]
        if sign != ">" or (number % STEP and line.startswith(b'{"type":"ask"')):
            continue
        kind = json.loads(line)["type"]
        kinds.add(kind)
        if kind == "bye":
            continue
        path = "/turn/hello" if kind == "hello" else f"/turn?since={since[seat]}"
        found = table.ask("GET", path, seat)
        assert found.status_code == 200
        if kind == "hello":
            assert unnamed(found.content) == unnamed(line)
        elif kind == "ask":
            assert timeless(found.content) == timeless(line)
            assert b'"clock":{"answer":null,"game":null}' in found.content
        else:
            assert found.content == line
    assert kinds == {"hello", "ask", "over", "bye"}


def test_two_programs_play_a_whole_game_over_http(opened: House, piped: Piped) -> None:
    """The examples, which play what the examples for pipes play: each knows what it knew there."""
    table = opened.new(DOOM, seed=SEED)
    second = [NODE, str(BOTS / "greedy_http.mjs")] if NODE else [sys.executable, str(BOTS / "greedy_http.py")]
    commands = {"eldar": [sys.executable, str(BOTS / "greedy_http.py")], "tyranid": second}
    programs = [
        subprocess.Popen(
            [*words, opened.url, table.id],
            env={**os.environ, "WARPTAPE_TOKEN": table.tokens[seat]},
            stderr=subprocess.PIPE,
            text=True,
        )
        for seat, words in commands.items()
    ]
    try:
        for program in programs:
            _, words = program.communicate(timeout=240)
            assert (program.returncode, words) == (0, "")
    finally:
        for program in programs:
            program.kill()
            program.wait()
    table.game.refresh()
    assert table.game.outcome is not None
    assert [(one.kind, one.text) for one in table.game.log()] == piped.told
    assert table.game.audit().ok


def a_turn(opened: House) -> tuple[Table, str, str, dict[str, Any]]:
    """A game, who is asked and who is not, and the question."""
    table = opened.new("hidden", undo="free")
    assert table.game.decision is not None
    mover = table.game.decision.seat
    waiting = next(seat for seat in table.seats if seat != mover)
    return table, mover, waiting, table.get("/turn", mover)


def test_who_is_not_asked_is_told_so_after_the_wait(opened: House) -> None:
    table, _, waiting, _ = a_turn(opened)
    began = time.monotonic()
    answer = table.ask("GET", "/turn?wait=0.4", waiting)
    assert (answer.status_code, answer.content) == (204, b"")
    assert time.monotonic() - began >= 0.4
    assert table.ask("GET", "/turn?wait=26", waiting).status_code == 400


def test_a_wait_ends_as_soon_as_the_seat_is_asked(opened: House) -> None:
    table, mover, waiting, ask = a_turn(opened)
    found: dict[str, Any] = {}

    def wait() -> None:
        answer = opened.ask("GET", f"{table.path}/turn?wait=25", table.tokens[waiting])
        found.update(status=answer.status_code, at=time.monotonic(), **answer.json())

    thread = threading.Thread(target=wait)
    thread.start()
    try:
        deadline = time.monotonic() + 15
        while not len(opened.service.hub) and time.monotonic() < deadline:
            time.sleep(0.01)
        acted = time.monotonic()
        while (table.game.decision or ask) and table.game.decision.seat == mover:  # type: ignore[union-attr]
            table.post("/act", mover, actions=[table.legal(-1)])
            table.game.refresh()
            acted = time.monotonic()
    finally:
        thread.join(30)
    assert (found["status"], found["type"], found["seat"]) == (200, "ask", waiting)
    assert found["at"] - acted < 5  # of 25


def test_an_answer_that_does_not_do_is_refused_and_the_question_stays(opened: House) -> None:
    table, mover, _, ask = a_turn(opened)
    for given, rule in (
        ({"index": ask["count"]}, False),
        ({"index": -1}, False),
        ({}, False),
        ({"index": 0, "action": "skip"}, False),
        ({"action": "xyzzy"}, False),
        ({"list": {"from": 9999}}, False),
    ):
        answer = table.ask("POST", "/turn", mover, json={"id": ask["id"], **given})
        said = answer.json()
        assert (answer.status_code, said["type"], said["id"], said["left"]) == (200, "refused", ask["id"], None)
        assert said["reason"]
        assert bool(said["rule"]) is rule
    assert table.get("/turn", mover) == ask
    more = table.post("/turn", mover, id=ask["id"], list={"from": 1})
    assert (more["type"], more["first"], more["actions"]) == ("actions", 1, ask["actions"][1:])
    assert table.ask("POST", "/turn", mover, json={"id": ask["id"], "index": 0}).status_code in (200, 204)


def test_a_refusal_names_the_rule(opened: House) -> None:
    table = opened.new("space-marine-adventures")
    ask = table.get("/turn", "team")
    said = table.post("/turn", "team", id=ask["id"], action="end")
    assert said["type"] == "refused"
    assert said["reason"]
    assert said["rule"].startswith("SMA-")


def test_a_question_is_answered_once(opened: House) -> None:
    table, mover, _, ask = a_turn(opened)
    first = table.ask("POST", "/turn", mover, json={"id": ask["id"], "index": 0})
    assert first.status_code in (200, 204)
    table.game.refresh()
    length = table.game.length
    again = table.ask("POST", "/turn", mover, json={"id": ask["id"], "index": 0})
    assert again.status_code == 409
    assert (again.json()["expected"], again.json()["actual"]) == (ask["id"], length)
    assert table.ask("POST", "/turn", mover, json={"index": 0}).status_code == 400  # which question?
    table.game.refresh()
    assert table.game.length == length


def test_a_wait_ends_when_the_token_is_revoked(opened: House) -> None:
    table, _, waiting, _ = a_turn(opened)
    fingerprint = next(
        one["fingerprint"] for one in table.get("/tokens", "sees") if one["role"] == "seat" and one["seat"] == waiting
    )
    found: list[int] = []
    thread = threading.Thread(target=lambda: found.append(table.ask("GET", "/turn?wait=25", waiting).status_code))
    thread.start()
    time.sleep(0.3)
    assert table.ask("DELETE", f"/tokens/{fingerprint}", "sees").status_code == 200
    thread.join(10)
    assert found == [401]


def test_the_end_is_told_with_what_led_to_it(opened: House) -> None:
    table = opened.new("pig", options={"goal": 10})
    table.game.run(dict.fromkeys(table.seats, "random"))
    seat = table.seats[1]
    answer = table.ask("GET", "/turn?wait=25&since=3", seat)
    assert answer.content == encode(over(table.game, seat, 3))


def test_no_person_has_the_name_of_a_bot_and_no_program_is_started(opened: House) -> None:
    """What the log says of who acted is true: names of bots are refused, as `--by` refuses them."""
    table, mover, _, _ = a_turn(opened)
    for name in ("bot:sensible", "exec:greedy.py"):
        for path, given in (("/act", {"actions": ["xyzzy"]}), ("/undo", {}), ("/notes", {"text": "a word"})):
            if path == "/act" and name == "exec:greedy.py":
                continue  # a program that the player lets play on a machine of his own
            answer = table.ask("POST", path, mover, json={**given, "person": name})
            assert answer.status_code == 422, path
            assert "it is a person who does it" in answer.json()["message"]
        assert table.ask("DELETE", f"/notes/1?person={name}", mover).status_code == 422
        token = {"role": "seat", "seat": mover, "label": name}
        assert table.ask("POST", "/tokens", "sees", json=token).status_code == 422
        assert (
            opened.ask("POST", "/v1/games", opened.host, json={"ruleset": "hidden", "person": name}).status_code == 422
        )
        code = opened.service.access.issue(table.id, "seat", mover, invite=True)[0]
        assert opened.ask("POST", "/v1/join", json={"invitation": code, "name": name}).status_code == 422
    holders = {mover: "exec:greedy.py"}
    assert opened.ask("POST", "/v1/games", opened.host, json={"ruleset": "hidden", "seats": holders}).status_code == 400
    assert table.ask("POST", "/fork", "sees", json={"seats": holders}).status_code == 400
