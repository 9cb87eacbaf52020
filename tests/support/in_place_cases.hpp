// SPDX-License-Identifier: BSD-3-Clause
// The margins of the device's search in place, against double precision: two particles on one level, where the decision is
// hard.
#pragma once

#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "hgrid/device/search_in_place.hpp"
#include "support/random.hpp"

namespace support {

using hgrid::index_t;

/// Two particles and one level, as a view of them.
template <int D>
struct Two {
  double x[D][2] = {}, radius[2] = {}, radius_max = 0;
  index_t level_begin[2] = {0, 2};
  hgrid::Level<D> level{};
  std::vector<index_t> begin;
  hgrid::GridView<D> g{};

  Two() = default;
  Two(const Two&) = delete;
  Two& operator=(const Two&) = delete;

  const hgrid::GridView<D>& view() {
    for (int k = 0; k < D; ++k) g.x[k] = x[k];
    g.radius = radius, g.radius_max = &radius_max, g.level_begin = level_begin, g.level = &level, g.level_count = 1;
    g.table.begin = begin.data();
    return g;
  }
  hgrid::detail::FilterRecord record(index_t p) { return hgrid::detail::filter_record(view(), view().position(p), radius[p]); }
};

/// Draws numbers near a grid's origin, or far from it; float coordinates about 0 for exact records.
template <int D>
void draw_origin(Random& random, double size, Two<D>& two) {
  two.g.exact_records = random.chance(0.5);
  const double far = two.g.exact_records || random.chance(0.5) ? 0 : random.log_real(1, 0x1p+40);
  for (int k = 0; k < D; ++k) two.g.filter_origin[k] = random.real(-1, 1) * size * far;
}

template <int D>
double as_stored(const Two<D>& two, double x) {
  return two.g.exact_records ? static_cast<double>(static_cast<float>(x)) : x;
}

/// How often a case was of one kind, and of the other.
struct Kinds {
  int one = 0, other = 0;
};

/// Returns the fault of a sign that decides, or "". `kinds` counts how often it did, and how often the predicate is needed.
template <int D>
std::string wrong_sign(std::uint64_t seed, int trials, Kinds& kinds) {
  using namespace hgrid::detail;
  Random random(seed);
  for (int trial = 0; trial < trials; ++trial) {
    Two<D> two;
    const double scale = random.chance(0.5) ? 1 : random.log_real(1e-13, 1e+6), size = scale * random.log_real(1, 1e7);
    draw_origin(random, size, two);
    two.g.skin = random.chance(0.3) ? 0.3 * scale : 0;
    for (double& r : two.radius) r = random.chance(0.1) ? 0 : random.log_real(1e-3, 1) * scale;
    two.radius_max = std::fmax(two.radius[0], two.radius[1]) * (random.chance(0.5) ? 1 : random.real(1, 2));
    double e[D], norm = 0;
    for (double& c : e) c = random.chance(0.3) ? 0 : random.real(-1, 1), norm += c * c;
    if (norm == 0) e[0] = norm = 1;
    const double distance = two.radius[0] + two.radius[1] + two.g.skin;
    const double off = random.chance(0.3) ? 0 : random.real(-8, 8) * 0x1p-22 * (random.chance(0.5) ? size : distance);
    for (int k = 0; k < D; ++k) {
      two.x[k][0] = as_stored(two, two.g.filter_origin[k] + random.real(-1, 1) * size);
      two.x[k][1] = as_stored(two, two.x[k][0] + std::fmax(0, distance + off) / std::sqrt(norm) * e[k]);
    }
    two.level.inverse = hgrid::Vec<double, D>{};
    const LevelInPlace<D> level = level_in_place(two.view(), 0);
    const FilterRecord p = two.record(0), q = two.record(1);
    const float excess = excess_of(p, q);
    const bool touch = in_contact(two.view(), 0, 1, Shift<D>{});
    const bool doubtful = std::fabs(excess) <= level.doubtful(p), is_lost = touch && !std::signbit(excess);
    ++(doubtful ? kinds.other : kinds.one);
    if (excess != excess || is_lost || (!doubtful && touch != std::signbit(excess)))
      return "trial " + std::to_string(trial) + ", excess " + std::to_string(excess);
  }
  return "";
}

/// Returns a cell in reach that is in no row, or "". `kinds` counts how often there was one, and how often all slots are
/// scanned.
template <int D>
std::string lost_cell(std::uint64_t seed, int trials, Kinds& kinds) {
  using namespace hgrid::detail;
  Random random(seed);
  for (int trial = 0; trial < trials; ++trial) {
    Two<D> two;
    const double scale = random.chance(0.5) ? 1 : random.log_real(1e-13, 1e+6);
    const int most = D == 2 ? 60 : 16;
    double size = 0;
    for (int k = 0; k < D; ++k) {
      two.level.cells[k] = random.integer(1, most), two.level.cell_size[k] = scale * random.log_real(0.1, 10);
      size = std::fmax(size, two.level.cells[k] * two.level.cell_size[k]);
      two.level.inverse[k] = 1 / two.level.cell_size[k];
    }
    draw_origin(random, size, two);
    for (int k = 0; k < D; ++k) two.level.origin[k] = two.g.filter_origin[k] + random.real(-2, 1) * size;
    two.g.skin = random.chance(0.3) ? 0.3 * scale : 0;
    for (double& r : two.radius) r = random.chance(0.2) ? 0 : random.log_real(1e-3, 1) * scale;
    two.radius_max = std::fmax(two.radius[0], two.radius[1]);
    const double distance = listing_distance_in(two.g, two.radius[0], two.radius[1]);
    for (int k = 0; k < D; ++k) {
      const double cell = two.level.cell_size[k], beyond = random.chance(0.1) ? random.real(-3, 3) * size : 0;
      two.x[k][0] = two.level.origin[k] + random.integer(0, two.level.cells[k]) * cell + beyond;  // at an edge, or near one
      two.x[k][0] = as_stored(two, two.x[k][0] + (random.chance(0.5) ? 0 : random.real(-1, 1) * cell));
      const double by = random.chance(0.3) ? random.sign() : random.real(-1, 1);
      two.x[k][1] = as_stored(two, two.x[k][0] + by * distance);
      if (std::fabs(two.x[k][1] - two.x[k][0]) > distance) two.x[k][1] = two.x[k][0];  // rounding took it out of reach
    }
    // Each cell has one slot, of its own number: a run tells which cells it is.
    index_t cells = 1;
    for (int k = 0; k < D; ++k) cells *= two.level.cells[k];
    two.begin.resize(static_cast<std::size_t>(cells) + 1);
    std::iota(two.begin.begin(), two.begin.end(), 0);
    two.level_begin[1] = cells;
    hgrid::Vec<index_t, D> home, other;
    for (int k = 0; k < D; ++k) {
      home[k] = cell_coordinate(two.level, k, two.x[k][0]), other[k] = cell_coordinate(two.level, k, two.x[k][1]);
    }
    const auto p = static_cast<index_t>(linear_cell(two.level, home)), q = static_cast<index_t>(linear_cell(two.level, other));
    if (q <= p) continue;  // the other's search has it
    ++kinds.one;
    hgrid::SlotRun run{0, 0};
    RowsInPlace<D> rows(level_in_place(two.view(), 0), two.record(0), p, run);
    bool held = run.begin <= q && q < run.end;
    kinds.other += run.end > 0;
    while (!rows.empty()) {
      const hgrid::SlotRun row = rows.next(p);
      if (row.begin <= p) return "trial " + std::to_string(trial) + ": its own slot";
      held = held || (row.begin <= q && q < row.end);
    }
    if (!held)
      return "trial " + std::to_string(trial) + ": cell " + std::to_string(q) + " is not in reach of " + std::to_string(p);
  }
  return "";
}

}  // namespace support
