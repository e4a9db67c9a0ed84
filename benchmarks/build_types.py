#!/usr/bin/env python3
"""Microseconds per generation of the default method by build type, at the eight sizes of benchmarks/compare.

Usage: build_types.py [--types Release,RelWithDebInfo,...] [--program NAME=PATH]... [--rounds N]

Builds the program once for every type, in build/types/TYPE, and adds any other program that is named: one that was
installed from a package, or that of another compiler. All of them search on the Sphere, in turns, so that a slow moment of
the machine hits all alike. The time of a generation is the processor's time of a longer search less that of a shorter one,
so that starting the program does not count. Prints a table in Markdown: medians over the rounds.
"""

import argparse
import os
import statistics
import subprocess
from pathlib import Path

SIZES = [(10, 10), (10, 50), (10, 300), (40, 15), (100, 17), (100, 100), (300, 20), (1000, 24)]
TYPES = {  # what cmake is told
    "Release": ["-DCMAKE_BUILD_TYPE=Release"],
    "RelWithDebInfo": ["-DCMAKE_BUILD_TYPE=RelWithDebInfo"],
    "MinSizeRel": ["-DCMAKE_BUILD_TYPE=MinSizeRel"],
    "None": ["-DCMAKE_BUILD_TYPE=None", "-DCMAKE_CXX_FLAGS=-O2"],  # as Debian's packages are built
    "unset": [],
}
SECONDS = 0.3  # of a measurement, about
SHORT, LONG = 1, 5  # the two searches, in parts


def build(source: Path, name: str) -> Path:
    folder = source / "build/types" / name
    left_out = [f"-DSUREFOOT_BUILD_{part}=OFF" for part in ("TESTS", "EXAMPLES", "MPI", "C")]
    options = ["-G", "Ninja", "-DCMAKE_UNITY_BUILD=ON", "-DCMAKE_UNITY_BUILD_BATCH_SIZE=42", *left_out, *TYPES[name]]
    subprocess.run(["cmake", "-S", source, "-B", folder, *options], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", folder, "--target", "surefoot_cli"], check=True, stdout=subprocess.DEVNULL)
    return folder / "cli/surefoot"


def processor_time(program: Path, d: int, popsize: int, generations: int) -> float:
    """Microseconds of one search, with its start. The sphere is solved again and again until the budget ends."""
    words = ["minimize", "--problem", "sphere", "--dim", d, "--popsize", popsize, "--method", "ig-xnes", "--quiet"]
    words += ["--maxfevals", generations * popsize, "--restarts", "same:1000000", "--seed", 1]
    process = subprocess.Popen([program, *map(str, words)], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):  # 1: no target was reached
        raise SystemExit(f"{program} ended with status {process.returncode}")
    return 1e6 * (usage.ru_utime + usage.ru_stime)


def time_of_generation(program: Path, d: int, popsize: int, part: int) -> float:
    short, long = (processor_time(program, d, popsize, parts * part) for parts in (SHORT, LONG))
    return (long - short) / ((LONG - SHORT) * part)


def part_of_measurement(program: Path, d: int, popsize: int) -> int:
    """Generations of a part, doubled until the longer search takes long enough to be measured."""
    part = 2
    while processor_time(program, d, popsize, LONG * part) < 1e6 * SECONDS * LONG / (SHORT + LONG):
        part *= 2
    return part


def measure(programs: dict, rounds: int) -> dict:
    times: dict = {}
    for d, popsize in SIZES:
        part = part_of_measurement(next(iter(programs.values())), d, popsize)
        for _ in range(rounds):
            for name, program in programs.items():
                times.setdefault((name, d, popsize), []).append(time_of_generation(program, d, popsize, part))
    return {key: statistics.median(values) for key, values in times.items()}


def number(value: float) -> str:
    return f"{value:.1f}" if value < 100 else f"{value:,.0f}".replace(",", " ")


def markdown(programs: dict, medians: dict) -> str:
    lines = ["| | " + " | ".join(f"({d},{popsize})" for d, popsize in SIZES) + " |", "|---" * (len(SIZES) + 1) + "|"]
    for name in programs:
        lines.append(f"| {name} | " + " | ".join(number(medians[name, d, popsize]) for d, popsize in SIZES) + " |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--types", default=",".join(TYPES), help="build types, separated by commas; empty: none")
    parser.add_argument("--program", action="append", default=[], metavar="NAME=PATH", help="one more program")
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    source = Path(__file__).resolve().parent.parent
    programs = {name: build(source, name) for name in filter(None, options.types.split(","))}
    for text in options.program:
        name, path = text.split("=", 1)
        programs[name] = Path(path)
    if not programs:
        parser.error("there is nothing to measure: give --types or --program")
    print(markdown(programs, measure(programs, options.rounds)))


if __name__ == "__main__":
    main()
