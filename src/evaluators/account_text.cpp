#include "evaluators/account_text.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>

#include "core/invalid_option.hpp"
#include "core/printable_text.hpp"
#include "evaluators/answer_text.hpp"

namespace surefoot {
namespace {

bool is_plain(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
         std::string_view("_-+=./,:@%").find(c) != std::string::npos;
}

/// A heading, and the lines of a text below it, indented.
std::string section(const std::string& heading, std::string_view text) {
  std::string out = heading + "\n";
  const std::string shown = printable(trimmed(text));
  std::string_view content = shown;
  while (!content.empty()) {
    const std::size_t end = std::min(content.find('\n'), content.size());
    out.append("    ").append(content.substr(0, end)).append("\n");
    content.remove_prefix(std::min(end + 1, content.size()));
  }
  return out;
}

std::string ending_of(const ProgramOutcome& outcome) {
  using Kind = ProgramOutcome::Kind;
  switch (outcome.kind) {
    case Kind::finished: return "exit status 0";
    case Kind::not_started: return "it could not be started";
    case Kind::crashed: return "signal " + text(outcome.status);
    case Kind::exited: return "exit status " + text(outcome.status);
    case Kind::timed_out: return "it took too long and was killed";
    case Kind::unasked: return "it was stopped, because it printed before it had read its line to the end";
    case Kind::cancelled: return "it was cancelled";
  }
  return "";
}

std::string value_lines(const ProgramAnswer& answer, const ConstraintRules& rules) {
  if (answer.failure)
    return "value    none (" + std::string(name(*answer.failure)) + "): " + printable(answer.reason) + "\n";
  std::string lines;
  for (const auto& [name, value] : answer.outputs) {
    lines += (lines.empty() ? "outputs  " : "         ") + name + " = " + text(value) + "\n";
  }
  for (std::size_t i = 0; i < answer.values.size(); ++i) {
    const std::string name = i == 0 ? "value    f" : "         " + rules.name(static_cast<Index>(i) - 1);
    lines += name + " = " + text(answer.values[i]) + "\n";
  }
  return lines;
}

/// The files of the folder that the program found in it, or made.
std::string files_of(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return listed(names);
}

/// The beginning of each file, below a heading with its name.
std::string file_sections(const std::string& heading, const std::filesystem::path& folder,
                          const std::vector<std::string>& names) {
  constexpr std::size_t longest = 4096;
  std::string out;
  for (const std::string& name : names) {
    std::ifstream in(folder / name, std::ios::binary);
    std::string content(longest, '\0');
    in.read(content.data(), longest);
    content.resize(static_cast<std::size_t>(in.gcount()));
    if (content.size() == longest) content += "\n...";
    if (in.is_open()) out += section(std::string(heading).append(" ").append(name), content);
  }
  return out;
}

}  // namespace

std::string shell_text(const std::string& word) {
  if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain)) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string shell_text(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line.append(line.empty() ? "" : " ").append(shell_text(word));
  return line;
}

std::string account_text(const ProgramAccount& account, const ConstraintRules& rules) {
  const ProgramJob& job = account.job;
  const ProgramOutcome& outcome = account.outcome;
  std::string out = "command  " + shell_text(job.arguments) + "\n";
  if (!job.directory.empty()) {
    out += "folder   " + job.directory.string() + "\nfiles    " + files_of(job.directory) + "\n";
  }
  if (!job.environment.empty()) out += "with     " + shell_text(job.environment) + "\n";
  if (!trimmed(job.input).empty()) out += section("input", job.input);
  out += file_sections("input", job.directory, job.input_files) + section("output", outcome.output);
  out += file_sections("output", job.directory, job.output_files);
  if (!trimmed(outcome.errors).empty()) out += section("errors", outcome.errors);
  return out + "ended    " + ending_of(outcome) + ", " + short_text(account.seconds) + " s\n" +
         value_lines(account.answer, rules);
}

}  // namespace surefoot
