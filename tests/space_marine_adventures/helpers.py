"""Levels in the middle, for tests: drawn as a map or laid on a face, and played by notation with chance entered.

On a map `#` is wall and `.` floor; `M A R L V` are healthy Marines and `m a r l v` wounded ones, `T` a Termagant, `G` a
Genestealer, `X` a Lictor, `1` to `6` xenos entries. Squares are named `a1`, `b1` … from the top left.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, TypeVar

from warptape.domain.chance import Table
from warptape.domain.errors import IllegalAction
from warptape.domain.events import Event
from warptape.domain.referee import Referee
from warptape.domain.rules import Refusal
from warptape.domain.space_marine_adventures import RULESET, SpaceMarineAdventures
from warptape.domain.space_marine_adventures.positions import position
from warptape.domain.space_marine_adventures.state import LevelState

TEXTS = dict(RULESET.content.files)
CATALOGUE = RULESET.book.catalogue
CODES = {"M": "MAX", "A": "ADR", "R": "RAP", "L": "LUK", "V": "VOR"}
KINDS = {"T": "termagant", "G": "genestealer", "X": "lictor"}
ACTIVATION = {
    "MAX": "act-maximus-",
    "ADR": "act-adrix-",
    "RAP": "act-raphael-",
    "LUK": "act-lukas-",
    "VOR": "act-vorne-",
}
LULL = "INF-1-24"
E_ = TypeVar("E_", bound=Event)


class Level:
    """A level being played: `do` takes a line of notation with the outcomes of chance, `why` says which rule refuses one."""

    def __init__(self, rules: SpaceMarineAdventures, state: LevelState) -> None:
        self.rules = rules
        self.table = Table()
        self.referee = Referee(rules, state, self.table)
        self.log: list[Event] = []

    @property
    def state(self) -> LevelState:
        return self.referee.state  # type: ignore[no-any-return]

    def do(self, line: str, *chance: object) -> list[Event]:
        """Take the actions of a line and return what happened; every outcome must be asked for."""
        self.table.left = [str(outcome) for outcome in chance]
        happened: list[Event] = []
        for action in self.rules.parse(self.state, "team", line):
            happened += self.referee.take("team", action)
        assert not self.table.left, f"nothing asked for {self.table.left}"
        self.log += happened
        return happened

    def refusal(self, line: str) -> Refusal | None:
        """Why a line is refused, None when it is legal; the position stays as it is."""
        try:
            actions = self.rules.parse(self.state, "team", line)
        except IllegalAction as error:
            return error.refusal
        probe = Referee(self.rules, self.state.copy(), Table())
        for number, action in enumerate(actions, 1):
            refusal = probe.refusal("team", action)
            if refusal is not None:
                return refusal
            if number < len(actions):
                probe.take("team", action)
        return None

    def why(self, line: str) -> str:
        """The ID of the rule that refuses a line; empty when the line is legal."""
        refusal = self.refusal(line)
        return "" if refusal is None else refusal.rule or f"no rule: {refusal.reason}"

    def legal(self, verb: str = "") -> set[str]:
        """The notation of every legal action, or of those with that verb."""
        decision = self.referee.decision
        found = {self.rules.notation(self.state, action) for action in decision.actions} if decision else set()
        return {line for line in found if not verb or line.split()[0] == verb}

    def at(self, code: str) -> str:
        """Where a Marine stands, empty if he is out of action."""
        return self.state.marines[code].square

    def wounds(self, code: str) -> int:
        return self.state.marines[code].wounds

    @property
    def tyranids(self) -> dict[str, str]:
        """Kind by square."""
        return {square: creature.kind for square, creature in sorted(self.state.tyranids.items())}

    @property
    def left(self) -> int:
        """Paid actions left in the turn that goes on."""
        assert self.state.turn is not None
        return self.state.turn.left

    @property
    def bag(self) -> list[str]:
        """The counters in the bag."""
        return self.state.chance.bags["creatures"].inside()

    @property
    def asked(self) -> str:
        """The kind of question that waits for an answer, empty when the level is over."""
        return type(self.state.pending[-1]).__name__ if self.state.pending else ""

    def infest(self, card: str, *chance: object) -> list[Event]:
        """Turn over a Tyranid activation card and that infestation card; the rest are the card's own outcomes."""
        return self.do("next", self.unused("tyranid"), card, *chance)

    def turn(self, code: str) -> list[Event]:
        """Turn over an activation card of that Marine."""
        return self.do("next", self.unused(code))

    def unused(self, shows: str) -> str:
        """An activation card that has not come up in this round."""
        ordinal = self.state.chance.ordinals["activation"]
        prefix = ACTIVATION.get(shows, "act-tyranid-")
        return next(c for c in self.state.chance.decks[f"activation/{ordinal}"].left() if c.startswith(prefix))


def drawn(
    picture: str, *, entries: Mapping[str, str] | None = None, content: Mapping[str, str] | None = None, **given: Any
) -> Level:
    """The level of a map; `given` is what `position` takes besides (`turn`, `actions`, `options`, `infestation` …).

    `cards` gives each Marine's special cards as words; `entries` names xenos entries that hold something on the map;
    `content` replaces texts of the content.
    """
    marines: dict[str, str] = {}
    tyranids: dict[str, str] = {}
    wounded = []
    numbers = dict(entries or {})
    plain = []
    for y, row in enumerate(picture.split(), 1):
        for x, symbol in enumerate(row):
            square = f"{chr(97 + x)}{y}"
            if symbol in KINDS:
                tyranids[square] = KINDS[symbol]
            elif symbol.upper() in CODES:
                marines[CODES[symbol.upper()]] = square
                if symbol.islower():
                    wounded.append(CODES[symbol.upper()])
            elif symbol.isdigit():
                numbers[symbol] = square
        plain.append("".join("#" if symbol == "#" else "." for symbol in row))
    rules = _rules(tuple(plain), tuple(sorted(numbers.items())), tuple(sorted((content or {}).items())))
    return laid("drawn", marines=marines, tyranids=tyranids, wounded=wounded, ruleset=rules, **given)


def laid(ground: str = "1-up", *, cards: Mapping[str, str] | None = None, **given: Any) -> Level:
    """The level of a position (see `position`), on a face or a layout of the worked examples."""
    hands = {code: held.split() for code, held in (cards or {}).items()}
    return Level(given.get("ruleset", RULESET), position(ground, cards=hands, **given))


def chamber(width: int, height: int, **units: str) -> str:
    """A map of open floor with a wall around it; `units` are symbols by square, such as `c3="M"`."""
    rows = ["#" * (width + 2), *("#" + "." * width + "#" for _ in range(height)), "#" * (width + 2)]
    for square, symbol in units.items():
        x, y = ord(square[0]) - 97, int(square[1:]) - 1
        rows[y] = rows[y][:x] + symbol + rows[y][x + 1 :]
    return "\n".join(rows)


def of(events: Iterable[Event], kind: type[E_]) -> list[E_]:
    """The events of one kind."""
    return [event for event in events if type(event) is kind]


def the(events: Iterable[Event], kind: type[E_]) -> E_:
    """The only event of a kind."""
    (found,) = of(events, kind)
    return found


def names(events: Iterable[Event]) -> list[str]:
    """The kinds of events in their order."""
    return [type(event).__name__ for event in events]


@cache
def _rules(
    plain: tuple[str, ...], entries: tuple[tuple[str, str], ...], content: tuple[tuple[str, str], ...]
) -> SpaceMarineAdventures:
    lines = "\n".join(plain)
    numbers = ", ".join(f'"{number}" = "{square}"' for number, square in entries)
    layout = f"\n[[fixtures]]\nid = \"drawn\"\nsource = \"house\"\ngrid = '''\n{lines}\n'''\nmarks = {{}}\nentries = {{ {numbers} }}\n"
    texts = {**TEXTS, **dict(content)}
    return SpaceMarineAdventures(RULESET.content.replacing({**texts, "fixtures.toml": texts["fixtures.toml"] + layout}))
