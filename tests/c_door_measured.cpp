// SPDX-License-Identifier: BSD-3-Clause
// Distances of pairs, entries nearer than a limit, and values that follow their pairs, through the C API.
#include <numeric>
#include <random>
#include <set>

#include "hgrid/hgrid.hpp"
#include "support/c_door.hpp"
#include "support/gas.hpp"
#include "support/user_arrays.hpp"

namespace {

using support::c_array;
using support::sized;

// Returns boxes of each kind, as the C API takes them.
std::vector<hgrid_box> boxes() {
  static const double vectors[9] = {0.1, 1.0, 0.2, -1.1, 0.2, 0.1, 0.2, 0.1, 1.3};
  std::vector<hgrid_box> all(4, sized<hgrid_box>());
  for (std::size_t b = 1; b < all.size(); ++b) {
    for (int k = 0; k < 3; ++k) all[b].periodic[k] = b != 1 || k != 1, all[b].hi[k] = b == 3 ? 0 : 1 + 0.1 * k;
  }
  all[2].tilt[0] = 0.3, all[2].tilt[1] = -0.7, all[2].tilt[2] = 0.4;
  all[3].vectors = vectors;
  return all;
}

// x_j - x_i + m L, from the vectors of the box as they were given.
hgrid::Vec<double, 3> expected_vector(const hgrid_box& b, const float* x_i, const float* x_j, const std::int32_t* m) {
  hgrid::Vec<double, 3> d;
  for (int k = 0; k < 3; ++k) {
    double shift = 0;
    for (int j = 0; j < 3; ++j) {
      const double tilt = j > k ? b.tilt[j + k - 1] : 0;
      const double component = b.vectors != nullptr ? b.vectors[3 * j + k] : (j == k ? b.hi[k] - b.lo[k] : tilt);
      shift += m[j] * (b.periodic[j] == 1 ? component : 0);
    }
    d[k] = static_cast<double>(x_j[k]) - static_cast<double>(x_i[k]) + shift;
  }
  return d;
}

TEST(CDoorMeasured, DistancesOfAnyPairs) {
  constexpr std::int64_t n = 50, m = 200;
  std::mt19937 random(1);
  std::vector<float> x(6 * n), r(n, 0.1F);
  for (float& c : x) c = std::uniform_real_distribution<float>(-1, 2)(random);
  std::vector<std::int64_t> wide(3 * m);
  std::vector<std::int32_t> narrow(2 * m), images(3 * m);
  for (std::int64_t k = 0; k < m; ++k) {
    for (int side = 0; side < 2; ++side) narrow[2 * k + side] = static_cast<std::int32_t>(random() % n);
    wide[3 * k] = narrow[2 * k], wide[3 * k + 2] = narrow[2 * k + 1], wide[3 * k + 1] = -1;
    for (int a = 0; a < 3; ++a) images[3 * k + a] = static_cast<std::int32_t>(random() % 5) - 2;
  }
  for (const hgrid_box& box : boxes()) {
    auto options = sized<hgrid_options>();
    options.dimension = 3;
    support::DoorGrid door;
    ASSERT_EQ(hgrid_create(&options, &box, &door.grid), HGRID_OK);
    auto p = sized<hgrid_particles>();
    p.positions = c_array(x.data() + 1, {n, 3}, {6, 2}), p.radii = c_array(r.data(), {n});
    ASSERT_EQ(hgrid_build(door.grid, &p, 0), HGRID_OK);
    std::vector<double> d(m), v(3 * m);
    std::vector<float> single(3 * m);
    auto measured = sized<hgrid_measured>();
    measured.positions = p.positions, measured.pairs = c_array(narrow.data(), {m, 2});
    measured.images = c_array(images.data(), {m, 3});
    measured.distances = c_array(d.data(), {m}), measured.vectors = c_array(v.data(), {m, 3});
    ASSERT_EQ(hgrid_measure(door.grid, &measured), HGRID_OK);
    measured.pairs = c_array(wide.data(), {m, 2}, {3, 2}), measured.distances = {};
    measured.vectors = c_array(single.data(), {m, 3});
    ASSERT_EQ(hgrid_measure(door.grid, &measured), HGRID_OK);
    for (std::int64_t k = 0; k < m; ++k) {
      float at[2][3];
      for (int side = 0; side < 2; ++side) {
        for (int a = 0; a < 3; ++a) at[side][a] = x[1 + 6 * narrow[2 * k + side] + 2 * a];
      }
      const auto expected = expected_vector(box, at[0], at[1], &images[3 * k]);
      double sum = 0;
      for (int a = 0; a < 3; ++a) {
        ASSERT_EQ(v[3 * k + a], expected[a]);
        ASSERT_EQ(single[3 * k + a], static_cast<float>(expected[a]));
        sum += expected[a] * expected[a];
      }
      ASSERT_EQ(d[k], std::sqrt(sum));
    }
  }
}

struct Entry {
  std::int64_t i, j;
  double d;
  friend bool operator==(const Entry&, const Entry&) = default;
};

// Returns all pairs of discs in an open box, both ways or once; `limit(i, j)` is the largest distance of a pair.
template <class Limit>
std::vector<Entry> all_entries(const std::vector<double>& x, bool full, bool itself, const Limit& limit) {
  std::vector<Entry> entries;
  const std::int64_t n = std::ssize(x) / 2;
  for (std::int64_t i = 0; i < n; ++i) {
    if (itself && 0 < limit(i, i)) entries.push_back({i, i, 0});
    for (std::int64_t j = full ? 0 : i + 1; j < n; ++j) {
      const double a = x[2 * j] - x[2 * i], b = x[2 * j + 1] - x[2 * i + 1], d = std::sqrt(a * a + b * b);
      if (i != j && d < limit(i, j)) entries.push_back({i, j, d});
    }
  }
  return entries;
}

TEST(CDoorMeasured, EntriesNearerThanALimit) {
  constexpr std::int64_t n = 80;
  std::mt19937 random(2);
  std::vector<double> x(2 * n), r(n);
  for (double& c : x) c = static_cast<double>(random() % 10);  // many pairs are at their limit, and so are none
  for (double& radius : r) radius = static_cast<double>(random() % 3);
  std::vector<std::int32_t> type(n);
  for (std::int32_t& t : type) t = static_cast<std::int32_t>(random() % 2);
  const std::vector<double> table{1, 2, 2, 4};
  auto options = sized<hgrid_options>();
  options.dimension = 2;
  support::DoorGrid door;
  ASSERT_EQ(hgrid_create(&options, nullptr, &door.grid), HGRID_OK);
  auto p = sized<hgrid_particles>();
  p.positions = c_array(x.data(), {n, 2});
  const auto compare = [&](int kind, bool itself, bool all, bool swapped, const auto& limit) {
    auto asked = sized<hgrid_entry_options>();
    asked.kind = kind, asked.itself = itself, asked.all = all, asked.swapped = swapped;
    asked.images = asked.wide_images = asked.distances = asked.vectors = 1;
    auto list = sized<hgrid_entry_list>();
    ASSERT_EQ(hgrid_entries(door.grid, &p, &asked, &list), HGRID_OK) << support::verdict_of_door(8).message;
    const auto expected = all_entries(x, kind == HGRID_FULL, itself, limit);
    ASSERT_EQ(list.size, std::ssize(expected));
    ASSERT_EQ(list.lists, n);
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t k = list.offsets[i]; k < list.offsets[i + 1]; ++k) {
        const std::int64_t *const from = list.ids + (swapped ? list.size : 0), *const to = list.ids + (swapped ? 0 : list.size);
        ASSERT_EQ((Entry{from[k], to[k], list.distances[k]}), expected[static_cast<std::size_t>(k)]);
        ASSERT_EQ(from[k], i);
        for (int a = 0; a < 2; ++a) ASSERT_EQ(list.vectors[2 * k + a], x[2 * to[k] + a] - x[2 * i + a]);
        for (int a = 0; a < 3; ++a) ASSERT_EQ(list.images[3 * k + a], 0);
        for (int a = 0; a < 2; ++a) ASSERT_EQ(list.wide_images[2 * k + a], 0);
      }
    }
    ASSERT_EQ(list.offsets[n], list.size);
  };
  const auto sum = [&](std::int64_t i, std::int64_t j) { return r[i] + r[j]; };
  p.radii = c_array(r.data(), {n});
  ASSERT_EQ(hgrid_build(door.grid, &p, 0), HGRID_OK);
  for (const int kind : {HGRID_HALF, HGRID_FULL}) {
    for (const bool itself : {false, true}) {
      for (const bool swapped : {false, true}) compare(kind, itself, false, swapped, sum);
    }
    compare(kind, false, true, false, [&](auto i, auto j) { return std::nextafter(r[i] + r[j], 99); });  // pairs that touch
  }
  ASSERT_EQ(hgrid_build(door.grid, &p, 1), HGRID_OK);
  compare(HGRID_FULL, true, false, false, sum);  // from lists that have many more pairs
  p.radii = {}, p.radius_scale = 0.75;
  ASSERT_EQ(hgrid_build(door.grid, &p, 0), HGRID_OK);
  compare(HGRID_FULL, true, false, false, [](auto, auto) { return 1.5; });
  p.radius_scale = 2, p.types = c_array(type.data(), {n}), p.cutoffs = c_array(table.data(), {2, 2});
  ASSERT_EQ(hgrid_build(door.grid, &p, 0), HGRID_OK);
  compare(HGRID_FULL, false, false, false,
          [&](auto i, auto j) { return table[static_cast<std::size_t>(2 * type[i] + type[j])]; });
  auto asked = sized<hgrid_entry_options>();
  auto list = sized<hgrid_entry_list>();
  ASSERT_EQ(hgrid_entries(door.grid, &p, &asked, &list), HGRID_OK);
  EXPECT_TRUE(list.images == nullptr && list.distances == nullptr && list.vectors == nullptr && list.wide_images == nullptr);
  auto lists = sized<hgrid_neighbour_list>();
  ASSERT_EQ(hgrid_neighbours(door.grid, HGRID_FULL, &lists), HGRID_OK);
  std::vector<std::int32_t> ids(static_cast<std::size_t>(lists.size), 77);
  const hgrid_array offsets = c_array(lists.offsets, {n + 1}), to = c_array(ids.data(), {lists.size});
  ASSERT_EQ(hgrid_list_ids(door.grid, &offsets, &to), HGRID_OK);
  for (std::int32_t i = 0; i < n; ++i) {
    for (std::int64_t k = lists.offsets[i]; k < lists.offsets[i + 1]; ++k) ASSERT_EQ(ids[static_cast<std::size_t>(k)], i);
  }
}

TEST(CDoorMeasured, ImagesInEitherForm) {
  const std::vector<double> x{0.1, 0.2, 0.3, 3.9, 3.8, 3.7, 0.1, 3.9, 2};
  auto options = sized<hgrid_options>();
  options.dimension = 3;
  auto box = sized<hgrid_box>();
  for (int k = 0; k < 3; ++k) box.periodic[k] = 1, box.hi[k] = 4;
  support::DoorGrid door;
  ASSERT_EQ(hgrid_create(&options, &box, &door.grid), HGRID_OK);
  auto p = sized<hgrid_particles>();
  p.positions = c_array(x.data(), {3, 3}), p.radius_scale = 3;
  ASSERT_EQ(hgrid_build(door.grid, &p, 0), HGRID_OK);
  auto asked = sized<hgrid_entry_options>();
  asked.kind = HGRID_FULL, asked.images = asked.wide_images = 1;
  auto list = sized<hgrid_entry_list>();
  ASSERT_EQ(hgrid_entries(door.grid, &p, &asked, &list), HGRID_OK);
  ASSERT_GT(list.size, 100);
  for (std::int64_t k = 0; k < 3 * list.size; ++k) ASSERT_EQ(list.wide_images[k], list.images[k]);
  EXPECT_NE(std::set<std::int64_t>(list.wide_images, list.wide_images + 3 * list.size).size(), 1u);
}

// Each world along the vectors of its own box; as they were in the build.
TEST(CDoorMeasured, EntriesInBoxesOfWorlds) {
  constexpr std::int64_t n = 90;
  std::mt19937 random(3);
  std::vector<float> x(6 * n);
  std::vector<std::int32_t> world(n);
  for (float& c : x) c = std::uniform_real_distribution<float>(-1, 2)(random);
  for (std::int32_t& w : world) w = static_cast<std::int32_t>(random() % 4);
  auto options = sized<hgrid_options>();
  options.dimension = 3;
  support::DoorGrid door;
  const std::vector<hgrid_box> all = boxes();
  ASSERT_TRUE(hgrid_create(&options, nullptr, &door.grid) == HGRID_OK && hgrid_set_boxes(door.grid, all.data(), 4) == HGRID_OK);
  auto p = sized<hgrid_particles>();
  p.positions = c_array(x.data() + 1, {n, 3}, {6, 2}), p.radius_scale = 0.4, p.world = c_array(world.data(), {n}), p.worlds = 4;
  ASSERT_EQ(hgrid_build(door.grid, &p, 0), HGRID_OK);
  ASSERT_EQ(hgrid_set_boxes(door.grid, all.data(), 2), HGRID_OK);  // for the next build
  auto asked = sized<hgrid_entry_options>();
  asked.kind = HGRID_FULL, asked.images = asked.distances = asked.vectors = 1;
  auto list = sized<hgrid_entry_list>();
  ASSERT_EQ(hgrid_entries(door.grid, &p, &asked, &list), HGRID_OK) << support::verdict_of_door(8).message;
  ASSERT_GT(list.size, 400);
  for (std::int64_t k = 0; k < list.size; ++k) {
    const std::int64_t i = list.ids[k], j = list.ids[list.size + k];
    const float at[2][3] = {{x[6 * i + 1], x[6 * i + 3], x[6 * i + 5]}, {x[6 * j + 1], x[6 * j + 3], x[6 * j + 5]}};
    const auto d = expected_vector(all[world[i]], at[0], at[1], list.images + 3 * k);
    for (int a = 0; a < 3; ++a) ASSERT_EQ(list.vectors[3 * k + a], d[a]);
    ASSERT_EQ(list.distances[k], std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]));
    ASSERT_TRUE(list.distances[k] < 0.8 && world[i] == world[j]);
  }
  ASSERT_EQ(hgrid_set_boxes(door.grid, nullptr, 0), HGRID_OK);
  const auto measured = sized<hgrid_measured>();
  EXPECT_EQ(hgrid_measure(door.grid, &measured), HGRID_ERROR_UNSUPPORTED);
  world[7] = 4;
  EXPECT_EQ(hgrid_entries(door.grid, &p, &asked, &list), HGRID_ERROR_RANGE);
  EXPECT_EQ(support::verdict_of_door(HGRID_ERROR_RANGE).index, 7);
  p.world = {}, p.worlds = 0;
  EXPECT_EQ(hgrid_entries(door.grid, &p, &asked, &list), HGRID_ERROR_SIZE_MISMATCH);
}

// Beside a payload, which follows too, and values of another size.
TEST(CDoorMeasured, ValuesOfTheCallersFollowTheirPairs) {
  support::Gas gas(150);
  auto options = sized<hgrid_options>();
  options.dimension = 3;
  auto box = sized<hgrid_box>();
  for (int k = 0; k < 3; ++k) box.periodic[k] = gas.s.periodic[k], box.lo[k] = gas.s.lo[k], box.hi[k] = gas.s.hi[k];
  support::DoorGrid door;
  support::DoorVerlet list;
  auto verlet = sized<hgrid_verlet_options>();
  verlet.skin = 0.5, verlet.payload = sizeof(std::int32_t);
  ASSERT_EQ(hgrid_create(&options, &box, &door.grid), HGRID_OK);
  ASSERT_EQ(hgrid_verlet_create(door.grid, &verlet, &list.list), HGRID_OK);
  std::vector<double> values;
  double oldest = 0;
  int builds = 0;
  for (int step = 0; step < 60; ++step, gas.step(0.02)) {
    const support::UserArrays<double, 3> arrays(gas.s);
    const hgrid_particles now = support::c_particles(arrays.view(), true);
    int rebuilt = 0;
    ASSERT_EQ(hgrid_verlet_update(list.list, &now, nullptr, &rebuilt), HGRID_OK);
    auto history = sized<hgrid_history>();
    ASSERT_EQ(hgrid_verlet_history(list.list, &history), HGRID_OK);
    if (rebuilt == 1) {
      ++builds;
      std::vector<double> next(static_cast<std::size_t>(2 * history.size), 77);
      const double fresh = 0.5;
      const hgrid_array from = c_array(values.data(), {std::ssize(values) / 2, 2}),
                        to = c_array(next.data(), {history.size, 2});
      hgrid_array none = hgrid_array_2d(nullptr, HGRID_FLOAT64, 0, 2);
      ASSERT_EQ(hgrid_verlet_carry(list.list, values.empty() ? &none : &from, &to, &fresh), HGRID_OK);
      values = next;
      for (std::int64_t k = 0; k < history.size; ++k) {
        if (history.from[k] < 0) static_cast<std::int32_t*>(history.payload)[k] = 0;
      }
    }
    for (std::int64_t k = 0; k < history.size; ++k) {
      const double steps = ++static_cast<std::int32_t*>(history.payload)[k];
      for (int a = 0; a < 2; ++a) ASSERT_EQ(values[static_cast<std::size_t>(2 * k + a)] += 1, steps + 0.5);
      oldest = std::max(oldest, steps);
    }
  }
  EXPECT_GT(builds, 2);
  EXPECT_EQ(oldest, 60) << "no contact has lasted";
  auto history = sized<hgrid_history>();
  ASSERT_EQ(hgrid_verlet_history(list.list, &history), HGRID_OK);
  std::vector<std::uint8_t> before(static_cast<std::size_t>(history.size_before)),
      now(static_cast<std::size_t>(history.size), 77);
  const hgrid_array from = c_array(before.data(), {history.size_before, 1}), to = c_array(now.data(), {history.size, 1});
  const hgrid_array fewer = c_array(now.data(), {history.size - 1, 1});
  constexpr int size = HGRID_ERROR_SIZE_MISMATCH;
  EXPECT_EQ(hgrid_verlet_carry(list.list, &from, &fewer, nullptr), size);
  EXPECT_EQ(hgrid_verlet_carry(list.list, &fewer, &to, nullptr), history.size - 1 == history.size_before ? HGRID_OK : size);
  const hgrid_array other = hgrid_array_2d(now.data(), HGRID_BOOL, history.size, 1);
  EXPECT_EQ(hgrid_verlet_carry(list.list, &from, &other, nullptr), HGRID_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(hgrid_verlet_carry(list.list, nullptr, &to, nullptr), HGRID_ERROR_INVALID_ARGUMENT);
  ASSERT_EQ(hgrid_verlet_carry(list.list, &from, &to, nullptr), HGRID_OK);
  EXPECT_EQ(std::accumulate(now.begin(), now.end(), 0), 0) << "without a fresh value it is zero";
}

}  // namespace
