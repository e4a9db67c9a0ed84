/* A loop of one's own, over named parameters: the search asks, the caller evaluates and tells. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <surefoot.h>

/* A loss that is lowest at rate = 0.01, layers = 3 and the second kind. */
static double loss(const double* x) {
  return fabs(log10(x[0]) + 2) + fabs(x[1] - 3) + (x[2] == 1 ? 0.0 : 0.5);
}

int main(void) {
  const char* const options[][2] = {{"param", "rate=real(1e-5,1,log)"},
                                    {"param", "layers=int(1,8)"},
                                    {"param", "kind=choice(relu,tanh)"},
                                    {"maxfevals", "2000"},
                                    {"ftarget", "1e-3"},
                                    {"seed", "1"}};
  const size_t count = sizeof options / sizeof options[0];
  sf_search* search = sf_new(0, NULL, 0, NULL, 0); /* the parameters say where it starts */
  double x[3];
  for (size_t i = 0; i < count; ++i) {
    if (sf_set(search, options[i][0], options[i][1])) {
      fprintf(stderr, "%s\n", sf_message(search));
      sf_free(search);
      return 1;
    }
  }
  while (!sf_stop(search)) {
    const double* population;
    int popsize;
    if (sf_ask(search, &population, &popsize)) break;
    double* values = malloc((size_t)popsize * sizeof *values);
    for (int i = 0; i < popsize; ++i) values[i] = loss(population + 3 * i);
    sf_tell(search, values);
    free(values);
  }
  printf("%s\n", sf_message(search));
  sf_best(search, x);
  for (int j = 0; j < sf_dimension(search); ++j) {
    printf("%s", sf_name(search, j));
    printf(" = %s\n", sf_text(search, j, x[j]));
  }
  const int success = sf_success(search);
  sf_free(search);
  return success ? 0 : 1;
}
