#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "driver/merit/constraint_rules.hpp"
#include "evaluators/simulation.hpp"

namespace surefoot {

/// The file with the account of an evaluation in a folder that is kept.
constexpr const char* account_file = "surefoot.txt";

/// Which folders of candidates outlive their evaluation.
enum class Keep { none, failed, best, all };

/// \throws std::invalid_argument for another word than none, failed, best or all.
Keep keep_of(const std::string& word);

/// The search that folders belong to, if it survives its process.
struct FolderOwner {
  std::string tag = {};  // part of the name of a private folder
  bool resumes = false;  // an earlier process, which has ended, may have left folders behind
};

/// Folders of candidates, each named by its id. Those that are kept get a file surefoot.txt with the account of the
/// evaluation; the best one is called 'best'.
class CandidateFolders {
 public:
  /// `root` is made when it is needed. An empty one is a private folder among the system's temporary files, which is
  /// removed in the end. By `rules` the best of points with constraints is found.
  /// For an owner that resumes, folders of evaluations that were cut off are removed before the first one is made, and
  /// a candidate that is evaluated again gets its folder anew.
  CandidateFolders(std::filesystem::path root, Keep keep, ConstraintRules rules = {}, FolderOwner owner = {});
  CandidateFolders(const CandidateFolders&) = delete;
  CandidateFolders(CandidateFolders&&) = delete;
  CandidateFolders& operator=(const CandidateFolders&) = delete;
  CandidateFolders& operator=(CandidateFolders&&) = delete;
  ~CandidateFolders();

  /// The folder of a candidate; made if there is none.
  std::filesystem::path open(const std::string& id);

  /// Removes or keeps the folder of an evaluation that has ended.
  void close(const ProgramAccount& account);

 private:
  [[nodiscard]] std::vector<double> score_of(const std::vector<double>& values) const;
  [[nodiscard]] bool is_best(const ProgramAnswer& answer) const;
  void make_root();
  void make_private_root();
  void remove_leftovers();

  std::filesystem::path root_;
  Keep keep_;
  ConstraintRules rules_;
  FolderOwner owner_;
  bool is_private_;
  bool has_leftovers_;                                               // perhaps
  std::vector<std::pair<std::string, std::filesystem::path>> open_;  // by id
  std::vector<double> best_;  // violation and f of the best, of an earlier process too
};

}  // namespace surefoot
