"""Every consequence cites the rule that produced it, and every refusal one of the register."""

from __future__ import annotations

from collections import defaultdict

import games
import pytest

from warptape.domain import register
from warptape.domain.events import ActionTaken, Awaiting, Event, GameOpened
from warptape.domain.referee import Match
from warptape.domain.space_marine_adventures.events import EVENTS, ActionSpent, MarineMoved, MarineWounded
from warptape.domain.space_marine_adventures.state import Options

IDS = {rule.id for rule in register.load("warptape.domain.space_marine_adventures").rules if rule.kind == "rule"}
CITED: dict[str, set[str]] = {
    "LevelStarted": {"SMA-SETUP-16", "SMA-CAMP-3"},
    "ChallengesChosen": {"SMA-ADV-5"},
    "SkullCardsChosen": {"SMA-ADV-2"},
    "SkullCardsReplace": {"SMA-ADV-3"},
    "BoardLaid": {"SMA-SETUP-1", "SMA-CAMP-6"},
    "VesselLaid": {"SMA-SETUP-2", "SMA-CON-5"},
    "VesselDocked": {"SMA-CAMP-7", "SMA-CAMP-8"},
    "BulkheadsLaid": {"SMA-SETUP-3", "SMA-SETUP3-2", "SMA-CAMP-9"},
    "ObjectiveLaid": {"SMA-SETUP-4", "SMA-SETUP3-1", "SMA-CAMP-10"},
    "SquadChosen": {"SMA-SETUP-5"},
    "MarineDeployed": {"SMA-SETUP-8"},
    "MarineCalled": {"SMA-CAMP-13"},
    "CounterPlaced": {"SMA-SETUP-9", "SMA-SETUP2-2", "SMA-SETUP3-4", "SMA-REIN-2"},
    "BagFilled": {"SMA-SETUP-10", "SMA-SETUP2-3", "SMA-SETUP3-3"},
    "SpecialsDrawn": {"SMA-SETUP-13", "SMA-CAMP-18"},
    "SpecialEquipped": {"SMA-SETUP-14"},
    "SpecialsSetAside": {"SMA-SETUP-14"},
    "ActivationDeckBuilt": {"SMA-SETUP-12", "SMA-CAMP-20"},
    "DeckShuffled": {
        *("SMA-SETUP-3", "SMA-SETUP-11", "SMA-SETUP-13", "SMA-SETUP2-4", "SMA-SETUP3-2", "SMA-SETUP3-5"),
        *("SMA-CAMP-9", "SMA-CAMP-19", "SMA-ADV-3", "SMA-ADV-5", "SMA-ROUND-1"),
    },
    "CardDrawn": {
        *("SMA-SETUP-13", "SMA-CAMP-18", "SMA-ADV-3", "SMA-ADV-7"),
        *("SMA-ROUND-2", "SMA-ROUND-5", "SMA-CON-4", "SMA-SPEC-7"),
    },
    "CounterDrawn": {"SMA-SETUP3-3", "SMA-REIN-1"},
    "CounterTaken": {"SMA-INF-1"},
    "CounterReturned": {"SMA-ATK-3", "SMA-REIN-12"},
    "DiceRolled": {
        *("SMA-ATK-1", "SMA-ATK-6", "SMA-FRAG-4", "SMA-CON-1", "SMA-GEN-4", "SMA-GEN-5", "SMA-SETUP2-2"),
    },
    "RoundStarted": {"SMA-ROUND-1"},
    "RoundEnded": {"SMA-ROUND-6"},
    "TyranidActivationAdded": {"SMA-ADV-10"},
    "ActivationRevealed": {"SMA-ROUND-2"},
    "ActivationPiled": {"SMA-ROUND-2", "SMA-ROUND-4"},
    "TurnStarted": {"SMA-ROUND-3"},
    "TurnEnded": {"SMA-ACT-4", "SMA-ACT-6"},
    "ActionSpent": {"SMA-ACT-1", "SMA-CON-8"},
    "FreeActionGranted": {"SMA-ACT-2", "SMA-ABIL-MAX", "SMA-ABIL-RAP"},
    "FreeActionSpent": {"SMA-ACT-7"},
    "FreeActionsLapsed": {"SMA-ACT-7"},
    "AllowanceChanged": {"SMA-ACT-8"},
    "TurnBonusGained": {"SMA-ATK-4"},
    "AbilityUsed": {"SMA-ABIL-MAX", "SMA-ABIL-ADR", "SMA-ABIL-LUK"},
    "MarineMoved": {"SMA-MOVE-1", "SMA-MOVE-4"},
    "MarineRedeployed": {"SMA-SPEC-7"},
    "AttackDeclared": {"SMA-ATK-1", "SMA-FRAG-3", "SMA-SPEC-7", "SMA-ABIL-LUK"},
    "RolledAgain": {"SMA-ATK-6", "SMA-ABIL-ADR"},
    "AttackMissed": {"SMA-ATK-2"},
    "CounterDestroyed": {"SMA-ATK-3"},
    "PrimeDamaged": {"SMA-PRIME-2"},
    "PrimeHealed": {"SMA-INF-1"},
    "PrimeDestroyed": {"SMA-PRIME-3", "SMA-ADV-11"},
    "ConsoleTried": {"SMA-CON-2", "SMA-CON-7"},
    "ConsoleActivated": {"SMA-CON-2", "SMA-CON-7"},
    "BulkheadOpened": {"SMA-CON-4"},
    "BulkheadStayedSealed": {"SMA-CON-4"},
    "BulkheadPeeked": {"SMA-SPEC-7"},
    "LevelEnded": {"SMA-END-1", "SMA-END-2", "SMA-END-3", "SMA-END-8", "SMA-END-9"},
    "ChallengeTriggered": {"SMA-ADV-12"},
    "ChallengeFailed": {"SMA-ADV-13"},
    "MarineLeftBehind": {"SMA-CAMP-16"},
    "LevelCleared": {"SMA-CAMP-11"},
    "CampaignEnded": {"SMA-CAMP-5", "SMA-CAMP-21"},
    "InfestationRevealed": {"SMA-ROUND-5"},
    "InfestationCancelled": {"SMA-SPEC-7"},
    "InfestationResolved": {"SMA-ROUND-8"},
    "MoreInfestation": {"SMA-INF-1"},
    "InfestationPeeked": {"SMA-SPEC-7"},
    "InfestationReordered": {"SMA-SPEC-7"},
    "ReinforcementBlocked": {"SMA-REIN-5", "SMA-REIN-7", "SMA-REIN-9", "SMA-REIN-13", "SMA-REIN-14"},
    "CounterMoved": {"SMA-INF-1"},
    "MarineStruck": {"SMA-INF-1", "SMA-REIN-6", "SMA-REIN-14", "SMA-PRIME-6"},
    "WoundPrevented": {"SMA-SPEC-7"},
    "MarineWounded": {"SMA-WND-1", "SMA-WND-2"},
    "MarineTakenOut": {"SMA-WND-2"},
    "MarineHealed": {"SMA-WND-4"},
    "SpecialPlayed": {"SMA-SPEC-1"},
    "SpecialDiscarded": {"SMA-SPEC-3", "SMA-SPEC-4"},
    "ActionsReduced": {"SMA-INF-1"},
    "ResilienceRaised": {"SMA-INF-1"},
}
"""By kind of event, the rules that produce it."""
GAMES = [
    (Options(), 60),
    (Options(challenges="all", skull_cards="all"), 12),
    (Options(level=2, challenges="all", skull_cards="all"), 24),
    (Options(level=3), 24),
    (Options(level=3, challenges="all", skull_cards="all"), 60),
    (Options(level=3, challenges="ask", skull_cards="ask", skull="replace_random"), 12),
    (Options(mode="campaign", campaign_pass=1, challenges="random", skull_cards="all"), 24),
    (Options(mode="campaign", campaign_pass=1, challenges="ask", dock="free_order", left_behind_calls=True), 12),
]
"""How many games are played with which options."""


@pytest.fixture(scope="module")
def matches() -> list[Match]:
    return [games.whole(f"citations {number}", options) for options, count in GAMES for number in range(count)]


def consequences(match: Match) -> list[Event]:
    return [event for event in match.events if not isinstance(event, GameOpened | ActionTaken | Awaiting)]


def test_every_consequence_cites_a_rule_that_produces_its_kind(matches: list[Match]) -> None:
    found = defaultdict(set)
    for match in matches:
        for event in consequences(match):
            assert event.rule in CITED[type(event).__name__], event
            found[type(event).__name__].add(event.rule)
    unseen = {f"{kind} {rule}" for kind, rules in CITED.items() for rule in rules - found[kind]}
    assert len(unseen) <= 3, f"these games do not reach {sorted(unseen)}"


def test_the_table_names_every_event_and_only_rules_in_force() -> None:
    assert {event.__name__ for event in EVENTS} <= CITED.keys()
    assert {rule for rules in CITED.values() for rule in rules} <= IDS


def test_the_rule_says_which_case_it_was(matches: list[Match]) -> None:
    """SMA-MOVE-1 and -4, SMA-CON-8, SMA-WND-1 and -2: of the two rules a kind may cite, the one that applies."""
    for match in matches:
        log = consequences(match)
        for event, after in zip(log, [*log[1:], None], strict=True):
            if isinstance(event, MarineMoved):
                assert event.rule == ("SMA-MOVE-1" if len(event.path) == 1 else "SMA-MOVE-4")
            elif isinstance(event, MarineWounded):
                assert event.rule == f"SMA-WND-{event.wounds}"
            elif isinstance(event, ActionSpent):
                console = type(after).__name__ == "DiceRolled" and after.purpose == "console"  # type: ignore[union-attr]
                assert event.rule == ("SMA-CON-8" if console else "SMA-ACT-1")
