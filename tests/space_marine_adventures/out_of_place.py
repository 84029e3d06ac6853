"""Actions of every kind, most of them out of place wherever they are tried."""

from __future__ import annotations

from campaigns import ROSTER
from helpers import CATALOGUE

from warptape.domain.events import Action
from warptape.domain.space_marine_adventures import actions as act

SQUARES = ("V1", "V4", "X2", "a8", "b2", "f8", "h1", "h6", "m10", "q9", "")


def nonsense() -> list[Action]:
    """Actions of every kind, most of them out of place: what somebody might try at any moment."""
    codes = ("MAX", "RAP", "VOR", "BOB")
    found: list[Action] = [act.NEXT, act.END, act.PASS, act.TRY_CONSOLE, act.ABILITY]
    for square in SQUARES:
        found += [act.Move(square), act.Attack(square), act.ThrowGrenade(square), act.Pick(square)]
    for code in codes:
        found += [act.Command(code), act.Pick(code), act.Deploy(code, "V1"), act.Deploy(code, "h1")]
        found += [act.Equip(code, "SP-01"), act.Equip(code, "SP-99")]
    for card in (*CATALOGUE.specials, "SP-99", "INF-1-01"):
        found += [act.React(card), act.Play(card)]
    for args in (("h6",), ("MAX",), ("nw",), ("A", "C"), ("C", "A"), ("",)):
        found += [act.Play(card, args) for card in ("SP-01", "SP-05", "SP-18", "SP-27", "SP-26")]
    found += [act.Order(order) for order in ((), (1,), (2, 1), (1, 2, 3), (3, 1, 2), (1, 1, 2), (0, 1, 2), (4, 5, 6))]
    found += [act.Squad(squad) for squad in (codes, codes[:3], ("MAX", "ADR", "RAP", "LUK"), ())]
    found += [act.LayBoard(face) for face in ("1-up", "4-up", "fx-move", "")]
    return [*found, *(act.Enter(label) for label in "ABCDE")]


def between_levels() -> list[Action]:
    """Actions of setting a level up, most of which are refused at any one question."""
    found: list[Action] = [act.LayBoard(face) for face in ("1-up", "1-down", "2-up", "3-down", "9-up")]
    found += [act.Call(code, square) for code in ROSTER for square in ("V1", "V4", "X1", "h2")]
    found += [act.Deploy(code, square) for code in ROSTER for square in ("V1", "V3")]
    found += [act.Equip(code, "SP-01") for code in ROSTER]
    found += [act.NO_CALL, act.Enter("A"), act.Enter("Z"), act.Squad(ROSTER[:4]), act.NEXT, act.END, act.PASS]
    found += [act.Dare(random=True), act.Dare(), act.Dare(("CHA-3-2",)), act.Dare(("CHA-3-2", "CHA-1-1"))]
    found += [act.Advance(), *(act.Advance((f"ADV-{n}-1", f"ADV-{n}-2")) for n in (1, 2, 3)), act.Advance(("ADV-2-2",))]
    return found


def anywhere() -> list[Action]:
    """What somebody might try at any moment, most of it out of place."""
    found = [*nonsense(), *between_levels(), act.React("ability")]
    for square in ("f8", "g7", "h6", "V2", "X3"):
        found += [act.Attack(square), act.Play("SP-20", (square,)), act.Pick(square)]
    return list(dict.fromkeys(found))
