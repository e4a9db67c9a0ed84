#!/usr/bin/env bash
# What a search says of itself: in its first line, in the summary, in `surefoot status`.
. "$(dirname "$0")/support.sh"
cd "$work" || exit 1

# A search that has converged without a budget says what one would bring; others say nothing of it.
run minimize --problem sphere --dim 3 --seed 1
expect_status 0; expect_out "next     no budget was given; with one, such as --maxfevals" "a model may need far fewer evaluations"
for more in "--ftarget 1e-8" "--method cma" "--model quadratic"; do
  # shellcheck disable=SC2086 # option and value
  run minimize --problem sphere --dim 3 --seed 1 $more
  expect_status 0; grep -q "no budget was given" "$work/out" && fail "advice on a budget with $more"
done

# Parameters that ended at a bound, as the page says.
cat >slope.sh <<'END'
#!/bin/sh
awk '{print 100 * $2 - $4 + ($6 - 3)^2}'
END
chmod +x slope.sh
params=(--param 'low=real(1e-3,1,log)' --param 'high=int(1,9)' --param 'inner=real(0,9)')
run minimize --command ./slope.sh "${params[@]}" --seed 1 --maxfevals 200 --checkpoint b.sf --trace b.jsonl
expect_out "bounds   the best point is at low (lower), high (upper); a better one may lie beyond"
run status b.sf
expect_out "bounds   the best point is at low (lower), high (upper); a better one may lie beyond" "spread   low factor 1"
run report b.jsonl
grep -qF "low (lower), high (upper)" b.html || fail "the page says something else"
run minimize --problem sphere --x0 2,2 --lower 1 --upper 3,3 --maxfevals 100 --seed 1
expect_out "bounds   the best point is at x0 (lower), x1 (lower)"
run minimize --problem sphere --x0 2,2 --lower=-5 --upper 3,3 --maxfevals 100 --seed 1
grep -q '^bounds' out && fail "no parameter is at a bound"

# Evaluations and seconds of all parts of a search.
cat >wait.sh <<'END'
#!/bin/sh
sleep 0.02; head -1 | awk '{print $1 * $1 + $2 * $2}'
END
chmod +x wait.sh
run minimize --command ./wait.sh --x0 2,2 --sigma0 1 --seed 1 --method xnes --maxfevals 40 --checkpoint c.sf
grep -q "before this part" out && fail "there is no part before"
run resume c.sf --maxfevals 60
expect_out "60 evaluations" "; 40 evaluations and " " s of it before this part"
awk '/^cost/ {for (i = 1; i < NF; i++) if ($(i + 1) == "s") {print $i}}' out >seconds
all=$(head -1 seconds) before=$(tail -1 seconds)
awk -v all="$all" -v before="$before" 'BEGIN {exit !(before >= 0.8 && all >= before + 0.4 && all < before + 60)}' ||
  fail "$before s before, $all s in all"
run status c.sf
expect_out "60 evaluations"

# A program that ends after its answer, which --persistent should spare.
run minimize --command ./wait.sh --persistent --x0 2,2 --sigma0 1 --seed 1 --maxfevals 20
expect_out "20 evaluations"; expect_err "the program ends after its answer, so --persistent starts it anew"
cat >stays.sh <<'END'
#!/bin/sh
n=0
while [ $n -lt 10 ] && read -r x y; do n=$((n + 1)); echo "$x" | awk '{print $1 * $1}'; done
END
chmod +x stays.sh
run minimize --command ./stays.sh --persistent --x0 2,2 --sigma0 1 --seed 1 --maxfevals 60
expect_out "60 evaluations"
grep -q "ends after its answer" err && fail "a program that answers ten lines stays"
printf '#!/bin/sh\nread -r line; sleep 0.1; echo 1\n' >ends.sh; chmod +x ends.sh
"$surefoot" minimize --command ./ends.sh --persistent --x0 2,2 --sigma0 1 --seed 1 --maxfevals 500 >out 2>err &
pid=$!
shown="SIGUSR1"
sleep 2; kill -USR1 $pid
wait_for 'grep -q "^program  the program ends after its answer" err'
kill -INT $pid; wait $pid

# A short first line, without checksums.
mkdir deep && cd deep || exit 1
printf '{x0} {x1}\n' >in.txt.in
run minimize --command 'awk "{print \$1 * \$1 + \$2 * \$2; for (i = 0; i < 3; i++) x = i}" in.txt' --template in.txt.in \
  --output 'value=regex:(.*)' --x0 1,1 --sigma0 1 --maxfevals 30
line=$(head -1 "$work/err")
[ ${#line} -le 170 ] || fail "the first line has ${#line} characters: $line"
case $line in *checksum* | *"$work"*) fail "the first line tells too much: $line" ;; esac
expect_err "2 parameters, method " "at most 30 evaluations, seed "
# Generations of a model are not whole populations.
expect_out "candidates of a generation are evaluated, the others are predicted"
cd ..

# The sentences of limits of the system.
(ulimit -n 40; timeout 60 "$surefoot" minimize --command 'echo 1' --x0 1,1 --sigma0 1 --workers 9 >out 2>err)
status=$?; shown="ulimit -n 40"
expect_status 2; expect_err "lets 1 program run at a time; 'ulimit -n' shows the limit and raises it"

# --json of many coordinates needs no memory of its own.
if [[ $surefoot != *sanitized* ]] && [ -z "${ASAN_OPTIONS:-}" ] && command -v python3 >/dev/null; then
  peak() {
    python3 -c 'import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)' "$@"
  }
  search=("$surefoot" minimize --problem sphere --dim 1000000 --method snes --maxfevals 3 --popsize 2 --seed 1 --quiet)
  plain=$(peak "${search[@]}")
  with_json=$(peak "${search[@]}" --json)
  [ "$with_json" -lt $((plain + 30000)) ] || fail "--json takes $((with_json - plain)) KiB more than $plain KiB"
fi
run minimize --problem sphere --dim 3 --maxfevals 3 --json --quiet
python3 -c 'import json; r = json.load(open("out")); assert len(r["x"]) == 3 == len(r["stds"]), r' || fail "no JSON"

# A page needs no name.
run report b.jsonl
expect_out b.html
run report b.jsonl b.jsonl
expect_status 2; expect_err "out: name the page of several traces"
exit $failed
