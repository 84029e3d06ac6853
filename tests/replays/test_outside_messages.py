"""What bots from outside are told: as much as their seat may know, whatever the game, and all that they need to act."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

import warptape
from warptape.domain.chance import Luck
from warptape.replays.outside import messages, schema
from warptape.replays.outside.messages import LISTED, TOLD, Answer, Clock, More, encode
from warptape.replays.outside.questions import Question, Unfit, happened, hello, over, read

ROOT = Path(__file__).parents[2]
GAMES = ["pig", "hidden", "nested", "doom-of-the-eldar", "tyranid-attack", "space-marine-adventures"]
SECRETIVE = ["hidden", "doom-of-the-eldar", "tyranid-attack"]
CLOCK = Clock(10_000)


@pytest.fixture
def store() -> Iterator[warptape.Store]:
    with warptape.open(":memory:") as opened:
        yield opened


def played(store: warptape.Store, ruleset: str, seed: str, decisions: int) -> Any:
    """A game that bots have played at random for so many decisions."""
    table = store.new(ruleset, seed=seed)
    table.run(dict.fromkeys(table.seats, "random"), decisions)
    return table


@pytest.mark.parametrize("ruleset", SECRETIVE)
def test_the_same_is_told_where_nothing_else_is_known(ruleset: str, store: warptape.Store, tmp_path: Path) -> None:
    """Of a game of which only the seat's own knowledge is there every message is the same, byte for byte."""
    asked = {}
    for number, decisions in enumerate((1, 9, 40, 90, 170)):
        table = played(store, ruleset, f"seed {number}", decisions)
        for seat in table.seats:
            with warptape.open(":memory:") as other:
                known = other.load(table.export(tmp_path / f"{number}-{seat}.tape.jsonl", seat))
                assert happened(table, seat, 0) == happened(known, seat, 0)
                assert msgspec.structs.replace(hello(table, seat), game=None) == msgspec.structs.replace(  # type: ignore[type-var]
                    hello(known, seat), game=None
                )
                if table.decision is None or table.decision.seat != seat:
                    continue
                mine, theirs = Question(table, seat), Question(known, seat)
                since = max(0, table.length - 30)
                assert encode(mine.ask(CLOCK, since)) == encode(theirs.ask(CLOCK, since))
                for text in ("mv HM n1", "storm 1 c1 1", "nonsense", "end", "lose c1"):
                    assert refused(mine, text) == refused(theirs, text)
                asked[seat] = True
    assert asked.keys() == {*table.seats}


def refused(question: Question, text: str) -> str:
    try:
        return str(question.chosen(Answer(action=text)))
    except Unfit as error:
        return f"{error.rule} {error.reason}"


@pytest.mark.parametrize("ruleset", SECRETIVE)
def test_the_comparison_has_teeth(ruleset: str, store: warptape.Store) -> None:
    """The owner's own view, which must not be told, is another than the seat's."""
    hidden = 0
    for number in range(12):
        table = played(store, ruleset, f"teeth {number}", 15 * number)
        if table.decision is not None:
            question = Question(table, table.decision.seat)
            if msgspec.json.encode(question.view) != msgspec.json.encode(table.state):
                hidden += 1
                assert b'"sealed":""' in encode(question.ask(CLOCK))
    assert hidden


@pytest.mark.parametrize("ruleset", GAMES)
def test_every_action_can_be_named_in_three_ways(ruleset: str, store: warptape.Store) -> None:
    for number in range(6):
        table = played(store, ruleset, f"ways {number}", 5 + 23 * number)
        if table.decision is None:
            continue
        question = Question(table, table.decision.seat)
        for choice in question.choices():
            for given in ({"action": choice.notation}, {"action": choice.action}, {"index": choice.index}):
                answer = read(msgspec.json.encode({**given, "id": question.id, "say": "ignored"}))
                assert question.chosen(answer) == question.decision.actions[choice.index], choice


def test_a_long_list_comes_in_parts_that_hold_every_action_once(store: warptape.Store) -> None:
    table = played(store, "doom-of-the-eldar", "long", 60)
    luck = Luck("long", "test")
    while True:
        decision = table.decision
        assert decision is not None
        if len(decision.actions) > LISTED:
            break
        table.act(luck.choice(decision.actions), bots=False)
    question = Question(table, decision.seat)
    ask = question.ask(CLOCK)
    assert (ask.more, ask.count, len(ask.actions)) == (True, len(decision.actions), LISTED)
    found, more = list(ask.actions), ask.more
    while more:
        part = question.listing(len(found), CLOCK)
        found, more = found + list(part.actions), part.more
    assert [choice.index for choice in found] == list(range(ask.count))
    assert question.chosen(Answer(action=found[-1].notation)) == decision.actions[-1], (
        "what is not listed is legal, too"
    )
    for wrong in (-1, ask.count, 10**9):
        with pytest.raises(Unfit, match="from number 0 on"):
            question.listing(wrong, CLOCK)


WRONG = [
    (b"", "that is no answer"),
    (b"[]", "that is no answer"),
    (b"\xff\xfe", "that is no answer"),
    (b"[" * 10_000, "that is no answer"),
    (b'{"index": 1e99}', "that is no answer"),
    (b'{"index": "1"}', "that is no answer"),
    (b'{"action": 7}', "that is no answer"),
    (b"{}", "an answer has one of"),
    (b'{"index": 0, "action": "roll"}', "an answer has one of"),
    (b'{"index": -1}', "no action number -1"),
    (b'{"index": 99}', "numbered 0 to 0"),
    (b'{"action": ""}', ""),
    (b'{"action": {}}', ""),
    (b'{"action": {"type": "fly"}}', "Invalid value 'fly'"),
    (b'{"action": "hold"}', "nothing to hold yet"),
    (b'{"action": {"type": "hold"}}', "nothing to hold yet"),
    (b'{"action": "roll roll"}', ""),
]


@pytest.mark.parametrize(("line", "why"), WRONG)
def test_what_is_no_answer_is_told_why(line: bytes, why: str, store: warptape.Store) -> None:
    question = Question(store.new("pig"), "p1")
    with pytest.raises(Unfit) as error:
        question.chosen(read(line))
    assert why in error.value.reason
    assert error.value.rule == ("PIG-2" if "hold yet" in why else "")


def test_only_the_seat_that_must_decide_is_asked(store: warptape.Store) -> None:
    with pytest.raises(warptape.NotAllowed, match="nothing to decide"):
        Question(store.new("pig"), "p2")


def test_what_was_recorded_for_others_is_not_told(store: warptape.Store) -> None:
    """Who typed what when, under which key, and the digests of the chain are nobody's business."""
    table = store.new("pig", seed="a", person="Anna", undo="free")
    table.act("roll", person="Anna", key="a key")
    table.undo(reason="oops", person="Anna")
    told, missed = happened(table, "p1", 0)
    assert missed == 0
    assert [one.position for one in told] == list(range(table.length))
    text = msgspec.json.encode(told).decode()
    for word in ("Anna", "a key", '"prev"', '"time"', '"key"'):
        assert word not in text
    assert "oops" in text, "what was said of a take-back is told to everybody"
    assert not all(one.on_line for one in told)


def test_of_a_long_past_the_newest_events_are_told(store: warptape.Store) -> None:
    table = played(store, "space-marine-adventures", "long", 400)
    told, missed = happened(table, "team", 0)
    assert len(told) == TOLD
    assert missed == table.length - TOLD > 0
    assert told[-1].position == table.length - 1
    assert happened(table, "team", table.length) == ((), 0)


# The form of the messages


def all_messages(store: warptape.Store) -> Iterator[tuple[str, bytes]]:
    """Messages of every type, with the name of the type."""
    for ruleset in GAMES:
        table = played(store, ruleset, "form", 25)
        if table.decision is not None:
            seat = table.decision.seat
            question = Question(table, seat)
            yield "Hello", encode(hello(table, seat))
            yield "Ask", encode(question.ask(CLOCK))
            yield "Listing", encode(question.listing(0, Clock(1, 2)))
            yield "Refused", encode(messages.Refused(question.id, "PIG-2", "no", 2, CLOCK))
        table.run(dict.fromkeys(table.seats, "random"))
        yield "Over", encode(over(table, next(iter(table.seats))))
    yield "Bye", encode(messages.Bye())
    for answer in (
        Answer(action="roll"),
        Answer(action={"type": "roll"}, id=3),
        Answer(index=1),
        Answer(list=More(200)),
    ):
        yield "Answer", msgspec.json.encode(answer)


def test_the_schema_is_current_and_every_message_fits_it(store: warptape.Store) -> None:
    text = (ROOT / "docs" / "bots.schema.json").read_text(encoding="utf-8")
    assert text == schema.text(), "run `make docs`"
    jsonschema = pytest.importorskip("jsonschema", reason="checks messages against a schema")
    whole = msgspec.json.decode(text)
    fits = {
        name: jsonschema.Draft202012Validator({**whole, "anyOf": [{"$ref": f"#/$defs/{name}"}]})
        for name in whole["$defs"]
    }
    seen = set()
    for name, line in all_messages(store):
        assert b"\n" not in line
        value = msgspec.json.decode(line)
        assert fits[name].is_valid(value), (name, line[:300])
        if name != "Answer":
            assert not fits[name].is_valid({**value, "type": "other"})
            seen.add(value["type"])
    assert seen == {"hello", "ask", "actions", "refused", "over", "bye"}


def test_the_page_names_every_field_of_every_message() -> None:
    page = (ROOT / "docs" / "howto" / "bots.md").read_text(encoding="utf-8")
    sections = dict(re.findall(r"(?m)^### `?(\w+)`?.*\n((?:(?!^##).*\n)+)", page))
    for cls in schema.KINDS:
        name = cls.__struct_config__.tag or "answer"  # type: ignore[attr-defined]
        described = set(re.findall(r"(?m)^\| `(\w+)` \|", sections[str(name)]))
        assert described == {field.encode_name for field in msgspec.structs.fields(cls)}, name
