#!/usr/bin/env bash
# arena: same files for any number of threads and after being killed; wrong input.
. "$(dirname "$0")/support.sh"
cd "$work" || exit 1

small=(arena --methods xnes,lra:frame=B --functions sphere,rotated-cigar,bohachevsky,noisy-sphere,random --dims 2-3
  --trials 2 --blocks 2)
run "${small[@]}" --threads 1 --out one
expect_status 0
expect_out "lra:frame=B" "success 1.00" "distance of the mean" "sigma x" "written to one"
[ "$(wc -l <one/trials.csv)" -eq $((2 * 5 * 2 * 2 * 4 + 1)) ] || fail "trials.csv has not one row for each trial"
for file in summary.json report.html protocol.json traces/0_sphere.csv; do
  [ -s one/$file ] || fail "one/$file is missing"
done

run "${small[@]}" --threads 4 --out four
expect_status 0
diff -r one four >"$work/err" || fail "1 and 4 threads give different files"

kill_and_resume "0.02 0.05 0.1 0.2 0.4" "${small[@]}"

run "${small[@]}" --seed 2 --out one
expect_status 2; expect_err "another protocol" "'seed'"
run arena --functions everest --out x
expect_status 2; expect_err functions everest rotated-sphere
run arena --methods everest --out x
expect_status 2; expect_err methods everest
run arena --methods random --out x
expect_status 2; expect_err methods random
run arena --popsize 3 --out x
expect_status 2; expect_err popsize "'3'" 3x
run arena --dims 1 --out x
expect_status 2; expect_err dim 1 "at least 2"
run arena --trials 0 --out x
expect_status 2; expect_err trials 0 "at least 1"
run arena --methods xnes --against cma --out x
expect_status 2; expect_err against cma "one of the methods"
[ ! -e x ] || fail "wrong input made a folder"
exit $failed
