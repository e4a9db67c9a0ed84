// Everything that users write, on what no user wrote: policies, restarts, intervals, commands, answers of programs and
// simulators, files of options. Each is accepted or refused with std::invalid_argument; nothing else may happen.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "cli/config.hpp"
#include "core/invalid_option.hpp"
#include "driver/checkpoint/checkpointer.hpp"
#include "evaluators/program_evaluator.hpp"
#include "simulators/value_source.hpp"
#include "surefoot/option_table.hpp"
#include "surefoot/surefoot.hpp"
#include "tests/fuzz/fuzz_support.hpp"

namespace {

using surefoot::fuzz::accept_or_refuse;

void read_config(const std::string& text) {
  static const std::string file = (surefoot::fuzz::folder() / "options.toml").string();
  surefoot::fuzz::put(file, "popsize = 10\nx0 = [1, 2]\n" + text);
  accept_or_refuse([] { surefoot::cli::with_config({"--config", file}); });
}

/// A file that TOML's grammar allows, with keys that there are and values of every kind.
std::string made_up_config(surefoot::fuzz::Choices choices) {
  static const std::vector<std::string> keys = [] {
    std::vector<std::string> names = {"param", "name",   "type",  "low", "high", "log",
                                      "start", "values", "value", "a.b", "\"\""};
    for (const auto& row : surefoot::option_table()) names.emplace_back(row.name);
    return names;
  }();
  constexpr std::array values = {"1",
                                 "-1",
                                 "0",
                                 "1e308",
                                 "nan",
                                 "-inf",
                                 "9223372036854775807",
                                 "0x7fffffffffffffff",
                                 "true",
                                 "false",
                                 "\"\"",
                                 "'text'",
                                 "\"\\u0000\\n\"",
                                 "'''a\nb'''",
                                 "[]",
                                 "[1, 2.5]",
                                 "[[1], [2]]",
                                 "['a', 1]",
                                 "{a = 1}",
                                 "{low = 1, high = 2}",
                                 "1979-05-27",
                                 "07:32:00",
                                 "\"lra:alpha=1\"",
                                 "'{x0} {dir}'",
                                 "'int'",
                                 "'choice'",
                                 "[\"a\", \"a\"]",
                                 "1_000"};
  std::string text;
  while (!choices.empty()) {
    const std::size_t what = choices.below(8);
    if (what == 0) text += "[[param]]\n";
    if (what == 1) text += "[" + keys.at(choices.below(keys.size())) + "]\n";
    text += keys.at(choices.below(keys.size())) + " = ";
    text.append(values.at(choices.below(values.size()))).append("\n");
  }
  return text;
}

void read_texts(const std::string& text) {
  accept_or_refuse([&] { surefoot::LearningRate rate(text); });
  accept_or_refuse([&] { surefoot::LearningRate rate("lra:" + text); });
  accept_or_refuse([&] { surefoot::Restarts restarts(text); });
  accept_or_refuse([&] { surefoot::Restarts restarts("ipop:" + text); });
  accept_or_refuse([&] { surefoot::parse_interval(text); });
  accept_or_refuse([&] { surefoot::split_command(text); });
  accept_or_refuse([&] { surefoot::ProgramEvaluator evaluator({.command = {"true"}, .arguments = {text}}); });
}

/// The answer of a program. Its numbers stand in its last line, and written down they are read again.
void read_answer(const std::string& text) {
  const std::vector<double> numbers = surefoot::last_numbers(text);
  std::string line;
  for (const double number : numbers) line += surefoot::text(number) + " ";
  const std::vector<double> again = surefoot::last_numbers(line);
  const auto is_same = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
  if (!std::equal(numbers.begin(), numbers.end(), again.begin(), again.end(), is_same)) std::abort();
}

/// What a simulator leaves, as JSON that its grammar allows.
std::string made_up_json(surefoot::fuzz::Choices choices) {
  constexpr std::array pieces = {"{",
                                 "}",
                                 "[",
                                 "]",
                                 ",",
                                 ":",
                                 "\"cost\":",
                                 "1.5",
                                 "-0",
                                 "1e999",
                                 "NaN",
                                 "\"a\":",
                                 "Infinity",
                                 "-Infinity",
                                 "null",
                                 "\"NaN\"",
                                 "true",
                                 "\n",
                                 "\"\\\"\"",
                                 "\"1D3\"",
                                 "99999999999999999999",
                                 "[[[[",
                                 "{\"a\":[1,{\"b\":2}]}"};
  std::string text;
  while (!choices.empty()) {
    const std::string piece = pieces.at(choices.below(pieces.size()));
    const std::size_t times = choices.below(128) == 77 ? 1 + choices.below(256) * choices.below(64) : 1;
    for (std::size_t k = 0; k < times; ++k) text += piece;
  }
  return text;
}

/// The values that a simulator leaves on standard output: as many as are asked for, or a reason.
void read_output(const std::string& text) {
  static const std::vector<surefoot::ValueSource> sources = [] {
    std::vector<surefoot::ValueSource> all;
    for (const char* source : {"json:cost", "json:a.1.b,cost", "json:0", "json:a.b.c.0.cost", "stdout",
                               "regex:cost *= *(.*)", "regex:([a-z]+)=([^ ]*)", "regex:(^|;)(.*);"}) {
      all.emplace_back(source);
    }
    return all;
  }();
  for (const surefoot::ValueSource& source : sources) {
    std::vector<double> values;
    const std::string reason = source.read(text, {}, values);
    if (reason.empty() && (values.empty() || (source.count() && values.size() != *source.count()))) std::abort();
  }
  accept_or_refuse([&] { surefoot::ValueSource source(text.substr(0, 200)); });
  accept_or_refuse([&] { surefoot::ValueSource source("file:" + text.substr(0, 200)); });
}

}  // namespace

/// The last byte says what the rest is.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 1) return 0;
  const std::string text(data, data + size - 1);
  switch (data[size - 1] % 8) {
    case 0: read_texts(text); break;
    case 1: read_answer(text); break;
    case 2:
    case 6: read_config(text); break;
    case 4: read_output(text); break;
    case 5: read_output(made_up_json(surefoot::fuzz::Choices(text))); break;
    default: read_config(made_up_config(surefoot::fuzz::Choices(text))); break;
  }
  return 0;
}
