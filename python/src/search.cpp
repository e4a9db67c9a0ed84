#include "search.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <utility>

#include "core/invalid_option.hpp"
#include "option_reader.hpp"

namespace surefoot::python {
namespace {

Start warm_start(const py::tuple& start) {
  if (py::isinstance<py::str>(start[0])) {
    return distribution_of_state(read_checkpoint(start[0].cast<std::string>()).state);
  }
  const Vector mean = as_vector("warm_start: mean", start[0]);
  const Array covariance = as_array("warm_start: covariance", start[1]);
  if (covariance.ndim() != 2 || covariance.shape(0) != mean.size() || covariance.shape(1) != mean.size()) {
    throw std::invalid_argument("warm_start: the covariance must be a matrix of " + text(mean.size()) + " x " +
                                text(mean.size()) + " numbers, as the mean has " + text(mean.size()));
  }
  return Start::with_covariance(mean, Eigen::Map<const Matrix>(covariance.data(), mean.size(), mean.size()));
}

Sigma0 sigma_of(const py::object& sigma0) {
  if (sigma0.is_none()) return {};
  const Array array = as_array("sigma0", sigma0);
  if (array.ndim() == 0) return *array.data();
  return as_vector("sigma0", array);
}

FailureKind kind_of(const std::string& kind) {
  for (const FailureKind k : {FailureKind::nan, FailureKind::exception, FailureKind::crash, FailureKind::timeout}) {
    if (kind == name(k)) return k;
  }
  reject("kind", kind, "it must be nan, exception, crash or timeout");
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

}  // namespace

Search::Use::Use(Search& search) : search_(search) {
  const unsigned long me = PyThread_get_thread_ident();
  unsigned long user = 0;
  is_outermost_ = search.user_.compare_exchange_strong(user, me);
  if (!is_outermost_ && user != me) throw std::runtime_error("Optimizer: another thread is using it");
}

Search::Use::~Use() {
  if (is_outermost_) search_.user_ = 0;
}

Search::Search(const py::tuple& start, bool is_warm, const py::dict& options, py::object callback,
               const py::object& trace)
    : callback_(std::move(callback)), trace_file_(py::isinstance<py::str>(trace) ? trace.cast<std::string>() : "") {
  const bool observed = !trace.is_none();
  Options all = read_options(options);
  all.callback = [this](const Record& record) { return after_generation(record); };
  if (observed) {
    all.observer = [this](const Record& record) {
      if (!trace_file_.empty()) write_trace(record);
    };
  }
  if (is_warm) {
    search_.emplace(warm_start(start), std::move(all));
  } else {
    search_.emplace(as_vector("x0", start[0]), sigma_of(start[1]), std::move(all));
  }
  dimension_ = search_->strategy().distribution().dimension();
  history_.emplace(observed, dimension_);
}

bool Search::after_generation(const Record& record) {
  history_->add(record, *search_);
  if (callback_.is_none()) return false;
  const py::gil_scoped_acquire acquire;
  return callback_().cast<bool>();
}

Array Search::ask() {
  const Matrix* population = nullptr;
  {
    const Use use(*this);
    const py::gil_scoped_release release;
    population = &search_->ask();
  }
  return rows_of(*population);
}

void Search::tell(const py::object& candidates, const py::object& values) {
  const Use use(*this);
  const Vector f = as_vector("tell: F", values);
  if (candidates.is_none()) {
    const py::gil_scoped_release release;
    search_->tell(f);
    return;
  }
  const Array X = as_array("tell: X", candidates);
  const Matrix& population = search_->ask();
  if (X.ndim() != 2 || X.shape(0) != population.cols() || X.shape(1) != population.rows()) {
    throw std::invalid_argument("tell: X must have one candidate a row, " + text(population.cols()) + " x " +
                                text(population.rows()) + " numbers");
  }
  const auto bytes = static_cast<std::size_t>(population.size()) * sizeof(double);
  if (std::memcmp(X.data(), population.data(), bytes) == 0) {
    const py::gil_scoped_release release;
    search_->tell(f);
    return;
  }
  const Matrix changed = Eigen::Map<const Matrix>(X.data(), population.rows(), population.cols());
  const py::gil_scoped_release release;
  search_->tell(changed, f);
}

Index Search::checked(Index candidate) {
  const Index size = search_->generation().size();
  if (candidate < 0 || candidate >= size) reject("candidate", candidate, "it must be from 0 to " + text(size - 1));
  return candidate;
}

py::list Search::open_candidates() {
  const Use use(*this);
  const Generation& generation = search_->generation();
  py::list open;
  for (Index i = 0; i < generation.size(); ++i) {
    if (generation.is_open(i)) open.append(i);
  }
  return open;
}

void Search::set(Index candidate, const py::handle& value) {
  const Use use(*this);
  const double number = PyFloat_AsDouble(value.ptr());
  if (number == -1.0 && PyErr_Occurred() != nullptr) throw py::error_already_set();
  search_->generation().set(checked(candidate), number);
}

void Search::set_open(const py::object& values) {
  const Use use(*this);
  const Array array = as_array("values", values);
  Generation& generation = search_->generation();
  Index next = 0;
  for (Index i = 0; i < generation.size(); ++i) {
    if (!generation.is_open(i)) continue;
    if (next == array.size()) throw std::invalid_argument("values: fewer than open candidates");
    generation.set(i, array.data()[next++]);
  }
}

void Search::fail(Index candidate, const std::string& kind, const std::string& reason) {
  const Use use(*this);
  search_->generation().fail(checked(candidate), kind_of(kind), reason);
}

bool Search::reopen_failures() {
  const Use use(*this);
  return search_->generation().reopen_failures(search_->options().failures.retry);
}

bool Search::is_cancelled() {
  const Use use(*this);
  return search_->generation().cancelled();
}

void Search::finish_generation() {
  const Use use(*this);
  const py::gil_scoped_release release;
  search_->tell();
  if (checkpointer_) checkpointer_->after_generation();
}

void Search::interrupt() {
  const Use use(*this);
  search_->abandon(StopReason::interrupted);
}

std::string Search::stop() {
  const Use use(*this);
  return search_->stop() ? std::string(name(search_->stop_reason())) : "";
}

py::dict Search::result() {
  const Use use(*this);
  const Result r = search_->result();
  py::dict d;
  d["x"] = to_array(r.x);
  d["fun"] = r.fun;
  d["success"] = r.success;
  d["status"] = static_cast<int>(r.stop);
  d["stop"] = r.stop == StopReason::none ? "" : std::string(name(r.stop));
  d["message"] = r.message;
  d["nfev"] = r.nfev;
  d["nit"] = r.nit;
  d["nfailed"] = r.nfailed;
  d["xfavorite"] = to_array(r.xfavorite);
  d["stds"] = to_array(r.stds);
  d["seed"] = r.seed;
  d["runs"] = runs_of(r);
  return d;
}

py::bytes Search::state() {
  const Use use(*this);
  return search_->state();
}

void Search::set_state(const std::string& bytes) {
  const Use use(*this);
  search_->set_state(bytes);
}

py::dict Search::history() {
  const Use use(*this);
  py::dict all;
  const std::vector<History::Row> rows = history_->rows();
  for (std::size_t c = 0; c < History::columns; ++c) {
    Array column(static_cast<py::ssize_t>(rows.size()));
    for (std::size_t i = 0; i < rows.size(); ++i) column.mutable_data()[i] = rows[i][c];
    all[History::names()[c]] = column;
  }
  std::vector<History::Axes> measured = history_->axes();
  const Index d = dimension_;
  const double last_measured = measured.empty() ? 0 : measured.back().generation;
  if (d <= 100 && !rows.empty() && last_measured < rows.back()[0] && search_->strategy().distribution().is_finite()) {
    measured.push_back({rows.back()[0], search_->distribution().axis_lengths()});  // as they are now
  }
  const auto count = static_cast<py::ssize_t>(measured.size());
  Array generations(count);
  Array lengths({count, static_cast<py::ssize_t>(d)});
  for (py::ssize_t i = 0; i < count; ++i) {
    const History::Axes& axes = measured[static_cast<std::size_t>(i)];
    generations.mutable_data()[i] = axes.generation;
    std::copy_n(axes.lengths.data(), d, lengths.mutable_data() + i * d);
  }
  all["axes_generation"] = generations;
  all["axes"] = lengths;
  return all;
}

void Search::set_history(const py::dict& history) {
  const Use use(*this);
  const Vector generation = as_vector("history", history["generation"]);
  std::vector<History::Row> rows(static_cast<std::size_t>(generation.size()));
  for (std::size_t c = 0; c < History::columns; ++c) {
    const Vector column = as_vector("history", history[History::names()[c]]);
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
  history_->restore(std::move(rows), std::move(axes));
}

void Search::open_checkpoint(const std::string& file, const std::string& every) {
  const Use use(*this);
  const CheckpointInterval interval = parse_interval(every);
  if (file.empty()) return;
  if (std::filesystem::exists(file)) {
    search_->set_state(read_checkpoint(file).state);
    replay_journal(file, *search_);
  }
  checkpointer_.emplace(file, interval, "surefoot.minimize of Python");
  checkpointer_->watch(*search_);
}

void Search::write_trace(const Record& record) {
  if (!trace_) {
    const Options& options = search_->options();
    const std::int64_t first = options.evaluate_x0 || !options.inject.empty() ? 0 : 1;
    if (record.generation == first) {
      trace_.emplace(trace_file_);
    } else {
      trace_.emplace(trace_file_, record.generation - 1);
    }
    trace_->flush_lines(true);
  }
  (*trace_)(record);
}

void Search::close_files() {
  const Use use(*this);
  if (checkpointer_) {
    checkpointer_->save();
    search_->generation().on_done({});  // it refers to the checkpointer
    checkpointer_.reset();
  }
  if (trace_) trace_->close();
  trace_.reset();
}

}  // namespace surefoot::python
