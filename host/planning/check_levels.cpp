// SPDX-License-Identifier: BSD-3-Clause
#include <string>

#include "hgrid/core/error.hpp"
#include "hgrid/plan/planning.hpp"

namespace hgrid::inline v0_2::detail {

void check_levels(const std::vector<LevelSpec>& levels, int dimension) {
  const auto fail = [](const std::string& why, std::size_t index, double value) {
    throw Error(ErrorCode::invalid_levels, why,
                {.argument = "levels", .index = static_cast<std::int64_t>(index), .value = value});
  };
  if (levels.empty() || levels.size() > max_levels) {
    fail("between 1 and 64 levels are possible, got " + std::to_string(levels.size()), levels.size(), 0);
  }
  for (std::size_t h = 0; h < levels.size(); ++h) {
    const double r = levels[h].radius_max;
    const std::string where = "level " + std::to_string(h) + ": ";
    if (!(r >= 0) || r > largest_length) fail(where + "radius_max must be finite and not negative", h, r);
    if (h > 0 && !(r > levels[h - 1].radius_max)) fail(where + "radius_max must exceed the level below", h, r);
    for (int k = 0; k < dimension; ++k) {
      const double s = levels[h].cell_size[k];
      if (!(s >= smallest_radius) || s > largest_length) fail(where + "cell sizes must be in [1e-15, 1e15]", h, s);
    }
  }
}

}  // namespace hgrid::inline v0_2::detail
