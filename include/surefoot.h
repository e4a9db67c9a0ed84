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
 * Functions that return int and may fail return 0, or 1 with the reason in sf_message. All functions may be called with
 * null pointers, which they refuse. Searches know nothing of each other; one search is used by one thread at a time.
 * Pointers that a function gives stay valid until the next call with the same search. The same options and seed give
 * the same bits as from C++.
 */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A search. */
typedef struct sf_search sf_search;

/** A function to minimise: its value at the n numbers x. NaN says that the evaluation failed, +infinity that x is
 *  infeasible. `data` is what sf_minimize was given. */
typedef double (*sf_function)(int n, const double* x, void* data);

/** A function with constraints: writes its value at the n numbers x to values[0], behind it those of the constraints g,
 *  which are met where g <= 0, and of the equalities h = 0, as many as the options constraints and equalities say. */
typedef void (*sf_constrained_function)(int n, const double* x, double* values, void* data);

/** The version of the library, as "0.2.0". */
const char* sf_version(void);

/** A new search that starts at the n numbers x0, with the standard deviation sigma0 > 0 for each. sigma0 may be 0: the
 *  option sigma0 then says it, or it is a quarter of the bounds' width. n may be 0 and x0 null: then the options x0,
 *  param or warm_start say where to start. Returns null, and writes the reason to `error`, if n is negative, x0 is missing
 *  or sigma0 is not a positive number or 0; `error` may be null. Numbers of x0 are looked at where the search begins. To
 *  be freed by sf_free. */
sf_search* sf_new(int n, const double* x0, double sigma0, char* error, size_t error_size);

/** Frees a search. A checkpoint is brought up to date before. */
void sf_free(sf_search* search);

/** Sets an option, as sf_set(search, "lower", "-5,0"): docs/reference/options.md has the names, values and defaults.
 *  Options are set before the search begins, that is before the first sf_ask, sf_minimize, sf_load or sf_save. Refused
 *  are names that are unknown and texts of another kind, as a word for a number. What a value means is looked at where
 *  the search begins: there a number out of range, an unknown method and what does not go together are refused. */
int sf_set(sf_search* search, const char* option, const char* value);

/** The points to evaluate next: *popsize of them, n numbers each, one after the other. Their number differs from call to
 *  call; first it is the start alone. The same points are given until sf_tell. */
int sf_ask(sf_search* search, const double** population, int* popsize);

/** The values of the points that sf_ask gave, in their order; NaN for those that failed. With the options constraints
 *  and equalities, each value is followed by those of its constraints, then by those of its equalities. */
int sf_tell(sf_search* search, const double* values);

/** Evaluates f and tells until the search stops. With the option workers, f is called by several threads at a time. Not
 *  with constraints, for which f has no room. */
int sf_minimize(sf_search* search, sf_function f, void* data);

/** The same with a function that gives values of constraints too. What it does not write is NaN, so that the evaluation
 *  has failed. */
int sf_minimize_constrained(sf_search* search, sf_constrained_function f, void* data);

/** Ends sf_minimize soon, with the best so far. The only function that may be called from f, from another thread or from
 *  the handler of a signal. The next sf_minimize goes on where the search was. Before the first one, it ends that
 *  one. */
void sf_interrupt(sf_search* search);

/** Ends a search of sf_ask and sf_tell for a reason of your own: sf_stop is then that of surefoot::StopReason::requested,
 *  25, and sf_message begins with the sentence, which must not be empty. */
int sf_stop_because(sf_search* search, const char* sentence);

/** 0 while there is more to do. A positive number says why the search has stopped: it is that of surefoot::StopReason,
 *  such as 1 for ftarget. -1 if `search` is null or its last sf_ask, sf_tell or sf_minimize has failed. */
int sf_stop(const sf_search* search);

/** 1 if ftarget was reached or, without ftarget, the search has converged at its best point; otherwise 0. */
int sf_success(const sf_search* search);

/** The lowest value so far. Its point is written to x, unless x is null. NaN if no evaluation has succeeded. With
 *  constraints it is the lowest of the points that meet them or, as long as there is none, that of the point that
 *  violates them least. */
double sf_best(const sf_search* search, double* x);

/** Mean and standard deviations of the distribution that the run which found the best point has reached, in the user's
 *  coordinates; either may be null. 0, or -1 without a search. */
int sf_distribution(const sf_search* search, double* mean, double* deviations);

/** By how much the point of sf_best violates the constraints: the sum of the positive g, and of |h| above the option
 *  equality_tolerance. 0 if it is feasible, NaN if there is no point yet. */
double sf_violation(const sf_search* search);

/** Numbers in a point; 0 if `search` is null or wrong. */
int sf_dimension(const sf_search* search);

/** Evaluations so far, those of an unfinished generation included. */
int64_t sf_nfev(const sf_search* search);

/** Generations so far. */
int64_t sf_nit(const sf_search* search);

/** The seed of the search, which was drawn if none was set. 0 before the search begins. */
uint64_t sf_seed(const sf_search* search);

/** What was wrong in the last call that failed; if it did not fail, how the search stands or why it has stopped. */
const char* sf_message(const sf_search* search);

/** The name of parameter j, counted from 0: that of the option param, or x0, x1, ... Empty if there is none. */
const char* sf_name(const sf_search* search, int j);

/** A value of parameter j as text: the name of a choice, an integer without fraction. Empty if there is none. */
const char* sf_text(const sf_search* search, int j, double value);

/** Writes the search to a file. A file that is no checkpoint is not replaced. */
int sf_save(sf_search* search, const char* file);

/** Goes on where sf_save has written, or a checkpoint of the same search, bit for bit. The start and the options must be
 *  the same; budgets and tolerances may differ. */
int sf_load(sf_search* search, const char* file);

#ifdef __cplusplus
}
#endif

#endif
