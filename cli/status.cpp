#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands.hpp"
#include "cli/minimize_request.hpp"
#include "cli/minimize_setup.hpp"
#include "cli/program_setup.hpp"
#include "cli/search_status.hpp"
#include "driver/checkpoint/checkpointer.hpp"
#include "driver/checkpoint/file_lock.hpp"
#include "driver/checkpoint/journal.hpp"
#include "evaluators/account_text.hpp"
#include "report/parse_json.hpp"

namespace surefoot::cli {
namespace {

namespace fs = std::filesystem;

/// The request of a search, as `surefoot minimize` has read it.
MinimizeRequest request_of(const Origin& origin) {
  MinimizeRequest request;
  CLI::App command;
  command.option_defaults()->take_last();
  add_options(command, request);
  std::vector<std::string> reversed(origin.words.rbegin(), origin.words.rend());
  try {
    command.parse(reversed);
  } catch (const CLI::ParseError& error) {
    throw std::invalid_argument(std::string("the checkpoint was started by words that mean nothing here: ") +
                                error.what());
  }
  take_outputs(request);
  return request;
}

/// Takes a search to where its files say that it is. They are only read. A search that runs replaces them now and then;
/// a journal that follows another checkpoint by now is passed over, so they are read again.
void restore(Optimizer& search, const std::string& file) {
  constexpr int most_tries = 5;
  for (int i = 0; i < most_tries; ++i) {
    const Checkpoint checkpoint = read_checkpoint(file);
    search.set_state(checkpoint.state);
    Journal(file).replay(search, checkpoint.sum);
    if (read_checkpoint(file).sum == checkpoint.sum) return;
  }
}

/// Rows of generations 1, 2, 5, 10, ... and the last one.
class CourseReader {
 public:
  void add(const Progress& progress) {
    last_ = progress;
    if (is_round_number(progress.generation) && progress.generation != rows_generation_) {
      rows_.push_back(progress);
      rows_generation_ = progress.generation;
    }
  }
  [[nodiscard]] std::vector<Progress> rows() const {
    std::vector<Progress> all = rows_;
    if (last_ && (all.empty() || all.back().generation != last_->generation)) all.push_back(*last_);
    return all;
  }

 private:
  std::vector<Progress> rows_;
  std::int64_t rows_generation_ = -1;
  std::optional<Progress> last_;
};

double number_in(const nlohmann::ordered_json& record, const char* key) {
  const auto found = record.find(key);
  return found != record.end() && found->is_number() ? found->get<double>() : 0;
}

/// What the trace tells; nothing if there is none or it cannot be read.
std::vector<Progress> course_of_trace(const std::string& trace) {
  CourseReader course;
  std::ifstream lines(trace);
  for (std::string line; std::getline(lines, line);) {
    const nlohmann::ordered_json record = parse_json(line);
    if (!record.is_object() || !record.contains("generation") || !record.contains("nfev")) continue;
    course.add({.generation = static_cast<std::int64_t>(number_in(record, "generation")),
                .nfev = static_cast<std::int64_t>(number_in(record, "nfev")),
                .best = number_in(record, "best"),
                .violation = number_in(record, "violation"),
                .sigma = number_in(record, "sigma")});
  }
  return course.rows();
}

std::string state_of(const Optimizer& search, const std::string& file) {
  const std::string user = user_of_checkpoint(file);
  if (!user.empty()) return "running: " + user;
  if (search.stop()) return "ended: " + search.result().message;
  return "not running; continue with: surefoot resume " + shell_text(file);
}

/// Seconds that the search has run, to its last evaluation: the checkpoint has those to its own moment.
double elapsed_of(const Optimizer& search, const std::string& file) {
  std::error_code error;
  const auto saved = fs::last_write_time(file, error);
  if (error) return search.elapsed();
  const auto noted = fs::last_write_time(file + ".journal", error);
  return search.elapsed() + (error ? 0 : std::max(0.0, std::chrono::duration<double>(noted - saved).count()));
}

SearchStatus status_in_files(const Optimizer& search, const MinimizeRequest& request, const std::string& file) {
  SearchStatus status = status_of(search, request);
  status.state = state_of(search, file);
  status.progress.elapsed = elapsed_of(search, file);
  estimate(status.progress, {.seconds = status.progress.elapsed}, budgets_of(search, request));
  if (search.stop()) status.progress.left.reset();
  status.course = request.trace.empty() ? std::vector<Progress>{} : course_of_trace(request.trace);
  status.no_course = request.trace.empty() ? "not kept; --trace FILE keeps it" : "the trace has no generation yet";
  return status;
}

Exit run_status(const std::string& file) {
  const Origin origin = origin_of_checkpoint(file);
  const std::string path = fs::absolute(file).string();
  std::error_code gone;
  fs::current_path(origin.folder, gone);  // files that the search names are there, if they are anywhere
  const MinimizeRequest request = request_of(origin);
  if (is_fit(request)) {
    throw std::invalid_argument(path +
                                ": this is the checkpoint of a fit, of which there is no status; 'surefoot resume' " +
                                "continues it and shows its parameters");
  }
  const std::optional<ProblemInstance> problem = problem_of(request);
  MinimizeRequest reading = request;
  reading.trace.clear();  // evaluations of the journal, which are repeated here, are old for it
  reading.log.clear();
  const std::unique_ptr<Session> session = session_of(reading, problem, request.options);
  restore(session->search(), path);
  const bool is_here = fs::equivalent(path, file, gone) && !gone;
  fmt::print("{}", status_text(status_in_files(session->search(), request, is_here ? file : path), request,
                               session->search().space()));
  return Exit::success;
}

}  // namespace

void add_status(CLI::App& app, Exit& status) {
  CLI::App* command = app.add_subcommand("status", "Show where the search of a checkpoint is, also while it runs");
  auto file = std::make_shared<std::string>();
  command->add_option("FILE", *file, "Checkpoint of 'surefoot minimize --checkpoint FILE'")->required();
  command->footer(
      "Best point, course, failures with a command that repeats one, workers, time left. The checkpoint and its "
      "journal\n"
      "are only read; a search that runs on another terminal is not disturbed. 'kill -USR1 PID' asks the search "
      "itself.\n"
      "Example: surefoot status run.sf\nExit status: 0 shown, 2 bad usage.");
  command->callback([file, &status] { status = run_status(*file); });
}

}  // namespace surefoot::cli
