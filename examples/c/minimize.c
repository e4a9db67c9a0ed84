/* One call with a function: cc -std=c99 minimize.c $(pkg-config --cflags --libs surefoot_c) */
#include <stdio.h>
#include <surefoot.h>

static double sphere(int n, const double* x, void* data) {
  double sum = 0;
  (void)data;
  for (int i = 0; i < n; ++i) sum += x[i] * x[i];
  return sum;
}

int main(void) {
  const double x0[] = {3, 3, 3};
  double x[3];
  char error[256];
  sf_search* search = sf_new(3, x0, 2, error, sizeof error);
  if (search == NULL) {
    fprintf(stderr, "%s\n", error);
    return 1;
  }
  if (sf_set(search, "ftarget", "1e-8") || sf_set(search, "seed", "1") || sf_minimize(search, sphere, NULL)) {
    fprintf(stderr, "%s\n", sf_message(search));
    sf_free(search);
    return 1;
  }
  const double best = sf_best(search, x);
  const int success = sf_success(search);
  printf("%s\n", sf_message(search));
  printf("x = %.17g, %.17g, %.17g\n", x[0], x[1], x[2]);
  printf("f = %.16e after %lld evaluations\n", best, (long long)sf_nfev(search));
  sf_free(search);
  return success ? 0 : 1;
}
