#pragma once

#include "ranks/dispatcher.hpp"
#include "surefoot/evaluator.hpp"

namespace surefoot {

/// Evaluates candidates on all ranks of a Dispatcher whose work is `candidate_work`.
class RankEvaluator final : public Evaluator {
 public:
  /// `ranks` must outlive it.
  explicit RankEvaluator(Dispatcher& ranks) : ranks_(ranks) {}

  void evaluate(Generation& generation) override;
  [[nodiscard]] Usage usage() const override { return ranks_.usage(); }

 private:
  Dispatcher& ranks_;
};

/// What a worker does for a RankEvaluator: each task is a generation of one candidate for an evaluator of its own.
std::optional<std::string> evaluate_task(Evaluator& evaluator, const Task& task,
                                         const std::function<bool()>& cancelled);

/// The same as a worker's whole work.
MakeWork candidate_work(std::function<std::unique_ptr<Evaluator>()> make_evaluator);

}  // namespace surefoot
