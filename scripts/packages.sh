# Installs Debian or Ubuntu packages that are missing. Usage: . packages.sh; need_packages NAME...

need_packages() {
  local missing=() name
  for name in "$@"; do
    dpkg-query -W -f='${Status}' "$name" 2>/dev/null | grep -q '^install ok installed$' || missing+=("$name")
  done
  [ ${#missing[@]} -eq 0 ] && return
  if ! command -v apt-get >/dev/null; then
    echo "This system has no apt-get. Please install what these Debian packages hold: ${missing[*]}" >&2
    exit 1
  fi
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      echo "Please run as root or install sudo; these packages are missing: ${missing[*]}" >&2
      exit 1
    fi
    as_root=(sudo)
  fi
  echo "installing ${missing[*]}"
  local log apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=600)
  log=$(mktemp)
  if [ -z "${lists_are_new:-}" ] && ! "${apt[@]}" update >"$log" 2>&1; then
    echo "warning: apt-get update failed, trying with the package lists there are" >&2
  fi
  lists_are_new=yes
  for name in "${missing[@]}"; do
    if ! apt-cache show "$name" >/dev/null 2>&1; then
      echo "Package $name cannot be had from this system's package sources." >&2
      rm -f "$log"
      exit 1
    fi
  done
  # A new system may be installing updates of its own: then wait for it.
  if ! "${apt[@]}" install -y --no-install-recommends "${missing[@]}" >"$log" 2>&1; then
    echo "Installing ${missing[*]} failed:" >&2
    tail -15 "$log" >&2
    rm -f "$log"
    exit 1
  fi
  rm -f "$log"
}

# What it takes to build the library and the program.
build_packages=(cmake ninja-build g++ libeigen3-dev libfmt-dev librandom123-dev libcli11-dev nlohmann-json3-dev
  libjs-chart.js libre2-dev libtomlplusplus-dev)

# What the Python package is compiled with, and with that what it works with and is tested with.
python_build_packages=(python3 python3-dev pybind11-dev)
python_packages=("${python_build_packages[@]}" python3-pip python3-setuptools python3-venv python3-wheel python3-numpy
  python3-scipy python3-matplotlib python3-pytest)

# Installs all of the packages or, where one cannot be had, says what is left out. Usage: want_packages 'what' NAME...
want_packages() {
  local what=$1
  shift
  if ! (need_packages "$@"); then echo "warning: left out for want of packages: $what" >&2; fi
}

# Runs a command and shows its output only if it fails. Usage: quietly 'what it is' COMMAND...
quietly() {
  local what=$1 log begin=$SECONDS
  shift
  log=$(mktemp)
  if ! "$@" >"$log" 2>&1; then
    echo "FAILED: $what: $*" >&2
    tail -80 "$log" >&2
    rm -f "$log"
    exit 1
  fi
  rm -f "$log"
  echo "$what: ok ($((SECONDS - begin)) s)"
}
