#pragma once

/// \file
/// Results in the data format of COCO [Hansen2021], which the community's post-processing reads.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "surefoot/bbob.hpp"

namespace surefoot {

/// What COCO's logger writes about one search on one problem: a line in .dat when the best value passes one of 100
/// targets a decade, a line in .tdat at 20 evaluation counts a decade, at 1, 2 and 5 times 10^k d and at the end.
class CocoLog {
 public:
  explicit CocoLog(const BbobProblem& problem);

  void add(std::int64_t evaluation, double value, const double* x);

  [[nodiscard]] std::string dat() const { return dat_; }
  [[nodiscard]] std::string tdat() const { return last_is_written_ ? tdat_ : tdat_ + last_line(); }

 private:
  [[nodiscard]] std::string last_line() const;
  bool passes_target();
  bool passes_count(std::int64_t evaluation);

  double fopt_;
  Index dimension_;
  double best_;
  int target_exponent_;        // the last target that was passed is 10^(this/100)
  int count_exponent_ = 0;     // the next count is 10^(this/20)
  std::int64_t multiple_ = 1;  // the next count is this times d
  std::string dat_;
  std::string tdat_;
  std::int64_t last_evaluation_ = 0;
  double last_value_ = 0;
  Vector last_x_;
  bool last_is_written_ = true;  // in tdat_
};

/// One search in an index file.
struct CocoEntry {
  int function;
  Index dimension;
  int instance;
  std::int64_t evaluations;
  double precision;
};

/// data_f1/bbobexp_f1_DIM2_i1 under an algorithm's folder, without the extension.
std::filesystem::path coco_data_file(int function, Index dimension, int instance);

/// The index file of one function (bbobexp_f1.info); entries are grouped by dimension in the order given.
std::string coco_info(const std::string& algorithm, const std::vector<CocoEntry>& entries);

}  // namespace surefoot
