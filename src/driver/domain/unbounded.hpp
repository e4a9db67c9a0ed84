#pragma once

#include "driver/domain/domain.hpp"

namespace surefoot {

/// All of space, in the user's own coordinates: the start's standard deviation is the same for all of them.
class Unbounded final : public Domain {
 public:
  Unbounded(Vector x0, const Sigma0& sigma0, std::string note = {});

  [[nodiscard]] Index search_dimension() const override { return x0_.size(); }
  [[nodiscard]] Start start() const override;
  [[nodiscard]] double start_sigma() const override { return sigma_; }
  [[nodiscard]] const Vector& user_start() const override { return x0_; }

  const Matrix& to_user(const Matrix& points, Matrix& room) const override;
  [[nodiscard]] Vector to_user(const Vector& point) const override { return point; }
  [[nodiscard]] Vector to_search(const Vector& user) const override { return user; }
  [[nodiscard]] Vector user_deviations(Vector deviations) const override { return deviations; }
  [[nodiscard]] Start user_distribution(Start distribution) const override;

  [[nodiscard]] double lower(Index coordinate) const override;
  [[nodiscard]] double upper(Index coordinate) const override;
  [[nodiscard]] Vector restart_mean(const Vector& z) const override { return x0_ + sigma_ * z; }

  [[nodiscard]] bool has_bounds() const override { return false; }
  bool excess(const Matrix& points, const Vector& deviations, Vector& squares) const override;
  bool correction(const Distribution& distribution, Vector& shift, Vector& factors) const override;

  void visit(StateVisitor& visitor) const override;

 private:
  Vector x0_;
  double sigma_;
};

/// \throws std::invalid_argument for a standard deviation or a mean that double precision cannot square.
void check_start(double sigma, const Vector& mean);

}  // namespace surefoot
