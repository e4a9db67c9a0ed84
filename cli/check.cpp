#include "cli/check.hpp"

#include <fmt/core.h>

#include <memory>
#include <optional>

#include "cli/minimize_setup.hpp"
#include "cli/program_setup.hpp"
#include "cli/signals.hpp"
#include "evaluators/account_text.hpp"

namespace surefoot::cli {
namespace {

/// A line that a persistent program prints beside its answer shows when it is asked again.
void check_next_line(ProgramEvaluator& program, const Generation& before) {
  Generation generation;
  generation.start(before.population().col(0));
  generation.on_cancel([] { return interruption().load(); });
  fmt::print("again\n");
  program.evaluate(generation);
  if (!program.surplus().empty()) fmt::print("surplus  {}\n", about_surplus(program.surplus()));
}

}  // namespace

Exit run_check(const MinimizeRequest& request) {
  const std::optional<ProblemInstance> problem = problem_of(request);
  Options options = request.options;
  options.evaluate_x0 = true;
  const std::unique_ptr<Session> session = session_of(request, problem, options);
  Optimizer& search = session->search();
  Generation generation;
  generation.start(search.ask().col(0));
  generation.on_cancel([] { return interruption().load(); });
  fmt::print("start    {}\n", describe(search.space(), generation.population().col(0)));
  watch_signals();
  if (problem) {
    evaluator_of(request, problem)->evaluate(generation);
    fmt::print("value    f = {}\n", generation.value(0));
  } else {
    const auto show = [rules = named_rules(request)](const ProgramAccount& account) {
      fmt::print("{}", account_text(account, rules));
    };
    const std::unique_ptr<ProgramEvaluator> program = program_of(request, 1, show);
    program->evaluate(generation);
    if (request.persistent && generation.is_complete()) check_next_line(*program, generation);
  }
  if (!generation.is_complete()) return Exit::interrupted;
  return generation.failures().empty() ? Exit::success : Exit::failing;
}

}  // namespace surefoot::cli
