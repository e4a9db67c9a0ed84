#include "search.hpp"

#include <pybind11/stl.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/invalid_option.hpp"
#include "driver/checkpoint/checkpointer.hpp"
#include "driver/search_spec.hpp"
#include "option_reader.hpp"

namespace surefoot::python {
namespace {

/// From a pair of mean and covariance.
Start distribution_of(const py::tuple& pair) {
  const Vector mean = as_vector("warm_start: mean", pair[0]);
  const Array covariance = as_array("warm_start: covariance", pair[1]);
  if (covariance.ndim() != 2 || covariance.shape(0) != mean.size() || covariance.shape(1) != mean.size()) {
    throw std::invalid_argument("warm_start: the covariance must be a matrix of " + text(mean.size()) + " x " +
                                text(mean.size()) + " numbers, as the mean has " + text(mean.size()));
  }
  try {
    return Start::with_covariance(mean, Eigen::Map<const Matrix>(covariance.data(), mean.size(), mean.size()));
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(std::string("warm_start: ") + error.what());
  }
}

Sigma0 sigma_of(const py::object& sigma0) {
  if (sigma0.is_none()) return {};
  const Array array = as_array("sigma0", sigma0);
  if (array.ndim() == 0) return *array.data();
  return as_vector("sigma0", array);
}

/// None, the state of a search, a checkpoint's file or a pair of mean and covariance.
void take_warm_start(const py::object& warm_start, SearchSpec& spec) {
  if (warm_start.is_none()) return;
  if (py::isinstance<py::bytes>(warm_start)) {
    spec.warm_state = warm_start.cast<std::string>();
  } else if (py::isinstance<py::str>(warm_start)) {
    spec.warm_file = warm_start.cast<std::string>();
  } else {
    spec.warm_distribution = distribution_of(warm_start.cast<py::tuple>());
  }
}

/// The column of trace that has one of a place's vectors.
struct PlaceColumn {
  const char* name;
  Vector History::Place::*vector;
};
constexpr std::array<PlaceColumn, 3> place_columns = {
    {{"x", &History::Place::x}, {"mean", &History::Place::mean}, {"stds", &History::Place::stds}}};

void add_places(py::dict& all, const std::vector<History::Place>& places) {
  const auto count = static_cast<py::ssize_t>(places.size());
  const auto width = static_cast<py::ssize_t>(places.empty() ? 0 : places.front().x.size());
  Array generations(count);
  for (py::ssize_t i = 0; i < count; ++i) {
    generations.mutable_data()[i] = places[static_cast<std::size_t>(i)].generation;
  }
  all["place_generation"] = generations;
  for (const auto& [name, vector] : place_columns) {
    Array rows({count, width});
    for (py::ssize_t i = 0; i < count; ++i) {
      const Vector& row = places[static_cast<std::size_t>(i)].*vector;
      std::copy_n(row.data(), std::min<py::ssize_t>(width, row.size()), rows.mutable_data() + i * width);
    }
    all[name] = rows;
  }
}

std::vector<History::Place> places_of(const py::dict& history) {
  if (!history.contains("place_generation")) return {};
  const Vector generations = as_vector("history", history["place_generation"]);
  std::vector<History::Place> places(static_cast<std::size_t>(generations.size()));
  for (std::size_t i = 0; i < places.size(); ++i) places[i].generation = generations[static_cast<Index>(i)];
  for (const auto& [name, vector] : place_columns) {
    const Array rows = as_array("history", history[name]);
    if (rows.ndim() != 2 || rows.shape(0) != generations.size()) {
      throw std::invalid_argument("history: places of different lengths");
    }
    const auto width = static_cast<Index>(rows.shape(1));
    for (std::size_t i = 0; i < places.size(); ++i) {
      places[i].*vector = Eigen::Map<const Vector>(rows.data() + static_cast<Index>(i) * width, width);
    }
  }
  return places;
}

FailureKind kind_of(const std::string& kind) {
  for (const FailureKind k : {FailureKind::nan, FailureKind::exception, FailureKind::crash, FailureKind::timeout}) {
    if (kind == name(k)) return k;
  }
  reject("kind", kind, "it must be nan, exception, crash or timeout");
}

/// A text that may quote bytes which are not UTF-8.
py::str text_of(const std::string& bytes) {
  PyObject* const text = PyUnicode_DecodeUTF8(bytes.data(), static_cast<py::ssize_t>(bytes.size()), "replace");
  if (text == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::str>(text);
}

py::list runs_of(const Result& result) {
  py::list runs;
  for (const RunSummary& run : result.runs) {
    runs.append(py::dict(py::arg("popsize") = run.popsize, py::arg("sigma_factor") = run.sigma_factor,
                         py::arg("nfev") = run.nfev, py::arg("nit") = run.nit, py::arg("fun") = run.fun,
                         py::arg("stop") = py::str(std::string(name(run.stop)))));
  }
  return runs;
}

py::list failures_of(const FailureCounts& counts) {
  py::list failures;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    if (counts[k].count == 0) continue;
    failures.append(py::dict(py::arg("kind") = py::str(std::string(name(static_cast<FailureKind>(k)))),
                             py::arg("count") = counts[k].count, py::arg("reason") = text_of(counts[k].reason),
                             py::arg("x") = to_array(counts[k].x)));
  }
  return failures;
}

}  // namespace

SearchBinding::Use::Use(SearchBinding& search) : search_(search) {
  const unsigned long me = PyThread_get_thread_ident();
  unsigned long user = 0;
  is_outermost_ = search.user_.compare_exchange_strong(user, me);
  if (!is_outermost_ && user != me) throw std::runtime_error("Optimizer: another thread is using it");
}

SearchBinding::Use::~Use() {
  if (is_outermost_) search_.user_ = 0;
}

SearchBinding::SearchBinding(const py::dict& origin, const py::dict& options, py::object callback,
                             const py::object& trace, const std::string& log, std::vector<std::string> constraint_names)
    : callback_(std::move(callback)) {
  const bool observed = !trace.is_none();
  Options all = read_options(options);
  all.callback = [this](const Record& record) { return after_generation(record); };
  if (observed) all.observer = [](const Record& /*record*/) {};  // everything is measured
  SessionFiles files{.about = "surefoot.minimize of Python",
                     .constraint_names = std::move(constraint_names),
                     .log = log,
                     .trace = py::isinstance<py::str>(trace) ? trace.cast<std::string>() : ""};
  SearchSpec spec{.sigma0 = sigma_of(origin["sigma0"]),
                  .objective = origin["vectorized"].cast<bool>() ? ObjectiveKind::batch : ObjectiveKind::function,
                  .options = std::move(all),
                  .files = std::move(files)};
  if (!origin["x0"].is_none()) spec.x0 = as_vector("x0", origin["x0"]);
  for (const py::handle text : origin["space"]) spec.space.add(text.cast<std::string>());
  take_warm_start(origin["warm_start"], spec);
  session_ = make_session(std::move(spec));
  dimension_ = search().strategy().distribution().dimension();
  history_.emplace(observed, dimension_);
}

StopRequest SearchBinding::after_generation(const Record& record) {
  history_->add(record, search());
  if (callback_.is_none()) return false;
  const py::gil_scoped_acquire acquire;
  const py::object answer = callback_();
  if (py::isinstance<py::str>(answer)) return answer.cast<std::string>();
  return answer.cast<bool>();
}

Array SearchBinding::ask() {
  const Matrix* population = nullptr;
  {
    const Use use(*this);
    const py::gil_scoped_release release;
    population = &search().ask();
  }
  return rows_of(*population);
}

void SearchBinding::tell(const py::object& candidates, const py::object& values) {
  const Use use(*this);
  const Vector f = as_vector("tell: F", values);
  if (candidates.is_none()) {
    const py::gil_scoped_release release;
    session_->tell(f);
    return;
  }
  const Matrix told = told_candidates(candidates);
  const py::gil_scoped_release release;
  session_->tell(told, f);
}

Matrix SearchBinding::told_candidates(const py::object& candidates) {
  const Array X = as_array("tell: X", candidates);
  const Matrix& population = search().ask();
  if (X.ndim() != 2 || X.shape(0) != population.cols() || X.shape(1) != population.rows()) {
    throw std::invalid_argument("tell: X must have one candidate a row, " + text(population.cols()) + " x " +
                                text(population.rows()) + " numbers");
  }
  return Eigen::Map<const Matrix>(X.data(), population.rows(), population.cols());
}

void SearchBinding::tell_constrained(const py::object& candidates, const py::object& values, const py::object& g,
                                     const py::object& h) {
  const Use use(*this);
  const Vector f = as_vector("tell: F", values);
  const auto rows = [&](const char* name, const py::object& given, Index width) {
    Array array = given.is_none() ? Array(std::vector<py::ssize_t>{f.size(), 0}) : as_array(name, given);
    if (array.ndim() < 1 || array.ndim() > 2 || array.shape(0) != f.size() || array.size() != f.size() * width) {
      throw std::invalid_argument(std::string(name) + " must have one row for each of the " + text(f.size()) +
                                  " candidates, with " + text(width) + " numbers");
    }
    return array;
  };
  const Array G = rows("tell: G", g, search().options().constraints);
  const Array H = rows("tell: H", h, search().options().equalities);
  std::vector<Evaluation> evaluations(static_cast<std::size_t>(f.size()));
  const auto row = [&](const Array& all, Index i) {
    const Index count = f.size() == 0 ? 0 : static_cast<Index>(all.size()) / f.size();
    return std::vector<double>(all.data() + i * count, all.data() + (i + 1) * count);
  };
  for (Index i = 0; i < f.size(); ++i) evaluations[static_cast<std::size_t>(i)] = {f[i], row(G, i), row(H, i)};
  if (candidates.is_none()) return session_->tell(evaluations);
  session_->tell(told_candidates(candidates), evaluations);
}

Index SearchBinding::checked(Index candidate) {
  const Index size = search().generation().size();
  if (candidate < 0 || candidate >= size) reject("candidate", candidate, "it must be from 0 to " + text(size - 1));
  return candidate;
}

py::list SearchBinding::open_candidates() {
  const Use use(*this);
  py::list open;
  for (const Index i : search().generation().open_candidates()) open.append(i);
  return open;
}

void SearchBinding::set(Index candidate, const py::handle& value) {
  const Use use(*this);
  if (PySequence_Check(value.ptr()) != 0) {
    const auto values = value.cast<std::vector<double>>();
    return put(checked(candidate), values);
  }
  const double number = PyFloat_AsDouble(value.ptr());
  if (number == -1.0 && PyErr_Occurred() != nullptr) throw py::error_already_set();
  search().generation().set(checked(candidate), number);
}

/// Names the constraint without a value.
void SearchBinding::put(Index candidate, std::span<const double> values) {
  Generation& generation = search().generation();
  if (defect_of(values).empty()) return generation.set(candidate, values);
  generation.fail(candidate, FailureKind::nan, defect_of(values, search().result().constraint_names));
}

void SearchBinding::took(Index candidate, double seconds, int worker) {
  const Use use(*this);
  search().generation().took(checked(candidate), seconds, worker);
}

void SearchBinding::took_together(double seconds) {
  const Use use(*this);
  search().generation().took_together(seconds);
}

void SearchBinding::set_open(const py::object& values) {
  const Use use(*this);
  const Array array = as_array("values", values);
  Generation& generation = search().generation();
  const auto width = static_cast<std::size_t>(array.ndim() == 2 ? array.shape(1) : 1);
  Index next = 0;
  for (Index i = 0; i < generation.size(); ++i) {
    if (!generation.is_open(i)) continue;
    if (next == array.shape(0)) throw std::invalid_argument("values: fewer than open candidates");
    put(i, std::span<const double>(array.data() + static_cast<std::size_t>(next++) * width, width));
  }
}

void SearchBinding::fail(Index candidate, const std::string& kind, const std::string& reason) {
  const Use use(*this);
  search().generation().fail(checked(candidate), kind_of(kind), reason);
}

bool SearchBinding::reopen_failures() {
  const Use use(*this);
  return search().generation().reopen_failures(search().options().failures.retry);
}

void SearchBinding::forget_failures() {
  const Use use(*this);
  search().generation().forget_failures();
}

bool SearchBinding::has_never_worked() {
  const Use use(*this);
  const Generation& generation = search().generation();
  if (generation.count(Outcome::State::failed) < generation.size()) return false;
  const Result result = search().result();
  return result.nfailed == result.nfev;
}

bool SearchBinding::is_cancelled() {
  const Use use(*this);
  return search().generation().cancelled();
}

void SearchBinding::finish_generation() {
  const Use use(*this);
  const py::gil_scoped_release release;
  session_->tell();
}

void SearchBinding::interrupt() {
  const Use use(*this);
  search().abandon(StopReason::interrupted);
}

void SearchBinding::stop_because(const std::string& sentence) {
  const Use use(*this);
  search().stop_because(sentence);
}

std::string SearchBinding::stop() {
  const Use use(*this);
  return search().stop() ? std::string(name(search().stop_reason())) : "";
}

py::dict SearchBinding::result() {
  const Use use(*this);
  const Result r = search().result();
  py::dict d;
  d["x"] = to_array(r.x);
  d["fun"] = r.fun;
  d["fun_std"] = r.fun_std;
  d["success"] = r.success;
  d["status"] = static_cast<int>(r.stop);
  d["stop"] = r.stop == StopReason::none ? "" : std::string(name(r.stop));
  d["message"] = text_of(r.message);
  d["nfev"] = r.nfev;
  d["nit"] = r.nit;
  d["nfailed"] = r.nfailed;
  d["xfavorite"] = to_array(r.xfavorite);
  d["stds"] = to_array(r.stds);
  d["last_run_mean"] = to_array(r.last_mean());
  d["last_run_stds"] = to_array(r.last_stds());
  d["noise"] = r.noise;
  d["lowest_fun"] = r.lowest_fun;
  d["lowest_x"] = to_array(r.lowest_x);
  d["seed"] = r.seed;
  d["runs"] = runs_of(r);
  if (r.ncev > 0 || search().options().constraints + search().options().equalities > 0) add_constraints(r, d);
  d["failures"] = failures_of(search().failures());
  return d;
}

void SearchBinding::add_constraints(const Result& r, py::dict& d) {
  const auto all = Eigen::Map<const Vector>(r.constraints.data(), static_cast<Index>(r.constraints.size()));
  const Index inequalities = std::min<Index>(search().options().constraints, all.size());
  d["feasible"] = r.feasible;
  d["violation"] = r.violation;
  d["g"] = to_array(all.head(inequalities));
  d["h"] = to_array(all.tail(all.size() - inequalities));
  d["constraint_names"] = r.constraint_names;
  d["multipliers"] = to_array(r.multipliers);
  d["ncev"] = r.ncev;
}

py::bytes SearchBinding::state() {
  const Use use(*this);
  return search().state();
}

void SearchBinding::set_state(const std::string& bytes) {
  const Use use(*this);
  search().set_state(bytes);
}

py::dict SearchBinding::history() {
  const Use use(*this);
  py::dict all;
  const std::vector<History::Row> rows = history_->rows();
  for (std::size_t c = 0; c < history_->names().size(); ++c) {
    Array column(static_cast<py::ssize_t>(rows.size()));
    for (std::size_t i = 0; i < rows.size(); ++i) column.mutable_data()[i] = rows[i][c];
    all[history_->names()[c].c_str()] = column;
  }
  std::vector<History::Axes> measured = history_->axes();
  const Index d = dimension_;
  const double last_measured = measured.empty() ? 0 : measured.back().generation;
  if (d <= 100 && !rows.empty() && last_measured < rows.back()[0] && search().strategy().distribution().is_finite()) {
    measured.push_back({rows.back()[0], search().last_run_distribution().axis_lengths()});  // as they are now
  }
  const auto count = static_cast<py::ssize_t>(measured.size());
  Array generations(count);
  Array lengths({count, static_cast<py::ssize_t>(d)});
  for (py::ssize_t i = 0; i < count; ++i) {
    const History::Axes& axes = measured[static_cast<std::size_t>(i)];
    generations.mutable_data()[i] = axes.generation;
    std::copy_n(axes.lengths.data(), d, lengths.mutable_data() + i * d);
  }
  py::list failures;
  for (const auto& [generation, failure] : history_->failures()) {
    failures.append(py::dict(py::arg("generation") = generation, py::arg("candidate") = failure.candidate,
                             py::arg("attempt") = failure.attempt,
                             py::arg("kind") = py::str(std::string(name(failure.kind))),
                             py::arg("reason") = text_of(failure.reason)));
  }
  all["failures"] = failures;
  all["axes_generation"] = generations;
  all["axes"] = lengths;
  std::vector<History::Place> places = history_->places();
  if (!rows.empty() && (places.empty() || places.back().generation < rows.back()[0])) {
    places.push_back(History::place_of(rows.back()[0], search()));  // as it is now
  }
  add_places(all, places);
  return all;
}

void SearchBinding::set_history(const py::dict& history) {
  const Use use(*this);
  const Vector generation = as_vector("history", history["generation"]);
  std::vector<std::string> names = history_->names();
  for (const auto& item : history) {
    const auto name = item.first.cast<std::string>();
    constexpr std::array not_columns = {"axes", "axes_generation", "failures", "mean", "place_generation", "stds", "x"};
    const bool is_column = std::find(not_columns.begin(), not_columns.end(), name) == not_columns.end();
    if (is_column && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  std::vector<History::Row> rows(static_cast<std::size_t>(generation.size()), History::Row(names.size()));
  for (std::size_t c = 0; c < names.size(); ++c) {
    const Vector column = as_vector("history", history[names[c].c_str()]);
    if (column.size() != generation.size()) throw std::invalid_argument("history: columns of different lengths");
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i][c] = column[static_cast<Index>(i)];
  }
  const Vector generations = as_vector("history", history["axes_generation"]);
  const Array lengths = as_array("history", history["axes"]);
  const Index d = dimension_;
  if (lengths.size() != generations.size() * d) throw std::invalid_argument("history: axes of another dimension");
  std::vector<History::Axes> axes;
  for (Index i = 0; i < generations.size(); ++i) {
    axes.push_back({generations[i], Eigen::Map<const Vector>(lengths.data() + i * d, d)});
  }
  history_->restore(std::move(names), std::move(rows), std::move(axes), places_of(history));
  for (const py::handle item : history["failures"]) {
    history_->add_failure({item["generation"].cast<std::int64_t>(),
                           {item["candidate"].cast<long>(), item["attempt"].cast<int>(),
                            kind_of(item["kind"].cast<std::string>()), item["reason"].cast<std::string>()}});
  }
}

void SearchBinding::open_files(const std::string& checkpoint, const std::string& every, bool overwrite) {
  const Use use(*this);
  session_->keep_in(checkpoint, every, overwrite);
  session_->open();
}

std::vector<std::string> SearchBinding::close_files() {
  const Use use(*this);
  session_->close();
  session_->keep_in("");  // a loop of one's own that follows has none
  return session_->lost();
}

}  // namespace surefoot::python
