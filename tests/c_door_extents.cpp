// SPDX-License-Identifier: BSD-3-Clause
// Particles with extents through the C API: contacts and entries against brute force, forms of the array, and refusals.
#include <set>

#include "support/c_door_errors.hpp"
#include "support/random.hpp"

namespace {

using support::c_array;
using support::CDoorErrors;
using support::sized;

constexpr std::int64_t n = 150;
constexpr double length = 8;

/// Boxes in a room that is periodic along x and z.
struct Boxes {
  std::vector<double> x, half;
  hgrid_box box = sized<hgrid_box>();

  explicit Boxes(std::uint64_t seed) {
    support::Random random(seed);
    for (std::int64_t i = 0; i < 3 * n; ++i) {
      x.push_back(random.real(-0.5 * length, 1.5 * length));
      half.push_back(random.chance(0.1) ? 0 : random.log_real(0.2, 1.6));
    }
    for (int k = 0; k < 3; ++k) box.hi[k] = length, box.periodic[k] = k != 1;
  }

  hgrid_particles view() const {
    auto p = sized<hgrid_particles>();
    p.positions = c_array(x.data(), {n, 3}), p.extents = c_array(half.data(), {n, 3});
    return p;
  }

  /// Each contact once, under its nearest image: no box is wider than half of the room.
  std::set<std::pair<int, int>> contacts(double skin) const {
    std::set<std::pair<int, int>> found;
    for (int i = 0; i < n; ++i) {
      for (int j = i + 1; j < n; ++j) {
        bool overlap = true;
        for (int k = 0; k < 3; ++k) {
          const auto a = static_cast<std::size_t>(3 * i + k), b = static_cast<std::size_t>(3 * j + k);
          const double d = x[a] - x[b], off = box.periodic[k] == 1 ? length * std::round(d / length) : 0;
          overlap = overlap && std::fabs(d - off) <= half[a] + half[b] + skin;
        }
        if (overlap) found.emplace(i, j);
      }
    }
    return found;
  }
};

std::set<std::pair<int, int>> contacts_of(hgrid_grid* grid) {
  auto list = sized<hgrid_pair_list>();
  EXPECT_EQ(hgrid_pairs(grid, HGRID_SORTED, &list), HGRID_OK) << support::verdict_of_door(8).message;
  std::set<std::pair<int, int>> found;
  for (std::int64_t k = 0; k < list.size; ++k) found.emplace(list.pairs[2 * k], list.pairs[2 * k + 1]);
  EXPECT_EQ(static_cast<std::int64_t>(found.size()), list.size);
  return found;
}

void make_grid(support::DoorGrid& door, const hgrid_box& box, const std::function<void(hgrid_options&)>& change = {}) {
  auto options = sized<hgrid_options>();
  options.dimension = 3, options.threads = 2;
  if (change) change(options);
  ASSERT_EQ(hgrid_create(&options, &box, &door.grid), HGRID_OK);
}

TEST(CDoorExtents, ContactsLevelsAndForms) {
  const Boxes boxes(1);
  support::DoorGrid door;
  make_grid(door, boxes.box);
  for (const double skin : {0.0, 0.2}) {
    const hgrid_particles p = boxes.view();
    ASSERT_EQ(hgrid_build(door.grid, &p, skin), HGRID_OK) << support::verdict_of_door(8).message;
    EXPECT_EQ(contacts_of(door.grid), boxes.contacts(skin));
  }
  EXPECT_GT(boxes.contacts(0).size(), 100u);
  auto plan = sized<hgrid_plan_report>();
  ASSERT_EQ(hgrid_plan(door.grid, &plan), HGRID_OK);
  double largest[3] = {};
  for (int h = 0; h < plan.levels; ++h) {
    auto level = sized<hgrid_level_report>();
    ASSERT_EQ(hgrid_level(door.grid, h, &level), HGRID_OK);
    EXPECT_EQ(level.radius_max, *std::max_element(level.extent_max, level.extent_max + 3));
    for (int k = 0; k < 3; ++k) largest[k] = std::fmax(largest[k], level.extent_max[k]);
  }
  for (std::size_t k = 0; k < 3; ++k) {
    double expected = 0;
    for (std::size_t i = 0; i < n; ++i) expected = std::fmax(expected, boxes.half[3 * i + k]);
    EXPECT_EQ(largest[k], expected);
  }
  std::vector<double> columns(3 * n + 1), sides(6 * n);  // equal halves by axes, and whole sides far apart
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      columns[k * n + i] = boxes.half[3 * i + k], sides[6 * i + 2 * k] = 2 * boxes.half[3 * i + k];
    }
  }
  hgrid_particles p = boxes.view();
  p.extents = c_array(columns.data(), {n, 3}, {1, n});
  ASSERT_EQ(hgrid_build(door.grid, &p, 0), HGRID_OK);
  EXPECT_EQ(contacts_of(door.grid), boxes.contacts(0));
  p.extents = c_array(sides.data(), {n, 3}, {6, 2}), p.radius_scale = 0.5;
  ASSERT_EQ(hgrid_build(door.grid, &p, 0), HGRID_OK);
  EXPECT_EQ(contacts_of(door.grid), boxes.contacts(0));
  Boxes alike = boxes;  // a stride of 0: one box for all
  for (std::size_t i = 0; i < 3 * n; ++i) alike.half[i] = 0.2 + 0.3 * static_cast<double>(i % 3);
  p = alike.view();
  p.extents = c_array(alike.half.data(), {n, 3}, {0, 1});
  ASSERT_EQ(hgrid_build(door.grid, &p, 0), HGRID_OK);
  EXPECT_EQ(contacts_of(door.grid), alike.contacts(0));
}

TEST(CDoorExtents, EntriesOfAGridAndOfAVerletList) {
  Boxes boxes(2);
  support::DoorGrid door;
  support::DoorVerlet list;
  make_grid(door, boxes.box);
  hgrid_particles p = boxes.view();
  ASSERT_EQ(hgrid_build(door.grid, &p, 0), HGRID_OK);
  auto wanted = sized<hgrid_entry_options>();
  auto found = sized<hgrid_entry_list>();
  EXPECT_EQ(hgrid_entries(door.grid, &p, &wanted, &found), HGRID_ERROR_UNSUPPORTED);
  EXPECT_EQ(support::verdict_of_door(HGRID_ERROR_UNSUPPORTED).argument, "all");
  wanted.all = wanted.vectors = 1;
  ASSERT_EQ(hgrid_entries(door.grid, &p, &wanted, &found), HGRID_OK) << support::verdict_of_door(8).message;
  std::set<std::pair<int, int>> entries;
  for (std::int64_t e = 0; e < found.size; ++e) {
    const std::int64_t i = found.ids[e], j = found.ids[found.size + e];
    entries.emplace(i, j);
    for (int k = 0; k < 3; ++k) {
      EXPECT_LE(std::fabs(found.vectors[3 * e + k]),
                1e-12 + boxes.half[static_cast<std::size_t>(3 * i + k)] + boxes.half[static_cast<std::size_t>(3 * j + k)]);
    }
  }
  EXPECT_EQ(entries, boxes.contacts(0));
  auto options = sized<hgrid_verlet_options>();
  options.skin = 0.3;
  ASSERT_EQ(hgrid_verlet_create(door.grid, &options, &list.list), HGRID_OK);
  support::Random random(3);
  int builds = 0;
  for (int step = 0; step < 20; ++step) {
    for (double& c : boxes.x) c += random.real(-0.03, 0.03);
    const std::vector<double> margin(n, 0.05);
    p = boxes.view();
    hgrid_particles widened = p;
    widened.extra = c_array(margin.data(), {n});
    int rebuilt = 0;
    ASSERT_EQ(hgrid_verlet_update(list.list, &p, step % 2 == 0 ? &widened : nullptr, &rebuilt), HGRID_OK)
        << support::verdict_of_door(8).message;
    builds += rebuilt;
    auto lists = sized<hgrid_neighbour_list>();
    ASSERT_EQ(hgrid_verlet_neighbours(list.list, &lists), HGRID_OK);
    std::set<std::pair<int, int>> listed;
    for (int i = 0; i < n; ++i) {
      for (std::int64_t e = lists.offsets[i]; e < lists.offsets[i + 1]; ++e) listed.emplace(i, lists.neighbours[e]);
    }
    for (const auto& contact : boxes.contacts(0)) EXPECT_EQ(listed.count(contact), 1u) << "at step " << step;
  }
  EXPECT_GT(builds, 1);
  EXPECT_LT(builds, 20);
}

TEST_F(CDoorErrors, OfExtents) {
  std::vector<double> half(12, 0.4);
  const std::vector<std::int32_t> types(4, 0);
  const double cutoff = 0.1;
  hgrid_particles p = p_;
  p.radii = {}, p.extents = c_array(half.data(), {4, 3});
  const auto with = [&](const auto& change) { return [&, change](hgrid_particles& given) { given = p, change(given); }; };
  constexpr int bad = HGRID_ERROR_INVALID_ARGUMENT, size = HGRID_ERROR_SIZE_MISMATCH;
  expect_particles(bad, with([&](auto& q) { q.radii = p_.radii; }), "extents");
  for (const std::int64_t rows : {0, 3, 5})
    expect_particles(size, with([&](auto& q) { q.extents.shape[0] = rows; }), "extents");
  expect_particles(size, with([](auto& q) { q.extents.shape[1] = 2; }), "extents");
  const auto table = with([&](auto& q) { q.types = c_array(types.data(), {4}), q.cutoffs = c_array(&cutoff, {1, 1}); });
  hgrid_particles with_table = p;
  table(with_table);
  expect(HGRID_ERROR_UNSUPPORTED, hgrid_build(door_.grid, &with_table, 0), "cutoffs");
  expect(HGRID_ERROR_UNSUPPORTED, hgrid_verlet_build(list_.list, &with_table), "cutoffs");
  for (const auto& [value, status] : {std::pair{support::nan, HGRID_ERROR_NONFINITE},
                                      {-1.0, HGRID_ERROR_NEGATIVE_RADIUS},
                                      {1e16, HGRID_ERROR_RANGE},
                                      {200.0, HGRID_ERROR_BOX_TOO_SMALL}}) {
    const double before = std::exchange(half[3], value);
    const support::Verdict v = expect(status, hgrid_build(door_.grid, &p, 0), "extents");
    EXPECT_EQ(v.index, 1);
    EXPECT_EQ(v.count, 1);
    half[3] = before;
  }
  int rebuilt = 77;
  expect(bad, hgrid_verlet_update(list_.list, &p, &p_, &rebuilt), "widened");
  expect(bad, hgrid_verlet_update(list_.list, &p_, &p, &rebuilt), "widened");
  EXPECT_EQ(rebuilt, 77);
  static const double turned[9] = {0, 10, 0, -10, 0, 0, 0, 0, 10};
  auto box = sized<hgrid_box>();
  box.vectors = turned;
  for (int& flag : box.periodic) flag = 1;
  hgrid_level_spec level{1, {2, 2, 2}};
  support::DoorGrid in_turned, of_levels, by_max;
  make_grid(in_turned, box);
  make_grid(of_levels, box_, [&](hgrid_options& o) { o.levels = &level, o.level_count = 1; });
  make_grid(by_max, box_, [](hgrid_options& o) { o.rule = HGRID_MAX; });
  expect(HGRID_ERROR_UNSUPPORTED, hgrid_build(in_turned.grid, &p, 0), "extents");
  expect(HGRID_ERROR_UNSUPPORTED, hgrid_build(of_levels.grid, &p, 0), "levels");
  expect(bad, hgrid_build(by_max.grid, &p, 0), "extents");
}

TEST_F(CDoorErrors, QuestionsOfSpheresToExtents) {
  const std::vector<double> half(12, 0.5);
  hgrid_particles p = p_;
  p.radii = {}, p.extents = c_array(half.data(), {4, 3});
  ASSERT_EQ(hgrid_build(empty_.grid, &p, 0), HGRID_OK);
  auto lists = sized<hgrid_neighbour_list>();
  auto regions = sized<hgrid_regions>();
  regions.lo = p.positions;
  expect(HGRID_ERROR_UNSUPPORTED, hgrid_query(empty_.grid, &regions, &lists), "extents");
  auto points = sized<hgrid_nearest_points>();
  std::int32_t ids[4];
  double distances[4];
  points.k = 1, points.by = HGRID_BY_SURFACES;
  expect(HGRID_ERROR_UNSUPPORTED, hgrid_nearest(empty_.grid, &points, ids, distances, nullptr), "extents");
  points.by = HGRID_BY_CENTRES;
  EXPECT_EQ(hgrid_nearest(empty_.grid, &points, ids, distances, nullptr), HGRID_OK);
  int touches = 0;
  std::int32_t id = 0;
  expect(HGRID_ERROR_UNSUPPORTED, hgrid_touches(empty_.grid, x_.data(), 0.1, 0, &touches), "extents");
  expect(HGRID_ERROR_UNSUPPORTED, hgrid_insert(empty_.grid, x_.data(), 0.1, 0, &id), "extents");
  expect(HGRID_ERROR_UNSUPPORTED, hgrid_insert_if_free(empty_.grid, x_.data(), 0.1, 0, &id), "extents");
  expect(HGRID_ERROR_UNSUPPORTED, hgrid_between(empty_.grid, door_.grid, &lists));
  EXPECT_EQ(hgrid_between(empty_.grid, empty_.grid, &lists), HGRID_OK);
  EXPECT_EQ(lists.size, 6);  // four that touch themselves, and 0 and 1 each other across the face
  p.positions = hgrid_array_2d(nullptr, HGRID_FLOAT64, 0, 3), p.extents = p.positions;  // no boxes are a set of boxes, too
  ASSERT_EQ(hgrid_build(other_.grid, &p, 0), HGRID_OK) << support::verdict_of_door(8).message;
  EXPECT_EQ(hgrid_between(empty_.grid, other_.grid, &lists), HGRID_OK);
  EXPECT_EQ(lists.lists, 0);
}

}  // namespace
