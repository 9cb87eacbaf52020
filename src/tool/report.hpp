// SPDX-License-Identifier: BSD-3-Clause
// What a search found and what it cost.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analysis.hpp"
#include "hgrid/plan.hpp"
#include "optional_columns.hpp"
#include "papers/systems/pair_tester.hpp"

namespace hgrid::tool {

class Record;

struct Seconds {
  double read = 0;
  double plan = 0;      ///< what only the first build does: plan the levels, get memory
  double build = 0;     ///< what every build does
  double search = 0;    ///< counting the contacts or, for an output, listing them
  double walls = 0;     ///< finding the contacts with walls
  double analysis = 0;  ///< of the contacts
  double write = 0;
  double total = 0;
};

struct Report {
  std::string source;  ///< what was read
  std::int64_t frame = 0;
  std::optional<std::int64_t> step;  ///< of the simulation
  std::optional<double> time;
  std::string columns;  ///< those that were taken; empty: there are none
  Sizes sizes;
  std::optional<Analysis> analysis;  ///< none: pairs were counted only
  int dimension = 3;
  std::int64_t particles = 0;
  std::int64_t pairs = 0;
  std::int64_t excluded = -1;                                       ///< lines of --exclude; -1: not given
  std::vector<std::pair<const OptionalColumn*, index_t>> optional;  ///< those that were named, and how many they tell apart
  std::int64_t facets = -1, wall_pairs = -1;                        ///< of --walls; -1: there are none
  std::int64_t wall_balls = -1;                                     ///< that touch some facet
  std::string algorithm = "grid", algorithm_source;                 ///< the source: of another algorithm
  std::vector<reference::Counter> counters;                         ///< of another algorithm
  std::vector<LevelReport> levels;                                  ///< finest first
  std::string direction, keys, order, real;
  std::string rule = "sum";
  std::string backend;
  bool backend_chosen = false;  ///< by the tool, not by the user
  int threads = 1, ranks = 1;   ///< threads of each rank
  int parts = 1;                ///< of the file, each read by a rank
  std::int64_t bytes = 0;       ///< of the grid and its lists
  std::int64_t peak_bytes = 0;  ///< of the process, at most, so far
  std::int64_t skipped_rows = 0;
  std::vector<std::string> notes;  ///< what is odd, each with a remedy
  Seconds seconds;
  std::string next;  ///< what one might do next
};

Record record_of(const Report& report);

/// The first columns of a table of levels: the largest radius and the cell's sizes, of which people see one per dimension.
Record& add_level_columns(Record& row, double radius_max, std::span<const double> cell_size, int dimension);

/// The header of --summary, and the row of a frame; what a frame has not is an empty field.
std::string summary_header();
std::string summary_row(const Report& report);

/// A line for each frame, and the notes, each once with the frames that it is about.
std::string series_text(const std::vector<Report>& frames);
/// The reports of all frames as one JSON array.
std::string series_json(const std::vector<Report>& frames);

}  // namespace hgrid::tool
