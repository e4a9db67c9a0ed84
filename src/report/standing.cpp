#include "report/standing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace surefoot {
namespace {

constexpr double small_gain = 0.01;      // of all that was gained
constexpr double shrinking = 0.5;        // the steps became smaller if their size fell below this share
constexpr double nearing = 2.0 / 3;      // generations come nearer to the best value if the distance fell to this share
constexpr double creeping = 0.9;         // or to this share, if it falls steadily
constexpr double rounding = 1e-16;       // of the values of generations, below which a best value is as good as 0
constexpr double narrow = 1e-4;          // a step size below this share of the largest has nearly converged
constexpr double still_wide = 0.1;       // above this share the search has hardly begun to narrow
constexpr double mostly_failing = 0.5;   // share of the evaluations
constexpr double middle_gain = 0.125;    // of the last gain
constexpr std::size_t few_records = 20;  // generations in which no search can be done

std::string counted(double value) {
  std::string digits = std::to_string(std::llround(value));
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, " ");
  return digits;
}

/// 1 evaluation, 2 evaluations.
std::string evaluations(double value) { return counted(value) + (value == 1 ? " evaluation" : " evaluations"); }

/// The last evaluation, the last 2 evaluations.
std::string last_evaluations(double value) { return value == 1 ? "last evaluation" : "last " + evaluations(value); }

std::string number(double value, int digits = 4) { return fmt::format("{:.{}g}", value, digits); }

/// Two digits, and 100 as it is.
std::string percent(double share) {
  constexpr double tenth = 0.095;
  return share < tenth ? number(100 * share, 2) : fmt::format("{:.0f}", 100 * share);
}

/// As many digits as tell neighbours apart.
int digits_of(const std::vector<double>& values) {
  constexpr int most = 15;
  for (int digits = 4; digits < most; ++digits) {
    const auto is_same = [digits](double a, double b) { return number(a, digits) == number(b, digits); };
    if (std::adjacent_find(values.begin(), values.end(), is_same) == values.end()) return digits;
  }
  return most;
}

std::string join(std::vector<std::string> sentences) {
  std::string text;
  for (std::string& sentence : sentences) {
    if (!sentence.empty()) text += (text.empty() ? "" : " ") + std::move(sentence);
  }
  return text;
}

/// The facts with what many questions need.
class Course {
 public:
  explicit Course(const CourseFacts& facts) : facts_(facts) {
    for (std::size_t i = 0; i < facts.best.size() && first_ == none; ++i) {
      if (std::isfinite(facts.best[i])) first_ = i;
    }
    last_ = facts.best.empty() ? 0 : facts.best.size() - 1;
    for (run_begin_ = last_; run_begin_ > 0 && facts.run[run_begin_ - 1] == facts.run[last_];) --run_begin_;
  }

  [[nodiscard]] bool has_value() const { return first_ != none; }
  [[nodiscard]] double evaluations() const { return facts_.nfev.empty() ? 0 : facts_.nfev[last_]; }
  [[nodiscard]] double first() const { return facts_.best[first_]; }
  [[nodiscard]] double best() const { return facts_.best[last_]; }
  [[nodiscard]] double gain() const { return first() - best(); }
  [[nodiscard]] std::size_t generations() const { return facts_.nfev.size(); }
  /// Evaluations of a quarter of this run.
  [[nodiscard]] double quarter() const { return std::floor((evaluations() - run_begin()) / 4); }
  [[nodiscard]] double run_begin() const { return run_begin_ == 0 ? 0 : facts_.nfev[run_begin_ - 1]; }

  /// The last record up to this many evaluations.
  [[nodiscard]] std::size_t record_at(double nfev) const {
    const auto after = std::upper_bound(facts_.nfev.begin(), facts_.nfev.end(), nfev);
    return after == facts_.nfev.begin() ? 0 : static_cast<std::size_t>(after - facts_.nfev.begin()) - 1;
  }
  /// NaN where there was no value yet.
  [[nodiscard]] double best_at(double nfev) const { return facts_.best[record_at(nfev)]; }

  /// The evaluation after which less than a share of all was gained.
  [[nodiscard]] double last_gain() const {
    const double level = best() + small_gain * gain();
    for (std::size_t i = first_; i < facts_.best.size(); ++i) {
      if (facts_.best[i] <= level) return facts_.nfev[i];
    }
    return evaluations();
  }
  [[nodiscard]] double restarts_since_best() const {
    const auto found = std::find(facts_.best.begin(), facts_.best.end(), best());
    return facts_.run[last_] - facts_.run[static_cast<std::size_t>(found - facts_.best.begin())];
  }
  [[nodiscard]] double restarts_since(double nfev) const { return facts_.run[last_] - facts_.run[record_at(nfev)]; }

  /// The step size now as a share of what it was at an evaluation.
  [[nodiscard]] double width_since(double nfev) const { return facts_.sigma[last_] / facts_.sigma[record_at(nfev)]; }
  /// Typical values of generations in the last quarter of the run and in the one before. NaN if there are none.
  struct Levels {
    double before = 0;
    double now = 0;
  };
  [[nodiscard]] Levels levels() const {
    const std::size_t end = facts_.level.size();
    const std::size_t middle = second_half() + (end - second_half()) / 2;
    return {.before = median_level(second_half(), middle), .now = median_level(middle, end)};
  }
  /// Whether the generations come nearer to the best value, in the last quarter of the run against the one before.
  [[nodiscard]] bool is_nearing() const {
    const auto [before, now] = levels();
    const double distance = before - best();
    if (now - best() < nearing * distance) return true;  // false for NaN
    return now - best() < creeping * distance && falls_steadily();
  }
  /// Whether no later evaluation was better than the first one.
  [[nodiscard]] bool is_at_first() const { return !(gain() > 0); }
  /// Whether the best value is 0 as far as doubles can tell, which only values that never are negative come to.
  [[nodiscard]] bool is_next_to_zero() const { return best() >= 0 && best() < rounding * levels().now; }

  /// Whether no generation ever had another value.
  [[nodiscard]] bool is_level() const {
    constexpr std::size_t few = 3;
    const auto is_same = [&](double level) { return level == best(); };
    return facts_.level.size() >= few && std::all_of(facts_.level.begin(), facts_.level.end(), is_same);
  }

  /// As a share of the largest of this run.
  [[nodiscard]] double width() const {
    const auto begin = facts_.sigma.begin() + static_cast<std::ptrdiff_t>(run_begin_);
    return facts_.sigma[last_] / *std::max_element(begin, facts_.sigma.end());
  }

 private:
  /// The first record of the second half of the run.
  [[nodiscard]] std::size_t second_half() const {
    return std::min(record_at(run_begin() + (evaluations() - run_begin()) / 2), facts_.level.size());
  }
  /// Eight parts of the second half of the run, of which nearly all pairs must be in order. Values that come and go
  /// are in such an order less than once in a hundred times.
  [[nodiscard]] bool falls_steadily() const {
    constexpr std::size_t parts = 8;
    constexpr int most_out_of_order = 4;  // of 28
    const std::size_t begin = second_half();
    const auto at = [&](std::size_t part) { return begin + (facts_.level.size() - begin) * part / parts; };
    int out_of_order = 0;
    for (std::size_t later = 1; later < parts; ++later) {
      for (std::size_t earlier = 0; earlier < later; ++earlier) {
        const bool falls = median_level(at(later), at(later + 1)) < median_level(at(earlier), at(earlier + 1));
        out_of_order += falls ? 0 : 1;
      }
    }
    return out_of_order <= most_out_of_order;
  }
  /// NaN if there is none.
  [[nodiscard]] double median_level(std::size_t begin, std::size_t end) const {
    std::vector<double> levels;
    for (std::size_t i = begin; i < end; ++i) {
      if (std::isfinite(facts_.level[i])) levels.push_back(facts_.level[i]);
    }
    if (levels.empty()) return std::numeric_limits<double>::quiet_NaN();
    const auto middle = levels.begin() + std::ssize(levels) / 2;
    std::nth_element(levels.begin(), middle, levels.end());
    return *middle;
  }

  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  const CourseFacts& facts_;
  std::size_t first_ = none;
  std::size_t last_ = 0;
  std::size_t run_begin_ = 0;
};

bool is_end(const CourseFacts& facts, const char* kind) { return facts.end && facts.end->kind == kind; }

std::string reason(const CourseFacts& facts) {
  return facts.end ? "It stopped with \"" + facts.end->message + "\"."
                   : "The trace has no end: it still runs, or was killed.";
}

std::string failures(const CourseFacts& facts, const Course& course) {
  if (facts.failed <= 0) return {};
  if (facts.end && facts.end->tells_failures) return {};
  return fmt::format("{} of {} failed.", counted(facts.failed), evaluations(course.evaluations()));
}

/// Whether more evaluations reach the target.
std::string target_outlook(double target, const Outlook& outlook) {
  if (target >= outlook.middle) return fmt::format(" The target {} is likely to be reached by then.", number(target));
  if (target >= outlook.lowest) return fmt::format(" The target {} needs luck or more evaluations.", number(target));
  return fmt::format(" The target {} is lower still: it needs more evaluations, if this course leads there at all.",
                     number(target));
}

/// Where only the first value, mostly that of the start, is better than what generations have come to.
std::string approach(const Course& course) {
  const auto [before, now] = course.levels();
  const int digits = digits_of({before, now});
  return fmt::format(
      "No value is below the first one yet, but generations come nearer to it: their best values went from about {} "
      "to {}.",
      number(before, digits), number(now, digits));
}

/// What more evaluations bring.
std::string promise(const CourseFacts& facts, const std::optional<Outlook>& outlook, const Course& course) {
  if (!outlook && course.is_at_first() && course.is_nearing()) return approach(course);
  if (!outlook) {
    return fmt::format("The {} gained nothing, which is too few to call it stuck.",
                       last_evaluations(std::max(1.0, course.quarter())));
  }
  const int digits = digits_of({outlook->before, outlook->now, outlook->middle, outlook->lowest});
  const auto told = [digits](double value) { return number(value, digits); };
  const std::string text = fmt::format(
      "The {} lowered f from {} to {}. As many again would most likely lead to a value between {} and {}, with even "
      "chances of more or less than {}: so it was in six of seven searches on benchmark functions.",
      last_evaluations(outlook->window), told(outlook->before), told(outlook->now), told(outlook->lowest),
      told(outlook->now), told(outlook->middle));
  return facts.ftarget ? text + target_outlook(*facts.ftarget, *outlook) : text;
}

std::string doubt(const Course& course) {
  return course.is_level() ? "All generations have the same best value: does f depend on its parameters?" : "";
}

std::string restarts(const Course& course) {
  const double count = course.restarts_since_best();
  if (count < 1) return {};
  return count < 2 ? "One restart after the best point found nothing better."
                   : fmt::format("{} restarts after the best point found nothing better.", counted(count));
}

Standing target(const CourseFacts& facts, const Course& course) {
  return {"target", "Target reached",
          join({fmt::format("f = {} after {}, which is what was asked for.", number(course.best()),
                            evaluations(course.evaluations())),
                failures(facts, course)})};
}

Standing converged(const CourseFacts& facts, const Course& course) {
  const double since = course.last_gain();
  const std::string last =
      since < course.evaluations()
          ? fmt::format("Since evaluation {} it has gained less than a hundredth of all.", counted(since))
          : std::string();
  const bool is_short = facts.ftarget && course.best() > *facts.ftarget;
  const std::string local =
      is_short ? fmt::format("The target {} is lower: this is a local optimum, or the target cannot be reached.",
                             number(*facts.ftarget))
               : "A local optimum looks the same from inside: other seeds or restarts tell.";
  return {"converged", "Converged",
          join({fmt::format("f = {} after {}, and more of them would change next to nothing.", number(course.best()),
                            evaluations(course.evaluations())),
                last, restarts(course), reason(facts), local, failures(facts, course)})};
}

/// A run that converged somewhere worse than a point it had seen before.
Standing missed(const CourseFacts& facts, const Course& course) {
  return {"stuck", "Converged, but not at its best point",
          join({fmt::format("The best value, {}, was found before evaluation {}.", number(course.best()),
                            counted(course.last_gain())),
                reason(facts), failures(facts, course)})};
}

Standing stuck(const CourseFacts& facts, const Course& course) {
  const double since = course.last_gain();
  const std::string gained =
      course.gain() > 0 ? fmt::format("Since then f has fallen by less than a hundredth of what it fell before, to {}.",
                                      number(course.best()))
                        : fmt::format("f has never fallen below the first value, {}.", number(course.best()));
  return {"stuck", fmt::format("Stuck since evaluation {}", counted(since)),
          join({gained, doubt(course),
                fmt::format("{} later the step size is {:.2g} times what it was then.",
                            evaluations(course.evaluations() - since), course.width_since(since)),
                restarts(course), reason(facts),
                course.restarts_since(0) < 1
                    ? "More evaluations of this kind will not help: try another start, a larger popsize, or restarts."
                    : "More evaluations of this kind will not help: try another start, or a larger popsize.",
                failures(facts, course)})};
}

Standing failing(const CourseFacts& facts, const Course& course) {
  const std::string best = course.has_value() ? fmt::format("The best value is {}.", number(course.best()))
                                              : std::string("Not one evaluation gave a finite value.");
  return {"failing", "The objective fails", join({failures(facts, course), best, reason(facts)})};
}

Standing broken(const CourseFacts& facts, const Course& course) {
  return {"broken", "The search broke down",
          join({fmt::format("The best value so far is {}.", number(course.best())), reason(facts),
                failures(facts, course)})};
}

/// A search with constraints that has not found a point yet.
Standing infeasible(const CourseFacts& facts, const Course& course) {
  return {"infeasible", "No feasible point yet",
          join({fmt::format("None of {} met all constraints; the best point violates them by {}.",
                            evaluations(course.evaluations()), number(*facts.violation)),
                reason(facts), failures(facts, course)})};
}

Standing improving(const CourseFacts& facts, const Course& course) {
  const std::optional<Outlook> outlook = outlook_of(facts);
  const bool is_wide = course.width() > still_wide;
  const bool is_short = course.generations() < few_records;
  const std::string state =
      fmt::format("f = {} after {}, where the step size is {} % of its largest.", number(course.best()),
                  evaluations(course.evaluations()), percent(course.width()));
  const std::string text =
      join({state, doubt(course), promise(facts, outlook, course), reason(facts), failures(facts, course)});
  if (course.is_level()) return {"waiting", "f has not changed yet", text};
  if (is_end(facts, "budget") && (is_wide || is_short)) return {"budget", "Budget too small", text};
  if (outlook) return {"improving", "Still improving", text};
  const bool is_coming = course.is_at_first() && course.is_nearing();
  return {"waiting", is_coming ? "Not yet better than its start" : "Not finished", text};
}

/// Where the search itself does not know.
Standing standing_by_course(const CourseFacts& facts, const Course& course) {
  const double half = course.run_begin() + (course.evaluations() - course.run_begin()) / 2;
  const double middle = course.evaluations() / 2;
  const double before = course.best_at(middle);
  const double gained = std::isfinite(before) ? before - course.best() : std::numeric_limits<double>::infinity();
  const bool is_small = gained <= small_gain * course.gain() && gained <= small_gain * std::abs(course.best());
  const bool is_shrinking = course.width_since(half) < shrinking;
  const bool is_short = course.generations() < few_records;
  const bool is_flat = gained <= 1e-6 * std::max(std::abs(course.best()), course.gain());
  if (is_flat && (course.width() < narrow || course.is_next_to_zero())) return converged(facts, course);
  const bool restarted = course.restarts_since(course.last_gain()) >= 1;
  const bool is_moving = is_shrinking || course.is_nearing();
  if (is_small && !is_short && (!is_moving || restarted)) return stuck(facts, course);
  return improving(facts, course);
}

}  // namespace

std::optional<Outlook> outlook_of(const CourseFacts& facts) {
  const Course course(facts);
  if (!course.has_value()) return std::nullopt;
  const double window = course.quarter();
  Outlook outlook{.window = window, .before = course.best_at(course.evaluations() - window), .now = course.best()};
  const double gain = outlook.before - outlook.now;
  if (window < 1 || !(gain > 0) || !std::isfinite(gain)) return std::nullopt;
  outlook.middle = outlook.now - middle_gain * gain;
  outlook.lowest = outlook.now - gain;
  if (outlook.now > 0 && gain >= outlook.now) {  // no positive value is known to become negative: by factors then
    const double factor = outlook.now / outlook.before;
    outlook.middle = outlook.now * factor;
    outlook.lowest = outlook.now * factor * factor;
  }
  return outlook;
}

Standing standing_of(const CourseFacts& facts) {
  const Course course(facts);
  if (course.generations() == 0) {
    return {"empty", "Nothing yet", "The trace holds no record: not one generation was finished."};
  }
  if (is_end(facts, "failing")) return failing(facts, course);
  if (facts.violation) return infeasible(facts, course);
  if (!course.has_value()) return failing(facts, course);
  if (is_end(facts, "target")) return target(facts, course);
  if (facts.failed > mostly_failing * course.evaluations()) return failing(facts, course);
  if (facts.end && facts.end->success) return converged(facts, course);
  if (is_end(facts, "converged")) {
    return facts.end->missed_best ? missed(facts, course) : converged(facts, course);
  }
  if (is_end(facts, "stalled")) return stuck(facts, course);
  if (is_end(facts, "degenerate")) return broken(facts, course);
  return standing_by_course(facts, course);
}

}  // namespace surefoot
