"""`python -m surefoot`: the command line program, with the same words, files and exit status."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import NoReturn, Optional

MISSING = """\
python -m surefoot: there is no command line program here. The package is complete without it. To have it,
- install Surefoot's program (cmake --install, or a package of it) so that 'surefoot' is on the PATH, or
- build the package with it: SUREFOOT_WHEEL_PROGRAM=1 pip install --no-build-isolation .
"""


def program() -> Optional[str]:
    """The program of the package or, without one, that on the PATH."""
    own = Path(__file__).with_name("bin") / "surefoot"
    return str(own) if own.is_file() else shutil.which("surefoot")


def main() -> NoReturn:
    path = program()
    if path is None:
        sys.stderr.write(MISSING)
        sys.exit(2)  # the program's own status for wrong usage
    os.execv(path, [path, *sys.argv[1:]])


if __name__ == "__main__":
    main()
