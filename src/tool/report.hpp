// SPDX-License-Identifier: BSD-3-Clause
// The results of a search and its costs.
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
  double plan = 0;      ///< only in the first build: planning the levels, allocating memory
  double build = 0;     ///< in every build
  double search = 0;    ///< counting the contacts or, for an output, listing them
  double walls = 0;     ///< finding the contacts with walls
  double analysis = 0;  ///< of the contacts
  double write = 0;
  double total = 0;
};

struct Report {
  std::string source;  ///< the name of the input
  std::int64_t frame = 0;
  std::optional<std::int64_t> step;  ///< of the simulation
  std::optional<double> time;
  std::string columns;  ///< columns that were used; empty: there are none
  Sizes sizes;
  std::optional<Analysis> analysis;  ///< none: pairs were only counted
  int dimension = 3;
  std::int64_t particles = 0;
  std::int64_t pairs = 0;
  std::int64_t excluded = -1;                                       ///< lines of --exclude; -1: not given
  std::vector<std::pair<const OptionalColumn*, index_t>> optional;  ///< chosen columns; number of values in each
  std::int64_t facets = -1, wall_pairs = -1;                        ///< of --walls; -1: there are none
  std::int64_t wall_balls = -1;                                     ///< balls that touch some facet
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
  std::int64_t peak_bytes = 0;  ///< peak of the process so far
  std::int64_t skipped_rows = 0;
  std::vector<std::string> notes;  ///< suspicious facts, each with a remedy
  Seconds seconds;
  std::string next;  ///< a suggestion for the next step
};

Record record_of(const Report& report);

/// Adds the first columns of a table of levels: the largest radius and the cell's sizes; people see one size per dimension.
Record& add_level_columns(Record& row, double radius_max, std::span<const double> cell_size, int dimension);

/// Returns the header of --summary. The next function returns the row of a frame; missing values are empty fields.
std::string summary_header();
std::string summary_row(const Report& report);

/// Returns a line for each frame, and the notes, each once with its frames.
std::string series_text(const std::vector<Report>& frames);
/// Returns the reports of all frames as one JSON array.
std::string series_json(const std::vector<Report>& frames);

}  // namespace hgrid::tool
