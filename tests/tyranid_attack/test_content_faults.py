"""Content of Tyranid Attack that cannot be played with is refused, with file, line, record and reason."""

from __future__ import annotations

import re

import pytest
from wrong_content import Change, Faults

from warptape.domain.tyranid_attack.catalogue import load

TEXTS = dict(load().content.files)
CARDS, ORDERS, OBJECTIVES = "exploration.toml", "orders.toml", "objectives.toml"


FAULTS = Faults(TEXTS, load)
changed, refusal = FAULTS.changed, FAULTS.refusal


def record(file: str, table: str, id: str, old: str, new: str, key: str, words: str, at: str = "") -> Change:
    return Change(file, f'id = "{id}"', old, new, f"{table} '{at or id}'", key, words)


def section(id: str, old: str, new: str, key: str, words: str, at: str = "") -> Change:
    return record("sections.toml", "section", id, old, new, key, words, at)


def shape(old: str, new: str, key: str, words: str) -> Change:
    return Change("sections.toml", "[geometry]", old, new, "geometry", key, words)


def model(id: str, old: str, new: str, key: str, words: str, at: str = "") -> Change:
    return record("models.toml", "model", id, old, new, key, words, at)


def weapon(id: str, old: str, new: str, key: str, words: str) -> Change:
    return record("weapons.toml", "weapon", id, old, new, key, words)


def heavy(id: str, old: str, new: str, key: str, words: str, at: str = "") -> Change:
    return record("weapons.toml", "dreadnought_heavy", id, old, new, key, words, at)


def counter(id: str, old: str, new: str, key: str, words: str, at: str = "") -> Change:
    return record("counters.toml", "counter", id, old, new, key, words, at)


def card(id: str, old: str, new: str, key: str, words: str, at: str = "") -> Change:
    return record(CARDS, "card", id, old, new, key, words, at)


def artifact(name: str, old: str, new: str, key: str, words: str) -> Change:
    number = ("Power Blade", "Warding Field", "Grav Harness", "Combi-Weapon").index(name.strip()) + 1
    return Change(CARDS, f"[[artifact]]\nnumber = {number}", old, new, f"artifact '{name}'", key, words)


def order(id: str, old: str, new: str, key: str, words: str, at: str = "") -> Change:
    return record(ORDERS, "order", id, old, new, key, words, at)


def objective(id: str, old: str, new: str, key: str, words: str, at: str = "") -> Change:
    return record(OBJECTIVES, "objective", id, old, new, key, words, at)


def tile(id: str, old: str, new: str, key: str, words: str) -> Change:
    return record(OBJECTIVES, "location_tile", id, old, new, key, words)


BOARDS = [
    section("SEC-2", '"SEC-2"', '"SEC-1"', "id", "'SEC-1' is there twice", at="SEC-1"),
    section("SEC-2", "number = 2", "number = 1", "id", "'1' is there twice"),
    section("SEC-6", "number = 6", "number = 7", "number", "sections are numbered 1 to 6, not 7"),
    section("SEC-2", "OBJ-2", "OBJ-3", "objective", "must be 'OBJ-2'"),
    section("SEC-2", "##...........##\n", "", "grid", "must be 11 rows of 15 marks"),
    section("SEC-2", "##...........##\n", "##...........#\n", "grid", "must be 11 rows of 15 marks"),
    section("SEC-2", "##...........##", "##...,.......##", "grid", "f3: ',' is no mark of a grid"),
    section("SEC-2", "##...........##", "##...+.......##", "grid", "f3: there is no entrance"),
    section("SEC-2", "####+#####+####", "#####+####+####", "grid", "e1: there must be an entrance, not '#'"),
    section("SEC-2", "####+#####+####", "####.#####+####", "grid", "e1: there must be an entrance, not '.'"),
    section("SEC-2", "####+#####+####", "####+.####+####", "grid", "f1: the edge must be wall, not '.'"),
    section("SEC-2", "##...........##\n#", "##...........##\n.", "grid", "a4: the edge must be wall, not '.'"),
    section("SEC-4", "#.###.....###.#\n#.#", "###############\n###", "grid", "cannot be reached from a6"),
    # b4 meets the rest in corners alone
    section(
        "SEC-2",
        "#...#..#..#...#\n#.............#",
        "#.#.#..#..#...#\n##............#",
        "grid",
        "b4 cannot be reached from a6 with sealed corners",
    ),
    shape("columns = 15", "columns = 16", "columns", "columns must be 15"),
    shape("rows = 11 ", "rows = 10 ", "rows", "rows must be 11"),
    shape("pitch_x = 14", "pitch_x = 15", "pitch_x", "pitch_x must be 14"),
    shape("pitch_y = 10", "pitch_y = 11", "pitch_y", "pitch_y must be 10"),
    shape("[0, 180]", "[0, 90]", "rotations", "rotations must be [0, 180]"),
    shape("[4, 10]", "[4]", "long_side_entrances", "there must be 2 on each such side"),
    shape("[4, 10]", "[4, 4]", "long_side_entrances", "there must be 2 on each such side"),
    shape("[4, 10]", "[0, 14]", "long_side_entrances", "between the corners"),
    shape("[4, 10]", "[4, 11]", "long_side_entrances", "must meet when a section is turned"),
    shape("[5]", "[4]", "short_side_entrances", "must meet when a section is turned"),
    objective("OBJ-2", "number = 2", "number = 3", "id", "its id must be 'OBJ-3'"),
    objective("OBJ-6", 'OBJ-6"\nnumber = 6', 'OBJ-7"\nnumber = 7', "number", "numbered 1 to 6, not 7", at="OBJ-7"),
    objective("OBJ-2", '"OBJ-2"', '"OBJ-1"', "id", "'OBJ-1' is there twice", at="OBJ-1"),
    objective("OBJ-1", "[3, 2]", "[3, 0]", "size", "at least one square"),
    tile("LOC-2", "section = 2", "section = 7", "section", "there is no section 7"),
    tile("LOC-2", "OBJ-2", "OBJ-3", "objective", "the objective of section 2 is 'OBJ-2'"),
    tile(
        "LOC-2",
        'section = 2\nobjective = "OBJ-2"',
        'section = 1\nobjective = "OBJ-1"',
        "section",
        "of section 1 already",
    ),
]
WEAPONS = [
    counter("CTR-MELTA", '"CTR-MELTA"', '"CTR-HELLFIRE"', "id", "'CTR-HELLFIRE' is there twice", at="CTR-HELLFIRE"),
    counter("CTR-BLOB", '"acid_blob"', '"melta_bomb"', "id", "'melta_bomb' is there twice"),
    counter("CTR-WOUND", "count = 3", "count = 0", "count", "count must be at least 1, not 0"),
    counter("CTR-WOUND", "count = 3", "count = 3\nnumbers = [1]", "numbers", "its numbers must be []"),
    counter("CTR-ARTIFACT", "[1, 2, 3, 4]", "[1, 2, 3, 5]", "numbers", "its numbers must be [1, 2, 3, 4]"),
    counter("CTR-WOUND", "play = false", "play = true", "limits_play", "all but wounds are a real supply"),
    counter("CTR-BLOB", "play = true", "play = false", "limits_play", "all but wounds are a real supply"),
    weapon("chainsword", "die_bonus = 1", 'die_bonus = 1\ntraits = ["split"]', "traits", "'melee' cannot have"),
    weapon("boltgun", '["split"]', '["acid"]', "traits", "'shoot' cannot have the trait 'acid'"),
    weapon("force_axe", '["psychic"]', "[]", "die_bonus", "'psychic' go together"),
    weapon("force_axe", '"D6-1"', "1", "die_bonus", "'psychic' go together"),
    weapon("chainsword", "die_bonus = 1", "die_bonus = -1", "die_bonus", "at least 0, not -1"),
    weapon("melta_bomb", "supply = 2", "supply = 2\ndie_bonus = 1", "die_bonus", "no dice that a bonus"),
    weapon("acid", "melee", "placed", "traits", "cannot have the trait 'acid'"),
    weapon("combat_knife", "melee", "placed", "kind", "melta_bomb alone is placed"),
    weapon("melta_bomb", '"auto_destroy"', "", "traits", "it must have the traits auto_destroy"),
    weapon("hellfire_shell", ', "neighbours_killed_on_4"', "", "traits", "auto_kill_target, neighbours_killed_on_4"),
    weapon("melta_bomb", "supply = 2", "supply = 3", "supply", "there are 2 counters of it, not 3"),
    weapon("plasma_gun", "die_bonus = 2", "die_bonus = 2\nsupply = 1", "supply", "there are 0 counters of it, not 1"),
    weapon("deathspitter", '["blast"]', '["blast", "split"]', "traits", "the dice of a blast cannot be split"),
    weapon("deathspitter", "blast_dice = 1", "blast_dice = 0", "blast_dice", "only if, it has the trait 'blast'"),
    weapon("boltgun", '["split"]', "[]\nblast_dice = 1", "blast_dice", "only if, it has the trait 'blast'"),
    weapon("boltgun", '["split"]', "[]\nmay_target_empty = true", "may_target_empty", "what reaches the neighbours"),
    heavy("dn_flame_cannon", '"dn_flame_cannon"', '"heavy_flamer"', "id", "a name of its own", at="heavy_flamer"),
    heavy("dn_flame_cannon", '"dn_flame_cannon"', '"DN flame"', "id", "'DN flame' cannot be typed", at="DN flame"),
    heavy("dn_flame_cannon", "range = 12", "range = 0", "range", "range must be at least 1, not 0"),
    heavy("dn_flame_cannon", "fire = 2", "fire = 0", "fire", "fire must be at least 1, not 0"),
    heavy("dn_flame_cannon", "die_bonus = 0", "die_bonus = -1", "die_bonus", "at least 0, not -1"),
    heavy("dn_heavy_bolter", '["split"]', '["hellfire"]', "traits", "cannot have the trait 'hellfire'"),
    heavy("dn_heavy_bolter", '["split"]', '["acid"]', "traits", "cannot have the trait 'acid'"),
    heavy("dn_flame_cannon", "blast_dice = 2", "blast_dice = 0", "blast_dice", "only if, it has the trait 'blast'"),
    heavy("dn_heavy_bolter", "fire = 4", "fire = 4\nmay_target_empty = true", "may_target_empty", "what reaches"),
]  # fmt: skip
MODELS = [
    model("scout", '"scout"', '"recruit"', "id", "the rules know no model 'recruit'", at="recruit"),
    model("android", '"android"', '"scout"', "id", "'scout' is there twice", at="scout"),
    model("scout", "move = 8", "move = 0", "move", "move must be at least 1, not 0"),
    model("scout", "armour = 4", "armour = 1", "armour", "armour must be at least 2, not 1"),
    model("scout", "armour = 4", "armour = 7", "armour", "armour must be at most 6, not 7"),
    model("genestealer", "range = 0", "range = -1", "range", "range must be at least 0, not -1"),
    model("scout", "life = 1", "life = 0", "life", "life must be at least 1, not 0"),
    model("scout", "cost = 2", "cost = -2", "cost", "cost must be at least 0, not -2"),
    model("genestealer", "slots = 1", "slots = 0", "slots", "slots must be at least 1, not 0"),
    model("librarian", '["move",', '["speed",', "house_fields", "there is no field 'speed'"),
    model("genestealer", "limit = 8", "limit = -8", "limit", "limit must be at least 0, not -8"),
    model("genestealer", "limit = 8", "limit = 8\ndefault_limit = 8", "default_limit", "of a collection alone"),
    model("android", "default_limit = 1", "default_limit = 0", "default_limit", "default_limit of at least 1"),
    model("android", 'limit = "collection"\ndefault_limit = 1', "limit = 1", "limit", "of the additional list"),
    model("genestealer", "limit = 8", 'limit = "collection"\ndefault_limit = 8', "limit", "of the additional list"),
    model("scout", '"combat_knife"', '"spear"', "weapons", "there is no weapon 'spear'"),
    model("scout", '"combat_knife"', '"melta_bomb"', "weapons", "no weapon 'melta_bomb' to shoot or fight with"),
    model("scout", '"combat_knife"', '"boltgun"', "weapons", "one gun, not of several"),
    model("scout", "fire = 2", "fire = 0", "fire", "fire must be above 0 for a model with a gun"),
    model("scout", "range = 12", "range = 0", "range", "range must be above 0 for a model with a gun"),
    model("genestealer", "fire = 0", "fire = 1", "fire", "0 for one without"),
    model("hybrid_plasma", "fire_bonus = 2", "fire_bonus = 1", "fire_bonus", "its gun gives 2, not 1"),
    model("scout_sergeant", "hth_bonus = 1", "hth_bonus = 2", "hth_bonus", "its weapons give 1, not 2"),
    model("librarian", "hth_bonus = 0", "hth_bonus = 2", "hth_bonus", "its weapons give 0, not 2"),
    model("genestealer", '"claws_and_teeth"', '"acid"', "weapons", "acid is the weapon of blobs"),
    model("acid_blob", '["acid"]', '["claws"]', "weapons", "acid is the weapon of blobs"),
    model("acid_blob", "hth = 0", "hth = 2", "hth", "hth must be 0 for a blob"),
    model("genestealer", "hth = 4", "hth = 0", "hth", "above 0 for all others"),
    model("genestealer", '"claws_and_teeth"', '"force_axe"', "weapons", "the force axe on Marines alone"),
    model("scout", '"scout"\nsergeant', '"standard"\nsergeant', "group", "'marine' has no group 'standard'"),
    model("genestealer", '"standard"', '"scout"', "group", "'tyranid' has no group 'scout'"),
    model("genestealer", "slots = 1", "slots = 1\nsergeant = true", "sergeant", "Sergeants are Marines"),
    model("marine", "cost = 3", "cost = 0", "cost", "above 0 for a Marine"),
    model("genestealer", "slots = 1", "slots = 1\ncost = 3", "cost", "0 for a Tyranid"),
    model("marine", "cost = 3", "cost = 3\nslots = 2", "slots", "a Marine counts as one model"),
    model("genestealer", "recycles = true", "recycles = false", "recycles", "return to the pool, and nothing else"),
    model("android", "recycles = false", "recycles = true", "recycles", "return to the pool, and nothing else"),
    model("genestealer", "recycles = true", "recycles = true\ncard_only = true", "card_only", "come only by cards"),
    model("acid_blob", "limit = 4", "limit = 5", "limit", "there are 4 counters of blobs"),
    model("dreadnought", "heavy_mounts = 2", "heavy_mounts = 1", "heavy_mounts", "it has 2 heavy weapons, not 1"),
    model("android", "slots = 1", "slots = 1\nheavy_mounts = 2", "heavy_mounts", "it has 0 heavy weapons, not 2"),
    model("dreadnought", "life = 3", "life = 2", "life", "so life must be 3"),
    model("warrior_boneswords", "limit = 3", "limit = 4", "limit", "must be 6 together, not 7"),
    model("hybrid_plasma", "limit = 1", "limit = 2", "limit", "must be 2 together, not 3", at="hybrid_bolter"),
    model("terminator", "limit = 3", "limit = 2", "limit", "must be 4 together, not 3"),
]
EFFECTS = [
    card("EX-02", '"EX-02"', '"EX-01"', "id", "'EX-01' is there twice", at="EX-01"),
    card("EX-01", '[{ do = "nothing" }]', "[]", "effects", "must do that and nothing else"),
    card("EX-02", '"encounter"', '"cysts"', "effects", "'cysts' must do that and nothing else"),
    card("EX-02", '"discard"', '"remove"', "after", "'encounter' must be 'discard'"),
    card("EX-14", '"remove"', '"discard"', "after", "'allies' must be 'remove'"),
    card("EX-10", "number = 1", "number = 2", "effects", "its own artifact, once"),
    card("EX-01", "source", "artifact = 1\nsource", "effects", "its own artifact, once"),
    artifact("Power Blade", '"EX-10"', '"EX-99"', "card", "no card 'EX-99' of artifact 1"),
    artifact("Power Blade", '"EX-10"', '"EX-12"', "card", "no card 'EX-12' of artifact 1"),
    artifact("Warding Field", "number = 2", "number = 1", "id", "'1' is there twice"),
    card("EX-02", '"D3"', '"D4"', "effects", "'D4' is no count"),
    card("EX-04", '"2"', '"0"', "effects", "'0' is no count"),
    card("EX-07", '"2"', '"two"', "effects", "'two' is no count"),
    card("EX-02", "min_distance = 2", "min_distance = -1", "effects", "min_distance must be at least 0, not -1"),
    card("EX-08", "min_distance = 0", "min_distance = -1", "effects", "min_distance must be at least 0, not -1"),
    card("EX-02", 'kinds = "any"', "kinds = []", "effects", "it names no kind of model"),
    card("EX-02", 'kinds = "any"', 'kinds = ["scout"]', "effects", "no model 'scout' of the side 'tyranid'"),
    card("EX-02", 'kinds = "any"', 'kinds = ["acid_blob"]', "effects", "no model 'acid_blob' of the side 'tyranid'"),
    card("EX-02", 'kinds = "any"', 'kinds = ["lictor"]', "effects", "no model 'lictor' of the side 'tyranid'"),
    card("EX-15", '["librarian"]', '["genestealer"]', "effects", "no model 'genestealer' of the side 'marine'"),
    card("EX-15", '["librarian"]', '["scout"]', "effects", "'scout' is no Terminator"),
    card("EX-15", '["librarian"]', '["librarian", "librarian"]', "effects", "only 1 models of librarian, not 2"),
    card("EX-14", '["terminator", ', '["terminator", "terminator", ', "effects", "only 4 models of terminator,"),
    card("EX-16", "dice = 1", "dice = 0", "effects", "dice must be at least 1, not 0"),
    artifact("Combi-Weapon", "amount = 2", "amount = 0", "effect", "amount must be at least 1, not 0"),
    artifact("Warding Field", "maximum = 6", "maximum = 7", "effect", "maximum must be 2 to 6, not 7"),
    artifact("Power Blade ", '"Power Blade"', '"Power Blade "', "name", "its card calls it 'Power Blade'"),
    order("ORD-1", '"double"', '"at double"', "key", "'at double' cannot be typed"),
    order("ORD-1", '"double"', '"Double"', "key", "'Double' cannot be typed"),
    order("ORD-2", '"sustained"', '"double"', "id", "'double' is there twice"),
    order("ORD-2", '"ORD-2"', '"ORD-1"', "id", "'ORD-1' is there twice", at="ORD-1"),
    order("ORD-1", '[{ do = "order_moves", count = 2 }]', "[]", "effects", "do something, each thing once"),
    order("ORD-4", '"order_shot_bonus", amount = 1', '"order_split_move"', "effects", "do something, each thing once"),
    order("ORD-1", "count = 2", "count = 1", "effects", "count must be at least 2, not 1"),
    order("ORD-2", "count = 2", "count = 1", "effects", "count must be at least 2, not 1"),
    order("ORD-2", "unmoved = true", "unmoved = false", "effects", "only_if_unmoved must be true"),
    order("ORD-3", "amount = 2", "amount = 0", "effects", "amount must be at least 1, not 0"),
    order("ORD-4", "amount = 1", "amount = 0", "effects", "amount must be at least 1, not 0"),
    objective("OBJ-4", '[{ do = "after_destroy_close_cysts" }]', "[]", "effect", "do something, each thing once"),
    objective("OBJ-1", "need = 4", "need = 7", "effect", "need must be a face of a die, not 7"),
    objective("OBJ-2", "need = 4", "need = 0", "effect", "need must be a face of a die, not 0"),
    objective("OBJ-6", "on = 1", "on = 0", "effect", "on must be a face of a die, not 0"),
    objective("OBJ-6", "within = 6", "within = 0", "effect", "within must be at least 1, not 0"),
    objective("OBJ-1", '"D6"', '"D3"', "effect", "count must be 'D6', the face of one die, not 'D3'"),
    objective("OBJ-5", "amount = -1", "amount = 1", "effect", "amount must be -6 to -1, not 1"),
]
ALL = [*BOARDS, *WEAPONS, *MODELS, *EFFECTS]


@pytest.mark.parametrize("change", ALL, ids=lambda change: f"{change.record} {change.words}")
def test_a_fault_is_told_with_its_file_line_and_record(change: Change) -> None:
    FAULTS.told(change)


def test_a_template_without_a_place_is_told_at_its_section() -> None:
    message = refusal(changed(OBJECTIVES, 'id = "OBJ-1"', "[3, 2]", "[9, 9]"))
    assert re.fullmatch(
        r"sections\.toml, line \d+: section 'SEC-1': there is no place for the template of OBJ-1, 9 by 9 squares\.",
        message,
    )


def cut(file: str, table: str, number: int) -> dict[str, str]:
    """The packaged texts without one record (from 0) of a table of a file."""
    text = TEXTS[file]
    parts = re.split(rf"(?m)^(?=\[\[{table}\]\])", text)
    rest = re.split(r"(?m)^(?=\[\[)", parts[number + 1], maxsplit=2)
    return {**TEXTS, file: "".join([*parts[: number + 1], *rest[2:], *parts[number + 2 :]])}


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        (cut("sections.toml", "section", 5), "sections.toml: there must be 6 records of section, not 5."),
        (cut(OBJECTIVES, "objective", 1), "objectives.toml: there must be 6 records of objective, not 5."),
        (cut(OBJECTIVES, "location_tile", 0), "objectives.toml: there must be 6 records of location_tile, not 5."),
        (changed("sections.toml", "[legend]", '"." = "floor"', ""), "legend: it must explain # . + and no other mark."),
        (cut("counters.toml", "counter", 2), "counters.toml: there are no counters of the kind 'teleporter_cyst'."),
        (changed("counters.toml", "total", "19", "18"), "there must be 19 counters; total says 18, they are 19."),
        (changed("counters.toml", "CTR-CYST", "count = 3", "count = 4"), "total says 19, they are 20."),
        (cut("weapons.toml", "weapon", 22), "weapons.toml: there is no weapon 'melta_bomb'."),
        (cut("weapons.toml", "weapon", 23), "weapons.toml: there is no weapon 'hellfire_shell'."),
        ({**TEXTS, "weapons.toml": TEXTS["weapons.toml"].partition("[[dreadnought_heavy]]")[0]
          .replace("schema", "dreadnought_heavy = []\nschema", 1)},
         "weapons.toml: there is no heavy weapon for the Dreadnought."),
        (cut("models.toml", "model", 8), "models.toml: there is no model 'commander'."),
        (changed("models.toml", 'id = "scout"', "limit = 6", "limit = 5"), "there must be 10 Scouts, not 9."),
        (changed("models.toml", 'id = "scout"', "cost = 2", "cost = 3"), "the 10 Scouts must cost 30 points, not 36."),
        (cut(CARDS, "card", 0), "exploration.toml: there must be 16 cards; deck_size says 16, they are 15."),
        (changed(CARDS, "deck_size", "16", "15"), "there must be 16 cards; deck_size says 15, they are 16."),
        (cut(CARDS, "artifact", 1), "exploration.toml: there must be artifacts with the numbers [1, 2, 3, 4]."),
        (changed(CARDS, "EX-01", TEXTS[CARDS].partition('id = "EX-01"')[2].split("\n[[")[0], '''
name = "Still Air"
category = "artifact"
artifact = 2
source = "house"
text = ""
after = "keep"
effects = [{ do = "find_artifact", number = 2 }]
'''), "card 'EX-01': artifact 2 does not name this card."),
        (cut(ORDERS, "order", 2), "orders.toml: there must be 4 order cards, not 3."),
        (changed(OBJECTIVES, "armour", "6", "7"), "objectives.toml: armour must be 2 to 6, not 7."),
        (changed(OBJECTIVES, "needed", "4", "7"), "objectives.toml: needed_to_win must be 1 to 6, not 7."),
        (changed(OBJECTIVES, "defenders", "D6", "3"), "objectives.toml: defenders must be 'D6'"),
        ({**TEXTS, "maps.toml": ""}, "maps.toml is no file of this game."),
        ({file: text for file, text in TEXTS.items() if file != ORDERS}, "The content lacks the file orders.toml."),
        (changed(ORDERS, "game", "tyranid-attack", "chess"), "orders.toml: "),
        (changed(CARDS, "EX-01", 'do = "nothing"', 'do = "dance"'), "card 'EX-01': "),
        (changed(CARDS, "EX-02", 'zone = "explored"', 'zone = "rear"'), "card 'EX-02': "),
    ],
)  # fmt: skip
def test_what_no_line_or_more_than_one_causes_is_told(texts: dict[str, str], words: str) -> None:
    assert words in refusal(texts)


def edited(id: str, *pairs: tuple[str, str]) -> dict[str, str]:
    """The packaged texts with several replacements in one profile."""
    head, tail = TEXTS["models.toml"].split(f'id = "{id}"')
    body, mark, rest = tail.partition("\n[[")
    for old, new in pairs:
        assert old in body
        body = body.replace(old, new, 1)
    return {**TEXTS, "models.toml": f'{head}id = "{id}"{body}{mark}{rest}'}


def test_only_the_blob_is_of_the_group_of_blobs() -> None:
    texts = edited(
        "genestealer", ('"standard"', '"blob"'), ("claws_and_teeth", "acid"), ("hth = 4", "hth = 0"),
        ("recycles = true", "recycles = true\ncard_only = true"),
    )  # fmt: skip
    assert "model 'genestealer': acid_blob is the only blob." in refusal(texts)


def test_the_dreadnought_cannot_be_of_the_standard_list() -> None:
    texts = edited(
        "dreadnought", ('"mind_slave"', '"standard"'), ('limit = "collection"\ndefault_limit = 1', "limit = 1"),
        ("recycles = false", "recycles = true"),
    )  # fmt: skip
    assert "model 'dreadnought': the Dreadnought is of the additional list." in refusal(texts)


def test_a_deck_that_could_not_be_made_anew_is_refused() -> None:
    """TA-EXPL-17: one of the cards that come back lies face down when the deck runs out."""
    text = TEXTS[CARDS]
    for number in ("02", "03", "04", "05", "06", "07", "08", "09", "16"):
        place = text.index(f'id = "EX-{number}"')
        part = text[place:].split("\n[[")[0]
        kept = re.sub(r'category = ".*?"', 'category = "allies"', part).replace('"discard"', '"remove"')
        kept = re.sub(
            r"effects = .*", 'effects = [{ do = "place_marines", kinds = ["librarian"], may_act = true }]', kept
        )
        text = text.replace(part, kept)
    assert "at least 2 cards must be discarded" in refusal({**TEXTS, CARDS: text})
