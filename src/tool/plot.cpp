// SPDX-License-Identifier: BSD-3-Clause
#include "plot.hpp"

#include <spawn.h>
#include <sys/wait.h>

#include <cstdlib>
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

// Returns the Python that HGRID_PLOT_PYTHON names, or the build's Python if it is here, or the first of the PATH.
std::string python() {
  if (const char* const named = std::getenv("HGRID_PLOT_PYTHON"); named != nullptr && *named != '\0') return named;
  std::error_code none;
  return std::filesystem::exists(HGRID_PLOT_PYTHON, none) ? HGRID_PLOT_PYTHON : "python3";
}

// Runs the script, which says by itself what is wrong.
bool draws(std::vector<std::string> arguments) {
  std::string file = script();
  const bool is_here = file.find('/') != std::string::npos;  // else only its own first line says which Python
  const std::string program = is_here ? python() : file;
  std::vector<char*> pointers{const_cast<char*>(program.c_str())};
  if (is_here) pointers.push_back(file.data());
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
  throw Error(ErrorCode::environment,
              option + " needs hgrid-plot, a script beside the tool, and matplotlib in the Python that runs it, " + python() +
                  "; HGRID_PLOT_PYTHON names another one",
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
