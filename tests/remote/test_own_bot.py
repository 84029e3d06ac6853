"""A program on somebody's own machine plays the seat that this person has on a server."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from warptape.replays.remote.passes import Wallet
from warptape.served import open_served

GREEDY = Path(__file__).parents[2] / "docs" / "examples" / "bots" / "greedy.py"


def test_a_program_answers_for_its_seat_through_the_line(live: Any, run: Any, tmp_path: Path, monkeypatch: Any) -> None:
    with open_served(live.url, wallet=Wallet(tmp_path / "host.json")) as host:
        game = host.new("pig", seed="bots", name="duel", options={"goal": 1000})
        with open_served(live.url, wallet=Wallet(tmp_path / "p1.json")) as other:
            other.join(game.invitations["p1"])
        monkeypatch.setenv("WARPTAPE_PROFILES", str(tmp_path / "p1.json"))
        command = f"exec:'{sys.executable}' '{GREEDY}'"
        out = run("--store", live.url, "play", "duel", "--seat", f"p1={command}", stdin="quit\n").output
        assert "p1: " in out
        game.refresh()
        taken = [event for _, event in game.events() if type(event).__name__ == "ActionTaken"]
        assert taken
        assert {event.person for event in taken} == {"exec:greedy.py"}  # type: ignore[attr-defined]
        assert game.decision is not None
        assert game.decision.seat == "p2"
        assert game.audit().ok
