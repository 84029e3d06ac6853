"""Every endpoint with every kind of token: who gets in, and that nobody is forgotten."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from service_house import House, Table, house

from warptape.replays.store import open_store
from warptape.service.app import application
from warptape.service.service import Service

ROLES = ["none", "wrong", "other", "revoked", "host", "blind", "sees", "mover", "waiting", "public", "late", "end"]
ANYBODY = "200 401 200 401 200 200 200 200 200 200 200 200"
LOOKING = "401 401 403 401 403 200 200 200 200 200 200 200"
SEEN = "401 401 403 401 403 200 200 200 200 200 200 400"  # who sees nothing before the end is told so
ARBITERS = "401 401 403 401 403 200 200 403 403 403 403 403"
MADE = ARBITERS.replace("200", "201")
TABLE = {
    "GET /health/live": ANYBODY,
    "GET /health/ready": ANYBODY,
    "GET /metrics": ANYBODY,
    "GET /openapi.json": ANYBODY,
    "GET /v1/rulesets": ANYBODY,
    "GET /play/{one}": ANYBODY,
    "GET /": ANYBODY,
    "GET /join": ANYBODY,
    "POST /v1/join": ANYBODY,
    "GET /v1/games": "401 401 200 401 200 200 200 200 200 200 200 200",
    "POST /v1/games": "401 401 403 401 201 403 403 403 403 403 403 403",
    "POST /v1/games/import": "401 401 403 401 201 403 403 403 403 403 403 403",
    "GET /v1/games/{game}": "401 401 403 401 200 200 200 200 200 200 200 200",
    "PATCH /v1/games/{game}": ARBITERS,
    "DELETE /v1/games/{game}": ARBITERS,
    "GET /v1/games/{game}/content": "401 401 403 401 200 200 200 200 200 200 200 200",
    "GET /v1/games/{game}/tokens": ARBITERS,
    "POST /v1/games/{game}/tokens": MADE,
    "DELETE /v1/games/{game}/tokens/{fingerprint}": ARBITERS,
    "GET /v1/games/{game}/rows": LOOKING,
    "GET /v1/games/{game}/events": LOOKING,
    "GET /v1/games/{game}/view": SEEN,
    "GET /v1/games/{game}/log": SEEN,
    "GET /v1/games/{game}/lines": SEEN,
    "GET /v1/games/{game}/notes": SEEN,
    "GET /v1/games/{game}/transcript": SEEN,
    "GET /v1/games/{game}/export": SEEN,
    "GET /v1/games/{game}/audit": SEEN,
    "GET /v1/games/{game}/diff": SEEN,
    "GET /v1/games/{game}/page": SEEN,
    "GET /v1/games/{game}/news": SEEN,
    "GET /v1/games/{game}/turn/hello": "401 401 403 401 403 403 403 200 200 403 403 403",
    "GET /v1/games/{game}/turn": "401 401 403 401 403 403 403 200 204 403 403 403",
    "POST /v1/games/{game}/turn": "401 401 403 401 403 403 403 200 422 403 403 403",
    "GET /v1/games/{game}/actions": "401 401 403 401 403 403 200 200 200 403 403 403",
    "POST /v1/games/{game}/why": "401 401 403 401 403 403 200 200 200 403 403 403",
    "POST /v1/games/{game}/act": "401 401 403 401 403 403 200 200 422 403 403 403",
    "POST /v1/games/{game}/undo": "401 401 403 401 403 403 200 200 200 403 403 403",
    "POST /v1/games/{game}/redo": "401 401 403 401 403 403 422 422 422 403 403 403",
    "POST /v1/games/{game}/rewind": "401 401 403 401 403 200 200 200 200 403 403 403",
    "POST /v1/games/{game}/reroll": "401 401 403 401 403 200 200 200 200 403 403 403",
    "POST /v1/games/{game}/consent": "401 401 403 401 403 403 422 422 422 403 403 403",
    "POST /v1/games/{game}/ask-undo": "401 401 403 401 403 403 422 422 422 403 403 403",
    "POST /v1/games/{game}/notes": "401 401 403 401 403 201 201 201 201 403 403 403",
    "DELETE /v1/games/{game}/notes/{position}": "401 401 403 401 403 200 200 422 422 403 403 403",
    "POST /v1/games/{game}/fork": "401 401 403 401 403 422 201 201 201 403 403 403",
}


def body(table: Table, endpoint: str, role: str) -> dict[str, Any]:
    """What is sent to an endpoint: something that works for whoever may."""
    seat = {"mover": table.seats[0], "waiting": table.seats[1]}.get(role, "")
    legal = table.legal()
    found: dict[str, dict[str, Any]] = {
        "/games": {"ruleset": "hidden"},
        "/games/{game}": {"name": f"renamed by {role}"},
        "/tokens": {"role": "spectator"},
        "/why": {"action": legal},
        "/act": {"actions": [legal]},
        "/rewind": {"at": 5},
        "/notes": {"text": "a word"},
        "/fork": {"as_of": seat} if seat else {},
    }
    if endpoint.endswith("/join"):
        code = table.house.service.access.issue(table.id, "spectator", invite=True)[0]
        return {"invitation": code}
    if endpoint.endswith("/turn"):
        return {"id": table.game.length, "list": {"from": 0}}
    return next((one for end, one in found.items() if endpoint.endswith(end)), {})


@pytest.fixture(scope="module")
def opened() -> Iterator[House]:
    with house() as one:
        yield one


def a_game(opened: House) -> Table:
    """A game in which the first seat must decide, with some decisions taken and one note of nobody's."""
    table = opened.new("hidden", undo="free")
    while (decision := table.game.decision) is None or decision.seat != table.seats[0] or table.game.length < 24:
        table.game.act(table.legal(-1))
    return table


def test_the_table_has_every_endpoint(tmp_path: Path) -> None:
    """The rows are those of the application: a new endpoint has no place until somebody says who may call it."""
    with open_store(tmp_path / "games.db") as store:
        app = application(Service(store))
    found = set()
    for route in app.routes:
        path = re.sub(r":\w+}", "}", route.path_format)
        methods = getattr(route, "methods", None)
        assert methods is not None, f"{path} is no HTTP route: who may open it?"
        found |= {f"{method} {path}" for method in methods if method not in ("OPTIONS", "HEAD")}
    assert found == set(TABLE)


def test_the_page_on_the_service_lists_every_endpoint() -> None:
    page = (Path(__file__).parents[2] / "docs" / "howto" / "service.md").read_text()
    listed = re.findall(r"(?m)^\| `((?:GET|POST|PATCH|DELETE) [^`]+)` \|", page)
    assert sorted(listed) == sorted(TABLE)


@pytest.mark.parametrize("endpoint", TABLE)
def test_who_may(opened: House, endpoint: str, tmp_path: Path) -> None:
    method, path = endpoint.split(" ")
    log_file = a_game(opened).game.export(tmp_path / "game.tape.jsonl").read_bytes()
    expected = dict(zip(ROLES, TABLE[endpoint].split(), strict=True))
    found = {}
    access = opened.service.access
    table, other, changed = a_game(opened), a_game(opened), False
    for role in ROLES:
        if changed:  # by whoever asked before
            table = a_game(opened)
        changed = method != "GET" and expected[role] < "300"
        mine = {"mover": table.seats[0], "waiting": table.seats[1]}
        tokens = {**table.tokens, **{name: table.tokens[seat] for name, seat in mine.items()}}
        tokens |= {"wrong": "wt_" + "A" * 43, "revoked": table.revoked(), "other": other.tokens[other.seats[0]]}
        note = table.game.note("to be removed").position if "position" in path else 0
        fingerprint = access.issue(table.id, "spectator")[1].info.fingerprint
        url = path.format(game=table.id, one=table.id, position=note, fingerprint=fingerprint)
        given: dict[str, Any] = {} if method in ("GET", "DELETE") else {"json": body(table, path, role)}
        if path.endswith("import"):
            given = {"content": log_file, "params": {"name": ""}}
        if path.endswith("events"):
            found[role] = _first_line(opened, url, tokens.get(role))
        else:
            found[role] = str(opened.ask(method, url, tokens.get(role), **given).status_code)
    assert found == expected


def _first_line(opened: House, url: str, token: str | None) -> str:
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    with opened.client.stream("GET", url, headers=headers) as answer:
        if answer.status_code == 200:
            assert next(answer.iter_lines()).startswith("retry:")
        return str(answer.status_code)


def test_a_game_that_a_token_does_not_open_looks_like_one_that_is_not_there(opened: House) -> None:
    table, other = a_game(opened), a_game(opened)
    there = opened.ask("GET", other.path, table.tokens["sees"])
    nowhere = opened.ask("GET", "/v1/games/nowhere", table.tokens["sees"])
    assert (there.status_code, there.text) == (nowhere.status_code, nowhere.text)
    assert opened.ask("GET", "/v1/games/nowhere", opened.host).status_code == 404


def test_a_seat_acts_for_itself_alone(opened: House) -> None:
    table = a_game(opened)
    first, second = table.seats
    answer = table.ask("POST", "/act", second, json={"actions": ["skip"], "seat": first})
    assert answer.status_code == 403
    for path, given in (("/undo", {}), ("/notes", {"text": "x"}), ("/consent", {}), ("/why", {"action": "skip"})):
        assert table.ask("POST", path, second, json={**given, "seat": first}).status_code == 403, path


def test_an_invitation_is_taken_once_and_a_new_token_revokes_the_one_before(opened: House) -> None:
    created = opened.post("/v1/games", opened.host, ruleset="hidden")
    path, (seat, code) = f"/v1/games/{created['game']['id']}", next(iter(created["invitations"].items()))
    first = opened.post("/v1/join", invitation=code, name="Ann")
    assert (first["seat"], first["role"], first["name"]) == (seat, "seat", "Ann")
    again = opened.ask("POST", "/v1/join", json={"invitation": code})
    assert again.status_code == 403
    assert "used already" in again.json()["message"]
    assert opened.ask("POST", "/v1/join", json={"invitation": "wi_nonsense"}).status_code == 401
    assert opened.ask("POST", "/v1/join", json={"invitation": first["token"]}).status_code == 401
    assert opened.ask("GET", path, code).status_code == 401  # an invitation is no token
    assert opened.get(path, first["token"])["person"] == "Ann"
    issued = opened.post(f"{path}/tokens", created["arbiter"], role="seat", seat=seat, invite=True)
    assert opened.get(path, first["token"])["seat"] == seat  # until it is taken up
    second = opened.post("/v1/join", invitation=issued["secret"], name="Bob")
    assert opened.ask("GET", path, first["token"]).status_code == 401
    listed = opened.get(f"{path}/tokens", created["arbiter"])
    assert [one["label"] for one in listed if one["role"] == "seat" and not one["revoked"]] == ["Bob"]
    said = str(listed)
    assert not [secret for secret in (first["token"], second["token"], code, issued["secret"]) if secret in said]


def test_anybody_may_start_a_game_only_where_the_service_says_so() -> None:
    import msgspec
    from service_house import FREELY

    with house(msgspec.structs.replace(FREELY, open=True, create_rate=0.001)) as opened:
        created = opened.post("/v1/games", ruleset="hidden")
        assert created["game"]["arbiter"] == "blind"
        assert opened.ask("GET", "/v1/games").status_code == 401  # and lists none
        for _ in range(5):
            answer = opened.ask("POST", "/v1/games", json={"ruleset": "hidden"})
        assert answer.status_code == 429
        assert int(answer.headers["retry-after"]) > 1


def test_no_token_is_ever_said_or_logged() -> None:
    """Whoever is refused hears nothing of the token that was sent, and the log holds none and no path that was asked."""
    with house() as opened:
        table = a_game(opened)
        opened.said.clear()
        for who, token in table.tokens.items():
            for path in ("", "/rows", "/view", "/tokens", "/nothing-here", "/events-of-old?token=" + token):
                opened.ask("GET", table.path + path, token, headers={"X-Copy": token})
            opened.ask("POST", table.path + "/act", token, json={"actions": [token], "key": who, "nonsense": token})
            opened.ask("POST", table.path + "/why", token, json={"action": {"type": token}})
            opened.ask("POST", "/v1/join", json={"invitation": token + "x"})
            opened.ask("GET", f"/v1/games/{token}", token)
        said, logged = "\n".join(opened.said), "\n".join(opened.logged)
        assert logged.count("\n") > 20
        for token in table.tokens.values():
            assert token not in logged
            assert token not in said
