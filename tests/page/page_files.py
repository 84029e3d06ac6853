"""Pages taken apart and put together again, and the games that are shown in them."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

from warptape.replays.game import Game
from warptape.replays.library import Library

TESTS = Path(__file__).parent.parent
SCRIPTS = TESTS.parent / "projections" / "page"
PACKED = re.compile(r'(<script id="tape" type="application/octet-stream">)([^<]*)(</script>)')


def unpacked(html: str) -> dict[str, Any]:
    """The game that a page holds."""
    found = PACKED.search(html)
    assert found is not None
    data: dict[str, Any] = json.loads(gzip.decompress(base64.b64decode(found[2])))
    return data


def repacked(html: str, data: dict[str, Any]) -> str:
    """The page with another game in it."""
    packed = base64.b64encode(gzip.compress(json.dumps(data).encode())).decode()
    return PACKED.sub(lambda found: found[1] + packed + found[3], html)


def rechained(events: list[str]) -> tuple[list[str], str]:
    """The events of a log with digests that fit them, and that of the last batch: what a forger would write."""
    heads = {
        "GameOpened", "ActionTaken", "Rewound", "GameForked", "NoteAdded", "NoteRemoved", "UndoAsked", "UndoAnswered",
        "Resalted", "Redrawn", "KeyRevealed", "VersionChanged",
    }  # fmt: skip
    found: list[str] = []
    digest = hashlib.sha256()
    for number, text in enumerate(events):
        fact = json.loads(text)
        if fact["type"] in heads:
            if number:
                fact["prev"] = digest.hexdigest()
                text = json.dumps(fact, separators=(",", ":"), ensure_ascii=False)
            digest = hashlib.sha256()
        digest.update(text.encode() + b"\n")
        found.append(text)
    return found, digest.hexdigest()


def changed(before: list[int], change: Any) -> list[int]:
    """A list put together from the one before and what differs."""
    if change == 0:
        return before
    after: list[int] = []
    for first, second in zip(change[::2], change[1::2], strict=True):
        after += [second] if first < 0 else before[first : first + second]
    return after


def finished(library: Library[Game], name: str, seed: str, **options: Any) -> Game:
    """A game that bots have played to its end, with a note and a line that was left."""
    game = library.new(name, seed=seed, name=f"{name} of {seed}", undo="free", **options)
    bots = dict.fromkeys(game.seats, "sensible" if "sensible" in game.ruleset.bots else "random")
    game.run(bots, limit=25)
    game.note("A bold move, and <b>well</b> thought out", person="Anna", tags=["key"])
    game.run(bots, limit=3)
    for _ in range(3):
        game.undo(reason="too bold")
    actions = game.decision.actions if game.decision else ()
    game.act(actions[len(actions) // 2], bots=False)
    game.run(bots)
    assert game.outcome is not None
    return game


def curve_of(game: Game) -> dict[str, Any]:
    """The data of an analysis, made up: its form is that of `analyse --json`."""
    decided = game.on_line({"ActionTaken"})
    points = []
    for number, at in enumerate([4, *decided[:: max(1, len(decided) // 20)]]):
        share = (number * 37 % 100) / 100
        one = {"share": share, "low": share * 0.8, "high": min(1.0, share * 1.2)}
        other = {"share": 1 - share, "low": (1 - share) * 0.8, "high": min(1.0, (1 - share) * 1.2)}
        points.append(
            {
                "decision": number,
                "position": at,
                "over": False,
                "shares": dict(zip(game.seats, (one, other), strict=True)),
            }
        )
    luck = [
        {
            "positions": [decided[3]],
            "text": "Rolled 6.",
            "changes": {next(iter(game.seats)): {"mean": 0.31, "error": 0.1}},
        }
    ]
    return {"seats": {seat: seat for seat in game.seats}, "playouts": 40, "points": points, "luck": luck, "choices": []}


def node() -> str | None:
    """The path of Node.js, None where it is missing."""
    return shutil.which("node")


def run(script: str, program: str, given: object) -> Any:
    """What a program prints as JSON, given data, with the functions of one of the page's scripts at hand."""
    read = "const given = JSON.parse(require('fs').readFileSync(0, 'utf8'));\n"
    text = (SCRIPTS / script).read_text(encoding="utf-8") + read + f"(async () => {{ {program} }})();"
    done = subprocess.run(
        [str(node()), "-e", text], input=json.dumps(given), capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def modules() -> Path | None:
    """The folder of npm's packages that `package.json` names, None where they are not installed."""
    named = os.environ.get("WARPTAPE_NODE_MODULES")
    for folder in [
        *([Path(named)] if named else []),
        Path(__file__).parent / "node_modules",
        TESTS.parent / "node_modules",
    ]:
        if (folder / "typescript").is_dir() or (folder / "axe-core").is_dir():
            return folder
    return None
