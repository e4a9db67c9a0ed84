"""What pip and an index get: the sdist, its description, and `python -m surefoot`."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile

import pytest

ROOT = pathlib.Path(__file__).parents[2]


@pytest.fixture(scope="module")
def sdist(tmp_path_factory):
    """The unpacked sdist, made from a copy of the sources, in which setuptools leaves its traces."""
    folder = tmp_path_factory.mktemp("sdist")
    leave_out = shutil.ignore_patterns("build", ".git", "__pycache__", "*.egg-info")
    shutil.copytree(ROOT, folder / "clone", ignore=leave_out)
    code = "from setuptools import build_meta; print(build_meta.build_sdist('..'))"
    made = subprocess.run(
        [sys.executable, "-c", code], cwd=folder / "clone", capture_output=True, text=True, check=True
    )
    name = made.stdout.split()[-1]
    with tarfile.open(folder / name) as archive:
        archive.extractall(folder)
    return folder / name.replace(".tar.gz", "")


def files(root, folder):
    ignored = ("__pycache__", ".egg-info")
    return {
        str(file.relative_to(root))
        for file in (root / folder).rglob("*")
        if file.is_file() and not any(part.endswith(ignored) for part in file.parts)
    }


@pytest.mark.parametrize("folder", ["cli", "cmake", "docs", "include", "python", "src"])
def test_sdist_holds_every_source(sdist, folder):
    assert files(ROOT, folder) - files(sdist, folder) == set()
    assert files(ROOT, folder)


@pytest.mark.parametrize("program", ["OFF", "ON"])
def test_sdist_can_be_configured(sdist, tmp_path, program):
    options = [f"-DSUREFOOT_BUILD_{part}=OFF" for part in ("MPI", "TESTS", "EXAMPLES")]
    options += [f"-DSUREFOOT_BUILD_CLI={program}", "-DSUREFOOT_BUILD_PYTHON=ON", "-DSUREFOOT_STANDALONE=ON"]
    options += ["-DSUREFOOT_INSTALL=OFF", f"-DPython_EXECUTABLE={sys.executable}"]
    subprocess.run(
        ["cmake", "-G", "Ninja", "-S", sdist, "-B", tmp_path, *options], check=True, stdout=subprocess.DEVNULL
    )


def test_description_needs_no_repository(sdist):
    text = (sdist / "PKG-INFO").read_text(encoding="utf-8")
    assert "Author: The Surefoot developers" in text
    description = text.partition("\n\n")[2]
    assert description.startswith("# Surefoot from Python")
    links = re.findall(r"\]\(([^)\s]+)\)", description)
    assert [link for link in links if not re.match(r"https?://|#", link)] == []


def run_module(*words, path=""):
    env = {**os.environ, "PATH": path}
    return subprocess.run([sys.executable, "-m", "surefoot", *words], env=env, capture_output=True, text=True)


def test_module_says_where_a_program_can_be_had(tmp_path):
    ended = run_module("--version", path=str(tmp_path))
    assert ended.returncode == 2
    assert "there is no command line program here" in ended.stderr and "SUREFOOT_WHEEL_PROGRAM" in ended.stderr


def test_module_is_the_program(program):
    path = os.path.dirname(program)
    expected = subprocess.run([program, "--version"], capture_output=True, text=True).stdout
    assert run_module("--version", path=path).stdout == expected
    wrong = run_module("minimize", "--nothing", path=path)
    assert wrong.returncode == 2 and "--nothing" in wrong.stderr


WITHOUT_SCIPY = """
import pickle, sys
sys.modules["scipy"] = sys.modules["scipy.optimize"] = None  # as if it were not there
import surefoot
r = surefoot.minimize(lambda x: (x**2).sum(), [3, 3], 2, ftarget=1e-8, seed=1)
assert r.success and r.x is r["x"] and "nfev" in dir(r), r
r.note = "mine"
assert r["note"] == "mine" and pickle.loads(pickle.dumps(r)).note == "mine"
del r.note
assert not hasattr(r, "note")
print(type(r).__mro__[1].__module__)
"""


def test_results_without_scipy():
    ended = subprocess.run([sys.executable, "-c", WITHOUT_SCIPY], capture_output=True, text=True)
    assert (ended.stdout, ended.stderr) == ("surefoot._result\n", "")
