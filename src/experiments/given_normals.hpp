#pragma once

#include <utility>

#include "surefoot/normal_source.hpp"

namespace surefoot {

/// Normals that were written down, whatever generation is asked for: for replays and tests.
class GivenNormals final : public NormalSource {
 public:
  explicit GivenNormals(Matrix z) : z_(std::move(z)) {}
  void fill(std::uint64_t /*generation*/, Eigen::Ref<Matrix> z) override { z = z_; }

 private:
  Matrix z_;
};

}  // namespace surefoot
