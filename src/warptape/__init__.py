"""warptape records tabletop games move by move."""
