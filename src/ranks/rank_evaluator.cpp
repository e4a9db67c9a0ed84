#include "ranks/rank_evaluator.hpp"

#include <memory>
#include <utility>
#include <vector>

#include "ranks/byte_stream.hpp"

namespace surefoot {
namespace {

constexpr std::int64_t no_failure = -1;

std::string bytes_of(const Generation& generation, std::int64_t candidate) {
  const auto x = generation.population().col(static_cast<Index>(candidate));
  ByteWriter writer;
  writer.reals({x.data(), static_cast<std::size_t>(x.size())});
  return writer.take();
}

Matrix candidate_of(const std::string& bytes) {
  Matrix x(static_cast<Index>(bytes.size() / sizeof(double)), 1);
  ByteReader(bytes).reals({x.data(), static_cast<std::size_t>(x.size())});
  return x;
}

/// The seconds, then a failure with its reason, or all values of the outcome.
std::string answer_of(const Generation& generation, double seconds) {
  ByteWriter writer;
  writer.reals({&seconds, 1});
  if (generation.failures().empty()) {
    writer.integer(no_failure);
    writer.reals(values_of(generation.outcome(0)));
  } else {
    const Failure& failure = generation.failures().front();
    writer.integer(static_cast<std::int64_t>(failure.kind));
    writer.rest(failure.reason);
  }
  return writer.take();
}

void take(Generation& generation, std::int64_t candidate, const std::string& bytes) {
  ByteReader reader(bytes);
  const auto i = static_cast<Index>(candidate);
  double seconds = 0;
  reader.reals({&seconds, 1});
  generation.took(i, seconds, -1);
  const std::int64_t kind = reader.integer();
  if (kind == no_failure) {
    std::vector<double> values(reader.rest().size() / sizeof(double));
    reader.reals(values);
    return generation.set(i, values);
  }
  const std::string reason(reader.rest());
  // Exceptions do not travel between ranks; a caller who wants them gets one with the same words.
  const bool thrown = static_cast<FailureKind>(kind) == FailureKind::exception;
  generation.fail(i, static_cast<FailureKind>(kind), reason,
                  thrown ? std::make_exception_ptr(std::runtime_error(reason)) : nullptr);
}

}  // namespace

void RankEvaluator::evaluate(Generation& generation) {
  const std::vector<Index> candidates = generation.open_candidates();
  const std::vector<std::int64_t> open(candidates.begin(), candidates.end());
  ranks_.run(
      open, [&](std::int64_t i) { return bytes_of(generation, i); },
      [&](std::int64_t i, const std::string& outcome) { take(generation, i, outcome); },
      [&] { return generation.cancelled(); });
}

std::optional<std::string> evaluate_task(Evaluator& evaluator, const Task& task,
                                         const std::function<bool()>& cancelled) {
  Generation generation;
  generation.start(candidate_of(task.bytes));
  generation.on_cancel(cancelled);
  const Stopwatch watch;
  evaluator.evaluate(generation);
  if (!generation.is_complete()) return std::nullopt;
  return answer_of(generation, watch.seconds());
}

MakeWork candidate_work(std::function<std::unique_ptr<Evaluator>()> make_evaluator) {
  return [make_evaluator = std::move(make_evaluator)]() -> Work {
    const std::shared_ptr<Evaluator> evaluator = make_evaluator();
    return [evaluator](const Task& task, const std::function<bool()>& cancelled) {
      return evaluate_task(*evaluator, task, cancelled);
    };
  };
}

}  // namespace surefoot
