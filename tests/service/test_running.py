"""The service as it runs: limits, the end, several processes on one store, and what repeats and late comers are told."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from service_house import FREELY, House, Quiet, house

from warptape.cli.serving import openable
from warptape.domain.chance import Luck
from warptape.domain.errors import Conflict, IllegalAction
from warptape.replays.game import Game
from warptape.replays.library import Library
from warptape.replays.problems import raised, read_problem
from warptape.replays.store import open_store
from warptape.service.access import ALL, ARBITER, SEAT, SPECTATOR, Access
from warptape.service.running import running


@pytest.fixture(scope="module")
def opened() -> Iterator[House]:
    with house() as one:
        yield one


def test_a_stale_change_gets_what_happened_and_a_repeated_one_the_first_answer(opened: House) -> None:
    table = opened.new("hidden", options={"rounds": "9"}, undo="free")
    game = table.game
    seat, line, tip = game.decision.seat, table.legal(), game.tip  # type: ignore[union-attr]
    first = table.post("/act", seat, actions=[line], key="one", expect=tip)
    again = table.post("/act", seat, actions=[line], key="one", expect=tip)
    assert {**again, "repeated": False} == {**first, "repeated": False}
    assert (first["repeated"], again["repeated"]) == (False, True)
    assert first["count"] == again["count"] > 0
    header = table.ask("POST", "/act", seat, json={"actions": [line]}, headers={"Idempotency-Key": "one"})
    assert header.json()["repeated"]
    stale = table.ask("POST", "/act", seat, json={"actions": [line], "expect": tip, "since": tip + 1})
    assert stale.status_code == 409
    found = read_problem(stale.content)
    assert found is not None
    error = raised(found)
    assert isinstance(error, Conflict)
    assert (error.expected, error.actual) == (tip + 1, first["length"])
    assert [row[0] for row in stale.json()["rows"]] == list(range(tip + 1, first["length"]))
    for path, given in (
        ("/undo", {}), ("/redo", {}), ("/rewind", {"at": tip}), ("/reroll", {}), ("/notes", {"text": "a note"}),
    ):  # fmt: skip
        length = table.get("", "sees")["length"]
        done = table.post(path, "sees", key=f"key of {path}", expect=length - 1, **given)
        same = table.post(path, "sees", key=f"key of {path}", expect=length - 1, **given)
        assert (done["position"], done["count"], done["repeated"]) == (same["position"], same["count"], False), path
        assert same["repeated"]
        assert table.get("", "sees")["length"] == length + done["count"], path
        assert table.ask("POST", path, "sees", json={"expect": 0, **given}).status_code == 409, path


def test_the_key_of_a_game_that_was_deleted_makes_no_other_one(opened: House) -> None:
    given = {"ruleset": "hidden", "key": "a key that nobody else has"}
    made = opened.post("/v1/games", opened.host, **given)
    path, token = f"/v1/games/{made['game']['id']}", made["arbiter"]
    assert opened.post("/v1/games", opened.host, **given)["arbiter"] == token
    assert opened.ask("DELETE", path, token).status_code == 200
    again = opened.ask("POST", "/v1/games", opened.host, json=given)
    assert (again.status_code, again.json()["code"]) == (422, "not-allowed")
    assert "deleted" in again.json()["message"]


def test_a_refusal_is_the_same_error_on_the_other_side(opened: House) -> None:
    table = opened.new("hidden")
    with pytest.raises(IllegalAction) as local:
        table.game.act("peek 1", "raider")
    answer = table.ask("POST", "/act", "raider", json={"actions": ["peek 1"]})
    found = read_problem(answer.content)
    assert answer.status_code == 422
    assert found is not None
    error = raised(found)
    assert isinstance(error, IllegalAction)
    assert (error.refusal, str(error)) == (local.value.refusal, str(local.value))


def test_limits_of_bytes_rate_and_time() -> None:
    settings = msgspec.structs.replace(
        FREELY, body=2000, content=3000, log_file=4000, token_rate=1.0, patience=0.2, long_seconds=0.3
    )
    with house(settings) as opened:
        table = opened.new("hidden")
        for path, most, token in (
            (f"{table.path}/why", 2000, table.tokens["raider"]), ("/v1/games", 3000, opened.host),
            ("/v1/games/import", 4000, opened.host),
        ):  # fmt: skip
            answer = opened.ask("POST", path, token, content=b"x" * (most + 1))
            assert (answer.status_code, answer.json()["code"]) == (413, "too-large")
        codes = [table.ask("GET", "", "public").status_code for _ in range(8)]
        assert codes == [200] * 4 + [429] * 4
        assert table.ask("GET", "", "public").headers["retry-after"] == "1"
        assert table.ask("GET", "", "late").status_code == 200  # another token has a rate of its own
        with opened.service.tables.at(table.id):
            held = table.ask("POST", "/act", "warden", json={"actions": ["guard 1"]})
        assert (held.status_code, held.json()["code"]) == (504, "too-long")
        assert table.ask("POST", "/act", "warden", json={"actions": ["guard 1"]}).status_code == 200


def test_hostile_requests_are_refused_in_words(opened: House) -> None:
    table = opened.new("hidden")
    token = table.tokens["raider"]
    for body in (b"", b"{", b"[]", b"null", b'{"actions": 3}', b'{"actions": ["\\ud800"]}', b'{"actions": ["a\\u0000"]}',
                 b"[" * 100_000, b'{"actions": [{"type": "nonsense"}]}', b'{"actions": [], "key": "\\u0000"}', b"\xff\xfe"):  # fmt: skip
        answer = opened.ask("POST", f"{table.path}/act", token, content=body)
        assert 400 <= answer.status_code < 500, (body[:40], answer.text)
        assert answer.json()["message"]
    for path in ("/view?at=nowhere", "/view?at=@9999", "/view?format=exe", "/log?start=-1", "/rows?stop=x", "/diff?from=%00",
                 "/actions?limit=0", "/actions?offset=99999999999999999999", "/events?after=-7", "/%00", "/notes/999999999999999999999"):  # fmt: skip
        answer = opened.ask("GET", table.path + path, token)
        assert 400 <= answer.status_code < 500, (path, answer.status_code)
    for name in ("", "last", "a@b", "x" * 81, "a\nb", " x"):
        assert opened.ask("PATCH", table.path, table.tokens["sees"], json={"name": name}).status_code == 400, name
    for game in ("%00", "..%2f..", "last", "x" * 5000):
        assert opened.ask("GET", f"/v1/games/{game}", opened.host).status_code in (400, 404, 414), game


def test_health_metrics_and_the_document_of_the_interface(opened: House) -> None:
    assert opened.get("/health/ready") == {"status": "ok", "store": "answers", "schema": opened.service.version()}
    table = opened.new("hidden")
    table.post("/act", "warden", actions=["guard 1"])
    text = opened.ask("GET", "/metrics").text
    assert re.search(
        r'warptape_requests_total\{method="POST",route="/v1/games/\{game\}/act",status="200"\} [1-9]', text
    )
    assert "warptape_streams " in text
    assert table.id not in text
    assert opened.ask("GET", "/metrics", headers={"X-Forwarded-For": "203.0.113.9"}).status_code == 403
    paths = opened.get("/openapi.json")["paths"]
    assert "requestBody" in paths["/v1/games/{game}/act"]["post"]
    schemas = opened.get("/openapi.json")["components"]["schemas"]
    assert schemas["PageStart"]["properties"]["content"] == {"$ref": "#/components/schemas/Content"}
    logged = [json.loads(line) for line in opened.logged]
    acted = next(line for line in reversed(logged) if line["route"] == "/v1/games/{game}/act")
    assert {"time", "method", "status", "ms", "game", "role"} <= acted.keys()
    assert (acted["game"], acted["role"]) == (table.id, "seat")


def _listen(url: str, game: str, token: str, found: list[int], ended: threading.Event) -> threading.Thread:
    def run() -> None:
        headers = {"Authorization": f"Bearer {token}"}
        with httpx.stream("GET", f"{url}/v1/games/{game}/events?after=-1", headers=headers, timeout=60) as answer:
            for line in answer.iter_lines():
                if line.startswith("data: "):
                    found.extend(row[0] for row in json.loads(line[6:]).get("rows", []))
        ended.set()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return thread


@pytest.mark.parametrize("notices", ["heard", "lost"])
def test_two_servers_on_one_database_see_each_others_events(
    postgres_database: str, notices: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With NOTIFY they come at once, whenever the next look is due; where no notice arrives, the look finds them.

    A token that is revoked at one, or given out anew, ends the streams that it has at the other.
    """
    psycopg = pytest.importorskip("psycopg")
    url = f"{postgres_database}{'&' if '?' in postgres_database else '?'}schema=wt_{uuid.uuid4().hex}"
    look = 60.0
    if notices == "lost":
        look = 0.3

        def deaf(self: Any, *, timeout: float = 0, stop_after: int = 0) -> Iterator[Any]:
            time.sleep(timeout)
            yield from ()

        monkeypatch.setattr(psycopg.Connection, "notifies", deaf)
    settings = msgspec.structs.replace(FREELY, look=look, grace=2)
    with ExitStack() as stack:
        stores = [stack.enter_context(open_store(url)) for _ in range(2)]
        game = Library[Game](stores[0], Quiet()).new("hidden", options={"rounds": "9"}, undo="free")
        servers = [stack.enter_context(running(store, settings, Quiet())) for store in stores]
        access = servers[0][1].access
        tokens = {seat: access.issue(game.id, SEAT, seat)[0] for seat in game.seats}
        token = access.issue(game.id, SPECTATOR)[0]
        heard: list[list[int]] = [[], []]
        ended = [threading.Event() for _ in range(3)]
        for number, (where, _) in enumerate(servers):
            _listen(where, game.id, token, heard[number], ended[number])
        _until(lambda: all(len(one) == game.length for one in heard))
        luck = Luck("two", "service")
        for turn in range(6):
            decision = game.decision
            assert decision is not None
            line = game.ruleset.notation(game.state, decision.actions[luck.below(len(decision.actions))])
            where = servers[turn % 2][0]
            headers = {"Authorization": f"Bearer {tokens[decision.seat]}"}
            body = {"actions": [line], "expect": game.tip}
            answer = httpx.post(f"{where}/v1/games/{game.id}/act", headers=headers, json=body, timeout=20)
            assert answer.status_code == 200, answer.text
            game.refresh()
            _until(lambda: all(len(one) == game.length for one in heard), 10)
        assert heard[0] == heard[1] == list(range(game.length))
        if notices == "lost":
            monkeypatch.undo()
            return
        other: list[int] = []
        _listen(servers[1][0], game.id, tokens["raider"], other, ended[2])
        _until(lambda: len(other) == game.length)
        access.issue(game.id, SEAT, "raider")
        assert ended[2].wait(5), "the stream of the seat's former token goes on"
        assert not ended[1].is_set()
        fingerprint = next(one.info.fingerprint for one in access.listed(game.id) if one.role == SPECTATOR)
        access.revoke(game.id, fingerprint)
        assert ended[1].wait(5), "the stream of a token that was revoked goes on"


def test_texts_say_their_charset_once(opened: House) -> None:
    table = opened.new("hidden")
    path = f"/v1/games/{table.id}"
    kinds = {
        "/": "text/html; charset=utf-8",
        f"{path}/view?format=text": "text/plain; charset=utf-8",
        f"{path}/view?format=svg": "image/svg+xml",
        f"{path}/view?format=html": "text/html; charset=utf-8",
        f"{path}/view": "application/json",
        f"{path}/transcript": "text/markdown; charset=utf-8",
        f"{path}/transcript?format=html": "text/html; charset=utf-8",
    }
    headers = {"Authorization": f"Bearer {table.tokens['sees']}"}
    assert {
        where: httpx.get(f"{opened.url}{where}", headers=headers).headers["content-type"] for where in kinds
    } == kinds


def test_a_note_comes_after_what_another_process_wrote(tmp_path: Path) -> None:
    """It leaves the board alone, so nobody who writes one is told to look again; who expects a position is."""
    url = str(tmp_path / "games.db")
    with ExitStack() as stack:
        stores = [stack.enter_context(open_store(url)) for _ in range(2)]
        game = Library[Game](stores[0], Quiet()).new("hidden")
        servers = [stack.enter_context(running(store, FREELY, Quiet())) for store in stores]
        headers = {"Authorization": f"Bearer {servers[0][1].access.issue(game.id, ARBITER, ALL)[0]}"}

        def write(where: str) -> list[int]:
            with httpx.Client(headers=headers, timeout=30) as client:
                path = f"{where}/v1/games/{game.id}/notes"
                return [client.post(path, json={"text": f"note {number}"}).status_code for number in range(30)]

        with ThreadPoolExecutor() as threads:
            answers = list(threads.map(write, [where for where, _ in servers]))
        assert answers == [[201] * 30] * 2
        late = httpx.post(
            f"{servers[1][0]}/v1/games/{game.id}/notes", headers=headers, json={"text": "late", "expect": 3}
        )
        assert late.status_code == 409


def _served(store: str, *words: str, env: dict[str, str]) -> tuple[subprocess.Popen[str], str, str]:
    command = [sys.executable, "-m", "warptape", "--store", store, "serve", "--port", "0", "--log", "json", *words]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env)
    assert process.stdout is not None
    token = url = ""
    for line in process.stdout:
        token = line.strip() if line.startswith("wt_") else token
        if line.startswith("In a browser it is played at "):
            assert f" {url}/ " in line
            return process, url, token
        if found := re.search(r"(http://\S+)", line):
            url = found[1]
    raise AssertionError(process.stderr.read() if process.stderr else "")


def _ready(url: str) -> None:
    def answers() -> bool:
        try:
            return httpx.get(f"{url}/health/ready", timeout=5).status_code == 200
        except httpx.HTTPError:
            return False

    _until(answers, 60)


def _ends_well(store: str, env: dict[str, str], *words: str) -> None:
    process, url, token = _served(store, *words, env=env)
    try:
        _ready(url)
        made = httpx.post(
            f"{url}/v1/games",
            headers={"Authorization": f"Bearer {token}"},
            json={"ruleset": "hidden", "sees": True},
            timeout=30,
        ).json()
        game, headers = made["game"]["id"], {"Authorization": f"Bearer {made['arbiter']}"}
        heard: list[int] = []
        ended, acknowledged, refused = threading.Event(), list[int](), list[tuple[int, str | None, str]]()
        _listen(url, game, made["arbiter"], heard, ended)

        def write() -> None:
            with httpx.Client(headers=headers, timeout=30) as client:
                for number in range(10_000):
                    try:
                        answer = client.post(f"{url}/v1/games/{game}/notes", json={"text": f"note {number}"})
                    except httpx.TransportError:
                        return
                    if answer.status_code != 201:
                        refused.append((answer.status_code, answer.headers.get("retry-after"), answer.text))
                        return
                    acknowledged.append(answer.json()["position"])

        writers = [threading.Thread(target=write) for _ in range(2)]
        for writer in writers:
            writer.start()
        _until(lambda: len(acknowledged) > 20 and len(heard) > 20, 60)
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=60)
        assert process.returncode == 0, err
        for writer in writers:
            writer.join(10)
        assert ended.wait(10)
    finally:
        process.kill()
    assert {status[:2] for status in refused} <= {(503, "2")}, refused
    assert token
    assert token not in out + err
    assert "Traceback" not in err
    with open_store(store) as kept:
        notes = [row.position for row in kept.rows(game) if row.kind == "NoteAdded"]
        assert set(acknowledged) <= set(notes)
        assert len(notes) - len(acknowledged) <= 2  # what was begun, and whose answer nobody heard
        assert Access(kept, Quiet().now).has_host()
        assert Library[Game](kept).audit(game).ok


def test_sigterm_ends_it_when_what_was_begun_is_done(tmp_path: Path, rulesets: dict[str, str]) -> None:
    _ends_well(str(tmp_path / "games.db"), rulesets)


@pytest.mark.slow
def test_several_workers_share_a_socket_and_end_together(postgres_database: str, rulesets: dict[str, str]) -> None:
    url = f"{postgres_database}{'&' if '?' in postgres_database else '?'}schema=wt_{uuid.uuid4().hex}"
    _ends_well(url, rulesets, "--workers", "2")


def test_an_address_that_no_browser_opens_is_told_as_this_machines() -> None:
    assert openable("http://0.0.0.0:8642") == "http://127.0.0.1:8642"
    assert openable("http://[::]:8642") == "http://[::1]:8642"
    assert openable("http://10.0.0.5:8642") == "http://10.0.0.5:8642"


def test_several_workers_on_sqlite_are_refused(tmp_path: Path, rulesets: dict[str, str]) -> None:
    command = [sys.executable, "-m", "warptape", "--store", str(tmp_path / "games.db"), "serve", "--workers", "2"]
    done = subprocess.run(command, capture_output=True, text=True, env=rulesets, timeout=60)
    assert done.returncode == 2
    assert "PostgreSQL" in done.stderr


def _until(done: Any, seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end, "this did not come"
        time.sleep(0.02)
