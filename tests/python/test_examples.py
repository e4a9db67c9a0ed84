"""The Python examples and the notebook do what they say, with what they assert themselves."""

import json
import os
import pathlib
import subprocess
import sys

import pytest

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples" / "python"
SCRIPTS = sorted(EXAMPLES.glob("*.py"))


def test_there_are_examples_of_what_users_ask_for():
    names = {path.stem for path in SCRIPTS}
    assert names >= {"first_search", "named_space", "ask_tell", "parallel", "ode_fit"}
    assert "examples/python" in (EXAMPLES.parents[1] / "README.md").read_text()


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_a_script_runs(script, tmp_path):
    if script.stem == "ode_fit":
        pytest.importorskip("scipy")
    words = [sys.executable, "-W", "error::RuntimeWarning", str(script)]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert done.stdout and "surefoot:" not in done.stderr


def cells(notebook, kind):
    assert notebook["nbformat"] == 4
    return ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == kind]


def test_the_cells_of_the_notebook_run(tmp_path, monkeypatch):
    pytest.importorskip("matplotlib")
    notebook = json.loads((EXAMPLES / "first_search.ipynb").read_text(encoding="utf-8"))
    assert cells(notebook, "markdown") and len({cell["id"] for cell in notebook["cells"]}) == len(notebook["cells"])
    assert all(not cell.get("outputs") for cell in notebook["cells"])  # which would differ from machine to machine
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "__main__"}
    for source in cells(notebook, "code"):
        exec(compile(source, "first_search.ipynb", "exec"), names)
    assert names["r"].fun < 1e-6 and len(names["figure"].axes) >= 4 and os.path.exists("trainings.csv")
