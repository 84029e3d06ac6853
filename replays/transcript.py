"""The transcript: a game told as a story in Markdown, plain text or HTML."""

from __future__ import annotations

import html
import re
import textwrap
from collections.abc import Iterator
from typing import Protocol

from ..domain.errors import BadAddress, NotAllowed
from .address import Address
from .luck import Analysis, sparkline
from .story import Aside, Curve, Front, Heading, Item, Margin, Passage, Story
from .tape import Tape
from .told import amid, plain

WIDTH = 80
UNDERLINES = {"level": "=", "round": "-", "turn": "."}


def transcript(
    tape: Tape,
    format: str = "md",
    *,
    at: int | str | Address | None = None,
    seat: str | None = None,
    variations: bool = False,
    analysis: Analysis | None = None,
) -> str:
    """Return a game as a story, along the line that ends at a position or address (default: now).

    `format` is `md`, `txt` or `html`; `seat` tells it as that seat knows it. What was taken back is a footnote where
    its line parts; with `variations` it is told in full as well, set in. An `analysis` of that line puts its curve at the head
    and the luckiest rolls and costliest choices into the margin. The same log gives the same text.

    Raises BadAddress for a place that is not in the game, NotAllowed for a format or a seat that is not.
    """
    return "".join(transcript_lines(tape, format, at=at, seat=seat, variations=variations, analysis=analysis))


def transcript_lines(
    tape: Tape,
    format: str = "md",
    *,
    at: int | str | Address | None = None,
    seat: str | None = None,
    variations: bool = False,
    analysis: Analysis | None = None,
) -> Iterator[str]:
    """Yield the text of `transcript` piece by piece, without holding all of it."""
    if format not in PENS:
        raise NotAllowed(f"There is no format '{format}' of a transcript: use {', '.join(PENS)}.")
    if seat is not None and seat not in tape.shelf.seats:
        raise NotAllowed(f"This game has no seat '{seat}'. Its seats: {', '.join(tape.shelf.seats)}.")
    if tape.length == 0:
        raise BadAddress("The game has no events.")
    until = tape.length - 1 if at is None else tape.batch_end(tape.locate(at))
    story = Story(tape, tape.tree.resolve(until), seat, variations, until, analysis)
    pen = PENS[format]()
    yield pen.front(story.front())
    for item in story.items():
        yield pen.item(item, 0)
    yield pen.back(story.footnotes)


class Pen(Protocol):
    """Writes a story in one format."""

    def front(self, front: Front) -> str: ...
    def item(self, item: Item, depth: int) -> str: ...
    def back(self, footnotes: list[str]) -> str: ...


class Text:
    """Plain text, at most `WIDTH` columns wide."""

    def front(self, front: Front) -> str:
        """Return what stands above the story."""
        title = plain(front.title)
        lines = [title, "=" * len(title), ""]
        lines += [f"{plain(name)}: {plain(holder)}" for name, holder in front.seats]
        lines += [self._wrapped(plain(front.ending), "", "  ").rstrip("\n")]
        lines += [f"Known to: {plain(front.seen_as)}."] if front.seen_as else []
        for curve in front.curves:
            lines += ["", sparkline(curve.shares)]
            lines += [self._wrapped(f"Chances of {amid(plain(curve.name))}: {curve.text}.", "", "  ").rstrip("\n")]
        return "\n".join([*lines, "", ""])

    def item(self, item: Item, depth: int) -> str:
        """Return one item, set in by `depth` levels."""
        pad = "    " * depth
        match item:
            case Heading(text=text, opens=opens):
                text = plain(text)
                return f"\n{pad}{text}\n{pad}{UNDERLINES[opens] * len(text)}\n"
            case Passage():
                act = ": ".join(filter(None, (plain(item.actor), plain(item.notation))))
                marks = "".join(f" [{number}]" for number in item.footnotes)
                said = " ".join(map(plain, item.sentences))
                joined = f"{act}{'. ' if item.notation and said else ': ' if act and said else ''}{said}"
                return self._wrapped(f"{joined}{marks}".strip(), f"{pad}- ", f"{pad}  ")
            case Margin(author=author):
                by = f" ({plain(author)})" if author else ""
                return self._wrapped(f"{plain(item.said)}{by}", f"{pad}  | ", f"{pad}  | ")
            case Aside(text=text, items=items):
                inner = "".join(self.item(one, depth + 1) for one in items)
                return self._wrapped(plain(text), f"{pad}    ( ", f"{pad}      ") + inner + f"{pad}    )\n"

    def _wrapped(self, text: str, first: str, later: str) -> str:
        return textwrap.fill(
            text, WIDTH, initial_indent=first, subsequent_indent=later, break_long_words=False, break_on_hyphens=False
        ) + "\n"  # fmt: skip

    def back(self, footnotes: list[str]) -> str:
        """Return what stands below the story."""
        if not footnotes:
            return ""
        notes = (self._wrapped(plain(text), f"[{n}] ", "    ") for n, text in enumerate(footnotes, 1))
        return "\n" + "".join(notes)


class Markdown:
    """Markdown with footnotes, as GitHub, MkDocs and pandoc read it."""

    @staticmethod
    def _safe(text: str) -> str:
        escaped = re.sub(r"([\\`*_\[\]#|~])", r"\\\1", plain(text))
        escaped = escaped.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        escaped = re.sub(r"^(\s*)([-+!=]|\d+[.)])", lambda found: f"{found[1]}{found[2][:-1]}\\{found[2][-1]}", escaped)
        return re.sub(r"!(?=\\\[)", r"\\!", re.sub(r"(https?|ftp):(?=//)", r"\1&#58;", escaped))

    @staticmethod
    def _code(text: str) -> str:
        return "`" + plain(text).replace("`", "'") + "`" if plain(text) else ""

    def front(self, front: Front) -> str:
        """Return what stands above the story."""
        lines = [f"# {self._safe(front.title)}", ""]
        lines += [f"- {self._safe(name)}: {self._safe(holder)}" for name, holder in front.seats]
        lines += ["", f"**{self._safe(front.ending)}**", ""]
        lines += [f"*Known to: {self._safe(front.seen_as)}.*", ""] if front.seen_as else []
        for curve in front.curves:
            named = self._safe(f"Chances of {amid(curve.name)}: {curve.text}.")
            lines += [f"`{sparkline(curve.shares)}`", "", named, ""]
        return "\n".join([*lines, ""])

    def item(self, item: Item, depth: int) -> str:
        """Return one item, set in by `depth` levels."""
        pad = "    " * depth
        match item:
            case Heading(level=level, text=text):
                if depth:
                    return f"{pad}- **{self._safe(text)}**\n"
                return f"\n{'#' * (level + 1)} {self._safe(text)}\n\n"
            case Passage():
                marks = "".join(f"[^{number}]" for number in item.footnotes)
                actor = f"**{self._safe(item.actor)}**" if item.actor else ""
                said = " ".join(map(self._safe, item.sentences))
                act = " ".join(filter(None, (actor, self._code(item.notation))))
                return f"{pad}- {': '.join(filter(None, (act, said)))}{marks}\n"
            case Margin(author=author):
                by = f" ({self._safe(author)})" if author else ""
                # Under a passage of the list; after a heading four blanks would make it code.
                return f"{pad}- > *{self._safe(item.said)}*{by}\n"
            case Aside(text=text, items=items):
                inner = "".join(self.item(one, depth + 2) for one in items)
                return f"{pad}    - *{self._safe(text)}*\n{inner}"

    def back(self, footnotes: list[str]) -> str:
        """Return what stands below the story."""
        return "".join(f"\n[^{number}]: {self._safe(text)}\n" for number, text in enumerate(footnotes, 1))


class Html:
    """A page of HTML that stands by itself."""

    HEAD = (
        "<!DOCTYPE html>\n"
        '<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        "<title>{title}</title>\n"
        "<style>body{{max-width:44em;margin:2em auto;padding:0 1em;font:1em/1.5 serif}}"
        "aside{{float:right;clear:right;width:14em;margin:0 0 1em 1em;font-size:.85em;color:#555}}"
        ".aside{{margin-left:2em;font-size:.95em;color:#444}}code{{font-size:.9em}}</style></head>\n<body>\n"
    )

    @staticmethod
    def _safe(text: str) -> str:
        return html.escape(plain(text))

    def front(self, front: Front) -> str:
        """Return what stands above the story."""
        title = self._safe(front.title)
        seats = "".join(f"<li>{self._safe(name)}: {self._safe(holder)}</li>" for name, holder in front.seats)
        seen = f"<p><em>Known to: {self._safe(front.seen_as)}.</em></p>\n" if front.seen_as else ""
        ending = f"<p><strong>{self._safe(front.ending)}</strong></p>\n"
        curves = "".join(map(self._curve, front.curves))
        return f"{self.HEAD.format(title=title)}<h1>{title}</h1>\n<ul>{seats}</ul>\n{ending}{seen}{curves}"

    def _curve(self, curve: Curve) -> str:
        """Return a seat's chances as a drawing 100 high, with its words below."""
        step = 400 / max(1, len(curve.shares) - 1)
        points = " ".join(f"{n * step:.1f},{100 - 100 * share:.1f}" for n, share in enumerate(curve.shares))
        said = self._safe(f"Chances of {amid(curve.name)}: {curve.text}.")
        return (
            f'<figure><svg viewBox="0 -2 400 104" role="img" aria-label="{said}" width="100%">'
            '<path d="M0 0H400M0 50H400M0 100H400" stroke="#ccc" fill="none"/>'
            f'<polyline points="{points}" stroke="#1f5fa8" stroke-width="2" fill="none"/></svg>'
            f"<figcaption>{said}</figcaption></figure>\n"
        )

    def item(self, item: Item, depth: int) -> str:
        """Return one item; `depth` says how far it is set in."""
        match item:
            case Heading(level=level, text=text):
                size = min(6, level + 1 + depth)
                return f"<h{size}>{self._safe(text)}</h{size}>\n"
            case Passage():
                marks = "".join(f'<sup><a href="#note-{n}">{n}</a></sup>' for n in item.footnotes)
                actor = f"<strong>{self._safe(item.actor)}</strong>" if item.actor else ""
                code = f"<code>{self._safe(item.notation)}</code>" if item.notation else ""
                said = " ".join(map(self._safe, item.sentences))
                act = " ".join(filter(None, (actor, code)))
                return f"<p>{': '.join(filter(None, (act, said)))}{marks}</p>\n"
            case Margin(author=author):
                by = f" ({self._safe(author)})" if author else ""
                return f"<aside>{self._safe(item.said)}{by}</aside>\n"
            case Aside(text=text, items=items):
                inner = "".join(self.item(one, depth + 1) for one in items)
                return f'<div class="aside">\n<p><em>{self._safe(text)}</em></p>\n{inner}</div>\n'

    def back(self, footnotes: list[str]) -> str:
        """Return what stands below the story."""
        notes = "".join(f'<li id="note-{n}">{self._safe(text)}</li>\n' for n, text in enumerate(footnotes, 1))
        return (f"<hr>\n<ol>\n{notes}</ol>\n" if notes else "") + "</body></html>\n"


PENS: dict[str, type[Pen]] = {"md": Markdown, "txt": Text, "html": Html}
