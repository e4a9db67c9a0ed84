"""Builds the extension with CMake; all else is in pyproject.toml."""

import os
import re
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parent


class BuildWithCMake(build_ext):
    def build_extension(self, extension):
        target = Path(self.get_ext_fullpath(extension.name)).resolve()
        existing = os.environ.get("SUREFOOT_BUILD_DIR")  # a build tree to take the extension from
        build = Path(existing or self.build_temp).resolve()
        options = [
            "-DCMAKE_BUILD_TYPE=Release",
            "-DSUREFOOT_BUILD_PYTHON=ON",
            "-DSUREFOOT_BUILD_CLI=OFF",
            "-DSUREFOOT_BUILD_MPI=OFF",
            "-DSUREFOOT_BUILD_TESTS=OFF",
            "-DSUREFOOT_BUILD_EXAMPLES=OFF",
            "-DSUREFOOT_INSTALL=OFF",
            f"-DPython_EXECUTABLE={sys.executable}",
            *os.environ.get("CMAKE_ARGS", "").split(),
        ]
        jobs = str(self.parallel or os.cpu_count() or 1)
        try:
            if not existing:
                subprocess.run(["cmake", "-S", str(ROOT), "-B", str(build), *options, *_pybind11()], check=True)
            subprocess.run(["cmake", "--build", str(build), "--target", "surefoot_python", "-j", jobs], check=True)
        except FileNotFoundError:
            raise SystemExit("surefoot needs CMake 3.25 to be built: install it (Debian: cmake)") from None
        target.parent.mkdir(parents=True, exist_ok=True)
        (built,) = (build / "python" / "surefoot").glob("_core*.so")
        self.copy_file(str(built), str(target))


def _pybind11():
    """Where pip's pybind11 keeps its CMake files; a system's is found without."""
    try:
        import pybind11
    except ImportError:
        return []
    return [f"-Dpybind11_DIR={pybind11.get_cmake_dir()}"]


def _version():
    return re.search(r"project\(surefoot VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text()).group(1)


setup(version=_version(), ext_modules=[Extension("surefoot._core", [])], cmdclass={"build_ext": BuildWithCMake})
