#pragma once

#include <functional>
#include <vector>

#include "driver/setup.hpp"
#include "search/stage.hpp"
#include "surefoot/evaluation.hpp"
#include "surefoot/generation.hpp"

namespace surefoot {

/// The generation that is being evaluated: the stage that it belongs to, its points and their outcomes.
class Present {
 public:
  /// The setup must outlive it.
  explicit Present(const Setup& setup) : setup_(setup) {}

  void ask(Stage& stage, Index count, const Tally& tally);
  /// Another stage is the present one, which has not been asked yet.
  void enter(Stage& stage) { stage_ = &stage; }
  /// It has been asked for and still needs values, or has values that nothing was learned from.
  [[nodiscard]] bool is_asked() const { return is_asked_; }
  void close(bool is_asked) { is_asked_ = is_asked; }

  [[nodiscard]] Stage& stage() const { return *stage_; }
  [[nodiscard]] Generation& generation() { return generation_; }
  [[nodiscard]] const Generation& generation() const { return generation_; }
  [[nodiscard]] GenerationValues told() const { return {generation_, values_, changed_}; }
  [[nodiscard]] bool is_changed() const { return !changed_.empty(); }

  /// \throws std::invalid_argument if a caller's points or values do not fit those that were asked for.
  void require_fit(const Matrix& points, Index count) const;
  /// Notes which points the caller has replaced. The others keep their search coordinates exactly.
  void find_changes(const Matrix& points);
  void put_values(const std::vector<Evaluation>& evaluations);
  /// Gathers the values. \throws std::invalid_argument if an evaluation has another number of constraints.
  void gather_values();

  /// Whether nothing of it is known yet.
  [[nodiscard]] bool is_untouched() const;
  /// Whether it is complete, and no candidate has attempts left.
  [[nodiscard]] bool is_final() const;

  /// The outcomes of an unfinished generation. Its points are not stored: sampling again gives the same.
  void save(StateVisitor& writer) const;
  /// `ask` asks the stage of this name again, for at least so many points.
  using AskAgain = std::function<void(const std::string& stage, std::int64_t size)>;
  void restore(StateVisitor& reader, const AskAgain& ask);

 private:
  void require_constraints() const;

  const Setup& setup_;
  Stage* stage_ = nullptr;
  bool is_asked_ = false;
  Generation generation_;  // the user's coordinates
  Vector values_;
  std::vector<Index> changed_;  // candidates that the caller has replaced
};

}  // namespace surefoot
