// SPDX-License-Identifier: BSD-3-Clause
// A predicate of C within the search: its lists equal the C++ library's, byte for byte.
#include <atomic>

#include "hgrid/hgrid.hpp"
#include "support/c_door_errors.hpp"
#include "support/narrow_cases.hpp"
#include "support/packings.hpp"

namespace {

using support::CDoorErrors;
using support::sized;

struct Asking {
  support::Drawn drawn{5};
  std::atomic<std::int64_t> asked{0}, most{0}, stop_at{-1};
};

std::int32_t ask(void* context, const hgrid_contact* contacts, std::int64_t count, std::uint8_t* touch) {
  auto& asking = *static_cast<Asking*>(context);
  if (asking.stop_at >= 0 && asking.asked > asking.stop_at) return 7;
  asking.asked += count;
  if (count > asking.most) asking.most = count;
  for (std::int64_t k = 0; k < count; ++k) {
    const auto& [i, j, m] = contacts[k];
    touch[k] = asking.drawn(i, j, {{m[0], m[1], m[2]}}) ? 200 : 0;  // anything but 0 is a yes
  }
  return 0;
}

hgrid_predicate predicate_of(Asking& asking) {
  auto predicate = sized<hgrid_predicate>();
  predicate.ask = ask, predicate.context = &asking;
  return predicate;
}

support::Contacts contacts_of(const hgrid_pair_list& list) {
  support::Contacts all;
  for (std::int64_t k = 0; k < list.size; ++k) {
    const auto* const image = reinterpret_cast<const hgrid::Image*>(list.images);
    all.push_back(support::contact(list.pairs[2 * k], list.pairs[2 * k + 1], image == nullptr ? nullptr : &image[k]));
  }
  return all;
}

support::Contacts contacts_of(const hgrid_neighbour_list& list) {
  support::Contacts all;
  for (std::int64_t i = 0; i < list.lists; ++i) {
    for (std::int64_t k = list.offsets[i]; k < list.offsets[i + 1]; ++k) {
      const auto* const image = reinterpret_cast<const hgrid::Image*>(list.images);
      all.push_back(support::contact(i, list.neighbours[k], image == nullptr ? nullptr : &image[k]));
    }
  }
  return all;
}

TEST(CDoorTouching, GivesTheListsOfTheLibrary) {
  for (const bool periodic : {false, true}) {
    const oracle::System s = support::polydisperse(3000, 8, periodic, 2);
    const support::UserArrays<double, 3> arrays(s);
    const auto particles = arrays.view();
    auto grid = support::built(hgrid::OpenMPExec(2), s);
    auto options = sized<hgrid_options>();
    options.dimension = 3, options.threads = 2;
    auto box = sized<hgrid_box>();
    for (int k = 0; k < 3; ++k) box.lo[k] = s.lo[k], box.hi[k] = s.hi[k], box.periodic[k] = s.periodic[k];
    support::DoorGrid door;
    ASSERT_EQ(hgrid_create(&options, periodic ? &box : nullptr, &door.grid), HGRID_OK);
    const hgrid_particles given = support::c_particles(particles, false);
    ASSERT_EQ(hgrid_build(door.grid, &given, s.skin), HGRID_OK);
    const hgrid::offset_t all = grid.count();
    for (const auto order : {hgrid::Order::fixed, hgrid::Order::sorted}) {
      Asking asking;
      const hgrid_predicate predicate = predicate_of(asking);
      auto list = sized<hgrid_pair_list>();
      ASSERT_EQ(hgrid_touching_pairs(door.grid, static_cast<int>(order), &predicate, &list), HGRID_OK);
      auto expected = grid.make_pairs();
      grid.find(expected, hgrid::only(asking.drawn), {.order = order});
      EXPECT_EQ(contacts_of(list), support::as_listed(expected));
      EXPECT_EQ(asking.asked, all) << "each contact comes once";
      EXPECT_LE(asking.most, 64);
      EXPECT_GT(asking.most, 1);
    }
    for (const auto kind : {hgrid::ListKind::half, hgrid::ListKind::full}) {
      Asking asking;
      const hgrid_predicate predicate = predicate_of(asking);
      auto list = sized<hgrid_neighbour_list>();
      ASSERT_EQ(hgrid_touching_neighbours(door.grid, static_cast<int>(kind), &predicate, &list), HGRID_OK);
      auto expected = grid.make_list(kind);
      grid.find(expected, hgrid::only(asking.drawn));
      EXPECT_EQ(contacts_of(list), support::as_listed(expected));
      EXPECT_EQ(asking.asked, all);
      asking.stop_at = asking.asked / 2, asking.asked = 0;
      EXPECT_EQ(hgrid_touching_neighbours(door.grid, static_cast<int>(kind), &predicate, &list), HGRID_ERROR_STOPPED);
      EXPECT_EQ(contacts_of(list), support::as_listed(expected)) << "a list that was stopped is as it was";
    }
  }
}

class CDoorTouchingErrors : public CDoorErrors {};

TEST_F(CDoorTouchingErrors, AreTyped) {
  Asking asking;
  hgrid_predicate predicate = predicate_of(asking);
  auto pairs = sized<hgrid_pair_list>();
  auto lists = sized<hgrid_neighbour_list>();
  expect(HGRID_ERROR_INVALID_ARGUMENT, hgrid_touching_pairs(nullptr, 0, &predicate, &pairs), "grid");
  expect(HGRID_ERROR_INVALID_ARGUMENT, hgrid_touching_pairs(door_.grid, 0, nullptr, &pairs), "predicate");
  expect(HGRID_ERROR_INVALID_ARGUMENT, hgrid_touching_pairs(door_.grid, 2, &predicate, &pairs), "order");
  expect(HGRID_ERROR_INVALID_ARGUMENT, hgrid_touching_pairs(door_.grid, 0, &predicate, nullptr), "out");
  expect(HGRID_ERROR_NOT_BUILT, hgrid_touching_pairs(empty_.grid, 0, &predicate, &pairs));
  expect(HGRID_ERROR_INVALID_ARGUMENT, hgrid_touching_neighbours(nullptr, 0, &predicate, &lists), "grid");
  expect(HGRID_ERROR_INVALID_ARGUMENT, hgrid_touching_neighbours(door_.grid, 0, nullptr, &lists), "predicate");
  expect(HGRID_ERROR_INVALID_ARGUMENT, hgrid_touching_neighbours(door_.grid, -1, &predicate, &lists), "kind");
  expect(HGRID_ERROR_INVALID_ARGUMENT, hgrid_touching_neighbours(door_.grid, 0, &predicate, nullptr), "out");
  expect(HGRID_ERROR_NOT_BUILT, hgrid_touching_neighbours(empty_.grid, 0, &predicate, &lists));
  asking.stop_at = 0, asking.asked = 1;
  expect(HGRID_ERROR_STOPPED, hgrid_touching_pairs(door_.grid, 0, &predicate, &pairs), "predicate");
  predicate.ask = nullptr;
  expect(HGRID_ERROR_INVALID_ARGUMENT, hgrid_touching_pairs(door_.grid, 0, &predicate, &pairs), "predicate");
  predicate = predicate_of(asking);
  predicate.struct_size = 8;
  expect(HGRID_ERROR_INVALID_ARGUMENT, hgrid_touching_neighbours(door_.grid, 0, &predicate, &lists), "predicate");
}

struct Door {
  hgrid_grid* grid = nullptr;
  hgrid_verlet* list = nullptr;
  hgrid_mesh* mesh = nullptr;
};

// Each call of the C API, by its name.
std::vector<std::pair<std::string, std::function<int(Door&)>>> refused_calls() {
  static double x[6] = {0, 0, 0, 1, 0, 0}, r[2] = {1, 1}, d[8];
  static std::int32_t ids[8];
  static auto particles = sized<hgrid_particles>();
  particles.positions = hgrid_array_2d(x, HGRID_FLOAT64, 2, 3), particles.radii = hgrid_array_1d(r, HGRID_FLOAT64, 2);
  static const auto ask = [](void*, const hgrid_contact*, std::int64_t, std::uint8_t*) { return 0; };
  static auto predicate = sized<hgrid_predicate>();
  predicate.ask = ask;
  static auto pairs = sized<hgrid_pair_list>();
  static auto lists = sized<hgrid_neighbour_list>();
  static auto packed = sized<hgrid_packed_list>();
  static auto answer = sized<hgrid_answer>();
  static auto entries = sized<hgrid_entry_list>();
  static auto of_entries = sized<hgrid_entry_options>();
  static auto plan = sized<hgrid_plan_report>();
  static auto level = sized<hgrid_level_report>();
  static auto work = sized<hgrid_work_report>();
  static auto validity = sized<hgrid_validity_report>();
  static auto history = sized<hgrid_history>();
  static auto matrix = sized<hgrid_neighbour_matrix>();
  static auto regions = sized<hgrid_regions>();
  static auto points = sized<hgrid_nearest_points>();
  points.k = 1;
  static auto measured = sized<hgrid_measured>();
  static auto options = sized<hgrid_verlet_options>();
  static auto guard = sized<hgrid_list_guard>();
  static int flag;
  static std::int64_t number;
  static const void* bytes;
  static void* there;
  static hgrid_memory* memory;
  static hgrid_verlet* made;
  static auto triangles = sized<hgrid_triangles>();
  static auto walls = sized<hgrid_wall_list>();
  static hgrid_mesh* mesh;
  static double* vertices;
  answer.lists = &lists;
  const hgrid_array none{};
  return {
      {"set_box", [](Door& g) { return hgrid_set_box(g.grid, nullptr); }},
      {"set_boxes", [](Door& g) { return hgrid_set_boxes(g.grid, nullptr, 0); }},
      {"set_watch", [](Door& g) { return hgrid_set_watch(g.grid, nullptr); }},
      {"build", [](Door& g) { return hgrid_build(g.grid, &particles, 0); }},
      {"plan", [](Door& g) { return hgrid_plan(g.grid, &plan); }},
      {"level", [](Door& g) { return hgrid_level(g.grid, 0, &level); }},
      {"work", [](Door& g) { return hgrid_work(g.grid, &work); }},
      {"validity", [](Door& g) { return hgrid_validity(g.grid, &particles, &validity); }},
      {"wait", [](Door& g) { return hgrid_wait(g.grid); }},
      {"find", [](Door& g) { return hgrid_find(g.grid, nullptr, &answer); }},
      {"count", [](Door& g) { return hgrid_count(g.grid, &number); }},
      {"pairs", [](Door& g) { return hgrid_pairs(g.grid, HGRID_SORTED, &pairs); }},
      {"pairs_into", [none](Door& g) { return hgrid_pairs_into(g.grid, &none, nullptr, &number); }},
      {"neighbours", [](Door& g) { return hgrid_neighbours(g.grid, HGRID_FULL, &lists); }},
      {"touching_pairs", [](Door& g) { return hgrid_touching_pairs(g.grid, HGRID_SORTED, &predicate, &pairs); }},
      {"touching_neighbours", [](Door& g) { return hgrid_touching_neighbours(g.grid, HGRID_HALF, &predicate, &lists); }},
      {"packed_neighbours", [](Door& g) { return hgrid_packed_neighbours(g.grid, HGRID_FULL, &packed); }},
      {"matrix", [](Door& g) { return hgrid_matrix(g.grid, HGRID_FULL, &matrix, &number); }},
      {"query", [](Door& g) { return hgrid_query(g.grid, &regions, &lists); }},
      {"between", [](Door& g) { return hgrid_between(g.grid, g.grid, &lists); }},
      {"between_excluding",
       [none](Door& g) { return hgrid_between_excluding(g.grid, g.grid, &none, nullptr, nullptr, &lists); }},
      {"nearest", [](Door& g) { return hgrid_nearest(g.grid, &points, ids, d, nullptr); }},
      {"insert", [](Door& g) { return hgrid_insert(g.grid, x, 1, 0, ids); }},
      {"insert_if_free", [](Door& g) { return hgrid_insert_if_free(g.grid, x, 1, 0, ids); }},
      {"measure", [](Door& g) { return hgrid_measure(g.grid, &measured); }},
      {"entries", [](Door& g) { return hgrid_entries(g.grid, &particles, &of_entries, &entries); }},
      {"list_ids", [none](Door& g) { return hgrid_list_ids(g.grid, &none, &none); }},
      {"scratch", [](Door& g) { return hgrid_scratch(g.grid, 8, &there); }},
      {"keep", [](Door& g) { return hgrid_keep(g.grid, &memory); }},
      {"save", [](Door& g) { return hgrid_save(g.grid, &bytes, &number); }},
      {"restore", [](Door& g) { return hgrid_restore(g.grid, x, 8); }},
      {"verlet_create", [](Door& g) { return hgrid_verlet_create(g.grid, &options, &made); }},
      {"verlet_update", [](Door& g) { return hgrid_verlet_update(g.list, &particles, nullptr, nullptr); }},
      {"verlet_build", [](Door& g) { return hgrid_verlet_build(g.list, &particles); }},
      {"verlet_enqueue_update", [](Door& g) { return hgrid_verlet_enqueue_update(g.list, &particles, nullptr); }},
      {"verlet_wait", [](Door& g) { return hgrid_verlet_wait(g.list, &particles, nullptr, &flag); }},
      {"verlet_guard", [](Door& g) { return hgrid_verlet_guard(g.list, &guard); }},
      {"verlet_history", [](Door& g) { return hgrid_verlet_history(g.list, &history); }},
      {"verlet_carry", [none](Door& g) { return hgrid_verlet_carry(g.list, &none, &none, nullptr); }},
      {"verlet_save", [](Door& g) { return hgrid_verlet_save(g.list, &bytes, &number); }},
      {"verlet_restore", [](Door& g) { return hgrid_verlet_restore(g.list, x, 8); }},
      {"mesh_create", [](Door& g) { return hgrid_mesh_create(g.grid, &triangles, &mesh); }},
      {"mesh_vertices", [](Door& g) { return hgrid_mesh_vertices(g.mesh, &vertices, &number); }},
      {"mesh_contacts", [](Door& g) { return hgrid_mesh_contacts(g.mesh, &particles, 0, &walls); }},
      {"mesh_history", [](Door& g) { return hgrid_mesh_history(g.mesh, &history); }},
      {"mesh_carry", [none](Door& g) { return hgrid_mesh_carry(g.mesh, &none, &none, nullptr); }},
  };
}

struct Reentering {
  Door& door;
  const std::function<int(Door&)>& call;
  std::atomic<int> calls{0}, wrong{0}, expected;

  hgrid_predicate predicate() {
    auto made = sized<hgrid_predicate>();
    made.ask = [](void* self, const hgrid_contact*, std::int64_t n, std::uint8_t* touch) {
      auto& r = *static_cast<Reentering*>(self);
      ++r.calls;
      if (r.call(r.door) != r.expected) ++r.wrong;
      std::fill_n(touch, n, std::uint8_t{1});
      return 0;  // the call's result does not matter
    };
    made.context = this;
    return made;
  }
};

TEST(CDoorReentrancy, CallsThatChangeTheGridAreRefused) {
  const oracle::System s = support::polydisperse(300, 3, true);
  const support::UserArrays<double, 3> arrays(s);
  const hgrid_particles given = support::c_particles(arrays.view(), false);
  for (const int threads : {static_cast<int>(HGRID_SERIAL), 2}) {
    auto options = sized<hgrid_options>();
    options.dimension = 3, options.threads = threads;
    support::DoorGrid door;
    ASSERT_EQ(hgrid_create(&options, nullptr, &door.grid), HGRID_OK);
    auto of_list = sized<hgrid_verlet_options>();
    of_list.skin = 0.1;
    Door both{door.grid};
    ASSERT_EQ(hgrid_verlet_create(door.grid, &of_list, &both.list), HGRID_OK);
    ASSERT_EQ(hgrid_verlet_build(both.list, &given), HGRID_OK);
    const float points[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    auto triangle = sized<hgrid_triangles>();
    triangle.vertices = support::c_array(points, {3, 3});
    ASSERT_EQ(hgrid_mesh_create(door.grid, &triangle, &both.mesh), HGRID_OK);
    auto before = sized<hgrid_pair_list>(), list = sized<hgrid_pair_list>();
    ASSERT_EQ(hgrid_pairs(door.grid, HGRID_SORTED, &before), HGRID_OK);
    const std::vector<std::int32_t> pairs(before.pairs, before.pairs + 2 * before.size);
    for (const auto& [name, call] : refused_calls()) {
      Reentering asks{both, call, 0, 0, HGRID_ERROR_REENTRANCY};
      const hgrid_predicate predicate = asks.predicate();
      EXPECT_EQ(hgrid_touching_pairs(door.grid, HGRID_SORTED, &predicate, &list), HGRID_ERROR_REENTRANCY) << name;
      EXPECT_GT(asks.calls, 0);
      EXPECT_EQ(asks.wrong, 0) << name;
    }
    const std::function<int(Door&)> looks = [](Door& g) {
      const double x[3] = {1, 1, 1};
      std::uint64_t generation = 0;
      int touches = 0;
      hgrid_memory* memory = nullptr;
      void* data = nullptr;
      auto lists = sized<hgrid_neighbour_list>();
      auto counters = sized<hgrid_verlet_counters>();
      const std::int32_t* periods = nullptr;
      const int all = hgrid_generation(g.grid, &generation) | hgrid_touches(g.grid, x, 0.1, 0, &touches) |
                      hgrid_allocate(g.grid, 8, &memory, &data) | hgrid_copy(g.grid, data, x, 8, HGRID_FROM_HOST) |
                      hgrid_verlet_neighbours(g.list, &lists) | hgrid_verlet_counts(g.list, &counters) |
                      hgrid_verlet_periods(g.list, &periods);
      hgrid_release(memory);
      return generation > 0 && lists.lists == 300 && counters.builds == 1 ? all : -1;
    };
    Reentering asks{both, looks, 0, 0, HGRID_OK};
    const hgrid_predicate predicate = asks.predicate();
    ASSERT_EQ(hgrid_touching_pairs(door.grid, HGRID_SORTED, &predicate, &list), HGRID_OK);
    EXPECT_EQ(asks.wrong, 0);
    EXPECT_EQ(std::vector(list.pairs, list.pairs + 2 * list.size), pairs);
    hgrid_verlet_destroy(both.list), hgrid_mesh_destroy(both.mesh);
  }
}

}  // namespace
