"""Two people at two machines in a game with secrets: each sees what its seat sees of the same game in a file."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from test_commands import plain

from warptape.replays.remote.passes import Pass, Wallet

SEATS = ("eldar", "tyranid")


class Machine:
    """Somebody's command line: a folder of profiles of its own, and the server."""

    def __init__(self, run: Any, monkeypatch: pytest.MonkeyPatch, server: str, profiles: Path) -> None:
        self.run, self.monkeypatch, self.server, self.profiles = run, monkeypatch, server, profiles

    def __call__(self, *words: str, **how: Any) -> str:
        self.monkeypatch.setenv("WARPTAPE_PROFILES", str(self.profiles))
        return str(self.run("--store", self.server, *words, **how).output)


@pytest.fixture
def machines(run: Any, live: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Machine]:
    """The machine of whoever sets the game up, and of each seat, after they have joined."""
    named = {
        name: Machine(run, monkeypatch, live.url, tmp_path / f"{name}.json")
        for name in ("arbiter", *SEATS, "looker-on")
    }
    opened = ("new", "doom-of-the-eldar", "--name", "doom", "--seed", "two machines")
    made = json.loads(named["arbiter"](*opened, "--json"))
    run(*opened)
    assert sorted(made["invitations"]) == sorted(SEATS)
    for seat, link in made["invitations"].items():
        out = named[seat]("join", link, "--name", seat.title())
        assert f"You have the seat {seat} in 'doom'" in out
    return named


def play(machines: dict[str, Machine], run: Any, decisions: int) -> None:
    """Take the first legal action, by whoever's turn it is, on the server and in the file."""
    for _ in range(decisions):
        seat = json.loads(run("legal", "doom", "--json").stdout)["seat"]
        here = json.loads(run("legal", "doom", "--json", "--as", seat).stdout)
        there = json.loads(machines[seat]("legal", "doom", "--json"))
        assert there["actions"] == here["actions"]
        action = here["actions"][len(here["actions"]) // 2]["notation"]
        told = run("act", "doom", action, "--by", seat.title()).output
        assert plain(machines[seat]("act", "doom", action)) == plain(told)


def test_each_seat_sees_of_it_what_it_sees_of_a_game_in_a_file(machines: dict[str, Machine], run: Any) -> None:
    play(machines, run, 14)
    for seat in SEATS:
        for words in (
            ("show", "doom"),
            ("show", "doom@d3"),
            ("log", "doom"),
            ("log", "doom", "--json"),
            ("transcript", "doom"),
            ("lines", "doom"),
            ("replay", "doom"),
            ("notes", "doom"),
            ("export", "doom", "-o", "-"),
        ):
            there = machines[seat](*words)
            here = run(*words, "--as", seat).output
            assert plain(there) == plain(here), (seat, words)
        audit = machines[seat]("audit", "doom")
        assert "chain" in audit


def test_nobody_acts_or_looks_for_another(machines: dict[str, Machine], run: Any) -> None:
    play(machines, run, 2)
    found = json.loads(run("legal", "doom", "--json").stdout)
    turn, action = found["seat"], found["actions"][0]["notation"]
    waiting = next(seat for seat in SEATS if seat != turn)
    assert json.loads(machines[waiting]("legal", "doom", "--json"))["actions"] == []
    assert f"it is for {turn} to decide now" in machines[waiting]("act", "doom", action, code=3)
    machines[waiting]("act", "doom", action, "--as", turn, code=3)
    machines[waiting]("rename", "doom", "mine", code=3)
    machines[waiting]("delete", "doom", "--yes", code=3)
    machines[waiting]("tokens", "doom", code=3)
    machines["arbiter"]("act", "doom", action, code=3)
    machines["arbiter"]("rename", "doom", "friday")
    assert "friday" in machines[waiting]("games")
    wallet = Wallet(machines["looker-on"].profiles)
    wallet.add(machines["looker-on"].server, Pass(token="wt_wrong", role="seat", game="nothing", seat="eldar"))
    machines["looker-on"]("show", "friday", code=2)


def test_lookers_on_see_what_everybody_may_know_and_may_be_late(machines: dict[str, Machine], run: Any) -> None:
    play(machines, run, 6)
    link = json.loads(machines["arbiter"]("invite", "doom", "--spectator", "--delay", "5", "--json"))["link"]
    assert "You are a spectator" in machines["looker-on"]("join", link)
    assert "was used already" in machines["tyranid"]("join", link, code=3)
    assert "no such invitation; it may have been taken back" in machines["tyranid"]("join", f"{link[:-4]}AAAA", code=2)
    assert "invitation spectator" in machines["arbiter"]("tokens", "doom")
    shown = machines["looker-on"]("log", "doom")
    assert len(shown.splitlines()) < len(machines["eldar"]("log", "doom").splitlines())
    action = json.loads(run("legal", "doom", "--json").stdout)["actions"][0]["notation"]
    machines["looker-on"]("act", "doom", action, code=3)
    assert json.loads(machines["looker-on"]("legal", "doom", "--json"))["actions"] == []


def test_the_arbiter_takes_a_seat_back(machines: dict[str, Machine], run: Any) -> None:
    listed = json.loads(machines["arbiter"]("tokens", "doom", "--json"))
    taken = next(one for one in listed if one["role"] == "seat" and one["seat"] == "eldar")
    assert taken["label"] == "Eldar"
    text = machines["arbiter"]("tokens", "doom")
    assert taken["fingerprint"] in text
    assert "wt_" not in text
    link = json.loads(machines["arbiter"]("invite", "doom", "--seat", "eldar", "--json"))["link"]
    machines["looker-on"]("join", link, "--name", "Carol")
    assert "revoked" in machines["eldar"]("show", "doom", code=2)
    machines["looker-on"]("show", "doom")
    listed = json.loads(machines["arbiter"]("tokens", "doom", "--json"))
    carol = next(one for one in listed if one["label"] == "Carol" and not one["revoked"])
    assert carol["fingerprint"] in machines["arbiter"]("tokens", "doom", "--revoke", carol["fingerprint"])
    machines["looker-on"]("show", "doom", code=2)


def test_profiles_are_listed_without_tokens_and_forgotten(machines: dict[str, Machine], run: Any) -> None:
    out = machines["eldar"]("profiles")
    assert "eldar in 'doom'" in out
    token = json.loads(machines["eldar"].profiles.read_text())["servers"][machines["eldar"].server][0]["token"]
    assert re.fullmatch(r"wt_[\w-]{43}", token)
    assert token not in out + machines["eldar"]("profiles", "--json")
    assert machines["eldar"].profiles.stat().st_mode & 0o777 == 0o600
    assert "1 token forgotten" in machines["eldar"]("profiles", "--forget", machines["eldar"].server, "--game", "doom")
    assert "You have no tokens yet" in machines["eldar"]("profiles")
    machines["eldar"]("profiles", "--forget", machines["eldar"].server, code=2)


def test_a_game_of_the_store_that_was_not_started_there_is_handed_out_by_whoever_has_it(
    machines: dict[str, Machine], run: Any, live: Any
) -> None:
    """No token is needed where the store is; the arbiter's is kept with `join`, and does what an arbiter's does."""
    run("--store", live.path, "new", "pig", "--name", "own")
    made = json.loads(run("--store", live.path, "invite", "own", "--seat", "p1", "--json").stdout)
    assert "link" not in made
    assert "You have the seat p1 in 'own'" in machines["looker-on"]("join", made["code"], "--name", "Ann")
    machines["looker-on"]("act", "own", "roll")
    token = json.loads(run("--store", live.path, "invite", "own", "--arbiter", "--json").stdout)["code"]
    assert "an arbiter in 'own'" in machines["looker-on"]("--token", token, "join")
    another = machines["looker-on"]("invite", "own", "--arbiter")
    assert "join` keeps it" in another
    assert "The token for a host" in machines["eldar"]("--token", live.host, "join")
    machines["looker-on"]("join", code=2)
    listed = run("--store", live.path, "tokens", "own").output
    assert "seat p1" in listed
    assert token not in listed
    one = json.loads(run("--store", live.path, "tokens", "own", "--json").stdout)
    held = next(each["fingerprint"] for each in one if each["role"] == "seat")
    run("--store", live.path, "tokens", "own", "--revoke", held)
    machines["looker-on"]("join", made["code"], code=3)
    run("--store", live.path, "invite", "own", "--seat", "nobody", code=3)
