// A session is a search with its files: the same rule for a checkpoint that exists, wherever it is asked for.

#include "surefoot/session.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "driver/checkpoint/checkpointer.hpp"
#include "driver/trace/json_line.hpp"
#include "folder_test.hpp"
#include "surefoot/option_table.hpp"
#include "test_support.hpp"

namespace surefoot {
namespace {

namespace fs = std::filesystem;

using test::content;

class Sessions : public test::FolderTest {
 protected:
  [[nodiscard]] SessionFiles files() const { return {.checkpoint = file("run.sf"), .trace = file("run.jsonl")}; }
  [[nodiscard]] static Options options(std::int64_t maxiter) { return {.maxiter = maxiter, .popsize = 8, .seed = 3}; }

  Result run(const Options& options, const SessionFiles& files, double sigma0 = 0.5) const {
    return Session({1, 2, 3}, sigma0, options, files).minimize(test::sphere);
  }

  [[nodiscard]] std::string refusal(const Options& options, const SessionFiles& files, double sigma0 = 0.5) const {
    try {
      run(options, files, sigma0);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    ADD_FAILURE() << "nothing was refused";
    return "";
  }
};

TEST_F(Sessions, WithoutFilesIsMinimize) {
  const Result plain = minimize(test::sphere, {1, 2, 3}, 0.5, options(30));
  const Result session = run(options(30), {});
  EXPECT_EQ(session.x, plain.x);
  EXPECT_EQ(session.nfev, plain.nfev);
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(Sessions, TraceWhatOnlyThisMethodMeasures) {
  Options ig = options(3);
  ig.method = "ig-xnes";
  run(ig, {.trace = file("ig.jsonl")});
  EXPECT_NE(content(file("ig.jsonl")).find(",\"kappa\":"), std::string::npos);
  Options cma = options(3);
  cma.method = "cma";
  run(cma, {.trace = file("cma.jsonl")});
  const std::string trace = content(file("cma.jsonl"));
  EXPECT_EQ(trace.find("kappa"), std::string::npos);
  EXPECT_EQ(trace.find("eta_m", trace.find("eta_m") + 1) > trace.find('\n'), true) << "no name twice in a line";
}

TEST_F(Sessions, GoesOnFromItsCheckpoint) {
  const Result whole = run(options(60), {.checkpoint = file("whole.sf"), .trace = file("whole.jsonl")});
  run(options(25), files());
  const Result parts = run(options(60), files());
  EXPECT_EQ(parts.x, whole.x);
  EXPECT_EQ(parts.nfev, whole.nfev);
  EXPECT_EQ(content(file("run.jsonl")), content(file("whole.jsonl")));
}

TEST_F(Sessions, TheTraceTellsAboutItsSearch) {
  SessionFiles told = files();
  told.command = "surefoot minimize";
  Options bounded = options(9);
  bounded.bounds = Bounds::all(-1, 4);
  const Result result = run(bounded, told);
  const std::string trace = content(file("run.jsonl"));
  const std::string first = trace.substr(0, trace.find('\n'));
  EXPECT_NE(first.find(R"("seed":"3","dimension":3,"names":["x0","x1","x2"],"lower":[-1.0,-1.0,-1.0],"upper":[4.0,4)"),
            std::string::npos)
      << first;
  EXPECT_TRUE(first.ends_with(R"("command":"surefoot minimize"}})")) << first;
  EXPECT_NE(first.find(R"("x":[1.0,2.0,3.0],"mean":[1.0,2.0,3.0],"stds":[0.5,0.5,0.5])"), std::string::npos) << first;
  const std::string last = trace.substr(trace.rfind("{\"generation\":"));
  EXPECT_NE(last.find(R"("end":{"stop":"maxiter","kind":"budget","success":false,"message":)"), std::string::npos);
  EXPECT_NE(last.find("\"fun\":" + json_number(result.fun) + ",\"x\":[" + json_number(result.x[0])), std::string::npos);
  EXPECT_EQ(trace.find("\"about\"", first.size()), std::string::npos) << "only the first line";
  EXPECT_EQ(trace.find("\"end\""), trace.rfind("\"end\"")) << "only the last line";
}

TEST_F(Sessions, TheTraceNamesConstraintsAndChoices) {
  Space space;
  const auto size = space.real("size", {.low = 0, .high = 4});
  space.choice("kind", {"oak", "pine"});
  Options limited{.constraints = 1, .equalities = 1, .equality_tolerance = 0.5, .maxiter = 2, .seed = 1};
  Session session(space, limited, {.constraint_names = {"strength"}, .trace = file("run.jsonl")});
  session.minimize([&](const Values& v) { return Evaluation{.f = v[size], .g = {1 - v[size]}, .h = {0.0}}; });
  const std::string trace = content(file("run.jsonl"));
  for (const char* part : {R"("choices":{"kind":["oak","pine"]})",
                           R"("constraints":["strength","h[0]"],"equalities":1,"equality_tolerance":0.5})"}) {
    EXPECT_NE(trace.find(part), std::string::npos) << part << " in " << trace.substr(0, trace.find('\n'));
  }
}

// 0.6 and 0.8 are a rotation: the covariance of A = diag(2, 1) turned by it has the correlation 0.6 0.8 3 /
// sqrt(2.92 2.08).
TEST_F(Sessions, TheTraceHasCorrelations) {
  Matrix A(2, 2);
  A << 0.6 * 2, -0.8, 0.8 * 2, 0.6;
  Options one = options(1);
  one.method = "xnes";
  Session(Start::with_factor(Vector::Constant(2, 1.0), A), one, {.trace = file("run.jsonl")}).minimize(test::sphere);
  const double expected = std::round(0.48 * 3 / std::sqrt(2.08 * 2.92) * 1e4) / 1e4;
  const std::string trace = content(file("run.jsonl"));
  EXPECT_NE(trace.find("\"correlations\":[[" + json_number(expected) + "]]"), std::string::npos) << trace;
}

// A power cut may leave any part of the end, which is written over the last brace.
TEST_F(Sessions, ATornEndOfATraceCostsNothing) {
  run(options(60), {.checkpoint = file("whole.sf"), .trace = file("whole.jsonl")});
  for (const int letters : {2, 5, 8, 20, 90}) {
    SCOPED_TRACE(letters);
    fs::remove(file("run.sf"));
    fs::remove(file("run.sf.journal"));
    run(options(25), files());
    const std::string trace = content(file("run.jsonl"));
    const std::size_t cut = trace.find(",\"end\":") + static_cast<std::size_t>(letters);
    fs::resize_file(file("run.jsonl"), cut);
    run(options(60), files());
    EXPECT_EQ(content(file("run.jsonl")), content(file("whole.jsonl")));
  }
}

TEST_F(Sessions, AnExceptionLosesNothing) {
  const Result whole = run(options(40), {});
  int calls = 0;
  const auto fragile = [&calls](const Vector& x) {
    if (++calls == 150) throw std::runtime_error("power cut");
    return test::sphere(x);
  };
  Options raising = options(40);
  raising.failures.rethrow = true;
  EXPECT_THROW(Session({1, 2, 3}, 0.5, raising, files()).minimize(fragile), std::runtime_error);
  Options patient = options(40);
  patient.failures.retry = 1;
  const Result parts = Session({1, 2, 3}, 0.5, patient, files()).minimize(fragile);
  EXPECT_EQ(parts.x, whole.x);
  EXPECT_EQ(parts.nfailed, 0);
  EXPECT_EQ(calls, whole.nfev + 1);
}

TEST_F(Sessions, RefuseAnotherSearchAndSayWhatDiffers) {
  SessionFiles named = files();
  named.objective = "the sphere";
  run(options(25), named);
  const std::string before = content(file("run.sf"));
  const std::string trace = content(file("run.jsonl"));
  Options larger = options(25);
  larger.popsize = 9;
  EXPECT_NE(refusal(larger, named).find("its popsize is 8, here it is 9"), std::string::npos);
  Options seeded = options(25);
  seeded.seed = 4;
  EXPECT_NE(refusal(seeded, named).find("its seed is 3, here it is 4"), std::string::npos);
  EXPECT_NE(refusal(options(25), named, 0.6).find("sigma0"), std::string::npos);
  SessionFiles other = named;
  other.objective = "the ellipsoid";
  const std::string sentence = refusal(options(25), other);
  EXPECT_NE(sentence.find("it minimises the sphere, here it is the ellipsoid"), std::string::npos) << sentence;
  EXPECT_NE(sentence.find("overwrite"), std::string::npos) << sentence;
  EXPECT_EQ(content(file("run.sf")), before);
  EXPECT_EQ(content(file("run.jsonl")), trace);
}

TEST_F(Sessions, OverwriteStartsAnew) {
  run(options(25), files());
  Options larger = options(10);
  larger.popsize = 9;
  SessionFiles anew = files();
  anew.overwrite = true;
  EXPECT_EQ(run(larger, anew).nit, 10);
  EXPECT_EQ(run(larger, files()).nit, 10);  // and goes on from there
  std::ofstream(file("run.sf")) << "surefoot checkpoint\nbut no longer";
  EXPECT_NE(refusal(larger, files()).find("run.sf"), std::string::npos);
  EXPECT_EQ(run(larger, anew).nit, 10);
}

TEST_F(Sessions, NeverTouchAForeignFile) {
  SessionFiles notes = files();
  notes.checkpoint = file("notes.txt");
  std::ofstream(notes.checkpoint) << "precious";
  EXPECT_NE(refusal(options(5), notes).find("notes.txt"), std::string::npos);
  notes.overwrite = true;
  EXPECT_NE(refusal(options(5), notes).find("notes.txt"), std::string::npos);
  EXPECT_EQ(content(notes.checkpoint), "precious");
  EXPECT_FALSE(fs::exists(file("run.jsonl")));
}

TEST_F(Sessions, RefuseATraceInThePlaceOfTheCheckpoint) {
  fs::create_symlink(file("run.sf"), file("link"));
  for (const char* name : {"run.sf", "run.sf.journal", "run.sf.prev", "run.sf.lock", "./run.sf", "link"}) {
    const std::string refused = refusal(options(5), {.checkpoint = file("run.sf"), .trace = file(name)});
    EXPECT_NE(refused.find("trace"), std::string::npos) << name << ": " << refused;
    const std::string log = refusal(options(5), {.checkpoint = file("run.sf"), .log = file(name)});
    EXPECT_NE(log.find("log"), std::string::npos) << name << ": " << log;
    EXPECT_FALSE(fs::exists(file("run.sf"))) << name;
  }
  EXPECT_NE(refusal(options(5), {.log = file("both.jsonl"), .trace = file("both.jsonl")}).find("both"),
            std::string::npos);
  EXPECT_FALSE(fs::exists(file("both.jsonl")));
}

TEST_F(Sessions, RefuseFoldersAndIntervalsThatAreNone) {
  EXPECT_NE(refusal(options(5), {.trace = file("none/run.jsonl")}).find("no such folder"), std::string::npos);
  EXPECT_NE(refusal(options(5), {.checkpoint = file("none/run.sf")}).find("no such folder"), std::string::npos);
  EXPECT_NE(refusal(options(5), {.checkpoint_every = "soon"}).find("soon"), std::string::npos);
}

TEST_F(Sessions, TheLoopMayBeTheCallers) {
  const Result whole = run(options(20), {.trace = file("whole.jsonl")});
  Session session({1, 2, 3}, 0.5, options(20), files());
  session.open();
  while (!session.search().stop()) {
    Generation& generation = session.search().generation();
    for (const Index i : generation.open_candidates()) generation.set(i, test::sphere(generation.population().col(i)));
    session.tell();
  }
  session.close();
  EXPECT_EQ(session.search().result().x, whole.x);
  EXPECT_EQ(content(file("run.jsonl")), content(file("whole.jsonl")));
}

/// A loop that tells values keeps every evaluation, as one that sets outcomes does.
TEST_F(Sessions, KeepValuesThatAreToldThroughAKill) {
  const auto value = [](const Vector& x) { return x[0] > 1.2 ? std::nan("") : test::sphere(x); };
  const auto advance = [&](Session& session, std::int64_t nfev) {
    while (!session.search().stop() && session.search().nfev() < nfev) {
      const Matrix& population = session.search().ask();
      Vector values(population.cols());
      for (Index i = 0; i < values.size(); ++i) values[i] = value(population.col(i));
      session.tell(values);
    }
  };
  for (const bool brings_points : {false, true}) {
    SCOPED_TRACE(brings_points);
    const SessionFiles rare{.checkpoint = file("run.sf"), .checkpoint_every = "1000", .trace = file("run.jsonl")};
    Session whole({1, 2, 3}, 0.5, options(30), {.trace = file("whole.jsonl")});
    advance(whole, 1 << 30);
    whole.close();
    std::int64_t nfev = 0;
    {
      Session first({1, 2, 3}, 0.5, options(30), rare);
      first.open();
      advance(first, 60);
      if (brings_points) {
        Matrix points = first.search().ask();
        points.col(2).setConstant(0.25);
        first.tell(points, points.colwise().squaredNorm().transpose());
      }
      nfev = first.search().nfev();
    }  // as if killed here
    Session second({1, 2, 3}, 0.5, options(30), rare);
    second.open();
    EXPECT_EQ(second.search().nfev(), nfev);
    EXPECT_GT(second.search().result().nfailed, 0);
    advance(second, 1 << 30);
    second.close();
    if (!brings_points) {
      EXPECT_EQ(second.search().result().x, whole.search().result().x);
      EXPECT_EQ(second.search().result().message, whole.search().result().message);
      EXPECT_EQ(content(file("run.jsonl")), content(file("whole.jsonl")));
    }
    fs::remove(file("run.sf"));
  }
}

TEST_F(Sessions, RefuseTheTraceOfAnotherSearch) {
  run(options(25), files());
  fs::copy_file(file("run.sf"), file("kept.sf"));
  const std::string own = content(file("run.jsonl"));
  Options of_another_seed = options(40);
  of_another_seed.seed = 4;
  const std::vector<std::function<void()>> others = {
      [&] { run(of_another_seed, {.trace = file("run.jsonl")}); },
      [&] {
        Session({9, 9, 9}, 0.5, options(40), {.trace = file("run.jsonl")}).minimize(test::sphere);
      },
      [&] {
        Session({1, 2}, 0.5, options(40), {.trace = file("run.jsonl")}).minimize(test::sphere);
      }};
  for (const auto& another : others) {
    another();
    const std::string trace = content(file("run.jsonl"));
    const std::string refused = refusal(options(60), files());
    EXPECT_NE(refused.find("trace = " + file("run.jsonl")), std::string::npos) << refused;
    EXPECT_NE(refused.find("another search"), std::string::npos) << refused;
    EXPECT_EQ(content(file("run.jsonl")), trace);
    EXPECT_EQ(content(file("run.sf")), content(file("kept.sf")));
  }
  std::ofstream(file("run.jsonl"), std::ios::binary) << own;
  EXPECT_EQ(run(options(60), files()).nit, 60);
}

TEST_F(Sessions, TellWhichGenerationsATraceLacks) {
  run(options(25), files());
  const std::string whole = content(file("run.jsonl"));
  const auto go_on_with = [&](const std::string& trace, std::int64_t maxiter) {
    std::ofstream(file("run.jsonl"), std::ios::binary) << trace;
    Session session({1, 2, 3}, 0.5, options(maxiter), files());
    session.minimize(test::sphere);
    return session.lost().empty() ? std::string("nothing") : session.lost().front();
  };
  EXPECT_EQ(go_on_with(whole, 26), "nothing");
  const std::string now = content(file("run.jsonl"));
  const std::size_t eleventh = now.find("{\"generation\":10,");
  const std::size_t next = now.find('\n', eleventh) + 1;
  EXPECT_NE(go_on_with(now.substr(0, eleventh) + now.substr(next), 27).find("lacks generation 10:"), std::string::npos);
  EXPECT_NE(go_on_with(now.substr(0, next + 9), 28).find("lacks generations 11 to 26:"), std::string::npos);
  EXPECT_NE(content(file("run.jsonl")).find("\n{\"generation\":28,"), std::string::npos) << "the rest is there";
  EXPECT_EQ(go_on_with("", 29), "nothing") << "a new trace";
  EXPECT_EQ(go_on_with(content(file("run.jsonl")), 30), "nothing") << "which has begun in the middle";
  EXPECT_TRUE(content(file("run.jsonl")).starts_with("{\"generation\":28,"));
}

TEST(Evaluators, ThatLeaveACandidateOpenAreTold) {
  class Lazy final : public Evaluator {
   public:
    void evaluate(Generation& generation) override {
      for (Index i = 0; i + 1 < generation.size(); ++i) generation.set(i, 1);
    }
  } lazy;
  EXPECT_THROW(minimize_with(lazy, {1, 2}, 1, {.maxiter = 10, .seed = 1}), std::invalid_argument);
}

TEST(Evaluators, AreInterruptedForGoodByAnInterruptThatIsTrueOnce) {
  int asked = 0;
  const auto once = [&asked] { return ++asked == 30; };
  const Result result = minimize(test::sphere, {1, 2}, 1, {.interrupt = once, .maxiter = 50, .seed = 1});
  EXPECT_EQ(result.stop, StopReason::interrupted);
  EXPECT_EQ(result.runs.size(), 1);
}

TEST(Evaluators, RefuseWorkersForWholePopulations) {
  const auto batch = [](const Matrix& population) -> Vector { return population.colwise().squaredNorm().transpose(); };
  try {
    minimize(batch, {1, 2}, 1, {.seed = 1, .workers = 2});
    ADD_FAILURE() << "nothing was refused";
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("workers = 2"), std::string::npos) << error.what();
  }
  const ProblemInstance both = make_problem("sphere", Index{3}, {});  // takes points too
  const Result one = minimize(both, {1, 2, 3}, 1, {.maxiter = 20, .seed = 1});
  EXPECT_EQ(minimize(both, {1, 2, 3}, 1, {.maxiter = 20, .seed = 1, .workers = 3}).x, one.x);
}

TEST(StopTable, HasEveryReasonOnceInTheOrderOfTheNumbers) {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < stop_table().size(); ++i) {
    const StopInfo& row = stop_table()[i];
    EXPECT_EQ(static_cast<std::size_t>(row.reason), i);
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_FALSE(row.meaning.empty()) << row.name;
  }
  const std::string page = content(fs::path(SUREFOOT_TEST_DATA) / "../../docs/reference/stop-reasons.md");
  for (const StopInfo& row : stop_table()) {
    if (row.reason == StopReason::none) continue;
    EXPECT_NE(page.find("`" + std::string(row.name) + "`"), std::string::npos) << row.name << " is not documented";
  }
  EXPECT_EQ(name(StopReason::infeasible), "infeasible");
}

TEST(StopTable, NamesOptionsThatThereAre) {
  for (const StopInfo& row : stop_table()) {
    std::istringstream words{std::string(row.options)};
    for (std::string option; words >> option;) {
      const auto& table = option_table();
      const bool is_there = std::any_of(table.begin(), table.end(), [&](const auto& o) { return o.python == option; });
      EXPECT_TRUE(is_there) << row.name << " depends on '" << option << "'";
    }
  }
}

TEST(Outcomes, DecideWhatNanAndInfinityMean) {
  EXPECT_EQ(kind_of(-1e300), ValueKind::finite);
  EXPECT_EQ(kind_of(test::inf), ValueKind::infeasible);
  EXPECT_EQ(kind_of(-test::inf), ValueKind::failed);
  EXPECT_EQ(kind_of(test::nan), ValueKind::failed);
}

TEST(Outcomes, HaveRoomForConstraints) {
  Generation generation;
  generation.start(Matrix::Zero(2, 4));
  generation.set(0, std::vector<double>{1, -2, 3});
  generation.set(1, std::vector<double>{1, test::nan});
  generation.predict(2, 5);
  EXPECT_EQ(values_of(generation.outcome(0)), (std::vector<double>{1, -2, 3}));
  EXPECT_EQ(generation.outcome(1).state, Outcome::State::failed);
  EXPECT_EQ(generation.outcome(2).state, Outcome::State::predicted);
  EXPECT_EQ(generation.outcome(2).attempts, 0);
  EXPECT_EQ(generation.open_candidates(), std::vector<Index>{3});
  EXPECT_EQ(outcome_of(values_of(generation.outcome(0)), 1).constraints, (std::vector<double>{-2, 3}));
}

TEST(JsonLines, WriteNumbersThatReadBack) {
  EXPECT_EQ(json_number(0), "0.0");
  EXPECT_EQ(json_number(-0.0), "-0.0");
  EXPECT_EQ(json_number(1), "1.0");
  EXPECT_EQ(json_number(-120), "-120.0");
  EXPECT_EQ(json_number(1e14), "100000000000000.0");
  EXPECT_EQ(json_number(1e15), "1e+15");
  EXPECT_EQ(json_number(0.1), "0.1");
  EXPECT_EQ(json_number(1.25e-4), "0.000125");
  EXPECT_EQ(json_number(1.25e-5), "1.25e-05");
  EXPECT_EQ(json_number(5e-324), "5e-324");
  EXPECT_EQ(json_number(test::nan), "null");
  EXPECT_EQ(json_number(test::inf), "null");
}

TEST(JsonLines, EscapeTexts) {
  EXPECT_EQ(json_text("a\"\\\n\x01"), "\"a\\\"\\\\\\n\\u0001\"");
  EXPECT_EQ(json_text("\xc3\xa4\xff\xe2\x82"), "\"\xc3\xa4\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"");
  JsonLine line;
  line.add("a", 1.5);
  line.add("b", std::int64_t{2});
  line.add("c", std::string_view("x"));
  EXPECT_EQ(line.text(), R"({"a":1.5,"b":2,"c":"x"})");
}

}  // namespace
}  // namespace surefoot
