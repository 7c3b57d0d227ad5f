"""`python -m suitors` is the command line."""

from .cli.root import main

main()
