"""Content of Doom of the Eldar that cannot be played with is refused, with file, line, record and reason."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from wrong_content import Change, Faults

from warptape.domain.doom_of_the_eldar.catalogue import load

TEXTS = dict(load().content.files)


FAULTS = Faults(TEXTS, load)
changed, refusal = FAULTS.changed, FAULTS.refusal


def renamed(file: str, table: str, id: str, new: str, words: str) -> Change:
    return Change(file, f'id = "{id}"', f'"{id}"', f'"{new}"', f"{table} '{new}'", "id", words)


def area(id: str, old: str, new: str, key: str, words: str, at: str = "") -> Change:
    return Change("map.toml", f'id = "{id}"', old, new, f"area '{at or id}'", key, words)


def counter(table: str, id: str, old: str, new: str, key: str, words: str, at: str = "") -> Change:
    file = {"ground": "counters.toml", "ship": "counters.toml", "tyranid": "tyranids.toml"}.get(table, "specials.toml")
    return Change(file, f'id = "{id}"', old, new, f"{table} '{at or id}'", key, words)


def action(id: str, old: str, new: str, key: str, words: str) -> Change:
    table = {"yriel_comes": "trigger"}.get(id, "conversion" if "_to_" in id else "action")
    return Change("actions.toml", f'id = "{id}"', old, new, f"{table} '{id}'", key, words)


def table(anchor: str, old: str, new: str, record: str, key: str, words: str) -> Change:
    return Change("tables.toml", anchor, old, new, record, key, words)


def track(anchor: str, old: str, new: str, record: str, key: str, words: str) -> Change:
    return Change("track.toml", anchor, old, new, record, key, words)


def option(anchor: str, old: str, new: str, record: str, key: str, words: str) -> Change:
    return Change("options.toml", anchor, old, new, record, key, words)


def setup(group: str, old: str, new: str, key: str, words: str) -> Change:
    return Change("setup.toml", f"[{group}]", old, new, group, key, words)


MULTIPLY = '{ do = "multiply_values", targets = ["aspect"], factor = 2, stats = ["attack"], scope = "same_area" }'
DETONATE = (
    '{ do = "detonate", where = "space", window = "round_start", by = "standing_order", default_order = 3, '
    'owner = "tyranid", losses = 1, pick = "eldar", self_to = "lid" }'
)

MAP = [
    renamed("map.toml", "area", "spear", "spear x", "cannot be typed"),
    renamed("map.toml", "area", "n1", "lid", "'lid' is the name of a box"),
    renamed("map.toml", "area", "n1", "warp_gate", "'warp_gate' is the name of a box"),
    area("spear", '"n1"]', '"n9"]', "adjacent", "there is no area 'n9'"),
    area("spear", '"n1"]', '"n2"]', "adjacent", "'n2' does not name it"),
    area("spear", '"n1"]', '"n1", "n1"]', "adjacent", "'n1' is there twice"),
    area("spear", '"n1"]', '"n1", "spear"]', "adjacent", "no neighbour of itself"),
    area("n4", '"n3", ', "", "adjacent", "'n4' does not name it as a neighbour", at="n3"),
    area("s1", "sector = 1", "sector = 2", "sector", "the die gives it 1, not 2"),
    area("n1", "adjacent", "sector = 6\nadjacent", "sector", "the die gives it 0, not 6"),
    Change("map.toml", "[board]", '"s6"]', '"s7"]', "board", "sectors_for_die", "there is no space area 's7'"),
    Change("map.toml", "[board]", '"s6"]', '"tears"]', "board", "sectors_for_die", "there is no space area 'tears'"),
    Change("map.toml", "[board]", ', "s6"]', "]", "board", "sectors_for_die", "there must be six sectors"),
    Change("map.toml", "[board]", '"s6"]', '"s5"]', "board", "sectors_for_die", "there must be six sectors"),
    Change("map.toml", "[board]", "width = 1400", "width = 0", "board", "width", "at least 1, not 0"),
    Change("map.toml", "[board]", "rx = 640", "rx = -1", "board", "rx", "at least 1, not -1"),
    Change("map.toml", "[board]", "cx = 700", "cx = 800", "board", "cx", "beyond the canvas"),
    Change("map.toml", "[board]", "cy = 500", "cy = 450", "board", "cy", "beyond the canvas"),
    area("spear", "[0.22, 0.46]", "[0.46, 0.22]", "ring", "make no wedge"),
    area("spear", "[0.22, 0.46]", "[0.22, 0.22]", "ring", "make no wedge"),
    area("spear", "[0.22, 0.46]", "[nan, 0.46]", "ring", "make no wedge"),
    area("s1", "[0.72, 1.0]", "[0.72, 1.1]", "ring", "make no wedge"),
    area("spear", "[165, 195]", "[195, 165]", "angle", "make no wedge"),
    area("spear", "[165, 195]", "[165, 526]", "angle", "make no wedge"),
    area("spear", "[482, 500]", "[533, 399]", "label", "outside the wedge"),
    area("spear", "[482, 500]", "[700, 500]", "label", "outside the wedge"),
    area("n4", "[1078, 500]", "[322, 500]", "label", "outside the wedge"),
]
COUNTERS = [
    counter("ground", "guardian", "count = 8", "count = 0", "count", "count must be at least 1, not 0"),
    counter("ground", "guardian", "count = 8", "count = 1000", "count", "count may be 999 at most, not 1000"),
    counter("ground", "guardian", "attack = 4", "attack = -4", "attack", "at least 0, not -4"),
    counter("ground", "guardian", "attack = 4", "attack = 10_000", "attack", "attack may be 9999 at most, not 10000"),
    counter("ground", "guardian", "defence = 4", "defence = -1", "defence", "at least 0, not -1"),
    counter("ship", "nightwing", "combat = 4", "combat = -4", "combat", "at least 0, not -4"),
    counter("ship", "nightwing", "move = 3", "move = 0", "move", "at least 1, not 0"),
    counter("special", "avatar", 'move = "any"', "move = 0", "move", "at least 1, not 0"),
    counter("special", "avatar", "destroyed = 1", "destroyed = -1", "vp_to_tyranid_if_destroyed", "at least 0, not -1"),
    counter("tyranid", "horde", "count = 4", "count = -4", "count", "at least 1, not -4"),
    counter("tyranid", "horde", "swarm = 10", "swarm = -10", "swarm", "at least 0, not -10"),
    counter("tyranid", "horde", "swarm = 10", "swarm = 9", "swarm", "every back is alike, so swarm must be 10, not 9"),
    counter("tyranid", "hive_mind", "move_hidden = 1", "move_hidden = -1", "move_hidden", "at least 0, not -1"),
    counter("tyranid", "hive_mind", "move_hidden = 1", "move_hidden = 2", "move_hidden", "moves one area"),
    counter("tyranid", "horde", "count = 4", "count = 400", "count", "the lid may hold 256 counters, not"),
    counter("tyranid", "razorwing", "count = 3", "count = 236", "count", "the lid may hold 256 counters, not 257"),
    counter("tyranid", "protoid", "count = 1", "count = 2", "count", "count must be 1"),
    counter("ground", "guardian", '"Guardians"', '""', "name", "a counter needs a name"),
    counter("ship", "nightwing", '"Nightwing Squadron"', '" "', "name", "a counter needs a name"),
    counter("special", "avatar", '"Avatar"', '""', "name", "a counter needs a name"),
    counter("tyranid", "horde", '"Tyranid Horde"', '""', "name", "a counter needs a name"),
    counter("ground", "guardian", '"GUA"', '"#7"', "code", "'#7' cannot be typed"),
    counter("ground", "guardian", '"GUA"', '""', "code", "cannot be typed"),
    counter("ground", "guardian", '"GUA"', '"ASP"', "code", "'ASP' means 'Aspect Warriors' as well"),
    counter("ground", "guardian", '"GUA"', '"Spear"', "code", "'Spear' means the area 'spear' as well"),
    counter("ground", "tempest", '"TEM"', '"gua8"', "code", "'gua8' means 'Guardians' as well"),
    counter("tyranid", "tyrant", '"HT"', '"exa"', "code", "'exa' means 'Exarch' as well"),
    counter("tyranid", "tyrant", '"HT"', '"AVA"', "code", "'AVA' means 'Avatar' as well"),
    counter("tyranid", "horde", '"TH"', '"PR"', "code", "means 'Protoid' as well"),
    counter("tyranid", "protoid_12", '"PR12"', '"PR3"', "code", "'PR3' means 'Protoid' as well"),
    renamed("tyranids.toml", "tyranid", "horde", "titan", "it shares its id with 'Phantom Titan'"),
    renamed("specials.toml", "special", "avatar", "nightwing", "it shares its id with 'Nightwing Squadron'"),
    renamed("counters.toml", "ship", "nightwing", "titan", "it shares its id with 'Phantom Titan'"),
    renamed("counters.toml", "ship", "nightwing", "any_ship", "'any_ship' stands for several kinds"),
]
TARGETS = 'targets = ["aspect"]'
SPECIALS = [
    counter("tyranid", "horde", "special = false", "special = true", "special", "disagrees on whether it is special"),
    counter("tyranid", "fleshstealer", "special = true", "special = false", "special", "disagrees"),
    counter("tyranid", "fleshstealer", "in_lid = true", "in_lid = false", "special", "disagrees"),
    renamed("specials.toml", "special", "fleshstealer", "fleshthief", "disagrees")._replace(
        record="tyranid 'fleshstealer'", key="special", told="tyranids.toml"
    ),
    counter("special", "avatar", '"triangle"', '"round"', "shape", "the Eldar's are triangles"),
    counter("special", "hive_mind", '"round"', '"triangle"', "shape", "the Tyranids' round"),
    counter("special", "avatar", '"craftworld"', '"as_swarm_or_horde"', "domain", "no counter of the side 'eldar'"),
    counter("special", "protoid", '"as_swarm_or_horde"', '"craftworld"', "domain", "no counter of the side 'tyranid'"),
    counter("special", "fleshstealer", "attack = 8", "attack = 9", "attack", "is '9' here and '8' in tyranids.toml"),
    counter("special", "fleshstealer", "defence = 8", "defence = 9", "defence", "is '9' here and '8' in"),
    counter("special", "fleshstealer", '"FS"', '"SF"', "code", "is 'SF' here and 'FS' in tyranids.toml"),
    counter("special", "fleshstealer", '"Fleshstealer"', '"Thief"', "name", "is 'Thief' here"),
    counter("special", "fleshstealer", "swarm = 10", "swarm = 9", "swarm", "is '9' here and '10' in"),
    counter("special", "fleshstealer", "move = 1", "move = 2", "move", "is '2' here and '1' in"),
    counter("special", "hive_mind", "move_hidden = 1", "move_hidden = 2", "move_hidden", "is '2' here and '1' in"),
    counter("special", "avatar", TARGETS, 'targets = ["aspects"]', "printed_effects", "no Eldar kind 'aspects'"),
    counter("special", "avatar", TARGETS, 'targets = ["horde"]', "printed_effects", "no Eldar kind 'horde'"),
    counter("special", "yriel", '"raider",', '"rider",', "house_effects", "no Eldar kind 'rider'"),
    counter("special", "avatar", "factor = 2", "factor = 0", "printed_effects", "factor must be at least 1, not 0"),
    counter("special", "avatar", "factor = 2", "factor = 100", "printed_effects", "factor may be 99 at most, not 100"),
    counter(
        "special",
        "farseer",
        'do = "grant_reroll", side = "eldar"',
        'do = "grant_reroll", side = "tyranid"',
        "printed_effects",
        "must be its own side's",
    ),
    counter("special", "farseer", '["hive_mind"]', '["hive"]', "printed_effects", "no enemy special counter is called"),
    counter("special", "farseer", '["hive_mind"]', '["avatar"]', "printed_effects", "is called 'avatar'"),
    counter(
        "special",
        "wraithguard",
        "printed_effects = []",
        'printed_effects = [{ do = "invulnerable" }]',
        "printed_effects",
        "no such effect on the side 'eldar'",
    ),
    counter(
        "special",
        "protoid",
        "printed_effects = []",
        f"printed_effects = [{MULTIPLY}]",
        "printed_effects",
        "no such effect on the side 'tyranid'",
    ),
    counter("special", "fleshstealer", "minimum = 8", "minimum = -8", "house_effects", "a minimum of 0 or more"),
    counter(
        "special", "fleshstealer", "minimum = 8", "minimum = 10_000", "house_effects", "minimum may be 9999 at most"
    ),
    counter(
        "special", "protoid", "[24, 24]", "[24, 10_000]", "house_effects", "figures of a stage may be 9999 at most"
    ),
    counter("special", "fleshstealer", '["attack", "defence"]', '["combat"]', "house_effects", "attack and defence"),
    counter("special", "protoid", "[[6, 6],", "[[6, 7],", "house_effects", "must be the counter's own figures"),
    counter("special", "protoid", "[[6, 6], [12, 12], [24, 24]]", "[]", "house_effects", "the counter's own figures"),
    counter("special", "protoid", "[24, 24]", "[24, -24]", "house_effects", "no stage is below 0"),
    counter("special", "protoid", "step = 1", "step = 0", "house_effects", "by 1 stage or more"),
    counter(
        "special", "hive_mind", ', when = "face_up", needs', ", needs", "printed_effects", "when must be 'face_up'"
    ),
    counter("special", "hive_mind", 'le", when = "face_up"', 'le"', "printed_effects", "when must be 'face_up'"),
    counter("special", "hive_mind", 'end", when = "face_up"', 'end"', "house_effects", "when must be 'face_up'"),
    counter("special", "spore_mine", "losses = 1", "losses = 0", "house_effects", "losses must be at least 1, not 0"),
    counter("special", "spore_mine", '"round_start"', '"tyranid_battle_start"', "house_effects", "by standing order"),
    counter("special", "spore_mine", 'by = "choice"', 'by = "standing_order"', "house_effects", "by standing order"),
    counter("special", "spore_mine", "default_order = 3", "default_order = 19", "house_effects", "0 to 18, not 19"),
    counter("special", "spore_mine", "default_order = 3", "default_order = -1", "house_effects", "0 to 18, not -1"),
    counter(
        "special",
        "protoid",
        "printed_effects = []",
        f"printed_effects = [{DETONATE}]",
        "house_effects",
        "only one effect may go by a standing order",
        at="spore_mine",
    ),
]
TABLE = [
    table("[craftworld]", "[1, 1, 1, 2, 3]", "[1, 1, 2, 3]", "craftworld", "ratio_num", "one for each column"),
    table("[craftworld]", "[3, 2, 1, 1, 1]", "[3, 2, 1, 1]", "craftworld", "ratio_den", "one for each column"),
    table("[craftworld]", "[3, 2, 1, 1, 1]", "[3, 2, 0, 1, 1]", "craftworld", "ratio_den", "from 1, not 0"),
    table("[craftworld]", "[1, 1, 1, 2, 3]", "[1, 1, 1, 3, 2]", "craftworld", "ratio_num", "must ascend"),
    table("[craftworld]", "[1, 1, 1, 2, 3]", "[1, 1, 1, 2, 4]", "craftworld", "columns", "'3-1' has the ratio 4-1"),
    table(
        "[craftworld]",
        'defence_zero_column = "3-1"',
        'defence_zero_column = "4-1"',
        "craftworld",
        "defence_zero_column",
        "there is no column '4-1'",
    ),
    table(
        "[craftworld]",
        'attack_zero_column = "1-3"',
        'attack_zero_column = "1-4"',
        "craftworld",
        "attack_zero_column",
        "there is no column '1-4'",
    ),
    table("[craftworld]", "d6 = 6", "d6 = 5", "craftworld.row number 6", "d6", "5 is one too many"),
    table("[craftworld]", "d6 = 6", "d6 = 7", "craftworld.row number 6", "d6", "7 is one too many"),
    table("[craftworld]", '"AD", "BC"]', '"AD"]', "craftworld.row number 1", "results", "there must be 5 cells, not 4"),
    table("[craftworld]", '["1-1"]', '["1-4"]', "craftworld.row number 5", "printed_cells", "no column '1-4'"),
    table(
        "[craftworld.result.BC]",
        "attacker_losses = 1",
        "attacker_losses = -1",
        "craftworld.result.BC",
        "attacker_losses",
        "at least 0, not -1",
    ),
    table("[deep_space]", "[0, 5,", "[1, 5,", "deep_space", "band_low", "must begin at 0"),
    table("[deep_space]", ", 9999]", "]", "deep_space", "band_high", "one for each column"),
    table("[deep_space]", "[4, 9, 14", "[4, 8, 14", "deep_space", "band_high", "the column 5-8 leaves a gap"),
    table("[deep_space]", "[4, 9, 14", "[4, 10, 14", "deep_space", "band_high", "the column 5-10 leaves a gap"),
    table("[deep_space]", ", 9999]", ", 59]", "deep_space", "band_high", "the column 60-59 leaves a gap"),
    table("[deep_space]", "d6 = 1", "d6 = 0", "deep_space.row number 1", "d6", "0 is one too many"),
    table("[deep_space]", "1, 1, 1, 2]", "1, 1, 1]", "deep_space.row number 1", "destroyed", "9 cells, not 8"),
    table("[deep_space]", "1, 1, 1, 2]", "1, 1, 1, -2]", "deep_space.row number 1", "destroyed", "nothing below 0"),
    table("[deep_space]", '["15-19"]', '["15-20"]', "deep_space.row number 4", "printed_cells", "no column '15-20'"),
    table(
        "[deep_space]",
        '["10-14"]    ',
        '["60-9999"]',
        "deep_space.row number 4",
        "printed_minimum_cells",
        "there is no column '60-9999'",
    ),
]
TRACK = [
    track("[track]", "first_box = 0", "first_box = 1", "track", "first_box", "starts in box 0"),
    track("[track]", "auto_end_box = 89", "auto_end_box = 90", "track", "auto_end_box", "a box of the track"),
    track("[track]", "auto_end_box = 89", "auto_end_box = 0", "track", "auto_end_box", "a box of the track"),
    track("[track]", '"destroyed_ground"]', '"grave"]', "track", "destroyed_boxes", "there is no box 'grave'"),
    track("[track]", "id = 3", "id = 4", "row number 4", "id", "this must be 3"),
    track("[track]", "[10, 19]", "[11, 19]", "row number 2", "boxes", "must begin at 10"),
    track("[track]", "[10, 19]", "[10, 18]", "row number 3", "boxes", "must begin at 19"),
    track("[track]", "[10, 19]", "[10, 9]", "row number 2", "boxes", "the boxes 10-9"),
    track("[track]", "[80, 89]", "[80, 88]", "row number 9", "boxes", "must end at box 89, not 88"),
    track("[track]", "last_box = 89", "last_box = 99", "row number 9", "boxes", "must end at box 99, not 89"),
    track("[track]", "[1, 2, 3]", "[1, 3, 2]", "row number 4", "ending_doubles", "of 1 to 6, ascending"),
    track("[track]", "[1, 2, 3]", "[1, 2, 7]", "row number 4", "ending_doubles", "of 1 to 6, ascending"),
    track("[track]", "[1, 2, 3]", "[1, 2, 2]", "row number 4", "ending_doubles", "of 1 to 6, ascending"),
    track("[track]", "eldar_vp = 0", "eldar_vp = -1", "row number 1", "eldar_vp", "at least 0, not -1"),
    option("[rows_of_15]", "[15, 29]", "[16, 29]", "rows_of_15", "boxes", "must begin at 15"),
    option("[rows_of_15]", "[75, 89]", "[75, 88]", "rows_of_15", "boxes", "must end at box 89, not 88"),
    option("[rows_of_15]", "[], [1],", "[], [0],", "rows_of_15", "ending_doubles", "of 1 to 6"),
    option("[rows_of_15]", "[], [1],", "[1],", "rows_of_15", "ending_doubles", "one for each row of boxes"),
    option("[rows_of_15]", "[1, 2, 3, 4, 5, 6]", "[1, 2, 3, 4, 5]", "rows_of_15", "eldar_vp", "one for each row"),
    option("[rows_of_15]", "[1, 2, 3, 4, 5, 6]", "[-1, 2, 3, 4, 5, 6]", "rows_of_15", "eldar_vp", "at least 0"),
]
OPTIONS = [
    renamed("options.toml", "option", "setup", "set_up", "the rules know no option 'set_up'"),
    option('"setup"', '"quickstart"]', '"ready"]', "option 'setup'", "values", 'its values must be "free", "quick'),
    option('"setup"', '"free", ', "", "option 'setup'", "values", "its values must be"),
    option('"setup"', '"free", ', '"free", "free", ', "option 'setup'", "values", "its values must be"),
    option('"protoids_in_lid"', "[1, 3]", '["1", "3"]', "option 'protoids_in_lid'", "values", "must be 1, 3"),
    option('"protoids_in_lid"', "[1, 3]", "[true, 3]", "option 'protoids_in_lid'", "values", "must be 1, 3"),
    option('"eldar_sees_losses"', "[false, true]", "[0, 1]", "option 'eldar_sees_losses'", "values", "be false, true"),
    option('"protoids_in_lid"', "default = 1", "default = true", "option 'protoids_in_lid'", "default", "must be 1"),
    option('"stall_turns"', "default = 6", "default = 4", "option 'stall_turns'", "default", "must be 6"),
    option('"setup"', '"G-2"', '"G-02"', "option 'setup'", "ruling", "'G-02' is no number of a ruling"),
]
ACTIONS = [
    action("barrage", '"spear"', '"spire"', "areas", "there is no Craftworld area 'spire'"),
    action("barrage", '"spear"', '"n1"', "areas", "there is no Craftworld area 'n1'"),
    action("repair", '"souls"', '"souls", "tears"', "areas", "'tears' already has 'barrage'"),
    Change(
        "actions.toml", "[[action]]", '"spear", ', "", "area 'spear'", "action", "no special action lists it"
    )._replace(told="map.toml"),
    area("spear", '"barrage"', '"repair"', "action", "does not give it the action 'repair'"),
    area("n1", "ring", 'action = "barrage"\nring', "action", "does not give it the action 'barrage'"),
    action("barrage", "success = [6]", "success = []", "success", "a die needs faces that succeed"),
    action("scry", 'roll = "none"', 'roll = "none"\nsuccess = [6]', "success", "none without a die"),
    action("barrage", "success = [6]", "success = [7]", "success", "faces are 1 to 6"),
    action("barrage", "success = [6]", "success = [6, 6]", "success", "each once"),
    action(
        "scry",
        'effect = [{ do = "reveal_to", pick = "eldar", where = "one_space_area", viewer = "eldar" }]',
        "effect = []",
        "effect",
        "an action has one effect, not 0",
    ),
    action("barrage", "count = 1", "count = 0", "effect", "count must be at least 1, not 0"),
    action("muster", '"guardian"', '"gardener"', "effect", "no 'gardener' is ever in the box 'destroyed_ground'"),
    action("muster", '"guardian"', '"wraithship"', "effect", "no 'wraithship' is ever in the box"),
    action("muster", '"guardian"', '"any_ship"', "effect", "no 'any_ship' is ever in the box"),
    action("muster", '["guardian", "aspect"]', "[]", "effect", "it returns no kind of unit"),
    action("muster", "any_craftworld", "adjacent_space", "effect", "no space is next to 'forests'"),
    action("repair", "adjacent_space", "any_craftworld", "effect", "'ghostdragon' may not be there"),
    action("repair", '"destroyed_spacecraft"', '"destroyed_ground"', "effect", "no 'any_ship' is ever in"),
    action("yriel_comes", '"RWS2"', '"RWS3"', "effect", "there is no unit 'RWS3'"),
    action("yriel_comes", '"RWS2"', '"RWS1"', "effect", "'RWS1' comes twice"),
    action("yriel_comes", '"RWS2"', '"WSH1"', "effect", "'WSH1' does not start aside"),
    action("yriel_comes", '"RWS2"', '"RWS2", "RAI1"', "effect", "'RAI1' may not be in space"),
    action("yriel_comes", '"RAI1"', '"RAI1", "RWS1"', "effect", "'RWS1' comes twice"),
    action(
        "yriel_comes",
        '"RWS1", "RWS2"], to = "sector_d6", rolls = 1 },',
        '"RWS1"], to = "sector_d6", rolls = 1 },{ do = "enable_pool", units = ["RWS2"], pool = "raider_conversion" },',
        "effect",
        "no conversion takes 'RWS2' from the pool",
    ),
    action("guardian_to_ship", '"wraithship"', '"wreathship"', "take_types", "no Eldar kind 'wreathship'"),
    action("guardian_to_ship", '"wraithship"', '"titan"', "place", "'titan' may not be there: adjacent_space"),
    action("guardian_to_ship", '["destroyed_spacecraft"]', '["destroyed_ground"]', "take_from", "is never in"),
    action("guardian_to_ship", '["destroyed_spacecraft"]', "[]", "take_types", "it takes nothing"),
    action("guardian_to_ship", 'unit = "guardian"', 'unit = "gardener"', "unit", "there is no Eldar kind 'gardener'"),
    action("ship_to_guardian", '"iyanden_ship"', '"guardian"', "unit", "'guardian' converts in another way already"),
    action("ship_to_guardian", 'unit = "iyanden_ship"', 'unit = "any_ship"', "unit", "no Eldar kind 'any_ship'"),
    action("guardian_to_ship", 'to = "destroyed_ground"', 'to = "destroyed_spacecraft"', "unit_to", "to that box"),
    action("ship_to_guardian", 'to = "destroyed_spacecraft"', 'to = "destroyed_ground"', "unit_to", "to that box"),
    counter("ground", "guardian", '"iyanden_ship"', '"raider_ship"', "converts_to", "not convert it to 'raider_ship'"),
    counter("ground", "guardian", '"iyanden_ship"', '"none"', "converts_to", "does not convert it to 'none'"),
    counter("ground", "titan", '"none"', '"guardian"', "converts_to", "does not convert it to 'guardian'"),
    counter("ground", "titan", '"none"', '"nothing"', "converts_to", "does not convert it to 'nothing'"),
    counter("ship", "nightwing", '"guardian"', '"raider"', "converts_to", "does not convert it to 'raider'"),
]
SETUP = [
    setup("limits", "craftworld_stack = 3", "craftworld_stack = 0", "craftworld_stack", "at least 1, not 0"),
    setup("limits", "turns_after_assault = 20", "turns_after_assault = 0", "turns_after_assault", "at least 1, not 0"),
    setup("limits", "space_stack = 0", "space_stack = 9", "space_stack", "it must be 0"),
    setup(
        "limits", "craftworld_stack = 3", "craftworld_stack = 2", "tears", "'tears' holds more than 2 counters"
    )._replace(record="quickstart.ground"),
    setup("quickstart.ground", "spear =", "spire =", "spire", "there is no area 'spire'"),
    setup("quickstart.ground", '"GUA1"', '"GUA9"', "spear", "there is no unit 'GUA9'"),
    setup("quickstart.ground", '"GUA1"', '"GUA2"', "tears", "'GUA2' is placed twice"),
    setup("quickstart.ground", '"GUA1"', '"GUA1", "KNI"', "spear", "'KNI' does not start on the map"),
    setup("quickstart.ground", '"GUA1"', '"GUA1", "YRI"', "spear", "'YRI' does not start on the map"),
    setup("quickstart.ground", "spear =", "n1 =", "n1", "'EXA' may not be in 'n1'"),
    setup("quickstart.ground", '["GUA6"]', '["GUA6", "EXA"]', "shrine", "'EXA' is placed twice"),
    setup("quickstart.if_knights_iyanden", '"KNI"', '"HAR"', "shrine", "'HAR' does not start on the map"),
    setup("quickstart.if_knights_iyanden", "shrine =", "dreams =", "dreams", "'dreams' holds more than 3 counters"),
    setup("quickstart.ships", "n2 =", "souls =", "souls", "'GHO' may not be in 'souls'"),
    setup("quickstart.specials", '"shrine"', '"n2"', "WRG", "'WRG' may not be in 'n2'"),
    setup("quickstart.specials", '"n2"', '"n9"', "FAR", "there is no area 'n9'"),
    setup("quickstart.specials", "FAR =", "FAI =", "FAI", "there is no unit 'FAI'"),
]


@pytest.mark.parametrize(
    "change", [*MAP, *COUNTERS, *SPECIALS, *TABLE, *TRACK, *OPTIONS, *ACTIONS, *SETUP], ids=lambda change: change.words
)
def test_a_fault_is_told_with_its_file_line_and_record(change: Change) -> None:
    FAULTS.told(change)


def without(file: str, pattern: str, new: str = "") -> dict[str, str]:
    """The packaged texts with all that matches replaced in one file."""
    text, times = re.subn(pattern, new, TEXTS[file], flags=re.DOTALL)
    assert times
    return {**TEXTS, file: text}


def cut(keep: Callable[[str, str], bool]) -> dict[str, str]:
    """The packaged texts with those contacts of areas alone."""
    lines, id = [], ""
    for line in TEXTS["map.toml"].split("\n"):
        if line.startswith("id = "):
            id = line.split('"')[1]
        if line.startswith("adjacent = "):
            kept = [f'"{other}"' for other in re.findall(r'"(\w+)"', line) if keep(id, other)]
            lines.append(f"adjacent = [{', '.join(kept)}]")
        else:
            lines.append(line)
    return {**TEXTS, "map.toml": "\n".join(lines)}


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        (without("map.toml", 'kind = "craftworld"', 'kind = "space"'), "map.toml: there is no craftworld area."),
        (without("tyranids.toml", "in_lid = true", "in_lid = false")
         | {"specials.toml": "special = []"}, "tyranids.toml: no counter is in the lid."),
        (without("specials.toml", r"(\[\[special\]\]\s+id = .)(fleshstealer)(.*?)(?=\[\[)", r"\1\2\3\1thief\3"),
         "specials.toml, line 149: special 'thief': tyranids.toml has no such counter."),
        (without("specials.toml", r"\{ do = \"detonate\", where = \"space\".*?\},\s*"),
         "specials.toml: no counter goes by a standing order."),
        (without("tables.toml", r"\[craftworld\.result\.AA\].*?(?=\[craft)"),
         "tables.toml, line 2: craftworld: there is no result 'AA'."),
        (without("tables.toml", r"\[\[craftworld\.row\]\]\s+d6 = 6.*?(?=\[craft)"),
         "tables.toml, line 13: craftworld.row number 1: there is no row for a roll of 6."),
        (without("tables.toml", r"\[\[deep_space\.row\]\]\s+d6 = 2.*?(?=\[\[)"), "there is no row for a roll of 2."),
        (without("options.toml", r'\[\[option\]\]\s+id = "setup".*?(?=\[\[)'),
         "options.toml: it lacks the option 'setup'."),
        (without("setup.toml", ', "GUA1"'), "setup.toml, line 2: quickstart: 'GUA1' is not placed."),
        (without("setup.toml", 'shrine = \\["KNI"\\]'), "setup.toml, line 2: quickstart: 'KNI' is not placed."),
        (without("setup.toml", 'AVA = "tears"'), "setup.toml, line 2: quickstart: 'AVA' is not placed."),
        (without("actions.toml", ', "RWS2"'), "actions.toml: 'RWS2' starts aside, and nothing brings it."),
        (without("actions.toml", "raider_ship_to_ground", "guardian_to_ship"),
         "actions.toml, line 73: conversion 'guardian_to_ship': 'guardian_to_ship' is there twice"),
        (without("actions.toml", "raider_ground_to_ship", "guardian_to_ship"), "'guardian_to_ship' is there twice"),
        (
            without("actions.toml", r"(\[\[trigger\]\].*?)(?=\[\[conv)", r"\1\1"),
            "actions.toml, line 55: trigger 'yriel_comes': 'yriel_comes' is there twice",
        ),
        (
            without("actions.toml", r'do = "reveal_to".*?"eldar" \}', 'do = "destroy_swarm", pick = "eldar", where = "any_space", count = 1 }'),
            "actions.toml, line 49: trigger 'yriel_comes': one area must look upon Swarms",
        ),
        (cut(lambda one, other: {one, other} == {"n1", "spear"} or "spear" not in (one, other)),
         "map.toml, line 59: area 'tears': no path within craftworld leads to it from 'spear'."),
        (cut(lambda one, other: "s2" not in (one, other)), "area 's2': no path within space leads to it from 'n1'."),
        (cut(lambda one, other: (one[1:].isdigit()) == (other[1:].isdigit())), "area 'n1': no path leads to it."),
        (
            {
                file: text.replace('"tears"', '"Spear"').replace("\ntears =", "\nSpear =")
                for file, text in TEXTS.items()
            },
            "map.toml, line 54: area 'Spear': 'Spear' means the area 'spear' as well.",
        ),
        ({**TEXTS, "track.toml": "row = []\n" + TEXTS["track.toml"].partition("[[row]]")[0]},
         "track.toml: the track has no rows."),
    ],
)  # fmt: skip
def test_what_more_than_one_line_or_none_causes_is_told(texts: dict[str, str], words: str) -> None:
    message = refusal(texts)
    assert words in message
