"""Chance as docs/chance.md says: vectors in two languages, exact odds on small worlds, salts, tables and records."""

from __future__ import annotations

import itertools
import json
import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import laws
import msgspec
import nested
import pig
import pytest
from hypothesis import given
from hypothesis import strategies as st

from warptape.domain import chance as chance_module
from warptape.domain.chance import (
    Draw,
    Fate,
    Luck,
    Pick,
    Recorded,
    Roll,
    Salt,
    Table,
    deal,
    imagine,
    number,
    permutation,
)
from warptape.domain.errors import ImpossibleOutcome, NeedsOutcome
from warptape.domain.events import (
    BagFilled,
    CardDrawn,
    CardRevealed,
    CounterDrawn,
    DeckShuffled,
    DiceRolled,
    Resalted,
    fold,
)
from warptape.domain.referee import Match
from warptape.domain.secrets import Secret, digest, salt, view
from warptape.domain.states import LARGEST, Bag, ChanceState, Shuffled, State

PAGE = (Path(__file__).parents[2] / "docs" / "chance.md").read_text(encoding="utf-8")


def block(language: str) -> str:
    """Return the only block of the page in a language."""
    (found,) = re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    return str(found)


VECTORS: dict[str, list[dict[str, Any]]] = json.loads(block("json"))
KEYS = [row["key"] for row in VECTORS["secrets"]]

# The page and its vectors


def test_the_vectors_hold() -> None:
    for row in VECTORS["secrets"]:
        secret = Salt(nonce=row["nonce"], seed=row["seed"])
        assert (secret.key, secret.commitment) == (row["key"], row["commitment"])
    for row in VECTORS["numbers"]:
        value = number(KEYS[row["secret"]], row["stream"], row["counter"])
        assert f"{value:032x}" == row["number"]
        state = ChanceState(counters={row["stream"]: row["counter"]})
        secret = VECTORS["secrets"][row["secret"]]
        fate = Fate(Salt(nonce=secret["nonce"], seed=secret["seed"]))
        assert fate.roll(state, Roll(row["stream"], row["sides"])) == (row["face"],)
    for row in VECTORS["permutations"]:
        assert permutation(KEYS[row["secret"]], row["stream"], row["n"]) == row["order"]
    for row in VECTORS["deals"]:
        seen = {int(place): item for place, item in row["fixed"].items()}
        deck = Shuffled(tuple(row["items"]), dict(seen), tuple(seen))
        assert list(deal(KEYS[row["secret"]], row["shuffle"], deck)) == row["lying"]
    for row in VECTORS["bags"]:
        fate = Fate(Salt(nonce=VECTORS["secrets"][row["secret"]]["nonce"]))
        state = ChanceState(
            counters={f"bag/{row['bag']}": row["counter"]}, bags={row["bag"]: Bag(tuple(row["inside"]))}
        )
        assert fate.counter(state, Pick(row["bag"], "token")) == row["item"]
    for row in VECTORS["seals"]:
        grain = salt(KEYS[row["secret"]], row["position"], row["field"])
        assert (grain, digest(grain, row["value"])) == (row["salt"], row["sealed"])


def test_the_table_says_what_the_json_says() -> None:
    for row in (*VECTORS["secrets"], *VECTORS["numbers"], *VECTORS["seals"]):
        for name in ("key", "commitment", "number", "salt", "sealed"):
            assert name not in row or f"`{row[name]}`" in PAGE
    for row in VECTORS["permutations"]:
        assert f"| {', '.join(map(str, row['order']))} |" in PAGE
    for row in VECTORS["deals"]:
        assert f"| {', '.join(row['lying'])} |" in PAGE


def test_javascript_gives_the_same() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node.js is not installed")
    check = """
    globalThis.crypto ??= (await import("node:crypto")).webcrypto;
    const fail = (row, got) => { console.log(JSON.stringify({ row, got })); process.exit(1); };
    const expect = (row, got, wanted) => JSON.stringify(got) === JSON.stringify(wanted) || fail(row, got);
    let count = 0;
    for (const rows of Object.values(vectors)) count += rows.length;
    const K = vectors.secrets.map((row) => row.key);
    for (const row of vectors.secrets)
      expect(row, [await keyOf(row.nonce, row.seed), await commitmentOf(row.nonce, row.seed)], [row.key, row.commitment]);
    for (const row of vectors.numbers) {
      expect(row, (await number(K[row.secret], row.stream, row.counter)).toString(16).padStart(32, "0"), row.number);
      expect(row, await die(K[row.secret], row.stream, row.counter, row.sides), row.face);
    }
    for (const row of vectors.permutations) expect(row, await permutation(K[row.secret], row.stream, row.n), row.order);
    for (const row of vectors.deals) expect(row, await deal(K[row.secret], row.shuffle, row.items, row.fixed), row.lying);
    for (const row of vectors.bags) expect(row, await pick(K[row.secret], row.bag, row.counter, row.inside), row.item);
    for (const row of vectors.seals) {
      const salt = await saltOf(K[row.secret], row.position, row.field);
      expect(row, [salt, await sealOf(salt, row.value)], [row.salt, row.sealed]);
    }
    console.log(count);
    """
    script = f"{block('js')}\nconst vectors = {block('json')};\n{check}"
    done = subprocess.run(
        [node, "--input-type=module"], input=script, capture_output=True, text=True, timeout=60, encoding="utf-8"
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert int(done.stdout) == sum(map(len, VECTORS.values())) > 15


# Odds, exactly


def every_world(monkeypatch: pytest.MonkeyPatch, sizes: list[int]) -> Any:
    """Run through every combination of numbers that a Fisher-Yates over so many items asks for, each equally likely."""
    for digits in itertools.product(*map(range, sizes)):
        monkeypatch.setattr(chance_module, "number", lambda _key, _stream, c, digits=digits: digits[c])
        yield digits


@pytest.mark.parametrize("n", [0, 1, 2, 3, 4, 5])
def test_every_order_of_a_small_deck_comes_from_exactly_one_world(monkeypatch: pytest.MonkeyPatch, n: int) -> None:
    found = [tuple(permutation("K", "s", n)) for _ in every_world(monkeypatch, list(range(1, n + 1)))]
    assert sorted(found) == sorted(itertools.permutations(range(n)))


@pytest.mark.parametrize("places", [(), (0,), (2,), (0, 3), (1, 2, 4)])
def test_a_new_salt_keeps_what_is_fixed_and_deals_the_rest_evenly(
    monkeypatch: pytest.MonkeyPatch, places: tuple[int, ...]
) -> None:
    items = ("a", "b", "b", "c", "d")
    was = ("b", "d", "a", "b", "c")
    deck = Shuffled(items, {place: was[place] for place in places}, places)
    free = len(items) - len(places)
    found = Counter(deal("K", "deck/1", deck) for _ in every_world(monkeypatch, list(range(1, free + 1))))
    left = list(items)
    for place in places:
        left.remove(was[place])
    expected: Counter[tuple[str, ...]] = Counter()
    for order in itertools.permutations(left):
        rest = iter(order)
        expected[tuple(was[place] if place in places else next(rest) for place in range(len(items)))] += 1
    assert found == expected


def test_a_bag_draws_evenly_from_what_it_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    bag = Bag(("a", "b", "c", "d", "e"), {"t1": Secret("b", ("x",)), "d": "d"})
    found = []
    for value in range(6):
        monkeypatch.setattr(chance_module, "number", lambda *_args, value=value: value)
        found.append(Fate("s").counter(ChanceState(bags={"bag": bag}), Pick("bag", "t")))
    assert found == ["a", "c", "e", "a", "c", "e"]


def test_real_hashes_are_even_too() -> None:
    """Four cards under 12,000 keys: every order within five standard deviations, and so after a new salt."""
    runs = 12_000
    orders = Counter(tuple(permutation(f"key {run}", "shuffle/x/1", 4)) for run in range(runs))
    assert len(orders) == 24
    assert all(abs(count - runs / 24) < 5 * (runs / 24) ** 0.5 for count in orders.values())
    # Place 2 is seen under the first salt; then the rest is dealt under a second one: still every order equally often.
    mixed: Counter[tuple[str, ...]] = Counter()
    for run in range(runs):
        first = deal(f"key {run}", "x/1", Shuffled(("a", "b", "c", "d")))
        mixed[deal(f"other {run}", "x/1", Shuffled(("a", "b", "c", "d"), {2: first[2]}, (2,)))] += 1
    assert len(mixed) == 24
    assert all(abs(count - runs / 24) < 5 * (runs / 24) ** 0.5 for count in mixed.values())
    dice = Counter(number("key", "die/a", c) % 6 for c in range(runs))
    assert all(abs(count - runs / 6) < 5 * (runs / 6) ** 0.5 for count in dice.values())


def test_the_bias_is_under_two_to_the_minus_120() -> None:
    for n in range(2, LARGEST + 1):
        often, seldom = -(2**128 // -n), 2**128 // n
        # |P - 1/n| <= 2^-120 / n, in whole numbers: |count * n - 2^128| <= 2^8.
        assert max(often * n - 2**128, 2**128 - seldom * n) <= 2**8


cards = st.lists(st.sampled_from(["a", "b", "c", "d", "e"]), max_size=12).map(tuple)


@given(items=cards, key=st.text(max_size=5), data=st.data())
def test_a_deal_is_a_bijection(items: tuple[str, ...], key: str, data: st.DataObject) -> None:
    first = deal(key, "deck/1", Shuffled(items))
    assert sorted(first) == sorted(items)
    places = data.draw(st.sets(st.integers(0, len(items) - 1)) if items else st.just(set[int]()))
    again = deal(key + "'", "deck/1", Shuffled(items, {place: first[place] for place in places}, tuple(places)))
    assert sorted(again) == sorted(items)
    assert all(again[place] == first[place] for place in places)


@given(order=st.permutations(range(7)), salts=st.lists(st.integers(0, 7), max_size=3))
def test_a_card_stays_that_card_whatever_is_seen_before_it(order: list[int], salts: list[int]) -> None:
    """Between two salts the order of seeing changes nothing; a new salt leaves what was seen and loses no card."""
    items = ("a", "b", "c", "d", "e", "f", "g")
    fate, state = Fate("s"), State()
    DeckShuffled("x", 1, items).apply(state)
    for turn, place in enumerate(order):
        if turn in salts:
            fate.add(turn + 1, Salt(seed=f"new {turn}"))
            Resalted(at=turn + 1, commitment="", fixed=state.chance.fixed()).apply(state)
        lying = [fate.card(state.chance, Draw("x/1", unseen)) for unseen in state.chance.decks["x/1"].unseen()]
        assert sorted(lying) == sorted(state.chance.decks["x/1"].left())
        CardDrawn("x/1", place, fate.card(state.chance, Draw("x/1", place))).apply(state)
    assert sorted(map(str, state.chance.decks["x/1"].seen.values())) == sorted(items)


# What the state of chance does


def test_a_wrong_list_of_fixed_places_puts_no_card_in_two_places() -> None:
    fate, state = Fate({0: Salt(seed="a"), 5: Salt(seed="b")}), State()
    DeckShuffled("x", 1, ("a", "b", "c", "d")).apply(state)
    for place in (0, 1):
        CardDrawn("x/1", place, fate.card(state.chance, Draw("x/1", place))).apply(state)
    Resalted(at=5, commitment="", fixed={"x/1": (3,), "gone/1": (0,)}).apply(state)
    deck = state.chance.decks["x/1"]
    assert deck.fixed == (0, 1)
    assert sorted(fate.card(state.chance, Draw("x/1", place)) for place in (2, 3)) == sorted(deck.left())


def test_counters_go_on_over_a_new_salt_and_the_old_key_comes_back_with_the_old_state() -> None:
    fate, state = Fate({0: Salt(seed="a"), 9: Salt(seed="b")}), State()
    DiceRolled("die/a", 6, fate.roll(state.chance, Roll("die/a", count=2)), 2).apply(state)
    before = msgspec.json.decode(msgspec.json.encode(state), type=State)
    old = fate.roll(state.chance, Roll("die/a", 256))
    Resalted(at=9, commitment="").apply(state)
    assert state.chance.counters == {"die/a": 2}
    assert fate.roll(state.chance, Roll("die/a", 256)) == (number(Salt(seed="b").key, "die/a", 2) % 256 + 1,)
    assert fate.roll(before.chance, Roll("die/a", 256)) == old
    with pytest.raises(KeyError):
        fate.key(10)


def test_a_shuffle_is_forgotten_only_when_everybody_has_seen_all_of_it() -> None:
    state = State()
    fold([DeckShuffled("x", 1, ("a", "b")), DeckShuffled("x/y", 1, ("p",)), CardDrawn("x/y/1", 0, "p")], state)
    fold([CardDrawn("x/1", 0, "a"), CardDrawn("x/1", 1, "b", seen_by=("one",))], state)
    DeckShuffled("x", 2, ("a",)).apply(state)
    assert set(state.chance.decks) == {"x/1", "x/2", "x/y/1"}, "a card seen by one seat, and another deck's, stay"
    CardRevealed("x/1", 1, "b").apply(state)
    DeckShuffled("x", 3, ("b",)).apply(state)
    assert set(state.chance.decks) == {"x/2", "x/3", "x/y/1"}
    assert state.chance.ordinals == {"x": 3, "x/y": 1}


@pytest.mark.parametrize("items", [("b", "a"), ("a", "a"), tuple(f"{n:03}" for n in range(257))])
def test_a_bag_of_doubles_or_out_of_order_cannot_be_filled(items: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="each named once"):
        BagFilled("bag", items)
    good = msgspec.json.encode(BagFilled("bag", ("a", "b")))
    bad = good.replace(b'["a","b"]', msgspec.json.encode(items))
    with pytest.raises(msgspec.ValidationError, match="each named once"):
        msgspec.json.decode(bad, type=BagFilled)


def test_a_counter_cannot_start_outside_a_strange_bag() -> None:
    with pytest.raises(ValueError, match="does not belong"):
        BagFilled("bag", ("a",), ("b",))
    with pytest.raises(ValueError, match="at most 256"):
        DeckShuffled("deck", 1, ("a",) * 257)


# Entered outcomes


def test_an_action_is_taken_again_with_one_outcome_more() -> None:
    """As a prompt does it: the same action, the outcomes so far, and the one that was asked for."""
    match = Match(nested.RULESET, Table(), nested.DuelOptions(mana=3))
    match.act("cast 3")
    before = msgspec.json.encode(match.state)
    for outcomes in ([], ["3"], ["3", "3"]):
        match.referee.chance = Table(outcomes)
        with pytest.raises(NeedsOutcome, match="One of: 1, 2, 3, 4, 5, 6") as need:
            match.act("no")
        assert need.value.request == Roll("die/red", count=3, purpose="spell", rule="DUEL-2")
        assert need.value.possible == ("1", "2", "3", "4", "5", "6")
        assert msgspec.json.encode(match.state) == before
    match.referee.chance = table = Table(["3", "3", "3"])
    match.act("no")
    assert not table.left
    assert match.state.life == [6, 6]
    assert match.decision is not None
    assert match.decision.seat == "blue"


def test_entries_that_nobody_asked_for_are_left() -> None:
    match = Match(pig.RULESET, Table(["4", "5", "6"]))
    match.act("roll")
    assert isinstance(match.referee.chance, Table)
    assert match.referee.chance.left == ["5", "6"]


@pytest.mark.parametrize("entry", ["0", "7", "", "two", "1.0", "-1", "1 ", "١"])
def test_what_no_die_shows_is_refused(entry: str) -> None:
    match = Match(pig.RULESET, Table([entry]))
    before = msgspec.json.encode(match.state)
    with pytest.raises(ImpossibleOutcome, match="cannot come out"):
        match.act("roll")
    assert msgspec.json.encode(match.state) == before


def test_cards_and_counters_are_entered_by_name_and_only_once() -> None:
    state = State()
    fold([DeckShuffled("deck", 1, ("Ace", "King", "King")), BagFilled("bag", ("a", "b"), ("b",))], state)
    assert Table(["king"]).card(state.chance, Draw("deck/1", 0)) == "King"
    CardDrawn("deck/1", 0, "King").apply(state)
    assert Table(["king"]).card(state.chance, Draw("deck/1", 1)) == "King"
    CardDrawn("deck/1", 1, "King").apply(state)
    with pytest.raises(ImpossibleOutcome):
        Table(["king"]).card(state.chance, Draw("deck/1", 2))
    with pytest.raises(ImpossibleOutcome):
        Table(["b"]).counter(state.chance, Pick("bag", "t"))
    assert Table(["A"]).counter(state.chance, Pick("bag", "t")) == "a"


def test_the_question_for_an_outcome_does_not_tell_what_others_peeked_at() -> None:
    state = State()
    fold([DeckShuffled("deck", 1, ("a", "b", "c")), BagFilled("bag", ("x", "y", "z"))], state)
    CardDrawn("deck/1", 0, "a", seen_by=("one",)).apply(state)
    CounterDrawn("bag", "t1", "x", seen_by=("one",)).apply(state)
    for seen_by, cards, counters in (
        (None, ("a", "b", "c"), ("x", "y", "z")),
        (("two",), ("a", "b", "c"), ("x", "y", "z")),
        (("one", "two"), ("a", "b", "c"), ("x", "y", "z")),
        (("one",), ("b", "c"), ("y", "z")),
    ):
        with pytest.raises(NeedsOutcome) as need:
            Table().card(state.chance, Draw("deck/1", 1, seen_by=seen_by))
        assert need.value.possible == cards
        with pytest.raises(NeedsOutcome) as need:
            Table().counter(state.chance, Pick("bag", "t2", seen_by=seen_by))
        assert need.value.possible == counters
    with pytest.raises(ImpossibleOutcome) as refused:
        Table(["a"]).card(state.chance, Draw("deck/1", 1))
    assert "peek" not in str(refused.value)


# Recorded outcomes


def test_a_record_gives_its_own_outcomes_and_notices_every_other_request() -> None:
    state = State()
    fold([DeckShuffled("deck", 1, ("a", "b")), BagFilled("bag", ("x", "y"))], state)
    log = [
        pig.PointsGathered(3),
        DiceRolled("die/a", 6, (2, 5), 2),
        CardDrawn("deck/1", 1, "b"),
        CardRevealed("deck/1", 1, "b"),
        CounterDrawn("bag", "t", "y"),
    ]
    record = Recorded(log)
    assert len(record.left) == 3
    assert record.roll(state.chance, Roll("die/a", count=2)) == (2, 5)
    assert record.card(state.chance, Draw("deck/1", 1)) == "b"
    assert record.counter(state.chance, Pick("bag", "t")) == "y"
    with pytest.raises(ImpossibleOutcome, match="no more chance"):
        record.roll(state.chance, Roll("die/a"))
    for request in (Roll("die/b", count=2), Roll("die/a", 8, 2), Roll("die/a")):
        with pytest.raises(ImpossibleOutcome, match="the rules ask for DiceRolled"):
            Recorded(log).roll(state.chance, request)
    with pytest.raises(ImpossibleOutcome, match="but the log has DiceRolled"):
        Recorded(log).card(state.chance, Draw("deck/1", 1))
    with pytest.raises(ImpossibleOutcome, match="the log has CardDrawn"):
        Recorded(log[2:]).card(state.chance, Draw("deck/1", 0))


@pytest.mark.parametrize(
    "values", [(0,), (7,), (), (1, 2), ("x",), [3], None, "3", (2.5,)], ids=lambda values: str(values)
)
def test_recorded_dice_that_cannot_fall_are_refused(values: Any) -> None:
    with pytest.raises(ImpossibleOutcome, match="cannot show"):
        Recorded([DiceRolled("die/a", 6, values)]).roll(ChanceState(), Roll("die/a"))


def test_recorded_cards_that_were_not_there_are_refused() -> None:
    state = State()
    fold(
        [DeckShuffled("deck", 1, ("a", "b")), CardDrawn("deck/1", 0, "a"), BagFilled("bag", ("x", "y"), ("x",))], state
    )
    for item in ("a", "z", None):
        with pytest.raises(ImpossibleOutcome, match="was not in the deck"):
            Recorded([CardDrawn("deck/1", 1, item)]).card(state.chance, Draw("deck/1", 1))  # type: ignore[arg-type]
    with pytest.raises(ImpossibleOutcome, match="was not in the bag"):
        Recorded([CounterDrawn("bag", "t", "x")]).counter(state.chance, Pick("bag", "t"))


def test_a_changed_die_is_found_by_the_audit() -> None:
    match = laws.whole(pig.RULESET, "audit")
    at = next(index for index, event in enumerate(match.events) if isinstance(event, DiceRolled))
    for values in ((7,), (1,), (6,)):
        changed = list(match.events)
        if changed[at].values == values:  # type: ignore[attr-defined]
            continue
        changed[at] = msgspec.structs.replace(changed[at], values=values)
        with pytest.raises((AssertionError, ImpossibleOutcome)):
            laws.audited(pig.RULESET, changed)


# Imagined worlds


@given(st.integers(0, 10**6))
def test_an_imagined_world_agrees_with_the_view(seed: int) -> None:
    luck, state = Luck(str(seed)), State()
    items = ("a", "a", "b", "c", "d", "e")
    lying = luck.shuffled(items)
    DeckShuffled("deck", 1, items).apply(state)
    for place in luck.shuffled(range(6))[: luck.below(7)]:
        CardDrawn("deck/1", place, lying[place], seen_by=luck.choice([None, ("one",), ("two",), ()])).apply(state)
    seen = view(state, "one")
    world = State(chance=imagine(seen.chance, luck))
    assert view(world, "one") == seen
    deck = world.chance.decks["deck/1"]
    assert len(deck.left()) == len(deck.unseen())
    assert b"sealed" not in msgspec.json.encode(world)


def test_an_imagined_world_obeys_what_may_be() -> None:
    """Three hidden counters and a rule that leaves one way: the matching is found, whatever the order of trying."""
    bag = Bag(("a", "b", "c", "d"), {f"t{n}": Secret(item, ("other",)) for n, item in enumerate("abc")})
    seen = view(State(chance=ChanceState(bags={"bag": bag})), "me")
    allowed = {"t0": "ab", "t1": "a", "t2": "bc"}
    for number_ in range(50):
        world = imagine(seen.chance, Luck(str(number_)), lambda at, item: item in allowed[at])
        assert [kept.value for kept in world.bags["bag"].out.values()] == ["b", "a", "c"]  # type: ignore[union-attr]
    with pytest.raises(ValueError, match="no item that is left"):
        imagine(seen.chance, Luck("x"), lambda at, item: item == "a")


def test_luck_repeats_and_is_no_fate() -> None:
    one, other = Luck("key", "label"), Luck("key", "label")
    assert [one.below(6) for _ in range(50)] == [other.below(6) for _ in range(50)]
    faces = Counter(Luck("key", label).below(6) for label in range(6000))
    assert len(faces) == 6
    assert all(abs(count - 1000) < 160 for count in faces.values())
    assert sorted(Luck("k").shuffled("abcdef")) == list("abcdef")
    dice = [number("key", "die/a", c) % 6 for c in range(100)]
    assert dice != [Luck("key", "die/a").below(6) for _ in range(100)]


def test_what_a_secret_draw_may_be_is_not_named_to_whoever_reads_the_question() -> None:
    """What is possible tells what is not: only those who see the outcome may be told, by `possible`."""
    chance = ChanceState(bags={"crew": Bag(("axe", "mage", "thug"), {"c1": Secret("axe", ("raider",))})})
    with pytest.raises(
        NeedsOutcome, match=r"^What came out of the bag 'crew'\? It is for raider alone to see\.$"
    ) as need:
        Table().counter(chance, Pick("crew", "c2", seen_by=("raider",)))
    assert need.value.possible == ("mage", "thug")
    with pytest.raises(NeedsOutcome, match="One of: axe, mage, thug"):
        Table().counter(chance, Pick("crew", "c2"))
