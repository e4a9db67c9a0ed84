# Helpers of the tests with ranks. Usage: . support.sh; . mpi_support.sh. Further arguments of the test: mpirun, the example
# and the measuring program; without them the program was built without MPI.
cd "$work" || exit 1

if [ -z "${3:-}" ]; then
  run minimize --mpi --problem sphere --dim 2
  expect_status 2; expect_err "built without MPI" SUREFOOT_BUILD_MPI
  [ $failed -eq 0 ] || exit 1
  echo "skipped: this program was built without MPI"
  exit 77
fi
mpirun=$3
# As root, in a container, with more ranks than processors, on this machine only.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 \
  OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_btl=self,vader \
  OMPI_MCA_plm=isolated
if ! timeout 30 "$mpirun" -n 2 true >out 2>err; then
  cat err
  echo "skipped: mpirun cannot start processes here"
  exit 77
fi

run_ranks() {  # how many, words
  local ranks=$1
  shift
  timeout 60 "$mpirun" -n "$ranks" "$surefoot" "$@" >out 2>err
  status=$?
  shown="mpirun -n $ranks surefoot $*"
}
start_ranks() {  # the same in the background; sets pid of mpirun
  local ranks=$1
  shift
  shown="mpirun -n $ranks surefoot $*"
  "$mpirun" -n "$ranks" "$surefoot" "$@" >out 2>err &
  pid=$!
}
rank_pid() { pgrep -P "$pid" -x surefoot | sort -n | sed -n "$(($1 + 1))p"; }
