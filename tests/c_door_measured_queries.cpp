// SPDX-License-Identifier: BSD-3-Clause
// hgrid_find: measured lists of points, spheres and another grid, and the nearest particles of another grid.
#include "hgrid/hgrid.hpp"
#include "hgrid/queries.hpp"
#include "support/c_door_errors.hpp"
#include "support/gas.hpp"
#include "support/narrow_cases.hpp"

namespace {

using support::c_array;
using support::CDoorErrors;
using support::sized;

struct Doors {
  support::DoorGrid door, asking;
  std::vector<double> x, r, other_x, other_r;
  hgrid_particles now = sized<hgrid_particles>(), asking_now = now;
  double side = 20;

  Doors(bool periodic, std::uint64_t seed) {
    support::Random random(seed);
    const auto draw = [&](int n, std::vector<double>& at, std::vector<double>& radii, hgrid_particles& p) {
      for (int i = 0; i < 3 * n; ++i) at.push_back(random.real(0, side));
      for (int i = 0; i < n; ++i) radii.push_back(random.real(0.3, 2));
      p.positions = c_array(at.data(), {n, 3}), p.radii = c_array(radii.data(), {n});
    };
    draw(200, x, r, now), draw(70, other_x, other_r, asking_now);
    auto options = sized<hgrid_options>();
    options.dimension = 3, options.threads = 2;
    auto box = sized<hgrid_box>();
    for (int k = 0; k < 3; ++k) box.hi[k] = periodic ? side : 0, box.periodic[k] = periodic;
    for (const auto& [grid, p] : {std::pair{&door.grid, &now}, std::pair{&asking.grid, &asking_now}}) {
      EXPECT_EQ(hgrid_create(&options, &box, grid), HGRID_OK);
      EXPECT_EQ(hgrid_build(*grid, p, 0.5), HGRID_OK);
    }
    for (double& at : other_x) at += random.real(-0.2, 0.2);  // particles move on
  }

  // Compares the entries of a query at `from`, with `reach` for the limit, with its lists.
  void expect_entries(const hgrid_question& question, const std::vector<double>& from, const std::vector<double>& reach,
                      double scale, const hgrid_neighbour_list* given = nullptr) const {
    auto answer = sized<hgrid_answer>();
    auto list = sized<hgrid_neighbour_list>();
    answer.lists = &list;
    ASSERT_EQ(hgrid_find(door.grid, &question, &answer), HGRID_OK);
    hgrid_memory* kept = nullptr;
    ASSERT_EQ(hgrid_keep(door.grid, &kept), HGRID_OK);
    ASSERT_GT(list.size, 20);
    for (const bool all : {true, false}) {
      auto options = sized<hgrid_entry_options>();
      options.all = all, options.images = options.distances = options.vectors = options.wide_images = 1;
      options.swapped = all, options.list = given;
      auto entries = sized<hgrid_entry_list>();
      answer = sized<hgrid_answer>(), answer.entries = &entries, answer.options = &options;
      std::int64_t n = -1;
      answer.count = &n;
      ASSERT_EQ(hgrid_find(door.grid, &question, &answer), HGRID_OK) << support::verdict_of_door(HGRID_OK).message;
      EXPECT_TRUE(entries.lists == list.lists && n == entries.size);
      std::int64_t e = 0;
      for (std::int64_t i = 0; i < list.lists; ++i) {
        ASSERT_EQ(entries.offsets[i], e);
        for (std::int64_t k = list.offsets[i]; k < list.offsets[i + 1]; ++k) {
          const std::int64_t j = list.neighbours[k];
          double vector[3], squared = 0;
          for (int a = 0; a < 3; ++a) {
            const double m = list.images == nullptr ? 0 : list.images[3 * k + a];
            vector[a] = x[3 * j + a] - from[3 * i + a] + m * side, squared += vector[a] * vector[a];
          }
          if (!all && std::sqrt(squared) >= reach[i] + scale * r[j]) continue;
          ASSERT_LT(e, n);
          EXPECT_EQ(entries.ids[all ? n + e : e], i);
          EXPECT_EQ(entries.ids[all ? e : n + e], j);
          EXPECT_EQ(entries.distances[e], std::sqrt(squared));
          for (int a = 0; a < 3; ++a) {
            EXPECT_EQ(entries.vectors[3 * e + a], vector[a]);
            EXPECT_EQ(entries.images[3 * e + a], list.images == nullptr ? 0 : list.images[3 * k + a]);
            EXPECT_EQ(entries.wide_images[3 * e + a], entries.images[3 * e + a]);
          }
          ++e;
        }
      }
      EXPECT_EQ(e, n);
      EXPECT_EQ(entries.offsets[list.lists], n);
      EXPECT_EQ(e < list.size, !all && question.regions == nullptr) << "some are within the skin only";
    }
    hgrid_release(kept);
  }
};

TEST(CDoorMeasuredQueries, AreMeasuredFromTheirLists) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Doors d(seed % 2 == 0, seed);
    const support::Drawn drawn{seed};
    auto predicate = sized<hgrid_predicate>();
    predicate.context = const_cast<support::Drawn*>(&drawn);
    predicate.ask = [](void* context, const hgrid_contact* c, std::int64_t n, std::uint8_t* touch) {
      const auto& by = *static_cast<const support::Drawn*>(context);
      for (std::int64_t k = 0; k < n; ++k) touch[k] = by(c[k].i, c[k].j, {{c[k].image[0], c[k].image[1], c[k].image[2]}});
      return 0;
    };
    for (const bool asks : {false, true}) {
      const hgrid_predicate* const asked = asks ? &predicate : nullptr;
      auto question = sized<hgrid_question>();
      question.predicate = asked, question.asking = d.asking.grid, question.now = &d.now, question.asking_now = &d.asking_now;
      d.expect_entries(question, d.other_x, d.other_r, 1);

      auto regions = sized<hgrid_regions>();
      regions.lo = d.asking_now.positions, regions.radius = d.asking_now.radii, regions.radius_scale = 1.25;
      question = sized<hgrid_question>();
      question.predicate = asked, question.regions = &regions, question.now = &d.now;
      d.expect_entries(question, d.other_x, d.other_r, 1.25);
    }
  }
}

// A list that was found once is measured again and again.
TEST(CDoorMeasuredQueries, OfListsThatAreGiven) {
  Doors d(true, 3);
  auto question = sized<hgrid_question>();
  question.asking = d.asking.grid, question.now = &d.now, question.asking_now = &d.asking_now;
  auto answer = sized<hgrid_answer>();
  auto list = sized<hgrid_neighbour_list>();
  answer.lists = &list;
  ASSERT_EQ(hgrid_find(d.door.grid, &question, &answer), HGRID_OK);
  hgrid_memory* kept = nullptr;
  ASSERT_EQ(hgrid_keep(d.door.grid, &kept), HGRID_OK);
  d.expect_entries(question, d.other_x, d.other_r, 1, &list);
  list.lists -= 1;
  auto options = sized<hgrid_entry_options>();
  options.list = &list, options.all = 1;
  auto entries = sized<hgrid_entry_list>();
  answer = sized<hgrid_answer>(), answer.entries = &entries, answer.options = &options;
  EXPECT_EQ(hgrid_find(d.door.grid, &question, &answer), HGRID_ERROR_SIZE_MISMATCH);
  EXPECT_EQ(support::verdict_of_door(HGRID_ERROR_SIZE_MISMATCH).argument, "list");
  hgrid_release(kept);
}

// Distances then are along the vectors of the grid's present box.
TEST(CDoorMeasuredQueries, OfAListThatIsGivenBeforeTheFirstBuild) {
  Doors d(true, 4);
  auto options = sized<hgrid_options>();
  options.dimension = 3;
  auto box = sized<hgrid_box>(), other = box;
  for (int k = 0; k < 3; ++k) box.hi[k] = d.side, other.hi[k] = 2 * d.side, box.periodic[k] = other.periodic[k] = 1;
  support::DoorGrid empty;
  ASSERT_EQ(hgrid_create(&options, &box, &empty.grid), HGRID_OK);
  auto list = sized<hgrid_neighbour_list>();
  ASSERT_EQ(hgrid_neighbours(d.door.grid, HGRID_HALF, &list), HGRID_OK);
  auto asked = sized<hgrid_entry_options>();
  asked.all = asked.distances = 1, asked.list = &list;
  auto expected = sized<hgrid_entry_list>(), entries = expected;
  ASSERT_EQ(hgrid_entries(d.door.grid, &d.now, &asked, &expected), HGRID_OK);
  ASSERT_GT(expected.size, 100);
  const auto is_expected = [&] {
    EXPECT_EQ(hgrid_entries(empty.grid, &d.now, &asked, &entries), HGRID_OK);
    return std::equal(expected.distances, expected.distances + expected.size, entries.distances);
  };
  EXPECT_TRUE(is_expected());
  ASSERT_EQ(hgrid_set_box(empty.grid, &other), HGRID_OK);
  EXPECT_FALSE(is_expected());
  ASSERT_EQ(hgrid_set_box(empty.grid, &box), HGRID_OK);
  EXPECT_TRUE(is_expected());
}

// A box that is set counts from the next build on, however many are set.
TEST(CDoorMeasuredQueries, InTheBoxOfTheLastBuild) {
  Doors d(true, 6);
  auto list = sized<hgrid_neighbour_list>();
  ASSERT_EQ(hgrid_neighbours(d.door.grid, HGRID_HALF, &list), HGRID_OK);
  hgrid_memory* kept = nullptr;
  ASSERT_EQ(hgrid_keep(d.door.grid, &kept), HGRID_OK);
  const auto distances = [&] {
    auto asked = sized<hgrid_entry_options>();
    asked.all = asked.distances = 1, asked.list = &list;
    auto entries = sized<hgrid_entry_list>();
    EXPECT_EQ(hgrid_entries(d.door.grid, &d.now, &asked, &entries), HGRID_OK);
    return std::vector<double>(entries.distances, entries.distances + entries.size);
  };
  const auto set_box = [&](double side) {
    auto box = sized<hgrid_box>();
    for (int k = 0; k < 3; ++k) box.hi[k] = side, box.periodic[k] = 1;
    ASSERT_EQ(hgrid_set_box(d.door.grid, &box), HGRID_OK);
  };
  const std::vector<double> before = distances();
  set_box(30), set_box(40);
  EXPECT_EQ(distances(), before);
  ASSERT_EQ(hgrid_build(d.door.grid, &d.now, 0.5), HGRID_OK);
  const std::vector<double> after = distances();
  EXPECT_NE(after, before);
  set_box(d.side);
  EXPECT_EQ(distances(), after);
  ASSERT_EQ(hgrid_build(d.door.grid, &d.now, 0.5), HGRID_OK);
  EXPECT_EQ(distances(), before);
  hgrid_release(kept);
}

TEST(CDoorMeasuredQueries, NearestOfAnotherGrid) {
  for (const bool periodic : {false, true}) {
    Doors d(periodic, 5);
    ASSERT_EQ(hgrid_build(d.asking.grid, &d.asking_now, 0), HGRID_OK);
    const auto box = periodic ? hgrid::Box3::periodic({0, 0, 0}, {d.side, d.side, d.side}) : hgrid::Box3::open();
    hgrid::Grid grid{hgrid::OpenMPExec{2}, box}, asking{hgrid::OpenMPExec{2}, box};
    grid.build(d.x, d.r), asking.build(d.other_x, d.other_r);
    hgrid::Nearest nearest(grid);
    const auto expected = nearest.of_grid(asking, {.k = 4, .images = true});
    auto points = sized<hgrid_nearest_points>();
    points.k = 4;
    auto question = sized<hgrid_question>();
    question.points = &points, question.asking = d.asking.grid;
    std::vector<std::int32_t> ids(4 * 70), images(3 * ids.size());
    std::vector<double> distances(ids.size());
    auto answer = sized<hgrid_answer>();
    answer.ids = ids.data(), answer.distances = distances.data(), answer.images = images.data();
    ASSERT_EQ(hgrid_find(d.door.grid, &question, &answer), HGRID_OK);
    EXPECT_TRUE(std::ranges::equal(ids, expected.ids) && std::ranges::equal(distances, expected.distances));
    for (std::size_t e = 0; e < ids.size(); ++e) {
      for (std::size_t a = 0; a < 3; ++a) ASSERT_EQ(images[3 * e + a], expected.images[e][static_cast<int>(a)]);
    }
    points.x = d.now.positions;
    EXPECT_EQ(hgrid_find(d.door.grid, &question, &answer), HGRID_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(support::verdict_of_door(HGRID_ERROR_INVALID_ARGUMENT).argument, "x");
    points.x = {}, question.excluded_pairs = c_array(ids.data(), {0, 2});
    EXPECT_EQ(hgrid_find(d.door.grid, &question, &answer), HGRID_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(support::verdict_of_door(HGRID_ERROR_INVALID_ARGUMENT).argument, "excluded_pairs");
  }
}

TEST_F(CDoorErrors, MeasuredQueries) {
  ASSERT_EQ(hgrid_build(other_.grid, &p_, 0), HGRID_OK);
  auto entries = sized<hgrid_entry_list>();
  entries.size = 77;
  auto options = sized<hgrid_entry_options>();
  auto answer = sized<hgrid_answer>();
  answer.entries = &entries, answer.options = &options;
  auto question = sized<hgrid_question>();
  question.asking = other_.grid, question.now = &p_, question.asking_now = &p_;
  const auto expect_bad = [&](int status, const char* argument, auto change) {
    auto asked = question;
    auto now = p_;
    asked.asking_now = &now;
    options = sized<hgrid_entry_options>();
    change(asked, now);
    expect(status, hgrid_find(door_.grid, &asked, &answer), argument);
  };
  constexpr int bad = HGRID_ERROR_INVALID_ARGUMENT;
  expect_bad(bad, "asking_now", [](auto& q, auto&) { q.asking_now = nullptr; });
  expect_bad(HGRID_ERROR_SIZE_MISMATCH, "asking_now", [](auto&, auto& p) { p.positions.shape[0] = p.radii.shape[0] = 3; });
  expect_bad(bad, "itself", [&](auto&, auto&) { options.itself = 1; });
  expect_bad(bad, "particles", [](auto& q, auto&) { q.now = nullptr; });
  auto regions = sized<hgrid_regions>();
  regions.lo = c_array(x_.data(), {1, 3}), regions.hi = c_array(x_.data() + 3, {1, 3});
  expect_bad(HGRID_ERROR_UNSUPPORTED, "regions", [&](auto& q, auto&) { q.asking = nullptr, q.regions = &regions; });
  const std::int32_t types[] = {0, 0, 0, 0};
  const double cutoff = 1;
  auto typed = p_;
  typed.types = c_array(types, {4}), typed.cutoffs = c_array(&cutoff, {1, 1});
  expect_bad(HGRID_ERROR_SIZE_MISMATCH, "types", [&](auto& q, auto&) { q.now = &typed; });
  const std::vector<double> corners{0, 0, 0, 1, 0, 0, 0, 1, 0};
  auto triangles = sized<hgrid_triangles>();
  triangles.vertices = c_array(corners.data(), {3, 3});
  support::DoorMesh mesh;
  EXPECT_EQ(hgrid_mesh_create(door_.grid, &triangles, &mesh.mesh), HGRID_OK);
  expect_bad(HGRID_ERROR_UNSUPPORTED, "entries", [&](auto& q, auto&) { q.asking = nullptr, q.mesh = mesh.mesh; });
  EXPECT_EQ(entries.size, 77);
  EXPECT_EQ(hgrid_find(door_.grid, &question, &answer), HGRID_OK);
  EXPECT_EQ(entries.size, 8) << "two sets of equal particles: four meet their doubles, and two pairs meet twice";
}

}  // namespace
