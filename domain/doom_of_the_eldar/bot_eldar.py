"""How a bot moves the Eldar: the fleet against Swarms it can beat, ground forces to where they are needed."""

from __future__ import annotations

from typing import Any

from .actions import END, Move
from .bot_battle import haven
from .bot_outlook import Outlook
from .reach import enemies, mover, reach
from .setup import grounds
from .state import ELDAR

GAIN = 0.015
"""From how much gain on something moves."""
THRIFT = 0.0015
"""What each point of combat value costs that is sent to a battle: it might be used elsewhere."""


class Command:
    """The Eldar who move: who has not moved, where everybody stands, where each can go."""

    def __init__(self, outlook: Outlook) -> None:
        self.outlook = outlook
        book, state = outlook.book, outlook.state
        self.book, self.state = book, state
        self.blocked = enemies(state, ELDAR)
        moved = set(state.moved)
        self.free: list[str] = [id for id, area in state.units.items() if area in book.adjacent and id not in moved]
        self.stands: dict[str, tuple[str, ...]] = {
            area: tuple(state.eldar.get(area, ())) for area in (*book.craftworld, *book.space)
        }

    def ways(self, id: str) -> tuple[str, ...]:
        """Return where a unit can go."""
        return reach(self.book, mover(self.book, self.state, id), self.blocked)

    def move(self) -> Any:
        """Return the next move: ships, ground forces, the Farseer; the end when nothing is worth moving."""
        return self.sail() or self.march() or self.guide() or END

    # The fleet

    def sail(self) -> Move | None:
        """Return the move of a ship that the plan of the fleet sends elsewhere."""
        plan = self.plan()
        for id, area in plan.items():
            if area != self.state.units[id]:
                return Move(id, area)
        return None

    def plan(self) -> dict[str, str]:
        """Return where each ship that has not moved goes: to the battle that gains most, again and again."""
        book, outlook, units = self.book, self.outlook, self.book.units
        ships = [id for id in self.free if units[id].group == "ship"]
        if not ships:
            return {}
        ships.sort(key=lambda id: (-units[id].combat, id))
        free = set(ships)
        groups = {area: [id for id in self.stands[area] if id not in free] for area in book.space}
        reached = {id: {*self.ways(id), self.state.units[id]} for id in ships}
        targets = [area for area in book.space if outlook.foes.get(area)]
        plan: dict[str, str] = {}
        while targets and free:
            best: tuple[float, str, list[str]] = (GAIN, "", [])
            for area in targets:
                able = [id for id in ships if id in free and area in reached[id]]
                base = outlook.clash(area, groups[area])
                cost = 0.0
                for number, id in enumerate(able, 1):
                    cost += THRIFT * units[id].combat
                    gain = outlook.clash(area, groups[area] + able[:number]) - base - cost
                    if gain > best[0]:
                        best = gain, area, able[:number]
            if not best[2]:
                break
            for id in best[2]:
                plan[id] = best[1]
                free.discard(id)
                groups[best[1]].append(id)
        for id in ships:
            if id in free:
                area = self.berth(id, reached[id], groups)
                plan[id] = area
                groups[area].append(id)
        return plan

    def berth(self, id: str, reached: set[str], groups: dict[str, list[str]]) -> str:
        """Return where a ship without a task waits: with others, out of reach of many Swarms, near the Craftworld."""
        outlook, book = self.outlook, self.book
        here = self.state.units[id]
        best, chosen = -99.0, here
        for area in book.space:
            if area not in reached or area in outlook.foes:
                continue
            friends = sum(book.units[other].combat for other in groups[area])
            worth = haven(outlook, area) + 0.05 * min(friends, 60) + (0.1 if area == here else 0.0)
            if worth > best + 1e-9:
                best, chosen = worth, area
        return chosen

    # Ground forces

    def march(self) -> Move | None:
        """Return the move on the Craftworld that gains most, alone or as the first of several to one area."""
        book, outlook, stands = self.book, self.outlook, self.stands
        ground = [id for id in self.free if book.units[id].domain == "craftworld"]
        if not ground:
            return None
        comers: dict[str, list[str]] = {area: [] for area in book.craftworld}
        best: tuple[float, Move | None] = (GAIN, None)
        before = {area: outlook.exposure(area, stands[area]) for area in book.craftworld}
        done: set[tuple[str, str]] = set()
        for id in ground:
            start = self.state.units[id]
            twin = (outlook.odds.twin[id], start)
            rest = tuple(other for other in stands[start] if other != id)
            loss = outlook.exposure(start, rest) - before[start]
            for area in self.ways(id):
                comers[area].append(id)
                if twin in done or not self.room(area, (id,)):
                    continue
                gain = before[area] - outlook.exposure(area, (*stands[area], id)) - loss
                if gain > best[0]:
                    best = gain, Move(id, area)
            done.add(twin)
        for area in book.craftworld:
            if outlook.foes.get(area) and len(comers[area]) > 1:
                best = max(best, self.muster(area, comers[area], before), key=lambda found: found[0])
        return best[1]

    def muster(self, area: str, comers: list[str], before: dict[str, float]) -> tuple[float, Move | None]:
        """Return what several gain who attack an area together, and the move of the first of them."""
        units, outlook = self.book.units, self.outlook
        comers = sorted(comers, key=lambda id: (-units[id].attack, id))
        best: tuple[float, Move | None] = (0.0, None)
        group: list[str] = []
        for id in comers:
            if not self.room(area, (*group, id)):
                continue
            group.append(id)
            gain = before[area] - outlook.exposure(area, (*self.stands[area], *group))
            for start in dict.fromkeys(self.state.units[one] for one in group):
                rest = tuple(one for one in self.stands[start] if one not in group)
                gain += before[start] - outlook.exposure(start, rest)
            if gain > best[0]:
                best = gain, Move(group[0], area)
        return best

    def room(self, area: str, more: tuple[str, ...]) -> bool:
        """Say whether an area has room for more units (DOE-STACK-1)."""
        units = self.book.units
        return sum(units[id].counts for id in (*self.stands[area], *more)) <= self.book.limit

    # The Farseer

    def guide(self) -> Move | None:
        """Return the move of who gives re-rolls to the battle where they help most."""
        outlook = self.outlook
        for id in self.free:
            unit = self.book.units[id]
            if id not in outlook.seers and unit.domain != "anywhere":
                continue
            here = self.state.units[id]
            best, chosen = self.help(id, here) + GAIN, here
            for area in self.ways(id):
                if area not in grounds(self.book, unit) or not (not unit.counts or self.room(area, (id,))):
                    continue
                help = self.help(id, area)
                if help > best:
                    best, chosen = help, area
            if chosen != here:
                return Move(id, chosen)
        return None

    def help(self, id: str, area: str) -> float:
        """Return what the presence of a special counter in an area is worth."""
        outlook = self.outlook
        others = tuple(one for one in self.stands[area] if one != id)
        if area in self.book.deep:
            if not others:
                return -0.3 * bool(outlook.state.stacks.get(area)) - 0.2
            if outlook.foes.get(area):
                return outlook.clash(area, (*others, id)) - outlook.clash(area, others)
            return 0.001 * sum(self.book.units[one].combat for one in others)
        if not others:
            return -0.25
        return outlook.exposure(area, others) - outlook.exposure(area, (*others, id))
