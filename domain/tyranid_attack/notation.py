"""Notation in: a line of text to the actions it stands for, with errors that point at the word and suggest a better."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..choices import sole
from ..errors import IllegalAction
from ..lines import Word
from ..rules import Refusal
from . import actions as act
from . import notation_acting as acting
from . import steps
from .book import BLOB
from .reading import Line, squeezed
from .state import HiveState, Point
from .verbs import ALIASES

if TYPE_CHECKING:
    from .ruleset import TyranidAttack


def parse(ruleset: TyranidAttack, state: HiveState, seat: str, text: str) -> Sequence[Any]:
    """Return the actions that a line stands for, by what its seat may know.

    Raises BadNotation with the column of the word that is wrong and, if there is one, the nearest line that is right.
    Raises IllegalAction for what an action cannot say: a path against the rules, a model other than the one taken up,
    or what a model that is not taken up yet could not do then.
    """
    return read(Line(ruleset, ruleset.view(state, seat), seat, text, suggests=True))


def read(line: Line) -> list[Any]:
    """Return the actions of a line; raises as `parse` does."""
    if not line.words:
        raise line.bad("Type an action.", line.end)
    verb, rest = line.words[0], line.words[1:]
    name = ALIASES.get(verb.text.lower())
    if name is None:
        verbs = [word for word in ALIASES if len(word) > 1]
        raise line.bad(f"'{verb.text}' is no action.", verb.column, verb.text, verbs)
    line.arrows()
    return VERBS[name](line, rest)


def _plain(action: Any) -> Callable[[Line, Sequence[Word]], list[Any]]:
    def reads(line: Line, rest: Sequence[Word]) -> list[Any]:
        line.none(rest)
        return [action]

    return reads


def _pass(line: Line, rest: Sequence[Word]) -> list[Any]:
    line.none(rest)
    found = PASSES.get(type(line.step))
    if found is None:
        raise line.bad("There is nothing to pass here.", line.words[0].column)
    return [found]


PASSES: Mapping[type, Any] = {
    steps.Free: act.END,
    steps.Acting: act.DONE,
    steps.FollowUp: act.STOP,
    steps.Reinforce: act.SKIP,
    steps.Return: act.READY,
}

# Set-up


def _buy(line: Line, rest: Sequence[Word]) -> list[Any]:
    if not rest:
        raise line.bad("Say which kind and how many: buy marine 4.", line.end)
    count = int(rest[-1].text) if rest[-1].text.isdecimal() and len(rest[-1].text) < 4 else 0
    named = rest[:-1] if rest[-1].text.isdecimal() else rest
    if not named or (named is not rest and not count):
        raise line.bad("Say which kind and how many: buy marine 4.", rest[-1].column)
    kind = line.find_kind(" ".join(word.text for word in named))
    if not kind:
        kinds = [id for id, one in line.book.profiles.items() if one.side == "marine" and one.cost]
        name = " ".join(word.text for word in named)
        raise line.bad(f"There is no kind '{name}': {', '.join(kinds)}.", named[0].column, named[0].text, kinds)
    return [act.BuyKind(kind, count or 1)]


def _deploy(line: Line, rest: Sequence[Word]) -> list[Any]:
    form = "who and where: deploy SC1 3:g6, or deploy auto"
    if not rest:
        raise line.bad(f"Say {form}.", line.end)
    if rest[0].text.lower() == "auto":
        line.none(rest[1:])
        return [act.AUTO]
    found: list[Any] = []
    name = line.taken if isinstance(line.step, steps.DeployOn) else ""
    for number, word in enumerate(rest):
        square = line.find_square(word)
        if square is not None:
            if not name:
                raise line.bad(f"Say {form}.", word.column)
            found.append(act.StandOn(square))
            name = ""
            continue
        if name and not line.find_model(word.text):
            line.square(word)  # says what is wrong with it
        model = line.model(word, line.state.party)
        if not number and name:
            if model != name:
                raise IllegalAction(Refusal("TA-SETUP-16", f"{name} is being deployed: say where he starts"))
            continue
        if name:
            raise line.bad(f"Say where {name} starts: {form}.", word.column)
        name = model
        found.append(act.DeployModel(model))
    if not found:
        raise line.bad(f"Say where {name} starts: deploy {name} 3:g6.", line.end)
    return found


def _at(line: Line, rest: Sequence[Word]) -> list[Any]:
    if isinstance(line.step, steps.PutOn):
        return [act.PutModel(line.step.model, line.square(line.one(rest, "where: at 3:g6")))]
    return [act.StandOn(line.square(line.one(rest, "where: at 3:g6")))]


# A part


def _use(line: Line, rest: Sequence[Word]) -> list[Any]:
    fresh = [action.model for action in line.legal(act.UseModel)] if isinstance(line.step, steps.Free) else []
    return [act.UseModel(line.model(line.one(rest, "which model: use SC3"), fresh))]


def _order(line: Line, rest: Sequence[Word]) -> list[Any]:
    if not rest:
        raise line.bad("Say which order: order mark, or order mark SC3 without a Sergeant.", line.end)
    orders = line.book.catalogue.orders
    scout = ""
    if len(rest) > 1 and line.find_model(rest[-1].text):
        scout, rest = line.find_model(rest[-1].text), rest[:-1]
    name = squeezed("".join(word.text for word in rest))
    key = next((key for key, order in orders.items() if name in (key, squeezed(order.name), squeezed(order.id))), "")
    if not key:
        if rest[0].text.lower() in orders:
            raise line.bad(f"'{rest[1].text}' is no model.", rest[1].column, rest[1].text, line.state.models)
        message = f"There is no order '{rest[0].text}': {', '.join(orders)}."
        raise line.bad(message, rest[0].column, rest[0].text, orders)
    return [act.PlayOrder(key, scout)]


def _follow(line: Line, rest: Sequence[Word]) -> list[Any]:
    left = line.named(rest, 2)
    if not isinstance(line.step, steps.FollowUp) and len(rest) == 2:
        left = rest[1:]
    return [act.Follow(line.enemy(line.one(left, "against whom: follow SG1 GE4")))]


def _stop(line: Line, rest: Sequence[Word]) -> list[Any]:
    line.none(line.named(rest, 1))
    return [act.STOP]


# Placing


def _placed(line: Line, rest: Sequence[Word], names: Sequence[str], form: str) -> tuple[str, Point]:
    who, where = line.exactly(rest, 2, form)
    return line.one_of(who, names), line.square(where)


def _enter(line: Line, rest: Sequence[Word]) -> list[Any]:
    return [act.EnterModel(*_placed(line, rest, line.state.pool, "which model and where: enter GE2 5:k1"))]


def _place(line: Line, rest: Sequence[Word]) -> list[Any]:
    state, step = line.state, line.step
    form = "which model and where: place BO1 1:f6"
    if isinstance(step, steps.PutOn):
        return [_put_on(line, step, rest, form)]
    if isinstance(step, steps.Put):
        return _put(line, step, rest, form)
    if len(rest) == 1 and not isinstance(step, steps.Found):
        return [act.PickModel(line.one_of(rest[0], state.pool))]
    return [act.PutModel(*_placed(line, rest, state.reserve if isinstance(step, steps.Found) else state.pool, form))]


def _put(line: Line, step: steps.Put, rest: Sequence[Word], form: str) -> list[Any]:
    """Read who is placed, and where, if that is said too; the square is looked at before anybody is chosen."""
    if not rest:
        raise line.bad(f"Say {form}.", line.end)
    line.none(rest[2:])
    name = line.one_of(rest[0], line.state.blobs if step.kinds == (BLOB,) else line.state.pool)
    found: list[Any] = [act.PickModel(name)]
    if len(rest) == 1:
        return found
    action = act.PutModel(name, line.square(rest[1]))
    if line.ruleset.explain(line.state, step, found[0]) is not None:
        return [*found, action]  # refused for the model
    asked = steps.PutOn(model=name, section=step.section, apart=step.apart, reason=step.reason, rule=step.rule)
    refusal = line.ruleset.explain(line.state, asked, action)
    if refusal is not None:
        raise IllegalAction(refusal)
    decision = line.ruleset.ask(line.state, asked)
    # The only square there is goes without saying.
    return found if decision is None or sole(decision.actions) else [*found, action]


def _put_on(line: Line, step: steps.PutOn, rest: Sequence[Word], form: str) -> act.PutModel:
    """Read where the model that was chosen stands; its name may be left out."""
    name = step.model
    if len(rest) > 1:
        name = line.one_of(rest[0], line.state.blobs if name in line.state.blobs else line.state.pool)
        rest = rest[1:]
    return act.PutModel(name, line.square(line.one(rest, form)))


def _return(line: Line, rest: Sequence[Word]) -> list[Any]:
    return [act.ReturnScout(*_placed(line, rest, line.state.lost, "which Scout and where: return SC5 1:c5"))]


def _cyst(line: Line, rest: Sequence[Word]) -> list[Any]:
    return [act.PutCyst(line.square(line.one(rest, "where: cyst 4:h6")))]


def _template(line: Line, rest: Sequence[Word]) -> list[Any]:
    form = "where its north-west corner is, and which way round it lies: template OBJ-1 1:c5 wide"
    asked = line.step.objective if isinstance(line.step, steps.PlaceTemplate) else ""
    objective = asked
    if rest and (not asked or line.find_square(rest[0]) is None):
        objective, rest = line.objective(rest[0]), rest[1:]
        if asked and objective != asked:
            raise IllegalAction(Refusal("TA-OBJ-2", f"{line.book.names.objective(asked)} is placed now"))
    if not rest:
        raise line.bad(f"Say {form}.", line.end)
    corner = line.square(rest[0])
    line.none(rest[2:])
    word = rest[1].text.lower() if len(rest) > 1 else ""
    if word not in ("", "wide", "tall"):
        raise line.bad("It lies wide or tall.", rest[1].column, word, ("wide", "tall"))
    columns, rows = line.book.catalogue.objectives[objective].size
    if columns == rows:  # both ways round are the same
        return [act.StandTemplate(corner)]
    if not word:
        ways = [action for action in line.legal(act.StandTemplate) if action.corner == corner]
        if len(ways) != 1:
            raise line.bad("Say which way round it lies: wide or tall.", line.end)
        return ways
    return [act.StandTemplate(corner, word == "tall")]


def _drop(line: Line, rest: Sequence[Word]) -> list[Any]:
    word = line.one(_of_dreadnought(line, rest, steps.Drop), "which of its two weapons: drop DN1 2")
    if word.text not in ("1", "2"):
        raise line.bad(f"'{word.text}' is neither weapon 1 nor weapon 2.", word.column)
    return [act.DropWeapon(int(word.text))]


def _arm(line: Line, rest: Sequence[Word]) -> list[Any]:
    form = "what it carries: arm DN1 dn_heavy_bolter"
    left = _of_dreadnought(line, rest, steps.Arm)
    if not left:
        raise line.bad(f"Say {form}.", line.end)
    heavies = line.book.catalogue.heavies
    name = squeezed("".join(word.text for word in left))
    found = next((id for id, one in heavies.items() if name in (squeezed(id), squeezed(one.name))), "")
    if not found:
        message = f"There is no heavy weapon '{' '.join(word.text for word in left)}': {', '.join(heavies)}."
        raise line.bad(message, left[0].column, left[0].text, heavies)
    return [act.ArmWith(found)]


def _of_dreadnought(line: Line, rest: Sequence[Word], step: type) -> Sequence[Word]:
    """Return the words behind the Dreadnought's name, if it is given."""
    if isinstance(line.step, step):
        return line.named(rest, 1)
    return rest[1:] if rest and line.find_model(rest[0].text) else rest


VERBS: Mapping[str, Callable[[Line, Sequence[Word]], list[Any]]] = {
    "buy": _buy,
    "ready": _plain(act.READY),
    "deploy": _deploy,
    "auto": _plain(act.AUTO),
    "at": _at,
    "use": _use,
    "order": _order,
    "end": _plain(act.END),
    "move": acting.move,
    "shoot": acting.shoot,
    "hellfire": acting.hellfire,
    "aim": acting.aim,
    "fight": acting.fight,
    "follow": _follow,
    "stop": _stop,
    "melta": acting.melta,
    "take": acting.take,
    "give": acting.give,
    "done": acting.done,
    "roll": _plain(act.ROLL),
    "skip": _plain(act.SKIP),
    "pass": _pass,
    "enter": _enter,
    "template": _template,
    "place": _place,
    "cyst": _cyst,
    "return": _return,
    "drop": _drop,
    "arm": _arm,
}
