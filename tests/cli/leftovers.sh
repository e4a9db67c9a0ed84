#!/usr/bin/env bash
# What killed and refused searches leave behind.
. "$(dirname "$0")/support.sh"
cd "$work" || exit 1
export TMPDIR=$work/tmp
mkdir tmp

# A start that is refused leaves neither a log nor a trace nor a checkpoint, and does not touch what was there.
for words in "echo none" "./missing" "sh -c 'exit 0'"; do
  run minimize --command "$words" --x0 1,1 --sigma0 1 --log new.csv --trace new.jsonl --checkpoint new.sf
  expect_status 2
  ls -d new.* >/dev/null 2>&1 && fail "left behind: $(ls -d new.*)"
done
echo a,b >mine.csv
run minimize --problem sphere --dim 2 --log mine.csv --trace new.jsonl
expect_status 2
[ -e new.jsonl ] && fail "a refused log left a trace"
# A failing evaluation is not a refusal: what was evaluated stays.
run minimize --command "sh -c 'exit 3'" --x0 1,1 --sigma0 1 --log kept.csv --trace kept.jsonl --maxfevals 5
[ "$(wc -l <kept.csv)" = 6 ] || fail "the log of failures has $(wc -l <kept.csv) lines"

# Temporary files of a process that was killed go away with the search that is resumed; those of others stay.
run minimize --problem sphere --dim 2 --seed 1 --method xnes --maxiter 5 --checkpoint l.sf --log l.csv --trace l.jsonl
sleep 0 & dead=$!; wait $dead
own="l.csv.$dead.0.tmp l.jsonl.$dead.3.tmp l.sf.tmp.$dead.0 l.sf.$dead.0.tmp l.sf.journal.$dead.1.tmp"
for name in $own; do : >"$name"; done
others="l.csv.$$.0.tmp l.csv.x.0.tmp l.csv.tmp l2.csv.$dead.0.tmp l.csv.$dead.tmp"
for name in $others; do : >"$name"; done
run resume l.sf --maxiter 8
expect_status 1
for name in $others; do [ -e "$name" ] || fail "$name of somebody else was removed"; done
for name in $own; do [ -e "$name" ] && fail "$name was left behind"; done

# Folders: of evaluations that were cut off, and of failures that are evaluated again.
cat >slow.sh <<'END'
#!/bin/sh
sleep 0.02
case $(cat in.txt) in *[37]) echo broken >&2; exit 3 ;; esac
echo 1 >out.txt
cat in.txt | awk '{print ($1 - 1)^2 + ($2 - 1)^2}' >out.txt
END
chmod +x slow.sh
echo '{x0} {x1}' >in.txt.in
search=(--command ./slow.sh --template in.txt.in --output file:out.txt --x0 0.3,0.4 --sigma0 0.5 --seed 3 --workers 3
  --method xnes --restarts none --maxfevals 90 --quiet)
run minimize "${search[@]}" --keep failed --folders whole --checkpoint whole.sf
folders() { (cd "$1" && ls | sort); }
for kind in kept private; do
  words=(--checkpoint "$kind.sf")
  [ $kind = kept ] && words+=(--keep failed --folders kept)
  "$surefoot" minimize "${search[@]}" "${words[@]}" >out 2>err &
  pid=$!
  for _ in 1 2 3 4 5 6 7 8; do
    sleep 0.2
    kill -9 $pid 2>/dev/null || break
    wait $pid 2>/dev/null
    if [ -f $kind.sf ]; then
      "$surefoot" resume $kind.sf --quiet >out 2>err &
    else
      rm -rf kept
      "$surefoot" minimize "${search[@]}" "${words[@]}" >out 2>err &
    fi
    pid=$!
  done
  wait $pid
  run resume $kind.sf
done
shown="folders of a search that was killed"
[ "$(folders kept)" = "$(folders whole)" ] || fail "$(diff <(folders kept) <(folders whole))"
for folder in kept/*; do [ -f "$folder/surefoot.txt" ] || fail "$folder has no account"; done
[ -z "$(ls tmp)" ] || fail "left among the temporary files: $(ls tmp)"
exit $failed
