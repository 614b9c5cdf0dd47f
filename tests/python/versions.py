"""Prints the installed versions of the packages that requirements.txt pins, in its form."""

from importlib.metadata import version

for package in ("duckdb", "pandas", "pyarrow"):
    print(f"{package}=={version(package)}")
