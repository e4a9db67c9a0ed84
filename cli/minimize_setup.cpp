#include "cli/minimize_setup.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <utility>
#include <vector>

#include "cli/commands.hpp"
#include "cli/program_setup.hpp"
#include "core/invalid_option.hpp"
#include "driver/checkpoint/checkpointer.hpp"
#include "driver/number_list.hpp"
#include "driver/search_spec.hpp"

namespace surefoot::cli {
namespace {

/// Parameters and warm starts say it.
void refuse_dim(const MinimizeRequest& request) {
  if (!request.dim || (request.params.empty() && request.warm_start.empty())) return;
  throw std::invalid_argument(std::string("dim: not together with --") +
                              (request.params.empty() ? "warm-start" : "param") + ", which gives it");
}

Vector start_of(const MinimizeRequest& request, const std::optional<ProblemInstance>& problem) {
  Vector given = point_of("x0", request.x0);
  if (request.dim && *request.dim < 1) reject("dim", *request.dim, "it must be at least 1");
  if (request.dim && given.size() > 0 && *request.dim != given.size()) {
    reject("dim", *request.dim,
           fmt::format("x0 has {} coordinates; leave one of them out or make them agree", given.size()));
  }
  if (given.size() > 0) return given;
  return problem ? problem->start : Vector();
}

Sigma0 sigma_of(const MinimizeRequest& request, const std::optional<ProblemInstance>& problem) {
  const std::vector<double> given = numbers_of("sigma0", request.sigma0);
  if (given.size() == 1) return given.front();
  if (!given.empty()) return given;
  const bool has_box = !request.lower.empty() && !request.upper.empty();
  if (has_box || !problem || !problem->sigma0) return {};
  return *problem->sigma0;
}

/// What is given, or the problem's own.
Bounds bounds_of(const MinimizeRequest& request, const std::optional<ProblemInstance>& problem) {
  Bounds bounds{vector_of("lower", request.lower), vector_of("upper", request.upper)};
  if (problem && bounds.lower.size() == 0) bounds.lower = problem->bounds.lower;
  if (problem && bounds.upper.size() == 0) bounds.upper = problem->bounds.upper;
  return bounds;
}

/// A problem knows how many it has.
void take_constraints(const std::optional<ProblemInstance>& problem, Options& options) {
  if (!problem) return;
  const auto take = [&](const char* option, int& given, int own) {
    if (given != 0 && given != own) reject(option, given, problem->name + " has " + text(own));
    given = own;
  };
  take("constraints", options.constraints, problem->constraints);
  take("equalities", options.equalities, problem->equalities);
}

/// \param problem must outlive it.
std::unique_ptr<Evaluator> evaluator_of(const ProblemInstance& problem, int workers) {
  if (problem.is_constrained()) return make_evaluator(problem.evaluation, workers);
  return make_evaluator(problem, workers);
}

SessionFiles files_of(const MinimizeRequest& request) {
  return {.about = to_text({std::filesystem::current_path().string(), request.words}),
          .checkpoint = request.checkpoint,
          .checkpoint_every = request.checkpoint_every,
          .command = request.repeating,
          .constraint_names = constraint_names(request),
          .limits = output_use(request).limits(),
          .log = request.log,
          .objective = objective_of(request),
          .overwrite = request.overwrite,
          .replace_objective = request.replace_command,
          .trace = request.trace,
          .trace_timing = request.trace_timing};
}

}  // namespace

Space space_of(const MinimizeRequest& request) {
  Space space;
  for (const std::string& param : request.params) space.add(param);
  return space;
}

std::optional<ProblemInstance> problem_of(const MinimizeRequest& request) {
  if (request.problem.empty() == request.command.empty()) {
    throw std::invalid_argument("what to minimise: give either --problem NAME or --command 'PROGRAM ...'");
  }
  if (request.problem.empty()) {
    if (request.instance) reject("instance", *request.instance, "only a --problem has instances");
    return {};
  }
  refuse_without_program(request);
  if (!request.params.empty()) {
    return make_problem(request.problem, static_cast<Index>(request.params.size()), request.instance);
  }
  const Index given = request.warm_start.empty()
                          ? point_of("x0", request.x0).size()
                          : distribution_of_state(read_checkpoint(request.warm_start).state).dimension();
  const std::optional<Index> dimension = given > 0 ? given : request.dim;
  return make_problem(request.problem, dimension, request.instance);
}

std::string objective_of(const MinimizeRequest& request) {
  if (request.problem.empty()) return program_text(request);
  return request.instance ? fmt::format("{}, instance {}", request.problem, *request.instance) : request.problem;
}

std::unique_ptr<Evaluator> evaluator_of(const MinimizeRequest& request, const std::optional<ProblemInstance>& problem) {
  const int workers = request.options.workers;
  if (!problem) return program_of(request, workers);
  return evaluator_of(*problem, workers);
}

MakeWork rank_work(const MinimizeRequest& request) {
  return [&request]() -> Work {
    const auto problem = std::make_shared<const std::optional<ProblemInstance>>(problem_of(request));
    if (!*problem) {
      return [program = std::shared_ptr<ProgramEvaluator>(program_of(request, 1))](
                 const Task& task, const std::function<bool()>& cancelled) {
        program->number_next(task.batch, static_cast<Index>(task.number));
        return evaluate_task(*program, task, cancelled);
      };
    }
    const std::shared_ptr<Evaluator> evaluator = evaluator_of(**problem, 1);
    return [problem, evaluator](const Task& task, const std::function<bool()>& cancelled) {
      return evaluate_task(*evaluator, task, cancelled);
    };
  };
}

std::unique_ptr<Session> session_of(const MinimizeRequest& request, const std::optional<ProblemInstance>& problem,
                                    Options options) {
  refuse_dim(request);
  if (!request.inject.empty()) options.inject = points_of("inject", request.inject);
  take_constraints(problem, options);
  const bool takes_problem = request.params.empty() && request.warm_start.empty();
  const auto own = takes_problem ? problem : std::nullopt;
  options.bounds = bounds_of(request, request.params.empty() ? problem : std::nullopt);
  return make_session({.x0 = start_of(request, own),
                       .sigma0 = sigma_of(request, own),
                       .space = space_of(request),
                       .warm_file = request.warm_start,
                       .objective = problem ? ObjectiveKind::function : ObjectiveKind::program,
                       .options = std::move(options),
                       .files = files_of(request)});
}

}  // namespace surefoot::cli
