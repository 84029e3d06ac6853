"""Doom of the Eldar."""
