#include "experiments/typical_run.hpp"

#include <fmt/format.h>

#include <sstream>
#include <stdexcept>

#include "experiments/csv.hpp"
#include "experiments/paper.hpp"
#include "surefoot/minimize.hpp"
#include "surefoot/problems.hpp"

namespace surefoot {
namespace {

constexpr const char* course_header = "generation,nfev,best,eta_sigma,eta_B,l_theta";

}  // namespace

Course run_typical(const TypicalRun& run, std::uint64_t protocol_seed) {
  const Problem& problem = find_problem(run.function);
  Course course;
  const auto note = [&](const Record& record) {
    course.nfev.push_back(static_cast<double>(record.nfev));
    course.best.push_back(record.best);
    course.eta_sigma.push_back(record.eta_sigma);
    course.eta_B.push_back(record.eta_B);
    course.l_theta.push_back(record.l_theta);
  };
  minimize(problem, Vector::Constant(paper::dimension, problem.start), problem.sigma0,
           without_tolerances({.evaluate_x0 = false,
                               .ftarget = paper::ftarget,
                               .learning_rate = run.method == "x1" ? LearningRate("fixed:frame=symmetric")
                                                                   : learning_rate_of(run.method),
                               .maxiter = paper::generations(run.popsize),
                               .method = "xnes",
                               .observer = note,
                               .popsize = run.popsize,
                               .restarts = "none",
                               .seed = trial_seed(protocol_seed, run.function, run.popsize, run.method, 0)}));
  return course;
}

std::string to_csv(const Course& course) {
  std::string text = fmt::format("{}\n", course_header);
  for (std::size_t t = 0; t < course.nfev.size(); ++t) {
    text += fmt::format("{},{:.0f},{},{},{},{}\n", t + 1, course.nfev[t], course.best[t], course.eta_sigma[t],
                        course.eta_B[t], course.l_theta[t]);
  }
  return text;
}

Course course_from_csv(const std::string& text) {
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  if (line != course_header) throw std::invalid_argument(fmt::format("a trace begins with '{}'", course_header));
  Course course;
  while (std::getline(lines, line)) {
    const std::vector<std::string> fields = csv_fields(line);
    if (fields.size() != 6) throw std::invalid_argument(fmt::format("'{}' is not a line of a trace", line));
    course.nfev.push_back(csv_number(fields[1]));
    course.best.push_back(csv_number(fields[2]));
    course.eta_sigma.push_back(csv_number(fields[3]));
    course.eta_B.push_back(csv_number(fields[4]));
    course.l_theta.push_back(csv_number(fields[5]));
  }
  return course;
}

}  // namespace surefoot
