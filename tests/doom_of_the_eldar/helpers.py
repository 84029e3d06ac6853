raise ImportError("renamed: import from `doom` (tests/doom_of_the_eldar/doom.py); `helpers` would clash with the sister game's")
