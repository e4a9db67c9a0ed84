#!/usr/bin/env bash
# bench bbob and evaluate: same files for any number of threads and after being killed; COCO's format; wrong input.
. "$(dirname "$0")/support.sh"
here=$(cd "$(dirname "$0")" && pwd)
cd "$work" || exit 1

small=(bench bbob --methods xnes,random,lra/bipop --functions 1,8,20-21 --dims 2,5 --instances 1-3 --budget 300)
run "${small[@]}" --threads 1 --out one --coco-data coco
expect_status 0
expect_out "random minus xnes" "written to one" "written to coco"
[ "$(wc -l <one/runs.csv)" -eq $((3 * 4 * 2 * 3 + 1)) ] || fail "runs.csv has not one row for each search"
for method in xnes random lra_bipop; do
  name=${method/_//}
  python3 "$here/read_coco.py" coco/$method one/runs.csv "$name" >"$work/out" 2>"$work/err" || fail "COCO data of $name"
done

run "${small[@]}" --threads 4 --out four
expect_status 0
diff -r one four >"$work/err" || fail "1 and 4 threads, with and without COCO data, give different files"

# Killed at several moments, then finished.
kill_and_resume "0.02 0.05 0.1 0.2" "${small[@]}" --coco-data coco_killed
diff -r coco coco_killed >"$work/err" || fail "kill and resume give different COCO data"

# COCO's data can be asked for afterwards.
rm -r coco
run "${small[@]}" --out one --coco-data coco
expect_status 0
diff -r coco coco_killed >"$work/err" || fail "COCO data that were asked for later differ"

# Traces can be asked for too, and do not change the results. Their command repeats a search.
run bench bbob --functions 8 --dims 2 --methods xnes,random,lra:frame=B --instances 1-2 --budget 200 --out traced --traces
expect_status 0; expect_out "written to traced/traces"
run bench bbob --functions 8 --dims 2 --methods xnes,random,lra:frame=B --instances 1-2 --budget 200 --out plain
diff traced/runs.csv plain/runs.csv >"$work/err" || fail "traces change the results"
[ "$(find traced/traces -type f | sort | tr '\n' ' ')" = "traced/traces/lra_frame_B/f8_d2_i1.jsonl \
traced/traces/lra_frame_B/f8_d2_i2.jsonl traced/traces/xnes/f8_d2_i1.jsonl traced/traces/xnes/f8_d2_i2.jsonl " ] ||
  fail "traces: $(find traced/traces -type f)"
run report traced/traces/xnes/f8_d2_i1.jsonl traced/traces/lra_frame_B/f8_d2_i1.jsonl -o traced.html
expect_status 0
run bench bbob --functions 8 --dims 2 --methods xnes,random,lra:frame=B --instances 1-2 --budget 200 --commands
expect_status 0; expect_quiet
[ "$(wc -l <"$work/out")" -eq 6 ] || fail "not one command for each search"
expect_out "--methods 'lra:frame=B' --functions 8 --dims 2 --instances 2"
command=$(grep -F "'lra:frame=B'" "$work/out" | grep -- "--instances 2")
grep -qF -- "\"command\":\"$command\"" traced/traces/lra_frame_B/f8_d2_i2.jsonl || fail "the trace lacks $command"
eval "${command/#surefoot/\"$surefoot\"}" >"$work/out" 2>"$work/err" || fail "$command"
cmp traced/traces/lra_frame_B/f8_d2_i2.jsonl bbob_f8_d2_i2/traces/lra_frame_B/f8_d2_i2.jsonl >"$work/err" ||
  fail "the command does not repeat the search"
[ "$(tail -n 1 bbob_f8_d2_i2/runs.csv)" = "$(grep '^lra:frame=B,8,2,2,' traced/runs.csv)" ] || fail "another row"
run bench bbob --functions 8
expect_status 2; expect_err "out is missing"

# Interrupted politely: exit status 130 and a hint.
"$surefoot" bench bbob --functions 24 --dims 40 --instances 1-100 --threads 1 --out polite >"$work/out" 2>"$work/err" &
pid=$!
wait_for '[ -s polite/protocol.json ]'
kill -INT $pid
wait $pid
status=$?; shown="bench, interrupted"
expect_status 130; expect_err "run the same command to continue"

run "${small[@]}" --seed 2 --out one
expect_status 2; expect_err "another protocol" "'seed'"
run bench bbob --functions 25 --out x
expect_status 2; expect_err function 25 "1 to 24"
run bench bbob --functions 3-1 --out x
expect_status 2; expect_err functions "3-1" upwards
run bench bbob --dims 1 --out x
expect_status 2; expect_err dim 1 "at least 2"
run bench bbob --dims 2,2 --out x
expect_status 2; expect_err dims once
run bench bbob --instances 0 --out x
expect_status 2; expect_err instances "'0'"
run bench bbob --methods everest --out x
expect_status 2; expect_err methods everest lra random
run bench bbob --budget 1 --out x
expect_status 2; expect_err budget 1 "at least 2"
[ ! -e x ] || fail "wrong input made a folder"

# Single values, and a search.
echo "1 2 3" >points; echo "-0.5,+1e-3	7" >>points
"$surefoot" evaluate --problem sphere --dim 3 <points >values || fail "evaluate sphere"
[ "$(cat values)" = "14
49.250000999999997" ] || fail "evaluate sphere: $(cat values)"
row=$(grep '^7,5,2,out,' "$2/bbob/vectors.csv")
IFS=, read -r _ _ _ _ _ value x <<<"$row"
[ "$(echo "$x" | "$surefoot" evaluate --problem bbob-f7 --instance 2 --dim 5)" = "$value" ] || fail "evaluate bbob-f7"
wrong() { "$surefoot" evaluate "$@" <points >"$work/out" 2>"$work/err"; status=$?; shown="evaluate $*"; }
wrong --problem sphere --dim 2
expect_status 2; expect_err "line 1" "3 numbers" "2 coordinates"
wrong --problem everest --dim 3
expect_status 2; expect_err everest sphere bbob-f24
wrong --problem sphere --dim 3 --instance 2
expect_status 2; expect_err instance 2
echo "1 2 x" >points
wrong --problem sphere --dim 3
expect_status 2; expect_err "line 1" "'x'" number
run minimize --problem bbob-f8 --instance 2 --dim 3 --seed 1 --json
expect_status 0
run minimize --problem bbob-f8 --instance 0 --dim 3
expect_status 2; expect_err instance 0 "from 1"
run list problems
expect_out bbob-f24 "weak structure"
exit $failed
