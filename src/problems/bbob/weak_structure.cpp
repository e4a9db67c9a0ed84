// BBOB functions 20 to 24: multimodal with weak global structure.

#include <limits>

#include "problems/bbob/cores.hpp"
#include "problems/bbob/formula.hpp"

namespace surefoot::bbob {
namespace {

/// Draws +1 or -1 for each coordinate.
Vector signs(const std::vector<double>& numbers, double threshold) {
  Vector sign(static_cast<Index>(numbers.size()));
  for (Index i = 0; i < sign.size(); ++i) sign[i] = numbers[static_cast<std::size_t>(i)] < threshold ? -1 : 1;
  return sign;
}

class Schwefel final : public Formula {
 public:
  explicit Schwefel(const Origin& origin) : Formula(origin), sign_(signs(uniforms(d, origin.seed), 0.5)), lambda_(d) {
    for (Index i = 0; i < d; ++i)
      lambda_[i] = std::pow(10.0, 0.5 * static_cast<double>(i) / static_cast<double>(d - 1));
    xopt = 0.005 * best_z_ * sign_;
    const Vector z = Vector::Constant(d, best_z_);
    fbest = core(z.data()) + fopt;
  }
  double value(const double* x, double* z) const override {
    for (Index i = 0; i < d; ++i) z[i] = 2 * sign_[i] * x[i];
    for (Index i = d - 1; i > 0; --i) z[i] += 0.25 * (z[i - 1] - centre);
    for (Index i = 0; i < d; ++i) z[i] = 100 * (lambda_[i] * (z[i] - centre) + centre);
    return core(z) + fopt;
  }

 private:
  static constexpr double centre = 4.2096874637;

  double core(const double* z) const {
    double penalty = 0;
    double sum = 0;
    for (Index i = 0; i < d; ++i) {
      const double excess = std::abs(z[i]) - 500;
      if (excess > 0) penalty += square(excess);
      sum += z[i] * std::sin(std::sqrt(std::abs(z[i])));
    }
    return 0.01 * (penalty + 418.9828872724339 - sum / static_cast<double>(d));
  }

  Vector sign_;
  Vector lambda_;
  double best_z_ = 420.96874633;
};

/// Peaks of random height, place and shape; the highest is the optimum.
class Gallagher final : public Formula {
 public:
  struct Setting {
    Index peaks;
    double width;            // of the cube that holds the peaks
    double first_condition;  // of the highest peak
  };

  Gallagher(const Origin& origin, const Setting& setting)
      : Formula(origin), Q_(origin.Q()), height_(setting.peaks), scale_(d, setting.peaks), place_(d, setting.peaks) {
    const auto last = static_cast<double>(setting.peaks - 2);
    const std::vector<Index> shuffled = permutation(setting.peaks - 1, origin.seed);
    const std::vector<double> u = uniforms(d * setting.peaks, origin.seed);
    Vector centre(d);
    for (Index p = 0; p < setting.peaks; ++p) {
      double condition = setting.first_condition;
      height_[p] = 10;
      if (p > 0) {
        condition = std::pow(1000.0, static_cast<double>(shuffled[static_cast<std::size_t>(p - 1)]) / last);
        height_[p] = static_cast<double>(p - 1) / last * (9.1 - 1.1) + 1.1;
      }
      const std::vector<Index> axes = permutation(d, origin.seed + 1000 * p);
      for (Index j = 0; j < d; ++j) {
        scale_(j, p) = std::pow(condition, position(axes[static_cast<std::size_t>(j)], d) - 0.5);
        centre[j] = setting.width * u[static_cast<std::size_t>(p * d + j)] - setting.width / 2;
      }
      multiply(Q_, centre.data(), place_.data() + p * d);
      if (p > 0) continue;
      place_.col(0) *= 0.8;
      xopt = 0.8 * centre;
    }
    log_height_ = height_.array().log();
  }

  double value(const double* x, double* z) const override {
    multiply(Q_, x, z);
    return square(oscillated(10 - highest_peak(z))) + outside_box(x, d) + fopt;
  }

 private:
  double highest_peak(const double* z) const {
    constexpr double margin = 1e-9;  // far above rounding errors, so that a skipped peak is certainly lower
    const double factor = -0.5 / static_cast<double>(d);
    double highest = 0;
    double log_highest = -std::numeric_limits<double>::infinity();
    for (Index p = 0; p < height_.size(); ++p) {
      const double* scale = scale_.data() + p * d;
      const double* place = place_.data() + p * d;
      double sum = 0;
      for (Index j = 0; j < d; ++j) sum += scale[j] * (z[j] - place[j]) * (z[j] - place[j]);
      const double exponent = factor * sum;
      if (log_height_[p] + exponent < log_highest - margin) continue;  // most exponentials are not needed
      const double peak = height_[p] * std::exp(exponent);
      if (peak <= highest) continue;
      highest = peak;
      log_highest = log_height_[p] + exponent;
    }
    return highest;
  }

  Matrix Q_;
  Vector height_;
  Vector log_height_;
  Matrix scale_;  // one peak a column
  Matrix place_;
};

class Katsuura final : public Formula {
 public:
  explicit Katsuura(const Origin& origin)
      : Formula(origin),
        M_(conditioned(origin.R(), scales(std::sqrt(100.0), d), origin.Q())),
        exponent_(10 / std::pow(static_cast<double>(d), 1.2)) {}
  double value(const double* x, double* z) const override {
    subtract_optimum(x, z + d);
    multiply(M_, z + d, z);
    double product = 1;
    for (Index i = 0; i < d; ++i) {
      double sum = 0;
      double power = 1;
      for (int j = 1; j <= 32; ++j) {
        power *= 2;
        sum += std::abs(power * z[i] - rounded(power * z[i])) / power;
      }
      product *= std::pow(1 + static_cast<double>(i + 1) * sum, exponent_);
    }
    const auto n = static_cast<double>(d);
    return 10 / n / n * (product - 1) + fopt + outside_box(x, d);
  }

 private:
  Matrix M_;
  double exponent_;
};

/// Two funnels with ripples; the wider one does not hold the optimum.
class LunacekRastrigin final : public Formula {
 public:
  explicit LunacekRastrigin(const Origin& origin)
      : Formula(origin),
        R_(origin.R()),
        scaled_Q_(origin.Q()),
        sign_(signs(gaussians(d, origin.seed), 0)),
        steepness_(1 - 0.5 / (std::sqrt(static_cast<double>(d) + 20) - 4.1)),
        second_centre_(-std::sqrt((square(first_centre) - 1) / steepness_)) {
    scaled_Q_ = scales(std::sqrt(100.0), d).asDiagonal() * scaled_Q_;
    xopt = sign_ * (first_centre / 2);
  }
  double value(const double* x, double* z) const override {
    double* y = z + d;
    double first = 0;
    double second = 0;
    for (Index i = 0; i < d; ++i) {
      const double h = 2 * sign_[i] * x[i];
      first += square(h - first_centre);
      second += square(h - second_centre_);
      z[i] = h - first_centre;
    }
    multiply(scaled_Q_, z, y);
    multiply(R_, y, z);
    const double funnel = std::min(first, static_cast<double>(d) + steepness_ * second);
    return funnel + ripples(z, d) + 1e4 * outside_box(x, d) + fopt;
  }

 private:
  static constexpr double first_centre = 2.5;
  Matrix R_;
  Matrix scaled_Q_;
  Vector sign_;
  double steepness_;
  double second_centre_;
};

}  // namespace

std::unique_ptr<Formula> make_weak_structure(int function, const Origin& origin) {
  switch (function) {
    case 20: return std::make_unique<Schwefel>(origin);
    case 21: return std::make_unique<Gallagher>(origin, Gallagher::Setting{101, 10, std::sqrt(1000.0)});
    case 22: return std::make_unique<Gallagher>(origin, Gallagher::Setting{21, 9.8, 1000});
    case 23: return std::make_unique<Katsuura>(origin);
    default: return std::make_unique<LunacekRastrigin>(origin);
  }
}

}  // namespace surefoot::bbob
