// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>

#include "bench/peers/peers.hpp"

namespace hgrid::tool {
namespace {

/// Cells a little larger than the largest diameter, so that partners are in adjacent cells despite rounding: coordinates are
/// positive and below 2^20 diameters.
struct Cells {
  index_t per_axis;
  double inverse;
  std::vector<index_t> begin, id;
  std::vector<double> x, y, z, r;

  explicit Cells(const Packing& p) {
    const double size = 2 * std::ranges::max(p.r) * (1 + 0x1p-20);
    per_axis = std::max(1, static_cast<index_t>(p.length / size));
    inverse = per_axis / p.length;
    begin.assign(static_cast<std::size_t>(per_axis) * per_axis * per_axis + 1, 0);
  }
  index_t along(double v) const { return std::clamp(static_cast<index_t>(v * inverse), 0, per_axis - 1); }
  std::size_t index(index_t cx, index_t cy, index_t cz) const {
    return (static_cast<std::size_t>(cz) * per_axis + cy) * per_axis + cx;
  }

  void sort(const Packing& p) {
    const std::size_t n = p.r.size();
    std::vector<std::size_t> cell(n);
    for (std::size_t i = 0; i < n; ++i) ++begin[1 + (cell[i] = index(along(p.x[i]), along(p.y[i]), along(p.z[i])))];
    for (std::size_t c = 1; c < begin.size(); ++c) begin[c] += begin[c - 1];
    std::vector<index_t> next(begin.begin(), begin.end() - 1);
    id.resize(n), x.resize(n), y.resize(n), z.resize(n), r.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      const auto at = static_cast<std::size_t>(next[cell[i]]++);
      id[at] = static_cast<index_t>(i), x[at] = p.x[i], y[at] = p.y[i], z[at] = p.z[i], r[at] = p.r[i];
    }
  }

  void test(index_t a, index_t from, index_t to, std::vector<Pair>& out) const {
    for (index_t b = from; b < to; ++b) {
      const double dx = x[a] - x[b], dy = y[a] - y[b], dz = z[a] - z[b], d = r[a] + r[b];
      if ((dx * dx + dy * dy) + dz * dz <= d * d) out.push_back({std::min(id[a], id[b]), std::max(id[a], id[b])});
    }
  }

  void search_cell(index_t cx, index_t cy, index_t cz, std::vector<Pair>& out) const {
    const std::size_t own = index(cx, cy, cz);
    for (index_t a = begin[own]; a < begin[own + 1]; ++a) test(a, a + 1, begin[own + 1], out);
    for (int k = 14; k < 27; ++k) {  // the later half of the neighbors
      const index_t nx = cx + k % 3 - 1, ny = cy + k / 3 % 3 - 1, nz = cz + k / 9 - 1;
      if (std::min({nx, ny, nz}) < 0 || std::max({nx, ny, nz}) >= per_axis) continue;
      const std::size_t other = index(nx, ny, nz);
      for (index_t a = begin[own]; a < begin[own + 1]; ++a) test(a, begin[other], begin[other + 1], out);
    }
  }
};

Stages find(const Packing& p, std::vector<Pair>& out) {
  const double start = now();
  Cells cells(p);
  cells.sort(p);
  const double built = now();
  for (index_t z = 0; z < cells.per_axis; ++z) {
    for (index_t y = 0; y < cells.per_axis; ++y) {
      for (index_t x = 0; x < cells.per_axis; ++x) cells.search_cell(x, y, z, out);
    }
  }
  return {{"sort", built - start}, {"search", now() - built}};
}

}  // namespace

std::optional<std::string> too_many_tests(const Packing& p) {
  constexpr double most_tests = 2'000, most_cells = 64;  // a particle: some microseconds, some hundred bytes
  const double per_cell = static_cast<double>(p.r.size()) * std::pow(2 * std::ranges::max(p.r) / p.length, 3);
  const auto number = [](double x) { return std::to_string(static_cast<std::int64_t>(x)); };
  if (13.5 * per_cell > most_tests) return number(13.5 * per_cell) + " tests per particle would take too long";
  if (1 > most_cells * per_cell) return number(1 / per_cell) + " cells per particle would take too much memory";
  return std::nullopt;
}

Peer linked_cell_peer() { return {.name = "linked-cell", .find = find, .declines = too_many_tests}; }

}  // namespace hgrid::tool
