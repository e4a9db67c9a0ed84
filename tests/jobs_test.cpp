// The jobs of an experiment on a pool of threads: what is kept, and when.

#include "experiments/jobs.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>

#include "experiments/job_result.hpp"
#include "ranks/lone_channel.hpp"
#include "surefoot/minimize.hpp"

namespace surefoot {
namespace {

/// Jobs whose results are kept in memory.
struct Memory {
  explicit Memory(std::size_t count) {
    jobs.work.assign(count, 1.0);
    jobs.is_done = [this](std::size_t job) { return kept.contains(job); };
    jobs.keep = [this](std::size_t job, const std::string& result) {
      EXPECT_EQ(std::this_thread::get_id(), owner) << "jobs are kept in the caller's thread";
      EXPECT_TRUE(kept.emplace(job, result).second) << "job " << job << " was done twice";
    };
  }

  bool run(
      const Compute& compute, int threads, const std::function<bool()>& interrupted = [] { return false; }) {
    LoneChannel alone;
    Dispatcher workers(alone, job_work([&] { return compute; }), threads);
    return run_missing(jobs, {.out = {}, .workers = workers, .interrupted = interrupted, .progress = progress});
  }

  std::thread::id owner = std::this_thread::get_id();
  std::map<std::size_t, std::string> kept;
  std::function<void(const JobProgress&)> progress;
  Jobs jobs;
};

using Cancelled = std::function<bool()>;

std::string square_of(std::size_t job) { return std::to_string(job * job); }
std::optional<std::string> square(std::size_t job, const Cancelled& /*cancelled*/) { return square_of(job); }

TEST(Jobs, AreKeptOnceOnAnyNumberOfThreads) {
  for (const int threads : {1, 2, 7}) {
    Memory memory(500);
    EXPECT_TRUE(memory.run(square, threads));
    ASSERT_EQ(memory.kept.size(), 500);
    for (const auto& [job, result] : memory.kept) EXPECT_EQ(result, square_of(job));
  }
}

TEST(Jobs, OnlyTheMissingOnesAreRun) {
  Memory memory(10);
  memory.kept = {{2, "kept"}, {7, "kept"}};
  std::vector<JobProgress> told;
  memory.progress = [&](const JobProgress& p) { told.push_back(p); };
  EXPECT_TRUE(memory.run(square, 2));
  EXPECT_EQ(memory.kept.at(7), "kept");
  ASSERT_EQ(told.size(), 8);
  EXPECT_EQ(told.front().done, 3);
  EXPECT_EQ(told.back().done, 10);
  EXPECT_NEAR(told.back().share, 1, 1e-12);
}

/// A job that does not look at `cancelled` is kept, however long it takes: it would have to be done again.
TEST(Jobs, InterruptionKeepsWhatIsFinishedAndBeginsNothing) {
  Memory memory(1000);
  std::atomic<bool> interrupted = false;
  std::atomic<std::size_t> begun = 0;
  const auto slow = [&](std::size_t job, const Cancelled& /*cancelled*/) {
    ++begun;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    if (job == 1) {
      interrupted = true;
      std::this_thread::sleep_for(std::chrono::milliseconds(800));
    }
    return std::optional(square_of(job));
  };
  EXPECT_FALSE(memory.run(slow, 3, [&] { return interrupted.load(); }));
  EXPECT_EQ(memory.kept.size(), begun);
  EXPECT_TRUE(memory.kept.contains(1));
  EXPECT_LT(memory.kept.size(), 20);
}

TEST(Jobs, MayGiveUpWhenTheyAreInterrupted) {
  Memory memory(100);
  std::atomic<bool> interrupted = false;
  const auto endless = [&](std::size_t job, const Cancelled& cancelled) -> std::optional<std::string> {
    if (job == 0) return square_of(job);
    interrupted = true;
    while (!cancelled()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return std::nullopt;
  };
  EXPECT_FALSE(memory.run(endless, 1, [&] { return interrupted.load(); }));
  EXPECT_EQ(memory.kept.size(), 1);
}

/// The whole search would evaluate for ever: the test ends because the search does.
TEST(Jobs, SearchesOfAGridEndWhenTheyAreInterrupted) {
  const Grid<int> grid({"cma"}, "none", {7});
  std::int64_t evaluations = 0;
  const Compute compute = compute_grid(grid, [&](const Contender& contender, int task) {
    Options options = without_tolerances(contender.options);
    options.maxiter = std::numeric_limits<std::int64_t>::max();
    const auto f = [&](const Vector& x) {
      ++evaluations;
      return x.squaredNorm() + task;
    };
    EXPECT_EQ(minimize(f, Vector::Ones(2), 1, options).stop, StopReason::interrupted);
    return JobResult{"row"};
  });
  EXPECT_EQ(compute(0, [&] { return evaluations > 1000; }), std::nullopt);
}

TEST(Jobs, AnExceptionIsToldInItsOwnWords) {
  Memory memory(100);
  const auto broken = [](std::size_t job, const Cancelled& /*cancelled*/) -> std::optional<std::string> {
    if (job == 20) throw std::out_of_range("beyond the table");
    return "";
  };
  try {
    memory.run(broken, 2);
    FAIL() << "nothing was thrown";
  } catch (const std::exception& error) {
    EXPECT_STREQ(error.what(), "beyond the table");
  }
}

TEST(JobResult, RoundTrips) {
  const JobResult result = job_result_of(to_bytes(JobResult{"1,2", {"a\nb\n", "", std::string("\0x", 2)}}));
  EXPECT_EQ(result.row, "1,2");
  EXPECT_EQ(result.files, (std::vector<std::string>{"a\nb\n", "", std::string("\0x", 2)}));
  EXPECT_TRUE(job_result_of(to_bytes(JobResult{""})).files.empty());
  const std::string bytes = to_bytes(JobResult{"1,2", {"text"}});
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THROW(job_result_of(bytes.substr(0, size)), std::runtime_error);
  }
}

}  // namespace
}  // namespace surefoot
