// SPDX-License-Identifier: BSD-3-Clause
// Numbers, layouts and names that programs in C were compiled with stay. A change here breaks them, so it needs another
// version.
#include <cstddef>

#include "hgrid/core/names.hpp"
#include "support/c_door.hpp"

namespace {

// An added field makes a struct larger, because there is no room after the last field.
#define EXPECT_LAYOUT(Struct, size, last)                    \
  EXPECT_EQ(sizeof(Struct), static_cast<std::size_t>(size)); \
  EXPECT_EQ(offsetof(Struct, last) + sizeof(Struct::last), static_cast<std::size_t>(size))

TEST(CDoorAbi, Layouts) {
  EXPECT_LAYOUT(hgrid_array, 80, reserved);
  EXPECT_LAYOUT(hgrid_error, 64, reserved);
  EXPECT_LAYOUT(hgrid_level_spec, 32, cell_size);
  EXPECT_LAYOUT(hgrid_options, 64, stream);
  EXPECT_LAYOUT(hgrid_box, 104, reserved);
  EXPECT_LAYOUT(hgrid_particles, 1232, extents);
  EXPECT_LAYOUT(hgrid_pair_list, 32, images);
  EXPECT_LAYOUT(hgrid_contact, 20, image);
  EXPECT_LAYOUT(hgrid_predicate, 24, context);
  EXPECT_LAYOUT(hgrid_neighbour_list, 48, images);
  EXPECT_LAYOUT(hgrid_packed_list, 56, reserved);
  EXPECT_LAYOUT(hgrid_neighbour_matrix, 256, padding);
  EXPECT_LAYOUT(hgrid_regions, 352, one_radius);
  EXPECT_LAYOUT(hgrid_measured, 408, vectors);
  EXPECT_LAYOUT(hgrid_entry_options, 48, list);
  EXPECT_LAYOUT(hgrid_entry_list, 72, wide_images);
  EXPECT_LAYOUT(hgrid_validity_report, 72, comparable);
  EXPECT_LAYOUT(hgrid_plan_report, 96, list_bytes);
  EXPECT_LAYOUT(hgrid_work_report, 24, rows);
  EXPECT_LAYOUT(hgrid_watch, 24, context);
  EXPECT_LAYOUT(hgrid_level_report, 80, extent_max);
  EXPECT_LAYOUT(hgrid_verlet_options, 48, reserved);
  EXPECT_LAYOUT(hgrid_verlet_counters, 80, wrapped);
  EXPECT_LAYOUT(hgrid_history, 40, payload);
  EXPECT_LAYOUT(hgrid_list_guard, 32, room);
  EXPECT_LAYOUT(hgrid_question, 312, points);
  EXPECT_LAYOUT(hgrid_answer, 112, kind);
}

TEST(CDoorAbi, Statuses) {
  const char* const names[] = {"ok",
                               "nonfinite",
                               "negative_radius",
                               "range_error",
                               "invalid_box",
                               "box_too_small",
                               "invalid_levels",
                               "unsupported",
                               "invalid_argument",
                               "size_mismatch",
                               "not_built",
                               "stale",
                               "reentrancy",
                               "capacity",
                               "too_many_particles",
                               "out_of_memory",
                               "environment",
                               "device",
                               "format",
                               "io",
                               "stopped"};
  for (int status = 0; status <= 20; ++status) EXPECT_STREQ(hgrid_status_name(status), names[status]);
  EXPECT_STREQ(hgrid_status_name(HGRID_ERROR_INTERNAL), "internal");
  for (const int none : {21, 1000, -2, -1000}) EXPECT_STREQ(hgrid_status_name(none), "unknown");
  EXPECT_EQ(HGRID_ERROR_RANGE, 3);
  EXPECT_EQ(HGRID_ERROR_INVALID_ARGUMENT, 8);
  EXPECT_EQ(HGRID_ERROR_CAPACITY, 13);
  EXPECT_EQ(HGRID_ERROR_STOPPED, 20);
  EXPECT_EQ(HGRID_ERROR_INTERNAL, -1);
}

template <class Enum>
void expect_numbers(int first, const std::vector<int>& numbers, const std::vector<std::string>& names) {
  ASSERT_EQ(hgrid::enum_names<Enum>.size(), numbers.size());
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    EXPECT_EQ(numbers[k], first + static_cast<int>(k));
    EXPECT_EQ(hgrid::name_of(static_cast<Enum>(k)), names[k]);
  }
}

TEST(CDoorAbi, ChoicesAreThoseOfTheLibrary) {
  expect_numbers<hgrid::Rule>(0, {HGRID_SUM, HGRID_MAX, HGRID_GATHER}, {"sum", "max", "gather"});
  expect_numbers<hgrid::NonFinite>(0, {HGRID_REFUSE, HGRID_SKIP}, {"error", "skip"});
  expect_numbers<hgrid::Order>(0, {HGRID_FIXED, HGRID_SORTED}, {"fixed", "sorted"});
  expect_numbers<hgrid::ListKind>(0, {HGRID_HALF, HGRID_FULL}, {"half", "full"});
  expect_numbers<hgrid::Take>(0, {HGRID_TOUCHING, HGRID_CENTRES}, {"touching", "centres"});
  expect_numbers<hgrid::Direction>(1, {HGRID_TOP_DOWN, HGRID_BOTTOM_UP}, {"top-down", "bottom-up"});
  expect_numbers<hgrid::KeyOrder>(1, {HGRID_ROW_MAJOR, HGRID_MORTON}, {"row", "morton"});
  expect_numbers<hgrid::TableKind>(1, {HGRID_DENSE, HGRID_COMPACTED}, {"dense", "compacted"});
  EXPECT_EQ(HGRID_SERIAL, -1);
}

TEST(CDoorAbi, TypesAreThoseOfDLPack) {
  EXPECT_EQ(HGRID_INT32, 0x020);
  EXPECT_EQ(HGRID_INT64, 0x040);
  EXPECT_EQ(HGRID_UINT8, 0x108);
  EXPECT_EQ(HGRID_FLOAT32, 0x220);
  EXPECT_EQ(HGRID_FLOAT64, 0x240);
  EXPECT_EQ(HGRID_BOOL, 0x608);
  EXPECT_EQ(HGRID_TYPE(2, 32, 4), -1);
}

}  // namespace
