"""The page on which a game goes on, in browsers: two play, each sees what is theirs, and nothing that happens is lost."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from leak_laws import secrets
from live_windows import Window, window
from page_files import modules
from service_house import House, Table, house

from warptape.projections.boards import draw
from warptape.service.starts import Starts

LINE = ("Failed to load resource", "net::ERR")
"""What a browser writes into its console while the line is down, or when the service refuses something."""


@pytest.fixture(scope="module")
def opened() -> Iterator[House]:
    with house() as one:
        yield one


def verb(notation: str) -> str:
    return notation.split(" ", 1)[0]


def chosen(table: Table, done: dict[tuple[int, str], int]) -> str:
    """The next action of a short game with something of everything: each kind once or twice a turn, then on."""
    rules, state, decision = table.game.ruleset, table.game.state, table.game.decision
    assert decision is not None
    legal = [rules.notation(state, action) for action in decision.actions]
    turn = state.turn
    others = [one for one in legal if verb(one) not in ("end", "mine") and done.get((turn, verb(one)), 0) < 2]
    words = {one: rules.describe(state, action) for one, action in zip(legal, decision.actions, strict=True)}
    fights = [one for one in others if "battle" in words[one]]
    found = (fights or others)[-1] if others else "end" if "end" in legal else legal[-1]
    done[turn, verb(found)] = done.get((turn, verb(found)), 0) + 1
    return found


def by_mouse(seat: Window, notation: str) -> str:
    """Take an action by clicks: on the board what it names and is marked there, else in the list; say which it was."""
    names = [name for name in notation.split()[1:] if name in seat.refs()]
    for name in names:
        if seat.page.locator("#proposal:not([hidden])").count():
            break
        before = seat.text("#matching")
        seat.click(name)
        seat.until(lambda before=before: seat.text("#matching") != before or _proposed(seat), name)
        seat.page.wait_for_timeout(30)
    if not _proposed(seat):
        seat.page.locator("#choices button", has=seat.page.locator(f'code:text-is("{notation}")')).first.click()
    assert _proposed(seat)
    seat.confirm()
    return "board" if names else "list"


def _proposed(seat: Window) -> bool:
    return bool(seat.page.locator("#proposal:not([hidden])").count())


def taken(table: Table, seat: Window, length: int) -> None:
    """Wait until an action is recorded and shown to whoever took it."""
    seat.until(lambda: table.game.refresh() or table.game.length > length, "the action")
    seat.until(lambda: seat.upto() == table.game.tip and not seat.page.locator("[aria-busy=true]").count(), "its news")


def legible(kept: bytes) -> str:
    """What came over the line as text, put together where it was sent in pieces."""
    return re.sub(rb"\r\n[0-9a-f]+\r\n", b"", kept).decode("utf-8", "replace")


def test_two_people_play_two_turns_of_doom_of_the_eldar(opened: House, chromium: Any) -> None:
    """One by mouse, one by keys; undo by consent, a reload and a broken line on the way. Nobody gets the other's secrets."""
    table = opened.new("doom-of-the-eldar", options={"setup": "quickstart"}, seed="two turns 36", undo="consent")
    game, seats = table.game, {}
    with window(chromium, table, expected=LINE) as eldar, window(chromium, table, expected=LINE) as tyranid:
        seats = {"eldar": eldar.go("eldar"), "tyranid": tyranid.go("tyranid")}
        assert eldar.page.url == f"{eldar.line.url}/play/{table.id}"  # the token has left the address
        done: dict[tuple[int, str], int] = {}
        ways: dict[str, int] = {}
        reloaded = dropped = asked = False
        while game.state.turn < 3 and game.decision is not None:
            decision = game.decision
            mover, other = seats[decision.seat], seats[next(one for one in seats if one != decision.seat)]
            mover.until(mover.mine, "the turn")
            other.until(lambda other=other: other.upto() == game.tip, "what the other did")
            assert not other.mine()
            assert mover.page.title().startswith("● Your turn")
            assert not other.page.title().startswith("●")
            length, notation = game.length, chosen(table, done)
            if decision.seat == "eldar":
                way = by_mouse(mover, notation)
                ways[way] = ways.get(way, 0) + 1
            else:
                mover.type(notation)
            taken(table, mover, length)
            if game.state.turn == 2 and not reloaded:
                reloaded = True
                mover.page.reload()
                mover.ready().until(lambda: mover.upto() == game.tip, "where the game stands")  # noqa: B023
            if game.length > 70 and not dropped:
                dropped = True
                back_after_a_drop(table, mover, other)
            if verb(notation) == "use" and not asked:
                asked = True
                agreed(table, mover, other)
        assert reloaded
        assert dropped
        assert asked
        assert ways["board"] >= 4
        assert {"fight", "mv", "use", "end"} <= {kind for _, kind in done}
        kept_back = came = 0
        for who, seat in seats.items():
            kept = secrets(game, who)
            own = [one for one in secrets(game, "") if one not in kept]
            said = legible(seat.line.kept)
            assert len(said) > 200_000
            assert '"views"' in said  # the page
            assert "text/event-stream" in said  # what happened
            assert not [one for one in kept if one.salt in said]
            hidden = [salt for pair in game.shelf.secrets.values() for salt in pair if salt]
            assert hidden
            assert not [salt for salt in hidden if salt in said]
            assert not [name for name, token in table.tokens.items() if token in said]
            kept_back += len(kept)
            came += len([one for one in own if one.salt in said])
        assert kept_back >= 10
        assert came >= 10  # what is a seat's own did come: the search finds such things where they are
        names_of_hidden_counters(table, seats["eldar"])


def names_of_hidden_counters(table: Table, eldar: Window) -> None:
    """What the Eldar's page says of the counters that are hidden from them: their number, and never what they are."""
    state = table.game.state
    book = table.game.ruleset.book  # type: ignore[attr-defined]
    seen = table.game.ruleset.view(state, "eldar")
    dark = [token for token in state.swarms if seen.counter(token) is None]
    assert dark
    said = legible(eldar.line.kept)
    for token in dark:
        counter = state.counter(token)
        name = book.names.counter(counter)
        assert f"Swarm {token}, face down" in said
        assert f"{token} {name}" not in said
        assert f"{token} ({name})" not in said
        assert f"{token}({counter})" not in said


def back_after_a_drop(table: Table, mover: Window, other: Window) -> None:
    """The line of the one who waits breaks, the other acts meanwhile, and it comes after the line is back."""
    game = table.game
    other.drop()
    other.page.wait_for_selector("#link:not([hidden])")
    assert "Trying again" in other.text("#link")
    before = other.upto()
    table.post("/notes", "sees", text="Meanwhile")
    decision = game.decision
    assert decision is not None
    table.post("/act", decision.seat, actions=[table.legal()])
    game.refresh()
    mover.until(lambda: mover.upto() == game.tip, "what was done")
    assert other.upto() == before
    other.back()
    other.until(lambda: other.upto() == game.tip, "what came while the line was down")
    assert "back" in other.text("#link")
    assert other.page.locator("#story .note", has_text="Meanwhile").count() == 1
    assert other.page.locator("#marks .note").count() == 1, "the timeline has it too"


def agreed(table: Table, mover: Window, other: Window) -> None:
    """What may not be taken back is refused with a sentence; the other is asked, says no, and then yes."""
    game = table.game
    tip = game.tip
    mover.page.locator("#undo").click()
    mover.page.wait_for_selector("#said:not([hidden])")
    assert "Ask the other seat" in mover.text("#said")
    for agree in (False, True):
        mover.page.locator("#ask-undo").click()
        other.page.wait_for_selector("#consent[open]")
        assert other.page.locator("#consent-list li").count() >= 1
        mover.until(lambda: "no answer yet" in mover.text("#asked"), "that it was asked")
        if agree:
            other.page.locator("#agree").click()
        else:
            other.page.keyboard.press("Tab")
            other.page.locator("#refuse").press("Enter")
        mover.page.wait_for_selector("#asked", state="hidden")
        game.refresh()
        assert (game.tip < tip) == agree
    mover.until(lambda: mover.upto() == game.tip, "the board before")
    other.until(lambda: other.upto() == game.tip, "the board before")
    assert mover.page.locator("#story .return").count() >= 1


def test_a_lost_answer_is_asked_for_again_and_nothing_is_done_twice(opened: House, chromium: Any) -> None:
    table = opened.new("hidden", seed="lost", undo="free")
    decision = table.game.decision
    assert decision is not None
    with window(chromium, table, expected=LINE) as seat:
        seat.go(decision.seat).until(seat.mine)
        before = len(table.game.on_line({"ActionTaken"}))
        seat.page.locator("#choices button").first.click()
        seat.line.swallow(b"/act")
        seat.confirm()
        table_length = table.game.length
        seat.until(lambda: table.game.refresh() or table.game.length > table_length, "the action")
        seat.drop()
        seat.page.wait_for_selector("#link:not([hidden])")
        seat.back()
        seat.until(lambda: seat.upto() == table.game.tip, "the answer")
        assert seat.page.locator("#said").is_hidden(), "the same key again: it was not refused as another action"
        table.game.refresh()
        assert len(list(table.game.on_line({"ActionTaken"}))) == before + 1


def test_what_the_rules_refuse_is_said_with_the_rule_and_undo_and_redo_go_back_and_on(
    opened: House, chromium: Any
) -> None:
    table = opened.new("space-marine-adventures", seed="s3", undo="free")
    game = table.game
    game.run(dict.fromkeys(table.seats, "sensible"), limit=14)
    with window(chromium, table, expected=LINE) as team:
        team.go(table.seats[0]).until(team.mine)
        words = team.page.locator("#words")
        for typed, said in (("mv z99", "z99"), ("dance", "dance"), ("sp SP-99", "SP-99")):
            words.fill(typed)
            words.press("Enter")
            team.until(lambda: team.page.locator("#said:not([hidden])").count(), typed)
            assert said in team.text("#said") or "Refused" in team.text("#said")
            assert not _proposed(team)
        words.press("Escape")
        length = game.length
        words.fill("1")
        words.press("Enter")
        team.until(lambda: _proposed(team), "the first action")
        team.page.keyboard.press("Escape")
        assert not _proposed(team)
        words.fill("")
        team.page.keyboard.press("ArrowDown")
        team.page.keyboard.press("End")
        team.page.keyboard.press("Home")
        team.page.keyboard.press("Enter")
        team.until(lambda: _proposed(team), "the first action")
        team.page.keyboard.press("Enter")
        taken(table, team, length)
        after = game.tip
        team.page.locator("#undo").click()
        team.until(lambda: game.refresh() or game.tip < after, "the undo")
        team.until(lambda: team.upto() == game.tip)
        team.page.locator("#redo").click()
        team.until(lambda: game.refresh() or game.tip >= after, "the redo")
        team.until(lambda: team.upto() == game.tip)


DRAWN = ("tyranid-attack", "space-marine-adventures")


def named(table: Table) -> list[str]:
    """The legal actions that name something which is drawn on the board."""
    rules, state, decision = table.game.ruleset, table.game.state, table.game.decision
    scene = draw(rules, state)
    drawn = {name for part in (*scene.cells, *scene.pieces) for name in part.ref.split()}
    notations = [rules.notation(state, action) for action in (decision.actions if decision else ())]
    return [one for one in notations if not drawn.isdisjoint(one.split()[1:])]


@pytest.mark.parametrize(
    ("ruleset", "decisions"), [("tyranid-attack", 24), ("space-marine-adventures", 16), ("hidden", 3), ("pig", 2)]
)
def test_every_game_is_acted_in_by_clicks(opened: House, chromium: Any, ruleset: str, decisions: int) -> None:
    table = opened.new(ruleset, seed="clicks", undo="free")
    bots = dict.fromkeys(table.seats, "sensible" if "sensible" in table.game.ruleset.bots else "random")
    table.game.run(bots, limit=decisions)
    while not named(table) and ruleset in DRAWN:
        table.game.run(bots, limit=1)
    decision = table.game.decision
    assert decision is not None
    with window(chromium, table) as seat:
        seat.go(decision.seat).until(seat.mine)
        seat.page.wait_for_selector("#choices button")
        found, length = named(table), table.game.length
        way = by_mouse(seat, found[-1] if found else table.legal(-1))
        taken(table, seat, length)
        assert way == ("board" if ruleset in DRAWN else "list")


def test_what_may_not_be_taken_back_is_said_also_when_it_is_the_others_turn(opened: House, chromium: Any) -> None:
    table = opened.new("hidden", seed="too late", undo="until-revealed")
    decision = table.game.decision
    assert decision is not None
    with window(chromium, table, expected=LINE) as seat:
        seat.go(next(one for one in table.seats if one != decision.seat))
        seat.page.locator("#undo").click()
        seat.page.wait_for_selector("#said", state="visible")
        assert "nothing to take back" in seat.text("#said")


def test_an_answer_to_who_asks_is_not_lost_while_something_else_is_under_way(opened: House, chromium: Any) -> None:
    table = opened.new("hidden", seed="both at once", undo="consent")
    while (decision := table.game.decision) is not None and len({*table.game.on_line({"ActionTaken"})}) < 3:
        asking = decision.seat
        table.play(1, lambda most: most - 1)
    with window(chromium, table, expected=LINE) as other:
        other.go(next(one for one in table.seats if one != asking))
        tip = table.game.tip
        other.page.wait_for_timeout(100)
        other.line.hold(1.0)
        other.page.locator("#undo").click()
        table.post("/ask-undo", asking)
        other.page.wait_for_selector("#consent[open]")
        other.page.locator("#agree").click()
        other.until(lambda: table.game.refresh() or table.game.tip < tip, "the answer")
        other.until(lambda: other.upto() == table.game.tip)


def test_the_hosts_token_opens_no_game_and_another_one_its_own(opened: House, chromium: Any) -> None:
    table = opened.new("hidden", seed="front door")
    with window(chromium, table, expected=LINE) as somebody:
        page = somebody.page
        page.goto(f"{somebody.line.url}/")
        page.wait_for_selector("#enter[open]")
        page.locator("#code").fill(opened.host)
        page.keyboard.press("Enter")
        page.wait_for_selector("#enter-said:not([hidden])")
        assert "host's token" in somebody.text("#enter-said")
        page.locator("#code").fill(table.tokens[table.seats[0]])
        page.keyboard.press("Enter")
        somebody.ready()
        assert page.url == f"{somebody.line.url}/play/{table.id}"


def test_an_earlier_moment_marks_nothing_and_where_it_is_wished_one_click_does_it(opened: House, chromium: Any) -> None:
    table = opened.new("tyranid-attack", seed="at once", undo="free")
    bots = dict.fromkeys(table.seats, "sensible")
    table.game.run(bots, limit=20)
    while not (alone := named_once(table)):
        table.game.run(bots, limit=1)
    decision, length = table.game.decision, table.game.length
    assert decision is not None
    with window(chromium, table) as seat:
        seat.go(decision.seat).until(seat.refs, "what can be chosen")
        seat.page.keyboard.press("Home")
        seat.page.wait_for_selector("#behind", state="visible")
        assert not seat.refs()
        seat.page.locator("#catch-up").click()
        seat.until(seat.refs, "what can be chosen")
        seat.page.locator("#device summary").click()
        seat.page.locator("#at-once").check()
        name, notation = alone[0]
        seat.click(name)
        taken(table, seat, length)
        head = table.game.event(length)
        state = table.game.state_at(length - 1)
        assert table.game.ruleset.notation(state, head.action) == notation  # type: ignore[attr-defined]


def named_once(table: Table) -> list[tuple[str, str]]:
    """What is drawn on the board and named by just one legal action, with that action."""
    found: dict[str, list[str]] = {}
    for notation in named(table):
        for name in notation.split()[1:]:
            found.setdefault(name, []).append(notation)
    scene = draw(table.game.ruleset, table.game.state)
    drawn = {part.ref for part in (*scene.cells, *scene.pieces)}
    return [(name, one) for name, (one, *others) in found.items() if not others and name in drawn]


def test_long_lists_come_in_parts_and_are_found_through_by_word_kind_and_number(opened: House, chromium: Any) -> None:
    table = opened.new("tyranid-attack", seed="s2", undo="free")
    game, bots = table.game, dict.fromkeys(table.seats, "sensible")
    while game.decision is None or len(game.decision.actions) <= 105:
        game.run(bots, limit=1)
    legal = [game.ruleset.notation(game.state, one) for one in game.decision.actions]
    with window(chromium, table, expected=LINE) as seat:
        seat.go(game.decision.seat).until(seat.mine)
        shown = seat.page.locator("#choices code")
        seat.until(lambda: shown.count() == 100)
        seat.page.locator("#more").click()
        seat.until(lambda: shown.count() == len(legal))
        assert sorted(shown.all_inner_texts()) == sorted(legal)
        assert seat.page.locator("#more").is_hidden()
        kind = verb(legal[0])
        seat.page.locator("#verb").select_option(kind)
        seat.until(lambda: shown.count() == len([one for one in legal if verb(one) == kind]))
        seat.page.keyboard.press("Escape")
        seat.page.locator("#words").fill(legal[-1])
        seat.until(lambda: legal[-1] in shown.all_inner_texts() and shown.count() < 20)
        seat.page.locator("#words").fill(str(len(legal)))
        seat.until(lambda: shown.all_inner_texts() == [legal[-1]])
        seat.page.keyboard.press("Enter")
        seat.until(lambda: _proposed(seat))


def test_an_invitation_is_taken_up_once_and_a_spectator_only_looks(opened: House, chromium: Any) -> None:
    table = opened.new("hidden", seed="invited", undo="free")
    access = opened.service.access
    code = access.issue(table.id, "seat", table.seats[0], invite=True)[0]
    with window(chromium, table, expected=LINE) as ann:
        ann.page.goto(f"{ann.line.url}/join#{code}")
        ann.page.wait_for_selector("#enter[open]")
        assert "#" not in ann.page.url
        ann.page.locator("#name").fill("Ann")
        ann.page.keyboard.press("Enter")
        ann.ready()
        assert ann.page.url == f"{ann.line.url}/play/{table.id}"
        stored = ann.page.evaluate("[sessionStorage, localStorage].map((one) => JSON.stringify({...one}))")
        assert "wt_" in stored[0]
        assert "wt_" not in stored[1]  # this window alone, unless one says otherwise
        assert code not in "".join(stored)
        ann.page.locator("#device summary").click()
        ann.page.locator("#keep").check()
        assert "wt_" in ann.page.evaluate("JSON.stringify({...localStorage})")
        ann.page.goto(f"{ann.line.url}/join#{code}")
        ann.page.wait_for_selector("#enter[open]")
        ann.page.keyboard.press("Enter")
        ann.page.wait_for_selector("#enter-said:not([hidden])")
        assert "used already" in ann.text("#enter-said")
        ann.page.goto(f"{ann.line.url}/play/{table.id}")
        ann.ready()
        ann.page.locator("#device summary").click()
        ann.page.locator("#leave").click()
        ann.page.wait_for_selector("#enter[open]")
        assert ann.page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}])") == "[{},{}]"
    with window(chromium, table) as watcher:
        watcher.go("public")
        assert watcher.page.locator("#doing").is_hidden()
        assert watcher.page.locator("#undo").is_hidden()
        for _ in range(2):
            table.game.act(table.legal())  # by somebody at the store itself, such as the command line
        watcher.until(lambda: watcher.upto() == table.game.tip, "what is played")
        watcher.page.evaluate(f"location.hash = '{table.tokens[table.seats[1]]}'")  # another link to the open page
        watcher.until(lambda: watcher.page.locator("#undo").is_visible(), "the seat")
        assert "#" not in watcher.page.url
        assert "late" not in watcher.text("#prompt")
        table.tokens["late"] = access.issue(table.id, "spectator", delay=4)[0]
    with window(chromium, table) as late:
        assert late.go("late").text("#prompt").endswith(" You watch 4 events late.")


def test_who_lost_their_token_is_told_and_who_may_see_nothing_yet_waits(opened: House, chromium: Any) -> None:
    table = opened.new("hidden", options={"rounds": "2"}, seed="ended", undo="until-revealed")
    with window(chromium, table, expected=LINE) as late, window(chromium, table, expected=LINE) as seat:
        late.page.goto(f"{late.line.url}/play/{table.id}#{table.tokens['end']}")
        late.page.wait_for_selector("#trouble:not([hidden])")
        assert "when it is over" in late.text("#trouble")
        seat.go(table.seats[0])
        assert "may know is on this page" in seat.text("#about")
        while table.game.decision is not None:
            table.play(1, lambda most: 0)
        late.ready()
        for one in (late, seat):
            one.until(lambda one=one: one.upto() == table.game.tip, "the end")
            assert one.text("#turn") == "The game is over"
            assert one.text("#prompt")
            one.until(lambda one=one: one.page.locator("#seat-box:not([hidden])").count(), "all views")
        assert "may know is on this page" not in seat.text("#about")
        assert seat.page.locator("#check-open").is_visible()
        fingerprint = next(
            one.info.fingerprint
            for one in opened.service.access.listed(table.id)
            if one.seat == table.seats[0] and not one.revoked
        )
        table.ask("DELETE", f"/tokens/{fingerprint}", "sees")
        seat.page.wait_for_selector("#trouble:not([hidden])")
        assert "revoked" in seat.text("#trouble")
        assert seat.page.evaluate("JSON.stringify({...sessionStorage})") == "{}"


def test_at_a_table_results_are_entered_where_they_are_asked_for(opened: House, chromium: Any) -> None:
    table = opened.new("pig", chance="table", options={"goal": 30})
    decision = table.game.decision
    assert decision is not None
    with window(chromium, table, expected=LINE) as seat:
        seat.go(decision.seat).until(seat.mine)
        seat.type("roll")
        seat.page.wait_for_selector("#results:not([hidden])")
        assert "What came out" in seat.text("#results-ask")
        seat.page.keyboard.type("9")
        seat.page.keyboard.press("Enter")
        seat.page.wait_for_selector("#said:not([hidden])")
        assert "9" in seat.text("#said")
        length = table.game.length
        seat.page.keyboard.type("4")
        seat.page.keyboard.press("Enter")
        taken(table, seat, length)
        assert "4" in seat.text("#story li.now")


def test_a_notice_comes_without_a_sound_and_only_to_who_asked_for_it(opened: House, chromium: Any) -> None:
    table = opened.new("hidden", seed="notice", undo="free")
    stub = """
      window.notices = [];
      window.Notification = class { constructor(title, more) { window.notices.push({ title, ...more }); } };
      window.Notification.permission = "default";
      window.Notification.requestPermission = async () => (window.Notification.permission = "granted");
      document.hasFocus = () => window.inFront;
    """
    decision = table.game.decision
    assert decision is not None
    waiting = next(one for one in table.seats if one != decision.seat)

    def play_until(mine: bool) -> None:
        """Play until it is this one's turn, or another's; the page takes in each action before the next one."""
        while (now := table.game.decision) is not None and (now.seat == waiting) != mine:
            table.play(1, lambda most: most - 1)
            seat.until(lambda: seat.upto() == table.game.tip, "what was played")
            seat.until(lambda: seat.mine() == (table.game.decision.seat == waiting), "the turn")  # type: ignore[union-attr]

    with window(chromium, table) as seat:
        seat.page.add_init_script(stub)
        seat.go(waiting)
        play_until(mine=True)
        assert seat.page.evaluate("window.notices.length") == 0, "nobody asked for one"
        seat.page.locator("#device summary").click()
        seat.page.locator("#notify").check()
        seat.page.wait_for_timeout(50)
        play_until(mine=False)
        assert seat.page.evaluate("window.notices.length") == 0, "it was this one's turn before"
        play_until(mine=True)
        seat.page.wait_for_timeout(50)
        assert seat.page.evaluate("window.notices.map(({ title, silent }) => [title, silent])") == [
            [f"Your turn: {table.game.name}", True]
        ]
        seat.page.evaluate("window.inFront = true")
        play_until(mine=False)
        play_until(mine=True)
        assert seat.page.evaluate("window.notices.length") == 1, "whoever looks at the page sees it"
        seat.page.evaluate("window.inFront = false")
        # Browsers on telephones know notices, and throw when a page makes one.
        seat.page.evaluate(
            "void (window.Notification = class { constructor() { throw new TypeError('Illegal constructor'); } })"
        )
        seat.page.evaluate("window.Notification.permission = 'granted'")
        play_until(mine=False)
        play_until(mine=True)
        seat.until(lambda: seat.page.locator("#notify").is_disabled(), "that there are none here")
        seat.page.wait_for_selector("#choices button")


@pytest.mark.parametrize("look", ["light", "dark", "phone"])
def test_the_page_is_for_everybody(opened: House, chromium: Any, look: str) -> None:
    """No finding of axe while acting, and nothing wider than a telephone."""
    folder = modules()
    if folder is None:
        pytest.skip("accessibility is checked with axe: npm install --prefix tests/page")
    table = opened.new("tyranid-attack", seed="axe", undo="consent")
    table.game.run(dict.fromkeys(table.seats, "sensible"), limit=30)
    decision = table.game.decision
    assert decision is not None
    size = {"width": 390, "height": 844} if look == "phone" else {"width": 1280, "height": 800}
    scheme = "dark" if look == "dark" else "light"
    axe = (folder / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
    with window(chromium, table, viewport=size, color_scheme=scheme, reduced_motion="reduce") as seat:
        seat.go(decision.seat).until(seat.mine)
        seat.page.wait_for_selector("#choices button")
        for step in ("list", "proposal", "consent"):
            if step == "proposal":
                seat.page.locator("#choices button").first.click()
                seat.page.wait_for_selector("#proposal:not([hidden])")
            if step == "consent":
                table.game.ask_undo(next(one for one in table.seats if one != decision.seat))
                seat.page.wait_for_selector("#consent[open]")
            seat.page.evaluate(axe)
            found = seat.page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
            assert [(one["id"], [node["html"][:120] for node in one["nodes"]]) for one in found["violations"]] == []
            wide = seat.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
            assert wide[0] <= wide[1]


def test_nothing_of_the_game_is_in_the_page_before_a_token_is_shown(opened: House) -> None:
    table = opened.new("hidden", seed="shell")
    pages = [opened.ask("GET", path) for path in (f"/play/{table.id}", "/play/nothing-here", "/join")]
    assert len({page.text for page in pages}) == 1
    page = pages[0]
    assert table.id not in page.text
    assert page.headers["referrer-policy"] == "no-referrer"
    assert "frame-ancestors 'none'" in page.headers["content-security-policy"]
    assert "default-src 'none'" in page.text
    assert "connect-src &#x27;self&#x27;" in page.text or "connect-src 'self'" in page.text
    assert "unsafe-eval" not in page.text
    again = opened.ask("GET", "/join", headers={"If-None-Match": page.headers["etag"]})
    assert (again.status_code, again.text) == (304, "")


def test_what_is_new_is_told_to_a_page_that_knows_the_rest_and_no_other(opened: House) -> None:
    table = opened.new("hidden", seed="news", undo="free")
    table.play(4, lambda most: most - 1)
    for who in (*table.seats, "public", "sees"):
        start = table.get("/page", who)
        assert start["sees"] == start["info"]["sees"]
        upto, sees = start["content"]["upto"], start["sees"]
        assert (upto, start["requested"]) == (table.game.length - 1, None)
        same = table.get("/news", who, since=upto, sees=sees)["news"]
        assert (same["since"], same["upto"], same["parts"]) == (upto, upto, [])
        for since, known in ((upto, "somebody"), (-1, sees), (upto + 9, sees), (upto - 1, sees)):
            found = table.get("/news", who, since=since, sees=known)["news"]
            assert found is None or (since == upto - 1 and table.game.batch_end(since) == since)


def test_what_is_drawn_once_leaves_nothing_else_behind(opened: House) -> None:
    game, starts = opened.new("hidden", seed="starts").game, Starts()
    first, again = starts.of(game), starts.of(game)
    assert bytes(first) == bytes(again)
    assert len(starts._kept) == 1
    assert not starts._drawing


def test_what_was_drawn_for_some_is_used_again_for_those_who_see_the_same_and_never_for_who_sees_less(
    opened: House,
) -> None:
    table = opened.new("hidden", options={"rounds": "8"}, seed="drawn", undo="free")
    table.play(14, lambda most: most - 1)
    drawn = {who: table.get("/page", who)["content"] for who in (*table.seats, "public", "sees")}
    assert {one["upto"] for one in drawn.values()} == {table.game.length - 1}
    assert len({str(one["views"]) for one in drawn.values()}) == 4
    late = table.get("/page", "late")["content"]
    assert late["upto"] <= table.game.length - 11  # not what was drawn for who is not late
    drawn["public"] = late  # but they may have that, and ask for the rest
    table.play(1, lambda most: most - 1)
    for who, content in drawn.items():
        again = table.get("/page", who)
        assert again["content"] == content
        assert again["info"]["length"] == table.game.length
        new = table.get("/news", who, since=content["upto"], sees=again["sees"])["news"]
        assert (new["since"], new["upto"]) == (content["upto"], table.game.length - 1)


def test_actions_are_found_by_what_they_name(opened: House) -> None:
    table = opened.new("tyranid-attack", seed="names", undo="free")
    game = table.game
    game.run(dict.fromkeys(table.seats, "sensible"), limit=30)
    while game.decision is None or len(game.decision.actions) < 20:
        game.run(dict.fromkeys(table.seats, "sensible"), limit=1)
    seat = game.decision.seat
    whole = table.get("/actions", seat, limit=1000)
    notations = [one["notation"] for one in whole["actions"]]
    words = {one: set(one.split()[1:]) for one in notations}
    assert set(whole["names"]) == set().union(*words.values())
    for name in whole["names"][:12]:
        found = table.get("/actions", seat, names=name, limit=1000)
        assert [one["notation"] for one in found["actions"]] == [one for one in notations if name in words[one]]
        assert [notations[one["number"] - 1] for one in found["actions"]] == [
            one["notation"] for one in found["actions"]
        ]
        for other in found["names"][:6]:
            both = table.get("/actions", seat, names=f"{name},nobody {other}", limit=1000)
            assert [one["notation"] for one in both["actions"]] == [
                one for one in notations if name in words[one] and other in words[one]
            ]
    assert table.get("/actions", seat, names="nobody")["total"] == 0
    assert table.ask("GET", "/actions", seat, params={"names": "a " * 30}).status_code == 400
    msgspec.convert(whole, dict[str, Any])
