// SPDX-License-Identifier: BSD-3-Clause
// What `hgrid plan` was asked for, what it reads, and what it answers.
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

/// How cell sizes are chosen: by the papers' rules or, calibrated, as grids do.
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

/// Radii to plan for, and how densely they are packed.
struct SizingInput {
  paper::DistributionPtr radii;
  std::string source;  ///< what they are, for people
  int dimension = 3;
  double packing = 0;
  std::optional<io::ParticleTable> particles;  ///< of a FILE
  std::vector<std::string> warnings;
};

/// Throws what the readers and distributions throw; Error(format) for a table of sizes that is none.
SizingInput read_sizing_input(const SizingOptions& o);

struct SizedLevel {
  LevelSpec spec;
  double share = 0;      ///< of the particles
  double occupancy = 0;  ///< particles per cell
};

/// A quantity as the plan predicts it and as a run of the plan counted it, per particle.
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
  std::optional<double> tests, cells;  ///< what the work is made of; not for calibrated
  std::optional<TableKind> table;      ///< for calibrated only, like what follows
  std::array<double, 2> table_work{};  ///< of the best levels with a dense and with a compacted table; the latter at least
  detail::SearchWork steps;            ///< that make the work
  SearchCosts costs;
  std::optional<Measurement> measured;
  Direction direction = Direction::top_down;
  std::vector<std::string> warnings;

  double speedup() const { return work > 0 ? single_level_work / work : 1; }
};

/// Levels by the method that was asked for, in that or the better direction.
Sizing choose_levels(const SizingOptions& o, const SizingInput& input);
/// Levels by the planner that grids use, which models this library's search, for pairs by a rule.
Sizing calibrated_levels(Direction direction, Rule rule, const SizingInput& input);

/// Runs the plan on the particles of the FILE: the papers' algorithm for the papers' rules, the library for
/// calibrated. Periodic axes are those of the file's box.
Measurement measure(const SizingOptions& o, const SizingInput& input, const Sizing& sizing);

Record record_of(const SizingOptions& o, const SizingInput& input, const Sizing& sizing);

/// What the papers' model is told.
paper::ModelOptions model_options(const SizingOptions& o, const SizingInput& input, Direction direction);

}  // namespace hgrid::tool

template <>
inline constexpr auto hgrid::enum_names<hgrid::tool::Method> =
    std::array{"optimal", "constant", "exponential", "linear", "single", "calibrated"};
