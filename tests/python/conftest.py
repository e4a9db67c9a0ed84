import os
import signal

import matplotlib
import pytest

matplotlib.use("agg")
# A shell that starts the tests in the background has Ctrl-C ignored, and some tests press it.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def program():
    """The command line program, where CTest says it is."""
    path = os.environ.get("SUREFOOT_PROGRAM")
    if not path:
        pytest.skip("SUREFOOT_PROGRAM does not name the command line program")
    return path
