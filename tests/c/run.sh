#!/usr/bin/env bash
# Compiles and runs the examples of one language against libsurefoot_c. All languages must find the same bits.
# Usage: run.sh c|fortran|r|ctypes SOURCE FOLDER_OF_LIBRARY
set -euo pipefail
language=$1 source=$(realpath "$2") libraries=$(realpath "$3")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
warnings=(-Wall -Wextra -Werror)
link=(-L"$libraries" -lsurefoot_c -Wl,-rpath,"$libraries")
examples=$source/examples/$language

need() { command -v "$1" >/dev/null || { echo "skipped: there is no $1"; exit 77; }; }
fail() { echo "FAILED: $*"; exit 1; }

# The last line that a program prints is the result that C++ has for the same options and seed (c_interface_test.cpp).
expect_the_bits() {
  "$@" | tee output
  [ "$(tail -1 output)" = "$(cat "$source/tests/c/expected.txt")" ] || fail "another result than in C++: $*"
}

compile_c() { cc -std=c99 -pedantic "${warnings[@]}" -Wstrict-prototypes -I"$source/include" "$@"; }

case $language in
  c)
    need cc
    compile_c "$examples/minimize.c" "${link[@]}" -o minimize
    expect_the_bits ./minimize
    compile_c "$examples/ask_tell.c" "${link[@]}" -lm -o ask_tell
    ./ask_tell | tee output
    grep -qx 'layers = 3' output && grep -qx 'kind = tanh' output || fail "another minimum"
    # The program of the page.
    awk '/^```c$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$source/docs/how-to/c.md" >page.c
    compile_c page.c "${link[@]}" -o page
    ./page
    # The header alone, in C99, and nothing exported but what it declares, under the version sf_1.
    echo '#include <surefoot.h>' | compile_c -x c -fsyntax-only -
    grep -o '\bsf_[a-z_]*(' "$source/include/surefoot.h" | tr -d '(' | sort -u >declared
    nm -D --defined-only --with-symbol-versions "$libraries/libsurefoot_c.so" | awk '$2 == "T" { print $3 }' | sort -u >shown
    grep -v '^sf_.*@@sf_1$' shown && fail "libsurefoot_c shows more than its interface"
    sed 's/@@.*//' shown | diff declared - || fail "header and library differ"
    ;;
  fortran)
    need gfortran
    gfortran -std=f2018 -pedantic -Wall -Werror -Wno-unused-dummy-argument -Wno-unused-function -J. \
      "$examples/surefoot.f90" "$examples/minimize.f90" "${link[@]}" -o minimize
    # Fortran writes other exponents than C.
    ./minimize | sed 's/= */= /; s/E\([+-]\)0\{0,1\}\([0-9][0-9]\) /e\1\2 /' >raw
    expect_the_bits cat raw
    ;;
  r)
    need Rscript
    cc -shared -fPIC "${warnings[@]}" -I"$(Rscript -e 'cat(R.home("include"))')" -I"$source/include" \
      "$examples/surefoot_r.c" "${link[@]}" -o surefoot_r.so
    expect_the_bits Rscript "$examples/minimize.R" "$work/surefoot_r.so"
    ;;
  ctypes)
    expect_the_bits python3 "$examples/minimize.py" "$libraries/libsurefoot_c.so"
    # An exception of the function ends the search and arrives, and is no value 0.
    PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$examples python3 - "$libraries/libsurefoot_c.so" <<'PYTHON'
import sys
import minimize

calls = []

def broken(x):
    calls.append(x)
    return 1 / 0 if len(calls) == 5 else sum(xi * xi for xi in x)

try:
    found = minimize.minimize(minimize.load(sys.argv[1]), broken, [3, 3, 3], 2, ftarget=1e-8, seed=1)
except ZeroDivisionError:
    assert len(calls) == 5, len(calls)
else:
    sys.exit(f"FAILED: no exception but {found}")
PYTHON
    ;;
esac
