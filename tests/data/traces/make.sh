#!/usr/bin/env bash
# usage: make.sh SUREFOOT   writes the recorded traces of this folder anew
set -euo pipefail
cd "$(dirname "$0")"
record() {
  local name=$1
  shift
  "$surefoot" minimize --seed 1 "$@" --quiet --trace "$name.jsonl" >/dev/null || [ $? -eq 1 ]
}
surefoot=$1
record converged_sphere --problem sphere --dim 2 --model none --popsize 12 --restarts none
record converged_rosenbrock --problem rosenbrock --dim 2 --method cma --popsize 16 --restarts none
record converged_budget --problem ellipsoid --dim 2 --method xnes --popsize 20 --tolx 0 --tolfun 0 --tolfunhist 0 \
  --maxfevals 1500 --restarts none
record stuck_stagnation --problem bbob-f23 --dim 2 --seed 3 --method cma --popsize 8 --tolstagnation 20 --restarts none
record stuck_rugged --problem bbob-f23 --dim 3 --method xnes --popsize 40 --maxfevals 3000 --restarts none
record stuck_restarts --problem bbob-f22 --dim 2 --method cma --popsize 16 --maxfevals 2500 --restarts bipop \
  --ftarget -2000
record unfinished_rosenbrock --problem rosenbrock --dim 4 --method cma --maxfevals 500 --restarts none
record unfinished_small --problem ellipsoid --dim 4 --method ig-xnes --model none --maxfevals 120
record unfinished_killed --problem rosenbrock --dim 3 --method snes --maxfevals 600 --restarts none
truncate -s -2000 unfinished_killed.jsonl
