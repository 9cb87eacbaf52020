// SPDX-License-Identifier: BSD-3-Clause
// Outputs appear whole or not at all (bad-inputs.md, 89 to 92).
#include "hgrid/host/io/atomic_file.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <memory>

#include "io_support.hpp"

namespace hgrid::io::test {
namespace {

struct Outputs : Folder {
  void write_and_commit(const std::string& target, bool overwrite, std::string_view bytes = "new") const {
    AtomicFile out(target, overwrite);
    out.write(bytes);
    out.commit();
  }
  /// Runs f in a child; gives its wait status.
  int in_child(const std::function<void()>& f) const {
    const pid_t child = ::fork();
    if (child == 0) {
      try {
        f();
        ::_exit(0);
      } catch (const Error& error) {
        ::_exit(error.code() == ErrorCode::io ? 4 : 70);
      }
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return status;
  }
};

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
  expect_error(ErrorCode::invalid_argument, {"a.csv: exists"},
               [&] { write_and_commit(path("a.csv"), false); });
  EXPECT_EQ(content("a.csv"), "old");
  { AtomicFile(path("a.csv"), true).write("half"); }
  EXPECT_EQ(content("a.csv"), "old");
  write_and_commit(path("a.csv"), true);
  EXPECT_EQ(content("a.csv"), "new");

  AtomicFile late(path("b.csv"), false);
  file("b.csv", "came in between");
  expect_error(ErrorCode::io, {"File exists"}, [&] { late.commit(); });
  EXPECT_EQ(content("b.csv"), "came in between");
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
  expect_error(ErrorCode::io, {"No such file or directory"},
               [&] { write_and_commit(path("no/a.csv"), true); });
  expect_error(ErrorCode::io, {"Not a directory"}, [&] { write_and_commit(file("f", "") + "/a.csv", true); });
  expect_error(ErrorCode::io, {"directory"}, [&] { write_and_commit(path("new/"), true); });
  expect_error(ErrorCode::io, {"name too long"},
               [&] { write_and_commit(path(std::string(256, 'x')), true); });
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
    report_write_signals_as_errors();
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
    report_write_signals_as_errors();
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

extern "C" void on_interrupt(int) {
  remove_pending_outputs();
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

TEST_F(Outputs, SameFile) {
  file("a", "x");
  std::filesystem::create_symlink("a", folder_ / "link");
  std::filesystem::create_hard_link(folder_ / "a", folder_ / "hard");
  EXPECT_TRUE(is_same_file(path("a"), path("./link")));
  EXPECT_TRUE(is_same_file(path("a"), path("hard")));
  EXPECT_FALSE(is_same_file(path("a"), file("b", "x")));
  EXPECT_FALSE(is_same_file(path("a"), path("missing")));
  EXPECT_FALSE(is_same_file("-", "-"));
}

TEST_F(Outputs, ManyAtOnceFailCleanly) {
  std::vector<std::unique_ptr<AtomicFile>> open;
  for (int k = 0; k < 16; ++k)
    open.push_back(std::make_unique<AtomicFile>(path("f" + std::to_string(k)), false));
  expect_error(ErrorCode::io, {"too many outputs"}, [&] { AtomicFile(path("one more"), false); });
  open.clear();
  EXPECT_TRUE(entries().empty());
  AtomicFile(path("again"), false).commit();
}

}  // namespace
}  // namespace hgrid::io::test
