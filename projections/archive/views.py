"""The views that every archive has: common questions, ready to be selected from."""

from __future__ import annotations

VIEWS = {
    "results": """
        SELECT ruleset, result, count(*) AS games,
               round(100.0 * count(*) / sum(count(*)) OVER (PARTITION BY ruleset), 1) AS percent
        FROM games WHERE finished GROUP BY ruleset, result ORDER BY ruleset, games DESC""",
    "winners": """
        SELECT ruleset, seat, holder, sum(won) AS won, count(*) AS games, round(100.0 * sum(won) / count(*), 1) AS percent
        FROM seats JOIN games ON games.id = seats.game WHERE finished GROUP BY ruleset, seat, holder""",
    "dice_by_value": """
        SELECT ruleset, sides, entered, value, count(*) AS dice
        FROM dice JOIN games ON games.id = dice.game WHERE NOT inherited GROUP BY ruleset, sides, entered, value""",
    "losses_by_unit": """
        SELECT ruleset, unit, ifnull(max(names.name), unit) AS name, side, sum(amount) AS amount, sum(final) AS lost,
               count(DISTINCT losses.game) AS games
        FROM losses JOIN games ON games.id = losses.game
        LEFT JOIN names ON names.game = losses.game AND names.id = unit WHERE current AND NOT inherited
        GROUP BY ruleset, unit, side ORDER BY ruleset, lost DESC""",
    "losses_by_round": """
        SELECT ruleset, level, level_round AS round, sum(amount) AS amount, sum(final) AS lost
        FROM losses JOIN games ON games.id = losses.game WHERE current AND NOT inherited
        GROUP BY ruleset, level, level_round""",
    "card_use": """
        SELECT ruleset, item, ifnull(max(names.name), item) AS name, count(*) AS uses, count(DISTINCT uses.game) AS games
        FROM uses JOIN games ON games.id = uses.game
        LEFT JOIN names ON names.game = uses.game AND names.id = item WHERE current AND NOT inherited
        GROUP BY ruleset, item ORDER BY ruleset, uses DESC""",
    "places": """
        SELECT ruleset, spot,
               ifnull(iif(instr(spot, ':'), max(names.name) || ' ' || substr(spot, instr(spot, ':') + 1), max(names.name)), spot)
               AS name,
               sum(moves) AS moves, sum(fights) AS fights, sum(losses) AS losses FROM (
            SELECT game, spot, 1 AS moves, 0 AS fights, 0 AS losses FROM moves WHERE current AND NOT inherited UNION ALL
            SELECT game, spot, 0, 1, 0 FROM fights WHERE current AND NOT inherited UNION ALL
            SELECT game, spot, 0, 0, 1 FROM losses WHERE current AND NOT inherited
        ) AS there JOIN games ON games.id = there.game
        LEFT JOIN names ON names.game = there.game AND names.id = substr(spot, 1, instr(spot || ':', ':') - 1)
        WHERE spot != '' GROUP BY ruleset, spot""",
    "hard_decisions": """
        SELECT game, position, number, seat, question, choices, notation, seconds
        FROM decisions WHERE current AND NOT inherited AND choices > 1 ORDER BY choices DESC""",
    "rounds_by_figure": """
        SELECT ruleset, starts.name, level, level_round AS round, avg(value) AS mean, min(value) AS least, max(value) AS most,
               count(*) AS games
        FROM (SELECT game, name, level, level_round, value, inherited, min(position) FROM figures
              WHERE current GROUP BY game, name, level, level_round) AS starts JOIN games ON games.id = starts.game
        WHERE level_round > 0 AND NOT inherited GROUP BY ruleset, starts.name, level, level_round""",
}
VIEW_TEXTS = {
    "results": "How often each result came up, with its share.",
    "winners": "How often each seat won, by who held it.",
    "dice_by_value": "How often each side of the dice came up; what a fork inherits is counted once.",
    "losses_by_unit": "What was hurt and lost, by sort of unit.",
    "losses_by_round": "What was hurt and lost, by level and round within it.",
    "card_use": "How often each card, order and ability was used.",
    "places": "Moves to, fights about and losses on each square or area.",
    "hard_decisions": "Decisions with more than one legal action, those with most first.",
    "rounds_by_figure": "Each figure of a position on average, at the start of each round of each level.",
}
