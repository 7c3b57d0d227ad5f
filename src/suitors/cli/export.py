"""The command that writes records as tables of data: `suitors export`."""

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import click

from ..records.frames import Frames, FrameTable, tables
from ..records.record import RecordError
from ..records.strict_json import NotJson, parse
from .options import lacking

NEEDED = "Parquet needs pyarrow: pip install 'suitors[data]', or use --format csv."


@click.command("export")
@click.argument("records", nargs=-1, required=True, type=click.File("rb"))
@click.option(
    "--format", "kind", type=click.Choice(["csv", "parquet"]), default="csv", show_default=True, help="Of the files."
)
@click.option(
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path(),
    metavar="DIR",
    help="Where to write them (default: this folder).",
)
def export_command(records: tuple[IO[bytes], ...], kind: str, output: Path) -> None:
    """Write RECORDS (files with one record, or one a line) as tables: matches, rounds and decisions."""
    found = Frames()
    for file in records:
        for number, raw in enumerate(_split(file.read()), 1):
            try:
                found.add(parse(raw))
            except (RecordError, NotJson) as error:
                raise click.UsageError(f"{Path(file.name).name}, record {number}: {error}") from None
    try:
        output.mkdir(parents=True, exist_ok=True)
        for name, table in tables(found).items():
            (_write_parquet if kind == "parquet" else _write_csv)(output / f"{name}.{kind}", table)
    except OSError as error:
        raise click.UsageError(f"{output} cannot be written to: {error.strerror or error}.") from None
    rows = {name: len(table.columns["match"]) for name, table in tables(found).items()}
    click.echo(", ".join(f"{name}.{kind}: {count} rows" for name, count in rows.items()))


def _split(content: bytes) -> Iterator[bytes]:
    """The records in a file: one that may be spread over lines, or one a line."""
    try:
        parse(content)
    except NotJson:
        yield from (line for line in content.splitlines() if line.strip())
    else:
        yield content


def _write_csv(path: Path, table: FrameTable) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(table.columns)
        writer.writerows(zip(*table.columns.values(), strict=True))


def _write_parquet(path: Path, table: FrameTable) -> None:
    """Every column has its type, so that files with and without rows go together."""
    try:
        import pyarrow  # noqa: PLC0415 - an extra
        import pyarrow.parquet  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise lacking(error, NEEDED) from None
    types = {int: pyarrow.int64(), bool: pyarrow.bool_(), str: pyarrow.string()}
    schema = pyarrow.schema([(name, types[kind]) for name, kind in table.kinds.items()])
    pyarrow.parquet.write_table(pyarrow.table(table.columns, schema=schema), path)
