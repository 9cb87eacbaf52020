// SPDX-License-Identifier: BSD-3-Clause
// Questions and answers of hgrid_find that do not fit together.
#include "support/c_door_errors.hpp"

namespace {

using support::c_array;
using support::CDoorErrors;
using support::sized;

class CDoorFindErrors : public CDoorErrors {
 protected:
  int find(const hgrid_question& question, const hgrid_answer& answer) { return hgrid_find(door_.grid, &question, &answer); }
};

TEST_F(CDoorFindErrors, AreTyped) {
  constexpr int bad = HGRID_ERROR_INVALID_ARGUMENT;
  std::int64_t n = -5;
  auto none = sized<hgrid_question>();
  auto count = sized<hgrid_answer>();
  count.count = &n;
  expect(bad, hgrid_find(nullptr, &none, &count), "grid");
  expect(bad, hgrid_find(door_.grid, &none, nullptr), "answer");
  expect(bad, find(none, sized<hgrid_answer>()), "answer");
  expect(HGRID_ERROR_NOT_BUILT, hgrid_find(empty_.grid, &none, &count));
  for (const std::size_t size : {std::size_t{0}, sizeof none - 8, sizeof none + 8}) {
    auto asked = none;
    asked.struct_size = size;
    expect(bad, find(asked, count), "question");
  }
  EXPECT_EQ(n, -5);
  expect_sizes(
      count, [&](auto* a) { return hgrid_find(door_.grid, nullptr, a); }, "answer");

  auto regions = sized<hgrid_regions>();
  regions.lo = c_array(x_.data(), {1, 3});
  auto points = sized<hgrid_nearest_points>();
  points.x = c_array(x_.data(), {1, 3}), points.k = 1;
  auto asked = none;
  asked.regions = &regions, asked.asking = door_.grid;
  expect(bad, find(asked, count), "question");
  asked.asking = nullptr, asked.points = &points;
  expect(bad, find(asked, count), "question");

  auto pairs = sized<hgrid_pair_list>();
  auto lists = sized<hgrid_neighbour_list>();
  auto both = count;
  both.pairs = &pairs, both.lists = &lists;
  expect(bad, find(none, both), "answer");
  std::int32_t id = -5;
  double distance = 0;
  both.lists = nullptr, both.ids = &id;
  expect(bad, find(none, both), "ids");
  asked.regions = nullptr, both.distances = &distance;
  expect(bad, find(asked, both), "answer");
  both.pairs = nullptr;
  EXPECT_EQ(find(asked, both), HGRID_OK);
  EXPECT_TRUE(n == 1 && id == 0 && distance == 0) << "the first point is the first particle";

  auto predicate = sized<hgrid_predicate>();
  predicate.ask = [](void*, const hgrid_contact*, std::int64_t, std::uint8_t*) { return 1; };
  asked.predicate = &predicate;
  expect(bad, find(asked, both), "predicate");
  asked.points = nullptr, asked.regions = &regions;
  expect(HGRID_ERROR_STOPPED, find(asked, count), "predicate");
  auto excluded = none;
  excluded.excluded_pairs = c_array(&id, {0, 2});
  expect(bad, find(excluded, count), "excluded_pairs");

  const std::vector<double> corners{0, 0, 0, 1, 0, 0, 0, 1, 0};
  auto triangles = sized<hgrid_triangles>();
  triangles.vertices = c_array(corners.data(), {3, 3});
  support::DoorMesh mesh;
  EXPECT_EQ(hgrid_mesh_create(other_.grid, &triangles, &mesh.mesh), HGRID_OK);
  auto of_mesh = none;
  of_mesh.mesh = mesh.mesh, of_mesh.now = &p_;
  expect(bad, find(of_mesh, count), "mesh");

  auto form = sized<hgrid_answer>();
  form.lists = &lists, form.kind = 2;
  expect(bad, find(none, form), "kind");
  form = sized<hgrid_answer>(), form.pairs = &pairs, form.order = -1;
  expect(bad, find(none, form), "order");
}

// The pairs of regions are numbers of regions: after them, ids of the grid's own pairs must be checked again.
TEST_F(CDoorFindErrors, PairsOfRegionsAreMeasuredWithACheck) {
  std::vector<double> at;
  for (int q = 0; q < 40; ++q) at.insert(at.end(), x_.begin(), x_.begin() + 3);
  auto regions = sized<hgrid_regions>();
  regions.lo = c_array(at.data(), {40, 3}), regions.one_radius = 1;
  auto asked = sized<hgrid_question>();
  asked.regions = &regions;
  auto form = sized<hgrid_answer>();
  auto pairs = sized<hgrid_pair_list>();
  form.pairs = &pairs;
  ASSERT_EQ(find(asked, form), HGRID_OK);
  ASSERT_GT(pairs.size, 4);
  std::vector<double> distances(static_cast<std::size_t>(pairs.size));
  auto measured = sized<hgrid_measured>();
  measured.positions = p_.positions, measured.pairs = c_array(pairs.pairs, {pairs.size, 2});
  measured.distances = c_array(distances.data(), {pairs.size});
  expect(HGRID_ERROR_RANGE, hgrid_measure(door_.grid, &measured), "pairs");
}

}  // namespace
