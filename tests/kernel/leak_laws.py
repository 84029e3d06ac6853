"""Everything a seat can get out of two recorded games that look alike to it, as laws: not a byte tells them apart."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner
from twin_games import NONCE, Turn, recorded

import warptape
from warptape.cli import main
from warptape.domain.rules import Ruleset
from warptape.domain.secrets import Disclosure, visible
from warptape.projections.archive import TABLES, Archive, StoreSource

DIGESTS = re.compile(r'[0-9a-f]{64}|"sum":"[0-9a-f]{16}"')
TIMES = re.compile(r"\d{4}-\d\d-\d\dT[0-9:.]+Z")


class Pair:
    """Two recorded games named `twin` that look alike to the seat `kept`, each in a store of its own.

    `lines` are what somebody may type to find out more, `asked` what is only asked about.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        options: Any,
        twins: Sequence[list[Turn]],
        kept: str,
        folder: Path,
        lines: Sequence[str],
        asked: Sequence[str] = (),
    ) -> None:
        self.kept, self.lines, self.asked = kept, lines, asked
        self.paths = [folder / "one.db", folder / "two.db"]
        self.games = [recorded(ruleset, turns, options, path) for turns, path in zip(twins, self.paths, strict=True)]
        self.seats = [seat.id for seat in ruleset.seats(options)]
        self._said: dict[tuple[Path, Sequence[str]], str] = {}

    def close(self) -> None:
        for game in self.games:
            game.store.close()

    def said(self, path: Path, words: Sequence[str]) -> str:
        """What a command prints for one of the games; it is asked once, for no command here changes them."""
        if (path, words) not in self._said:
            self._said[path, words] = command(path, *words)
        return self._said[path, words]

    def outputs(self, words: Sequence[str]) -> list[str]:
        """What a command prints for each of the games, without digests, which are salted, and the time of the day."""
        return [TIMES.sub("NOW", DIGESTS.sub("-", self.said(path, words))) for path in self.paths]


def command(store: Path, *words: str) -> str:
    """What a command prints, errors and exit code included."""
    done = CliRunner().invoke(main, ["--store", str(store), *words])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return f"{done.exit_code}\n{done.output}"


SHOWN, TOLD = ("text", "svg", "html", "json"), ("md", "txt", "html")
"""The forms of a board and of a story."""


def commands(pair: Pair, seat: str, every: bool = False) -> Iterator[tuple[str, ...]]:
    """The commands by which a seat may look for what it must not know.

    In `every` form everywhere, or in each form at the end and in one, always another, at the other places.
    """
    length = pair.games[0].length
    places = ["twin", "twin@start", "twin@r1", f"twin@{length // 2}", f"twin@{length - 3}", "twin@d7"]
    for number, place in enumerate(places):
        whole = every or place == "twin"
        for form in SHOWN if whole else (SHOWN[number % len(SHOWN)],):
            yield ("show", place, "--as", seat, "--format", form)
        for form in TOLD if whole else (TOLD[number % len(TOLD)],):
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
    for number, line in enumerate(pair.lines):
        yield ("why", "twin", line, "--as", seat)
        yield ("act", "twin", line, "--as", pair.kept)
        if every or number % 4 == 0:
            yield ("report", "twin", "--as", seat, "--action", line, "-o", "-")
    for line in pair.asked:
        yield ("why", "twin", line, "--as", seat, "--json")


def no_command_tells(pair: Pair, every: bool = False) -> None:
    """Every output and every error for the seat is the same, byte for byte, but for digests that are salted."""
    for words in commands(pair, pair.kept, every):
        one, other = pair.outputs(words)
        assert one == other, words


def others_would_tell(pair: Pair) -> None:
    """The comparison has teeth: another seat's logs, stories and exports differ, and so do the owner's."""
    seats = [("--as", seat) for seat in pair.seats if seat != pair.kept]
    for seat in (*seats, ()):
        for words in (
            ("log", "twin", *seat, "--json"),
            ("export", "twin", *seat, "-o", "-"),
            ("transcript", "twin", *seat),
        ):
            one, other = pair.outputs(words)
            assert one != other, words


def no_python_tells(pair: Pair) -> None:
    """Views, boards, sentences and lines of the Python surface are the same for the seat."""
    seat = pair.kept
    for at in range(0, pair.games[0].length, 9):
        one, other = (game.at(at) for game in pair.games)
        assert one.view(seat) == other.view(seat)
        boards = [place.board(seat=seat) for place in (one, other)]
        assert boards[0].to_json() == boards[1].to_json()
        if at % 45 == 0:
            assert boards[0]._repr_html_() == boards[1]._repr_html_()
            assert boards[0].svg() == boards[1].svg()
    told = [[(one.text, one.event) for one in game.log(seat)] for game in pair.games]
    hidden = [re.sub(DIGESTS, "-", str(one)) for one in told]
    assert hidden[0] == hidden[1]
    assert pair.games[0].lines(seat) == pair.games[1].lines(seat)


def secrets(game: Any, seat: str) -> list[Disclosure]:
    """The secrets of a game's log that a seat may not have."""
    found: list[Disclosure] = []
    for row in game.store.rows(game.id):
        beside = row.data.partition(b"\n")[2]
        given = msgspec.json.decode(beside, type=list[Disclosure]) if beside else []
        found += [one for one in given if one not in visible(given, seat)]
    return found


def no_salt_is_given(pair: Pair, least: int, every: bool = False) -> None:
    """No salt of a secret is in what the seat gets, the key of chance in nothing that any seat gets.

    A digest without its salt tells nothing; `least` secrets are kept from the seat.
    """
    path = pair.paths[0]
    kept = secrets(pair.games[0], pair.kept)
    assert len(kept) >= least
    for seat in pair.seats:
        out = "".join(pair.said(path, words) for words in commands(pair, seat, every))
        assert NONCE not in out
        if seat == pair.kept:
            assert not [one for one in kept if one.salt in out]
    assert NONCE not in command(path, "export", "twin", "-o", "-")
    assert NONCE in command(path, "export", "twin", "-o", "-", "--with-secret")


def no_archive_tells(pair: Pair, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An archive of the unfinished game holds no salt, and no byte that tells the games apart; were it whole, it would."""
    one, other = (_archived(game, folder / f"{number}.db") for number, game in enumerate(pair.games))
    assert one == other
    monkeypatch.setattr("warptape.projections.archive.rows.NOBODY", None)
    one, other = (_archived(game, folder / f"whole-{number}.db") for number, game in enumerate(pair.games))
    assert one != other


def _archived(game: Any, path: Path) -> list[str]:
    """What an archive of one game says, where it was found and digests left out."""
    with Archive(path) as archive:
        assert archive.follow(StoreSource(game.store)).failed == []
        rows = [
            f"{table.name} {row}"
            for table in TABLES
            for row in archive.connection.execute(f"SELECT * FROM [{table.name}] ORDER BY {', '.join(table.key)}")
        ]
    held = path.read_bytes()
    assert NONCE.encode() not in held
    kept = secrets(game, "")
    assert kept
    assert not [one for one in kept if one.salt.encode() in held]
    return [DIGESTS.sub("-", row).replace(game.store.name, "STORE") for row in rows]


def exports_play_back(pair: Pair, folder: Path) -> None:
    """`audit` passes a seat's export, `import` takes it, and every position of it is the view that seat had."""
    game = pair.games[0]
    for seat in pair.seats:
        file = game.export(folder / f"{seat}.tape.jsonl", seat)
        report = command(pair.paths[0], "audit", str(file))
        assert report.startswith("0\n"), report
        with warptape.open(folder / f"{seat}.db") as store:
            again = store.load(file)
            assert again.length == game.length
            for at in range(0, game.length, 7):
                assert again.at(at).state == game.at(at).view(seat)
                assert again.at(at).board().to_json() == game.at(at).board(seat=seat).to_json()
            assert [one.text for one in again.log()] == [one.text for one in game.log(seat)]
            assert again.audit().ok


def imports_tell_nothing(pair: Pair, folder: Path, lines: Iterable[str]) -> None:
    """Whoever has the seat's export owns it and may ask anything of it: it holds no more than the seat knew."""
    outs = []
    other = next(seat for seat in pair.seats if seat != pair.kept)
    for number, game in enumerate(pair.games):
        file = game.export(folder / f"{number}.tape.jsonl", pair.kept)
        shelf = folder / f"{number}.db"
        loaded = command(shelf, "import", str(file), "--json")
        name = re.search(r'"name": "([^"]+)"', loaded)
        assert name is not None
        words: list[tuple[str, ...]] = [
            ("show", name[1]),
            ("log", name[1], "--json"),
            ("transcript", name[1]),
            ("legal", name[1]),
            ("audit", name[1]),
            ("undo", name[1]),
            ("show", name[1], "--as", other),
            ("log", name[1], "--as", other, "--json"),
        ]
        for line in lines:
            words += [("act", name[1], line), ("why", name[1], line)]
        out = "".join(command(shelf, *line) for line in words) + command(shelf, "audit", str(file))
        ident = re.search(r'"id": "([^"]+)"', loaded)
        assert ident is not None
        out = DIGESTS.sub("-", out).replace(ident[1], "ID").replace(str(file), "FILE")
        outs.append(TIMES.sub("NOW", out))
    assert outs[0] == outs[1]
