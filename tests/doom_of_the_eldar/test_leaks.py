"""Everything a seat can get out of a recorded game, in two games that look alike to it: not a byte tells them apart."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner
from option_sets import OPTIONS
from twins import NONCE, recorded, twins

import warptape
from warptape.cli import main
from warptape.domain.secrets import Disclosure, visible

GAMES = [
    ("one", "quick", 60),
    ("two", "quick", 150),
    ("three", "other", 110),
    ("four", "quick", 25),
    ("five", "other", 60),
]
DIGESTS = re.compile(r'[0-9a-f]{64}|"sum":"[0-9a-f]{16}"')


class Pair:
    """Two recorded games that look alike to the Eldar, each in a store of its own."""

    def __init__(self, seed: str, options: str, decisions: int, folder: Path) -> None:
        self.folder = folder
        one, other, self.swapped = twins(seed, OPTIONS[options], decisions)
        self.paths = [folder / "one.db", folder / "two.db"]
        self.games = [
            recorded(turns, OPTIONS[options], path) for turns, path in zip((one, other), self.paths, strict=True)
        ]

    def close(self) -> None:
        for game in self.games:
            game.store.close()


@pytest.fixture(scope="module", params=GAMES, ids=[game[0] for game in GAMES])
def pair(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    found = Pair(*request.param, tmp_path_factory.mktemp("twins"))
    yield found
    found.close()


def command(store: Path, *words: str) -> str:
    """What a command prints, errors and exit code included."""
    done = CliRunner().invoke(main, ["--store", str(store), *words])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return f"{done.exit_code}\n{done.output}"


def commands(seat: str, game: Any, swapped: tuple[str, str]) -> Iterator[tuple[str, ...]]:
    """The commands by which a seat may look for what it must not know."""
    places = ["twin", "twin@start", "twin@r1", f"twin@{game.length // 2}", f"twin@{game.length - 3}", "twin@d7"]
    for place in places:
        for form in ("text", "svg", "html", "json"):
            yield ("show", place, "--as", seat, "--format", form)
        for form in ("md", "txt", "html"):
            yield ("transcript", place, "--as", seat, "--format", form, "--variations")
        yield ("log", place, "--as", seat, "--json")
        yield ("log", place, "--as", seat, "--all")
        yield ("replay", place, "--as", seat, "--boards") if place == "twin@d7" else ("lines", "twin", "--as", seat)
        yield ("diff", place, "@end", "--as", seat, "--json")
    yield ("lines", "twin", "--as", seat, "--json")
    yield ("legal", "twin", "--as", seat, "--json")
    yield ("games", "--json")
    yield ("export", "twin", "--as", seat, "-o", "-")
    yield ("report", "twin", "--as", seat, "-m", "it looks wrong", "-o", "-")
    yield ("report", "twin@d9", "--as", seat, "-m", "it looks wrong", "-o", "-")
    yield ("replay", "twin@d3", "--as", seat, "--cast", "-", "--size", "100x40")
    for counter in (*swapped, "HM", "SM"):
        for line in (
            f"mv {counter} n1",
            f"hit {counter}",
            f"reveal {counter}",
            f"lose {counter}",
            f"trim souls {counter}",
        ):
            yield ("why", "twin", line, "--as", seat)
            yield ("act", "twin", line, "--as", "eldar")
            yield ("report", "twin", "--as", seat, "--action", line, "-o", "-")
    for line in ("mine 3", "mine 30", "det", "det SM", "reveal #01", "hit #02", "hit #03", "use shrine s1", "conv"):
        yield ("why", "twin", line, "--as", seat, "--json")


def test_no_command_tells_the_eldar_which_of_two_games_they_are_in(pair: Pair) -> None:
    """Every output and every error is the same, byte for byte, but for digests that are salted."""
    game = pair.games[0]
    for words in commands("eldar", game, pair.swapped):
        one, other = (DIGESTS.sub("-", command(path, *words)) for path in pair.paths)
        assert one == other, words


def test_the_commands_would_tell_if_they_were_asked_for_the_other_seat(pair: Pair) -> None:
    """The comparison has teeth: the Tyranids' boards, logs, stories and exports differ, and so do the owner's."""
    for seat in (("--as", "tyranid"), ()):
        for words in (
            ("log", "twin", *seat, "--json"),
            ("export", "twin", *seat, "-o", "-"),
            ("transcript", "twin", *seat),
        ):
            one, other = (DIGESTS.sub("-", command(path, *words)) for path in pair.paths)
            assert one != other, words


def test_nothing_of_the_python_surface_tells_the_eldar_either(pair: Pair) -> None:
    for at in range(0, pair.games[0].length, 9):
        one, other = (game.at(at) for game in pair.games)
        assert one.view("eldar") == other.view("eldar")
        boards = [place.board(seat="eldar") for place in (one, other)]
        assert boards[0].to_json() == boards[1].to_json()
        if at % 45 == 0:
            assert boards[0]._repr_html_() == boards[1]._repr_html_()
            assert boards[0].svg() == boards[1].svg()
    told = [[(one.text, one.event) for one in game.log("eldar")] for game in pair.games]
    hidden = [re.sub(DIGESTS, "-", str(one)) for one in told]
    assert hidden[0] == hidden[1]
    assert pair.games[0].lines("eldar") == pair.games[1].lines("eldar")


def secrets(game: Any, seat: str) -> list[Disclosure]:
    """The secrets of a game's log that a seat may not have."""
    found: list[Disclosure] = []
    for row in game.store.rows(game.id):
        beside = row.data.partition(b"\n")[2]
        given = msgspec.json.decode(beside, type=list[Disclosure]) if beside else []
        found += [one for one in given if one not in visible(given, seat)]
    return found


def test_no_salt_and_no_key_is_in_what_a_seat_gets(pair: Pair) -> None:
    """A digest without its salt tells nothing; the Tyranids, who know every counter, do not know what is to come."""
    game, path = pair.games[0], pair.paths[0]
    kept = secrets(game, "eldar")
    assert len(kept) > 5
    for seat in ("eldar", "tyranid"):
        out = "".join(command(path, *words) for words in commands(seat, game, pair.swapped))
        assert NONCE not in out
        if seat == "eldar":
            assert not [one for one in kept if one.salt in out]
    assert NONCE not in command(path, "export", "twin", "-o", "-")
    assert NONCE in command(path, "export", "twin", "-o", "-", "--with-secret")


def test_a_seats_export_verifies_and_plays_back_as_that_seat_saw_it(pair: Pair, tmp_path: Path) -> None:
    """`audit` passes it, `import` takes it, and every position of it is the view that seat had."""
    game = pair.games[0]
    for seat in ("eldar", "tyranid"):
        file = game.export(tmp_path / f"{seat}.tape.jsonl", seat)
        report = command(pair.paths[0], "audit", str(file))
        assert report.startswith("0\n"), report
        with warptape.open(tmp_path / f"{seat}.db") as store:
            again = store.load(file)
            assert again.length == game.length
            for at in range(0, game.length, 7):
                assert again.at(at).state == game.at(at).view(seat)
                assert again.at(at).board().to_json() == game.at(at).board(seat=seat).to_json()
            assert [one.text for one in again.log()] == [one.text for one in game.log(seat)]
            assert again.audit().ok


def test_an_imported_export_of_the_eldar_tells_the_games_apart_by_nothing(pair: Pair, tmp_path: Path) -> None:
    """Whoever has the file owns it and may ask anything of it: it holds no more than the Eldar knew."""
    outs = []
    for number, game in enumerate(pair.games):
        file = game.export(tmp_path / f"{number}.tape.jsonl", "eldar")
        shelf = tmp_path / f"{number}.db"
        loaded = command(shelf, "import", str(file), "--json")
        name = re.search(r'"name": "([^"]+)"', loaded)
        assert name is not None
        words = [
            ("show", name[1]),
            ("log", name[1], "--json"),
            ("transcript", name[1]),
            ("legal", name[1]),
            ("audit", name[1]),
        ]
        words += [("act", name[1], "end"), ("undo", name[1]), ("why", name[1], f"hit {pair.swapped[0]}")]
        words += [("show", name[1], "--as", "tyranid"), ("log", name[1], "--as", "tyranid", "--json")]
        out = "".join(command(shelf, *line) for line in words) + command(shelf, "audit", str(file))
        ident = re.search(r'"id": "([^"]+)"', loaded)
        assert ident is not None
        out = DIGESTS.sub("-", out).replace(ident[1], "ID").replace(str(file), "FILE")
        outs.append(re.sub(r"\d{4}-\d\d-\d\dT[0-9:.]+Z", "NOW", out))
    assert outs[0] == outs[1]


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
