// SPDX-License-Identifier: BSD-3-Clause
// Lists and memory that callers of the C API own, observers, and counters.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <thread>

#include "hgrid/hgrid.hpp"
#include "support/c_door.hpp"
#include "support/packings.hpp"
#include "support/user_arrays.hpp"

namespace {

using support::sized;

class CDoorKept : public ::testing::Test {
 protected:
  explicit CDoorKept(int threads = HGRID_SERIAL) {
    auto options = sized<hgrid_options>();
    options.dimension = 3, options.threads = threads;
    auto box = sized<hgrid_box>();
    for (int k = 0; k < 3; ++k) {
      box.periodic[k] = system_.periodic[k], box.lo[k] = system_.lo[k], box.hi[k] = system_.hi[k];
    }
    EXPECT_EQ(hgrid_create(&options, &box, &grid_), HGRID_OK);
    build();
  }
  ~CDoorKept() override { hgrid_destroy(grid_); }

  void build() { ASSERT_EQ(hgrid_build(grid_, &particles_, system_.skin), HGRID_OK); }

  template <class List, class Call>
  static List given(const Call& call) {
    auto list = sized<List>();
    EXPECT_EQ(call(&list), HGRID_OK) << support::verdict_of_door(8).message;
    return list;
  }
  hgrid_pair_list pairs() {
    return given<hgrid_pair_list>([&](auto* out) { return hgrid_pairs(grid_, HGRID_FIXED, out); });
  }
  hgrid_neighbour_list lists(int kind) {
    return given<hgrid_neighbour_list>([&](auto* out) { return hgrid_neighbours(grid_, kind, out); });
  }
  hgrid_neighbour_list regions() {
    auto asked = sized<hgrid_regions>();
    asked.lo = particles_.positions, asked.radius = particles_.radii;
    return given<hgrid_neighbour_list>([&](auto* out) { return hgrid_query(grid_, &asked, out); });
  }
  hgrid_entry_list entries() {
    auto asked = sized<hgrid_entry_options>();
    asked.kind = HGRID_FULL, asked.distances = 1;
    return given<hgrid_entry_list>([&](auto* out) { return hgrid_entries(grid_, &particles_, &asked, out); });
  }
  hgrid_memory* keep() {
    hgrid_memory* memory = nullptr;
    EXPECT_EQ(hgrid_keep(grid_, &memory), HGRID_OK) << support::verdict_of_door(8).message;
    return memory;
  }

  oracle::System system_ = support::polydisperse(3000, 5, true);
  support::UserArrays<double, 3> arrays_{system_};
  hgrid_particles particles_ = support::c_particles(arrays_.view(), false);
  hgrid_grid* grid_ = nullptr;
};

template <class T>
std::vector<T> copied(const T* data, std::int64_t n) {
  return {data, data + n};
}

TEST_F(CDoorKept, ListsOutliveTheNextOnesAndTheGrid) {
  const hgrid_pair_list p = pairs();
  hgrid_memory* const of_pairs = keep();
  const hgrid_neighbour_list half = lists(HGRID_HALF);
  hgrid_memory* const of_half = keep();
  const hgrid_neighbour_list found = regions();
  hgrid_memory* const of_found = keep();
  const hgrid_entry_list measured = entries();
  hgrid_memory* const of_measured = keep();
  ASSERT_GT(p.size, 100);
  const auto before = std::tuple{copied(p.pairs, 2 * p.size), copied(half.neighbours, half.size),
                                 copied(found.neighbours, found.size), copied(measured.distances, measured.size)};
  particles_.radius_scale = 0.8;
  build();
  for (int k = 0; k < 3; ++k) {
    EXPECT_LT(pairs().size, p.size);
    EXPECT_NE(pairs().pairs, p.pairs);
    EXPECT_NE(lists(HGRID_HALF).neighbours, half.neighbours);
    EXPECT_NE(regions().neighbours, found.neighbours);
    EXPECT_NE(entries().distances, measured.distances);
  }
  hgrid_destroy(std::exchange(grid_, nullptr));
  EXPECT_EQ(std::tuple(copied(p.pairs, 2 * p.size), copied(half.neighbours, half.size), copied(found.neighbours, found.size),
                       copied(measured.distances, measured.size)),
            before);
  for (hgrid_memory* const memory : {of_pairs, of_half, of_found, of_measured}) {
    std::thread([memory] { hgrid_release(memory); }).join();
  }
}

TEST_F(CDoorKept, ALoopThatKeepsItsLastListFillsTwoInTurn) {
  const auto expect_two = [&](const auto& place_of) {
    hgrid_memory* before = nullptr;
    std::array<const void*, 9> places{};
    for (const void*& place : places) {
      place = place_of();
      hgrid_release(std::exchange(before, keep()));
    }
    hgrid_release(before);
    std::sort(places.begin() + 1, places.end());
    EXPECT_LE(std::unique(places.begin() + 1, places.end()) - places.begin() - 1, 2);
  };
  expect_two([&] { return pairs().pairs; });
  expect_two([&] { return entries().distances; });
}

TEST_F(CDoorKept, ThePlanTellsTheMemoryOfLists) {
  const auto list_bytes = [&] {
    return given<hgrid_plan_report>([&](auto* out) { return hgrid_plan(grid_, out); }).list_bytes;
  };
  EXPECT_EQ(list_bytes(), 0);
  const std::int64_t of_pairs = pairs().size * static_cast<std::int64_t>(2 * sizeof(std::int32_t));
  const std::int64_t with_pairs = list_bytes();
  EXPECT_GE(with_pairs, of_pairs);
  EXPECT_LE(with_pairs, 4 * of_pairs);  // images, and room for more
  const std::int64_t of_neighbours = lists(HGRID_FULL).size * static_cast<std::int64_t>(sizeof(std::int32_t));
  EXPECT_GE(list_bytes(), with_pairs + of_neighbours);
}

TEST_F(CDoorKept, WhatIsNotThereCannotBeKept) {
  hgrid_memory* memory = nullptr;
  EXPECT_EQ(hgrid_keep(grid_, &memory), HGRID_ERROR_INVALID_ARGUMENT);
  pairs();
  hgrid_release(keep());
  EXPECT_EQ(hgrid_keep(grid_, &memory), HGRID_ERROR_INVALID_ARGUMENT);  // it was
  EXPECT_EQ(memory, nullptr);
  EXPECT_EQ(hgrid_keep(grid_, nullptr), HGRID_ERROR_INVALID_ARGUMENT);
  hgrid_release(nullptr);
}

TEST_F(CDoorKept, MemoryIsCopiedEachWay) {
  for (const std::int64_t n : {0, 1, 7, 4096, 100'001}) {
    std::vector<std::uint8_t> from(static_cast<std::size_t>(n)), to(static_cast<std::size_t>(n));
    std::iota(from.begin(), from.end(), std::uint8_t{3});
    std::array<hgrid_memory*, 2> memory{};
    std::array<void*, 2> there{};
    for (int k = 0; k < 2; ++k) ASSERT_EQ(hgrid_allocate(grid_, n, &memory[k], &there[k]), HGRID_OK);
    EXPECT_EQ(hgrid_copy(grid_, there[0], from.data(), n, HGRID_FROM_HOST), HGRID_OK);
    EXPECT_EQ(hgrid_copy(grid_, there[1], there[0], n, HGRID_WITHIN), HGRID_OK);
    EXPECT_EQ(hgrid_copy(grid_, to.data(), there[1], n, HGRID_TO_HOST), HGRID_OK);
    EXPECT_EQ(to, from);
    for (hgrid_memory* const m : memory) hgrid_release(m);
  }
  hgrid_memory* memory = nullptr;
  void* data = nullptr;
  EXPECT_EQ(hgrid_allocate(grid_, -1, &memory, &data), HGRID_ERROR_SIZE_MISMATCH);
  EXPECT_EQ(hgrid_allocate(grid_, std::int64_t{1} << 60, &memory, &data), HGRID_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(memory, nullptr);
  EXPECT_EQ(hgrid_copy(grid_, &data, nullptr, 8, HGRID_WITHIN), HGRID_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(hgrid_copy(grid_, &data, &memory, 8, 3), HGRID_ERROR_INVALID_ARGUMENT);
}

TEST_F(CDoorKept, EntriesOfAVerletList) {
  const hgrid_entry_list own = entries();
  const std::vector<std::int64_t> expected = copied(own.ids, 2 * own.size);
  hgrid_verlet* list = nullptr;
  auto options = sized<hgrid_verlet_options>();
  options.kind = HGRID_FULL, options.skin = 0.3;
  ASSERT_EQ(hgrid_verlet_create(grid_, &options, &list), HGRID_OK);
  ASSERT_EQ(hgrid_verlet_update(list, &particles_, nullptr, nullptr), HGRID_OK);
  const auto lists = given<hgrid_neighbour_list>([&](auto* out) { return hgrid_verlet_neighbours(list, out); });
  auto asked = sized<hgrid_entry_options>();
  asked.list = &lists;
  const auto found = given<hgrid_entry_list>([&](auto* out) { return hgrid_entries(grid_, &particles_, &asked, out); });
  EXPECT_LT(found.size, lists.size);
  EXPECT_EQ(copied(found.ids, 2 * found.size), expected);
  asked.struct_size = offsetof(hgrid_entry_options, list);  // as an earlier header has it
  asked.kind = HGRID_HALF;
  const auto half = given<hgrid_entry_list>([&](auto* out) { return hgrid_entries(grid_, &particles_, &asked, out); });
  EXPECT_LT(half.size, found.size);
  asked.struct_size = sizeof asked;
  const auto none = sized<hgrid_neighbour_list>();
  asked.list = &none;
  auto out = sized<hgrid_entry_list>();
  EXPECT_EQ(hgrid_entries(grid_, &particles_, &asked, &out), HGRID_ERROR_INVALID_ARGUMENT);
  hgrid_verlet_destroy(list);
}

// Null images mean that the box is open.
TEST_F(CDoorKept, ImagesAreThereWithoutContacts) {
  particles_.radius_scale = 1e-9;
  build();
  const hgrid_pair_list p = pairs();
  EXPECT_EQ(p.size, 0);
  EXPECT_NE(p.images, nullptr);
  EXPECT_NE(lists(HGRID_FULL).images, nullptr);
  EXPECT_EQ(given<hgrid_plan_report>([&](auto* out) { return hgrid_plan(grid_, out); }).periodic, 1);
  ASSERT_EQ(hgrid_set_box(grid_, nullptr), HGRID_OK);
  build();
  EXPECT_EQ(pairs().images, nullptr);
  EXPECT_EQ(lists(HGRID_FULL).images, nullptr);
  EXPECT_EQ(given<hgrid_plan_report>([&](auto* out) { return hgrid_plan(grid_, out); }).periodic, 0);
}

// If the grid has as many particles as its last list, the ids of that list are not checked.
TEST_F(CDoorKept, PairsOfTheLastListAreOfItsParticles) {
  const hgrid_pair_list p = pairs();
  std::vector<double> distances(static_cast<std::size_t>(p.size)), again(distances);
  auto m = sized<hgrid_measured>();
  m.positions = particles_.positions, m.pairs = hgrid_array_2d(p.pairs, HGRID_INT32, p.size, 2);
  m.images = hgrid_array_2d(p.images, HGRID_INT32, p.size, 3);
  m.distances = hgrid_array_1d(distances.data(), HGRID_FLOAT64, p.size);
  EXPECT_EQ(hgrid_measure(grid_, &m), HGRID_OK);
  const std::vector<std::int32_t> copy = copied(p.pairs, 2 * p.size);
  m.pairs.data = const_cast<std::int32_t*>(copy.data()), m.distances.data = again.data();
  EXPECT_EQ(hgrid_measure(grid_, &m), HGRID_OK);
  EXPECT_EQ(again, distances);
  EXPECT_GT(*std::max_element(distances.begin(), distances.end()), 0);
  m.positions.shape[0] -= 500;
  for (const std::int32_t* const given : {p.pairs, copy.data()}) {
    m.pairs.data = const_cast<std::int32_t*>(given);
    EXPECT_EQ(hgrid_measure(grid_, &m), HGRID_ERROR_RANGE);
  }
}

TEST_F(CDoorKept, WorkIsThatOfTheLibrary) {
  auto grid = support::built(hgrid::SerialExec(), system_);
  const auto work = given<hgrid_work_report>([&](auto* out) { return hgrid_work(grid_, out); });
  EXPECT_GT(work.candidates, 0);
  EXPECT_EQ(work.candidates, grid.work().candidates);
  EXPECT_EQ(work.rows, grid.work().rows);
}

/// Looks on, and stops the work at the share that it waits for.
struct Looker {
  double stop_at = 2;
  std::vector<double> shares = {};

  static std::int32_t look(void* self, double share) {
    auto& looker = *static_cast<Looker*>(self);
    looker.shares.push_back(share);
    return share >= looker.stop_at;
  }
  hgrid_watch watch() { return {sizeof(hgrid_watch), &look, this}; }
};

TEST_F(CDoorKept, WhoeverLooksOnCanStop) {
  Looker looker;
  const hgrid_watch watch = looker.watch();
  ASSERT_EQ(hgrid_set_watch(grid_, &watch), HGRID_OK);
  const std::int64_t all = pairs().size;
  EXPECT_EQ(looker.shares.front(), 0);
  EXPECT_EQ(looker.shares.back(), 1);
  std::uint64_t generation = 0, now = 0;
  ASSERT_EQ(hgrid_generation(grid_, &generation), HGRID_OK);
  looker.stop_at = 0;
  auto list = sized<hgrid_pair_list>();
  EXPECT_EQ(hgrid_build(grid_, &particles_, 0), HGRID_ERROR_STOPPED);
  EXPECT_EQ(hgrid_pairs(grid_, HGRID_SORTED, &list), HGRID_ERROR_STOPPED);
  looker.stop_at = 2;
  EXPECT_EQ(hgrid_generation(grid_, &now), HGRID_OK);
  EXPECT_EQ(now, generation);
  EXPECT_EQ(pairs().size, all);
  looker.stop_at = 0;
  ASSERT_EQ(hgrid_set_watch(grid_, nullptr), HGRID_OK);
  looker.shares.clear();
  EXPECT_EQ(pairs().size, all);
  EXPECT_TRUE(looker.shares.empty());
}

class CDoorForked : public CDoorKept {
 protected:
  CDoorForked() : CDoorKept(2) {}
};

// The runtime of OpenMP hangs in such a child, so it has the threads of a pool of its own.
TEST_F(CDoorForked, AChildHasThreadsOfItsOwn) {
  const std::int64_t all = pairs().size;
  const auto plan = given<hgrid_plan_report>([&](auto* out) { return hgrid_plan(grid_, out); });
  EXPECT_EQ(plan.threads, 2);
  const pid_t child = fork();
  if (child == 0) {
    auto list = sized<hgrid_pair_list>();
    auto report = sized<hgrid_plan_report>();
    const bool works = hgrid_build(grid_, &particles_, system_.skin) == HGRID_OK &&
                       hgrid_pairs(grid_, HGRID_FIXED, &list) == HGRID_OK && hgrid_plan(grid_, &report) == HGRID_OK;
    _exit(works && list.size == all && report.threads == 2 ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST(CDoorInstructions, AreNamed) { EXPECT_GT(std::string(hgrid_instructions()).size(), 2u); }

}  // namespace
