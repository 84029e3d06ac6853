"""What holds in every campaign under all its options, over random games: legality, notation, folding, audit."""

from __future__ import annotations

from collections import Counter

import campaigns
import games
import laws
import pytest

from warptape.domain.chance import Fate
from warptape.domain.space_marine_adventures import RULESET
from warptape.domain.space_marine_adventures import actions as act
from warptape.domain.space_marine_adventures.state import Options

OPTIONS = (
    campaigns.campaign(campaign_pass=1, dock="free_order", left_behind_calls=True, used_cards="out_for_campaign"),
    campaigns.campaign(challenges="ask", skull_cards="ask", skull="replace_random", special_pick="own_pair"),
    campaigns.campaign(challenges="random", skull_cards="all", deck_out="draw_needed", campaign_pass=1),
    campaigns.campaign(campaign_pass=3, dock="free_order", challenges="CHA-2-1,CHA-3-1"),
)


def between_levels() -> list[act.Action]:
    """Actions of setting a level up, most of which are refused at any one question."""
    found: list[act.Action] = [act.LayBoard(face) for face in ("1-up", "1-down", "2-up", "3-down", "9-up")]
    found += [act.Call(code, square) for code in campaigns.ROSTER for square in ("V1", "V4", "X1", "h2")]
    found += [act.Deploy(code, square) for code in campaigns.ROSTER for square in ("V1", "V3")]
    found += [act.Equip(code, "SP-01") for code in campaigns.ROSTER]
    found += [act.NO_CALL, act.Enter("A"), act.Enter("Z"), act.Squad(campaigns.ROSTER[:4]), act.NEXT, act.END, act.PASS]
    found += [act.Dare(random=True), act.Dare(), act.Dare(("CHA-3-2",)), act.Dare(("CHA-3-2", "CHA-1-1"))]
    found += [act.Advance(), *(act.Advance((f"ADV-{n}-1", f"ADV-{n}-2")) for n in (1, 2, 3)), act.Advance(("ADV-2-2",))]
    return found


@pytest.mark.parametrize("options", OPTIONS)
def test_the_laws_hold_in_campaigns(options: Options) -> None:
    """SMA-CAMP-1 to SMA-CAMP-22: at the first questions of each sort in each level, with kind chance and with fate's."""
    tried, met = between_levels(), Counter[int]()
    for number in range(6):
        asked = Counter[tuple[int, str]]()
        chance = campaigns.Kind() if number % 2 else Fate(f"laws {number}")
        for match in games.played(f"laws {number}", options, chance):
            state = match.state
            key = (state.level, type(state.pending[-1]).__name__ if state.pending else "over")
            asked[key] += 1
            if asked[key] <= 2:
                laws.legal_is_not_refused(RULESET, match, tried)
                laws.state_keeps(RULESET, match)
                laws.notation_returns(RULESET, match)
                laws.every_answer_works(RULESET, match, "answers", most=12)
        laws.audited(RULESET, match.events)
        laws.told(RULESET, match.events)
        met[match.state.level] += 1
        assert match.outcome is not None
        assert match.outcome.result in ("campaign_lost", "epic_victory")
    assert max(met) >= 2
