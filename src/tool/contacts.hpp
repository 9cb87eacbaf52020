// SPDX-License-Identifier: BSD-3-Clause
// What `hgrid contacts` was asked for, and what that means.
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
#include "io/pair_source.hpp"
#include "io/read_particles.hpp"
#include "io/walls.hpp"
#include "optional_columns.hpp"
#include "search.hpp"
#include "values.hpp"

namespace hgrid::tool {

/// The options; an empty one was not given.
struct ContactsOptions {
  std::string file;
  bool demo = false;
  std::optional<double> radius, radius_scale;
  std::vector<std::string> columns;
  std::optional<io::FrameRange> frames;  ///< none: the last one
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

/// Adds the options to the command line; the first only those that say what the particles and their box are.
void declare_particles(CLI::App& command, ContactsOptions& o);
void declare(CLI::App& command, ContactsOptions& o);

/// Throws Error(invalid_argument).
void require_options_that_fit(const ContactsOptions& o);

/// Finds the contacts of one frame and writes what was asked for.
Report write_contacts(const ContactsOptions& o);

/// The frames of the file, or the demo. Throws what the readers throw, and Error(invalid_argument) where radii are missing.
class ContactsInput {
 public:
  explicit ContactsInput(const ContactsOptions& o);
  std::optional<io::ParticleTable> next();

 private:
  const ContactsOptions& o_;
  std::unique_ptr<io::ParticleReader> reader_;  ///< none: the demo
  bool demo_given_ = false;
};

/// This rank's part of the file, as `ContactsInput` gives the whole, or nothing; throws as it.
std::optional<io::ParticleTable> read_part(const ContactsOptions& o, const io::FilePart& part);

/// How to search them. Throws Error(invalid_argument) for options that do not fit them or each other, and what the readers
/// throw for the files that options name.
SearchOptions search_options(const ContactsOptions& o, const io::ParticleTable& table);

/// A file that was asked for, and the column of frames that its rows begin with, where there are several.
struct TableOutput {
  TableOutput(const std::string& path, const ContactsOptions& o);
  /// For the rows of this frame.
  void begin(std::int64_t frame);

  std::unique_ptr<io::AtomicFile> file;
  io::FrameColumn column;

 private:
  bool series_, begun_ = false;
};

/// Finds the contacts of particles with walls, reports them, and writes them as rows ball,facet,overlap if there is a file.
void search_walls(std::span<const io::WallTriangle> walls, const io::ParticleTable& table, const SearchOptions& options,
                  const TableOutput& out, Progress& progress, Report& report);

}  // namespace hgrid::tool
