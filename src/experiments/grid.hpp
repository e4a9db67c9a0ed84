#pragma once

#include <string>
#include <utility>
#include <vector>

#include "experiments/contender.hpp"

namespace surefoot {

/// Every method on every task, one job each; jobs are numbered method by method.
template <class Task>
class Grid {
 public:
  /// \throws std::invalid_argument for a method that does not exist.
  Grid(const std::vector<std::string>& methods, const Restarts& default_restarts, std::vector<Task> tasks)
      : tasks_(std::move(tasks)) {
    for (const std::string& name : methods) contenders_.push_back(make_contender(name, default_restarts));
  }

  [[nodiscard]] std::size_t size() const { return contenders_.size() * tasks_.size(); }
  [[nodiscard]] const std::vector<Task>& tasks() const { return tasks_; }
  [[nodiscard]] const std::vector<Contender>& contenders() const { return contenders_; }

  [[nodiscard]] std::size_t method(std::size_t job) const { return job / tasks_.size(); }
  [[nodiscard]] const Contender& contender(std::size_t job) const { return contenders_[method(job)]; }
  [[nodiscard]] const Task& task(std::size_t job) const { return tasks_[job % tasks_.size()]; }

  /// What `f` gives for the method's name and the task of each job, in their order.
  template <class F>
  [[nodiscard]] auto for_each_job(const F& f) const {
    std::vector<decltype(f(contenders_[0].name, tasks_[0]))> all;
    for (std::size_t job = 0; job < size(); ++job) all.push_back(f(contender(job).name, task(job)));
    return all;
  }

 private:
  std::vector<Task> tasks_;
  std::vector<Contender> contenders_;
};

}  // namespace surefoot
