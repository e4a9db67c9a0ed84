#include "cli/progress_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "cli/progress.hpp"
#include "surefoot/outcome.hpp"

namespace surefoot::cli {
namespace {

std::string pace_text(double pace) { return pace >= 100 ? fmt::format("{:.0f}", pace) : fmt::format("{:.3g}", pace); }

std::string left_text(const Progress& p) { return p.left ? clock_time(std::max(0.0, *p.left)) : "-"; }

/// A part of the live line; those with the highest rank go first where there is no room.
struct Part {
  std::string text;
  int rank;
};

std::string joined(const std::vector<Part>& parts) {
  std::string line;
  for (const Part& part : parts) line += (line.empty() ? "" : ", ") + part.text;
  return line;
}

}  // namespace

void estimate(Progress& progress, const Pace& since, const Options& options) {
  const auto done = static_cast<double>(progress.nfev - since.nfev);
  const auto generations = static_cast<double>(progress.generation - since.generation);
  progress.pace = since.seconds > 0 ? done / since.seconds : 0;
  progress.left.reset();
  const auto note = [&](double seconds) { progress.left = std::min(seconds, progress.left.value_or(seconds)); };
  if (options.timeout) note(*options.timeout - progress.elapsed);
  if (options.maxfevals && done > 0) note(static_cast<double>(*options.maxfevals - progress.nfev) / progress.pace);
  if (options.maxiter && generations > 0) {
    note(static_cast<double>(*options.maxiter - progress.generation) * since.seconds / generations);
  }
}

std::string table_header() {
  return fmt::format("{:>6} {:>9} {:>15} {:>9} {:>7} {:>9} {:>9} {:>9}\n", "gen", "evals", "best f", "sigma", "failed",
                     "evals/s", "time", "left");
}

std::string table_row(const Progress& p) {
  return fmt::format("{:6} {:9} {:15.9g} {:9.2e} {:7} {:>9} {:>9} {:>9}{}\n", p.generation, p.nfev, p.best, p.sigma,
                     p.nfailed, pace_text(p.pace), clock_time(p.elapsed), left_text(p), violation_note(p));
}

std::string violation_note(const Progress& p) {
  return is_finite(p.best) && p.violation > 0 ? fmt::format("  violates by {:.3g}", p.violation) : "";
}

bool is_round_number(std::int64_t generation) {
  while (generation >= 10 && generation % 10 == 0) generation /= 10;
  return generation == 1 || generation == 2 || generation == 5;
}

std::string live_line(const Progress& p, int width) {
  constexpr int wide = 70;
  std::vector<Part> parts = {{fmt::format("{} {}", p.nfev, width < wide ? "evals" : "evaluations"), 1}};
  parts.push_back({is_finite(p.best) ? fmt::format("best f {:.6g}", p.best) : "no value yet", 2});
  if (is_finite(p.best) && p.violation > 0) parts.push_back({fmt::format("violates by {:.2g}", p.violation), 3});
  if (p.run > 1) parts.push_back({fmt::format("run {}", p.run), 8});
  parts.push_back({fmt::format("sigma {:.2g}", p.sigma), 6});
  if (p.nfailed > 0) parts.push_back({fmt::format("{} failed", p.nfailed), 4});
  if (p.pace > 0) parts.push_back({fmt::format("{}/s", pace_text(p.pace)), 7});
  parts.push_back({p.left ? left_text(p) + " left" : clock_time(p.elapsed), 5});
  const auto room = static_cast<std::size_t>(std::max(width, 1));
  while (parts.size() > 1 && joined(parts).size() > room) {
    parts.erase(
        std::max_element(parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.rank < b.rank; }));
  }
  return joined(parts).substr(0, room);
}

}  // namespace surefoot::cli
