#pragma once

#include "surefoot/normal_source.hpp"

namespace surefoot {

/// Whether a population is half of normals and half of their negatives, and in which order.
enum class Mirroring {
  none,
  pairs,   // z_1, -z_1, z_2, -z_2, ...
  halves,  // z_1, z_2, ..., -z_1, -z_2, ...
};

/// Draws half of a population and mirrors it, without a copy. The number of columns must be even unless nothing is
/// mirrored.
class MirroredNormals final : public NormalSource {
 public:
  MirroredNormals(NormalSource& source, Mirroring order) : source_(source), order_(order) {}

  void fill(std::uint64_t generation, Eigen::Ref<Matrix> z) override {
    mirror(z, [&](Eigen::Ref<Matrix> drawn) { source_.fill(generation, drawn); });
  }
  [[nodiscard]] bool has_rows() const override { return source_.has_rows(); }
  void fill_rows(std::uint64_t generation, Index first, Eigen::Ref<Matrix> z) override {
    mirror(z, [&](Eigen::Ref<Matrix> drawn) { source_.fill_rows(generation, first, drawn); });
  }

 private:
  template <class Draw>
  void mirror(Eigen::Ref<Matrix> z, const Draw& draw) const {
    if (order_ == Mirroring::none) return draw(z);
    const Index half = z.cols() / 2;
    Columns drawn = columns(z, 0, half);
    Columns mirrored = columns(z, order_ == Mirroring::pairs ? 1 : half, half);
    draw(drawn);
    mirrored = -drawn;
  }

  using Columns = Eigen::Map<Matrix, 0, Eigen::OuterStride<>>;

  [[nodiscard]] Columns columns(Eigen::Ref<Matrix>& z, Index first, Index count) const {
    const Index stride = z.outerStride() * (order_ == Mirroring::pairs ? 2 : 1);
    return {z.data() + first * z.outerStride(), z.rows(), count, Eigen::OuterStride<>(stride)};
  }

  NormalSource& source_;
  Mirroring order_;
};

}  // namespace surefoot
