// SPDX-License-Identifier: BSD-3-Clause
// The names of the choices: users write them in options and files, so each is stated here once more.
#include "hgrid/core/names.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "io/particle_table.hpp"
#include "papers/systems/algorithm.hpp"

namespace hgrid {
namespace {

template <class Enum>
struct Expected {
  Enum value;
  std::string name;
};

template <class Enum>
void expect_names(const std::vector<Expected<Enum>>& all) {
  ASSERT_EQ(values_of<Enum>().size(), all.size());
  for (std::size_t k = 0; k < all.size(); ++k) {
    EXPECT_EQ(values_of<Enum>()[k], all[k].value) << all[k].name;
    EXPECT_EQ(name_of(all[k].value), all[k].name);
    EXPECT_EQ(from_name<Enum>(all[k].name), all[k].value);
    EXPECT_FALSE(from_name<Enum>(all[k].name + "x"));
    EXPECT_FALSE(from_name<Enum>(all[k].name.substr(1)));
  }
  EXPECT_FALSE(from_name<Enum>(""));
}

TEST(Names, OfEachChoice) {
  expect_names<NonFinite>({{NonFinite::error, "error"}, {NonFinite::skip, "skip"}});
  expect_names<Direction>({{Direction::top_down, "top-down"}, {Direction::bottom_up, "bottom-up"}});
  expect_names<KeyOrder>({{KeyOrder::row_major, "row"}, {KeyOrder::morton, "morton"}});
  expect_names<TableKind>({{TableKind::dense, "dense"}, {TableKind::compacted, "compacted"}});
  expect_names<SortKind>({{SortKind::radix, "radix"}, {SortKind::counting, "counting"}});
  expect_names<Schedule>({{Schedule::fast, "fast"}, {Schedule::plain, "plain"}});
  expect_names<Order>({{Order::fixed, "fixed"}, {Order::sorted, "sorted"}});
  expect_names<ListKind>({{ListKind::half, "half"}, {ListKind::full, "full"}});
  expect_names<hgrid::Rule>({{hgrid::Rule::sum, "sum"}, {hgrid::Rule::max, "max"}, {hgrid::Rule::gather, "gather"}});
  expect_names<Take>({{Take::touching, "touching"}, {Take::centres, "centres"}});
  expect_names<io::BadRows>({{io::BadRows::error, "error"}, {io::BadRows::skip, "skip"}});
  using enum reference::Algorithm;
  expect_names<reference::Algorithm>({{linked_cell, "linked-cell"},
                                      {nbs, "nbs"},
                                      {distance_sort, "distance-sort"},
                                      {cell_space, "cell-space"},
                                      {hgrid_2012, "hgrid-2012"},
                                      {all_pairs, "all-pairs"}});
  EXPECT_STREQ(source_of(hgrid_2012), "Ogarko and Luding 2012");
}

TEST(Names, OfEachErrorCode) {
  using enum ErrorCode;
  expect_names<ErrorCode>({{nonfinite, "nonfinite"},
                           {negative_radius, "negative_radius"},
                           {range_error, "range_error"},
                           {invalid_box, "invalid_box"},
                           {box_too_small, "box_too_small"},
                           {invalid_levels, "invalid_levels"},
                           {unsupported, "unsupported"},
                           {invalid_argument, "invalid_argument"},
                           {size_mismatch, "size_mismatch"},
                           {not_built, "not_built"},
                           {stale, "stale"},
                           {reentrancy, "reentrancy"},
                           {capacity, "capacity"},
                           {too_many_particles, "too_many_particles"},
                           {out_of_memory, "out_of_memory"},
                           {environment, "environment"},
                           {device, "device"},
                           {format, "format"},
                           {io, "io"},
                           {stopped, "stopped"}});
  EXPECT_STREQ(Error(ErrorCode::stale, "so").what(), "stale: so");
}

enum class Unnamed { one };
static_assert(!Named<Unnamed> && !Named<int> && Named<Order>);
static_assert(from_name<Order>("sorted") == Order::sorted && !from_name<Order>("none"));  // without running

}  // namespace
}  // namespace hgrid
