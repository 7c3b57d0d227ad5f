"""`python -m suitors` is the command line."""

from .cli import main

main()
