#include "surefoot/session.hpp"

#include <filesystem>
#include <iterator>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>

#include "core/invalid_option.hpp"
#include "driver/abandoned_files.hpp"
#include "driver/checkpoint/checkpoint_file.hpp"
#include "driver/checkpoint/checkpointer.hpp"
#include "driver/checkpoint/file_lock.hpp"
#include "driver/log/evaluation_log.hpp"
#include "driver/output_file.hpp"
#include "driver/trace/json_line.hpp"
#include "driver/trace/json_params.hpp"
#include "driver/trace/trace_facts.hpp"
#include "driver/trace/trace_writer.hpp"

namespace surefoot {
namespace {

/// Parents of output files must exist before hours of search, not after.
void require_folder(const char* option, const std::string& file) {
  const std::filesystem::path parent = std::filesystem::path(file).parent_path();
  std::error_code error;
  if (!parent.empty() && !std::filesystem::is_directory(parent, error)) reject(option, file, "there is no such folder");
  static_cast<void>(std::filesystem::status(file, error));
  if (error == std::errc::too_many_symbolic_link_levels) reject(option, file, "its links lead in a circle");
}

/// What cannot be resolved is refused with its reason when it is opened.
std::filesystem::path resolved(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::weakly_canonical(std::filesystem::absolute(linked_file(path), ignored), ignored);
}

/// A file has one use: a trace in the place of the checkpoint or of what goes with it would be replaced by it.
void require_own_file(const char* option, const std::string& file, const std::string& checkpoint) {
  if (file.empty() || checkpoint.empty() || is_special(file)) return;
  const std::string base = resolved(checkpoint).string();
  for (const char* end : {"", ".journal", ".prev", ".lock"}) {
    if (resolved(file) != resolved(base + end)) continue;
    reject(option, file, "the checkpoint " + checkpoint + " is kept there; choose another file");
  }
}

std::vector<Outcome> outcomes_of(const Vector& values) {
  std::vector<Outcome> outcomes;
  outcomes.reserve(static_cast<std::size_t>(values.size()));
  for (const double& f : values) outcomes.push_back(outcome_of({&f, 1}, 1));
  return outcomes;
}

std::vector<Outcome> outcomes_of(const std::vector<Evaluation>& evaluations) {
  std::vector<Outcome> outcomes;
  outcomes.reserve(evaluations.size());
  for (const Evaluation& evaluation : evaluations) outcomes.push_back(outcome_of(values_of(evaluation), 1));
  return outcomes;
}

constexpr const char* ways_out = "; choose another file, or overwrite it (--overwrite, overwrite=True)";

/// The checkpoint in a file that exists.
Checkpoint checkpoint_in(const std::string& file) {
  try {
    return read_checkpoint(file);
  } catch (const std::invalid_argument& error) {
    const bool is_ours = looks_like_a_checkpoint(file);
    reject("checkpoint", file,
           std::string("the file exists but cannot be resumed (") + error.what() + ")" + (is_ours ? ways_out : ""));
  }
}

}  // namespace

/// The files of a session, and the search that they are about.
class Session::Books {
 public:
  explicit Books(SessionFiles files) : files_(std::move(files)) { parse_interval(files_.checkpoint_every); }

  /// Observers cost the condition of the covariance, so there is one only if somebody reads what it sees.
  Options observed(Options options) {
    if (files_.trace.empty()) return options;
    options.observer = [this, others = std::move(options.observer)](const Record& record) {
      write(record);
      if (others) others(record);
    };
    return options;
  }

  void begin(auto&&... arguments) {
    search_.emplace(std::forward<decltype(arguments)>(arguments)...);
    search_->name_constraints(files_.constraint_names);
  }

  void keep_in(std::string checkpoint, std::string checkpoint_every, bool overwrite) {
    parse_interval(checkpoint_every);
    files_.checkpoint = std::move(checkpoint);
    files_.checkpoint_every = std::move(checkpoint_every);
    files_.overwrite = overwrite;
  }

  [[nodiscard]] Optimizer& search() { return *search_; }

  void open(std::function<Usage()> usage) {
    usage_ = std::move(usage);
    lost_.clear();
    try {
      open_files();
      if (opened_) opened_();
    } catch (...) {
      let_go();
      remove_new_files();
      throw;
    }
  }

  void watch(std::function<void()> opened, std::function<void(Index)> outcome) {
    opened_ = std::move(opened);
    outcome_ = std::move(outcome);
  }

  /// Without its files a session would forget told values.
  void require_open() const {
    if (files_.checkpoint.empty() || checkpointer_) return;
    throw std::invalid_argument("tell: the checkpoint " + files_.checkpoint +
                                " is not open: call open before ask, and close at the end");
  }

  void after_generation(bool must_save = false) {
    if (checkpointer_) checkpointer_->after_generation(must_save);
  }

  /// Values that the caller brings. `points` is null if they are those of the present generation.
  void tell(const Matrix* points, const auto& values) {
    require_open();
    std::vector<LogRow> rows;
    const bool is_waiting = !search_->stop() && search_->is_asked();
    if (!files_.log.empty() && is_waiting) {
      if (!log_) begin_log();
      rows = log_->told_rows(points == nullptr ? search_->present().population() : *points, outcomes_of(values));
    }
    const bool is_as_asked = !is_waiting || points == nullptr || are_asked_for(*points);
    if (checkpointer_ && is_waiting && is_as_asked && std::ssize(values) == search_->present().size()) {
      checkpointer_->note(outcomes_of(values));
    }
    if (points == nullptr) {
      search_->tell(values);
    } else {
      search_->tell(*points, values);
    }
    if (log_) log_->add(std::move(rows));
    after_generation(!is_as_asked);
  }

  void close() {
    if (trace_ && search_->stop()) trace_->add_end(end_of_search(*search_).text());
    if (checkpointer_) checkpointer_->release();
    if (!checkpointer_) search_->on_outcome({});
    if (trace_) trace_->close();
    if (log_) log_->close();
    if (checkpointer_ && !checkpointer_->trouble().empty()) {
      lost_.push_back("checkpoint " + files_.checkpoint + " is not up to date: " + checkpointer_->trouble());
    }
    if (trace_ && !trace_->gap().empty()) lost_.push_back(trace_->gap());
    if (trace_ && !trace_->trouble().empty()) lost_.push_back(trace_->trouble());
    if (log_ && !log_->trouble().empty()) lost_.push_back(log_->trouble());
    let_go();
  }

  /// After an exception, which matters more than what goes wrong here.
  void close_quietly() noexcept {
    try {
      close();
    } catch (const std::exception&) {
      let_go();
    }
    if (search_->result().nfev == 0) remove_new_files();
  }

  [[nodiscard]] const std::vector<std::string>& lost() const { return lost_; }

 private:
  [[nodiscard]] bool are_asked_for(const Matrix& points) const {
    const Matrix& asked = search_->present().population();
    return points.rows() == asked.rows() && points.cols() == asked.cols() && points == asked;
  }

  void let_go() {
    checkpointer_.reset();
    trace_.reset();
    log_.reset();
    lock_.reset();
  }

  void require_files() const {
    require_folder("trace", files_.trace);
    require_folder("log", files_.log);
    require_folder("checkpoint", files_.checkpoint);
    require_own_file("trace", files_.trace, files_.checkpoint);
    require_own_file("log", files_.log, files_.checkpoint);
    const bool has_both = !files_.log.empty() && !files_.trace.empty();
    if (has_both && !is_special(files_.log) && resolved(files_.log) == resolved(files_.trace)) {
      reject("log", files_.log, "the trace is written there; choose another file");
    }
    if (!files_.trace.empty()) require_trace(files_.trace);
    if (!files_.log.empty()) EvaluationLog::require(files_.log);
  }

  /// The files that this session makes: a start that is refused leaves none of them behind.
  void note_new_files() {
    new_files_.clear();
    const auto note = [&](const std::string& file) {
      std::error_code ignored;
      if (!file.empty() && !std::filesystem::exists(linked_file(file), ignored))
        new_files_.push_back(linked_file(file));
    };
    note(files_.log);
    note(files_.trace);
    for (const char* end : {"", ".journal", ".prev"}) {
      if (!files_.checkpoint.empty()) note(files_.checkpoint + end);
    }
  }

  void remove_new_files() noexcept {
    std::error_code ignored;
    for (const std::filesystem::path& file : new_files_) {
      if (std::filesystem::is_regular_file(file, ignored)) std::filesystem::remove(file, ignored);
    }
    new_files_.clear();
  }

  /// What an earlier process of this search was writing when it was killed.
  void remove_leftovers() const {
    for (const std::string& file : {files_.checkpoint, files_.checkpoint + ".journal", files_.log, files_.trace}) {
      if (!file.empty() && !is_special(file)) remove_abandoned(file);
    }
  }

  /// Everything that may be refused is refused before a file is changed.
  void open_files() {
    require_files();
    note_new_files();
    if (files_.checkpoint.empty()) {
      if (!files_.trace.empty()) open_trace(search_->told() > 0, search_->nit());
      begin_log();
      if (log_ || outcome_) search_->on_outcome([this](Index candidate) { take(candidate); });
      return;
    }
    lock_.emplace(files_.checkpoint);
    const std::optional<Checkpoint> found = restore();
    if (found) remove_leftovers();
    const Checkpoint first{files_.about, files_.objective, found ? found->replacements : std::vector<Replacement>{}};
    checkpointer_.emplace(files_.checkpoint, parse_interval(files_.checkpoint_every), first, [this] {
      if (trace_) trace_->sync();
      if (log_) log_->sync();
    });
    if (!files_.log.empty()) log_.emplace(files_.log, *search_);
    if (!files_.trace.empty()) open_trace(search_->told() > 0, search_->nit());
    if (found)
      checkpointer_->replay(*search_, found->sum, [this](Index candidate) {
        if (log_) log_->repeat(candidate);
      });
    if (log_) log_->begin();
    if (log_) sync_folder_of(linked_file(files_.log));
    const bool is_replaced = found && is_another_objective(*found);
    if (is_replaced) checkpointer_->replace_objective(search_->nit() + 1, files_.objective);
    if (is_replaced && trace_) trace_->add_replacement(search_->nit() + 1, files_.objective);
    checkpointer_->watch(*search_, [this](Index candidate) { take(candidate); });
  }

  /// An outcome of the present generation.
  void take(Index candidate) {
    if (log_) log_->note(candidate);
    if (outcome_) outcome_(candidate);
  }

  /// Without a checkpoint.
  void begin_log() {
    if (files_.log.empty()) return;
    log_.emplace(files_.log, *search_);
    log_->begin();
  }

  [[nodiscard]] bool is_another_objective(const Checkpoint& checkpoint) const {
    return !checkpoint.objective.empty() && !files_.objective.empty() && checkpoint.objective != files_.objective;
  }

  /// Sets the search to the state of its checkpoint, if there is one that is wanted.
  std::optional<Checkpoint> restore() {
    const std::string& file = files_.checkpoint;
    if (!std::filesystem::exists(file)) return std::nullopt;
    if (files_.overwrite) {
      if (!looks_like_a_checkpoint(file)) reject("checkpoint", file, "the file exists and is not a checkpoint");
      return std::nullopt;
    }
    Checkpoint checkpoint = checkpoint_in(file);
    if (is_another_objective(checkpoint) && !files_.replace_objective) {
      reject("checkpoint", file,
             "it belongs to another search: it minimises " + checkpoint.objective + ", here it is " + files_.objective +
                 ways_out + "; --replace-command continues with a repaired program");
    }
    try {
      search_->restore(checkpoint.state);
    } catch (const std::invalid_argument& difference) {
      reject("checkpoint", file, std::string("it belongs to another search: ") + difference.what() + ways_out);
    }
    return checkpoint;
  }

  /// `goes_on`: lines up to a generation stay.
  void open_trace(bool goes_on, std::int64_t generation) {
    if (goes_on) {
      trace_.emplace(files_.trace, before(generation));
    } else {
      trace_.emplace(files_.trace);
    }
    trace_->set_about(about_search(*search_, {files_.objective, files_.command, files_.limits}).text());
    if (!checkpointer_) return add_timing();
    sync_folder_of(linked_file(files_.trace));  // the name too, before a checkpoint counts on it
    for (const Replacement& r : checkpointer_->replacements()) trace_->add_replacement(r.generation, r.objective);
    add_timing();
  }

  /// What a trace of this search has up to a generation. Observers are notified when more is known than before the one
  /// that follows.
  [[nodiscard]] TraceBefore before(std::int64_t generation) const {
    const Options& options = search_->options();
    const bool is_constrained = options.constraints + options.equalities > 0;
    return {.about = about_search(*search_, {{}, {}}).text(),
            .last = generation,
            .nfev = search_->nfev(),
            .best = is_constrained ? std::numeric_limits<double>::quiet_NaN() : search_->result().fun,
            .is_before_next = generation == search_->nit()};
  }

  void add_timing() {
    if (files_.trace_timing && usage_) trace_->add_timing(usage_);
  }

  void write(const Record& record) {
    const Options& options = search_->options();
    const bool has_known = options.evaluate_x0 || !options.inject.empty();
    if (!trace_) open_trace(record.generation > (has_known ? 0 : 1), record.generation - 1);
    JsonLine more;
    if (const std::string params = best_params(); !params.empty()) more.add_json("params", params);
    add_place(more, *search_);
    (*trace_)(record, more);
  }

  /// The best point by name, as JSON.
  [[nodiscard]] std::string best_params() const {
    const Space& space = search_->space();
    if (space.empty()) return {};
    return json_params(space, search_->result().x);
  }

  SessionFiles files_;
  std::function<void()> opened_;
  std::function<void(Index)> outcome_;
  std::function<Usage()> usage_;
  std::optional<Optimizer> search_;
  std::vector<std::string> lost_;
  std::vector<std::filesystem::path> new_files_;
  std::optional<FileLock> lock_;
  std::optional<TraceWriter> trace_;  // once there is something to write
  std::optional<EvaluationLog> log_;
  std::optional<Checkpointer> checkpointer_;
};

Session::Session(const Point& x0, const Sigma0& sigma0, Options options, SessionFiles files)
    : books_(std::make_unique<Books>(std::move(files))) {
  books_->begin(x0, sigma0, books_->observed(std::move(options)));
}

Session::Session(const Start& start, Options options, SessionFiles files)
    : books_(std::make_unique<Books>(std::move(files))) {
  books_->begin(start, books_->observed(std::move(options)));
}

Session::Session(const Space& space, Options options, SessionFiles files)
    : books_(std::make_unique<Books>(std::move(files))) {
  books_->begin(space, books_->observed(std::move(options)));
}

Session::Session(const Space& space, const std::string& warm_state, Options options, SessionFiles files)
    : books_(std::make_unique<Books>(std::move(files))) {
  books_->begin(space, warm_state, books_->observed(std::move(options)));
}

Session::~Session() = default;

Optimizer& Session::search() { return books_->search(); }
const Optimizer& Session::search() const { return books_->search(); }
void Session::open() { books_->open({}); }
void Session::close() { books_->close(); }
const std::vector<std::string>& Session::lost() const { return books_->lost(); }

void Session::keep_in(std::string checkpoint, std::string checkpoint_every, bool overwrite) {
  books_->keep_in(std::move(checkpoint), std::move(checkpoint_every), overwrite);
}

void Session::watch(std::function<void()> opened, std::function<void(Index)> outcome) {
  books_->watch(std::move(opened), std::move(outcome));
}

void Session::tell() {
  books_->require_open();
  search().tell();
  books_->after_generation();
}

void Session::tell(const Vector& values) { books_->tell(nullptr, values); }
void Session::tell(const Matrix& candidates, const Vector& values) { books_->tell(&candidates, values); }
void Session::tell(const std::vector<Evaluation>& evaluations) { books_->tell(nullptr, evaluations); }
void Session::tell(const Matrix& candidates, const std::vector<Evaluation>& evaluations) {
  books_->tell(&candidates, evaluations);
}

Result Session::run(Evaluator& evaluator) {
  books_->open([&evaluator] { return evaluator.usage(); });
  try {
    Result result = surefoot::run(search(), evaluator, [this] { books_->after_generation(); });
    close();
    return result;
  } catch (...) {
    books_->close_quietly();
    throw;
  }
}

}  // namespace surefoot
