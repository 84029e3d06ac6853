"""Requests that are askew: nested, shared keys, names that are none, the same at the same time; and answers that are long."""

from __future__ import annotations

import socket
import struct
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from service_house import House, Quiet, house

from warptape.domain.errors import NotAllowed
from warptape.replays.library import Library
from warptape.replays.problems import NotYours
from warptape.replays.store import open_store
from warptape.replays.wire import IssueToken
from warptape.service import service as service_module
from warptape.service.access import INVITATION, SEAT, Access
from warptape.service.issuing import StoreTokens


@pytest.fixture(scope="module")
def opened() -> Iterator[House]:
    with house() as one:
        yield one


@pytest.mark.parametrize("depth", [60, 600, 20_000])
@pytest.mark.parametrize("path", ["/act", "/why", "/notes", "/fork"])
def test_a_body_that_is_nested_deeply_is_not_read(opened: House, path: str, depth: int) -> None:
    table = opened.new("pig")
    nested = b"[" * depth + b"]" * depth
    for body in (nested, b'{"actions":[{"a":' + nested + b"}]}", b'{"action":{"type":"Roll","a":' + nested + b"}}"):
        answer = table.ask("POST", path, table.seats[0], content=body, headers={"Content-Type": "application/json"})
        assert 400 <= answer.status_code < 500, answer.text
    assert not [line for line in opened.logged if '"fault"' in line]


def test_a_key_that_another_seat_has_used_is_refused_and_nothing_is_done(opened: House) -> None:
    table = opened.new("pig", seed="keys")
    first = table.post("/act", table.seats[0], actions=["roll"], key="turn 1")
    for path, body in (("/act", {"actions": ["roll"]}), ("/notes", {"text": "mine"})):
        answer = table.ask("POST", path, table.seats[1], json={**body, "key": "turn 1"})
        assert answer.status_code == 422
        assert "This key was used by p1 before" in answer.json()["message"]
    again = table.post("/act", table.seats[0], actions=["roll"], key="turn 1")
    assert again["repeated"]
    assert again["position"] == first["position"]
    table.game.refresh()
    assert table.game.length == first["length"]


@pytest.mark.parametrize("person", ["x" * 81, "An\u202ena", "An\nna", "\x1b[31mAnna"])
def test_a_person_has_a_name_that_can_be_shown(opened: House, person: str) -> None:
    table = opened.new("pig")
    for path, body in (("/act", {"actions": ["roll"]}), ("/notes", {"text": "well"}), ("/undo", {})):
        answer = table.ask("POST", path, table.seats[0], json={**body, "person": person})
        assert answer.status_code == 422, answer.text
    assert table.game.length == opened.store.shelf(table.id).length


def test_an_answer_holds_so_many_rows_and_the_rest_is_asked_for(opened: House, monkeypatch: pytest.MonkeyPatch) -> None:
    table = opened.new("pig", seed="long")
    for _ in range(12):
        table.play(1, lambda _: 0)
    monkeypatch.setattr(service_module, "MOST_ROWS", 7)
    seat = table.game.decision.seat if table.game.decision else ""
    conflict = table.ask("POST", "/act", seat, json={"actions": ["roll"], "expect": 1, "since": 0})
    assert conflict.status_code == 409
    assert [row[0] for row in conflict.json()["rows"]] == list(range(7))
    done = table.post("/act", seat, actions=["roll"], since=0)
    assert [row[0] for row in done["rows"]] == list(range(7))
    monkeypatch.setattr(service_module, "MOST_BYTES", 100)
    assert len(table.post("/notes", seat, text="x" * 200, since=0)["rows"]) <= 2


@pytest.mark.parametrize(("delay", "when"), [(-1, "when it is over"), (50, "50 events late")])
def test_who_sees_nothing_yet_is_told_so(opened: House, delay: int, when: str) -> None:
    table = opened.new("pig")
    token = opened.service.access.issue(table.id, "spectator", delay=delay)[0]
    answer = opened.ask("GET", f"{table.path}/view", token)
    assert answer.status_code == 400
    assert when in answer.json()["message"]


@pytest.fixture(params=["sqlite", "postgres"])
def access(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Access]:
    url = str(tmp_path / "games.db")
    if request.param == "postgres":
        import uuid

        database: str = request.getfixturevalue("postgres_database")
        url = f"{database}{'&' if '?' in database else '?'}schema=wt_{uuid.uuid4().hex}"
    with open_store(url) as store:
        yield Access(store, Quiet().now)


def test_of_many_who_take_up_an_invitation_at_once_one_has_the_seat(access: Access) -> None:
    game = Library(access.store, Quiet()).new("pig")
    code, _ = access.issue(game.id, SEAT, "p1", invite=True)

    def join(key: str) -> str:
        try:
            return access.join(code, "Anna", key)[0]
        except NotYours:
            return ""

    with ThreadPoolExecutor(8) as pool:
        assert sum(map(bool, pool.map(join, [""] * 8))) == 1
    code, _ = access.issue(game.id, SEAT, "p2", invite=True)
    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(join, ["a key that nobody else has"] * 8)) - {""}) == 1
        assert "" not in set(pool.map(join, ["a key that nobody else has"] * 8))


def test_of_many_tokens_that_are_made_at_once_one_is_good(access: Access) -> None:
    game = Library(access.store, Quiet()).new("pig")
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda invite: access.issue(game.id, SEAT, "p1", invite=invite), [True, False] * 6))
    alive = [one.role for one in access.listed(game.id) if not one.revoked]
    assert sorted(alive) == [INVITATION, SEAT]


def test_a_game_that_was_not_started_here_gets_its_tokens_from_whoever_has_the_store(opened: House) -> None:
    for ruleset, sees in (("pig", True), ("hidden", False)):
        game = Library(opened.store, Quiet()).new(ruleset)
        keeper = StoreTokens(opened.store, Quiet())
        seat = next(iter(game.seats))
        code = keeper.give(game.id, IssueToken(role="seat", seat=seat, invite=True)).secret
        token = opened.post("/v1/join", invitation=code, name="Anna")["token"]
        assert opened.get(f"/v1/games/{game.id}", token)["seat"] == seat
        arbiter = keeper.give(game.id, IssueToken(role="arbiter")).secret
        info = opened.get(f"/v1/games/{game.id}", arbiter)
        assert (info["role"], info["arbiter"]) == ("arbiter", "sees" if sees else "blind")
        [fingerprint] = [one.fingerprint for one in keeper.tokens(game.id) if one.role == "seat"]
        assert keeper.revoke(game.id, fingerprint) == [fingerprint]
        assert opened.ask("GET", f"/v1/games/{game.id}", token).status_code == 401
        with pytest.raises(NotAllowed, match="no such token"):
            keeper.revoke(game.id, fingerprint)
        with pytest.raises(NotAllowed, match="has no seat"):
            keeper.give(game.id, IssueToken(role="seat", seat="nobody"))


def test_streams_that_are_given_up_at_once_are_counted_no_more(opened: House) -> None:
    table = opened.new("pig")
    host, port = opened.url.removeprefix("http://").split(":")
    head = f"GET {table.path}/events HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {table.tokens['p1']}\r\n\r\n"
    for wait in [0.0, 0.002, 0.005, 0.01] * 10:
        with socket.create_connection((host, int(port))) as line:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # close it without a word
            line.sendall(head.encode())
            time.sleep(wait)
    until = time.monotonic() + 10
    while len(opened.service.streams) and time.monotonic() < until:
        time.sleep(0.05)
    assert not len(opened.service.streams)


def test_a_page_of_another_site_does_not_read_the_counts(opened: House) -> None:
    """Whoever owns a name may have it stand for 127.0.0.1, and then a browser here asks for it by that name."""
    for name, code in (("localhost:8642", 200), ("127.0.0.1", 200), ("[::1]:80", 200), ("evil.example", 403)):
        assert opened.ask("GET", "/metrics", headers={"Host": name}).status_code == code, name
    assert opened.ask("GET", "/metrics", opened.host, headers={"Host": "games.example"}).status_code == 200


def test_the_document_is_json_without_made_up_examples(opened: House) -> None:
    found = opened.ask("GET", "/openapi.json")
    assert found.json()["openapi"]
    assert '"examples"' not in found.text
