"""How a bot moves the Tyranids: land and attack where that gains, close in, spread over the Craftworld."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from .actions import END, GiveOrder, Move
from .bot_outlook import Outlook
from .movement import reveals
from .reach import enemies, mover, reach
from .state import TYRANID

EAGER = -0.08
"""From how much gain on, for each counter, Tyranids attack: a Swarm that waits may be shot."""
URGE, URGENT = 0.05, 0.05
"""How much less gain will do when the assault is over and points are needed, and for each quiet turn besides."""
THRIFT = 0.02
"""What each further counter costs that is sent to an attack: it might be used elsewhere."""
ORDER = 2
"""The Spore Mine's standing order."""


def order(actions: Any) -> GiveOrder:
    """Return the standing order: detonate among as many Eldar as make it worth a Swarm (DOE-MINE-1)."""
    wanted = GiveOrder(ORDER)
    return wanted if wanted in actions else actions[0]


class Brood:
    """The Tyranids who move: who has not moved, where everybody stands, where each can go."""

    def __init__(self, outlook: Outlook) -> None:
        self.outlook = outlook
        book, state = outlook.book, outlook.state
        self.book, self.state = book, state
        self.blocked = enemies(state, TYRANID)
        moved = set(state.moved)
        self.minds = [token for token in state.swarms if state.face.get(token) in outlook.minds]
        self.free = [token for token in state.swarms if token not in moved and token not in self.minds]
        self.guides = [token for token in self.minds if token not in moved]
        self.fixed: dict[str, list[str]] = {}
        for token, area in state.swarms.items():
            if token in moved and token not in self.minds:
                self.fixed.setdefault(area, []).append(token)

        self.eager = EAGER
        """From how much gain on, for each counter, an attack is made."""
        if outlook.over and outlook.lead <= 0:
            self.eager -= URGE + URGENT * state.quiet

    def ways(self, token: str) -> tuple[str, ...]:
        """Return where a counter can go."""
        return reach(self.book, mover(self.book, self.state, token), self.blocked)

    def move(self) -> Any:
        """Return the next move: attacks, the Hive Mind to the greatest of them, the others; then the end."""
        plan = self.plan
        shows = reveals(self.book, self.state)
        if shows and any(area in self.state.eldar and area not in self.book.deep for area in plan.values()):
            return shows[0]  # Some attack has use for its re-roll.
        for token, area in plan.items():
            if area != self.state.swarms[token]:
                return Move(token, area)
        return self.advance() or self.guide() or END

    @cached_property
    def reached(self) -> dict[str, set[str]]:
        """Where each counter that has not moved can be when all have moved."""
        return {token: {*self.ways(token), self.state.swarms[token]} for token in self.free}

    @cached_property
    def plan(self) -> dict[str, str]:
        """Where those go who attack: to the attack that gains most, again and again."""
        book, outlook, state = self.book, self.outlook, self.state
        eldar = state.eldar
        free = sorted(self.free, key=lambda token: (-outlook.beast(token).attack, token))
        groups = {area: list(self.fixed.get(area, ())) for area in book.areas}
        targets = [area for area in book.areas if (area in eldar if area in book.deep else area in outlook.fort)]
        targets += [area for area in book.craftworld if area in eldar and area not in outlook.fort]
        reached = self.reached
        plan: dict[str, str] = {}
        left = set(free)
        able = {area: [token for token in free if area in reached[token]] for area in targets}
        base = {area: self.worth(area, groups[area]) for area in targets}
        while left:
            best: tuple[float, str, list[str]] = (0.0, "", [])
            for area in targets:
                room = book.limit - len(groups[area]) if area not in book.deep else len(free)
                come = [token for token in able[area] if token in left][:room]
                for number in range(1, len(come) + 1):
                    gain = self.worth(area, groups[area] + come[:number]) - base[area] - THRIFT * number
                    gain -= self.eager * number
                    if gain > best[0]:
                        best = gain, area, come[:number]
            if not best[2]:
                break
            for token in best[2]:
                plan[token] = best[1]
                left.discard(token)
                groups[best[1]].append(token)
            base[best[1]] = self.worth(best[1], groups[best[1]])
        return plan

    def worth(self, area: str, tokens: list[str]) -> float:
        """Return what an attack of these counters on an area is worth."""
        if not tokens:
            return 0.0
        outlook = self.outlook
        units = outlook.state.eldar.get(area, ())
        if area in self.book.deep:
            return -outlook.clash(area, units, len(tokens))
        return outlook.siege(area, units, tokens, TYRANID)

    # Those who do not attack

    @cached_property
    def lure(self) -> dict[str, float]:
        """How much each Craftworld area calls for attackers."""
        outlook, book = self.outlook, self.book
        pack = (outlook.generic,) * book.limit
        found = {}
        for area in book.craftworld:
            company = outlook.odds.company(outlook.state.eldar.get(area, ()))
            stake = outlook.stakes[area]
            found[area] = outlook.odds.siege(company, pack, stake, True, TYRANID) if stake else 0.0
        return found

    def advance(self) -> Move | None:
        """Return the move of a counter that does not attack: Swarms close in, Hordes go to where they are wanted."""
        outlook, book, state = self.outlook, self.book, self.state
        for token in self.free:
            if token in self.plan:
                continue
            here = state.swarms[token]
            best, chosen = self.post(token, here) + (0.01 if here not in state.eldar else -5.0), here
            for area in self.ways(token):
                if area in state.eldar or (area not in book.deep and here in book.deep and area in outlook.fort):
                    continue
                post = self.post(token, area)
                if post > best:
                    best, chosen = post, area
            if chosen != here:
                return Move(token, chosen)
        return None

    def post(self, token: str, area: str) -> float:
        """Return how good an area is to wait in: beside areas that call for attackers, away from the fleet."""
        book, outlook, state = self.book, self.outlook, self.state
        others = sum(1 for other in outlook.foes.get(area, ()) if other != token)
        if area in book.deep:
            near = book.near_craftworld[area]
            if not near:
                return 0.0
            call = max(self.lure[next] for next in near)
            fleet = sum(book.units[id].combat for next in book.near_space[area] for id in state.eldar.get(next, ()))
            return 0.5 + call + 0.03 * min(others, 4) - 0.002 * fleet
        if others >= book.limit and area != state.swarms[token]:
            return -1.0
        call = max((self.lure[next] for next in book.near_craftworld[area]), default=0.0)
        second = max(
            (self.lure[far] for next in book.near_craftworld[area] for far in book.near_craftworld[next]), default=0.0
        )
        return call + 0.3 * second - (0.05 * others if area != state.swarms[token] else 0.0)

    # The Hive Mind

    def guide(self) -> Move | None:
        """Return the move of a face-up Hive Mind to the greatest battle on the Craftworld (DOE-MOVE-2)."""
        state = self.state
        for token in self.guides:
            here = state.swarms[token]
            best, chosen = self.need(here) + 0.01, here
            for area in self.ways(token):
                need = self.need(area)
                if need > best:
                    best, chosen = need, area
            if chosen != here:
                return Move(token, chosen)
        return None

    def need(self, area: str) -> float:
        """Return what a re-roll is worth in an area."""
        outlook, state = self.outlook, self.state
        units = state.eldar.get(area, ())
        tokens = outlook.foes.get(area, [])
        if area in self.book.deep or not units or not tokens:
            return 0.0
        odds = outlook.odds
        company, pack = odds.company(units), outlook.pack(tokens, units)
        seer = any(id in outlook.seers for id in units)
        walls, stake = area in outlook.fort, outlook.stakes[area]
        without = odds.assault(company, pack, stake, walls, TYRANID, "eldar" if seer else "")
        return odds.assault(company, pack, stake, walls, TYRANID, "" if seer else TYRANID) - without
