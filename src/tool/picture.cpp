// SPDX-License-Identifier: BSD-3-Clause
// hgrid plot: a picture of particles on their levels and of their contacts.
#include <cstdlib>
#include <filesystem>

#include "commands.hpp"
#include "contacts.hpp"
#include "exits.hpp"
#include "io/distinct_files.hpp"
#include "io/pending_files.hpp"
#include "io/printable.hpp"
#include "plot.hpp"
#include "record.hpp"

namespace hgrid::tool {
namespace {

struct PictureOptions {
  ContactsOptions contacts;
  std::string picture, slice;
};

/// Where the contacts lie until they are drawn.
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
  require_options_that_fit(o.contacts);
  if (o.contacts.series)
    refuse("plot draws one frame: --frames K; hgrid contacts --summary F --plot P draws several over time");
  io::require_distinct_files({o.contacts.file}, {o.picture});
  require_plot("--out", o.picture, o.contacts.overwrite);
  const TemporaryFolder folder;
  o.contacts.out = folder.file("contacts.vtp");
  const io::PendingFile pending(o.contacts.out);
  Report report = write_contacts(o.contacts);
  std::vector<std::string> options;
  if (!o.slice.empty()) options.insert(options.end(), {"--slice", o.slice});
  if (!report.sizes.boxes) {  // whose level the radius tells
    options.emplace_back("--levels");
    for (const LevelReport& level : report.levels) options.push_back(fmt::format("{}", level.radius_max));
  }
  plot("--out", o.contacts.out, o.picture, std::move(options));
  report.next = "open " + io::printable_path(o.picture);
  print(false, record_of(report).text());
}

}  // namespace

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
