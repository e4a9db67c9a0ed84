#!/usr/bin/env bash
# Least squares on the command line: residuals, data, tables, checkpoints.
. "$(dirname "$0")/support.sh"
cd "$work" || exit 1
export TMPDIR=$work

cat >residuals.sh <<'E'
#!/bin/sh
read -r a b
echo simulating
awk -v a="$a" -v b="$b" 'BEGIN {for (i = 0; i < 20; ++i)
  printf "%.17g%s", a * exp(-b * i / 5) - 3 * exp(-0.14 * i) - 0.05 * sin(8 * i), i < 19 ? ", " : "\n"}'
E
cat >table.sh <<'E'
#!/bin/sh
read -r a b <in.txt
awk -v a="$a" -v b="$b" 'BEGIN {print "t,y"; for (i = 0; i < 20; ++i) printf "%g,%.17g\n", i / 5, a * exp(-b * i / 5)}' >out.csv
awk -v a="$a" -v b="$b" 'BEGIN {printf "{\"r\":["; for (i = 0; i < 20; ++i)
  printf "%.17g%s", a * exp(-b * i / 5) - 3 * exp(-0.14 * i) - 0.05 * sin(8 * i), i < 19 ? "," : "]}\n"}'
E
chmod +x residuals.sh table.sh
echo '@height@ @rate@' >in.txt.in
awk 'BEGIN {print "# value deviation"; for (i = 0; i < 20; ++i)
  printf "%.17g 0.05\n", 3 * exp(-0.14 * i) + 0.05 * sin(8 * i)}' >data.txt

# All ways of output find the same parameters.
fit=(minimize --command ./table.sh --template in.txt.in --param 'height=real(0,10,start=1)'
  --param 'rate=real(0.01,10,log,start=1)')
run minimize --command ./residuals.sh --x0 1,1 --residuals auto
expect_status 0; expect_quiet
expect_out 'the sum of 20 squared residuals' '95 % interval' '3.008553        0.0247  2.9565' 'converged'
run "${fit[@]}" --output json:r --residuals 20 --json
expect_status 0; expect_quiet; expect_out '"height":3.00855' '"rate":0.70169' '"stop":"converged"' '"success":true'
run "${fit[@]}" --output 'file:out.csv|column:2' --data data.txt --json
expect_status 0; expect_quiet; expect_out '"height":3.00855' '"rate":0.70169'
run "${fit[@]}" --output 'file:out.csv|column:y' --data data.txt --loss huber --loss-scale 0.5 --json
expect_status 0; expect_quiet; expect_out '"height":3.0'
# The start and more: without a start the best of a few random points begins.
run "${fit[@]}" --output json:r --residuals auto --check
expect_status 0; expect_out 'fit      20 residuals, f = 19.07' 'the first is -2'
run minimize --command ./table.sh --template in.txt.in --param 'height=real(0,10)' --param 'rate=real(0.01,10,log)' \
  --output json:r --residuals auto --maxfevals 60 --workers 3 --seed 2
expect_status 0; expect_out 'run 1' '60 evaluations'

# The same bits for any number of workers.
run "${fit[@]}" --output json:r --residuals 20 --json --batch 3
cp out one
run "${fit[@]}" --output json:r --residuals 20 --json --batch 3 --workers 3
cmp -s one out || fail "another result with three workers"

# Resumed bit for bit, by the same command or by resume; a checkpoint of another fit is refused.
run "${fit[@]}" --output json:r --residuals 20 --json
cp out whole
run "${fit[@]}" --output json:r --residuals 20 --json --maxfevals 5 --checkpoint run.sf
expect_status 1; expect_out '"nfev":5' '"stop":"max_nfev"'
run "${fit[@]}" --output json:r --residuals 20 --json --maxfevals 9 --checkpoint run.sf
expect_status 1; expect_out '"nfev":9'
run status run.sf
expect_status 2; expect_err 'the checkpoint of a fit' "'surefoot resume'"
run resume run.sf --maxfevals 200
expect_status 0
cmp -s whole out || fail "another result after two interruptions: $(cat out)"
run "${fit[@]}" --output json:r --residuals 20 --loss cauchy --checkpoint run.sf
expect_status 2; expect_err "'loss linear 1'" "this fit has 'loss cauchy 1'"
run minimize --command ./residuals.sh --x0 1,1 --checkpoint run.sf
expect_status 2

# Failures are no end, a program that never works is one.
cat >fails.sh <<'E'
#!/bin/sh
n=$(cat count 2>/dev/null || echo 0)
echo $((n + 1)) >count
[ $((n % 5)) = 3 ] && exit 1
[ $((n % 7)) = 4 ] && echo nan 1 && exit 0
exec ./residuals.sh
E
chmod +x fails.sh
run minimize --command ./fails.sh --x0 1,1 --residuals auto --json
expect_status 0; expect_out '"x":[3.0085'
grep -q '"nfailed":0' out && fail "no failure was counted"
run minimize --command false --x0 1,1 --residuals auto --maxfevals 9
expect_status 3; expect_out 'no evaluation succeeded' 'all 9 failed'

# Bad usage.
run "${fit[@]}" --output json:r --residuals 21
expect_status 2; expect_err 'residuals = 21' 'has 20 residuals'
head -19 data.txt >short.txt
run "${fit[@]}" --output 'file:out.csv|column:y' --data short.txt
expect_status 2; expect_err 'data = 18' 'has 20 values'
run "${fit[@]}" --output 'file:out.csv|column:z' --data data.txt
expect_status 2; expect_err "no column 'z'"
run "${fit[@]}" --output 'file:out.csv|column:y'
expect_status 2; expect_err 'give --residuals too'
run minimize --command ./residuals.sh --x0 1,1 --residuals many
expect_status 2; expect_err "'many' is not a number"
run minimize --command ./residuals.sh --x0 1,1 --residuals auto --trace run.jsonl
expect_status 2; expect_err 'trace: not together with --residuals'
run minimize --command ./residuals.sh --x0 1,1 --loss huber
expect_status 2; expect_err 'loss: only together with --residuals'
run minimize --problem sphere --dim 2 --residuals auto
expect_status 2; expect_err 'only together with --command'
run minimize --command ./residuals.sh --x0 1,1 --data nowhere.txt
expect_status 2; expect_err 'nowhere.txt cannot be read'
echo '1 -1' >bad.txt
run minimize --command ./residuals.sh --x0 1,1 --data bad.txt
expect_status 2; expect_err 'standard deviation'
exit $failed
