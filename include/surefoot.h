#ifndef SUREFOOT_H
#define SUREFOOT_H

/**
 * \file
 * Surefoot for C, and for every language that can call C. One call with a function,
 *
 *     char error[256];
 *     sf_search* search = sf_new(n, x0, 0.5, error, sizeof error);
 *     sf_set(search, "ftarget", "1e-8");
 *     sf_minimize(search, f, NULL);
 *     puts(sf_message(search));
 *     sf_free(search);
 *
 * or, in place of sf_minimize, a loop of your own:
 *
 *     while (!sf_stop(search)) {
 *       const double* population;
 *       int popsize;
 *       sf_ask(search, &population, &popsize);
 *       for (i = 0; i < popsize; ++i) values[i] = f(n, population + i * n, NULL);
 *       sf_tell(search, values);
 *     }
 *
 * Functions that return int and may fail return 0 on success, or 1 with the reason in sf_message. All functions refuse
 * null pointers instead of crashing. Searches share nothing; use one search from one thread at a time. Returned
 * pointers stay valid until the next call with the same search. The same options and seed give the same bits as from
 * C++.
 */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A search. */
typedef struct sf_search sf_search;

/** A function to minimise: returns its value at the n numbers x. NaN means that the evaluation failed, +infinity that x
 *  is infeasible. `data` is the argument of sf_minimize. */
typedef double (*sf_function)(int n, const double* x, void* data);

/** A function with constraints: writes its value at the n numbers x to values[0], then the constraints g, which are met
 *  if g <= 0, then the equalities h = 0: as many as the options constraints and equalities say. */
typedef void (*sf_constrained_function)(int n, const double* x, double* values, void* data);

/** The version of the library, as "0.3.0". */
const char* sf_version(void);

/** A new search that starts at the n numbers x0, with the standard deviation sigma0 > 0 for each. If sigma0 is 0, the
 *  option sigma0 sets it, or it is a quarter of the bounds' width. If n is 0 and x0 null, the option x0, param or
 *  warm_start sets the start. Returns null, and writes the reason to `error`, if n is negative, x0 is missing or sigma0
 *  is not a positive number or 0; `error` may be null. The numbers of x0 are tested when the search begins. Free the
 *  search with sf_free. */
sf_search* sf_new(int n, const double* x0, double sigma0, char* error, size_t error_size);

/** Frees a search. Updates its checkpoint first. */
void sf_free(sf_search* search);

/** Sets an option, as sf_set(search, "lower", "-5,0"): docs/reference/options.md has the names, values and defaults.
 *  Set options before the search begins, that is before the first sf_ask, sf_minimize, sf_load or sf_save. Refuses
 *  unknown names and texts of the wrong kind, such as a word for a number. When the search begins it refuses numbers
 *  out of range, unknown methods and options that exclude each other. */
int sf_set(sf_search* search, const char* option, const char* value);

/** The points to evaluate next: *popsize of them, n numbers each, one after the other. Their number differs from call
 *  to call; the first call returns the start alone. Returns the same points until sf_tell. */
int sf_ask(sf_search* search, const double** population, int* popsize);

/** The values of the points of sf_ask, in their order; NaN for failed evaluations. With the options constraints and
 *  equalities, each value is followed by those of its constraints, then by those of its equalities. */
int sf_tell(sf_search* search, const double* values);

/** Evaluates f and tells until the search stops. With the option workers, several threads call f at once. For
 *  constraints use sf_minimize_constrained. */
int sf_minimize(sf_search* search, sf_function f, void* data);

/** The same with a function that also writes constraints. Values that it does not write are NaN, so the evaluation
 *  fails. */
int sf_minimize_constrained(sf_search* search, sf_constrained_function f, void* data);

/** Ends sf_minimize soon, with the best so far. Only this function may be called from f, from another thread or from a
 *  signal handler. The next sf_minimize continues the search. A call before the first sf_minimize ends that one. */
void sf_interrupt(sf_search* search);

/** Stops a search of sf_ask and sf_tell for a reason of your own: sf_stop then returns 25
 *  (surefoot::StopReason::requested), and sf_message begins with the sentence, which must not be empty. */
int sf_stop_because(sf_search* search, const char* sentence);

/** 0 while there is more to do. A positive number is the reason why the search has stopped, a surefoot::StopReason,
 *  such as 1 for ftarget. -1 if `search` is null or its last sf_ask, sf_tell or sf_minimize has failed. */
int sf_stop(const sf_search* search);

/** 1 if ftarget was reached or, without ftarget, the search has converged at its best point; otherwise 0. */
int sf_success(const sf_search* search);

/** The lowest value so far. Its point is written to x, unless x is null. NaN if no evaluation has succeeded. With
 *  constraints it is the lowest value of a feasible point or, while no point is feasible, the value of the point with
 *  the smallest violation. */
double sf_best(const sf_search* search, double* x);

/** Mean and standard deviations of the distribution of the run that found the best point, in the user's coordinates;
 *  either may be null. Returns 0, or -1 without a search. */
int sf_distribution(const sf_search* search, double* mean, double* deviations);

/** By how much the point of sf_best violates the constraints: the sum of the positive g, and of |h| above the option
 *  equality_tolerance. 0 if the point is feasible, NaN before the first evaluation. */
double sf_violation(const sf_search* search);

/** Numbers in a point; 0 if `search` is null or wrong. */
int sf_dimension(const sf_search* search);

/** Evaluations so far, those of an unfinished generation included. */
int64_t sf_nfev(const sf_search* search);

/** Generations so far. */
int64_t sf_nit(const sf_search* search);

/** The seed of the search, drawn unless it was set. 0 before the search begins. */
uint64_t sf_seed(const sf_search* search);

/** The error of the last call if it failed; otherwise the state of the search, or why it has stopped. */
const char* sf_message(const sf_search* search);

/** The name of parameter j, counted from 0: as in the option param, or x0, x1, ... Empty for an unknown j. */
const char* sf_name(const sf_search* search, int j);

/** A value of parameter j as text: the name of a choice, an integer without a fraction. Empty for an unknown j. */
const char* sf_text(const sf_search* search, int j, double value);

/** Writes the search to a file. Refuses to replace a file that is not a checkpoint. */
int sf_save(sf_search* search, const char* file);

/** Resumes from a file of sf_save, or from a checkpoint of the same search, bit for bit. Start and options must be the
 *  same; budgets and tolerances may differ. */
int sf_load(sf_search* search, const char* file);

#ifdef __cplusplus
}
#endif

#endif
