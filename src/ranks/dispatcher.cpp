#include "ranks/dispatcher.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <stdexcept>
#include <utility>

#include "ranks/back_off.hpp"
#include "ranks/byte_stream.hpp"

namespace surefoot {
namespace {

// Tasks longer than this are never handed out ahead: the way to a rank is a small part of their time, and a task that
// waits behind a slow one would hold up the whole batch.
constexpr double brief_seconds = 0.02;

}  // namespace

/// One call of Dispatcher::run.
class Dispatcher::Batch {
 public:
  Batch(Dispatcher& owner, std::span<const std::int64_t> numbers, const MakeTask& task, const Done& done)
      : owner_(owner), waiting_(numbers), task_(task), done_(done) {}

  [[nodiscard]] bool finished() const {
    return (waiting_.empty() && returned_.empty() && running_.empty()) ||
           (given_up_ && BackOff::Clock::now() > *given_up_ + owner_.channel_.grace());
  }

  void hand_out() {
    while (!waiting_.empty() || !returned_.empty()) {
      const std::optional<int> rank = owner_.next_worker(waiting_.size() + returned_.size());
      if (!rank) return;
      const std::int64_t number = next_number();
      const bool is_ahead = owner_.ahead_[static_cast<std::size_t>(*rank)] > 0;
      running_.emplace(number, Running{*rank, is_ahead ? not_begun : BackOff::Clock::now()});
      if (is_ahead) ahead_.push_back(number);
      owner_.hand_out(*rank, {owner_.batch_, number, task_(number)});
    }
  }

  /// The time before which no answer is expected: no task is assumed to be faster than the fastest of the last batch.
  [[nodiscard]] BackOff::Clock::time_point next_event() const {
    const std::chrono::duration<double> fastest(owner_.fastest_);
    if (running_.empty() || running_.begin()->second.since == not_begun) return BackOff::Clock::time_point::min();
    return running_.begin()->second.since + std::chrono::duration_cast<BackOff::Clock::duration>(fastest);
  }

  /// Answers to an abandoned batch are dropped; they only free the worker. `begins_next`: the worker has begun with a
  /// task that was handed out ahead, most likely the oldest of them.
  void take(const Answer& answer, bool begins_next) {
    if (begins_next && !ahead_.empty()) {
      if (const auto next = running_.find(ahead_.front()); next != running_.end()) {
        next->second.since = BackOff::Clock::now();
      }
      ahead_.pop_front();
    }
    if (answer.batch != owner_.batch_) return;
    running_.erase(answer.number);
    if (answer.kind != Answer::Kind::done) return;
    fastest_ = std::min(fastest_, answer.seconds);
    // Updated at once, so that one slow task ends the handing out ahead.
    owner_.slowest_ = std::max(owner_.slowest_, answer.seconds);
    slowest_ = std::max(slowest_, answer.seconds);
    ++count_;
    done_(answer.number, answer.bytes);
  }

  /// Seconds of the fastest task of this batch; 0 if there is none.
  [[nodiscard]] double fastest() const { return std::isfinite(fastest_) ? fastest_ : 0; }

  /// Seconds of the slowest task of this batch, if it says something about the next batch. A single candidate that is
  /// tried again does not.
  [[nodiscard]] std::optional<double> slowest() const {
    if (count_ < std::max<std::int64_t>(2, owner_.usage_.workers)) return std::nullopt;
    return slowest_;
  }

  [[nodiscard]] bool has_task(int rank) const {
    return std::any_of(running_.begin(), running_.end(), [rank](const auto& task) { return task.second.rank == rank; });
  }

  /// The tasks of a lost rank go to others.
  void take_back(int rank) {
    for (auto task = running_.begin(); task != running_.end();) {
      if (task->second.rank == rank) {
        std::erase(ahead_, task->first);
        if (!given_up_) returned_.push_back(task->first);
        task = running_.erase(task);
      } else {
        ++task;
      }
    }
  }

  void give_up() {
    if (given_up_) return;
    given_up_ = BackOff::Clock::now();
    owner_.cancelled_ = true;
    waiting_ = {};
    returned_.clear();
    owner_.cancel_batch();
  }

 private:
  struct Running {
    int rank;
    BackOff::Clock::time_point since;
  };

  std::int64_t next_number() {
    if (!returned_.empty()) {
      const std::int64_t number = returned_.front();
      returned_.pop_front();
      return number;
    }
    const std::int64_t number = waiting_.front();
    waiting_ = waiting_.subspan(1);
    return number;
  }

  Dispatcher& owner_;
  std::span<const std::int64_t> waiting_;
  std::deque<std::int64_t> returned_;        // by lost ranks
  std::map<std::int64_t, Running> running_;  // The first is the oldest.
  static constexpr BackOff::Clock::time_point not_begun = BackOff::Clock::time_point::max();
  std::deque<std::int64_t> ahead_;
  double fastest_ = std::numeric_limits<double>::infinity();
  double slowest_ = 0;
  std::int64_t count_ = 0;
  const MakeTask& task_;
  const Done& done_;
  std::optional<BackOff::Clock::time_point> given_up_;
};

/// The first rank's own workers come last: with fewer tasks than workers it keeps its processor for itself.
Dispatcher::Dispatcher(Channel& channel, const MakeWork& make_work, int workers,
                       std::optional<std::chrono::duration<double>> rank_timeout)
    : channel_(channel),
      own_(make_work, workers),
      ahead_(static_cast<std::size_t>(channel.size()), 0),
      stale_(static_cast<std::size_t>(channel.size()), 0),
      workers_(static_cast<std::size_t>(channel.size()), 0),
      silence_(channel.size(), rank_timeout),
      usage_{own_.count(), 0} {
  idle_.assign(static_cast<std::size_t>(own_.count()), 0);
}

Dispatcher::~Dispatcher() {
  try {
    end();
  } catch (...) {  // Nothing can be reported any more, and the ranks end with the job.
  }
}

/// A rank says that it has stopped before it waits for its workers, so even one in the middle of an evaluation does so
/// at once. After an interruption, wait only `farewell` for a silent rank. Nobody
/// waits long for one that was left out; but a short limit must not abandon a rank that is only slow.
void Dispatcher::end() {
  if (std::exchange(ended_, true)) return;
  const std::chrono::duration<double> farewell = channel_.farewell();
  cancel_batch();
  std::vector<int>& left = unreachable_;
  for (int rank = 1; rank < channel_.size(); ++rank) {
    channel_.wake(rank);
    channel_.send(rank, Tag::stop, {});
    left.push_back(rank);
  }
  const BackOff::Clock::time_point begin = BackOff::Clock::now();
  for (BackOff back_off; !left.empty();) {
    const std::optional<Message> message = channel_.receive();
    if (message && message->tag == Tag::stopped) {
      std::erase(left, message->rank);
      channel_.take_back(message->rank);
    }
    if (message) continue;
    own_.wait(back_off.pause());
    if (!silence_.limit()) continue;
    const bool is_brief =
        cancelled_ || std::all_of(left.begin(), left.end(), [&](int r) { return silence_.is_lost(r); });
    const auto limit = is_brief ? farewell : std::max(*silence_.limit(), farewell);
    if (BackOff::Clock::now() - begin > limit) break;
  }
  for (const int rank : left) {
    if (!silence_.is_lost(rank)) leave_out(rank);
  }
}

void Dispatcher::run(std::span<const std::int64_t> numbers, const MakeTask& task, const Done& done,
                     const std::function<bool()>& cancelled) {
  ++batch_;
  Batch batch(*this, numbers, task, done);
  BackOff back_off;
  while (!batch.finished()) {
    if (cancelled()) batch.give_up();
    batch.hand_out();
    if (collect([&](const Answer& answer, bool begins_next) { batch.take(answer, begins_next); })) {
      back_off.reset();
    } else {
      look_for_silence(batch);
      back_off.expect(batch.next_event());
      own_.wait(channel_.size() > 1 ? back_off.pause() : BackOff::longest);
    }
  }
  fastest_ = batch.fastest();
  slowest_ = batch.slowest().value_or(slowest_);
}

void Dispatcher::look_for_silence(Batch& batch) {
  for (int rank = 1; rank < channel_.size() && silence_.limit(); ++rank) {
    if (!batch.has_task(rank)) continue;
    const LostRanks::Verdict verdict = silence_.judge(rank);
    if (verdict == LostRanks::Verdict::ask) channel_.send(rank, Tag::ping, {});
    if (verdict != LostRanks::Verdict::lose) continue;
    leave_out(rank);
    batch.take_back(rank);
  }
}

void Dispatcher::leave_out(int rank) {
  const auto at = static_cast<std::size_t>(rank);
  silence_.lose(rank);
  channel_.leave_out(rank);
  std::erase(idle_, rank);
  std::erase(busy_, rank);
  ahead_[at] = 0;
  stale_[at] = 0;
  usage_.workers -= std::exchange(workers_[at], 0);
  if (tell_loss_) tell_loss_(rank);
}

std::optional<int> Dispatcher::next_worker(std::size_t waiting) {
  if (!idle_.empty()) {
    const int rank = idle_.front();
    idle_.pop_front();
    busy_.push_back(rank);
    return rank;
  }
  // Tasks of the last round are not handed out ahead: the first idle worker takes them.
  if (slowest_ > brief_seconds || waiting <= static_cast<std::size_t>(usage_.workers)) return std::nullopt;
  while (!busy_.empty()) {
    const int rank = busy_.front();
    busy_.pop_front();
    int& stale = stale_[static_cast<std::size_t>(rank)];
    if (stale > 0) {
      --stale;
      continue;
    }
    ++ahead_[static_cast<std::size_t>(rank)];
    return rank;
  }
  return std::nullopt;
}

bool Dispatcher::note_answer(int rank) {
  int& ahead = ahead_[static_cast<std::size_t>(rank)];
  if (ahead > 0) {  // The worker has begun with a task that was waiting there.
    --ahead;
    busy_.push_back(rank);
    return true;
  }
  idle_.push_back(rank);
  ++stale_[static_cast<std::size_t>(rank)];
  while (!busy_.empty() &&
         stale_[static_cast<std::size_t>(busy_.front())] > 0) {  // Otherwise busy_ would grow without end.
    --stale_[static_cast<std::size_t>(busy_.front())];
    busy_.pop_front();
  }
  return false;
}

void Dispatcher::hand_out(int rank, Task task) {
  if (rank == 0) {
    own_.start(std::move(task));
  } else {
    channel_.send(rank, Tag::task, to_bytes(task));
  }
}

bool Dispatcher::collect(const std::function<void(const Answer&, bool)>& take) {
  bool any = false;
  std::optional<std::string> broken;
  const auto note = [&](int rank, const Answer& answer) {
    any = true;
    const bool begins_next = note_answer(rank);
    usage_.busy += answer.seconds;
    if (answer.kind == Answer::Kind::broken) {  // Thrown when every worker is accounted for.
      broken = channel_.size() > 1 ? "rank " + std::to_string(rank) + ": " + answer.bytes : answer.bytes;
    } else {
      take(answer, begins_next);
    }
  };
  while (const std::optional<Message> message = channel_.receive()) {
    if (silence_.is_lost(message->rank)) continue;  // Its tasks are with others.
    silence_.hear(message->rank);
    if (message->tag == Tag::answer) note(message->rank, answer_of(message->bytes));
    if (message->tag != Tag::ready) continue;
    any = true;
    const auto workers = static_cast<int>(ByteReader(message->bytes).integer());
    usage_.workers += workers;
    workers_[static_cast<std::size_t>(message->rank)] = workers;
    idle_.insert(idle_.begin(), static_cast<std::size_t>(workers), message->rank);
  }
  for (const Answer& answer : own_.take()) note(0, answer);
  if (broken) throw std::runtime_error(*broken);
  return any;
}

void Dispatcher::cancel_batch() {
  own_.cancel(batch_);
  ByteWriter batch;
  batch.integer(batch_);
  const std::string bytes = batch.take();
  for (int rank = 1; rank < channel_.size(); ++rank) {
    if (!silence_.is_lost(rank)) channel_.send(rank, Tag::cancel, bytes);
  }
}

}  // namespace surefoot
