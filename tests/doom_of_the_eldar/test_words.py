"""What each kind of event is told as, in one position: the phrases of the story, for whoever may know all."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from warptape.domain.doom_of_the_eldar import RULESET
from warptape.domain.doom_of_the_eldar import events_battle as b
from warptape.domain.doom_of_the_eldar import events_special as s
from warptape.domain.doom_of_the_eldar import events_turn as t
from warptape.domain.doom_of_the_eldar.events import EVENTS
from warptape.domain.doom_of_the_eldar.facts import Fact
from warptape.domain.doom_of_the_eldar.positions import position
from warptape.domain.doom_of_the_eldar.state import ELDAR, TYRANID, Battle, DoomState
from warptape.domain.secrets import SEALED, redact, view


def state(kind: str = "space") -> DoomState:
    """Two Swarms in n2, one of which the Eldar have scried, and a Horde and the Protoid in the Fortress of Tears."""
    found = position(
        "eldar_combat", eldar={"n2": "WSH1 FAR", "tears": "GUA6"}, tyranid={"n2": "TH1 SM", "tears": "HT PR"},
        scried=["SM"],
    )  # fmt: skip
    found.battle = Battle("n2" if kind == "space" else "tears", kind, ELDAR, 1)
    return found


TOLD: Sequence[tuple[Fact, str]] = [
    (t.UnitsBoxed(("ALA", "HAR"), "warp_gate"), "Alaitoc Scouts and Harlequins wait at the Warp Gate."),
    (t.UnitsBoxed(("YRI",), "aside"), "Yriel waits aside."),
    (t.UnitsBoxed(("GUA6",), ""), ""),
    (t.UnitPlaced("GUA6", "tears"), "Guardians 6 take station at Fortress of Tears."),
    (t.UnitsPlaced(("GHO", "FAR"), "n2"), "Ghostdragon and Farseer take station at Tearsreach."),
    (t.SetupFinished(RULESET.book.craftworld, 22),
     "All 9 areas of the Craftworld are fortified; 22 Swarms wait in the dark."),
    (t.TurnBegan(4), "Turn 4."),
    (t.PhaseBegan("eldar_special"), "Eldar special actions."),
    (t.ReinforcementsRolled((6, 4), 10), "The Tyranids roll 6 and 4: 10 Swarms are due."),
    (t.ReinforcementsRolled((6, 5), 1), "The Tyranids roll 6 and 5: 1 Swarm is due."),
    (t.ReinforcementsRolled((1, 1), 0), "The Tyranids roll 1 and 1: no Swarms are due."),
    (t.MarkerMoved(10, 17), "The Assault Marker goes from 10 to 17."),
    (t.SwarmArrived("#01", 3, "s3"), "Swarm #01 (Tyranid Horde) enters Sector 3 (rolled 3)."),
    (t.ReinforcementsLost(6), "The lid is empty; 6 are lost."),
    (t.ReinforcementsLost(1), "The lid is empty; 1 is lost."),
    (t.AssaultEnded("double", 17), "The assault is over at box 17: a double ended it."),
    (t.AssaultEnded("track", 89), "The assault is over at box 89: the track is full."),
    (t.MineOrderSet(2, seen_by=(TYRANID,)), "The mine's standing order is 2."),
    (t.MineOrderSet(3, seen_by=(TYRANID,)), ""),
    (t.CounterMoved("WSH1", "n2", "s2"), "Wraithship 1 goes from Tearsreach to Sector 2."),
    (t.CounterMoved("#01", "n2", "n3"), "Swarm #01 goes from Tearsreach to Dreamreach."),
    (t.SwarmRevealed("#01", "TH1", 12, 12, "souls"),
     "Swarm #01 is revealed as Tyranid Horde (12-12) at Forge of Lost Souls."),
    (t.CounterTrimmed("GUA6", "tears", "destroyed_ground"),
     "Guardians 6 are given up at Fortress of Tears: too many counters."),
    (t.CounterTrimmed("#03", "tears", "lid"), "Hive Tyrant #03 is given up at Fortress of Tears: too many counters."),
    (b.BattleBegan("n2", "space", ELDAR, ("WSH1", "FAR"), ("#01", "#02")),
     "Battle at Tearsreach: Wraithship 1 and Farseer against Swarms #01 and #02."),
    (b.BattleBegan("tears", "craftworld", ELDAR, ("GUA6",), ("#03", "#04")),
     "Battle at Fortress of Tears: Guardians 6 against Hive Tyrant #03 and Protoid #04."),
    (b.RoundBegan(1), ""),
    (b.RoundBegan(2, ELDAR), "Round 2."),
    (b.TotalsSet(ELDAR, 17, "15-19"), "The Eldar bring 17: column 15-19."),
    (b.DieCast(ELDAR, 4), ""),
    (b.RerollDeclined(TYRANID), "The Tyranids let the roll stand."),
    (b.FireRead(ELDAR, 0), "No hit."),
    (b.FireRead(ELDAR, 1), "1 hit."),
    (b.FireRead(ELDAR, 2), "2 hits."),
    (b.OddsResult("BC", 1, 1), "BC: Bloody Conflict."),
    (b.UnitDestroyed("WSH1", "n2", "destroyed_spacecraft"), "Wraithship 1 is lost at Tearsreach."),
    (b.TyranidDestroyed("#01", "n2"), "Swarm #01 (Tyranid Horde) is destroyed at Tearsreach."),
    (b.TyranidDestroyed("#03", "tears"), "Hive Tyrant #03 is destroyed at Fortress of Tears."),
    (b.MineDetonated("#02", "n2"), "A Spore Mine (#02) bursts at Tearsreach."),
    (b.UnitRetreated(("WSH1", "FAR"), "n2", "s2"), "Wraithship 1 and Farseer break off to Sector 2."),
    (b.UnitRetreated(("FAR",), "n2", "s2"), "Farseer breaks off to Sector 2."),
    (b.BattleEnded("n2", "eldar"), "Tearsreach: the Eldar hold it."),
    (b.BattleEnded("n2", "tyranid"), "Tearsreach: the Tyranids hold it."),
    (b.BattleEnded("tears", "both"), "Fortress of Tears: neither side gives way."),
    (b.BattleEnded("tears", "none"), "Fortress of Tears: nobody is left to fight."),
    (b.BattleEnded("n2", "retreat"), ""),
    (b.ProtoidGrew("#04", 1, 12, 12), "Protoid #04 feeds and grows to 12-12."),
    (b.AreaDevastated("forests"), "The Forests of Silence is devastated."),
    (b.HiveMindLost("#03", "tears"), "Hive Tyrant #03 is alone at Fortress of Tears and goes back to the lid."),
    (s.SpecialActionUsed("spear", "barrage", 6, True), "Spear of Light: torpedoes, rolled 6: success."),
    (s.SpecialActionUsed("forests", "muster", 3, False), "The Forests of Silence: muster, rolled 3: failure."),
    (s.SpecialActionUsed("shrine", "scry", 0, True), ""),
    (s.SwarmBarraged("spear", "#01", "n2"),
     "Torpedoes from Spear of Light destroy Swarm #01 (Tyranid Horde) at Tearsreach."),
    (s.UnitReturned("HAR", "warp_gate", "souls"), "Harlequins come back from the Warp Gate to Forge of Lost Souls."),
    (s.UnitReturned("GHO", "destroyed_spacecraft", "n3"),
     "Ghostdragon comes back from the destroyed spacecraft to Dreamreach."),
    (s.StackScried("n2", ("#01", "#02")),
     "The Shrine looks upon Tearsreach: #01 is Tyranid Horde, #02 is Spore Mine."),
    (s.UnitConverted("GUA4", "destroyed_ground", "WSH2", "destroyed_spacecraft", "n3"),
     "Guardians 4 stand down; Wraithship 2 appears at Dreamreach."),
    (s.YrielArrived(3, "s3", ("YRI", "RGH")), "Yriel and his ships break into Sector 3 (rolled 3)."),
    (s.RaiderPoolOpened(("RAI1",)), "The Raiders' ground forces stand ready."),
    (t.QuietTurnsCounted(2), "Quiet turns running since the assault ended: 2."),
    (t.QuietTurnsCounted(0), ""),
    (t.GameEnded("tyranids_gone", 6, 5, {}, ELDAR), "No Tyranids are left: Eldar 6, Tyranids 5; the Eldar win."),
    (t.GameEnded("quiet_turns", 6, 6, {}, ""), "The war has gone quiet: Eldar 6, Tyranids 6; it is a draw."),
    (t.GameEnded("turn_bound", 2, 6, {}, TYRANID),
     "The war has gone on too long: Eldar 2, Tyranids 6; the Tyranids win."),
    (t.GameEnded("areas_lost", 4, 9, {}, TYRANID),
     "All areas of the Craftworld are lost: Eldar 4, Tyranids 9; the Tyranids win."),
]  # fmt: skip


@pytest.mark.parametrize(("event", "words"), TOLD, ids=[f"{type(event).__name__} {words}" for event, words in TOLD])
def test_an_event_is_told_so(event: Fact, words: str) -> None:
    assert RULESET.tell(state(), event) == words


def test_on_the_craftworld_totals_are_told_together() -> None:
    told = RULESET.tell(state("craftworld"), b.TotalsSet(ELDAR, 36, "1-1", 20))
    assert told == "The Eldar attack with 36 against 20: column 1-1."


def test_every_kind_of_event_has_its_phrase_here() -> None:
    assert {type(event) for event, _ in TOLD} == {kind for kind in EVENTS if issubclass(kind, Fact)}


def test_the_eldar_are_told_what_they_know_and_no_more() -> None:
    """DOE-REVEAL-3, DOE-LOSS-8: #01 is any Swarm to them, #02 has been scried."""
    seen = view(state(), ELDAR)
    for event, words in (
        (b.TyranidDestroyed("#01", "n2"), "Swarm #01 is destroyed at Tearsreach."),
        (b.TyranidDestroyed("#02", "n2"), "Swarm #02 (Spore Mine) is destroyed at Tearsreach."),
        (s.SwarmBarraged("spear", "#01", "n2"), "Torpedoes from Spear of Light destroy Swarm #01 at Tearsreach."),
        (redact(t.MineOrderSet(2, seen_by=(TYRANID,)), ELDAR), ""),
    ):
        assert RULESET.tell(seen, event) == words
    assert redact(t.MineOrderSet(2, seen_by=(TYRANID,)), ELDAR).order == SEALED
