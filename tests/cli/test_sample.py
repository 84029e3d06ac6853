"""The 200 recorded games that come with warptape, the questions asked of them, and the page that answers ten of them."""

from __future__ import annotations

import json
import re
import runpy
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

import warptape
from warptape.domain.rules import ruleset
from warptape.projections.archive import Archive, FileSource, sample
from warptape.projections.archive.questions import QUESTIONS, answer
from warptape.projections.statistics import wilson

Run = Callable[..., Result]
DOCS = Path(__file__).resolve().parents[2] / "docs"
TAKEN = (1, 35, 46, 63, 71, 76, 80, 81, 122, 148, 177, 183, 195, 198)
"""Numbers of some games of all sorts: bots of both kinds, three levels, people, tables, an unfinished one."""
GIVEN = {"cards_and_winning": {"least": "1"}, "taken_back": {"least": "1"}, "openings": {"least": "1"}}


@pytest.fixture(scope="module")
def games() -> dict[int, bytes]:
    """The log files of the sample by their numbers, from 1."""
    return {int(name[:3]): log for name, log in sample.logs()}


@pytest.fixture(scope="module")
def some(games: dict[int, bytes], tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Some of them as files."""
    folder = tmp_path_factory.mktemp("sample")
    for number in TAKEN:
        (folder / f"{number:03}.tape.jsonl").write_bytes(games[number])
    return sorted(folder.iterdir())


@pytest.fixture(scope="module")
def archived(some: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive of some of them."""
    path = tmp_path_factory.mktemp("archive") / "sample.db"
    with Archive(path) as made:
        assert made.follow(FileSource(some)).failed == []
    return path


@pytest.fixture
def made(archived: Path) -> Iterator[Archive]:
    with Archive(archived, readonly=True) as opened:
        yield opened


def test_the_sample_is_what_its_generator_plans(games: dict[int, bytes]) -> None:
    script = runpy.run_path(str(DOCS / "generate_sample.py"))
    plans = script["PLANS"]
    assert len(games) == len(plans) == 200
    for number, plan in enumerate(plans, 1):
        head, _, opening, _ = games[number].split(b"\n", 3)
        header, opened = json.loads(head), json.loads(opening)["event"]
        assert header["ruleset"] == plan.ruleset
        assert header["name"].startswith(f"Sample {number}")
        assert {name: str(opened["options"].get(name, "")) for name in plan.options} == plan.options
        assert opened.get("chance", "fate") == ("table" if plan.how == "table" else "fate")
    assert len({json.loads(log.partition(b"\n")[0])["game"] for log in games.values()}) == 200
    text = b"".join(games.values())
    assert all(text.count(b'"type":"%s"' % kind) > 20 for kind in (b"Rewound", b"NoteAdded"))
    short = next(number for number, plan in enumerate(plans) if plan.most < 100)
    assert script["played"](short) == script["played"](short), "the same number is the same game"


@pytest.mark.slow
def test_the_generator_makes_the_same_bytes_again(games: dict[int, bytes]) -> None:
    """It does so until bots, rules, cards or the log's form change: then make the sample anew, and the page."""
    played = runpy.run_path(str(DOCS / "generate_sample.py"))["played"]
    for number in TAKEN:
        assert played(number - 1) == games[number], number


def test_what_is_packed_comes_out_as_it_went_in(games: dict[int, bytes]) -> None:
    logs = [games[76], games[1]]
    import lzma

    packed = sample.pack(logs)
    assert list(sample.unpack(lzma.decompress(packed).splitlines(keepends=True))) == logs
    assert len(packed) < sum(map(len, logs)) / 12
    with pytest.raises(ValueError, match="cannot be packed"):
        sample.pack([games[1].replace(b'"type":"DiceRolled"', b'"type":"DiceThrown"', 1)])


def test_games_of_the_sample_audit_clean(run: Run, some: list[Path]) -> None:
    run("audit", *(str(path) for path in some[::3]))


@pytest.mark.slow
def test_all_games_of_the_sample_audit_clean(run: Run, tmp_path: Path) -> None:
    run("audit", *(str(path) for path in sample.write(tmp_path / "games")))


def test_the_command_makes_an_archive_and_keeps_the_games_where_asked(
    run: Run, data: Callable[..., Any], some: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = [(path.name, path.read_bytes()) for path in (some[0], some[5], some[7])]
    monkeypatch.setattr(sample, "logs", lambda: iter(few))  # the whole takes minutes
    assert data("archive", "sample", "sample.db", "--jobs", "1")["added"] == 3
    with Archive("sample.db", readonly=True) as opened:
        assert {row["found_in"] for row in opened.query("SELECT found_in FROM games")} == {"sample"}
        assert sorted(row["found_as"] for row in opened.query("SELECT found_as FROM games")) == [
            f"{name}.gz" for name, _ in few
        ]
    again = data("archive", "sample", "sample.db", "--games", "kept", "--jobs", "1")
    assert (again["added"], again["failed"]) == (0, [])
    kept = sorted((tmp_path / "kept").iterdir())
    assert [path.name for path in kept] == [f"{name}.gz" for name, _ in few]
    run("import", str(kept[0]))
    assert "Sample 1" in run("games").stdout


@pytest.mark.parametrize("name", [one.name for one in QUESTIONS])
def test_every_question_is_answered(made: Archive, name: str) -> None:
    found = answer(made, name, GIVEN.get(name))
    assert found.rows
    assert all(len(row) == len(found.head) for row in found.rows)


def test_shares_have_the_intervals_of_wilson(made: Archive) -> None:
    found = answer(made, "bots")
    assert sum(row[3] for row in found.rows if row[1] == "team") == sum(  # type: ignore[misc]
        1 for _ in made.query("SELECT 1 FROM games WHERE finished AND ruleset = 'space-marine-adventures'")
    )
    for _, _, _, games, won, percent, low, high in found.rows:
        share = wilson(won, games)  # type: ignore[arg-type]
        assert (percent, low, high) == pytest.approx((100 * share.share, 100 * share.low, 100 * share.high), abs=0.06)


def test_chi_square_is_that_of_the_textbook(made: Archive) -> None:
    counts: dict[tuple[str, str, str], Counter[int]] = {}
    for row in made.query(
        "SELECT ruleset, sides, entered, value FROM dice JOIN games ON games.id = game WHERE NOT inherited"
    ):
        key = (row["ruleset"], f"d{row['sides']}", "by hand" if row["entered"] else "fate")
        counts.setdefault(key, Counter())[row["value"]] += 1
    found = answer(made, "fair_dice").rows
    assert {row[:3] for row in found} == {*counts}
    for ruleset_id, die, thrown, dice, _, chi_square, freedom in found:
        fallen, sides = counts[ruleset_id, die, thrown], int(str(die)[1:])  # type: ignore[index]
        due = fallen.total() / sides
        assert (dice, freedom) == (fallen.total(), sides - 1)
        assert chi_square == pytest.approx(
            sum((fallen[side] - due) ** 2 / due for side in range(1, sides + 1)), abs=0.006
        )


def test_names_stand_beside_ids(made: Archive) -> None:
    cards = list(made.query("SELECT item, name FROM card_use WHERE item LIKE 'INF-%' OR item LIKE 'EX-%'"))
    assert len(cards) > 30
    assert all(row["name"] != row["item"] for row in cards)
    assert {row["name"] for row in cards} >= {"Ventral Crawlers", "Still Air"}
    units = {row["unit"]: row["name"] for row in made.query("SELECT unit, name FROM losses_by_unit")}
    assert (units["guardian"], units["MAX"], units["heavy_scout"]) == (
        "Guardians",
        "Sergeant Maximus",
        "Heavy Weapon Scout",
    )
    spots = {row["spot"]: row["name"] for row in made.query("SELECT spot, name FROM places")}
    assert spots["n2"] == "Tearsreach"
    assert all(name.startswith("Crooked Sacs (3) ") for spot, name in spots.items() if spot.startswith("3:"))


@pytest.mark.parametrize("name", ["space-marine-adventures", "doom-of-the-eldar", "tyranid-attack"])
def test_an_id_without_a_name_is_its_own(name: str) -> None:
    assert ruleset(name).called("no-such-id") == "no-such-id"


def test_questions_are_listed_asked_and_shown(run: Run, data: Callable[..., Any], archived: Path) -> None:
    listed = run("archive", "ask", str(archived)).stdout
    assert all(re.search(rf"(?m)^{one.name} ", listed) for one in QUESTIONS)
    shown = run("archive", "ask", str(archived), "deadliest", "most=2").stdout
    assert "What kills what, most of all?" in shown
    assert len(shown.splitlines()) == 2 + 3 * 2
    rows = data("archive", "ask", str(archived), "deadliest", "most=2")
    assert all(str(row["lost"]) in shown for row in rows)
    assert run("archive", "ask", str(archived), "bots", "--sql").stdout.strip() == QUESTIONS[0].sql
    refused = run("archive", "ask", str(archived), "weather", code=2)
    assert "There is no question 'weather'. There are: bots, " in refused.stderr
    assert "takes no value 'least'" in run("archive", "ask", str(archived), "deadliest", "least=2", code=2).stderr
    told = run("archive", "ask", str(archived), "find_in_stories", "words=battle (avatar) AND", "most=2").stdout
    assert "sentence" in told, "odd signs are only text"


# The page


def test_the_page_is_of_todays_sample_and_questions() -> None:
    """The answers themselves are worked out anew in the slow test below."""
    script = runpy.run_path(str(DOCS / "generate_questions.py"))
    page = (DOCS / "howto" / "ask.md").read_text(encoding="utf-8")
    assert page.endswith(f"<!-- {script['stamp']()} -->\n"), "run `python docs/generate_questions.py`"
    assert len(script["WORKED"]) == len(re.findall(r"(?m)^## \d+\. ", page)) == 10


@pytest.mark.slow
def test_the_page_has_the_answers_of_the_sample() -> None:
    script = runpy.run_path(str(DOCS / "generate_questions.py"))
    assert script["main"](["--check"]) == 0


def test_what_the_page_shows_of_other_tools_runs(
    archived: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("polars")
    pytest.importorskip("pandas")
    duckdb = pytest.importorskip("duckdb")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sample.db").symlink_to(archived)
    page = (DOCS / "howto" / "ask.md").read_text(encoding="utf-8")
    space: dict[str, Any] = {}
    for block in re.findall(r"(?ms)^```python\n(.*?)^```", page):
        exec(block, space)
    from warptape.projections.archive.exporting import export_parquet

    with warptape.archive(archived) as opened:
        export_parquet(opened, tmp_path / "tables")
        (first,) = opened.query(
            "SELECT name, sum(lost) AS lost FROM losses_by_unit GROUP BY name ORDER BY lost DESC LIMIT 1"
        )
    told = duckdb.sql(re.findall(r"(?ms)^```sql\n(.*?)^```", page)[-1]).fetchall()
    assert told[0] == (first["name"], first["lost"])
    printed = capsys.readouterr().out
    assert printed.count(first["name"]) >= 3, "SQL, Polars and pandas say the same"
    assert printed.count(str(first["lost"])) >= 2
    space["archive"].close()
