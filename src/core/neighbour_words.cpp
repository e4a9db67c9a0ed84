#include "core/neighbour_words.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace surefoot {
namespace {

struct NeighbourWord {
  std::string_view theirs;  // letters only
  std::string_view ours;
};

// In alphabetical order.
constexpr std::array<NeighbourWord, 179> neighbour_words = {{
    // clang-format off
    {"algo", "method"}, {"algorithm", "method"}, {"batchobjective", "vectorized"}, {"box", "bounds"},
    {"budget", "maxfevals"}, {"callbacks", "callback"}, {"catch", "on_failure"}, {"checkpointfile", "checkpoint"},
    {"cmapopsize", "popsize"}, {"cmastds", "sigma0"}, {"constraint", "constraints"}, {"cores", "workers"},
    {"dimensions", "space"}, {"display", "disp"}, {"domain", "bounds"}, {"enqueue", "inject"}, {"eps", "tolfun"},
    {"epsilon", "tolfun"}, {"errorscore", "on_failure"}, {"evals", "maxfevals"}, {"evaltimeout", "eval_timeout"},
    {"evaluations", "maxfevals"}, {"evaluationtimeout", "eval_timeout"}, {"fatol", "tolfun"}, {"fevals", "maxfevals"},
    {"fmin", "ftarget"}, {"fopt", "ftarget"}, {"frtol", "tolfun"}, {"fstop", "ftarget"}, {"ftarg", "ftarget"},
    {"ftol", "tolfun"}, {"ftolabs", "tolfun"}, {"ftolrel", "tolfun"}, {"funevals", "maxfevals"},
    {"generations", "maxiter"}, {"goal", "ftarget"}, {"guess", "x0"}, {"history", "log"}, {"historyfile", "log"},
    {"ineq", "constraints"}, {"ineqconstraints", "constraints"}, {"inisigma", "sigma0"}, {"init", "x0"},
    {"initial", "x0"}, {"initialguess", "x0"}, {"initialpoint", "x0"}, {"initialpoints", "inject"},
    {"initialpopulation", "inject"}, {"initialsigma", "sigma0"}, {"initialstep", "sigma0"}, {"initpoints", "inject"},
    {"iprint", "disp"}, {"isvectorized", "vectorized"}, {"iterations", "maxiter"}, {"jobs", "workers"},
    {"knownpoints", "inject"}, {"lam", "popsize"}, {"lambda", "popsize"}, {"lb", "bounds"}, {"limits", "bounds"},
    {"logfile", "log"}, {"logger", "log"}, {"lower", "bounds"}, {"lowerbound", "bounds"}, {"lowerbounds", "bounds"},
    {"maxeval", "maxfevals"}, {"maxevals", "maxfevals"}, {"maxevaluations", "maxfevals"}, {"maxfev", "maxfevals"},
    {"maxfevs", "maxfevals"}, {"maxfun", "maxfevals"}, {"maxfunctioncalls", "maxfevals"},
    {"maxfunctionevaluations", "maxfevals"}, {"maxfunevals", "maxfevals"}, {"maxgen", "maxiter"},
    {"maxgenerations", "maxiter"}, {"maxiterations", "maxiter"}, {"maxiters", "maxiter"}, {"maxnfev", "maxfevals"},
    {"maxrestarts", "restarts"}, {"maxruntime", "timeout"}, {"maxseconds", "timeout"}, {"maxtime", "timeout"},
    {"maxwalltime", "timeout"}, {"maxworkers", "workers"}, {"ncalls", "maxfevals"}, {"ncores", "workers"},
    {"nfev", "maxfevals"}, {"ngen", "maxiter"}, {"ngenerations", "maxiter"}, {"niter", "maxiter"},
    {"niters", "maxiter"}, {"njobs", "workers"}, {"nonlinearconstraints", "constraints"}, {"npop", "popsize"},
    {"nproc", "workers"}, {"nprocesses", "workers"}, {"nrestarts", "restarts"}, {"ntrials", "maxfevals"},
    {"numevaluations", "maxfevals"}, {"numiterations", "maxiter"}, {"numprocesses", "workers"},
    {"numrestarts", "restarts"}, {"numtrials", "maxfevals"}, {"numworkers", "workers"}, {"nworkers", "workers"},
    {"onerror", "on_failure"}, {"optimizer", "method"}, {"p0", "x0"}, {"parallel", "workers"},
    {"parallelism", "workers"}, {"parameters", "space"}, {"parametrization", "space"}, {"params", "space"},
    {"paramspace", "space"}, {"pool", "workers"}, {"pop", "popsize"}, {"population", "popsize"},
    {"populationsize", "popsize"}, {"printlevel", "disp"}, {"processes", "workers"}, {"randomgenerator", "seed"},
    {"randomseed", "seed"}, {"randomstate", "seed"}, {"ranges", "bounds"}, {"restart", "restarts"},
    {"resume", "checkpoint"}, {"resumefile", "checkpoint"}, {"rng", "seed"}, {"rngseed", "seed"},
    {"savefile", "checkpoint"}, {"searchspace", "space"}, {"seeds", "inject"}, {"sigma", "sigma0"},
    {"sigma0s", "sigma0"}, {"sigmainit", "sigma0"}, {"solver", "method"}, {"start", "x0"}, {"startpoint", "x0"},
    {"startpoints", "inject"}, {"std", "sigma0"}, {"stddev", "sigma0"}, {"stepsize", "sigma0"},
    {"stepsize0", "sigma0"}, {"stepsizeinit", "sigma0"}, {"stopf", "ftarget"}, {"stopfitness", "ftarget"},
    {"stopval", "ftarget"}, {"strategy", "method"}, {"surrogate", "model"}, {"surrogatemodel", "model"},
    {"target", "ftarget"}, {"targetvalue", "ftarget"}, {"timebudget", "timeout"}, {"timelimit", "timeout"},
    {"tol", "tolfun"}, {"tolerance", "tolfun"}, {"tolf", "tolfun"}, {"tolxrel", "tolx"},
    {"trialtimeout", "eval_timeout"}, {"ub", "bounds"}, {"upper", "bounds"}, {"upperbound", "bounds"},
    {"upperbounds", "bounds"}, {"valuetoreach", "ftarget"}, {"vectorised", "vectorized"}, {"verb", "disp"},
    {"verbdisp", "disp"}, {"verbose", "disp"}, {"verbosity", "disp"}, {"vtr", "ftarget"}, {"walltime", "timeout"},
    {"xatol", "tolx"}, {"xinit", "x0"}, {"xrtol", "tolx"}, {"xstart", "x0"}, {"xtol", "tolx"}, {"xtolabs", "tolx"},
    {"xtolrel", "tolx"},
    // clang-format on
}};

}  // namespace

std::string letters_of(std::string_view word) {
  std::string letters;
  for (const char c : word) {
    if (c == '-' || c == '_' || c == ' ') continue;
    letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return letters;
}

std::string_view option_for(std::string_view their_word) {
  const std::string letters = letters_of(their_word);
  const auto found =
      std::lower_bound(neighbour_words.begin(), neighbour_words.end(), letters,
                       [](const NeighbourWord& row, const std::string& word) { return row.theirs < word; });
  return found != neighbour_words.end() && found->theirs == letters ? found->ours : std::string_view();
}

}  // namespace surefoot
