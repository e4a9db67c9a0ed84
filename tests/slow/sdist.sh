#!/usr/bin/env bash
# From the sdist to a wheel that works: pip builds one from the unpacked sdist, without an index, and a virtual environment
# uses it from a folder without sources. Usage: sdist.sh SOURCE PYTHON. SUREFOOT_BUILD_DIR names a build tree to take the
# binaries from; without it pip compiles them, which takes minutes.
set -euo pipefail
source=$(realpath "$1") python=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
step() { "$@" >"$work/log" 2>&1 || { echo "FAILED: $*"; tail -40 "$work/log"; exit 1; }; }

mkdir "$work/clone"
tar -C "$source" --exclude=./build --exclude=./.git -cf - . | tar -xf - -C "$work/clone"
cd "$work/clone"
step "$python" -c "from setuptools import build_meta; build_meta.build_sdist('$work')"
cd "$work"
tar -xzf surefoot-*.tar.gz
rm -rf clone

step cmake -S surefoot-*/ -B configured  # without a word about what an sdist has not

export SUREFOOT_WHEEL_PROGRAM=1
step "$python" -m pip wheel --no-index --no-build-isolation --no-deps --wheel-dir wheels ./surefoot-*/
wheel=$(echo wheels/surefoot-*.whl)
mkdir unpacked
"$python" -m zipfile -e "$wheel" unpacked
step grep -q Random123 unpacked/surefoot-*.dist-info/THIRD_PARTY

# Shared libraries that every Linux has. A build tree that was given may be linked in other ways.
allowed='linux-vdso|ld-linux|libc\.so|libm\.so|libgcc_s|libstdc\+\+|libpthread|libdl'
if [ -z "${SUREFOOT_BUILD_DIR:-}" ]; then
  for binary in unpacked/surefoot/_core*.so unpacked/surefoot/bin/surefoot; do
    foreign=$(objdump -p "$binary" | awk '$1 == "NEEDED" { print $2 }' | grep -Ev "$allowed" || true)
    [ -z "$foreign" ] || { echo "FAILED: $binary needs $foreign"; exit 1; }
  done
fi

"$python" -m venv --system-site-packages env
step env/bin/pip install --no-index --no-deps "$wheel"
cd /
"$work/env/bin/python" - "$work/env" <<'PYTHON'
import sys
import surefoot
assert surefoot.__file__.startswith(sys.argv[1]), surefoot.__file__
r = surefoot.minimize(lambda x: (x**2).sum(), [3, 3, 3], 2, ftarget=1e-8, seed=1, method="ig-xnes", restarts="none")
assert r.success and r.nfev == 456, r
PYTHON
PATH=/nowhere "$work/env/bin/python" -m surefoot --version
"$work/env/bin/python" -m surefoot minimize --problem sphere --dim 3 --ftarget 1e-8 --seed 1 --quiet
echo "sdist, wheel and python -m surefoot work"
