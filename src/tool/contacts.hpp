// SPDX-License-Identifier: BSD-3-Clause
// The options of `hgrid contacts`, and its stages in the order of the data flow.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/atomic_file.hpp"
#include "io/file_part.hpp"
#include "io/frame_column.hpp"
#include "io/read_particles.hpp"
#include "io/walls.hpp"
#include "io/write_output.hpp"
#include "papers/systems/walls.hpp"
#include "search.hpp"
#include "values.hpp"

namespace hgrid::tool {

/// The options; an empty one was not given.
struct ContactsOptions {
  std::vector<std::string> files;
  bool demo = false;
  std::optional<double> radius, radius_scale;
  std::vector<std::string> columns;
  std::optional<io::FrameRange> frames;  ///< none: the last one
  bool frames_given = false;             ///< if not, several files are a series of all their frames
  bool series = false;                   ///< several frames may be taken
  io::BadRows bad_rows = io::BadRows::error;
  std::optional<int> dimension;
  bool single_precision = false;
  Axes periodic{};
  std::vector<double> box, tilt, cell;
  double skin = 0;
  Rule rule = Rule::sum;
  std::optional<reference::Algorithm> algorithm;  ///< none: the grid
  std::string plan;
  std::vector<double> cells;
  std::optional<Direction> direction;
  std::optional<KeyOrder> keys;
  Order order = Order::sorted;
  std::optional<Backend> backend;  ///< none: the tool's choice
  int threads = 0;
  std::vector<ChosenColumn> chosen;
  std::string exclude, out, particles_out, summary, plot, walls, walls_out;
  bool count = false, overwrite = false, json = false;
};

/// Passes one frame through all stages (contacts.cpp).
Report write_contacts(const ContactsOptions& o);

// Options (contacts_options.cpp).

/// Adds only the options for the particles and their box to the command line.
void declare_particles(CLI::App& command, ContactsOptions& o);
/// Adds the first of these only: the file, or several, and how to read it.
void declare_file(CLI::App& command, ContactsOptions& o, bool several = false);
void declare(CLI::App& command, ContactsOptions& o);

/// Takes all frames of several files unless --frames says which.
void take_series(ContactsOptions& o);
/// Throws Error(invalid_argument).
void require_options_that_fit(const ContactsOptions& o);

/// Returns the format of --out; CSV without --out.
io::OutputFormat pair_format(const ContactsOptions& o);

// Read (contacts_input.cpp).

/// Reads the frames of the file, or makes the demo. Throws the errors of the readers, and Error(invalid_argument) if radii are
/// missing.
class ContactsInput {
 public:
  explicit ContactsInput(const ContactsOptions& o);
  std::optional<io::ParticleTable> next();

  const std::vector<io::WallTriangle> walls;

 private:
  const ContactsOptions& o_;
  std::unique_ptr<io::ParticleReader> reader_;  ///< none: the demo
  bool demo_given_ = false;
};

/// Returns this rank's part of the file, with the errors of `ContactsInput`; nothing if the file cannot be read in parts.
std::optional<io::ParticleTable> read_part(const ContactsOptions& o, const io::FilePart& part);

/// Returns 100,000 particles of size ratio 100, whose contacts take seconds to find, in a periodic box if wanted
/// (generate.cpp).
io::ParticleTable demo_particles();

/// Reads {"levels": [{"radius_max": r, "cell_size": [x, y, z]}, ...], "direction": "top-down"
/// "bottom-up", "keys": "row"
/// "morton"}. The last two are optional, and other members are ignored. The report of --json can also be read: its
/// "radius_bound", which includes half the skin, then counts instead of "radius_max". In 2-D cell sizes may have two numbers.
/// Throws Error(io), Error(format) (plan_file.cpp).
GridOptions read_plan(const std::string& path, int dimension);

/// Returns the options of the search. Throws Error(invalid_argument) for options that do not fit the particles or each other,
/// and the errors of the readers for files that options name.
SearchOptions search_options(const ContactsOptions& o, const io::ParticleTable& table);

// Search and analyse (search.hpp, analysis.hpp; walls.cpp).

/// Finds the contacts of particles with walls and reports them.
std::vector<reference::WallContact> search_walls(std::span<const io::WallTriangle> walls, const io::ParticleTable& table,
                                                 const SearchOptions& options, Progress& progress, Report& report);

// Write (contacts_output.cpp).

/// The requested output files. They are opened before the work, so that errors appear at once.
class Outputs {
 public:
  explicit Outputs(const ContactsOptions& o);
  /// Call before the first frame, and after the last.
  void begin_frames();
  void end_frames();
  /// Writes the pairs and the particles of a frame, and reports the seconds.
  void write(const io::FoundPairs& found, Progress& progress, Report& report);
  void write_walls(const std::vector<reference::WallContact>& contacts, const io::ParticleTable& table);
  /// Writes the frame's row of the summary.
  void end_frame(const Report& report);
  /// Returns whether an output is standard output, so that the report must not go there.
  bool take_stdout() const;
  /// Gives all files their names, or none.
  void commit();

 private:
  const ContactsOptions& o_;
  io::OutputFormat format_;
  std::unique_ptr<io::AtomicFile> pairs_, particles_, summary_, walls_;  ///< null: not requested
  std::vector<std::unique_ptr<io::AtomicFile>> frames_;                  ///< frames of a series for ParaView
  io::FrameColumn column_;
};

// Report (report.cpp).

Report report_on_input(const ContactsOptions& o, const io::ParticleTable& table, const SearchOptions& s);
/// Adds the facts that are known at the end: notes, seconds, memory and a suggestion.
void complete(Report& report, const ContactsOptions& o, double seconds);

// Draw (plot.cpp).

/// Throws Error(environment) unless pictures can be drawn here, by a Python with matplotlib. Throws Error(invalid_argument) if
/// the picture exists and must not be overwritten. `option` is the name of the option that requests the picture.
void require_plot(const std::string& option, const std::string& picture, bool overwrite);

/// Draws a file as a picture, in the format of the picture's ending, with these options of the script. Throws Error(io); the
/// script has then printed the error.
void plot(const std::string& option, const std::string& file, const std::string& picture,
          std::vector<std::string> options = {});

// Reading, searching, analysing and writing on ranks, each of which reads a part of the file; no rank has all particles
// (parts.cpp).

/// Returns whether no option needs all particles in one place.
bool may_be_read_in_parts(const ContactsOptions& o);
/// Runs on rank 0, while the others help. Returns nothing if the file cannot be read in parts, or if there is an error; reading
/// the whole file then reports it.
std::optional<Report> search_in_parts(const ContactsOptions& o, Outputs& out, Progress& progress);
void help_in_parts(const ContactsOptions& o);

}  // namespace hgrid::tool
