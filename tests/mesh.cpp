// SPDX-License-Identifier: BSD-3-Clause
// Contacts with meshes: one where triangles share an edge or a vertex.
#include "support/mesh_periods.hpp"

#include <gtest/gtest.h>

#include "hgrid/loop.hpp"
#include "hgrid/queries.hpp"
#include "support/executors.hpp"
#include "support/gas.hpp"
#include "support/mesh_grooves.hpp"
#include "support/mesh_history.hpp"
#include "support/random_suite.hpp"

namespace {

template <class Exec>
class Meshes : public ::testing::Test {};
TYPED_TEST_SUITE(Meshes, support::Executors);

TEST(Mesh, ContactsAreTheLocalMinimaByExactArithmetic) {
  const std::uint64_t first = support::from_environment("HGRID_SEED", 1);
  const std::uint64_t meshes = support::from_environment("HGRID_SYSTEMS", 1000);
  std::array<int, 4> seen{};
  for (std::uint64_t seed = first; seed < first + meshes; ++seed) {
    const std::string wrong = seed % 8 != 0 ? support::check_mesh(hgrid::SerialExec{}, seed, seen)
                                            : support::check_mesh(hgrid::OpenMPExec(2), seed, seen);
    ASSERT_EQ(wrong, "") << "seed " << seed;
  }
  for (const int corners : {1, 2, 3}) EXPECT_GT(seen[static_cast<std::size_t>(corners)], 0) << corners;
}

TYPED_TEST(Meshes, ValuesFollowABallFromTriangleToTriangle) {
  int carried = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    ASSERT_EQ(support::check_mesh_history(support::make_executor<TypeParam>(3), seed, carried), "") << "seed " << seed;
  }
  EXPECT_GT(carried, 500);
}

TYPED_TEST(Meshes, ValuesStayOnTheirSideOfAGroove) {
  int rolled = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    ASSERT_EQ(support::check_groove(support::make_executor<TypeParam>(2), seed, rolled), "") << "seed " << seed;
  }
  EXPECT_GT(rolled, 300);
  EXPECT_EQ(support::check_what_is_left(support::make_executor<TypeParam>(2)), "");
}

TYPED_TEST(Meshes, GoOnAcrossPeriodicFaces) {
  const std::uint64_t first = support::from_environment("HGRID_SEED", 1);
  const std::uint64_t meshes = support::from_environment("HGRID_SYSTEMS", 60);
  int across = 0;
  for (std::uint64_t seed = first; seed < first + meshes; ++seed) {
    ASSERT_EQ(support::check_periodic_mesh(support::make_executor<TypeParam>(2), seed, across), "") << "seed " << seed;
  }
  EXPECT_GT(across, 100);
}

TEST(Mesh, OnAPlaneABallHasOneContact) {
  ASSERT_EQ(support::check_planes(60), "");
  ASSERT_EQ(support::check_periodic_planes(40), "");
}

// A box of 4 by 3 by 2: a room from within, a block from outside.
TEST(Mesh, OneContactOnAnEdgeTwoInAGrooveThreeInACorner) {
  const hgrid::Triangles box{{{0, 0, 0}, {4, 0, 0}, {0, 3, 0}, {4, 3, 0}, {0, 0, 2}, {4, 0, 2}, {0, 3, 2}, {4, 3, 2}},
                             {{0, 1, 3},
                              {0, 3, 2},
                              {4, 5, 7},
                              {4, 7, 6},
                              {0, 1, 5},
                              {0, 5, 4},
                              {2, 3, 7},
                              {2, 7, 6},
                              {0, 2, 6},
                              {0, 6, 4},
                              {1, 3, 7},
                              {1, 7, 5}}};
  const hgrid::Mesh mesh{hgrid::SerialExec{}, box};
  const auto at = [&](double x, double y, double z) { return support::contacts(mesh.view(), {x, y, z}, 0.5); };
  EXPECT_EQ(at(2, 1.5, 1), 0);
  EXPECT_EQ(at(2, 1.5, 0.4), 1) << "in the room, above the diagonal of its floor";
  EXPECT_EQ(at(2, 0.4, 0.4), 2) << "in a groove";
  EXPECT_EQ(at(2, 0.4, 0.6), 1) << "near it";
  EXPECT_EQ(at(0.4, 0.4, 0.4), 3) << "in a corner";
  EXPECT_EQ(at(2, 1.5, 2.4), 1) << "on the block";
  EXPECT_EQ(at(2, -0.3, 2.3), 1) << "on its edge";
  EXPECT_EQ(at(2, 0, 2.4), 1) << "above it";
  EXPECT_EQ(at(-0.2, -0.2, 2.2), 1) << "at its corner";
  EXPECT_EQ(at(0, 0, 2.4), 1) << "above it";
  EXPECT_EQ(at(-0.3, -0.3, 2.3), 0) << "beside it";
  EXPECT_EQ(at(0, 0, 0), 1) << "with the centre at a corner";
  EXPECT_EQ(at(2, 0, 0), 1) << "on an edge";
}

// A triangle twice, one without area, an edge of three triangles and one triangle that only a vertex joins.
TEST(Mesh, TrianglesThatAMeshShouldNotHave) {
  const hgrid::Triangles odd{
      {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {2, 9, 0}, {1, 1, 3}, {-3, 0, 0}, {0, -3, 0}, {3, 9, 0}, {4, 9, 0}},
      {{0, 1, 2}, {2, 0, 1}, {3, 7, 8}, {0, 1, 4}, {0, 5, 6}, {3, 3, 3}}};
  const hgrid::Mesh mesh{hgrid::SerialExec{}, odd};
  EXPECT_EQ(support::contacts(mesh.view(), {1, 2, -0.4}, 0.5), 1) << "a triangle that is there twice";
  EXPECT_EQ(support::contacts(mesh.view(), {1, -0.3, 0}, 0.5), 1) << "an edge of three";
  EXPECT_EQ(support::contacts(mesh.view(), {2.2, 9.1, 0.1}, 0.5), 1) << "a triangle without area";
  EXPECT_EQ(support::contacts(mesh.view(), {-0.1, -0.1, 0.05}, 0.5), 1) << "the vertex, and the inside of the other one";
  ASSERT_EQ(support::check_touching(odd, 1000), "");
}

TEST(Mesh, WeldsPointsThatAreEqual) {
  const std::vector<hgrid::Vec<double, 3>> points = {{1, 0, 0}, {0, 1, 0}, {0, 0, 0}, {0, 1, 0}, {1, 0, -0.0}, {1, 1, 0}};
  const hgrid::Triangles mesh = hgrid::welded(points);
  EXPECT_EQ(mesh.vertices, (std::vector<hgrid::Vec<double, 3>>{{1, 0, 0}, {0, 1, 0}, {0, 0, 0}, {1, 1, 0}}));
  EXPECT_EQ(mesh.corners, (std::vector<hgrid::Vec<hgrid::index_t, 3>>{{0, 1, 2}, {1, 0, 3}}));
  support::expect_error(hgrid::ErrorCode::size_mismatch, [&] { hgrid::welded(std::span(points).first(4)); });
  const std::vector<hgrid::Vec<double, 3>> bad = {{0, 0, 0}, {0, 0, std::nan("")}, {1, 0, 0}};
  EXPECT_EQ(support::expect_error(hgrid::ErrorCode::nonfinite, [&] { hgrid::welded(bad); }).index, 1);
}

TEST(Mesh, SaysWhatIsWrong) {
  using hgrid::ErrorCode;
  using hgrid::OnMesh;
  const hgrid::SerialExec exec;
  hgrid::Triangles one{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}};
  hgrid::Mesh mesh{exec, one};
  for (const hgrid::index_t corner : {-1, 3}) {
    one.corners[0][1] = corner;
    EXPECT_EQ(support::expect_error(ErrorCode::range_error, [&] { hgrid::Mesh{exec, one}; }).value, corner);
  }
  one.corners[0][1] = 1, one.vertices[2][1] = std::nan("");
  EXPECT_EQ(support::expect_error(ErrorCode::nonfinite, [&] { hgrid::Mesh{exec, one}; }).index, 2);
  one.vertices[2][1] = -2e15;
  EXPECT_EQ(support::expect_error(ErrorCode::range_error, [&] { hgrid::Mesh{exec, one}; }).index, 2);

  const std::vector<double> x{0.2, 0.2, 0.4}, r{0.5};
  hgrid::Grid grid{exec, hgrid::Box3::open()};
  auto list = grid.make_list(hgrid::ListKind::full);
  const auto ball = hgrid::particles<3>(x.data(), r.data(), 1);
  support::expect_error(ErrorCode::not_built, [&] { grid.find(list, OnMesh{mesh, ball}); });
  grid.build(ball);
  grid.find(list, OnMesh{mesh, ball});
  EXPECT_EQ(list.size(), 1);
  support::expect_error(ErrorCode::size_mismatch, [&] {
    grid.count(OnMesh{mesh, hgrid::particles<3>(x.data(), r.data(), 0)});
  });
  mesh.vertices()[1][2] = std::nan("");
  EXPECT_EQ(support::expect_error(ErrorCode::nonfinite, [&] { grid.find(list, OnMesh{mesh, ball}); }).index, 0);
  EXPECT_EQ(list.size(), 1) << "as it was";
  hgrid::Mesh nothing{exec, hgrid::Triangles{}};
  hgrid::History history(exec);
  support::expect_error(ErrorCode::invalid_argument,
                        [&] { history.remap(grid.make_list(hgrid::ListKind::full), list, nothing.view()); });
  EXPECT_EQ(grid.count(OnMesh{nothing, ball}), 0);
}

}  // namespace
