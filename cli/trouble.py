"""From an error to an exit code and one or two sentences."""

from __future__ import annotations

import errno
import os
import sys
import traceback
from typing import Any

import click

from .app import brief, inert
from .group import PipeClosed

DONE, WRONG, USAGE, REFUSED, TROUBLE = range(5)
INTERRUPTED, PIPE_CLOSED = 130, 141
"""What a shell expects of a command that Ctrl-C or a closed pipe ended."""


class Failed(Exception):
    """A sentence for the user, with its exit code: a command's own finding."""

    def __init__(self, message: str, code: int = USAGE) -> None:
        super().__init__(message)
        self.code = code


def report(error: BaseException, debug: bool = False) -> int:
    """Write an error to stderr in words and return its exit code; with `debug` the traceback comes first."""
    if _is_closed_pipe(error):
        _silence()
        return PIPE_CLOSED
    code, text = explained(error)
    if debug:
        _write("".join(traceback.format_exception(error)))
    _write(inert(text))
    return code


def explained(error: BaseException) -> tuple[int, str]:
    """Return the exit code and the sentences for an error."""
    from ..domain import errors as known

    match error:
        case click.exceptions.Exit():
            return error.exit_code, ""
        case click.Abort() | KeyboardInterrupt():
            return INTERRUPTED, "Interrupted. What was recorded before stays recorded."
        case click.UsageError():
            return USAGE, _usage(error)
        case click.ClickException():
            return USAGE, error.format_message()
        case Failed():
            return error.code, str(error)
        case known.IllegalAction():
            return REFUSED, _sentence(str(error))
        case known.NotAllowed():
            return REFUSED, _sentence(str(error))
        case known.BadLog():
            return WRONG, _sentence(str(error))
        case known.RulesetCrash():
            return WRONG, _sentence(str(error))
        case known.NameTaken():
            return USAGE, _sentence(str(error))
        case known.StoreError() | known.BotFailed():
            return TROUBLE, _sentence(str(error))
        case known.WarptapeError():
            return USAGE, _sentence(str(error))
        case OSError():
            where = f" {error.filename!r}" if error.filename else ""
            return TROUBLE, f"The file{where} cannot be used: {reason(error)}."
        case MemoryError():
            return TROUBLE, "There is not enough memory for this."
    return WRONG, (
        f"Something is wrong in warptape or in a ruleset ({type(error).__name__}: {_short(error)}). "
        "Please report it with what --debug shows."
    )


def _usage(error: click.UsageError) -> str:
    text = error.format_message()
    command = error.ctx.command_path if error.ctx else "warptape"
    return _sentence(text) if "--help`" in text else f"{_sentence(text)} See `{command} --help`."


def _sentence(text: str) -> str:
    text = brief(text.strip())
    text = f"R{text[1:]}" if text.startswith("refused") else text
    return text if text.endswith((".", "!", "?", ")", "`")) else f"{text}."


def _short(error: BaseException) -> str:
    text = " ".join(str(error).split())
    return text if len(text) <= 200 else f"{text[:199]}…"


def reason(error: OSError) -> str:
    """Return why a file cannot be used, in words."""
    if error.errno == errno.ENOSPC:
        return "no space is left on the device"
    return (error.strerror or str(error) or type(error).__name__).rstrip(".").lower()


def _is_closed_pipe(error: BaseException) -> bool:
    return isinstance(error, BrokenPipeError | PipeClosed) or (
        isinstance(error, OSError) and error.errno == errno.EPIPE
    )


def _silence() -> None:
    """Send what is still in the buffers nowhere, so that leaving does not fail once more."""
    for stream in (sys.stdout, sys.stderr):
        try:
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, stream.fileno())
            os.close(null)
        except (OSError, ValueError, AttributeError):
            continue


def _write(text: str) -> None:
    if not text:
        return
    stream: Any = sys.stderr
    try:
        click.echo(text, file=stream, err=True)
        if sys.stdout is not None:
            sys.stdout.flush()
    except (OSError, ValueError):
        _silence()
