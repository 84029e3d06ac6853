"""What a game is: facts, chance and rules. Pure: no files but content, no clock, no store, no printing."""
