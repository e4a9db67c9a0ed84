#include "surefoot/session.hpp"

#include <filesystem>
#include <optional>
#include <stdexcept>
#include <utility>

#include "core/invalid_option.hpp"
#include "driver/checkpoint/checkpoint_file.hpp"
#include "driver/checkpoint/checkpointer.hpp"
#include "driver/checkpoint/file_lock.hpp"
#include "driver/output_file.hpp"
#include "driver/trace/json_line.hpp"
#include "driver/trace/trace_writer.hpp"

namespace surefoot {
namespace {

/// Parents of output files must exist before hours of search, not after.
void require_folder(const char* option, const std::string& file) {
  const std::filesystem::path parent = std::filesystem::path(file).parent_path();
  if (!parent.empty() && !std::filesystem::is_directory(parent)) reject(option, file, "there is no such folder");
}

constexpr const char* ways_out = "; choose another file, or overwrite it (--overwrite, overwrite=True)";

/// The checkpoint in a file that exists.
Checkpoint checkpoint_in(const std::string& file) {
  try {
    return read_checkpoint(file);
  } catch (const std::invalid_argument& error) {
    const bool is_ours = looks_like_a_checkpoint(file);
    reject("checkpoint", file,
           std::string("it exists and cannot be gone on with (") + error.what() + ")" + (is_ours ? ways_out : ""));
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

  void begin(auto&&... arguments) { search_.emplace(std::forward<decltype(arguments)>(arguments)...); }

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
    } catch (...) {
      let_go();
      throw;
    }
  }

  void after_generation() {
    if (checkpointer_) checkpointer_->after_generation();
  }

  void close() {
    if (checkpointer_) checkpointer_->release();
    if (trace_) trace_->close();
    if (checkpointer_ && !checkpointer_->trouble().empty()) {
      lost_.push_back("checkpoint " + files_.checkpoint + " is not up to date: " + checkpointer_->trouble());
    }
    if (trace_ && !trace_->trouble().empty()) lost_.push_back(trace_->trouble());
    let_go();
  }

  /// After an exception, which matters more than what goes wrong here.
  void close_quietly() noexcept {
    try {
      close();
    } catch (const std::exception&) {
      let_go();
    }
  }

  [[nodiscard]] const std::vector<std::string>& lost() const { return lost_; }

 private:
  void let_go() {
    checkpointer_.reset();
    trace_.reset();
    lock_.reset();
  }

  /// Everything that may be refused is refused before a file is changed.
  void open_files() {
    require_folder("trace", files_.trace);
    require_folder("checkpoint", files_.checkpoint);
    if (!files_.trace.empty()) require_trace(files_.trace);
    if (files_.checkpoint.empty()) {
      if (!files_.trace.empty()) open_trace(search_->told() > 0, search_->nit());
      return;
    }
    lock_.emplace(files_.checkpoint);
    const std::optional<Checkpoint> found = restore();
    const Checkpoint first{files_.about, files_.objective, found ? found->replacements : std::vector<Replacement>{}};
    checkpointer_.emplace(files_.checkpoint, parse_interval(files_.checkpoint_every), first, [this] {
      if (trace_) trace_->sync();
    });
    if (!files_.trace.empty()) open_trace(search_->told() > 0, search_->nit());
    if (found) checkpointer_->replay(*search_, found->sum);
    const bool is_replaced = found && is_another_objective(*found);
    if (is_replaced) checkpointer_->replace_objective(search_->nit() + 1, files_.objective);
    if (is_replaced && trace_) trace_->add_replacement(search_->nit() + 1, files_.objective);
    checkpointer_->watch(*search_);
  }

  [[nodiscard]] bool is_another_objective(const Checkpoint& checkpoint) const {
    return !checkpoint.objective.empty() && !files_.objective.empty() && checkpoint.objective != files_.objective;
  }

  /// Sets the search to the state of its checkpoint, if there is one that is wanted.
  std::optional<Checkpoint> restore() {
    const std::string& file = files_.checkpoint;
    if (!std::filesystem::exists(file)) return std::nullopt;
    if (files_.overwrite) {
      if (!looks_like_a_checkpoint(file)) reject("checkpoint", file, "it exists and is no checkpoint");
      return std::nullopt;
    }
    Checkpoint checkpoint = checkpoint_in(file);
    if (is_another_objective(checkpoint) && !files_.replace_objective) {
      reject("checkpoint", file,
             "it is of another search: it minimises " + checkpoint.objective + ", here it is " + files_.objective +
                 ways_out + "; --replace-command goes on with a program that was repaired");
    }
    try {
      search_->set_state(checkpoint.state);
    } catch (const std::invalid_argument& difference) {
      reject("checkpoint", file, std::string("it is of another search: ") + difference.what() + ways_out);
    }
    return checkpoint;
  }

  /// `goes_on`: lines up to a generation stay.
  void open_trace(bool goes_on, std::int64_t generation) {
    if (goes_on) {
      trace_.emplace(files_.trace, generation);
    } else {
      trace_.emplace(files_.trace);
    }
    trace_->flush_lines(!files_.checkpoint.empty());
    if (!checkpointer_) return add_timing();
    sync_folder_of(linked_file(files_.trace));  // the name too, before a checkpoint counts on it
    for (const Replacement& r : checkpointer_->replacements()) trace_->add_replacement(r.generation, r.objective);
    add_timing();
  }

  void add_timing() {
    if (files_.trace_timing && usage_) trace_->add_timing(usage_);
  }

  void write(const Record& record) {
    const Options& options = search_->options();
    const bool has_known = options.evaluate_x0 || !options.inject.empty();
    if (!trace_) open_trace(record.generation > (has_known ? 0 : 1), record.generation - 1);
    (*trace_)(record, best_params());
  }

  /// The best point by name, as JSON.
  [[nodiscard]] std::string best_params() const {
    const Space& space = search_->space();
    if (space.empty()) return {};
    const Vector x = search_->result().x;
    JsonLine line;
    for (Index j = 0; j < space.size(); ++j) {
      const Parameter& p = space[j];
      if (p.kind == Parameter::Kind::choice) {
        line.add(p.name, std::string_view(p.choices[static_cast<std::size_t>(x[j])]));
      } else if (p.kind == Parameter::Kind::integer) {
        line.add(p.name, static_cast<std::int64_t>(x[j]));
      } else {
        line.add(p.name, x[j]);
      }
    }
    return line.text();
  }

  SessionFiles files_;
  std::function<Usage()> usage_;
  std::optional<Optimizer> search_;
  std::vector<std::string> lost_;
  std::optional<FileLock> lock_;
  std::optional<TraceWriter> trace_;  // once there is something to write
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

void Session::tell() {
  search().tell();
  books_->after_generation();
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
