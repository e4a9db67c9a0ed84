#!/usr/bin/env bash
# Killed again and again, a search ends as if nothing had happened.
. "$(dirname "$0")/support.sh"
cd "$work" || exit 1

rosenbrock='awk "{printf \"%.17g\\n\", 100 * (\$2 - \$1 * \$1)^2 + (1 - \$1)^2; fflush()}"'
options=(minimize --command "$rosenbrock" --x0=-1,2 --sigma0 0.5 --lower=-5 --upper 5 --seed 7 --restarts ipop --workers 2
  --maxfevals 2400 --inject known.txt --quiet)
printf '# measured last year\n0.5, 0.5\n3 -1\n' >known.txt

run "${options[@]}" --checkpoint whole.sf --trace whole.jsonl --json
expect_status 0; expect_out '"nfev":2400' "where a run converged"
cp out whole.out

# 50 kills at moments drawn from a fixed seed; what is in flight is lost, nothing else. If the moments come so late that the
# search is over after a few of them, because the machine has others to serve, it says too little and is repeated.
killed_search() {
  "$surefoot" "${options[@]}" --checkpoint run.sf --checkpoint-every 7 --trace run.jsonl >out 2>err &
  pid=$!
}
kill_often() {
  rm -f run.*
  kills=0
  killed_search
  while [ $kills -lt 50 ]; do
    sleep "0.$(printf '%03d' $((RANDOM % 60 + 5)))"
    kill -9 $pid 2>/dev/null || break
    wait $pid 2>/dev/null
    kills=$((kills + 1))
    if [ ! -f run.sf ]; then killed_search; continue; fi  # killed before the first checkpoint: nothing is lost but the start
    "$surefoot" resume run.sf >out 2>err &
    pid=$!
  done
  wait $pid
  run resume run.sf --json
  shown="killed $kills times"
  cmp -s out whole.out || fail "another result than the uninterrupted run's: $(cat out) instead of $(cat whole.out)"
  cmp -s run.jsonl whole.jsonl || fail "another trace than the uninterrupted run's"
  echo "killed $kills times"
}
RANDOM=2022
for _ in 1 2 3 4 5; do kill_often; [ $kills -lt 20 ] || break; done
[ $kills -ge 20 ] || fail "only $kills kills: the run was too short"

# A larger budget goes on as if it had been there from the start.
run minimize --problem rastrigin --dim 4 --seed 3 --method xnes --maxiter 120 --checkpoint a.sf --trace a.jsonl
run resume a.sf --maxiter 400 --json
cp out a.out
run minimize --problem rastrigin --dim 4 --seed 3 --method xnes --maxiter 400 --checkpoint b.sf --trace b.jsonl --json
cmp -s a.out out || fail "a larger budget on resume gave another result"
cmp -s a.jsonl b.jsonl || fail "a larger budget on resume gave another trace"

# Evaluations are counted over all parts, and never more than allowed; finished is finished.
run minimize --problem rastrigin --dim 4 --seed 3 --method xnes --restarts none --maxfevals 501 --checkpoint c.sf --json
expect_out '"nfev":501'
cp out c.out
run resume c.sf --json
cmp -s c.out out || fail "resuming a finished search gave another result: $(cat out)"
run resume c.sf --maxfevals 1003 --json
expect_out '"nfev":1003'
run resume c.sf --maxfevals 1003 --restarts ipop
expect_status 2; expect_err restarts

# What the journal repeats is no progress: the line about the search comes first, and rows are those of what follows.
cat >mortal.sh <<'EOF'
#!/bin/sh
read -r line
echo . >>evaluations
[ "$(wc -l <evaluations)" -eq 40 ] && kill -9 "$PPID"
echo "$line" | awk '{ print $1 * $1 + $2 * $2 }'
EOF
chmod +x mortal.sh
run minimize --command ./mortal.sh --x0 3,3 --sigma0 1 --seed 1 --model none --maxfevals 70 --checkpoint mortal.sf \
  --checkpoint-every 1000
expect_status 137
run resume mortal.sf
head -1 err | grep -q "^the program './mortal.sh'.*; resumed after 39 evaluations, best f = " ||
  fail "the first line is not about the search"
grep -E '^ +[0-9]+ +[0-9]+ +0 ' err && fail "a row with a value that was never found"

# What is no checkpoint.
for damage in truncated flipped foreign empty missing newer; do
  cp a.sf bad.sf; rm -f bad.sf.prev
  case $damage in
    truncated) head -c 200 a.sf >bad.sf ;;
    flipped) printf 'X' | dd of=bad.sf bs=1 seek=300 conv=notrunc 2>/dev/null ;;
    foreign) echo '#!/bin/sh' >bad.sf ;;
    empty) : >bad.sf ;;
    missing) rm bad.sf ;;
    newer) printf '\x63' | dd of=bad.sf bs=1 seek=20 conv=notrunc 2>/dev/null ;;
  esac
  run resume bad.sf
  expect_status 2; expect_err bad.sf
done
cp a.sf bad.sf.prev; echo broken >bad.sf
run resume bad.sf
expect_status 2; expect_err "previous checkpoint" "bad.sf.prev"
run resume bad.sf.prev --json
expect_status 0

# Another search from where one has come.
run minimize --problem sphere --dim 3 --seed 1 --maxiter 60 --checkpoint far.sf
run minimize --problem sphere --warm-start far.sf --seed 2 --ftarget 1e-8 --json
expect_status 0
run minimize --problem sphere --warm-start far.sf --dim 3
expect_status 2; expect_err warm-start

# Nobody's file is overwritten, and another problem is not continued.
echo precious >notes.txt
run minimize --problem sphere --dim 2 --checkpoint notes.txt
expect_status 2; expect_err notes.txt
[ "$(cat notes.txt)" = precious ] || fail "a foreign file was overwritten"
run minimize --problem sphere --dim 2 --checkpoint notes.txt --overwrite
expect_status 2; expect_err notes.txt
[ "$(cat notes.txt)" = precious ] || fail "a foreign file was overwritten by --overwrite"
run resume a.sf --seed 4
expect_status 2; expect_err seed

# The same words go on from a checkpoint that exists; other words are refused, or start anew.
run minimize --problem rastrigin --dim 4 --seed 3 --method xnes --maxiter 120 --checkpoint again.sf
run minimize --problem rastrigin --dim 4 --seed 3 --method xnes --maxiter 400 --checkpoint again.sf --json
cmp -s a.out out || fail "minimize with an existing checkpoint did not go on: $(cat out)"
run minimize --problem sphere --dim 4 --seed 3 --method xnes --maxiter 400 --checkpoint again.sf
expect_status 2; expect_err "it minimises rastrigin, here it is sphere" --overwrite
run minimize --problem rastrigin --dim 4 --seed 4 --method xnes --maxiter 400 --checkpoint again.sf
expect_status 2; expect_err "its seed is 3, here it is 4"
run minimize --problem sphere --dim 4 --seed 3 --method xnes --maxiter 5 --checkpoint again.sf --overwrite --json
expect_out '"nit":5'
run resume again.sf --maxiter 7 --json
expect_out '"nit":7'
run minimize --problem sphere --dim 2 --overwrite
expect_status 2; expect_err overwrite
run resume a.sf --popsize 50
expect_status 2; expect_err popsize
run resume
expect_status 2
run resume --help
expect_status 0; expect_out Example
exit $failed
