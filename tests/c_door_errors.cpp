// SPDX-License-Identifier: BSD-3-Clause
// Bad handles, structs, options and boxes, passed to each function of the C API.
#include "support/c_door_errors.hpp"

namespace {

using support::c_array;
using support::CDoorErrors;
using support::nan;
using support::sized;

TEST_F(CDoorErrors, NullHandles) {
  std::int64_t n;
  std::uint64_t generation;
  int rebuilt;
  auto pairs = sized<hgrid_pair_list>();
  auto lists = sized<hgrid_neighbour_list>();
  auto plan = sized<hgrid_plan_report>();
  auto level = sized<hgrid_level_report>();
  auto validity = sized<hgrid_validity_report>();
  auto matrix = sized<hgrid_neighbour_matrix>();
  auto regions = sized<hgrid_regions>();
  auto verlet = sized<hgrid_verlet_options>();
  auto counters = sized<hgrid_verlet_counters>();
  auto guard = sized<hgrid_list_guard>();
  auto history = sized<hgrid_history>();
  const hgrid_array ids = c_array(std::array<std::int32_t, 2>{}.data(), {1, 2});
  hgrid_verlet* list = nullptr;
  auto measured = sized<hgrid_measured>();
  auto wanted = sized<hgrid_entry_options>();
  auto entries = sized<hgrid_entry_list>();
  void* memory = nullptr;
  const void* bytes = nullptr;
  for (const int status : {hgrid_set_box(nullptr, &box_),
                           hgrid_set_boxes(nullptr, &box_, 1),
                           hgrid_build(nullptr, &p_, 0),
                           hgrid_generation(nullptr, &generation),
                           hgrid_plan(nullptr, &plan),
                           hgrid_level(nullptr, 0, &level),
                           hgrid_validity(nullptr, &p_, &validity),
                           hgrid_count(nullptr, &n),
                           hgrid_pairs(nullptr, HGRID_FIXED, &pairs),
                           hgrid_pairs_into(nullptr, &ids, nullptr, &n),
                           hgrid_neighbours(nullptr, HGRID_HALF, &lists),
                           hgrid_matrix(nullptr, HGRID_HALF, &matrix, &n),
                           hgrid_query(nullptr, &regions, &lists),
                           hgrid_measure(nullptr, &measured),
                           hgrid_entries(nullptr, &p_, &wanted, &entries),
                           hgrid_list_ids(nullptr, &ids, &ids),
                           hgrid_scratch(nullptr, 8, &memory),
                           hgrid_save(nullptr, &bytes, &n),
                           hgrid_restore(nullptr, "1234", 4),
                           hgrid_verlet_create(nullptr, &verlet, &list)}) {
    expect(HGRID_ERROR_INVALID_ARGUMENT, status);
  }
  expect(HGRID_ERROR_INVALID_ARGUMENT, hgrid_count(nullptr, &n), "grid");
  for (const int status :
       {hgrid_verlet_update(nullptr, &p_, nullptr, &rebuilt), hgrid_verlet_build(nullptr, &p_),
        hgrid_verlet_enqueue_update(nullptr, &p_, nullptr), hgrid_verlet_wait(nullptr, &p_, nullptr, &rebuilt),
        hgrid_verlet_guard(nullptr, &guard), hgrid_verlet_neighbours(nullptr, &lists), hgrid_verlet_history(nullptr, &history),
        hgrid_verlet_carry(nullptr, &ids, &ids, nullptr), hgrid_verlet_save(nullptr, &bytes, &n),
        hgrid_verlet_restore(nullptr, "1234", 4), hgrid_verlet_counts(nullptr, &counters)}) {
    expect(HGRID_ERROR_INVALID_ARGUMENT, status);
  }
  expect(HGRID_ERROR_INVALID_ARGUMENT, hgrid_verlet_counts(nullptr, &counters), "list");
  EXPECT_EQ(list, nullptr);
  hgrid_destroy(nullptr);
  hgrid_verlet_destroy(nullptr);
}

TEST_F(CDoorErrors, NullResults) {
  const hgrid_array ids = c_array(std::array<std::int32_t, 2>{}.data(), {1, 2});
  auto matrix = sized<hgrid_neighbour_matrix>();
  auto verlet = sized<hgrid_verlet_options>();
  std::int64_t n;
  expect(HGRID_ERROR_INVALID_ARGUMENT, hgrid_create(&options_, &box_, nullptr), "out");
  expect(HGRID_ERROR_INVALID_ARGUMENT, hgrid_generation(door_.grid, nullptr), "out");
  expect(HGRID_ERROR_INVALID_ARGUMENT, hgrid_scratch(door_.grid, 8, nullptr), "out");
  expect(HGRID_ERROR_INVALID_ARGUMENT, hgrid_save(door_.grid, nullptr, &n), "bytes");
  expect(HGRID_ERROR_INVALID_ARGUMENT, hgrid_list_ids(door_.grid, &ids, nullptr), "lists");
  expect(HGRID_ERROR_INVALID_ARGUMENT, hgrid_count(door_.grid, nullptr), "out");
  expect(HGRID_ERROR_INVALID_ARGUMENT, hgrid_pairs_into(door_.grid, &ids, nullptr, nullptr), "count");
  expect(HGRID_ERROR_INVALID_ARGUMENT, hgrid_pairs_into(door_.grid, nullptr, nullptr, &n), "pairs");
  expect(HGRID_ERROR_INVALID_ARGUMENT, hgrid_matrix(door_.grid, HGRID_HALF, &matrix, nullptr), "longest");
  expect(HGRID_ERROR_INVALID_ARGUMENT, hgrid_verlet_create(door_.grid, &verlet, nullptr), "out");
}

TEST_F(CDoorErrors, SizesOfStructs) {
  hgrid_grid* grid = nullptr;
  hgrid_verlet* list = nullptr;
  std::int64_t n;
  const auto regions = sized<hgrid_regions>();
  auto lists = sized<hgrid_neighbour_list>();
  expect_sizes(
      options_, [&](auto* s) { return hgrid_create(s, &box_, &grid); }, "options");
  box_.struct_size = 8;
  expect(HGRID_ERROR_INVALID_ARGUMENT, hgrid_create(&options_, &box_, &grid), "box");
  expect(HGRID_ERROR_INVALID_ARGUMENT, hgrid_set_box(door_.grid, &box_), "box");
  EXPECT_EQ(grid, nullptr);
  expect_sizes(
      p_, [&](auto* s) { return hgrid_build(door_.grid, s, 0); }, "particles");
  expect_sizes(
      p_, [&](auto* s) { return hgrid_verlet_build(list_.list, s); }, "particles");
  expect_sizes(
      p_, [&](auto* s) { return hgrid_verlet_update(list_.list, s, nullptr, nullptr); }, "particles");
  expect_sizes(
      sized<hgrid_neighbour_matrix>(), [&](auto* s) { return hgrid_matrix(door_.grid, 0, s, &n); }, "matrix");
  expect_sizes(
      regions, [&](auto* s) { return hgrid_query(door_.grid, s, &lists); }, "regions");
  expect_sizes(
      sized<hgrid_verlet_options>(), [&](auto* s) { return hgrid_verlet_create(door_.grid, s, &list); }, "options");
  EXPECT_EQ(list, nullptr);
  // Results.
  expect_sizes(
      sized<hgrid_error>(), [](auto* s) { return hgrid_last_error(s); }, "out");
  expect_sizes(
      sized<hgrid_plan_report>(), [&](auto* s) { return hgrid_plan(door_.grid, s); }, "out");
  expect_sizes(
      sized<hgrid_level_report>(), [&](auto* s) { return hgrid_level(door_.grid, 0, s); }, "out");
  expect_sizes(
      sized<hgrid_validity_report>(), [&](auto* s) { return hgrid_validity(door_.grid, &p_, s); }, "out");
  expect_sizes(
      sized<hgrid_pair_list>(), [&](auto* s) { return hgrid_pairs(door_.grid, HGRID_FIXED, s); }, "out");
  expect_sizes(
      lists, [&](auto* s) { return hgrid_neighbours(door_.grid, HGRID_FULL, s); }, "out");
  expect_sizes(
      lists, [&](auto* s) { return hgrid_query(door_.grid, &regions, s); }, "out");
  expect_sizes(
      lists, [&](auto* s) { return hgrid_verlet_neighbours(list_.list, s); }, "out");
  expect_sizes(
      sized<hgrid_history>(), [&](auto* s) { return hgrid_verlet_history(list_.list, s); }, "out");
  expect_sizes(
      sized<hgrid_list_guard>(), [&](auto* s) { return hgrid_verlet_guard(list_.list, s); }, "out");
  expect(HGRID_ERROR_INVALID_ARGUMENT, hgrid_verlet_wait(list_.list, &p_, nullptr, nullptr), "capture");
  expect_sizes(
      sized<hgrid_verlet_counters>(), [&](auto* s) { return hgrid_verlet_counts(list_.list, s); }, "out");
}

TEST_F(CDoorErrors, Options) {
  const auto refuse = [&](int status, const char* argument, const auto& change) {
    hgrid_options options = options_;
    change(options);
    hgrid_grid* grid = nullptr;
    expect(status, hgrid_create(&options, &box_, &grid), argument);
    EXPECT_EQ(grid, nullptr);
  };
  constexpr int bad = HGRID_ERROR_INVALID_ARGUMENT, least = std::numeric_limits<int>::min(),
                most = std::numeric_limits<int>::max();
  for (const int d : {0, 1, 4, -3, most}) refuse(bad, "dimension", [&](auto& o) { o.dimension = d; });
  for (const int t : {-2, 4097, most, least}) refuse(bad, "threads", [&](auto& o) { o.threads = t; });
  for (const int choice : {-1, 3, most, least}) {
    refuse(bad, "rule", [&](auto& o) { o.rule = choice; });
    refuse(bad, "direction", [&](auto& o) { o.direction = choice; });
    refuse(bad, "keys", [&](auto& o) { o.keys = choice; });
    refuse(bad, "table", [&](auto& o) { o.table = choice; });
  }
  for (const int device : {3, 10, -1}) refuse(HGRID_ERROR_UNSUPPORTED, "device_type", [&](auto& o) { o.device_type = device; });
  hgrid_level_spec levels[] = {{1, {1, 1, 1}}, {0.5, {1, 1, 1}}};
  refuse(bad, "levels", [&](auto& o) { o.levels = levels; });
  refuse(bad, "levels", [&](auto& o) { o.level_count = 1; });
  for (const std::int64_t n : {std::int64_t{-1}, std::int64_t{65}, std::numeric_limits<std::int64_t>::max()}) {
    refuse(HGRID_ERROR_INVALID_LEVELS, "level_count", [&](auto& o) { o.levels = levels, o.level_count = n; });
  }
  refuse(HGRID_ERROR_INVALID_LEVELS, "", [&](auto& o) { o.levels = levels, o.level_count = 2; });
  levels[0].cell_size[1] = nan;
  refuse(HGRID_ERROR_INVALID_LEVELS, "", [&](auto& o) { o.levels = levels, o.level_count = 1; });
}

TEST_F(CDoorErrors, Boxes) {
  const auto refuse = [&](int status, int dimension, const auto& change) {
    hgrid_box box = sized<hgrid_box>();
    change(box);
    hgrid_options options = options_;
    options.dimension = dimension;
    hgrid_grid* grid = nullptr;
    expect(status, hgrid_create(&options, &box, &grid));
    EXPECT_EQ(grid, nullptr);
    if (dimension == 3) expect(status, hgrid_set_box(door_.grid, &box));
  };
  for (const double hi : {0.0, -1.0, nan, HUGE_VAL, 1e16}) {
    refuse(HGRID_ERROR_INVALID_BOX, 3, [&](hgrid_box& b) { b.periodic[1] = 1, b.hi[1] = hi; });
    refuse(HGRID_ERROR_INVALID_BOX, 2, [&](hgrid_box& b) { b.periodic[1] = 1, b.hi[1] = hi; });
  }
  for (const int flag : {-1, 2}) refuse(HGRID_ERROR_INVALID_ARGUMENT, 3, [&](hgrid_box& b) { b.periodic[2] = flag; });
  refuse(HGRID_ERROR_INVALID_ARGUMENT, 3, [](hgrid_box& b) { b.reserved = 1; });
  hgrid_box boxes[] = {box_, box_};
  expect(HGRID_ERROR_INVALID_ARGUMENT, hgrid_set_boxes(door_.grid, nullptr, 2), "boxes");
  for (const std::int64_t n : {std::int64_t{-1}, std::numeric_limits<std::int64_t>::max()}) {
    expect(HGRID_ERROR_INVALID_ARGUMENT, hgrid_set_boxes(door_.grid, boxes, n), "count");
  }
  boxes[1].hi[0] = -1;
  expect(HGRID_ERROR_INVALID_BOX, hgrid_set_boxes(door_.grid, boxes, 2));
  boxes[1].struct_size = 8;
  expect(HGRID_ERROR_INVALID_ARGUMENT, hgrid_set_boxes(door_.grid, boxes, 2), "boxes");
  refuse(HGRID_ERROR_INVALID_BOX, 3, [](hgrid_box& b) { b.tilt[0] = 1; });
  refuse(HGRID_ERROR_INVALID_BOX, 2, [](hgrid_box& b) { b.tilt[1] = 1; });
  refuse(HGRID_ERROR_INVALID_BOX, 2, [](hgrid_box& b) { b.periodic[2] = 1, b.hi[2] = 1; });
  refuse(HGRID_ERROR_INVALID_BOX, 2, [](hgrid_box& b) { b.hi[2] = 1; });
  const double flat[] = {1, 0, 0, 1, 0, 0, 0, 0, 1}, good[] = {1, 0, 0, 0, 1, 0, 0, 0, 1},
               bad[] = {nan, 0, 0, 0, 1, 0, 0, 0, 1};
  const auto along = [](hgrid_box& b, const double* vectors) {
    b.vectors = vectors;
    for (int& flag : b.periodic) flag = 1;
  };
  refuse(HGRID_ERROR_INVALID_BOX, 3, [&](hgrid_box& b) { along(b, flat); });
  refuse(HGRID_ERROR_INVALID_BOX, 3, [&](hgrid_box& b) { along(b, bad); });
  refuse(HGRID_ERROR_INVALID_BOX, 3, [&](hgrid_box& b) { along(b, good), b.hi[0] = 1; });
  refuse(HGRID_ERROR_INVALID_BOX, 3, [&](hgrid_box& b) { along(b, good), b.tilt[2] = 1; });
}

}  // namespace
