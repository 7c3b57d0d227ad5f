"""Solves the solo game for every setting of the switches and writes the opening books that the solver ships.

    python tools/opening_book.py

Takes about two minutes on two cores; run it when a rule of the solo game or the packing of positions has changed.
"""

from pathlib import Path

from suitors.solve import book
from suitors.solve.solver import solve_keys


def main() -> None:
    """Write a book for each setting."""
    folder = Path(book.__file__).parent / "data"
    folder.mkdir(exist_ok=True)
    for sw in range(4):
        keys = [book.start(hand) for hand in book.COPIES] + book.book_keys(sw)
        book.write_book(folder, sw, solve_keys(keys, sw))
        print(f"{book.file_name(sw)}: {folder.joinpath(book.file_name(sw)).stat().st_size} bytes", flush=True)


if __name__ == "__main__":
    main()
