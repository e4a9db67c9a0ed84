#!/usr/bin/env bash
# Constraints on the command line: programs that print f, g and h, and problems that have them.
. "$(dirname "$0")/support.sh"
cd "$work" || exit 1

# The sphere with x1 >= 1; a blank more and a second constraint that never counts.
cat >half.sh <<'END'
#!/bin/sh
awk '{f = 0; for (i = 1; i <= NF; i++) f += $i * $i; printf "words before\n%.17g  %.17g %.17g\n", f, 1 - $1, $1 - 100}'
END
cat >persistent.sh <<'END'
#!/bin/sh
while read -r line; do echo "$line" | ./half.sh | tail -1; done
END
chmod +x half.sh persistent.sh
search=(--x0 3,3 --sigma0 1 --seed 1 --maxfevals 250 --json)

run minimize --command ./half.sh --constraints 2 "${search[@]}"
expect_out '"feasible":true' '"violation":0.0' '"multipliers":[' '"ncev":250' '"h":[]'
cp out first
run minimize --command ./half.sh --constraints 2 --workers 2 "${search[@]}"
cmp -s out first || fail "two workers give another result: $(cat out)"
run minimize --command ./persistent.sh --persistent --constraints 2 "${search[@]}"
cmp -s out first || fail "a persistent program gives another result: $(cat out)"

# Killed and resumed.
"$surefoot" minimize --command ./half.sh --constraints 2 "${search[@]}" --checkpoint run.sf --checkpoint-every 1h \
  >/dev/null 2>&1 &
wait_for '[ -s run.sf.journal ] && [ "$(wc -c <run.sf.journal)" -gt 4000 ]'
kill -9 $! 2>/dev/null
wait $! 2>/dev/null
run minimize --command ./half.sh --constraints 2 "${search[@]}" --checkpoint run.sf
cmp -s out first || fail "killed and resumed, the result is another one: $(cat out)"
run minimize --command ./half.sh --constraints 1 "${search[@]}" --checkpoint run.sf
expect_status 2
expect_err constraints

# As many numbers as were announced.
run minimize --command ./half.sh --constraints 3 "${search[@]}"
expect_status 2
expect_err "is not 4 numbers"
run minimize --command ./half.sh "${search[@]}"
expect_status 2
expect_err "is not a number"
run minimize --command ./half.sh --constraints -1 "${search[@]}"
expect_status 2
expect_err 'constraints = -1'
run minimize --command ./half.sh --constraints 2 --constraints-mode epsilon "${search[@]}"
expect_status 2
expect_err epsilon lexicographic
run minimize --command ./half.sh --constraints 2 --model quadratic "${search[@]}"
expect_status 2
expect_err constraints

# Problems with constraints.
run list problems
expect_out g06 mul10 Liang2006
echo 14.095 0.842960789215478 >point
"$surefoot" evaluate --problem g06 <point >out || fail "evaluate"
[ "$(wc -w <out)" -eq 3 ] || fail "evaluate prints $(cat out)"
run minimize --problem g09 --seed 1
expect_status 0
expect_out 'best f   680.63' 'limits   all met' multipliers
run minimize --problem g06 --seed 1
expect_status 0
expect_out 'best f   -6961.8' 'limits   all met'
run minimize --problem g11 --seed 1 --json --trace trace.jsonl
expect_status 0
expect_out '"feasible":true' '"g":[]' '"h":['
grep -q '"multiplier h\[0\]":' trace.jsonl || fail "the trace has no multipliers"
run minimize --problem g06 --constraints 3
expect_status 2
expect_err 'g06 has 2'
run minimize --problem g04 --dim 3
expect_status 2
expect_err '5 coordinates'

# Nothing is feasible.
cat >never.sh <<'END'
#!/bin/sh
awk '{printf "%.17g -1 %.17g\n", $1 + $2, 1 + $1 * $1}'
END
chmod +x never.sh
run minimize --command ./never.sh --constraints 2 --x0 3,3 --sigma0 1 --seed 1 --maxfevals 200
expect_status 1
expect_out 'no feasible point: least violation' 'of g[1]' 'limits   violated by'

grep -q 'violates by' err || fail "the table does not tell that its points are infeasible"
# The lexicographic order is what two coordinates have anyway.
expect_out 'next     no point met all constraints: start nearer to where they hold, or raise --maxfevals'
grep -q 'try --constraints-mode' out && fail "the advice is what is done already"

# Constraints that --output names have their names everywhere.
cat >named.sh <<'END'
#!/bin/sh
read -r a b
awk -v a="$a" -v b="$b" 'BEGIN {printf "{\"cost\": %.17g, \"mass\": -1, \"stress\": %.17g}\n", a + b, 1 + a * a}'
END
chmod +x named.sh
named=(--command ./named.sh --output json:cost,mass,stress --x0 3,3 --sigma0 1 --seed 1)
run minimize "${named[@]}" --maxfevals 100 --checkpoint named.sf --trace named.jsonl
expect_status 1
expect_out 'no feasible point: least violation' 'of stress' 'limits   violated by' 'mass = -1, stress = '
grep -q '"constraints":\["mass","stress"\]' named.jsonl || fail "the trace lacks the names"
run status named.sf
expect_out 'limits   not met: least violation' 'of stress' '  violates by'
run minimize "${named[@]}" --maxfevals 20 --quiet --json
expect_out '"constraint_names":["mass","stress"]' 'of stress'
run minimize "${named[@]}" --check
expect_out '         mass = -1' '         stress = 10'
sed 's/"mass\\": -1/"mass\\": NaN/' named.sh >unnamed.sh
chmod +x unnamed.sh
run minimize --command ./unnamed.sh --output json:cost,mass,stress --x0 3,3 --sigma0 1 --seed 1 --maxfevals 20
expect_status 3
expect_out 'the value of mass is NaN'
grep -q 'limits' out && fail "limits of a search without a value"

run replay "$data/fixtures/al_d3_eq.json"
expect_status 0
exit $failed
