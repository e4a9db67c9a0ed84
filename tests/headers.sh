#!/usr/bin/env bash
# Compiles public headers alone. In C++17 the first error of each says what is needed, and nothing follows it but the end
# of the compilation; in C++20 they need no other header before them. Arguments: source folder, build folder, compiler,
# include flags.
set -euo pipefail
source=$1 build=$2 compiler=$3
shift 3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED: $1"; cat "$work/log"; exit 1; }

for header in "$source"/include/surefoot/*.hpp; do
  name=surefoot/$(basename "$header")
  echo "#include <$name>" >"$work/header.cpp"
  flags=(-fsyntax-only -I"$source/include" -I"$build/include" "$@" "$work/header.cpp")
  "$compiler" -std=c++17 "${flags[@]}" >"$work/log" 2>&1 && fail "$name compiles in C++17"
  grep -m1 error "$work/log" | grep -q 'Surefoot needs C++20' || fail "$name in C++17"
  [ "$(grep -c 'error: ' "$work/log")" -le 2 ] || fail "$name has more to say in C++17"
done
for name in surefoot point bounds options learning_rate method; do
  echo "#include <surefoot/$name.hpp>" >"$work/header.cpp"
  flags=(-fsyntax-only -I"$source/include" -I"$build/include" "$@" "$work/header.cpp")
  "$compiler" -std=c++20 "${flags[@]}" >"$work/log" 2>&1 || fail "$name alone in C++20"
done
