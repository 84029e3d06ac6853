"""What may still be to do in a game: the steps of the stack, and the questions among them."""

from __future__ import annotations

from ..events import Question, Step

# Set-up, turns and phases


class SetUp(Question, frozen=True):
    """The Eldar place their counters (DOE-SETUP-5)."""


class FinishSetUp(Step, frozen=True):
    """Fortifications, the marker and the lid (DOE-SETUP-10 to DOE-SETUP-13)."""


class Turn(Step, frozen=True):
    """A turn begins (DOE-SEQ-1)."""

    number: int


class Phase(Step, frozen=True):
    """A phase begins: `phase` is one of `PHASES`."""

    phase: str


class Order(Question, frozen=True):
    """What is the Spore Mine's standing order? Asked every turn, for its being asked must not tell (DOE-MINE-1)."""


class Movement(Question, frozen=True):
    """What does this seat move next? (DOE-MOVE-1)"""

    side: str


class EndMovement(Step, frozen=True):
    """The stacking limit is checked (DOE-STACK-5)."""

    side: str


class Trim(Question, frozen=True):
    """Which counter too many does this seat give up in that area? (DOE-STACK-6)"""

    side: str
    area: str


class Combat(Question, frozen=True):
    """Where does the phasing seat fight next? (DOE-COMBAT-3)"""

    side: str


class EndCombat(Step, frozen=True):
    """Fallen areas are devastated (DOE-FORT-3)."""

    side: str


class Special(Question, frozen=True):
    """Which special action or conversion do the Eldar make next? (DOE-SPEC-1)"""


class Hit(Question, frozen=True):
    """Which Swarm in space does a barrage from that area destroy? (DOE-SPEC-3)"""

    area: str


class Return(Question, frozen=True):
    """Which counter does that area's action bring back, and where to? (DOE-SPEC-5, DOE-SPEC-7, DOE-SPEC-8)"""

    area: str


class EndTurn(Step, frozen=True):
    """Quiet turns are counted, and the ends of the game that are tested at the end of a turn (DOE-END-2, DOE-END-3)."""


# Battles: `state.battle` says where and what was rolled


class SpaceRound(Step, frozen=True):
    """A round of Deep Space combat begins: first the mine (DOE-MINE-1)."""


class Fire(Step, frozen=True):
    """One side fires: total, column and die (DOE-SPACE-1, DOE-SPACE-3)."""

    side: str


class Hits(Step, frozen=True):
    """What the fire of one side destroys (DOE-SPACE-2)."""

    side: str


class Reroll(Question, frozen=True):
    """Does the holder of the re-roll have the die on the table rolled again? (DOE-REROLL-4, DOE-REROLL-5)"""

    side: str


class Lose(Question, frozen=True):
    """Which counter does this side lose next? `count` are still due (DOE-LOSS-1)."""

    side: str
    count: int


class Retreat(Question, frozen=True):
    """Do the Eldar break off, and where to? (DOE-SPACE-4)"""


class Scatter(Question, frozen=True):
    """Where does the next of these units retreat to? (option `retreat_together`)"""

    units: tuple[str, ...]


class Mine(Question, frozen=True):
    """Does a Spore Mine on the Craftworld detonate before the battle? (DOE-MINE-2)"""

    token: str


class Odds(Step, frozen=True):
    """Craftworld combat: totals, column and die (DOE-CW-1 to DOE-CW-3)."""


class OddsRead(Step, frozen=True):
    """What the die means (DOE-CW-4)."""


class BattleOver(Step, frozen=True):
    """Growth, and the end of the battle (DOE-PROT-2, DOE-END-1)."""


AnyStep = (
    SetUp | FinishSetUp | Turn | Phase | Order | Movement | EndMovement | Trim | Combat | EndCombat | Special | Hit
    | Return | EndTurn | SpaceRound | Fire | Hits | Reroll | Lose | Retreat | Scatter | Mine | Odds | OddsRead
    | BattleOver
)  # fmt: skip
STEPS: tuple[type[Step], ...] = (
    SetUp, FinishSetUp, Turn, Phase, Order, Movement, EndMovement, Trim, Combat, EndCombat, Special, Hit, Return,
    EndTurn, SpaceRound, Fire, Hits, Reroll, Lose, Retreat, Scatter, Mine, Odds, OddsRead, BattleOver,
)  # fmt: skip
