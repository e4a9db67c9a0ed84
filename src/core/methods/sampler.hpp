#pragma once

#include "core/methods/mirrored_normals.hpp"
#include "core/methods/population.hpp"
#include "core/ranking/ranking.hpp"
#include "surefoot/method.hpp"

namespace surefoot {

/// What all methods have in common: they sample from a normal distribution, rank the population and learn from the
/// ranking. A method adds its constants and `learn`.
template <class Shape>
class Sampler : public Strategy {
 public:
  /// The distribution of a saved strategy, without the rest of it.
  static Start read_start(StateVisitor& state) {
    Normal<Shape> normal(Start{});
    normal.visit(state);
    return normal.shape.snapshot(normal.mean, normal.sigma);
  }

  [[nodiscard]] Index popsize() const final { return popsize_; }
  [[nodiscard]] const Distribution& distribution() const final { return distribution_; }

  const Matrix& ask(std::uint64_t generation, NormalSource& normals) final {
    if (population_.size() != popsize_) {
      population_ = Population<Shape>(normal_.dimension(), popsize_);
      ranking_ = Ranking(popsize_);
    }
    begin(normals);
    MirroredNormals mirrored(normals, mirroring_);
    sample(generation, mirrored);
    draw_more(generation, normals);
    return population_.x;
  }

  void tell(const Told& told) final {
    population_.replace(told, normal_, sampling_scale());
    ranking_.average_ties(averages_ties_);
    if (ranking_.sort(told.values)) learn(ranking_, told.values);
  }

  void correct(const Vector& shift, const Vector& factors) final {
    normal_.mean += shift;
    if ((factors.array() == factors[0]).all()) {
      normal_.sigma *= factors[0];
    } else {
      scale_coordinates(factors);
    }
  }

  void expect_discrete() final {
    averages_ties_ = true;
    scale_root();
  }

  void visit(StateVisitor& visitor) final {
    normal_.visit(visitor);
    visit_rest(visitor);
  }

 protected:
  /// A mirrored population has an even number of candidates. The executor is for very many variables.
  Sampler(const Start& start, Index popsize, Mirroring mirroring = Mirroring::none,
          std::shared_ptr<Executor> executor = {})
      : normal_(start),
        distribution_(normal_),
        popsize_(popsize),
        mirroring_(mirroring),
        blocks_(start.dimension(), std::move(executor)),
        population_(start.dimension(), popsize),
        ranking_(popsize) {}

  /// The paper's algorithm: from population_ and its ranking, with at least one finite value, to the next normal_.
  virtual void learn(const Ranking& ranking, const Vector& values) = 0;

  virtual void sample(std::uint64_t generation, NormalSource& normals) {
    population_.sample(normal_, generation, normals, sampling_scale(), blocks_);
  }

  /// Draws what a distribution begins with, if a method wants something random. Called before every population.
  virtual void begin(NormalSource& /*normals*/) {}
  /// Random numbers besides those of the population.
  virtual void draw_more(std::uint64_t /*generation*/, NormalSource& /*normals*/) {}

  /// State besides the distribution.
  virtual void visit_rest(StateVisitor& /*visitor*/) {}

  /// Multiplies the standard deviations of the coordinates by different factors.
  virtual void scale_coordinates(const Vector& factors) { normal_.scale_coordinates(factors); }

  /// Goes over to a root of the covariance that is accurate however much the coordinates' standard deviations differ.
  virtual void scale_root() {}

  /// Factor of sigma with which the present population is sampled.
  [[nodiscard]] virtual double sampling_scale() const { return 1; }

  /// Of the next population.
  void resize(Index popsize) { popsize_ = popsize; }

  Normal<Shape> normal_;
  NormalDistribution<Shape> distribution_;
  Index popsize_;
  Mirroring mirroring_;
  Blocks blocks_;
  Population<Shape> population_;
  Ranking ranking_;
  bool averages_ties_ = false;  // equal values share their weights
};

}  // namespace surefoot
