#!/usr/bin/env bash
# Several ranks: the same bytes as one process, whatever happens to them.
. "$(dirname "$0")/support.sh"
. "$(dirname "$0")/mpi_support.sh"

example=${4:-} efficiency=${5:-}

# A function and a program: whole traces, for every number of ranks and workers. They reach their targets: after any other
# status mpirun waits two seconds.
function=(minimize --problem rosenbrock --dim 5 --seed 3 --ftarget 1e-3 --popsize 12)
run "${function[@]}" --trace one.jsonl --json
cp out one.out
for ranks in 1 2 4 8; do
  run_ranks $ranks "${function[@]}" --mpi --trace $ranks.jsonl --json
  expect_status 0
  cmp -s out one.out || fail "another result"
  cmp -s $ranks.jsonl one.jsonl || fail "another trace"
done
# It fails in three ways, tells its id, and must not take itself for one of our ranks.
cat >program.sh <<'S'
[ -z "${OMPI_COMM_WORLD_RANK:-}${PMIX_RANK:-}" ] || { echo "in an MPI job" >&2; exit 9; }
awk -v id="$1" '{r = int($1 * 1000) % 10; if (r == 0 || r == 1) exit 7; if (r == 2) {print "odd"; exit}
  split(id, part, "-"); printf "%.17g\n", ($1 - 1)^2 + 10 * ($2 - $1)^2 + 1e-9 * part[2]}'
S
program=(minimize --command "sh program.sh" --args '{id}' --x0 3,3 --sigma0 1 --seed 1 --popsize 8 --ftarget 0.01 --retry 1)
run "${program[@]}" --trace p1.jsonl --json
cp out p1.out
grep -q '"kind":"exit","reason":"exit status 7"' p1.jsonl || fail "the program does not fail as it should"
for words in "2 --workers 1" "3 --workers 2"; do
  # shellcheck disable=SC2086 # a number and an option
  run_ranks ${words%% *} "${program[@]}" --mpi ${words#* } --trace p.jsonl --json
  cmp -s out p1.out || fail "another result"
  cmp -s p.jsonl p1.jsonl || fail "another trace"
done
run_ranks 2 minimize --mpi --command "sleep 100" --x0 3,3 --sigma0 1 --seed 1 --eval-timeout 0.1 --popsize 4 --trace p.jsonl
expect_status 3; grep -q '"kind":"timeout"' p.jsonl || fail "the trace does not say timeout"

# A rank is killed, then another; resumed on fewer ranks, and at last without mpirun, nothing but time is lost. Evaluations
# wait once the trace has as many lines as the file `gate` says, so that a rank is certainly killed in the middle.
cat >slow.sh <<'S'
while [ -e gate ] && [ "$(cat run.jsonl 2>/dev/null | wc -l)" -ge "$(cat gate)" ]; do sleep 0.05; done
awk '{printf "%.17g\n", ($1 - 1)^2 + 10 * ($2 - $1)^2}'
S
slow=(minimize --command "sh slow.sh" --x0 3,3 --sigma0 1 --seed 1 --popsize 8 --maxiter 40 --quiet)
run "${slow[@]}" --workers 4 --trace whole.jsonl --json
cp out whole.out
echo 5 >gate
start_ranks 4 "${slow[@]}" --mpi --trace run.jsonl --checkpoint run.sf --json
wait_for '[ "$(cat run.jsonl 2>/dev/null | wc -l)" -ge 5 ]'
kill -9 "$(rank_pid 3)"
wait_for_mpirun
[ $status -ne 0 ] || fail "a lost rank must end the job"
echo 10 >gate
start_ranks 2 resume run.sf
wait_for '[ "$(wc -l <run.jsonl)" -ge 10 ]'
kill -9 "$(rank_pid 1)"
wait_for_mpirun
[ $status -ne 0 ] || fail "a lost rank must end the job"
[ "$(wc -l <run.jsonl)" -lt 40 ] || fail "the search was over before the rank was killed"
rm gate
run resume run.sf --workers 4
cmp -s out whole.out || fail "another result after the loss of ranks: $(cat out) instead of $(cat whole.out)"
cmp -s run.jsonl whole.jsonl || fail "another trace after the loss of ranks"

# Ctrl-C and SIGTERM, to mpirun and to the first rank alone: the checkpoint is written and the best so far printed. mpirun
# kills ranks a second after its SIGTERM, too soon on a busy machine, so it is told to wait; the three cases wait together.
interrupt() ( try interrupt_once "$@"; exit $failed; )
interrupt_once() {  # a number, signal, to whom
  nap="sleep 6$1.$$"  # nobody else's
  signal=$2 target=$3
  work=$(mktemp -d "$work/interrupt.XXXX")
  cd "$work" || exit 1
  export OMPI_MCA_odls_base_sigkill_timeout=5
  start_ranks 3 minimize --mpi --command "sh -c '$nap'" --x0 3,3 --sigma0 1 --seed 1 --checkpoint i.sf
  wait_for '[ -f i.sf ] && pgrep -fx "$nap" >/dev/null'
  if [ "$target" = mpirun ]; then kill "-$signal" $pid; else kill "-$signal" "$(rank_pid 0)"; fi
  wait_for_mpirun
  shown="SIG$signal to $target"
  ! mpirun_crashed || return
  [ $status -ne 0 ] || fail "status 0"
  [ "$target" = mpirun ] || expect_status 130
  expect_out "stopped  interrupted" "surefoot resume i.sf"
  # Nothing survives: neither ranks, for which mpirun does not wait, nor programs.
  wait_for '! pgrep -f "$nap" >/dev/null'
}
interrupt 1 INT mpirun & first=$!
interrupt 2 TERM mpirun & second=$!
interrupt 3 TERM rank || failed=1
wait $first || failed=1
wait $second || failed=1
run_ranks 2 minimize --mpi --command "sleep 61" --x0 3,3 --sigma0 1 --seed 1 --timeout 0.3
expect_status 1; expect_out "time used"

# Wrong usage: one message and a status.
for words in "--problem sphere --dim 3 --popsize 1" "--frobnicate"; do
  # shellcheck disable=SC2086 # several words
  run_ranks 4 minimize --mpi $words
  expect_status 2
  messages=$(grep -cE 'surefoot minimize:|not expected' err)
  [ "$messages" -eq 1 ] || fail "$messages messages"
done
run_ranks 3 minimize --problem sphere --dim 3 --trace forgotten.jsonl
expect_status 2; expect_err "3 processes" --mpi
[ ! -e forgotten.jsonl ] || fail "a search was run without --mpi"
[ "$(grep -c surefoot err)" -lt 4 ] || fail "more than one message"

# Experiments: the same files on four ranks as in one process, and a refusal without --mpi.
same_files() {  # words of an experiment
  rm -rf alone spread
  run "$@" --threads 1 --out alone
  expect_status 0
  run_ranks 4 "$@" --mpi --out spread
  expect_status 0
  diff -r alone spread >>err || fail "other files than those of one process"
  run_ranks 2 "$@" --out forgotten
  expect_status 2; expect_err "2 processes" --mpi
  [ ! -e forgotten ] || fail "an experiment was run without --mpi"
}
bbob=(bench bbob --methods xnes,random --functions 1,8,20 --dims 2,5 --instances 1-2 --budget 200)
same_files reproduce --functions rastrigin --popsizes 30,200 --methods adaptive,x4 --trials 6
same_files bench practical --methods auto,random --problems spring,pid --budgets 20,50 --seeds 2
same_files arena --methods xnes,lra:frame=B --functions sphere,bohachevsky,random --dims 2-3 --trials 2 --blocks 2
same_files "${bbob[@]}"
run "${bbob[@]}" --out alone --coco-data coco_alone
run_ranks 3 "${bbob[@]}" --mpi --threads 2 --out spread --coco-data coco_spread
expect_status 0
diff -r alone spread >>err || fail "other files than those of one process"
diff -r coco_alone coco_spread >>err || fail "other COCO data than those of one process"
run_ranks 2 "${bbob[@]}" --mpi --threads 0 --out x
expect_status 2; expect_err threads 0
run_ranks 2 "${bbob[@]}" --mpi --dims 1 --out x
expect_status 2; expect_err dim 1
[ ! -e x ] || fail "wrong input made a folder"

# A rank of a benchmark is killed; two others, and at last one process, do the rest.
long=(bench bbob --methods cma --functions 15-24 --dims 10 --instances 1-3 --budget 2000)
run "${long[@]}" --out long_alone
for _ in 1 2 3 4 5 6 7 8 9 10; do  # until the kill comes before the end
  rm -rf long
  start_ranks 3 "${long[@]}" --mpi --out long
  wait_for '[ "$(cat long/runs.csv 2>/dev/null | wc -l)" -ge 3 ]'
  kill -9 "$(rank_pid 2)" 2>/dev/null
  wait_for_mpirun
  [ $status -eq 0 ] || break
done
[ "$(wc -l <long/runs.csv)" -lt 31 ] || fail "the benchmark was over before the rank was killed"
run_ranks 2 "${long[@]}" --mpi --out long
expect_status 0
diff -r long_alone long >>err || fail "other files after the loss of a rank"

# Timing is an addition to the trace, and the summary tells when popsize leaves workers without work.
run_ranks 3 "${program[@]}" --mpi --trace timed.jsonl --trace-timing
expect_out "workers  3, evaluating"
grep -q '"seconds":.*"utilisation":0\.' timed.jsonl || fail "the trace has no timing"
sed -E 's/,"seconds":[^,]*,"utilisation":[^,}]*//' timed.jsonl | cmp -s - p1.jsonl || fail "timing changed the trace"
run minimize --command "sh -c 'sleep 0.05; echo nan'" --x0 1,1 --sigma0 1 --popsize 9 --workers 8 --seed 1
expect_out "popsize 9 lets 56 % at most: try --popsize 16"

timeout 240 "$mpirun" -n 3 "$example" >out 2>err || { shown="the example"; fail "status $?"; }
# Shown, not judged: others use this machine too. docs/evidence/cluster.md has the measurements.
timeout 240 "$mpirun" -n 8 "$efficiency" 10 64 8 >out 2>err || { shown="efficiency"; fail "status $?"; }
awk '{print "8 ranks, 10 ms, popsize 64: " $8 " % of the ideal speed, " $10 " us an evaluation at rank 0"}' out
exit $failed
