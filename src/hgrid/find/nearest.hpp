// SPDX-License-Identifier: BSD-3-Clause
// The nearest particles of points, or of the particles themselves, in a built grid.
#pragma once

#include <limits>
#include <span>
#include <string>
#include <type_traits>

#include "hgrid/find/asked_points.hpp"
#include "hgrid/find/device_nearest.hpp"
#include "hgrid/find/host_nearest.hpp"
#include "hgrid/grid.hpp"
#include "hgrid/inputs/input_error.hpp"

namespace hgrid::inline v0_2 {

/// Which distance counts: that of centres, |x_i - q|, or from the surface, |x_i - q| - r_i, which is negative inside. r_i is
/// scaled, and has the extra distance in it.
enum class NearestBy { centres, surfaces };

struct NearestOptions {
  index_t k = 1;
  NearestBy by = NearestBy::centres;
  double within = std::numeric_limits<double>::infinity();  ///< none is farther
  bool images = false;                                      ///< the image of each is wanted
};

/// Results, in order, `k` for each point: entry [q * k + e] is of the e-th nearest particle of point q. Equally near ones are
/// ordered by id. Where there are no more particles (within reach), the id is the number of particles of the build, and the
/// distance infinite. All are in the executor's memory.
struct NearestResults {
  offset_t points;
  index_t k;
  std::span<const index_t> ids;       ///< [points * k]
  std::span<const double> distances;  ///< [points * k]
  std::span<const Image> images;      ///< [points * k] or empty: q - x - m L is the distance vector, as in contract C3
};

/// The nearest particles of a built grid, in memory that is used again. All particles that take part count, whatever their
/// groups, ghosts and exclusions. Of a particle's periodic images only the nearest counts, so each is there at most once.
/// Distances are computed in double, each operation rounded once (contract, P), and have the same bits for every plan,
/// executor and number of threads. A point takes time in proportion to k, and to how many particles share a cell, and more by
/// the logarithm of their number where it lies far from them. The first call after a build goes through all particles once, on
/// a device each call does.
///
/// On a device a call waits for the build, and for the check of its points. Its results are valid in the order of the
/// executor's work.
///
/// Each call throws `not_built`, `unsupported` (a box that is tilted along an open axis, or tilted with a period over eight
/// times as long as another), `invalid_argument` (k below 1, `within` not a number), `capacity` (more results than the
/// executor's memory limit) and `out_of_memory`; on a device also what was wrong with the input of the build. Results last
/// until the next call, also one that throws. The grid must outlive the object, and stay where it is. The grid's watch is not
/// asked.
template <class Exec, int D>
class Nearest {
 public:
  explicit Nearest(const Grid<Exec, D>& grid) requires(Exec::on_host) : grid_(grid), search_(grid.exec()) {}
  explicit Nearest(Grid<Exec, D>& grid) requires(!Exec::on_host) : grid_(grid), search_(grid.exec()) {}

  /// The nearest particles of each point; `worlds` has its world, if there are worlds. Both are in the executor's memory.
  /// Points are as builds take positions: `nonfinite` or `range_error` name the first that is not, `size_mismatch` worlds of
  /// another number.
  NearestResults of_points(std::span<const Vec<double, D>> points, const NearestOptions& options = {},
                           std::span<const index_t> worlds = {}) {
    const GridView<D> g = grid_.view();
    detail::require_spheres(g.has_extents() && options.by == NearestBy::surfaces, "nearest surfaces");
    const auto count = static_cast<offset_t>(points.size());
    if (!worlds.empty() && worlds.size() != points.size()) {
      throw Error(ErrorCode::size_mismatch, std::to_string(worlds.size()) + " worlds of " + detail::counted(count, "point"),
                  {.argument = "worlds", .value = static_cast<double>(worlds.size())});
    }
    const index_t* const of = worlds.empty() ? nullptr : worlds.data();
    check_options(options);
    search_.of_points(grid_, points, of, wanted(options));
    return results(count, options);
  }

  /// The nearest other particles of each particle, by id; none of those that take no part.
  NearestResults of_particles(const NearestOptions& options = {}) {
    detail::require_spheres(grid_.view().has_extents() && options.by == NearestBy::surfaces, "nearest surfaces");
    check_options(options);
    search_.of_particles(grid_, wanted(options));
    return results(grid_.particle_count(), options);
  }

  std::size_t bytes() const { return search_.bytes(); }

 private:
  static void check_options(const NearestOptions& options) {
    if (options.k < 1) {
      throw Error(ErrorCode::invalid_argument, "k is " + std::to_string(options.k) + "; it must be at least 1",
                  {.argument = "k", .value = static_cast<double>(options.k)});
    }
    if (std::isnan(options.within))
      throw Error(ErrorCode::invalid_argument, "within is not a number", {.argument = "within", .value = options.within});
  }

  static detail::NearWanted wanted(const NearestOptions& options) {
    return {options.k, options.by == NearestBy::surfaces, options.within, options.images};
  }
  NearestResults results(offset_t rows, const NearestOptions& options) const {
    const auto n = static_cast<std::size_t>(rows * options.k);
    return {rows, options.k, {search_.ids(), n}, {search_.distances(), n}, {search_.images(), options.images ? n : 0}};
  }

  std::conditional_t<Exec::on_host, const Grid<Exec, D>, Grid<Exec, D>>& grid_;
  std::conditional_t<Exec::on_host, detail::HostNearest<Exec, D>, detail::DeviceNearest<Exec, D>> search_;
};

}  // namespace hgrid::inline v0_2
