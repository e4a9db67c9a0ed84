#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>

#include "surefoot/optimizer.hpp"

namespace surefoot {

/// Every finished evaluation since the last checkpoint, in FILE.journal. The operating system keeps what was written
/// when the process dies.
class Journal {
 public:
  /// `checkpoint` is FILE.
  explicit Journal(const std::filesystem::path& checkpoint);

  /// Empties it: what it held is part of the checkpoint now. If the process dies before this, the old entries are
  /// passed over by `replay`.
  void restart();

  /// Appends what has become of a candidate of the search's generation.
  void note(Optimizer& search, Index candidate);

  /// Takes a search, which has been set to the checkpoint's state, through what the journal knows.
  void replay(Optimizer& search) const;

 private:
  struct Close {  // NOLINTNEXTLINE(cppcoreguidelines-owning-memory): this is the owner
    void operator()(std::FILE* file) const { static_cast<void>(std::fclose(file)); }
  };

  std::filesystem::path path_;
  std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace surefoot
