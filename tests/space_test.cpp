// Named parameters: their texts, their values, and searches over them.

#include "surefoot/space.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <set>
#include <sstream>
#include <string>

#include "test_support.hpp"

namespace surefoot {
namespace {

std::string refusal_of(const std::string& text) {
  try {
    Space space;
    space.add("a=real(0,1)");
    space.add(text);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

TEST(SpaceText, ReadsWhatItWrites) {
  Space space;
  space.add("rate=real(1e-5, 1e-1, log, start=1e-3, sigma=3)")
      .add("layers=int(1,8)")
      .add("count=integer(1,1000,log)")
      .add("width=grid(32,64,128,256)")
      .add("kind=choice(relu,'a, b','it\\'s',start='a, b')")
      .add("g=9.81")
      .add("free=real(start=1,sigma=0.5)");
  const std::string text = space.text();
  EXPECT_EQ(text,
            "rate=real(1e-05,0.1,log,start=0.001,sigma=3);layers=int(1,8);count=int(1,1000,log);"
            "width=grid(32,64,128,256);kind=choice(relu,'a, b','it\\'s',start='a, b');g=fixed(9.81);"
            "free=real(-inf,inf,start=1,sigma=0.5)");
  EXPECT_EQ(Space::from_text(text).text(), text);
  EXPECT_EQ(space[4].choices, (std::vector<std::string>{"relu", "a, b", "it's"}));
  EXPECT_EQ(*space.find("width"), 3);
  EXPECT_FALSE(space.find("depth"));
}

TEST(SpaceText, RefusesWithTheParameterTheTextAndWhatIsAllowed) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> cases = {
      {"rate", {"'rate'", "NAME=real"}},
      {"1x=real(0,1)", {"'1x'", "begins with a letter"}},
      {"a=int(1,2)", {"parameter a", "already", "a=real(0,1)"}},
      {"b=wild(1,2)", {"parameter b", "wild", "real(LOW,HIGH)"}},
      {"b=real(1)", {"parameter b", "two limits"}},
      {"b=real(2,1)", {"parameter b", "low = 2", "at most high"}},
      {"b=real(x,1)", {"parameter b", "'x' is not a number"}},
      {"b=real(-1,1,log)", {"parameter b", "low = -1", "positive"}},
      {"b=real(0,1,log)", {"parameter b: low = 0 is not allowed", "log scale", "positive", "start and sigma"}},
      {"b=real(0,inf)", {"parameter b: start is missing", "start and sigma"}},
      {"b=reel(0,1)", {"there is no 'reel'", "did you mean 'real'?"}},
      {"b=real(0,1,strat=0.5)", {"'strat=0.5' is not a number", "did you mean 'start'?"}},
      {"b=real(0,1,lgo)", {"did you mean 'log'?"}},
      {"b=real(0,1,start=2)", {"parameter b", "start = 2", "from 0 to 1"}},
      {"b=real(0,1,sigma=-1)", {"parameter b", "sigma = -1", "positive"}},
      {"b=real(1,2,log,sigma=0.5)", {"parameter b", "sigma = 0.5", "factor above 1"}},
      {"b=int(0.5,2)", {"parameter b", "0.5", "integers"}},
      {"b=int(0,9,log)", {"parameter b", "at least 1"}},
      {"b=grid()", {"parameter b", "needs values"}},
      {"b=grid(3,1)", {"parameter b", "3,1", "ascend", "choice"}},
      {"b=choice(x,x)", {"parameter b", "'x'", "own name"}},
      {"b=choice(x,y,start=z)", {"parameter b", "'z'", "x, y"}},
      {"b=choice('x\ny',z)", {"parameter b", "'x\\ny'", "line breaks or other control characters"}},
      {"b=choice('\x1b[31m')", {"parameter b", "'\\x1b[31m'", "control characters"}},
      {"b=choice('\xc2\x9b')", {"parameter b", "'\\xc2\\x9b'", "control characters"}},
      {"b=int(0,9007199254740993)", {"parameter b", "9007199254740993", "from -2^53 to 2^53"}},
      {"b=real(1,4.7M)", {"parameter b", "'4.7M' may be mega or milli"}},
      {"b=real(1,1e3k)", {"parameter b", "'1e3k' is not a number"}},
      {"b=", {"parameter b", "real(LOW,HIGH)"}},
  };
  for (const auto& [text, words] : cases) {
    const std::string message = refusal_of(text);
    for (const std::string& word : words) EXPECT_NE(message.find(word), std::string::npos) << text << ": " << message;
  }
}

TEST(SpaceText, KnowsTheSuffixesOfEngineering) {
  const std::vector<std::pair<std::string, double>> cases = {
      {"1f", 1e-15}, {"2p", 2e-12}, {"10n", 1e-8},     {"22u", 22e-6}, {"-1.5m", -1.5e-3}, {"4.7k", 4700},
      {"4K", 4000},  {"1meg", 1e6}, {"2.2Meg", 2.2e6}, {"3MEG", 3e6},  {"1g", 1e9},        {"+1T", 1e12}};
  for (const auto& [word, value] : cases) {
    Space space;
    space.add("a=" + word);
    EXPECT_EQ(*space[0].start, value) << word;
  }
}

TEST(SpaceText, TakesOtherCharactersOfUtf8InNamesOfChoices) {
  Space space;
  space.add("a=choice('\xc3\xa4','\xe2\x82\xac 5','\xff')");  // the last is not UTF-8
  EXPECT_EQ(space[0].choices.size(), 3U);
}

TEST(SpaceSearch, StartsInTheMiddleOfALogScaleWithoutDigitsOfRounding) {
  Space space;
  space.add("a=real(1e-8,1e-4,log)").add("b=real(1e-12,1e-10,log)");
  Optimizer search(space, {.evaluate_x0 = true, .seed = 1});
  EXPECT_EQ(search.ask()(0, 0), 1e-6);
  EXPECT_EQ(search.present().population()(1, 0), 1e-11);
}

TEST(Space, RefusesIntegersThatADoubleDoesNotHave) {
  Space space;
  EXPECT_THROW(space.integer("n", {.low = 0, .high = 9007199254740993}), std::invalid_argument);
  EXPECT_NO_THROW(space.integer("n", {.low = -9007199254740992, .high = 9007199254740992}));
}

TEST(Space, NamesPointsAndValues) {
  EXPECT_EQ(parameter_names({}, 3), (std::vector<std::string>{"x0", "x1", "x2"}));
  EXPECT_EQ(describe({}, (Vector(2) << 0.5, 2).finished()), "x0 = 0.5, x1 = 2");
  Space space;
  const auto rate = space.real("rate", {.low = 1e-5, .high = 1e-1, .log = true});
  const auto layers = space.integer("layers", {.low = 1, .high = 8, .start = 3});
  const auto width = space.grid("width", {32, 64, 128, 256});
  const auto kind = space.choice("kind", {"relu", "tanh", "gelu"});
  const Values values(space, (Vector(4) << 0.0031415926, 4, 128, 2).finished());
  static_assert(std::is_same_v<decltype(values[layers]), std::int64_t>);
  EXPECT_EQ(values[rate], 0.0031415926);
  EXPECT_EQ(values[layers], 4);
  EXPECT_EQ(values[width], 128);
  EXPECT_EQ(values[kind], 2U);
  EXPECT_EQ(name(values[kind]), "gelu");
  std::ostringstream out;
  out << values;
  EXPECT_EQ(out.str(), "rate = 0.00314159, layers = 4, width = 128, kind = gelu");
  EXPECT_EQ(describe(space, values.vector(), 3, 2), "rate = 0.00314, layers = 4");
}

/// A search over everything there is: what the objective sees are values of the space, and nothing else.
Space mixed_space() {
  Space space;
  space.add("rate=real(1e-6,1e3,log)").add("x=real(-3,5)").add("n=int(-10,10)").add("m=int(1,1000,log)");
  return space.add("width=grid(0.25,0.5,4)").add("kind=choice(a,b,c)").add("g=9.81").add("one=int(4,4)");
}

double mixed_cost(const Vector& x) {
  const double rate = std::log10(x[0] / 0.02);
  return rate * rate + std::pow(x[1] - 1.25, 2) + std::pow(x[2] - 7, 2) + std::pow(std::log(x[3] / 90), 2) +
         (x[4] - 0.5) * (x[4] - 0.5) + (x[5] == 1 ? 0 : 1);
}

void expect_values_of_space(const Vector& x) {
  EXPECT_GE(x[0], 1e-6);
  EXPECT_LE(x[0], 1e3);
  EXPECT_TRUE(x[1] >= -3 && x[1] <= 5);
  EXPECT_TRUE(std::floor(x[2]) == x[2] && std::abs(x[2]) <= 10) << x[2];
  EXPECT_TRUE(std::floor(x[3]) == x[3] && x[3] >= 1 && x[3] <= 1000) << x[3];
  EXPECT_TRUE(x[4] == 0.25 || x[4] == 0.5 || x[4] == 4) << x[4];
  EXPECT_TRUE(x[5] == 0 || x[5] == 1 || x[5] == 2) << x[5];
  EXPECT_EQ(x[6], 9.81);
  EXPECT_EQ(x[7], 4);
}

TEST(Space, CanBeUsedAfterAMove) {
  Space space;
  space.real("rate", {.low = 0, .high = 1});
  Space other = std::move(space);
  space.integer("layers", {.low = 1, .high = 8});  // NOLINT(*-use-after-move,*-cplusplus.Move)
  other = std::move(space);
  EXPECT_EQ(space.size(), 2);  // NOLINT(*-use-after-move,*-cplusplus.Move)
  EXPECT_EQ(other.text(), space.text());
  Space third = std::move(other);
  third.fixed("gravity", 9.81);
  EXPECT_EQ(other.size(), 2) << "a copy of its own";  // NOLINT(*-use-after-move,*-cplusplus.Move)
}

TEST(SpaceSearch, FindsTheOptimumWithValuesOfTheSpaceOnly) {
  std::vector<Vector> seen;
  const auto f = [&](const Vector& x) {
    seen.push_back(x);
    return mixed_cost(x);
  };
  const Result best = minimize(f, mixed_space(), {.restarts = "none", .seed = 1});
  for (const Vector& x : seen) expect_values_of_space(x);
  EXPECT_EQ(seen.front()[0], std::sqrt(1e-6) * std::sqrt(1e3));
  EXPECT_EQ(seen.front()[2], 0);
  EXPECT_TRUE(best.success) << best.message;
  EXPECT_LT(best.fun, 1e-9) << best.message;
  EXPECT_EQ(best.x[2], 7);
  EXPECT_EQ(best.x[3], 90);
  EXPECT_EQ(best.x[5], 1);
  EXPECT_EQ(best.xfavorite[2], 7);
  EXPECT_GT(best.stds[0], 1) << "a factor";
  EXPECT_EQ(best.stds[6], 0);
  EXPECT_LT(best.nfev, 4000);
}

TEST(SpaceSearch, TakesNamedValues) {
  Space space;
  const auto x = space.real("x", {.low = -1, .high = 2});
  const auto n = space.integer("n", {.low = 0, .high = 5});
  const auto kind = space.choice("kind", {"bad", "good"});
  const auto f = [&](const Values& v) {
    return v[x] * v[x] + static_cast<double>((v[n] - 3) * (v[n] - 3)) + (v[kind].name() == "good" ? 0 : 2);
  };
  const Result best = minimize(f, space, {.ftarget = 1e-8, .seed = 2});
  EXPECT_TRUE(best.success);
  EXPECT_EQ(best.values[n], 3);
  EXPECT_EQ(best.values[kind].name(), "good");
  Session session(space, {.ftarget = 1e-8, .seed = 2});
  EXPECT_EQ(session.minimize(f).x, best.x);
}

TEST(SpaceSearch, OfRealParametersIsTheSameAsWithBounds) {
  Space space;
  space.add("x=real(-3,5,start=1,sigma=0.5)").add("y=real(-3,5,start=1,sigma=0.5)");
  const auto f = [](const Vector& x) { return test::sphere(x); };
  const Result named = minimize(f, space, {.seed = 3});
  const Result plain = minimize(f, {1, 1}, 0.5, {.bounds = Bounds::all(-3, 5), .seed = 3});
  EXPECT_EQ(named.x, plain.x);
  EXPECT_EQ(named.nfev, plain.nfev);
}

TEST(SpaceSearch, SettlesWhereEverythingIsDiscrete) {
  Space space;
  for (int j = 0; j < 6; ++j) space.integer("n" + std::to_string(j), {.low = -20, .high = 20, .start = 9});
  const auto f = [](const Vector& x) { return (x.array() - 4).square().sum() + 1; };
  for (const char* method : {"auto", "xnes", "ig-xnes", "sep-cma", "cr-fm-nes"}) {
    const Result best = minimize(f, space, {.method = method, .restarts = "none", .seed = 5});
    EXPECT_EQ(best.stop, StopReason::settled) << method << ": " << best.message;
    EXPECT_EQ(best.fun, 1) << method;
    EXPECT_TRUE(best.success) << method;
  }
}

TEST(SpaceSearch, SearchesChoicesAlone) {
  Space space;
  for (int j = 0; j < 8; ++j) space.choice("c" + std::to_string(j), {"p", "q", "r"});
  const auto f = [](const Vector& x) { return (x.array() != 2).cast<double>().sum(); };
  const Result best = minimize(f, space, {.restarts = "none", .seed = 1});
  EXPECT_EQ(best.fun, 0) << best.message;
  EXPECT_EQ(best.stop, StopReason::settled) << best.message;
}

TEST(SpaceSearch, ChoosesCmaForDiscreteParametersAndRefusesAModel) {
  Space real;
  real.add("x=real(0,1)").add("y=real(1,10,log)");
  EXPECT_EQ(Optimizer(real).options().method, "ig-xnes");
  EXPECT_EQ(Optimizer(real, {.model = "quadratic"}).options().model, "quadratic");
  for (const char* more : {"n=int(0,9)", "n=grid(1,2,5)", "n=choice(a,b)"}) {
    Space space = real;
    space.add(more);
    EXPECT_EQ(Optimizer(space).options().method, "cma");
    EXPECT_EQ(Optimizer(space).options().model, "none");
    EXPECT_THROW(Optimizer(space, {.model = "quadratic"}), std::invalid_argument);
  }
  EXPECT_EQ(real.size(), 2);
  Space fixed;
  fixed.add("g=9.81");
  EXPECT_THROW(Optimizer{fixed}, std::invalid_argument);
  EXPECT_THROW(Optimizer(real, {.bounds = Bounds::all(0, 1)}), std::invalid_argument);
}

TEST(SpaceSearch, WithAModelWorksOnALogScale) {
  Space space;
  space.add("x=real(1e-4,1e4,log,start=10)").add("y=real(-5,5)");
  const auto f = [](const Vector& x) { return std::pow(std::log(x[0] / 0.3), 2) + std::pow(x[1] - 1, 2); };
  for (const char* restarts : {"none", "bipop"}) {
    const Result best =
        minimize(f, space, {.ftarget = 1e-8, .maxfevals = 400, .model = "quadratic", .restarts = restarts, .seed = 1});
    EXPECT_EQ(best.stop, StopReason::ftarget) << best.message;
  }
}

TEST(SpaceSearch, RaisesDeviationsBelowHalfAStep) {
  Space space;
  space.add("n=int(0,9,sigma=0.1)").add("x=real(0,1)");
  Optimizer search(space, {.seed = 1});
  EXPECT_NE(search.result().message.find("sigma of n was raised"), std::string::npos) << search.result().message;
  EXPECT_EQ(search.result().stds[0], 0.5);
}

TEST(SpaceSearch, ChecksPointsOfTheCaller) {
  const Space space = mixed_space();
  const Vector good = (Vector(8) << 1, 1, 1, 1, 4, 0, 9.81, 4).finished();
  EXPECT_NO_THROW(Optimizer(space, {.inject = {good}}));
  for (const auto& [j, value, word] : std::vector<std::tuple<Index, double, const char*>>{
           {2, 0.5, "n"}, {2, 11, "n"}, {4, 1, "width"}, {5, 3, "kind"}, {0, 0, "rate"}, {6, 1, "g"}}) {
    Vector bad = good;
    bad[j] = value;
    try {
      Optimizer search(space, {.inject = {bad}});
      ADD_FAILURE() << "it was accepted: " << j;
    } catch (const std::invalid_argument& error) {
      EXPECT_NE(std::string(error.what()).find(std::string(": ") + word), std::string::npos) << error.what();
    }
  }
  // Replaced candidates are learned from.
  Optimizer search(space, {.evaluate_x0 = false, .seed = 1});
  Matrix points = search.ask();
  points.col(0) = good;
  search.tell(points, Vector::LinSpaced(points.cols(), 0, 1));
  EXPECT_EQ(search.result().x, good);
  points = search.ask();
  points(2, 0) = 0.5;
  EXPECT_THROW(search.tell(points, Vector::Zero(points.cols())), std::invalid_argument);
}

TEST(SpaceSearch, GoesOnBitForBitFromACheckpoint) {
  for (const char* method : {"cma", "ig-xnes", "psa-cma", "lm-ma-es", "self-cma"}) {
    SCOPED_TRACE(method);
    const Options options{.maxiter = 60, .method = method, .restarts = "ipop", .seed = 4};
    Space space = mixed_space();
    for (int k = 0; k < 9; ++k) space.add("extra" + std::to_string(k) + "=real(0,1)");  // lm-ma-es needs nine
    Optimizer whole(space, options);
    Optimizer parts(space, options);
    int generation = 0;
    while (!whole.stop()) {
      const auto values = [&](const Matrix& points) {
        Vector f(points.cols());
        for (Index i = 0; i < points.cols(); ++i) f[i] = mixed_cost(points.col(i));
        return f;
      };
      const Vector f = values(whole.ask());
      ASSERT_EQ(whole.ask(), parts.ask()) << "generation " << generation;
      whole.tell(f);
      parts.tell(f);
      if (++generation % 7 == 0) {
        parts.ask();
        std::stringstream file;
        parts.save(file);
        Optimizer restored(space, options);
        restored.load(file);
        parts = std::move(restored);
      }
    }
    EXPECT_EQ(whole.result().x, parts.result().x);
    EXPECT_EQ(whole.state().size(), parts.state().size());
  }
}

TEST(SpaceSearch, IsPartOfACheckpointsIdentity) {
  Space space;
  space.add("n=int(0,9)").add("x=real(0,1)");
  const Options options{.popsize = 6, .seed = 1};
  const std::string state = Optimizer(space, options).state();
  Space other;
  other.add("n=int(0,8)").add("x=real(0,1)");
  const auto refusal = [&](Optimizer search) -> std::string {
    try {
      search.set_state(state);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(refusal(Optimizer(space, options)), "accepted");
  EXPECT_NE(refusal(Optimizer(other, options)).find("its space is"), std::string::npos);
  Options plain = options;
  plain.method = "cma";
  EXPECT_NE(refusal(Optimizer({0.5, 0.5}, 0.3, plain)).find("have names"), std::string::npos)
      << refusal(Optimizer({0.5, 0.5}, 0.3, plain));
  EXPECT_THROW(distribution_of_state(state), std::invalid_argument);
}

TEST(SpaceSearch, StartsWarmByName) {
  Space space;
  space.add("rate=real(1e-6,1e3,log)").add("n=int(-50,50)").add("x=real(-5,5)").add("kind=choice(a,b,c)");
  const auto f = [](const Vector& x) {
    return std::pow(std::log(x[0] / 0.02), 2) + std::pow(x[1] - 33, 2) + std::pow(x[2] - 1, 2) + (x[3] == 2 ? 0 : 1);
  };
  Optimizer first(space, {.maxiter = 80, .restarts = "none", .seed = 1});
  while (!first.stop()) {
    const Matrix points = first.ask();
    Vector values(points.cols());
    for (Index i = 0; i < points.cols(); ++i) values[i] = f(points.col(i));
    first.tell(values);
  }
  const Result reached = first.result();
  Space more;
  more.add("kind=choice(a,b,c)").add("x=real(-5,5)").add("new=real(0,8)").add("rate=real(1e-6,1e3,log)");
  more.add("n=int(-50,50)");
  Optimizer second(more, first.state(), {.seed = 2});
  const Result start = second.result();
  EXPECT_NEAR(std::log(start.xfavorite[3]), std::log(reached.xfavorite[0]), 1e-9);
  EXPECT_EQ(start.xfavorite[4], reached.xfavorite[1]);
  EXPECT_EQ(start.xfavorite[0], 2);
  EXPECT_EQ(second.ask()(0, 0), 2) << "the first point has the favourite choice";
  EXPECT_NEAR(start.xfavorite[2], 4, 1e-12);
  EXPECT_NEAR(start.stds[1], reached.stds[2], 1e-9 * reached.stds[2]);
  EXPECT_NEAR(start.stds[2], 2, 1e-12);
  // Correlations come along.
  const Matrix old_covariance = first.distribution().covariance();
  const Matrix covariance = second.distribution().covariance();
  EXPECT_NEAR(covariance(0, 2), old_covariance(2, 0), 1e-9 * std::sqrt(old_covariance(2, 2) * old_covariance(0, 0)));
}

TEST(SpaceSearch, CallsCoordinatesByNameInItsMessages) {
  Space space;
  space.add("x=real(-1,1)").add("rate=real(start=1e17,sigma=1)").add("n=int(0,3)");
  const auto f = [](const Vector& x) { return x[0] * x[0] + x[2]; };
  const Result best = minimize(f, space, {.noeffectaxis = false, .restarts = "none", .seed = 1});
  EXPECT_EQ(best.stop, StopReason::noeffectcoord);
  EXPECT_NE(best.message.find("of rate"), std::string::npos) << best.message;
}

}  // namespace
}  // namespace surefoot
