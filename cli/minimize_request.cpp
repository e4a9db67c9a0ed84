#include "cli/minimize_request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <type_traits>
#include <unordered_map>

#include "cli/quantities.hpp"
#include "driver/option_fields.hpp"
#include "surefoot/option_table.hpp"

namespace surefoot::cli {
namespace {

template <class T>
inline constexpr bool is_list = std::is_same_v<T, std::vector<std::string>>;

template <class T>
inline constexpr bool is_text =
    std::is_same_v<T, LearningRate> || std::is_same_v<T, Restarts> || std::is_same_v<T, Batch>;

/// What the command line cannot say in one option, or not at all.
template <class T>
inline constexpr bool is_no_word = std::is_same_v<T, Bounds> || std::is_same_v<T, PointList> ||
                                   !(std::is_arithmetic_v<T> || is_text<T> || is_list<T> ||
                                     std::is_constructible_v<T, std::int64_t> || std::is_same_v<T, std::string>);

std::string capitalised(std::string word) {
  word[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(word[0])));
  return word;
}

/// What a shell makes of a variable that is not set: without a word it would mean that nothing is kept.
std::string refused_name(const std::string& name) {
  return name.empty() ? "'' is not allowed: give a name, or leave the option out" : "";
}

bool names_a_file(const OptionInfo& row) {
  return row.takes == "file" || row.takes == "folder" || row.takes == "checkpoint";
}

/// Adds options by their names in the table, in the table's order and groups.
class Adder {
 public:
  explicit Adder(CLI::App& command) : command_(command) {}

  template <class T>
  void operator()(const std::string& name, T& member) {
    if constexpr (!is_no_word<T>) {
      makers_.emplace(name, [this, &member](const OptionInfo& row, const std::string& help) -> CLI::Option* {
        const std::string flag = "--" + row.cli;
        if constexpr (is_text<T>) {
          const auto set = [&member](const std::string& text) { member = text; };
          return command_.add_option_function<std::string>(flag, set, help);
        } else if constexpr (is_list<T>) {  // one text each time, any number of times
          CLI::Option* option = command_.add_option(flag, member, help);
          return option->expected(1)->allow_extra_args(false)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
        } else {
          if constexpr (std::is_same_v<T, bool>) {
            if (row.takes == "flag") return command_.add_flag(flag, member, help);
          }
          return command_.add_option(flag, member, help);
        }
      });
    }
  }

  void finish(const std::vector<std::string>& only) {
    for (const OptionInfo& row : option_table()) {
      const bool is_wanted = only.empty() || std::find(only.begin(), only.end(), row.name) != only.end();
      if (row.cli.empty() || !is_wanted) continue;
      const bool is_plain = row.standard.empty() || row.takes == "flag" || row.standard == "none";
      const std::string unit = row.takes == "seconds" ? ", in seconds or as 90s, 10m, 2h" : "";
      const std::string standard = is_plain ? "" : fmt::format("; default {}", row.standard);
      const std::string help = fmt::format("{}{}{}", row.meaning, unit, standard);
      CLI::Option* option = makers_.at(row.name)(row, help);  // a row without a member is found by the first test
      option->group(capitalised(row.group))->default_str("");
      if (names_a_file(row)) option->check(refused_name, "", "");
      if (row.takes == "seconds") option->transform(plain_seconds, "", "");
      if (row.name == "checkpoint_every") option->transform(plain_interval, "", "");
    }
  }

 private:
  using Maker = std::function<CLI::Option*(const OptionInfo&, const std::string&)>;
  CLI::App& command_;
  std::unordered_map<std::string, Maker> makers_;
};

}  // namespace

void add_options(CLI::App& command, MinimizeRequest& request, const std::vector<std::string>& only) {
  Adder add(command);
  add("problem", request.problem);
  add("instance", request.instance);
  add("command", request.command);
  add("args", request.args);
  add("persistent", request.persistent);
  add("template", request.templates);
  add("output", request.outputs);
  add("minimize", request.minimize);
  add("maximize", request.maximize);
  add("limit", request.limits);
  add("residuals", request.residuals);
  add("data", request.data);
  add("loss", request.loss);
  add("loss_scale", request.loss_scale);
  add("input", request.input);
  add("keep", request.keep);
  add("folders", request.folders);
  add("check", request.check);
  add("mpi", request.mpi);
  add("eval_timeout", request.eval_timeout);
  add("rank_timeout", request.rank_timeout);
  add("param", request.params);
  add("dim", request.dim);
  add("x0", request.x0);
  add("sigma0", request.sigma0);
  add("warm_start", request.warm_start);
  add("inject", request.inject);
  add("lower", request.lower);
  add("upper", request.upper);
  add("trace", request.trace);
  add("log", request.log);
  add("trace_timing", request.trace_timing);
  add("checkpoint", request.checkpoint);
  add("checkpoint_every", request.checkpoint_every);
  add("overwrite", request.overwrite);
  add("replace_command", request.replace_command);
  add("json", request.json);
  add("quiet", request.quiet);
  add("print_config", request.print_config);
  add("config", request.config);
  visit_options(request.options, add);
  add.finish(only);
}

}  // namespace surefoot::cli
