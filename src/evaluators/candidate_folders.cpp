#include "evaluators/candidate_folders.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <span>
#include <system_error>
#include <utility>

#include "core/invalid_option.hpp"
#include "evaluators/account_text.hpp"
#include "surefoot/outcome.hpp"

namespace surefoot {
namespace {

constexpr const char* score_file = "surefoot-score.txt";

/// A program may end well with values that are failures.
bool is_failure(const ProgramAnswer& answer) {
  return answer.failure.has_value() || std::any_of(answer.values.begin(), answer.values.end(), [](double value) {
           return surefoot::kind_of(value) == ValueKind::failed;
         });
}

std::vector<double> read_score(const std::filesystem::path& folder) {
  std::ifstream in(folder / score_file);
  std::vector<double> score(2);
  return in >> score[0] >> score[1] ? score : std::vector<double>{};
}

[[noreturn]] void throw_no_folder(const std::string& place, const std::string& why) {
  throw std::runtime_error("folders: no folder for candidates can be made in " + place + " (" + why +
                           "); --folders names another place");
}

/// How names of private folders begin.
std::string private_name(const FolderOwner& owner) {
  return owner.tag.empty() ? "surefoot-" : "surefoot-" + owner.tag + "-";
}

/// Whether a folder may be that of a candidate: 12-3, 12-3-2 or 12-3.2.
bool is_id(const std::string& name) {
  const auto dash = name.find('-');
  return dash != std::string::npos && dash > 0 && name.find_first_not_of("0123456789-.") == std::string::npos;
}

void write_text(const std::filesystem::path& file, const std::string& text) { std::ofstream(file) << text; }

}  // namespace

Keep keep_of(const std::string& word) {
  if (word.empty() || word == "none") return Keep::none;
  if (word == "failed") return Keep::failed;
  if (word == "best") return Keep::best;
  if (word == "all") return Keep::all;
  reject("keep", "'" + word + "'", "it is failed, best, all or none");
}

CandidateFolders::CandidateFolders(std::filesystem::path root, Keep keep, ConstraintRules rules, FolderOwner owner)
    : root_(std::move(root)),
      keep_(keep),
      rules_(std::move(rules)),
      owner_(std::move(owner)),
      is_private_(root_.empty()),
      has_leftovers_(owner_.resumes && (!is_private_ || !owner_.tag.empty())) {
  if (is_private_ && keep != Keep::none) throw std::invalid_argument("keep: it needs a folder, --folders DIR");
  if (!is_private_) root_ = std::filesystem::absolute(root_);
  if (keep == Keep::best) best_ = read_score(root_ / "best");
}

CandidateFolders::~CandidateFolders() {
  std::error_code ignored;
  for (const auto& [id, folder] : open_) std::filesystem::remove_all(folder, ignored);
  if (is_private_ && !root_.empty()) std::filesystem::remove_all(root_, ignored);
  if (!is_private_) std::filesystem::remove(root_, ignored);  // only if nothing was kept
}

void CandidateFolders::make_root() {
  if (std::exchange(has_leftovers_, false)) remove_leftovers();
  if (is_private_) {
    if (root_.empty()) make_private_root();
    return;
  }
  std::error_code error;
  std::filesystem::create_directories(root_, error);
  if (error) throw_no_folder(root_.string(), error.message());
}

void CandidateFolders::make_private_root() {
  std::error_code error;
  const std::filesystem::path place = std::filesystem::temp_directory_path(error);
  if (error) throw_no_folder("the folder that TMPDIR names", error.message());
  std::string pattern = (place / (private_name(owner_) + "XXXXXX")).string();
  if (::mkdtemp(pattern.data()) == nullptr) {
    throw_no_folder(place.string(), std::error_code(errno, std::generic_category()).message());
  }
  root_ = pattern;
}

/// An evaluation that has ended has its account in its folder.
void CandidateFolders::remove_leftovers() {
  std::error_code error;
  const std::filesystem::path place = is_private_ ? std::filesystem::temp_directory_path(error) : root_;
  std::vector<std::filesystem::path> leftovers;
  for (std::filesystem::directory_iterator entry(place, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    const bool is_ours = is_private_ ? name.starts_with(private_name(owner_))
                                     : is_id(name) && !std::filesystem::exists(entry->path() / account_file);
    if (is_ours && entry->is_directory()) leftovers.push_back(entry->path());
  }
  for (const std::filesystem::path& folder : leftovers) std::filesystem::remove_all(folder, error);
}

std::filesystem::path CandidateFolders::open(const std::string& id) {
  const auto known = std::find_if(open_.begin(), open_.end(), [&](const auto& entry) { return entry.first == id; });
  if (known != open_.end()) return known->second;
  make_root();
  // An earlier process may have kept a folder of this name.
  std::filesystem::path folder = root_ / id;
  std::error_code error;
  if (owner_.resumes) std::filesystem::remove_all(folder, error);  // the same evaluation, which was not counted
  for (int n = 2; !std::filesystem::create_directory(folder, error); ++n) {
    if (error) throw_no_folder(root_.string(), error.message());
    folder = root_ / (id + "." + text(n));
  }
  open_.emplace_back(id, folder);
  return folder;
}

/// By how much constraints are violated, and f: the smaller one is better, the first number first.
std::vector<double> CandidateFolders::score_of(const std::vector<double>& values) const {
  return {rules_.violation(std::span(values).subspan(1)), values.front()};
}

/// A point is as good as a search takes it.
bool CandidateFolders::is_best(const ProgramAnswer& answer) const {
  if (is_failure(answer) || answer.values.empty() || !std::isfinite(answer.values.front())) return false;
  return best_.empty() || score_of(answer.values) < best_;
}

void CandidateFolders::close(const ProgramAccount& account) {
  const auto entry =
      std::find_if(open_.begin(), open_.end(), [&](const auto& known) { return known.first == account.id; });
  if (entry == open_.end()) return;
  const std::filesystem::path folder = entry->second;
  open_.erase(entry);
  const bool is_cancelled = account.outcome.kind == ProgramOutcome::Kind::cancelled;
  const bool becomes_best = !is_cancelled && keep_ == Keep::best && is_best(account.answer);
  const bool stays = !is_cancelled && (keep_ == Keep::all || (keep_ == Keep::failed && is_failure(account.answer)));
  std::error_code ignored;
  if (stays || becomes_best) write_text(folder / account_file, account_text(account, rules_));
  if (becomes_best) {
    best_ = score_of(account.answer.values);
    write_text(folder / score_file, text(best_[0]) + " " + text(best_[1]) + "\n");
    std::filesystem::remove_all(root_ / "best", ignored);
    std::filesystem::rename(folder, root_ / "best", ignored);
  } else if (!stays) {
    std::filesystem::remove_all(folder, ignored);
  }
}

}  // namespace surefoot
