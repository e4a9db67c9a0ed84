#pragma once

#include <utility>

#include "surefoot/normal_source.hpp"

namespace surefoot {

/// Gives stored normals, whatever generation is asked for. Replays and tests use it.
class GivenNormals final : public NormalSource {
 public:
  explicit GivenNormals(Matrix z) : z_(std::move(z)) {}
  void fill(std::uint64_t /*generation*/, Eigen::Ref<Matrix> z) override { z = z_; }

 private:
  Matrix z_;
};

}  // namespace surefoot
