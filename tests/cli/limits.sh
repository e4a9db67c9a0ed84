#!/usr/bin/env bash
# Limits on outputs by name, and which of them is minimised or maximised.
. "$(dirname "$0")/support.sh"
cd "$work" || exit 1

# A current that grows with a and b, a gain between two values and a voltage: the least current is at the lower side of
# the gain, a = 1.975 and b = 0.
cat >amp.sh <<'END'
#!/bin/sh
awk '{a = $2; b = $4
  printf "noise\ngmid = %.17g\nic = %.17g\nvc = %.17g\n", 20 * a, a * 1e-3 + b * b * 1e-3, 5 + a + b}'
END
chmod +x amp.sh
outputs=(--output 'gain=regex:gmid = (.*)' --output 'ic=regex:ic = (.*)' --output 'regex:vc = (?P<vc>.*)')
params=(--param 'a=real(0,5,start=1)' --param 'b=real(-2,2,start=1)')
base=(--command ./amp.sh "${params[@]}" --seed 1 --maxfevals 300)
limits=(--limit 'gain=39.5..40.5' --limit 'vc=6.5..7.5' --minimize ic)

run minimize "${base[@]}" "${outputs[@]}" "${limits[@]}" --trace t.jsonl --checkpoint t.sf
expect_out "(ic)" "limits   all met" "gain = 39.5..40.5" "vc = 6.5..7.5" "met"
cp t.jsonl lexicographic.jsonl
run minimize "${base[@]}" "${outputs[@]}" "${limits[@]}" --constraints-mode augmented-lagrangian --quiet --trace al.jsonl
expect_out ", met, multiplier"
run report al.jsonl
grep -q '"multipliers":\[' al.html || fail "the page lacks multipliers"
run minimize "${base[@]}" "${outputs[@]}" "${limits[@]}" --json --quiet
expect_out '"constraint_names":["gain >= 39.5","gain <= 40.5","vc >= 6.5","vc <= 7.5"]' '"feasible":true' \
  '"objective":{"name":"ic","maximized":false,"value":0.00197' '"limits":[{"name":"gain","low":39.5,"high":40.5,"value":39.5' \
  '"met":true,"excess":0.0,"multiplier":'
cp out first
python3 - <<'END' || fail "the optimum is another one: $(cat out)"
import json
r = json.load(open("out"))
a, b = r["params"]["a"], r["params"]["b"]
gain, vc = r["limits"]
assert abs(a - 1.975) < 1e-3 and abs(b) < 0.05, (a, b)
assert abs(gain["value"] - 20 * a) < 1e-9 and abs(vc["value"] - (5 + a + b)) < 1e-9
assert abs(r["fun"] - r["objective"]["value"]) == 0 and abs(r["g"][0] - (39.5 - 20 * a)) < 1e-9
END
run status t.sf
expect_out "limits   all met" "gain = 39.5..40.5" ", minimize ic, limit gain = 39.5..40.5, limit vc = 6.5..7.5"
# The page has the table.
run report t.jsonl
expect_status 0; expect_out t.html
grep -qF '"limits":[{"name":"gain","low":39.5,"high":40.5,"scale":1.0}' t.html || fail "the page lacks the limits"
grep -qF limitTable t.html || fail "the page lacks the table"
# Another limit is another search; a search that is resumed keeps its own, or gets new ones by name.
run minimize "${base[@]}" "${outputs[@]}" --limit 'gain=39..40.5' --limit 'vc=6.5..7.5' --minimize ic --checkpoint t.sf
expect_status 2; expect_err "it belongs to another search" "limit gain = 39..40.5"
run resume t.sf --maxfevals 310 --json
expect_out '"nfev":310' '"name":"gain"'

# Other forms of the same: one side at a time, suffixes, TOML.
run minimize "${base[@]}" "${outputs[@]}" --limit 'gain >= 39.5' --limit 'gain<=40.5' --limit 'vc=6500m..7.5' --minimize ic \
  --json --quiet
cmp -s out first || fail "other forms of limits give another result: $(cat out)"
cat >amp.toml <<'END'
command = "./amp.sh"
param = ["a=real(0,5,start=1)", "b=real(-2,2,start=1)"]
output = ["gain=regex:gmid = (.*)", "ic=regex:ic = (.*)", "regex:vc = (?P<vc>.*)"]
minimize = "ic"
seed = 1
maxfevals = 300
json = true
quiet = true
[limit]
gain = [39.5, 40.5]
vc = "6.5..7.5"
END
run minimize --config amp.toml
cmp -s out first || fail "the TOML file gives another result: $(cat out)"
run minimize --config amp.toml --print-config
grep -qF 'limit = ["gain=39.5..40.5", "vc=6.5..7.5"]' out || fail "--print-config: $(cat out)"
cp out again.toml
run minimize --config again.toml
cmp -s out first || fail "what --print-config prints gives another result: $(cat out)"

# One-sided limits and the largest value; the target is that of the output.
run minimize "${base[@]}" "${outputs[@]}" --limit 'ic<=3m' --limit 'vc=6..' --maximize gain --json --quiet
expect_out '"constraint_names":["ic <= 0.003","vc >= 6"]' '"objective":{"name":"gain","maximized":true,"value":5' \
  '"low":null,"high":0.003'
run minimize "${base[@]}" "${outputs[@]}" --limit 'ic<=3m' --limit 'vc=6..' --maximize gain --ftarget 55
expect_status 0; expect_out "(gain = 5" ", maximized)"; expect_err "maximizing gain"
run minimize "${base[@]}" "${outputs[@]}" --limit 'ic<=3m' --limit 'vc=6..' --maximize gain --ftarget 5500
expect_status 1
# Not met: by how much, on which side.
run minimize "${base[@]}" "${outputs[@]}" --limit 'gain=39.5..40.5' --limit 'vc>=60' --minimize ic
expect_status 1; expect_out "limits   not met" "vc >= 60" "too low"
# --check shows the outputs and what they became; a failed evaluation can be repeated.
run minimize "${base[@]}" "${outputs[@]}" "${limits[@]}" --check
expect_status 0; expect_out "outputs  gain = 20" "ic = 0.002" "value    f = 0.002" "gain >= 39.5 = 19.5" "vc <= 7.5 = -0.5"
run evaluate --command ./amp.sh "${params[@]}" "${outputs[@]}" "${limits[@]}" --set a=2 --set b=0
expect_status 0; [ "$(cat out)" = "0.002 -0.5 -0.5 -0.5 -0.5" ] || fail "evaluate: $(cat out)"

refused() { run minimize "${base[@]}" "${@:2}"; expect_status 2; expect_err "$1"; }
refused "limit = 'gian' is not allowed: outputs with names are gain, ic, vc; did you mean 'gain'?" "${outputs[@]}" \
  --limit 'gian=1..2' --minimize ic
refused "minimize = 'x'" "${outputs[@]}" --minimize x
refused "output gain: nothing uses it" "${outputs[@]}" --minimize ic --limit 'vc>=6'
refused "maximize: not together with minimize" "${outputs[@]}" --minimize ic --maximize gain
refused "the lower side must be below the upper one" "${outputs[@]}" --limit 'gain=2..1'
refused "as in gain=0.99..1.01" "${outputs[@]}" --limit 'gain=1..1'
refused "it is NAME=LOW..HIGH" "${outputs[@]}" --limit 'gain=40'
refused "it is NAME=LOW..HIGH" "${outputs[@]}" --limit 'gain'
refused "'x' is not a finite number" "${outputs[@]}" --limit 'gain<=x'
refused "there is the limit gain <= 40 already" "${outputs[@]}" --limit 'gain<=40' --limit 'gain=1..50' --minimize ic
refused "only together with --output" --limit 'gain<=40'
refused "constraints: not together with --limit" "${outputs[@]}" "${limits[@]}" --constraints 2
refused "limits need names" --output stdout --limit 'gain<=40'
refused "no output has a name" --output 'regex:ic = (.*)' --limit 'gain<=40'
run minimize --problem sphere --dim 2 --minimize ic
expect_status 2; expect_err "minimize: only together with --command"
exit $failed
