// SPDX-License-Identifier: BSD-3-Clause
// The C API at a place, the host or a CUDA device, and its results, read from there.
#pragma once

#include <tuple>
#include <utility>
#include <vector>

#include "support/c_door.hpp"
#include "support/oracle.hpp"
#include "support/results.hpp"

namespace support {

inline constexpr int cuda = 2;

inline hgrid_particles on_device(hgrid_particles p) {
  for (hgrid_array* a : {&p.positions, &p.columns[0], &p.columns[1], &p.columns[2], &p.radii, &p.extra, &p.group, &p.active,
                         &p.excluded_pairs, &p.excluded_begin, &p.excluded_ids, &p.types, &p.cutoffs, &p.world, &p.extents}) {
    a->device_type = cuda;
  }
  return p;
}

inline int create(const oracle::System& s, int device_type, hgrid_grid** out, void* stream = nullptr) {
  auto options = sized<hgrid_options>();
  options.dimension = 3, options.threads = 2, options.device_type = device_type, options.stream = stream;
  auto box = sized<hgrid_box>();
  for (int k = 0; k < 3; ++k) box.periodic[k] = s.periodic[k], box.lo[k] = s.lo[k], box.hi[k] = s.hi[k];
  return hgrid_create(&options, &box, out);
}

/// One C API, and how to read its memory. Results are copied.
template <class Memory>
class Door {
 public:
  Door(const Memory& memory, const oracle::System& s, int device_type, void* stream = nullptr) : memory_(memory) {
    EXPECT_EQ(create(s, device_type, &door_.grid, stream), HGRID_OK) << verdict_of_door(HGRID_ERROR_DEVICE).message;
  }

  hgrid_grid* grid() const { return door_.grid; }

  template <class T>
  std::vector<T> read(const T* from, std::int64_t n) const {
    return from == nullptr ? std::vector<T>{} : copied(memory_, from, n);
  }

  auto pairs() const {
    auto list = sized<hgrid_pair_list>();
    EXPECT_EQ(hgrid_pairs(grid(), HGRID_SORTED, &list), HGRID_OK);
    return std::pair{read(list.pairs, 2 * list.size), read(list.images, 3 * list.size)};
  }

  auto lists(const hgrid_neighbour_list& list) const {
    return std::tuple{read(list.offsets, list.lists + 1), read(list.neighbours, list.size), read(list.images, 3 * list.size)};
  }
  auto neighbours(int kind) const {
    auto list = sized<hgrid_neighbour_list>();
    EXPECT_EQ(hgrid_neighbours(grid(), kind, &list), HGRID_OK);
    return lists(list);
  }
  auto found(const hgrid_regions& regions) const {
    auto list = sized<hgrid_neighbour_list>();
    EXPECT_EQ(hgrid_query(grid(), &regions, &list), HGRID_OK);
    return lists(list);
  }
  /// The pairs that a search tests.
  std::int64_t work() const {
    auto report = sized<hgrid_work_report>();
    EXPECT_EQ(hgrid_work(grid(), &report), HGRID_OK);
    return report.candidates;
  }

 private:
  const Memory& memory_;
  DoorGrid door_;
};

/// A list that is kept stays while others are made; and memory is copied there.
template <class Memory>
void expect_kept(const Door<Memory>& door, const std::vector<std::int32_t>& pairs) {
  auto list = sized<hgrid_pair_list>();
  hgrid_memory *kept = nullptr, *other = nullptr;
  void* copy = nullptr;
  const auto bytes = static_cast<std::int64_t>(pairs.size() * sizeof(std::int32_t));
  ASSERT_EQ(hgrid_pairs(door.grid(), HGRID_SORTED, &list), HGRID_OK);
  ASSERT_EQ(hgrid_keep(door.grid(), &kept), HGRID_OK);
  const std::int32_t* const first = list.pairs;
  ASSERT_EQ(hgrid_pairs(door.grid(), HGRID_FIXED, &list), HGRID_OK);
  EXPECT_NE(list.pairs, first);
  ASSERT_EQ(hgrid_allocate(door.grid(), bytes, &other, &copy), HGRID_OK);
  ASSERT_EQ(hgrid_copy(door.grid(), copy, first, bytes, HGRID_WITHIN), HGRID_OK);
  hgrid_release(kept);
  std::vector<std::int32_t> read(pairs.size());
  ASSERT_EQ(hgrid_copy(door.grid(), read.data(), copy, bytes, HGRID_TO_HOST), HGRID_OK);
  EXPECT_EQ(read, pairs);
  ASSERT_EQ(hgrid_copy(door.grid(), copy, read.data(), bytes, HGRID_FROM_HOST), HGRID_OK);
  hgrid_release(other);
}

}  // namespace support
