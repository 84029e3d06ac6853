"""Runs one program and ends it, with everything it has started, when whoever asked for it is gone.

A process of its own, with nothing but the standard library: `guardian.py CONTROL PROGRAM [ARGUMENT]…`. CONTROL is the
number of a pipe's reading end: when its other end is closed, which the system does for a process that was killed, too, the
program has a moment to end and is killed then. The exit code is the program's, 128 and the signal for one that was ended.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import time
from contextlib import suppress

GRACE = 0.3
"""Seconds between asking a program to end and killing it."""

PATIENCE = 2.0
"""Seconds in which children of a killed program are looked for: one may start others faster than they are found."""

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36


def _prctl(option: int, value: int) -> None:
    """Set a property of this process where the system is Linux; elsewhere the process group has to do."""
    if sys.platform == "linux":
        with suppress(Exception):
            import ctypes

            ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def _start(words: list[str], control: int) -> int:
    """Start the program in a process group of its own and return its id."""
    pid = os.fork()
    if pid:
        with suppress(OSError):
            os.setpgid(pid, pid)
        return pid
    try:
        os.setpgid(0, 0)
        signal.set_wakeup_fd(-1)
        for number in (signal.SIGCHLD, signal.SIGINT, signal.SIGHUP, signal.SIGTERM, signal.SIGPIPE):
            signal.signal(number, signal.SIG_DFL)  # what is ignored here would stay ignored there
        _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        os.close(control)
        os.execvp(words[0], words)
    except OSError as error:
        os.write(2, f"{words[0]} cannot be started: {error.strerror}\n".encode())
    finally:
        os._exit(127)


def _reap(pid: int) -> int | None:
    """Take note of all children that have ended; returns the exit code of the program if it is among them."""
    code = None
    with suppress(ChildProcessError):
        while True:
            ended, status = os.waitpid(-1, os.WNOHANG)
            if not ended:
                break
            if ended == pid:
                exit_code = os.waitstatus_to_exitcode(status)
                code = exit_code if exit_code >= 0 else 128 - exit_code
    return code


def _children() -> list[int]:
    """Return the children of this process, those that others have left to it included; none where nobody can tell."""
    try:
        with open(f"/proc/self/task/{os.getpid()}/children", encoding="ascii") as file:
            return [int(word) for word in file.read().split()]
    except (OSError, ValueError):
        return []


def _end(pid: int, code: int | None) -> int:
    """End the program, unless its exit code is known, and everything it has started; returns its exit code."""
    for number, patience in ((signal.SIGTERM, GRACE), (signal.SIGKILL, GRACE)):
        with suppress(OSError):
            os.killpg(pid, number)
        until = time.monotonic() + patience
        while time.monotonic() < until:
            found = _reap(pid)
            code = code if found is None else found
            if code is not None and not _children():
                break
            time.sleep(0.01)
    until = time.monotonic() + PATIENCE
    while (left := _children()) and time.monotonic() < until:
        for child in left:
            with suppress(OSError):
                os.kill(child, signal.SIGKILL)
        time.sleep(0.01)
        found = _reap(pid)
        code = code if found is None else found
    return 128 + signal.SIGKILL if code is None else code


def main(arguments: list[str]) -> int:
    """Run the program until it ends or the pipe is closed; returns its exit code."""
    control = int(arguments[0])
    reading, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake)
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    asked: list[int] = []
    signal.signal(signal.SIGTERM, lambda *_: asked.append(1))
    _prctl(PR_SET_CHILD_SUBREAPER, 1)
    pid = _start(arguments[1:], control)
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):  # held open here they would never come to their end there
        os.dup2(nothing, stream)
    code = None
    while code is None and not asked:
        ready, _, _ = select.select([control, reading], [], [])
        if reading in ready:
            os.read(reading, 4096)
            code = _reap(pid)
        if control in ready:
            break
    return _end(pid, code)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
