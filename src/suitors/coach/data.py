"""Analyses and their parts as plain words for JSON."""

from dataclasses import fields, is_dataclass
from typing import Any

from ..notation import CARD_NAMES
from ..rules import Card
from .accounts import Account
from .analysing import Analysis, Hint
from .decisions import Decision
from .reasons import Guess, Reason

Data = dict[str, Any]


def analysis_data(analysis: Analysis) -> Data:
    """A whole analysis."""
    return {
        "players": list(analysis.players),
        "budget_ms": analysis.budget_ms,
        "seed": analysis.seed,
        "decisions": [decision_data(decision) for decision in analysis.decisions],
        "accounts": [account_data(account) for account in analysis.accounts],
    }


def decision_data(decision: Decision) -> Data:
    """One decision."""
    data = {field.name: getattr(decision, field.name) for field in fields(decision)}
    return {
        **data,
        "moves": [plain(value) for value in decision.moves],
        "interval": list(decision.interval),
        "mark": decision.mark.value,
        "reason": None if decision.reason is None else reason_data(decision.reason),
    }


def account_data(account: Account) -> Data:
    """What a match came to for a seat."""
    marks = {mark.value: count for mark, count in account.marks.items()}
    return {**plain(account), "marks": marks, "steps": [plain(step) for step in account.steps]}


def hint_data(hint: Hint) -> Data:
    """A hint."""
    return {**plain(hint), "reason": reason_data(hint.reason)}


def reason_data(reason: Reason) -> Data:
    """A reason under its kind, with its facts."""
    return {"kind": reason.kind, **plain(reason)}


def plain(found: Any) -> Any:
    """A record of facts as an object, cards by their names."""
    if isinstance(found, Card):
        return CARD_NAMES[found]
    if isinstance(found, tuple | list):
        return [plain(item) for item in found]
    if not is_dataclass(found):
        return found
    data = {field.name: plain(getattr(found, field.name)) for field in fields(found)}
    if isinstance(found, Guess) and not found.by_number:
        data["name"] = CARD_NAMES[found.name]
    return data
