"""Questions asked of an archive, in SQL: what `archive ask` answers, Datasette offers to click, and the docs explain."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from typing import NamedTuple

from ...domain.errors import OptionError, StoreError
from .build import Archive


class Question(NamedTuple):
    """A question: a name for links, its words, its SQL; `:name` in it is asked for, with a value to begin with."""

    name: str
    title: str
    sql: str
    params: tuple[tuple[str, str], ...] = ()


class Answer(NamedTuple):
    """The answer to a question: the names of its columns, and its rows."""

    question: Question
    head: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]


QUESTIONS = (
    Question(
        "bots",
        "How often does each holder of a seat win, and how sure is that?",
        """WITH counted AS (
    SELECT ruleset, seat, holder, count(*) AS games, sum(won) AS won, 1.0 * sum(won) / count(*) AS p, 1.96 * 1.96 AS zz
    FROM seats JOIN games ON games.id = seats.game WHERE finished GROUP BY ruleset, seat, holder
)
SELECT ruleset, seat, holder, games, won, round(100 * p, 1) AS percent,
       round(100 * (p + zz / 2 / games - 1.96 * sqrt(p * (1 - p) / games + zz / 4 / games / games)) / (1 + zz / games), 1) AS low,
       round(100 * (p + zz / 2 / games + 1.96 * sqrt(p * (1 - p) / games + zz / 4 / games / games)) / (1 + zz / games), 1) AS high
FROM counted ORDER BY ruleset, seat, percent DESC""",
    ),
    Question(
        "fair_dice",
        "Do the dice come up as they should?",
        """WITH sums AS (
    SELECT ruleset, sides, entered, sum(dice) AS dice FROM dice_by_value GROUP BY ruleset, sides, entered
)
SELECT ruleset, 'd' || sides AS die, iif(entered, 'by hand', 'fate') AS thrown, sums.dice,
       group_concat(value || ': ' || round(100.0 * by_value.dice / sums.dice, 1) || ' %', ', ') AS shares,
       round(sum((by_value.dice - 1.0 * sums.dice / sides) * (by_value.dice - 1.0 * sums.dice / sides)
                 / (1.0 * sums.dice / sides)), 2) AS chi_square,
       sides - 1 AS freedom
FROM sums JOIN (SELECT * FROM dice_by_value ORDER BY value) AS by_value USING (ruleset, sides, entered)
GROUP BY ruleset, sides, entered ORDER BY ruleset, entered, sides""",
    ),
    Question(
        "length",
        "How long do games take, by how they end?",
        """WITH ranked AS (
    SELECT ruleset, result, rounds, decisions,
           row_number() OVER (PARTITION BY ruleset, result ORDER BY decisions) AS place,
           count(*) OVER (PARTITION BY ruleset, result) AS games
    FROM games WHERE finished
)
SELECT ruleset, result, games, round(avg(rounds), 1) AS mean_rounds, min(decisions) AS least,
       round(avg(iif(place IN ((games + 1) / 2, (games + 2) / 2), decisions, NULL))) AS median, max(decisions) AS most
FROM ranked GROUP BY ruleset, result ORDER BY ruleset, games DESC""",
    ),
    Question(
        "deadliest",
        "What kills what, most of all?",
        """WITH summed AS (
    SELECT ruleset, ifnull(what.name, unit) AS unit, ifnull(how.name, cause) AS through, sum(final) AS lost
    FROM losses JOIN games ON games.id = losses.game
    LEFT JOIN names AS what ON what.game = losses.game AND what.id = unit
    LEFT JOIN names AS how ON how.game = losses.game AND how.id = cause
    WHERE current AND NOT inherited AND cause != '' GROUP BY 1, 2, 3
), placed AS (
    SELECT *, row_number() OVER (PARTITION BY ruleset ORDER BY lost DESC, unit, through) AS place,
           round(100.0 * lost / sum(lost) OVER (PARTITION BY ruleset), 1) AS percent_of_all FROM summed
)
SELECT ruleset, unit, through, lost, percent_of_all FROM placed WHERE place <= CAST(:most AS INTEGER) ORDER BY ruleset, place""",
        (("most", "4"),),
    ),
    Question(
        "cards_and_winning",
        "Which cards and abilities do winners use?",
        """WITH played AS (
    SELECT ruleset, side, ifnull(names.name, item) AS used, uses.game, max(won) AS won
    FROM uses JOIN games ON games.id = uses.game
    JOIN seats ON seats.game = uses.game AND seats.seat = side
    LEFT JOIN names ON names.game = uses.game AND names.id = item
    WHERE current AND NOT inherited AND finished GROUP BY 1, 2, 3, 4
), everyone AS (
    SELECT ruleset, seat AS side, count(*) AS games, sum(won) AS won
    FROM seats JOIN games ON games.id = seats.game WHERE finished GROUP BY ruleset, seat
)
SELECT ruleset, side, used, count(*) AS games_with, round(100.0 * avg(played.won), 1) AS won_with,
       everyone.games - count(*) AS games_without,
       round(100.0 * (everyone.won - sum(played.won)) / (everyone.games - count(*)), 1) AS won_without
FROM played JOIN everyone USING (ruleset, side) GROUP BY ruleset, side, used
HAVING games_with >= CAST(:least AS INTEGER) AND games_without >= CAST(:least AS INTEGER)
ORDER BY ruleset, side, won_with - won_without DESC, used""",
        (("least", "10"),),
    ),
    Question(
        "where_units_fall",
        "Where are units lost?",
        """WITH placed AS (
    SELECT *, row_number() OVER (PARTITION BY ruleset ORDER BY losses DESC, spot) AS place FROM places WHERE losses > 0
)
SELECT ruleset, spot, name, losses, fights, moves, round(1.0 * losses / moves, 2) AS losses_a_move
FROM placed WHERE place <= CAST(:most AS INTEGER) ORDER BY ruleset, place""",
        (("most", "4"),),
    ),
    Question(
        "luck",
        "Do those who roll high win?",
        """WITH rolled AS (
    SELECT ruleset, seat, won, avg(value) AS mean, dice.game AS game
    FROM dice JOIN rolls USING (game, position) JOIN games ON games.id = dice.game
    JOIN seats ON seats.game = dice.game
         AND (seat = stream OR (SELECT count(*) FROM seats AS all_seats WHERE all_seats.game = dice.game) = 1)
    WHERE dice.current AND NOT dice.inherited AND finished AND dice.sides = 6
          AND instr(',' || :purposes || ',', ',' || dice.purpose || ',')
    GROUP BY dice.game, seat
), parted AS (
    SELECT *, ntile(3) OVER (PARTITION BY ruleset, seat ORDER BY mean, game) AS third FROM rolled
)
SELECT ruleset, seat, CASE third WHEN 1 THEN 'unlucky' WHEN 2 THEN 'middling' ELSE 'lucky' END AS third,
       count(*) AS games, round(avg(mean), 2) AS mean_die, sum(won) AS won, round(100.0 * avg(won), 1) AS percent
FROM parted GROUP BY ruleset, seat, parted.third ORDER BY ruleset, seat, parted.third""",
        (("purposes", "attack,fire,shot"),),
    ),
    Question(
        "taken_back",
        "What is taken back, and how much had been seen?",
        """SELECT ruleset, by, action, count(*) AS times, sum(seen > 0) AS after_a_look, round(avg(seen), 1) AS mean_seen,
       max(seen) AS most_seen
FROM takebacks JOIN games ON games.id = takebacks.game
JOIN decisions ON decisions.game = takebacks.game AND decisions.position = (
    SELECT max(position) FROM decisions AS before WHERE before.game = takebacks.game AND before.position <= origin
)
WHERE NOT takebacks.inherited GROUP BY ruleset, by, action HAVING times >= CAST(:least AS INTEGER)
ORDER BY ruleset, times DESC, by, action""",
        (("least", "3"),),
    ),
    Question(
        "openings",
        "Which choice at the beginning goes with winning?",
        """WITH chosen AS (
    SELECT ruleset, decisions.seat, question, notation, count(*) AS games, sum(won) AS won
    FROM decisions JOIN games ON games.id = decisions.game
    JOIN seats ON seats.game = decisions.game AND seats.seat = decisions.seat
    WHERE current AND NOT inherited AND finished AND number <= CAST(:decisions AS INTEGER) AND choices > 1
    GROUP BY 1, 2, 3, 4
)
SELECT ruleset, seat, question, notation AS opening, games, won, round(100.0 * won / games, 1) AS percent
FROM chosen WHERE games >= CAST(:least AS INTEGER) ORDER BY ruleset, seat, question, percent DESC, opening""",
        (("decisions", "3"), ("least", "5")),
    ),
    Question(
        "find_in_stories",
        "In which games is this told?",
        """SELECT games.name, story.game || '@' || story.position AS address, story.round, games.result,
       highlight(story_fts, 0, '[', ']') AS sentence
FROM story_fts JOIN story ON story.id = story_fts.rowid JOIN games ON games.id = story.game
WHERE story_fts MATCH '"' || replace(replace(trim(:words), '"', ' '), ' ', '" "') || '"' AND current
ORDER BY story_fts.rank, games.name, story.position LIMIT CAST(:most AS INTEGER)""",
        (("words", "rolled"), ("most", "20")),
    ),
    Question(
        "losses_by_round",
        "When do winners and losers lose their units?",
        """WITH RECURSIVE numbers (round) AS (
    VALUES (1) UNION ALL SELECT round + 1 FROM numbers WHERE round < CAST(:rounds AS INTEGER)
), lost AS (
    SELECT game, side, level, level_round, sum(final) AS units FROM losses WHERE current AND NOT inherited GROUP BY 1, 2, 3, 4
), reached AS (
    SELECT id AS game, 0 AS level, rounds FROM games WHERE finished AND levels = 0 UNION ALL
    SELECT id, level, max(level_round) FROM games JOIN events ON events.game = id
    WHERE finished AND levels > 0 AND current GROUP BY id, level
)
SELECT ruleset, seat, reached.level, numbers.round, count(*) AS games,
       round(avg(iif(won, ifnull(units, 0), NULL)), 2) AS lost_where_won,
       round(avg(iif(won, NULL, ifnull(units, 0))), 2) AS lost_where_not
FROM reached JOIN games ON games.id = reached.game JOIN seats ON seats.game = reached.game
JOIN numbers ON numbers.round <= reached.rounds
LEFT JOIN lost ON lost.game = reached.game AND side = seat AND lost.level = reached.level AND level_round = numbers.round
GROUP BY ruleset, seat, reached.level, numbers.round ORDER BY ruleset, seat, reached.level, numbers.round""",
        (("rounds", "8"),),
    ),
    Question(
        "attacks_that_hit",
        "How often does each attack come off?",
        """SELECT ruleset, ifnull(who.name, unit) AS unit, ifnull(how.name, cause) AS attacks_with, ifnull(whom.name, target) AS target,
       count(*) AS attacks, round(100.0 * avg(success), 1) AS percent
FROM fights JOIN games ON games.id = fights.game
LEFT JOIN names AS who ON who.game = fights.game AND who.id = unit
LEFT JOIN names AS how ON how.game = fights.game AND how.id = cause
LEFT JOIN names AS whom ON whom.game = fights.game AND whom.id = target
WHERE current AND NOT inherited AND success IS NOT NULL
GROUP BY 1, 2, 3, 4 ORDER BY ruleset, attacks DESC""",
    ),
    Question(
        "thinking_time",
        "Over which questions do people think longest?",
        """SELECT ruleset, question, count(*) AS decisions, round(avg(decisions.seconds), 1) AS mean_seconds, max(choices) AS most_choices
FROM decisions JOIN games ON games.id = decisions.game
WHERE current AND NOT inherited AND decisions.seconds IS NOT NULL
GROUP BY ruleset, question ORDER BY mean_seconds DESC""",
    ),
)
BY_NAME = {one.name: one for one in QUESTIONS}


def question(name: str) -> Question:
    """Return a question by its name; raises OptionError, naming all, for an unknown one."""
    if name not in BY_NAME:
        raise OptionError(f"There is no question '{name}'. There are: {', '.join(BY_NAME)}.")
    return BY_NAME[name]


def answer(archive: Archive, name: str, values: Mapping[str, str] | None = None) -> Answer:
    """Return what an archive answers to a question; `values` are those of its parameters that shall differ.

    Raises OptionError for an unknown question or parameter, StoreError where SQLite refuses a value.
    """
    asked = question(name)
    known = dict(asked.params)
    if unknown := sorted({*(values or {})} - {*known}):
        there = f"Its values: {', '.join(known)}." if known else "It takes none."
        raise OptionError(f"The question '{name}' takes no value '{unknown[0]}'. {there}")
    try:
        cursor = archive.connection.execute(asked.sql, {**known, **(values or {})})
        rows = tuple(cursor.fetchall())
    except sqlite3.Error as error:
        raise StoreError(f"The question cannot be answered: {error}.") from error
    return Answer(asked, tuple(column[0] for column in cursor.description), rows)
