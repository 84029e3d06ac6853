"""Notation: every form of it, what is refused and why, what is no notation, and that it betrays no secret."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from warptape.domain.chance import Fate, Luck
from warptape.domain.doom_of_the_eldar import actions as act
from warptape.domain.doom_of_the_eldar import steps
from warptape.domain.doom_of_the_eldar.ruleset import RULESET
from warptape.domain.doom_of_the_eldar.state import ELDAR, LID, TYRANID, Battle, DoomState, Options
from warptape.domain.doom_of_the_eldar.verbs import ALIASES
from warptape.domain.errors import BadNotation, IllegalAction
from warptape.domain.events import Step
from warptape.domain.referee import Match
from warptape.domain.secrets import SEALED, Secret

SWARMS = {"#01": "TH2", "#02": "SM", "#07": "HM", "#12": "GH1"}
STACKS = {"s1": ("#01", "#02"), "n3": ("#07",), "souls": ("#12",)}
E_MOVE, T_MOVE, ORDER = steps.Movement(side=ELDAR), steps.Movement(side=TYRANID), steps.Order()
SPECIAL, SETUP, RETREAT = steps.Special(), steps.SetUp(), steps.Retreat()
PHASES = {ORDER: "tyranid_movement", T_MOVE: "tyranid_movement", E_MOVE: "eldar_movement", SPECIAL: "eldar_special"}
APART = Options(setup="quickstart", retreat_together="each_chooses")


def at(
    step: Step,
    swarms: Mapping[str, str] = SWARMS,
    stacks: Mapping[str, Sequence[str]] = STACKS,
    *,
    face: Sequence[str] = ("#12",),
    scried: Sequence[str] = (),
    units: Mapping[str, str] | None = None,
    options: Options | None = None,
    battle: str = "",
) -> DoomState:
    """A position of the quick start with these Swarms, the Hordes of `face` face up, at a question."""
    state: DoomState = Match(RULESET, Fate("notation"), options or Options(setup="quickstart")).state.copy()
    state.stacks = {area: list(stack) for area, stack in stacks.items()}
    state.tokens = 12
    state.face = {token: swarms[token] for token in face}
    for token, counter in swarms.items():
        known = (ELDAR, TYRANID) if token in scried else (TYRANID,)
        state.chance.bags[LID].out[token] = counter if token in face else Secret(counter, known)
    for token in [*state.chance.bags[LID].out]:
        if token not in swarms:
            del state.chance.bags[LID].out[token]
    state.order = Secret(3, (TYRANID,))
    state.units.update(units or {})
    state.pending = [step]  # type: ignore[list-item]
    state.phase = PHASES.get(step, state.phase)
    state.battle = Battle(battle, "space", TYRANID, 1) if battle else None
    return state


def seat_of(state: DoomState) -> str:
    decision = RULESET.decision(state)
    assert decision is not None
    return decision.seat


def read(line: str, state: DoomState, seat: str | None = None) -> list[Any]:
    """The actions of a line, typed by the seat that is asked."""
    return list(RULESET.parse(state, seat or seat_of(state), line))


def bad(line: str, state: DoomState, seat: str | None = None) -> BadNotation:
    """What is wrong with a line."""
    with pytest.raises(BadNotation) as caught:
        read(line, state, seat)
    return caught.value


def why(line: str, state: DoomState, seat: str | None = None) -> str:
    """The rule that refuses the first action of a line, or the line; empty when it is legal."""
    seat = seat or seat_of(state)
    try:
        refusal = RULESET.refusal(state, seat, read(line, state, seat)[0])
    except IllegalAction as error:
        return error.refusal.rule
    return refusal.rule or refusal.reason if refusal else ""


# Forms


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("mv WSH1 s1", act.Move("WSH1", "s1")),
        ("  MOVE   wsh1  S1 ", act.Move("WSH1", "s1")),
        ("m WSH1 n1>s6", act.Move("WSH1", "s6")),
        ("mv WSH1 n2>n1>s6", act.Move("WSH1", "s6")),
        ("mv WSH1 n1 > s6", act.Move("WSH1", "s6")),
        ("mv WSH1>n1>s6", act.Move("WSH1", "s6")),
        ("mv WSH1 n1-s6", act.Move("WSH1", "s6")),
        ("mv WSH1 n1->s6", act.Move("WSH1", "s6")),
        ("mv WSH1 n1,s6", act.Move("WSH1", "s6")),
        ("mv WSH1 n1 s6", act.Move("WSH1", "s6")),
        ("mv WSH1 Dreamreach", act.Move("WSH1", "n3")),
        ("mv WRG dreams", act.Move("WRG", "dreams")),
        ("end", act.END),
        ("pass", act.END),
        ("p", act.END),
        ("e", act.END),
    ],
)
def test_the_eldar_move(line: str, action: Any) -> None:
    assert read(line, at(E_MOVE)) == [action]


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("mv #01 n1", act.Move("#01", "n1")),
        ("mv #1 n1", act.Move("#01", "n1")),
        ("mv 01 n1", act.Move("#01", "n1")),
        ("mv 1 n1", act.Move("#01", "n1")),
        ("mv th2 n1", act.Move("#01", "n1")),
        ("mv GH1 shrine", act.Move("#12", "shrine")),
        ("mv 12 shrine", act.Move("#12", "shrine")),
        ("reveal #07", act.ShowSwarm("#07")),
        ("reveal 7", act.ShowSwarm("#07")),
        ("show HM", act.ShowSwarm("#07")),
        ("end", act.END),
        ("pass", act.END),
    ],
)
def test_the_tyranids_move(line: str, action: Any) -> None:
    assert read(line, at(T_MOVE)) == [action]


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("use spear", act.Use("spear")),
        ("use Shrine s1", act.Use("shrine", "s1")),
        ("use shrineofasuryan s1", act.Use("shrine", "s1")),
        ("conv GUA4 WSH2 n3", act.Convert("GUA4", "WSH2", "n3")),
        ("convert gua4 wsh2 N3", act.Convert("GUA4", "WSH2", "n3")),
        ("conv RGH RAI1 dreams", act.Convert("RGH", "RAI1", "dreams")),
        ("end", act.END),
        ("pass", act.END),
    ],
)
def test_special_actions_and_conversions(line: str, action: Any) -> None:
    assert read(line, at(SPECIAL)) == [action]


def test_other_answers() -> None:
    hit, mine = steps.Hit(area="spear"), steps.Mine(token="#02")
    assert read("hit #07", at(hit)) == [act.HitSwarm("#07")]
    assert read("hit 1", at(hit)) == [act.HitSwarm("#01")]
    assert read("hit GH1", at(hit)) == [act.HitSwarm("#12")]
    forge = at(steps.Return(area="souls"), units={"GHO": "destroyed_spacecraft"})
    assert read("place GHO n3", forge) == [act.PlaceUnit("GHO", "n3")]
    ashore = at(mine, stacks={"tears": ("#02",)}, face=("#02",), battle="tears")
    for line in ("det", "det SM", "detonate #02", "det 2"):
        assert read(line, ashore) == [act.Detonate("#02")], line
    for line in ("hold", "pass"):
        assert read(line, ashore) == [act.HOLD], line
    assert read("fight S1", at(steps.Combat(side=ELDAR), units={"WSH1": "s1"})) == [act.Fight("s1")]
    dice = at(steps.Reroll(side=ELDAR), battle="n2")
    assert read("rr", dice) == [act.ROLL_AGAIN]
    assert read("keep", dice) == read("pass", dice) == [act.KEEP]


def test_set_up_lines() -> None:
    state = Match(RULESET, Fate("set up"), Options()).state
    assert read("set tears ASP1 asp2 GUA2", state) == [act.SetUnit(u, "tears") for u in ("ASP1", "ASP2", "GUA2")]
    assert read("set tears ASP1, n2 GHO FAR", state) == [
        act.SetUnit("ASP1", "tears"), act.SetUnit("GHO", "n2"), act.SetUnit("FAR", "n2"),
    ]  # fmt: skip
    assert read("quickstart", state) == [act.QUICKSTART]
    assert bad("pass", state).column == 1
    match = Match(RULESET, Fate("set up"), Options())
    match.act("set tears ASP1 ASP2 GUA2")
    assert [match.state.units[unit] for unit in ("ASP1", "ASP2", "GUA2")] == ["tears"] * 3
    match.act("quickstart")
    match.act("end")
    assert match.state.turn == 1


def test_several_counters_move_along_one_path() -> None:
    assert read("mv WSH1 GHO FAR n1>s6", at(E_MOVE)) == [act.Move(unit, "s6") for unit in ("WSH1", "GHO", "FAR")]
    assert why("mv FAR WSH1 n1>n6>n5>n4", at(E_MOVE)) == "DOE-MOVE-3"


def test_doe_stack_6_several_counters_are_trimmed_in_one_line() -> None:
    """DOE-STACK-6: the area is named, and must be the crowded one."""
    state = at(steps.Trim(side=ELDAR, area="tears"), units={"GUA1": "tears", "GUA3": "tears"})
    assert read("trim tears GUA1 GUA3", state) == [act.Give("GUA1"), act.Give("GUA3")]
    assert read("trim GUA1", state) == [act.Give("GUA1")]
    error = bad("trim shrine GUA1", state)
    assert (error.column, error.suggestion) == (6, "trim tears GUA1")
    hordes = {**SWARMS, "#03": "RW1"}
    landed = at(steps.Trim(side=TYRANID, area="souls"), hordes, {"souls": [*hordes]}, face=[*hordes])
    assert read("trim souls GH1", landed) == read("trim souls #12", landed) == [act.Give("#12")]


def test_several_losses_in_one_line() -> None:
    state = at(steps.Lose(side=ELDAR, count=2), battle="n2")
    assert read("lose NWG1 nwg3", state) == [act.LoseCounter("NWG1"), act.LoseCounter("NWG3")]
    aboard = at(
        steps.Lose(side=TYRANID, count=1), stacks={"souls": ("#01", "#12")}, face=("#01", "#12"), battle="souls"
    )
    assert read("lose GH1", aboard) == read("lose 12", aboard) == [act.LoseCounter("#12")]


@pytest.mark.parametrize(
    ("count", "line", "words"),
    [
        (1, "lose NWG1 NWG3", "only 1 is due here, not 2"),
        (2, "lose NWG1 NWG3 WSH1", "only 2 are due here, not 3"),
    ],
)
def test_doe_loss_1_more_losses_than_are_due(count: int, line: str, words: str) -> None:
    with pytest.raises(IllegalAction) as caught:
        read(line, at(steps.Lose(side=ELDAR, count=count), battle="n2"))
    assert caught.value.refusal.rule == "DOE-LOSS-1"
    assert words in str(caught.value)


def test_doe_space_11_the_fleet_retreats_together() -> None:
    """DOE-SPACE-11: one area for all."""
    state = at(RETREAT, battle="n2")
    assert read("retreat n1", state) == [act.RetreatTo("n1")]
    assert read("stay", state) == read("pass", state) == [act.STAY]
    assert bad("retreat WSH1 n1, FAR s2", state).column == 9


def test_each_unit_retreats_to_its_own_area() -> None:
    """Option `retreat_together`: the units are asked in their order, however they are typed."""
    here = {"n2": ("#01",)}
    state = at(RETREAT, SWARMS, here, face=(), options=APART, battle="n2")
    asked = state.eldar["n2"]
    line = f"retreat {asked[2]} s2, {asked[0]} n1, {asked[1]} n1"
    assert read(line, state) == [
        act.RetreatTo("n1", asked[0]),
        act.RetreatTo("n1", asked[1]),
        act.RetreatTo("s2", asked[2]),
    ]
    assert read(f"retreat {asked[1]} {asked[0]} n1", state) == [act.RetreatTo("n1", unit) for unit in asked[:2]]
    assert read("retreat n1", state) == [act.RetreatTo("n1", unit) for unit in asked]
    scatter = at(steps.Scatter(units=tuple(asked[3:])), SWARMS, here, face=(), options=APART, battle="n2")
    assert read("retreat s1", scatter) == [act.RetreatTo("s1", unit) for unit in asked[3:]]
    for line, column in (("retreat WSH1 n1, WSH1 s2", 18), ("retreat WSH1 FAR", 17), ("retreat n1 WSH1", 9)):
        assert bad(line, state).column == column, line


# The mine


@pytest.mark.parametrize("line", ["mine 5", "MINE 05", "order 5"])
def test_doe_mine_1_an_order_is_given(line: str) -> None:
    assert read(line, at(ORDER)) == [act.GiveOrder(5)]


def test_doe_mine_1_any_other_command_keeps_the_order() -> None:
    state, keep = at(ORDER), act.GiveOrder(3)
    assert read("keep", state) == read("pass", state) == [keep]
    assert read("mv #01 n1", state) == [keep, act.Move("#01", "n1")]
    assert read("mv #01 #02 n1", state) == [keep, act.Move("#01", "n1"), act.Move("#02", "n1")]
    assert read("reveal HM", state) == [keep, act.ShowSwarm("#07")]
    assert read("end", state) == [keep, act.END]
    assert why("mv #01 n4", state) == "DOE-MOVE-4"
    assert why("mv WSH1 n1", state) == "DOE-MOVE-1"
    assert why("reveal #01", state) == "DOE-REVEAL-2"
    assert read("mv #01 n1", state, ELDAR) == [act.Move("#01", "n1")]
    assert read("keep", state, ELDAR) == [act.KEEP]


def test_doe_mine_1_orders_that_cannot_be_given() -> None:
    """DOE-MINE-1: none over 18, none once anything may move, and none by the Eldar, who learn nothing."""
    assert read("mine 19", at(ORDER)) == [act.GiveOrder(19)]
    assert why("mine 19", at(ORDER)) == "DOE-MINE-1"
    assert why("mine 18", at(ORDER)) == ""
    assert why("mine 3", at(T_MOVE)) == "DOE-MINE-1"
    assert why("mine 3", at(steps.Combat(side=TYRANID), stacks={"tears": ("#12",)})) == "DOE-MINE-1"
    assert "for tyranid to decide" in why("mine 3", at(ORDER), ELDAR)
    for line in ("mine", "mine x", "mine -1", "mine 1.5", "mine ３", "mine 3 4", "mine 1000"):
        assert bad(line, at(ORDER)).column >= 5, line


# Paths


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("mv WSH1 n1>s6>s5", ""),
        ("mv WSH1 n3", ""),
        ("mv WSH1 n3>n4", "DOE-MOVE-7"),
        ("mv WSH1 s1>s6", "DOE-MOVE-7"),
        ("mv WSH1 n4", ""),
        ("mv WSH1 n1>s5", "DOE-MOVE-6"),
        ("mv WSH1 n1>n6>n5>n4", "DOE-MOVE-3"),
        ("mv WSH1 souls", "DOE-MOVE-9"),
        ("mv WSH1 tears>n1", "DOE-MOVE-9"),
        ("mv GUA1 shrine>forests", "DOE-MOVE-4"),
        ("mv GUA1 n1>tears", "DOE-MOVE-10"),
        ("mv AVA shrine>forests>dreams", ""),
        ("mv AVA souls>dreams", "DOE-MOVE-7"),
        ("mv FAR tears>spear>n1", ""),
        ("mv RAI1 n1>n2", "DOE-MOVE-1"),
        ("mv #01 n1", "DOE-MOVE-1"),
    ],
)
def test_a_path_of_the_eldar_is_followed_area_by_area(line: str, rule: str) -> None:
    """DOE-MOVE-3, DOE-MOVE-4, DOE-MOVE-6, DOE-MOVE-7, DOE-MOVE-9, DOE-MOVE-10: what is forbidden on the way."""
    assert why(line, at(E_MOVE)) == rule


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("mv #07 dreams", ""),
        ("mv #01 n1>spear", "DOE-MOVE-4"),
        ("mv GH1 n3>dreams", "DOE-MOVE-13"),
        ("mv #07 n2>n1", "DOE-MOVE-7"),
    ],
)
def test_a_path_of_the_tyranids(line: str, rule: str) -> None:
    """DOE-MOVE-4, DOE-MOVE-7, DOE-MOVE-13, DOE-MOVE-17."""
    for step in (T_MOVE, ORDER):
        assert why(line, at(step)) == rule


def test_a_path_is_no_matter_of_those_whose_turn_it_is_not() -> None:
    assert read("mv WSH1 n1>s5", at(T_MOVE), ELDAR) == [act.Move("WSH1", "s5")]
    assert why("mv WSH1 n1>n5", at(SPECIAL)) == "DOE-SEQ-2"


# What is no notation


@pytest.mark.parametrize(
    ("line", "column", "suggestion"),
    [
        ("mvv WSH1 s2", 1, "mv WSH1 s2"),
        ("edn", 1, "end"),
        ("mv", 3, None),
        ("mv WSH1", 8, None),
        ("mv WSHH1 s2", 4, "mv WSH1 s2"),
        ("mv WSH1 dreem", 9, "mv WSH1 dreams"),
        ("mv WSH1 n1>s9", 12, "mv WSH1 n1>s6"),
        ("mv WSH1 n1-s66", 12, "mv WSH1 n1-s6"),
        ("mv #99 n2", 4, None),
        ("mv 0 n2", 4, None),
        ("mv #13 n2", 4, None),
        ("mv XY1 n2", 4, None),
        ("end now", 5, None),
        ("fight", 6, None),
        ("fight n2 n3", 10, None),
        ("lose", 5, None),
        ("trim", 5, None),
        ("trim tears", 11, None),
        ("retreat", 8, None),
        ("det", 4, None),
        ("hit", 4, None),
        ("hit GHO", 5, None),
        ("use", 4, None),
        ("use spear n2", 11, None),
        ("use shrine", 11, None),
        ("use shrine n2 n3", 15, None),
        ("place GHO", 10, None),
        ("place GHO n3 n4", 14, None),
        ("place #01 n3", 7, None),
        ("conv GUA4 WSH2", 15, None),
        ("set tears", 10, None),
        ("set", 4, None),
        ("set ASP1 tears", 5, None),
        ("set tears ASP11", 11, "set tears ASP1"),
        ("set tears ASP1 n2", 18, None),
        ("keep it", 6, None),
        ("7", 1, None),
        ("", 1, None),
        ("   ", 4, None),
    ],
)
def test_a_slip_is_pointed_at_and_the_nearest_line_is_offered(line: str, column: int, suggestion: str | None) -> None:
    error = bad(line, at(E_MOVE))
    assert error.text == line
    assert error.column == column
    if suggestion is not None:
        assert error.suggestion == suggestion
        assert f"Did you mean '{suggestion}'?" in str(error)


def test_the_shrine_needs_no_target_where_there_is_one() -> None:
    state = at(SPECIAL, {"#01": "TH2"}, {"s1": ("#01",)}, face=())
    assert read("use shrine", state) == [act.Use("shrine", "s1")]
    assert bad("use shrine", at(SPECIAL)).column == 11


def test_every_verb_has_its_own_name_among_its_spellings() -> None:
    assert {ALIASES[verb] for verb in ALIASES.values()} == {*ALIASES.values()}
    assert {str(kind.__struct_config__.tag) for kind in RULESET.actions} | {"pass"} == {*ALIASES.values()}


# Secrets


def swapped(**given: Any) -> tuple[DoomState, DoomState]:
    """Two positions that differ only in which Swarm is the Hive Mind and which the Horde."""
    other = {**SWARMS, "#01": "HM", "#07": "TH2"}
    return at(swarms=SWARMS, **given), at(swarms=other, **given)


@pytest.mark.parametrize(
    "line",
    [
        "hit HM",
        "hit TH2",
        "mv HM n2",
        "reveal HM",
        "det SM",
        "lose TH2",
        "hit #07",
        "hti #07",
        "revael #07",
        "mv HM",
        "x",
    ],
)
@pytest.mark.parametrize("step", [steps.Hit(area="spear"), E_MOVE, SPECIAL, T_MOVE, ORDER])
def test_doe_reveal_3_what_the_eldar_are_told_does_not_depend_on_what_is_hidden(step: Step, line: str) -> None:
    """DOE-REVEAL-3: a code of a hidden counter means nothing to the Eldar, and no message or suggestion differs."""
    told = []
    for state in swapped(step=step):
        try:
            told.append(read(line, state, ELDAR))
        except (BadNotation, IllegalAction) as error:
            told.append([str(error), getattr(error, "suggestion", "")])
    assert told[0] == told[1]
    if line in ("hit HM", "mv HM n2", "reveal HM"):
        assert isinstance(told[0][0], str)


def test_what_the_enemy_may_do_is_never_suggested() -> None:
    """DOE-REVEAL-3: of all Swarms only the Hive Mind may be revealed, so the suggestion would give it away."""
    state = at(T_MOVE)
    assert bad("reveal", state).suggestion == "reveal #07"
    assert bad("reveal", state, ELDAR).suggestion == ""


def test_a_scried_swarm_goes_by_its_counter_for_the_eldar_too() -> None:
    """DOE-SPEC-6: what the Shrine showed may be named, and menus say it."""
    hit = steps.Hit(area="spear")
    state = at(hit, scried=("#07",))
    assert read("hit HM", state) == [act.HitSwarm("#07")]
    assert RULESET.describe(state, act.HitSwarm("#07")) == "Destroy Swarm #07 (Hive Mind) at Dreamreach"
    assert RULESET.describe(state, act.HitSwarm("#01")) == "Destroy Swarm #01 at Sector 1"


def test_a_code_means_the_same_to_whoever_may_know_it() -> None:
    state = at(T_MOVE)
    for code, token in (("HM", "#07"), ("TH2", "#01"), ("GH1", "#12")):
        assert read(f"mv {code} n2", state, TYRANID) == [act.Move(token, "n2")]
    assert read("mv GH1 n2", state, ELDAR) == [act.Move("#12", "n2")]
    assert "You know of no RW1" in str(bad("mv RW1 n2", state, TYRANID))
    assert "You know of no RW1" in str(bad("mv RW1 n2", state, ELDAR))


def test_notation_names_no_hidden_counter() -> None:
    """DOE-REVEAL-3: what the Tyranids type by its code stands in the log by its token; a sealed order stays one."""
    state = at(T_MOVE)
    assert RULESET.notation(state, read("mv HM n2", state)[0]) == "mv #07 n2"
    assert RULESET.notation(state, read("mv GH1 shrine", state)[0]) == "mv GH1 shrine"
    assert RULESET.notation(state, act.GiveOrder(SEALED)) == "mine ?"
    assert RULESET.describe(state, act.GiveOrder(SEALED))


def test_words_for_the_eldar_tell_them_no_counter() -> None:
    """DOE-REVEAL-3: in their view no menu and no summary names a hidden counter or the mine's order."""
    state = at(T_MOVE)
    seen = RULESET.view(state, ELDAR)
    assert RULESET.describe(seen, act.Move("#07", "n2")) == "Swarm #07 to Tearsreach (battle)"
    assert "Hive Mind" in RULESET.describe(state, act.Move("#07", "n2"))
    text = repr(RULESET.summarize(seen))
    assert not any(word in text for word in ("HM", "TH2", "SM]", "standing order"))
    owner = dict(RULESET.summarize(state))
    assert owner["Sector 1 (s1)"] == "#01[TH2] #02[SM]"
    assert owner["The mine's standing order"] == "3"


# Words


@pytest.mark.parametrize(
    ("step", "line", "words"),
    [
        (E_MOVE, "mv WSH1 n3", "Wraithship 1 to Dreamreach (battle)"),
        (E_MOVE, "mv WSH1 n1", "Wraithship 1 to Prow Gulf"),
        (E_MOVE, "end", "End the movement"),
        (T_MOVE, "mv GH1 tears", "Genestealer Horde #12 to Fortress of Tears (battle)"),
        (T_MOVE, "mv 7 souls", "Swarm #07 (Hive Mind) to Forge of Lost Souls (lands, battle)"),
        (T_MOVE, "reveal 7", "Reveal Swarm #07 (Hive Mind) at Dreamreach"),
        (ORDER, "mine 0", "In space the Spore Mine never bursts"),
        (ORDER, "mine 3", "In space the Spore Mine bursts where 3 or more Eldar counters are (as now)"),
        (SPECIAL, "end", "End the special actions"),
        (SPECIAL, "use tears", "Fortress of Tears: torpedoes (needs 6)"),
        (SPECIAL, "use souls", "Forge of Lost Souls: repair (needs 4 to 6)"),
        (SPECIAL, "use shrine s1", "Shrine of Asuryan: a vision of Sector 1 (2 Swarms)"),
        (SPECIAL, "conv GUA4 WSH2 n3", "Guardians 4 stand down for Wraithship 2 at Dreamreach"),
        (steps.Return(area="souls"), "place GHO n3", "Ghostdragon to Dreamreach"),
        (steps.Combat(side=ELDAR), "fight souls", "Fight at Forge of Lost Souls: 3 Eldar against 1 Tyranid counter"),
    ],
)
def test_actions_in_words(step: Step, line: str, words: str) -> None:
    state = at(step, units={"GHO": "destroyed_spacecraft"})
    assert RULESET.describe(state, read(line, state)[-1]) == words


def test_a_lone_hive_mind_face_up_is_no_battle() -> None:
    """DOE-COMBAT-5: nor do the words call it one."""
    state = at(E_MOVE, face=("#07", "#12"))
    assert RULESET.describe(state, act.Move("WSH1", "n3")) == "Wraithship 1 to Dreamreach"


def test_a_position_in_rows() -> None:
    state = at(E_MOVE, units={"GHO": "destroyed_spacecraft", "AVA": "out"})
    rows = dict(RULESET.summarize(state))
    assert rows["Forge of Lost Souls (souls)"].startswith("fortified; ")
    assert rows["Forge of Lost Souls (souls)"].endswith("; GH1")
    assert rows["Destroyed spacecraft"] == "GHO"
    assert rows["Points as they stand"].endswith("Tyranids 1")
    assert rows["In the lid"] == "18"
    assert "Sector 6 (s6)" not in rows


# Round trip


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("options", [APART, Options(protoids_in_lid=3)])
def test_every_legal_action_is_read_back_from_its_notation(options: Options, seed: int) -> None:
    match, luck = Match(RULESET, Fate(f"round trip {seed}"), options), Luck("round trip", seed)
    verbs = set()
    for number in range(150):
        decision = match.decision
        if decision is None:
            break
        actions = list(decision.actions)
        lines = [RULESET.notation(match.state, action) for action in actions]
        assert len({*lines}) == len(lines)
        shown = RULESET.view(match.state, decision.seat)
        for place in sorted({luck.below(len(lines)) for _ in range(8)}):
            line, action = lines[place], actions[place]
            assert RULESET.notation(shown, action) == line
            assert list(RULESET.parse(match.state, decision.seat, line)) == [action], line
            assert list(RULESET.parse(shown, decision.seat, f" {line.upper()} ")) == [action], line
            assert RULESET.describe(match.state, action) == RULESET.describe(shown, action) != ""
            verbs.add(line.split()[0])
        if match.state.turn or number < 6:
            match.act(luck.choice(actions))
        else:
            match.act(act.END if act.END in actions else act.QUICKSTART)
    assert {"mine", "mv", "end", "use"} <= verbs
    assert options.setup == "quickstart" or "set" in verbs


def slip(state: DoomState, seat: str, line: str) -> BadNotation | None:
    """What is wrong with a line that may be wrong; a path or an order that the rules refuse is no slip."""
    try:
        RULESET.parse(state, seat, line)
    except BadNotation as error:
        return error
    except IllegalAction:
        return None
    return None


@pytest.mark.parametrize("seed", range(2))
def test_a_suggestion_is_notation_itself(seed: int) -> None:
    """Whatever letter is left out of a legal line: it is another line, or the line suggested can be read."""
    match, luck = Match(RULESET, Fate(f"typo {seed}"), Options(setup="quickstart")), Luck("typo", seed)
    suggested = 0
    for _ in range(80):
        decision = match.decision
        if decision is None:
            break
        line = RULESET.notation(match.state, luck.choice(decision.actions))
        cut = luck.below(len(line))
        typo = line[:cut] + line[cut + 1 :]
        error = slip(match.state, decision.seat, typo)
        if error is not None:
            assert 1 <= error.column <= len(typo) + 1
            if error.suggestion:
                suggested += 1
                assert RULESET.parse(match.state, decision.seat, error.suggestion)
        match.act(luck.choice(decision.actions))
    assert suggested > 5


def test_when_the_game_is_over_nothing_is_legal() -> None:
    state = at(E_MOVE)
    state.pending = []
    for line in ("mv WSH1 n3", "mv WSH1 n1>s5", "end", "mine 3", "use spear", "retreat n1", "keep"):
        refusal = RULESET.refusal(state, ELDAR, read(line, state, ELDAR)[0])
        assert refusal is not None
        assert "over" in refusal.reason
    assert bad("det", state, ELDAR).suggestion == ""
