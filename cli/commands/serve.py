"""serve: the games of a store over HTTP."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..app import App, default_store, pass_app, say, warn
from ..group import Command
from ..options import file_name
from ..serving import address, listening, openable
from ..trouble import TROUBLE, USAGE, Failed

if TYPE_CHECKING:
    from ...service.access import Access
    from ...service.settings import Settings

LOOPBACK = ("127.0.0.1", "::1", "localhost")
NUMBER, SECONDS, BYTES = click.IntRange(0), click.FloatRange(0), click.IntRange(1024)

LIMITS: tuple[tuple[str, str, Any, str], ...] = (
    ("--rate", "token_rate", SECONDS, "Requests a second for each token; 0: no limit."),
    ("--address-rate", "address_rate", SECONDS, "Requests a second for each client address; 0: no limit."),
    ("--create-rate", "create_rate", SECONDS, "With --open: games a second for each client address."),
    ("--streams", "streams", NUMBER, "Streams of events at once."),
    ("--streams-each", "streams_each", NUMBER, "Streams of events at once for each token."),
    ("--most-bytes", "body", BYTES, "Bytes of a request."),
    ("--most-content", "content", BYTES, "Bytes of a request that brings own content."),
    ("--most-import", "log_file", BYTES, "Bytes of a log file to import."),
    ("--time", "seconds", SECONDS, "Seconds for a request."),
    ("--long-time", "long_seconds", SECONDS, "Seconds for an export, an import, a story or an audit."),
    ("--head-time", "head", SECONDS, "Seconds in which the head of a request must come."),
    ("--slow", "slow", SECONDS, "Seconds for which a client may leave its stream unread."),
    ("--grace", "grace", SECONDS, "Seconds for what is under way when the service ends."),
    ("--games", "games", click.IntRange(1), "Games that are kept open for acting."),
    ("--threads", "threads", click.IntRange(1, 64), "Requests that one process works on at once."),
)  # fmt: skip


def _limits(command: Any) -> Any:
    """Add the options of the service's limits, each with the default that the service has."""
    for option, field, kind, text in reversed(LIMITS):
        command = click.option(option, field, type=kind, metavar="N", default=None, help=text)(command)
    return command


@click.command(cls=Command)
@click.option("--host", default="127.0.0.1", metavar="ADDRESS", help="Where to listen (default: this machine only).")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8642, metavar="N", help="Default: 8642; 0: any free one."
)
@click.option(
    "--workers",
    type=click.IntRange(1, 64),
    default=1,
    metavar="N",
    help="Processes; several need a store on PostgreSQL.",
)
@click.option("--new-host-token", is_flag=True, help="Revoke the host's token and make another one.")
@click.option(
    "--host-token-file", metavar="FILE", callback=file_name, help="Write a new host's token there, for its owner alone."
)
@click.option("--open", "open_", is_flag=True, help="Anybody may start games, not the host alone.")
@click.option("--open-metrics", is_flag=True, help="Anybody may read the counts at /metrics.")
@click.option("--log", type=click.Choice(["text", "json"]), default="text", help="The form of the log on stderr.")
@_limits
@pass_app
def serve(
    app: App,
    /,
    host: str,
    port: int,
    workers: int,
    new_host_token: bool,
    host_token_file: str | None,
    open_: bool,
    open_metrics: bool,
    log: str,
    **limits: Any,
) -> None:
    """Serve the games of a store over HTTP, so that people play across machines and see what is theirs to see.

    The host's token, which starts games, is printed at the first start. Put a proxy with TLS before it for other machines than
    this one. SIGTERM or Ctrl-C ends it when what was begun is done.

    warptape serve
    warptape --store postgresql://games@db/games serve --host 0.0.0.0 --workers 4 --log json
    """
    try:
        import_module("litestar"), import_module("uvicorn"), import_module("prometheus_client")
    except ImportError as error:
        raise Failed(f"The service needs another package ({error}): pip install 'warptape[server]'.", USAGE) from error
    from ...service.settings import Settings

    url = app.url or default_store()
    given = {name: value for name, value in limits.items() if value is not None}
    settings = Settings(open=open_, open_metrics=open_metrics, log=log, **given)  # type: ignore[arg-type]
    if workers > 1 and not url.startswith(("postgresql://", "postgres://")):
        raise Failed(
            "Several processes need a store on PostgreSQL: --store postgresql://…, or leave --workers out.", USAGE
        )
    if url.startswith(("http://", "https://")):
        raise Failed("A service serves a store of its own, not that of another service.", USAGE)
    sock = listening(host, port)
    if host not in LOOPBACK:
        warn("What goes over this address is not encrypted: put a proxy with TLS before it.")
    os.umask(0o077)  # the store, which it may make now, holds the secrets of all games
    _begin(app, url, settings, sock, address(host, sock), workers, new_host_token, host_token_file)


def _begin(
    app: App, url: str, settings: Settings, sock: Any, where: str, workers: int, renew: bool, file: str | None
) -> None:
    from ...service.access import Access
    from ...service.running import run, run_several
    from ...service.service import Service

    library = app.store
    _host_token(Access(library.store, library.desk.now), renew, file, settings.open)
    say(f"{library.store.name} is at {where} until Ctrl-C.", bold=True)
    say(f"In a browser it is played at {openable(where)}/ with an invitation or a token.")
    sys.stdout.flush()  # whoever started it in the background reads the address now
    if workers == 1:
        run(Service(library.store, settings, library.desk), [sock])
    else:
        app.close()
        if run_several(url, settings, sock, workers):
            raise Failed(
                "Some processes did not end in time and were killed; what they had acknowledged is kept.", TROUBLE
            )


def _host_token(access: Access, renew: bool, file: str | None, open_: bool) -> None:
    """Make the host's token where there is none or a new one is wanted, and say it once."""
    if not renew and (open_ or access.has_host()):
        return
    token = access.new_host()
    if file is None:
        say("The host's token, which is said this once:")
        click.echo(token)
        return
    path = Path(file)
    try:
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as out:
            os.fchmod(out.fileno(), 0o600)  # also where the file was there before
            out.write(token + "\n")
    except OSError as error:
        raise Failed(f"{path} cannot be written: {(error.strerror or str(error)).lower()}.", TROUBLE) from error
    say(f"The host's token is in {path}.")
