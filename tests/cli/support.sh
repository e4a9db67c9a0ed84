# Helpers of the command line tests. Usage: . support.sh; then run, expect_status, expect_out, expect_err.
set -u
surefoot=$(realpath "$1")
data=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

run() { timeout 120 "$surefoot" "$@" >"$work/out" 2>"$work/err"; status=$?; shown="surefoot $*"; }

fail() {
  echo "FAILED: $shown: $1"
  echo "--- stdout"; head -20 "$work/out"; echo "--- stderr"; head -20 "$work/err"
  failed=1
}

expect_status() { [ "$status" -eq "$1" ] || fail "exit status $status, expected $1"; }
expect_out() { for text in "$@"; do grep -qF -- "$text" "$work/out" || fail "stdout lacks '$text'"; done; }
expect_err() { for text in "$@"; do grep -qF -- "$text" "$work/err" || fail "stderr lacks '$text'"; done; }
# Waits for a condition, up to two minutes and more: how long something takes is up to the machine.
wait_for() { for _ in $(seq 2400); do eval "$1" && return; sleep 0.05; done; fail "waited in vain for $1"; }
# A process has ended. Nobody may have asked for its status yet.
gone() { [ ! -e "/proc/$1" ] || grep -q '^State:.Z' "/proc/$1/status" 2>/dev/null || [ ! -e "/proc/$1" ]; }
expect_quiet() { [ ! -s "$work/err" ] || fail "something on stderr"; }

# Kills an experiment after each of the delays and then lets it finish: the folder `killed` must be as the folder `one`.
kill_and_resume() {  # delays in one word, then the words of the experiment
  local delay delays=$1
  shift
  for delay in $delays; do
    "$surefoot" "$@" --threads 2 --out killed >"$work/out" 2>"$work/err" &
    sleep "$delay"
    kill -9 $! 2>/dev/null
    wait $! 2>/dev/null
  done
  run "$@" --threads 2 --out killed
  expect_status 0
  find . -name '*.tmp' -delete  # of a kill in the middle of writing
  diff -r one killed >"$work/err" || fail "kill and resume give different files"
}
