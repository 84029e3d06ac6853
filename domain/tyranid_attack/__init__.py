"""Tyranid Attack."""
