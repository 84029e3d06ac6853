"""The replay page: a game as one HTML file that opens anywhere, with board, story, lines and seats, and needs no network.

`page` writes the file. A page that goes on with a game is made of the same parts: `frame` is its markup around a `script`,
`content` what it holds when it is opened, and `news` what it takes in after that.
"""

from __future__ import annotations

from .build import frame, page, script
from .news import News, news
from .views import Content, content

__all__ = ["Content", "News", "content", "frame", "news", "page", "script"]
