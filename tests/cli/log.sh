#!/usr/bin/env bash
# --log: a row for each evaluation, also of a search that is killed again and again.
. "$(dirname "$0")/support.sh"
cd "$work" || exit 1

# Columns 1-8 and from 11 on do not depend on time; with two workers the order does.
rows() { tail -n +2 "$1" | sort -t, -k3,3n -k4,4n -k5,5n | cut -d, -f2-8,11-; }

# A program that fails at some points.
cat >moody.sh <<'PROGRAM'
read -r x y
case $x in *7) echo "not at $x, never" >&2; exit 3 ;; esac
awk -v x="$x" -v y="$y" 'BEGIN { printf "%.17g\n", 100 * (y - x * x)^2 + (1 - x)^2 }'
PROGRAM
options=(--x0=-1,2 --sigma0 0.5 --seed 7 --method xnes --restarts none --workers 2 --retry 1 --maxfevals 600 --quiet)
run minimize --command 'sh moody.sh' "${options[@]}" --log whole.csv --checkpoint whole.sf
[ "$status" -le 1 ] || fail "exit status $status"
head -1 whole.csv | grep -qx 'id,run,generation,candidate,attempt,status,f,constraints,seconds,worker,x0,x1,reason' ||
  fail "header"
grep -q ',exit,,,.*"exit status 3: not at .*, never"' whole.csv || fail "no failure with its reason"
[ "$(rows whole.csv | awk -F, '$4 == 1' | wc -l)" = 600 ] || fail "not 600 first attempts"
rows whole.csv | awk -F, '$4 == 2' | grep -q . || fail "no retries"

# If the moments come so late that the search is over after a few of them, it says too little and is repeated.
killed_search() {
  "$surefoot" minimize --command 'sh moody.sh' "${options[@]}" --log run.csv --checkpoint run.sf --checkpoint-every 7 \
    >out 2>err &
  pid=$!
}
kill_often() {
  rm -f run.*
  kills=0
  killed_search
  while [ $kills -lt 30 ]; do
    sleep "0.$(printf '%03d' $((RANDOM % 90 + 20)))"
    kill -9 $pid 2>/dev/null || break
    wait $pid 2>/dev/null
    kills=$((kills + 1))
    if [ ! -f run.sf ]; then killed_search; continue; fi
    "$surefoot" resume run.sf >out 2>err &
    pid=$!
  done
  wait $pid
  shown="killed $kills times"
  cut -d, -f3-5 run.csv | sort | uniq -d | grep . && fail "the same evaluation twice"
  [ "$(tail -n +2 run.csv | cut -d, -f1)" = "$(seq 1 $(($(wc -l <run.csv) - 1)))" ] || fail "ids have gaps"
  [ "$(rows run.csv)" = "$(rows whole.csv)" ] || fail "other evaluations than those of the uninterrupted run"
  echo "killed $kills times"
}
RANDOM=21
for _ in 1 2 3 4 5; do kill_often; [ $kills -lt 10 ] || break; done
[ $kills -ge 10 ] || fail "only $kills kills: the run was too short"

# Rules for files, and a full disk.
echo "a,b" >mine.csv
run minimize --problem sphere --dim 2 --log mine.csv
expect_status 2; expect_err mine.csv "not an evaluation log"; [ "$(cat mine.csv)" = "a,b" ] || fail "a file was changed"
run minimize --problem sphere --dim 2 --log evals.txt
expect_status 2; expect_err evals.txt ".csv or .jsonl"
run minimize --problem sphere --dim 2 --seed 1 --maxiter 40 --json; cp out plain.out
run minimize --problem sphere --dim 2 --seed 1 --maxiter 40 --json --log /dev/full
expect_status 4; expect_err /dev/full; cmp -s out plain.out || fail "another result on a full disk"
(ulimit -f 4; timeout 120 "$surefoot" minimize --problem sphere --dim 2 --seed 1 --maxiter 40 --json --log small.csv \
  >out 2>err); status=$?; shown="--log with small files"
expect_status 4; expect_err small.csv; cmp -s out plain.out || fail "another result with a cut log"

# JSON lines, also when the log comes later.
run minimize --problem sphere --dim 2 --seed 1 --maxiter 4 --checkpoint late.sf --method xnes
run resume late.sf --maxiter 6 --log late.jsonl
[ "$(wc -l <late.jsonl)" = 12 ] || fail "not the rows of two generations"
python3 -c 'import json, sys; [json.loads(line) for line in open("late.jsonl")]' || fail "no JSON"

exit $failed
