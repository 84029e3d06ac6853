"""The replay page: a game as one HTML file that opens anywhere, with board, story, lines and seats, and needs no network."""

from __future__ import annotations

from .build import page

__all__ = ["page"]
