"""What notebooks show by themselves, and tables as data frames of Polars and pandas."""

from __future__ import annotations

import importlib
import sqlite3
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import warptape
from warptape.domain.errors import NotAllowed, OptionError
from warptape.projections import dataframes
from warptape.projections.archive import TABLES, VIEWS, Archive
from warptape.projections.notebooks import table_html

BOTS = {"team": "bot:sensible"}
EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "games.ipynb"


@pytest.fixture(scope="module")
def store() -> Iterator[Any]:
    with warptape.open(":memory:") as opened:
        for number in range(3):
            opened.new("space-marine-adventures", name=f"game {number}", seed=f"frames {number}", seats=BOTS).run({})
        yield opened


class Wellformed(HTMLParser):
    """Counts what is opened and closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        if tag not in ("br", "img", "input", "meta"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_games_positions_and_stores_show_themselves(store: Any) -> None:
    game = store.game("game 1")
    for shown in (game, game.at("@r2"), game.board(), store, store.stats(), game.stats()):
        parser = Wellformed()
        parser.feed(shown._repr_html_())
        assert parser.open == []
    for drawn in (game, game.at("@r2"), game.board()):
        assert ET.fromstring(drawn._repr_svg_()).tag == "{http://www.w3.org/2000/svg}svg"
    assert all(f"game {number}" in store._repr_html_() for number in range(3))


def test_the_example_notebook_runs() -> None:
    """Every cell of the notebook in the docs, in a kernel of its own; each shows something, most of them as HTML."""
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    notebook = nbformat.read(EXAMPLE, 4)
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    shown = [{kind for output in cell.outputs for kind in output.get("data", ())} for cell in cells]
    assert all("text/html" in kinds for kinds in shown)
    assert "image/svg+xml" in shown[0]
    assert "Maximus" in str(cells[0].outputs)
    assert not [output for cell in cells for output in cell.outputs if output.output_type == "error"]


def test_a_table_in_html_is_harmless_and_says_what_it_leaves_out() -> None:
    shown = table_html(("<b>", "n"), [("<script>alert(1)</script>", number) for number in range(60)], "A & B")
    assert "<script>" not in shown
    assert "&lt;script&gt;" in shown
    assert "A &amp; B" in shown
    assert "… and 10 more." in shown
    assert ">1,234,567<" in table_html(("n",), [(1234567,)])
    assert "<td>–</td>" in table_html(("n",), [(None,)])


@pytest.mark.parametrize("library", dataframes.LIBRARIES)
def test_a_frame_holds_what_the_archive_holds(store: Any, library: str, tmp_path: Any) -> None:
    pytest.importorskip(library)
    store.archive(tmp_path / "all.db")
    with sqlite3.connect(tmp_path / "all.db") as connection, Archive(tmp_path / "all.db", readonly=True) as archive:
        for name in [*(table.name for table in TABLES), *VIEWS]:
            # The store makes an archive for each frame that it is asked for: once will do.
            frame = (store if name == "games" else archive).frame(name, library=library)
            assert type(frame).__module__.startswith(library)
            cursor = connection.execute(f"SELECT * FROM [{name}]")
            assert list(frame.columns) == [column[0] for column in cursor.description]
            assert len(frame) == len(cursor.fetchall())
        total = connection.execute("SELECT sum(total) FROM rolls").fetchone()[0]
    assert store.frame("rolls", library=library)["total"].sum() == total


def test_the_frames_of_one_game_are_its_own(store: Any) -> None:
    pytest.importorskip("polars")
    games = [store.game(f"game {number}") for number in range(3)]
    assert sum(len(game.frame("rolls")) for game in games) == len(store.frame("rolls")) > 50
    assert list(games[0].frame("games")["name"]) == ["game 0"]
    assert len(games[0].frame("losses_by_unit")) > 0


def test_polars_comes_first_then_pandas_and_without_either_it_is_said_what_is_missing(
    store: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    there: set[str] = set()
    found = importlib.util.find_spec
    monkeypatch.setattr(dataframes, "find_spec", lambda name: found("json") if name in there else None)
    with pytest.raises(NotAllowed, match="pip install polars"):
        store.frame("rolls")
    with pytest.raises(NotAllowed, match="pip install pandas"):
        store.frame("rolls", library="pandas")
    there |= {"pandas"}
    assert dataframes.check("rolls") == "pandas"
    there |= {"polars"}
    assert dataframes.check("rolls") == "polars"
    assert dataframes.check("rolls", "pandas") == "pandas"


def test_a_table_that_is_not_there_is_refused_with_those_that_are(store: Any) -> None:
    with pytest.raises(OptionError, match=r"rolls.*Views.*losses_by_unit"):
        store.frame("role")
    with pytest.raises(OptionError, match="polars or pandas"):
        store.frame("rolls", library="excel")
