#include "ranks/workers.hpp"

#include <algorithm>
#include <exception>
#include <limits>
#include <utility>

namespace surefoot {

Workers::Workers(const MakeWork& make_work, int count) {
  try {
    for (int i = 0; i < std::max(1, count); ++i) threads_.emplace_back([this, make_work] { loop(make_work); });
  } catch (...) {  // The system has no more threads. Without end() those that run would be waited for for ever.
    end();
    throw;
  }
}

Workers::~Workers() { end(); }

void Workers::end() {
  cancel(std::numeric_limits<std::int64_t>::max());
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  has_task_.notify_all();
}

void Workers::start(Task task) {
  ++busy_;
  {
    const std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
  }
  has_task_.notify_one();
}

std::vector<Answer> Workers::take() {
  const std::lock_guard lock(mutex_);
  busy_ -= static_cast<int>(answers_.size());
  return std::exchange(answers_, {});
}

void Workers::wait(std::chrono::steady_clock::duration pause) {
  std::unique_lock lock(mutex_);
  has_answer_.wait_for(lock, pause, [this] { return !answers_.empty(); });
}

void Workers::loop(const MakeWork& make_work) {
  Work work;
  while (const std::optional<Task> task = next()) {
    Answer given = answer(make_work, work, *task);
    {
      const std::lock_guard lock(mutex_);
      answers_.push_back(std::move(given));
    }
    has_answer_.notify_one();
  }
}

std::optional<Task> Workers::next() {
  std::unique_lock lock(mutex_);
  has_task_.wait(lock, [this] { return ends_ || !tasks_.empty(); });
  if (tasks_.empty()) return std::nullopt;
  Task task = std::move(tasks_.front());
  tasks_.pop_front();
  return task;
}

Answer Workers::answer(const MakeWork& make_work, Work& work, const Task& task) const {
  Answer answer{.batch = task.batch, .number = task.number, .kind = Answer::Kind::returned, .seconds = 0, .bytes = {}};
  const auto cancelled = [&] { return task.batch <= cancelled_batch_; };
  if (cancelled()) return answer;
  const auto begin = std::chrono::steady_clock::now();
  try {
    if (!work) work = make_work();
    if (auto bytes = work(task, cancelled)) {
      answer.kind = Answer::Kind::done;
      answer.bytes = *std::move(bytes);
    }
  } catch (const std::exception& error) {
    answer.kind = Answer::Kind::broken;
    answer.bytes = error.what();
  }
  answer.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return answer;
}

}  // namespace surefoot
