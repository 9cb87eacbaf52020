// SPDX-License-Identifier: BSD-3-Clause
#include "plot.hpp"

#include <spawn.h>
#include <sys/wait.h>

#include <filesystem>
#include <vector>

#include "hgrid/core/error.hpp"
#include "io/printable.hpp"

extern char** environ;

namespace hgrid::tool {
namespace {

// Where the build and the installation put it, else wherever the shell finds it.
std::string script() {
  std::error_code none;
  const auto beside = std::filesystem::read_symlink("/proc/self/exe", none).parent_path() / "hgrid-plot";
  return std::filesystem::exists(beside, none) ? beside.string() : "hgrid-plot";
}

// Runs the script, which says by itself what is wrong.
bool draws(std::vector<std::string> arguments) {
  const std::string program = script();
  std::vector<char*> pointers{const_cast<char*>("hgrid-plot")};
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  pid_t child = 0;
  if (posix_spawnp(&child, program.c_str(), nullptr, nullptr, pointers.data(), environ) != 0) return false;
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return false;
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

void require_plot(const std::string& option, const std::string& picture, bool overwrite) {
  std::error_code none;
  if (!overwrite && std::filesystem::exists(picture, none)) {
    throw Error(ErrorCode::invalid_argument, io::printable(picture) + ": exists; --overwrite replaces it",
                {.argument = option});
  }
  if (draws({"--check"})) return;
  throw Error(ErrorCode::environment, option + " needs hgrid-plot, a script beside the tool, and Python with matplotlib",
              {.argument = option});
}

void plot(const std::string& option, const std::string& file, const std::string& picture, std::vector<std::string> options) {
  options.insert(options.end(), {"--", file, picture});  // names may begin with a dash
  if (draws(std::move(options))) return;
  throw Error(
      ErrorCode::io,
      io::printable(picture) + ": the picture cannot be drawn" + (option == "--plot" ? "; all other outputs are there" : ""),
      {.argument = option});
}

}  // namespace hgrid::tool
