#!/usr/bin/env python3
"""Prints what clang-tidy has to look at: tidy_units.py BUILD_FOLDER FILE...

The units are those of BUILD_FOLDER/compile_commands.json, mostly of a unity build, that are or directly include one of
the files; a header counts with the units whose sources include it by name. The file 'all' stands for all units.
"""

import json
import pathlib
import re
import sys
from typing import Iterable, List, Set

ROOT = pathlib.Path(__file__).resolve().parent.parent


def sources_of(unit: pathlib.Path) -> List[pathlib.Path]:
    """The files of a unity build's unit, or the file itself."""
    if "Unity" not in unit.parts:
        return [unit]
    return [pathlib.Path(name) for name in re.findall(r'#include "(.*)"', unit.read_text())]


def includes(source: pathlib.Path, headers: Iterable[str]) -> bool:
    named = re.findall(r'#include "(.*)"', source.read_text())
    return any(header.endswith("/" + name) or header == name for name in named for header in headers)


def main() -> None:
    build, changed = pathlib.Path(sys.argv[1]).resolve(), set(sys.argv[2:])
    headers = [name for name in changed if name.endswith(".hpp")]
    units: Set[str] = set()
    for entry in json.loads((build / "compile_commands.json").read_text()):
        unit = pathlib.Path(entry["directory"], entry["file"])
        own = [source for source in sources_of(unit) if ROOT in source.parents and build not in source.parents]
        is_changed = any(str(source.relative_to(ROOT)) in changed or includes(source, headers) for source in own)
        if own and ("all" in changed or is_changed):
            units.add(str(unit))
    for name in sorted(units):
        print(name)


if __name__ == "__main__":
    main()
