// The file on the disk.

#include "driver/checkpoint/checkpoint_file.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <functional>
#include <stdexcept>

#include "checkpoint_support.hpp"
#include "driver/checkpoint/checkpoint_container.hpp"

namespace surefoot {
namespace {

namespace fs = std::filesystem;

using test::bytes_of;
using test::container;
using test::contains;
using test::example;
using test::rejection;

std::string writing_failure(const std::function<void()>& action) {
  try {
    action();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

class CheckpointFile : public testing::Test {
 protected:
  CheckpointFile() : folder_(fs::temp_directory_path() / ("surefoot checkpoint " + std::to_string(::getpid()))) {
    fs::remove_all(folder_);
    fs::create_directory(folder_);
  }
  ~CheckpointFile() override {
    std::error_code ignored;
    fs::permissions(folder_, fs::perms::owner_all, ignored);
    fs::remove_all(folder_, ignored);
  }

  [[nodiscard]] std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }
  [[nodiscard]] fs::path previous() const { return file_.string() + ".prev"; }

  static void put(const fs::path& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
  }

  const fs::path folder_;
  const fs::path file_ = folder_ / "run.checkpoint";
};

TEST_F(CheckpointFile, IsLoadedAsSaved) {
  const std::string payload = bytes_of(example());
  save_checkpoint(file_, payload);
  EXPECT_EQ(load_checkpoint(file_), payload);
  EXPECT_EQ(files(), 1U) << "no temporary file, no previous one";
}

TEST_F(CheckpointFile, LargePayload) {
  const std::string payload(10'000'000, 'x');
  save_checkpoint(file_, payload);
  EXPECT_EQ(load_checkpoint(file_), payload);
}

TEST_F(CheckpointFile, ObeysTheUmask) {
  const mode_t before = ::umask(027);
  save_checkpoint(file_, "state");
  ::umask(before);
  EXPECT_EQ(fs::status(file_).permissions(), fs::perms(0640));
}

TEST_F(CheckpointFile, InTheCurrentFolderNeedsNoFolder) {
  const fs::path before = fs::current_path();
  fs::current_path(folder_);
  save_checkpoint("here", "1");
  save_checkpoint("here", "2");
  const std::string loaded = load_checkpoint("here");
  const std::string loaded_previous = load_checkpoint("here.prev");
  fs::current_path(before);
  EXPECT_EQ(loaded, "2");
  EXPECT_EQ(loaded_previous, "1");
}

TEST_F(CheckpointFile, KeepsThePreviousOne) {
  save_checkpoint(file_, "1");
  save_checkpoint(file_, "2");
  EXPECT_EQ(load_checkpoint(file_), "2");
  EXPECT_EQ(load_checkpoint(previous()), "1");
  save_checkpoint(file_, "3");
  EXPECT_EQ(load_checkpoint(file_), "3");
  EXPECT_EQ(load_checkpoint(previous()), "2");
  EXPECT_EQ(files(), 2U);
}

/// Two names of one file: rename between them does nothing and reports success.
TEST_F(CheckpointFile, PreviousMayBeTheSameFile) {
  save_checkpoint(file_, "1");
  fs::create_hard_link(file_, previous());
  save_checkpoint(file_, "2");
  EXPECT_EQ(load_checkpoint(file_), "2");
  EXPECT_EQ(load_checkpoint(previous()), "1");
  EXPECT_EQ(files(), 2U);
}

/// A reader that holds the old file open, or a backup by hard link, keeps the old contents.
TEST_F(CheckpointFile, IsNeverWrittenInPlace) {
  save_checkpoint(file_, "1");
  fs::create_hard_link(file_, folder_ / "backup");
  save_checkpoint(file_, "2");
  EXPECT_EQ(load_checkpoint(folder_ / "backup"), "1");
}

TEST_F(CheckpointFile, StaleTemporariesDoNotHurt) {
  // Names that this process is about to use; which numbers come next depends on the tests before.
  for (int i = 0; i < 200; ++i)
    put(file_.string() + ".tmp." + std::to_string(::getpid()) + "." + std::to_string(i), "?");
  save_checkpoint(file_, "1");
  save_checkpoint(file_, "2");
  EXPECT_EQ(load_checkpoint(file_), "2");
  EXPECT_EQ(load_checkpoint(previous()), "1");
  EXPECT_EQ(files(), 202U) << "what others left behind is theirs";
}

TEST_F(CheckpointFile, DamageIsReportedWithTheIntactPreviousOne) {
  save_checkpoint(file_, "1");
  save_checkpoint(file_, "2");
  put(file_, seal("2") + "?");
  EXPECT_EQ(rejection([&] { load_checkpoint(file_); }),
            file_.string() + ": damaged checkpoint: 1 bytes too many; the previous checkpoint " + previous().string() +
                " is intact");
  fs::remove(file_);
  EXPECT_EQ(rejection([&] { load_checkpoint(file_); }),
            file_.string() + ": it cannot be read (No such file or directory); the previous checkpoint " +
                previous().string() + " is intact");
  put(file_, "");
  EXPECT_EQ(rejection([&] { load_checkpoint(file_); }),
            file_.string() + ": truncated checkpoint: it ends within its header; the previous checkpoint " +
                previous().string() + " is intact");
}

TEST_F(CheckpointFile, DamagedPreviousOneIsNotOffered) {
  put(file_, "");
  put(previous(), seal("1").substr(1));
  EXPECT_EQ(rejection([&] { load_checkpoint(file_); }),
            file_.string() + ": truncated checkpoint: it ends within its header");
}

TEST_F(CheckpointFile, DamagedFileIsReplaced) {
  put(file_, "rubbish");
  save_checkpoint(file_, "1");
  EXPECT_EQ(load_checkpoint(file_), "1");
  EXPECT_EQ(rejection([&] { load_checkpoint(previous()); }), previous().string() + ": not a Surefoot checkpoint");
}

TEST_F(CheckpointFile, ForeignFilesAreNamed) {
  EXPECT_EQ(rejection([] { load_checkpoint("/proc/self/exe"); }), "/proc/self/exe: not a Surefoot checkpoint");
  put(file_, "sigma = 1\n");
  EXPECT_EQ(rejection([&] { load_checkpoint(file_); }), file_.string() + ": not a Surefoot checkpoint");
  put(file_, container(checkpoint_format + 1, "1.0", "?"));
  EXPECT_TRUE(
      contains(rejection([&] { load_checkpoint(file_); }), ": checkpoint of a newer version: Surefoot 1.0 wrote"));
}

/// A terabyte that takes no room on the disk: only its start is read.
TEST_F(CheckpointFile, HugeForeignFileIsNotRead) {
  put(file_, "");
  if (::truncate(file_.c_str(), off_t{1} << 40) != 0) GTEST_SKIP() << "no sparse files here";
  EXPECT_EQ(rejection([&] { load_checkpoint(file_); }), file_.string() + ": not a Surefoot checkpoint");
}

TEST_F(CheckpointFile, WhatIsNoFileIsNotRead) {
  EXPECT_EQ(rejection([&] { load_checkpoint(folder_); }), folder_.string() + ": it cannot be read (Is a directory)");
  EXPECT_EQ(rejection([] { load_checkpoint("/dev/zero"); }), "/dev/zero: it is not a regular file");
  ASSERT_EQ(::mkfifo(file_.c_str(), 0600), 0);
  EXPECT_EQ(rejection([&] { load_checkpoint(file_); }), file_.string() + ": it is not a regular file");
}

TEST_F(CheckpointFile, WhatIsNoFileIsNotReplaced) {
  fs::create_directory(file_);
  EXPECT_EQ(writing_failure([&] { save_checkpoint(file_, "1"); }),
            file_.string() + " cannot be written (Is a directory)");
  EXPECT_TRUE(fs::is_directory(file_));
  EXPECT_EQ(files(), 1U);
  EXPECT_EQ(writing_failure([] { save_checkpoint("/dev/null", "1"); }),
            "/dev/null cannot be written (it is not a regular file)");
  EXPECT_TRUE(contains(writing_failure([] { save_checkpoint("", "1"); }), "cannot be written"));
}

TEST_F(CheckpointFile, FailureAtTheLastStepLeavesNoTemporary) {
  save_checkpoint(file_, "1");
  fs::create_directory(previous());
  EXPECT_EQ(writing_failure([&] { save_checkpoint(file_, "2"); }),
            previous().string() + " cannot be written (Is a directory)");
  EXPECT_EQ(load_checkpoint(file_), "2");
  EXPECT_EQ(files(), 2U);
}

TEST_F(CheckpointFile, MissingFolderIsReported) {
  const fs::path nowhere = folder_ / "missing" / "run.checkpoint";
  EXPECT_EQ(writing_failure([&] { save_checkpoint(nowhere, "1"); }),
            nowhere.string() + " cannot be written (No such file or directory)");
  put(folder_ / "missing", "a file");
  EXPECT_EQ(writing_failure([&] { save_checkpoint(nowhere, "1"); }),
            nowhere.string() + " cannot be written (Not a directory)");
}

TEST_F(CheckpointFile, TooLongNameIsReported) {
  // The second is short enough itself, but its temporary file's name is not.
  for (const std::size_t length : {std::size_t{300}, std::size_t{254}}) {
    const fs::path longer = folder_ / std::string(length, 'x');
    EXPECT_EQ(writing_failure([&] { save_checkpoint(longer, "1"); }),
              longer.string() + " cannot be written (File name too long)");
  }
  EXPECT_EQ(files(), 0U);
}

TEST_F(CheckpointFile, UnwritableFolderIsReported) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  save_checkpoint(file_, "1");
  fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_EQ(writing_failure([&] { save_checkpoint(file_, "2"); }),
            file_.string() + " cannot be written (Permission denied)");
  EXPECT_EQ(load_checkpoint(file_), "1");
}

/// A limit on the size of files in place of a full disk: the write comes up short, then fails.
TEST_F(CheckpointFile, FailedWriteLeavesEverythingAsItWas) {
  save_checkpoint(file_, "1");
  save_checkpoint(file_, "2");
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{1000, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string message = writing_failure([&] { save_checkpoint(file_, std::string(5000, 'x')); });
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(message, file_.string() + " cannot be written (File too large)");
  EXPECT_EQ(load_checkpoint(file_), "2");
  EXPECT_EQ(load_checkpoint(previous()), "1");
  EXPECT_EQ(files(), 2U) << "the temporary file is gone";
}

}  // namespace
}  // namespace surefoot
