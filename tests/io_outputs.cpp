// SPDX-License-Identifier: BSD-3-Clause
// Outputs appear whole or not at all (tests/reliability/README.md, rows 89 to 92).
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <cerrno>
#include <memory>

#include "io/pending_files.hpp"
#include "io_outputs.hpp"

namespace {
std::vector<std::string> asked;  // calls of commit() to the system, in order
int sync_fault = 0;
std::size_t sound_syncs = 0;  // before faults
int signal_at_rename = 0;
}  // namespace

// These two replace functions of the C library.
extern "C" int fsync(int descriptor) {
  struct stat status {};
  ::fstat(descriptor, &status);
  asked.push_back(S_ISDIR(status.st_mode) ? "sync folder" : "sync file");
  return sync_fault == 0 || asked.size() <= sound_syncs ? 0 : (errno = sync_fault, -1);
}

extern "C" int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) {
  asked.push_back("rename");
  if (signal_at_rename != 0) ::raise(signal_at_rename);
  return static_cast<int>(::syscall(SYS_renameat2, from_folder, from, to_folder, to, flags));
}

namespace hgrid::io::test {
namespace {

using Names = std::vector<std::string>;

TEST_F(Outputs, AppearAtCommit) {
  {
    AtomicFile out(path("a.csv"), false);
    out.write("one ");
    EXPECT_FALSE(std::filesystem::exists(path("a.csv")));
    EXPECT_EQ(entries().size(), 1u);  // the temporary
    out.write("two");
    out.commit();
  }
  EXPECT_EQ(content("a.csv"), "one two");
  EXPECT_EQ(entries(), Names{"a.csv"});
}

TEST_F(Outputs, VanishWithoutCommit) {
  { AtomicFile(path("a.csv"), false).write("half"); }
  try {
    AtomicFile out(path("b.csv"), false);
    throw std::runtime_error("a fault in between");
  } catch (const std::runtime_error&) {
  }
  EXPECT_TRUE(entries().empty());
}

TEST_F(Outputs, ReplaceOnlyWhenAsked) {
  file("a.csv", "old");
  expect_error(ErrorCode::invalid_argument, {"a.csv: exists"}, [&] { write_and_commit(path("a.csv"), false); });
  EXPECT_EQ(content("a.csv"), "old");
  { AtomicFile(path("a.csv"), true).write("half"); }
  EXPECT_EQ(content("a.csv"), "old");
  write_and_commit(path("a.csv"), true);
  EXPECT_EQ(content("a.csv"), "new");

  AtomicFile late(path("b.csv"), false);
  file("b.csv", "came in between");
  expect_error(ErrorCode::io, {"b.csv: cannot take its name: it came into being", "--overwrite", "File exists"},
               [&] { late.commit(); });
  EXPECT_EQ(content("b.csv"), "came in between");
  EXPECT_EQ(entries().size(), 2u);
}

TEST_F(Outputs, ReachTheDiskBeforeTheirName) {
  asked.clear();
  write_and_commit(path("a.csv"), false);
  EXPECT_EQ(asked, (Names{"sync file", "rename", "sync folder"}));
  for (const int unknown : {EINVAL, ENOSYS, ENOTSUP}) {  // file systems without it
    sync_fault = unknown;
    write_and_commit(path("a.csv"), true);
  }
  for (const int fault : {EIO, ENOSPC, EDQUOT}) {
    sync_fault = fault;
    expect_error(ErrorCode::io, {"a.csv: cannot write"}, [&] { write_and_commit(path("a.csv"), true, "half"); });
  }
  sync_fault = 0;
  EXPECT_EQ(content("a.csv"), "new");
  EXPECT_EQ(entries(), Names{"a.csv"});
}

TEST_F(Outputs, OfSeveralNoneAppearsIfOneFails) {
  {
    AtomicFile first(path("a.csv"), false), second(path("b.csv"), false);
    asked.clear();
    sync_fault = EIO, sound_syncs = 1;
    expect_error(ErrorCode::io, {"b.csv: cannot write"}, [&] { AtomicFile::commit_all({&first, nullptr, &second}); });
    sync_fault = 0, sound_syncs = 0;
  }
  EXPECT_TRUE(entries().empty()) << entries().front();
}

TEST_F(Outputs, OfSeveralNoneIsNamedIfOneCannotBe) {
  {
    AtomicFile first(path("a.csv"), false), second(path("b.csv"), false), third(path("c.csv"), false);
    file("b.csv", "came in between");
    expect_error(ErrorCode::io, {"b.csv: cannot take its name"}, [&] { AtomicFile::commit_all({&first, &second, &third}); });
  }
  EXPECT_EQ(entries(), Names{"b.csv"});
  file("a.csv", "old");
  {
    AtomicFile first(path("a.csv"), true), second(path("c.csv"), true), third(path("b.csv"), true);
    first.write("new"), second.write("new");
    std::filesystem::remove(path("b.csv"));
    std::filesystem::create_directory(path("b.csv"));
    expect_error(ErrorCode::io, {"b.csv: cannot rename", "directory"}, [&] {
      AtomicFile::commit_all({&first, &second, &third});
    });
  }
  EXPECT_EQ(content("a.csv"), "old");
  EXPECT_EQ(entries().size(), 2u);
}

TEST_F(Outputs, LinksAreFollowed) {
  file("real.csv", "old");
  std::filesystem::create_symlink("real.csv", folder_ / "link.csv");
  write_and_commit(path("link.csv"), true);
  EXPECT_EQ(content("real.csv"), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(path("link.csv")));
  std::filesystem::create_symlink("loop", folder_ / "loop");
  expect_error(ErrorCode::io, {"symbolic links"}, [&] { write_and_commit(path("loop"), true); });
  std::filesystem::create_symlink("nowhere", folder_ / "dangling");
  expect_error(ErrorCode::io, {"a link to nothing"}, [&] { write_and_commit(path("dangling"), true); });
}

TEST_F(Outputs, PathsThatCannotBe) {
  expect_error(ErrorCode::io, {"file name is empty"}, [&] { write_and_commit("", true); });
  expect_error(ErrorCode::io, {"Is a directory"}, [&] { write_and_commit(folder_.string(), true); });
  expect_error(ErrorCode::io, {"No such file or directory"}, [&] { write_and_commit(path("no/a.csv"), true); });
  expect_error(ErrorCode::io, {"Not a directory"}, [&] { write_and_commit(file("f", "") + "/a.csv", true); });
  expect_error(ErrorCode::io, {"directory"}, [&] { write_and_commit(path("new/"), true); });
  expect_error(ErrorCode::io, {"name too long"}, [&] { write_and_commit(path(std::string(256, 'x')), true); });
  expect_error(ErrorCode::io, {"name too long"}, [&] { write_and_commit(std::string(5000, 'x'), true); });
  for (const std::string& name : Names{"with space", "new\nline", "\xFF", std::string(255, 'x')}) {
    write_and_commit(path(name), false);
    EXPECT_EQ(content(name), "new");
  }
}

TEST_F(Outputs, DevicesAndFifosAreWrittenDirectly) {
  expect_error(ErrorCode::io, {"/dev/full", "No space left"}, [&] { write_and_commit("/dev/full", false); });
  write_and_commit("/dev/null", false);
  struct stat status {};
  ASSERT_EQ(::stat("/dev/null", &status), 0);
  EXPECT_TRUE(S_ISCHR(status.st_mode));

  ::mkfifo(path("fifo").c_str(), 0600);
  const int reader = ::open(path("fifo").c_str(), O_RDONLY | O_NONBLOCK);
  write_and_commit(path("fifo"), false);
  char bytes[8];
  EXPECT_EQ(::read(reader, bytes, sizeof(bytes)), 3);
  ::close(reader);
  EXPECT_EQ(entries(), Names{"fifo"});
}

TEST_F(Outputs, FileSizeLimit) {
  const int status = in_child([&] {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{1000, 1000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    write_and_commit(path("a.csv"), false, std::string(5000, 'x'));
  });
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 4);
  EXPECT_TRUE(entries().empty());
}

TEST_F(Outputs, ClosedPipe) {
  const int status = in_child([&] {
    ::signal(SIGPIPE, SIG_IGN);
    int ends[2];
    if (::pipe(ends) != 0) ::_exit(1);
    ::close(ends[0]);
    ::dup2(ends[1], STDOUT_FILENO);
    write_and_commit("-", false);
  });
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 4);
}

TEST_F(Outputs, StandardOutput) {
  const int status = in_child([&] {
    const int out = ::open(path("stdout").c_str(), O_WRONLY | O_CREAT, 0600);
    ::dup2(out, STDOUT_FILENO);
    write_and_commit("-", false);
    if (::write(STDOUT_FILENO, " open", 5) != 5) ::_exit(1);
  });
  EXPECT_EQ(status, 0);
  EXPECT_EQ(content("stdout"), "new open");
}

extern "C" void on_interrupt(int signal) {
  if (is_held_back(signal)) return;
  remove_pending_files();
  ::_exit(130);
}

TEST_F(Outputs, Interrupted) {
  const int status = in_child([&] {
    ::signal(SIGINT, on_interrupt);
    AtomicFile first(path("a.csv"), false), second(path("b.csv"), false);
    first.write("half");
    ::raise(SIGINT);
  });
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 130);
  EXPECT_TRUE(entries().empty());
}

TEST_F(Outputs, InterruptedWhileTheyTakeTheirNames) {
  file("a.csv", "old");
  const int status = in_child([&] {
    ::signal(SIGINT, on_interrupt);
    AtomicFile first(path("a.csv"), true), second(path("b.csv"), true);
    first.write("new"), second.write("new");
    signal_at_rename = SIGINT;
    AtomicFile::commit_all({&first, &second});
  });
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 130);
  EXPECT_EQ(content("a.csv"), "new");
  EXPECT_EQ(content("b.csv"), "new");
  EXPECT_EQ(entries().size(), 2u);
}

TEST_F(Outputs, KilledLeavesNoTarget) {
  file("b.csv", "old");
  const int status = in_child([&] {
    AtomicFile first(path("a.csv"), false), second(path("b.csv"), true);
    first.write("half");
    second.write("half");
    ::raise(SIGKILL);
  });
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_FALSE(std::filesystem::exists(path("a.csv")));
  EXPECT_EQ(content("b.csv"), "old");
}

TEST_F(Outputs, ManyWaitForTheirNames) {
  const auto write_some = [&] {
    const rlimit few = {24, 24};
    if (::setrlimit(RLIMIT_NOFILE, &few) != 0) ::_exit(1);
    std::vector<std::unique_ptr<AtomicFile>> files;
    for (int k = 0; k < 300; ++k) {
      files.push_back(std::make_unique<AtomicFile>(path("f" + std::to_string(k)), false));
      files.back()->write("new");
      files.back()->finish();
    }
    if (entries().size() != 300 || content("f7") == "new") ::_exit(2);
    return files;
  };
  EXPECT_EQ(in_child([&] {
              ::signal(SIGINT, on_interrupt);
              const auto files = write_some();
              ::raise(SIGINT);
            }),
            130 << 8);
  EXPECT_TRUE(entries().empty());
  EXPECT_EQ(in_child([&] {
              const auto files = write_some();
              std::vector<AtomicFile*> all;
              for (const auto& each : files) all.push_back(each.get());
              AtomicFile::commit_all(all);
            }),
            0);
  EXPECT_EQ(entries().size(), 300u);
  EXPECT_EQ(content("f299"), "new");
}

}  // namespace
}  // namespace hgrid::io::test
