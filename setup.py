"""Builds the extension and, if it is wanted, the program with CMake; all else is in pyproject.toml.

SUREFOOT_BUILD_DIR        a build tree to take them from, instead of building in a folder of pip's
SUREFOOT_WHEEL_PROGRAM=1  the wheel holds the command line program too, for python -m surefoot
CMAKE_ARGS                more options for CMake
"""

import os
import posixpath
import re
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parent
HOME = ""  # where the repository can be seen, as https://HOST/OWNER/surefoot


class BuildWithCMake(build_ext):
    def build_extension(self, extension):
        target = Path(self.get_ext_fullpath(extension.name)).resolve()
        existing = os.environ.get("SUREFOOT_BUILD_DIR")
        build = Path(existing or self.build_temp).resolve()
        with_program = os.environ.get("SUREFOOT_WHEEL_PROGRAM", "") not in ("", "0")
        targets = ["surefoot_python", *(["surefoot_cli"] if with_program else [])]
        jobs = str(self.parallel or os.cpu_count() or 1)
        try:
            if not existing:
                subprocess.run(["cmake", "-S", str(ROOT), "-B", str(build), *_options(with_program)], check=True)
            subprocess.run(["cmake", "--build", str(build), "--target", *targets, "-j", jobs], check=True)
        except FileNotFoundError:
            raise SystemExit("surefoot needs CMake 3.25 to be built: install it (Debian: cmake)") from None
        (built,) = (build / "python" / "surefoot").glob("_core*.so")
        self._take(built, target)
        if with_program:
            self._take(build / "cli" / "surefoot", target.parent / "bin" / "surefoot")

    def _take(self, built, target):
        target.parent.mkdir(parents=True, exist_ok=True)
        self.copy_file(str(built), str(target))


def _options(with_program):
    left_out = ["MPI", "TESTS", "EXAMPLES", *([] if with_program else ["CLI"])]
    has_ninja = shutil.which("ninja") and "CMAKE_GENERATOR" not in os.environ
    return [
        *(["-GNinja"] if has_ninja else []),  # a machine may have no make
        "-DCMAKE_BUILD_TYPE=Release",
        "-DCMAKE_UNITY_BUILD=ON",  # half of the compiler's time
        "-DCMAKE_UNITY_BUILD_BATCH_SIZE=12",
        "-DSUREFOOT_BUILD_PYTHON=ON",
        "-DSUREFOOT_STANDALONE=ON",
        *(f"-DSUREFOOT_BUILD_{part}=OFF" for part in left_out),
        "-DSUREFOOT_INSTALL=OFF",
        f"-DPython_EXECUTABLE={sys.executable}",
        *_pybind11(),
        *os.environ.get("CMAKE_ARGS", "").split(),
    ]


def _pybind11():
    """Where pip's pybind11 keeps its CMake files; a system's is found without."""
    try:
        import pybind11
    except ImportError:
        return []
    return [f"-Dpybind11_DIR={pybind11.get_cmake_dir()}"]


def _version():
    return re.search(r"project\(surefoot VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text()).group(1)


def _description():
    """docs/reference/python.md for readers outside of the repository, where its links to other pages lead nowhere."""
    text = (ROOT / "docs" / "reference" / "python.md").read_text(encoding="utf-8")

    def to(link):
        path = posixpath.normpath(f"docs/reference/{link[2]}")
        return f"[{link[1]}]({HOME}/blob/main/{path})" if HOME else f"{link[1]} ({path} of the sources)"

    return re.sub(r"\[([^]]*)\]\((?![a-z]+:|#)([^)\s]+)\)", to, text)


setup(
    version=_version(),
    long_description=_description(),
    long_description_content_type="text/markdown",
    project_urls={"Source": HOME, "Changelog": f"{HOME}/blob/main/CHANGELOG.md"} if HOME else {},
    ext_modules=[Extension("surefoot._core", [])],
    cmdclass={"build_ext": BuildWithCMake},
)
