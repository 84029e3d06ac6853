"""Boards: one module a game that turns a state into a scene."""
