#!/usr/bin/env bash
# reproduce: same files for any number of threads and after being killed; other protocols are refused.
. "$(dirname "$0")/support.sh"
cd "$work" || exit 1

small=(reproduce --functions rastrigin,bohachevsky --popsizes 30,200 --methods adaptive,x4,x8 --trials 8)
run "${small[@]}" --threads 1 --out one
expect_status 0
expect_out RQ1 RQ2 RQ3 Agreement "written to one"
for file in trials.csv summary.json report.html protocol.json traces/figure1_rastrigin_400_x1.csv; do
  [ -s one/$file ] || fail "one/$file is missing"
done
[ "$(wc -l <one/trials.csv)" -eq $((6 * 8 + 1)) ] || fail "trials.csv has not one row for each trial"

run "${small[@]}" --threads 4 --out four
expect_status 0
diff -r one four >"$work/err" || fail "1 and 4 threads give different files"

# Killed at several moments, then finished.
kill_and_resume "0.05 0.15 0.3 0.6" "${small[@]}"

# Interrupted politely: exit status 130 and a hint.
"$surefoot" reproduce --functions rastrigin --popsizes 400 --methods x1 --trials 200 --figure 4 --threads 1 --out polite \
  >"$work/out" 2>"$work/err" &
pid=$!
wait_for '[ "$(cat polite/trials.csv 2>/dev/null | wc -l)" -ge 2 ]'
kill -INT $pid
wait $pid
status=$?; shown="reproduce, interrupted"
expect_status 130; expect_err "run the same command to continue"
[ -s polite/trials.csv ] || fail "nothing is kept"

# Finished: the same command has nothing to do and changes nothing.
cp -r one again
run "${small[@]}" --out again
expect_status 0
diff -r one again >"$work/err" || fail "a finished folder was changed"

run "${small[@]}" --seed 2 --out one
expect_status 2; expect_err "another protocol" "'seed'"
run reproduce --figure 6 --out x
expect_status 2; expect_err figure "'6'" "1, 2, 3, 4, 5"
run reproduce --methods x3 --out x
expect_status 2; expect_err methods x3 adaptive
run reproduce --trials 0 --out x
expect_status 2; expect_err trials 0 "at least 1"
run reproduce --threads 0 --out x
expect_status 2; expect_err threads 0 "at least 1"
[ ! -e x ] || fail "wrong input made a folder"
run reproduce
expect_status 2; expect_err --out

# A row can be repeated with minimize.
IFS=, read -r function popsize method _ seed _ evaluations _ < <(grep ',x4,' one/trials.csv | head -1)
run minimize --problem "$function" --dim 10 --popsize "$popsize" --learning-rate fixed:4 --seed "$seed" --ftarget 1e-8 \
  --maxfevals 500000 --evaluate-x0 false --restarts none --json
expect_out "\"nfev\":$evaluations,"

# Reports of single runs.
run minimize --problem sphere --dim 5 --seed 1 --ftarget 1e-8 --trace run.jsonl
run report run.jsonl -o run.html
expect_status 0
grep -q 'application/json' run.html || fail "run.html has no data"
head -c 500 run.jsonl >cut.jsonl
"$surefoot" report <(cat run.jsonl) -o pipe.html >out 2>err || fail "a report of a pipe"
grep -q '<title>' pipe.html || fail "the report of a pipe is no page"
run report cut.jsonl -o cut.html
expect_status 0
run report missing.jsonl -o x.html
expect_status 2; expect_err missing.jsonl
echo nonsense >odd.jsonl; echo more >>odd.jsonl
run report odd.jsonl -o x.html
expect_status 2; expect_err "line 1"
[ ! -e x.html ] || fail "wrong input wrote a page"
exit $failed
