/* Ask and tell for R: cc -shared -fPIC -I$(Rscript -e 'cat(R.home("include"))') surefoot_r.c -lsurefoot_c -o surefoot_r.so */
#include <R.h>
#include <Rinternals.h>
#include <string.h>
#include <surefoot.h>

static sf_search* search_of(SEXP handle) { return R_ExternalPtrAddr(handle); }

static void finalize(SEXP handle) {
  sf_free(search_of(handle));
  R_ClearExternalPtr(handle);
}

static void check(SEXP handle, int status) {
  if (status != 0) error("%s", sf_message(search_of(handle)));
}

SEXP surefoot_new(SEXP x0, SEXP sigma0) {
  char reason[256] = "";
  sf_search* search = sf_new(length(x0), REAL(x0), asReal(sigma0), reason, sizeof reason);
  if (search == NULL) error("%s", reason);
  SEXP handle = PROTECT(R_MakeExternalPtr(search, R_NilValue, R_NilValue));
  R_RegisterCFinalizerEx(handle, finalize, TRUE);
  UNPROTECT(1);
  return handle;
}

SEXP surefoot_set(SEXP handle, SEXP option, SEXP value) {
  check(handle, sf_set(search_of(handle), CHAR(asChar(option)), CHAR(asChar(value))));
  return handle;
}

/* One candidate a column. */
SEXP surefoot_ask(SEXP handle) {
  const double* population = NULL;
  int popsize = 0;
  check(handle, sf_ask(search_of(handle), &population, &popsize));
  const int n = sf_dimension(search_of(handle));
  SEXP points = PROTECT(allocMatrix(REALSXP, n, popsize));
  memcpy(REAL(points), population, sizeof(double) * (size_t)n * (size_t)popsize);
  UNPROTECT(1);
  return points;
}

SEXP surefoot_tell(SEXP handle, SEXP values) {
  check(handle, sf_tell(search_of(handle), REAL(values)));
  return handle;
}

SEXP surefoot_stop(SEXP handle) { return ScalarInteger(sf_stop(search_of(handle))); }

SEXP surefoot_result(SEXP handle) {
  const char* names[] = {"x", "value", "evaluations", "message", ""};
  const sf_search* search = search_of(handle);
  SEXP result = PROTECT(mkNamed(VECSXP, names));
  SEXP x = SET_VECTOR_ELT(result, 0, allocVector(REALSXP, sf_dimension(search)));
  SET_VECTOR_ELT(result, 1, ScalarReal(sf_best(search, REAL(x))));
  SET_VECTOR_ELT(result, 2, ScalarReal((double)sf_nfev(search)));
  SET_VECTOR_ELT(result, 3, mkString(sf_message(search)));
  UNPROTECT(1);
  return result;
}
