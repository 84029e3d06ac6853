"""join, invite, tokens, profiles: seats in games on a server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ..app import App, pass_app, say, say_hanging, say_json, say_table
from ..group import Command
from ..options import json_option
from ..trouble import Failed

if TYPE_CHECKING:
    from ...replays.game import Game

END = "end"
"""What `--delay` takes for lookers-on who see nothing before the game is over."""


@click.command(cls=Command)
@click.argument("invitation", metavar="LINK|CODE")
@click.option("--name", default="", metavar="NAME", help="Your name, for the log of the game.")
@json_option
@pass_app
def join(app: App, invitation: str, name: str, as_json: bool) -> None:
    """Take up an invitation to a seat, or to look on: it gives a token, which is kept in your config folder.

    An invitation is a link, or its code with --store to say where. It is good for one person: who takes it up has the seat.

    warptape join https://games.example/join#CODE --name Anna
    warptape join CODE --store https://games.example
    """
    from ...replays.remote.passes import invitation_of

    server, code = invitation_of(invitation)
    if server:
        app.url = server
    joined = app.served.join(code, name.strip())
    game = app.served.game(joined.game)
    if as_json:
        say_json(
            {"server": app.served.server, "id": game.id, "name": game.name, "role": joined.role, "seat": joined.seat}
        )
        return
    part = f"You have the seat {joined.seat}" if joined.seat else f"You are {_a(joined.role)}"
    say(f"{part} in '{game.name}' ({game.id}) at {app.served.server}.", bold=True)
    say(f"`warptape --store {app.served.server} {'play' if joined.seat else 'show'} '{game.name}'` opens it.")


@click.command(cls=Command)
@click.argument("game", default="last")
@click.option("--seat", metavar="SEAT", help="For this seat; the token that somebody has for it is good no more then.")
@click.option("--spectator", is_flag=True, help="For somebody who looks on.")
@click.option("--arbiter", is_flag=True, help="For another arbiter, who may do all that you may.")
@click.option(
    "--delay", metavar="N|end", default="0", help="How many events later lookers-on see it; end: when the game is over."
)
@click.option("--label", metavar="TEXT", default="", help="Whom it is for, as `tokens` lists it.")
@json_option
@pass_app
def invite(
    app: App, game: str, seat: str | None, spectator: bool, arbiter: bool, delay: str, label: str, as_json: bool
) -> None:
    """Make an invitation to a game on a server, as its arbiter: a link to hand to one person, who then joins.

    warptape invite last --seat p2 --store https://games.example
    warptape invite last --spectator --delay 20 --store https://games.example
    """
    if (seat is not None) + spectator + arbiter != 1:
        raise click.UsageError("Say for whom: --seat SEAT, --spectator or --arbiter.")
    late = _delay(delay)
    if late and not spectator:
        raise click.UsageError("Only lookers-on see a game with a delay: --delay goes with --spectator.")
    served = app.served
    table = served.game(game)
    issued = served.invite(table.id, seat or "", delay=late, label=label, role="arbiter" if arbiter else "")
    if as_json:
        say_json({"link": served.link(issued.secret), "code": issued.secret, "token": issued.token})
        return
    who = f"the seat {seat} in" if seat else "the arbiter of" if arbiter else "looking on at"
    say(f"An invitation for {who} '{table.name}', good once:")
    click.echo(served.link(issued.secret))


def _delay(text: str) -> int:
    from ...replays.wire import UNTIL_THE_END

    if text == END:
        return UNTIL_THE_END
    if not (text.isascii() and text.isdigit() and len(text) < 9):
        raise click.UsageError(f"'{text}' is no delay: type a number of events, or {END}.")
    return int(text)


@click.command(cls=Command)
@click.argument("game", default="last")
@click.option(
    "--revoke", metavar="FINGERPRINT", help="Make the token, or invitation, with this fingerprint good no more."
)
@json_option
@pass_app
def tokens(app: App, game: str, revoke: str | None, as_json: bool) -> None:
    """List who has a token of a game on a server, or revoke one; for the arbiter. No token is ever shown.

    warptape tokens last --store https://games.example
    warptape tokens last --revoke 3f9a1c2b0d4e --store https://games.example
    """
    served = app.served
    table = served.game(game)
    if revoke is not None:
        gone = served.revoke(table.id, revoke)
        if as_json:
            say_json({"revoked": gone})
        else:
            say(f"Revoked: {', '.join(gone)}.")
        return
    found = served.tokens(table.id)
    if as_json:
        say_json(found)
        return
    rows = []
    for one in found:
        state = "revoked" if one.revoked else "used" if one.used and one.role == "invitation" else "good"
        late = {0: "", -1: "sees it when it is over"}.get(one.delay, f"{one.delay} events late")
        who = " ".join(filter(None, (one.role, one.seat)))
        rows.append((one.fingerprint, who, state, one.created[:16], "; ".join(filter(None, (one.label, late)))))
    say_table(rows, ("fingerprint", "for", "state", "made", "label"))


@click.command(cls=Command)
@click.option("--forget", "server", metavar="SERVER", help="Forget the tokens for a server; nothing there is deleted.")
@click.option("--game", metavar="GAME", help="With --forget: only those for this game, by id or name.")
@json_option
@pass_app
def profiles(app: App, server: str | None, game: str | None, as_json: bool) -> None:
    """List the servers and games that you have tokens of, without the tokens; or forget some.

    warptape profiles
    warptape profiles --forget https://games.example --game 'Friday night'
    """
    from ...replays.remote.passes import server_of, user_wallet

    wallet = user_wallet()
    if server is None:
        if game is not None:
            raise click.UsageError("--game goes with --forget.")
        _list(wallet.servers(), as_json)
        return
    gone = wallet.remove(server_of(server, insecure=True), game)
    if not gone:
        which = f"the game '{game}' at {server}" if game else server
        raise Failed(f"You have no token for {which}.")
    if as_json:
        say_json({"forgotten": len(gone)})
    else:
        say(f"{len(gone)} token{'s' * (len(gone) > 1)} forgotten.")


def _list(servers: Any, as_json: bool) -> None:
    if as_json:
        say_json(
            [
                {"server": server, "role": one.role, "game": one.game, "name": one.name, "seat": one.seat}
                for server, passes in servers.items()
                for one in passes
            ]
        )
        return
    if not servers:
        say("You have no tokens yet. `warptape join LINK` takes up an invitation.")
    for server, passes in servers.items():
        say(server, bold=True)
        for one in passes:
            who = one.seat or one.role
            say_hanging("  ", f"{who} in '{one.name}' ({one.game})" if one.game else one.role)


def say_invitations(app: App, game: Game) -> None:
    """Print the invitations to a game that was made on a server just now, to be handed to who plays."""
    for seat, code in invitations(app, game).items():
        click.echo(f"  {seat}: {code}")


def invitations(app: App, game: Game) -> dict[str, str]:
    """Return by seat the links of the invitations to a game that was made on a server just now; none elsewhere."""
    codes: dict[str, str] = getattr(game, "invitations", {})
    return {seat: app.served.link(code) for seat, code in codes.items()}


def _a(role: str) -> str:
    return f"an {role}" if role[:1] in "aeiou" else f"a {role}"
