// SPDX-License-Identifier: BSD-3-Clause
// A grid of the library whose executor, dimension and real type the command line chooses. Each is compiled once, in
// any_grid_*.cpp, for all commands: the templates cost more to compile than all the rest of the tool.
#pragma once

#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "hgrid/core/contact.hpp"
#include "hgrid/core/grid_view.hpp"
#include "hgrid/core/names.hpp"
#include "hgrid/options.hpp"
#include "hgrid/plan.hpp"
#include "host/planning/plan.hpp"

namespace hgrid::tool {

enum class Backend { serial, openmp, cuda, mpi };

}  // namespace hgrid::tool

template <>
inline constexpr auto hgrid::enum_names<hgrid::tool::Backend> = std::array{"serial", "openmp", "cuda", "mpi"};

namespace hgrid::tool {

struct GridSpec {
  Backend backend = Backend::openmp;
  int threads = 1;  ///< of openmp, and of each rank of mpi
  int dimension = 3;
  Box3 box = Box3::open();  ///< in two dimensions without its z axis
  GridOptions options = {};
  bool single_precision = false;  ///< hand the library arrays of float; the columns must hold such values
};

struct GridFacts {
  Direction direction;
  KeyOrder keys;
  int threads;
  std::int64_t grid_bytes, list_bytes;
  int ranks = 1;
};

/// As `Grid`, and with its errors. Particles are columns in three dimensions, of which two dimensions read x and y.
class AnyGrid {
 public:
  virtual ~AnyGrid() = default;
  /// Looks on at whatever is called from then on.
  virtual void watch(const Watch& watch) = 0;
  /// Brings the particles to where the executor works; the host's columns are not copied and must stay. Exclusions
  /// are pairs.
  virtual void take(const Particles<double, 3>& columns) = 0;
  /// Builds from the particles taken, and waits for bad input.
  virtual void build(double skin = 0) = 0;
  virtual offset_t count() = 0;
  /// Lists the contacts and returns their number; in a gather the neighbours of each particle, as pairs of it and them.
  virtual offset_t list(Order order = Order::fixed) = 0;
  /// Where the host can read them; the grid's until it lists again.
  virtual PairColumns<const index_t> found() = 0;
  virtual std::vector<LevelReport> levels() = 0;
  virtual GridFacts facts() const = 0;
  virtual WorkCount work() = 0;
  virtual std::variant<GridView<2>, GridView<3>> view() = 0;
};

/// Throws what the executor and the grid throw, and Error(device) for a back end that is not built in.
std::unique_ptr<AnyGrid> make_grid(const GridSpec& spec);

}  // namespace hgrid::tool
