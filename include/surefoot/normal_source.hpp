#pragma once

#include "surefoot/cpp20.hpp"

/// \file
/// The source of standard normal numbers.

#include <cstdint>

#include "surefoot/types.hpp"

namespace surefoot {

/// Source of the normal numbers of one run. Replace it to replay a trajectory or to sample in another way.
class NormalSource {
 public:
  NormalSource() = default;
  NormalSource(const NormalSource&) = default;
  NormalSource(NormalSource&&) = default;
  NormalSource& operator=(const NormalSource&) = default;
  NormalSource& operator=(NormalSource&&) = default;
  virtual ~NormalSource() = default;

  /// Fills z (d x popsize, one candidate per column) with the normals of one generation.
  virtual void fill(std::uint64_t generation, Eigen::Ref<Matrix> z) = 0;

  /// Whether `fill_rows` exists: rows may be filled without the others, from several threads at a time.
  [[nodiscard]] virtual bool has_rows() const { return false; }

  /// Fills z with the rows of a population from row `first` on, an even number: the same numbers as `fill` gives them.
  virtual void fill_rows(std::uint64_t /*generation*/, Index /*first*/, Eigen::Ref<Matrix> /*z*/) {}
};

/// Counter-based normals: every number is a pure function of (seed, run, generation, candidate, coordinate), so the
/// order of the calls does not matter. They come from Philox4x32-10 [Salmon2011] and the Box-Muller transform.
class CounterNormals final : public NormalSource {
 public:
  explicit CounterNormals(std::uint64_t seed, std::uint32_t run = 0) : seed_(seed), run_(run) {}

  void fill(std::uint64_t generation, Eigen::Ref<Matrix> z) override { fill_rows(generation, 0, z); }
  [[nodiscard]] bool has_rows() const override { return true; }
  void fill_rows(std::uint64_t generation, Index first, Eigen::Ref<Matrix> z) override;

 private:
  std::uint64_t seed_;
  std::uint32_t run_;
};

}  // namespace surefoot
