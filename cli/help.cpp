#include "cli/help.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "core/edit_distance.hpp"
#include "core/invalid_option.hpp"

namespace surefoot::cli {
namespace {

constexpr std::string_view minimize_screen =
    R"(Minimise what your program computes, or a benchmark problem
Usage: surefoot minimize --command 'PROGRAM ...' --x0 X1,X2,... [options]
       surefoot minimize --problem NAME --dim N [options]

  --command TEXT      your program: coordinates on stdin, f on stdout
  --param TEXT        a named parameter, such as 'rate=real(1e-5,1e-1,log)'
  --x0 NUMBERS        start point, as 1,2,3
  --sigma0 NUMBER     standard deviation around it: a quarter of the range
  --lower, --upper    bounds, one number or one per coordinate
  --maxfevals N       budget of evaluations
  --timeout TIME      budget of time, as 90s, 10m or 2h
  --ftarget NUMBER    stop once f is this low
  --workers N         evaluations at a time
  --eval-timeout TIME end an evaluation that takes longer
  --seed N            repeat a search exactly
  --checkpoint FILE   survive a crash: 'surefoot resume FILE' continues
  --trace FILE        record the course for 'surefoot report FILE'
  --check             evaluate the start once, show everything, and exit

Example: surefoot minimize --command 'python3 sim.py' --x0 1,2,3 --sigma0 0.5 \
           --maxfevals 300 --workers 4 --checkpoint run.sf
Example: surefoot minimize --problem rosenbrock --dim 5 --ftarget 1e-8
Example: surefoot resume run.sf --maxfevals 600

'surefoot minimize --help-all' lists all options, 'surefoot help' the topics.
Exit status: 0 target reached or converged, 1 stopped before that, 2 bad usage,
3 the objective kept failing, 4 output was lost, 130 interrupted.
)";

struct Topic {
  std::string_view name;
  std::string_view summary;
  std::string_view text;
};

constexpr std::array<Topic, 5> topics = {{
    {"budget", "How long a search runs", R"(
Give at least one budget or target. The search restarts by itself until then:
  --maxfevals N       evaluations, never exceeded
  --timeout TIME      seconds, or as 90s, 10m, 2h
  --ftarget NUMBER    a value that is good enough
Without any of them it makes one run, down to the last digits.

With d parameters, 20 d evaluations improve a guess, 100 d suit most tasks, and
1000 d find the best of several optima. At most 2000 d bring a model of the
objective, which saves most evaluations; so does --evaluation-seconds.

Example: surefoot minimize --command ./sim --x0 1,2,3 --sigma0 1 --maxfevals 300
More: docs/how-to/choose.md, docs/how-to/expensive.md
)"},
    {"constraints", "Limits on other outputs of your program", R"(
Name the outputs and give each a limit:
  --output 'json:cost,stress'     f first
  --limit 'stress<=200'           also 'gain=39.5..40.5', 'vc=6..'
  --minimize NAME, --maximize NAME

Or let the program print f, then M numbers g <= 0, then K numbers h = 0, on its
last line, and give --constraints M --equalities K.

The start may be infeasible. The result is the best feasible point. Limits of
single parameters are bounds: --lower and --upper.

Example: surefoot minimize --command ./beam --x0 1,2 --sigma0 1 --constraints 2
More: docs/how-to/constraints.md
)"},
    {"noise", "The same point gives different values", R"(
Nothing to do: a search notices noise, and f is then the mean of fresh
evaluations of the best point, with its standard error.

  --noise NUMBER      the standard deviation of the noise, if you know it
  --noise none        every value is exact
  --maxfevals N       as large as you can afford; do not average by yourself

If the noise is proportional to f, use --method ig-xnes --restarts none.
If you want the best parameters for one seed only, fix the seed of your program.

Example: surefoot minimize --command ./sim --x0 1,2 --sigma0 1 --maxfevals 1000
More: docs/how-to/noise.md
)"},
    {"resume", "Continue after a crash or an interruption", R"(
  --checkpoint FILE   keeps the search and every finished evaluation

  surefoot status FILE                  shows the search, also while it runs
  surefoot resume FILE                  continues it, bit for bit
  surefoot resume FILE --maxfevals N    continues with a larger budget
  surefoot resume FILE --replace-command --command '...'    after a repair

The checkpoint holds the command that 'resume' runs: treat one from a stranger
as a program.

Example: surefoot minimize --command ./sim --x0 1,2 --sigma0 1 --checkpoint a.sf
More: docs/reference/command-line.md, docs/reference/reliability.md
)"},
    {"workers", "Several evaluations at a time", R"(
  --workers N         programs or threads at a time; the result does not change
  --popsize N         at least the number of workers; the default is
                      4 + floor(3 ln d)
  --batch auto        with a model: as many candidates at a time as workers
  --eval-timeout TIME end evaluations that hang
  --mpi               on all ranks of mpirun

The summary says how busy the workers were.

Example: surefoot minimize --command ./sim --x0 1,2 --sigma0 1 --workers 8
More: docs/how-to/cluster.md
)"},
}};

std::vector<std::string> names_of_topics() {
  std::vector<std::string> names;
  for (const Topic& topic : topics) names.emplace_back(topic.name);
  return names;
}

std::string list_of_topics() {
  std::string text = "Explain a topic\nUsage: surefoot help TOPIC\n\nTopics:\n";
  for (const Topic& topic : topics) text += fmt::format("  {:<12}{}\n", topic.name, topic.summary);
  return text + "\nExample: surefoot help budget\n";
}

std::string about_topic(const std::string& name) {
  const auto* const topic = std::find_if(topics.begin(), topics.end(), [&](const Topic& t) { return t.name == name; });
  if (topic != topics.end()) return fmt::format("{}\n{}", topic->summary, topic->text);
  const std::vector<std::string> names = names_of_topics();
  reject("topic", "'" + name + "'", "topics are " + listed(names) + suggestion(name, names));
}

bool asks_for_help(const std::string& word) { return word == "--help" || word == "-h"; }

}  // namespace

std::optional<std::string> help_screen(const std::vector<std::string>& words) {
  if (words.empty()) return std::nullopt;
  if (words[0] == "help") {
    const bool has_topic = words.size() > 1 && !asks_for_help(words[1]);
    return has_topic ? about_topic(words[1]) : list_of_topics();
  }
  const bool is_screen = words[0] == "minimize" && std::any_of(words.begin(), words.end(), asks_for_help);
  return is_screen ? std::optional<std::string>(minimize_screen) : std::nullopt;
}

std::vector<std::string> with_full_help(std::vector<std::string> words) {
  const bool is_minimize = !words.empty() && words[0] == "minimize";
  if (is_minimize) std::replace(words.begin(), words.end(), std::string("--help-all"), std::string("--help"));
  return words;
}

}  // namespace surefoot::cli
