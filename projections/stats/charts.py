"""Statistics as charts, drawn by matplotlib (the extra `plots`)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

from ..scene import Scheme
from ..typeset import clip
from .dice import Fairness
from .effects import Effect, Unit, Use
from .losses import Loss, RoundLoss
from .naming import labels
from .outcomes import Length, Outcomes
from .theming import CARD, INK, MUTED, RULE, figure, headed, light, styled, svg

MOST, LONGEST = 22, 60
"""Rows of a chart: more cannot be read; and of one that is read from the top."""
LONGEST_NAME = 34
FEW = 0.1
"""Rounds that fewer of the games got to are left out of a line: it would only flicker."""
DASHES = ("-", "--", "-.", ":")
"""How the lines of levels differ."""


@styled
def dice(found: Fairness, scheme: Scheme = "auto") -> str:
    """Return how often each side came up, with its interval, about the share that is due."""
    from ..statistics import wilson

    drawing, (axes,) = figure(7, 3.4)
    due = 100 / found.sides
    shares = [wilson(count, found.dice) for count in found.counts]
    axes.axhline(due, color=light("good"), linewidth=1.4)
    spread = max(0.4, *(100 * max(one.high - 1 / found.sides, 1 / found.sides - one.low) for one in shares)) * 1.25
    for side, one in enumerate(shares, 1):
        off = one.low > 1 / found.sides or one.high < 1 / found.sides
        colour = light("bad" if off and found.verdict in ("doubtful", "unfair") else "side.1")
        axes.plot(
            [side, side], [100 * one.low, 100 * one.high], color=colour, linewidth=5, solid_capstyle="round", alpha=0.4
        )
        axes.plot([side], [100 * one.share], "o", color=colour, markersize=8)
        axes.annotate(
            f"{one.count:,}",
            (side, 100 * one.share),
            xytext=(9, 4),
            textcoords="offset points",
            fontsize=9,
            color=light(INK),
        )
    axes.set_ylim(max(0.0, due - spread), due + spread)
    axes.set_xlim(0.5, found.sides + 0.75)
    axes.set_xticks(range(1, found.sides + 1) if found.sides <= 20 else range(1, found.sides + 1, found.sides // 10))
    axes.grid(axis="x", visible=False)
    axes.grid(axis="y", color=light(RULE), linewidth=0.8)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:g} %")
    headed(axes, found.words)
    whose = "entered by hand" if found.entered else "of fate"
    title = f"{found.dice:,} d{found.sides} {whose}: {found.verdict}"
    return svg(drawing, title, f"{found.words} Each side, from 1: {', '.join(map(str, found.counts))}.", scheme)


@styled
def outcomes(name: str, parts: Sequence[Outcomes], scheme: Scheme = "auto") -> str:
    """Return the share of each result with its interval, for all games and for each part of them."""
    rows: list[tuple[str, Any]] = []
    for one in parts:
        if rows and len(rows) + len(one.results) >= LONGEST:
            break
        part = f"{one.by} {one.value}" if one.by else "all"
        rows.append((f"{part}: {one.games:,} games", None))
        rows += [(result, share) for result, share in one.results.items()]
    drawing, (axes,) = figure(7, 0.9 + 0.27 * len(rows))
    for at, (row, share) in enumerate(rows):
        if share is None:
            axes.text(0, at, row, va="center", fontsize=9.5, fontweight="bold", color=light(INK))
            continue
        axes.barh(at, 100 * share.share, height=0.62, color=light("side.1"))
        axes.plot([100 * share.low, 100 * share.high], [at, at], color=light(INK), linewidth=1.3)
        for end in (share.low, share.high):
            axes.plot([100 * end] * 2, [at - 0.16, at + 0.16], color=light(INK), linewidth=1.3)
        axes.text(101, at, f"{100 * share.share:.0f} %", va="center", fontsize=9, color=light(MUTED))
    axes.set_ylim(len(rows) - 0.4, -0.7)
    axes.set_xlim(0, 108)
    axes.set_yticks(
        [at for at, (_, share) in enumerate(rows) if share is not None],
        [row for row, share in rows if share is not None],
    )
    axes.set_xticks(range(0, 101, 20))
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g} %")
    words = "; ".join(f"{row} {share}" if share is not None else row for row, share in rows)
    return svg(drawing, f"{name}: outcomes with 95 % intervals", words, scheme)


@styled
def lengths(name: str, parts: Sequence[Length], scheme: Scheme = "auto") -> str:
    """Return the quartiles of what games took and ended with: a box from quarter to three quarters, each on its scale."""
    drawing, plots = figure(7, 0.7 + 0.62 * len(parts), len(parts))
    for axes, one in zip(plots, parts, strict=True):
        axes.plot([one.least, one.most], [0, 0], color=light("side.1"), linewidth=1.6)
        axes.barh(0, max(one.high - one.low, 1e-9), left=one.low, height=0.6, color=light("side.1"), alpha=0.55)
        axes.plot([one.median] * 2, [-0.3, 0.3], color=light(INK), linewidth=2)
        axes.plot([one.mean], [0], "o", markersize=5, color=light(CARD), markeredgecolor=light(INK))
        axes.set_ylim(-0.6, 0.6)
        span = (one.most - one.least) or 1
        axes.xaxis.get_major_locator().set_params(integer=one.what != "seconds", nbins=7)
        axes.set_xlim(one.least - 0.03 * span, one.most + 0.03 * span)
        axes.set_yticks([0], [one.what.replace("_", " ")])
        axes.tick_params(labelsize=8.5)
    words = "; ".join(f"{one.what} {one.low:g}, {one.median:g}, {one.high:g}" for one in parts)
    title = f"{name}: half of {parts[0].games:,} games lie in the boxes"
    return svg(drawing, title, f"A quarter, half and three quarters of the games are below: {words}.", scheme)


@styled
def losses(name: str, kinds: Sequence[Loss], rounds: Sequence[RoundLoss], scheme: Scheme = "auto") -> str:
    """Return what each kind of unit lost a game, and what each side lost a round."""
    shown = sorted(kinds, key=lambda one: (-one.amount, one.side, one.unit))[:MOST]
    sides = _sides(kinds)
    far = FEW * max((one.games for one in rounds), default=0)
    drawing, (left, right) = figure(10, max(3.4, 0.9 + 0.25 * len(shown)), columns=2)
    for at, one in enumerate(shown):
        left.barh(at, one.per_game, height=0.66, color=light(sides[one.side]))
        left.text(one.per_game, at, f" {one.amount:,}", va="center", fontsize=8, color=light(MUTED))
    left.set_ylim(len(shown) - 0.4, -0.6)
    left.set_yticks(range(len(shown)), _names(shown, "unit"))
    left.set_xlim(0, 1.15 * max((one.per_game for one in shown), default=1))
    headed(left, "by kind, a game")
    levels = sorted({one.level for one in rounds}) or [0]
    for side, (at, level) in product(sides, enumerate(levels)):
        line = [one for one in rounds if (one.side, one.level) == (side, level) and one.games >= far]
        if line or not level:
            right.plot(
                [one.round for one in line], [one.per_game for one in line], DASHES[at % len(DASHES)], marker="o",
                markersize=4, linewidth=2, color=light(sides[side]),
                label=(side or "nobody's") + (f", level {level}" if level else ""),
            )  # fmt: skip
    right.set_ylim(bottom=0)
    right.grid(axis="y", color=light(RULE), linewidth=0.8)
    right.xaxis.get_major_locator().set_params(integer=True)
    divided = len(levels) > 1
    if divided:  # many lines cross: what they mean stands above them
        right.set_ylim(top=right.get_ylim()[1] * (1.1 + 0.1 * len(levels)))
    right.legend(
        frameon=False, fontsize=9, labelcolor=light(INK), ncols=len(sides) if divided else 1,
        loc="upper right" if divided else "best", handlelength=3.6 if divided else 2,
    )  # fmt: skip
    headed(right, "by round, a game that got so far")
    words = ", ".join(f"{one.name} {one.amount}" for one in shown)
    return svg(drawing, f"{name}: losses", f"{words}.", scheme)


@styled
def cards(name: str, found: Sequence[Use], scheme: Scheme = "auto") -> str:
    """Return how often each card and order was used, and how games went in which it was."""
    shown = sorted(found, key=lambda one: (not one.side, -one.uses, one.item))[:MOST]
    sides = _sides(found)
    drawing, (left, right) = figure(10, max(3.2, 1.1 + 0.25 * len(shown)), columns=2, sharey=True)
    for at, one in enumerate(shown):
        left.barh(at, one.uses, height=0.66, color=light(sides[one.side]))
        left.text(one.uses, at, f" {one.uses:,}", va="center", fontsize=8, color=light(MUTED))
    left.set_yticks(range(len(shown)), _names(shown, "item"))
    left.set_xlim(0, 1.15 * max((one.uses for one in shown), default=1))
    headed(left, "times used")
    _effects(right, [one.effect for one in shown], [sides[one.side] for one in shown])
    words = ", ".join(f"{one.name} {one.uses}" for one in shown)
    return svg(drawing, f"{name}: use and effect of cards and orders", f"Times used: {words}.", scheme)


@styled
def units(name: str, found: Sequence[Unit], scheme: Scheme = "auto") -> str:
    """Return what each kind of unit did to others and suffered, and how games went in which it was."""
    shown = sorted(found, key=lambda one: (-one.caused - one.suffered, one.side, one.unit))[:MOST]
    drawing, (left, right) = figure(10, max(3.2, 1.1 + 0.27 * len(shown)), columns=2, sharey=True)
    sides = _sides(found)
    for at, one in enumerate(shown):
        left.barh(at - 0.17, one.caused, height=0.32, color=light(sides[one.side]))
        left.barh(at + 0.17, one.suffered, height=0.32, color=light(sides[one.side]), alpha=0.4)
    left.set_yticks(range(len(shown)), _names(shown, "unit"))
    headed(left, "losses caused (above), suffered (below, paler)")
    _effects(right, [one.effect for one in shown], [sides[one.side] for one in shown])
    words = ", ".join(f"{one.name} {one.caused} and {one.suffered}" for one in shown)
    return svg(drawing, f"{name}: units and their effect", f"Losses caused and suffered: {words}.", scheme)


def _effects(axes: Any, effects: Sequence[Effect], colours: Sequence[str]) -> None:
    """Points with intervals: by how much more of the games with something were won than of those without."""
    axes.axvline(0, color=light(MUTED), linewidth=1.2)
    for at, (one, colour) in enumerate(zip(effects, colours, strict=True)):
        if one.difference is None or one.low is None or one.high is None:
            axes.text(3, at, "in all games", va="center", fontsize=8, color=light(MUTED))
            continue
        sure = one.low > 0 or one.high < 0
        axes.plot([100 * one.low, 100 * one.high], [at, at], color=light(colour), linewidth=4, alpha=0.4)
        axes.plot([100 * one.difference], [at], "o" if sure else "D", markersize=7 if sure else 5, color=light(colour))
    axes.set_ylim(len(effects) - 0.4, -0.6)
    axes.set_xlim(-105, 105)
    axes.set_xticks(range(-100, 101, 50))
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:+g} %" if value else "0")
    headed(axes, "won more often with it than without; 95 % interval")


def _names(rows: Sequence[Any], key: str) -> list[str]:
    """The names beside the bars, short enough to leave the bars room."""
    return [clip(label, LONGEST_NAME) for label in labels(rows, key)]


def _sides(rows: Sequence[Any]) -> dict[str, str]:
    """A colour for each side; what belongs to nobody is grey."""
    sides = {one.side for one in rows}
    named, nobody = sorted(sides - {""}), {"": "none"} if "" in sides else {}
    return nobody | {side: f"side.{at % 4 + 1}" for at, side in enumerate(named)}
