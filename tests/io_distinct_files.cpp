// SPDX-License-Identifier: BSD-3-Clause
// Outputs that would take the place of each other or of an input (tests/reliability/README.md, row 91).
#include "io/distinct_files.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include "io_outputs.hpp"

namespace hgrid::io::test {
namespace {

struct DistinctFiles : Outputs {
  DistinctFiles() {
    file("a", "x");
    file("b", "x");
    std::filesystem::create_symlink("a", folder_ / "link");
    std::filesystem::create_hard_link(folder_ / "a", folder_ / "hard");
    std::filesystem::create_directory(folder_ / "folder");
    std::filesystem::create_symlink("folder", folder_ / "other");
    ::mkfifo(path("fifo").c_str(), 0600);
  }
  void expect_one(const std::string& a, const std::string& b) const {
    expect_error(ErrorCode::invalid_argument, {"two outputs in one file"}, [&] { require_distinct_files({}, {a, b}); });
  }
  void expect_input(const std::string& in, const std::string& out) const {
    expect_error(ErrorCode::invalid_argument, {"is the input"}, [&] { require_distinct_files({in}, {out}); });
  }
};

TEST_F(DistinctFiles, Outputs) {
  for (const char* name : {"./a", "link", "hard", "folder/../a"}) {
    expect_one(path("a"), path(name));
    expect_input(path("a"), path(name));
    expect_input(path(name), path("a"));
  }
  for (const char* name : {"./new", "folder/../new", "other/../new"}) expect_one(path("new"), path(name));
  expect_one(path("folder/new"), path("other/new"));
  expect_one("new-in-no-folder", "./new-in-no-folder");
  expect_one(path("fifo"), path("./fifo"));
  expect_one("-", "-");
  require_distinct_files({"", path("a"), path("a")}, {"", path("b"), "", path("new"), path("folder/new"), path("folder/a")});
}

TEST_F(DistinctFiles, StandardStreams) {
  const int status = in_child([&] {
    const int a = ::open(path("a").c_str(), O_RDWR), b = ::open(path("b").c_str(), O_RDWR);
    ::dup2(a, STDIN_FILENO), ::dup2(b, STDOUT_FILENO);
    require_distinct_files({"-"}, {"-"});
    if (is_standard_output(path("a")) || !is_standard_output(path("b")) || !is_standard_output("-")) ::_exit(1);
    for (const auto& [in, out] : {std::pair{"-", "a"}, {"b", "-"}}) {
      try {
        require_distinct_files({*in == '-' ? in : path(in)}, {*out == '-' ? out : path(out)});
        ::_exit(2);
      } catch (const Error& error) {
        if (error.code() != ErrorCode::invalid_argument) ::_exit(3);
      }
    }
    ::dup2(b, STDIN_FILENO);
    try {
      require_distinct_files({"-"}, {"-"});
      ::_exit(4);
    } catch (const Error&) {
    }
  });
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST_F(DistinctFiles, DevicesMayServeTwice) {
  require_distinct_files({"/dev/null", "-"}, {"/dev/null", "/dev/null"});
  const int status = in_child([&] {
    const int terminal = ::open("/dev/null", O_RDWR);
    ::dup2(terminal, STDIN_FILENO), ::dup2(terminal, STDOUT_FILENO);
    require_distinct_files({"-"}, {"-", "/dev/null"});
  });
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace hgrid::io::test
