"""The content of Tyranid Attack: what the box holds, the figures of models, and the traits of weapons."""

from __future__ import annotations

import pytest

from warptape.domain.tyranid_attack.catalogue import CODES, load
from warptape.domain.tyranid_attack.counts import amount, is_count, is_rolled
from warptape.domain.tyranid_attack.records import Profile

CATALOGUE = load()
TEXTS = dict(CATALOGUE.content.files)
PROFILES, WEAPONS = CATALOGUE.profiles, CATALOGUE.weapons


def figures(profile: Profile) -> tuple[int, ...]:
    """Move, armour, range, fire dice, bonus to each, hand-to-hand dice, bonus to the best, life."""
    return (
        profile.move, profile.armour, profile.range, profile.fire, profile.fire_bonus, profile.hth, profile.hth_bonus,
        profile.life,
    )  # fmt: skip


def test_the_packaged_catalogue_is_read_once() -> None:
    assert load() is CATALOGUE
    assert load(TEXTS) is not CATALOGUE


# The box


def test_ta_comp_1_the_models_in_the_box() -> None:
    """And TA-COMP-8: which arms they carry unless options say otherwise (ruling G-3)."""
    box = {id: profile.limit for id, profile in PROFILES.items() if isinstance(profile.limit, int)}
    assert box == {
        "scout_sergeant": 2, "scout": 6, "heavy_scout": 2, "terminator": 3, "terminator_flamer": 1, "librarian": 1,
        "genestealer": 8, "warrior_boneswords": 3, "warrior_deathspitter": 3, "hybrid_bolter": 1, "hybrid_plasma": 1,
        "hybrid_chainsword": 0, "acid_blob": 4,
    }  # fmt: skip
    assert box["warrior_boneswords"] + box["warrior_deathspitter"] == 6
    assert box["hybrid_bolter"] + box["hybrid_plasma"] + box["hybrid_chainsword"] == 2
    assert box["terminator"] + box["terminator_flamer"] == 4


def test_ta_comp_2_sixteen_cards_four_orders_six_objectives_six_sections_six_tiles_nineteen_counters() -> None:
    parts = (CATALOGUE.cards, CATALOGUE.orders, CATALOGUE.objectives, CATALOGUE.sections, CATALOGUE.tiles)
    assert [len(part) for part in parts] == [16, 4, 6, 6, 6]
    assert sum(CATALOGUE.supplies.values()) == CATALOGUE.counters_total == 19


def test_ta_comp_3_how_the_counters_are_divided() -> None:
    assert CATALOGUE.supplies == {
        "hellfire_shell": 3, "melta_bomb": 2, "teleporter_cyst": 3, "acid_blob": 4, "wounded": 3, "artifact": 4,
    }  # fmt: skip
    assert CATALOGUE.counters["artifact"].numbers == (1, 2, 3, 4)
    printed = [kind for kind, counter in CATALOGUE.counters.items() if counter.source == "printed"]
    assert printed == ["hellfire_shell", "melta_bomb"]


def test_ta_comp_9_wounds_alone_are_no_real_supply() -> None:
    assert [kind for kind, counter in CATALOGUE.counters.items() if not counter.limits_play] == ["wounded"]


def test_ta_comp_5_a_d3_is_a_die_halved_and_rounded_up() -> None:
    assert [amount("D3", face) for face in range(1, 7)] == [1, 1, 2, 2, 3, 3]
    assert [amount("D3+1", face) for face in range(1, 7)] == [2, 2, 3, 3, 4, 4]
    assert [amount("D6", face) for face in range(1, 7)] == [1, 2, 3, 4, 5, 6]
    assert [amount(number) for number in ("1", "2", "12")] == [1, 2, 12]
    assert [is_rolled(count) for count in ("2", "D3", "D3+1", "D6")] == [False, True, True, True]


@pytest.mark.parametrize("text", ["", "0", "-1", "D4", "D6+1", "2D6", "d6", "D3 + 1", "1.5", "100", "D6\n"])
def test_ta_comp_5_no_other_count_is_known(text: str) -> None:
    assert not is_count(text)


def test_ta_comp_6_the_six_templates() -> None:
    assert [(objective.number, objective.name) for objective in CATALOGUE.objectives.values()] == [
        (1, "Dermal Sphincter"), (2, "Sensory Cluster"), (3, "Respiratory Vent"), (4, "Teleporter Nexus"),
        (5, "Hive Mind Synapse"), (6, "Energy Cortex"),
    ]  # fmt: skip


def test_ta_comp_7_what_models_carry() -> None:
    assert {id: profile.weapons for id, profile in PROFILES.items() if isinstance(profile.limit, int)} == {
        "scout_sergeant": ("bolt_pistol", "chainsword"), "scout": ("bolt_pistol", "combat_knife"),
        "heavy_scout": ("heavy_bolter", "combat_knife"), "terminator": ("storm_bolter", "power_glove"),
        "terminator_flamer": ("heavy_flamer", "power_glove"), "librarian": ("storm_bolter", "force_axe"),
        "genestealer": ("claws_and_teeth",), "warrior_boneswords": ("boneswords",),
        "warrior_deathspitter": ("deathspitter",), "hybrid_bolter": ("bolter", "claws"),
        "hybrid_plasma": ("plasma_gun", "claws"), "hybrid_chainsword": ("chainsword", "claws"), "acid_blob": ("acid",),
    }  # fmt: skip


def test_names_of_models_begin_with_two_letters_of_their_own() -> None:
    assert {*CODES} == {*PROFILES}
    assert len({*CODES.values()}) == len(CODES) == 24
    assert all(len(code) == 2 and code.isupper() for code in CODES.values())
    assert {CODES[id] for id, profile in PROFILES.items() if profile.side == "marine"} == {
        "SC", "HV", "SG", "TE", "TF", "LI", "MA", "HM", "CO",
    }  # fmt: skip


# The lists

LISTS = {
    "TA-LIST-1": ("scout_sergeant", (8, 4, 12, 2, 0, 2, 1, 2)),
    "TA-LIST-2": ("scout", (8, 4, 12, 2, 0, 2, 0, 1)),
    "TA-LIST-3": ("heavy_scout", (6, 4, 48, 4, 0, 2, 0, 1)),
    "TA-LIST-4": ("terminator", (4, 6, 24, 3, 0, 2, 2, 1)),
    "TA-LIST-5": ("terminator_flamer", (4, 6, 12, 2, 0, 2, 2, 1)),
    "TA-LIST-6": ("librarian", (4, 6, 24, 3, 0, 2, 0, 3)),
    "TA-LIST-7": ("genestealer", (8, 5, 0, 0, 0, 4, 0, 1)),
    "TA-LIST-8": ("warrior_boneswords", (4, 6, 0, 0, 0, 4, 1, 1)),
    "TA-LIST-9": ("warrior_deathspitter", (4, 5, 24, 2, 0, 2, 0, 1)),
    "TA-LIST-10 bolter": ("hybrid_bolter", (6, 2, 12, 2, 0, 2, 0, 1)),
    "TA-LIST-10 plasma": ("hybrid_plasma", (6, 2, 12, 1, 2, 2, 0, 1)),
    "TA-LIST-10 chainsword": ("hybrid_chainsword", (6, 2, 0, 0, 0, 2, 1, 1)),
    "TA-LIST-11": ("acid_blob", (2, 6, 0, 0, 0, 0, 0, 1)),
    "TA-LIST-12": ("commander", (6, 5, 12, 2, 0, 2, 2, 6)),
    "TA-LIST-13": ("marine", (6, 5, 24, 2, 0, 2, 0, 1)),
    "TA-LIST-14": ("heavy_marine", (4, 5, 72, 2, 0, 2, 0, 1)),
    "TA-LIST-15": ("android", (4, 5, 24, 1, 1, 1, 1, 1)),
    "TA-LIST-16": ("chaos_marine", (6, 5, 24, 2, 0, 2, 0, 1)),
    "TA-LIST-17": ("chaos_commander", (6, 5, 24, 3, 0, 3, 0, 3)),
    "TA-LIST-18 chaos heavy": ("chaos_heavy_marine", (4, 5, 48, 4, 0, 2, 0, 1)),
    "TA-LIST-18 thrall": ("brute_thrall", (6, 4, 12, 1, 0, 3, 0, 1)),
    "TA-LIST-18 beast": ("bulwark_beast", (4, 6, 0, 0, 0, 4, 1, 2)),
    "TA-LIST-18 stalker": ("needle_stalker", (8, 4, 12, 2, 0, 3, 0, 1)),
    "TA-DREAD-8": ("dreadnought", (4, 6, 24, 2, 0, 4, 0, 3)),
}


@pytest.mark.parametrize("rule", LISTS)
def test_ta_list_1_to_18_and_ta_dread_8_figures(rule: str) -> None:
    id, wanted = LISTS[rule]
    assert figures(PROFILES[id]) == wanted


def test_ta_list_1_to_18_cover_every_profile() -> None:
    assert sorted(id for id, _ in LISTS.values()) == sorted(PROFILES)


def test_w_1_the_table_of_characteristics() -> None:
    """TA-LIST-2, TA-LIST-8: a Scout is 8, 4, 12, 2D, 2D; a bonesword Warrior 4, 6, no fire, 4D(+1)."""
    scout, warrior = PROFILES["scout"], PROFILES["warrior_boneswords"]
    assert (scout.move, scout.armour, scout.range, scout.fire, scout.hth) == (8, 4, 12, 2, 2)
    assert (warrior.move, warrior.armour, warrior.range, warrior.fire) == (4, 6, 0, 0)
    assert (warrior.hth, warrior.hth_bonus) == (4, 1)
    assert (scout.source, warrior.source, scout.house_fields, warrior.house_fields) == (
        "printed", "printed", (), ("limit",),
    )  # fmt: skip


def test_ta_life_2_models_have_one_life_unless_listed() -> None:
    assert {id: profile.life for id, profile in PROFILES.items() if profile.life > 1} == {
        "scout_sergeant": 2, "librarian": 3, "commander": 6, "chaos_commander": 3, "bulwark_beast": 2, "dreadnought": 3,
    }  # fmt: skip


def test_ta_buy_2_costs() -> None:
    """And the normal party of ten costs exactly 30 points (ruling G-43)."""
    assert {id: profile.cost for id, profile in PROFILES.items() if profile.cost} == {
        "scout": 2, "heavy_scout": 4, "scout_sergeant": 5, "marine": 3, "heavy_marine": 5, "commander": 10,
        "terminator": 5, "terminator_flamer": 5, "librarian": 10,
    }  # fmt: skip
    party = [profile for profile in PROFILES.values() if profile.group == "scout"]
    assert [profile.id for profile in party if profile.sergeant] == ["scout_sergeant"]
    assert sum(profile.count for profile in party) == 10
    assert sum(profile.count * profile.cost for profile in party) == 30


def test_the_additional_list_is_owned_and_used_once() -> None:
    extra = {id: profile for id, profile in PROFILES.items() if profile.group in ("mind_slave", "bio_construct")}
    assert {id: profile.count for id, profile in extra.items()} == {
        "android": 1, "chaos_marine": 2, "chaos_commander": 1, "chaos_heavy_marine": 1, "brute_thrall": 2,
        "bulwark_beast": 1, "needle_stalker": 1, "dreadnought": 1,
    }  # fmt: skip
    assert {profile.limit for profile in extra.values()} == {"collection"}
    assert not any(profile.recycles for profile in extra.values())
    assert [id for id, profile in extra.items() if profile.group == "bio_construct"] == [
        "bulwark_beast", "needle_stalker",
    ]  # fmt: skip


def test_the_standard_list_returns_and_blobs_come_by_cards_alone() -> None:
    returns = {id for id, profile in PROFILES.items() if profile.recycles}
    standard = {id for id, profile in PROFILES.items() if profile.group == "standard"}
    assert returns == standard | {"acid_blob"}
    assert [id for id, profile in PROFILES.items() if profile.card_only] == ["acid_blob"]
    assert PROFILES["acid_blob"].limit == CATALOGUE.supplies["acid_blob"]


# The weapons


def test_ta_weap_1_guns_and_their_traits() -> None:
    assert {id: weapon.traits for id, weapon in WEAPONS.items() if weapon.kind == "shoot"} == {
        "bolt_pistol": ("split",), "boltgun": ("split",), "bolter": ("split",), "storm_bolter": ("split",),
        "heavy_bolter": ("split", "hellfire"), "body_bolters": ("split",), "heavy_flamer": ("blast",),
        "deathspitter": ("blast",), "plasma_gun": ("recharge",), "missile_launcher": (), "doom_blaster": (),
        "needle_spines": ("split",),
    }  # fmt: skip
    assert {id: weapon.blast_dice for id, weapon in WEAPONS.items() if weapon.blast_dice} == {
        "heavy_flamer": 2, "deathspitter": 1,
    }  # fmt: skip


def test_what_may_be_aimed_at_an_empty_square() -> None:
    assert [id for id, weapon in WEAPONS.items() if weapon.may_target_empty] == ["deathspitter", "hellfire_shell"]


def test_ta_weap_3_to_5_and_ta_bio_1_bonuses_hand_to_hand() -> None:
    assert {id: weapon.die_bonus for id, weapon in WEAPONS.items() if weapon.kind == "melee"} == {
        "combat_knife": 0, "chainsword": 1, "power_glove": 2, "power_axe": 2, "force_axe": "D6-1", "boneswords": 1,
        "claws_and_teeth": 0, "claws": 0, "crushing_claws": 1, "acid": 0,
    }  # fmt: skip
    assert PROFILES["warrior_boneswords"].armour == 6 > PROFILES["warrior_deathspitter"].armour == 5


def test_ta_weap_6_the_force_axe_rolls_for_its_bonus() -> None:
    assert WEAPONS["force_axe"].traits == ("psychic",)
    assert [id for id, profile in PROFILES.items() if "force_axe" in profile.weapons] == ["librarian"]


def test_shells_and_bombs_are_as_many_as_their_counters() -> None:
    assert {id: weapon.supply for id, weapon in WEAPONS.items() if weapon.supply} == {
        "melta_bomb": 2, "hellfire_shell": 3,
    }  # fmt: skip
    assert WEAPONS["hellfire_shell"].traits == ("auto_kill_target", "neighbours_killed_on_4")
    assert WEAPONS["melta_bomb"].traits == ("auto_destroy",)


def test_plasma_adds_two_to_its_one_die() -> None:
    assert WEAPONS["plasma_gun"].die_bonus == PROFILES["hybrid_plasma"].fire_bonus == 2
    assert WEAPONS["doom_blaster"].die_bonus == PROFILES["android"].fire_bonus == 1


def test_bonuses_of_weapons_stand_in_the_profiles() -> None:
    """No melee weapon is printed for the Android: its +1 hand to hand is the profile's own."""
    bare = []
    for profile in PROFILES.values():
        carried = [WEAPONS[weapon] for weapon in profile.weapons]
        fire = [weapon.die_bonus for weapon in carried if weapon.kind == "shoot"]
        hth = [weapon.die_bonus for weapon in carried if weapon.kind == "melee" and weapon.die_bonus != "D6-1"]
        assert [profile.fire_bonus] == (fire or [0])
        if hth:
            assert profile.hth_bonus == max(hth)
        elif profile.hth_bonus:
            bare.append(profile.id)
    assert bare == ["android"]


def test_ta_dread_8_heavy_weapons() -> None:
    assert {id: (w.range, w.fire, w.die_bonus, w.traits) for id, w in CATALOGUE.heavies.items()} == {
        "dn_heavy_bolter": (48, 4, 0, ("split",)), "dn_missile_launcher": (72, 2, 0, ("blast",)),
        "dn_plasma_cannon": (24, 2, 2, ("recharge",)), "dn_flame_cannon": (12, 2, 0, ("blast",)),
    }  # fmt: skip
    assert {id: (w.blast_dice, w.may_target_empty) for id, w in CATALOGUE.heavies.items() if w.blast_dice} == {
        "dn_missile_launcher": (1, True), "dn_flame_cannon": (2, False),
    }  # fmt: skip


def test_the_dreadnought_has_three_slots_two_mounts_three_lives() -> None:
    dreadnought = PROFILES["dreadnought"]
    assert (dreadnought.slots, dreadnought.heavy_mounts, dreadnought.life) == (3, 2, 3)
    assert {profile.slots for id, profile in PROFILES.items() if id != "dreadnought"} == {1}
    assert dreadnought.weapons == ("body_bolters",)
