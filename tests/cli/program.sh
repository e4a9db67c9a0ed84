#!/usr/bin/env bash
# A user's own program as objective, and everything it may do.
. "$(dirname "$0")/support.sh"
cd "$work" || exit 1
export TMPDIR=$work  # others may have private folders in the usual one

sphere='awk "{s = 0; for (i = 1; i <= NF; ++i) s += (\$i - 1) ^ 2; printf \"%.17g\\n\", s; fflush()}"'
common=(--x0 3,3 --sigma0 1 --seed 1)

run minimize --command "$sphere" "${common[@]}" --ftarget 1e-4 --quiet
expect_status 0; expect_quiet; expect_out "target reached"
one=$(head -2 out)
for workers in 2 8; do
  run minimize --command "$sphere" "${common[@]}" --ftarget 1e-4 --workers $workers --trace $workers.jsonl
  [ "$one" = "$(head -2 out)" ] || fail "$workers workers gave another result"
done
cmp -s 2.jsonl 8.jsonl || fail "2 and 8 workers gave different traces"
cat >lines.sh <<'X'
while read -r a b; do echo "$a $b" | awk '{printf "%.17g\n", ($1 - 1)^2 + ($2 - 1)^2}'; done
X
run minimize --command "sh lines.sh" "${common[@]}" --ftarget 1e-4 --workers 2 --persistent
[ "$one" = "$(head -2 out)" ] || fail "a persistent program gave another result"

cat >args.sh <<'X'
#!/bin/sh
[ -d "$3" ] || { echo "no folder" >&2; exit 1; }
echo "$1" > "$3/a"
awk -v a="$1" -v b="$2" 'BEGIN {printf "%.17g\n", (a - 1)^2 + (b - 1)^2}'
X
chmod +x args.sh
run minimize --command ./args.sh --args '{x0} {x1} {dir} {id}' "${common[@]}" --ftarget 1e-4 --workers 2
expect_status 0
[ "$one" = "$(head -2 out)" ] || fail "arguments gave another result"
ls "$TMPDIR"/surefoot-?????? >/dev/null 2>&1 && fail "a private folder was left behind"

# Each kind of failure by its name in the trace; the search goes on or ends with status 3.
hostile_run() {
  local limit=60
  [ "$1" != timeout ] || limit=0.3
  run minimize --command "sh -c '$2'" "${common[@]}" --maxfevals 60 --eval-timeout $limit --workers 6 --trace hostile.jsonl
  expect_status 3
  grep -q "\"kind\":\"$1\"" hostile.jsonl || fail "the trace does not say $1"
  grep -q "failing" out || fail "the result does not say failing"
}
hostile_run nan 'echo nan'
hostile_run exit 'echo broken >&2; exit 7'
grep -q 'exit status 7: broken' hostile.jsonl || fail "the reason lacks what stderr said"
hostile_run crash 'kill -SEGV $$'
hostile_run timeout 'sleep 100'
hostile_run timeout 'trap "" TERM; sleep 100; sleep 100'
hostile_run timeout "sleep 77.$$ & sleep 77.$$"
wait_for '! pgrep -f "sleep 77.$$" >/dev/null'  # no child survives its timeout
hostile_run exit 'exec 0<&-; exit 3'
for words in "echo garbage" "true"; do  # but for the start point
  run minimize --command "sh -c 'read -r a b; if [ \$a = 3 ]; then echo 5; else $words; fi'" "${common[@]}" \
    --maxfevals 60 --workers 6 --trace hostile.jsonl
  expect_status 1
  grep -q '"kind":"unparsable"' hostile.jsonl || fail "the trace does not say unparsable"
done
# A program that cannot be started at all is a mistake, not a failed evaluation; so are too many workers.
for persistent in "" --persistent; do
  run minimize --command ./no-such-program "${common[@]}" $persistent
  expect_status 2; expect_err "command = './no-such-program'" "No such file"
done
touch not-executable
run minimize --command ./not-executable "${common[@]}"
expect_status 2; expect_err "command = './not-executable'" "Permission denied"
# So is one that ends well at the start point and prints no value, or too few.
for words in "echo garbage" "true"; do
  run minimize --command "$words" "${common[@]}"
  expect_status 2; expect_err "ended well at the start point" "--check"
done
run minimize --command "echo 1" "${common[@]}" --constraints 1
expect_status 2; expect_err "'1' is not 2 numbers"
# If nothing but failures came of the budget, the status says so.
run minimize --command "echo nan" "${common[@]}" --maxfevals 5
expect_status 3; expect_out "5 of 5 evaluations failed"
# A line beside an answer, however late, never becomes the value of another candidate.
cat >late.sh <<'X'
n=0
while read -r a b; do
  echo "$a $b" | awk '{printf "%.17g\n", $1 ^ 2 + $2 ^ 2}'
  n=$((n + 1))
  [ $n != 3 ] || { sleep 0.02; echo 0.0; }
done
X
run minimize --command "sh late.sh" "${common[@]}" --persistent --maxfevals 40 --log late.csv
expect_status 0; expect_err "printed '0.0' in addition to its answer"
awk -F, 'NR == 1 {for (i = 1; i <= NF; ++i) at[$i] = i; next}
  {d = $at["f"] - $at["x0"] ^ 2 - $at["x1"] ^ 2; if ($at["status"] != "ok" || d * d > 1e-18) exit 1}' late.csv ||
  fail "a value belongs to another candidate"
run minimize --command "sh -c 'while read -r a b; do echo 1; echo done; done'" "${common[@]}" --persistent --check
expect_status 0; expect_out "again" "surplus  the program printed 'done' in addition to its answer"
run minimize --command "sh -c 'echo hello; while read -r a b; do echo 1; done'" "${common[@]}" --persistent
expect_status 2; expect_err "persistent: it printed 'hello' before"
# A program that disappears later is a failed evaluation.
printf '%s\n' '#!/bin/sh' 'rm -f "$0"' 'echo 1' >vanishes
chmod +x vanishes
run minimize --command ./vanishes "${common[@]}"
expect_status 3; expect_out "cannot be started"
limit=$(ulimit -Sn)
ulimit -Sn 256
run minimize --command "echo 1" "${common[@]}" --workers 73
expect_status 2; expect_err "workers = 73" "72 programs" "ulimit -n"
run minimize --command "echo 1" "${common[@]}" --workers 55 --persistent
expect_status 2; expect_err "workers = 55" "54 programs"
run minimize --command "sh -c 'sleep 0.1; echo 1'" "${common[@]}" --workers 72 --popsize 72 --maxiter 2
expect_status 1; expect_out "generations"
ulimit -Sn "$limit"
run minimize --command "sh -c 'exec 0<&-; echo 4'" "${common[@]}"
expect_status 1; expect_out "plateau"

# Half of the evaluations fail: it finds the optimum all the same.
run minimize --command 'awk "{if (\$1 * 1000 % 2 < 1) {print \"nan\"; exit} printf \"%.17g\\n\", (\$1 - 1)^2 + (\$2 - 1)^2}"' \
  "${common[@]}" --ftarget 1e-3 --workers 2
expect_status 0; expect_out "failed"

# Ctrl-C in the middle of a generation: promptly, with the best so far, and nobody left behind.
"$surefoot" minimize --command "sh -c 'echo 5; sleep 0.05; sleep 66.$$; echo 1'" "${common[@]}" --workers 2 --checkpoint i.sf \
  >out 2>err &
pid=$!
shown="interrupted"
wait_for 'pgrep -fx "sleep 66.$$" >/dev/null'; kill -USR1 $pid
wait_for 'grep -q evaluations err'; kill -INT $pid; wait $pid; status=$?
expect_status 130; expect_out interrupted "surefoot resume i.sf"
wait_for '! pgrep -f "sleep 66.$$" >/dev/null'  # no program survives Ctrl-C

# Files of options.
cat >run.toml <<'X'
# a comment
problem = "sphere"
x0 = [0, 0.5, 0]
sigma0 = 0.5
seed = 3
json = true
X
run minimize --config run.toml
expect_status 0; expect_out '"seed":3'
run minimize --config run.toml --seed 4
expect_out '"seed":4'
run minimize --config run.toml --seed 4 --print-config
expect_status 0; expect_out 'problem = "sphere"' 'x0 = [0, 0.5, 0]' 'seed = 4' 'json = true'
cp out again.toml
run minimize --config again.toml
expect_out '"seed":4'
printf 'problem = "sphere"\ndim = 2\nseed = 3\nnoeffectaxis = false\nnoeffectcoord = true\njson = false\n' >flags.toml
run minimize --config flags.toml --maxiter 3 --print-config
expect_status 0; expect_out "noeffectaxis = false" "noeffectcoord = true" "json = false"
cp out again.toml
run minimize --config again.toml --print-config
expect_status 0; diff out again.toml >/dev/null || fail "what --print-config prints does not read back"
for words in "--seed 18446744073709551615" "--sigma0 .5" "--sigma0 5." "--sigma0 007" "--ftarget -.5" \
  "--lower -infinity" "--x0=1,.5" "--trace 1.50" "--trace 1e3" "--tolx 1e-3" "--lower=-0,-0.0"; do
  # shellcheck disable=SC2086  # an option and its value
  run minimize --problem sphere --dim 2 $words --print-config
  cp out once.toml
  run minimize --config once.toml --print-config
  expect_status 0
  cmp -s out once.toml || fail "$words reads back as $(cat out)"
  value=${words#*[ =]}
  tr -d '" []' <out | grep -qxF -- "$(echo "${words%%[ =]*}" | tr -d -)=$value" || fail "$words became $(cat out)"
done
run minimize --config flags.toml --config again.toml
expect_status 2; expect_err "config: only one file"
run minimize --config flags.toml --maxiter 3 --checkpoint flags.sf
expect_status 1; expect_out "3 generations"
echo 'maxiter = 6' >more.toml
run resume flags.sf --config more.toml
expect_status 1; expect_out "6 generations"
for wrong in 'seed = ' 'frobnicate = 1' 'seed = "x"' 'x0 = {a = 1}' 'config = "y"'; do
  echo "$wrong" >wrong.toml
  run minimize --config wrong.toml --problem sphere --dim 2
  expect_status 2
done
run minimize --config missing.toml
expect_status 2; expect_err missing.toml

# Escape sequences of a program do not reach the terminal, wherever its words are quoted.
printf '%s\n' '#!/bin/sh' 'read -r x y' \
  'printf "\033]0;title\007\033[31mno luck\r\302\233 at\n" >&2' 'case $x in 0.[0-4]*) exit 3 ;; esac; echo "$x"' >rude.sh
chmod +x rude.sh
no_escapes() { LC_ALL=C grep -q $'[\x01-\x08\x0b-\x1f\x7f]' out err && fail "a control character reached the terminal"; }
run minimize --command ./rude.sh --x0 0.3,1 --sigma0 1 --seed 1 --maxfevals 30 --checkpoint rude.sf
no_escapes; expect_out '\x1b]0;title\x07\x1b[31mno luck\r\xc2\x9b at'
run status rude.sf
no_escapes; expect_out '\x1b[31mno luck'
run minimize --command ./rude.sh --x0 0.3,1 --sigma0 1 --check
no_escapes; expect_out '\x1b[31mno luck'
echo 0.3 1 >point; "$surefoot" evaluate --command ./rude.sh <point >out 2>err; shown="evaluate"
no_escapes; expect_err '\x1b[31mno luck'
run minimize --problem $'\e[31msphere'
expect_status 2; no_escapes
run minimize $'--\e[31mdim' 3
expect_status 2; no_escapes
exit $failed
