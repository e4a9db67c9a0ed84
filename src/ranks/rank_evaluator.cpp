#include "ranks/rank_evaluator.hpp"

#include <memory>
#include <utility>

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

std::string outcome_of(const Generation& generation) {
  ByteWriter writer;
  if (generation.failures().empty()) {
    writer.integer(no_failure);
    writer.real(generation.value(0));
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
  const std::int64_t kind = reader.integer();
  if (kind == no_failure) return generation.set(i, reader.real());
  const std::string reason(reader.rest());
  // Exceptions do not travel between ranks; a caller who wants them gets one with the same words.
  const bool thrown = static_cast<FailureKind>(kind) == FailureKind::exception;
  generation.fail(i, static_cast<FailureKind>(kind), reason,
                  thrown ? std::make_exception_ptr(std::runtime_error(reason)) : nullptr);
}

}  // namespace

void RankEvaluator::evaluate(Generation& generation) {
  std::vector<std::int64_t> open;
  for (Index i = 0; i < generation.size(); ++i) {
    if (generation.is_open(i)) open.push_back(i);
  }
  ranks_.run(
      open, [&](std::int64_t i) { return bytes_of(generation, i); },
      [&](std::int64_t i, const std::string& outcome) { take(generation, i, outcome); },
      [&] { return generation.cancelled(); });
}

std::optional<std::string> evaluate_task(Evaluator& evaluator, const Task& task,
                                         const std::function<bool()>& cancelled) {
  const Matrix x = candidate_of(task.bytes);
  Generation generation;
  generation.start(x);
  generation.on_cancel(cancelled);
  evaluator.evaluate(generation);
  if (!generation.is_complete()) return std::nullopt;
  return outcome_of(generation);
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
