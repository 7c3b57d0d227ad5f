"""Records: matches as text that any program can replay (docs/contract.md).

record       reading, replaying and summing up one record; perft
batch        what `suitors replay` prints, for one record or many
strict_json  JSON from strangers
"""

from .record import RecordError, load, perft, replay, summary, trace

__all__ = ["RecordError", "load", "perft", "replay", "summary", "trace"]
