"""Sets of options that the laws are put to the test with: every value of every option is in one of them."""

from __future__ import annotations

from warptape.domain.doom_of_the_eldar.state import Options

OPTIONS = {
    "quick": Options(setup="quickstart"),
    "other": Options(
        track_advance="drawn", odds_below_table="annihilate", odds_above_table="annihilate", avatar_and_fort="add",
        hive_mind_end="dies_alone", protoids_in_lid=3, knights_origin="iyanden", stall_turns=4,
        repeat_conversion_pool="separate", track_layout="rows_of_15", setup="quickstart",
        retreat_together="each_chooses", eldar_sees_losses=True,
    ),
    "counts": Options(setup="quickstart", hive_mind_end="counts", stall_turns=0, eldar_sees_losses=True),
    "free": Options(stall_turns=10),
}  # fmt: skip
