// SPDX-License-Identifier: BSD-3-Clause
#include "io/distinct_files.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <system_error>

#include "hgrid/core/error.hpp"
#include "io/printable.hpp"

namespace hgrid::io {
namespace {

/// A path, and the stream that "-" means.
struct Place {
  const std::string& path;
  int standard_stream;

  /// Returns false if there is no file yet.
  bool find(struct stat& status) const {
    return (path == "-" ? ::fstat(standard_stream, &status) : ::stat(path.c_str(), &status)) == 0;
  }
};

std::filesystem::path whole_path(const std::string& path) {
  std::error_code error;
  const std::filesystem::path whole = std::filesystem::weakly_canonical(std::filesystem::absolute(path, error), error);
  return error ? std::filesystem::path(path) : whole;
}

bool is_one_file(const Place& a, const Place& b) {
  struct stat first {
  }, second{};
  const bool a_is_there = a.find(first), b_is_there = b.find(second);
  if (a_is_there != b_is_there) return false;
  if (!a_is_there) return whole_path(a.path) == whole_path(b.path);
  return first.st_dev == second.st_dev && first.st_ino == second.st_ino && (S_ISREG(first.st_mode) || S_ISFIFO(first.st_mode));
}

[[noreturn]] void refuse(const std::string& why) { throw Error(ErrorCode::invalid_argument, why); }

}  // namespace

bool is_standard_output(const std::string& path) { return path == "-" || is_one_file({path, -1}, {"-", STDOUT_FILENO}); }

void require_distinct_files(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs) {
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    const Place output{outputs[k], STDOUT_FILENO};
    if (output.path.empty()) continue;
    for (const std::string& input : inputs) {
      if (input.empty() || !is_one_file({input, STDIN_FILENO}, output)) continue;
      refuse(fmt::format("{}: is the input {}", printable_path(output.path), printable_path(input)));
    }
    for (std::size_t other = 0; other < k; ++other) {
      const bool twice = output.path == "-" && outputs[other] == "-";
      if (outputs[other].empty() || !(twice || is_one_file({outputs[other], STDOUT_FILENO}, output))) continue;
      refuse(fmt::format("{} and {}: two outputs in one file", printable_path(outputs[other]), printable_path(output.path)));
    }
  }
}

}  // namespace hgrid::io
