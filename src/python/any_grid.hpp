// SPDX-License-Identifier: BSD-3-Clause
// A grid of either dimension behind one interface. Each dimension is compiled once.
#pragma once

#include <functional>
#include <span>

#include "hgrid/engine/validity.hpp"
#include "hgrid/loop/verlet_list.hpp"
#include "hgrid/plan.hpp"
#include "python/inputs.hpp"
#include "python/measure.hpp"
#include "python/threads.hpp"

namespace hgrid::python {

struct GridSpec {
  int dimension = 3, threads = 0;
  GridOptions options = {};
};

/// What a built grid says of itself.
struct Report {
  std::vector<LevelReport> levels;
  WorkCount work;
  std::string direction, keys, table;
  double skin = 0, cost = 0;
  offset_t particles = 0, skipped = 0, bytes = 0;
  int threads = 1;
};

struct MatrixRoom {
  std::int32_t *neighbours, *counts, *images;  ///< the last one null in an open box
  offset_t particles, width;
  std::int32_t padding;
};

/// As `VerletList`. Lists and origins are copies.
class AnyVerlet {
 public:
  virtual ~AnyVerlet() = default;
  virtual bool update(const Inputs& now, const Inputs& widened) = 0;
  virtual void build(const Inputs& particles) = 0;
  virtual Rows neighbours() = 0;
  /// Of the list, measured in the box of now.
  virtual Entries entries(const Inputs& now, const EntriesAsked& asked) = 0;
  /// Where each entry of the list stood in the one before it, or -1; `before` receives how many that one had.
  virtual Numbers<std::int64_t> origins(offset_t& before) = 0;
  virtual const VerletCounters& counters() const = 0;
  virtual double skin() const = 0;
  virtual std::vector<std::byte> save() = 0;
  virtual void restore(std::span<const std::byte> checkpoint) = 0;
};

/// As `Grid` and `Queries`, with their errors and those of inputs.
class AnyGrid {
 public:
  virtual ~AnyGrid() = default;
  virtual void set_box(const BoxSpec& box) = 0;
  virtual void set_boxes(const std::vector<BoxSpec>& boxes) = 0;
  virtual void watch(const Watch& watch) = 0;
  virtual void build(const Inputs& particles, double skin) = 0;
  virtual Validity validity(const Inputs& now) = 0;
  virtual bool is_periodic() = 0;
  virtual offset_t count() = 0;
  virtual PairColumnsOf pairs(Order order, bool distances, bool vectors) = 0;
  virtual Rows neighbours(ListKind kind) = 0;
  virtual Entries entries(ListKind kind, const EntriesAsked& asked) = 0;
  virtual offset_t matrix(ListKind kind, const MatrixRoom& room) = 0;
  virtual Rows query(const RegionSpec& regions, Take take, double radius_scale) = 0;
  virtual Report report() = 0;
  /// The particles are not in it. A restored grid has the box that it was given last, which must be that of the checkpoint.
  virtual std::vector<std::byte> save() = 0;
  virtual void restore(std::span<const std::byte> checkpoint) = 0;
  /// It refers to this grid.
  virtual std::unique_ptr<AnyVerlet> make_verlet(const VerletOptions& options) = 0;

  Turn turn;
};

template <int D>
std::unique_ptr<AnyGrid> make_grid_of(const GridSpec& spec, const BoxSpec& box);

}  // namespace hgrid::python
