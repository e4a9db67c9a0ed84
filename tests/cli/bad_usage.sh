#!/usr/bin/env bash
# The command line on nonsense: exit status 2, a message that names option, value and what is allowed, nothing lost.
. "$(dirname "$0")/support.sh"
cd "$work" || exit 1

refuses() {  # refuses 'words of the message' -- arguments
  local words=()
  while [ "$1" != -- ]; do words+=("$1"); shift; done
  shift
  run "$@"
  expect_status 2
  expect_err "${words[@]}"
  [ ! -s "$work/out" ] || fail "something on stdout"
}

base=(minimize --problem sphere --dim 3)
refuses "surefoot list: say which: problems" -- list
refuses minimise "no command" -- minimise --problem sphere
refuses everest rastrigin -- minimize --problem everest --dim 3
refuses dim 0 "at least 1" -- minimize --problem sphere --dim 0
refuses dim -3 "at least 1" -- minimize --problem sphere --dim -3
refuses dim --x0 -- minimize --problem sphere
refuses dim abc -- minimize --problem sphere --dim abc
refuses dim 1 "at least 2" -- minimize --problem rosenbrock --dim 1
refuses dim 3 "2 coordinates" -- minimize --problem sphere --dim 3 --x0 1,2
refuses "x0[1]" nan finite -- minimize --problem sphere --x0 1,nan
refuses sigma0 0 "> 0" -- "${base[@]}" --sigma0 0
refuses sigma0 nan "> 0" -- "${base[@]}" --sigma0 nan
refuses sigma0 "2 numbers" 3 -- "${base[@]}" --sigma0 1,2
refuses popsize 1 "from 2" -- "${base[@]}" --popsize 1
refuses "surefoot minimize: popsize = '2.5' is not allowed: it must be an integer" -- "${base[@]}" --popsize 2.5
refuses "surefoot minimize: seed = '-1' is not allowed: it must be an integer from 0" -- "${base[@]}" --seed -1
refuses "maxfevals = '1e2x' is not allowed: it must be an integer, as 10000 or 1e4" -- "${base[@]}" --maxfevals 1e2x
refuses "maxfevals: an integer, as 10000 or 1e4 must follow it" -- "${base[@]}" --maxfevals
refuses "timeout = '10x' is not allowed: it must be a time as 90, 90s, 10m, 2h or 1d" -- "${base[@]}" --timeout 10x
refuses "ftarget = 'low' is not allowed: it must be a number" -- "${base[@]}" --ftarget low
refuses "surefoot minimize: 'extra' has no option before it" -- "${base[@]}" extra
refuses "surefoot resume: name the checkpoint: surefoot resume FILE" -- resume
refuses "surefoot report: TRACE is required" "surefoot report --help" -- report
"$surefoot" minimize --problem sphere --dim 2 --seed 1 --maxfevals 20 --trace t.jsonl --log t.csv --quiet >"$work/out"
printf 'id,run,generation,candidate,attempt,status,f,constraints,seconds,worker,rate,x1,reason\n' >other.csv
printf '1,1,0,0,1,ok,1,,0.1,0,1,2,\n' >>other.csv
refuses "every: only together with --watch" -- report t.jsonl -o t.html --every 2
refuses "it belongs to another search: its parameter 1 is rate, that of the trace is x0" -- report t.jsonl -o t.html \
  --log other.csv
"$surefoot" report t.jsonl -o t.html --log t.csv || fail "a report with its own log"
refuses "surefoot bench: say which: bbob, practical" -- bench
refuses "seed = '-1' is not allowed" -- arena --out arena --seed -1
refuses "did you mean 'cma'?" -- bench bbob --out bbob --methods cmaa
refuses "method = 'CMA-ES' is not allowed" "did you mean 'cma'?" -- "${base[@]}" --method CMA-ES
refuses "there is no option '--budget'" "did you mean '--maxfevals'?" -- "${base[@]}" --budget 100
refuses "there is no option '--n-jobs'" "did you mean '--workers'?" -- "${base[@]}" --n-jobs=4
refuses "did you mean 'sphere'?" -- arena --out arena --functions spherre
refuses maxfevals 0 "at least 1" -- "${base[@]}" --maxfevals 0
refuses ftarget nan -- "${base[@]}" --ftarget nan
refuses method annealing xnes -- "${base[@]}" --method annealing
refuses learning_rate momentum lra -- "${base[@]}" --learning-rate momentum
refuses factor -8 "> 0" -- "${base[@]}" --learning-rate fixed:-8
refuses gamma alpha_B -- "${base[@]}" --learning-rate lra:gamma=1
refuses "either --problem" -- minimize --x0 1,2 --sigma0 1
refuses "either --problem" -- minimize --problem sphere --command true --dim 2
refuses x0 -- minimize --command true --sigma0 1
refuses x0 missing -- minimize --command true
refuses x0 "'b' is not a number" -- minimize --command true --x0 1,b --sigma0 1
refuses command open -- minimize --command "sh 'x" --x0 1 --sigma0 1
refuses args "{y}" "{dir}" -- minimize --command true --args "{y}" --x0 1 --sigma0 1
refuses restarts often bipop -- "${base[@]}" --restarts often
refuses lower "at most the upper" -- "${base[@]}" --lower 1 --upper 0
refuses "x0[0]" "within its bounds" -- "${base[@]}" --lower 10 --upper 11
printf '# nothing\n\n' >empty.txt
printf '1 2 3\n1 2\n' >short.txt
printf '1,2,x\n' >word.txt
printf '1,2,3\n4,nan,6\n' >nan.txt
printf '0.5,0.5,0.5\n7,0,0\n' >outside.txt
refuses inject "'none.txt'" "there is no such file" -- "${base[@]}" --inject none.txt
refuses inject "'empty.txt'" "no point" -- "${base[@]}" --inject empty.txt
refuses "inject[1]" "2 numbers" "it needs 3" -- "${base[@]}" --inject short.txt
refuses inject "'x' is not a number" -- "${base[@]}" --inject word.txt
refuses "inject[1][1] = nan" finite -- "${base[@]}" --inject nan.txt
refuses "inject[1][0] = 7" "0 to 5" -- "${base[@]}" --lower 0 --upper 5 --inject outside.txt
refuses workers 0 "from 1" -- "${base[@]}" --workers 0
refuses timeout -1 -- "${base[@]}" --timeout -1
refuses tolx -1 ">= 0" -- "${base[@]}" --tolx -1
refuses retry -1 -- "${base[@]}" --retry -1
refuses checkpoint-every soon -- "${base[@]}" --checkpoint every.sf --checkpoint-every soon
refuses checkpoint "no such folder" -- "${base[@]}" --checkpoint no/such/folder/run.sf
refuses --frobnicate -- "${base[@]}" --frobnicate
refuses trace "no such folder" -- "${base[@]}" --trace no/such/folder/run.jsonl
sed 's/"SNES"/"hill climbing"/' "$data/fixtures/snes_d3_l6.json" >unknown.json
refuses "hill climbing" xNES -- replay unknown.json
refuses nonsense "known methods are" -- "${base[@]}" --method nonsense
refuses eta "known keys are eta_m, eta_sigma" -- "${base[@]}" --method snes:eta=1
refuses missing.json "cannot be read" -- replay missing.json
echo '{"meta": 3}' >odd.json
refuses odd.json trajectory -- replay odd.json

# Empty values, mostly of variables that are not set, are no values.
for option in maxfevals timeout ftarget seed popsize x0 sigma0 lower upper maxiter tolx inject constraints keep method \
    restarts eval-timeout trace param template input; do
  refuses "$option = '' is not allowed" "leave the option out" -- "${base[@]}" --$option ""
  refuses "$option = '' is not allowed" -- "${base[@]}" --$option=
done
refuses "config = '' is not allowed" -- minimize --config ""
refuses "out = '' is not allowed" -- report t.jsonl -o ""
refuses "seed = '' is not allowed" -- arena --out arena --seed ""
printf 'problem = "sphere"\nx0 = []\n' >odd.toml
refuses "x0 = '' is not allowed" -- minimize --config odd.toml
# The place of what is wrong.
printf '1,2,3\n\n5,x,6\n' >third.txt
refuses "inject third.txt, line 3 = '5,x,6'" -- "${base[@]}" --inject third.txt
refuses "x0 third.txt, line 3 = '5,x,6'" -- minimize --problem sphere --x0 @third.txt
refuses "seed = 'abc' is not allowed" -- "${base[@]}" --seed 1 --seed abc
"$surefoot" "${base[@]}" --seed 1 --maxfevals 20 --checkpoint r.sf --quiet >"$work/out"
refuses "surefoot resume: there is no option '--maxfvals'; 'surefoot minimize --help-all'" "did you mean '--maxfevals'" -- \
  resume r.sf --maxfvals 3
refuses "trace = . is not allowed: it is a folder" -- report . -o x.html
refuses "config = '.' is not allowed: it is a folder" -- minimize --config .
refuses "template = '.' is not allowed: it is a folder" -- minimize --command true --template . --x0 1 --sigma0 1
limit=$(ulimit -Sv)
if (ulimit -Sv 4000000; "$surefoot" --version >/dev/null 2>&1); then  # a sanitizer wants all addresses for itself
  ulimit -Sv 4000000
  refuses "dim = 200000: there is not enough memory" "cr-fm-nes" -- minimize --problem sphere --dim 200000 --method xnes
  ulimit -Sv "$limit"
fi

printf '[=]\n' >odd.toml
refuses odd.toml "line 1" -- minimize --config odd.toml
printf '[[p\001\n' >odd.toml
refuses odd.toml "a control character" -- minimize --config odd.toml

echo precious >run.jsonl
refuses popsize -- "${base[@]}" --popsize 1 --trace run.jsonl
[ "$(cat run.jsonl)" = precious ] || fail "wrong input cost an existing trace"

# Files with points and options are regular files of at most 64 MiB: a device has no end, and a pipe may never begin.
cd "$work" || exit 1
mkfifo pipe
ln -s circle2 circle1; ln -s circle1 circle2
truncate -s 65M huge
printf '1,2\n3,\0004\n' >nul.txt
quick() { timeout 20 "$surefoot" minimize --maxiter 1 "$@" >"$work/out" 2>"$work/err"; status=$?; shown="minimize $*"; }
while read -r name words; do
  for option in "--problem=sphere --x0=@$name" "--problem=sphere --inject=$name --dim=2" "--config=$name" \
      "--command=true --x0=1 --sigma0=1 --template=$name"; do
    # shellcheck disable=SC2086  # options
    quick $option
    expect_status 2; expect_err "$words"
  done
done <<'END'
/dev/zero it is a device or a pipe; only regular files are read
pipe it is a device or a pipe; only regular files are read
. it is a folder
none there is no such file
circle1 its links lead in a circle
huge it has more than 64 MiB
END
quick --problem sphere --x0=@nul.txt
expect_status 2; expect_err 'x0 nul.txt, line 2 =' "'3,\\x004'" "NUL byte"
for name in ..in ...in; do
  echo '{x}' >"$name"
  quick --command 'echo 1' --x0 1 --sigma0 1 --template "$name"
  expect_status 2; expect_err "without .in at its end it has no name"
done
for option in "--log c1.csv" "--trace c1.csv" "--checkpoint c1.csv"; do
  ln -sf c1.csv c2.csv; ln -sf c2.csv c1.csv
  # shellcheck disable=SC2086  # an option and its value
  quick --problem sphere --dim 2 $option
  expect_status 2; expect_err "c1.csv is not allowed: its links lead in a circle"
  # shellcheck disable=SC2086
  quick --command 'echo 1' --x0 1,1 --sigma0 1 $option
  expect_status 2; expect_err "c1.csv is not allowed: its links lead in a circle"
done
run report c1.csv
expect_status 2; expect_err "trace = c1.csv is not allowed: its links lead in a circle"
exit $failed
