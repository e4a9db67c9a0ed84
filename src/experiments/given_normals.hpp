#pragma once

#include <stdexcept>
#include <utility>

#include "surefoot/normal_source.hpp"

namespace surefoot {

/// Gives stored normals, whatever generation is asked for. Replays and tests use it.
class GivenNormals final : public NormalSource {
 public:
  /// `more` is for methods that draw more than a population, as often as it has another size.
  explicit GivenNormals(Matrix z, Matrix more = {}) : z_(std::move(z)), more_(std::move(more)) {}
  void fill(std::uint64_t /*generation*/, Eigen::Ref<Matrix> z) override {
    const bool is_population = z.rows() == z_.rows() && z.cols() == z_.cols();
    if (is_population || more_.size() > 0) {
      const Matrix& given = is_population ? z_ : more_;
      if (given.rows() != z.rows() || given.cols() != z.cols()) {
        throw std::invalid_argument("fixture: the normals are of another size than those that the method draws");
      }
      z = given;
    } else {
      z.setZero();
    }
  }

 private:
  Matrix z_;
  Matrix more_;
};

}  // namespace surefoot
