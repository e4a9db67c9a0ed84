#!/usr/bin/env bash
# The package as pip and as CMake install it, used from a folder without sources. Usage: install.sh SOURCE BUILD PYTHON
set -euo pipefail
source=$(realpath "$1")
build=$(realpath "$2")
python=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

try() {  # where the package must lie, then the interpreter
  local place=$1
  shift
  "$@" - "$place" <<'PYTHON'
import sys
import surefoot
assert surefoot.__file__.startswith(sys.argv[1]), surefoot.__file__
r = surefoot.minimize(lambda x: (x**2).sum(), [3, 3, 3], 2, ftarget=1e-8, seed=1, workers=2, method="ig-xnes", restarts="none")
assert r.success and r.nfev == 456, r
PYTHON
}

# A copy, since pip leaves its traces in the sources. The extension is taken from the build tree: compiling it takes minutes.
mkdir clone
(cd "$source" && git ls-files -z 2>/dev/null | tar --null -T - -cf - 2>/dev/null || tar --exclude=build -cf - .) | tar -xf - -C clone
"$python" -m venv --system-site-packages env
SUREFOOT_BUILD_DIR=$build env/bin/pip install --quiet --no-index --no-build-isolation --no-deps ./clone
try "$work/env" env/bin/python
ls env/lib/python3*/site-packages/surefoot/py.typed >/dev/null || { echo "py.typed is missing"; exit 1; }
grep -q "^Version: [0-9]" <<<"$(env/bin/pip show surefoot)" || { echo "no version"; exit 1; }

cmake --install "$build" --component python --prefix "$work/prefix" >/dev/null
folder=$(dirname "$(dirname "$(find "$work/prefix" -name __init__.py)")")
PYTHONPATH=$folder try "$folder" "$python"
echo ok
