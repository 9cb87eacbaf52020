// SPDX-License-Identifier: BSD-3-Clause
// The nearest particles of points, of the particles themselves, or of another grid's particles, in a built grid.
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

/// Which distance counts: to the centre, |x_i - q|, or to the surface, |x_i - q| - r_i, which is negative inside. r_i is
/// scaled, and includes the extra distance.
enum class NearestBy { centres, surfaces };

struct NearestOptions {
  index_t k = 1;
  NearestBy by = NearestBy::centres;
  double within = std::numeric_limits<double>::infinity();  ///< largest distance
  bool images = false;                                      ///< whether images are wanted
};

/// Results in order, `k` for each point: entry [q * k + e] is the e-th nearest particle of point q. Ties are ordered by id. If
/// there are no more particles (within reach), the id is the number of particles of the build, and the distance is infinite.
/// All are in the executor's memory.
struct NearestResults {
  offset_t points;
  index_t k;
  std::span<const index_t> ids;       ///< [points * k]
  std::span<const double> distances;  ///< [points * k]
  std::span<const Image> images;      ///< [points * k] or empty: q - x - m L is the distance vector, as in contract C3
};

/// Finds the nearest particles of a built grid, in memory that is reused. All particles that take part count, whatever their
/// groups, ghosts and exclusions. Only the nearest periodic image of a particle counts, so each particle is listed at most
/// once. Distances are computed in double, each operation rounded once (contract, P), and are bit-identical for every plan,
/// executor and number of threads. The time per point is proportional to k and to the number of particles per cell. A point far
/// from all particles takes more time, by the logarithm of their number. The first call after a build visits all particles
/// once; on a device each call does.
///
/// On a device a call waits for the build, and for the check of its points. Its results are valid in the order of the
/// executor's work.
///
/// Each call throws `not_built`, `unsupported` (a box tilted along an open axis, or a tilted box with a period over eight times
/// as long as another), `invalid_argument` (k below 1, `within` not a number), `capacity` (more results than the executor's
/// memory limit) and `out_of_memory`; on a device also the errors of the build's input. Results last until the next call, even
/// if that throws. The grid must outlive the object, and stay where it is. The grid's watch is not called.
template <class Exec, int D>
class Nearest {
  using Asked = std::conditional_t<Exec::on_host, const Grid<Exec, D>, Grid<Exec, D>>;

 public:
  explicit Nearest(const Grid<Exec, D>& grid) requires(Exec::on_host) : grid_(grid), search_(grid.exec()) {}
  explicit Nearest(Grid<Exec, D>& grid) requires(!Exec::on_host) : grid_(grid), search_(grid.exec()) {}

  /// Returns the nearest particles of each point. `worlds` has the world of each point, if there are worlds. Both are in the
  /// executor's memory. Points are positions as builds take them: `nonfinite` or `range_error` name the first bad one.
  /// `size_mismatch`: the number of worlds differs from the number of points.
  NearestResults of_points(std::span<const Vec<double, D>> points, const NearestOptions& options = {},
                           std::span<const index_t> worlds = {}) {
    check(options);
    const auto count = static_cast<offset_t>(points.size());
    if (!worlds.empty() && worlds.size() != points.size()) {
      throw Error(ErrorCode::size_mismatch, std::to_string(worlds.size()) + " worlds of " + detail::counted(count, "point"),
                  {.argument = "worlds", .value = static_cast<double>(worlds.size())});
    }
    const index_t* const of = worlds.empty() ? nullptr : worlds.data();
    search_.of_points(grid_, points, of, wanted(options));
    return results(count, options);
  }

  /// Returns the nearest other particles of each particle, by id. Particles that take no part have none.
  NearestResults of_particles(const NearestOptions& options = {}) {
    check(options);
    search_.of_particles(grid_, wanted(options));
    return results(grid_.particle_count(), options);
  }

  /// Returns the nearest particles of each particle of another grid, by its ids; if both are one grid, each is its own nearest.
  /// Its particles that take no part have none. Throws `invalid_argument` for another box or device, or other boxes of worlds,
  /// and `size_mismatch` for another number of worlds. On a device use both on one stream.
  NearestResults of_grid(Asked& asking, const NearestOptions& options = {}) {
    check(options), asking.view();
    search_.of_grid(grid_, asking, wanted(options));
    return results(asking.particle_count(), options);
  }

  std::size_t bytes() const { return search_.bytes(); }

 private:
  void check(const NearestOptions& options) const {
    detail::require_spheres(grid_.view().has_extents() && options.by == NearestBy::surfaces, "nearest surfaces");
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

  Asked& grid_;
  std::conditional_t<Exec::on_host, detail::HostNearest<Exec, D>, detail::DeviceNearest<Exec, D>> search_;
};

}  // namespace hgrid::inline v0_2
