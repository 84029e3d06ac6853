"""Two games that look alike to a seat: the service answers both alike, whatever is asked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import hive_options
import hive_twins
import option_sets
import pytest
import twins
from leak_laws import DIGESTS, TIMES, Pair
from service_house import FREELY, House
from twin_games import NONCE

from warptape.domain.doom_of_the_eldar import RULESET as DOOM
from warptape.domain.tyranid_attack import RULESET as HIVE
from warptape.service.access import SEAT, SPECTATOR

LINES = ("end", "done", "mine 3", "det SM", "reveal #01", "hit #02", "use SC1", "move 6:h6", "shoot SC1 GE1", "xyzzy")


def _doom(folder: Path) -> Pair:
    one, other, swapped = twins.twins("one", option_sets.OPTIONS["quick"], 60)
    lines = [f"{word} {counter}" for counter in swapped for word in ("hit", "reveal", "lose")]
    return Pair(DOOM, option_sets.OPTIONS["quick"], (one, other), "eldar", folder, lines)


def _hive(folder: Path) -> Pair:
    one, other, _ = hive_twins.twins("early", hive_options.OPTIONS["points"], 45)
    return Pair(HIVE, hive_options.OPTIONS["points"], (one, other), "tyranid", folder, [])


@pytest.fixture(
    scope="module",
    params=[_doom, pytest.param(_hive, marks=pytest.mark.slow)],
    ids=["doom-of-the-eldar", "tyranid-attack"],
)
def pair(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    found = request.param(tmp_path_factory.mktemp("worlds"))
    yield found
    found.close()


def asked(pair: Pair, role: str, seat: str, only: tuple[str, ...] = ()) -> list[list[str]]:
    """What the service answers in either world to one who has the seat, or sees what is public, in order.

    Everything is asked, or `only` what is below these paths of the game.
    """
    outs = []
    for game in pair.games:
        with House(game.store, FREELY).open() as opened:
            token = opened.service.access.issue(game.id, role, seat)[0]  # type: ignore[arg-type]
            path, length = f"/v1/games/{game.id}", game.length
            said = [opened.ask("GET", path + end, token) for end in only]
            if only:
                outs.append([_plain(f"{one.status_code} {one.text}") for one in said])
                continue
            for at in ("d7", str(length - 3)):
                for form in ("json", "svg"):
                    said.append(opened.ask("GET", f"{path}/view?at={at}&format={form}", token))
                said.append(opened.ask("GET", f"{path}/diff?from={at}", token))
            for end in ("", "/rows", "/log", "/lines", "/notes", "/export", "/audit", "/transcript?variations=true",
                        "/actions?limit=1000", "/actions?q=1&verb=move", "/view", "/tokens"):  # fmt: skip
                said.append(opened.ask("GET", path + end, token))
            for line in (*LINES, *pair.lines):
                said.append(opened.ask("POST", f"{path}/why", token, json={"action": line}))
            for line in LINES:  # none of them is legal, or it leads to what must be entered
                said.append(opened.ask("POST", f"{path}/act", token, json={"actions": [line], "expect": 1}))
                said.append(opened.ask("POST", f"{path}/act", token, json={"actions": [line, "xyzzy"]}))
            for what, given in (
                ("rewind", {"at": "d3"}),
                ("consent", {}),
                ("ask-undo", {}),
                ("act", {"actions": ["xyzzy"]}),
            ):
                said.append(opened.ask("POST", f"{path}/{what}", token, json=given))
            assert not [one for one in said if one.status_code >= 500]
            assert NONCE not in "".join(opened.said + opened.logged)
            outs.append([_plain(f"{one.status_code} {one.text}") for one in said])
    return outs


def _plain(text: str) -> str:
    """Without digests, which are salted, what names a token, and the time of the day."""
    return re.sub(r'"fingerprint":"\w+"', "", TIMES.sub("NOW", DIGESTS.sub("-", text)))


def test_the_seat_cannot_tell_by_the_service_in_which_world_it_is(pair: Pair) -> None:
    one, other = asked(pair, SEAT, pair.kept)
    assert one == other


def test_nor_can_who_sees_what_is_public(pair: Pair) -> None:
    one, other = asked(pair, SPECTATOR, "")
    assert one == other


def test_the_other_seat_can(pair: Pair) -> None:
    """The comparison has teeth."""
    other_seat = next(seat for seat in pair.seats if seat != pair.kept)
    one, other = asked(pair, SEAT, other_seat, ("/rows", "/log", "/view"))
    assert all(mine != theirs for mine, theirs in zip(one, other, strict=True))
