"""What the team can ask to do; tags are the words of the notation."""

from __future__ import annotations

from ..events import Action


class LayBoard(Action, frozen=True, tag="board"):
    """Play on that face."""

    face: str


class Enter(Action, frozen=True, tag="enter"):
    """Enter at that exit, A to D."""

    label: str


class Advance(Action, frozen=True, tag="adv"):
    """Add those skull cards to the level's infestation deck; none adds none."""

    cards: tuple[str, ...] = ()


class Dare(Action, frozen=True, tag="challenge"):
    """Play with those challenges; none, or one drawn at `random`."""

    challenges: tuple[str, ...] = ()
    random: bool = False


class Call(Action, frozen=True, tag="call"):
    """Send for the Marine who has not played yet; he stands on that square of the tile."""

    marine: str
    square: str


class NoCall(Action, frozen=True, tag="nocall"):
    """Go on without him."""


class Squad(Action, frozen=True, tag="squad"):
    """Take those Marines, in roster order."""

    marines: tuple[str, ...]


class Deploy(Action, frozen=True, tag="deploy"):
    """Put a Marine on a square of the entry tile."""

    marine: str
    square: str


class Equip(Action, frozen=True, tag="equip"):
    """Give a Marine one of the special cards drawn."""

    marine: str
    card: str


class Next(Action, frozen=True, tag="next"):
    """Turn over the next activation card."""


class Move(Action, frozen=True, tag="mv"):
    """Move to that square: one step, or a run through Marines."""

    to: str


class Attack(Action, frozen=True, tag="at"):
    """Attack the Tyranid on that square."""

    square: str


class TryConsole(Action, frozen=True, tag="con"):
    """Try the console."""


class Command(Action, frozen=True, tag="cmd"):
    """Give another Marine a free Move or Attack."""

    marine: str


class ThrowGrenade(Action, frozen=True, tag="gr"):
    """Throw a grenade at the Tyranid on that square."""

    square: str


class Play(Action, frozen=True, tag="sp"):
    """Play a special card; `args` is a square, a Marine's code, a direction or exit labels, as the card needs."""

    card: str
    args: tuple[str, ...] = ()


class End(Action, frozen=True, tag="end"):
    """End the turn."""


class Pass(Action, frozen=True, tag="pass"):
    """Do not react, or give up the free actions left."""


class React(Action, frozen=True, tag="react"):
    """Play a special card in a reaction window, or use the `ability` of a datacard."""

    card: str


class Pick(Action, frozen=True, tag="pick"):
    """Choose a Marine or a square."""

    choice: str


class Order(Action, frozen=True, tag="order"):
    """Put the known cards in this order, by their old numbers from 1."""

    numbers: tuple[int, ...]


ACTIONS = (
    LayBoard,
    Enter,
    Advance,
    Dare,
    Call,
    NoCall,
    Squad,
    Deploy,
    Equip,
    Next,
    Move,
    Attack,
    TryConsole,
    Command,
    ThrowGrenade,
    Play,
    End,
    Pass,
    React,
    Pick,
    Order,
)
NEXT, TRY_CONSOLE, END, PASS, ABILITY = Next(), TryConsole(), End(), Pass(), React("ability")
NO_CALL = NoCall()
