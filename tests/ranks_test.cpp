// Work on several ranks, with threads for ranks and queues for messages: the same program as with MPI.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <latch>
#include <map>
#include <memory>
#include <set>
#include <thread>

#include "evaluators/program_evaluator.hpp"
#include "ranks/back_off.hpp"
#include "ranks/byte_stream.hpp"
#include "ranks/rank_evaluator.hpp"
#include "ranks/serve.hpp"
#include "test_support.hpp"

namespace surefoot {
namespace {

using namespace std::chrono_literals;

/// The message queues of all ranks.
struct Post {
  explicit Post(int ranks) : boxes(static_cast<std::size_t>(ranks)) {}
  std::mutex mutex;
  std::vector<std::deque<Message>> boxes;
};

class PostChannel : public Channel {
 public:
  PostChannel(Post& post, int rank) : post_(post), rank_(static_cast<std::size_t>(rank)) {}
  [[nodiscard]] int size() const override { return static_cast<int>(post_.boxes.size()); }
  void send(int rank, Tag tag, std::string bytes) override {
    const std::lock_guard lock(post_.mutex);
    post_.boxes[static_cast<std::size_t>(rank)].push_back({static_cast<int>(rank_), tag, std::move(bytes)});
  }
  [[nodiscard]] std::chrono::milliseconds farewell() const override { return 300ms; }
  void send_as(int rank, Tag tag) {  // to this one
    const std::lock_guard lock(post_.mutex);
    post_.boxes[rank_].push_back({rank, tag, {}});
  }
  std::optional<Message> receive() override {
    const std::lock_guard lock(post_.mutex);
    auto& box = post_.boxes[rank_];
    if (box.empty()) return std::nullopt;
    Message message = std::move(box.front());
    box.pop_front();
    return message;
  }

 private:
  Post& post_;
  std::size_t rank_;
};

/// The first rank's dispatcher, and threads that serve.
class Ranks {
 public:
  Ranks(int ranks, const std::function<MakeWork(int)>& work, int workers = 1)
      : post_(ranks), channel_(post_, 0), dispatcher_(std::make_unique<Dispatcher>(channel_, work(0), workers)) {
    for (int rank = 1; rank < ranks; ++rank) {
      threads_.emplace_back([this, rank, workers, make = work(rank)] {
        PostChannel channel(post_, rank);
        serve(channel, make, workers);
      });
    }
  }
  Dispatcher& dispatcher() { return *dispatcher_; }

 private:
  Post post_;
  PostChannel channel_;
  std::vector<std::jthread> threads_;
  std::unique_ptr<Dispatcher> dispatcher_;  // the last member, because its destructor ends the threads
};

template <class F>
std::function<MakeWork(int)> work_of(const F& f) {
  return [&f](int) { return candidate_work([&f] { return std::make_unique<SerialEvaluator<const F>>(f); }); };
}

double rough_value(const Vector& x) {
  const double h = std::sin(x.sum() * 12345.678) * 43758.5453;
  return h - std::floor(h);
}

TEST(RankMessage, RoundTrips) {
  const Task task = task_of(to_bytes(Task{7, 3, std::string("a\0b", 3)}));
  EXPECT_EQ(task.batch, 7);
  EXPECT_EQ(task.number, 3);
  EXPECT_EQ(task.bytes, std::string("a\0b", 3));
  const Answer answer = answer_of(to_bytes(Answer{7, 3, Answer::Kind::broken, 0.25, "why"}));
  EXPECT_EQ(answer.kind, Answer::Kind::broken);
  EXPECT_EQ(answer.seconds, 0.25);
  EXPECT_EQ(answer.bytes, "why");
  EXPECT_THROW(task_of("short"), std::runtime_error);
}

TEST(RankBackOff, SleepsInProportionAndNotBeforeTheExpected) {
  BackOff back_off;
  EXPECT_GE(back_off.pause(), BackOff::shortest);
  std::this_thread::sleep_for(16ms);
  EXPECT_GE(back_off.pause(), 1ms);
  EXPECT_LE(back_off.pause(), BackOff::longest);
  back_off.expect(BackOff::Clock::now() + 1h);
  EXPECT_EQ(back_off.pause(), BackOff::longest);
  const BackOff::Clock::time_point expected = BackOff::Clock::now();
  back_off.expect(expected);
  const BackOff::Clock::duration pause = back_off.pause();  // not in proportion to what was waited before
  EXPECT_LE(pause, std::max<BackOff::Clock::duration>((BackOff::Clock::now() - expected) / 16, BackOff::shortest));
}

/// Every number of a trace and every failure, for any number of ranks and workers as in the caller's thread.
TEST(RankEvaluator, GivesTheSameTraceOnAnyNumberOfRanks) {
  const auto f = [](const Vector& x) {
    if (rough_value(x) < 0.1) throw std::runtime_error("now and then");
    if (rough_value(3 * x) < 0.1) return std::nan("");
    std::this_thread::sleep_for(std::chrono::microseconds(static_cast<int>(200 * rough_value(2 * x))));
    return find_problem("rosenbrock")(std::span<const double>(x.data(), static_cast<std::size_t>(x.size())));
  };
  std::string trace;
  Options options{.failures = {.retry = 1}, .maxiter = 40, .popsize = 16, .seed = 5};
  options.observer = [&](const Record& r) {
    trace += std::to_string(r.best) + " " + std::to_string(r.sigma) + " " + std::to_string(r.condition) + "\n";
    for (const Failure& failure : r.failures) {
      trace += std::to_string(failure.candidate) + " " + std::to_string(failure.attempt) + " " +
               std::string(name(failure.kind)) + " " + failure.reason + "\n";
    }
  };
  minimize(f, {-1, 2, 0, 1}, 0.5, options);
  const std::string alone = std::exchange(trace, {});
  EXPECT_NE(alone.find("exception now and then"), std::string::npos);
  for (const auto& [ranks, workers] : {std::pair(1, 1), {2, 1}, {4, 1}, {8, 1}, {3, 4}}) {
    Ranks all(ranks, work_of(f), workers);
    RankEvaluator evaluator(all.dispatcher());
    minimize_with(evaluator, {-1, 2, 0, 1}, 0.5, options);
    EXPECT_EQ(std::exchange(trace, {}), alone) << ranks << " ranks, " << workers << " workers each";
    EXPECT_EQ(evaluator.usage().workers, ranks * workers);
    EXPECT_GT(evaluator.usage().busy, 0);
  }
}

TEST(RankEvaluator, RethrowsTheWordsOfAnException) {
  const auto f = [](const Vector&) -> double { throw std::out_of_range("beyond the table"); };
  Ranks all(3, work_of(f));
  RankEvaluator evaluator(all.dispatcher());
  try {
    minimize_with(evaluator, {1, 1}, 1, {.failures = {.rethrow = true}, .seed = 1});
    FAIL() << "nothing was thrown";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "beyond the table");
  }
}

TEST(RankEvaluator, GivesProgramsTheSameIdsEverywhere) {
  const auto make = [](int) {
    return MakeWork([]() -> Work {
      const auto program = std::make_shared<ProgramEvaluator>(
          ProgramObjective{.command = {"sh", "-c", "echo ${0#*-}${0%-*}"}, .arguments = {"{id}"}});
      return [program](const Task& task, const std::function<bool()>& cancelled) {
        program->number_next(task.batch, static_cast<Index>(task.number));
        return evaluate_task(*program, task, cancelled);
      };
    });
  };
  Ranks all(3, make);
  RankEvaluator evaluator(all.dispatcher());
  const Matrix population = Matrix::Random(2, 5);
  Generation generation;
  for (int batch = 1; batch <= 2; ++batch) {
    generation.start(population);
    evaluator.evaluate(generation);
    for (Index i = 0; i < 5; ++i) EXPECT_EQ(generation.value(i), 10.0 * static_cast<double>(i) + batch);
  }
}

/// The numbers from first to last - 1.
std::vector<std::int64_t> numbers(std::int64_t first, std::int64_t last) {
  std::vector<std::int64_t> all;
  for (; first < last; ++first) all.push_back(first);
  return all;
}

TEST(Dispatcher, GivesUpWhatDoesNotEndAndIgnoresItsLateAnswer) {
  std::latch go(1);
  const auto work = [&go](int) {
    return MakeWork([&go]() -> Work {
      return [&go](const Task& task, const std::function<bool()>&) -> std::optional<std::string> {
        if (task.bytes == "wait") go.wait();  // cannot be cancelled, like a compiled objective
        return task.bytes;
      };
    });
  };
  Ranks all(3, work);
  Dispatcher& ranks = all.dispatcher();
  int done = 0;
  const auto begin = std::chrono::steady_clock::now();
  ranks.run(
      numbers(0, 10), [](std::int64_t) { return "wait"; }, [&](std::int64_t, const std::string&) { ++done; },
      [&] { return std::chrono::steady_clock::now() - begin > 100ms; });
  EXPECT_EQ(done, 0);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 60s);
  go.count_down();
  std::map<std::int64_t, std::string> answers;
  ranks.run(
      numbers(0, 10), [](std::int64_t number) { return std::to_string(number); },
      [&](std::int64_t number, const std::string& bytes) { EXPECT_TRUE(answers.emplace(number, bytes).second); },
      [] { return false; });
  ASSERT_EQ(answers.size(), 10U);
  for (const auto& [number, bytes] : answers) EXPECT_EQ(bytes, std::to_string(number));
}

TEST(Dispatcher, CancelsWhatListens) {
  const auto work = [](int) {
    return MakeWork([]() -> Work {
      return [](const Task&, const std::function<bool()>& cancelled) -> std::optional<std::string> {
        while (!cancelled()) std::this_thread::sleep_for(1ms);
        return std::nullopt;
      };
    });
  };
  Ranks all(4, work, 2);
  const auto begin = std::chrono::steady_clock::now();
  int done = 0;
  all.dispatcher().run(
      numbers(0, 100), [](std::int64_t) { return ""; }, [&](std::int64_t, const std::string&) { ++done; },
      [&] { return std::chrono::steady_clock::now() - begin > 50ms; });
  EXPECT_EQ(done, 0);
}

/// Brief tasks are handed out ahead from the second batch on; some last longer, and one batch is given up in the
/// middle.
TEST(Dispatcher, DoesEachTaskOnceAlsoAhead) {
  const auto work = [](int) {
    return MakeWork([]() -> Work {
      return [](const Task& task, const std::function<bool()>&) {
        std::this_thread::sleep_for(task.number % 7 == 0 ? 5ms : 1ms);
        return std::optional<std::string>(std::to_string(task.number));
      };
    });
  };
  Ranks all(3, work, 2);
  for (int batch = 0; batch < 6; ++batch) {
    std::multiset<std::int64_t> done;
    const bool is_given_up = batch == 3;
    all.dispatcher().run(
        numbers(1000 * batch, 1000 * batch + 90), [](std::int64_t) { return ""; },
        [&](std::int64_t number, const std::string& bytes) {
          EXPECT_EQ(bytes, std::to_string(number));
          done.insert(number);
        },
        [&] { return is_given_up && done.size() >= 20; });
    EXPECT_EQ(std::set<std::int64_t>(done.begin(), done.end()).size(), done.size());
    if (is_given_up) {
      EXPECT_LT(done.size(), 90U);
    } else {
      EXPECT_EQ(done.size(), 90U);
    }
  }
}

/// Rank 1 says that it has two workers, takes tasks and is never heard of again. Rank 2 answers.
TEST(Dispatcher, LeavesOutASilentRankAndGivesItsTasksToOthers) {
  Post post(3);
  PostChannel channel(post, 0);
  PostChannel silent(post, 1);
  const MakeWork work = [] { return [](const Task& task, const std::function<bool()>&) { return task.bytes + "!"; }; };
  std::vector<int> told;
  {
    std::jthread other([&] {
      PostChannel own(post, 2);
      serve(own, work, 1);
    });
    ByteWriter workers;
    workers.integer(2);
    silent.send(0, Tag::ready, workers.take());
    Dispatcher dispatcher(channel, work, 1, 4s);  // long enough for a healthy rank on a busy machine
    dispatcher.on_loss([&](int rank) { told.push_back(rank); });
    const std::vector<std::int64_t> numbers = {0, 1, 2, 3, 4, 5, 6, 7};
    for (int batch = 0; batch < 2; ++batch) {
      std::multiset<std::string> done;
      dispatcher.run(
          numbers, [](std::int64_t i) { return std::to_string(i); },
          [&](std::int64_t, const std::string& bytes) { done.insert(bytes); }, [] { return false; });
      EXPECT_EQ(done, (std::multiset<std::string>{"0!", "1!", "2!", "3!", "4!", "5!", "6!", "7!"}));
    }
    EXPECT_EQ(told, std::vector<int>{1});
    EXPECT_EQ(dispatcher.usage().workers, 2);
    // What it says now comes too late: its tasks are done.
    silent.send(0, Tag::answer, to_bytes(Answer{2, 0, Answer::Kind::done, 0, "late"}));
  }
  EXPECT_EQ(told, std::vector<int>{1});  // and nobody waits for its farewell
}

/// Rank 1 is silent until it is woken at the end; rank 2 for ever.
TEST(Dispatcher, TakesLeaveOfARankThatIsWoken) {
  struct WakingChannel final : PostChannel {
    using PostChannel::PostChannel;
    void wake(int rank) override {
      if (rank == 1) send_as(1, Tag::stopped);
    }
    void leave_out(int rank) override { silent.insert(rank); }
    void take_back(int rank) override { silent.erase(rank); }
    std::set<int> silent;
  };
  Post post(3);
  WakingChannel channel(post, 0);
  const MakeWork work = [] { return [](const Task& task, const std::function<bool()>&) { return task.bytes; }; };
  ByteWriter workers;
  workers.integer(1);
  const std::string ready = workers.take();
  for (const int rank : {1, 2}) PostChannel(post, rank).send(0, Tag::ready, ready);
  Dispatcher dispatcher(channel, work, 1, 200ms);
  const std::vector<std::int64_t> numbers = {0, 1, 2};
  dispatcher.run(
      numbers, [](std::int64_t) { return ""; }, [](std::int64_t, const std::string&) {}, [] { return false; });
  EXPECT_EQ(dispatcher.lost(), (std::vector<int>{1, 2}));
  dispatcher.end();
  EXPECT_EQ(dispatcher.unreachable(), std::vector<int>{2});
  EXPECT_EQ(channel.silent, std::set<int>{2});
}

TEST(Dispatcher, NamesTheRankThatCannotWork) {
  const auto work = [](int rank) {
    return MakeWork([rank]() -> Work {
      if (rank == 2) throw std::invalid_argument("no such simulator");
      return [](const Task&, const std::function<bool()>&) { return std::optional<std::string>(""); };
    });
  };
  Ranks all(3, work);
  const auto run = [&] {
    for (int batch = 0; batch < 1000; ++batch) {
      all.dispatcher().run(
          numbers(0, 100), [](std::int64_t) { return ""; }, [](std::int64_t, const std::string&) {},
          [] { return false; });
    }
  };
  try {
    run();
    FAIL() << "nothing was thrown";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "rank 2: no such simulator");
  }
}

TEST(Dispatcher, UsesEveryRank) {
  std::mutex mutex;
  std::set<int> seen;
  const auto work = [&](int rank) {
    return MakeWork([&, rank]() -> Work {
      return [&, rank](const Task&, const std::function<bool()>&) {
        std::this_thread::sleep_for(2ms);
        const std::lock_guard lock(mutex);
        seen.insert(rank);
        return std::optional<std::string>("");
      };
    });
  };
  Ranks all(4, work);
  all.dispatcher().run(
      numbers(0, 200), [](std::int64_t) { return ""; }, [](std::int64_t, const std::string&) {}, [] { return false; });
  EXPECT_EQ(seen, (std::set<int>{0, 1, 2, 3}));
}

}  // namespace
}  // namespace surefoot
