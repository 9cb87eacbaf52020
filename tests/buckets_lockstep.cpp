// SPDX-License-Identifier: BSD-3-Clause
// The stages that sort particles into cells through buckets. Buckets are as large as for millions of particles, and smaller.
// Slots and starts of cells equal a sort by keys.
#include <gtest/gtest.h>

#include "hgrid/hgrid.hpp"
#include "support/lockstep_exec.hpp"
#include "support/random.hpp"

namespace {

using namespace hgrid::detail;
using hgrid::index_t;
using hgrid::offset_t;
using Exec = support::LockstepExec;
using Sort = SortBuckets<double, 3>;

/// Spheres of three sizes. Some take no part; the first `crowded` lie in one cell.
struct Cloud {
  Cloud(int n, int crowded) : r(static_cast<std::size_t>(n)), active(r.size()) {
    support::Random random(9);
    for (int k = 0; k < 3 * n; ++k) x.push_back(k < 3 * crowded ? 5 + random.real(0, 0.1) : random.real(0, 24));
    for (std::size_t i = 0; i < r.size(); ++i) {
      r[i] = i % 40 == 0 ? 2 : i % 10 == 0 ? 0.9 : 0.4;
      active[i] = i % 7 != 0;
    }
  }
  hgrid::Particles<double, 3> view() const {
    auto p = hgrid::particles<3>(x.data(), r.data(), static_cast<std::int64_t>(r.size()));
    p.active = active.data();
    return p;
  }
  std::vector<double> x, r;
  std::vector<std::uint8_t> active;
};

/// Memory that the stages write, for the given numbers of particles and cells.
struct Slots {
  static constexpr index_t nothing = -7;
  Slots(std::size_t n, hgrid::cell_key_t cells)
      : number(4, std::vector<double>(n + slot_padding)),
        id(n + slot_padding, nothing),
        filter(n + slot_padding),
        radius_max(hgrid::max_levels),
        level_begin(hgrid::max_levels + 1, nothing),
        starts(static_cast<std::size_t>(room_of_starts(cells)) / Starts::count + 1, {{nothing, nothing, nothing, nothing}}) {}

  hgrid::detail::SlotArrays<3> arrays() {
    hgrid::detail::SlotArrays<3> a{};
    for (std::size_t k = 0; k < 3; ++k) a.x[k] = number[k].data();
    a.radius = number[3].data(), a.id = id.data(), a.filter = filter.data();
    a.radius_max = radius_max.data(), a.level_begin = level_begin.data(), a.cell_begin = starts[0].slot;
    return a;
  }
  std::vector<std::vector<double>> number;
  std::vector<index_t> id;
  std::vector<FilterRecord> filter;
  std::vector<double> radius_max;
  std::vector<index_t> level_begin;
  std::vector<Starts> starts;  // and four that no kernel writes
};

void sort_by_buckets(const Exec& exec, const hgrid::Particles<double, 3>& p, const hgrid::GridView<3>& grid,
                     const Buckets& buckets, const hgrid::detail::SlotArrays<3>& out) {
  const auto n = static_cast<std::size_t>(p.count), count = static_cast<std::size_t>(buckets.count());
  const auto good = InputSummary<3>::identity();
  std::vector<index_t> begin(count + 1, Slots::nothing);
  std::vector<word_t> next(1, 99);
  std::vector<DrawnNumber> drawn(n);
  std::vector<MovedParticle> moved(n);
  std::vector<InputRecord<double>> record(n);
  exec.reserve_scan<index_t>(buckets.count());
  exec.for_each("clear", buckets.count(), ClearBuckets{begin.data(), next.data()});
  exec.for_each("draw", p.count,
                DrawNumber<Exec, double, 3>{p, grid, &good, out.radius_max, buckets.bits, begin.data(), drawn.data()});
  exec.exclusive_scan("scan", begin.data(), buckets.count());
  exec.for_each("move", p.count,
                MoveToBucket<double, 3>{p, &good, buckets.bits, begin.data(), drawn.data(), moved.data(), record.data()});
  auto* const arrivals = reinterpret_cast<Arrival*>(drawn.data());
  const InputRecord<double>* const records = record.data();
  exec.launch("sort", Sort::scratch_bytes(),
              Sort{from_records(p, records), grid, &good, buckets, begin.data(), moved.data(), arrivals, next.data(), out});
}

TEST(BucketsLockstep, OfEverySize) {
  for (const int crowded : {0, 400, 3000}) {
    const Cloud cloud(7000, crowded);
    hgrid::Grid<Exec, 3> grid(Exec(3), hgrid::Box3::open(),
                              {.levels = {{0.5, {1.0, 1.0, 1.0}}, {1.0, {2.0, 2.0, 2.0}}, {2.0, {4.0, 4.0, 4.0}}},
                               .table = hgrid::TableKind::dense,
                               .sort = hgrid::SortKind::radix});
    grid.build(cloud.view());
    const auto g = grid.view();
    const auto cells = grid.plan().levels.cells;
    const auto n = static_cast<std::size_t>(g.slots());
    ASSERT_EQ(g.level_count, 3);
    ASSERT_GT(cells, hgrid::cell_key_t{4} << Buckets::most_bits);
    for (int bits = Buckets::fewest_bits; bits <= Buckets::most_bits; ++bits) {
      Slots slots(cloud.r.size(), cells);
      sort_by_buckets(Exec(static_cast<std::uint64_t>(bits)), cloud.view(), g, {cells, bits}, slots.arrays());
      EXPECT_TRUE(std::equal(g.id, g.id + n, slots.id.begin())) << bits << ", " << crowded;
      EXPECT_EQ(slots.id[n], Slots::nothing);
      for (std::size_t k = 0; k < 3; ++k) EXPECT_TRUE(std::equal(g.x[k], g.x[k] + n, slots.number[k].begin())) << bits;
      EXPECT_TRUE(std::equal(g.radius, g.radius + n, slots.number[3].begin())) << bits;
      EXPECT_TRUE(std::equal(g.table.begin, g.table.begin + cells + 1, slots.starts[0].slot)) << bits << ", " << crowded;
      EXPECT_TRUE(std::equal(g.level_begin, g.level_begin + 4, slots.level_begin.begin())) << bits << ", " << crowded;
      EXPECT_EQ(slots.starts.back().slot[0], Slots::nothing) << "beyond the table";
    }
  }
}

}  // namespace
