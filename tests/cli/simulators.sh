#!/usr/bin/env bash
# Simulators with input files and output files, in three languages.
. "$(dirname "$0")/support.sh"
cd "$work" || exit 1
export TMPDIR=$work  # others may have private folders in the usual one
cp "$data"/simulators/* .

params=(--param 'rate=real(1e-5,1e-1,log)' --param 'layers=int(1,8)')
search=("${params[@]}" --seed 1 --ftarget 1e-3 --maxfevals 300 --workers 2 --json --quiet)

# One command each; all compute the same cost, so all find the same.
run minimize --command ./tank.sh --template settings.sh.in --output file:result.txt "${search[@]}"
expect_status 0; expect_quiet; expect_out '"layers":4' '"stop":"ftarget"'
cp out shell
if command -v gfortran >/dev/null; then
  gfortran -o beam beam.f90 || fail "gfortran"
  run minimize --command ./beam --template beam.nml.in --output 'regex:final cost = (.*)' "${search[@]}"
  expect_status 0; expect_quiet; expect_out '"layers":4' '"stop":"ftarget"'
else
  echo "no gfortran: the Fortran simulator was left out"
fi
run minimize --command 'python3 spring.py params.ini' --template params.ini.in --output 'file:result.json|json:run.cost' \
  "${search[@]}"
expect_status 0; expect_quiet; expect_out '"layers":4' '"stop":"ftarget"'
# An interpreter gets the script of this folder, whether it is named by its path, by a link or with options before it. A
# file that a template writes is meant in the candidate's folder, also if one of this name lies here.
python=$(command -v python3)
mkdir tools && ln -s "$python" tools/python
echo '[stale]' >params.ini
for interpreter in python3 "$python" tools/python './tools/python -u' 'env python3'; do
  run minimize --command "$interpreter spring.py params.ini" --template params.ini.in \
    --output 'file:result.json|json:run.cost' "${search[@]}" --maxfevals 14
  expect_status 1; expect_quiet; expect_out '"nfev":14' '"nfailed":0'
  [ -e python ] || cp out python
  cmp -s out python || fail "another result: $(cat out)"
done
rm params.ini
# A program of this folder keeps its words as they are: one of them may be a file that it writes.
printf '#!/bin/sh\necho "$1"; echo "$rate" >"$1"; echo 1\n' >writes.sh
chmod +x writes.sh
touch journal.txt
run minimize --command './writes.sh journal.txt' --input env --folders written "${params[@]}" --check
expect_status 0; expect_out "$work/writes.sh journal.txt"
[ ! -s journal.txt ] || fail "a file of the present folder was written"
rm -f journal.txt
[ ! -e result.txt ] && [ ! -e result.json ] || fail "something was written into the present folder"
ls -d surefoot-* >/dev/null 2>&1 && fail "a folder was left behind"

# All ways of input give the same values.
cat >cost.sh <<'X'
#!/bin/sh
awk -v rate="$1" -v layers="$2" 'BEGIN {r = log(rate / 0.01) / log(10); printf "%.17g\n", r * r + 0.1 * (layers - 4) ^ 2}'
X
cat >env.sh <<'X'
#!/bin/sh
"$(dirname "$0")/cost.sh" "$rate" "$layers"
X
cat >args.sh <<'X'
#!/bin/sh
"$(dirname "$0")/cost.sh" "${1#--rate=}" "${2#--layers=}"
X
cat >stdin.sh <<'X'
#!/bin/sh
read -r _ rate _ layers
"$(dirname "$0")/cost.sh" "$rate" "$layers"
X
cat >json.sh <<'X'
#!/bin/sh
read -r line
rate=${line#*rate\":}; layers=${line#*layers\":}
printf '{"cost": %s, "text": "a } b"}\n' "$("$(dirname "$0")/cost.sh" "${rate%%,*}" "${layers%\}}")"
X
chmod +x ./*.sh
for input in env args stdin; do
  run minimize --command "./$input.sh" --input $input "${search[@]}"
  cmp -s out shell || fail "--input $input gave another result: $(cat out)"
done
run minimize --command ./json.sh --input json --output json:cost "${search[@]}"
cmp -s out shell || fail "--input json gave another result: $(cat out)"
run minimize --command './cost.sh {rate} {layers}' "${search[@]}"
cmp -s out shell || fail "placeholders in --command gave another result: $(cat out)"
cat >lines.sh <<'X'
while read -r line; do echo "$line" | ./json.sh; done
X
run minimize --command 'sh lines.sh' --persistent --input json --output json:cost "${search[@]}"
cmp -s out shell || fail "a persistent program with JSON gave another result: $(cat out)"

# --check shows everything and writes nothing.
tank=(--command ./tank.sh --template settings.sh.in --output file:result.txt "${params[@]}")
run minimize "${tank[@]}" --check --checkpoint run.sf
expect_status 0; expect_quiet
expect_out "start    rate = 0.001, layers = 4" "command  $work/tank.sh" "folder   $work/surefoot-" "rate=0.001" \
  "see result.txt" "output result.txt" "exit status 0" " s" "value    f = 0.99999999999"
[ ! -e run.sf ] || fail "--check wrote a checkpoint"
run minimize --command './tank.sh --fast' --template settings.sh.in --output regex:'cost (.*)' "${params[@]}" --check
expect_status 3; expect_out "value    none (unparsable): output 'regex:cost (.*)': no line matches; the last one is 'see result.txt'"
run minimize --problem sphere --dim 2 --check
expect_status 0; expect_out "value    f = "
run evaluate "${tank[@]}" --set rate=0.1 --set layers=5
expect_status 0; expect_out 1.1000000000000001
run evaluate "${tank[@]}" --set rate=0.1 --check
expect_out "rate=0.1" "layers=4" "value    f = 1"
printf '0.1 5\n0.01,4\n' | run evaluate "${tank[@]}"
[ "$(cat out)" = "$(printf '1.1000000000000001\n0\n')" ] || fail "points from stdin: $(cat out)"
run evaluate --command './cost.sh {x0} {x1}' --set x0=0.1 --set x1=5
expect_status 0; expect_out 1.1000000000000001
run evaluate "${tank[@]}" --set rat=0.1
expect_status 2; expect_err "names are rate, layers" "did you mean 'rate'"
# A file of options gives what says how to evaluate. Coordinates without names start at --x0.
run minimize "${tank[@]}" --maxfevals 50 --workers 2 --seed 1 --print-config
cp out tank.toml
run evaluate --config tank.toml --set rate=0.1 --set layers=5
expect_status 0; expect_quiet; expect_out 1.1000000000000001
run evaluate --command './cost.sh {x0} {x1}' --x0 0.1,4 --set x1=5
expect_status 0; expect_out 1.1000000000000001
# A point without a value is told as such, and the next one is evaluated.
printf '1\n2\n' >points
run evaluate --command "sh -c 'read -r x; [ \$x = 1 ] && echo garbage || echo 5'" <points
expect_status 3; expect_err "'garbage' is not a number"; expect_out 5
# Values that no search asks for.
kinds=(--command 'echo 1' --param 'n=int(1,5)' --param 'g=grid(1,2,4)' --param 'r=real(1e-3,1,log)' --param 'c=2')
for wrong in "n=2.5 integer" "g=3 grid" "r=-1 log" "r=nan finite" "c=3 fixed" "r NAME=VALUE,"; do
  run evaluate "${kinds[@]}" --set "${wrong% *}"
  expect_status 2; expect_err "set" "${wrong#* }"
  grep -q "did you mean" err && fail "it suggests what was given"
done
run evaluate "${kinds[@]}" --set n=9 --set g=4 --set r=2 --set c=2
expect_status 0
run evaluate --command 'sh -c "echo broken >&2; exit 4"' --set x0=1
expect_status 3; expect_err "exit status 4: broken"

# Which folders stay.
cat >fails.sh <<'X'
#!/bin/sh
. ./settings.sh
[ "$layers" -lt 4 ] || { . "$1/tank.sh"; exit; }
echo "too thin" >&2
exit 1
X
chmod +x fails.sh
fails=(--command './fails.sh {here}' --template settings.sh.in --output file:result.txt "${params[@]}" --seed 1
  --maxfevals 30 --restarts none)
# NaN is a failure, however well the program ended.
run minimize --command 'echo nan' --x0 1,2 --sigma0 1 --seed 1 --maxfevals 3 --keep failed --folders nans
[ "$(find nans -mindepth 1 -maxdepth 1 -type d | wc -l)" -ge 3 ] || fail "--keep failed kept no folder of a NaN"
run minimize "${fails[@]}" --keep failed --folders kept
grep -q "failed   " out || fail "nothing failed"
count=$(awk '/^failed/ {print $2}' out)
[ "$(find kept -mindepth 1 -maxdepth 1 | wc -l)" -eq "$count" ] || fail "kept $(ls kept), failed $count"
grep -q "too thin" kept/*/surefoot.txt || fail "the account of a failure lacks its errors"
[ -e "kept/$(ls kept | head -1)/settings.sh" ] || fail "a kept folder lacks the filled template"
run minimize "${fails[@]}" --keep best --folders kept
expect_status 2; expect_err "folders = 'kept'" "not empty"
run minimize "${fails[@]}" --keep best --folders best --json
[ "$(ls best)" = best ] || fail "kept $(ls best)"
value=$(sed 's/.*"fun":\([^,]*\),.*/\1/' out)
awk -v a="$value" -v b="$(cat best/best/result.txt)" 'BEGIN {exit !(a == b)}' || fail "the best folder is not of $value"
run minimize "${fails[@]}" --keep all --folders all
[ "$(find all -mindepth 1 -maxdepth 1 | wc -l)" -eq 30 ] || fail "kept $(ls all | wc -l) of 30"
run minimize "${fails[@]}" --keep none --folders none
[ ! -e none ] || fail "--keep none kept $(ls none)"
# The best folder is that of the result with equalities too, whose values have two signs.
printf '{x0}\n' >point.txt.in
echo "awk '{print \$1, \$1 - 3}' point.txt" >equal.sh
run minimize --command 'sh equal.sh' --template point.txt.in --x0 0 --sigma0 1 --equalities 1 --seed 1 --maxfevals 60 \
  --restarts none --keep best --folders equal --json
expect_out "\"x\":[$(cat equal/best/point.txt)"

# Where no folder can be made, the message is about folders.
touch plain
run minimize "${fails[@]}" --keep all --folders plain/below
expect_status 2; expect_err "folders: no folder for candidates can be made in $work/plain/below" "Not a directory"
shown="TMPDIR"
TMPDIR=$work/nowhere run minimize "${fails[@]}"
expect_status 2; expect_err "the folder that TMPDIR names"

# {id} is the candidate's place in the search, also in one that goes on; a second attempt has an id of its own.
cat >ids.sh <<'X'
echo "$1" >>"$2/ids"
[ "$1" != 3-1 ] || exit 1
awk '{printf "%.17g\n", $1 ^ 2 + $2 ^ 2}'
X
ids=(--command 'sh ids.sh {id} {here}' --x0 1,2 --sigma0 1 --seed 1 --retry 1 --method cma --model none --restarts none)
run minimize "${ids[@]}" --maxiter 5
mv ids whole
grep -qx 3-1 whole && grep -qx 3-1-2 whole || fail "ids are $(tr '\n' ' ' <whole)"
run minimize "${ids[@]}" --maxiter 2 --checkpoint ids.sf
run resume ids.sf --maxiter 5
cmp -s ids whole || fail "other ids: $(diff ids whole)"

# Killed in the middle it goes on as if nothing had happened, with another number of workers.
tank+=(--seed 1 --ftarget 1e-3 --maxfevals 300)
"$surefoot" minimize "${tank[@]}" --checkpoint kill.sf --checkpoint-every 1h --keep best --folders killed \
  >killed.out 2>&1 &
shown="killed"
wait_for '[ -e killed/best ] && [ "$(wc -c <kill.sf.journal)" -gt 2000 ]'
kill -9 $! 2>/dev/null
wait $! 2>/dev/null
mkdir elsewhere
(cd elsewhere && "$surefoot" resume ../kill.sf --json --workers 3 >../out 2>../err)
cmp -s out shell || fail "killed and resumed it is another one: $(cat out)"
value=$(sed 's/.*"fun":\([^,]*\),.*/\1/' out)
awk -v a="$value" -v b="$(cat killed/best/result.txt)" 'BEGIN {exit !(a == b)}' || fail "the best folder is not of $value"

# What a search depends on is part of it: another template or output is another search.
run minimize "${tank[@]}" --maxfevals 20 --checkpoint same.sf
expect_status 1
echo "# changed" >>settings.sh.in
run resume same.sf --maxfevals 40
expect_status 2; expect_err "template settings.sh (checksum" "replace-command"
run resume same.sf --maxfevals 40 --ftarget 0 --replace-command
expect_status 1; expect_out "40 evaluations"
run resume same.sf --maxfevals 60 --output 'regex:(.)'
expect_status 2; expect_err "output regex:(.)"

# A file of options.
run minimize "${tank[@]}" --json --print-config
expect_out 'template = ["settings.sh.in"]' 'output = ["file:result.txt"]'
cp out tank.toml
run minimize --config tank.toml
cmp -s out shell || fail "with a file of options it is another one: $(cat out)"

# The command that a trace tells has all templates.
printf 'a={a}\n' >a.in
printf 'b={b}\n' >b.in
run minimize --command 'sh -c "echo 1"' --template a.in --template b.in --param 'a=real(0,1)' --param 'b=real(0,1)' \
  --maxfevals 8 --trace two.jsonl
grep -qF -- '--template a.in --template b.in' two.jsonl || fail "a template is missing in $(head -1 two.jsonl)"

# Mistakes are refused with a sentence before the first evaluation.
refused() {  # words of the message, then options
  local words=$1
  shift
  rm -f started
  run minimize --command 'sh -c "touch {here}/started; echo nothing"' --seed 1 "$@"
  expect_status 2; expect_err "$words"
  [ ! -e started ] || fail "the program was started"
}
printf 'rate={rat}\nlayers={layers}\n' >typo.in
printf '\nrate={rate}\n' >partial.in
printf 'rate={rate} layers={layers} level={level}\n' >unknown.in
mkdir other && cp settings.sh.in other/
refused "template = 'none.in' is not allowed: there is no such file" "${params[@]}" --template none.in
refused "template typo.in, line 1 = '{rat}'" "${params[@]}" --template typo.in
refused "did you mean rate?" "${params[@]}" --template typo.in
refused "parameter layers: there is no {layers} or @layers@" "${params[@]}" --template partial.in
refused "doubled, {{level}}, it stands for itself" "${params[@]}" --template unknown.in
refused "{level}" "${params[@]}" --template unknown.in
refused "written into the candidate's folder already" "${params[@]}" --template settings.sh.in --template other/settings.sh.in
refused "written before the program starts" "${params[@]}" --template settings.sh.in --output file:settings.sh
refused "needs a group" "${params[@]}" --output 'regex:cost = .*'
refused "the pattern is not a regular expression (missing ): cost = (.*)" "${params[@]}" --output 'regex:cost = (.*'
refused "a group gets its name by (?P<NAME>...)" "${params[@]}" --output 'regex:cost = (?<a>.*)'
refused "has no references to groups" "${params[@]}" --output 'regex:(a)\1'
refused "2 names for 1 values" "${params[@]}" --output 'a,b=regex:cost = (.*)'
refused "must not have line breaks" "${params[@]}" --output $'json:a\nb'
refused "a name is missing" "${params[@]}" --output 'json:'
refused "it is 'json:NAME'" "${params[@]}" --output 'cost'
refused "must be in the candidate's folder" "${params[@]}" --output 'file:../result.txt'
refused "must be in the candidate's folder" "${params[@]}" --output 'file:/tmp/result.txt'
refused "it is given twice" "${params[@]}" --output json:a --output json:a
refused "output = 2 values is not allowed: there must be 4" "${params[@]}" --constraints 3 --output json:a,b
refused "input = 'xml'" "${params[@]}" --input xml
refused "keep = 'some'" "${params[@]}" --keep some
refused "'PATH' is not allowed: with --input env" --param 'PATH=real(0,1)' --input env
refused "letters, digits and _" --param 'a-b=real(0,1)' --input env
refused "{id} is something else" --param 'id=real(0,1)' --output json:a
refused "template: not together with persistent" "${params[@]}" --template settings.sh.in --persistent
refused "did you mean {rate}?" "${params[@]}" --command 'sim {rat}'
run minimize --problem sphere --dim 2 --template settings.sh.in
expect_status 2; expect_err "template: only together with --command"
# What is no text does not reach the terminal as it is.
printf '\001\033[31m{rate}\r\nlayers={layers}\n' >binary.in
run minimize --command 'echo 1' "${params[@]}" --template binary.in --check
expect_status 0; expect_out '    \x01\x1b[31m0.001' "    layers=4"
# What only the program can show is refused after its first run, before the search: nothing is counted as a failure.
for wrong in file:result.dat 'regex:cost (.*)' json:cost 'file:result.txt|json:cost.x'; do
  run minimize "${tank[@]}" --output "$wrong"
  expect_status 2; expect_err "ended well at the start point" "--check"
done

# Whatever a program leaves is a value or a failed evaluation. Brackets that are nested deeply are no JSON.
brackets() { printf '{"cost":'; head -c "$1" /dev/zero | tr '\0' '['; head -c "$1" /dev/zero | tr '\0' ']'; printf '}\n'; }
brackets 200000 >deep.json; brackets 30000 >shallow.json; brackets 60 >flat.json
for words in "file:left.json|json:cost cp {here}/deep.json left.json" "json:cost cat {here}/shallow.json" \
    "json:cost.0.0.0 cat {here}/shallow.json"; do
  run minimize --command "${words#* }" --output "${words%% *}" --x0 1,1 --sigma0 1
  expect_status 2; expect_err "ended well at the start point" "is not JSON"
done
run minimize --command "cat {here}/flat.json" --output json:cost --x0 1,1 --sigma0 1
expect_status 2; expect_err "'cost' is [[[" "no number"
printf '%s\n' '#!/bin/sh' 'echo 1 >left.txt' 'chmod 0 left.txt' >hides; chmod +x hides
if [ "$(id -u)" != 0 ]; then
  run minimize --command "$PWD/hides" --output file:left.txt --x0 1,1 --sigma0 1
  expect_status 2; expect_err "left.txt cannot be read"
fi

# Patterns take linear time and no stack: these crashed, or took for ever.
printf '#!/bin/sh\nhead -c 4090 /dev/zero | tr "\\0" a; echo "cost = 1"\n' >long.sh
printf '#!/bin/sh\necho aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!; echo cost = 2\n' >many.sh
printf '#!/bin/sh\necho "gm: 1.5 ic: 2e-3"; echo "gm: 2.5 ic: 3e-3"; echo gm: none\n' >named.sh
chmod +x long.sh many.sh named.sh
start=(--x0 1,1 --sigma0 1 --seed 1 --maxfevals 2 --json --quiet)
(ulimit -s 1024; timeout 20 "$surefoot" minimize --command ./long.sh --output 'regex:(?:a|b)*cost = (.*)' "${start[@]}" \
  >out 2>err); status=$?; shown="a pattern on a long line"
expect_status 1; expect_out '"fun":1.0'
timeout 20 "$surefoot" minimize --command ./many.sh --output 'regex:(a+)+$' "${start[@]}" >out 2>err
status=$?; shown="a pattern of exponential time"
expect_status 2; expect_err "no line matches"
timeout 20 "$surefoot" minimize --command ./many.sh --output 'regex:(?:(?:a+)+$)|cost = (.*)' "${start[@]}" >out 2>err
status=$?; shown="a pattern of exponential time that matches"
expect_status 1; expect_out '"fun":2.0'
# Named groups, and names in front of a source, name the values.
run minimize --command ./named.sh --output 'regex:gm: (?P<gm>[0-9.]+) ic: (?P<ic>.*)' "${start[@]}"
expect_out '"fun":2.5' '"constraint_names":["ic"]' '"g":[0.003]'
run minimize --command ./named.sh --output 'gain,current=regex:gm: ([0-9.]+) ic: (.*)' "${start[@]}"
expect_out '"fun":2.5' '"constraint_names":["current"]'
run minimize --command 'echo 1 2 3' --output 'a,b,c=stdout' "${start[@]}"
expect_out '"fun":1.0' '"constraint_names":["b","c"]' '"g":[2.0,3.0]'
run minimize --command 'echo 1 2' --output 'a,b,c=stdout' "${start[@]}"
expect_status 2; expect_err "'1 2' has 2 numbers for 3 names"
exit $failed
