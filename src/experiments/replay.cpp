#include "experiments/replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "core/invalid_option.hpp"
#include "core/methods/importance_mixing.hpp"
#include "core/ranking/ranking.hpp"
#include "driver/merit/augmented_lagrangian.hpp"
#include "experiments/given_normals.hpp"
#include "report/parse_json.hpp"
#include "surefoot/problems.hpp"

namespace surefoot {
namespace {

using Json = nlohmann::ordered_json;

/// What the file says cannot be: sizes that do not fit, numbers out of range.
[[noreturn]] void reject_fixture(const std::string& what) { throw std::invalid_argument("fixture: " + what); }

Vector vector_from(const Json& json) {
  const auto values = json.get<std::vector<double>>();
  return Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()));
}

/// Row i of the file becomes column i.
Matrix columns_from(const Json& rows) {
  if (!rows.is_array() || rows.empty()) reject_fixture("a matrix must be a list of rows");
  Matrix columns(static_cast<Index>(rows.at(0).size()), static_cast<Index>(rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Vector row = vector_from(rows[i]);
    if (row.size() != columns.rows()) reject_fixture("the rows of a matrix have different lengths");
    columns.col(static_cast<Index>(i)) = row;
  }
  return columns;
}

/// Compares visited state with the state of the file, by name.
class Comparison final : public StateVisitor {
 public:
  Comparison(const Json& expected, ReplayReport& report) : expected_(expected), report_(report) {}

  void scalar(std::string_view name, double& value) override {
    const Json* json = find(name);
    if (json == nullptr || json->is_array()) return;
    note(std::string(name), Vector::Constant(1, value), Vector::Constant(1, json->get<double>()));
  }
  void vector(std::string_view name, Vector& value) override {
    if (const Json* json = find(name)) note(std::string(name), value, vector_from(*json));
  }
  void matrix(std::string_view name, Matrix& value) override {
    if (const Json* json = find(name)) note(std::string(name), value, columns_from(*json).transpose());
  }

  /// What a file has in place of a step size and a shape: the whole covariance, or its triangular root A^T. With a
  /// diagonal covariance deviations as a list called sigma, or variances.
  void distribution(const Distribution& distribution) {
    const Json* sigma = find("sigma");
    const Json* covariance = find("C");
    if (sigma == nullptr && covariance != nullptr) {
      note("C", distribution.covariance(), columns_from(*covariance).transpose());
    }
    if (const Json* factor = find("A"); factor != nullptr && !is_noted("A")) {
      note("A", distribution.snapshot().factor.value_or(Matrix()).transpose(), columns_from(*factor).transpose());
    }
    const Json* variances = find("C_diag");
    if (variances == nullptr && (sigma == nullptr || !sigma->is_array())) return;
    Vector deviations;
    distribution.deviations(deviations);
    if (variances == nullptr) return note("sigma", deviations, vector_from(*sigma));
    note("C_diag", (deviations / distribution.sigma()).cwiseAbs2(), vector_from(*variances));
  }

  /// What a file counts among the state and the strategy only measures.
  void measures(const Measures& measures) {
    for (const auto& [name, measured] : measures) {
      double value = measured;
      if (!is_noted(name)) scalar(name == "h_sigma" ? "hsig" : name, value);
    }
  }

  void note(const std::string& name, const Matrix& actual, const Matrix& expected) {
    if (actual.rows() != expected.rows() || actual.cols() != expected.cols() || actual.size() == 0) {
      reject_fixture(fmt::format("{} has {} x {} numbers, here it has {} x {}", name, expected.rows(), expected.cols(),
                                 actual.rows(), actual.cols()));
    }
    double deviation = (actual - expected).cwiseAbs().maxCoeff() / std::max(expected.cwiseAbs().maxCoeff(), 1e-300);
    if (!std::isfinite(deviation)) deviation = std::numeric_limits<double>::infinity();
    double& largest = report_.deviations[name];
    largest = std::max(largest, deviation);
    seen_.push_back(name);
  }

  /// \throws if the file has a quantity that the strategy does not name.
  void require_all_seen() const {
    for (const auto& item : expected_.items()) {
      if (std::find(seen_.begin(), seen_.end(), item.key()) == seen_.end()) {
        reject("fixture: quantity", item.key(), "this version does not compute it");
      }
    }
  }

 private:
  [[nodiscard]] bool is_noted(std::string_view name) const {
    return std::find(seen_.begin(), seen_.end(), name) != seen_.end();
  }
  [[nodiscard]] const Json* find(std::string_view name) const {
    const auto found = expected_.find(name);
    return found == expected_.end() ? nullptr : &*found;
  }

  const Json& expected_;
  ReplayReport& report_;
  std::vector<std::string> seen_;
};

/// Gives a strategy the vectors that the file begins with: some methods would draw them.
class Beginning final : public StateVisitor {
 public:
  explicit Beginning(const Json& init) : init_(init) {}

  void scalar(std::string_view /*name*/, double& /*value*/) override {}
  void vector(std::string_view name, Vector& value) override {
    const auto found = init_.find(name);
    if (found == init_.end() || !found->is_array()) return;
    const Vector given = vector_from(*found);
    if (given.size() != value.size()) reject_fixture(fmt::format("{} has another length", name));
    value = given;
  }
  void matrix(std::string_view /*name*/, Matrix& /*value*/) override {}

 private:
  const Json& init_;
};

constexpr Index largest_fixture = 10000;

/// What an algorithm of the fixtures is called here. The first row whose variant the file's begins with.
struct Row {
  const char* algorithm = "";
  const char* variant = "";
  const char* method = "";
  const char* learning_rate = "auto";
};

constexpr std::array rows = {
    Row{"xNES", "", "xnes", "fixed:frame=symmetric"},
    Row{"xNES with importance mixing", "", "xnes", "fixed"},
    Row{"xNES-LRA", "B-frame", "xnes", "lra:frame=B"},
    Row{"xNES-LRA", "", "xnes", "lra:frame=symmetric"},
    Row{"S3-LRA-xNES", "", "xnes", "s3-lra"},
    Row{"CMA-ES (active)", "", "cma"},
    Row{"CMA-ES (active) with importance mixing", "", "cma"},
    Row{"ig-xnes", "", "ig-xnes"},
    Row{"DX-NES", "", "dx-nes"},
    Row{"DX-NES-IC", "gamma carried over", "dx-nes-ic"},
    Row{"FM-NES", "", "fm-nes"},
    Row{"CR-FM-NES", "", "cr-fm-nes"},
    Row{"SNES", "", "snes"},
    Row{"sep-CMA-ES", "", "sep-cma"},
    Row{"LRA-CMA-ES", "authors", "lra-cma"},
    Row{"LRA-CMA-ES", "cmaes", "lra-cma:form=cmaes"},
    Row{"PSA-CMA-ES", "", "psa-cma"},
    Row{"self-CMA-ES", "", "self-cma"},
    Row{"LM-MA-ES", "", "lm-ma-es"},
    Row{"eNES", "", "enes"},
    Row{"eNES with importance mixing", "", "enes"},
    Row{"xNES with adaptation sampling", "", "xnes", "as"},
    Row{"SNES with adaptation sampling", "", "snes", "as"},
    Row{"IGO", "rank-mu", "igo:form=rank-mu"},
    Row{"IGO", "natural gradient", "igo:form=igo"},
    Row{"IGO", "maximum likelihood", "igo:form=ml"},
    Row{"IGO", "geodesic", "igo:form=gigo"},
};

const Row& row_of(const std::string& algorithm, const std::string& variant) {
  const auto* const found = std::find_if(rows.begin(), rows.end(), [&](const Row& row) {
    return algorithm == row.algorithm && variant.starts_with(row.variant);
  });
  if (found != rows.end()) return *found;
  std::vector<std::string> known;
  known.reserve(rows.size());
  for (const Row& row : rows) known.emplace_back(row.algorithm);
  known.erase(std::unique(known.begin(), known.end()), known.end());
  reject("fixture: algorithm", "'" + algorithm + "'", "this version replays " + listed(known));
}

const Problem& objective_of(const Json& objective) {
  const Problem& problem = find_problem(objective.at("name").get<std::string>());
  const Vector x = vector_from(objective.at("check_x"));
  if (x.size() < problem.min_dimension) reject_fixture("check_x has too few coordinates");
  const auto expected = objective.at("check_f").get<double>();
  const double value = problem.value(x.data(), x.size());
  if (!(std::abs(value - expected) <= replay_tolerance * std::abs(expected))) {
    reject("fixture: objective", problem.name, fmt::format("its check value {} is {} here", expected, value));
  }
  return problem;
}

/// The columns that are not negatives of earlier ones: what a method draws that mirrors them itself.
Matrix drawn_columns(const Matrix& z) {
  Matrix drawn(z.rows(), z.cols());
  Index count = 0;
  for (Index i = 0; i < z.cols(); ++i) {
    const bool is_mirrored = ((drawn.leftCols(count).colwise() + z.col(i)).array() == 0).colwise().all().any();
    if (!is_mirrored) drawn.col(count++) = z.col(i);
  }
  return drawn.leftCols(count);
}

/// All of them, if the file gives candidates or some are kept: what a strategy samples may depend on the signs of
/// eigenvectors.
std::vector<Index> changed_columns(const Json& step, Index popsize) {
  const bool are_given = step.contains("x") || step.contains("v_old");
  std::vector<Index> columns(are_given ? static_cast<std::size_t>(popsize) : 0);
  std::iota(columns.begin(), columns.end(), Index{0});
  return columns;
}

/// The populations of a file with importance mixing: from the second step on it gives the normals that decide.
class MixedPopulations {
 public:
  explicit MixedPopulations(double alpha) : mixing_(alpha) {}

  /// Kept points, then the new ones.
  Matrix ask(const Json& step, const Distribution& now) {
    const Index popsize = last_.f.size();
    Vector v = Vector::Zero(popsize);
    const Vector given = vector_from(step.at("v_old")).head(step.at("used_old").get<Index>());
    if (given.size() > popsize) reject_fixture("v_old has too many numbers");
    v.head(given.size()) = given;
    mixing_.keep(last_, std::vector<bool>(static_cast<std::size_t>(popsize), true), *before_, now, v);
    const Matrix fresh = mixing_.draw(popsize, now, [&](Matrix& block) { fill(step, block); });
    if (fresh.cols() != step.at("fresh").get<Index>()) reject_fixture("another number of points is kept");
    Matrix population(now.dimension(), popsize);
    population << mixing_.kept().x, fresh;
    return population;
  }
  void remember(const Matrix& population, const Vector& values, const Start& before) {
    last_ = {population, values};
    before_ = before;
  }

 private:
  static void fill(const Json& step, Matrix& block) {
    const Matrix z = columns_from(step.at("z_new"));
    const Vector v = vector_from(step.at("v_new"));
    if (z.rows() + 2 != block.rows() || z.cols() != v.size()) reject_fixture("z_new and v_new do not fit");
    const Index count = std::min(v.size(), block.cols());
    block.setZero();
    block.topLeftCorner(z.rows(), count) = z.leftCols(count);
    block.row(z.rows()).head(count) = v.head(count).transpose();
  }

  ImportanceMixing mixing_;
  ImportanceMixing::Points last_;
  std::optional<Start> before_;
};

Matrix population_of(const Json& step, Strategy& strategy, MixedPopulations& mixed) {
  if (step.contains("v_old")) return mixed.ask(step, strategy.distribution());
  const Matrix z = columns_from(step.at("z"));
  if (z.rows() != strategy.distribution().dimension()) reject_fixture("the normals have another dimension");
  GivenNormals normals(drawn_columns(z), step.contains("z_aux") ? columns_from(step.at("z_aux")) : Matrix());
  return strategy.ask(0, normals);
}

void replay_step(const Json& step, Strategy& strategy, MixedPopulations& mixed, const Problem& problem,
                 ReplayReport& report) {
  Matrix population = population_of(step, strategy, mixed);
  if (step.contains("x")) {
    const Matrix given = columns_from(step.at("x"));
    if (given.rows() != population.rows() || given.cols() != population.cols()) {
      reject_fixture("the candidates are of another dimension or number");
    }
    population = given;
  }
  Vector values(population.cols());
  problem.values(population, values);

  Ranking ranking(values.size());
  ranking.sort(values);
  report.same_order = report.same_order && ranking.order() == step.at("order").get<std::vector<Index>>();

  const std::vector<Index> changed = changed_columns(step, values.size());
  const Start before = strategy.distribution().snapshot();
  strategy.tell({population, values, changed});
  mixed.remember(population, values, before);
  Comparison comparison(step.at("state"), report);
  comparison.note("f", values, vector_from(step.at("f")));
  strategy.visit(comparison);
  comparison.measures(strategy.measures());
  comparison.distribution(strategy.distribution());
  comparison.require_all_seen();
}

/// An augmented Lagrangian is not a strategy: the file gives its candidates with f and the values of the constraints.
void replay_lagrangian(const Json& json, ReplayReport& report) {
  const auto dimension = json.at("d").get<Index>();
  if (dimension < 1 || dimension > largest_fixture) reject_fixture("d must be from 1 to 10000");
  AugmentedLagrangian lagrangian(dimension, json.at("equality").get<std::vector<bool>>());
  for (const Json& step : json.at("steps")) {
    const Vector f = vector_from(step.at("f"));
    const Matrix g = columns_from(step.at("g"));
    if (g.rows() != lagrangian.size() || g.cols() != f.size()) reject_fixture("f and g do not fit");
    Comparison comparison(step, report);
    comparison.note("fitness", lagrangian.fitness(f, g), vector_from(step.at("fitness")));
    report.same_order = report.same_order && lagrangian.reference() == step.at("reference").get<Index>();
    lagrangian.learn(f, g);
    comparison.note("gamma", lagrangian.gamma(), vector_from(step.at("gamma")));
    comparison.note("mu", lagrangian.mu(), vector_from(step.at("mu")));
    const auto flags = step.at("initialised").get<std::vector<bool>>();
    comparison.note("initialised", lagrangian.initialised(), Vector::NullaryExpr(std::ssize(flags), [&](Index i) {
                      return flags[static_cast<std::size_t>(i)] ? 1.0 : 0.0;
                    }));
    ++report.iterations;
  }
}

}  // namespace

double ReplayReport::largest() const {
  return std::accumulate(deviations.begin(), deviations.end(), 0.0,
                         [](double largest, const auto& item) { return std::max(largest, item.second); });
}

ReplayReport replay(const std::filesystem::path& fixture, ShapeRoute route) {
  std::ifstream file(fixture);
  if (!file) reject("fixture", fixture.string(), "the file cannot be read");
  try {
    std::ostringstream words;
    words << file.rdbuf();
    const Json json = parse_json(words.str());
    if (!json.is_object()) reject_fixture("it is not a trajectory file: no JSON object");
    ReplayReport report;
    report.algorithm = json.at("meta").at("algorithm").get<std::string>();
    report.variant = json.at("meta").at("variant").get<std::string>();
    if (report.algorithm == "augmented Lagrangian") {
      replay_lagrangian(json, report);
      return report;
    }
    const Row& row = row_of(report.algorithm, report.variant);
    report.method = find_method(row.method).name;
    const Problem& problem = objective_of(json.at("objective"));

    const Vector mean = vector_from(json.at("init").at("m"));
    if (mean.size() < problem.min_dimension || mean.size() > largest_fixture) {
      reject_fixture("the mean has too few or too many coordinates");
    }
    const auto popsize = json.at("lam").get<std::int64_t>();
    if (popsize < 2 || popsize > largest_fixture) reject_fixture("lam must be from 2 to 10000");
    const Json& sigma = json.at("init").at("sigma");
    const Vector deviations =
        sigma.is_array() ? vector_from(sigma) : Vector::Constant(mean.size(), sigma.get<double>());
    if (deviations.size() != mean.size() || !(deviations.minCoeff() > 0) || !deviations.allFinite() ||
        !mean.allFinite()) {
      reject_fixture("sigma must be positive, one number or one per coordinate");
    }
    const auto budget = json.contains("budget") ? std::optional(json.at("budget").get<std::int64_t>()) : std::nullopt;
    const auto strategy = make_strategy(row.method, {.start = {mean, deviations},
                                                     .popsize = static_cast<Index>(popsize),
                                                     .learning_rate = row.learning_rate,
                                                     .observed = true,
                                                     .route = route,
                                                     .budget = budget});
    Beginning beginning(json.at("init"));
    strategy->visit(beginning);
    const Json constants = json.value("constants", Json::object());
    MixedPopulations mixed(constants.is_object() ? constants.value("alpha", 0.1) : 0.1);
    for (const Json& step : json.at("steps")) {
      replay_step(step, *strategy, mixed, problem, report);
      ++report.iterations;
    }
    return report;
  } catch (const Json::exception& error) {
    reject("fixture", fixture.string(), fmt::format("it is not a trajectory file ({})", error.what()));
  }
}

}  // namespace surefoot
