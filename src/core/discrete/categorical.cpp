#include "core/discrete/categorical.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/elementary/elementary.hpp"
#include "surefoot/outcome.hpp"

namespace surefoot {
namespace {

// Constants of [Hamano2025]: the share of samples that the margin leaves untouched, and the threshold of the ratio of
// signal to noise.
constexpr double untouched = 0.73;
constexpr double signal_threshold = 1.5;

constexpr double tiny = 1e-8;

/// Weights of the better half, which sum to 1: those of CMA-ES.
double half_weight(Index rank, Index popsize) {
  return std::max(
      0.0, elementary::log((static_cast<double>(popsize) + 1) / 2) - elementary::log(static_cast<double>(rank + 1)));
}

double uniform_from(double normal) { return elementary::erfc(-normal / std::numbers::sqrt2) / 2; }

std::vector<Vector> equal_probabilities(const std::vector<Index>& sizes) {
  std::vector<Vector> q;
  q.reserve(sizes.size());
  for (const Index size : sizes) q.emplace_back(Vector::Constant(size, 1 / static_cast<double>(size)));
  return q;
}

}  // namespace

Categorical::Categorical(const std::vector<Index>& sizes, Index discrete)
    : q_(equal_probabilities(sizes)),
      all_least_(discrete > 0 ? 1 - elementary::pow(untouched, 1 / static_cast<double>(discrete)) : 0),
      gradient_(q_) {
  Index parameters = 0;
  for (const Index size : sizes) parameters += size - 1;
  s_bar_ = s_ = Vector::Zero(parameters);
}

double Categorical::least(std::size_t n) const { return all_least_ / static_cast<double>(q_[n].size() - 1); }

const Matrix& Categorical::sample(std::uint64_t generation, NormalSource& normals, Index popsize) {
  choices_.resize(static_cast<Index>(q_.size()), popsize);
  if (empty()) return choices_;
  normals.fill(generation, choices_);
  for (Index i = 0; i < popsize; ++i) {
    for (std::size_t n = 0; n < q_.size(); ++n) {
      const double u = uniform_from(choices_(static_cast<Index>(n), i));
      Index k = 0;
      double below = q_[n][0];
      while (k + 1 < q_[n].size() && u >= below) below += q_[n][++k];
      choices_(static_cast<Index>(n), i) = static_cast<double>(k);
    }
  }
  return choices_;
}

/// Equal merits share the mean of their weights; what has none has the weight 0.
void Categorical::weigh(const Vector& merits) {
  w_.setZero(merits.size());
  order_.clear();
  for (Index i = 0; i < merits.size(); ++i) {
    if (is_finite(merits[i])) order_.push_back(i);
  }
  std::stable_sort(order_.begin(), order_.end(), [&](Index a, Index b) { return merits[a] < merits[b]; });
  for (std::size_t begin = 0; begin < order_.size();) {
    std::size_t end = begin;
    double sum = 0;
    while (end < order_.size() && merits[order_[end]] == merits[order_[begin]]) {
      sum += half_weight(static_cast<Index>(end++), merits.size());
    }
    for (std::size_t k = begin; k < end; ++k) w_[order_[k]] = sum / static_cast<double>(end - begin);
    begin = end;
  }
  const double total = w_.sum();
  if (total > 0) w_ /= total;
}

void Categorical::measure(const Matrix& choices) {
  Index at = 0;
  for (std::size_t n = 0; n < q_.size(); ++n) {
    Vector& g = gradient_[n];
    const Vector& q = q_[n];
    const Index last = q.size() - 1;
    g = -w_.sum() * q;
    for (Index i = 0; i < w_.size(); ++i) g[static_cast<Index>(choices(static_cast<Index>(n), i))] += w_[i];
    const double others = g.head(last).sum() / (q[last] + std::sqrt(q[last]));
    s_.segment(at, last) = g.head(last).cwiseQuotient(q.head(last).cwiseSqrt()) + others * q.head(last).cwiseSqrt();
    at += last;
  }
}

void Categorical::learn(const Matrix& choices, const Vector& merits) {
  if (empty()) return;
  weigh(merits);
  // All equal: a random ranking, from which nothing is to be learned.
  if (order_.size() < 2 || merits[order_.front()] == merits[order_.back()]) return;
  measure(choices);
  const double length = s_.norm();
  if (!(length > 0)) return;
  for (std::size_t n = 0; n < q_.size(); ++n) {
    q_[n] += 1 / big_delta_ / (length + tiny) * gradient_[n];
    keep_margin(n);
  }
  s_ /= length;
  adapt();
}

/// Delta follows the signal-to-noise ratio, as in ASNG [Hamano2024].
void Categorical::adapt() {
  const double beta = std::min(1.0, 1 / big_delta_ / std::sqrt(static_cast<double>(s_.size())));
  s_bar_ = (1 - beta) * s_bar_ + std::sqrt(beta * (2 - beta)) * s_;
  gamma_ = (1 - beta) * (1 - beta) * gamma_ + beta * (2 - beta);
  big_delta_ *= elementary::exp(beta * (gamma_ - s_bar_.squaredNorm() / signal_threshold));
}

/// Raises what is below the margin; the others give in proportion to what they have above it.
void Categorical::keep_margin(std::size_t n) {
  Vector& q = q_[n];
  const double low = least(n);
  q = q.cwiseMax(low);
  const double surplus = q.sum() - 1;
  const double room = q.sum() - static_cast<double>(q.size()) * low;
  if (room > 0) q -= surplus / room * (q.array() - low).matrix();
  q /= q.sum();
}

Vector Categorical::favourites() const {
  Vector best(static_cast<Index>(q_.size()));
  for (std::size_t n = 0; n < q_.size(); ++n) {
    Index k = 0;
    q_[n].maxCoeff(&k);
    best[static_cast<Index>(n)] = static_cast<double>(k);
  }
  return best;
}

Vector Categorical::doubts() const {
  Vector doubts(static_cast<Index>(q_.size()));
  for (std::size_t n = 0; n < q_.size(); ++n) doubts[static_cast<Index>(n)] = 1 - q_[n].maxCoeff();
  return doubts;
}

bool Categorical::has_settled() const { return empty() || doubts().maxCoeff() <= 2 * all_least_; }

void Categorical::start_from(const std::vector<Vector>& probabilities) {
  for (std::size_t n = 0; n < std::min(q_.size(), probabilities.size()); ++n) {
    if (probabilities[n].size() != q_[n].size()) continue;
    q_[n] = probabilities[n];
    keep_margin(n);
  }
}

void Categorical::visit(StateVisitor& visitor) {
  if (empty()) return;
  for (Vector& q : q_) visitor.vector("q", q);
  visitor.vector("s_bar", s_bar_);
  visitor.scalar("gamma of q", gamma_);
  visitor.scalar("Delta", big_delta_);
}

}  // namespace surefoot
