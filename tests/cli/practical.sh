#!/usr/bin/env bash
# bench practical: same files for any number of threads and after being killed; peers; wrong input; problems by name.
. "$(dirname "$0")/support.sh"
cd "$work" || exit 1

small=(bench practical --methods cma,random,cma/bipop --problems spring,borehole,predator-prey --budgets 20,100 --seeds 3)
run "${small[@]}" --threads 1 --out one
expect_status 0
expect_out "within 1 %" "cma/bipop" "Within 1e-4 at 100 d" "written to one"
[ "$(wc -l <one/runs.csv)" -eq $((3 * 3 * 2 * 3 + 1)) ] || fail "runs.csv has not one row for each search"
grep -q "^cma,borehole,100,3,800," one/runs.csv || fail "a search of 100 d has not used its evaluations"
grep -q "best known" one/report.html || fail "report.html is no page"

run "${small[@]}" --threads 4 --out four
expect_status 0
diff -r one four >"$work/err" || fail "1 and 4 threads give different files"

kill_and_resume "0.01 0.02 0.05" "${small[@]}"

# Another program's runs: our own under another name are equal to ours. One budget is missing.
{ head -1 one/runs.csv; grep '^cma,.*,20,' one/runs.csv | sed 's/^cma,/other,/'; } >peers.csv
run "${small[@]}" --peers peers.csv --out one
expect_status 0
expect_out "other"
python3 - <<'END' || fail "summary.json has other numbers for the same runs"
import json
rows = json.load(open("one/summary.json"))
of = lambda m: {(r["budget"], r["problem"]): {**r, "method": ""} for r in rows if r["method"] == m}
ours, theirs = of("cma"), of("other")
assert len(ours) == 8 and len(theirs) == 4
assert all(ours[key] == row for key, row in theirs.items())
END
echo "a,b" >wrong.csv
run "${small[@]}" --peers wrong.csv --out x
expect_status 2; expect_err peers wrong.csv "method,problem,budget,seed,evaluations,best,runs"
run "${small[@]}" --peers absent.csv --out x
expect_status 2; expect_err absent.csv

run "${small[@]}" --seed 2 --out one
expect_status 2; expect_err "another protocol" "'seed'"
run bench practical --problems everest --out x
expect_status 2; expect_err problem everest predator-prey
run bench practical --budgets 0 --out x
expect_status 2; expect_err budgets "'0'"
run bench practical --seeds 0 --out x
expect_status 2; expect_err seeds 0 "at least 1"
run bench practical --methods everest --out x
expect_status 2; expect_err methods everest random
[ ! -e x ] || fail "wrong input made a folder"

# By name: with their own dimension and bounds.
run minimize --problem spring --seed 1 --ftarget 0.013 --json
expect_status 0
run minimize --problem spring --x0 0.05,0.3,11 --seed 1 --restarts bipop --maxfevals 20000 --json
expect_status 1
grep -q '"fun":0.0126' "$work/out" || fail "the spring is heavier than 0.0127"
run minimize --problem spring --lower 0.06,0.25,2 --seed 1 --json
expect_out '"x":[0.06'
run minimize --problem spring --dim 4
expect_status 2; expect_err dim 4 "3 coordinates"
run minimize --problem spring --x0 5,0.3,11
expect_status 2; expect_err x0
[ "$(echo 0.15 100 115600 1110 116 700 1120 12045 | "$surefoot" evaluate --problem borehole | cut -c1-8)" = -309.575 ] ||
  fail "evaluate borehole"
run list problems
expect_out predator-prey "best known" "out of step with the data"
exit $failed
