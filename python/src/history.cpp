#include "history.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace surefoot::python {
namespace {

constexpr std::size_t limit = 4096;

const std::vector<std::string> columns = {"generation", "nfev",      "best",   "generation_best", "sigma",
                                          "eta_m",      "eta_sigma", "eta_B",  "l_theta",         "gamma",
                                          "condition",  "run",       "popsize"};

template <class T>
void keep_every_second(std::vector<T>& items) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < items.size(); i += 2) {
    if (i != kept) items[kept] = std::move(items[i]);
    ++kept;
  }
  items.resize(kept);
}

}  // namespace

History::History(bool whole, Index dimension)
    : is_whole_(whole),
      axes_interval_(whole ? 1 + dimension / 20 : 1 + dimension * dimension / 20),
      places_interval_(1 + dimension / 20),
      names_(columns) {}

History::Place History::place_of(double generation, const Optimizer& search) {
  const Result now = search.result();
  const Index count = std::min(now.x.size(), most_coordinates);
  return {generation, now.x.head(count), now.last_mean().head(count), now.last_stds().head(count)};
}

/// A measure that is not a column of Record gets its own.
History::Row History::row_of(const Record& r) {
  Row row = {static_cast<double>(r.generation),
             static_cast<double>(r.nfev),
             r.best,
             r.generation_best,
             r.sigma,
             r.eta_m,
             r.eta_sigma,
             r.eta_B,
             r.l_theta,
             r.gamma,
             r.condition,
             static_cast<double>(r.run),
             static_cast<double>(r.popsize)};
  for (const auto& [name, value] : r.measures) {
    if (std::find(names_.begin(), names_.end(), name) == names_.end()) names_.push_back(name);
  }
  for (std::size_t c = columns.size(); c < names_.size(); ++c) row.push_back(r.measures[names_[c]]);
  return row;
}

void History::add_failure(FailedAttempt failure) {
  constexpr std::size_t most = 1000;
  failures_.push_back(std::move(failure));
  if (failures_.size() > most) failures_.pop_front();
}

/// A search that continues with a larger budget reports its last generation again.
void History::forget_from(std::int64_t generation) {
  const auto is_known = [generation](double row) { return row >= static_cast<double>(generation); };
  while (!rows_.empty() && is_known(rows_.back()[0])) rows_.pop_back();
  while (!axes_.empty() && is_known(axes_.back().generation)) axes_.pop_back();
  while (!places_.empty() && is_known(places_.back().generation)) places_.pop_back();
  while (!failures_.empty() && failures_.back().generation >= generation) failures_.pop_back();
}

void History::add(const Record& r, const Optimizer& search) {
  forget_from(r.generation);
  for (const Failure& failure : r.failures) add_failure({r.generation, failure});
  const Row row = row_of(r);
  last_ = row;
  const auto first = static_cast<std::int64_t>(rows_.empty() ? row[0] : rows_.front()[0]);
  if ((r.generation - first) % stride_ != 0) return;
  rows_.push_back(row);
  last_.reset();
  const double since = row[0] - (axes_.empty() ? 0 : axes_.back().generation);
  if (since >= static_cast<double>(axes_interval_) && search.strategy().distribution().is_finite()) {
    axes_.push_back({row[0], search.last_run_distribution().axis_lengths()});
  }
  if (places_.empty() || row[0] - places_.back().generation >= static_cast<double>(places_interval_)) {
    places_.push_back(place_of(row[0], search));
  }
  if (!is_whole_ && rows_.size() >= limit) thin();
}

void History::thin() {
  stride_ *= 2;
  keep_every_second(rows_);
  if (places_.size() * 2 >= limit) {
    places_interval_ *= 2;
    keep_every_second(places_);
  }
  if (axes_.size() * 2 < limit) return;
  axes_interval_ *= 2;
  keep_every_second(axes_);
}

std::vector<History::Row> History::rows() const {
  std::vector<Row> all = rows_;
  if (last_) all.push_back(*last_);
  for (Row& row : all) row.resize(names_.size(), std::numeric_limits<double>::quiet_NaN());
  return all;
}

void History::restore(std::vector<std::string> names, std::vector<Row> rows, std::vector<Axes> axes,
                      std::vector<Place> places) {
  names_ = std::move(names);
  rows_ = std::move(rows);
  axes_ = std::move(axes);
  places_ = std::move(places);
  last_.reset();
  while (!is_whole_ && rows_.size() >= limit) thin();
}

}  // namespace surefoot::python
