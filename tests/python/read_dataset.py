"""Reads a dataset with pyarrow, pandas and DuckDB and compares every value with a JSON dump of what was written.

usage: read_dataset.py DATASET EXPECTED.json
"""

import json
import sys
from pathlib import Path

import duckdb
import numpy
import pandas
import pyarrow.parquet


def with_pyarrow(folder):
    return pyarrow.parquet.read_table(folder).to_pylist()


def with_pandas(folder):
    return pandas.read_parquet(folder).to_dict("records")


def with_duckdb(folder):
    rows = duckdb.sql(f"select * from read_parquet('{folder}/*.parquet', file_row_number = true) order by filename, file_row_number")
    names = [name for name in rows.columns if name not in ("filename", "file_row_number")]
    return [dict(zip(names, row)) for row in rows.project(", ".join(f'"{name}"' for name in names)).fetchall()]


def plain(value):
    """The value as JSON has it: lists for arrays, None for pandas' NaN and NaT."""
    if isinstance(value, dict):
        return {key: plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple, numpy.ndarray)):
        return [plain(inner) for inner in value]
    if value is None or value is pandas.NA or value != value:
        return None
    return value.item() if isinstance(value, numpy.generic) else value


def differences(table, expected, found):
    if len(expected) != len(found):
        yield f"{table}: {len(found)} rows, expected {len(expected)}"
    for number, (wanted, got) in enumerate(zip(expected, found)):
        if wanted.keys() != got.keys():
            yield f"{table}: columns {sorted(got)}, expected {sorted(wanted)}"
            return
        for column, value in wanted.items():
            if plain(got[column]) != value:
                yield f"{table}, row {number}, {column}: {plain(got[column])!r}, expected {value!r}"


def main():
    dataset, expected = Path(sys.argv[1]), json.loads(Path(sys.argv[2]).read_text())
    for name, read in (("pyarrow", with_pyarrow), ("pandas", with_pandas), ("duckdb", with_duckdb)):
        for table, rows in expected.items():
            for difference in differences(table, rows, read(dataset / table)):
                sys.exit(f"{name}: {difference}")
        print(f"{name}: {len(expected['games'])} games and {len(expected['plies'])} plies as written")


if __name__ == "__main__":
    main()
