import os

import matplotlib
import pytest

matplotlib.use("agg")


@pytest.fixture
def program():
    """The command line program, where CTest says it is."""
    path = os.environ.get("SUREFOOT_PROGRAM")
    if not path:
        pytest.skip("SUREFOOT_PROGRAM does not name the command line program")
    return path
