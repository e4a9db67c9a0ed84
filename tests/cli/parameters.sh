#!/usr/bin/env bash
# Named parameters on the command line.
. "$(dirname "$0")/support.sh"
cd "$work" || exit 1

cat >train.sh <<'END'
#!/bin/sh
# Reads names and values from one line; the best is rate = 0.01, layers = 4, kind = gelu.
read -r line
echo "$line" >>lines
echo "$line" | awk '{for (i = 1; i < NF; i += 2) v[$i] = $(i + 1)
  r = log(v["rate"] / 0.01); n = v["layers"] - 4; print r * r + n * n + (v["kind"] == "gelu" ? 0 : 1)}'
END
chmod +x train.sh
params=(--param 'rate=real(1e-5,1e-1,log)' --param 'layers=int(1,8)' --param 'kind=choice(relu,tanh,gelu)' --param g=9.81)

run minimize --command ./train.sh "${params[@]}" --seed 1 --ftarget 1e-3 --maxfevals 600 --json
expect_status 0
expect_out '"params":{"rate":0.0' '"layers":4,"kind":"gelu","g":9.81}' '"stop":"ftarget"'
cp out first
head -1 lines | grep -qx 'rate 0.001 layers 4 kind relu g 9.81' || fail "the program read: $(head -1 lines)"
grep -vqE '^rate [0-9.e-]+ layers [1-8] kind (relu|tanh|gelu) g 9.81$' lines && fail "the program read other lines"

# The same by arguments, in a file with tables, and in the file that --print-config writes.
cat >args.sh <<'END'
#!/bin/sh
echo "rate $1 layers $2 kind $3 g $4" | ./train.sh
END
chmod +x args.sh
run minimize --command ./args.sh --args '{rate} {layers} {kind} {x3}' "${params[@]}" --seed 1 --ftarget 1e-3 \
  --maxfevals 600 --json
cmp -s out first || fail "with --args the result is another one: $(cat out)"
cat >tables.toml <<'END'
command = "./train.sh"
seed = 1
ftarget = 1e-3
maxfevals = 600
json = true
[[param]]
name = "rate"
low = 1e-5
high = 1e-1
log = true
[[param]]
name = "layers"
type = "int"
low = 1
high = 8
[[param]]
name = "kind"
type = "choice"
values = ["relu", "tanh", "gelu"]
[[param]]
name = "g"
value = 9.81
END
run minimize --config tables.toml
cmp -s out first || fail "with tables the result is another one: $(cat out)"
run minimize --config tables.toml --print-config
cp out texts.toml
run minimize --config texts.toml
cmp -s out first || fail "with the printed file the result is another one: $(cat out)"

# Tables whose keys contradict each other, or whose values are of another kind.
refused_table() {
  printf 'command = "./train.sh"\n[[param]]\nname = "a"\n%b\n' "$2" >wrong.toml
  run minimize --config wrong.toml --maxfevals 1
  expect_status 2; expect_err "config wrong.toml: param a: $1"
}
refused_table 'values: only together with type = "grid"' 'values = [32, 64]'
refused_table 'values: only together with type = "grid"' 'type = "int"\nvalues = [32, 64]'
refused_table 'values: not together with low or high' 'type = "grid"\nvalues = [32, 64, 128]\nlow = 1\nhigh = 4'
refused_table 'values: not together with low or high' 'type = "choice"\nvalues = ["3", "4"]\nlow = 1'
refused_table 'values: it is a list' 'type = "grid"\nvalues = "1,2"'
refused_table 'log: it is true or false' 'low = 1\nhigh = 2\nlog = "true"'
refused_table 'value: not together with low' 'value = 1\nlow = 0'
refused_table 'value: not together with type' 'value = 1\ntype = "int"'

run minimize --command ./train.sh "${params[@]}" --seed 1 --ftarget 1e-3 --maxfevals 600 --maxiter 5 --checkpoint run.sf \
  --trace run.jsonl
expect_status 1; expect_out "at       rate = " "layers = 4, kind = " "g = 9.81"
tail -1 run.jsonl | grep -q '"params":{"rate":' || fail "the trace lacks the parameters: $(tail -1 run.jsonl)"
run resume run.sf --maxiter 1000 --json
cmp -s out first || fail "resumed it is another one: $(cat out)"

# Killed in the middle of a generation it goes on as if nothing had happened.
: >lines
"$surefoot" minimize --command ./train.sh "${params[@]}" --seed 1 --ftarget 1e-3 --maxfevals 600 --checkpoint kill.sf \
  >killed 2>&1 &
wait_for '[ "$(wc -l <lines)" -gt 25 ]'
kill -9 $! 2>/dev/null
wait $! 2>/dev/null
run resume kill.sf --json
cmp -s out first || fail "killed and resumed it is another one: $(cat out)"
run minimize --command ./train.sh "${params[@]}" --warm-start run.sf --param 'new=real(0,1)' --seed 2 --maxfevals 1 --json
expect_out '"new":0.5' '"layers":4'
grep -q '"rate":0.001,' out && fail "the start is not that of the checkpoint"

# Refusals name the parameter, the text and what is allowed.
refused() {
  local words=$1
  shift
  run minimize --command ./train.sh "$@"
  expect_status 2
  expect_err "$words"
}
refused "parameter rate" --param 'rate=real(1,0)'
refused "there is no 'wild'" --param 'rate=wild(1,0)'
refused "already" --param 'a=real(0,1)' --param 'a=real(0,1)'
refused "x0: not together with named parameters" --param 'a=real(0,1)' --x0 1
refused "known are" --param 'a=real(0,1)' --args '{b}'
refused "a quadratic knows no integers" --param 'a=int(0,9)' --model quadratic

# Control characters in the name of a choice: a program on standard input would answer half of the question.
for control in $'\n' $'\r' $'\t' $'\e[31m' $'\x7f' $'\xc2\x85' $'\xe2\x80\xa8'; do
  refused "must not have line breaks or other control characters" --param "kind=choice(a,'b${control}c')" --persistent
done
grep -q $'\e' err && fail "an escape sequence reached the terminal"

# A spreadsheet must not compute the name of a choice, and names that differ in blanks stay apart.
cat >echo.sh <<'END'
#!/bin/sh
read -r line
case $line in *"'=1+1") echo 3 ;; *=1+1) echo 0 ;; *) echo 1 ;; esac
END
chmod +x echo.sh
names="'=1+1','\\'=1+1',+5,-O2,'@x','a b','a  b',' a','a ',a"
run minimize --command ./echo.sh --param "kind=choice($names)" --param 'n=real(-9,-1)' --seed 1 --maxfevals 60 \
  --log choices.csv --quiet
[ "$status" -le 1 ] || fail "exit status $status"
cut -d, -f11 choices.csv | grep '^"*[=+@-]' | grep -v kind && fail "a cell that begins as a formula"
[ "$(tail -n +2 choices.csv | cut -d, -f11 | sort -u | wc -l)" = 10 ] || fail "not ten choices: $(cat choices.csv)"
grep -q ",\"' a\"\|,\" a\"," choices.csv || fail "outer blanks without quotes"
tail -n +2 choices.csv | cut -d, -f12 | grep -vq '^-[0-9]' && fail "a negative number became a text"
run minimize --command ./echo.sh --param "kind=choice($names)" --param 'n=real(-9,-1)' --seed 1 --maxfevals 60 \
  --log choices.csv --trace choices.jsonl --quiet
run report choices.jsonl --log choices.csv -o choices.html
expect_status 0
grep -qF "\"'=1+1\"" choices.html && grep -qF '"=1+1"' choices.html || fail "the page has other names of choices"

# Suffixes of engineering.
run minimize --command ./train.sh --param 'a=real(10n,4.7k,log,start=22u)' --param 'b=real(-1.5m,1meg)' --param c=2.2p \
  --param 'd=grid(1f,1T)' --param 'e=int(1k,2K)' --seed 1 --maxfevals 1 --quiet --json
expect_out '"params":{"a":2.2e-05,"b":499999.99925,"c":2.2e-12,' '"e":1500'
refused "'4.7M' may be mega or milli; write 4.7meg or 4.7m" --param 'a=real(1,4.7M)'
refused "'1e3k' is not a number" --param 'a=real(1,1e3k)'
refused "'5q' is not a number" --param 'a=real(1,5q)'
refused "'9007199254740993' is beyond the integers" --param 'a=int(0,9007199254740993)'
run evaluate --command ./train.sh --param 'rate=real(1n,1)' --param 'layers=int(1,8)' --set rate=3u --check
expect_out "rate 3e-06 layers 4"
# The middle of a log scale has no digits of rounding.
run minimize --command ./train.sh --param 'rate=real(1e-8,1e-4,log)' --param 'b=real(1e-12,1e-10,log)' --check
expect_out "rate 1e-06 b 1e-11"
exit $failed
