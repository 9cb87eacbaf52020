// SPDX-License-Identifier: BSD-3-Clause
// The options of `hgrid plan`, its input, and its results.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "hgrid/packing/radii.hpp"
#include "host/planning/plan.hpp"
#include "io/particle_table.hpp"
#include "papers/levels/cost.hpp"
#include "values.hpp"

namespace hgrid::tool {

class Record;

/// How cell sizes are chosen: by the papers' rules or, calibrated, by the grids' planner.
enum class Method { optimal, constant, exponential, linear, single, calibrated };

/// The options; an empty one was not given.
struct SizingOptions {
  std::string file, psd;
  SizeDistribution sizes;  ///< without a file or table
  std::optional<double> packing, q, k;
  std::optional<int> dimension;
  Method method = Method::optimal;
  Rule rule = Rule::sum;               ///< for calibrated
  std::optional<Direction> direction;  ///< none: the better one
  int levels = 0;                      ///< 0: the best number
  bool fewest = false, measure = false, json = false;
  Axes periodic{};  ///< for measure
};

/// Radii for which to plan, and their packing fraction.
struct SizingInput {
  paper::DistributionPtr radii;
  std::string source;  ///< a description for people
  int dimension = 3;
  double packing = 0;
  std::optional<io::ParticleTable> particles;  ///< of a FILE
  std::vector<std::string> warnings;
};

/// Throws the errors of the readers and distributions; Error(format) for an invalid table of sizes.
SizingInput read_sizing_input(const SizingOptions& o);

struct SizedLevel {
  LevelSpec spec;
  double share = 0;      ///< of the particles
  double occupancy = 0;  ///< particles per cell
};

/// A quantity that the plan predicts, and its count in a run of the plan, per particle.
struct Compared {
  std::string what;
  double predicted = 0, counted = 0;
};

struct Measurement {
  std::vector<Compared> quantities;
  double contacts = 0;    ///< per particle
  double papers_ns = 0;   ///< per particle, of the papers' algorithm; 0 for calibrated
  double library_ns = 0;  ///< per particle, to build this plan's grid and list the contacts, on one thread
};

/// Work is per particle: in pair tests or, for the method calibrated, in nanoseconds.
struct Sizing {
  std::vector<SizedLevel> levels;
  double work = 0, single_level_work = 0;
  std::optional<double> tests, cells;  ///< the parts of the work; not for calibrated
  std::optional<TableKind> table;      ///< only for calibrated, also the next members
  std::array<double, 2> table_work{};  ///< of the best levels with a dense and a compacted table; the latter is a lower bound
  detail::SearchWork steps;            ///< the steps of the work
  SearchCosts costs;
  std::optional<Measurement> measured;
  Direction direction = Direction::top_down;
  std::vector<std::string> warnings;

  double speedup() const { return work > 0 ? single_level_work / work : 1; }
};

/// Returns levels by the chosen method, in the chosen or the better direction.
Sizing choose_levels(const SizingOptions& o, const SizingInput& input);
/// Returns levels by the planner that grids use, which models this library's search, for pairs by a rule.
Sizing calibrated_levels(Direction direction, Rule rule, const SizingInput& input);

/// Runs the plan on the particles of the FILE: the papers' algorithm for the papers' rules, the library for calibrated.
/// Periodic axes come from the file's box.
Measurement measure(const SizingOptions& o, const SizingInput& input, const Sizing& sizing);

Record record_of(const SizingOptions& o, const SizingInput& input, const Sizing& sizing);

/// Returns the options of the papers' model.
paper::ModelOptions model_options(const SizingOptions& o, const SizingInput& input, Direction direction);

}  // namespace hgrid::tool

template <>
inline constexpr auto hgrid::enum_names<hgrid::tool::Method> =
    std::array{"optimal", "constant", "exponential", "linear", "single", "calibrated"};
