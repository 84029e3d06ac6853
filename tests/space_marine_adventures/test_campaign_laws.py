"""What holds in every campaign under all its options, over random games: legality, notation, folding, audit."""

from __future__ import annotations

from collections import Counter

import campaigns
import games
import laws
import pytest
from out_of_place import between_levels

from warptape.domain.chance import Fate
from warptape.domain.space_marine_adventures import RULESET
from warptape.domain.space_marine_adventures.state import Options

OPTIONS = (
    campaigns.campaign(campaign_pass=1, dock="free_order", left_behind_calls=True, used_cards="out_for_campaign"),
    campaigns.campaign(challenges="ask", skull_cards="ask", skull="replace_random", special_pick="own_pair"),
    campaigns.campaign(challenges="random", skull_cards="all", deck_out="draw_needed", campaign_pass=1),
    campaigns.campaign(campaign_pass=3, dock="free_order", challenges="CHA-2-1,CHA-3-1"),
)


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
