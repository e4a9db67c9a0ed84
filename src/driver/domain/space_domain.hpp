#pragma once

#include <string>
#include <vector>

#include "driver/domain/box.hpp"
#include "surefoot/space.hpp"

namespace surefoot {

/// The domain of named parameters.
///
/// Each real or ordered parameter that is not fixed has one coordinate u: its value or, on a log scale, the logarithm
/// of it. A box in u has the bounds of the real ones and the units of all. Discrete parameters have no bounds there:
/// every u stands for the value whose cell it lies in. Choices have no coordinate; they live beside (`Categorical`).
/// Where there is nothing but choices, one coordinate that means nothing keeps the strategy busy.
class SpaceDomain final : public Domain {
 public:
  /// \throws std::invalid_argument if there is nothing to search.
  explicit SpaceDomain(const Space& space);
  /// From a distribution over the searched coordinates u.
  SpaceDomain(Space space, const Start& start, std::vector<Vector> probabilities);

  [[nodiscard]] Index search_dimension() const override { return box_.search_dimension(); }
  [[nodiscard]] Start start() const override { return box_.start(); }
  [[nodiscard]] double start_sigma() const override { return box_.start_sigma(); }
  [[nodiscard]] const Vector& user_start() const override { return user_start_; }

  const Matrix& to_user(const Matrix& points, Matrix& room) const override;
  [[nodiscard]] Vector to_user(const Vector& point) const override;
  [[nodiscard]] Vector to_search(const Vector& user) const override;
  /// On a log scale deviations are factors. Those of choices are left 0.
  [[nodiscard]] Vector user_deviations(Vector deviations) const override;
  /// In u.
  [[nodiscard]] Start user_distribution(Start distribution) const override;

  [[nodiscard]] double lower(Index j) const override;
  [[nodiscard]] double upper(Index j) const override;
  [[nodiscard]] Vector restart_mean(const Vector& z) const override;

  [[nodiscard]] bool has_bounds() const override { return box_.has_bounds(); }
  bool excess(const Matrix& points, const Vector& deviations, Vector& squares) const override;
  bool correction(const Distribution& distribution, Vector& shift, Vector& factors) const override;

  void visit(StateVisitor& visitor) const override;

  [[nodiscard]] const Space& space() const override { return space_; }
  [[nodiscard]] bool is_real(Index k) const override { return is_real_[static_cast<std::size_t>(k)]; }
  [[nodiscard]] std::string name(Index k) const override;
  [[nodiscard]] const std::vector<DiscreteCoordinate>& discrete() const override { return discrete_; }
  [[nodiscard]] const std::vector<Index>& choice_sizes() const override { return choice_sizes_; }
  [[nodiscard]] const std::vector<Vector>& start_probabilities() const override { return probabilities_; }
  void put_choices(const Matrix& choices, Matrix& user) const override;
  [[nodiscard]] Matrix choices_of(const Matrix& user) const override;
  void put_doubts(const Vector& doubts, Vector& deviations) const override;
  [[nodiscard]] std::string label(const std::string& option, Index j) const override;
  [[nodiscard]] std::string objection(Index j, double x) const override;

  /// The parameters that have a coordinate, in its order.
  [[nodiscard]] const std::vector<Index>& searched() const { return searched_; }

 private:
  [[nodiscard]] bool is_hidden() const { return searched_.empty(); }

  Space space_;
  std::vector<Index> searched_;      // parameters that have a coordinate
  std::vector<Index> choices_;       // parameters that are choices
  std::vector<Index> choice_sizes_;  // their numbers of values
  Box box_;
  Vector user_start_;
  std::vector<bool> is_real_;
  std::vector<DiscreteCoordinate> discrete_;
  std::vector<Vector> probabilities_;
};

/// The distribution over u that a space starts with by itself.
Start default_start(const Space& space);
/// The parameters that have a coordinate.
std::vector<Index> searched_parameters(const Space& space);

}  // namespace surefoot
