"""Games of this ruleset that bots play into a store, all of them audited."""

from __future__ import annotations

from pathlib import Path

from recorded_games import MANY, Table, recorded_and_sound

from warptape.domain.doom_of_the_eldar import RULESET

TABLES = [
    Table(),
    Table({"eldar": "random"}, {"setup": "quickstart"}),
    Table({"eldar": "random", "tyranid": "random"}, {"setup": "quickstart", "stall_turns": "0"}),
    Table(
        {"tyranid": "random"},
        {"track_layout": "rows_of_15", "track_advance": "drawn", "retreat_together": "each_chooses",
         "repeat_conversion_pool": "separate", "eldar_sees_losses": "yes"},
    ),
]  # fmt: skip


@MANY
def test_games_of_bots_are_kept_and_pass_the_audit(many: int, tmp_path: Path) -> None:
    results = recorded_and_sound(RULESET, TABLES, many, tmp_path)
    assert sum(results.values()) == many
    if many > 100:
        assert {*results} >= {"eldar", "tyranid"}, results
