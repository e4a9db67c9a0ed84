#!/usr/bin/env bash
# The manners of the command line: suggestions, units, quotes, advice.
. "$(dirname "$0")/support.sh"
cd "$work" || exit 1

# Misspelt words: the message names what was probably meant.
meant() {  # the suggestion, then the words
  local suggestion=$1
  shift
  run "$@"
  expect_status 2; expect_err "did you mean '$suggestion'?"
}
meant minimize minimise --problem sphere --dim 2
meant resume resum run.sf
meant --maxfevals minimize --problem sphere --dim 2 --maxfeval 10
meant --maxfevals minimize --problem sphere --dim 2 --maxfeval=10
meant problems list problem
meant cma minimize --problem sphere --dim 2 --method cmaa
meant rastrigin minimize --problem rastrign --dim 2
meant bbob-f12 minimize --problem bbob-ff12 --dim 2
meant lra minimize --problem sphere --dim 2 --method xnes --learning-rate lrra
echo 'maxfeval = 10' >wrong.toml
meant maxfevals minimize --problem sphere --dim 2 --config wrong.toml
expect_err "config wrong.toml = 'maxfeval'"
run minimize --problem sphere --dim 2 --frobnicate
expect_status 2; expect_err "there is no option '--frobnicate'" "minimize --help"
grep -q "did you mean" err && fail "a suggestion for a word that is like nothing"

# The program alone, and its version.
run
expect_status 0; expect_quiet; expect_out "surefoot minimize " "surefoot resume " "surefoot minimize --problem rastrigin --dim 10" \
  "surefoot minimize --command"
run -V
expect_status 0; expect_out "surefoot "
cp out version
run --version
cmp -s out version || fail "-V and --version differ"

# Numbers as people write them.
run minimize --problem sphere --dim 2 --maxfevals 1e2 --ftarget -1 --seed 1
expect_status 1; expect_out "100 evaluations"
run minimize --problem sphere --dim 2 --maxfevals 1.5
expect_status 2; expect_err maxfevals 1.5
run minimize --problem sphere --dim 2 --seed 1 --timeout 10m --checkpoint-every 2m --checkpoint every.sf --print-config
expect_out "timeout = 600" 'checkpoint-every = "120s"'
run minimize --problem sphere --dim 2 --seed 1 --timeout 2h --ftarget 1e-3
expect_status 0
run minimize --problem sphere --dim 2 --timeout soon
expect_status 2; expect_err timeout soon
for option in timeout eval-timeout rank-timeout evaluation-seconds; do
  run minimize --help-all
  grep -- "--$option FLOAT" out | grep -q "in seconds or as 90s, 10m, 2h" || fail "--$option has no unit in the help"
done

# Options without effect are refused.
useless() {
  run minimize --problem sphere --dim 2 "$@"
  expect_status 2; expect_err "${1#--}: only together with"
}
useless --args '{x}'
useless --persistent
useless --eval-timeout 3
useless --template t.in
useless --output json:a
useless --input json
useless --keep all
useless --checkpoint-every 5s
useless --rank-timeout 5
useless --trace-timing
useless --overwrite

# Placeholders work in --command, and what only a shell understands draws a sentence.
run minimize --command 'awk "BEGIN {print ({x0} - 1) ^ 2 + ({x1} - 1) ^ 2}"' --x0 3,3 --sigma0 1 --seed 1 --ftarget 1e-3
expect_status 0
shell() {  # the character, then the command
  run minimize --command "$2" --x0 1 --sigma0 1
  expect_status 2; expect_err "no shell runs it, so $1 would have no effect" "sh -c"
}
shell '|' 'cat | head'
shell '>' 'sim > out.txt'
shell '&&' 'make && ./sim'
shell ';' 'cd x; ./sim'
shell '$H' 'sim $HOME/data'
shell '*' 'sim *.dat'
shell '`' 'sim `date`'
shell '~' 'sim ~/data'
run minimize --command "awk '{print \$1 * \$1 > \"/dev/stdout\"}'" --x0 1 --sigma0 1 --maxfevals 5 --seed 1
expect_status 1

# Hints can be pasted into a shell.
run minimize --problem sphere --dim 2 --seed 1 --maxfevals 10 --checkpoint "my run's.sf"
expect_status 1; hint=$(sed -n 's/^resume *//p' out)
[ "$hint" = "surefoot resume 'my run'\\''s.sf'" ] || fail "the hint is $hint"

# Advice fits the situation.
run minimize --problem sphere --dim 2 --seed 1 --workers 4 --checkpoint done.sf
expect_status 0
run resume done.sf
expect_status 0
grep -q "fewer workers" out && fail "a search that had ended advises on workers"
grep -q "^resume" out && fail "a search that has converged is to be resumed"
run minimize --command 'sh -c "sleep 0.02; echo 1"' --x0 3,3,3 --sigma0 1 --seed 1 --maxfevals 40 --workers 4 --model quadratic
expect_out "--batch auto would keep more of the workers busy"
grep -q "fewer workers" out && fail "two sentences about workers contradict each other"
cat >mostly.sh <<'X'
read -r x _
awk -v x="$x" 'BEGIN {if (int(x * 1000000) % 4 == 0) {print x * x} else {exit 1}}'
X
run minimize --command 'sh mostly.sh' --x0 3,3 --sigma0 0.1 --seed 1 --maxfevals 24 --failed-generations 100
[ "$(awk '/^failed/ {print ($2 > 12)}' out)" = 1 ] || fail "too few have failed"
expect_out "most evaluations failed"
grep -q "raise --maxfevals" out && fail "a larger budget is advised although most evaluations fail"

# UTF-8 in files of options, also with the mark that some editors put before it.
printf '\357\273\277problem = "sphere"\ndim = 2\nmaxfevals = 5\nseed = 1\n' >marked.toml
run minimize --config marked.toml --quiet
expect_status 1; expect_out "5 evaluations"
printf 'command = "true"\n[[param]]\nname = "a"\nlow = 0\nhih = 1\n' >misspelt.toml
run minimize --config misspelt.toml
expect_status 2; expect_err "param = 'hih'" "did you mean 'high'?"
run minimize --problem sphere --dim 2 --restarts ipp
expect_status 2; expect_err "did you mean 'ipop'?"
letters=$'\303\274'  # in bytes, because sources are ASCII: an umlaut, a Chinese character, a smiley
letters+=$'\345\244\247'
letters+=$'\360\237\231\202'
cat >utf8.toml <<X
# a comment $letters
command = "sh 'test $letters.sh'"
seed = 1
x0 = [3, 3]
sigma0 = 1
ftarget = 1e-3
trace = 'trace_$letters.jsonl'
X
cat >"test $letters.sh" <<'X'
read -r a b
awk -v a="$a" -v b="$b" 'BEGIN {print (a - 1) ^ 2 + (b - 1) ^ 2}'
X
run minimize --config utf8.toml
expect_status 0; [ -s "trace_$letters.jsonl" ] || fail "no trace under its name"
printf 'gr\303\266sse = 3\n' >wrong.toml
run minimize --config wrong.toml --problem sphere --dim 2
expect_status 2; expect_err $'gr\303\266sse' "there is no such option"
for bytes in '\377' '\303' '\355\240\200' '\300\257' '\364\220\200\200'; do
  # shellcheck disable=SC2059
  printf "seed = 3\n# $bytes\n" >wrong.toml
  run minimize --config wrong.toml --problem sphere --dim 2
  expect_status 2; expect_err "line 2: a byte that is not UTF-8"
done

# The start point in a file.
printf '# a point\n3, 3.5\n' >point.txt
printf '3\n3.5\n' >column.txt
run minimize --problem sphere --x0 3,3.5 --seed 1 --maxfevals 20 --json
cp out plain
for file in point.txt column.txt; do
  run minimize --problem sphere --x0 @$file --seed 1 --maxfevals 20 --json
  cmp -s out plain || fail "$file gives another search"
done
run minimize --problem sphere --x0 @none.txt
expect_status 2; expect_err "x0 = 'none.txt'" "there is no such file"
printf '1 2\n3 4\n' >two.txt
run minimize --problem sphere --x0 @two.txt
expect_status 2; expect_err "one point"
exit $failed
