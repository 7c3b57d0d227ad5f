"""Puzzles for practice, mined from matches of bots and written as the package ships them.

    python -m tools.puzzles.mine found.jsonl --matches 3000
    python -m tools.puzzles.ship found.jsonl

mine      plays matches, and verifies the positions in which a plain player errs
filters   the thresholds, from a quick look to the verification
panel     what bots of different strength choose, and the rating that follows from it
themes    what a puzzle is about
ship      chooses the puzzles that are shipped, and counts them for docs/practice.md
"""
