// SPDX-License-Identifier: BSD-3-Clause
// The nearest particles, as Python gets them.
#include <algorithm>
#include <cmath>

#include "python/answers.hpp"

namespace hgrid::python {

nb::tuple nearest(Grid& g, const Places& x, const WorldsOf& world, int k, bool by_surfaces, double within, bool images,
                  bool counts, int dimension) {
  auto asked = sized<hgrid_nearest_points>();
  std::int64_t n = 0;
  if (x.is_valid()) {
    n = static_cast<std::int64_t>(x.shape(0));
    asked.x = hgrid_array_2d(x.data(), HGRID_FLOAT64, n, static_cast<std::int64_t>(x.shape(1)));
  }
  if (world.is_valid()) asked.world = hgrid_array_1d(world.data(), HGRID_INT32, n);
  asked.k = k, asked.by = by_surfaces ? HGRID_BY_SURFACES : HGRID_BY_CENTRES;
  asked.is_bounded = 1, asked.within = within;
  std::pair<void*, Memory> ids, distances, shifts, numbers;
  g.run([&] {
    if (!x.is_valid()) n = g.built().positions.shape[0];  // another thread may have built since the caller's check
    const std::int64_t columns = k > 0 ? k : 1;
    ids = g.allocate(4 * n, columns), distances = g.allocate(8 * n, columns);
    if (images && !counts) shifts = g.allocate(4 * n * dimension, columns);
    g.door().require(g.door().nearest(g.get(), &asked, static_cast<std::int32_t*>(ids.first),
                                      static_cast<double*>(distances.first), static_cast<std::int32_t*>(shifts.first)));
    if (!counts) return;
    numbers = g.allocate(8 * n);
    const auto* row = static_cast<const double*>(distances.first);
    for (std::int64_t i = 0; i < n; ++i, row += k)
      static_cast<std::int64_t*>(numbers.first)[i] = std::count_if(row, row + k, [](double d) { return std::isfinite(d); });
  });
  const auto given = [&](auto* to, const auto& room, std::initializer_list<std::int64_t> shape) {
    return g.place().give(n > 0 ? to : nullptr, shape, room.second);
  };
  if (counts) return nb::make_tuple(given(static_cast<std::int64_t*>(numbers.first), numbers, {n}), nb::none(), nb::none());
  nb::object m = nb::none();
  if (images) m = given(static_cast<std::int32_t*>(shifts.first), shifts, {n, k, dimension});
  return nb::make_tuple(given(static_cast<std::int32_t*>(ids.first), ids, {n, k}),
                        given(static_cast<double*>(distances.first), distances, {n, k}), m);
}

}  // namespace hgrid::python
