"""The script of the replay page outside a browser: its types, and its check of chain and chance against forged logs."""

from __future__ import annotations

import json
import random
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from page_files import SCRIPTS, TESTS, finished, modules, node, rechained, run, unpacked

from warptape.projections.page import page
from warptape.projections.page.build import LIVE, OPEN
from warptape.projections.page.build import SCRIPTS as SHARED
from warptape.replays.game import Game
from warptape.replays.library import Library

Fact = dict[str, Any]

NAMES = (*SHARED, OPEN)

needs_node = pytest.mark.skipif(node() is None, reason="the script is run with Node.js, which is not here")


def checked(log: dict[str, Any]) -> dict[str, Any]:
    """What the check finds in a log."""
    found: dict[str, Any] = run("check.js", "console.log(JSON.stringify(await checkLog(given)));", log)
    return found


def log_of(game: Game) -> dict[str, Any]:
    """The log in the owner's page of a game."""
    log: dict[str, Any] = unpacked(page(game))["log"]
    return log


@pytest.mark.parametrize("names", [NAMES, (*SHARED, *LIVE)], ids=["file", "live"])
def test_the_script_is_typed(tmp_path: Path, names: tuple[str, ...]) -> None:
    folder = modules()
    tsc = None if folder is None else folder / "typescript" / "bin" / "tsc"
    if node() is None or tsc is None or not tsc.is_file():
        pytest.skip("the script's types are checked with TypeScript: npm install --prefix tests/page")
    options = {
        "allowJs": True, "checkJs": True, "noEmit": True, "strict": True, "target": "ES2020", "types": [],
        "skipLibCheck": True,
        "lib": ["ES2020", "DOM", "DOM.Iterable"],
    }  # fmt: skip
    project = tmp_path / "tsconfig.json"
    files = [str(SCRIPTS / name) for name in names]
    project.write_text(json.dumps({"compilerOptions": options, "files": files}))
    done = subprocess.run([str(node()), str(tsc), "-p", str(project)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_the_script_is_small() -> None:
    for name in NAMES:
        text = (SCRIPTS / name).read_text(encoding="utf-8")
        assert len(text.splitlines()) < 600
        assert not re.search(r"\b(?:eval|fetch|XMLHttpRequest|WebSocket|import)\b\(", text)
    for name in LIVE:
        text = (SCRIPTS / name).read_text(encoding="utf-8")
        assert len(text.splitlines()) < 500
        assert not re.search(r"\b(?:eval|XMLHttpRequest|WebSocket|import)\b\(|innerHTML", text)


@needs_node
def test_the_vectors_of_the_documentation_come_out() -> None:
    text = (TESTS.parent / "docs" / "chance.md").read_text(encoding="utf-8")
    vectors = json.loads(re.findall(r"(?ms)^```json\n(.*?)^```", text)[0])
    found = run(
        "check.js",
        """
        const keys = [], out = { secrets: [], numbers: [], deals: [], bags: [], seals: [] };
        for (const { nonce, seed } of given.secrets) {
          keys.push(await keyOf(nonce, seed));
          out.secrets.push([keys[keys.length - 1], await commitmentOf(nonce, seed)]);
        }
        for (const one of given.numbers) out.numbers.push(await choose(keys[one.secret], one.stream, one.counter, one.sides) + 1);
        for (const one of given.deals) out.deals.push(await deal(keys[one.secret], one.shuffle, one.items, one.fixed));
        for (const one of given.bags) {
          out.bags.push(one.inside[await choose(keys[one.secret], "bag/" + one.bag, one.counter, one.inside.length)]);
        }
        for (const one of given.seals) out.seals.push(await sealOf(keys[one.secret], one.position, one.field, one.value));
        console.log(JSON.stringify(out));
        """,
        vectors,
    )
    assert found == {
        "secrets": [[one["key"], one["commitment"]] for one in vectors["secrets"]],
        "numbers": [one["face"] for one in vectors["numbers"]],
        "deals": [one["lying"] for one in vectors["deals"]],
        "bags": [one["item"] for one in vectors["bags"]],
        "seals": [one["sealed"] for one in vectors["seals"]],
    }


# Games as they were played


@needs_node
@pytest.mark.parametrize(
    ("name", "seed"),
    [("pig", "a"), ("nested", "a"), ("hidden", "a"), ("space-marine-adventures", "s10"), ("tyranid-attack", "s9")],
)
def test_a_game_as_it_was_played_passes(library: Library[Game], name: str, seed: str) -> None:
    game = finished(library, name, seed)
    log = {"events": [row.data.partition(b"\n")[0].decode() for row in game.rows()], "head": game.shelf.head}
    found = checked(log)
    assert found["chain"] == []
    assert found["chance"] == []
    assert found["open"] == 0
    assert found["secrets"] == 1
    kinds = [json.loads(text) for text in log["events"]]
    assert found["dice"] == sum(fact.get("count", 1) for fact in kinds if fact["type"] == "DiceRolled")
    assert found["cards"] == sum(fact["type"] == "CardDrawn" for fact in kinds)
    assert found["counters"] == sum(fact["type"] == "CounterDrawn" for fact in kinds)
    outcomes = {"CardDrawn", "CardRevealed", "CounterDrawn", "CounterRevealed", "DiceRolled"}
    sealed = sum(
        '"sealed"' in text for text, fact in zip(log["events"], kinds, strict=True) if fact["type"] in outcomes
    )
    assert found["sealed"] == sealed


@needs_node
def test_a_game_with_new_secrets_on_the_way_passes(library: Library[Game]) -> None:
    """After a new salt what was seen stays, and what nobody has seen lies anew."""
    game = library.new("hidden", seed="salted", undo="free")
    bots = dict.fromkeys(game.seats, "random")
    for _ in range(4):
        game.run(bots, limit=9)
        game.undo(reroll=True)
        game.run(bots, limit=4)
        game.undo()
    game.run(bots)
    found = checked(log_of(game))
    assert game.outcome is not None
    assert (found["chain"], found["chance"]) == ([], [])
    assert found["secrets"] >= 1
    assert found["dice"] + found["cards"] + found["counters"] > found["open"]


@needs_node
def test_a_game_in_play_has_a_chain_and_no_secret(library: Library[Game]) -> None:
    game = library.new("hidden", seed="open", undo="free")
    game.run(dict.fromkeys(game.seats, "random"), limit=20)
    found = checked(log_of(game))
    assert (found["chain"], found["chance"], found["secrets"]) == ([], [], 0)
    assert found["open"] == found["dice"] + found["cards"] + found["counters"] or found["dice"] > 0


@needs_node
def test_what_people_entered_is_counted_and_not_checked(library: Library[Game]) -> None:
    game = library.new("pig", chance="table", options={"goal": 10})
    game.act("roll", outcomes=["4"])
    game.act("roll", outcomes=["6"])
    found = checked(log_of(game))
    assert (found["chain"], found["chance"]) == ([], [])
    assert found["byHand"] == 2


# Logs that were tampered with


def _dice(fact: Fact) -> bool:
    if fact["type"] == "DiceRolled" and isinstance(fact["values"], list):
        fact["values"][0] = fact["values"][0] % fact["sides"] + 1
        return True
    return False


def _seal(fact: Fact) -> bool:
    for name in ("values", "item"):
        if fact["type"] in ("DiceRolled", "CardDrawn", "CounterDrawn") and isinstance(fact[name], dict):
            fact[name]["sealed"] = "0" * 64
            return True
    return False


def _card(fact: Fact) -> bool:
    if fact["type"] in ("CardDrawn", "CardRevealed") and fact["item"] in ("gold", "calm"):
        fact["item"] = "calm" if fact["item"] == "gold" else "gold"
        return True
    return False


def _counter(fact: Fact) -> bool:
    if fact["type"] == "CounterRevealed" and isinstance(fact["item"], str):
        fact["item"] = "axe1" if fact["item"] != "axe1" else "axe2"
        return True
    return False


def _commitment(fact: Fact) -> bool:
    if fact["type"] == "GameOpened":
        fact["commitment"] = "f" * 64
        return True
    return False


def _secret(fact: Fact) -> bool:
    if fact["type"] == "KeyRevealed":
        fact["seed"] += "!"
        return True
    return False


@pytest.fixture(scope="session")
def raid(library: Library[Game]) -> Game:
    """A game of all kinds of secrets and chance, over."""
    return finished(library, "hidden", "forged")


@needs_node
@pytest.mark.parametrize("forge", [_dice, _seal, _card, _counter, _commitment, _secret], ids=lambda f: f.__name__[1:])
def test_a_forged_outcome_breaks_the_chain_and_with_a_new_chain_is_found_by_the_secret(
    raid: Game, forge: Callable[[Fact], bool]
) -> None:
    log = log_of(raid)
    facts = [json.loads(text) for text in log["events"]]
    at = next(number for number, fact in enumerate(facts) if forge(fact))
    events = [
        json.dumps(facts[at], separators=(",", ":"), ensure_ascii=False) if number == at else text
        for number, text in enumerate(log["events"])
    ]
    found = checked({**log, "events": events})
    assert [one["at"] for one in found["chain"]] == [raid.batch_start(at)]
    assert found["chance"]
    events, head = rechained(events)
    found = checked({"events": events, "head": head})
    assert found["chain"] == []
    wrong = [one["at"] for one in found["chance"]]
    if forge in (_commitment, _secret):
        assert next(number for number, fact in enumerate(facts) if fact["type"] == "KeyRevealed") in wrong
    else:
        assert at in wrong


@needs_node
def test_events_dropped_swapped_put_in_or_spoilt_are_found(library: Library[Game]) -> None:
    game = finished(library, "pig", "dropped", options={"goal": 20})
    log = log_of(game)
    events = log["events"]
    for spoilt in (
        [*events[:7], *events[8:]],
        [*events[:7], events[8], events[7], *events[9:]],
        [*events[:7], events[6], *events[7:]],
        events[:-1],
        [*events, events[-1]],
        [*events[:7], "{", *events[8:]],
        [*events[:7], "null", *events[8:]],
        [*events[:7], '{"type":"CardDrawn","deck":"none/1","place":0,"item":"x"}', *events[8:]],
        events[1:],
        [],
    ):
        assert checked({**log, "events": spoilt})["chain"], spoilt[5:9]


@needs_node
def test_any_changed_byte_is_found(library: Library[Game]) -> None:
    """Of every event a byte is changed, one after the other, each time in an else whole log."""
    log = log_of(finished(library, "pig", "bytes", options={"goal": 12}))
    luck = random.Random(12)
    changes = []
    for number, text in enumerate(log["events"]):
        at = luck.randrange(len(text))
        changes.append([number, text[:at] + chr(ord(text[at]) ^ 1) + text[at + 1 :]])
    found = run(
        "check.js",
        """
        const missed = [];
        for (const [at, text] of given.changes) {
          const events = given.log.events.map((one, number) => (number === at ? text : one));
          const { chain } = await checkLog({ ...given.log, events });
          if (!chain.length) missed.push(at);
        }
        console.log(JSON.stringify(missed));
        """,
        {"log": log, "changes": changes},
    )
    assert len(changes) > 20
    assert found == []
