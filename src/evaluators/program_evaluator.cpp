#include "evaluators/program_evaluator.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <system_error>

#include "core/invalid_option.hpp"
#include "evaluators/programs.hpp"

namespace surefoot {
namespace {

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n\f\v");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n\f\v") - first + 1);
}

std::string_view last_line(std::string_view output) {
  const std::string_view text = trimmed(output);
  return trimmed(text.substr(text.find_last_of('\n') + 1));  // npos + 1 is 0
}

/// Values as text.
std::string coordinates(const Space& space, const Generation& generation, Index candidate, char separator) {
  std::string line;
  for (Index j = 0; j < generation.population().rows(); ++j) {
    if (j > 0) line += separator;
    line += parameter_text(space, j, generation.population()(j, candidate));
  }
  return line;
}

/// What a program reads: values or, where they have names, names and values.
std::string input_line(const Space& space, const Generation& generation, Index candidate) {
  if (space.empty()) return coordinates(space, generation, candidate, ' ');
  std::string line;
  for (Index j = 0; j < space.size(); ++j) {
    line.append(j > 0 ? " " : "").append(space[j].name).append(" ");
    line.append(parameter_text(space, j, generation.population()(j, candidate)));
  }
  return line;
}

/// The number that a whole word is.
std::optional<double> number_of(std::string_view word) {
  if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (word.empty() || end != word.data() + word.size()) return std::nullopt;
  if (error == std::errc::result_out_of_range) {
    return std::strtod(std::string(word).c_str(), nullptr);  // 1e999 is infinite, 1e-999 is 0
  }
  return error == std::errc() ? std::optional(value) : std::nullopt;
}

std::string excerpt(std::string_view text) {
  constexpr std::size_t longest = 80;
  return std::string(text.substr(0, longest)) + (text.size() > longest ? "..." : "");
}

/// With the last lines that the program wrote to standard error.
std::string with_errors(std::string reason, const ProgramOutcome& outcome) {
  const std::string_view errors = trimmed(outcome.errors);
  if (!errors.empty()) reason.append(": ").append(errors);
  return reason;
}

/// Calls replace(name) for every {name} and puts its answer in place.
template <class Replace>
std::string replace_braces(const std::string& text, const Replace& replace) {
  std::string out;
  std::size_t at = 0;
  for (auto open = text.find('{'); open != std::string::npos; open = text.find('{', at)) {
    const auto close = text.find('}', open);
    if (close == std::string::npos) break;
    out.append(text, at, open - at).append(replace(text.substr(open + 1, close - open - 1)));
    at = close + 1;
  }
  return out.append(text, at);
}

/// The number in x0, x1, ...; empty if the name is none of them.
std::optional<Index> coordinate_of(const std::string& name) {
  Index j = 0;
  if (name.size() < 2 || name[0] != 'x') return std::nullopt;
  const auto [end, error] = std::from_chars(name.data() + 1, name.data() + name.size(), j);
  if (error != std::errc() || end != name.data() + name.size() || j < 0) return std::nullopt;
  return j;
}

void check_placeholders(const std::vector<std::string>& arguments, const Space& space) {
  for (const std::string& argument : arguments) {
    replace_braces(argument, [&space](const std::string& name) -> std::string {
      if (name != "x" && name != "id" && name != "dir" && !coordinate_of(name) && !space.find(name)) {
        const std::string named =
            space.empty() ? "" : " and the parameters " + listed(parameter_names(space, space.size()));
        reject("args", "'{" + name + "}'",
               (space.empty() ? "known are {x}, {x0}, {x1}, ..., {id} and {dir}"
                              : "known are {x}, {x0}, {x1}, ..., {id}, {dir}" + named));
      }
      return {};
    });
  }
}

}  // namespace

std::vector<std::string> split_command(const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != 0 && c == quote) {
      quote = 0;
    } else if (c == '\\' && quote != '\'' && i + 1 < text.size()) {
      word += text[++i];
      in_word = true;
    } else if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
      in_word = true;
    } else if (quote == 0 && (c == ' ' || c == '\t' || c == '\n')) {
      if (in_word) words.push_back(std::exchange(word, {}));
      in_word = false;
    } else {
      word += c;
      in_word = true;
    }
  }
  if (quote != 0) reject("command", "'" + text + "'", std::string("it has an open ") + quote);
  if (in_word) words.push_back(word);
  return words;
}

std::vector<double> last_numbers(const std::string& output) {
  std::vector<double> numbers;
  for (std::string_view line = last_line(output); !line.empty();) {
    const std::size_t length = std::min(line.find_first_of(" \t"), line.size());
    const std::optional<double> number = number_of(line.substr(0, length));
    if (!number) return {};
    numbers.push_back(*number);
    line = trimmed(line.substr(length));
  }
  return numbers;
}

ProgramEvaluator::ProgramEvaluator(ProgramObjective objective) : objective_(std::move(objective)) {
  if (objective_.command.empty()) reject("command", "''", "it must name a program");
  check_placeholders(objective_.arguments, objective_.space);
  if (const int most = most_programs(objective_.persistent); objective_.workers > most) {
    reject("workers", objective_.workers,
           "the limit of open files lets " + text(most) + " programs run at a time; 'ulimit -n' raises it");
  }
  if (objective_.persistent) {
    if (!objective_.arguments.empty()) {
      throw std::invalid_argument("args: not together with persistent, which starts the program once");
    }
    persistent_ =
        std::make_unique<PersistentPrograms>(objective_.command, ProgramLimits{objective_.workers, objective_.timeout});
  }
}

ProgramEvaluator::~ProgramEvaluator() {
  std::error_code ignored;
  if (!root_.empty()) std::filesystem::remove_all(root_, ignored);
}

void ProgramEvaluator::evaluate(Generation& generation) {
  const std::vector<Index> open = generation.open_candidates();
  ++evaluated_;
  std::vector<std::optional<Stopwatch>> watches(open.size());  // of those that were started
  const auto done = [&](std::size_t k, const ProgramOutcome& outcome) {
    if (watches[k]) busy_ += watches[k]->seconds();
    take(generation, open[k], outcome);
  };
  const auto cancelled = [&] { return generation.cancelled(); };
  if (persistent_) {
    persistent_->run(
        open.size(),
        [&](std::size_t k) {
          watches[k].emplace();
          return input_line(objective_.space, generation, open[k]);
        },
        done, cancelled);
  } else {
    ProgramPool({objective_.workers, objective_.timeout})
        .run(
            open.size(),
            [&](std::size_t k) {
              watches[k].emplace();
              return job(generation, open[k]);
            },
            done, cancelled);
  }
}

void ProgramEvaluator::number_next(std::int64_t evaluation, Index first_candidate) {
  evaluated_ = evaluation - 1;
  first_ = first_candidate;
}

std::string ProgramEvaluator::id_of(Index candidate) const { return text(evaluated_) + "-" + text(first_ + candidate); }

ProgramJob ProgramEvaluator::job(const Generation& generation, Index candidate) {
  ProgramJob job;
  job.arguments = objective_.command;
  for (const std::string& argument : objective_.arguments) {
    job.arguments.push_back(replaced(argument, generation, candidate));
  }
  job.input = input_line(objective_.space, generation, candidate) + "\n";
  return job;
}

std::string ProgramEvaluator::replaced(const std::string& argument, const Generation& generation, Index candidate) {
  std::string id = id_of(candidate);
  return replace_braces(argument, [&](const std::string& name) -> std::string {
    if (const auto named = objective_.space.find(name)) {
      return parameter_text(objective_.space, *named, generation.population()(*named, candidate));
    }
    if (name == "x") return coordinates(objective_.space, generation, candidate, ',');
    if (name == "id") return id;
    if (name == "dir") return folder_of(id).string();
    const Index j = coordinate_of(name).value_or(-1);
    if (j < 0 || j >= generation.population().rows()) {
      reject("args", "'{" + name + "}'", "there are " + text(generation.population().rows()) + " coordinates");
    }
    return parameter_text(objective_.space, j, generation.population()(j, candidate));
  });
}

std::filesystem::path ProgramEvaluator::folder_of(const std::string& id) {
  if (root_.empty()) {
    std::string pattern = (std::filesystem::temp_directory_path() / "surefoot-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) {
      throw std::system_error(errno, std::generic_category(), "no folder for {dir} can be made in " + pattern);
    }
    root_ = pattern;
  }
  std::filesystem::path folder = root_ / id;
  std::filesystem::create_directories(folder);
  return folder;
}

void ProgramEvaluator::take(Generation& generation, Index candidate, const ProgramOutcome& outcome) {
  using Kind = ProgramOutcome::Kind;
  if (!root_.empty()) {
    std::error_code ignored;
    std::filesystem::remove_all(root_ / id_of(candidate), ignored);
  }
  if (outcome.kind == Kind::not_started && !has_started_) {
    reject("command", "'" + objective_.command.front() + "'", outcome.errors);
  }
  has_started_ = has_started_ || outcome.kind != Kind::cancelled;
  switch (outcome.kind) {
    case Kind::cancelled: return;  // The candidate stays open.
    case Kind::not_started:
      return generation.fail(candidate, FailureKind::start, with_errors("the program cannot be started", outcome));
    case Kind::crashed:
      return generation.fail(candidate, FailureKind::crash, with_errors("signal " + text(outcome.status), outcome));
    case Kind::exited:
      return generation.fail(candidate, FailureKind::exit, with_errors("exit status " + text(outcome.status), outcome));
    case Kind::timed_out:
      return generation.fail(candidate, FailureKind::timeout, with_errors("it took too long", outcome));
    case Kind::finished: break;
  }
  const std::vector<double> values = last_numbers(outcome.output);
  if (values.size() == 1 + static_cast<std::size_t>(objective_.constraints)) return generation.set(candidate, values);
  const std::string line = excerpt(last_line(outcome.output));
  const std::string wanted =
      objective_.constraints == 0 ? "no number" : "not " + text(1 + objective_.constraints) + " numbers";
  generation.fail(candidate, FailureKind::unparsable,
                  with_errors(line.empty() ? "it printed nothing" : "'" + line + "' is " + wanted, outcome));
}

}  // namespace surefoot
