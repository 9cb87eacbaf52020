// SPDX-License-Identifier: BSD-3-Clause
// The library, called as the command line asks.
#pragma once

#include <array>
#include <functional>
#include <string>

#include "io/pair_source.hpp"
#include "io/particle_table.hpp"
#include "host/planning/plan.hpp"
#include "progress.hpp"
#include "report.hpp"

namespace hgrid::tool {

struct SearchOptions {
  int dimension = 3;
  std::array<bool, 3> periodic{};
  io::BoxBounds box;  ///< where periodic
  double skin = 0;
  GridOptions grid;
  Order order = Order::fixed;
  std::string algorithm = "grid";
  std::string backend = "openmp";
  int threads = 1;
  bool single_precision = false;  ///< hand the library arrays of float; the table must hold such values
};

/// What takes the pairs; if there is none they are counted only, which needs no memory for them.
using PairWriter = std::function<void(const io::PairSource&)>;

/// Finds the contacts and reports levels, pairs, memory and seconds.
void search(const io::ParticleTable& table, const SearchOptions& options, const PairWriter& write,
            Progress& progress, Report& report);

}  // namespace hgrid::tool
