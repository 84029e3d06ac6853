"""One to four people share the squad: who plays which Marine, who did what, and that a report names nobody.

SMA-SETUP-6, SMA-CAMP-15.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from games import eager
from helpers import chamber, drawn, laid

import warptape
from warptape.cli.games import decision_data, decision_text, listed
from warptape.domain.chance import Luck
from warptape.domain.errors import OptionError
from warptape.domain.events import ActionTaken, Event
from warptape.domain.space_marine_adventures import RULESET
from warptape.domain.space_marine_adventures import actions as act
from warptape.domain.space_marine_adventures.events_action import AttackDeclared, ConsoleTried, MarineMoved
from warptape.domain.space_marine_adventures.events_cards import SpecialPlayed
from warptape.domain.space_marine_adventures.events_turn import TurnEnded
from warptape.domain.space_marine_adventures.state import Options
from warptape.domain.space_marine_adventures.steps import Wound

PLAYERS = "MAX=Anna,ADR=Anna,RAP=Ben,VOR=Cleo"
WHO = {"MAX": "Anna", "ADR": "Anna", "RAP": "Ben", "VOR": "Cleo"}


@pytest.fixture
def store() -> Iterator[warptape.Store]:
    with warptape.open(":memory:") as store:
        yield store


def recorded(store: warptape.Store, seed: str, moves: int = 10_000, **options: str) -> warptape.Game:
    """A game played by the eager squad, or as far as so many decisions."""
    game = store.new("space-marine-adventures", seed=seed, options={"players": PLAYERS, **options})
    luck = Luck(seed, "players")
    while (decision := game.decision) is not None and game.state.decisions < moves:
        game.act(eager(game.state, decision, luck))
    return game


def test_sma_setup_6_the_option_says_who_plays_whom() -> None:
    for text, people in (
        ("", ()),
        ("MAX=Anna", ("Anna",)),
        (" max = Anna , rap=Ben ,", ("Anna", "Ben")),
        (PLAYERS, ("Anna", "Ben", "Cleo")),
        ("MAX=A,ADR=B,RAP=C,LUK=D,VOR=A", ("A", "B", "C", "D")),
        ("MAX=Anna Maria von Ö", ("Anna Maria von Ö",)),
    ):
        options = RULESET.parse_options({"players": text})
        assert RULESET.people(options) == ({"team": people} if people else {})


@pytest.mark.parametrize(("text", "why"), [
    ("Anna", "'Anna' does not say who plays whom"),
    ("MAX=", "'MAX=' does not say who plays whom"),
    ("MAX=Anna,=Ben", "there is no Space Marine"),
    ("TIT=Anna", "there is no Space Marine TIT"),
    ("MAX=Anna,max=Ben", "MAX is given to somebody twice"),
    ("MAX=A,ADR=B,RAP=C,LUK=D,VOR=E", "5 people are named, and at most 4"),
    ("MAX=bot:sensible", "no colon"),
    ("MAX=a=b", "no equals sign"),
    (f"MAX={'x' * 41}", "at most 40 letters"),
    ("MAX=\x1b[31mAnna", "a name has"),
])  # fmt: skip
def test_what_is_wrong_with_players_is_said_with_the_form(text: str, why: str) -> None:
    with pytest.raises(OptionError, match=why) as found:
        RULESET.parse_options({"players": text})
    assert "MAX, ADR, RAP, LUK, VOR" in str(found.value)
    assert "MAX=Anna,ADR=Anna,RAP=Ben,VOR=Cleo" in str(found.value)


def test_a_log_from_elsewhere_names_nobody_in_a_way_that_a_terminal_obeys() -> None:
    """What `new` refuses may stand in a log that somebody has made."""
    assert RULESET.people(Options(players="MAX=\x1b[31mAnna\u202e,RAP=\nBen,=,VOR")) == {"team": ("[31mAnna", "Ben")}


def owner(events: list[Event]) -> str:
    """The Marine whose part an action was, by what followed from it; empty for the team's."""
    action: Any = events[0].action  # type: ignore[attr-defined]
    kind: type[Any] | None = {
        act.Move: MarineMoved,
        act.Attack: AttackDeclared,
        act.TryConsole: ConsoleTried,
        act.Play: SpecialPlayed,
        act.End: TurnEnded,
        act.React: SpecialPlayed,
    }.get(type(action))
    found: list[Any] = [event for event in events if kind is not None and isinstance(event, kind)]
    return str(found[0].marine) if found else ""


@pytest.mark.parametrize("level", ["1", "2", "3"])
def test_sma_setup_6_who_did_what_is_in_the_log(store: warptape.Store, level: str) -> None:
    """The person is who plays the Marine; joint choices, and Marines nobody was given to, are the team's."""
    seen: set[str] = set()
    for number in range(4):
        game = recorded(store, f"who {level} {number}", level=level)
        batches: list[list[Event]] = []
        for _, event in game.events():
            if isinstance(event, ActionTaken):
                batches.append([])
            if batches:
                batches[-1].append(event)
        for batch in batches:
            head: Any = batch[0]
            if type(head.action) in (act.Pass, act.Command, act.ThrowGrenade, act.Order) or head.action == act.ABILITY:
                continue
            code = owner(batch)
            assert head.person == WHO.get(code, ""), (head.action, code)
            seen.add(f"{type(head.action).__name__} {head.person}")
    for name in ("Anna", "Ben", "Cleo", ""):
        assert f"Move {name}" in seen
        assert f"Attack {name}" in seen
    assert {"Next ", "LayBoard ", "Squad ", "Deploy ", "Equip "} <= seen


def test_no_names_no_person(store: warptape.Store) -> None:
    game = recorded(store, "nobody", 60, players="")
    assert not {head.person for _, head in game.events() if isinstance(head, ActionTaken)} - {""}
    assert game.ruleset.asked(game.state) == ()


def test_a_line_for_anothers_marine_is_taken_and_recorded_as_done_by_who_typed_it(store: warptape.Store) -> None:
    game = recorded(store, "another", 60)
    while not (game.decision and act.END in game.decision.actions and game.ruleset.asked(game.state) == ("Ben",)):
        assert game.decision is not None
        game.act(game.decision.actions[0])
    position = game.act("end", person="Cleo").position
    head: Any = game.event(position)
    assert (head.seat, head.person) == ("team", "Cleo")
    assert "- Cleo: end." in game.transcript("txt")


def test_the_story_and_the_log_say_who(store: warptape.Store) -> None:
    game = recorded(store, "story", 80)
    heads = [(at, head) for at, head in game.line() if isinstance(head, ActionTaken)]
    told = {one.position: one.text for one in game.log()}
    for at, head in heads:
        assert told[at].startswith(f"{head.person or 'team'}: ")
    assert {head.person for _, head in heads} == {"Anna", "Ben", "Cleo", ""}
    text, page, markdown = (game.transcript(format) for format in ("txt", "html", "md"))
    assert "The squad: Anna, Ben and Cleo\n" in text
    for name in ("Anna", "Ben", "Cleo", "The squad"):
        assert f"\n- {name}: " in text
        assert f"<strong>{name}</strong>" in page
        assert f"\n- **{name}** `" in markdown
    assert "team: " not in text


def test_an_undo_says_who_took_what_back(store: warptape.Store) -> None:
    game = recorded(store, "undo", 80)
    game.undo(person="Ben", reason="too bold")
    assert "Taken back by Ben (too bold)." in game.transcript("txt")


def test_the_prompt_says_whose_action_it_is() -> None:
    options = Options(players=PLAYERS)
    for code, names in (("MAX", ("Anna",)), ("RAP", ("Ben",)), ("VOR", ("Cleo",)), ("LUK", ())):
        level = drawn(chamber(5, 3, b2=code[0], e3="T"), turn=code, options=options)
        assert level.rules.asked(level.state) == names
        decision = level.referee.decision
        assert decision is not None
        assert {level.rules.person(level.state, action) for action in decision.actions} == {"".join(names)}
    ready = laid(marines={"MAX": "h2"}, options=options)
    assert RULESET.asked(ready.state) == ()


def test_a_wound_is_put_to_those_who_hold_a_card_against_it() -> None:
    """Raphael is struck; he holds Refractor Field (Ben's), and Vorne beside him Shield of a Brother (Cleo's)."""
    found = {card.name: card.id for card in RULESET.book.catalogue.specials.values()}
    cards = {"RAP": found["Refractor Field"], "VOR": found["Shield of a Brother"]}
    for players, names, whose in (
        (PLAYERS, ("Ben", "Cleo"), ["Ben", "Cleo", ""]),
        ("RAP=Ben,VOR=Ben", ("Ben",), ["Ben", "Ben", ""]),
        ("RAP=Ben", (), ["Ben", "", ""]),
        ("", (), ["", "", ""]),
    ):
        level = drawn(
            chamber(5, 3, b2="R", c2="V", b3="T"),
            options=Options(players=players),
            cards=cards,
            pending=[Wound(marine="RAP", cause="claws")],
        )
        decision = level.referee.decision
        assert decision is not None
        assert level.rules.asked(level.state) == names
        assert [level.rules.person(level.state, action) for action in decision.actions] == whose


def test_the_commands_name_people(store: warptape.Store) -> None:
    game = recorded(store, "commands", 60)
    while game.ruleset.asked(game.state) != ("Anna",):
        assert game.decision is not None
        game.act(game.decision.actions[-1])
    assert decision_text(game).startswith(f"@{game.tip}  Anna (team) to decide: ")
    assert decision_data(game)["people"] == ["Anna"]
    assert not any(words.startswith("Anna: ") for _, words in listed(game))


def test_a_menu_names_whose_card_may_be_played_where_all_are_asked(store: warptape.Store) -> None:
    """Before an activation card is turned over a special card is for its holder, and `next` is the team's."""
    found: set[str] = set()
    for number in range(10):
        game = store.new("space-marine-adventures", seed=f"menu {number}", options={"players": PLAYERS})
        luck = Luck(str(number), "menu")
        while (decision := game.decision) is not None and game.state.decisions < 40:
            if act.NEXT in decision.actions:
                for action, (_, words) in zip(decision.actions, listed(game), strict=True):
                    if isinstance(action, act.Play):
                        code = next(code for code, one in game.state.marines.items() if action.card in one.cards)
                        assert words.startswith(f"{WHO[code]}: Use " if code in WHO else "Use ")
                        found.add(code)
                    else:
                        assert words == "Turn over the next activation card"
            game.act(decision.actions[luck.below(len(decision.actions))])
    assert found & {*WHO}


def test_sma_camp_15_a_marine_who_is_called_goes_to_whom_players_names() -> None:
    """The Marine who has not played yet is somebody's from the start of the campaign."""
    options = RULESET.parse_options({"players": f"{PLAYERS},LUK=Dora".replace("VOR=Cleo,", ""), "mode": "campaign"})
    level = drawn(chamber(5, 3, b2="L", e3="T"), turn="LUK", options=options)
    assert level.rules.asked(level.state) == ("Dora",)


def test_a_report_names_nobody(store: warptape.Store, tmp_path: Path) -> None:
    """Neither log nor position nor board of a report holds the names of the option `players`."""
    players = "MAX=Distinctive Anna,ADR=Distinctive Ben,RAP=Distinctive Cleo,VOR=Distinctive Dora"
    game = recorded(store, "report", 70, players=players)
    assert any(head.person.startswith("Distinctive") for _, head in game.events() if isinstance(head, ActionTaken))
    assert game.decision is not None
    action = game.ruleset.notation(game.state, game.decision.actions[0])
    files = [
        game.report(tmp_path / "position.report.tape.jsonl"),
        game.report(tmp_path / "action.report.tape.jsonl", action=action),
        game.report(tmp_path / "refused.report.tape.jsonl", action="board 1-up"),
        game.report(tmp_path / "event.report.tape.jsonl", at=game.tip - 1),
    ]
    for file in files:
        assert "distinctive" not in file.read_text().lower()
        assert warptape.reproduce(file).verdict == "reproduced"
        loaded = store.load(file)
        assert loaded.audit().ok
        assert loaded.options.players == ""
        assert warptape.read_report(file).left_out == ("person", "players")
