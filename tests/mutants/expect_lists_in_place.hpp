// SPDX-License-Identifier: BSD-3-Clause
// Lists that threads of a device find in place. Each lane of a warp runs alone, and is given the numbers that all lanes share.
#pragma once

#include <algorithm>
#include <bit>
#include <vector>

#include "hgrid/device/grid_kinds.hpp"
#include "hgrid/device/lists_in_place.hpp"
#include "support/fail.hpp"
#include "support/packings.hpp"
#include "support/results.hpp"

/// Its warp takes all slots, 32 at a time.
class LoneLane {
 public:
  static constexpr int threads = 32;
  LoneLane(int lane, std::byte* scratch) : lane_(lane), scratch_(scratch) {}

  int thread() const { return lane_; }
  int lane() const { return lane_; }
  template <class T>
  T* shared(int bytes) const {
    return reinterpret_cast<T*>(scratch_ + bytes);
  }
  std::uint32_t ballot(bool bit) const { return bit ? 1 : 0; }
  hgrid::detail::word_t add(hgrid::detail::word_t*, hgrid::detail::word_t) const { return 0; }
  hgrid::detail::word_t shuffle(hgrid::detail::word_t, int) { return taken_++; }
  template <class T>
  T load(const T* p) const {
    return *p;
  }
  static int bits(std::uint32_t mask) { return std::popcount(mask); }
  static int highest_bit(std::uint32_t mask) { return 31 - std::countl_zero(mask); }
  static std::uint32_t with_sign(std::uint32_t bits, float v) { return bits << 1 | std::bit_cast<std::uint32_t>(v) >> 31; }

 private:
  int lane_;
  std::byte* scratch_;
  hgrid::detail::word_t taken_ = 0;
};

template <class Body>
void run_lanes(const Body& body) {
  std::vector<std::byte> scratch(body.template shared_bytes<LoneLane>());
  for (int lane = 0; lane < 32; ++lane) {
    LoneLane block(lane, scratch.data());
    body(block);
  }
}

/// Spheres that just touch or just do not, as far as double precision can tell, and some on a coarser level.
template <class Exec>
void expect_lists_in_place(const Exec& exec) {
  using namespace hgrid::detail;
  using View = hgrid::GridView<3, OpenGrid>;
  support::Random random(9);
  oracle::System s;
  for (int i = 0; i < 216; ++i) {
    s.particles.push_back({.x = {2.0 * (i % 6), 2.0 * (i / 6 % 6), 2.0 * (i / 36)}, .radius = 1});
    for (double& x : s.particles.back().x) x += random.real(-1, 1) * 1e-8;
  }
  for (int i = 0; i < 10; ++i) {
    s.particles.push_back({.x = {random.real(0, 10), random.real(0, 10), random.real(0, 10)}, .radius = 3});
  }
  const auto grid = support::built(exec, s, {.levels = {{1, {2, 2, 2}}, {3, {6, 6, 6}}}, .table = hgrid::TableKind::dense});
  const auto g = grid.view();
  if (!is_common(g) || g.level_count != 2) support::fail("a grid of another kind");
  LevelInPlace<3> levels[2] = {level_in_place(g, 0), level_in_place(g, 1)};
  const auto n = s.particles.size();
  std::vector<hgrid::offset_t> expected(n), counts(n), offsets(n + 1), ends(n);
  support::Contacts partners;
  for (const oracle::Contact& c : oracle::from_both_sides(oracle::contacts(s))) {
    if (s.particles[c.i].radius == s.particles[c.j].radius) partners.push_back(c), ++expected[c.i];
  }
  run_lanes(CountInPlace<View>{std::bit_cast<View>(g), levels, nullptr, counts.data()});
  if (counts != expected) support::fail("numbers of partners in place");
  for (std::size_t i = 0; i < n; ++i) offsets[i + 1] = offsets[i] + counts[i];
  const hgrid::offset_t found = offsets[n];
  std::vector<hgrid::index_t> entries(static_cast<std::size_t>(found), -1);
  for (const bool has_room : {false, true}) {
    run_lanes(FillInPlace<View, ListEntries>{std::bit_cast<View>(g),
                                             levels,
                                             nullptr,
                                             offsets.data(),
                                             ends.data(),
                                             {entries.data(), nullptr},
                                             {&found, has_room ? found : found - 1}});
    if (!has_room && std::ranges::any_of(entries, [](hgrid::index_t j) { return j != -1; }))
      support::fail("entries of lists in place without room");
  }
  if (!std::equal(ends.begin(), ends.end(), offsets.begin() + 1)) support::fail("ends of lists in place");
  for (std::size_t i = 0; i < n; ++i) std::sort(entries.begin() + offsets[i], entries.begin() + offsets[i + 1]);
  const auto is_same = [](const oracle::Contact& c, hgrid::index_t j) { return c.j == j; };
  if (!std::equal(partners.begin(), partners.end(), entries.begin(), entries.end(), is_same))
    support::fail("partners in place");
}
