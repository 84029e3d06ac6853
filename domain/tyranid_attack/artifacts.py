"""Artifacts: taken from the floor, handed over."""

from __future__ import annotations

import msgspec

from ..rules import Refusal, Script
from .actions import Give, Take
from .book import Book
from .events_model import ActSpent, ArtifactGiven, ArtifactTaken
from .fighting import can_strike, used_up
from .shooting import no_attack
from .state import MARINES, HiveState, distance


def takes(book: Book, state: HiveState, name: str) -> list[Take]:
    """Return the artifacts that a Marine can take instead of attacking (TA-ART-7, TA-ART-8)."""
    if not state.artifacts or book.side(name) != MARINES or not can_strike(book, state, name):
        return []
    at = state.models[name].at
    return [Take(number) for number, square in sorted(state.artifacts.items()) if square == at]


def gives(book: Book, state: HiveState, name: str) -> list[Give]:
    """Return what a Marine can hand over, and to whom (TA-ART-4, TA-ART-5)."""
    model = state.models[name]
    if not model.artifacts or not can_strike(book, state, name):
        return []
    crowd = book.crowd(state)
    if not crowd.plane.beside(crowd.marines, model.at):
        return []
    return [
        Give(to, number)
        for number in sorted(model.artifacts)
        for to in state.models
        if refuse_receiver(book, state, name, to) is None
    ]


def refuse_receiver(book: Book, state: HiveState, name: str, to: str) -> Refusal | None:
    """Say why a model cannot be given an artifact (TA-ART-4, TA-ART-5, TA-SPEC-13)."""
    model = state.models.get(to)
    if model is None or to == name or book.side(to) != MARINES:
        return Refusal("TA-ART-4", f"{to} is no other Marine on the board")
    if distance(model.at, state.models[name].at) > 1:
        return Refusal("TA-ART-4", f"{to} is not adjacent to {name}")
    if model.prone:
        return Refusal("TA-SPEC-13", f"{to} lies prone")
    if state.act(to).attacks <= 0 or state.act(to).attacked:
        return Refusal("TA-ART-5", f"{to} has attacked in this turn")
    return None


def take(book: Book, state: HiveState, name: str, action: Take) -> Script:
    """Take an artifact: the attack is given up (TA-ART-7)."""
    yield ActSpent(name, used_up(state, name), rule="TA-ART-7")
    yield ArtifactTaken(action.artifact, name, rule="TA-ART-7")


def give(book: Book, state: HiveState, name: str, action: Give) -> Script:
    """Hand an artifact over: both give up their attack; the receiver may still move (TA-ART-4, TA-ART-5)."""
    yield ActSpent(name, used_up(state, name), rule="TA-ART-4")
    theirs = state.act(action.model)
    yield ActSpent(action.model, msgspec.structs.replace(theirs, attacks=0, attacked=True), rule="TA-ART-4")
    yield ArtifactGiven(action.artifact, name, action.model, rule="TA-ART-4")


def explain_take(book: Book, state: HiveState, name: str, action: Take) -> Refusal | None:
    """Say why a model may not take that artifact."""
    if book.side(name) != MARINES:
        return Refusal("TA-ART-8", "Tyranids take no artifacts")
    if not can_strike(book, state, name):
        return no_attack(book, state, name)
    return Refusal("TA-ART-7", f"{book.names.artifact(action.artifact)} does not lie where {name} stands")


def explain_give(book: Book, state: HiveState, name: str, action: Give) -> Refusal | None:
    """Say why a model may not hand that artifact over."""
    if action.artifact not in state.models[name].artifacts:
        return Refusal("TA-ART-4", f"{name} does not bear {book.names.artifact(action.artifact)}")
    if not can_strike(book, state, name):
        return no_attack(book, state, name)
    return refuse_receiver(book, state, name, action.model)
