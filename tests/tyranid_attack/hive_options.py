"""Sets of options that the laws are put to the test with: every value of every choice is in one of them."""

from __future__ import annotations

from warptape.domain.tyranid_attack.state import Options

OPTIONS = {
    "plain": Options(),
    "points": Options(
        party="points", points=120, extra_tyranids="android=2,dreadnought=1", corners="sealed",
        hybrid_arms="bolter,chainsword", warrior_boneswords=6, terminator_flamers=0, found_marines_act=True,
        kill_means="one_life", force_axe_defends=True, turn_limit=25,
    ),
    "returns": Options(
        deck_empty="no_card", cut_off_objective="returns", shared_square_survives=False, synapse="six_only",
        cyst_distance=8, hybrid_arms="plasma,chainsword", sides="fixed", rotation="fixed", warrior_boneswords=0,
        hellfire_vs_template="no_effect", blast_needs_hit=True, blob_follow_up=False, turn_limit=0,
    ),
    "beasts": Options(
        extra_tyranids="brute_thrall=1,bulwark_beast=1,needle_stalker=1,dreadnought=2,chaos_heavy_marine=2",
        hybrid_arms="bolter,bolter", cloud_hides_template=True, corners="sealed", points=1, turn_limit=40,
    ),
    "plasma": Options(hybrid_arms="plasma,plasma", party="points", points=35, deck_empty="no_card", turn_limit=30),
    "swords": Options(hybrid_arms="chainsword,chainsword", cut_off_objective="returns", cyst_distance=8, turn_limit=30),
}  # fmt: skip
