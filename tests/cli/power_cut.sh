#!/usr/bin/env bash
# Power cuts: what was not synced is gone, or zeros. The search goes on and ends as if nothing had happened.
. "$(dirname "$0")/support.sh"
shim=$(realpath "$3")
cd "$work" || exit 1

cat >slow.sh <<'E'
while read -r a b; do
  echo >>"$COUNT"
  awk -v a="$a" -v b="$b" 'BEGIN {printf "%.17g\n", 100 * (b - a * a)^2 + (1 - a)^2}'
done
E
export COUNT=$work/count
search() {  # FOLDER, then more options
  local folder=$1
  shift
  "$surefoot" minimize --command "sh slow.sh" --persistent --x0=-1,2 --sigma0 0.5 --seed 7 --maxfevals 400 --retry 1 \
    --checkpoint "$folder/run.sf" --checkpoint-every 5 --trace "$folder/run.jsonl" --json "$@" >out 2>err
}

mkdir whole
: >count
search whole
status=$?
shown="the search without power cuts"
expect_status 0
cp out whole.out
evaluations=$(wc -l <count)

# Puts what the disk has kept in place of the folder. What was written after the last sync of a file is zeros.
cut_power() {
  local inode name
  mkdir after
  while read -r inode name; do
    if [ -f "kept/$inode" ]; then cp "kept/$inode" "after/$name"; else : >"after/$name"; fi
    size=$(find disk -inum "$inode" -printf '%s\n' | head -1)
    [ "${size:-0}" -gt "$(stat -c %s "after/$name")" ] && truncate -s "$size" "after/$name"
  done <kept/names
  rm -rf disk kept
  mv after disk
  mkdir kept
}

mkdir disk kept
: >count
cuts=0
RANDOM=4
while [ $cuts -lt 12 ]; do
  target=$(($(wc -l <count) + 5 + RANDOM % 40))
  POWER_CUT_FOLDER=$work/disk POWER_CUT_DISK=$work/kept LD_PRELOAD=$shim search disk &
  job=$!
  for _ in $(seq 3000); do  # until it has come so far, or has ended
    [ "$(wc -l <count)" -ge "$target" ] && break
    kill -0 $job 2>/dev/null || break
    sleep 0.02
  done
  pid=$(sed -n 's/.*process \([0-9]*\) on.*/\1/p' disk/run.sf.lock 2>/dev/null)
  [ -n "$pid" ] && kill -9 "$pid" 2>/dev/null
  wait $job 2>/dev/null
  [ -s kept/names ] || fail "the shim has kept nothing: is it loaded?"
  cut_power
  cuts=$((cuts + 1))
done
search disk
status=$?
shown="cut $cuts times"
expect_status 0
cmp -s out whole.out || fail "another result: $(cat out) instead of $(cat whole.out)"
cmp -s disk/run.jsonl whole/run.jsonl || fail "another trace than without power cuts"
# One evaluation a cut is in flight. If no more is lost, everything was synced and the disk forgets nothing.
[ "$(wc -l <count)" -gt $((evaluations + cuts)) ] || fail "nothing was lost by any cut: the disk forgets nothing"
echo "cut $cuts times; $(($(wc -l <count) - evaluations)) of $evaluations evaluations were made again"
exit $failed
