"""Makes docs/leaderboard.md from docs/leaderboard.json: `python tools/leaderboard_page.py`."""

from pathlib import Path

from suitors.arena.leaderboard import read_leaderboard
from suitors.arena.leaderboard_page import leaderboard_page

DOCS = Path(__file__).parent.parent / "docs"
FILE, PAGE = DOCS / "leaderboard.json", DOCS / "leaderboard.md"

ABOUT = """# Leaderboard

How well bots do against the house bots, each board on the same terms for everybody. Every figure here is in
`docs/leaderboard.json`, and this page is made from it (`python tools/leaderboard_page.py`).

- **What was measured.** Whole matches of a tournament ([arena.md](arena.md)): the seats shared evenly, each deal
  played from both sides, default switches. A column says which part of the matches against that opponent was won;
  wins may be shared.
- **The score** is the mean of these rates over the opponents other than the bot itself. Its interval follows from the
  95% intervals of the rates, which rest on groups of matches with the same deals. Bots whose intervals overlap may
  well be equally strong.
- **Without a budget of time** a bot thinks as long as it likes; the house bots then look at no clock, so that the
  same seed gives the same result on any machine. The results of the house come from `suitors tournament
  --bots random,beginner,novice,counting,search,expert --editions modern,classic --players 2 --games 100 --seed 2026`.

"""

ENTERING = """## How to enter a bot

A bot is a program in any language ([bots.md](bots.md)), or one of the house.

1. Give the program a name in a `bots.toml`, and add it under the same name to `entries` in the file: `kind` is
   `"program"`, `about` a sentence on how it plays; `home`, `author` and `release` may be there.
2. Let it meet the opponents of a board, with a seed of your own:

   ```console
   $ suitors tournament --bots random,beginner,novice,counting,search,expert,mine --editions modern --players 2 \\
         --games 100 --seed 7 --output mine
   ```

3. `suitors leaderboard add docs/leaderboard.json mine` takes the results over, and refuses a tournament on other
   terms, with too few matches, in which an opponent is missing, or whose results are not those of its log. Results of
   the house bots in the same tournament take the places of older ones.
4. `python tools/leaderboard_page.py` makes this page anew. Send the file, the page, and the folder of the tournament:
   its log has every pair of matches, and whoever has the program can play it again.

`suitors leaderboard check FILE` says what is wrong with a file in one sentence, `suitors leaderboard show FILE`
prints its tables. You may keep a leaderboard of your own, with boards and opponents of your choice.

## The file

One JSON object: `"format": "suitors-leaderboard/1"` and three lists. All keys are needed but those said to be
optional, and there are no others.

| list | key | what it holds |
| --- | --- | --- |
| `boards` | `edition`, `players` | the table; each has one board |
| | `opponents` | the bots that an entry has to meet |
| | `games` | the least number of matches against each, even |
| | `budget_ms` | milliseconds a decision, or `null` |
| `entries` | `bot` | the name, as in the tournament |
| | `kind` | `"built-in"` or `"program"` |
| | `about` | how it plays, in a line of up to 200 letters |
| | `home`, `author`, `release` | optional: the address of a page, who made it, which release was measured |
| `results` | `edition`, `players`, `bot`, `opponent` | who met whom at which board; there is one result of each |
| | `games`, `won` | matches, and how many the bot won, shared ones in parts |
| | `low`, `high` | the 95% interval of the rate |
| | `seed`, `version` | the seed of the tournament, and the version of Suitors that played it |
"""


def page() -> str:
    """The page."""
    return f"{ABOUT}{leaderboard_page(read_leaderboard(FILE))}\n{ENTERING}"


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
