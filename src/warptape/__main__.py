"""`python -m warptape` is the `warptape` command."""

from .cli import main

if __name__ == "__main__":
    main()
