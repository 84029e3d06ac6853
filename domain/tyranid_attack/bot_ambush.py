"""Which Tyranid is placed where: who lives until the hive's part there, and does most in it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from . import bot_odds as odds
from .bot_outlook import FAR_AWAY, FEWER, Outlook, threat, within
from .bot_sight import view
from .bot_tyranids import exposed
from .records import Profile
from .state import Point, distance

STAYS, GOES = 1.0, 0.75
"""How likely a Marine who has acted is still near in the hive's part, and one who has not."""
LATER = 0.7
"""What a blow or shot is worth a turn later."""
MEANT = 0.8
"""What a blow is worth that cannot be struck at once, against the mean of all."""
MORE = 0.3
"""What each further Marine, up to two, is worth who could be struck."""
GUNFIRE = 0.35
"""What a hit at range is worth to the hive when it chooses, compared to one hand to hand: it is drawn to claws."""
MOVES_IN = 0.5
"""How likely one who cannot shoot at anybody yet will."""
SIGHT = 48
"""As far as any gun shoots."""
NEARER = 0.004
"""What a step nearer to the Marines is worth."""


class Arms(NamedTuple):
    """A kind as it fares against the Marines on the board.

    `blows` and `shots` are what a round with each and a shot at each are worth, their means as they count for one who
    cannot attack yet; `loss` is what dying costs.
    """

    profile: Profile
    range: int
    blows: dict[str, float]
    shots: dict[str, float]
    blow: float
    shot: float
    loss: float


def together(outlook: Outlook, names: Iterable[str], squares: Sequence[Point], now: bool) -> tuple[str, Point]:
    """Choose a model and its square together; `now` is whether it acts at once."""
    state, bit = outlook.state, outlook.ship.plane.bit
    marines = [
        (name, bit(state.models[name].at), state.models[name].at, STAYS if now or not state.act(name).fresh else GOES)
        for name in outlook.marines
    ]
    found: tuple[str, Point] | None = None
    top = 0.0
    kinds: set[str] = set()
    for name in names:
        kind = outlook.book.kind(name)
        if kind in kinds:  # as good as the first of its kind anywhere
            continue
        kinds.add(kind)
        arms = _arms(outlook, kind)
        for square in squares:
            value = _worth(outlook, arms, marines, square, now)
            if found is None or value > top + 1e-9:
                found, top = (name, square), value
    assert found is not None, "a question is asked only if there are models and squares"
    return found


def _arms(outlook: Outlook, kind: str) -> Arms:
    book, state, marines = outlook.book, outlook.state, outlook.marines
    profile, gun = book.profiles[kind], book.guns.get(kind)
    blows = {name: outlook.clash(kind, name) for name in marines}
    shots = {}
    if gun is not None:
        for name in marines:
            hit = odds.hit(gun.fire, gun.bonus, book.armour_of(state.models[name])) * outlook.worth(name)
            shots[name] = GUNFIRE * (hit + 0.15 * bool(gun.blast)) * (1 + profile.heavy_mounts)
    count = max(1, len(marines))
    blow, shot = MEANT * max(0.0, sum(blows.values()) / count), MOVES_IN * sum(shots.values()) / count
    return Arms(profile, gun.range if gun else 0, blows, shots, blow, shot, FEWER * threat(book, profile))


def _worth(
    outlook: Outlook, arms: Arms, marines: list[tuple[str, int, Point, float]], square: Point, now: bool
) -> float:
    """Return what it is worth to have a model on a square."""
    ship, move = outlook.ship, max(1, arms.profile.move)
    way = outlook.to_marines.get(square, FAR_AWAY)

    fight = 0.0
    if way <= move + 1:
        zone = within(ship, square, arms.profile.move + 1)
        struck = sorted([arms.blows[name] * stays for name, bit, _, stays in marines if zone & bit], reverse=True)
        fight = struck[0] + MORE * sum(struck[1:3]) if struck else 0.0
    elif arms.blow:
        fight = arms.blow * float(LATER ** (-(-(way - 1) // move) - 1))

    shot = 0.0
    if arms.range:
        shot = arms.shot * float(LATER ** max(0, (way - arms.range) // move))
        if any(arms.shots[name] > shot for name, _, _, _ in marines):
            seen = view(ship, (square,), SIGHT)
            for name, bit, at, _ in marines:
                if seen & bit and distance(at, square) <= arms.range:
                    shot = max(shot, arms.shots[name])

    lives = 1.0 if now else 1 - exposed(outlook, square, arms.profile.armour)
    gain = (max(fight, shot) + 0.2 * min(fight, shot)) * float(arms.profile.life**0.5)
    return lives * gain - (1 - lives) * arms.loss - NEARER * min(way, 60)
