"""The `warptape` command."""
