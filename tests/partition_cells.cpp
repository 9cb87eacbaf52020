// SPDX-License-Identifier: BSD-3-Clause
// Hosts sort into compacted tables by buckets between keys of a sample, and leave few particles in their order. Slots and
// tables equal the radix sort's, for any particles and any number of parts of the input.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "host/sort/crowded_cells.hpp"
#include "support/far_systems.hpp"
#include "support/pieces_exec.hpp"
#include "support/results.hpp"

namespace {

template <class T>
void expect_same(const T* a, const T* b, hgrid::offset_t n, const char* what) {
  EXPECT_TRUE(n == 0 || std::memcmp(a, b, static_cast<std::size_t>(n) * sizeof(T)) == 0) << what;
}

// Returns the first slots of all cells, and the number of slots.
template <int D>
std::vector<hgrid::index_t> begins_of_cells(const hgrid::GridView<D>& g) {
  std::vector<hgrid::index_t> begins;
  for (hgrid::index_t s = 0; s < *g.table.segments; ++s) {
    const int cells = hgrid::detail::count_bits(g.table.segment[s].occupied);
    begins.insert(begins.end(), g.table.begin + g.table.first[s], g.table.begin + g.table.first[s] + cells);
  }
  begins.push_back(g.slots());
  return begins;
}

// The order of the slots of a crowded cell is one of place, after the sort by buckets only.
template <int D>
bool has_crowd(const hgrid::GridView<D>& g) {
  const auto begins = begins_of_cells(g);
  hgrid::index_t most = 0;
  for (std::size_t c = 0; c + 1 < begins.size(); ++c) most = std::max(most, begins[c + 1] - begins[c]);
  return most > hgrid::detail::CrowdedCells<D>::least;
}

template <int D>
std::vector<hgrid::index_t> ids_of_cells(const hgrid::GridView<D>& g) {
  const auto begins = begins_of_cells(g);
  std::vector<hgrid::index_t> id(g.id, g.id + g.slots());
  for (std::size_t c = 0; c + 1 < begins.size(); ++c) std::sort(id.begin() + begins[c], id.begin() + begins[c + 1]);
  return id;
}

template <int D>
void expect_same_grids(const hgrid::GridView<D>& a, const hgrid::GridView<D>& b) {
  ASSERT_EQ(a.slots(), b.slots());
  ASSERT_EQ(a.level_count, b.level_count);
  const hgrid::index_t n = a.slots();
  EXPECT_EQ(a.wraps == nullptr, b.wraps == nullptr);
  if (!has_crowd(a)) {
    for (int k = 0; k < D; ++k) expect_same(a.x[k], b.x[k], n, "x");
    expect_same(a.radius, b.radius, n, "radius");
    expect_same(a.id, b.id, n, "id");
    if (a.wraps != nullptr && b.wraps != nullptr) expect_same(a.wraps, b.wraps, n, "wraps");
  }
  expect_same(a.level_begin, b.level_begin, a.level_count + 1, "level_begin");
  expect_same(a.radius_max, b.radius_max, a.level_count, "radius_max");
  ASSERT_EQ(*a.table.segments, *b.table.segments);
  const hgrid::index_t segments = *a.table.segments;
  expect_same(a.table.first, b.table.first, segments + 1, "first slots of segments");
  for (hgrid::index_t s = 0; s <= segments; ++s) {
    EXPECT_EQ(a.table.segment[s].number, b.table.segment[s].number);
    EXPECT_EQ(a.table.segment[s].occupied, b.table.segment[s].occupied);
  }
  for (hgrid::index_t s = 0; s < segments; ++s) {
    const int cells = hgrid::detail::count_bits(a.table.segment[s].occupied);
    expect_same(a.table.begin + a.table.first[s], b.table.begin + b.table.first[s], cells, "first slots of cells");
  }
  EXPECT_EQ(ids_of_cells(a), ids_of_cells(b));
}

template <class Real, int pieces, int D>
void expect_as_by_radix(const oracle::System& s, const hgrid::GridOptions& more = {}) {
  using Exec = support::PiecesExec<pieces>;
  const support::UserArrays<Real, D> arrays(s);
  hgrid::GridOptions options = more;
  options.table = hgrid::TableKind::compacted;
  hgrid::Grid<Exec, D> grid(Exec{}, support::box_of<D>(s), options);
  options.sort = hgrid::SortKind::radix;
  hgrid::Grid<Exec, D> by_radix(Exec{}, support::box_of<D>(s), options);
  for (int step = 0; step < 3; ++step) {
    grid.build(arrays.view()), by_radix.build(arrays.view());
    expect_same_grids(grid.view(), by_radix.view());
    if (step == 0) grid.plan_again(), by_radix.plan_again();
  }
}

template <int D>
void expect_as_by_radix_in_pieces(const oracle::System& s, const hgrid::GridOptions& options = {}) {
  expect_as_by_radix<double, 1, D>(s, options);
  expect_as_by_radix<double, 3, D>(s, options);
  expect_as_by_radix<double, 40, D>(s, options);
  expect_as_by_radix<float, 3, D>(s, options);
}

TEST(PartitionCells, AnyNumberOfParticles) {
  for (const int n : {0, 1, 2, 63, 2047, 2048, 20000}) {
    SCOPED_TRACE(n);
    expect_as_by_radix_in_pieces<3>(support::polydisperse(n, 4, n % 2 == 1));
  }
}

// Some particles lie on faces, or just below one, from where they are wrapped although no period brings them inside.
TEST(PartitionCells, FewKeepTheirOrder) {
  for (const int n : {0, 1, 10, 32}) {
    SCOPED_TRACE(n);
    oracle::System s = support::polydisperse(n, 4, false);
    for (std::size_t i = 0; i < s.particles.size(); ++i) {
      s.particles[i].group = static_cast<hgrid::index_t>(i / 5);
      if (i % 4 < 3) s.particles[i].x[i % 3] = std::array{-7e-18, 4.0, -9.5}[i % 4];
    }
    const hgrid::Box3 box = hgrid::Box3::periodic({0, 0, 0}, {4, 4, 4});
    hgrid::Grid<hgrid::SerialExec, 3> grid({}, box), by_radix({}, box, {.sort = hgrid::SortKind::radix});
    const support::UserArrays<double, 3> arrays(s);
    grid.build(arrays.view()), by_radix.build(arrays.view());
    const auto a = grid.view(), b = by_radix.view();
    ASSERT_EQ(a.slots(), n);
    ASSERT_EQ(b.slots(), n);
    for (int k = 0; k < 3; ++k) expect_same(a.x[k], b.x[k], n, "x");
    expect_same(a.radius, b.radius, n, "radius");
    expect_same(a.id, b.id, n, "id");
    expect_same(a.pair_filter.group, b.pair_filter.group, n, "group");
    ASSERT_EQ(a.wraps == nullptr, b.wraps == nullptr);
    if (a.wraps != nullptr) expect_same(a.wraps, b.wraps, n, "wraps");
    expect_same(a.radius_max, b.radius_max, 1, "radius_max");
    expect_same(a.table.begin, b.table.begin, 2, "first slots of cells");
  }
}

TEST(PartitionCells, KeysOf32AndOf64Bits) {
  for (const double apart : {1e2, 1e4, 1e6, 1e12}) {
    SCOPED_TRACE(apart);
    expect_as_by_radix_in_pieces<2>(support::far_clusters(2, 5, apart, support::Places::anywhere, 20000, 3));
    expect_as_by_radix_in_pieces<3>(support::far_clusters(3, 5, apart, support::Places::anywhere, 20000, 3));
  }
}

TEST(PartitionCells, ManyInOneCell) {
  oracle::System s = support::far_clusters(3, 2, 1e5, support::Places::diagonal, 30000);
  for (std::size_t i = 0; i < s.particles.size(); ++i) {
    if (i % 4 != 0) std::fill_n(s.particles[i].x, 3, 7.0);
  }
  expect_as_by_radix_in_pieces<3>(s, {.levels = {{0.5, {1, 1, 1}}}});
}

// The order of the input is independent of places, or follows them.
TEST(PartitionCells, AnyOrder) {
  oracle::System s = support::far_clusters(3, 3, 1e4, support::Places::anywhere, 20000, 10);
  std::sort(s.particles.begin(), s.particles.end(), [](const auto& a, const auto& b) { return a.x[2] < b.x[2]; });
  expect_as_by_radix_in_pieces<3>(s);
  std::reverse(s.particles.begin(), s.particles.end());
  expect_as_by_radix_in_pieces<3>(s);
}

TEST(PartitionCells, SomeTakeNoPart) {
  oracle::System s = support::polydisperse(20000, 4, true);
  for (std::size_t i = 0; i < s.particles.size(); ++i) {
    s.particles[i].active = i % 3 != 0;
    s.particles[i].x[0] += static_cast<double>(i % 5) * (s.hi[0] - s.lo[0]);
  }
  expect_as_by_radix_in_pieces<3>(s);
}

// A coordinate just below a face moves onto it and counts no period: nothing lies outside the box, and yet a particle has to
// move.
TEST(PartitionCells, JustBelowAFace) {
  oracle::System s = support::polydisperse(5000, 2, true);
  for (int k = 0; k < 3; ++k) s.hi[k] -= s.lo[k], s.lo[k] = 0;
  for (oracle::Particle& p : s.particles) {
    for (int k = 0; k < 3; ++k) p.x[k] = std::clamp(p.x[k], 0.0, 0.99 * s.hi[k]);
  }
  for (std::size_t i = 0; i < s.particles.size(); i += 100) s.particles[i].x[i % 3] = -5e-17;
  expect_as_by_radix_in_pieces<3>(s);
}

// Bounds drawn for an earlier build serve, or are drawn again, where the particles are elsewhere by now.
TEST(PartitionCells, BoundsOfAnotherState) {
  oracle::System s = support::far_clusters(3, 2, 1e4, support::Places::diagonal, 30000);
  const hgrid::GridOptions options = {.levels = {{0.5, {1, 1, 1}}}, .table = hgrid::TableKind::compacted};
  hgrid::Grid<hgrid::SerialExec, 3> grid(hgrid::SerialExec{}, hgrid::Box3::open(), options);
  grid.build(support::UserArrays<double, 3>(s).view());
  for (oracle::Particle& p : s.particles) {
    for (double& x : p.x) x *= 1e-2;
  }
  for (int step = 0; step < 2; ++step) {
    grid.build(support::UserArrays<double, 3>(s).view());
    hgrid::Grid<hgrid::SerialExec, 3> fresh(hgrid::SerialExec{}, hgrid::Box3::open(), options);
    fresh.build(support::UserArrays<double, 3>(s).view());
    ASSERT_EQ(grid.view().slots(), fresh.view().slots());
    expect_same(grid.view().id, fresh.view().id, grid.view().slots(), "id");
  }
}

}  // namespace
