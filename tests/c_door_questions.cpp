// SPDX-License-Identifier: BSD-3-Clause
// Bad queries to a grid and to a list of the C API, and unsuitable memory of the caller.
#include "support/c_door_errors.hpp"

namespace {

using support::c_array;
using support::CDoorErrors;
using support::nan;
using support::sized;

TEST_F(CDoorErrors, QuestionsBeforeABuild) {
  std::int64_t n;
  auto pairs = sized<hgrid_pair_list>();
  auto lists = sized<hgrid_neighbour_list>();
  auto plan = sized<hgrid_plan_report>();
  auto level = sized<hgrid_level_report>();
  auto validity = sized<hgrid_validity_report>();
  auto matrix = sized<hgrid_neighbour_matrix>();
  auto regions = sized<hgrid_regions>();
  std::vector<std::int32_t> ids(8);
  matrix.neighbours = c_array(ids.data(), {4, 2}), matrix.padding = -1;
  const hgrid_array into = c_array(ids.data(), {4, 2});
  regions.lo = c_array(x_.data(), {1, 3});
  hgrid_grid* const grid = empty_.grid;
  for (const int status :
       {hgrid_count(grid, &n), hgrid_pairs(grid, HGRID_SORTED, &pairs), hgrid_pairs_into(grid, &into, nullptr, &n),
        hgrid_neighbours(grid, HGRID_HALF, &lists), hgrid_matrix(grid, HGRID_FULL, &matrix, &n),
        hgrid_query(grid, &regions, &lists), hgrid_between(grid, door_.grid, &lists), hgrid_between(door_.grid, grid, &lists),
        hgrid_plan(grid, &plan), hgrid_level(grid, 0, &level), hgrid_validity(grid, &p_, &validity)}) {
    expect(HGRID_ERROR_NOT_BUILT, status);
  }
}

TEST_F(CDoorErrors, QuestionsThatAreNone) {
  auto pairs = sized<hgrid_pair_list>();
  auto lists = sized<hgrid_neighbour_list>();
  auto level = sized<hgrid_level_report>();
  for (const int choice : {-1, 2, 1000}) {
    expect(HGRID_ERROR_INVALID_ARGUMENT, hgrid_pairs(door_.grid, choice, &pairs), "order");
    expect(HGRID_ERROR_INVALID_ARGUMENT, hgrid_neighbours(door_.grid, choice, &lists), "kind");
  }
  for (const int number : {-1, 64, std::numeric_limits<int>::max()}) {
    expect(HGRID_ERROR_INVALID_ARGUMENT, hgrid_level(door_.grid, number, &level), "level");
  }
  const auto verlet = [&](const auto& change) {
    auto options = sized<hgrid_verlet_options>();
    change(options);
    hgrid_verlet* list = nullptr;
    const int status = hgrid_verlet_create(other_.grid, &options, &list);
    EXPECT_EQ(list, nullptr);
    return status;
  };
  constexpr int bad = HGRID_ERROR_INVALID_ARGUMENT;
  expect(bad, verlet([](auto& o) { o.kind = 2; }), "kind");
  expect(bad, verlet([](auto& o) { o.skin = -1; }), "skin");
  expect(bad, verlet([](auto& o) { o.choose_skin = -1; }), "choose_skin");
  expect(bad, verlet([](auto& o) { o.no_rebuild = 7; }), "no_rebuild");
  expect(bad, verlet([](auto& o) { o.check_every = -1; }), "check_every");
  expect(HGRID_ERROR_SIZE_MISMATCH, verlet([](auto& o) { o.payload = -1; }), "payload");
  const std::vector<float> single(12), radii(4);
  auto other = sized<hgrid_particles>();
  other.positions = c_array(single.data(), {4, 3}), other.radii = c_array(radii.data(), {4});
  expect(bad, hgrid_verlet_update(list_.list, &p_, &other, nullptr), "widened");
  other.positions = c_array(x_.data(), {3, 3}), other.radii = c_array(r_.data(), {3});
  expect(HGRID_ERROR_SIZE_MISMATCH, hgrid_verlet_update(list_.list, &p_, &other, nullptr), "widened");
}

TEST_F(CDoorErrors, GridsThatCannotBeCompared) {
  auto lists = sized<hgrid_neighbour_list>();
  constexpr int bad = HGRID_ERROR_INVALID_ARGUMENT;
  EXPECT_EQ(hgrid_between(door_.grid, door_.grid, &lists), HGRID_OK);
  EXPECT_EQ(lists.lists, 4);
  expect(bad, hgrid_between(nullptr, door_.grid, &lists), "grid");
  expect(bad, hgrid_between(door_.grid, nullptr, &lists), "asking");
  expect(bad, hgrid_between(door_.grid, door_.grid, nullptr), "out");
  support::DoorGrid flat, wider;
  options_.dimension = 2;
  EXPECT_EQ(hgrid_create(&options_, nullptr, &flat.grid), HGRID_OK);
  expect(bad, hgrid_between(door_.grid, flat.grid, &lists), "asking");
  options_.dimension = 3;
  EXPECT_EQ(hgrid_create(&options_, nullptr, &wider.grid), HGRID_OK);
  EXPECT_EQ(hgrid_build(wider.grid, &p_, 0), HGRID_OK);
  expect(bad, hgrid_between(door_.grid, wider.grid, &lists), "asking");
}

// Each touches itself, and the first one two others.
TEST_F(CDoorErrors, ExclusionsBetweenTwoSets) {
  auto lists = sized<hgrid_neighbour_list>();
  struct {
    hgrid_array pairs, begin, ids;
  } excluded{};
  const auto between = [&] {
    return hgrid_between_excluding(door_.grid, door_.grid, &excluded.pairs, &excluded.begin, &excluded.ids, &lists);
  };
  const auto entries = [&] {
    std::vector<std::array<int, 2>> all;
    for (int i = 0; i < lists.lists; ++i) {
      for (std::int64_t e = lists.offsets[i]; e < lists.offsets[i + 1]; ++e) all.push_back({i, lists.neighbours[e]});
    }
    return all;
  };
  EXPECT_EQ(between(), HGRID_OK);
  std::vector<std::array<int, 2>> expected = entries();
  EXPECT_EQ(expected.size(), 8u);
  const std::array<int, 2> one = expected[1], other = expected[2];
  std::erase(expected, one), std::erase(expected, other);

  std::vector<std::int32_t> pairs{one[0], one[1], other[0], other[1]}, ids{one[1], other[1]};
  std::vector<std::int64_t> begin(5);
  for (int i = 0; i <= 4; ++i) begin[static_cast<std::size_t>(i)] = (one[0] < i) + (other[0] < i);
  excluded.pairs = c_array(pairs.data(), {2, 2});
  EXPECT_EQ(between(), HGRID_OK);
  EXPECT_EQ(entries(), expected);
  const hgrid_array in_pairs = std::exchange(excluded.pairs, {});
  excluded.begin = c_array(begin.data(), {5}), excluded.ids = c_array(ids.data(), {2});
  EXPECT_EQ(between(), HGRID_OK);
  EXPECT_EQ(entries(), expected);
  const auto in_lists = excluded;
  EXPECT_EQ(hgrid_between_excluding(door_.grid, door_.grid, nullptr, nullptr, nullptr, &lists), HGRID_OK);
  EXPECT_EQ(entries().size(), 8u) << "exclusions of a call before";

  constexpr int bad = HGRID_ERROR_INVALID_ARGUMENT;
  excluded.pairs = in_pairs;
  expect(bad, between(), "excluded_pairs");
  excluded = in_lists, excluded.begin = c_array(begin.data(), {4});
  expect(HGRID_ERROR_SIZE_MISMATCH, between(), "excluded_begin");
  excluded = in_lists, excluded.ids = c_array(x_.data(), {2});
  expect(bad, between(), "excluded_ids");
  excluded = in_lists, excluded.begin = {};
  expect(bad, between(), "excluded_begin");
  ids[1] = 4;
  excluded = in_lists;
  EXPECT_EQ(expect(HGRID_ERROR_RANGE, between(), "exclusions").index, other[0]);
}

TEST_F(CDoorErrors, MemoryOfTheCallers) {
  std::vector<std::int64_t> ids(20, 77);
  std::vector<std::int32_t> images(60, 77);
  const auto into = [&](const hgrid_array& pairs, const hgrid_array* shifts) {
    std::int64_t n = 77;
    const int status = hgrid_pairs_into(door_.grid, &pairs, shifts, &n);
    EXPECT_EQ(n, status == HGRID_ERROR_CAPACITY ? 2 : 77);
    return status;
  };
  constexpr int bad = HGRID_ERROR_INVALID_ARGUMENT, size = HGRID_ERROR_SIZE_MISMATCH;
  const hgrid_array good = c_array(ids.data(), {2, 2}), shifts = c_array(images.data(), {2, 3});
  const hgrid_array narrow = c_array(ids.data(), {2, 1}), line = c_array(ids.data(), {4}), reals = c_array(x_.data(), {2, 2}),
                    few = c_array(ids.data(), {1, 2}), still = c_array(ids.data(), {2, 2}, {0, 1}),
                    fewer_shifts = c_array(images.data(), {1, 3}), spread = c_array(images.data(), {2, 3}, {6, 1}),
                    device = hgrid_array_on(good, 2, 0), flat = c_array(images.data(), {2, 2}),
                    wide = c_array(ids.data(), {2, 3});
  expect(size, into(narrow, &shifts), "pairs");
  expect(bad, into(line, &shifts), "pairs");
  expect(bad, into(reals, &shifts), "pairs");
  expect(bad, into({}, &shifts), "pairs");
  expect(bad, into(still, &shifts), "stride");
  expect(HGRID_ERROR_UNSUPPORTED, into(device, &shifts), "pairs");
  expect(bad, into(good, nullptr));
  expect(size, into(good, &fewer_shifts), "images");
  expect(size, into(good, &flat), "images");
  expect(HGRID_ERROR_UNSUPPORTED, into(good, &spread), "images");
  expect(bad, into(good, &wide), "images");
  const support::Verdict v = expect(HGRID_ERROR_CAPACITY, into(few, &fewer_shifts), "output");
  EXPECT_EQ(v.needed, 2);

  const auto matrix = [&](const auto& change) {
    auto m = sized<hgrid_neighbour_matrix>();
    m.neighbours = c_array(ids.data(), {4, 2}), m.images = c_array(images.data(), {4, 2, 3}), m.padding = -1;
    change(m);
    std::int64_t n = 77;
    const int status = hgrid_matrix(door_.grid, HGRID_FULL, &m, &n);
    EXPECT_EQ(n, status == HGRID_ERROR_CAPACITY ? 2 : 77);
    return status;
  };
  expect(size, matrix([&](auto& m) { m.neighbours.shape[0] = 5, m.images.shape[0] = 5; }), "particles");
  expect(size, matrix([&](auto& m) { m.counts = c_array(ids.data(), {3}); }), "counts");
  expect(bad, matrix([&](auto& m) { m.counts = c_array(images.data(), {4}); }), "counts");
  expect(size, matrix([&](auto& m) { m.images.shape[1] = 1; }), "images");
  expect(size, matrix([&](auto& m) { m.images.shape[2] = 2; }), "images");
  expect(bad, matrix([&](auto& m) { m.images = {}; }));
  for (const std::int64_t id : {0, 3}) expect(bad, matrix([&](auto& m) { m.padding = id; }), "padding");
  expect(HGRID_ERROR_UNSUPPORTED, matrix([&](auto& m) { m.neighbours.strided = 1, m.neighbours.stride[0] = 3; }), "neighbours");
  expect(bad, matrix([&](auto& m) { m.neighbours.type = HGRID_INT32, m.padding = std::int64_t{1} << 40; }), "padding");
  const auto narrow_one = [&](auto& m) { m.neighbours.shape[1] = 1, m.images.shape[1] = 1; };
  EXPECT_EQ(expect(HGRID_ERROR_CAPACITY, matrix(narrow_one), "width").needed, 2);
  EXPECT_EQ(ids, std::vector<std::int64_t>(20, 77));
  EXPECT_EQ(images, std::vector<std::int32_t>(60, 77));
}

TEST_F(CDoorErrors, Regions) {
  std::vector<double> lo{1, 1, 1, 2, 2, 2}, hi{2, 2, 2, 3, 3, 3}, radius{1, 1};
  const auto query = [&](const auto& change) {
    auto regions = sized<hgrid_regions>();
    regions.lo = c_array(lo.data(), {2, 3}), regions.hi = c_array(hi.data(), {2, 3}),
    regions.radius = c_array(radius.data(), {2});
    change(regions);
    auto lists = sized<hgrid_neighbour_list>();
    lists.size = 77;
    const int status = hgrid_query(door_.grid, &regions, &lists);
    EXPECT_EQ(lists.size, 77);
    return status;
  };
  constexpr int bad = HGRID_ERROR_INVALID_ARGUMENT, size = HGRID_ERROR_SIZE_MISMATCH;
  expect(bad, query([](auto& r) { r.lo = {}; }), "lo");
  expect(bad, query([](auto& r) { r.lo.ndim = 1; }), "lo");
  expect(size, query([](auto& r) { r.lo.shape[1] = 2; }), "lo");
  expect(size, query([](auto& r) { r.hi.shape[0] = 1; }), "hi");
  expect(bad, query([](auto& r) { r.hi.type = HGRID_INT64; }), "hi");
  expect(size, query([](auto& r) { r.radius.shape[0] = 3; }), "radius");
  expect(bad, query([](auto& r) { r.radius.type = HGRID_UINT8; }), "radius");
  expect(HGRID_ERROR_UNSUPPORTED, query([](auto& r) { r.radius.device_type = 2; }), "radius");
  expect(size, query([](auto& r) { r.world = c_array(std::array<std::int32_t, 1>{}.data(), {1}); }), "world");
  const std::vector<std::int32_t> worlds{0, 1};
  expect(HGRID_ERROR_RANGE, query([&](auto& r) { r.world = c_array(worlds.data(), {2}); }), "regions");
  expect(bad, query([](auto& r) { r.take = 2; }), "take");
  expect(bad, query([](auto& r) { r.reserved = 2; }), "regions");
  hi[4] = 1;
  EXPECT_EQ(expect(bad, query([](auto&) {}), "regions").index, 1);
  hi[4] = nan;
  EXPECT_EQ(expect(HGRID_ERROR_NONFINITE, query([](auto&) {}), "regions").index, 1);
}

TEST_F(CDoorErrors, Measurements) {
  std::vector<std::int32_t> ids{0, 1, 2, 3}, images(6);
  std::vector<double> d(2, 77), v(6, 77);
  const auto measure = [&](const auto& change) {
    auto m = sized<hgrid_measured>();
    m.positions = p_.positions, m.pairs = c_array(ids.data(), {2, 2}), m.images = c_array(images.data(), {2, 3});
    m.distances = c_array(d.data(), {2}), m.vectors = c_array(v.data(), {2, 3});
    change(m);
    return hgrid_measure(door_.grid, &m);
  };
  constexpr int bad = HGRID_ERROR_INVALID_ARGUMENT, size = HGRID_ERROR_SIZE_MISMATCH;
  expect(bad, measure([](auto& m) { m.positions = {}; }), "positions");
  expect(size, measure([](auto& m) { m.positions.shape[1] = 2; }), "positions");
  expect(bad, measure([](auto& m) { m.positions.type = HGRID_INT64; }), "positions");
  expect(size, measure([](auto& m) { m.pairs.shape[1] = 1; }), "pairs");
  expect(bad, measure([](auto& m) { m.pairs.type = HGRID_FLOAT64; }), "pairs");
  expect(size, measure([](auto& m) { m.images.shape[0] = 1; }), "images");
  expect(size, measure([](auto& m) { m.distances.shape[0] = 1; }), "distances");
  expect(size, measure([](auto& m) { m.vectors.shape[1] = 2; }), "vectors");
  expect(bad, measure([](auto& m) { m.vectors.type = HGRID_INT32; }), "vectors");
  expect(HGRID_ERROR_UNSUPPORTED, measure([](auto& m) { m.vectors.device_type = 2; }), "vectors");
  for (const std::int32_t id : {-1, 4}) {
    ids[3] = id;
    const support::Verdict verdict = expect(HGRID_ERROR_RANGE, measure([](auto&) {}), "pairs");
    EXPECT_TRUE(verdict.index == 1 && verdict.value == id && verdict.count == 1);
  }
  EXPECT_EQ(d, std::vector<double>(2, 77));
  EXPECT_EQ(v, std::vector<double>(6, 77));
  expect_sizes(
      sized<hgrid_measured>(), [&](const hgrid_measured* m) { return hgrid_measure(door_.grid, m); }, "measured");
  auto asked = sized<hgrid_entry_options>();
  auto list = sized<hgrid_entry_list>();
  list.size = 77;
  const auto entries = [&](const auto& change) {
    hgrid_entry_options o = asked;
    change(o);
    return hgrid_entries(door_.grid, &p_, &o, &list);
  };
  expect(bad, entries([](auto& o) { o.kind = 2; }), "kind");
  expect(bad, entries([](auto& o) { o.all = 2; }), "all");
  expect(bad, entries([](auto& o) { o.itself = -1; }), "itself");
  expect(bad, entries([](auto& o) { o.swapped = 2; }), "swapped");
  expect(bad, entries([](auto& o) { o.images = 2; }), "images");
  expect(bad, entries([](auto& o) { o.wide_images = 2; }), "wide_images");
  hgrid_particles fewer = p_;
  fewer.positions.shape[0] = fewer.radii.shape[0] = 3;
  expect(size, hgrid_entries(door_.grid, &fewer, &asked, &list), "positions");
  expect(HGRID_ERROR_NOT_BUILT, hgrid_entries(empty_.grid, &p_, &asked, &list));
  const double table[4] = {1, 1, 1, 1};
  for (const std::int32_t wrong : {-1, 2, std::numeric_limits<std::int32_t>::max()}) {
    const std::int32_t types[4] = {0, 1, wrong, wrong - 1};
    hgrid_particles typed = p_;
    typed.types = support::c_array(types, {4}), typed.cutoffs = support::c_array(table, {2, 2});
    const support::Verdict verdict = expect(HGRID_ERROR_RANGE, hgrid_entries(door_.grid, &typed, &asked, &list), "types");
    EXPECT_EQ(verdict.index, 2);
    EXPECT_EQ(verdict.value, wrong);
  }
  const auto none_yet = sized<hgrid_measured>();
  expect(HGRID_ERROR_NOT_BUILT, hgrid_measure(empty_.grid, &none_yet));
  expect_sizes(
      asked, [&](const hgrid_entry_options* o) { return hgrid_entries(door_.grid, &p_, o, &list); }, "options");
  EXPECT_EQ(list.size, 77);
  void* memory = nullptr;
  expect(size, hgrid_scratch(door_.grid, -1, &memory), "bytes");
  EXPECT_EQ(hgrid_scratch(door_.grid, 100, &memory), HGRID_OK);
  EXPECT_EQ(std::count(static_cast<char*>(memory), static_cast<char*>(memory) + 100, '\0'), 100);
  std::memset(memory, 1, 100);
  EXPECT_EQ(hgrid_scratch(door_.grid, 100, &memory), HGRID_OK);
  EXPECT_EQ(std::count(static_cast<char*>(memory), static_cast<char*>(memory) + 100, '\0'), 100);
  const std::vector<std::int64_t> offsets{0, 2};
  const hgrid_array begins = c_array(offsets.data(), {2}), none = c_array(offsets.data(), {0}),
                    three = c_array(ids.data(), {3});
  expect(size, hgrid_list_ids(door_.grid, &begins, &three), "lists");
  expect(size, hgrid_list_ids(door_.grid, &none, &three), "offsets");
}

}  // namespace
