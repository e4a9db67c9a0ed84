// External programs: values come back, and nothing that a program does hangs us, kills us or is left behind.

#include "evaluators/program_pool.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iterator>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <thread>

#include "evaluators/group_guard.hpp"

namespace surefoot {
namespace {

using Kind = ProgramOutcome::Kind;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

ProgramJob shell(const std::string& script, const std::string& input = "") { return {{"sh", "-c", script}, input, {}}; }

std::vector<ProgramOutcome> run_all(const std::vector<ProgramJob>& jobs, const ProgramLimits& limits,
                                    const Interrupted& interrupted = {}) {
  std::vector<ProgramOutcome> outcomes(jobs.size());
  std::vector<int> calls(jobs.size(), 0);
  const auto done = [&](std::size_t i, ProgramOutcome outcome) {
    outcomes.at(i) = std::move(outcome);
    ++calls[i];
  };
  ProgramPool(limits).run(
      jobs.size(), [&](std::size_t i) { return jobs.at(i); }, done, interrupted);
  EXPECT_EQ(calls, std::vector<int>(jobs.size(), 1));
  return outcomes;
}

ProgramOutcome run_one(const ProgramJob& job, std::optional<double> timeout = 20) {
  return run_all({job}, {1, timeout}).front();
}

std::vector<ProgramOutcome> ask(PersistentPrograms& programs, const std::vector<std::string>& lines,
                                const Interrupted& interrupted = {}) {
  std::vector<ProgramOutcome> outcomes(lines.size());
  std::vector<int> calls(lines.size(), 0);
  const auto done = [&](std::size_t i, ProgramOutcome outcome) {
    outcomes.at(i) = std::move(outcome);
    ++calls[i];
  };
  programs.run(
      lines.size(), [&](std::size_t i) { return lines.at(i); }, done, interrupted);
  EXPECT_EQ(calls, std::vector<int>(lines.size(), 1));
  return outcomes;
}

std::vector<std::string> numbered_lines(int count) {
  std::vector<std::string> lines;
  for (int i = 0; i < count; ++i) lines.push_back(std::to_string(i));
  return lines;
}

/// A zombie that waits for init is as good as gone.
bool lives(const std::string& pid) {
  std::ifstream file("/proc/" + pid + "/stat");
  std::string stat;
  std::getline(file, stat);
  const std::size_t name_end = stat.rfind(')');
  return name_end != std::string::npos && stat.at(name_end + 2) != 'Z';
}

/// SIGKILL takes effect a moment after it was sent.
bool is_soon_gone(const std::string& pid) {
  for (int i = 0; i < 200 && lives(pid); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return !lives(pid);
}

void expect_all_gone(const std::string& pids) {
  std::istringstream list(pids);
  int count = 0;
  for (std::string pid; list >> pid; ++count) EXPECT_TRUE(is_soon_gone(pid)) << pid;
  EXPECT_GT(count, 0);
}

std::ptrdiff_t open_descriptors() {
  const std::filesystem::directory_iterator all("/proc/self/fd");
  return std::distance(begin(all), end(all));
}

std::string children() {
  std::string all;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream file(task.path() / "children");
    all.append(std::istreambuf_iterator<char>(file), {});
  }
  return all;
}

/// Nothing may be left of any test, but for the guard that all of them share.
class ProgramPoolTest : public testing::Test {
 protected:
  void SetUp() override {
    GroupGuard::instance();
    descriptors_ = open_descriptors();
    before_ = children();
  }
  void TearDown() override {
    EXPECT_EQ(open_descriptors(), descriptors_);
    EXPECT_EQ(children(), before_);
  }
  std::string before_;  // children that were there before

 private:
  std::ptrdiff_t descriptors_ = 0;
};

using PersistentProgramsTest = ProgramPoolTest;

TEST_F(ProgramPoolTest, InputAndOutput) {
  const auto outcome = run_one({{"cat"}, "1.5\n", {}});
  EXPECT_EQ(outcome.kind, Kind::finished);
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.output, "1.5\n");
  EXPECT_EQ(outcome.errors, "");
}

TEST_F(ProgramPoolTest, ArgumentsAreNotForAShell) {
  EXPECT_EQ(run_one({{"printf", "%s|", "a b", "$HOME", "*", ""}, "", {}}).output, "a b|$HOME|*||");
}

TEST_F(ProgramPoolTest, Directory) {
  EXPECT_EQ(run_one({{"pwd"}, "", "/usr"}).output, "/usr\n");
  const auto missing = run_one({{"pwd"}, "", "/no/such/place"});
  EXPECT_EQ(missing.kind, Kind::not_started);
  EXPECT_EQ(missing.errors, "cannot enter directory '/no/such/place': No such file or directory");
}

TEST_F(ProgramPoolTest, OrderOfEndsDoesNotMatter) {
  std::vector<ProgramJob> jobs;
  for (int i = 0; i < 24; ++i) {
    jobs.push_back(shell("sleep 0.0" + std::to_string(i * 7 % 10) + "; cat", std::to_string(i)));
  }
  const auto outcomes = run_all(jobs, {8, 20});
  for (std::size_t i = 0; i < jobs.size(); ++i) EXPECT_EQ(outcomes[i].output, std::to_string(i));
}

TEST_F(ProgramPoolTest, WorkersRunAtTheSameTimeAndNoMore) {
  // Each one waits until four have started; a fifth would be seen.
  const std::filesystem::path folder = testing::TempDir() + "surefoot_pool_" + std::to_string(getpid());
  std::filesystem::create_directory(folder);
  const ProgramJob job{
      {"sh", "-c", "mkdir $$; while [ $(ls | wc -l) -lt 4 ]; do :; done; ls | wc -l; sleep 0.3"}, "", folder};
  for (const auto& outcome : run_all(std::vector<ProgramJob>(4, job), {4, 20})) EXPECT_EQ(outcome.output, "4\n");
  std::filesystem::remove_all(folder);
  std::filesystem::create_directory(folder);
  const ProgramJob counting{{"sh", "-c", "mkdir $$; sleep 0.02; ls | wc -l; rmdir $$"}, "", folder};
  for (const auto& outcome : run_all(std::vector<ProgramJob>(12, counting), {3, 20})) {
    EXPECT_LE(std::stoi(outcome.output), 3);
  }
  std::filesystem::remove_all(folder);
}

TEST_F(ProgramPoolTest, ExitStatusAndErrors) {
  const auto outcome = run_one(shell("echo 7; echo wrong >&2; exit 3"));
  EXPECT_EQ(outcome.kind, Kind::exited);
  EXPECT_EQ(outcome.status, 3);
  EXPECT_EQ(outcome.output, "7\n");
  EXPECT_EQ(outcome.errors, "wrong\n");
}

TEST_F(ProgramPoolTest, Crash) {
  const auto outcome = run_one(shell("kill -SEGV $$"));
  EXPECT_EQ(outcome.kind, Kind::crashed);
  EXPECT_EQ(outcome.status, SIGSEGV);
}

TEST_F(ProgramPoolTest, NotStarted) {
  const auto unknown = run_one({{"surefoot-no-such-command"}, "", {}});
  EXPECT_EQ(unknown.kind, Kind::not_started);
  EXPECT_EQ(unknown.status, ENOENT);
  EXPECT_EQ(unknown.errors, "cannot start 'surefoot-no-such-command': command not found in PATH");
  EXPECT_EQ(run_one({{"/etc/passwd"}, "", {}}).errors, "cannot start '/etc/passwd': Permission denied");
  EXPECT_EQ(run_one({{"./x"}, "", "/usr"}).errors, "cannot start './x': No such file or directory");
  EXPECT_EQ(run_one({}).kind, Kind::not_started);
}

TEST_F(ProgramPoolTest, ScriptsThatCannotBeRun) {
  const std::string path = testing::TempDir() + "surefoot_script_" + std::to_string(getpid());
  const auto errors_of = [&](const std::string& text) {
    std::ofstream(path) << text;
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    const auto outcome = run_one({{path}, "", {}});
    EXPECT_EQ(outcome.kind, Kind::not_started);
    return outcome.errors;
  };
  EXPECT_NE(errors_of("#!/no/such/interpreter\n").find("interpreter"), std::string::npos);
  EXPECT_NE(errors_of("echo 1\n").find("#!"), std::string::npos);
  std::filesystem::remove(path);
}

TEST_F(ProgramPoolTest, TimeoutKills) {
  const auto start = Clock::now();
  const auto outcome = run_one({{"sleep", "100"}, "", {}}, 0.2);
  EXPECT_EQ(outcome.kind, Kind::timed_out);
  EXPECT_EQ(outcome.status, SIGTERM);
  EXPECT_GE(seconds_since(start), 0.2);
  EXPECT_LT(seconds_since(start), 5);
}

TEST_F(ProgramPoolTest, TimeoutKillsWhatIgnoresSigterm) {
  const auto outcome = run_one(shell("trap '' TERM; echo $$; while :; do sleep 0.05; done"), 0.5);
  EXPECT_EQ(outcome.kind, Kind::timed_out);
  EXPECT_EQ(outcome.status, SIGKILL);
  expect_all_gone(outcome.output);
}

TEST_F(ProgramPoolTest, TimeoutKillsTheWholeGroup) {
  const auto plain = run_one(shell("sleep 100 & echo $$ $!; sleep 100"), 0.5);
  EXPECT_EQ(plain.kind, Kind::timed_out);
  expect_all_gone(plain.output);
  const auto stubborn = run_one(shell("trap '' TERM; sleep 100 & echo $$ $!; sleep 100"), 0.5);
  EXPECT_EQ(stubborn.kind, Kind::timed_out);
  expect_all_gone(stubborn.output);
}

TEST_F(ProgramPoolTest, TimeoutKillsAStoppedProgram) {
  EXPECT_EQ(run_one(shell("kill -STOP $$"), 0.2).kind, Kind::timed_out);
}

TEST_F(ProgramPoolTest, StrangeTimeouts) {
  EXPECT_EQ(run_one({{"sleep", "100"}, "", {}}, 0.0).kind, Kind::timed_out);
  EXPECT_EQ(run_one({{"sleep", "100"}, "", {}}, -1.0).kind, Kind::timed_out);
  for (const double none : {1e300, std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(run_one({{"true"}, "", {}}, none).kind, Kind::finished);
  }
}

TEST_F(ProgramPoolTest, SlowHostIsNoTimeout) {
  int finished = 0;
  const auto done = [&](std::size_t, const ProgramOutcome& outcome) {
    finished += outcome.kind == Kind::finished ? 1 : 0;
    std::this_thread::sleep_for(std::chrono::milliseconds(700));
  };
  const auto job = [](std::size_t i) { return shell(i == 0 ? "true" : "sleep 0.1"); };
  ProgramPool({2, 0.5}).run(2, job, done, {});
  EXPECT_EQ(finished, 2);
}

TEST_F(ProgramPoolTest, LargeInput) {
  const std::string large(5'000'000, 'x');
  EXPECT_EQ(run_one({{"wc", "-c"}, large, {}}).output, "5000000\n");
  // Answers while it reads: both directions at once.
  const auto echoed = run_one({{"cat"}, large, {}});
  EXPECT_EQ(echoed.kind, Kind::finished);
  EXPECT_EQ(echoed.output, std::string(65536, 'x'));
}

TEST_F(ProgramPoolTest, ClosedInputRaisesNoSignal) {
  const auto outcome = run_one(shell("exec <&-; sleep 0.1; echo 4", std::string(5'000'000, 'x')));
  EXPECT_EQ(outcome.kind, Kind::finished);
  EXPECT_EQ(outcome.output, "4\n");
  sigset_t pending;
  sigpending(&pending);
  EXPECT_EQ(sigismember(&pending, SIGPIPE), 0);
  struct sigaction action {};
  sigaction(SIGPIPE, nullptr, &action);
  EXPECT_EQ(action.sa_handler, SIG_DFL);
}

TEST_F(ProgramPoolTest, GarbageIsBounded) {
  const auto outcome = run_one(shell("head -c 5000000 /dev/zero; printf '\\nnoise\\n%s\\n' 2.5; exit 0"));
  EXPECT_EQ(outcome.kind, Kind::finished);
  EXPECT_EQ(outcome.output, "noise\n2.5\n");
  const auto lines = run_one(shell("yes 0123456789 | head -n 500000; echo last"));
  EXPECT_LE(lines.output.size(), 65536U);
  EXPECT_GT(lines.output.size(), 60000U);
  EXPECT_EQ(lines.output.substr(0, 11), "0123456789\n");
  EXPECT_EQ(lines.output.substr(lines.output.size() - 16), "0123456789\nlast\n");
}

TEST_F(ProgramPoolTest, EndlessOutputTimesOut) { EXPECT_EQ(run_one({{"yes"}, "", {}}, 0.2).kind, Kind::timed_out); }

TEST_F(ProgramPoolTest, ErrorsKeepTheirEnd) {
  const auto outcome = run_one(shell("seq 100000 >&2; echo the reason >&2; exit 1"));
  EXPECT_LE(outcome.errors.size(), 4096U);
  EXPECT_GT(outcome.errors.size(), 4000U);
  const int first = std::stoi(outcome.errors);
  EXPECT_GT(first, 99000) << "begins at the start of a line";
  EXPECT_EQ(outcome.errors.substr(outcome.errors.size() - 18), "100000\nthe reason\n");
}

TEST_F(ProgramPoolTest, GrandchildHoldingTheOutputDoesNotHang) {
  const auto start = Clock::now();
  const auto outcome = run_one(shell("sleep 100 & echo $!"));
  EXPECT_EQ(outcome.kind, Kind::finished);
  expect_all_gone(outcome.output);
  // Not even if it writes all the time.
  EXPECT_EQ(run_one(shell("yes & exit 2")).kind, Kind::exited);
  EXPECT_LT(seconds_since(start), 5);
}

TEST_F(ProgramPoolTest, GrandchildThatLeftTheGroupDoesNotHang) {
  const auto start = Clock::now();
  const auto outcome = run_one(shell("setsid sleep 3 & echo 1"));
  EXPECT_EQ(outcome.output, "1\n");
  EXPECT_LT(seconds_since(start), 2.5);
}

TEST_F(ProgramPoolTest, Interruption) {
  std::vector<ProgramJob> jobs(10, shell("trap '' TERM; echo $$; sleep 100; sleep 100"));
  jobs.front() = {{"true"}, "", {}};
  const auto start = Clock::now();
  const auto outcomes = run_all(jobs, {4, {}}, [&] { return seconds_since(start) > 0.5; });
  EXPECT_LT(seconds_since(start), 5);
  EXPECT_EQ(outcomes[0].kind, Kind::finished);
  for (std::size_t i = 1; i < jobs.size(); ++i) {
    EXPECT_EQ(outcomes[i].kind, Kind::cancelled) << i;
    EXPECT_EQ(outcomes[i].output.empty(), i >= 5) << i;
    if (i < 5) expect_all_gone(outcomes[i].output);
  }
}

TEST_F(ProgramPoolTest, InterruptionBeforeTheStart) {
  for (const auto& outcome : run_all({shell("sleep 100"), shell("sleep 100")}, {1, {}}, [] { return true; })) {
    EXPECT_EQ(outcome.kind, Kind::cancelled);
  }
}

TEST_F(ProgramPoolTest, InterruptionIsAskedForAfterASignal) {
  static volatile std::sig_atomic_t seen = 0;
  struct sigaction action {};
  struct sigaction before {};
  action.sa_handler = [](int) { seen = 1; };
  sigaction(SIGUSR1, &action, &before);
  const ProgramJob job = shell("sleep 0.1; kill -USR1 " + std::to_string(getpid()) + "; sleep 100");
  EXPECT_EQ(run_all({job}, {1, 20}, [] { return seen == 1; }).front().kind, Kind::cancelled);
  sigaction(SIGUSR1, &before, nullptr);
}

TEST_F(ProgramPoolTest, ExceptionOfACallbackLeavesNothing) {
  const auto job = [](std::size_t i) { return i == 0 ? ProgramJob{{"true"}, "", {}} : shell("sleep 100"); };
  const auto done = [](std::size_t, const ProgramOutcome&) { throw std::runtime_error("enough"); };
  EXPECT_THROW(ProgramPool({4, {}}).run(8, job, done, {}), std::runtime_error);
}

TEST_F(ProgramPoolTest, ProgramsGetDefaultSignals) {
  sigset_t blocked;
  sigset_t before;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGUSR1);
  sigprocmask(SIG_BLOCK, &blocked, &before);
  struct sigaction ignore {};
  struct sigaction old_action {};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGINT, &ignore, &old_action);
  const auto outcome = run_one({{"grep", "-E", "^Sig(Blk|Ign):", "/proc/self/status"}, "", {}});
  EXPECT_EQ(outcome.output, "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n");
  sigset_t after;
  sigprocmask(SIG_SETMASK, &before, &after);
  EXPECT_EQ(sigismember(&after, SIGUSR1), 1) << "ours is as it was";
  sigaction(SIGINT, &old_action, nullptr);
}

TEST_F(ProgramPoolTest, ProgramsInheritNoDescriptors) {
  // 3 is that of ls itself, for the folder; what the test runner left open is not ours.
  const auto mine = std::filesystem::directory_iterator("/proc/self/fd");
  std::vector<std::string> inherited;
  for (const auto& entry : mine) {
    const int number = std::stoi(entry.path().filename());
    if (number > 2 && (fcntl(number, F_GETFD) & FD_CLOEXEC) == 0) inherited.push_back(entry.path().filename());
  }
  std::vector<ProgramJob> jobs(4, shell("ls /proc/self/fd | wc -l; sleep 0.2"));
  for (const auto& outcome : run_all(jobs, {4, 20})) {
    EXPECT_LE(std::stoul(outcome.output), 4 + inherited.size());
  }
}

TEST_F(ProgramPoolTest, HostWithoutStandardStreams) {
  EXPECT_EXIT(
      {
        for (const int stream : {0, 1, 2}) close(stream);
        const auto outcome = run_one(shell("cat; echo e >&2", "in"));
        _exit(outcome.output == "in" && outcome.errors == "e\n" ? 7 : 1);
      },
      testing::ExitedWithCode(7), "");
}

/// This process may open so many more descriptors.
class FewDescriptors {
 public:
  explicit FewDescriptors(std::ptrdiff_t more) {
    getrlimit(RLIMIT_NOFILE, &before_);
    rlimit limit = before_;
    limit.rlim_cur = static_cast<rlim_t>(open_descriptors() + more);
    setrlimit(RLIMIT_NOFILE, &limit);
  }
  FewDescriptors(const FewDescriptors&) = delete;
  FewDescriptors(FewDescriptors&&) = delete;
  FewDescriptors& operator=(const FewDescriptors&) = delete;
  FewDescriptors& operator=(FewDescriptors&&) = delete;
  ~FewDescriptors() { setrlimit(RLIMIT_NOFILE, &before_); }

 private:
  rlimit before_{};
};

TEST_F(ProgramPoolTest, FewDescriptorsMeanFewerProgramsAtATime) {
  std::vector<ProgramOutcome> outcomes;
  {
    const FewDescriptors few(20);
    outcomes = run_all(std::vector<ProgramJob>(20, shell("sleep 0.02; echo 1")), {20, 20});
  }
  for (const auto& outcome : outcomes) EXPECT_EQ(outcome.output, "1\n");
  const FewDescriptors too_few(4);
  EXPECT_THROW(run_all({shell("echo 1")}, {1, 20}), std::system_error);
}

/// poll refuses more entries than the process may have descriptors: a closed one must not count.
TEST_F(ProgramPoolTest, AllDescriptorsCanBeWatched) {
  const FewDescriptors few(100);
  for (const auto& outcome : run_all(std::vector<ProgramJob>(30, shell("sleep 0.1; echo 1")), {30, 5})) {
    EXPECT_EQ(outcome.output, "1\n");
  }
}

TEST_F(ProgramPoolTest, HostThatIgnoresItsChildren) {
  EXPECT_EXIT(
      {
        std::signal(SIGCHLD, SIG_IGN);
        const auto outcome = run_one(shell("echo 1"));
        std::fputs(outcome.errors.c_str(), stderr);
        _exit(outcome.kind == Kind::exited && outcome.status == -1 ? 7 : 1);
      },
      testing::ExitedWithCode(7), "SIGCHLD");
}

/// As a kernel before 5.3 would answer.
bool forbid_pidfd() {
  std::array<sock_filter, 4> filter{{{BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, nr)},
                                     {BPF_JMP | BPF_JEQ | BPF_K, 0, 1, SYS_pidfd_open},
                                     {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | ENOSYS},
                                     {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW}}};
  const sock_fprog program{filter.size(), filter.data()};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0 &&
         syscall(SYS_pidfd_open, getpid(), 0) == -1;
}

TEST_F(ProgramPoolTest, KernelWithoutPidfd) {
  EXPECT_EXIT(
      {
        if (!forbid_pidfd()) _exit(7);  // not to be tested here
        bool good = true;
        for (const auto& one : run_all(std::vector<ProgramJob>(20, shell("cat; exit 3", "a")), {4, 20})) {
          good = good && one.kind == Kind::exited && one.status == 3 && one.output == "a";
        }
        good = good && run_one(shell("trap '' TERM; sleep 100; sleep 100"), 0.1).kind == Kind::timed_out;
        good = good && run_one(shell("sleep 100 & exit 0")).kind == Kind::finished;
        _exit(good && children().empty() ? 7 : 1);
      },
      testing::ExitedWithCode(7), "");
}

TEST_F(ProgramPoolTest, ProgramsDieWithTheirHost) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe2(ends.data(), O_CLOEXEC), 0);
  const pid_t host = fork();
  if (host == 0) {
    run_one(
        shell("echo $$ > /proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(ends[1]) + "; exec sleep 100"));
    _exit(0);
  }
  std::array<char, 32> pid{};
  ASSERT_GT(read(ends[0], pid.data(), pid.size() - 1), 0);
  kill(host, SIGKILL);
  waitpid(host, nullptr, 0);
  expect_all_gone(pid.data());
  for (const int end : ends) close(end);
}

TEST_F(ProgramPoolTest, ChildrenOfTheHostAreLeftAlone) {
  const pid_t child = fork();
  if (child == 0) _exit(5);
  run_all(std::vector<ProgramJob>(10, {{"true"}, "", {}}), {2, 20});
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 5);
}

TEST_F(ProgramPoolTest, NothingIsLeftOf2000Programs) {
  const auto outcomes = run_all(std::vector<ProgramJob>(2000, {{"/bin/true"}, "1\n", {}}), {4, 20});
  const auto finished = [](const ProgramOutcome& outcome) { return outcome.kind == Kind::finished; };
  EXPECT_TRUE(std::all_of(outcomes.begin(), outcomes.end(), finished));
}

TEST_F(PersistentProgramsTest, HundredLinesThroughThreePrograms) {
  PersistentPrograms programs({"sh", "-c", "while read x; do echo $$ $x; done"}, {3, 20});
  for (int round = 0; round < 2; ++round) {
    const auto outcomes = ask(programs, numbered_lines(100));
    std::vector<std::string> pids;
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      EXPECT_EQ(outcomes[i].kind, Kind::finished);
      const std::size_t space = outcomes[i].output.find(' ');
      pids.push_back(outcomes[i].output.substr(0, space));
      EXPECT_EQ(outcomes[i].output.substr(space + 1), std::to_string(i));
    }
    std::sort(pids.begin(), pids.end());
    EXPECT_EQ(std::unique(pids.begin(), pids.end()) - pids.begin(), 3);
  }
}

TEST_F(PersistentProgramsTest, DeathFailsOneCandidate) {
  PersistentPrograms programs(
      {"sh", "-c", "while read x; do if [ $x = 4 ]; then echo no >&2; exit 3; fi; echo $x; done"}, {1, 20});
  const auto outcomes = ask(programs, numbered_lines(10));
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    EXPECT_EQ(outcomes[i].kind, i == 4 ? Kind::exited : Kind::finished);
    EXPECT_EQ(outcomes[i].output, i == 4 ? "" : std::to_string(i));
  }
  EXPECT_EQ(outcomes[4].status, 3);
  EXPECT_EQ(outcomes[4].errors, "no\n");
}

TEST_F(PersistentProgramsTest, ProgramThatEndsAfterFiveAnswersLosesNothing) {
  PersistentPrograms programs({"sh", "-c", "for i in 1 2 3 4 5; do read x; echo $x; done"}, {3, 20});
  const auto outcomes = ask(programs, numbered_lines(200));
  for (std::size_t i = 0; i < outcomes.size(); ++i) EXPECT_EQ(outcomes[i].output, std::to_string(i));
}

TEST_F(PersistentProgramsTest, ProgramThatNeverReadsFailsEveryCandidate) {
  PersistentPrograms programs({"true"}, {2, 20});
  for (const auto& outcome : ask(programs, numbered_lines(10))) EXPECT_EQ(outcome.kind, Kind::exited);
}

TEST_F(PersistentProgramsTest, HangFailsOneCandidate) {
  const std::string script = "while read x; do if [ $x = 5 ]; then sleep 100; fi; echo $x; done";
  PersistentPrograms programs({"sh", "-c", script}, {2, 1.0});
  const auto start = Clock::now();
  const auto outcomes = ask(programs, numbered_lines(40));
  EXPECT_LT(seconds_since(start), 5);
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    EXPECT_EQ(outcomes[i].kind, i == 5 ? Kind::timed_out : Kind::finished) << i;
    EXPECT_EQ(outcomes[i].output, i == 5 ? "" : std::to_string(i));
  }
}

TEST_F(PersistentProgramsTest, SlowHostIsNoTimeout) {
  PersistentPrograms programs({"sh", "-c", "while read x; do sleep 0.$x; echo $x; done"}, {2, 0.5});
  int finished = 0;
  const auto done = [&](std::size_t, const ProgramOutcome& outcome) {
    finished += outcome.kind == Kind::finished ? 1 : 0;
    std::this_thread::sleep_for(std::chrono::milliseconds(700));
  };
  programs.run(2, [](std::size_t i) { return std::to_string(i); }, done, {});
  EXPECT_EQ(finished, 2);
}

TEST_F(PersistentProgramsTest, CrashAndErrorsBelongToTheirCandidate) {
  const std::string script = "while read x; do echo e$x >&2; [ $x = 2 ] && kill -SEGV $$; echo $x; done";
  PersistentPrograms programs({"sh", "-c", script}, {1, 20});
  const auto outcomes = ask(programs, numbered_lines(5));
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    EXPECT_EQ(outcomes[i].errors, "e" + std::to_string(i) + "\n");
    EXPECT_EQ(outcomes[i].kind, i == 2 ? Kind::crashed : Kind::finished);
  }
  EXPECT_EQ(outcomes[2].status, SIGSEGV);
}

TEST_F(PersistentProgramsTest, MoreThanOneLineIsNotTheNextAnswer) {
  PersistentPrograms programs({"sh", "-c", "while read x; do printf '%s\\nmore\\n' $x; done"}, {2, 20});
  const auto outcomes = ask(programs, numbered_lines(20));
  for (std::size_t i = 0; i < outcomes.size(); ++i) EXPECT_EQ(outcomes[i].output, std::to_string(i));
}

TEST_F(PersistentProgramsTest, LateLineIsNotTheNextAnswer) {
  PersistentPrograms programs({"sh", "-c", "while read x; do echo $x; sleep 0.02; echo 7; done"}, {2, 20});
  const auto outcomes = ask(programs, numbered_lines(20));
  for (std::size_t i = 0; i < outcomes.size(); ++i) EXPECT_EQ(outcomes[i].output, std::to_string(i));
  EXPECT_EQ(programs.surplus(), "7\n");
}

TEST_F(PersistentProgramsTest, LineThatWasHeldBackIsNotTheNextAnswer) {
  const std::string script = "n=0; while read x; do n=$((n+1)); [ $n = 3 ] && printf '7\\n%s\\n' $x || echo $x; done";
  PersistentPrograms programs({"sh", "-c", script}, {1, 20});
  const auto outcomes = ask(programs, numbered_lines(20));
  for (std::size_t i = 0; i < outcomes.size(); ++i) EXPECT_EQ(outcomes[i].output, std::to_string(i));
}

TEST_F(PersistentProgramsTest, GreetingIsNoAnswer) {
  PersistentPrograms programs({"sh", "-c", "echo 7; while read x; do echo $x; done"}, {1, 20});
  for (const auto& outcome : ask(programs, {"10", "11"})) {
    EXPECT_EQ(outcome.kind, Kind::unasked);
    EXPECT_EQ(outcome.output, "7\n");
  }
}

TEST_F(PersistentProgramsTest, WhatIsNotUnderstoodEndsTheProgram) {
  PersistentPrograms programs({"sh", "-c", "n=0; while read x; do n=$((n+1)); echo $n; done"}, {1, 20});
  std::string answers;
  programs.run(
      6, [](std::size_t) { return "1"; },
      [&](std::size_t, const ProgramOutcome& outcome) { answers += outcome.output; }, {},
      [](const ProgramOutcome& outcome) { return outcome.output != "2"; });
  EXPECT_EQ(answers, "121212");
}

TEST_F(PersistentProgramsTest, LargeLines) {
  PersistentPrograms programs({"sh", "-c", "while read x; do echo ${#x}; done"}, {1, 20});
  EXPECT_EQ(ask(programs, {std::string(300'000, '1')}).front().output, "300000");
  PersistentPrograms endless({"sh", "-c", "read x; exec cat /dev/zero"}, {1, 0.3});
  EXPECT_EQ(ask(endless, {"1"}).front().kind, Kind::timed_out);
}

TEST_F(PersistentProgramsTest, ClosedOutputIsNoAnswer) {
  PersistentPrograms programs({"sh", "-c", "read x; exec >&-; sleep 100"}, {1, {}});
  const auto outcome = ask(programs, {"1"}).front();
  EXPECT_EQ(outcome.kind, Kind::timed_out);
  EXPECT_NE(outcome.errors.find("without an answer"), std::string::npos);
}

TEST_F(PersistentProgramsTest, ClosedInputBurnsNoTime) {
  PersistentPrograms programs({"sh", "-c", "read x; exec <&-; sleep 0.5; echo $x"}, {1, 20});
  const std::clock_t before = std::clock();
  EXPECT_EQ(ask(programs, {"1"}).front().output, "1");
  EXPECT_LT(static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC, 0.25);
}

TEST_F(PersistentProgramsTest, NotStarted) {
  PersistentPrograms programs({"surefoot-no-such-command"}, {2, 20});
  for (const auto& outcome : ask(programs, numbered_lines(5))) {
    EXPECT_EQ(outcome.kind, Kind::not_started);
    EXPECT_EQ(outcome.errors, "cannot start 'surefoot-no-such-command': command not found in PATH");
  }
}

TEST_F(PersistentProgramsTest, InterruptionAndGoingOn) {
  PersistentPrograms programs({"sh", "-c", "while read x; do if [ $x = 3 ]; then sleep 100; fi; echo $x; done"},
                              {2, {}});
  const auto start = Clock::now();
  const auto outcomes = ask(programs, {"1", "3", "3", "1"}, [&] { return seconds_since(start) > 0.5; });
  EXPECT_LT(seconds_since(start), 5);
  EXPECT_EQ(outcomes[0].kind, Kind::finished);
  for (std::size_t i = 1; i < 4; ++i) EXPECT_EQ(outcomes[i].kind, Kind::cancelled);
  EXPECT_EQ(children(), before_);
  EXPECT_EQ(ask(programs, {"8"}).front().output, "8");
}

TEST_F(PersistentProgramsTest, ExceptionOfACallbackLeavesNoAnswerBehind) {
  PersistentPrograms programs({"sh", "-c", "while read x; do sleep 0.1; echo $x; done"}, {2, 20});
  const auto done = [](std::size_t, const ProgramOutcome&) { throw std::runtime_error("enough"); };
  EXPECT_THROW(programs.run(4, [](std::size_t) { return "old"; }, done, {}), std::runtime_error);
  for (const auto& outcome : ask(programs, numbered_lines(4))) EXPECT_NE(outcome.output, "old");
}

TEST_F(PersistentProgramsTest, DestructionEndsWhatDoesNotEnd) {
  std::string pids;
  auto start = Clock::now();
  {
    PersistentPrograms programs({"sh", "-c", "trap '' TERM; sleep 100 & read x; echo $$ $!; sleep 100"}, {2, 20});
    for (const auto& outcome : ask(programs, {"1", "2"})) pids += outcome.output + ' ';
    start = Clock::now();
  }
  EXPECT_GE(seconds_since(start), 0.9) << "has time to end by itself";
  EXPECT_LT(seconds_since(start), 5);
  expect_all_gone(pids);
}

TEST_F(PersistentProgramsTest, DestructionDoesNotWaitForWhatEnds) {
  auto start = Clock::now();
  {
    PersistentPrograms programs({"cat"}, {3, 20});
    ask(programs, numbered_lines(9));
    start = Clock::now();
  }
  EXPECT_LT(seconds_since(start), 0.9);
}

}  // namespace
}  // namespace surefoot
