"""`play` on terminals at two machines: it wakes when the other seat has acted, and outlasts a line that drops."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cutting import Cutter

from warptape.replays.remote.passes import Wallet
from warptape.served import ServedStore, open_served


@pytest.fixture
def cutter(live: Any) -> Iterator[Cutter]:
    made = Cutter(live.port)
    yield made
    made.close()


@pytest.fixture
def host(live: Any, tmp_path: Path) -> Iterator[ServedStore]:
    """Whoever sets games up, at a line that holds."""
    with open_served(live.url, wallet=Wallet(tmp_path / "host.json")) as opened:
        yield opened


def joined(server: str, code: str, profiles: Path) -> None:
    """Take an invitation up."""
    with open_served(server, wallet=Wallet(profiles)) as other:
        other.join(code)


def rolls(store: ServedStore, game: str) -> int:
    """How many actions are recorded."""
    return [row.kind for row in store.game(game).rows()].count("ActionTaken")


def test_the_one_who_waits_is_woken_and_keeps_what_was_typed(
    host: ServedStore, live: Any, terminals: Any, tmp_path: Path
) -> None:
    game = host.new("pig", seed="woken", name="duel", undo="consent")
    seats = {}
    for seat, code in game.invitations.items():
        joined(live.url, code, tmp_path / f"{seat}.json")
        seats[seat] = terminals("--store", live.url, "play", "duel", WARPTAPE_PROFILES=str(tmp_path / f"{seat}.json"))
    seats["p1"].until("p1>")
    seats["p2"].until("p2, waiting for p1>")
    seats["p2"].type("note wai")
    seats["p1"].type("roll\r")
    seats["p1"].until("Rolled")
    seats["p2"].until("Meanwhile:")
    seats["p2"].until("Rolled")
    seats["p2"].until("p2, waiting for p1>")
    seats["p2"].type("ting\r")
    seats["p2"].until("Noted on @")
    seats["p1"].until("Meanwhile:")
    seats["p1"].type("hold\r")
    seats["p2"].until("p2 to decide", "(p2) to decide")
    seats["p2"].until("p2>")
    seats["p2"].type("roll\r")
    seats["p2"].until("Rolled")
    assert [note.text for note in host.game("duel").notes()] == ["waiting"]
    for one in seats.values():
        one.type("quit\r")
        assert one.ended() == 0
    assert rolls(host, "duel") == 3


def test_a_line_that_drops_is_told_once_and_nothing_is_lost(
    host: ServedStore, cutter: Cutter, terminals: Any, tmp_path: Path
) -> None:
    game = host.new("pig", seed="dropped", name="solo", undo="free", options={"goal": 1000})
    joined(cutter.url, game.invitations["p1"], tmp_path / "p1.json")
    terminal = terminals("--store", cutter.url, "play", "solo", WARPTAPE_PROFILES=str(tmp_path / "p1.json"))
    terminal.until("p1>")
    cutter.cut("answer", 300)
    terminal.type("roll\r")
    terminal.until("Rolled")
    terminal.until("p1>", "p1, waiting for p2>")
    cutter.drop()
    terminal.until("is down")
    terminal.until("trying again")
    time.sleep(0.5)
    cutter.restore()
    terminal.until("is back")
    terminal.until(">")
    terminal.type("note still here\r")
    terminal.until("Noted on @")
    assert terminal.seen.count("is back") == terminal.seen.count("is down")
    terminal.type("quit\r")
    assert terminal.ended() == 0
    assert rolls(host, "solo") == 1


def test_ctrl_c_while_the_line_is_down_loses_nothing_and_does_nothing_twice(
    host: ServedStore, cutter: Cutter, terminals: Any, tmp_path: Path
) -> None:
    game = host.new("pig", seed="lucky", name="solo", undo="free", options={"goal": 1000})
    joined(cutter.url, game.invitations["p1"], tmp_path / "p1.json")
    terminal = terminals("--store", cutter.url, "play", "solo", WARPTAPE_PROFILES=str(tmp_path / "p1.json"))
    terminal.until("p1>")
    cutter.swallow(b"/act ")  # the roll is done, and its answer is lost
    terminal.type("roll\r")
    deadline = time.monotonic() + 20
    while rolls(host, "solo") == 0:
        assert time.monotonic() < deadline
        time.sleep(0.1)
    cutter.drop()
    terminal.until("is down")
    terminal.type("\x03")
    terminal.until("No longer waiting")
    cutter.restore()
    terminal.type("roll\r")
    terminal.until("Meanwhile:")
    terminal.until("That line is not taken")
    terminal.type("quit\r")
    terminal.until("Recorded up to")
    assert terminal.ended() == 0
    assert rolls(host, "solo") == 1


def test_a_revoked_token_ends_the_sitting_with_a_sentence(
    host: ServedStore, live: Any, terminals: Any, tmp_path: Path
) -> None:
    game = host.new("pig", seed="revoked", name="solo")
    joined(live.url, game.invitations["p1"], tmp_path / "p1.json")
    terminal = terminals("--store", live.url, "play", "solo", WARPTAPE_PROFILES=str(tmp_path / "p1.json"))
    terminal.until("p1>")
    (mine,) = [one for one in host.tokens(game.id) if one.role == "seat"]
    host.revoke(game.id, mine.fingerprint)
    terminal.until("open to you no more")
    assert terminal.ended() == 0


def test_bots_and_lookers_on(host: ServedStore, live: Any, terminals: Any, tmp_path: Path, run: Any) -> None:
    game = host.new("pig", seed="bots", name="duel", seats={"p2": "bot:sensible"}, options={"goal": 1000})
    issued = host.invite(game.id)
    joined(live.url, issued.secret, tmp_path / "looker.json")
    terminal = terminals("--store", live.url, "play", "duel", WARPTAPE_PROFILES=str(tmp_path / "looker.json"))
    terminal.until("waiting for p1>")
    host.game("duel").act("roll")
    terminal.until("Meanwhile:")
    terminal.until("Rolled")
    terminal.type("roll\r")
    terminal.until("token does not", "not for", "may not", "looks on", "look on", "only", "spectator")
    terminal.type("quit\r")
    assert terminal.ended() == 0
    assert json.loads(run("--store", live.url, "--token", live.host, "games", "--json").stdout)[0]["name"] == "duel"
