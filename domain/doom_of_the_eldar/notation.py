"""Notation in: a line of text to the actions it stands for, with errors that point at the word and suggest a better."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .. import lines
from ..errors import BadNotation, IllegalAction
from ..lines import Word
from ..rules import Refusal
from . import actions as act
from . import steps
from .book import Book
from .effects import RevealTo
from .reach import refuse_path
from .state import TYRANID, DoomState
from .verbs import ALIASES
from .writing import piece, place

if TYPE_CHECKING:
    from .ruleset import DoomOfTheEldar

WORD = re.compile(r"[^\s>,]+")
HOP = re.compile(r"[^-]+")
NUMBER = re.compile(r"[0-9]{1,3}")
TOKEN = re.compile(r"#?([0-9]{1,4})")
SQUEEZED = re.compile(r"^the |[^a-z0-9]+")


class Line(lines.Line):
    """A line being read, word by word, by what its seat may know; `step` is what is asked, if this seat is asked."""

    state: DoomState

    def __init__(self, ruleset: DoomOfTheEldar, state: DoomState, seat: str, text: str, suggests: bool) -> None:
        super().__init__(ruleset, state, text, suggests, seat)
        self.ruleset = ruleset
        self.book: Book = ruleset.book
        self.words = self.split(WORD)
        self.step: Any = state.pending[-1] if self.decision is not None else None
        self._areas = {id.lower(): id for id in self.book.areas}
        self._names = {SQUEEZED.sub("", self.book.names.area(id).lower()): id for id in self.book.areas}
        self._units = {id.upper(): id for id in self.book.units}

    def reads(self, text: str) -> Sequence[Any]:
        return _read(Line(self.ruleset, self.state, self.seat, text, suggests=False))

    # Things named; a token's counter only as far as the seat knows it, for the state here is the seat's view

    def find_area(self, text: str) -> str:
        """Return the id of an area, which may also go by its name; empty if there is none of that name."""
        return self._areas.get(text.lower()) or self._names.get(SQUEEZED.sub("", text.lower()), "")

    def find_token(self, text: str) -> str:
        """Return a token, given as `#07`, `7` or the counter it is known to be; empty if there is none."""
        number = TOKEN.fullmatch(text)
        if number:
            return f"#{int(number[1]):02}" if 0 < int(number[1]) <= self.state.tokens else ""
        code = text.upper()
        return next((token for token in self.state.swarms if self.state.counter(token) == code), "")

    def find_piece(self, text: str) -> str:
        """Return an Eldar unit or a token; empty if there is none of that name."""
        return self._units.get(text.upper()) or self.find_token(text)

    def area(self, word: Word, candidates: Iterable[str] = ()) -> str:
        """Return an area; raises BadNotation if there is none of that name."""
        found = self.find_area(word.text)
        if found:
            return found
        raise self.bad(
            f"There is no area '{word.text}': {', '.join(self.book.areas)}.",
            word.column,
            word.text,
            candidates or (*self.book.areas, *self._names),
        )

    def unit(self, word: Word) -> str:
        """Return an Eldar unit; raises BadNotation if there is none of that name."""
        found = self._units.get(word.text.upper())
        if found:
            return found
        raise self.unknown(word, "Eldar unit", self.book.units)

    def token(self, word: Word) -> str:
        """Return a Tyranid token; raises BadNotation if the seat knows of none of that name."""
        found = self.find_token(word.text)
        if found:
            return found
        raise self.unknown(word, "Swarm or Horde", self.tokens())

    def piece(self, word: Word) -> str:
        """Return an Eldar unit or a token; raises BadNotation if the seat knows of none of that name."""
        found = self.find_piece(word.text)
        if found:
            return found
        raise self.unknown(word, "counter", (*self.book.units, *self.tokens()))

    def unknown(self, word: Word, what: str, candidates: Iterable[str]) -> BadNotation:
        """Return the error for a name that stands for nothing the seat knows of."""
        if word.text.upper() in self.book.counters:
            message = f"You know of no {word.text.upper()} on the map; a Swarm goes by its token, such as #07."
            return self.bad(message, word.column)
        return self.bad(f"There is no {what} '{word.text}'.", word.column, word.text, candidates)

    def tokens(self) -> list[str]:
        """Return what the tokens on the map are called."""
        return [piece(self.state, token) for token in self.state.swarms]

    # Parts of lines

    def exactly(self, rest: Sequence[Word], count: int, form: str) -> Sequence[Word]:
        """Return as many words as asked for; raises BadNotation, naming the form, if there are fewer or more."""
        if len(rest) < count:
            raise self.bad(f"Say {form}.", self.end)
        self.none(rest[count:])
        return rest

    def path(self, rest: Sequence[Word]) -> list[str]:
        """Return the areas of a path, whatever stands between them."""
        parts = [Word(hop[0], word.column + hop.start()) for word in rest for hop in HOP.finditer(word.text)]
        return [self.area(word) for word in parts]

    def moving(self, actions: Sequence[Any]) -> list[Any]:
        """Return actions of the movement; where the mine's order is asked for, they keep it as it is (DOE-MINE-1).

        Raises IllegalAction there for what the movement would refuse: an order must not be given on the way to that.
        """
        if not isinstance(self.step, steps.Order):
            return list(actions)
        for action in actions:
            refusal = self.ruleset.explain(self.state, steps.Movement(side=self.seat), action)
            if refusal is not None:
                raise IllegalAction(refusal)
        return [*self.order(), *actions]

    def order(self) -> list[Any]:
        """Return the giving of the order that stands, where it is asked for."""
        known = self.state.standing_order()
        return [act.GiveOrder(known)] if isinstance(self.step, steps.Order) and known is not None else []


def parse(ruleset: DoomOfTheEldar, state: DoomState, seat: str, text: str) -> Sequence[Any]:
    """Return the actions that a line stands for, by what its seat may know.

    Raises BadNotation with the column of the word that is wrong and, if there is one, the nearest line that is right.
    Raises IllegalAction for what an action cannot say: a path against the rules, or an order for the mine once the
    movement has begun.
    """
    return _read(Line(ruleset, ruleset.view(state, seat), seat, text, suggests=True))


def _read(line: Line) -> list[Any]:
    if not line.words:
        raise line.bad("Type an action.", line.end)
    verb, rest = line.words[0], line.words[1:]
    name = ALIASES.get(verb.text.lower())
    if name is None:
        verbs = [word for word in ALIASES if len(word) > 1]
        raise line.bad(f"'{verb.text}' is no action.", verb.column, verb.text, verbs)
    return VERBS[name](line, rest)


def _plain(action: Any) -> Callable[[Line, Sequence[Word]], list[Any]]:
    def read(line: Line, rest: Sequence[Word]) -> list[Any]:
        line.none(rest)
        return [action]

    return read


def _end(line: Line, rest: Sequence[Word]) -> list[Any]:
    line.none(rest)
    return line.moving([act.END])


def _keep(line: Line, rest: Sequence[Word]) -> list[Any]:
    line.none(rest)
    return line.order() or [act.KEEP]


def _pass(line: Line, rest: Sequence[Word]) -> list[Any]:
    line.none(rest)
    if isinstance(line.step, steps.Order):
        return line.order()
    found = PASSES.get(type(line.step))
    if found is None:
        raise line.bad("There is nothing to pass here.", line.words[0].column)
    return [found]


PASSES: Mapping[type, Any] = {
    steps.Movement: act.END,
    steps.Special: act.END,
    steps.Mine: act.HOLD,
    steps.Reroll: act.KEEP,
    steps.Retreat: act.STAY,
}


def _set(line: Line, rest: Sequence[Word]) -> list[Any]:
    form = "where and what: set tears ASP1 GUA2"
    if not rest:
        raise line.bad(f"Say {form}.", line.end)
    if line._units.get(rest[0].text.upper()):
        raise line.bad(f"The area comes first. Say {form}.", rest[0].column)
    area, found = line.area(rest[0]), []
    for word in rest[1:]:
        # Another area may follow: then what comes after it stands there.
        other = line.find_area(word.text)
        if other:
            area = other
        else:
            found.append(act.SetUnit(line.unit(word), area))
    if not found or line.find_area(rest[-1].text):
        raise line.bad(f"Say {form}.", line.end)
    return found


def _move(line: Line, rest: Sequence[Word]) -> list[Any]:
    form = "what and where to: mv WSH1 n2>n3"
    if not rest:
        raise line.bad(f"Say {form}.", line.end)
    ids = [line.piece(rest[0])]
    while len(ids) < len(rest) and (other := line.find_piece(rest[len(ids)].text)):
        ids.append(other)
    path = line.path(rest[len(ids) :])
    if not path:
        raise line.bad(f"Say {form}.", line.end)
    if isinstance(line.step, steps.Order | steps.Movement):
        for id in ids:
            _check_path(line, id, path)
    return line.moving([act.Move(id, path[-1]) for id in ids])


def _check_path(line: Line, id: str, path: Sequence[str]) -> None:
    """Refuse a path that breaks a rule (DOE-MOVE-3, -4, -6, -7): a move says only where it ends."""
    here = place(line.state, id)
    if here == path[0]:
        path = path[1:]
    if len(path) > 1 and here in line.book.adjacent:
        refusal = refuse_path(line.book, line.state, id, path)
        if refusal is not None:
            raise IllegalAction(refusal)


def _reveal(line: Line, rest: Sequence[Word]) -> list[Any]:
    return line.moving([act.ShowSwarm(line.token(line.one(rest, "which Swarm: reveal #07")))])


def _mine(line: Line, rest: Sequence[Word]) -> list[Any]:
    word = line.one(rest, "from how many Eldar counters on it bursts, 0 for never: mine 3")
    if not NUMBER.fullmatch(word.text):
        raise line.bad(f"'{word.text}' is no number of counters.", word.column)
    if isinstance(line.step, steps.Movement) and line.seat == TYRANID:
        raise IllegalAction(Refusal("DOE-MINE-1", "the mine's order is given before anything moves"))
    return [act.GiveOrder(int(word.text))]


def _trim(line: Line, rest: Sequence[Word]) -> list[Any]:
    area = line.find_area(rest[0].text) if rest else ""
    if area and isinstance(line.step, steps.Trim) and area != line.step.area:
        right = line.text[: rest[0].column - 1] + line.step.area + line.text[rest[0].column - 1 + len(rest[0].text) :]
        name = line.book.names.area(line.step.area)
        raise BadNotation(f"It is {name} that holds too many counters.", line.text, rest[0].column, right.strip())
    found = [act.Give(line.piece(word)) for word in (rest[1:] if area else rest)]
    if not found:
        raise line.bad("Say where and what: trim souls RW1.", line.end)
    return found


def _fight(line: Line, rest: Sequence[Word]) -> list[Any]:
    return [act.Fight(line.area(line.one(rest, "where: fight n2"), [action.area for action in line.legal(act.Fight)]))]


def _detonate(line: Line, rest: Sequence[Word]) -> list[Any]:
    if not rest and isinstance(line.step, steps.Mine):
        return [act.Detonate(line.step.token)]
    return [act.Detonate(line.token(line.one(rest, "which mine: det SM")))]


def _lose(line: Line, rest: Sequence[Word]) -> list[Any]:
    if not rest:
        raise line.bad("Say what is lost: lose NWG1.", line.end)
    if isinstance(line.step, steps.Lose) and len(rest) > line.step.count:
        due = line.step.count
        raise IllegalAction(
            Refusal("DOE-LOSS-1", f"only {due} {'is' if due == 1 else 'are'} due here, not {len(rest)}")
        )
    return [act.LoseCounter(line.piece(word)) for word in rest]


def _retreat(line: Line, rest: Sequence[Word]) -> list[Any]:
    if not rest:
        raise line.bad("Say where to: retreat n1.", line.end)
    apart = line.state.options.retreat_together == "each_chooses"
    if len(rest) == 1:
        area = line.area(rest[0])
        return [act.RetreatTo(area, unit) for unit in _retreating(line)] if apart else [act.RetreatTo(area)]
    if not apart:
        raise line.bad("All go together, to one area: retreat n1.", rest[0].column)
    found: dict[str, str] = {}
    waiting: list[str] = []
    for word in rest:
        unit = line._units.get(word.text.upper())
        if unit and (unit in found or unit in waiting):
            raise line.bad(f"{unit} is named twice.", word.column)
        if unit:
            waiting.append(unit)
        elif waiting:
            found.update(dict.fromkeys(waiting, line.area(word)))
            waiting = []
        else:
            raise line.unknown(word, "Eldar unit", line.book.units)
    if waiting:
        raise line.bad(f"Say where {waiting[-1]} goes: retreat WSH1 n1, FAR s2.", line.end)
    # They are asked for one by one; who is not there comes last, and is refused.
    asked = [unit for unit in _retreating(line) if unit in found]
    return [act.RetreatTo(found[unit], unit) for unit in (*asked, *(unit for unit in found if unit not in asked))]


def _retreating(line: Line) -> Sequence[str]:
    """Return the units that are asked where they go, the first first; one of no name where nobody is asked."""
    if isinstance(line.step, steps.Scatter):
        return line.step.units
    battle = line.state.battle
    return line.state.eldar.get(battle.area, ("",)) if battle and isinstance(line.step, steps.Retreat) else ("",)


def _use(line: Line, rest: Sequence[Word]) -> list[Any]:
    if not rest:
        raise line.bad("Say which area's special action: use spear, use shrine n4.", line.end)
    area = line.area(rest[0])
    action = line.book.actions.get(area)
    if action is None or not any(isinstance(effect, RevealTo) for effect in action.effect):
        line.none(rest[1:])
        return [act.Use(area)]
    ways = [found for found in line.legal(act.Use) if found.area == area]
    if len(rest) == 1 and len(ways) == 1:
        return ways
    target = line.area(line.one(rest[1:], f"which area of space it looks upon: use {area} n4"), line.book.space)
    return [act.Use(area, target)]


def _hit(line: Line, rest: Sequence[Word]) -> list[Any]:
    return [act.HitSwarm(line.token(line.one(rest, "which Swarm: hit #03")))]


def _place(line: Line, rest: Sequence[Word]) -> list[Any]:
    unit, area = line.exactly(rest, 2, "what and where: place GHO n3")
    return [act.PlaceUnit(line.unit(unit), line.area(area))]


def _convert(line: Line, rest: Sequence[Word]) -> list[Any]:
    unit, taken, area = line.exactly(rest, 3, "what stands down, what comes for it and where: conv GUA4 WSH2 n3")
    return [act.Convert(line.unit(unit), line.unit(taken), line.area(area))]


VERBS: Mapping[str, Callable[[Line, Sequence[Word]], list[Any]]] = {
    "set": _set,
    "quickstart": _plain(act.QUICKSTART),
    "mine": _mine,
    "mv": _move,
    "reveal": _reveal,
    "trim": _trim,
    "fight": _fight,
    "det": _detonate,
    "hold": _plain(act.HOLD),
    "rr": _plain(act.ROLL_AGAIN),
    "keep": _keep,
    "lose": _lose,
    "retreat": _retreat,
    "stay": _plain(act.STAY),
    "use": _use,
    "hit": _hit,
    "place": _place,
    "conv": _convert,
    "pass": _pass,
    "end": _end,
}
