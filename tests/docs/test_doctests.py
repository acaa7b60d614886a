"""The examples in the docstrings of the package run."""

import doctest
import importlib
import pkgutil

import pytest

import tallymark

MODULES = sorted(
    found.name
    for found in pkgutil.walk_packages(tallymark.__path__, "tallymark.")
    # What runs as a program, or by Alembic, is imported by nobody.
    if not found.name.endswith(".__main__") and ".migrations." not in found.name
)


@pytest.mark.parametrize("name", ["tallymark", *MODULES])
def test_doctests(name: str) -> None:
    failed, _ = doctest.testmod(importlib.import_module(name), optionflags=doctest.NORMALIZE_WHITESPACE)
    assert failed == 0
