"""Where it happened: moves to, fights about and losses on every square and area."""

from __future__ import annotations

import msgspec

from .games import LINE, Games


class Heat(msgspec.Struct, frozen=True):
    """How often units moved to a place, were attacked there, and were hurt or lost there.

    `board` is the board or section that the place is on, empty where a game has one; `place` its name there. `spot` is
    both, as the archive has it. `board_name` and `name` are what they are called. `games` are those that were played on that board.
    """

    ruleset: str
    board: str
    place: str
    spot: str
    moves: int
    fights: int
    losses: int
    games: int
    board_name: str = ""
    name: str = ""

    @property
    def all(self) -> int:
        """Moves, fights and losses together."""
        return self.moves + self.fights + self.losses


def heat(games: Games) -> tuple[Heat, ...]:
    """Return the places of the chosen games by ruleset and board, those where most happened first."""
    rows = games.rows(
        f"""
        SELECT ruleset, spot, sum(moves), sum(fights), sum(losses) FROM chosen JOIN (
            SELECT game, spot, 1 AS moves, 0 AS fights, 0 AS losses FROM moves WHERE {LINE} UNION ALL
            SELECT game, spot, 0, 1, 0 FROM fights WHERE {LINE} UNION ALL
            SELECT game, spot, 0, 0, 1 FROM losses WHERE {LINE}
        ) ON game = id WHERE spot != '' GROUP BY ruleset, spot"""
    )
    played = {
        (ruleset, board): count
        for ruleset, board, count in games.rows(
            "SELECT ruleset, substr(spot, 1, max(0, instr(spot, ':') - 1)), count(DISTINCT game) FROM chosen JOIN moves "
            f"ON game = id WHERE {LINE} AND spot != '' GROUP BY 1, 2"
        )
    }
    found = []
    for ruleset, spot, moves, fights, losses in rows:
        board, _, place = spot.rpartition(":")
        on = played.get((ruleset, board), games.rulesets()[ruleset][0])
        called = games.called(ruleset, board), place if board else games.called(ruleset, place)
        found.append(Heat(ruleset, board, place, spot, moves, fights, losses, on, *called))
    return tuple(sorted(found, key=lambda one: (one.ruleset, one.board, -one.all, one.place)))
