"""Battles at random, held against an independent reading of the rules: totals, order, losses, ends."""

from __future__ import annotations

import random
import tomllib
from fractions import Fraction
from typing import Any

import pytest
from doom import BOOK, Play, lid, of, play

from warptape.domain.chance import Fate
from warptape.domain.doom_of_the_eldar import RULESET
from warptape.domain.doom_of_the_eldar.events_battle import (
    BattleBegan,
    BattleEnded,
    DieCast,
    FireRead,
    MineDetonated,
    OddsResult,
    ProtoidGrew,
    RerollDeclined,
    RoundBegan,
    TotalsSet,
    TyranidDestroyed,
    UnitDestroyed,
    UnitRetreated,
)
from warptape.domain.doom_of_the_eldar.state import Options
from warptape.domain.events import Event

BATTLE = (
    BattleBegan, RoundBegan, TotalsSet, DieCast, RerollDeclined, FireRead, OddsResult, UnitDestroyed, TyranidDestroyed,
    MineDetonated, UnitRetreated, BattleEnded, ProtoidGrew,
)  # fmt: skip


def figures() -> tuple[dict[str, tuple[int, int, int]], dict[str, tuple[int, int]]]:
    """The printed figures, straight from the files: attack, defence and combat by unit, attack and defence by counter."""
    read = {name: tomllib.loads(text) for name, text in RULESET.packaged().files.items()}
    units: dict[str, tuple[int, int, int]] = {}
    counters: dict[str, tuple[int, int]] = {}

    def ids(record: dict[str, Any]) -> list[str]:
        code, count = record["code"], record.get("count", 1)
        return [code] if count == 1 else [f"{code}{number + 1}" for number in range(count)]

    records = [*read["counters.toml"]["ground"], *read["counters.toml"]["ship"]]
    records += [one for one in read["specials.toml"]["special"] if one["side"] == "eldar"]
    for record in records:
        for id in ids(record):
            units[id] = (record.get("attack", 0), record.get("defence", 0), record.get("combat", 0))
    for record in read["tyranids.toml"]["tyranid"]:
        if record["in_lid"]:
            counters.update(dict.fromkeys(ids(record), (record["attack"], record["defence"])))
    return units, counters


UNITS, COUNTERS = figures()
GROUND = [id for id in UNITS if UNITS[id][0] and id != "WRG"]
SHIPS = [id for id in UNITS if UNITS[id][2]]


def doublings(id: str, here: list[str], space: bool = False) -> int:
    """How often a unit is doubled: Aspect Warriors by the Avatar, Raiders by Yriel."""
    avatar = id.startswith("ASP") and "AVA" in here and not space
    yriel = id.startswith(("RAI", "RGH", "RWS")) and "YRI" in here
    return int(avatar) + int(yriel)


def fold(figure: int, times: int, how: str) -> int:
    return figure * 2**times if how == "multiply" else figure * (1 + times)


def figure(counter: str, here: list[str], stage: int, stat: int) -> int:
    """What a Horde is worth."""
    if counter == "PR":
        return (6, 12, 24)[stage]
    if counter == "FS":
        return max(8, *(UNITS[id][stat] for id in here))
    return COUNTERS[counter][stat]


def column(attack: int, defence: int) -> str:
    if not defence:
        return "3-1"
    if not attack:
        return "1-3"
    ratios = {"1-3": Fraction(1, 3), "1-2": Fraction(1, 2), "1-1": Fraction(1), "2-1": Fraction(2), "3-1": Fraction(3)}
    return [name for name, ratio in ratios.items() if ratio <= Fraction(attack, defence) or name == "1-3"][-1]


def end_battle(game: Play, dice: random.Random) -> list[Event]:
    """Go on at random until the battle is over; return its events alone."""
    while game.seat and not of(game.log, BattleEnded):
        game.do(dice.choice(game.legal()))
    end = game.log.index(of(game.log, BattleEnded)[0])
    return [one for one in game.log[: end + 1] if isinstance(one, BATTLE)]


@pytest.mark.parametrize("seed", range(150))
def test_doe_cw_1_random_stacks_bring_what_the_counters_say(seed: int) -> None:
    """DOE-CW-1, -2, -8, -9, DOE-AVA-1, -2, DOE-YRIEL-5, DOE-FORT-1, DOE-FLESH-1, DOE-PROT-1, DOE-HM-3, DOE-WRG-1."""
    dice = random.Random(seed)
    attacker = dice.choice(["eldar", "tyranid"])
    how = dice.choice(["multiply", "add"])
    fort, stage = dice.random() < 0.5, dice.randrange(3)
    eldar = dice.sample(GROUND, dice.randint(1, 4))
    eldar += [id for id in ("AVA", "FAR", "WRG", "YRI") if dice.random() < 0.3]
    hordes = dice.sample([id for id in COUNTERS if id not in ("HM", "SM")], dice.randint(1, 4))
    hordes += [id for id in ("HM", "SM") if dice.random() < 0.3]
    game = play(
        f"{attacker}_combat",
        eldar={"tears": " ".join(eldar)},
        tyranid={"tears": " ".join(hordes)},
        devastated=() if fort else ("tears",),
        stages={"PR": stage} if stage else None,
        options=Options(avatar_and_fort=how),  # type: ignore[arg-type]
    )
    game.table.fate = Fate(f"craftworld {seed}")
    game.do("fight tears")
    if game.asked == "Mine":
        game.do("hold")
    fight = [id for id in hordes if id != "HM"]
    found = of(game.log, TotalsSet)[0]
    if attacker == "eldar":
        attack = sum(fold(UNITS[id][0], doublings(id, eldar), how) for id in eldar)
        defence = sum(figure(id, eldar, stage, 1) for id in fight)
    else:
        attack = sum(figure(id, eldar, stage, 0) for id in fight)
        defence = sum(fold(UNITS[id][1], doublings(id, eldar) + fort, how) for id in eldar)
    assert (found.total, found.defence, found.column) == (attack, defence, column(attack, defence))
    holder = ("eldar" if "HM" not in hordes else "") if "FAR" in eldar else "tyranid" if "HM" in hordes else ""
    assert of(game.log, RoundBegan)[-1].holder == holder
    events = end_battle(game, dice)
    result = of(events, OddsResult)[0]
    all_mine = len(fight) if attacker == "tyranid" else len(eldar)
    all_theirs = len(eldar) if attacker == "tyranid" else len(fight)
    mine = min(all_mine, {"AA": 99, "AD": 1, "BC": 1}.get(result.code, 0))
    theirs = min(all_theirs, {"DA": 99, "DD": 1, "BC": 1}.get(result.code, 0))
    lost = {
        "eldar": [one.unit for one in of(events, UnitDestroyed)],
        "tyranid": [one.token for one in of(events, TyranidDestroyed)],
    }
    other = "tyranid" if attacker == "eldar" else "eldar"
    assert (len(lost[attacker]), len(lost[other])) == (mine, theirs)
    assert {*lost["eldar"]} <= {*eldar}
    assert "HM" not in hordes or f"#{hordes.index('HM') + 1:02}" not in lost["tyranid"]
    # The Protoid grows if it lives and an Eldar counter died.
    lives = "PR" in game.state.face.values() and "PR" in hordes
    grows = lives and bool(lost["eldar"]) and stage < 2
    assert len(of(events, ProtoidGrew)) == int(grows)


class Space:
    """An independent reading of Deep Space combat, event by event."""

    def __init__(self, eldar: list[str], stack: list[str], face: bool, order: int) -> None:
        self.eldar = list(eldar)
        self.stack = [(f"#{number + 1:02}", counter) for number, counter in enumerate(stack)]
        self.face, self.order = face, order

    def swarms(self) -> list[tuple[str, str]]:
        return [one for one in self.stack if not (self.face and one[1] == "HM")]

    def holder(self) -> str:
        mind = self.face and any(counter == "HM" for _, counter in self.stack)
        farseer = "FAR" in self.eldar
        return "" if mind == farseer else "eldar" if farseer else "tyranid"

    def check(self, events: list[Event]) -> str:
        """Check a whole battle; return how it ended."""
        left = [one for one in events if not isinstance(one, RoundBegan)]
        rounds = [one.number for one in events if isinstance(one, RoundBegan)]
        assert list(dict.fromkeys(rounds)) == list(range(1, max(rounds) + 1))
        assert isinstance(left.pop(0), BattleBegan)
        played = 0
        while not isinstance(left[0], BattleEnded):
            played += 1
            mine = next((one for one in self.swarms() if one[1] == "SM"), None)
            if mine and 0 < self.order <= len(self.eldar):
                burst = left.pop(0)
                assert isinstance(burst, MineDetonated)
                assert burst.token == mine[0]
                self.stack.remove(mine)
                self.lose(left, 1)
                if not self.eldar or not self.swarms():
                    break
            self.fire(left, "eldar", sum(UNITS[id][2] * 2 ** doublings(id, self.eldar, True) for id in self.eldar))
            if not self.swarms():
                break
            self.fire(left, "tyranid", 10 * len(self.swarms()))
            if not self.eldar:
                break
            if isinstance(left[0], UnitRetreated):
                fled = [unit for one in left[:-1] if isinstance(one, UnitRetreated) for unit in one.units]
                assert fled == sorted(self.eldar, key=list(UNITS).index)
                assert isinstance(left[-1], BattleEnded)
                assert played == max(rounds)
                assert left[-1].outcome == "retreat"
                return "retreat"
        assert [type(one) for one in left] == [BattleEnded], "the battle ends when a side is gone, and not before"
        assert played == max(rounds)
        last = left[-1]
        assert isinstance(last, BattleEnded)
        assert last.outcome == ("eldar" if self.eldar else "tyranid" if self.swarms() else "none")
        return last.outcome

    def fire(self, left: list[Event], side: str, total: int) -> None:
        totals = left.pop(0)
        assert isinstance(totals, TotalsSet)
        assert (totals.side, totals.total) == (side, total)
        cast = left.pop(0)
        assert isinstance(cast, DieCast)
        value = cast.value
        assert (cast.side, cast.again) == (side, False)
        if self.holder():
            again = left.pop(0)
            if isinstance(again, DieCast):
                assert (again.side, again.again) == (side, True)
                value = again.value
            else:
                assert isinstance(again, RerollDeclined)
                assert again.side == self.holder()
        bands = [0, 5, 10, 15, 20, 30, 40, 50, 60]
        number = sum(total >= low for low in bands)
        hits = max(0, (number + value - 4) // 3)
        read = left.pop(0)
        assert isinstance(read, FireRead)
        assert (read.side, read.destroyed) == (side, hits)
        if side == "tyranid":
            self.lose(left, hits)
            return
        for _ in range(min(hits, len(self.swarms()))):
            lost = left.pop(0)
            assert isinstance(lost, TyranidDestroyed)
            assert lost.token == self.swarms()[-1][0], "from the top down"
            self.stack.remove(self.swarms()[-1])

    def lose(self, left: list[Event], count: int) -> None:
        for _ in range(min(count, len(self.eldar))):
            lost = left.pop(0)
            assert isinstance(lost, UnitDestroyed)
            self.eldar.remove(lost.unit)


@pytest.mark.parametrize("seed", range(150))
def test_doe_space_1_to_7_random_battles_go_by_the_rules_to_the_end(seed: int) -> None:
    """DOE-SPACE-1 to -10, DOE-LOSS-1, -2, -5, DOE-REROLL-1 to -6, DOE-MINE-1, DOE-HM-2, -3, DOE-YRIEL-5, DOE-FAR-1."""
    dice = random.Random(seed)
    eldar = dice.sample(SHIPS, dice.randint(1, 6)) + [id for id in ("FAR", "YRI") if dice.random() < 0.4]
    stack = dice.sample([id for id in COUNTERS if id != "HM"], dice.randint(1, 6))
    if dice.random() < 0.4:
        stack.insert(dice.randrange(len(stack) + 1), "HM")
    face, order = dice.random() < 0.5, dice.randrange(7)
    together = dice.choice(["one_area", "each_chooses"])
    held = [area for area in ("n1", "n3", "s1", "s2") if dice.random() < 0.4]
    around = dict(zip(held, [id for id in COUNTERS if id not in stack and id != "HM"], strict=False))
    game = play(
        f"{dice.choice(['eldar', 'tyranid'])}_combat",
        eldar={"n2": " ".join(eldar)},
        tyranid={"n2": " ".join(stack), **around},
        shown=["HM"] if face else [],
        order=order,
        options=Options(retreat_together=together),  # type: ignore[arg-type]
    )
    before = len(lid(game.state))
    game.table.fate = Fate(f"space {seed}")
    game.do("fight n2")
    events = end_battle(game, dice)
    Space(eldar, stack, face, order).check(events)
    gone = len(of(events, TyranidDestroyed)) + len(of(events, MineDetonated))
    arrived = sum(type(one).__name__ == "SwarmArrived" for one in game.log)
    assert len(lid(game.state)) == before + gone - arrived


def test_the_figures_of_the_files_are_those_of_the_book() -> None:
    """DOE-LIST-1: what the readings above start from."""
    assert {id: (unit.attack, unit.defence, unit.combat) for id, unit in BOOK.units.items()} == UNITS
