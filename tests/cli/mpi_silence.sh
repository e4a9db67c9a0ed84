#!/usr/bin/env bash
# A rank that stops answering, as a hung node does: it is left out, and the result is the same.
. "$(dirname "$0")/support.sh"
. "$(dirname "$0")/mpi_support.sh"

# Evaluations wait for a file, so that a rank is certainly stopped in the middle of one.
cat >program.sh <<'S'
while [ ! -e go ]; do sleep 0.05; done
awk '{printf "%.17g\n", ($1 - 1)^2 + 10 * ($2 - $1)^2}'
S
search=(minimize --command "sh program.sh" --x0 3,3 --sigma0 1 --seed 1 --popsize 8 --maxiter 12 --evaluate-x0 false --quiet)
touch go
run "${search[@]}" --trace whole.jsonl --json
cp out whole.out

rm go
start_ranks 3 "${search[@]}" --mpi --rank-timeout 3 --trace run.jsonl --json
wait_for '[ -n "$(rank_pid 2)" ] && [ "$(pgrep -fc "^sh program.sh")" -ge 3 ]'
silent=$(rank_pid 2)
kill -STOP "$silent"
touch go
wait $pid
status=$?
expect_status 1; expect_err "rank 2 does not answer and is left out"
cmp -s out whole.out || fail "another result with a silent rank"
cmp -s run.jsonl whole.jsonl || fail "another trace with a silent rank"
wait_for "! kill -0 $silent 2>/dev/null"

# SIGTERM ends rank 0 although another rank does not answer.
rm go
start_ranks 3 "${search[@]}" --mpi --rank-timeout 2 --checkpoint run.sf
wait_for '[ -n "$(rank_pid 1)" ] && [ -f run.sf ] && [ "$(pgrep -fc "^sh program.sh")" -ge 3 ]'
silent=$(rank_pid 1)
kill -STOP "$silent"
kill -TERM "$(rank_pid 0)"
wait $pid
status=$?
expect_status 130; expect_out "surefoot resume run.sf"
wait_for "! kill -0 $silent 2>/dev/null"
touch go
run resume run.sf --json
cmp -s out whole.out || fail "another result on resume"
wait_for '! pgrep -f "^sh program.sh" >/dev/null'

run minimize --mpi --problem sphere --dim 2 --rank-timeout 0
expect_status 2; expect_err rank-timeout
exit $failed
