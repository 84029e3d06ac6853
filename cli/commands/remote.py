"""join, invite, tokens, profiles: seats in games on a server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import click

from ..app import App, pass_app, say, say_hanging, say_json, say_table
from ..group import Command
from ..options import json_option
from ..trouble import Failed

if TYPE_CHECKING:
    from ...replays.game import Game
    from ...replays.wire import Issued, IssueToken, TokenInfo

    class TokenKeeper(Protocol):
        """Who gives out the tokens of games."""

        def give(self, game: str, asked: IssueToken) -> Issued:
            """Make a token, or an invitation to one."""

        def tokens(self, game: str) -> list[TokenInfo]:
            """Return the tokens of a game."""

        def revoke(self, game: str, fingerprint: str) -> list[str]:
            """Revoke a token; returns the fingerprints of those revoked."""


END = "end"
"""What `--delay` takes for lookers-on who see nothing before the game is over."""


@click.command(cls=Command)
@click.argument("invitation", metavar="LINK|CODE", default="")
@click.option("--name", default="", metavar="NAME", help="Your name, for the log of the game.")
@json_option
@pass_app
def join(app: App, invitation: str, name: str, as_json: bool) -> None:
    """Take up an invitation to a seat, or to look on: it gives a token, which is kept in your config folder.

    An invitation is a link, or its code with --store to say where. It is good for one person: who takes it up has the seat.

    Without one it keeps the token that --token or WARPTAPE_TOKEN names, such as a host's.

    warptape join https://games.example/join#CODE --name Anna
    warptape join CODE --store https://games.example
    WARPTAPE_TOKEN=TOKEN warptape join --store https://games.example
    """
    from ...replays.remote.passes import invitation_of

    if not invitation:
        if not app.token:
            raise click.UsageError("Give an invitation (a link, or its code with --store), or a token with --token.")
        _keep_token(app, as_json)
        return
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


def _keep_token(app: App, as_json: bool) -> None:
    kept = app.served.keep_token()
    if as_json:
        say_json(
            {"server": app.served.server, "id": kept.game, "name": kept.name, "role": kept.role, "seat": kept.seat}
        )
        return
    part = f"the seat {kept.seat}" if kept.seat else _a(kept.role)
    of = f" in '{kept.name}' ({kept.game})" if kept.game else ""
    say(f"The token for {part}{of} at {app.served.server} is kept.")


@click.command(cls=Command)
@click.argument("game", default="last")
@click.option(
    "--seat", metavar="SEAT", help="For this seat; the token that somebody has for it is good until this is taken up."
)
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

    For another arbiter it makes a token. In a store of your own that `warptape serve` serves you need no token: so a game that
    was not started over the network gets its players, and an arbiter.

    warptape invite last --seat SEAT --store https://games.example
    warptape --store games.db invite last --seat SEAT
    warptape invite last --spectator --delay 20 --store https://games.example
    """
    if (seat is not None) + spectator + arbiter != 1:
        raise click.UsageError("Say for whom: --seat SEAT, --spectator or --arbiter.")
    late = _delay(delay)
    if late and not spectator:
        raise click.UsageError("Only lookers-on see a game with a delay: --delay goes with --spectator.")
    from ...replays.wire import IssueToken

    role: Any = "seat" if seat is not None else "spectator" if spectator else "arbiter"
    asked = IssueToken(role=role, seat=seat or "", label=label, delay=late, invite=not arbiter)
    table = app.store.game(game)
    issued = _keeper(app).give(table.id, asked)
    link = app.served.link(issued.secret) if app.on_server and not arbiter else ""
    if as_json:
        say_json({**({"link": link} if link else {}), "code": issued.secret, "token": issued.token})
        return
    where = app.served.server if app.on_server else "URL-OF-THE-SERVER"
    if arbiter:
        say(f"The token of an arbiter of '{table.name}', which is said this once:")
        click.echo(issued.secret)
        say(f"`warptape --store {where} --token TOKEN join` keeps it.")
        return
    say(f"An invitation for {f'the seat {seat} in' if seat else 'looking on at'} '{table.name}', good once:")
    click.echo(link or issued.secret)
    if not link:
        say(f"`warptape join CODE --store {where}` takes it up.")


def _keeper(app: App) -> TokenKeeper:
    """Return who gives out tokens: the server, to its arbiter; of a store of one's own whoever has it."""
    if app.on_server:
        return app.served
    from ...service.issuing import StoreTokens

    return StoreTokens(app.store.store, app.store.desk)


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

    In a store of your own that `warptape serve` serves you need no token for that.

    warptape tokens last --store https://games.example
    warptape tokens last --revoke 3f9a1c2b0d4e --store https://games.example
    """
    keeper = _keeper(app)
    table = app.store.game(game)
    if revoke is not None:
        gone = keeper.revoke(table.id, revoke)
        if as_json:
            say_json({"revoked": gone})
        else:
            say(f"Revoked: {', '.join(gone)}.")
        return
    found = keeper.tokens(table.id)
    if as_json:
        say_json(found)
        return
    rows = []
    for one in found:
        state = "revoked" if one.revoked else "used" if one.used and one.role == "invitation" else "good"
        late = {0: "", -1: "sees it when it is over"}.get(one.delay, f"{one.delay} events late")
        looking_on = one.role == "invitation" and not one.seat  # an arbiter gets a token, not an invitation
        who = " ".join(filter(None, (one.role, "spectator" if looking_on else one.seat)))
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
    links = invitations(app, game)
    if links:
        say("An invitation for each seat, good once; `warptape join LINK` takes it up:")
    for seat, link in links.items():
        click.echo(f"  {seat}: {link}")


def invitations(app: App, game: Game) -> dict[str, str]:
    """Return by seat the links of the invitations to a game that was made on a server just now; none elsewhere."""
    codes: dict[str, str] = getattr(game, "invitations", {})
    return {seat: app.served.link(code) for seat, code in codes.items()}


def _a(role: str) -> str:
    return f"an {role}" if role[:1] in "aeiou" else f"a {role}"
