"""Ten questions asked of an archive, in SQL: what Datasette offers as canned queries, and the docs explain."""

from __future__ import annotations

from typing import NamedTuple


class Question(NamedTuple):
    """A question: a name for links, its words, its SQL; `:name` in it is asked for, with a value to begin with.

    What is asked for comes as text from a page, and empty at first: the SQL takes that value then.
    """

    name: str
    title: str
    sql: str
    params: tuple[tuple[str, str], ...] = ()


QUESTIONS = (
    Question(
        "wins_by_bot",
        "How often does each holder of a seat win?",
        "SELECT ruleset, seat, holder, won, games, percent FROM winners ORDER BY ruleset, percent DESC",
    ),
    Question(
        "fair_dice",
        "Do the dice come up as they should?",
        """SELECT ruleset, sides, entered, value, dice,
       round(1.0 * sum(dice) OVER (PARTITION BY ruleset, sides, entered) / sides, 1) AS expected
FROM dice_by_value ORDER BY ruleset, sides, entered, value""",
    ),
    Question(
        "longest_games",
        "Which games took the most decisions?",
        """SELECT id, name, ruleset, decisions, rounds, result_words
FROM games WHERE finished ORDER BY decisions DESC LIMIT 50""",
    ),
    Question(
        "deadliest",
        "What kills most?",
        """SELECT ruleset, losses.unit, losses.cause, sum(final) AS lost, sum(amount) AS amount
FROM losses JOIN games ON games.id = losses.game
WHERE current AND NOT inherited AND cause != ''
GROUP BY ruleset, losses.unit, losses.cause ORDER BY lost DESC LIMIT 100""",
    ),
    Question(
        "cards_and_winning",
        "Which cards and abilities do winners use?",
        """SELECT ruleset, item, count(*) AS uses, round(100.0 * avg(won), 1) AS won_percent
FROM uses JOIN games ON games.id = uses.game
JOIN seats ON seats.game = uses.game AND seats.seat = uses.side
WHERE current AND NOT inherited AND finished
GROUP BY ruleset, item HAVING uses >= CAST(ifnull(nullif(:least, ''), '10') AS INTEGER) ORDER BY won_percent DESC""",
        (("least", "10"),),
    ),
    Question(
        "where_units_fall",
        "Where are units lost?",
        """SELECT ruleset, spot, losses AS times, fights, moves FROM places
WHERE losses > 0 ORDER BY losses DESC LIMIT 100""",
    ),
    Question(
        "attacks_that_hit",
        "How often does each attack come off?",
        """SELECT ruleset, unit, cause, target, count(*) AS attacks, round(100.0 * avg(success), 1) AS percent
FROM fights JOIN games ON games.id = fights.game
WHERE current AND NOT inherited AND success IS NOT NULL
GROUP BY ruleset, unit, cause, target ORDER BY attacks DESC""",
    ),
    Question(
        "taken_back",
        "What is taken back, and how much had been seen?",
        """SELECT games.name, takebacks.game, position, by, seat, person, seen, target, takebacks.reason
FROM takebacks JOIN games ON games.id = takebacks.game
WHERE NOT inherited ORDER BY seen DESC LIMIT 100""",
    ),
    Question(
        "thinking_time",
        "Over which questions do people think longest?",
        """SELECT ruleset, question, count(*) AS decisions, round(avg(decisions.seconds), 1) AS mean_seconds, max(choices) AS most_choices
FROM decisions JOIN games ON games.id = decisions.game
WHERE current AND NOT inherited AND decisions.seconds IS NOT NULL
GROUP BY ruleset, question ORDER BY mean_seconds DESC""",
    ),
    Question(
        "find_in_stories",
        "In which games is this told?",
        """SELECT games.name, story.game || '@' || story.position AS address, story.text
FROM story_fts JOIN story ON story.id = story_fts.rowid JOIN games ON games.id = story.game
WHERE story_fts MATCH '"' || replace(replace(ifnull(nullif(trim(:words), ''), 'rolled'), '"', ' '), ' ', '" "') || '"'
ORDER BY story_fts.rank LIMIT 100""",
        (("words", "rolled"),),
    ),
)
