#!/usr/bin/env bash
# Nothing lost, nothing hung, nothing overwritten: the rules of docs/reference/reliability.md, one after the other.
. "$(dirname "$0")/support.sh"
cd "$work" || exit 1
mkdir tmp
export TMPDIR=$work/tmp

common=(--x0 3,3 --sigma0 1 --seed 1 --popsize 6)

# --- Locks: a second search is told who has the checkpoint; a killed one leaves nothing in the way.
mkfifo gate
printf '%s\n' '#!/bin/sh' 'read -r go <gate' 'echo 1' >waits; chmod +x waits
"$surefoot" minimize --command ./waits "${common[@]}" --checkpoint l.sf >first.out 2>first.err &
pid=$!
wait_for '[ -s l.sf.lock ] && [ -s l.sf ]'
before=$(cksum l.sf l.sf.lock)
run minimize --command ./waits "${common[@]}" --checkpoint l.sf
expect_status 2; expect_err "l.sf" "process $pid on $(hostname)"
run resume l.sf
expect_status 2; expect_err "process $pid on $(hostname)"
run minimize --command ./waits "${common[@]}" --checkpoint l.sf --overwrite
expect_status 2; expect_err "process $pid on $(hostname)"
[ "$before" = "$(cksum l.sf l.sf.lock)" ] || fail "a refused search has changed files"
kill -9 $pid; wait $pid 2>/dev/null
[ -f l.sf.lock ] || fail "nothing is left to be in the way"
printf '#!/bin/sh\necho 1\n' >waits
run resume l.sf --maxiter 3
expect_status 1; expect_out "generations"
[ ! -e l.sf.lock ] || fail "a lock is left behind"

# --- Many programs at a time: as many as open files allow, and the number that would work is told.
printf '%s\n' '#!/bin/sh' 'sleep 0.2' 'echo 1' >sleeper; chmod +x sleeper
many() {  # workers
  (ulimit -n 1024; timeout 120 "$surefoot" minimize --command ./sleeper --x0 1,1 --sigma0 1 --popsize "$1" --workers "$1" \
    --maxiter 1 >out 2>err); status=$?; shown="$1 workers with ulimit -n 1024"
}
many 300; expect_status 1
many 400; expect_status 2; expect_err "workers = 400" "programs run at a time" "ulimit -n"
most=$(sed -n 's/.* lets \([0-9]*\) programs.*/\1/p' err)
many "$most"; expect_status 1

# --- Files: nobody's file is emptied or replaced.
for name in t.jsonl c.sf.journal c.sf.prev c.sf.lock; do
  echo precious >$name
  for more in "" --overwrite; do
    run minimize --problem sphere --dim 2 --maxiter 3 --checkpoint c.sf --trace t.jsonl $more
    expect_status 2; expect_err $name
  done
  [ "$(cat $name)" = precious ] || fail "$name was changed"
  rm $name
  [ ! -e c.sf ] || fail "a checkpoint was made beside $name"
done
run minimize --problem sphere --dim 2 --maxiter 3 --seed 1 --trace own.jsonl
run minimize --problem sphere --dim 2 --maxiter 4 --seed 1 --trace own.jsonl  # a trace may follow a trace
expect_status 1; [ "$(wc -l <own.jsonl)" -eq 5 ] || fail "the trace has $(wc -l <own.jsonl) lines"
echo precious >page.html
run report own.jsonl -o page.html
expect_status 2; expect_err page.html; [ "$(cat page.html)" = precious ] || fail "page.html was replaced"
run report own.jsonl -o run.html; expect_status 0
run report own.jsonl -o run.html; expect_status 0
mkdir elsewhere; ln -s elsewhere/linked.html link.html; ln -s elsewhere/linked.jsonl link.jsonl
run report own.jsonl -o link.html; expect_status 0
[ -L link.html ] && cmp -s run.html elsewhere/linked.html || fail "a link was replaced"
run minimize --problem sphere --dim 2 --maxiter 4 --seed 1 --trace link.jsonl
[ -L link.jsonl ] && cmp -s own.jsonl elsewhere/linked.jsonl || fail "a trace's link was replaced"
run report own.jsonl -o /dev/stdout
expect_status 0; cmp -s out run.html || fail "a page on /dev/stdout differs"
[ -L /dev/stdout ] || [ -c /dev/stdout ] || fail "/dev/stdout was replaced"
mkfifo pipe pipe2
cat pipe >through & reader=$!
run minimize --problem sphere --dim 2 --maxiter 4 --seed 1 --trace pipe
wait $reader; sed 's/,"end":{"stop":.*/}/' own.jsonl | cmp -s through - || fail "a trace through a pipe differs"
[ -p pipe ] || fail "a pipe was replaced"
cat pipe2 >through & reader=$!
run report own.jsonl -o pipe2
wait $reader; cmp -s through run.html || fail "a page through a pipe differs"
mkdir theirs
mkdir coco; echo precious >coco/notes
run bench bbob --methods xnes --functions 1 --dims 2 --instances 1 --budget 10 --out fresh --coco-data coco
expect_status 2; expect_err coco; [ ! -e fresh ] || fail "a folder was made"
for name in runs.csv summary.json report.html; do
  echo precious >theirs/$name
  run bench bbob --methods xnes --functions 1 --dims 2 --instances 1 --budget 10 --out theirs
  expect_status 2; expect_err theirs $name
  [ "$(cat theirs/$name)" = precious ] && [ "$(ls theirs)" = $name ] || fail "theirs/$name was changed"
  rm theirs/$name
done

# A name that is empty, as that of a variable that is not set, does not silently mean that nothing is kept.
for option in checkpoint trace log folders warm-start; do
  run minimize --problem sphere --dim 2 --maxiter 2 --$option ""
  expect_status 2; expect_err "$option = '' is not allowed"
  run minimize --problem sphere --dim 2 --maxiter 2 --$option= --quiet
  expect_status 2; expect_err "$option = '' is not allowed"
  [ ! -e --quiet ] || fail "the next word became a file"
done
echo 'checkpoint = ""' >empty.toml
run minimize --problem sphere --dim 2 --maxiter 2 --config empty.toml
expect_status 2; expect_err "checkpoint = '' is not allowed"

# --- Resume: another objective is refused, a repaired one is evaluated again, folders are where they were.
mkdir job; cd job || exit 1
printf '%s\n' '#!/bin/sh' 'read -r a b' 'awk -v a="$a" -v b="$b" "BEGIN {printf \"%.17g\\n\", (a - 1)^2 + (b - 1)^2}"' >f.sh
cp f.sh g.sh; chmod +x f.sh g.sh
run minimize --command ./f.sh "${common[@]}" --maxiter 5 --checkpoint r.sf --trace r.jsonl
expect_status 1
run resume r.sf --command ./g.sh --maxiter 8
expect_status 2; expect_err "./f.sh" "./g.sh" --replace-command
run minimize --command ./f.sh "${common[@]}" --maxiter 10 --json --trace whole.jsonl
cp "$work/out" whole.out
run resume r.sf --command ./g.sh --maxiter 10 --replace-command --json
expect_status 1; cmp -s "$work/out" whole.out || fail "a replaced command gave another result"
grep -q "^{\"generation\":6,.*\"replaced_by\":\"the program './g.sh' in $work/job\"" r.jsonl || fail "not in the trace"
run resume r.sf --maxiter 12  # the replaced command is the search's command now
expect_status 1; [ "$(grep -c replaced_by r.jsonl)" -eq 1 ] || fail "the trace lost the replacement"
cd ..
run resume job/r.sf --maxiter 14 --trace here.jsonl
expect_status 1; expect_out "14 generations"
[ -s here.jsonl ] || fail "a file given on resume is not in the folder of the caller"
grep -q failures here.jsonl && fail "the program was not found in another folder"
mv job moved
run resume moved/r.sf --maxiter 16
expect_status 2; expect_err "$work/job" --replace-command
cd moved || exit 1
run resume r.sf --maxiter 16 --replace-command
expect_status 1; expect_out "16 generations"
cd ..
run minimize --problem bbob-f1 --instance 1 --dim 2 --seed 3 --maxiter 5 --checkpoint b.sf
run resume b.sf --instance 2 --maxiter 8
expect_status 2; expect_err "bbob-f1, instance 1" "bbob-f1, instance 2"
run resume b.sf --problem bbob-f2 --maxiter 8
expect_status 2; expect_err "bbob-f1, instance 1" "bbob-f2, instance 1"
run resume b.sf --seed 4 --maxiter 8
expect_status 2; expect_err "its seed is 3, here it is 4"
run minimize --problem sphere --dim 3 --seed 1 --tolfun 1e-2 --tolfunhist 0 --checkpoint tol.sf --json
expect_out '"stop":"tolfun"'
run resume tol.sf --tolfun 1e-9 --json; cp out tol.out
run minimize --problem sphere --dim 3 --seed 1 --tolfun 1e-9 --tolfunhist 0 --json
cmp -s out tol.out || fail "a tolerance given on resume is ignored"
printf '#!/bin/sh\nexit 1\n' >broken; chmod +x broken
run minimize --command ./broken "${common[@]}" --maxiter 12 --checkpoint fix.sf
expect_status 3
run resume fix.sf
expect_status 3
cp moved/f.sh broken
run resume fix.sf --json
expect_status 1; expect_out '"nit":12' '"nfailed":13'

# --- A full disk: the search goes on, the result is printed, status 4, the message names the file.
run minimize --problem sphere --dim 2 --seed 1 --maxiter 400 --json; cp out plain.out; plain=$status
run minimize --problem sphere --dim 2 --seed 1 --maxiter 400 --json --trace /dev/full
expect_status 4; expect_err /dev/full; cmp -s out plain.out || fail "another result on a full disk"
run minimize --problem sphere --dim 2 --seed 1 --maxiter 400 --json --trace /dev/full --checkpoint full.sf
expect_status 4; expect_err /dev/full; cmp -s out plain.out || fail "another result on a full disk, with a checkpoint"
for command in "minimize --problem sphere --dim 2 --json" "minimize --problem sphere --dim 2" "list options --markdown"; do
  # shellcheck disable=SC2086
  "$surefoot" $command >/dev/full 2>err; status=$?; shown="surefoot $command >/dev/full"
  expect_status 4; expect_err stdout
done
echo 1 2 | "$surefoot" evaluate --problem sphere --dim 2 >/dev/full 2>err; status=$?; shown="evaluate >/dev/full"
expect_status 4
run report own.jsonl -o /dev/full
expect_status 4; expect_err /dev/full
# A pipe that nobody reads any more is the same. A trace or a log is longer here than what a pipe holds.
mkfifo short.jsonl short.csv gone
long=(minimize --problem ellipsoid --dim 10 --seed 1 --maxiter 1000 --restarts none --json)
run "${long[@]}"; cp out long.out
for words in "--trace short.jsonl" "--log short.csv"; do
  head -c 100 "${words##* }" >/dev/null & reader=$!
  # shellcheck disable=SC2086
  run "${long[@]}" $words
  wait $reader
  expect_status 4; expect_err "${words##* }"; cmp -s out long.out || fail "another result without a reader"
done
# The reader of this one is gone before the search begins.
(: <gone) & reader=$!
exec 9>gone
wait $reader
"$surefoot" minimize --problem sphere --dim 2 --seed 1 --maxiter 400 --checkpoint read.sf >&9 2>err; status=$?
shown="a stdout that nobody reads"; expect_status 4; expect_err stdout
"$surefoot" "${long[@]}" --workers 2 >out 2>&9; status=$?
shown="a stderr that nobody reads"; [ "$status" -le 1 ] || fail "exit status $status"
cmp -s out long.out || fail "another result without a reader of messages"
exec 9>&-
# A limit of the file size is the same; 16 blocks of 1024 bytes hold a checkpoint, but no long trace or journal.
small_files() { (ulimit -f 16; timeout 120 "$surefoot" "$@" >out 2>err); status=$?; shown="with small files: $*"; }
small_files minimize --problem sphere --dim 2 --seed 1 --maxiter 400 --json --trace small.jsonl
expect_status 4; expect_err small.jsonl; cmp -s out plain.out || fail "another result with a cut trace"
small_files minimize --problem sphere --dim 2 --seed 1 --maxiter 400 --json --checkpoint small.sf --checkpoint-every 1000
expect_status "$plain"; cmp -s out plain.out || fail "another result with a cut journal"
run resume small.sf --json; cmp -s out plain.out || fail "a checkpoint beside a cut journal is not the end"
small_files minimize --problem sphere --dim 60 --seed 1 --maxiter 5 --checkpoint large.sf
expect_status 2; expect_err large.sf  # refused at the start, when nothing is lost
[ ! -e large.sf ] || fail "half a checkpoint"
small_files minimize --problem sphere --dim 2 --seed 1 --maxiter 400 --json --workers 4 --checkpoint threads.sf \
  --checkpoint-every 1000
expect_status "$plain"; cmp -s out plain.out || fail "another result with a cut journal and threads"
# stderr that cannot be written: SIGUSR1 is answered into nothing, and nothing ends.
"$surefoot" minimize --problem sphere --dim 40 --seed 1 --maxiter 3000 --workers 3 --restarts none --json \
  --checkpoint usr.sf >out 2>/dev/full &
pid=$!
wait_for '[ -e usr.sf ]'  # it handles signals by now
for _ in 1 2 3 4 5; do kill -USR1 $pid 2>/dev/null; sleep 0.05; done
wait $pid; status=$?; shown="SIGUSR1 with stderr on a full disk"
[ $status -le 1 ] || fail "exit status $status"
expect_out '"nfev"'
mkdir disk
if [ "$(id -u)" = 0 ] && mount -t tmpfs -o size=64k tmpfs disk 2>/dev/null; then
  run minimize --problem sphere --dim 2 --seed 1 --maxiter 400 --json --checkpoint disk/run.sf --checkpoint-every 1 \
    --trace disk/run.jsonl
  expect_status 4; expect_err disk/run; cmp -s out plain.out || fail "another result on a full tmpfs"
  umount disk
  # No room for the folders of candidates: evaluations fail, the search does not.
  mount -t tmpfs -o size=256k,nr_inodes=30 tmpfs disk
  echo '{x0} {x1}' >point.in
  run minimize --command "sh -c 'echo 1 >value'" --template point.in --output file:value "${common[@]}" --maxiter 20 --json \
    --keep all --folders disk/kept
  expect_status 3; expect_out '"stop":"failing"' '"fun":1' "No space left on device"
  umount disk
else
  echo "no tmpfs can be mounted here: that part is left out"
fi

# --- What programs and files may contain.
run minimize --command "sh -c 'printf \"\\377\\376 broken\" >&2; exit 3'" "${common[@]}" --json
expect_status 3; expect_out '"stop":"failing"' broken
printf '#!/bin/sh\necho 1\n' >"$(printf 'f\377')"; chmod +x f?
run minimize --command "./$(printf 'f\377')" "${common[@]}" --maxiter 2 --checkpoint bytes.sf
expect_status 1
run resume bytes.sf --maxiter 4
expect_status 1; expect_out "4 generations"
# A search needs some 100 MB of address space; what these files claim would not fit.
run minimize --problem sphere --dim 2 --seed 1 --maxiter 5 --checkpoint s.sf
cp s.sf sparse.sf; truncate -s 3G sparse.sf
head -c 20 s.sf >forged.sf; printf '\006\0\0\0\001\0\0\0x\0\0\0\022\0\0\0\0\0\0\0\0\0\0\0\0' >>forged.sf
truncate -s $((0x12000000 + 45)) forged.sf  # 302 MB, of which the checksum is wrong
for file in sparse.sf forged.sf; do
  (ulimit -v 250000; "$surefoot" --version >/dev/null 2>&1) || break  # a sanitizer wants all addresses for itself
  (ulimit -v 250000; timeout 120 "$surefoot" resume $file >out 2>err); status=$?; shown="resume $file"
  case $file in sparse.sf) expect_status 2; expect_err "bytes too many" ;; *) expect_status 2; expect_err "checksum" ;; esac
  rm $file
done
# So with a journal whose first entry claims to have 2 GB.
cp s.sf claims.sf; cp s.sf.journal claims.sf.journal
printf '\377\377\377\177\0\0\0\0' >>claims.sf.journal; truncate -s 3G claims.sf.journal
if (ulimit -v 250000; "$surefoot" --version >/dev/null 2>&1); then
  (ulimit -v 250000; timeout 120 "$surefoot" resume claims.sf --maxiter 7 >out 2>err); status=$?; shown="resume claims.sf"
  expect_status 1; expect_out "7 generations"
fi
rm claims.sf*
nested() { head -c "$1" /dev/zero | tr '\0' '['; head -c "$1" /dev/zero | tr '\0' ']'; }
{ printf '{"generation":1,"nfev":1,"best":'; nested 200000; echo '}'; } >deep.jsonl
cat own.jsonl >>deep.jsonl
run report deep.jsonl -o deep.html
expect_status 2; expect_err "line 1"
{ printf 'x0 = '; nested 200000; echo; } >deep.toml
run minimize --config deep.toml
expect_status 2; expect_err deep.toml
{ head -c 200000 /dev/zero | tr '\0' 'a' | sed 's/a/a./g'; echo 'a = 1'; } >dots.toml
run minimize --config dots.toml
expect_status 2; expect_err dots.toml
{ printf '{"meta":'; nested 200000; echo '}'; } >deep.json
run replay deep.json
expect_status 2

# Fixtures whose sizes do not fit: each is refused, or deviates, but nothing is read or written out of bounds.
/usr/bin/env python3 - "$data/fixtures/snes_d3_l6.json" <<'E'
import copy, json, sys
whole = json.load(open(sys.argv[1]))
whole["steps"] = whole["steps"][:3]
def write(name, change):
    fixture = copy.deepcopy(whole)
    change(fixture)
    json.dump(fixture, open(f"hostile-{name}.json", "w"))
step = lambda f: f["steps"][0]
write("short-row", lambda f: step(f)["z"][2].pop())
write("long-row", lambda f: step(f)["z"][2].extend([1.0] * 1000))
write("few-normals", lambda f: step(f)["z"].pop())
write("many-normals", lambda f: step(f)["z"].extend([[1.0] * 3] * 500))
write("other-dimension", lambda f: step(f).update(z=[[1.0] * 50] * 6))
write("empty-z", lambda f: step(f).update(z=[]))
write("z-is-a-number", lambda f: step(f).update(z=3))
write("x-too-small", lambda f: step(f).update(x=[[0.0]]))
write("x-too-large", lambda f: step(f).update(x=[[0.0] * 300] * 600))
write("aux", lambda f: step(f).update(z_aux=[[0.0] * 300] * 600))
write("huge-lam", lambda f: f.update(lam=10**18))
write("negative-lam", lambda f: f.update(lam=-6))
write("odd-lam", lambda f: f.update(lam=5))
write("empty-mean", lambda f: f["init"].update(m=[]))
write("long-mean", lambda f: f["init"].update(m=[0.0] * 17))
write("negative-sigma", lambda f: f["init"].update(sigma=-1.0))
write("long-sigma", lambda f: f["init"].update(sigma=[1.0] * 99))
write("short-f", lambda f: step(f).update(f=[1.0]))
write("order", lambda f: step(f).update(order=[10**18] * 6))
write("check-x", lambda f: f["objective"].update(check_x=[]))
for key in list(step(whole)["state"]):
    write(f"state-{key}", lambda f, key=key: step(f)["state"].update({key: [[1.0] * 77] * 3}))
    write(f"state-list-{key}", lambda f, key=key: step(f)["state"].update({key: [1.0] * 77}))
E
for fixture in hostile-*.json; do
  run replay "$fixture"
  [ "$status" -le 2 ] || fail "exit status $status"
done
[ "$(ls hostile-*.json | wc -l)" -ge 20 ] || fail "too few hostile fixtures"

# Numbers that are none, and numbers that 64 bits do not hold.
for option in seed maxfevals maxiter popsize tolstagnation; do
  for number in 99999999999999999999 18446744073709551616 -99999999999999999999; do
    run minimize --problem sphere --dim 2 "--$option=$number" --timeout 1
    expect_status 2; expect_err "$option" "$number"
  done
done
run minimize --problem sphere --dim 2 --seed 18446744073709551615 --maxiter 2 --json
expect_out '"seed":18446744073709551615'
run bench bbob --seed 99999999999999999999 --out huge
expect_status 2; expect_err seed
run minimize --problem sphere --x0=+-1,2; expect_status 2; expect_err "'+-1' is not a number"
run minimize --problem sphere --x0=++1,2; expect_status 2; expect_err "'++1' is not a number"
run minimize --problem sphere --x0=+1,+2 --maxiter 2; expect_status 1
echo "+-1 2" | "$surefoot" evaluate --problem sphere --dim 2 >out 2>err; status=$?; shown="evaluate +-1"
expect_status 2
run minimize --command "echo +-1" "${common[@]}"
expect_status 2; expect_err "+-1" "not a number"

# Bounds and deviations at the end of the doubles: no candidate is NaN or infinite.
printf '%s\n' '#!/bin/sh' 'read -r line' 'echo "$line" >>seen' 'echo "$line" | awk "{print \$1 * 1e-300 + \$2 * 1e-300}"' >sees
chmod +x sees
for more in "--lower=-1e308 --upper=1e308 --sigma0 1" "--lower=-1e308 --upper=1e308 --sigma0 1e150" \
    "--lower=-1e308 --upper=1e308" "--sigma0 1e308" "--sigma0 1e150" "--sigma0 1e308,1" "--sigma0 1e150,1e-150"; do
  rm -f seen
  # shellcheck disable=SC2086
  run minimize --command ./sees --x0 3,3 $more --seed 1 --maxfevals 120 --restarts ipop
  [ "$status" -le 3 ] || fail "exit status $status"
  [ "$status" -ne 2 ] || expect_err sigma0
  [ ! -e seen ] || ! grep -qiE 'nan|inf' seen || fail "the program got $(grep -iE 'nan|inf' seen | head -1)"
done

# --- Signals: SIGHUP is SIGTERM, and nothing that a program has started survives, whatever ends the search.
printf '%s\n' '#!/bin/sh' "sleep 7531.$$ & echo \"\$1\" >>folders" "sleep 7532.$$" >forks; chmod +x forks
for signal in HUP TERM INT KILL; do
  rm -f folders
  # The signal's default, as this script may run below nohup itself.
  env --default-signal=HUP "$surefoot" minimize --command ./forks --args '{dir}' "${common[@]}" --evaluate-x0 false \
    --workers 2 --checkpoint sig.sf --overwrite >out 2>err &
  pid=$!
  shown="kill -$signal"
  wait_for '[ "$(pgrep -fcx "sleep 7531.$$")" -ge 2 ] && [ "$(pgrep -fcx "sleep 7532.$$")" -ge 2 ]'
  kill -$signal $pid; wait $pid; status=$?
  wait_for '! pgrep -fx "sleep 753[12].$$" >/dev/null'
  [ $signal = KILL ] && continue
  expect_status 130; expect_out interrupted
  while read -r folder; do [ ! -e "$(dirname "$folder")" ] || fail "$folder is left behind"; done <folders
done
nohup "$surefoot" minimize --command ./forks --args '{dir}' "${common[@]}" >out 2>err &
pid=$!
wait_for 'pgrep -fx "sleep 7532.$$" >/dev/null'
kill -HUP $pid; kill -USR1 $pid
wait_for 'grep -q evaluations err'  # it goes on, as nohup wants it
kill -TERM $pid; wait $pid
exit $failed
