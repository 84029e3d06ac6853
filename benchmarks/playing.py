"""The budgets of play in memory: Pig beside boardgame.io and OpenSpiel, and random play of every installed game."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from measure import TESTED, Row, in_turns, plans, skipped

from warptape.domain.chance import Fate
from warptape.domain.referee import Match
from warptape.domain.rules import installed, ruleset

HERE = Path(__file__).resolve().parent
ROUNDS = 5


def play(rules: Any, wanted: int, seed: int, options: Any = None) -> float:
    """Play whole games at random, choosing from the legal actions of every decision; seconds a decision."""
    luck, decisions, game = random.Random(seed), 0, 0
    start = time.process_time()
    while decisions < wanted:
        game += 1
        match = Match(rules, Fate(f"{seed} {game}"), options)
        referee, take, add = match.referee, match.referee.take, match.events.extend
        while (decision := referee.decision) is not None:
            actions = decision.actions
            add(take(decision.seat, actions[int(luck.random() * len(actions))]))
            decisions += 1
            if decisions >= wanted + 50_000:
                break
    return (time.process_time() - start) / decisions


def other(command: list[str], wanted: int) -> float:
    """Seconds a decision of another program, as it measured itself."""
    said = json.loads(subprocess.run([*command, str(wanted)], capture_output=True, check=True, text=True).stdout)
    return float(said["seconds"]) / float(said["decisions"])


def others(spiel: str) -> tuple[dict[str, list[str]], dict[str, str]]:
    """The commands of the other engines that are here, and why one is not."""
    here: dict[str, list[str]] = {}
    missing: dict[str, str] = {}
    node = shutil.which("node")
    if node is None:
        missing["boardgame.io"] = "there is no node"
    elif not (HERE / "boardgame" / "node_modules" / "boardgame.io").is_dir():
        missing["boardgame.io"] = "not installed (npm install in benchmarks/boardgame)"
    else:
        here["boardgame.io"] = [node, str(HERE / "boardgame" / "pig.js")]
    if subprocess.run([spiel, "-c", "import pyspiel"], capture_output=True, check=False).returncode:
        missing["OpenSpiel"] = "not installed (pip install open_spiel, or name a Python that has it: --spiel PYTHON)"
    else:
        here["OpenSpiel"] = [spiel, str(HERE / "spiel.py")]
    return here, missing


def pig(quick: bool, spiel: str) -> list[Row]:
    """Pig: decisions a second, and beside the other engines."""
    rules, wanted = ruleset("pig"), 5_000 if quick else 40_000
    here, missing = others(spiel)
    play(rules, 2_000, 0)
    seeds = iter(range(1, 1000))
    timed: dict[str, Any] = {"warptape": lambda: play(rules, wanted, next(seeds))}
    for name, command in here.items():
        timed[name] = lambda command=command: other(command, wanted // 4)
    figures = in_turns(ROUNDS, **timed)
    speed = 1 / figures["warptape"]
    found = [
        Row(
            "Pig, random play in memory",
            "at least 100,000 decisions/s",
            f"{speed:,.0f} decisions/s",
            speed >= 100_000,
            {"decisions_per_second": speed},
        )
    ]
    budgets: dict[str, tuple[str, float | None]] = {
        "boardgame.io": ("at least 5 times its client", 5.0),
        "OpenSpiel": ("", None),
    }
    for name, (budget, least) in budgets.items():
        work = f"Pig, against {name}"
        if name in missing:
            found.append(skipped(work, budget, missing[name]))
            continue
        times = figures[name] / figures["warptape"]
        found.append(
            Row(
                work,
                budget,
                f"{times:.2f} times as fast ({1 / figures[name]:,.0f} decisions/s)",
                None if least is None else times >= least,
                {"ratio": times, "decisions_per_second": 1 / figures[name]},
            )
        )
    return found


def games(quick: bool) -> list[Row]:
    """Random play of every installed game but the small ones of the tests, of each of its levels by itself."""
    found = []
    wanted = 500 if quick else 4_000
    for name in installed():
        if name in TESTED:
            continue
        rules = ruleset(name)
        timed: dict[str, Any] = {}
        for plan, given in plans(rules).items():
            options = rules.parse_options(given)
            if rules.levels(options) > 1:
                continue  # at random nobody comes to the second level
            play(rules, wanted, 0, options)  # a process builds each ground once: what is measured comes after
            seeds = iter(range(1, 1000))
            timed[plan] = lambda rules=rules, options=options, seeds=seeds: play(rules, wanted, next(seeds), options)
        for plan, seconds in in_turns(ROUNDS, **timed).items():
            speed = 1 / seconds
            found.append(
                Row(
                    f"random play, {name}{plan}",
                    "at least 20,000 decisions/s",
                    f"{speed:,.0f} decisions/s",
                    speed >= 20_000,
                    {"decisions_per_second": speed},
                )
            )
    return found


def profile(name: str, wanted: int = 4_000) -> None:
    """Print where the time of random play goes."""
    import cProfile
    import pstats

    rules = ruleset(name)
    play(rules, 200, 0)
    profiler = cProfile.Profile()
    profiler.runcall(play, rules, wanted, 1)
    pstats.Stats(profiler, stream=sys.stdout).sort_stats("tottime").print_stats(25)
