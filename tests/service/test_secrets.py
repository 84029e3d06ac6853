"""What a seat receives over HTTP is what its own log file gives, byte for byte, and nothing of anybody else's."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from leak_laws import secrets
from service_house import House, Table, house

from warptape.domain.chance import Luck
from warptape.domain.errors import BadNotation, IllegalAction
from warptape.domain.secrets import PUBLIC
from warptape.projections.boards import draw
from warptape.projections.page import content, news
from warptape.replays.audit import audit
from warptape.replays.game import Game
from warptape.replays.importing import load
from warptape.replays.logfile import LogFile
from warptape.replays.store import open_store
from warptape.replays.wire import read_rows

GAMES = [
    ("hidden", {"rounds": "8"}, 36),
    ("nested", {}, 24),
    ("doom-of-the-eldar", {"setup": "quickstart"}, 45),
    ("tyranid-attack", {}, 30),
]
NAMED = ("title", "seats", "start")
"""What a page says of the game as it stands on the shelf, where an imported one has another name."""
VIEWERS = {"public": PUBLIC, "blind": PUBLIC}
Given = dict[str, tuple[dict[str, Any], str]]


@pytest.fixture(scope="module")
def opened() -> Iterator[House]:
    with house() as one:
        yield one


@pytest.fixture(
    scope="module",
    params=[pytest.param(game, marks=pytest.mark.slow) if game[0] == "nested" else game for game in GAMES],
    ids=[game[0] for game in GAMES],
)
def table(request: pytest.FixtureRequest, opened: House) -> Table:
    """An unfinished game of people, played over HTTP at random, with actions taken back, notes and refusals."""
    ruleset, options, decisions = request.param
    found = opened.new(ruleset, options=options, seed=None, undo="free")
    luck = Luck(ruleset, "service")
    for number in range(decisions):
        if found.game.decision is None:
            break
        found.play(1, luck.below)
        if found.game.outcome is not None:
            found.game.undo()
        if number % 9 == 4:
            seat = found.seats[number % len(found.seats)]
            found.post("/notes", seat, text=f"{seat} thinks of {number}")
        if number % 13 == 6:
            found.post("/undo", "sees", reason="again")
            found.post("/redo", "sees")
        if number % 17 == 9:
            found.post("/undo", "sees")
        found.game.refresh()
    assert found.game.outcome is None
    return found


@pytest.fixture(scope="module")
def lines(table: Table) -> list[str]:
    """What may be typed: a legal action, wrong lines, and earlier actions."""
    return [table.legal(), "xyzzy", "end", *_some_notation(table.game)]


@pytest.fixture(scope="module")
def given(table: Table, lines: list[str]) -> Given:
    """Everything that each viewer gets, by what it is, and all that was said meanwhile, headers and errors too."""
    found: Given = {}
    for who in (*table.seats, *VIEWERS):
        table.house.said.clear()
        got = everything(table, who, lines)
        for path, body in (
            ("/act", {"actions": ["xyzzy"]}),
            ("/act", {"actions": ["xyzzy"], "expect": 1}),
            ("/rewind", {}),
        ):
            table.ask("POST", path, who, json=body)
        found[who] = got, "\n".join(table.house.said)
    return found


def everything(table: Table, who: str, lines: list[str]) -> dict[str, Any]:
    """All that somebody gets of a game over HTTP, by what it is."""
    length = table.game.length
    places = [str(length // 2), "d7"]
    found: dict[str, Any] = {
        "rows": table.ask("GET", "/rows", who).text,
        "export": table.ask("GET", "/export", who).text,
        "log": table.get("/log", who),
        "lines": table.get("/lines", who),
        "notes": table.get("/notes", who),
        "diff": table.get("/diff", who, **{"from": str(length // 3)}),
        "audit": table.get("/audit", who),
        "board": table.ask("GET", "/view", who, params={"format": "svg"}).text,
    }
    found["page"] = {name: value for name, value in table.get("/page", who)["content"].items() if name not in NAMED}
    since, sees = table.game.batch_end(length * 2 // 3), table.get("", who)["sees"]
    found["news"] = table.get("/news", who, since=since, sees=sees)["news"]
    assert (found["news"]["since"], found["news"]["upto"]) == (since, length - 1)
    for form in ("md", "txt", "html"):
        found[f"story {form}"] = table.ask("GET", "/transcript", who, params={"format": form, "variations": True}).text
    for at in places:
        found[f"view {at}"] = table.get("/view", who, at=at)
    if who in table.seats:
        found["actions"] = table.get("/actions", who, limit=1000)
        for line in lines:
            found[f"why {line}"] = table.ask("POST", "/why", who, json={"action": line}).json()
    return found


def of_the_file(game: Game, seat: str, path: Path, lines: list[str]) -> dict[str, Any]:
    """The same as whoever has the seat's log file works it out, on another machine."""
    from warptape.replays.diff import diff
    from warptape.replays.lines import lines as ways
    from warptape.replays.notes import notes
    from warptape.replays.told import tell_log

    del game
    with open_store(":memory:") as store:
        shelf = load(store, _desk(), path)
        own = Game(store, shelf)
        length = own.length
        told = [
            {"position": one.position, "kind": one.kind, "text": one.text, "on_line": one.on_line,
             "rule": one.event.rule, "entered": one.entered}
            for one in tell_log(own)
        ]  # fmt: skip
        found: dict[str, Any] = {
            "rows": [row for row, _ in LogFile(path).rows()],
            "log": told,
            "lines": _plain(ways(own)),
            "notes": _plain(notes(own)),
            "diff": _plain(diff(own, length // 3)),
            "audit": _plain(audit(own)),
            "board": draw(own.ruleset, own.at().shown(), own.at().title).svg(),
            "page": {name: value for name, value in _plain(content(own)[0]).items() if name not in NAMED},
            "news": _plain(news(own, own.batch_end(length * 2 // 3))),
        }
        for form in ("md", "txt", "html"):
            found[f"story {form}"] = own.transcript(form, variations=True)
        for at in (length // 2, "d7"):
            place = own.at(at if isinstance(at, int) else f"@{at}")
            found[f"view {at}"] = json.loads(draw(own.ruleset, place.shown(), place.title).to_json())
        if seat != PUBLIC:
            decision = own.decision
            mine = decision is not None and decision.seat == seat
            found["actions"] = [
                own.ruleset.notation(own.state, one) for one in (decision.actions if decision and mine else ())
            ][:1000]
            for line in lines:
                found[f"why {line}"] = _why(own, seat, line)
        return found


def _desk() -> Any:
    from service_house import Quiet

    return Quiet()


def _plain(value: Any) -> Any:
    return json.loads(msgspec.json.encode(value))


def _why(own: Game, seat: str, line: str) -> Any:
    try:
        actions = own.ruleset.parse(own.state, seat, line)
    except (BadNotation, IllegalAction) as error:
        return str(error)
    refusal = own.ruleset.refusal(own.state, seat, actions[0])
    return {
        "legal": refusal is None,
        "rule": refusal.rule if refusal else "",
        "reason": refusal.reason if refusal else "",
    }


def test_what_comes_over_http_is_what_the_seats_own_log_file_gives(
    table: Table, given: Given, lines: list[str], tmp_path: Path
) -> None:
    game = table.game
    for who, (got, _) in given.items():
        seat = VIEWERS.get(who, who)
        path = tmp_path / f"{who}.tape.jsonl"
        path.write_text(got["export"])
        if seat != PUBLIC:
            assert got["export"] == game.export(tmp_path / "own.tape.jsonl", seat).read_text()
        own = of_the_file(game, seat, path, lines)
        assert list(read_rows(got["rows"].splitlines())) == own.pop("rows")
        if "actions" in own:
            assert [one["notation"] for one in got["actions"]["actions"]] == own.pop("actions")
        for what, expected in own.items():
            found = got[what]
            if what == "diff":
                for one in (found, expected):
                    assert one["left"].pop("game") == one["right"].pop("game")
            if what.startswith("why") and isinstance(expected, str):
                found = found["message"]
            if what == "audit":  # an imported game has other entries on its shelf
                assert found["findings"] == expected["findings"] == []
                found, expected = (one["rows"][1:] for one in (found, expected))
            assert found == expected, (who, what)


def _some_notation(game: Game) -> list[str]:
    """Notation of earlier actions, most of which the rules refuse now."""
    heads = [row.position for row in game.kinds({"ActionTaken"})][-8:]
    found = []
    for at in heads:
        state = game.state_at(game.tree.before(at, at))
        found.append(game.ruleset.notation(state, game.event(at).action))  # type: ignore[attr-defined]
    return list(dict.fromkeys(found))


def test_nothing_of_another_seat_is_in_anything_that_was_said(table: Table, given: Given) -> None:
    """No salt of a secret that is another's, no key of chance and no token: in answers, headers, errors and the log."""
    game = table.game
    kept_from_all = 0
    for who, (_, answers) in given.items():
        said = "\n".join([answers, *table.house.logged])
        kept = secrets(game, VIEWERS.get(who, who))
        kept_from_all += len(kept)
        assert not [one for one in kept if one.salt in said], who
        revealed = b"".join(row.data for row in game.kinds({"KeyRevealed"})).decode()  # it was over for a moment
        hidden = [salt for pair in game.shelf.secrets.values() for salt in pair if salt and salt not in revealed]
        assert not [salt for salt in hidden if salt in said]
        assert not [name for name, token in table.tokens.items() if token in said]
    assert kept_from_all or game.ruleset.id == "nested"


def test_when_the_game_is_over_everybody_sees_what_its_log_reveals(opened: House) -> None:
    table = opened.new("hidden", options={"rounds": "2"}, undo="until-revealed")
    luck = Luck("over", "service")
    assert table.get("", "end")["length"] == 0
    while table.game.decision is not None:
        table.play(1, luck.below)
        late = table.get("", "late")["length"]
        assert late <= max(0, table.game.length - 10) or table.game.outcome is not None
    whole = table.ask("GET", "/rows", "sees").text
    assert table.game.outcome is not None
    for who in (*table.seats, "blind", "public", "late", "end"):
        assert table.ask("GET", "/rows", who).text == whole, who
        assert table.get("", who)["sees"] == ""
        assert table.get("", who)["outcome"] == table.game.outcome.result
        assert table.get("/audit", who)["total"] == 0


def test_a_late_spectator_sees_whole_batches_and_no_more(opened: House) -> None:
    table = opened.new("hidden", options={"rounds": "6"}, undo="free")
    luck = Luck("late", "service")
    seen = ""
    for _ in range(14):
        table.play(1, luck.below)
        if table.game.outcome is not None:
            break
        rows = table.ask("GET", "/rows", "late").text
        info = table.get("", "late")
        assert rows.startswith(seen)
        assert len(rows.splitlines()) == info["length"] <= table.game.length - 10
        if info["length"]:
            assert table.game.batch_end(info["length"] - 1) == info["length"] - 1
            assert table.get("/audit", "late")["findings"] == []
            assert len(table.get("/log", "late")) == info["length"]
        seen = rows
    assert seen
