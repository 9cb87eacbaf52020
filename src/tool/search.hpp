// SPDX-License-Identifier: BSD-3-Clause
// The library, called as the command line asks.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "backends.hpp"
#include "columns.hpp"
#include "hgrid/options.hpp"
#include "io/pair_source.hpp"
#include "io/particle_table.hpp"
#include "optional_columns.hpp"
#include "papers/systems/algorithm.hpp"
#include "progress.hpp"
#include "report.hpp"

namespace hgrid::tool {

struct SearchOptions {
  int dimension = 3;
  GivenBox given;
  Box3 box = Box3::open();  ///< the same
  double skin = 0;
  std::vector<Pair> excluded;           ///< pairs that are never reported, sorted
  std::vector<OptionalArray> optional;  ///< of the particles, beside positions and radii
  GridOptions grid;
  Order order = Order::fixed;
  std::optional<reference::Algorithm> algorithm;  ///< none: the grid
  Backend backend = Backend::openmp;
  int threads = 1;
  bool single_precision = false;  ///< hand the library arrays of float; the table must hold such values
};

/// What takes the pairs; if there is none they are counted only, which needs no memory for them.
using PairTaker = std::function<void(const io::PairSource&)>;

/// Finds the contacts and reports levels, pairs, memory and seconds.
void search(const io::ParticleTable& table, const SearchOptions& options, const PairTaker& take, Progress& progress,
            Report& report);
/// The same by one of the papers' other systems, which the options name; serially, in double precision.
void reference_search(const io::ParticleTable& table, const SearchOptions& options, const PairTaker& take, Progress& progress,
                      Report& report);

}  // namespace hgrid::tool
