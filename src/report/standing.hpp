#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace surefoot {

/// What a trace says about a search, generation by generation, and how it ended.
struct CourseFacts {
  std::vector<double> nfev;        // evaluations so far
  std::vector<double> best;        // lowest f so far; NaN while there is none that meets all constraints
  std::vector<double> sigma;       // step size
  std::vector<double> run;         // 1, and one more for each restart
  std::vector<double> level = {};  // lowest f of each generation; left out, or NaN, where constraints count too

  struct End {
    std::string kind;  // target, converged, stalled, budget, degenerate, failing, asked
    std::string message;
    bool success = false;
    bool missed_best = false;     // it has converged at a worse point than its best one
    bool tells_failures = false;  // the message says how evaluations failed
  };
  std::optional<End> end = {};  // none: it still runs, or was killed
  std::optional<double> ftarget = {};
  double failed = 0;                     // evaluations without a value
  std::optional<double> violation = {};  // of the best point, if no point met all constraints
};

/// The state of a search: a word for programs, a heading and a paragraph for people.
struct Standing {
  std::string name;  // target, converged, improving, waiting, budget, stuck, infeasible, failing, broken, empty
  std::string title;
  std::string text;
};

/// The verdict, from the data alone. Where the search did not say itself why it ended, the course decides: it is stuck
/// if the second half of the evaluations gained less than a hundredth of all, the steps did not become smaller, and
/// generations did not come nearer to the best value, which an early one may have met by luck, or the start may be.
[[nodiscard]] Standing standing_of(const CourseFacts& facts);

/// What another window of evaluations brings, as far as the last one tells. Recorded searches were asked what followed
/// (docs/evidence/reports.md): the next gain is seldom larger than the last, and in the middle an eighth of it. Where a
/// positive f was more than halved it continues by factors: seldom by more than the square of the last, in the middle
/// by the last.
struct Outlook {
  double window = 0;  // evaluations: a quarter of the run
  double before = 0;  // f at the beginning of the last window
  double now = 0;     // f at its end
  double middle = 0;  // half of the searches end above
  double lowest = 0;  // six of seven end above
};

/// None where the last quarter of the run has gained nothing.
[[nodiscard]] std::optional<Outlook> outlook_of(const CourseFacts& facts);

}  // namespace surefoot
