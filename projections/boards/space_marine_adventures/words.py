"""Names, signs and colours that board and panels share."""

from __future__ import annotations

from ....domain.space_marine_adventures.book import Book
from ....domain.space_marine_adventures.records import Mission
from ....domain.space_marine_adventures.state import LevelState


def mission(book: Book, state: LevelState) -> Mission | None:
    """Return the briefing of the level, None before there is one."""
    return next((one for one in book.catalogue.missions.values() if one.id == state.mission), None)


def short(book: Book, code: str) -> str:
    """Return a Marine's name without his rank."""
    return book.names.marine(code).rpartition(" ")[2]


def kind_name(book: Book, kind: str) -> str:
    """Return the name of a kind of Tyranid."""
    return book.catalogue.tyranids[kind].name if kind in book.catalogue.tyranids else kind.capitalize()


def glyph(book: Book, code: str) -> str:
    """Return a Marine's initial, or his whole code where two share an initial."""
    return code if sum(other[0] == code[0] for other in book.roster) > 1 else code[0]


def role(book: Book, code: str) -> str:
    """Return the role that has a Marine's colour."""
    marines = book.catalogue.marines
    return f"unit.{marines[code].colour}" if code in marines else "unit"
