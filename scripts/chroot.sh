# Bare Debian systems in folders, made by debootstrap, for tests of what a new machine does. Needs root.
# Usage: . chroot.sh; fresh_chroot NAME; in_chroot NAME COMMAND...; end_chroot NAME
# The base system is kept in the cache folder and copied for each use.

chroot_release=bookworm
chroot_cache=${XDG_CACHE_HOME:-$HOME/.cache}/surefoot-chroot

chroot_folder() { echo "$chroot_cache/$1"; }

make_base() {
  local base=$chroot_cache/$chroot_release site
  [ ! -e "$base/.complete" ] || return 0
  need_packages debootstrap
  mkdir -p "$chroot_cache"
  rm -rf --one-file-system "$base"
  site=$(apt-get indextargets --format '$(SITE) $(RELEASE)' | awk -v r=$chroot_release '$2 == r { print $1; exit }')
  debootstrap --variant=minbase --include=ca-certificates $chroot_release "$base" "$site" >"$chroot_cache/log" 2>&1 ||
    { tail -3 "$chroot_cache/log" >&2; return 1; }
  cp /etc/resolv.conf /etc/hosts "$base/etc/" 2>/dev/null || true
  touch "$base/.complete"
}

fresh_chroot() {
  local folder
  folder=$(chroot_folder "$1")
  make_base
  end_chroot "$1"
  cp -a "$chroot_cache/$chroot_release" "$folder"
  mkdir -p "$folder/dev/shm"
  mount -t proc proc "$folder/proc"
  mount -t tmpfs tmpfs "$folder/dev/shm"
}

in_chroot() {
  local folder
  folder=$(chroot_folder "$1")
  shift
  env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 TERM=dumb \
    DEBIAN_FRONTEND=noninteractive chroot "$folder" "$@"
}

# Usage: install_in_chroot NAME PACKAGE...
install_in_chroot() {
  local name=$1
  shift
  in_chroot "$name" apt-get update -qq
  in_chroot "$name" apt-get install -y -qq --no-install-recommends "$@"
}

end_chroot() {
  local folder part
  folder=$(chroot_folder "$1")
  [ -d "$folder" ] || return 0
  for part in dev/shm proc; do
    ! mountpoint -q "$folder/$part" || umount "$folder/$part" 2>/dev/null || umount -l "$folder/$part"
  done
  rm -rf --one-file-system "$folder"
}
