// SPDX-License-Identifier: BSD-3-Clause
// A predicate that uses the grid which asks it: members that are const work, all others are refused, from each door.
#include "c/hgrid11.hpp"

#include "support/c_door_errors.hpp"
#include "support/executors.hpp"
#include "support/gas.hpp"
#include "support/packings.hpp"
#include "support/results.hpp"

namespace {

using hgrid::ErrorCode;
using hgrid::Image;
using hgrid::index_t;
using support::expect_error;
using support::sized;

template <class Exec>
class Reentrancy : public ::testing::Test {};
TYPED_TEST_SUITE(Reentrancy, support::Executors);

TYPED_TEST(Reentrancy, MembersThatAreNotConstAreRefused) {
  const oracle::System s = support::polydisperse(200, 2, true);
  const support::UserArrays<double, 3> arrays(s);
  auto grid = support::built(support::make_executor<TypeParam>(2), s);
  auto list = grid.make_pairs(), other = grid.make_pairs();
  auto lists = grid.make_list();
  std::vector<index_t> matrix(200 * 200);
  grid.pairs(list);
  const auto before = support::as_listed(list);
  const auto refuse = [&](const auto& call) {
    const auto predicate = [&](index_t, index_t, const Image&) { return call(), true; };
    expect_error(ErrorCode::reentrancy, [&] { grid.pairs(list, predicate); });
    expect_error(ErrorCode::reentrancy, [&] { grid.for_each_contact(predicate); });
    EXPECT_EQ(support::as_listed(list), before);
  };
  refuse([&] { grid.build(arrays.view()); });
  refuse([&] { grid.count(); });
  refuse([&] { grid.pairs(other); });
  refuse([&] { grid.neighbours(lists); });
  refuse([&] { grid.enqueue_pairs(other); });
  refuse([&] { grid.wait(other); });
  refuse([&] { grid.neighbours_into(hgrid::NeighbourMatrix<index_t>{matrix.data(), 200, 200}); });
  refuse([&] { grid.valid(arrays.view()); });
  refuse([&] { grid.set_box(hgrid::Box3::open()); });
  refuse([&] { grid.set_boxes({}); });
  refuse([&] { grid.plan_again(); });
  refuse([&] { grid.watch({}); });
  refuse([&] { grid.work(); });
  refuse([&] { grid.levels(); });
  const std::vector<std::byte> saved = hgrid::save(grid);
  refuse([&] { hgrid::restore(grid, saved); });
  hgrid::VerletList verlet(grid, hgrid::VerletOptions{.skin = 0.1});
  refuse([&] { verlet.update(arrays.view()); });

  std::atomic<int> visited{0};
  grid.pairs(list, [&](index_t i, index_t, const Image&) {
    if (i == 0) grid.for_each_contact([&](index_t, index_t, const Image&) { ++visited; });
    return grid.generation() > 0 && grid.particle_count() == 200 && grid.view().slots() > 0;
  });
  EXPECT_EQ(support::as_listed(list), before);
  EXPECT_GT(visited, 0);
}

struct Door {
  hgrid_grid* grid = nullptr;
  hgrid_verlet* list = nullptr;
};

// Each call of the C door, by its name.
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
  static std::int64_t number;
  static const void* bytes;
  static void* there;
  static hgrid_memory* memory;
  static hgrid_verlet* made;
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
      {"verlet_history", [](Door& g) { return hgrid_verlet_history(g.list, &history); }},
      {"verlet_carry", [none](Door& g) { return hgrid_verlet_carry(g.list, &none, &none, nullptr); }},
      {"verlet_save", [](Door& g) { return hgrid_verlet_save(g.list, &bytes, &number); }},
      {"verlet_restore", [](Door& g) { return hgrid_verlet_restore(g.list, x, 8); }},
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
      return 0;  // whatever the call has said
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
      const int all = hgrid_generation(g.grid, &generation) | hgrid_touches(g.grid, x, 0.1, 0, &touches) |
                      hgrid_allocate(g.grid, 8, &memory, &data) | hgrid_copy(g.grid, data, x, 8, HGRID_FROM_HOST) |
                      hgrid_verlet_neighbours(g.list, &lists) | hgrid_verlet_counts(g.list, &counters);
      hgrid_release(memory);
      return generation > 0 && lists.lists == 300 && counters.builds == 1 ? all : -1;
    };
    Reentering asks{both, looks, 0, 0, HGRID_OK};
    const hgrid_predicate predicate = asks.predicate();
    ASSERT_EQ(hgrid_touching_pairs(door.grid, HGRID_SORTED, &predicate, &list), HGRID_OK);
    EXPECT_EQ(asks.wrong, 0);
    EXPECT_EQ(std::vector(list.pairs, list.pairs + 2 * list.size), pairs);
    hgrid_verlet_destroy(both.list);
  }
}

TEST(Cpp11Reentrancy, MembersThatSearchAreRefused) {
  const std::vector<double> x = {0, 0, 0, 1, 0, 0}, r = {1, 1};
  hgrid11::Grid3 grid;
  const hgrid11::Particles3 particles(x, r);
  grid.build(particles);
  const auto code_in = [&](const std::function<void()>& call) {
    hgrid11::ErrorCode inside = hgrid11::ErrorCode::internal;
    const auto touches = [&](std::int32_t, std::int32_t, const hgrid11::Image&) {
      try {
        call();
      } catch (const hgrid11::Error& error) {
        inside = error.code();
      }
      return true;
    };
    try {
      grid.pairs(touches);
    } catch (const hgrid11::Error& error) {
      EXPECT_EQ(error.code(), inside);
    }
    return inside;
  };
  const std::vector<std::function<void()>> calls = {[&] { grid.count(); },
                                                    [&] { grid.pairs(); },
                                                    [&] { grid.build(particles); },
                                                    [&] { grid.neighbours(); },
                                                    [&] { grid.nearest(x.data(), 2, 1); },
                                                    [&] { grid.insert(x.data(), 1); },
                                                    [&] { grid.valid(particles); },
                                                    [&] { grid.plan(); },
                                                    [&] { grid.save(); }};
  for (const auto& call : calls) EXPECT_EQ(code_in(call), hgrid11::ErrorCode::reentrancy);
  EXPECT_EQ(code_in([&] { grid.touches(x.data(), 1); }), hgrid11::ErrorCode::internal) << "nothing is thrown";
  EXPECT_EQ(grid.count(), 1);
}

}  // namespace
