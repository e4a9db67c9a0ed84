// Wrong input: the message names the option, the value and what is allowed.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "test_support.hpp"

namespace surefoot {
namespace {

using test::inf;
using test::nan;

void expect_message(const std::function<void()>& wrong, std::initializer_list<const char*> parts) {
  try {
    wrong();
    ADD_FAILURE() << "accepted; expected a message with " << *parts.begin();
  } catch (const std::invalid_argument& error) {
    for (const char* part : parts) {
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << '"' << error.what() << "\" lacks " << part;
    }
  }
}

std::function<void()> starting(const Point& x0, const Sigma0& sigma0, const Options& options = {}) {
  return [=] { const Optimizer search(x0, sigma0, options); };
}

TEST(BadInput, Start) {
  expect_message(starting(std::vector<double>{}, 1), {"x0", "at least one"});
  expect_message(starting({1, nan}, 1), {"x0[1]", "nan", "finite"});
  expect_message(starting({inf, 1}, 1), {"x0[0]", "inf", "finite"});
  expect_message(starting({1, 2}, 0), {"sigma0", "= 0 ", "> 0"});
  expect_message(starting({1, 2}, -1), {"sigma0", "-1", "> 0"});
  expect_message(starting({1, 2}, nan), {"sigma0", "nan", "> 0"});
  expect_message(starting({1, 2}, {1, 0}), {"sigma0", "= 0 ", "> 0"});
  expect_message(starting({1, 2}, {1, 2, 3}), {"sigma0", "3 numbers", "2"});
}

TEST(BadInput, Options) {
  expect_message(starting({1, 2}, 1, {.popsize = 1}), {"popsize", "= 1 ", "from 2"});
  expect_message(starting({1, 2}, 1, {.popsize = -5}), {"popsize", "-5", "from 2"});
  expect_message(starting({1, 2}, 1, {.popsize = 1LL << 40}), {"popsize", "1099511627776", "from 2"});
  expect_message(starting({1, 2}, 1, {.maxfevals = 0}), {"maxfevals", "= 0 ", "at least 1"});
  expect_message(starting({1, 2}, 1, {.maxiter = -1}), {"maxiter", "-1", "at least 1"});
  expect_message(starting({1, 2}, 1, {.ftarget = nan}), {"ftarget", "nan"});
  expect_message(starting({1, 2}, 1, {.method = "annealing"}), {"method", "'annealing'", "xnes"});
  expect_message(starting({1, 2}, 1, {.learning_rate = "fixed:2", .method = "cma"}),
                 {"learning_rate", "'fixed:2'", "cma", "xnes"});
}

TEST(BadInput, LearningRates) {
  const auto rate = [](const LearningRate& learning_rate) {
    return starting({1, 2}, 1, {.learning_rate = learning_rate});
  };
  expect_message([] { LearningRate("momentum"); }, {"learning_rate", "'momentum'", "fixed, lra"});
  expect_message([] { LearningRate("lra:gamma=1"); }, {"'gamma'", "alpha_sigma"});
  expect_message([] { LearningRate("fixed:fast"); }, {"factor", "'fast'", "number"});
  expect_message([] { LearningRate("fixed:"); }, {"factor", "''", "number"});
  expect_message([] { LearningRate("lra:frame=C"); }, {"frame", "'C'", "symmetric"});
  expect_message(rate("fixed:0"), {"factor", "= 0 ", "> 0"});
  expect_message(rate("fixed:-8"), {"factor", "-8", "> 0"});
  expect_message(rate("fixed:eta=inf"), {"eta_sigma", "inf", "finite"});
  expect_message(rate("fixed:eta_B=-1"), {"eta_B", "-1", "> 0"});
  expect_message(rate("lra:alpha=0"), {"alpha_sigma", "= 0 ", "> 0"});
  expect_message(rate("lra:beta=1.5"), {"beta", "1.5", "(0, 1]"});
  expect_message(rate("lra:beta_sigma=-1"), {"beta_sigma", "-1", "> 0"});
  expect_message(rate("lra:eta_max=-2"), {"eta_sigma_max", "-2", "> 0"});
  expect_message(rate("lra:eta_min=0.5,eta_max=0.4"), {"eta_sigma_min", "0.5", "0.4"});
  expect_message(rate(LraRates{.eta_B_min = 2}), {"eta_B_min", "= 2 ", "at most"});
  expect_message(rate("s3-lra:alpha_m=0"), {"alpha_m", "= 0 ", "> 0"});
  expect_message(rate("s3-lra:alpha_sigma=-1"), {"alpha_sigma", "-1", "> 0"});
  expect_message(rate("s3-lra:beta_sigma_dec=inf"), {"beta_sigma_dec", "inf", "finite"});
  expect_message(rate("s3-lra:c=2"), {": c = 2", "(0, 1]"});
  expect_message(rate("s3-lra:eta_m_min=2"), {"eta_m_min", "= 2 ", "at most"});
  expect_message(rate(S3LraRates{.eta_B_max = -1}), {"eta_B_max", "-1", "> 0"});
  expect_message([] { LearningRate("geodesic:rates=two"); }, {"rates", "'two'", "'one' or 'separate'"});
  expect_message(rate("geodesic:alpha=0"), {"alpha", "= 0 ", "> 0"});
  expect_message(rate("geodesic:beta=0"), {"beta", "= 0 ", "(0, 1]"});
  expect_message(rate("geodesic:damping=-1"), {"damping", "-1", ">= 0"});
  expect_message(rate("geodesic:speed=nan"), {"speed", "nan", "> 0"});
  expect_message(rate(GeodesicRates{.eta_min = 2}), {"eta_min", "= 2 ", "at most"});
  expect_message(rate(FixedRates{.factor = nan}), {"factor", "nan"});
}

TEST(BadInput, Tell) {
  Optimizer search({1, 2}, 1, {.evaluate_x0 = false, .maxiter = 1, .popsize = 4, .seed = 1});
  expect_message([&] { search.tell(Vector::Zero(4)); }, {"tell", "ask"});
  const Matrix population = search.ask();
  expect_message([&] { search.tell(Vector::Zero(3)); }, {"values", "3 numbers", "4"});
  expect_message([&] { search.tell(Matrix::Zero(3, 4), Vector::Zero(4)); }, {"candidates", "3 x 4", "2 x 4"});
  expect_message([&] { search.tell(Matrix::Constant(2, 4, nan), Vector::Zero(4)); }, {"candidates", "finite"});
  EXPECT_EQ(search.nfev(), 0) << "a refused tell counts nothing";
  search.tell(Vector::Zero(4));
  expect_message([&] { search.tell(population, Vector::Zero(4)); }, {"stopped", "maxiter"});
}

TEST(BadInput, Problems) {
  expect_message([] { find_problem("everest"); }, {"problem", "'everest'", "rastrigin"});
}

TEST(BadInput, BatchObjectiveOfTheWrongSize) {
  expect_message(
      [] {
        minimize([](const Matrix&) { return Vector(Vector::Zero(3)); }, {1, 2}, 1,
                 {.evaluate_x0 = false, .popsize = 8});
      },
      {"objective", "3 values", "8"});
}

}  // namespace
}  // namespace surefoot
