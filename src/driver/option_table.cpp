#include "surefoot/option_table.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "core/invalid_option.hpp"

namespace surefoot {
namespace {

/// Where an option exists under its name; on the command line - stands for _.
enum Surfaces : unsigned { in_cpp = 1, in_cli = 2, in_python = 4, everywhere = 7 };

OptionInfo row(const char* group, const char* name, unsigned surfaces, const char* takes, const char* standard,
               const char* meaning, const char* python_note = "") {
  std::string dashed = name;
  std::replace(dashed.begin(), dashed.end(), '_', '-');
  return {.name = name,
          .group = group,
          .takes = takes,
          .standard = standard,
          .meaning = meaning,
          .cpp = (surfaces & in_cpp) != 0 ? name : "",
          .cli = (surfaces & in_cli) != 0 ? dashed : "",
          .python = (surfaces & in_python) != 0 ? name : "",
          .in_python = python_note};
}

/// A resumed search may have another value.
OptionInfo changeable(OptionInfo info) {
  info.may_change = true;
  return info;
}

/// What a search evaluates does not depend on it, up to where a budget ends it.
OptionInfo without_effect(OptionInfo info) {
  info.changes_course = false;
  return info;
}

/// The command line takes it any number of times.
OptionInfo repeated(OptionInfo info) {
  info.repeats = true;
  return info;
}

/// The same row with another name in C++.
OptionInfo with_cpp(std::string cpp, OptionInfo info) {
  info.cpp = std::move(cpp);
  return info;
}

/// A member of SessionFiles.
OptionInfo in_session(OptionInfo info) {
  info.cpp = "SessionFiles::" + info.name;
  return info;
}

std::vector<OptionInfo> objective_rows() {
  const char* group = "objective";
  return {
      with_cpp("f", row(group, "fun", in_python, "callable", "", "The function to minimise")),
      row(group, "command", in_cli, "text", "",
          "Your program: coordinates on stdin as one line, the last line of stdout is the value"),
      row(group, "problem", in_cli, "text", "", "Benchmark function: see 'surefoot list problems'"),
      row(group, "instance", in_cli, "integer", "1", "Instance of a BBOB problem"),
      row(group, "args", in_cli | in_python, "text or tuple", "",
          "More arguments for your program, with {x}, {x0}, {x1}, ..., {id}, {dir}, {here} replaced for each candidate",
          "given to the function after x, or to its parameters that have no name of the space"),
      row(group, "persistent", in_cli, "flag", "off",
          "Keep your program alive: one line in, one line out for each candidate"),
      repeated(row(group, "template", in_cli, "file, any number of times", "none",
                   "A file of your program with {rate} or @rate@ for values: it is filled in and written, without .in "
                   "at its end, into the candidate's folder, where the program runs")),
      repeated(row(group, "output", in_cli, "text, any number of times", "the last line of stdout",
                   "Where the value is: 'json:cost', 'regex:final cost = (.*)', 'file:result.txt'; NAME= in front of "
                   "it gives the value a name")),
      row(group, "minimize", in_cli, "name of an output", "the first output", "The output that is minimised"),
      row(group, "maximize", in_cli, "name of an output", "none",
          "The output that is maximised: f is its negative, and --ftarget a value that it must reach"),
      repeated(row(group, "limit", in_cli, "text, any number of times", "none",
                   "A limit on an output: 'gain=39.5..40.5', 'vc=6..', 'vc<=7'")),
      row(group, "residuals", in_cli, "integer or text", "none",
          "A fit: your program prints this number of residuals, or 'auto', and the sum of their squares is minimised"),
      row(group, "data", in_cli, "file", "none",
          "A fit: your program prints a value for each line of this file, which has the measured value and, if you "
          "know it, its standard deviation"),
      row(group, "loss", in_cli, "text", "linear",
          "What residuals count in a fit: linear, soft_l1, huber, cauchy or arctan as in scipy's least_squares"),
      row(group, "loss_scale", in_cli, "number", "1", "Residuals well above this scale count less"),
      row(group, "input", in_cli, "text", "stdin, or the templates alone",
          "How else your program gets the values: stdin, json (on stdin), env or args"),
      row(group, "keep", in_cli, "text", "none", "Which candidates' folders are kept: failed, best, all or none"),
      row(group, "folders", in_cli, "folder", "temporary, or surefoot-folders with --keep",
          "Where the candidates' folders are made"),
      row(group, "check", in_cli, "flag", "off",
          "Evaluate the start point once, show command line, folder, input, output, value and time, and exit"),
      row(group, "constraints", everywhere, "integer", "0",
          "Number of inequalities: that many g follow f in the objective's values, and none may be above 0",
          "or a list of functions g(x) <= 0, of scipy's constraints or dicts"),
      row(group, "equalities", everywhere, "integer", "0",
          "Number of equalities: that many h follow g, and all must be 0", "of a function that returns them"),
      row(group, "equality_tolerance", everywhere, "number", "1e-6", "Absolute value of an h that is taken for 0"),
      row(group, "constraints_mode", everywhere, "text", "auto",
          "augmented-lagrangian, lexicographic (by violation, then by f), or auto: the first, or the second with two "
          "coordinates or scales that differ by 1e4; in every second run the other"),
      row(group, "noise", everywhere, "number or text", "auto",
          "Whether values at the same point differ: none, the standard deviation of the noise, or auto: searches with "
          "a model or restarts evaluate their best point a second time to see it"),
      row(group, "vectorized", in_python, "flag", "off",
          "The function takes whole populations, one candidate per row, and returns their values"),
      without_effect(row(group, "workers", everywhere, "integer", "1",
                         "Evaluations at a time; does not change the result",
                         "a number of processes, -1 for all processors, or anything like map")),
      without_effect(
          row(group, "mpi", in_cli, "flag", "off", "Evaluate on all ranks of mpirun, --workers at a time on each")),
      without_effect(row(group, "rank_timeout", in_cli, "seconds", "60",
                         "Drop a rank of mpirun that is silent for this long; others get its candidates")),
      row(group, "eval_timeout", in_cli | in_python, "seconds", "none",
          "Time for one evaluation; one that takes longer fails", "with workers that are processes"),
  };
}

std::vector<OptionInfo> start_rows() {
  const char* group = "start";
  return {
      row(group, "x0", everywhere, "numbers", "the problem's", "Start point, as 1,2,3 or @FILE", "a list or array"),
      with_cpp("Space",
               repeated(row(
                   group, "param", in_cli, "text, any number of times", "none",
                   "A named parameter instead of x0, as 'rate=real(1e-5,1e-1,log)'; see docs/how-to/parameters.md"))),
      with_cpp("Space", row(group, "space", in_python, "dict", "none",
                            "Named parameters instead of x0: {\"rate\": surefoot.Real(1e-5, 1e-1, log=True)}")),
      row(group, "sigma0", everywhere, "number or numbers", "a quarter of the bounds' width",
          "Start standard deviation, one or one per coordinate"),
      row(group, "evaluate_x0", everywhere, "true or false", "true",
          "Evaluate the start point itself before the first population"),
      row(group, "inject", everywhere, "file or points", "none",
          "Known good points, one per line: evaluated first; the search starts at the best", "a list of points"),
      row(group, "dim", in_cli, "integer", "", "Number of coordinates"),
      row(group, "warm_start", in_cli | in_python, "checkpoint", "none",
          "Start from the distribution of this checkpoint instead of x0 and sigma0", "or a pair (mean, covariance)"),
      row(group, "bounds", in_cpp | in_python, "pairs", "none", "Lower and upper limits of the coordinates"),
      row(group, "lower", in_cli, "number or numbers", "none",
          "Lower bounds, one or one per coordinate; -inf for none"),
      row(group, "upper", in_cli, "number or numbers", "none", "Upper bounds; equal bounds fix a coordinate"),
      row(group, "seed", everywhere, "integer", "drawn and reported",
          "The same seed gives the same result; 0 is a seed"),
  };
}

std::vector<OptionInfo> method_rows() {
  const char* group = "method";
  return {
      row(group, "method", everywhere, "text", "auto", "Strategy: see 'surefoot list methods'"),
      row(group, "strategy", in_cpp, "function", "none",
          "Makes a method of your own, which `method` then names: see docs/how-to/own-methods.md"),
      row(group, "learning_rate", everywhere, "text", "auto", "Policy of xNES or SNES, e.g. fixed:8, lra, lra:frame=B",
          "also a class of your own: see docs/how-to/own-methods.md"),
      row(group, "popsize", everywhere, "integer", "4 + floor(3 ln dim)", "Candidates per generation"),
      without_effect(row(group, "threads", everywhere, "integer", "1",
                         "Threads for the own work of xnes, ig-xnes and methods with linear memory, in addition to the "
                         "workers; does not change the result")),
      row(group, "model", everywhere, "text", "auto",
          "none or quadratic: a model of the objective that saves evaluations. auto: quadratic where an evaluation is "
          "expensive or maxfevals at most 2000 dim, with at most 40 coordinates, and neither method, learning_rate nor "
          "popsize is given"),
      row(group, "mixing", everywhere, "number", "0; 0.01 with method enes and its default popsize or more",
          "Importance mixing: a population keeps points of the last one with their values, and at least this share is "
          "evaluated anew. For smooth functions without noise, methods cma, xnes and enes, no model; 0: none"),
      row(group, "evaluation_seconds", everywhere, "seconds", "not known",
          "About how long one evaluation takes: expensive ones are worth a model; the default for a program of "
          "--command is 1 second"),
      row(group, "batch", everywhere, "integer or auto", "1",
          "With a model: the number of evaluations at a time is a multiple of it; auto: the number of workers at the "
          "start of the search"),
      row(group, "restarts", everywhere, "text", "auto",
          "none, same, ipop or bipop, with a number as in ipop:5; auto: bipop if there is a budget or a target"),
      row(group, "restart_point", in_cpp | in_python, "callable", "around x0, or uniform in a box",
          "Start point of run 2, 3, ..."),
  };
}

std::vector<OptionInfo> stop_rows() {
  const char* group = "stop";
  return {
      changeable(row(group, "ftarget", everywhere, "number", "none", "Stop when f <= ftarget")),
      changeable(
          row(group, "maxfevals", everywhere, "integer", "none", "Stop after this many evaluations, never more")),
      changeable(without_effect(row(group, "maxiter", everywhere, "integer",
                                    "100 + 150 (dim+3)^2/sqrt(popsize) steps per run, without maxfevals",
                                    "Stop after this many generations"))),
      changeable(without_effect(row(group, "timeout", everywhere, "seconds", "none", "Stop after this time"))),
      changeable(row(group, "tolx", everywhere, "number", "1e-11",
                     "Stop when all standard deviations have shrunk below this fraction of the start's; 0: never")),
      changeable(row(group, "tolfun", everywhere, "number", "1e-11",
                     "Stop when the current values and the recent best values all lie within tolfun")),
      changeable(row(group, "tolfunhist", everywhere, "number", "1e-12",
                     "Stop when the recent best values all lie within tolfunhist")),
      changeable(
          row(group, "tolupsigma", everywhere, "number", "1e20", "Stop when sigma has grown by a larger factor")),
      changeable(row(group, "tolconditioncov", everywhere, "number", "1e14; 1e10 with a model and restarts",
                     "Stop when the condition of the covariance is larger")),
      changeable(row(group, "tolflatfitness", everywhere, "integer", "30",
                     "Stop after more generations of equal values in a row; each makes the search wider")),
      changeable(row(group, "tolstagnation", everywhere, "integer", "100 + 100 dim^1.5/popsize",
                     "Stop after this many steps without progress; a generation counts as the square root of its rate "
                     "of the mean")),
      changeable(row(group, "noeffectaxis", everywhere, "true or false", "true",
                     "Stop when a step along an axis does not change the mean")),
      changeable(row(group, "noeffectcoord", everywhere, "true or false", "true",
                     "Stop when a step along a coordinate does not change the mean")),
      row(group, "callback", in_cpp | in_python, "callable", "none",
          "Called once per generation; true, or a text with the reason, stops the search"),
      row(group, "interrupt", in_cpp, "callable", "none",
          "Called often, also during a generation; true stops the search", "Ctrl-C does it"),
  };
}

std::vector<OptionInfo> failure_rows() {
  const char* group = "failures";
  return {
      with_cpp("failures.retry",
               row(group, "retry", everywhere, "integer", "0",
                   "How often at most a failed candidate is evaluated again; not counted for maxfevals")),
      with_cpp("failures.generations", row(group, "failed_generations", everywhere, "integer", "3",
                                           "Stop after this many generations in a row without any success")),
      with_cpp("failures.fraction", row(group, "failed_fraction", everywhere, "number", "1",
                                        "Stop when more than this share of all evaluations has failed")),
      with_cpp("failures.rethrow",
               row(group, "on_failure", in_python, "text", "auto",
                   "What an exception of the function means. C++: true passes it to the caller",
                   "rank-last, raise, or auto: raise if all evaluations raise the same and none has worked")),
  };
}

std::vector<OptionInfo> output_rows() {
  const char* group = "output";
  return {
      in_session(without_effect(row(group, "trace", in_cli | in_python, "file", "none",
                                    "Write one JSON line per generation to this file",
                                    "True keeps it in the result instead"))),
      in_session(without_effect(
          row(group, "trace_timing", in_cli, "flag", "off", "Add seconds and the workers' utilisation to each line"))),
      in_session(
          without_effect(row(group, "log", in_cli | in_python, "file", "none",
                             "Write one row per evaluation, with its parameters, to this file: .csv or .jsonl"))),
      in_session(without_effect(
          row(group, "checkpoint", in_cli | in_python, "file", "none",
              "Keep the search in this file; an existing one is resumed, or refused if it is of another search"))),
      in_session(without_effect(row(group, "checkpoint_every", in_cli | in_python, "text", "1s",
                                    "How often it is written: generations, as 20, or time, as 5s or 10m"))),
      in_session(without_effect(
          row(group, "overwrite", in_cli | in_python, "flag", "off", "Start anew even if there is a checkpoint"))),
      with_cpp("SessionFiles::replace_objective",
               without_effect(row(
                   group, "replace_command", in_cli, "flag", "off",
                   "Resume although the checkpoint has another command, which was repaired. The trace says where"))),
      row(group, "observer", in_cpp, "callable", "none", "Called once per generation, with all measures"),
      row(group, "disp", in_python, "flag or text", "off",
          "Print a table of the progress and the result; live draws it in a notebook"),
      row(group, "on_interrupt", in_python, "text", "return",
          "What Ctrl-C does: return the best so far, or raise KeyboardInterrupt"),
      without_effect(row(group, "json", in_cli, "flag", "off", "Print one JSON object instead of a summary")),
      without_effect(row(group, "quiet", in_cli, "flag", "off", "No progress on stderr, on a terminal or elsewhere")),
      without_effect(
          row(group, "print_config", in_cli, "flag", "off", "Print the given options as a TOML file and exit")),
      without_effect(
          row(group, "config", in_cli, "file", "none", "TOML file with options; the command line overrides it")),
  };
}

}  // namespace

const std::vector<OptionInfo>& option_table() {
  static const std::vector<OptionInfo> table = [] {
    std::vector<OptionInfo> rows;
    for (const auto& group :
         {objective_rows(), start_rows(), method_rows(), stop_rows(), failure_rows(), output_rows()}) {
      rows.insert(rows.end(), group.begin(), group.end());
    }
    return rows;
  }();
  return table;
}

const OptionInfo& find_option(const std::string& name) {
  const auto& table = option_table();
  const auto row = std::find_if(table.begin(), table.end(), [&](const OptionInfo& o) { return o.name == name; });
  if (row != table.end()) return *row;
  std::vector<std::string> names;
  names.reserve(table.size());
  for (const OptionInfo& o : table) names.push_back(o.name);
  reject("option", "'" + name + "'", "there are " + listed(names));
}

}  // namespace surefoot
