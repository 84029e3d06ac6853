"""The archive's tables, column by column: what creates them, and what the data dictionary says of them."""

from __future__ import annotations

from typing import NamedTuple

VERSION = 3
"""The form of the archive; one of another form is built anew."""


class Column(NamedTuple):
    """A column: its name, its type in SQLite, and what it holds."""

    name: str
    type: str
    text: str


class Table(NamedTuple):
    """A table: its name, what one row is, its key, its columns, and the columns that are searched by (`indexes`).

    Every table but `games` belongs to a game, so that a game's rows are put in and taken out together; `event` says that a
    row is about an event, too.
    """

    name: str
    text: str
    key: tuple[str, ...]
    columns: tuple[Column, ...]
    indexes: tuple[str, ...] = ()
    event: bool = True

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns, in order."""
        return tuple(column.name for column in self.columns)

    @property
    def numbered(self) -> bool:
        """Whether its first column is a number that SQLite gives."""
        return self.columns[0].type.endswith("PRIMARY KEY")

    def sql(self) -> str:
        """Return the statement that creates the table."""
        parts = [f"[{column.name}] {column.type}" for column in self.columns]
        parts.append(f"{'UNIQUE' if self.numbered else 'PRIMARY KEY'} ({', '.join(self.key)})")
        if self.name != "games":
            parts.append("FOREIGN KEY (game) REFERENCES games (id)")
        if self.event and self.name not in ("events", "games"):
            parts.append("FOREIGN KEY (game, position) REFERENCES events (game, position)")
        return f"CREATE TABLE [{self.name}] ({', '.join(parts)})"

    def insert(self) -> str:
        """Return the statement that puts a row in."""
        return f"INSERT INTO [{self.name}] VALUES ({', '.join('?' * len(self.columns))})"


def _c(name: str, type: str, text: str) -> Column:
    return Column(name, type, text)


GAME = _c("game", "TEXT", "The game's id.")
POSITION = _c("position", "INTEGER", "The event's position in the log: `GAME@57`.")
CURRENT = _c("current", "INTEGER", "1 on the line that the game is on, 0 where a take-back left it behind.")
INHERITED = _c("inherited", "INTEGER", "1 for what a fork has from the game it was forked from, 0 for the game's own.")
ROUND = _c("round", "INTEGER", "The round it falls in, counted along its line from 1; 0 before the first.")
LEVEL = _c(
    "level", "INTEGER", "The level it falls in, counted along its line from 1; 0 in a game that has no more than one."
)
LEVEL_ROUND = _c(
    "level_round",
    "INTEGER",
    "The round it falls in, counted within its level: `GAME@l2r3`. The same as `round` where `level` is 0.",
)
ENTERED = _c("entered", "INTEGER", "1 where people entered what real dice and cards gave, 0 where fate drew it.")
WHO = (
    _c("who", "TEXT", "Which unit: its id in the log."),
    _c("unit", "TEXT", "What sort of unit that is."),
    _c("side", "TEXT", "The seat it belongs to; empty for none."),
)
SPOT = _c(
    "spot", "TEXT", "The place as it is in all games: `BOARD:SQUARE` where boards differ, a turned section turned back."
)
SHARED = (CURRENT, INHERITED, ROUND, LEVEL, LEVEL_ROUND)

TABLES = (
    Table(
        "games",
        "A recorded game.",
        ("id",),
        (
            _c("id", "TEXT", "The game's id in its store, or its file's digest."),
            _c("name", "TEXT", "The game's name."),
            _c("ruleset", "TEXT", "The ruleset's id."),
            _c("version", "TEXT", "The ruleset's version that recorded it."),
            _c("content", "TEXT", "The digest of the boards and cards."),
            _c("chance", "TEXT", "`fate` or `table`: where dice and cards came from at first."),
            _c("undo", "TEXT", "The policy for taking back."),
            _c("opened", "TEXT", "When it was opened, in UTC."),
            _c("changed", "TEXT", "When it was changed last, in UTC."),
            _c("parent", "TEXT", "The game it was forked from; NULL for none."),
            _c("parent_position", "INTEGER", "The last position the fork has from it."),
            _c("events", "INTEGER", "How many events the log has."),
            _c("decisions", "INTEGER", "How many decisions were taken on its current line."),
            _c("rounds", "INTEGER", "How many rounds its current line has."),
            _c("levels", "INTEGER", "How many levels its current line has; 0 in a game that has no more than one."),
            _c("finished", "INTEGER", "1 when it is over."),
            _c("result", "TEXT", "The result in the game's own word; NULL while it is on."),
            _c("result_words", "TEXT", "The result in words."),
            _c("reason", "TEXT", "Why it ended."),
            _c("seconds", "REAL", "From the opening to the last event; NULL without times."),
            _c("seen_as", "TEXT", "The seat whose knowledge is all that is here; NULL where the whole game is."),
            _c(
                "whole",
                "INTEGER",
                "0 while secrets are left out because the game, or one it was forked from, is not over.",
            ),
            _c("imported", "TEXT", "The id that it has where it was exported, if it was imported into its store."),
            _c("found_in", "TEXT", "The store or folder it comes from; `files` for files named one by one."),
            _c("found_as", "TEXT", "What it is there: its id in a store, else the path of its file."),
        ),
        ("ruleset", "result"),
        event=False,
    ),
    Table(
        "options",
        "An option of a game.",
        ("game", "name"),
        (GAME, _c("name", "TEXT", "The option."), _c("value", "TEXT", "Its value.")),
        ("name",),
        event=False,
    ),
    Table(
        "seats",
        "A seat of a game.",
        ("game", "seat"),
        (
            GAME,
            _c("seat", "TEXT", "The seat's id."),
            _c("name", "TEXT", "Its name."),
            _c("holder", "TEXT", "`human` or `bot:NAME`."),
            _c("won", "INTEGER", "1 if it won, 0 if not; NULL while the game is on."),
        ),
        ("holder",),
        event=False,
    ),
    Table(
        "outcomes",
        "A figure of a game's outcome, such as how many rounds it took.",
        ("game", "name"),
        (GAME, _c("name", "TEXT", "The figure."), _c("value", "INTEGER", "Its value.")),
        ("name",),
        event=False,
    ),
    Table(
        "names",
        "What an id in a game's other tables is called: a card, a sort of unit, a weapon, a board or an area.",
        ("game", "id"),
        (
            GAME,
            _c("id", "TEXT", "The id, as the other tables have it; one without another name has no row."),
            _c("name", "TEXT", "Its common name, by the game's own content."),
        ),
        event=False,
    ),
    Table(
        "events",
        "An event of a log, abandoned lines included.",
        ("game", "position"),
        (
            GAME,
            POSITION,
            *SHARED,
            _c("kind", "TEXT", "The event's name."),
            _c("turn", "INTEGER", "The turn it falls in, counted along its line from 1; 0 before the first."),
            _c("batch", "INTEGER", "The position of the head of its batch: who did what, and all that followed."),
            _c("seat", "TEXT", "The seat that acted, of a head."),
            _c("person", "TEXT", "The person or bot that acted, of a head."),
            _c("time", "TEXT", "When, of a head, in UTC."),
            _c("rule", "TEXT", "The rule that produced it."),
            _c("data", "TEXT", "The event itself, in JSON, as the log has it."),
        ),
        ("kind", "rule"),
    ),
    Table(
        "story",
        "A sentence of a game's story; `story_fts` finds words in them.",
        ("game", "position"),
        (
            _c("id", "INTEGER PRIMARY KEY", "A number of its own: the `rowid` of `story_fts`. No part of the story."),
            GAME,
            POSITION,
            *SHARED,
            _c("text", "TEXT", "The sentence."),
        ),
    ),
    Table(
        "decisions",
        "A decision somebody took.",
        ("game", "position"),
        (
            GAME,
            POSITION,
            *SHARED,
            _c("number", "INTEGER", "The decision's number along its line, from 1: `GAME@d12`."),
            _c("seat", "TEXT", "Who decided."),
            _c("person", "TEXT", "The person, if named; `bot:NAME` for a bot."),
            _c("question", "TEXT", "What was asked."),
            _c("choices", "INTEGER", "How many legal actions there were; NULL where that is not known."),
            _c("action", "TEXT", "The action's name in the log."),
            _c("notation", "TEXT", "The action as it is typed."),
            _c("seconds", "REAL", "Since what was recorded before; NULL for a bot and without times."),
        ),
        ("action", "seat"),
    ),
    Table(
        "rolls",
        "A roll of one or several dice.",
        ("game", "position"),
        (
            GAME,
            POSITION,
            *SHARED,
            _c("stream", "TEXT", "Which dice."),
            _c("sides", "INTEGER", "How many sides they have."),
            _c("count", "INTEGER", "How many were rolled."),
            _c("total", "INTEGER", "Their sum; NULL where it is secret."),
            _c("best", "INTEGER", "The highest of them; NULL where it is secret."),
            _c("purpose", "TEXT", "What for."),
            _c("subject", "TEXT", "Whose roll it is."),
            ENTERED,
        ),
        ("purpose",),
    ),
    Table(
        "dice",
        "A single die of a roll.",
        ("game", "position", "number"),
        (
            GAME,
            POSITION,
            *SHARED,
            _c("number", "INTEGER", "Which die of the roll, from 1."),
            _c("value", "INTEGER", "What it shows."),
            _c("sides", "INTEGER", "How many sides it has."),
            _c("purpose", "TEXT", "What it was rolled for."),
            ENTERED,
        ),
        ("value",),
    ),
    Table(
        "draws",
        "A card or counter that came to be known.",
        ("game", "position"),
        (
            GAME,
            POSITION,
            *SHARED,
            _c("kind", "TEXT", "`card` or `counter`."),
            _c("source", "TEXT", "The deck or bag."),
            _c("item", "TEXT", "Which card or counter; NULL where it is secret."),
            _c("first", "INTEGER", "1 when it was fixed by this, 0 when it was shown to more seats."),
            _c("purpose", "TEXT", "What for."),
            _c("subject", "TEXT", "For whom or what."),
            ENTERED,
        ),
        ("item", "source"),
    ),
    Table(
        "moves",
        "A unit went somewhere.",
        ("game", "position", "number"),
        (
            GAME,
            POSITION,
            *SHARED,
            _c("number", "INTEGER", "Which of several that one event tells, from 1."),
            *WHO,
            _c("origin", "TEXT", "From where; empty from off the board."),
            _c("place", "TEXT", "Where to; empty off the board."),
            SPOT,
            _c("cause", "TEXT", "Through what; empty for the unit's own move."),
        ),
        ("unit", "place"),
    ),
    Table(
        "fights",
        "An attack.",
        ("game", "position", "number"),
        (
            GAME,
            POSITION,
            *SHARED,
            _c("number", "INTEGER", "Which of several that one event tells, from 1."),
            *WHO,
            _c("target", "TEXT", "What sort of unit is attacked; empty where none is."),
            _c("place", "TEXT", "Where the target is."),
            SPOT,
            _c("cause", "TEXT", "With what: a weapon, an ability, a card."),
            _c("success", "INTEGER", "1 if it came off, 0 if not, NULL where the event does not say."),
        ),
        ("unit", "target", "cause"),
    ),
    Table(
        "losses",
        "A unit was hurt or lost.",
        ("game", "position", "number"),
        (
            GAME,
            POSITION,
            *SHARED,
            _c("number", "INTEGER", "Which of several that one event tells, from 1."),
            *WHO,
            _c("place", "TEXT", "Where."),
            SPOT,
            _c("cause", "TEXT", "Through what or whom."),
            _c("amount", "INTEGER", "How much: wounds, steps."),
            _c("final", "INTEGER", "1 when it leaves the board by this; it may come back by a move."),
        ),
        ("unit", "place"),
    ),
    Table(
        "uses",
        "A card, an order or an ability was used.",
        ("game", "position", "number"),
        (
            GAME,
            POSITION,
            *SHARED,
            _c("number", "INTEGER", "Which of several that one event tells, from 1."),
            *WHO,
            _c("item", "TEXT", "What was used."),
            _c("place", "TEXT", "On what or where; empty for none."),
        ),
        ("item",),
    ),
    Table(
        "figures",
        "How a position stood in numbers, at the start of each round and at the end of the line.",
        ("game", "position", "name"),
        (
            GAME,
            POSITION,
            *SHARED,
            _c("name", "TEXT", "The figure."),
            _c("value", "INTEGER", "Its value."),
        ),
        ("name",),
    ),
    Table(
        "takebacks",
        "Somebody went back to an earlier position.",
        ("game", "position"),
        (
            GAME,
            POSITION,
            _c("inherited", "INTEGER", "1 for what a fork has from the game it was forked from."),
            _c("by", "TEXT", "`undo` or `rewind`."),
            _c("seat", "TEXT", "Which seat; empty for the owner."),
            _c("person", "TEXT", "Who, if named."),
            _c("origin", "INTEGER", "The position that was left."),
            _c("target", "INTEGER", "The position it went to."),
            _c(
                "seen",
                "INTEGER",
                "How many rolls, draws and reveals were seen on the line that was left, and not on the other.",
            ),
            _c("reason", "TEXT", "What was said of it."),
        ),
    ),
    Table(
        "notes",
        "A note somebody wrote on a position.",
        ("game", "position"),
        (
            GAME,
            POSITION,
            _c("at", "INTEGER", "The position it is on."),
            _c("seat", "TEXT", "Whose note; empty for the owner."),
            _c("person", "TEXT", "Who, if named."),
            _c("tags", "TEXT", "Its tags, joined by commas."),
            _c("text", "TEXT", "What it says."),
        ),
    ),
)
BY_NAME = {table.name: table for table in TABLES}
TRACKING = """
CREATE TABLE archive (name TEXT PRIMARY KEY, value TEXT);
CREATE TABLE tracking (source TEXT, item TEXT, mark TEXT, game TEXT, PRIMARY KEY (source, item));
CREATE INDEX tracking_game ON tracking (game);
"""
"""What the archive knows of itself: its form, and as of what mark it has each game of each source."""

FULL_TEXT = (
    "CREATE VIRTUAL TABLE story_fts USING fts5 (text, content='story', content_rowid='id', tokenize='porter unicode61')"
)
