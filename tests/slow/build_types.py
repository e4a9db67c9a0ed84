"""Every build type has the speed of a release: usage: build_types.py SOURCE COMPILER.

Configures the project as users do, without building it, and compiles only the kernels, with the commands that CMake has
found for them. Kernels of RelWithDebInfo, which is -O2, may take 1.1 times those of a release; the other build types must
ask for the same optimisation. Code that is left unoptimised is for developers, and no user's build has any.
"""

import json
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

KERNELS = [
    "src/core/counter_normals.cpp",
    "src/core/linear_algebra/cholesky.cpp",
    "src/core/linear_algebra/products.cpp",
    "src/driver/model/product_terms.cpp",
]
ALLOWED = 1.1
ROUNDS = 30  # of both programs in turns: the least times of a busy machine take a while to show
BUILD_TYPES = {  # the optimisation that kernels must have
    "Release": "-O3",
    "RelWithDebInfo": "-O3",
    "MinSizeRel": "-O3",
    "None": "-O3",
    "": "-O3",  # as people configure who have not heard of build types
    "Debug": "",
}


def configure(source: Path, compiler: str, build_type: str, folder: Path) -> dict:
    """The compiler's words by source file."""
    chosen = [f"-DCMAKE_BUILD_TYPE={build_type}"] if build_type else []
    if build_type == "None":
        chosen.append("-DCMAKE_CXX_FLAGS=-O2")  # Debian's
    left_out = [f"-DSUREFOOT_BUILD_{part}=OFF" for part in ("TESTS", "EXAMPLES", "MPI")]
    command = ["cmake", "-G", "Ninja", "-S", source, "-B", folder, f"-DCMAKE_CXX_COMPILER={compiler}"]
    command += ["-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", *chosen, *left_out]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    rows = json.loads((folder / "compile_commands.json").read_text())
    return {str(Path(row["file"])): shlex.split(row["command"]) for row in rows}


def optimisation(words: list) -> str:
    levels = [word for word in words if re.fullmatch(r"-O\w*", word)]
    return levels[-1] if levels else ""


def check_levels(source: Path, build_type: str, commands: dict) -> None:
    for kernel in KERNELS:
        found = optimisation(commands[str(source / kernel)])
        assert found == BUILD_TYPES[build_type], f"{build_type or 'no build type'}: {kernel} is compiled with {found}"
    slow = [file for file, words in commands.items() if "-O0" in words]
    assert not slow, f"{build_type or 'no build type'}: not optimised: {slow}"
    library = tuple(str(source / "src" / part) for part in ("core", "driver"))
    small = [file for file, words in commands.items() if file.startswith(library) and optimisation(words) == "-Os"]
    assert not small, f"{build_type}: small instead of fast: {small}"


def program(source: Path, commands: dict, folder: Path) -> Path:
    """The kernels as this build type compiles them, with a program that times them."""
    objects = []
    for kernel in KERNELS:
        words = list(commands[str(source / kernel)])
        words[words.index("-o") + 1] = str(folder / (Path(kernel).stem + ".o"))
        subprocess.run(words, check=True, cwd=folder)
        objects.append(words[words.index("-o") + 1])
    compiler = next(word for word in words if re.search(r"(\+\+|g\+\+-\d+|clang\+\+-\d+)$", word))
    includes = [word for word in words if word.startswith(("-I", "-std"))]
    systems = [word for i, after in enumerate(words) if after == "-isystem" for word in words[i : i + 2]]
    timed = folder / "kernel_speed"
    own = [source / "tests/slow/kernel_speed.cpp", source / "src/core/eigen_memory.cpp"]  # what all objects refer to
    subprocess.run([compiler, "-O2", *includes, *systems, *own, *objects, "-o", timed], check=True)
    return timed


def times(timed: Path) -> dict:
    lines = subprocess.run([timed], check=True, capture_output=True, text=True).stdout.splitlines()
    return {name: float(time) for name, time in (line.split() for line in lines)}


def ratios(one: Path, other: Path) -> dict:
    least: list = [{}, {}]
    for _ in range(ROUNDS):
        for kept, timed in zip(least, (one, other)):
            for name, time in times(timed).items():
                kept[name] = min(kept.get(name, time), time)
        found = {name: time / least[1][name] for name, time in least[0].items()}
        if max(found.values()) <= ALLOWED:
            break
    return found


def main() -> None:
    source, compiler = Path(sys.argv[1]).resolve(), sys.argv[2]
    with tempfile.TemporaryDirectory() as name:
        commands, folders = {}, {}
        for build_type in BUILD_TYPES:
            folders[build_type] = Path(name) / (build_type or "unset")
            commands[build_type] = configure(source, compiler, build_type, folders[build_type])
        programs = [program(source, commands[t], folders[t]) for t in ("RelWithDebInfo", "Release")]
        found = ratios(*programs)
        print("times of RelWithDebInfo in times of Release:")
        for kernel, ratio in found.items():
            print(f"  {kernel} {ratio:.2f}")
        assert max(found.values()) <= ALLOWED, f"a build with -O2 is slower than {ALLOWED} releases"
        for build_type in BUILD_TYPES:
            check_levels(source, build_type, commands[build_type])


if __name__ == "__main__":
    main()
