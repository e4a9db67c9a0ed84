#!/usr/bin/env bash
# Compiles and runs every C++ program of the README and of the tutorial against the installed package, then one of them by pkg-config, and
# configures the project as a subdirectory of another, which exports a target that links it. Programs whose Eigen differs
# from the library's work, or are refused by compiler or linker. A project in C needs no Eigen. Arguments: source folder,
# build folder, compiler, and `whole` to build the subdirectory too, and what is installed by the README's own words: it
# compiles the whole library twice more.
set -euo pipefail
source=$1 build=$2 compiler=$3 extent=${4:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
step() { "$@" >"$work/log" 2>&1 || { echo "FAILED: $*"; tail -30 "$work/log"; exit 1; }; }

if [ "$extent" = whole ]; then
  words=$(grep -o 'cmake --preset release && cmake --build --preset release && sudo cmake --install build/release' "$source/README.md")
  cd "$source"
  step sh -c "${words%% && sudo*}"
  build=$source/build/release
fi
step cmake --install "$build" --prefix "$work/prefix"
step grep -q Random123 "$work/prefix/share/doc/surefoot/THIRD_PARTY"

# ```cpp blocks that hold a main function become program-1.cpp, program-2.cpp, ...
awk -v out="$work/program-" '
  /^```cpp$/ { inside = 1; text = ""; next }
  /^```$/ && inside { inside = 0; if (text ~ /int main/) { n++; printf "%s", text > (out n ".cpp") } next }
  inside { text = text $0 "\n" }' "$source/README.md" "$source/docs/tutorials/first-cpp.md"
ls "$work"/program-*.cpp >/dev/null

cd "$work"  # one program writes files
for program in "$work"/program-*.cpp; do
  step cmake -G Ninja -S "$source/tests/consumer" -B "$work/build" -DCMAKE_PREFIX_PATH="$work/prefix" -DPROGRAM="$program" \
    -DCMAKE_CXX_COMPILER="$compiler"
  step cmake --build "$work/build"
  step "$work/build/consumer"
  cat "$work/log"
done

PKG_CONFIG_PATH=$(dirname "$(find "$work/prefix" -name surefoot.pc)")
export PKG_CONFIG_PATH
read -ra flags <<<"$(pkg-config --cflags --libs surefoot)"
step "$compiler" -std=c++20 "$work/program-1.cpp" "${flags[@]}" -o "$work/by-pkg-config"
step "$work/by-pkg-config"

# Any instruction set and sanitizer: the package says how the library's Eigen aligns and frees memory. Processors
# without AVX compile such programs and do not run them.
for flag in -mavx2 -march=native -fsanitize=address; do
  step "$compiler" -std=c++20 "$flag" "$work/program-1.cpp" "${flags[@]}" -o "$work/with-flag"
  [ "$flag" != -mavx2 ] || grep -qw avx2 /proc/cpuinfo || continue
  step "$work/with-flag"
  step cmake -G Ninja -S "$source/tests/consumer" -B "$work/flagged" -DCMAKE_PREFIX_PATH="$work/prefix" \
    -DPROGRAM="$work/program-1.cpp" -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_CXX_FLAGS="$flag"
  step cmake --build "$work/flagged"
  step "$work/flagged/consumer"
done

# Other ways of Eigen. Usage: refused WORDS FLAGS...: for want of what the words say.
refused() {
  local words=$1
  shift
  if "$compiler" -std=c++20 "$work/other.cpp" "${flags[@]}" "$@" -o "$work/other" >"$work/refusal" 2>&1; then
    echo "FAILED: built with $*"
    exit 1
  fi
  grep -q "$words" "$work/refusal" || { echo "FAILED: $*"; cat "$work/refusal"; exit 1; }
}
printf '#include <surefoot/types.hpp>\nint main() {}\n' >"$work/other.cpp"
step "$compiler" -std=c++20 "$work/other.cpp" "${flags[@]}" -o "$work/other"
refused 'library_built_with_EIGEN_MAX_ALIGN_BYTES<128,' -DEIGEN_MAX_ALIGN_BYTES=128
refused 'library_built_with_EIGEN_MAX_ALIGN_BYTES.*EIGEN_MALLOC_ALREADY_ALIGNED_0' -DEIGEN_MALLOC_ALREADY_ALIGNED=0
refused 'leave EIGEN_DEFAULT_DENSE_INDEX_TYPE undefined' -DEIGEN_DEFAULT_DENSE_INDEX_TYPE=int
cat >"$work/rows.cpp" <<'CPP'
#include <surefoot/surefoot.hpp>

int main() {
  surefoot::Optimizer search({1, 2, 3}, 2, {.popsize = 6, .seed = 1});
  search.ask();
  search.tell(surefoot::Vector::Constant(1, 14));
  const Eigen::MatrixXd points = search.ask();
  return points(0, 1) == search.ask().data()[3] && points(1, 0) == search.ask().data()[1] ? 0 : 1;
}
CPP
step "$compiler" -std=c++20 -DEIGEN_DEFAULT_TO_ROW_MAJOR "$work/rows.cpp" "${flags[@]}" -o "$work/rows"
step "$work/rows"

if [ -f "$PKG_CONFIG_PATH/surefoot_c.pc" ]; then
  for components in '' 'COMPONENTS;c'; do
    step cmake -G Ninja -S "$source/tests/consumer/c" -B "$work/c" -DCMAKE_PREFIX_PATH="$work/prefix" \
      -DCOMPONENTS="$components" -DCMAKE_DISABLE_FIND_PACKAGE_Eigen3=ON
    step cmake --build "$work/c"
    step "$work/c/consumer"
  done
fi

step cmake -G Ninja -S "$source/tests/consumer" -B "$work/sub" -DSUREFOOT_SOURCE="$source" -DPROGRAM="$work/program-1.cpp" \
  -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_UNITY_BUILD=ON -DSUREFOOT_INSTALL=ON -DCMAKE_INSTALL_LIBDIR=/some/lib64 \
  -DCMAKE_INSTALL_INCLUDEDIR=/other/include
mkdir -p "$work/absolute/pkgconfig"
cp "$work/sub/surefoot/surefoot.pc" "$work/absolute/pkgconfig"
absolute=$(PKG_CONFIG_PATH=$work/absolute/pkgconfig pkg-config --cflags --libs surefoot)
[[ $absolute == *"-I/other/include "*"-L$work/absolute/pkgconfig/.. "* ]] || { echo "FAILED: $absolute"; exit 1; }
if [ "$extent" = whole ]; then
  step cmake --build "$work/sub"
  step "$work/sub/consumer"
fi
step "$work/prefix/bin/surefoot" --version
echo "README programs run with find_package, pkg-config and add_subdirectory"
