"""Everything a seat can get out of a recorded game, in two games that look alike to it: not a byte tells them apart."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import leak_laws
import pytest
from leak_laws import Pair, command
from option_sets import OPTIONS
from twins import twins

import warptape
from warptape.domain.doom_of_the_eldar import RULESET

GAMES = [
    ("one", "quick", 60),
    ("two", "quick", 150),
    ("three", "other", 110),
    ("four", "quick", 25),
    ("five", "other", 60),
]
LINES = ("mine 3", "mine 30", "det", "det SM", "reveal #01", "hit #02", "hit #03", "use shrine s1", "conv")


@pytest.fixture(scope="module", params=GAMES, ids=[game[0] for game in GAMES])
def pair(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    """Two recorded games that look alike to the Eldar."""
    seed, options, decisions = request.param
    one, other, swapped = twins(seed, OPTIONS[options], decisions)
    words = ("mv {} n1", "hit {}", "reveal {}", "lose {}", "trim souls {}")
    lines = [word.format(counter) for counter in (*swapped, "HM", "SM") for word in words]
    folder = tmp_path_factory.mktemp("twins")
    found = Pair(RULESET, OPTIONS[options], (one, other), "eldar", folder, lines, LINES)
    yield found
    found.close()


def test_no_command_tells_the_eldar_which_of_two_games_they_are_in(pair: Pair) -> None:
    leak_laws.no_command_tells(pair)


@pytest.mark.slow
def test_no_command_in_any_form_at_any_place_tells_the_eldar_either(pair: Pair) -> None:
    leak_laws.no_command_tells(pair, every=True)
    leak_laws.no_salt_is_given(pair, least=6, every=True)


def test_the_commands_would_tell_if_they_were_asked_for_the_other_seat(pair: Pair) -> None:
    leak_laws.others_would_tell(pair)


def test_nothing_of_the_python_surface_tells_the_eldar_either(pair: Pair) -> None:
    leak_laws.no_python_tells(pair)


def test_no_salt_and_no_key_is_in_what_a_seat_gets(pair: Pair) -> None:
    """The Tyranids, who know every counter, do not know what is to come."""
    leak_laws.no_salt_is_given(pair, least=6)


def test_an_archive_of_an_unfinished_game_tells_nothing_of_it(
    pair: Pair, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    leak_laws.no_archive_tells(pair, tmp_path, monkeypatch)


def test_a_seats_export_verifies_and_plays_back_as_that_seat_saw_it(pair: Pair, tmp_path: Path) -> None:
    leak_laws.exports_play_back(pair, tmp_path)


def test_an_imported_export_of_the_eldar_tells_the_games_apart_by_nothing(pair: Pair, tmp_path: Path) -> None:
    leak_laws.imports_tell_nothing(pair, tmp_path, ("end", pair.lines[1]))


def test_a_table_does_not_tell_the_eldar_what_the_lid_holds(tmp_path: Path) -> None:
    """The line of the Eldar that leads to a draw asks for it without naming what is left, which tells what is out."""
    with warptape.open(tmp_path / "table.db") as store:
        game = store.new("doom-of-the-eldar", name="t", chance="table")
        game.act("quickstart")
        line = ("act", "t", "end", "--rolled", "1,2")
        for words in ((*line, "--as", "eldar"), line):
            said = command(tmp_path / "table.db", *words)
            assert "It is for tyranid alone to see." in said
            assert not re.search(r"\b(FS|GH1|HM|SM)\b", said)
