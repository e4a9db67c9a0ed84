// Searches that are killed, repeated, repaired, locked out and out of disk: what docs/reference/reliability.md
// promises.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <thread>

#include "checkpoint_support.hpp"
#include "driver/checkpoint/checkpoint_file.hpp"
#include "driver/checkpoint/checkpointer.hpp"
#include "driver/checkpoint/file_lock.hpp"
#include "evaluators/program_evaluator.hpp"
#include "folder_test.hpp"
#include "surefoot/session.hpp"
#include "test_support.hpp"

namespace surefoot {
namespace {

namespace fs = std::filesystem;

class Interruptions : public test::FolderTest {
 protected:
  [[nodiscard]] SessionFiles files(const std::string& name) const {
    return {.checkpoint = file(name + ".sf"), .checkpoint_every = "3", .trace = file(name + ".jsonl")};
  }
  [[nodiscard]] static Options options(std::int64_t maxiter) { return {.maxiter = maxiter, .popsize = 6, .seed = 3}; }

  /// The files of a search as a kill would leave them now.
  void snapshot(const std::string& from, const std::string& to) const {
    for (const char* ending : {".sf", ".sf.prev", ".sf.journal", ".jsonl"}) {
      if (!fs::exists(file(from + ending))) continue;
      fs::copy_file(file(from + ending), file(to + ending), fs::copy_options::overwrite_existing);
    }
  }

  static std::string refusal(const std::function<void()>& action) { return test::rejection(action); }
};

/// Fails so often for a point, which the point alone decides; counts all calls by point.
class Fragile {
 public:
  double operator()(const Vector& x) {
    const int call = ++calls[x[0]];
    if (on_call) on_call();
    const auto failures = static_cast<int>(std::abs(x.sum() * 1e6)) % 4;
    if (call <= failures) throw std::runtime_error("attempt " + std::to_string(call));
    return test::sphere(x);
  }
  std::map<double, int> calls;
  std::function<void()> on_call;
};

/// Every call of a search with retries is the moment of a kill.
TEST_F(Interruptions, InTheMiddleOfRetriesLeaveTheNumberOfAttempts) {
  Options retrying = options(6);
  retrying.failures.retry = 1;
  Fragile whole;
  std::vector<std::map<double, int>> finished;  // calls before each kill
  std::map<double, int> before;
  whole.on_call = [&] {
    snapshot("whole", "at-" + std::to_string(finished.size()));
    finished.push_back(before);
    before = whole.calls;
  };
  const Result result = Session({1, 2, 3}, 0.5, retrying, files("whole")).minimize(whole);
  ASSERT_GT(result.nfailed, 0);
  ASSERT_GT(finished.size(), 40);
  for (std::size_t k = 0; k < finished.size(); ++k) {
    SCOPED_TRACE(testing::Message() << "killed in call " << k);
    const std::string name = "at-" + std::to_string(k);
    Fragile rest;
    rest.calls = finished[k];
    const Result resumed = Session({1, 2, 3}, 0.5, retrying, files(name)).minimize(rest);
    EXPECT_EQ(resumed.x, result.x);
    EXPECT_EQ(resumed.nfailed, result.nfailed);
    EXPECT_EQ(rest.calls, whole.calls);
    EXPECT_EQ(test::content(file(name + ".jsonl")), test::content(file("whole.jsonl")));
  }
  for (const auto& [x, count] : whole.calls) EXPECT_LE(count, 2) << "attempts with one retry";
}

/// Every time a search asks for it is the moment of an interruption, also between two attempts of the last generation,
/// whose budget is used by then.
TEST_F(Interruptions, BetweenAttemptsLeaveTheTrace) {
  for (const char* model : {"none", "quadratic"}) {
    SCOPED_TRACE(model);
    Options retrying{.maxfevals = 20, .model = model, .popsize = 6, .restarts = "none", .seed = 3};
    retrying.failures.retry = 1;
    Fragile whole;
    const std::string peace = std::string("peace-") + model;
    const Result result = Session({1, 2, 3}, 0.5, retrying, files(peace)).minimize(whole);
    ASSERT_GT(result.nfailed, 0);
    bool is_interrupted = true;
    for (int moment = 1; is_interrupted; ++moment) {
      SCOPED_TRACE(testing::Message() << "interrupted when asked for the time " << moment);
      const std::string name = std::string("at-") + model + std::to_string(moment);
      Fragile f;
      int asked = 0;
      Options interrupted = retrying;
      interrupted.interrupt = [&] { return ++asked >= moment; };
      Session({1, 2, 3}, 0.5, interrupted, files(name)).minimize(f);
      is_interrupted = asked >= moment;
      const Result resumed = Session({1, 2, 3}, 0.5, retrying, files(name)).minimize(f);
      EXPECT_EQ(resumed.x, result.x);
      EXPECT_EQ(resumed.message, result.message);
      EXPECT_EQ(f.calls, whole.calls);
      EXPECT_EQ(test::content(file(name + ".jsonl")), test::content(file(peace + ".jsonl")));
    }
  }
}

/// A search that was killed goes on, is interrupted while it repeats its journal, and goes on again.
TEST_F(Interruptions, WhileAJournalIsRepeatedLoseNothing) {
  Options retrying{.maxfevals = 30, .model = "none", .popsize = 6, .restarts = "none", .seed = 3};
  retrying.failures.retry = 1;
  SessionFiles late = files("whole");
  late.checkpoint_every = "1000";
  late.log = file("whole.csv");
  Fragile whole;
  std::map<double, int> before;
  std::map<double, int> finished;
  int calls = 0;
  whole.on_call = [&] {
    if (++calls == 35) {
      snapshot("whole", "killed");
      fs::copy_file(file("whole.csv"), file("killed.csv"));
      finished = before;
    }
    before = whole.calls;
  };
  const Result result = Session({1, 2, 3}, 0.5, retrying, late).minimize(whole);
  ASSERT_GT(calls, 40);
  bool is_interrupted = true;
  for (int moment = 1; is_interrupted; ++moment) {
    SCOPED_TRACE(testing::Message() << "interrupted when asked for the time " << moment);
    snapshot("killed", "again");
    fs::copy_file(file("killed.csv"), file("again.csv"), fs::copy_options::overwrite_existing);
    SessionFiles again = files("again");
    again.log = file("again.csv");
    Fragile rest;
    rest.calls = finished;
    int asked = 0;
    Options interrupted = retrying;
    interrupted.interrupt = [&] { return ++asked >= moment; };
    Session({1, 2, 3}, 0.5, interrupted, again).minimize(rest);
    is_interrupted = asked >= moment;
    EXPECT_EQ(Session({1, 2, 3}, 0.5, retrying, again).minimize(rest).message, result.message);
    EXPECT_EQ(rest.calls, whole.calls);
    EXPECT_EQ(test::content(file("again.jsonl")), test::content(file("whole.jsonl")));
    const std::string log = test::content(file("again.csv"));
    EXPECT_EQ(std::count(log.begin(), log.end(), '\n'), calls + 1);
  }
}

/// Every call is the moment of a kill, also in the last generation, which the budget cuts short.
TEST_F(Interruptions, OfSearchesWithConstraintsLeaveTheTrace) {
  const Options limited{.constraints = 1, .maxfevals = 45, .popsize = 6, .restarts = "none", .seed = 3};
  SessionFiles often = files("whole");
  int calls = 0;
  std::function<void()> on_call = [&] { snapshot("whole", "at-" + std::to_string(calls++)); };
  const auto f = [&](const Vector& x) {
    if (on_call) on_call();
    return Evaluation{.f = x.squaredNorm(), .g = {1 - x[0]}};
  };
  for (const char* every : {"1", "3"}) {
    often.checkpoint_every = every;
    often.overwrite = true;
    calls = 0;
    const Result result = Session({2, 2}, 0.5, limited, often).minimize(f);
    ASSERT_EQ(calls, 45);
    const std::function<void()> quiet = std::exchange(on_call, nullptr);
    for (int k = 1; k < calls; ++k) {
      const std::string name = "at-" + std::to_string(k);
      EXPECT_EQ(Session({2, 2}, 0.5, limited, files(name)).minimize(f).x, result.x) << name;
      EXPECT_EQ(test::content(file(name + ".jsonl")), test::content(file("whole.jsonl")))
          << name << ", every " << every;
    }
    on_call = quiet;
  }
}

TEST_F(Interruptions, AJournalOfAnotherSearchOrCheckpointIsNotReplayed) {
  SessionFiles late = files("a");
  late.checkpoint_every = "1000";
  int calls = 0;
  const auto f = [&](const Vector& x) {
    if (++calls == 40) {
      snapshot("a", "killed");
      snapshot("b", "other");
    }
    return test::sphere(x);
  };
  Session({1, 2, 3}, 0.5, options(10), late).minimize(f);
  // The same search with another objective has the same points, the same generations and the same sizes.
  SessionFiles other = late;
  other.checkpoint = file("b.sf");
  other.trace.clear();
  calls = 0;
  Session({1, 2, 3}, 0.5, options(10), other).minimize([&](const Vector& x) {
    if (++calls == 40) snapshot("b", "other");
    return 7 + test::sphere(x);
  });
  fs::copy_file(file("other.sf.journal"), file("killed.sf.journal"), fs::copy_options::overwrite_existing);
  SessionFiles killed = files("killed");
  killed.trace.clear();
  calls = 0;
  const Result result = Session({1, 2, 3}, 0.5, options(10), killed).minimize([&](const Vector& x) {
    ++calls;
    return test::sphere(x);
  });
  EXPECT_EQ(calls, result.nfev) << "values of the other search were taken";
  EXPECT_LT(result.fun, 7);
}

TEST_F(Interruptions, ZerosAtTheEndOfAJournalAreItsEnd) {
  SessionFiles late = files("a");
  late.checkpoint_every = "1000";
  int calls = 0;
  const Result whole = Session({1, 2, 3}, 0.5, options(10), late).minimize([&](const Vector& x) {
    if (++calls == 30) snapshot("a", "killed");
    return test::sphere(x);
  });
  for (const std::size_t zeros : {1U, 8U, 16U, 17U, 4096U}) {
    snapshot("killed", "zeros");
    std::ofstream(file("zeros.sf.journal"), std::ios::app | std::ios::binary) << std::string(zeros, '\0');
    calls = 0;
    const Result resumed = Session({1, 2, 3}, 0.5, options(10), files("zeros")).minimize([&](const Vector& x) {
      ++calls;
      return test::sphere(x);
    });
    EXPECT_EQ(resumed.x, whole.x);
    EXPECT_EQ(calls, whole.nfev - 29);
  }
  // Nothing but zeros, as a journal whose bytes never reached the disk.
  snapshot("killed", "zeros");
  std::ofstream(file("zeros.sf.journal"), std::ios::binary) << std::string(5000, '\0');
  EXPECT_EQ(Session({1, 2, 3}, 0.5, options(10), files("zeros")).minimize(test::sphere).x, whole.x);
}

/// Also within its first words, which a full disk or a power cut may leave.
TEST_F(Interruptions, AJournalCutAnywhereEndsThere) {
  SessionFiles late = files("a");
  late.checkpoint_every = "1000";
  int calls = 0;
  const Result whole = Session({1, 2, 3}, 0.5, options(10), late).minimize([&](const Vector& x) {
    if (++calls == 30) snapshot("a", "killed");
    return test::sphere(x);
  });
  for (std::uintmax_t size = 0; size < 60; ++size) {
    snapshot("killed", "cut");
    fs::resize_file(file("cut.sf.journal"), size);
    EXPECT_EQ(Session({1, 2, 3}, 0.5, options(10), files("cut")).minimize(test::sphere).x, whole.x) << size;
  }
}

TEST_F(Interruptions, ASecondSearchIsToldWhoHasTheCheckpoint) {
  Session first({1, 2, 3}, 0.5, options(10), files("a"));
  first.open();
  const std::string checkpoint = test::content(file("a.sf"));
  Session second({1, 2, 3}, 0.5, options(10), files("a"));
  const std::string sentence = refusal([&] { second.open(); });
  EXPECT_TRUE(test::contains(sentence, "process " + std::to_string(::getpid()))) << sentence;
  fs::create_symlink(file("a.sf"), file("link.sf"));
  EXPECT_TRUE(test::contains(refusal([&] { FileLock lock(file("link.sf")); }), "is using it"));
  const pid_t child = ::fork();
  if (child == 0) {
    try {
      const FileLock lock(file("a.sf"));
      ::_exit(0);
    } catch (const std::invalid_argument& error) {
      ::_exit(test::contains(error.what(), "process " + std::to_string(::getppid()) + " on ") ? 7 : 8);
    }
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 7) << "another process was not told who has it";
  EXPECT_EQ(test::content(file("a.sf")), checkpoint);
  first.close();
  EXPECT_FALSE(fs::exists(file("a.sf.lock")));
  second.open();
  second.close();
}

TEST_F(Interruptions, ALockOfADeadProcessIsInNobodysWay) {
  const pid_t child = ::fork();
  if (child == 0) {
    const FileLock lock(file("a.sf"));
    ::_exit(0);  // without destructors, as a kill
  }
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  ASSERT_TRUE(fs::exists(file("a.sf.lock")));
  EXPECT_EQ(Session({1, 2, 3}, 0.5, options(5), files("a")).minimize(test::sphere).nit, 5);
}

TEST_F(Interruptions, FilesOfOthersAreLeftAsTheyAre) {
  for (const char* name : {"run.jsonl", "run.sf.journal", "run.sf.prev", "run.sf.lock"}) {
    std::ofstream(file(name)) << "precious";
    for (const bool overwrite : {false, true}) {
      SessionFiles all = files("run");
      all.overwrite = overwrite;
      Session session({1, 2, 3}, 0.5, options(5), all);
      EXPECT_TRUE(test::contains(refusal([&] { session.open(); }), name));
    }
    EXPECT_EQ(test::content(file(name)), "precious");
    fs::remove(file(name));
    EXPECT_TRUE(fs::is_empty(folder_)) << name;
  }
}

TEST_F(Interruptions, LinksAreWrittenThrough) {
  fs::create_directory(folder_ / "there");
  for (const char* name : {"run.sf", "run.jsonl"}) fs::create_symlink(folder_ / "there" / name, folder_ / name);
  Session({1, 2, 3}, 0.5, options(5), files("run")).minimize(test::sphere);
  Session({1, 2, 3}, 0.5, options(9), files("run")).minimize(test::sphere);
  for (const char* name : {"run.sf", "run.jsonl"}) {
    EXPECT_TRUE(fs::is_symlink(folder_ / name)) << name;
    EXPECT_TRUE(fs::is_regular_file(folder_ / "there" / name)) << name;
  }
  Session({1, 2, 3}, 0.5, options(9), files("whole")).minimize(test::sphere);
  EXPECT_EQ(test::content(file("run.jsonl")), test::content(file("whole.jsonl")));
}

/// A search that was started by the name of a link and killed goes on by the name of the file, with its journal.
TEST_F(Interruptions, AJournalIsFoundByEveryNameOfItsCheckpoint) {
  fs::create_directory(folder_ / "there");
  fs::create_symlink(fs::path("there") / "run.sf", folder_ / "link.sf");
  SessionFiles late{.checkpoint = file("link.sf"), .checkpoint_every = "1000"};
  int calls = 0;
  const Result whole = Session({1, 2, 3}, 0.5, options(10), late).minimize([&](const Vector& x) {
    if (++calls == 30) fs::copy(folder_ / "there", folder_ / "killed", fs::copy_options::recursive);
    return test::sphere(x);
  });
  late.checkpoint = file("killed/run.sf");
  calls = 0;
  const Result resumed = Session({1, 2, 3}, 0.5, options(10), late).minimize([&](const Vector& x) {
    ++calls;
    return test::sphere(x);
  });
  EXPECT_EQ(resumed.x, whole.x);
  EXPECT_EQ(calls, whole.nfev - 29);
  for (const auto& entry : fs::directory_iterator(folder_)) EXPECT_FALSE(test::contains(entry.path(), "link.sf."));
  // What stands in the place of a predecessor is nobody's to replace, whatever name leads there.
  std::ofstream(file("there/run.sf.prev")) << "precious";
  late.checkpoint = file("link.sf");
  Session refused({1, 2, 3}, 0.5, options(10), late);
  EXPECT_TRUE(test::contains(refusal([&] { refused.open(); }), "run.sf.prev"));
  EXPECT_EQ(test::content(file("there/run.sf.prev")), "precious");
}

TEST_F(Interruptions, TolerancesOfTheResumedSearchCount) {
  Options loose{.popsize = 8, .restarts = "none", .seed = 3, .tolfun = 1e-2, .tolfunhist = 0};
  Options tight = loose;
  tight.tolfun = 1e-9;
  const Result first = Session({1, 2, 3}, 0.5, loose, files("a")).minimize(test::sphere);
  ASSERT_EQ(first.stop, StopReason::tolfun);
  EXPECT_EQ(Session({1, 2, 3}, 0.5, loose, files("a")).minimize(test::sphere).nfev, first.nfev) << "finished";
  const Result resumed = Session({1, 2, 3}, 0.5, tight, files("a")).minimize(test::sphere);
  const Result whole = Session({1, 2, 3}, 0.5, tight, files("b")).minimize(test::sphere);
  EXPECT_EQ(resumed.x, whole.x);
  EXPECT_EQ(resumed.nfev, whole.nfev);
  EXPECT_EQ(resumed.success, whole.success);
  EXPECT_EQ(resumed.message, whole.message);
  EXPECT_GT(resumed.nfev, first.nfev);
  EXPECT_EQ(test::content(file("a.jsonl")), test::content(file("b.jsonl")));
}

TEST_F(Interruptions, ATestForStagnationMayBecomeLongerOrShorter) {
  Options options{.maxiter = 60, .popsize = 8, .seed = 3, .tolstagnation = 100};
  Session({1, 2, 3}, 0.5, options, files("a")).minimize(test::sphere);
  for (const std::int64_t length : {500, 50}) {
    options.tolstagnation = length;
    options.maxiter = *options.maxiter + 10;
    EXPECT_EQ(Session({1, 2, 3}, 0.5, options, files("a")).minimize(test::sphere).nit, *options.maxiter);
  }
}

TEST_F(Interruptions, ARepairedObjectiveIsEvaluatedAgainAfterFailing) {
  const auto broken = [](const Vector&) -> double { throw std::runtime_error("no licence"); };
  const Result failed = Session({1, 2, 3}, 0.5, options(40), files("a")).minimize(broken);
  ASSERT_EQ(failed.stop, StopReason::failing);
  const Result again = Session({1, 2, 3}, 0.5, options(40), files("a")).minimize(broken);
  EXPECT_EQ(again.stop, StopReason::failing);
  EXPECT_EQ(again.nfev, failed.nfev);
  const Result repaired = Session({1, 2, 3}, 0.5, options(40), files("a")).minimize(test::sphere);
  EXPECT_EQ(repaired.stop, StopReason::maxiter) << repaired.message;
  EXPECT_LT(repaired.fun, 1);
  // The same by the share of failures, of which those before the repair no longer count.
  Options share = options(60);
  share.failures.fraction = 0.2;
  int calls = 0;
  const auto failing_later = [&](const Vector& x) {
    return ++calls > 60 ? std::numeric_limits<double>::quiet_NaN() : test::sphere(x);
  };
  share.failures.generations = 50;
  ASSERT_EQ(Session({1, 2, 3}, 0.5, share, files("b")).minimize(failing_later).stop, StopReason::failing);
  EXPECT_EQ(Session({1, 2, 3}, 0.5, share, files("b")).minimize(test::sphere).stop, StopReason::maxiter);
}

TEST_F(Interruptions, ASmallerBudgetKeepsWhatIsFinished) {
  SessionFiles late = files("a");
  late.checkpoint_every = "1000";
  int calls = 0;
  const auto f = [&](const Vector& x) {
    if (++calls == 80) snapshot("a", "killed");
    return test::sphere(x);
  };
  const Result whole = Session({1, 2, 3}, 0.5, options(30), late).minimize(f);
  SessionFiles killed = files("killed");
  killed.checkpoint_every = "1000";
  calls = 1000;
  EXPECT_EQ(Session({1, 2, 3}, 0.5, options(5), killed).minimize(f).nit, 5);
  EXPECT_EQ(Session({1, 2, 3}, 0.5, options(7), killed).minimize(f).nit, 7);
  EXPECT_EQ(calls, 1000) << "finished evaluations were made again";
  const Result resumed = Session({1, 2, 3}, 0.5, options(30), killed).minimize(f);
  EXPECT_EQ(calls, 1000 + whole.nfev - 79);
  EXPECT_EQ(resumed.x, whole.x);
  EXPECT_EQ(test::content(file("killed.jsonl")), test::content(file("a.jsonl")));
}

TEST_F(Interruptions, AReplacedObjectiveIsInTheTraceForGood) {
  SessionFiles first = files("a");
  first.objective = "the program './old'";
  Session({1, 2, 3}, 0.5, options(10), first).minimize(test::sphere);
  SessionFiles second = first;
  second.objective = "the program './new'";
  Session refused({1, 2, 3}, 0.5, options(20), second);
  EXPECT_TRUE(test::contains(refusal([&] { refused.open(); }), "--replace-command"));
  second.replace_objective = true;
  Session({1, 2, 3}, 0.5, options(20), second).minimize(test::sphere);
  const std::string trace = test::content(file("a.jsonl"));
  const std::size_t at = trace.find("\"replaced_by\":\"the program './new'\"");
  ASSERT_NE(at, std::string::npos) << trace;
  EXPECT_EQ(trace.rfind("{\"generation\":", at), trace.find("{\"generation\":11,"));
  second.replace_objective = false;
  Session({1, 2, 3}, 0.5, options(25), second).minimize(test::sphere);
  EXPECT_TRUE(test::contains(test::content(file("a.jsonl")), trace.substr(0, at)));
  EXPECT_TRUE(test::contains(refusal([&] {
                               Session({1, 2, 3}, 0.5, options(25), first).minimize(test::sphere);
                             }),
                             "it minimises the program './new', here it is the program './old'"));
}

TEST_F(Interruptions, AFullDiskDoesNotEndASearch) {
  const Result whole = Session({1, 2, 3}, 0.5, options(30)).minimize(test::sphere);
  Session traced({1, 2, 3}, 0.5, options(30), {.trace = "/dev/full"});
  EXPECT_EQ(traced.minimize(test::sphere).x, whole.x);
  ASSERT_EQ(traced.lost().size(), 1);
  EXPECT_TRUE(test::contains(traced.lost()[0], "/dev/full")) << traced.lost()[0];
  // A checkpoint that cannot be replaced any more: its folder is gone.
  fs::create_directory(folder_ / "disk");
  SessionFiles kept = files("disk/run");
  kept.trace = file("disk/run.jsonl");
  Session session({1, 2, 3}, 0.5, options(30), kept);
  int calls = 0;
  const Result result = session.minimize([&](const Vector& x) {
    if (++calls == 50) fs::remove_all(folder_ / "disk");
    return test::sphere(x);
  });
  EXPECT_EQ(result.x, whole.x);
  // The trace is gone too: its end finds no file.
  ASSERT_EQ(session.lost().size(), 2);
  const std::string lost = session.lost()[0] + session.lost()[1];
  EXPECT_TRUE(test::contains(lost, "run.sf")) << lost;
  EXPECT_TRUE(test::contains(lost, "run.jsonl")) << lost;
}

/// As where a disk is full: evaluations fail, the search does not. At the start it is refused.
TEST_F(Interruptions, AFolderThatCannotBeMadeFailsItsEvaluation) {
  const auto objective = [&] {
    return ProgramObjective{
        .command = {"sh", "-c", "echo 1"}, .arguments = {"{dir}"}, .folders = file("folders"), .keep = Keep::all};
  };
  ProgramEvaluator evaluator(objective());
  Generation generation;
  generation.start(Matrix::Zero(2, 3));
  evaluator.evaluate(generation);
  EXPECT_EQ(generation.count(Outcome::State::evaluated), 3);
  fs::remove_all(file("folders"));
  std::ofstream(file("folders")) << "in the way";
  generation.start(Matrix::Zero(2, 3));
  evaluator.evaluate(generation);
  EXPECT_EQ(generation.count(Outcome::State::failed), 3);
  for (const Failure& failure : generation.failures()) {
    EXPECT_EQ(failure.kind, FailureKind::start);
    EXPECT_TRUE(test::contains(failure.reason, file("folders"))) << failure.reason;
  }
  ProgramEvaluator another(objective());
  generation.start(Matrix::Zero(2, 3));
  EXPECT_TRUE(test::contains(refusal([&] { another.evaluate(generation); }), file("folders")));
}

TEST(WorkerThreads, HandExceptionsOfCallbacksToTheCaller) {
  std::atomic<int> asked = 0;
  Options options{.maxiter = 50, .popsize = 16, .seed = 1, .workers = 4};
  options.interrupt = [&]() -> bool {
    if (++asked > 40) throw std::runtime_error("stderr is gone");
    return false;
  };
  EXPECT_THROW(minimize(test::sphere, {1, 2, 3}, 0.5, options), std::runtime_error);
}

}  // namespace
}  // namespace surefoot
