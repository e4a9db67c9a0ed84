#include "simulators/simulator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <stdexcept>

#include "core/invalid_option.hpp"
#include "driver/checkpoint/checkpoint_container.hpp"
#include "evaluators/candidate_folders.hpp"

namespace surefoot {
namespace {

nlohmann::ordered_json json_value(const Space& space, Index j, double value) {
  if (space.empty()) return value;
  const Parameter& p = space[j];
  if (p.kind == Parameter::Kind::choice) return p.format(value);
  if (p.kind == Parameter::Kind::integer) return static_cast<std::int64_t>(value);
  return value;
}

bool is_variable(const std::string& name) {
  return std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

std::vector<std::string> texts_of(const std::vector<ValueSource>& sources) {
  std::vector<std::string> texts;
  for (const ValueSource& source : sources) texts.push_back(source.text());
  return texts;
}

std::string hexadecimal(std::uint64_t number) {
  std::ostringstream out;
  out << std::hex << number;
  return out.str();
}

}  // namespace

std::string json_of(const Space& space, const Vector& x) {
  nlohmann::ordered_json object = nlohmann::ordered_json::object();
  for (Index j = 0; j < x.size(); ++j) object[parameter_name(space, j)] = json_value(space, j, x[j]);
  return object.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

std::optional<std::size_t> count_of_outputs(const std::vector<std::string>& outputs) {
  if (outputs.empty()) return std::nullopt;
  std::size_t sum = 0;
  for (const std::string& text : outputs) {
    const auto count = ValueSource(text).count();
    if (!count) return std::nullopt;
    sum += *count;
  }
  return sum;
}

std::vector<std::string> names_of_outputs(const std::vector<std::string>& outputs) {
  std::vector<std::string> names;
  for (const std::string& text : outputs) {
    const ValueSource source(text);
    const auto count = source.count();
    if (!count) return names;  // what follows may be any value
    names.insert(names.end(), source.names().begin(), source.names().end());
    names.resize(names.size() + *count - source.names().size());
  }
  return names;
}

std::vector<std::string> all_names_of_outputs(const std::vector<std::string>& outputs) {
  for (const std::string& text : outputs) {
    if (ValueSource(text).count()) continue;
    reject("output", "'" + text + "'", "limits need names: write NAME=" + text + ", or NAME,NAME=" + text);
  }
  return names_of_outputs(outputs);
}

Simulator::Simulator(const SimulatorPlan& plan)
    : placeholders_(plan.space),
      input_(input_of(plan)),
      input_word_(plan.input),
      words_(plan.words),
      gives_residuals_(plan.gives_residuals) {
  for (const std::string& file : plan.templates) templates_.emplace_back(file, placeholders_);
  for (const std::string& text : plan.outputs) outputs_.emplace_back(text, plan.gives_residuals);
  const auto has_file = [](const ValueSource& output) { return !output.file().empty(); };
  needs_folder_ = plan.in_folder || !templates_.empty() || std::any_of(outputs_.begin(), outputs_.end(), has_file);
  check_targets();
  if (!plan.wishes.empty()) use_ = OutputUse(plan.wishes, all_names_of_outputs(plan.outputs));
  if (!plan.gives_residuals) check_counts(use_.is_plain() ? plan.values : count_of_outputs(plan.outputs).value_or(0));
  if (input_ == Input::env) check_variables();
  if (!plan.space.empty()) check_all_used(plan.space.size());
}

Simulator::Input Simulator::input_of(const SimulatorPlan& plan) {
  const std::map<std::string, Input> words = {
      {"stdin", Input::line}, {"json", Input::json}, {"env", Input::env}, {"args", Input::args}};
  if (plan.input.empty()) return plan.templates.empty() ? Input::line : Input::none;
  const auto found = words.find(plan.input);
  if (found == words.end()) reject("input", "'" + plan.input + "'", "it is stdin, json, env or args");
  return found->second;
}

/// Files that would overwrite each other, and names that mean two things.
void Simulator::check_targets() const {
  std::set<std::string> targets = {account_file};
  for (const TemplateFile& file : templates_) {
    if (!targets.insert(file.target()).second) {
      reject("template", "'" + file.target() + "'", "this file is written into the candidate's folder already");
    }
  }
  for (const ValueSource& output : outputs_) {
    if (!targets.contains(output.file())) continue;
    reject("output", "'" + output.text() + "'", "this file is written before the program starts");
  }
  for (const char* name : {"id", "dir", "here"}) {
    if (!placeholders_.space().find(name)) continue;
    reject("parameter", std::string("'") + name + "'",
           std::string("{") + name + "} is something else in commands and templates; give it another name");
  }
}

void Simulator::check_counts(std::size_t values) const {
  std::size_t sum = 0;
  std::set<std::string> seen;
  for (const ValueSource& output : outputs_) {
    if (!seen.insert(output.text()).second) reject("output", "'" + output.text() + "'", "it is given twice");
    if (!output.count()) return;  // The program decides.
    sum += *output.count();
  }
  if (outputs_.empty() || sum == values) return;
  reject("output", surefoot::text(sum) + " values",
         "there must be " + surefoot::text(values) + ", the objective" + (values > 1 ? " and the constraints" : ""));
}

void Simulator::check_variables() const {
  for (const Parameter& p : placeholders_.space().parameters()) {
    if (!is_variable(p.name)) {
      reject("parameter", "'" + p.name + "'", "with --input env a name has letters, digits and _ only");
    }
    if (std::getenv(p.name.c_str()) != nullptr) {  // NOLINT(concurrency-mt-unsafe): nobody writes it meanwhile
      reject("parameter", "'" + p.name + "'", "with --input env: the environment has a variable of this name already");
    }
  }
}

/// A parameter that the program never learns of has no effect.
void Simulator::check_all_used(Index dimension) const {
  if (input_ != Input::none) return;
  std::set<Index> used;
  const auto use = [&](const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      for (const Index j : placeholders_.coordinates_of(name, dimension)) used.insert(j);
    }
  };
  for (const TemplateFile& file : templates_) use(file.names());
  for (const std::string& word : words_) use(placeholders_.names_in(word));
  const Space& space = placeholders_.space();
  for (Index j = 0; j < dimension; ++j) {
    if (used.contains(j) || (!space.empty() && space[j].is_fixed())) continue;
    throw std::invalid_argument(
        fmt::format("parameter {0}: there is no {{{0}}} or @{0}@, so the program would never learn of it; write it "
                    "into a template, "
                    "--command or --args, or say by --input how else the program gets its values",
                    parameter_name(space, j)));
  }
}

std::string Simulator::input(const Vector& x) const {
  const Space& space = placeholders_.space();
  if (input_ == Input::json) return json_of(space, x);
  if (input_ != Input::line) return {};
  return input_line(space, x);
}

void Simulator::prepare(const ProgramCandidate& candidate, ProgramJob& job) const {
  const Space& space = placeholders_.space();
  check_all_used(candidate.x.size());
  for (const TemplateFile& file : templates_) {
    file.write(placeholders_, candidate, job.directory);
    job.input_files.push_back(file.target());
  }
  for (const ValueSource& output : outputs_) {
    if (!output.file().empty()) job.output_files.push_back(output.file());
  }
  if (input_ != Input::line && input_ != Input::json) job.input.clear();
  for (Index j = 0; j < candidate.x.size(); ++j) {
    const std::string value = parameter_text(space, j, candidate.x[j]);
    if (input_ == Input::env) job.environment.push_back(parameter_name(space, j) + "=" + value);
    if (input_ == Input::args) job.arguments.push_back((space.empty() ? "" : "--" + space[j].name + "=") + value);
  }
}

ProgramAnswer Simulator::read(const std::string& output, const std::filesystem::path& folder) const {
  ProgramAnswer answer;
  const std::vector<ValueSource> last_line_only = {ValueSource("stdout", gives_residuals_)};
  for (const ValueSource& source : outputs_.empty() ? last_line_only : outputs_) {
    const std::string why = source.read(output, folder, answer.values);
    if (why.empty()) continue;
    return {{}, FailureKind::unparsable, (outputs_.empty() ? "" : "output '" + source.text() + "': ") + why};
  }
  if (use_.is_plain()) return answer;
  const std::vector<std::string> names = names_of_outputs(texts_of(outputs_));
  for (std::size_t i = 0; i < names.size(); ++i) answer.outputs.emplace_back(names[i], answer.values[i]);
  answer.values = use_.applied(answer.values);
  return answer;
}

bool Simulator::has_file(const std::string& name) const {
  const std::string plain = std::filesystem::path(name).lexically_normal().string();
  return std::any_of(templates_.begin(), templates_.end(), [&](const auto& file) { return file.target() == plain; }) ||
         std::any_of(outputs_.begin(), outputs_.end(), [&](const auto& output) { return output.file() == plain; });
}

std::string Simulator::identity() const {
  std::string words;
  for (const TemplateFile& file : templates_) {
    words += ", template " + file.target() + " (checksum " + hexadecimal(crc64(file.text())) + ")";
  }
  for (const ValueSource& output : outputs_) words += ", output " + output.text();
  if (!input_word_.empty()) words += ", input " + input_word_;
  words += use_.text();
  return words.empty() ? words : " with " + words.substr(2);
}

}  // namespace surefoot
