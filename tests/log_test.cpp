// The evaluation log: one row an evaluation, whatever happens to the search.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "checkpoint_support.hpp"
#include "folder_test.hpp"
#include "surefoot/session.hpp"
#include "test_support.hpp"

namespace surefoot {
namespace {

namespace fs = std::filesystem;

using Cells = std::vector<std::string>;

std::vector<std::string> lines_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

Cells split(const std::string& line) {
  Cells cells;
  std::istringstream in(line + ",");
  for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
  return cells;
}

class Logs : public test::FolderTest {
 protected:
  [[nodiscard]] SessionFiles kept(const std::string& name, const std::string& ending = ".csv") const {
    return {.checkpoint = file(name + ".sf"), .checkpoint_every = "3", .log = file(name + ending)};
  }
  [[nodiscard]] static Options options(std::int64_t maxiter) {
    return {.maxiter = maxiter, .model = "none", .popsize = 6, .seed = 3};
  }

  /// The files of a search as a kill would leave them now.
  void snapshot(const std::string& from, const std::string& to) const {
    for (const char* ending : {".sf", ".sf.prev", ".sf.journal", ".csv", ".jsonl"}) {
      if (!fs::exists(file(from + ending))) continue;
      fs::copy_file(file(from + ending), file(to + ending), fs::copy_options::overwrite_existing);
    }
  }
};

/// The rows of a CSV log without seconds and worker, which differ from run to run.
std::vector<std::string> untimed(const std::string& file) {
  std::vector<std::string> rows;
  for (const std::string& line : lines_of(file)) {
    Cells cells = split(line);
    if (cells.size() > 9) cells.erase(cells.begin() + 8, cells.begin() + 10);
    std::string row;
    for (const std::string& cell : cells) row += cell + "|";
    rows.push_back(row);
  }
  return rows;
}

/// The same of JSON lines.
std::vector<std::string> untimed_json(const std::string& file) {
  std::vector<std::string> rows;
  for (std::string line : lines_of(file)) {
    const auto begin = line.find("\"seconds\"");
    rows.push_back(line.erase(begin, line.find("\"params\"") - begin));
  }
  return rows;
}

/// Fails at some points the first time.
class Moody {
 public:
  double operator()(const Vector& x) {
    const int call = ++calls[x[0]];
    if (on_call) on_call();
    if (call <= static_cast<int>(std::abs(x.sum() * 1e6)) % 3) throw std::runtime_error("no, \"not\" yet,\nreally");
    return test::sphere(x);
  }
  std::map<double, int> calls;
  std::function<void()> on_call;
};

TEST_F(Logs, HaveARowForEachEvaluation) {
  Options two = options(2);
  two.failures.retry = 1;
  const auto f = [](const Vector& x) {
    if (x[0] > 3) throw std::runtime_error("too far, \"far\"\noff");
    return x[0] < 0 ? std::numeric_limits<double>::infinity() : x[0];
  };
  const Result result = Session({2.5, 1}, 2, two, {.log = file("a.csv")}).minimize(f);
  const auto lines = lines_of(file("a.csv"));
  ASSERT_GT(lines.size(), static_cast<std::size_t>(result.nfev));
  EXPECT_EQ(lines[0], "id,run,generation,candidate,attempt,status,f,constraints,seconds,worker,x0,x1,reason");
  const Cells first = split(lines[1]);
  EXPECT_EQ((Cells{first.begin(), first.begin() + 8}), (Cells{"1", "1", "0", "0", "1", "ok", "2.5", ""}));
  EXPECT_GE(std::stod(first[8]), 0);
  EXPECT_EQ((Cells{first.begin() + 9, first.end()}), (Cells{"0", "2.5", "1", ""}));
  std::map<std::string, int> count;
  std::set<std::string> places;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const Cells cells = split(lines[i]);
    EXPECT_EQ(cells[0], std::to_string(i));
    EXPECT_TRUE(places.insert(cells[2] + " " + cells[3] + " " + cells[4]).second) << lines[i];
    ++count[cells[5]];
    const double x = std::stod(cells[10]);
    EXPECT_EQ(cells[5], x > 3 ? "exception" : x < 0 ? "infeasible" : "ok") << lines[i];
    EXPECT_EQ(cells[6], x > 3 ? "" : x < 0 ? "inf" : cells[10]) << lines[i];
    if (x > 3) {
      EXPECT_TRUE(lines[i].ends_with(",\"too far, \"\"far\"\" off\"")) << lines[i];
    }
  }
  EXPECT_EQ(count["exception"], 2 * result.nfailed) << "two attempts each";
  EXPECT_EQ(count["ok"] + count["infeasible"] + result.nfailed, result.nfev);
}

TEST_F(Logs, AsJsonLines) {
  Space space;
  space.add("rate=real(1e-3,1,log)").add("layers=int(1,8)").add("kind=choice(relu,tanh)").add("id=1.5");
  const SessionFiles files{.log = file("a.jsonl")};
  const auto f = [](const Values& v) { return v.vector().sum(); };
  Session(space, {.maxiter = 1, .seed = 1}, files).minimize(f);
  const auto lines = lines_of(file("a.jsonl"));
  ASSERT_GT(lines.size(), 2U);
  EXPECT_TRUE(lines[0].starts_with(
      "{\"id\":1,\"run\":1,\"generation\":0,\"candidate\":0,\"attempt\":1,\"status\":\"ok\",\"f\":"))
      << lines[0];
  EXPECT_NE(lines[0].find("\"kind\":\"relu\",\"id\":1.5}}"), std::string::npos) << lines[0];
  Session(space, {.maxiter = 1, .seed = 1}, {.log = file("a.csv")}).minimize(f);
  EXPECT_TRUE(lines_of(file("a.csv"))[0].ends_with("worker,rate,layers,kind,param.id,reason"));
}

/// Every call is the moment of a kill, with a file that is whole, torn, or short of its last rows.
TEST_F(Logs, GoOnAfterEveryKillWithoutDoubles) {
  Options retrying = options(6);
  retrying.failures.retry = 1;
  for (const std::string ending : {".csv", ".jsonl"}) {
    const auto rows = ending == ".csv" ? untimed : untimed_json;
    Moody whole;
    std::vector<std::map<double, int>> finished;  // calls before each kill
    std::map<double, int> before;
    whole.on_call = [&] {
      snapshot("whole", "at-" + std::to_string(finished.size()));
      finished.push_back(before);
      before = whole.calls;
    };
    Session({1, 2, 3}, 0.5, retrying, kept("whole", ending)).minimize(whole);
    const auto expected = rows(file("whole" + ending));
    ASSERT_GT(finished.size(), 40U);
    for (std::size_t k = 1; k < finished.size(); ++k) {
      const std::string name = "at-" + std::to_string(k);
      SCOPED_TRACE(name + ending);
      const std::string log = file(name + ending);
      if (k % 3 == 1) std::ofstream(log, std::ios::app) << "77,1,9";
      if (k % 3 == 2) fs::resize_file(log, fs::file_size(log) - std::min<std::uintmax_t>(fs::file_size(log), 90));
      Moody rest;
      rest.calls = finished[k];
      Session({1, 2, 3}, 0.5, retrying, kept(name, ending)).minimize(rest);
      EXPECT_EQ(rows(log), expected);
    }
    for (const auto& entry : fs::directory_iterator(folder_)) fs::remove_all(entry);
  }
}

/// Before anything was told, with the start's first attempt behind it: the row of that attempt stays.
TEST_F(Logs, GoOnBetweenAttemptsAtTheStart) {
  Options retrying = options(2);
  retrying.failures.retry = 1;
  int calls = 0;
  const auto f = [&](const Vector& x) {
    if (++calls == 1) throw std::runtime_error("not yet");
    return test::sphere(x);
  };
  Session({1, 2, 3}, 0.5, retrying, kept("whole")).minimize(f);
  for (int moment = 1; moment <= 6; ++moment) {
    const std::string name = "at-" + std::to_string(moment);
    calls = 0;
    int asked = 0;
    Options interrupted = retrying;
    interrupted.interrupt = [&] { return calls == 1 && ++asked >= moment; };
    Session({1, 2, 3}, 0.5, interrupted, kept(name)).minimize(f);
    Session({1, 2, 3}, 0.5, retrying, kept(name)).minimize(f);
    EXPECT_EQ(untimed(file(name + ".csv")), untimed(file("whole.csv"))) << name;
  }
}

/// With a model a generation has several rounds, and candidates have the numbers of the population.
TEST_F(Logs, KnowTheRoundsOfAModel) {
  Options modelled{.maxfevals = 60, .model = "quadratic", .seed = 3};
  std::vector<std::string> names;
  const auto f = [&](const Vector& x) {
    names.push_back("at-" + std::to_string(names.size()));
    snapshot("whole", names.back());
    return test::sphere(x) + x[0] * x[1];
  };
  Session({1, 2, 3}, 0.5, modelled, kept("whole")).minimize(f);
  const auto expected = untimed(file("whole.csv"));
  EXPECT_EQ(expected.size(), 61U);
  std::set<std::string> places;
  for (const std::string& line : lines_of(file("whole.csv"))) {
    const Cells cells = split(line);
    EXPECT_TRUE(places.insert(cells[2] + " " + cells[3]).second) << line;
  }
  const std::vector<std::string> kills(names.begin() + 1, names.end());
  for (const std::string& name : kills) {
    SCOPED_TRACE(name);
    Session({1, 2, 3}, 0.5, modelled, kept(name)).minimize([](const Vector& x) {
      return test::sphere(x) + x[0] * x[1];
    });
    EXPECT_EQ(untimed(file(name + ".csv")), expected);
  }
}

TEST_F(Logs, GoOnWithALargerBudget) {
  Options small{.maxfevals = 40, .model = "none", .restarts = "none", .seed = 3};
  Session({1, 2, 3}, 0.5, small, kept("a")).minimize(test::sphere);
  EXPECT_EQ(lines_of(file("a.csv")).size(), 41U);
  small.maxfevals = 100;
  Session({1, 2, 3}, 0.5, small, kept("a")).minimize(test::sphere);
  const auto lines = lines_of(file("a.csv"));
  EXPECT_EQ(lines.size(), 101U);
  std::set<std::string> places;
  for (const std::string& line : lines) {
    const Cells cells = split(line);
    EXPECT_TRUE(places.insert(cells[2] + " " + cells[3] + " " + cells[4]).second) << line;
  }
}

TEST_F(Logs, AreTakenForWhatTheyAre) {
  const auto search = [](const SessionFiles& files) { Session({1, 2}, 0.5, options(3), files).minimize(test::sphere); };
  const auto run = [&](const SessionFiles& files) { return test::rejection([&] { search(files); }); };
  std::ofstream(file("mine.csv")) << "name,age\nAda,36\n";
  EXPECT_NE(run({.log = file("mine.csv")}).find("mine.csv"), std::string::npos);
  EXPECT_EQ(lines_of(file("mine.csv")).size(), 2U);
  EXPECT_NE(run({.log = file("a.txt")}).find(".csv or .jsonl"), std::string::npos);
  EXPECT_NE(run({.log = file("none/a.csv")}).find("no such folder"), std::string::npos);
  search({.log = file("a.csv")});
  const std::size_t rows = lines_of(file("a.csv")).size();
  search({.log = file("a.csv")});  // another search replaces it
  EXPECT_EQ(lines_of(file("a.csv")).size(), rows);
}

TEST_F(Logs, OfCallersWhoOwnTheLoop) {
  Session session({1, 2}, 0.5, options(3), {.log = file("a.csv")});
  while (!session.search().stop()) {
    const Matrix points = session.search().ask();
    EXPECT_NE(test::rejection([&] { session.tell(Vector::Ones(99)); }), "");
    session.tell(points, points.colwise().squaredNorm());
  }
  EXPECT_EQ(lines_of(file("a.csv")).size(), static_cast<std::size_t>(session.search().nfev() + 1));
}

TEST_F(Logs, OnAFullDiskEndAndAreTold) {
  Session session({1, 2}, 0.5, options(3), {.log = "/dev/full"});
  const Result result = session.minimize(test::sphere);
  EXPECT_EQ(result.nit, 3);
  ASSERT_EQ(session.lost().size(), 1U);
  EXPECT_NE(session.lost()[0].find("/dev/full"), std::string::npos);
}

/// With several workers the order is that of the ends, and each row says whose it is.
TEST_F(Logs, OfSeveralWorkers) {
  Options many = options(4);
  many.workers = 3;
  const Result result = Session({1, 2}, 0.5, many, {.log = file("a.csv")}).minimize(test::sphere);
  const auto lines = lines_of(file("a.csv"));
  ASSERT_EQ(lines.size(), static_cast<std::size_t>(result.nfev + 1));
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const Cells cells = split(lines[i]);
    EXPECT_LE(std::stoi(cells[9]), 2) << lines[i];
    EXPECT_GE(std::stod(cells[8]), 0) << lines[i];
  }
}

}  // namespace
}  // namespace surefoot
