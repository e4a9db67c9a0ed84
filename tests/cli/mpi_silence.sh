#!/usr/bin/env bash
# A rank that stops answering, as a hung node does: it is left out, and the result is the same.
here=$(cd "$(dirname "$0")" && pwd)
. "$(dirname "$0")/support.sh"
. "$(dirname "$0")/mpi_support.sh"

# Evaluations wait for a file, so that a rank is certainly stopped in the middle of one. Each tells which rank it is of.
cat >program.sh <<'S'
: >"begun-$PPID"
while [ ! -e go ]; do sleep 0.05; done
awk '{printf "%.17g\n", ($1 - 1)^2 + 10 * ($2 - $1)^2}'
S
search=(minimize --command "sh program.sh" --x0 3,3 --sigma0 1 --seed 1 --popsize 8 --maxiter 12 --evaluate-x0 false --quiet)
# Starts three ranks with further options and waits until each of them evaluates.
start_three() {
  rm -f go begun-* held free run.*
  start_ranks 3 "${search[@]}" --mpi "$@"
  wait_for all_evaluate
  ranks=$(rank_pid 0; rank_pid 1; rank_pid 2)
}
all_evaluate() {
  local rank
  for rank in 0 1 2; do [ -e "begun-$(rank_pid $rank)" ] || return; done
}
# False if mpirun has crashed: nobody ends its ranks then.
end_of_ranks() {
  wait_for_mpirun
  mpirun_crashed || return 0
  # shellcheck disable=SC2086 # several
  kill -9 $ranks 2>/dev/null
  return 1
}
expect_whole() {
  cmp -s out whole.out || fail "another result with $1"
  cmp -s run.jsonl whole.jsonl || fail "another trace with $1"
}

touch go
run "${search[@]}" --trace whole.jsonl --json
cp out whole.out

stopped_rank() {
  start_three --rank-timeout 3 --trace run.jsonl --json
  silent=$(rank_pid 2)
  kill -STOP "$silent"
  touch go
  end_of_ranks || return
  expect_status 1; expect_err "rank 2 does not answer and is left out"
  grep -qiE 'MPI_ABORT|without calling' err && fail "the job was ended by force although the rank could be woken"
  expect_whole "a silent rank"
  wait_for "gone $silent"
}
try stopped_rank

# SIGTERM ends rank 0 although another rank does not answer.
interrupted_search() {
  start_three --rank-timeout 2 --checkpoint run.sf
  wait_for '[ -f run.sf ]'
  silent=$(rank_pid 1)
  kill -STOP "$silent"
  kill -TERM "$(rank_pid 0)"
  end_of_ranks || return
  expect_status 130; expect_out "surefoot resume run.sf"
  wait_for "gone $silent"
  touch go
  run resume run.sf --json
  cmp -s out whole.out || fail "another result on resume"
}
try interrupted_search

# A rank that nobody can wake, as on a dead node: a debugger holds its main thread. Rank 0 ends without it.
cat >hold.py <<'P'
import ctypes, os, sys
rank, attach, wait_all = int(sys.argv[1]), 16, 0x40000000
if ctypes.CDLL(None).ptrace(attach, rank, None, None) != 0:
    open("free", "w").close()
    sys.exit()
os.waitpid(rank, wait_all)
open("held", "w").close()
while not (os.WIFSIGNALED(status := os.waitpid(rank, wait_all)[1]) or os.WIFEXITED(status)):
    pass
P
held_rank() {
  start_three --rank-timeout 3 --trace run.jsonl --json
  silent=$(rank_pid 2)
  python3 hold.py "$silent" &
  holder=$!
  wait_for '[ -e held ] || [ -e free ]'
  touch go
  end_of_ranks || return
  if [ -e held ]; then
    expect_status 1; expect_err "rank 2 does not answer and is left out"
  else
    echo "no process may be held here: that part is left out"
  fi
  expect_whole "a rank that cannot be woken"
  wait_for "gone $silent"
  wait $holder
  return 0
}
try held_rank

# A rank that falls silent between MPI_Init and the first message.
silent_from_the_start() {
  shown="mpirun -n 3 with a rank that stops after MPI_Init"
  timeout 120 "$mpirun" -n 3 -x LD_PRELOAD="$PWD/stop_after_init.so" "$surefoot" "${search[@]}" --mpi --rank-timeout 3 \
    >out 2>err
  status=$?
  ! mpirun_crashed || return
  [ $status -ne 0 ] && [ $status -ne 124 ] || fail "exit status $status"
  expect_err "not all of the 3 ranks have begun within 3 s (--rank-timeout)"
  [ "$(grep -c 'not all of the 3 ranks' err)" -eq 1 ] || fail "said more than once"
}
if command -v mpicc >/dev/null && mpicc -shared -fPIC -o stop_after_init.so "$here/stop_after_init.c" -ldl; then
  touch go
  try silent_from_the_start
else
  echo "no C compiler of MPI: that part is left out"
fi

run minimize --mpi --problem sphere --dim 2 --rank-timeout 0
expect_status 2; expect_err rank-timeout
exit $failed
