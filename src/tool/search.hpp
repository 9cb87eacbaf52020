// SPDX-License-Identifier: BSD-3-Clause
// Calls the library with the options of the command line.
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
  Box3 box = Box3::open();  ///< the library's box for `given`
  double skin = 0;
  std::vector<Pair> excluded;           ///< pairs that are never reported, sorted
  std::vector<OptionalArray> optional;  ///< of the particles, besides positions and radii
  GridOptions grid;
  Order order = Order::fixed;
  std::optional<reference::Algorithm> algorithm;  ///< none: the grid
  Backend backend = Backend::openmp;
  int threads = 1;
  bool single_precision = false;  ///< pass float arrays to the library; the table must hold values that floats represent
};

/// Takes the pairs. If it is empty, pairs are only counted, which needs no memory for them.
using PairTaker = std::function<void(const io::PairSource&)>;

/// Finds the contacts and reports levels, pairs, memory and seconds.
void search(const io::ParticleTable& table, const SearchOptions& options, const PairTaker& take, Progress& progress,
            Report& report);
/// Finds the contacts by another system of the papers, which the options name, serially and in double precision.
void reference_search(const io::ParticleTable& table, const SearchOptions& options, const PairTaker& take, Progress& progress,
                      Report& report);

}  // namespace hgrid::tool
