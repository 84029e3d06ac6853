"""Paths as people type them, and files that are read without being led astray."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO

from ..domain.errors import StoreError


def typed(path: str | os.PathLike[str]) -> Path:
    """Return a path with `~` and `~user` replaced by a home folder; raises StoreError where there is none."""
    try:
        return Path(path).expanduser()
    except RuntimeError as error:
        raise StoreError(f"{os.fspath(path)} cannot be used: there is no such home folder.") from error


class NoFile(OSError):
    """There is something at a path, but no file: a pipe, a socket or a device."""


def opened(path: Path) -> BinaryIO:
    """Open a file for reading bytes; never waits for somebody to write into a pipe.

    Raises NoFile for a pipe, a socket or a device, IsADirectoryError, and other OSError; ValueError for a NUL in the name.
    """
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        number = os.open(path, flags)
    except OSError as error:
        if error.errno in (errno.ENXIO, errno.ENODEV):  # a socket, or a device that is not there
            raise NoFile(error.errno, "a pipe, a socket or a device is no file", str(path)) from error
        raise
    try:
        mode = os.fstat(number).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        if not stat.S_ISREG(mode):
            raise NoFile(errno.EINVAL, "a pipe, a socket or a device is no file", str(path))
        return os.fdopen(number, "rb")
    except BaseException:
        os.close(number)
        raise
