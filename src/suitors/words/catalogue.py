"""Reads gettext catalogues (.po), so that an edited sentence shows at the next start and nothing need be installed.

Only `msgid` and `msgstr` are known: plurals and contexts are an error, since no sentence here has them.
"""

import re

TEXT = r'"(?:[^"\\\n]|\\[nt"\\])*"'
ENTRY = re.compile(rf"msgid\s+((?:{TEXT}\s*)+)msgstr\s+((?:{TEXT}\s*)+)")
COMMENT = re.compile(r"^\s*#.*$", re.MULTILINE)
ESCAPED = {"n": "\n", "t": "\t", '"': '"', "\\": "\\"}


def read_catalogue(text: str, name: str) -> dict[str, str]:
    """The translations in a catalogue by their English sentences; a ValueError names the line that cannot be read."""
    text = COMMENT.sub("", text)
    found: dict[str, str] = {}
    place = len(text) - len(text.lstrip())
    while place < len(text):
        entry = ENTRY.match(text, place)
        if entry is None:
            line = text.count("\n", 0, place) + 1
            raise ValueError(f"{name}, line {line}: this is not a msgid with its msgstr, each in double quotes.")
        sentence, translation = map(_unquoted, entry.groups())
        if sentence and translation:
            found[sentence] = translation
        place = entry.end()
    return found


def _unquoted(lines: str) -> str:
    """The text of some quoted lines."""
    joined = "".join(line.strip()[1:-1] for line in lines.split("\n"))
    return re.sub(r"\\(.)", lambda escape: ESCAPED[escape[1]], joined)
