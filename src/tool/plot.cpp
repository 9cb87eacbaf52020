// SPDX-License-Identifier: BSD-3-Clause
// hgrid plot: a picture of particles on their levels and of their contacts, drawn by hgrid-plot, the script beside the tool.
#include <spawn.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>

#include "commands.hpp"
#include "contacts.hpp"
#include "exits.hpp"
#include "io/distinct_files.hpp"
#include "io/pending_files.hpp"
#include "io/printable.hpp"
#include "record.hpp"

extern char** environ;

namespace hgrid::tool {
namespace {

// Returns the script that the build and the installation put beside the tool, or else the name for the shell to find.
std::string script() {
  std::error_code none;
  const auto beside = std::filesystem::read_symlink("/proc/self/exe", none).parent_path() / "hgrid-plot";
  return std::filesystem::exists(beside, none) ? beside.string() : "hgrid-plot";
}

// Returns the Python that HGRID_PLOT_PYTHON names, or the build's Python if it exists here, or the first in the PATH.
std::string python() {
  if (const char* const named = std::getenv("HGRID_PLOT_PYTHON"); named != nullptr && *named != '\0') return named;
  std::error_code none;
  return std::filesystem::exists(HGRID_PLOT_PYTHON, none) ? HGRID_PLOT_PYTHON : "python3";
}

// Runs the script, which reports its own errors.
bool draws(std::vector<std::string> arguments) {
  std::string file = script();
  const bool is_here = file.find('/') != std::string::npos;  // false: the script's first line chooses the Python
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

struct PictureOptions {
  ContactsOptions contacts;
  std::string picture, slice;
};

/// A folder for the contacts until they are drawn.
class TemporaryFolder {
 public:
  TemporaryFolder() : path_((std::filesystem::temp_directory_path() / "hgrid.XXXXXX").string()) {
    if (mkdtemp(path_.data()) == nullptr) {
      throw Error(ErrorCode::io, io::printable(path_) + ": cannot be made, and contacts must lie there; TMPDIR says where");
    }
  }
  ~TemporaryFolder() {
    std::error_code none;
    std::filesystem::remove_all(path_, none);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::string file(const char* name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

void run(PictureOptions& o) {
  take_series(o.contacts);
  require_options_that_fit(o.contacts);
  if (o.contacts.series)
    refuse("plot draws one frame: --frames K; hgrid contacts --summary F --plot P draws several over time");
  io::require_distinct_files(o.contacts.files, {o.picture});
  require_plot("--out", o.picture, o.contacts.overwrite);
  const TemporaryFolder folder;
  o.contacts.out = folder.file("contacts.vtp");
  const io::PendingFile pending(o.contacts.out);
  Report report = write_contacts(o.contacts);
  std::vector<std::string> options;
  if (!o.slice.empty()) options.insert(options.end(), {"--slice", o.slice});
  if (!report.sizes.boxes) {  // for spheres the radius gives the level
    options.emplace_back("--levels");
    for (const LevelReport& level : report.levels) options.push_back(fmt::format("{}", level.radius_max));
  }
  plot("--out", o.contacts.out, o.picture, std::move(options));
  report.next = "open " + io::printable_path(o.picture);
  print(false, record_of(report).text());
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

void add_plot(CLI::App& app, Action& action) {
  const auto o = std::make_shared<PictureOptions>();
  CLI::App* command = app.add_subcommand("plot", "Draw particles on their levels, and their contacts");
  declare_particles(*command, o->contacts);
  command
      ->add_option("--slice", o->slice,
                   "Cuts particles in 3-D by a plane, such as z=0.5, or z, which is its middle (default: they are seen from "
                   "outside)")
      ->option_text("AXIS[=VALUE]");
  add_file(*command, "--out", o->picture, "The picture, as .png, .svg or .pdf, by hgrid-plot and matplotlib",
           "F.png (required)")
      ->required();
  add_overwrite(*command, o->contacts.overwrite, "F.png");
  command->footer(
      "Lines between centres are contacts, as thick as they overlap: force chains.\n\n"
      "Example: hgrid plot packing.csv --periodic xyz --slice z --out packing.png");
  command->callback([o, &action] { action = [o] { run(*o); }; });
}

}  // namespace hgrid::tool
