// Evaluations and time to a target on functions like those of bbob-largescale, for the methods with linear memory and
// any others that are named. The rotations are block-diagonal between two permutations, values are multiplied by
// min(1, 40/d), and the number of special axes of discus and cigar grows with d, as in that suite. Starts and optima
// are those of this project's problems, so the counts can be compared with published ones in their order of magnitude
// only.
//
// Usage: surefoot_large_scale_functions METHODS DIMENSIONS SEEDS BUDGET [FUNCTIONS]
// Lists are separated by commas. A run may take BUDGET/d evaluations, BUDGET/d/popsize generations. The last column is
// what ended the first seed's run.

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <functional>
#include <numbers>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "surefoot/surefoot.hpp"

namespace surefoot {
namespace {

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// x -> P2 R P1 x, R of orthogonal blocks of 40 rows.
class BlockRotation {
 public:
  explicit BlockRotation(Index d) : before_(d), after_(d) {
    std::mt19937_64 random(static_cast<std::uint64_t>(d));
    before_.setIdentity();
    after_.setIdentity();
    std::shuffle(before_.indices().begin(), before_.indices().end(), random);
    std::shuffle(after_.indices().begin(), after_.indices().end(), random);
    for (Index begin = 0; begin < d; begin += block) {
      const Index n = std::min(block, d - begin);
      Matrix normals(n, n);
      CounterNormals(17, static_cast<std::uint32_t>(begin)).fill(0, normals);
      blocks_.emplace_back(Eigen::HouseholderQR<Matrix>(normals).householderQ());
    }
  }

  [[nodiscard]] Matrix operator()(const Matrix& x) const {
    Matrix y = before_ * x;
    Index begin = 0;
    for (const Matrix& R : blocks_) {
      y.middleRows(begin, R.rows()) = (R * y.middleRows(begin, R.rows())).eval();
      begin += R.rows();
    }
    return after_ * y;
  }

 private:
  static constexpr Index block = 40;
  Eigen::PermutationMatrix<Eigen::Dynamic> before_, after_;
  std::vector<Matrix> blocks_;
};

/// f of columns that are shifted, rotated or not, and have their optimum at 0.
struct Function {
  std::string name;
  bool rotated;
  double start, sigma0, optimum;
  double (*target)(Index d);
  double (*value)(const Eigen::Ref<const Vector>& y);
};

double precise(Index /*d*/) { return 1e-8; }
double coarse(Index d) { return d < 640 ? 1e2 : 2e2; }
Index special_axes(Index d) { return (d + 39) / 40; }

double ellipsoid(const Eigen::Ref<const Vector>& y) {
  static Vector weights;
  if (weights.size() != y.size()) {
    weights = Vector::LinSpaced(y.size(), 0, 6).unaryExpr([](double e) { return std::pow(10, e); });
  }
  return weights.dot(y.cwiseAbs2());
}
double discus(const Eigen::Ref<const Vector>& y) {
  return y.squaredNorm() + (1e6 - 1) * y.head(special_axes(y.size())).squaredNorm();
}
double cigar(const Eigen::Ref<const Vector>& y) {
  return 1e6 * y.squaredNorm() - (1e6 - 1) * y.head(special_axes(y.size())).squaredNorm();
}
double rosenbrock(const Eigen::Ref<const Vector>& y) {
  const auto z = y.array() + 1;
  const Index n = y.size() - 1;
  return (100 * (z.tail(n) - z.head(n).square()).square() + (z.head(n) - 1).square()).sum();
}
double rastrigin(const Eigen::Ref<const Vector>& y) {
  return (y.array().square() + 10 - 10 * (2 * std::numbers::pi * y.array()).cos()).sum();
}

const std::vector<Function>& functions() {
  static const std::vector<Function> all = {
      {"ellipsoid", false, 3, 2, 0, precise, ellipsoid},
      {"rotated-ellipsoid", true, 3, 2, 0, precise, ellipsoid},
      {"rosenbrock", false, 0, 0.5, 1, precise, rosenbrock},
      {"rotated-rosenbrock", true, 0, 0.5, 1, precise, rosenbrock},
      {"rotated-discus", true, 3, 2, 0, precise, discus},
      {"rotated-cigar", true, 3, 2, 0, precise, cigar},
      {"rastrigin", false, 3, 2, 0, coarse, rastrigin},
      {"rotated-rastrigin", true, 3, 2, 0, coarse, rastrigin},
  };
  return all;
}

struct Trial {
  bool reached;
  double evaluations_over_d, seconds, value;
  std::string end;
};

/// The time is that of ask and tell.
Trial run(const Function& f, const BlockRotation& rotation, const std::string& method, Index d, std::uint64_t seed,
          double budget) {
  Optimizer optimizer(Vector::Constant(d, f.start), f.sigma0,
                      {.evaluate_x0 = false,
                       .ftarget = f.target(d),
                       .maxiter = std::max<std::int64_t>(
                           1, static_cast<std::int64_t>(budget / static_cast<double>(d * default_popsize(d)))),
                       .method = method,
                       .restarts = "none",
                       .seed = seed});
  const double scale = std::min(1.0, 40.0 / static_cast<double>(d));
  double seconds = 0;
  double best = std::numeric_limits<double>::infinity();
  while (true) {
    const double begin = cpu_seconds();
    if (optimizer.stop()) break;
    const Matrix& x = optimizer.ask();
    seconds += cpu_seconds() - begin;
    Matrix y = x.array() - f.optimum;
    if (f.rotated) y = rotation(y);
    Vector values(y.cols());
    for (Index i = 0; i < y.cols(); ++i) values[i] = scale * f.value(y.col(i));
    best = std::min(best, values.minCoeff());
    const double learn = cpu_seconds();
    optimizer.tell(values);
    seconds += cpu_seconds() - learn;
  }
  const Result result = optimizer.result();
  const double evaluations = static_cast<double>(result.nfev) / static_cast<double>(d);
  return {best <= f.target(d), evaluations, seconds, best, std::string(name(result.stop))};
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2;
}

void measure(const Function& f, const std::string& method, Index d, int seeds, double budget) {
  const BlockRotation rotation(d);
  int reached = 0;
  std::vector<double> evaluations, seconds, values;
  std::string end;
  for (int seed = 1; seed <= seeds; ++seed) {
    const Trial outcome = run(f, rotation, method, d, static_cast<std::uint64_t>(seed), budget);
    reached += outcome.reached ? 1 : 0;
    evaluations.push_back(outcome.evaluations_over_d);
    seconds.push_back(outcome.seconds);
    values.push_back(outcome.value);
    if (seed == 1) end = outcome.end;
  }
  fmt::print("| {} | {} | {} | {:.0e} | {}/{} | {:.0f} | {:.2f} | {:.1e} | {} |\n", f.name, d, method, f.target(d),
             reached, seeds, median(evaluations), median(seconds), median(values), end);
  std::fflush(stdout);
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, ',');) parts.push_back(part);
  return parts;
}

void measure_all(const std::vector<std::string>& words) {
  fmt::print("| function | d | method | target | reached | evaluations/d | s in the method | value | end |\n");
  fmt::print("|---|---|---|---|---|---|---|---|---|\n");
  for (const Function& f : functions()) {
    const auto wanted = words.size() > 4 ? split(words[4]) : std::vector<std::string>{f.name};
    if (std::find(wanted.begin(), wanted.end(), f.name) == wanted.end()) continue;
    for (const std::string& d : split(words[1])) {
      for (const std::string& method : split(words[0])) {
        measure(f, method, std::stol(d), std::stoi(words[2]), std::stod(words[3]));
      }
    }
  }
}

}  // namespace
}  // namespace surefoot

int main(int argc, char** argv) {
  try {
    if (argc < 5) throw std::invalid_argument("usage: METHODS DIMENSIONS SEEDS BUDGET [FUNCTIONS]");
    surefoot::measure_all({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    fmt::print(stderr, "surefoot_large_scale_functions: {}\n", error.what());
    return 2;
  }
  return 0;
}
