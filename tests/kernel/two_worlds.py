"""What a seat is shown, offered and told in a game, compared with a world that it may imagine: nothing tells them apart."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
import secret_laws

from warptape.domain.chance import Luck
from warptape.domain.errors import BadNotation, IllegalAction
from warptape.domain.rules import Decision, Ruleset
from warptape.projections.boards import draw


def answer(ruleset: Ruleset, state: Any, seat: str, text: str) -> str:
    """What a seat is told about a line: the actions, or the error with its suggestion, or the refusal of the first."""
    try:
        actions = ruleset.parse(state, seat, text)
    except (BadNotation, IllegalAction) as error:
        return f"{type(error).__name__} {error}"
    refusal = ruleset.refusal(state, seat, actions[0])
    seen = ruleset.view(state, seat)
    return f"{actions} {refusal} {ruleset.describe(seen, actions[0])} {ruleset.notation(seen, actions[0])}"


def menu(ruleset: Ruleset, state: Any, seat: str) -> list[tuple[str, str]]:
    """What a seat may do, in words; nothing while another must decide."""
    decision: Decision | None = ruleset.decision(state)
    if decision is None or decision.seat != seat:
        return []
    seen = ruleset.view(state, seat)
    return [(ruleset.notation(seen, one), ruleset.describe(seen, one)) for one in decision.actions]


def worlds_look_alike(ruleset: Ruleset, state: Any, seat: str, luck: Luck, texts: Iterable[str]) -> bool:
    """Menus, answers to the texts, boards and summaries are the same in another world; says whether it is another."""
    world = secret_laws.determinized(ruleset, state, seat, luck)
    mine, theirs = ruleset.view(state, seat), ruleset.view(world, seat)
    given = list(texts)
    for one, other in ((mine, theirs), (state, world)):
        assert menu(ruleset, one, seat) == menu(ruleset, other, seat)
        for text in given:
            assert answer(ruleset, one, seat, text) == answer(ruleset, other, seat, text), text
    boards = [draw(ruleset, seen, "A game") for seen in (mine, theirs)]
    assert boards[0].to_json() == boards[1].to_json()
    assert boards[0].text() == boards[1].text()
    assert list(ruleset.summarize(mine)) == list(ruleset.summarize(theirs))
    return msgspec.json.encode(world) != msgspec.json.encode(state)
