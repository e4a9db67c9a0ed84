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

/// Evaluates one task of a RankEvaluator, a generation of one candidate, with the worker's own evaluator.
std::optional<std::string> evaluate_task(Evaluator& evaluator, const Task& task,
                                         const std::function<bool()>& cancelled);

/// The work of each worker that serves a RankEvaluator: it makes an evaluator and evaluates tasks with it.
MakeWork candidate_work(std::function<std::unique_ptr<Evaluator>()> make_evaluator);

}  // namespace surefoot
