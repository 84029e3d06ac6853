"""Content in general: texts, digests, typed loading, and errors that say where to look."""

from __future__ import annotations

import hashlib
import json
import types

import msgspec
import pytest

from warptape.domain.content import Content, Record, Source, Tally, by_key
from warptape.domain.errors import ContentError


class Card(Record, frozen=True):
    id: str
    cost: int
    source: Source
    steps: tuple[dict[str, int], ...] = ()


class Cards(Record, frozen=True):
    cards: tuple[Card, ...]


CARDS = """\
# two cards

[[cards]]
id = "c-1"
cost = 3
source = "printed"

[[cards]]
id = "c-2"
source = "house"
cost = 4
steps = [
  { n = 1 },
]
"""


def refusal(text: str) -> str:
    with pytest.raises(ContentError) as caught:
        Content({"cards.toml": text}).load("cards.toml", Cards)
    return str(caught.value)


def test_a_file_becomes_typed_records() -> None:
    cards = Content({"cards.toml": CARDS}).load("cards.toml", Cards).cards
    assert cards == (
        Card(id="c-1", cost=3, source="printed"),
        Card(id="c-2", cost=4, source="house", steps=({"n": 1},)),
    )


def test_an_unknown_field_is_refused_at_its_line() -> None:
    message = refusal(CARDS.replace("cost = 4", "price = 4\ncost = 4"))
    assert message == "cards.toml, line 11: cards 'c-2': it has an unknown field `price`."


def test_a_wrong_type_is_refused_at_its_line() -> None:
    message = refusal(CARDS.replace("cost = 4", 'cost = "four"'))
    assert message == "cards.toml, line 11: cards 'c-2': Expected `int`, got `str` at cost."


def test_a_missing_field_is_refused_where_its_record_starts() -> None:
    message = refusal(CARDS.replace("cost = 3\n", ""))
    assert message == "cards.toml, line 3: cards 'c-1': it lacks the field `cost`."


def test_a_fault_deep_in_a_record_names_the_way_to_it() -> None:
    message = refusal(CARDS.replace("n = 1", "n = true"))
    assert message.startswith("cards.toml, line 12: cards 'c-2': Expected `int`, got `bool` at steps[0]")


def test_a_source_is_printed_or_house() -> None:
    assert "cards.toml, line 6: cards 'c-1': Invalid enum value 'hous'" in refusal(CARDS.replace("printed", "hous"))


def test_a_record_without_a_usable_id_is_counted() -> None:
    message = refusal(CARDS.replace('id = "c-2"', "id = 2"))
    assert message == "cards.toml, line 9: cards number 2: Expected `str`, got `int` at id."


def test_an_unknown_table_is_refused() -> None:
    assert refusal(CARDS + "[[spells]]\nid = 's'\n") == "cards.toml: it has an unknown field `spells`."


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[[cards]\n", "cards.toml is not valid TOML: "),
        ("a = 1\na = 2\n", "line 2"),
        ("a = " + "[" * 5000 + "]" * 5000, "cards.toml nests its values too deeply."),
        ("a = " + "9" * 5000, "cards.toml is not valid TOML: "),
    ],
)
def test_what_is_no_toml_is_refused(text: str, words: str) -> None:
    assert words in refusal(text)


def test_a_missing_file_is_named() -> None:
    with pytest.raises(ContentError, match=r"lacks the file boards\.toml"):
        Content({"cards.toml": CARDS}).load("boards.toml", Cards)


@pytest.mark.parametrize("name", ["../cards.toml", "cards.txt", "", ".toml", "a/b.toml", "cards.toml\n"])
def test_only_plain_names_are_content_files(name: str) -> None:
    with pytest.raises(ContentError, match="no name for a content file"):
        Content({name: ""})


def test_records_that_share_a_key_are_refused() -> None:
    content = Content({"cards.toml": CARDS.replace("c-2", "c-1")})
    with pytest.raises(ContentError) as caught:
        by_key(content, "cards.toml", "cards", content.load("cards.toml", Cards).cards, lambda card: card.id)
    assert str(caught.value) == "cards.toml, line 9: cards 'c-1': 'c-1' is there twice; each must be unique."


def test_a_fault_in_a_plain_or_inner_table_is_told_at_its_line() -> None:
    content = Content(
        {"t.toml": "[odds]\nid = 'o'\n[odds.zero]\nlow = 1\n[[odds.row]]\nd6 = 1\n[[odds.row]]\nd6 = 2\n"}
    )
    assert str(content.wrong("t.toml", "odds", 0, "no.", "id")) == "t.toml, line 2: odds: no."
    assert str(content.wrong("t.toml", "odds.zero", 0, "no.", "low")) == "t.toml, line 4: odds.zero: no."
    assert str(content.wrong("t.toml", "odds.row", 1, "no.", "d6")) == "t.toml, line 8: odds.row number 2: no."
    assert str(content.wrong("t.toml", "odds.row", 2, "no.")) == "t.toml: odds.row number 3: no."
    assert str(content.wrong("t.toml", "even", 0, "no.")) == "t.toml: even number 1: no."


def test_the_digest_is_that_of_the_canonical_json() -> None:
    content = Content({"b.toml": "x = 'é'\n", "a.toml": ""})
    text = '{"a.toml":"","b.toml":"x = \'é\'\\n"}'
    assert content.encode() == text.encode()
    assert json.loads(content.encode()) == dict(content.files)
    assert content.digest == hashlib.sha256(text.encode()).hexdigest()


def test_the_digest_does_not_depend_on_order_or_line_ends() -> None:
    one = Content({"a.toml": "n = 1\n", "b.toml": "m = 2\r\n"})
    other = Content({"b.toml": "m = 2\n", "a.toml": "n = 1\r\n"})
    assert one == other
    assert hash(one) == hash(other)
    assert one.digest == other.digest
    assert one.digest != one.replacing({"a.toml": "n = 2\n"}).digest


def test_what_is_replaced_is_read_anew_and_nothing_else() -> None:
    one = Content({"a.toml": "n = 1\n", "b.toml": "m = 2\n"})
    before = {name: one.parsed(name) for name in one.files}
    other = one.replacing({"a.toml": "n = 2\n", "b.toml": "m = 2\n", "c.toml": "k = 3\n"})
    assert [other.parsed(name) for name in other.files] == [{"n": 2}, {"m": 2}, {"k": 3}]
    assert other.parsed("b.toml") is before["b.toml"]
    assert one.parsed("a.toml") == {"n": 1}


def test_what_is_encoded_decodes_and_nothing_else_does() -> None:
    content = Content({"cards.toml": CARDS})
    assert Content.decode(content.encode()) == content
    for data in (b"", b"[]", b'{"cards.toml": 1}', content.encode() + b" ", b'{"b.toml":"","a.toml":""}', b'{"a":""}'):
        with pytest.raises(ContentError):
            Content.decode(data)


def test_content_cannot_be_changed() -> None:
    files = {"cards.toml": CARDS}
    content = Content(files)
    files["cards.toml"] = ""
    assert isinstance(content.files, types.MappingProxyType)
    assert content.load("cards.toml", Cards).cards


def test_a_package_without_content_says_so() -> None:
    with pytest.raises(ContentError, match="no content files"):
        Content.packaged("warptape.domain")


def test_printed_and_house_are_counted_for_each_table() -> None:
    text = CARDS + '[[figures]]\nname = "f"\nrange = 3\nrange_source = "house"\ncost_source = "printed"\n'
    tallies = list(Content({"cards.toml": text, "plain.toml": "n = 1"}).tallies())
    assert tallies == [Tally("cards.toml", "cards", 1, 1, 0, 0), Tally("cards.toml", "figures", 0, 0, 1, 1)]


def test_records_are_immutable_and_hashable() -> None:
    card = Card(id="c", cost=1, source="house")
    with pytest.raises(AttributeError):
        card.cost = 2  # type: ignore[misc]
    assert hash(card) == hash(msgspec.structs.replace(card))
