// SPDX-License-Identifier: BSD-3-Clause
#include "hgrid/core/cell_key.hpp"

#include <gtest/gtest.h>

#include "support/random.hpp"

namespace {

template <int D>
hgrid::cell_key_t spread_naively(hgrid::cell_key_t v, int bits) {
  hgrid::cell_key_t result = 0;
  for (int b = 0; b < bits; ++b) result |= ((v >> b) & 1) << (b * D);
  return result;
}

TEST(CellKey, SpreadBitsEqualsNaive) {
  support::Random random(1);
  for (int n = 0; n < 10000; ++n) {
    const hgrid::cell_key_t v = random.bits();
    const hgrid::cell_key_t v31 = v & 0x7fffffff, v21 = v & 0x1fffff;
    ASSERT_EQ(hgrid::detail::spread_bits<2>(v31), spread_naively<2>(v31, 31));
    ASSERT_EQ(hgrid::detail::spread_bits<3>(v21), spread_naively<3>(v21, 21));
  }
}

TEST(CellKey, BitsPerAxisLeaveRoomForTheLevel) {
  EXPECT_EQ(hgrid::detail::morton_bits<3>(1), 21);
  EXPECT_EQ(hgrid::detail::morton_bits<3>(2), 21);
  EXPECT_EQ(hgrid::detail::morton_bits<3>(16), 20);
  EXPECT_EQ(hgrid::detail::morton_bits<3>(64), 19);
  EXPECT_EQ(hgrid::detail::morton_bits<2>(1), 31);
  EXPECT_EQ(hgrid::detail::morton_bits<2>(64), 29);
  for (int levels = 1; levels <= hgrid::max_levels; ++levels) {
    const double log_levels = std::log2(levels);
    EXPECT_LE(hgrid::detail::morton_bits<2>(levels) * 2 + log_levels, 64);
    EXPECT_LE(hgrid::detail::morton_bits<3>(levels) * 3 + log_levels, 64);
  }
}

// The largest cell of the top level, at the most cells that a level may have.
template <int D>
void expect_largest_key_below_no_key() {
  for (int levels = 1; levels <= hgrid::max_levels; ++levels) {
    const int bits = hgrid::detail::morton_bits<D>(levels);
    hgrid::Level<D> top{};
    hgrid::Vec<hgrid::index_t, D> last{};
    hgrid::cell_key_t cells = 1;
    for (int k = 0; k < D; ++k) {
      top.cells[k] = static_cast<hgrid::index_t>((1LL << bits) - 1);
      last[k] = top.cells[k] - 1;
      cells *= static_cast<hgrid::cell_key_t>(top.cells[k]);
    }
    top.first_cell = cells * static_cast<hgrid::cell_key_t>(levels - 1);
    EXPECT_LT(hgrid::detail::morton_cell<D>(levels - 1, bits, last), hgrid::detail::no_key);
    EXPECT_LT(hgrid::detail::linear_cell(top, last), hgrid::detail::no_key);
    EXPECT_EQ(hgrid::detail::linear_cell(top, last), cells * static_cast<hgrid::cell_key_t>(levels) - 1) << "overflow";
  }
}

TEST(CellKey, EveryCellIsBelowNoKey) {
  expect_largest_key_below_no_key<2>();
  expect_largest_key_below_no_key<3>();
}

TEST(CellKey, MortonKeysOfALevelAreAfterThoseOfFinerLevels) {
  const hgrid::Vec<hgrid::index_t, 3> first{{0, 0, 0}}, last{{14, 14, 14}};
  EXPECT_LT(hgrid::detail::morton_cell<3>(0, 4, last), hgrid::detail::morton_cell<3>(1, 4, first));
  EXPECT_EQ(hgrid::detail::morton_cell<3>(0, 4, {{1, 0, 0}}), 1u);
  EXPECT_EQ(hgrid::detail::morton_cell<3>(0, 4, {{0, 1, 0}}), 2u);
  EXPECT_EQ(hgrid::detail::morton_cell<3>(0, 4, {{0, 0, 1}}), 4u);
}

}  // namespace
