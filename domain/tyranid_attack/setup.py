"""The set-up: sides, the ship, cards and tiles, the boarding party, deployment."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from ..chance import Draw, Roll, Shuffle
from ..choices import Choices, Product
from ..rules import Decision, Refusal, Script, do
from .actions import AUTO, READY, AutoDeploy, BuyKind, DeployModel, Ready, StandOn
from .book import BLOB, Book
from .events_model import ModelPlaced, ModelsDeployed, ModelShifted, PartyBought, Supplied
from .events_ship import DeckMade, EntryAreaSet, SectionLaid, SidesRolled, TilesMade
from .exploration import lay, lay_card, take_tile, turn
from .ship import AROUND
from .state import CARDS, MARINES, SECTIONS, TILES, HiveState, Laid, Point
from .steps import Buy, Deploy, DeployOn, MarinePart


def start(book: Book, state: HiveState) -> Script:
    """Roll for sides, lay the ship, shuffle cards and tiles (TA-SETUP-1 to -15)."""
    options = state.options
    if options.sides == "roll":
        rolls: list[tuple[int, int]] = []
        while not rolls or rolls[-1][0] == rolls[-1][1]:
            (mine,) = yield Roll("sides", 6, 1, "sides", "first", "TA-SETUP-1")
            (yours,) = yield Roll("sides", 6, 1, "sides", "second", "TA-SETUP-1")
            rolls.append((mine, yours))
        yield SidesRolled(tuple(rolls), rule="TA-SETUP-1" if len(rolls) == 1 else "TA-SETUP-2")
    yield from _supply(book, state)
    numbers = {section.id: number for number, section in book.catalogue.sections.items()}
    deck = yield Shuffle(SECTIONS, tuple(numbers), rule="TA-SETUP-6")
    for place in range(len(numbers)):
        item = yield Draw(deck, place, "laid", rule="TA-SETUP-6")
        if place:
            yield from lay(book, state, numbers[item], state.chain[-1])
            continue
        rotation = yield from turn(state)
        yield SectionLaid(Laid(numbers[item], (0, 0), rotation, "N"), rule="TA-SETUP-6")
        yield EntryAreaSet((0, 1), numbers[item], rule="TA-SETUP-6")
    cards = tuple(book.catalogue.cards)
    deck = yield Shuffle(CARDS, cards, rule="TA-SETUP-12")
    yield DeckMade(deck, len(cards), rule="TA-SETUP-12")
    yield from lay_card(book, state, state.chain[-1].section, peek=False)
    tiles = tuple(book.catalogue.tiles)
    stack = yield Shuffle(TILES, tiles, rule="TA-SETUP-15")
    yield TilesMade(stack, len(tiles), rule="TA-SETUP-15")
    yield from take_tile(state)
    asked = (Buy(), Deploy()) if options.party == "points" else (Deploy(),)
    yield do(*asked, MarinePart(number=1))


def _supply(book: Book, state: HiveState) -> Script:
    """Give both sides what they have (TA-SETUP-3 to -5, -14, TA-COMP-8, -9, TA-SLAVE-1)."""
    options = state.options
    roster = book.roster(options)
    pool: list[str] = []
    scouts: list[str] = []
    found: list[str] = []
    for kind, count in roster.items():
        profile = book.profiles[kind]
        if kind == BLOB or profile.group == "power_armour":
            continue
        names = book.members(kind, count)
        (pool if profile.side == "tyranid" else scouts if profile.group == "scout" else found).extend(names)
    supplies = book.catalogue.supplies
    bought = options.party == "points"
    yield Supplied(
        tuple(pool), () if bought else tuple(scouts), tuple(found), tuple(book.members(BLOB, supplies["acid_blob"])),
        supplies["teleporter_cyst"], supplies["hellfire_shell"], supplies["melta_bomb"], tuple(book.catalogue.orders),
        options.points if bought else 0, rule="TA-SETUP-14",
    )  # fmt: skip


# Buying


def _bought(state: HiveState, code: str) -> int:
    return sum(name[:2] == code for name in state.party)


def wares(book: Book, state: HiveState) -> dict[str, int]:
    """Return how many more of each kind may be bought (TA-BUY-2, TA-BUY-3)."""
    roster = book.roster(state.options)
    found = {}
    for kind, profile in book.profiles.items():
        if profile.side == "marine" and profile.cost:
            left = roster.get(kind, 0) - _bought(state, book.catalogue.codes[kind])
            found[kind] = min(left, state.points_left // profile.cost)
    return found


def ask_buy(book: Book, state: HiveState, step: Buy) -> Decision:
    """Ask for the next purchase (TA-BUY-1)."""
    buys = [BuyKind(kind, count) for kind, most in wares(book, state).items() for count in range(1, most + 1)]
    done = [READY] if state.party else []
    prompt = f"Who joins the boarding party? {state.points_left} points left."
    return Decision(
        MARINES, (*done, *buys), prompt, always=True
    )  # also when nothing is affordable: points are lost by `ready`


def resolve_buy(book: Book, state: HiveState, step: Buy, action: BuyKind | Ready) -> Script:
    """Buy, until the player is ready; points that are left are lost (TA-BUY-3)."""
    if isinstance(action, Ready):
        return
    first = _bought(state, book.catalogue.codes[action.kind])
    names = tuple(book.members(action.kind, first + action.count)[first:])
    yield PartyBought(action.kind, names, action.count * book.profiles[action.kind].cost, rule="TA-BUY-2")
    yield do(step)


def explain_buy(book: Book, state: HiveState, step: Buy, action: object) -> Refusal | None:
    """Say why that cannot be bought."""
    if isinstance(action, Ready):
        return Refusal("TA-BUY-3", "at least one model is bought")
    if not isinstance(action, BuyKind):
        return None
    profile = book.profiles.get(action.kind)
    if profile is None or profile.side != "marine" or not profile.cost:
        return Refusal("TA-BUY-2", f"no {action.kind} can be bought")
    if action.count * profile.cost > state.points_left:
        cost = action.count * profile.cost
        return Refusal("TA-BUY-3", f"that costs {cost} points, and {state.points_left} are left")
    return Refusal("TA-BUY-3", f"there are not so many: {book.names.kind(action.kind)}")


# Deployment


def grounds(book: Book, state: HiveState) -> list[Point]:
    """Return the empty squares of all sections but the last, shared squares of which are not among them (TA-SETUP-16 to -18)."""
    taken = state.at
    return [square for square in book.ship(state).behind if square not in taken]


def ask_deploy(book: Book, state: HiveState, step: Deploy) -> Decision:
    """Ask which Marine is deployed next, or again (TA-SETUP-16)."""
    words: list[Ready | AutoDeploy] = [AUTO] if state.party else [READY]
    names = (*state.party, *state.models)
    left = len(state.party)
    prompt = f"Which Marine is deployed? {left} to go." if left else "All stand: another place for one, or ready."
    return Decision(MARINES, (*words, *map(DeployModel, names)), prompt)


def resolve_deploy(book: Book, state: HiveState, step: Deploy, action: DeployModel | AutoDeploy | Ready) -> Script:
    """Go on to the square, deploy everyone, or begin."""
    if isinstance(action, Ready):
        return
    if isinstance(action, DeployModel):
        yield do(DeployOn(model=action.model), step)
        return
    names = tuple(state.party)
    squares = islice(sensible(book, state), len(names))
    models = tuple(
        (name, book.kind(name), square, book.profiles[book.kind(name)].life)
        for name, square in zip(sorted(names, key=_rank), squares, strict=True)
    )
    yield ModelsDeployed(models, rule="TA-SETUP-16")
    yield do(step)


_RANKS = ("SC", "SG", "MA", "CO", "TE", "TF", "LI", "HM", "HV")


def _rank(name: str) -> tuple[int, int]:
    """Who stands nearer to the front: those with pistols first, heavy weapons behind."""
    return _RANKS.index(name[:2]), int(name[2:])


def sensible(book: Book, state: HiveState) -> Iterator[Point]:
    """Yield squares to deploy on, the nearest to the way into the last section first, those right at it at the end."""
    ship, last = book.ship(state), state.chain[-1].section
    free = set(grounds(book, state))
    edge = [square for square in ship.squares[last] if len(ship.sections[square]) > 1]
    met, close = set(edge), []
    near = {(x + u, y + v) for x, y in ship.squares[last] for u, v in AROUND}
    while edge:
        beyond = []
        for here in edge:
            for there in ship.around[here]:
                if there not in met and last not in ship.sections[there]:
                    met.add(there)
                    beyond.append(there)
        found = [square for square in beyond if square in free]
        yield from (square for square in found if square not in near)
        close += [square for square in found if square in near]
        edge = beyond
    yield from close


def explain_deploy(book: Book, state: HiveState, step: Deploy, action: object) -> Refusal | None:
    """Say why the deployment does not go on so."""
    if isinstance(action, Ready):
        return Refusal("TA-SETUP-18", f"still to be deployed: {', '.join(state.party)}")
    if isinstance(action, AutoDeploy):
        return Refusal("TA-SETUP-18", "all stand already")
    if isinstance(action, DeployModel):
        return Refusal("TA-SETUP-4", f"{action.model} is none of the boarding party")
    return None


def ask_square(book: Book, state: HiveState, step: DeployOn) -> Decision:
    """Ask where a Marine starts (TA-SETUP-16 to -18)."""
    places = Product(StandOn, _split, grounds(book, state))
    return Decision(MARINES, Choices(places), f"Where does {step.model} start?")


def _split(action: object) -> tuple[Point] | None:
    return (action.at,) if isinstance(action, StandOn) else None


def resolve_square(book: Book, state: HiveState, step: DeployOn, action: StandOn) -> Script:
    """Put him there."""
    if step.model in state.models:
        yield ModelShifted(step.model, action.at, rule="TA-SETUP-16")
    else:
        kind = book.kind(step.model)
        yield ModelPlaced(step.model, kind, action.at, book.profiles[kind].life, True, rule="TA-SETUP-16")


def explain_square(book: Book, state: HiveState, step: DeployOn, action: object) -> Refusal | None:
    """Say why he does not start there."""
    if not isinstance(action, StandOn):
        return None
    ship, shown = book.ship(state), book.names.spot(state, action.at)
    if action.at in state.at:
        return Refusal("TA-SETUP-18", f"{state.at[action.at]} stands on {shown}")
    if action.at not in ship.floor:
        return Refusal("TA-SETUP-18", f"{shown} is no floor")
    return Refusal("TA-SETUP-17", f"{shown} belongs to the last section")
