"""Games of this ruleset that bots play into a store, all of them audited: every level and the campaign, all options."""

from __future__ import annotations

from pathlib import Path

from option_rows import OPTION_SETS, typed
from recorded_games import MANY, Table, recorded_and_sound

from warptape.domain.space_marine_adventures import RULESET

PLAIN = [Table({}, {"mode": "campaign"}), *(Table({}, {"level": level}) for level in "321")]
TABLES = PLAIN + [
    Table({"team": ("sensible", "random")[number % 2]}, typed(options))
    for number, options in enumerate(OPTION_SETS.values())
]


@MANY
def test_games_of_bots_are_kept_and_pass_the_audit(many: int, tmp_path: Path) -> None:
    results = recorded_and_sound(RULESET, TABLES, many, tmp_path)
    assert sum(results.values()) == many
    if many > 100:
        assert {*results} >= {"major", "minor", "draw", "loss", "campaign_lost"}, results
