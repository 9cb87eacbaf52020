// SPDX-License-Identifier: BSD-3-Clause
// The sort of devices through buckets, with blocks of one thread: the last particle comes first, and slots equal a sort by
// keys.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "hgrid/device/bucket_cells.hpp"
#include "hgrid/device/device_engine.hpp"
#include "hgrid/find/plain_search.hpp"
#include "support/fail.hpp"
#include "support/random.hpp"

class LoneBlock {
 public:
  static constexpr int threads = 1;
  explicit LoneBlock(std::byte* scratch) : scratch_(scratch) {}

  int thread() const { return 0; }
  int lane() const { return 0; }
  int warp() const { return 0; }
  void barrier() const {}
  template <class T>
  T* shared(int bytes) const {
    return reinterpret_cast<T*>(scratch_ + bytes);
  }
  template <class T>
  T add(T* p, T v) const {
    return std::exchange(*p, *p + v);
  }
  template <class T>
  T shuffle_up(T v, int) const {
    return v;
  }

 private:
  std::byte* scratch_;
};

/// `Parts`, the device engine in host memory, with buckets.
template <class Parts>
class BucketParts : public Parts {
 public:
  using Memory = BucketParts;
  template <int D>
  using Engine = hgrid::detail::DeviceEngine<BucketParts, D>;
  template <int D>
  using Search = hgrid::detail::PlainSearch<BucketParts, D>;
  template <int D>
  using CellSort = hgrid::detail::BucketCells<BucketParts, D>;
  using ListSort = hgrid::detail::ScatterEntries<BucketParts>;

  template <class F>
  void for_each(const char*, hgrid::offset_t n, const F& f) const {
    for (hgrid::offset_t i = n; i-- > 0;) f(i);
  }
  template <class Key>
  void sort_keys(hgrid::detail::SortBuffers<BucketParts, Key>& s, hgrid::offset_t n, int key_bits) const {
    hgrid::detail::radix_sort(*this, s, n, key_bits);
  }
  static hgrid::index_t draw(hgrid::index_t* count, std::uint32_t which) { return count[which]++; }
  template <class Body>
  void launch(const char*, std::size_t shared, const Body& body) const {
    std::vector<std::uint64_t> scratch(shared / 8 + 1);
    LoneBlock block(reinterpret_cast<std::byte*>(scratch.data()));
    body(block);
  }
};

/// Builds 7,000 spheres of three sizes twice. Every seventh takes no part, and the first `crowded` lie in one cell: 400 fit a
/// block's memory and more do not.
template <class Parts>
void expect_buckets(const Parts& parts) {
  for (const int crowded : {0, 400, 3000}) {
    std::vector<double> x, r;
    std::vector<std::uint8_t> active;
    support::Random random(9);
    for (int i = 0; i < 7000; ++i) {
      for (int k = 0; k < 3; ++k) x.push_back(i < crowded ? 5 + random.real(0, 0.1) : random.real(0, 24));
      r.push_back(i % 40 == 0 ? 2 : i % 10 == 0 ? 0.9 : 0.4);
      active.push_back(i % 7 != 0);
    }
    auto particles = hgrid::particles<3>(x.data(), r.data(), static_cast<std::int64_t>(r.size()));
    particles.active = active.data();
    const hgrid::GridOptions options{.levels = {{0.5, {1, 1, 1}}, {1, {2, 2, 2}}, {2, {4, 4, 4}}},
                                     .table = hgrid::TableKind::dense};
    hgrid::GridOptions by_buckets = options;
    by_buckets.sort = hgrid::SortKind::counting;  // devices take radix unless told
    hgrid::Grid<BucketParts<Parts>, 3> grid({}, hgrid::Box3::open(), by_buckets);
    hgrid::Grid<Parts, 3> by_keys(parts, hgrid::Box3::open(), options);
    by_keys.build(particles);
    for (int times = 0; times < 2; ++times) grid.build(particles);
    const auto a = grid.view(), b = by_keys.view();
    const auto same = [](const auto* p, const auto* q, hgrid::offset_t n) { return std::equal(p, p + n, q); };
    const auto cells = static_cast<hgrid::offset_t>(grid.plan().levels.cells);
    if (!same(a.level_begin, b.level_begin, 4)) support::fail("levels by buckets");
    if (!same(a.table.begin, b.table.begin, cells + 1)) support::fail("cells by buckets");
    if (!same(a.id, b.id, b.slots()) || !same(a.radius, b.radius, b.slots()) || !same(a.x[2], b.x[2], b.slots()))
      support::fail("slots by buckets");
  }
}
