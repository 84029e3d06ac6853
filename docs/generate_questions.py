"""Writes `docs/howto/ask.md`: ten questions with their SQL and what the sample that ships with warptape answers.

python docs/generate_questions.py                    writes the page
python docs/generate_questions.py --check            writes nothing; exits 1 if the page is out of date
python docs/generate_questions.py --archive FILE     takes an archive of the sample that is there already

What is said of the answers stands here, below: read it again whenever the sample has been made anew.
"""

from __future__ import annotations

import hashlib
import sys
import tempfile
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import NamedTuple

from warptape.projections.archive import VIEWS, Archive, sample
from warptape.projections.archive.questions import QUESTIONS, answer, question
from warptape.projections.archive.tables import VERSION
from warptape.replays.processes import cores

PAGE = Path(__file__).resolve().parent / "howto" / "ask.md"


class Worked(NamedTuple):
    """A question of the page: why one asks it, what its answer says, and the values it is asked with."""

    name: str
    why: str
    reading: str
    values: tuple[tuple[str, str], ...] = ()


WORKED = (
    Worked(
        "bots",
        "Who wins is the first question, and the second is how far so few games can be trusted. `low` and `high` are the 95 % "
        "interval of the share (Wilson), worked out in SQL.",
        "The random bot never wins, and although it sits at some tables six times only, its interval ends below that of the "
        "sensible bot. Five or six games of people say next to nothing: their intervals span half of the scale.",
    ),
    Worked(
        "fair_dice",
        "Whoever loses suspects the dice. The view [`dice_by_value`](../archive.md#dice_by_value) counts each side; chi-square "
        "adds up how far the sides are from their equal share. Take-backs are not left out: a die that was taken back was rolled.",
        "For a die of six sides (5 degrees of freedom) chi-square is above 11.1 once in twenty times, for one "
        "of two sides (1) above 3.84. Of eight rows one that stands out is no wonder; here three do, all of "
        "one game. That is worth a second look, at other games: 72,000 numbers of 2,000 other seeds are odd "
        "and even 36,044 and 35,956 times, and 1,717 dice of six other tables have a chi-square of 1.5. So it "
        "was chance: whoever looks at many tests will find something. The loaded die of two of the tables "
        "(its six comes up too often) is *not* found, since 153 dice are too few. `warptape stats` says how "
        "many it takes, and tests the order of the rolls as well.",
    ),
    Worked(
        "length",
        "How long an evening will it be, and are lost games shorter? SQLite has no median: the middle one or two of the ranked "
        "games are averaged.",
        "The Marines of Tyranid Attack need nearly twice as many decisions to win as to lose; a victory in Doom of the Eldar "
        "takes as many rounds for either side.",
    ),
    Worked(
        "deadliest",
        "What a unit is worth shows in what it destroys. The table [`names`](../archive.md#names) is joined twice, once for "
        "what was lost and once for what it was lost through.",
        "No Marine destroys more Termagants than Brother Lukas. A third of all that is lost in Tyranid Attack "
        "are Genestealers that were shot with Bolt Pistols or fought hand to hand, in equal parts; Scouts "
        "fall hand to hand.",
    ),
    Worked(
        "cards_and_winning",
        "Which cards are worth playing? Games in which a side used something are set against those in which it did not. Cards "
        "of one name count together; `least` leaves out what is too rare to be said anything of.",
        "It says what went together, not what caused what. Yriel comes late to Doom of the Eldar, so games with him are those "
        "that the Eldar have not won early: 27 % with him, 96 % without. The Melta-Bomb of Tyranid Attack, by contrast, "
        "destroys an objective, and four of those win the game.",
    ),
    Worked(
        "where_units_fall",
        "Where a game is lost shows on the board. The view [`places`](../archive.md#places) counts moves, fights and losses by "
        "the spot that is the same in all games, whichever way a section lies.",
        "On the middle squares of the last board of Space Marine Adventures somebody falls for every two or "
        "three that step there. Aboard the hive ship losses are spread thin, and no square stands out. "
        "`warptape stats sample.db --only heat --svg pictures` draws all of it over the boards.",
    ),
    Worked(
        "luck",
        "Is it skill, or is it dice? The games of each seat are parted into three by its mean attack die, and the share that it "
        "won is set beside it. A roll is a seat's if the dice are (`rolls.stream`), or if there is but one seat.",
        "The lucky Eldar win half as often again as the unlucky ones. Elsewhere there is no such order, and "
        "in Space Marine Adventures it is even turned round: with some 26 games in each third, a difference "
        "below 27 points may well be chance. `warptape analyse` answers the same for one game, roll by roll.",
    ),
    Worked(
        "taken_back",
        "Take-backs say where people slip, and `seen` whether they had seen a die or a card before they changed their minds.",
        "Moves are taken back most, and mostly before anything was seen. What rolls or draws at once (`fight` "
        "and `use` of Doom of the Eldar, `next` and `at` of Space Marine Adventures) is always taken back "
        "after a look. These games allow that; with `--undo until-revealed` they would not.",
        (("least", "3"),),
    ),
    Worked(
        "openings",
        "Is there a best beginning? The first three decisions are counted by what was asked and what was chosen, those with only "
        "one choice left out.",
        "The bots always begin Doom of the Eldar alike, so nothing can be said of it. Of the squads of four, the one "
        "without Brother Adrix does worst, and of the boards `3-up` and `2-up`, but with 8 to 20 games each: "
        "`warptape simulate` plays a thousand for an answer.",
    ),
    Worked(
        "find_in_stories",
        "Some questions are not numbers: in which games did the Avatar meet the Hive Mind? Full-text search finds sentences of the "
        "story that have all the words, in all their forms, the best matches first.",
        "`address` is where to look: with the log file on the shelf, `warptape show ADDRESS` draws the board of that moment. "
        "In SQL of your own `MATCH` takes `AND`, `OR`, `NOT`, `NEAR(…)` and words in a row between quotes as well (FTS5).",
        (("words", "battle avatar hive mind"), ("most", "6")),
    ),
)

HEAD = """# Ask questions of your games

<!-- Written by docs/generate_questions.py; edits are lost. -->

Recorded games are data. [An archive](../archive.md) holds them as tables fit for SQL, and 200 games come with warptape to try questions
on: 80 of Space Marine Adventures, 70 of Doom of the Eldar and 50 of Tyranid Attack, by sensible and random bots with several options. Some were
entered at a table, in some moves were taken back or notes written, one is not over and two are forks.

```sh
warptape archive sample sample.db      # a minute or two: 200 games become 890,000 rows, 150 MB
warptape archive ask sample.db         # the questions there are
warptape archive ask sample.db bots    # one of them
warptape archive ask sample.db cards_and_winning least=20
```

They are asked of an archive of your own games in the same way: `warptape archive build games-archive.db`. `--sql` prints a question to be changed,
`--json` its answer for a program, and `warptape archive serve` has all of them to click. SQLite must have its mathematical functions for
the first one (3.35 or later, as most have it).

The games were played by bots, also those of "people"; names, clock and the dice of the tables are made up. `warptape archive sample sample.db
--games sample-games` keeps the 200 log files as well; they are log files like any others, which `warptape import`, `show`, `audit` and
`page` take. `docs/generate_sample.py` plays the same games again.
"""

TAIL = """## The same with Polars, pandas and DuckDB

Whichever tool you prefer, it is the same question: what each kind of unit lost.

```python
import warptape

archive = warptape.archive("sample.db")
for row in archive.query("SELECT name, lost FROM losses_by_unit ORDER BY lost DESC LIMIT 3"):  # a dict for each row
    print(row["name"], row["lost"])
```

Tables come as frames of Polars, or of pandas where only that is installed (`warptape[frames]`; more [on notebooks](notebooks.md)):

```python
import polars

losses, names = archive.frame("losses", library="polars"), archive.frame("names", library="polars")
counted = losses.filter((polars.col("current") == 1) & (polars.col("inherited") == 0))
named = counted.join(names, left_on=["game", "unit"], right_on=["game", "id"], how="left")
print(named.group_by("name").agg(polars.col("final").sum().alias("lost")).sort("lost", descending=True).head(3))
```

```python
losses, names = archive.frame("losses", library="pandas"), archive.frame("names", library="pandas")
counted = losses[(losses.current == 1) & (losses.inherited == 0)]
named = counted.merge(names, left_on=["game", "unit"], right_on=["game", "id"], how="left")
print(named.groupby("name")["final"].sum().nlargest(3))
```

DuckDB reads the archive itself (`ATTACH 'sample.db' AS archive (TYPE sqlite)`), or the files of `warptape archive export
sample.db --parquet tables`:

```sql
SELECT names.name, sum(final) AS lost
FROM 'tables/losses.parquet' AS losses
JOIN 'tables/names.parquet' AS names ON names.game = losses.game AND names.id = losses.unit
WHERE losses.current = 1 AND losses.inherited = 0 GROUP BY names.name ORDER BY lost DESC LIMIT 3
```
"""


def stamp() -> str:
    """Return a digest of what the answers hang on: the sample, the questions, and the form and views of archives."""
    packed = resources.files("warptape.projections.archive").joinpath(sample.FILE).read_bytes()
    asked = [repr(question(one.name)) + repr(one.values) for one in WORKED]
    parts = [hashlib.sha256(packed).hexdigest(), str(VERSION), *VIEWS.values(), *asked]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def page(archive: Archive) -> str:
    """The page with what that archive answers."""
    return "\n".join(
        [HEAD, *(part for number, one in enumerate(WORKED, 1) for part in _part(archive, number, one)), _end()]
    )


def _part(archive: Archive, number: int, one: Worked) -> Iterator[str]:
    asked = question(one.name)
    found = answer(archive, one.name, dict(one.values))
    values = {**dict(asked.params), **dict(one.values)}
    yield f"## {number}. {asked.title}\n"
    yield f"{one.why}\n"
    yield f"```sql\n{asked.sql}\n```\n"
    if values:
        yield f"With {', '.join(f'`:{key}` = `{value}`' for key, value in values.items())}:\n"
    numbers = [all(isinstance(row[at], int | float | None) for row in found.rows) for at in range(len(found.head))]
    yield f"| {' | '.join(found.head)} |"
    yield f"| {' | '.join('--:' if right else '---' for right in numbers)} |"
    yield from (f"| {' | '.join('–' if cell is None else _cell(cell) for cell in row)} |" for row in found.rows)
    yield ""
    yield f"{one.reading}\n"


def _cell(value: object) -> str:
    return (
        str(value).replace("|", "\\|").replace("[", "**").replace("]", "**") if isinstance(value, str) else str(value)
    )


def _end() -> str:
    others = [one for one in QUESTIONS if one.name not in {worked.name for worked in WORKED}]
    more = "\n".join(f"- `{one.name}`: {one.title}" for one in others)
    return f"## And others\n\n`warptape archive ask` and `warptape archive serve` have these as well:\n\n{more}\n\n{TAIL}\n<!-- {stamp()} -->\n"


def main(arguments: list[str]) -> int:
    """Writes the page, or with `--check` says whether it differs."""
    if "--archive" in arguments:
        with Archive(arguments[arguments.index("--archive") + 1], readonly=True) as made:
            text = page(made)
    else:
        with tempfile.TemporaryDirectory() as folder, Archive(Path(folder, "sample.db")) as made:
            sample.follow(made, jobs=cores())
            text = page(made)
    if PAGE.exists() and PAGE.read_text(encoding="utf-8") == text:
        return 0
    if "--check" in arguments:
        print("docs/howto/ask.md is out of date: run `python docs/generate_questions.py`.", file=sys.stderr)
        return 1
    PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
