"""Notation in: a line of text to the actions it stands for, with errors that point at the word and suggest a better."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from .. import lines
from ..errors import BadNotation
from ..geometry import DIRECTION_NAMES
from ..lines import Word
from . import actions as act
from . import steps
from .hulk import EDGES
from .setup import free_squares
from .state import LevelState
from .verbs import ALIASES, ELSEWHERE
from .wounds import holder

if TYPE_CHECKING:
    from .ruleset import SpaceMarineAdventures

WINDOWS = (steps.RollFailed, steps.Wound, steps.Revealed)
WORD = re.compile(r"[^\s>]+")
PREFIX = re.compile(r"\s*(\w+)\s*:")


class Line(lines.Line):
    """A line being read, word by word; `actor` is the Marine who acts, empty if nobody in particular does."""

    def __init__(self, ruleset: SpaceMarineAdventures, state: LevelState, text: str, suggests: bool) -> None:
        super().__init__(ruleset, state, text, suggests)
        self.ruleset, self.book = ruleset, ruleset.book
        self.step: Any = state.pending[-1] if state.pending else None
        self.actor: str = getattr(self.step, "marine", "")
        self.named = ""
        start = 0
        prefix = PREFIX.match(text)
        if prefix:
            start = prefix.end()
            self.named = self.marine(Word(prefix[1], prefix.start(1) + 1))
        self.words = self.split(WORD, start)

    def reads(self, text: str) -> Sequence[Any]:
        return parse(self.ruleset, self.state, text, suggests=False)

    def marine(self, word: Word) -> str:
        """Return the code of a Marine, who may also be named by (the start of) his name."""
        code, roster = self.find_marine(word.text), self.book.roster
        if code:
            return code
        raise self.bad(f"There is no Marine '{word.text}': {', '.join(roster)}.", word.column, word.text, roster)

    def find_marine(self, text: str) -> str:
        """Return the code of a Marine, empty if nobody is called so."""
        if text.upper() in self.book.roster:
            return text.upper()
        names = {code: self.book.names.marine(code).split()[-1].lower() for code in self.book.roster}
        return next((code for code, name in names.items() if len(text) > 2 and name.startswith(text.lower())), "")

    def square(self, word: Word, candidates: Iterable[str] = ()) -> str:
        """Return the name of a square of the board."""
        name = self.find_square(word.text)
        if name:
            return name
        squares = [*candidates] or [square for square in self.squares() if square]
        raise self.bad(f"There is no square '{word.text}' here.", word.column, word.text, squares)

    def find_square(self, text: str) -> str:
        """Return the name of a square, empty if there is none of that name."""
        squares = self.squares()
        return next((name for name in (text.lower(), text.upper()) if name in squares), "")

    def squares(self) -> Mapping[str, int]:
        """Return the squares of the board, none before it is laid."""
        if not self.state.face or not (self.state.entry or self.state.face in self.book.catalogue.fixtures):
            return {}
        return self.book.ground(self.state).index

    def card(self, word: Word) -> str:
        """Return the id of a special card, given as `SP-01`, `1` or (the start of) its name.

        Of several copies the one somebody can use is meant: the actor's, then anybody's, then one of the drawn cards.
        """
        specials = self.book.catalogue.specials
        text = word.text.lower()
        ids = {card.lower(): card for card in specials}
        if text in ids:
            return ids[text]
        number = re.fullmatch(r"(?:sp)?-?0*(\d+)", text)
        if number and f"sp-{int(number[1]):02}" in ids:
            return ids[f"sp-{int(number[1]):02}"]
        named = [c for c, s in specials.items() if len(text) > 2 and any(p.startswith(text) for p in _names(s))]
        if not named:
            known = [card for marine in self.state.marines.values() for card in marine.cards] or [*specials]
            known += [special.design for special in specials.values()]
            raise self.bad(f"There is no special card '{word.text}'.", word.column, word.text, known)
        marines = self.state.marines
        mine = [card for card in named if self.actor in marines and card in marines[self.actor].cards]
        held = [card for card in named if holder(self.state, card)]
        pooled = [card for card in named if card in self.state.pool]
        return (mine or held or pooled or named)[0]


def _names(special: Any) -> tuple[str, ...]:
    words = special.name.lower().split()
    return (special.design, special.name.lower().replace(" ", ""), *words)


def parse(ruleset: SpaceMarineAdventures, state: LevelState, text: str, suggests: bool = True) -> Sequence[Any]:
    """Return the actions that a line stands for.

    Raises BadNotation with the column of the word that is wrong and, if it `suggests`, the nearest line that is right.
    """
    line = Line(ruleset, state, text, suggests)
    if not line.words:
        raise line.bad("Type an action.", line.end)
    actions = _verb(line, line.words)
    if line.named and line.step is not None:
        _check_prefix(line, actions)
    return actions


def _verb(line: Line, words: Sequence[Word]) -> list[Any]:
    verb, rest = words[0], words[1:]
    name = ALIASES.get(verb.text.lower())
    if name is None:
        if verb.text.lower() in ELSEWHERE:
            raise BadNotation(ELSEWHERE[verb.text.lower()], line.text, verb.column)
        raise line.bad(
            f"'{verb.text}' is no action.", verb.column, verb.text, [word for word in ALIASES if len(word) > 1]
        )
    return VERBS[name](line, rest)


def _check_prefix(line: Line, actions: Sequence[Any]) -> None:
    named, names = line.named, line.book.names
    if isinstance(line.step, steps.Turn | steps.Free | steps.RollFailed) and named != line.actor:
        right = re.sub(r"\w+", line.actor, line.text, count=1)
        raise BadNotation(
            f"It is {names.marine(line.actor)} who acts now, not {names.marine(named)}.", line.text, 1, right
        )
    card = next((action.card for action in actions if isinstance(action, act.Play | act.React)), "")
    owner = holder(line.state, card) if card else ""
    if owner and owner != named:
        right = re.sub(r"\w+", owner, line.text, count=1)
        raise BadNotation(f"{card} is {names.marine(owner)}'s, not {names.marine(named)}'s.", line.text, 1, right)


def _plain(action: Any) -> Callable[[Line, Sequence[Word]], list[Any]]:
    def read(line: Line, rest: Sequence[Word]) -> list[Any]:
        line.none(rest)
        return [action]

    return read


def _board(line: Line, rest: Sequence[Word]) -> list[Any]:
    word, faces = line.one(rest, "which face: " + ", ".join(line.book.catalogue.faces)), line.book.catalogue.faces
    if word.text.lower() not in faces:
        raise line.bad(f"There is no face '{word.text}': {', '.join(faces)}.", word.column, word.text, faces)
    return [act.LayBoard(word.text.lower())]


def _enter(line: Line, rest: Sequence[Word]) -> list[Any]:
    word = line.one(rest, "by which exit: A, B, C or D")
    if word.text.upper() not in EDGES:
        raise line.bad(f"There is no exit '{word.text}': A, B, C or D.", word.column, word.text, EDGES)
    return [act.Enter(word.text.upper())]


def _advance(line: Line, rest: Sequence[Word]) -> list[Any]:
    cards = [card for level in line.book.catalogue.skull_cards.values() for card in level]
    return [act.Advance(_chosen(line, rest, cards, "skull card"))]


def _dare(line: Line, rest: Sequence[Word]) -> list[Any]:
    if [word.text.lower() for word in rest] == ["random"]:
        return [act.Dare(random=True)]
    return [act.Dare(_chosen(line, rest, [*line.book.catalogue.challenges], "challenge"))]


def _chosen(line: Line, rest: Sequence[Word], cards: Sequence[str], what: str) -> tuple[str, ...]:
    """Return the cards named, in the order of the content; `none` is none."""
    if not rest:
        raise line.bad(f"Say which {what}s, or none.", line.end)
    if [word.text.lower() for word in rest] == ["none"]:
        return ()
    named = []
    for word in rest:
        if word.text.upper() not in cards:
            raise line.bad(f"There is no {what} '{word.text}'.", word.column, word.text, cards)
        named.append(word.text.upper())
    return tuple(card for card in cards if card in named)


def _call(line: Line, rest: Sequence[Word]) -> list[Any]:
    if len(rest) != 2:
        raise line.bad("Say whom, and his square: call LUK V3.", rest[2].column if len(rest) > 2 else line.end)
    marine, square = line.marine(rest[0]), rest[1].text.upper()
    # Before the tile has docked there are no squares yet, and the rules say when to call.
    return [act.Call(marine, line.square(rest[1]) if line.squares() else square)]


def _squad(line: Line, rest: Sequence[Word]) -> list[Any]:
    codes = [line.marine(word) for word in rest]
    if len({*codes}) != len(codes) or len(codes) != 4:
        raise line.bad("Name four different Marines.", rest[0].column if rest else line.end)
    return [act.Squad(tuple(code for code in line.book.roster if code in codes))]


def _pairs(line: Line, rest: Sequence[Word], what: str) -> list[tuple[str, Word]]:
    pairs = []
    for word in rest:
        left, equals, right = word.text.partition("=")
        if not equals or not left or not right:
            raise line.bad(f"'{word.text}' is not of the form {what}.", word.column)
        pairs.append((line.marine(Word(left, word.column)), Word(right, word.column + len(left) + 1)))
    if not pairs:
        raise line.bad(f"Say {what} for each Marine.", line.end)
    return pairs


def _deploy(line: Line, rest: Sequence[Word]) -> list[Any]:
    found = [act.Deploy(code, line.square(word)) for code, word in _pairs(line, rest, "MAX=V1")]
    found.sort(key=lambda action: action.square)
    waiting = {code for code, marine in line.state.marines.items() if not marine.square}
    everybody = len(found) > 1 and {action.marine for action in found} == waiting and len(found) == len(waiting)
    # A squad that has lost somebody leaves the last squares of the tile free (option `dock`).
    if everybody and [action.square for action in found] == free_squares(line.book, line.state)[: len(found)]:
        # The last Marine takes his square by himself.
        found.pop()
    return found


def _equip(line: Line, rest: Sequence[Word]) -> list[Any]:
    found = [act.Equip(code, line.card(word)) for code, word in _pairs(line, rest, "MAX=SP-01")]
    return sorted(found, key=lambda action: line.book.roster.index(action.marine))


def _move(line: Line, rest: Sequence[Word]) -> list[Any]:
    if not rest:
        raise line.bad("Say where to: mv d5.", line.end)
    legal = [action.to for action in line.legal(act.Move)]
    squares = [line.square(word, legal) for word in rest]
    marines = line.state.marines
    standing = {marine.square for code, marine in marines.items() if code != line.actor}
    here = marines[line.actor].square if line.actor in marines else ""
    found = []
    for square, beyond in pairwise(squares):
        # A square where a Marine stands is run through, if it lies on the way; every other one ends a Move.
        if square not in standing or not (_beside(line, here, square) and _beside(line, square, beyond)):
            found.append(act.Move(square))
        here = square
    return [*found, act.Move(squares[-1])]


def _beside(line: Line, one: str, other: str) -> bool:
    """Say whether two squares are adjacent; nobody in particular is beside every square."""
    ground = line.book.ground(line.state)
    return not one or ground.index[other] in ground.neighbours[ground.index[one]]


def _attack(line: Line, rest: Sequence[Word]) -> list[Any]:
    return [act.Attack(line.square(line.one(rest, "which square to attack"), _held(line)))]


def _grenade(line: Line, rest: Sequence[Word]) -> list[Any]:
    return [act.ThrowGrenade(line.square(line.one(rest, "which square to throw at"), _held(line)))]


def _held(line: Line) -> list[str]:
    return list(line.state.tyranids)


def _command(line: Line, rest: Sequence[Word]) -> list[Any]:
    if not rest:
        raise line.bad("Say whom: cmd ADR.", line.end)
    found: list[Any] = [act.Command(line.marine(rest[0]))]
    if len(rest) > 1:
        line.actor, giver = found[0].marine, line.actor
        if ALIASES.get(rest[1].text.lower()) not in ("mv", "at"):
            raise line.bad(f"An order is followed by mv or at, not '{rest[1].text}'.", rest[1].column)
        found += _verb(line, rest[1:])
        line.actor = giver
    return found


def _special(line: Line, rest: Sequence[Word]) -> list[Any]:
    if not rest:
        raise line.bad("Say which card: sp SP-01.", line.end)
    card = line.card(rest[0])
    args = tuple(_argument(line, word) for word in rest[1:])
    if len(args) > 1 and all(arg in EDGES for arg in args):
        args = tuple(sorted(args))
    if not args:
        ways = [action for action in line.legal(act.Play) if action.card == card]
        if len(ways) == 1:
            return ways
    return [act.Play(card, args)]


def _argument(line: Line, word: Word) -> str:
    upper, lower = word.text.upper(), word.text.lower()
    if upper in line.book.roster or upper in EDGES:
        return upper
    if lower in DIRECTION_NAMES:
        return lower
    if line.find_square(word.text):
        return line.find_square(word.text)
    known = [*line.book.roster, *DIRECTION_NAMES, *_held(line)]
    raise line.bad(f"'{word.text}' is no square, Marine, direction or exit.", word.column, word.text, known)


def _use(line: Line, rest: Sequence[Word]) -> list[Any]:
    return _react(line, rest) if isinstance(line.step, WINDOWS) else _special(line, rest)


def _react(line: Line, rest: Sequence[Word]) -> list[Any]:
    word = line.one(rest, "with which card, or `ability`")
    if word.text.lower() == "ability":
        return [act.ABILITY]
    return [act.React(line.card(word))]


def _free(line: Line, rest: Sequence[Word]) -> list[Any]:
    if not rest or ALIASES.get(rest[0].text.lower()) not in ("mv", "at", "pass"):
        raise line.bad("After free comes mv, at or pass.", rest[0].column if rest else line.end)
    if not isinstance(line.step, steps.Free):
        # In a turn free actions are used up first anyway, so the word is of no use there.
        without = line.text[rest[0].column - 1 :]
        raise BadNotation("Nobody acts out of turn now.", line.text, line.words[0].column, without)
    return _verb(line, rest)


def _pick(line: Line, rest: Sequence[Word]) -> list[Any]:
    choices = [action.choice for action in line.legal(act.Pick)]
    word = line.one(rest, "what: " + (", ".join(choices) or "a square or a Marine"))
    for choice in choices:
        if choice.lower() == word.text.lower():
            return [act.Pick(choice)]
    code = line.find_marine(word.text)
    return [act.Pick(code or line.square(word, choices))]


def _order(line: Line, rest: Sequence[Word]) -> list[Any]:
    if not rest:
        raise line.bad("Say the old numbers in their new order: order 3 1 2.", line.end)
    for word in rest:
        if not re.fullmatch(r"[0-9]{1,3}", word.text):
            raise line.bad(f"'{word.text}' is no number.", word.column)
    return [act.Order(tuple(int(word.text) for word in rest))]


VERBS: Mapping[str, Callable[[Line, Sequence[Word]], list[Any]]] = {
    "board": _board,
    "enter": _enter,
    "adv": _advance,
    "challenge": _dare,
    "call": _call,
    "nocall": _plain(act.NO_CALL),
    "squad": _squad,
    "deploy": _deploy,
    "equip": _equip,
    "next": _plain(act.NEXT),
    "mv": _move,
    "at": _attack,
    "con": _plain(act.TRY_CONSOLE),
    "cmd": _command,
    "gr": _grenade,
    "sp": _special,
    "use": _use,
    "free": _free,
    "react": _react,
    "pass": _plain(act.PASS),
    "pick": _pick,
    "order": _order,
    "end": _plain(act.END),
}
