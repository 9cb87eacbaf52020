// SPDX-License-Identifier: BSD-3-Clause
// Programs that were compiled with the headers of 0.1 link with this library and work: functions are declared as they were,
// structs have their fields where they were, and a struct that has grown is taken at its old size. If a check here fails,
// programs must be compiled again: docs/headers.md says when that may be.
#include "c/structs.hpp"
#include "support/c_door.hpp"

namespace {

template <class T>
concept Grows = requires(T t) {
  t.struct_size;
};

template <class T>
constexpr bool is_taken_at(std::size_t size) {
  if constexpr (Grows<T>) return hgrid::c::first_size<T> <= size && size <= sizeof(T);
  return size == sizeof(T);
}

}  // namespace

extern "C" {  // another declaration of a function would not compile
#define FUNCTION(result, name, parameters) result name parameters;
#define STRUCT(name, size) static_assert(is_taken_at<name>(size), #name);
#define FIELD(name, field, place, size) \
  static_assert(offsetof(name, field) == (place) && sizeof(name::field) == (size), #name "." #field);
#define VALUE(name, number) static_assert((name) == (number), #name);
#include "c_door_0_1.txt"
#undef FUNCTION
#undef STRUCT
#undef FIELD
#undef VALUE
}

TEST(CDoorBefore, FunctionsAreThere) {
  int count = 0;
#define FUNCTION(result, name, parameters) count += reinterpret_cast<void (*)()>(&(name)) != nullptr;
#define STRUCT(name, size)
#define FIELD(name, field, place, size)
#define VALUE(name, number)
#include "c_door_0_1.txt"
  EXPECT_EQ(count, 43);
}

TEST(CDoorBefore, AResultOfItsSizeIsWritten) {
  const std::vector<double> x{0, 0, 0, 1, 0, 0}, r{0.6, 0.6};
  auto options = support::sized<hgrid_options>();
  options.dimension = 3, options.threads = HGRID_SERIAL;
  hgrid_grid* grid = nullptr;
  ASSERT_EQ(hgrid_create(&options, nullptr, &grid), HGRID_OK);
  auto particles = support::sized<hgrid_particles>();
  particles.positions = support::c_array(x.data(), {2, 3}), particles.radii = support::c_array(r.data(), {2});
  ASSERT_EQ(hgrid_build(grid, &particles, 0), HGRID_OK);
  auto options_of_entries = support::sized<hgrid_entry_options>();
  auto out = support::sized<hgrid_entry_list>();
  const std::int64_t untouched = 0;
  out.struct_size = offsetof(hgrid_entry_list, wide_images), out.wide_images = &untouched;
  EXPECT_EQ(hgrid_entries(grid, &particles, &options_of_entries, &out), HGRID_OK);
  EXPECT_EQ(out.size, 1);
  EXPECT_EQ(out.wide_images, &untouched) << "written behind the end that the program knows";
  particles.struct_size = offsetof(hgrid_particles, extents), particles.extents = particles.positions;
  EXPECT_EQ(hgrid_build(grid, &particles, 0), HGRID_OK) << "read behind the end that the program knows";
  auto level = support::sized<hgrid_level_report>();
  level.struct_size = offsetof(hgrid_level_report, extent_max), level.extent_max[0] = 7;
  EXPECT_EQ(hgrid_level(grid, 0, &level), HGRID_OK);
  EXPECT_EQ(level.particles, 2);
  EXPECT_EQ(level.extent_max[0], 7);
  hgrid_destroy(grid);
}
