// SPDX-License-Identifier: BSD-3-Clause
// A grid of the C API (docs/c.md), which is the one place that chooses executors, dimensions and real types at run time. It
// throws the errors of `Grid`.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "backends.hpp"
#include "c/hgrid.h"
#include "columns.hpp"
#include "hgrid/core/contact.hpp"
#include "hgrid/options.hpp"
#include "hgrid/plan.hpp"
#include "optional_columns.hpp"

namespace hgrid::tool {

struct GridSpec {
  Backend backend = Backend::openmp;  ///< not mpi
  int threads = 1;                    ///< of openmp
  int dimension = 3;
  GivenBox box = {};
  GridOptions options = {};       ///< levels, direction, keys, table and rule
  bool single_precision = false;  ///< pass float arrays to the library; the columns must hold values that floats represent
};

/// Takes particles as columns in three dimensions; two dimensions use x and y.
class SearchGrid {
 public:
  explicit SearchGrid(const GridSpec& spec);

  /// Watches all later calls.
  void watch(const hgrid_watch& watch);
  /// Copies the particles to where the grid works. Doubles on the host are not copied and must stay. Exclusions are pairs.
  void take(const Particles<double, 3>& columns, std::span<const OptionalArray> optional = {});
  /// Builds from the particles taken, and waits.
  void build(double skin = 0);
  offset_t count();
  /// Lists the contacts and returns their number; in a gather, pairs of each particle and its neighbors.
  offset_t list(Order order = Order::fixed);
  /// Returns the contacts in host memory, valid until the grid lists again.
  PairColumns<const index_t> found();
  hgrid_plan_report plan();
  std::vector<LevelReport> levels();
  WorkCount work();

 private:
  struct Free {
    void operator()(hgrid_grid* grid) const { hgrid_destroy(grid); }
    void operator()(hgrid_memory* memory) const { hgrid_release(memory); }
  };

  hgrid_array brought(const void* numbers, int type, std::int64_t n, std::int64_t m = 0);
  hgrid_array brought_reals(const double* values, std::int64_t n, std::int64_t m = 0);
  template <class T>
  const T* here(std::vector<T>& memory, const T* there, std::int64_t n);
  const Image* images_here(const std::int32_t* there, std::int64_t n);

  int dimension_;
  bool on_host_, single_, gathers_;
  std::unique_ptr<hgrid_grid, Free> grid_;
  hgrid_particles particles_{};
  std::vector<double> extents_;
  std::vector<std::vector<float>> converted_;
  std::vector<std::unique_ptr<hgrid_memory, Free>> there_;
  hgrid_pair_list pairs_{};
  hgrid_neighbour_list neighbours_{};
  std::vector<std::int64_t> offsets_;  // copied from a device, also the next two
  std::vector<std::int32_t> ids_, images_;
  std::vector<Pair> gathered_;
};

}  // namespace hgrid::tool
