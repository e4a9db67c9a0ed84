#!/usr/bin/env bash
# The command line on good input.
. "$(dirname "$0")/support.sh"
cd "$work" || exit 1

run minimize --problem rastrigin --dim 10 --popsize 300 --learning-rate lra --seed 1 --ftarget 1e-8 --maxfevals 500000
expect_status 0; expect_quiet
expect_out "best f" "at x" "stopped  target reached" "ftarget = 1e-08" "evaluations" "(seed 1)"
[ "$(ls "$work")" = "$(printf 'err\nout')" ] || fail "it wrote files that nobody asked for: $(ls "$work")"

run minimize --problem sphere --dim 3 --seed 0 --ftarget 1e-8 --json
expect_status 0; expect_quiet
expect_out '"x":[' '"fun":' '"nfev":' '"nit":' '"success":true' '"status":1' '"message":"' '"seed":0' '"stop":"ftarget"'
[ "$(wc -l <"$work/out")" -eq 1 ] || fail "more than one line of JSON"
first=$(cat "$work/out")
run minimize --problem sphere --dim 3 --seed 0 --ftarget 1e-8 --json
[ "$first" = "$(cat "$work/out")" ] || fail "the same seed gave another result"

run minimize --problem sphere --dim 3 --seed 1 --maxfevals 70 --popsize 7 --trace run.jsonl
expect_status 1
expect_out "budget used: 70 evaluations" "next" "--maxfevals"
[ "$(wc -l <run.jsonl)" -eq 10 ] || fail "the trace has not one line for each of 10 generations"
for key in generation nfev best generation_best sigma eta_m eta_sigma eta_B l_theta gamma condition; do
  [ "$(grep -c "\"$key\":" run.jsonl)" -eq 10 ] || fail "the trace lacks $key"
done

run minimize --problem sphere --x0 1,-2,3 --sigma0 0.5 --learning-rate fixed:0.5 --seed 1 --ftarget 1e-8
expect_status 0
run minimize --problem sphere --x0=-1,2 --sigma0 0.5,2 --seed 1 --ftarget 1e-8
expect_status 0

run minimize --problem rosenbrock --dim 2 --seed 1
expect_status 0; expect_out "converged" "at x     1, 1"

run list problems
expect_status 0
expect_out sphere ellipsoid rastrigin bohachevsky k-tablet schaffer rosenbrock cigar ackley NomuraOno2022
run list methods
expect_status 0; expect_out xnes fixed lra auto Glasmachers2010 NomuraOno2022 alpha_sigma

run list options
expect_status 0; expect_out x0 sigma0 maxfevals "default 1e-11"
run list options --markdown
expect_status 0
diff "$work/out" "$data/../../docs/options.md" >/dev/null || fail "docs/options.md is not what it prints"
run minimize --help
expect_status 0
named=$(grep -oE -- '^  --[a-z0-9-]+' out | sort -u | tr -d ' ')
listed=$(grep -oE -- '`--[a-z0-9-]+`' "$data/../../docs/options.md" | tr -d '`' | sort -u)
[ "$named" = "$listed" ] || fail "the options of minimize and of docs/options.md differ: $(diff <(echo "$named") <(echo "$listed"))"

for fixture in xnes_d3_l6 xnes_lra_sym_d10_l12 xnes_lra_bframe_d10_l60; do
  run replay "$data/fixtures/$fixture.json"
  expect_status 0; expect_out "same trajectory" p_Sigma eta_B
done
sed 's/"sigma":2.0/"sigma":2.0001/' "$data/fixtures/xnes_d3_l6.json" >changed.json
run replay changed.json
expect_status 1; expect_out DEVIATES

run --version
expect_status 0; expect_out surefoot
for help in "--help" "minimize --help" "list --help" "replay --help"; do
  run $help
  expect_status 0; expect_out Example
done
exit $failed
