#!/usr/bin/env bash
# Tunes the PID controller of motor.py: gains between 0 and 10, two simulations at a time. The trace and the checkpoint
# go to the folder that is given, by default a new one.
set -euo pipefail
surefoot=${1:-surefoot}
folder=${2:-$(mktemp -d)}
here=$(dirname "$(realpath "$0")")
"$surefoot" minimize --command "python3 $here/motor.py" --x0 1,0.1,0.1 --lower 0 --upper 10,10,1 --workers 2 --seed 1 \
  --maxfevals "${EVALUATIONS:-400}" --eval-timeout 10 --checkpoint "$folder/pid.sf" --trace "$folder/pid.jsonl" || status=$?
[ "${status:-0}" -le 1 ]  # 1: the budget is used
"$surefoot" report "$folder/pid.jsonl" -o "$folder/pid.html"
echo "the course of the search: $folder/pid.html"
