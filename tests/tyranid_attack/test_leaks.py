"""Everything a seat can get out of a recorded game, in two games that look alike to it: not a byte tells them apart."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import leak_laws
import pytest
from eager import eager
from hive_options import OPTIONS
from hive_twins import twins
from leak_laws import DIGESTS, Pair, command
from twin_games import Same

import warptape
from warptape.api import Store
from warptape.domain.chance import Luck, Salt, deal
from warptape.domain.errors import NeedsOutcome
from warptape.domain.tyranid_attack import RULESET

GAMES = [
    ("t3", "plain", 240),
    ("t34", "beasts", 165),
    ("t17", "returns", 170),
    ("early", "points", 45),
]
"""Seed, options and number of decisions: in all but the last the Marine player has looked at a card that lies face down.

None of `LINES` is an answer to what is asked there, so that the games stay as they are from test to test.
"""
LINES = ("end", "done", "use SC1", "use GE1", "order rush", "order fire", "move SC1 1:e5", "move 6:h6", "shoot SC1 GE1")
ASKED = (
    "fight SC1 GE1", "place GE1 6:e5", "enter GE1 6:a5", "template 6:e5", "cyst 6:e5", "take A1", "roll", "skip",
    "return SC1 6:e5", "follow GE1", "stop", "place", "use", "deploy auto", "hellfire HV1 GE1", "melta SC1 OBJ-1",
)  # fmt: skip


@pytest.fixture(scope="module", params=GAMES, ids=[game[1] for game in GAMES])
def pair(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    """Two recorded games that look alike to the Tyranids."""
    seed, options, decisions = request.param
    one, other, changed = twins(seed, OPTIONS[options], decisions)
    assert len(changed) >= (2 if options == "points" else 4)
    found = Pair(RULESET, OPTIONS[options], (one, other), "tyranid", tmp_path_factory.mktemp("twins"), LINES, ASKED)
    yield found
    found.close()


def test_no_command_tells_the_tyranids_which_of_two_games_they_are_in(pair: Pair) -> None:
    """TA-SETUP-15, TA-SPEC-4: neither the tile that is held nor a card that was looked at."""
    leak_laws.no_command_tells(pair)


@pytest.mark.slow
def test_no_command_in_any_form_at_any_place_tells_the_tyranids_either(pair: Pair) -> None:
    leak_laws.no_command_tells(pair, every=True)
    leak_laws.no_salt_is_given(pair, least=1, every=True)


def test_the_commands_would_tell_if_they_were_asked_for_the_other_seat(pair: Pair) -> None:
    leak_laws.others_would_tell(pair)


def test_nothing_of_the_python_surface_tells_the_tyranids_either(pair: Pair) -> None:
    leak_laws.no_python_tells(pair)


def test_no_salt_and_no_key_is_in_what_a_seat_gets(pair: Pair) -> None:
    leak_laws.no_salt_is_given(pair, least=1)


def test_an_archive_of_an_unfinished_game_tells_nothing_of_it(
    pair: Pair, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    leak_laws.no_archive_tells(pair, tmp_path, monkeypatch)


def test_a_seats_export_verifies_and_plays_back_as_that_seat_saw_it(pair: Pair, tmp_path: Path) -> None:
    leak_laws.exports_play_back(pair, tmp_path)


def test_an_imported_export_of_the_tyranids_tells_the_games_apart_by_nothing(pair: Pair, tmp_path: Path) -> None:
    leak_laws.imports_tell_nothing(pair, tmp_path, ("end", "done", "use SC1", "use GE1"))


# What nobody has seen: the card face down, the deck, the tiles that are left


def fated(folder: Path, nonce: str, decisions: int) -> tuple[Any, list[Any]]:
    """A game of chance whose unseen places have been dealt afresh, by a secret of its own; and what lies there."""
    desk = Same()
    game = Store(folder / f"{nonce[:2]}.db", desk).new("tyranid-attack", name="twin", undo="free")
    luck = Luck("fated", "actions")
    match: Any = _AsMatch(game)
    for _ in range(decisions):
        game.act(eager(match, luck))
    desk.nonce = nonce
    game.undo(reroll=True)
    state = game.state
    key = Salt(nonce=nonce).key
    return game, [deal(key, name, deck) for name, deck in state.chance.decks.items()]


class _AsMatch:
    """A recorded game, for a player that wants a match."""

    def __init__(self, game: Any) -> None:
        self.game = game

    @property
    def decision(self) -> Any:
        return self.game.decision

    @property
    def state(self) -> Any:
        return self.game.state


@pytest.mark.parametrize("decisions", [2, 60, 130])
def test_what_nobody_has_seen_is_in_no_output_for_anybody(tmp_path: Path, decisions: int) -> None:
    """The card that lies face down, the deck and the stack are other ones: neither seat nor the owner can tell."""
    (one, lies), (other, would_lie) = (fated(tmp_path, nonce * 16, decisions) for nonce in ("a1", "b2"))
    assert lies != would_lie
    assert one.state.chance == other.state.chance
    front = one.state.cards[one.state.chain[-1].section]
    assert front.place not in one.state.chance.decks[front.deck].seen
    length = one.length
    for seat in (("--as", "marines"), ("--as", "tyranid"), ()):
        for words in (
            ("show", "twin", "--format", "json"),
            ("show", "twin", "--format", "text"),
            ("show", f"twin@{length // 2}", "--format", "html"),
            ("legal", "twin", "--json"),
            ("log", "twin", "--all", "--json"),
            ("transcript", "twin", "--format", "html", "--variations"),
            ("lines", "twin", "--json"),
            ("export", "twin", "-o", "-"),
            ("report", "twin", "-m", "it looks wrong", "-o", "-"),
        ):
            out = [DIGESTS.sub("-", command(tmp_path / f"{name}.db", *words, *seat)) for name in ("a1", "b2")]
            assert out[0] == out[1], words
            assert "a1a1" not in out[0]
    for game in (one, other):
        game.store.close()


def test_a_table_asks_the_marines_alone_what_the_tile_shows(tmp_path: Path) -> None:
    """The line that leads to it asks without naming what is left, which would tell what is held (TA-SETUP-15)."""
    entered: list[str] = []
    with warptape.open(tmp_path / "table.db") as store:
        while True:
            try:
                store.new("tyranid-attack", name="t", chance="table", outcomes=entered)
                break
            except NeedsOutcome as error:
                if "alone" in str(error):
                    break
                entered.append(error.possible[len(entered) % len(error.possible)])
    said = command(tmp_path / "table.db", "new", "tyranid-attack", "--chance", "table", "--rolled", ",".join(entered))
    assert "It is for marines alone to see." in said
    assert not re.search(r"LOC-", said)
