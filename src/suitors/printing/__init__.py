"""Print-and-play kits: every edition, theme and language as a PDF, and single cards as pictures."""

from .kit import Kit, Paper
from .output import measure_texts, print_cards, print_kit

__all__ = ["Kit", "Paper", "measure_texts", "print_cards", "print_kit"]
