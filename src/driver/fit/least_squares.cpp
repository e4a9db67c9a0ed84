#include "surefoot/least_squares.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <limits>
#include <ostream>
#include <sstream>
#include <utility>

#include "core/invalid_option.hpp"
#include "driver/checkpoint/checkpoint_file.hpp"
#include "driver/checkpoint/checkpointer.hpp"
#include "driver/checkpoint/file_lock.hpp"
#include "driver/checkpoint/state_bytes.hpp"
#include "driver/thread_pool.hpp"
#include "model/residuals/parameter_errors.hpp"
#include "model/residuals/residual_search.hpp"

namespace surefoot {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double failed_residual = std::numeric_limits<double>::quiet_NaN();
constexpr double known_well = 0.1;  // a gradient whose uncertainty is above has no errors

const char* word_of(FitRun::End end) {
  switch (end) {
    case FitRun::End::converged: return "converged";
    case FitRun::End::stuck: return "stuck";
    case FitRun::End::failed: return "failed";
    case FitRun::End::none: break;
  }
  return "";
}

/// The deviation that "noise" names; 0 for auto and none.
double noise_of(const std::string& noise) {
  if (noise == "auto" || noise == "none") return 0;
  try {
    std::size_t end = 0;
    const double value = std::stod(noise, &end);
    if (end == noise.size() && value > 0 && std::isfinite(value)) return value;
  } catch (const std::exception&) {  // no number
  }
  reject("noise", "'" + noise + "'", "give auto, none, or the standard deviation of a residual's noise");
}

LeastSquaresOptions completed_fit_options(LeastSquaresOptions options, Index parameters) {
  if (options.workers < 1) reject("workers", options.workers, "it must be at least 1");
  if (options.batch < 0) reject("batch", options.batch, "it must be at least 1, or 0 for the number of workers");
  if (options.max_nfev < 0) reject("max_nfev", options.max_nfev, "it must be at least 1, or 0 for 100 per parameter");
  if (options.batch == 0) options.batch = options.workers;
  if (options.max_nfev == 0) options.max_nfev = 100 * parameters;
  if (!options.names.empty() && static_cast<Index>(options.names.size()) != parameters) {
    reject("names", text(options.names.size()) + " names", "give one for each parameter");
  }
  for (Index i = 0; options.names.size() < static_cast<std::size_t>(parameters); ++i) {
    options.names.push_back("x" + text(i));
  }
  return options;
}

FitSettings settings_of(const LeastSquaresOptions& options) {
  FitSettings settings;
  settings.batch = options.batch;
  settings.ftol = options.ftol;
  settings.noise = noise_of(options.noise);
  settings.tests_noise = options.noise == "auto";
  settings.restarts = options.restarts;
  settings.starts_at_x0 = options.starts_at_x0;
  settings.seed = options.seed;
  settings.loss = ResidualLoss(options.loss, options.loss_scale, options.sigma);
  return settings;
}

/// One column for each point; those that have failed are NaN.
Matrix table_of(const std::vector<Vector>& columns) {
  Index rows = 0;
  for (const Vector& column : columns) {
    if (rows > 0 && column.size() > 0 && column.size() != rows) {
      reject("residuals", text(column.size()) + " numbers", "their number must not change; it was " + text(rows));
    }
    rows = std::max(rows, column.size());
  }
  Matrix table = Matrix::Constant(rows, static_cast<Index>(columns.size()), failed_residual);
  for (Index j = 0; j < table.cols(); ++j) {
    const Vector& column = columns[static_cast<std::size_t>(j)];
    if (column.size() > 0) table.col(j) = column;
  }
  return table;
}

std::string listed_numbers(const Vector& numbers) {
  std::string all;
  for (const double number : numbers) all += text(number) + " ";
  return all;
}

}  // namespace

class LeastSquaresSearch::Impl {
 public:
  Impl(const Vector& x0, const LeastSquaresOptions& given)
      : options(completed_fit_options(given, x0.size())),
        domain{x0, options.bounds, options.sigma0, options.log},
        search(std::make_unique<ResidualSearch>(domain, settings_of(options))) {}

  [[nodiscard]] std::int64_t left() const { return options.max_nfev - search->evaluations(); }
  [[nodiscard]] bool is_finished() const { return search->is_finished() || left() <= 0; }

  [[nodiscard]] Matrix ask() const {
    if (is_finished()) return Matrix(domain.x0.size(), 0);
    const Matrix points = search->ask();
    return points.leftCols(std::min<Index>(points.cols(), static_cast<Index>(left())));
  }

  /// What two fits must share, in the order of the options.
  [[nodiscard]] std::string about() const {
    std::string about =
        "x0 " + listed_numbers(domain.x0) + "\nbounds " + listed_numbers(search->coordinates().domain().bounds.lower) +
        "to " + listed_numbers(search->coordinates().domain().bounds.upper) + "\nsigma0 " +
        listed_numbers(options.sigma0) + "\nloss " + options.loss + " " + text(options.loss_scale) + "\nsigma " +
        listed_numbers(options.sigma) + "\nnoise " + options.noise + "\nrestarts " + text(options.restarts) +
        "\nbatch " + text(options.batch) + "\nseed " + text(options.seed) + "\nftol " + text(options.ftol) + "\nlog ";
    for (const bool is_log : options.log) about += is_log ? "1 " : "0 ";
    return about + (options.starts_at_x0 ? "\nstart x0" : "\nstart random") + "\nfit " + options.about;
  }

  void require_same(const std::string& other) const;
  [[nodiscard]] std::string state() const;
  void set_state(const std::string& bytes);
  void add_end(LeastSquares& result) const;
  void add_slopes(LeastSquares& result) const;
  void add_errors(const ParameterErrors& errors, LeastSquares& result) const;

  LeastSquaresOptions options;
  FitDomain domain;
  std::unique_ptr<ResidualSearch> search;
  std::string file;
  Checkpoint checkpoint;
  std::unique_ptr<FileLock> lock;
  Clock::time_point saved = {};
};

/// \throws std::invalid_argument naming what differs.
void LeastSquaresSearch::Impl::require_same(const std::string& other) const {
  std::istringstream own(about());
  std::istringstream others(other);
  std::string mine;
  std::string theirs;
  while (std::getline(own, mine)) {
    if (!std::getline(others, theirs) || theirs != mine) {
      reject("checkpoint", "'" + theirs + "'", "this fit has '" + mine + "'");
    }
  }
}

std::string LeastSquaresSearch::Impl::state() const {
  StateWriter writer;
  std::string kind = "least squares";
  std::string what = about();
  writer.text("kind", kind);
  writer.text("about", what);
  search->visit(writer);
  return writer.bytes();
}

/// A failed load changes nothing.
void LeastSquaresSearch::Impl::set_state(const std::string& bytes) {
  StateReader reader(bytes);
  std::string kind;
  std::string other;
  if (!reader.has_next("kind")) reject("checkpoint", "a search of another kind", "it must be one of least squares");
  reader.text("kind", kind);
  reader.text("about", other);
  require_same(other);
  auto restored = std::make_unique<ResidualSearch>(domain, settings_of(options));
  restored->visit(reader);
  reader.finish();
  search = std::move(restored);
}

void LeastSquaresSearch::Impl::add_end(LeastSquares& result) const {
  const FitRun::End end = search->best_end();
  result.success = end == FitRun::End::converged;
  if (!is_finished()) return;
  const std::string runs = result.runs.size() > 1 ? " by the best of " + text(result.runs.size()) + " runs" : "";
  if (search->is_finished() || end == FitRun::End::converged) result.stop = word_of(end);
  if (!search->has_best()) {
    result.stop = "failed";
    result.message = "no evaluation succeeded: all " + text(result.nfev) + " failed";
  } else if (result.stop == "converged") {
    result.message = "converged" + runs + ": no step promises to reduce f = " + short_text(result.f) +
                     " by a factor of ftol = " + text(options.ftol);
    if (search->noise().variance > 0) result.message += " or beyond its noise";
  } else if (left() <= 0) {
    result.stop = "max_nfev";
    result.message =
        "the budget of " + text(options.max_nfev) + " evaluations (max_nfev) ended the fit before it converged";
  } else {
    result.message =
        "stuck" + runs +
        ": steps from the best point do not keep what they promise; the residuals may "
        "be rough, noisy or discontinuous there, or the scales of parameters unlike their sizes, which bounds "
        "or expected deviations mend";
  }
}

void LeastSquaresSearch::Impl::add_slopes(LeastSquares& result) const {
  const FitCoordinates& coordinates = search->coordinates();
  const std::vector<Index>& free = coordinates.free();
  const std::vector<int> active = search->active();
  for (std::size_t k = 0; k < free.size(); ++k) result.active[static_cast<std::size_t>(free[k])] = active[k];
  const auto slopes = search->slopes();
  if (!slopes) {
    result.no_errors = "too few evaluations";
    return;
  }
  result.jacobian = Matrix::Zero(slopes->jacobian.rows(), coordinates.user_dimension());
  result.jacobian(Eigen::all, free) = slopes->jacobian;
  result.gradient = result.jacobian.transpose() * settings_of(options).loss(search->residuals());
  const auto p = static_cast<Index>(std::count(active.begin(), active.end(), 0));
  if (!(slopes->uncertainty <= known_well)) {
    result.no_errors = "the Jacobian is not known well enough";
  } else if (result.stop == "stuck") {
    result.no_errors = "the fit is stuck";
  } else if (slopes->jacobian.rows() <= p) {
    result.no_errors = text(slopes->jacobian.rows()) + " residuals are too few for " + text(p) + " parameters";
  }
  if (!result.no_errors.empty()) return;
  FitEnd end;
  end.jacobian = slopes->jacobian;
  end.f = result.f;
  end.x = result.x(free);
  end.ranges = slopes->ranges;
  end.jacobian_deviations = slopes->deviations;
  end.active = active;
  end.absolute_sigma = options.absolute_sigma;
  for (const Index i : free) {
    end.log.push_back(coordinates.is_log(i));
    end.names.push_back(options.names[static_cast<std::size_t>(i)]);
  }
  add_errors(parameter_errors(end), result);
}

/// Errors of free parameters among those of all; fixed ones have none.
void LeastSquaresSearch::Impl::add_errors(const ParameterErrors& errors, LeastSquares& result) const {
  const Index d = result.x.size();
  const std::vector<Index>& free = search->coordinates().free();
  result.covariance = Matrix::Zero(d, d);
  result.covariance(free, free) = errors.covariance;
  result.correlation = Matrix::Zero(d, d);
  result.correlation(free, free) = errors.correlation;
  result.deviations = Vector::Zero(d);
  result.deviations(free) = errors.deviations;
  result.intervals.resize(d, 2);
  result.intervals << result.x, result.x;
  result.intervals(free, Eigen::all) = errors.intervals;
  result.residual_variance = errors.residual_variance;
  result.undetermined = errors.undetermined;
}

LeastSquaresSearch::LeastSquaresSearch(const Vector& x0, const LeastSquaresOptions& options)
    : impl_(std::make_unique<Impl>(x0, options)) {}
LeastSquaresSearch::LeastSquaresSearch(LeastSquaresSearch&& other) noexcept = default;
LeastSquaresSearch& LeastSquaresSearch::operator=(LeastSquaresSearch&& other) noexcept = default;
LeastSquaresSearch::~LeastSquaresSearch() = default;

bool LeastSquaresSearch::is_finished() const { return impl_->is_finished(); }
std::int64_t LeastSquaresSearch::rounds() const { return impl_->search->rounds(); }
Matrix LeastSquaresSearch::ask() const { return impl_->ask(); }
const LeastSquaresOptions& LeastSquaresSearch::options() const { return impl_->options; }
std::string LeastSquaresSearch::state() const { return impl_->state(); }
void LeastSquaresSearch::set_state(const std::string& bytes) { impl_->set_state(bytes); }

void LeastSquaresSearch::tell(const Matrix& residuals) {
  const Index asked = ask().cols();
  if (residuals.cols() != asked) {
    reject("residuals", text(residuals.cols()) + " columns", "give one for each point, " + text(asked) + " here");
  }
  impl_->search->tell(residuals);
}

LeastSquares LeastSquaresSearch::result() const {
  const ResidualSearch& search = *impl_->search;
  LeastSquares result{search.x(), search.f(), search.residuals()};
  result.active.assign(static_cast<std::size_t>(result.x.size()), 0);
  result.nfev = search.evaluations();
  result.nfailed = search.failed();
  result.rounds = search.rounds();
  for (const FitRunSummary& run : search.runs()) result.runs.push_back({run.evaluations, run.f, word_of(run.end)});
  if (result.residuals.size() > 0) {
    result.noise_variance = search.noise().variance / static_cast<double>(result.residuals.size());
  }
  impl_->add_end(result);
  if (search.has_best()) impl_->add_slopes(result);
  return result;
}

void LeastSquaresSearch::keep_in(const std::string& file, bool overwrite, const std::string& origin) {
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder)) reject("checkpoint", file, "there is no such folder");
  const bool exists = std::filesystem::exists(file);
  if (exists && !looks_like_a_checkpoint(file)) reject("checkpoint", file, "the file exists and is no checkpoint");
  impl_->lock = std::make_unique<FileLock>(file);
  if (exists && !overwrite) {
    try {
      impl_->set_state(read_checkpoint(file).state);
    } catch (const std::invalid_argument& error) {
      impl_->lock.reset();
      throw std::invalid_argument(file + ": " + error.what() + "; choose another file, or start anew (overwrite)");
    }
  }
  impl_->file = file;
  impl_->checkpoint.about = origin;
  impl_->checkpoint.objective = impl_->options.about;
  save(true);
}

void LeastSquaresSearch::save(bool at_once) {
  const Clock::time_point now = Clock::now();
  if (impl_->file.empty() || (!at_once && now - impl_->saved < std::chrono::seconds(1))) return;
  impl_->saved = now;
  try {
    impl_->checkpoint.state = state();
    write_checkpoint(impl_->file, impl_->checkpoint);
  } catch (const std::runtime_error&) {
    if (at_once) throw;  // else a disk that is full now may have room in time
  }
}

LeastSquares least_squares(const ResidualFunction& residual, const Vector& x0, const LeastSquaresOptions& options,
                           const std::string& checkpoint) {
  LeastSquaresSearch search(x0, options);
  if (!checkpoint.empty()) search.keep_in(checkpoint);
  ThreadPool threads(options.workers);
  while (!search.is_finished()) {
    const Matrix points = search.ask();
    std::vector<Vector> columns(static_cast<std::size_t>(points.cols()));
    threads.run(points.cols(), [&](Index j) {
      try {
        columns[static_cast<std::size_t>(j)] = residual(points.col(j));
      } catch (const std::exception&) {  // a failed evaluation
        columns[static_cast<std::size_t>(j)].resize(0);
      }
    });
    search.tell(table_of(columns));
    search.save();
  }
  search.save(true);
  return search.result();
}

std::ostream& operator<<(std::ostream& out, const LeastSquares& result) {
  const Eigen::IOFormat on_one_line(6, Eigen::DontAlignCols, ", ", ", ", "", "", "[", "]");
  out << "f = " << result.f << " at x = " << result.x.transpose().format(on_one_line) << '\n';
  if (result.deviations.size() > 0) {
    out << "standard deviations " << result.deviations.transpose().format(on_one_line) << '\n';
  } else if (!result.no_errors.empty()) {
    out << "errors are not known: " << result.no_errors << '\n';
  }
  for (const std::string& words : result.undetermined) out << "the data hardly determine " << words << '\n';
  return out << result.message << '\n' << result.nfev << " evaluations";
}

}  // namespace surefoot
