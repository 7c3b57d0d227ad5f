"""Reference pages show what the source says of a field: the comment behind it, where it has no docstring.

mkdocs.yml names this file as an extension of griffe, which reads the source for mkdocstrings.
"""

from typing import Any

from griffe import Attribute, Docstring, Extension

MARK = "  # "


class FieldComments(Extension):
    """Takes the comment behind a field as its docstring."""

    def on_attribute_instance(self, *, attr: Attribute, **more: Any) -> None:
        """Look at the line on which the field stands."""
        if attr.docstring is None and attr.lineno is not None and attr.lineno == attr.endlineno:
            comment = attr.source.partition(MARK)[2]
            if comment:
                attr.docstring = Docstring(f"{comment[0].upper()}{comment[1:]}.", parent=attr)
