"""The `warptape` command: one module a family of commands, loaded when one of them is used."""

from .group import main

__all__ = ["main"]
