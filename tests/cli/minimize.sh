#!/usr/bin/env bash
# The command line on good input.
. "$(dirname "$0")/support.sh"
cd "$work" || exit 1

run minimize --problem rastrigin --dim 10 --popsize 300 --learning-rate lra --seed 1 --ftarget 1e-8 --maxfevals 500000 --quiet
expect_status 0; expect_quiet
expect_out "best f" "at x" "stopped  target reached" "ftarget = 1e-08" "evaluations" "(seed 1)"
[ "$(ls "$work")" = "$(printf 'err\nout')" ] || fail "it wrote files that nobody asked for: $(ls "$work")"

run minimize --problem sphere --dim 3 --seed 0 --ftarget 1e-8 --json --quiet
expect_status 0; expect_quiet
expect_out '"x":[' '"fun":' '"nfev":' '"nit":' '"success":true' '"status":1' '"message":"' '"seed":0' '"stop":"ftarget"'
[ "$(wc -l <"$work/out")" -eq 1 ] || fail "more than one line of JSON"
first=$(cat "$work/out")
run minimize --problem sphere --dim 3 --seed 0 --ftarget 1e-8 --json --quiet
[ "$first" = "$(cat "$work/out")" ] || fail "the same seed gave another result"

run minimize --problem sphere --dim 3 --seed 1 --maxfevals 70 --popsize 7 --trace run.jsonl
expect_status 1
expect_out "budget used: 70 evaluations" "next" "--maxfevals"
# The start, nine generations of 7, the best point once more to look for noise, and the mean with 4 samples for the rest.
[ "$(wc -l <run.jsonl)" -eq 12 ] || fail "the trace has not one line for each of 12 generations"
grep -o '^{"generation":[0-9]*,"nfev":[0-9]*' run.jsonl | cut -d: -f3 | tr '\n' ' ' >told
[ "$(cat told)" = "1 8 15 22 23 30 37 44 51 58 65 70 " ] || fail "the trace tells other evaluations: $(cat told)"
for key in generation nfev best generation_best sigma eta_m eta_sigma eta_B l_theta gamma condition; do
  [ "$(grep -c "\"$key\":" run.jsonl)" -eq 12 ] || fail "the trace lacks $key"
done

run minimize --problem sphere --x0 1,-2,3 --sigma0 0.5 --learning-rate fixed:0.5 --seed 1 --ftarget 1e-8
expect_status 0
run minimize --problem sphere --x0=-1,2 --sigma0 0.5,2 --seed 1 --ftarget 1e-8
expect_status 0

# A noisy program: what is returned is measured. Its noise is that of a counter, so the search can be repeated.
cat >noisy.awk <<'END'
{ n = 0; getline n < "n"; close("n"); print n + 1 > "n"; close("n"); srand(n + 1); u = 0
  for (i = 0; i < 12; ++i) u += rand()
  print $1 * $1 + $2 * $2 + u - 6 }
END
echo 0 >n
run minimize --command 'awk -f noisy.awk' --x0 3,2 --sigma0 1 --maxfevals 90 --seed 1 --trace noisy.jsonl
expect_out " +- " "standard error of" "evaluations at the same point differ by" "noise of about" "lowest single value"
tail -n 1 noisy.jsonl | grep -q '"end":.*"fun_std":.*"noise":.*"lowest_fun":' || fail "the trace does not say the noise"
echo 0 >n
run minimize --command 'awk -f noisy.awk' --x0 3,2 --sigma0 1 --maxfevals 90 --seed 1 --noise 1 --json
expect_out '"fun_std":0.' '"noise":1' '"lowest_fun":' '"lowest_x":['
run minimize --problem sphere --dim 3 --noise -1
expect_status 2; expect_err "noise = '-1' is not allowed: it must be auto, none or a standard deviation above 0"
rm -f noisy.awk n noisy.jsonl

# Known points: evaluated with the start, and the search begins at the best.
printf '# from last year\n5, 5\n1.5 -0.5   # good\n' >known.txt
run minimize --problem sphere --x0 3,3 --sigma0 0.1 --inject known.txt --seed 1 --maxfevals 3 --json --trace known.jsonl
expect_status 1; expect_out '"x":[1.5,-0.5]' '"fun":2.5' '"nfev":3' '"nit":0'
grep -q '"generation":0,"nfev":3,"best":2.5' known.jsonl || fail "the trace does not tell of the known points"
run minimize --problem sphere --x0 3,3 --sigma0 0.1 --evaluate-x0 false --seed 1 --maxiter 2 --popsize 5 --json
expect_out '"nfev":10' '"nit":2'

# A limit is a limit.
for budget in 1 2 6 7 8 13 50; do
  run minimize --command 'sh -c "echo . >>calls; echo 3"' --x0 3,3 --sigma0 1 --popsize 6 --seed 1 --maxfevals $budget
  [ "$(wc -l <calls)" -eq $budget ] || fail "$(wc -l <calls) calls, --maxfevals $budget"
  rm calls
done

# No advice to go on where f does not depend on x, and no best point where there is no value.
run minimize --command 'echo 5' --x0 1,2 --sigma0 1 --seed 1 --maxfevals 30 --quiet
expect_out "best f   5" "next     all 30 evaluations gave the same value: does f depend on its parameters?"
run minimize --command false --x0 3,3 --sigma0 1 --seed 1 --maxfevals 30 --quiet
expect_out "best f   no value was finite" "no evaluation gave a finite value: --check"
! grep -q '^at x\|nan' out || fail "a search without a value tells a best point"
# A run that used its share of the budget did not use all of it.
run minimize --problem sphere --dim 2 --seed 1 --method cma --model none --ftarget -1 --maxfevals 1500 --quiet
expect_out "evaluations, its share of the budget used" "evaluations, maxfevals"

# Infinite everywhere: three generations, not the whole budget.
run minimize --command 'echo inf' --x0 3,3 --sigma0 1 --popsize 6 --seed 1 --maxfevals 100000 --json
expect_status 3; expect_out '"stop":"infeasible"' '"status":21' '"nfev":19' "+infinity"

# A model saves evaluations, and its rounds keep the limit.
run minimize --problem ellipsoid --dim 5 --seed 1 --method cma --model quadratic --ftarget 1e-8 --maxfevals 200 --json
expect_status 0; expect_out '"stop":"ftarget"'
run minimize --command 'sh -c "echo . >>calls; echo 3"' --x0 3,3 --sigma0 1 --seed 1 --model quadratic --batch 2 --maxfevals 9
[ "$(wc -l <calls)" -eq 9 ] || fail "$(wc -l <calls) calls with a model, --maxfevals 9"
rm calls
run minimize --problem sphere --dim 2 --model cubic
expect_status 2
run minimize --problem sphere --dim 2 --batch 0
expect_status 2

# The summary advises restarts only where there were none.
run minimize --problem rastrigin --x0 4,4 --sigma0 0.1 --seed 1 --method cma --ftarget 1e-8 --restarts none
expect_status 1; expect_out "next     it converged to a local optimum: try --restarts bipop"

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
diff "$work/out" "$data/../../docs/reference/options.md" >/dev/null || fail "docs/reference/options.md is not what it prints"
run list stops --markdown
expect_status 0
diff "$work/out" "$data/../../docs/reference/stop-reasons.md" >/dev/null || fail "docs/reference/stop-reasons.md is not what it prints"
run list stops
expect_status 0; expect_out tolfunhist settled "the budget of evaluations is used"
run minimize --help-all
expect_status 0
named=$(grep -oE -- '^  --[a-z0-9-]+' out | sort -u | tr -d ' ')
listed=$(grep -oE -- '`--[a-z0-9-]+`' "$data/../../docs/reference/options.md" | tr -d '`' | sort -u)
[ "$named" = "$listed" ] || fail "the options of minimize and of docs/reference/options.md differ: $(diff <(echo "$named") <(echo "$listed"))"

for fixture in xnes_d3_l6 xnes_lra_sym_d10_l12 xnes_lra_bframe_d10_l60; do
  run replay "$data/fixtures/$fixture.json"
  expect_status 0; expect_out "same trajectory" p_Sigma eta_B
done
sed 's/"sigma":2.0/"sigma":2.0001/' "$data/fixtures/xnes_d3_l6.json" >changed.json
run replay changed.json
expect_status 1; expect_out DEVIATES

run --version
expect_status 0; expect_out surefoot
# The first screen of help: it fits a terminal, and its options exist.
run minimize --help
expect_status 0; expect_out "--maxfevals" "surefoot resume" "--help-all"
[ "$(wc -l <out)" -le 30 ] || fail "the help of minimize has $(wc -l <out) lines"
[ "$(wc -L <out)" -le 80 ] || fail "the help of minimize is $(wc -L <out) characters wide"
for option in $(grep -oE -- '--[a-z0-9-]+' out | sort -u); do
  [ "$option" = --help-all ] || grep -q -- "\`$option\`" "$data/../../docs/reference/options.md" || fail "there is no $option"
done
run help
expect_status 0; expect_out Example
topics=$(sed -n 's/^  \([a-z]*\) .*/\1/p' out)
[ "$(echo "$topics" | wc -w)" -ge 5 ] || fail "there are few topics: $topics"
for topic in $topics; do
  run help "$topic"
  expect_status 0; expect_out Example "More: docs/"
  [ "$(wc -L <out)" -le 80 ] || fail "help $topic is $(wc -L <out) characters wide"
  for page in $(grep -oE 'docs/[a-z/-]+\.md' out); do
    [ -f "$data/../../$page" ] || fail "help $topic names $page"
  done
  for option in $(grep -oE -- '--[a-z0-9-]+' out | sort -u); do
    [ "$option" = --json ] || grep -q -- "\`$option\`" "$data/../../docs/reference/options.md" || fail "help $topic: $option"
  done
done
run help buget
expect_status 2; expect_err "topic = 'buget' is not allowed" "did you mean 'budget'?"
for help in "--help" "minimize --help" "minimize --help-all" "list --help" "replay --help"; do
  run $help
  expect_status 0; expect_out Example
done
exit $failed
