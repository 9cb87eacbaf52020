// SPDX-License-Identifier: BSD-3-Clause
// Walls of triangles through the C API: contacts, places and history of the C++ library's, walls that move, and errors.
#include <set>

#include "support/c_door_errors.hpp"
#include "support/mesh_cases.hpp"
#include "support/random_suite.hpp"

#include "hgrid/loop.hpp"
#include "hgrid/queries.hpp"

namespace {

using support::CDoorErrors;
using support::DoorMesh;
using support::sized;

template <class Integer>
bool same(const Integer* a, const Integer* b, std::int64_t n) {
  return n == 0 || std::memcmp(a, b, static_cast<std::size_t>(n) * sizeof(Integer)) == 0;
}

// Balls that roll over a floor which rises, by both libraries.
template <class Real>
void expect_the_same(bool periodic, std::uint64_t seed) {
  support::Random random(seed);
  const support::WholeMesh whole = periodic ? support::draw_floor(random, 2, true) : support::draw_mesh(random);
  hgrid::Triangles triangles;
  for (const support::Whole& v : whole.x) triangles.vertices.push_back({double(v[0]), double(v[1]), double(v[2])});
  for (const auto& t : whole.triangle) triangles.corners.push_back({t[0], t[1], t[2]});
  constexpr int n = 60;
  std::vector<Real> x, r;
  for (int i = 0; i < 3 * n; ++i) x.push_back(static_cast<Real>(random.real(0, 4)));
  for (int i = 0; i < n; ++i) r.push_back(static_cast<Real>(random.real(0.1, 0.9)));

  auto options = sized<hgrid_options>();
  options.dimension = 3;
  auto box = sized<hgrid_box>();
  for (int k = 0; k < 2; ++k) box.hi[k] = periodic ? 4 : 0, box.periodic[k] = periodic;
  support::DoorGrid door;
  ASSERT_EQ(hgrid_create(&options, &box, &door.grid), HGRID_OK);
  const auto in = periodic ? hgrid::Box3::periodic({}, {4, 4, 0}, {true, true, false}) : hgrid::Box3::open();
  const hgrid::OpenMPExec exec;
  hgrid::Grid grid{exec, in};

  auto given = sized<hgrid_triangles>();
  given.vertices = support::c_array(triangles.vertices[0].v, {std::int64_t(triangles.vertices.size()), 3});
  given.corners = support::c_array(triangles.corners.empty() ? nullptr : triangles.corners[0].v,
                                   {std::int64_t(triangles.corners.size()), 3});
  given.payload = sizeof(std::int64_t);
  DoorMesh mesh;
  ASSERT_EQ(hgrid_mesh_create(door.grid, &given, &mesh.mesh), HGRID_OK);
  hgrid::Mesh plain{exec, triangles, in};
  auto expected = grid.make_list(hgrid::ListKind::full), last = grid.make_list(hgrid::ListKind::full);
  hgrid::History history{exec};
  hgrid::PairArray<hgrid::OpenMPExec, std::int64_t> values{exec};
  std::vector<std::int64_t> carried, before;

  const auto particles = hgrid::particles<3>(x.data(), r.data(), n);
  const hgrid_particles built = support::c_particles(particles, false);
  grid.build(particles, {.skin = 0.4});
  ASSERT_EQ(hgrid_build(door.grid, &built, 0.4), HGRID_OK);
  for (int step = 0; step < 4; ++step) {
    const double margin = 0.05 * step;
    std::swap(last, expected);
    grid.find(expected, hgrid::OnMesh{plain, particles, margin});
    history.remap(last, expected, plain.view());
    values.follow(history);
    auto list = sized<hgrid_wall_list>();
    ASSERT_EQ(hgrid_mesh_contacts(mesh.mesh, &built, margin, &list), HGRID_OK);
    ASSERT_EQ(list.lists, expected.lists());
    ASSERT_EQ(list.size, expected.size());
    EXPECT_TRUE(same(list.offsets, expected.offsets(), list.lists + 1));
    EXPECT_TRUE(same(list.neighbours, expected.neighbours(), list.size));
    EXPECT_EQ(list.images != nullptr, periodic);
    if (periodic) {
      EXPECT_TRUE(same(list.images, expected.images()->m, 3 * list.size));
    }
    for (hgrid::index_t t = 0; t < expected.lists(); ++t) {
      for (auto k = expected.offsets()[t]; k < expected.offsets()[t + 1]; ++k) {
        const auto image = periodic ? expected.images()[k] : hgrid::Image{};
        const auto point = plain.view().nearest(t, particles.position_of(expected.neighbours()[k]), image);
        ASSERT_TRUE(same(list.points + 3 * k, point.v, 3));
      }
    }
    auto from = sized<hgrid_history>();
    ASSERT_EQ(hgrid_mesh_history(mesh.mesh, &from), HGRID_OK);
    ASSERT_EQ(from.size, list.size);
    EXPECT_EQ(from.size_before, history.size_before());
    EXPECT_TRUE(same(from.from, history.from(), from.size));
    EXPECT_TRUE(same(static_cast<const std::int64_t*>(from.payload), values.data(), from.size));
    carried.assign(static_cast<std::size_t>(list.size), -7);
    const hgrid_array of_before = support::c_array(before.data(), {std::int64_t(before.size()), 1});
    const hgrid_array of_now = support::c_array(carried.data(), {list.size, 1});
    const std::int64_t zero = 0;
    ASSERT_EQ(hgrid_mesh_carry(mesh.mesh, &of_before, &of_now, &zero), HGRID_OK);
    EXPECT_TRUE(same(carried.data(), values.data(), list.size));
    for (std::int64_t k = 0; k < list.size; ++k) {
      std::int64_t& value = static_cast<std::int64_t*>(from.payload)[k];
      value = values.data()[k] = values.data()[k] == 0 ? 100 * step + k + 1 : values.data()[k];
      carried[static_cast<std::size_t>(k)] = value;
    }
    before = carried;
    for (Real& coordinate : x) coordinate += static_cast<Real>(random.real(-0.04, 0.04) / std::sqrt(3.0));
    double* vertices = nullptr;
    std::int64_t count = 0;
    ASSERT_EQ(hgrid_mesh_vertices(mesh.mesh, &vertices, &count), HGRID_OK);
    ASSERT_EQ(count, plain.vertex_count());
    for (std::int64_t v = 0; v < count; ++v) vertices[3 * v + 2] += 0.03, plain.vertices()[v][2] += 0.03;
  }
}

TEST(CDoorMeshes, AreThoseOfTheLibrary) {
  const std::uint64_t systems = support::from_environment("HGRID_SYSTEMS", 60);
  for (std::uint64_t seed = 0; seed < systems; ++seed) {
    expect_the_same<double>(seed % 2 == 1, seed), expect_the_same<float>(seed % 2 == 1, seed + 1000);
    if (HasFatalFailure()) FAIL() << "seed " << seed;
  }
}

TEST_F(CDoorErrors, MeshesOfPointsAndWithoutTheirGrid) {
  const float points[18] = {0, 0, 0, 9, 0, 0, 0, 9, 0, 9, 0, 0, 9, 9, 0, 0, 9, 0};  // a square of two triangles
  auto given = sized<hgrid_triangles>();
  given.vertices = support::c_array(points, {6, 3});
  DoorMesh mesh;
  hgrid_grid* grid = nullptr;
  ASSERT_EQ(hgrid_create(&options_, nullptr, &grid), HGRID_OK);
  ASSERT_EQ(hgrid_mesh_create(grid, &given, &mesh.mesh), HGRID_OK);
  double* vertices = nullptr;
  std::int64_t count = 0;
  ASSERT_EQ(hgrid_mesh_vertices(mesh.mesh, &vertices, &count), HGRID_OK);
  EXPECT_EQ(count, 4);  // the diagonal's ends are one
  auto list = sized<hgrid_wall_list>();
  double x[3] = {4.5, 4.5, 0.5}, r[1] = {1};
  auto ball = sized<hgrid_particles>();
  ball.positions = support::c_array(x, {1, 3}), ball.radii = support::c_array(r, {1});
  expect(HGRID_ERROR_NOT_BUILT, hgrid_mesh_contacts(mesh.mesh, &ball, 0, &list));
  ASSERT_EQ(hgrid_build(grid, &ball, 0), HGRID_OK);
  hgrid_destroy(grid);  // the mesh holds on to it
  ASSERT_EQ(hgrid_mesh_contacts(mesh.mesh, &ball, 0, &list), HGRID_OK);
  ASSERT_EQ(list.size, 1);  // one above the diagonal
  EXPECT_EQ(list.points[2], 0);
  EXPECT_EQ(list.points[0], 4.5);
}

TEST_F(CDoorErrors, OfMeshes) {
  double vertices[9] = {0, 0, 0, 5, 0, 0, 0, 5, 0};
  std::int32_t corners[3] = {0, 1, 2};
  auto given = sized<hgrid_triangles>();
  given.vertices = support::c_array(vertices, {3, 3}), given.corners = support::c_array(corners, {1, 3});
  constexpr int bad = HGRID_ERROR_INVALID_ARGUMENT;
  DoorMesh mesh;
  const auto create = [&] { return hgrid_mesh_create(door_.grid, &given, &mesh.mesh); };
  expect(bad, hgrid_mesh_create(nullptr, &given, &mesh.mesh), "grid");
  expect(bad, hgrid_mesh_create(door_.grid, nullptr, &mesh.mesh), "triangles");
  expect(bad, hgrid_mesh_create(door_.grid, &given, nullptr), "out");
  corners[1] = 3;
  EXPECT_NE(expect(HGRID_ERROR_RANGE, create(), "corners").message.find("triangle 0: 3 is none of the 3 vertices"),
            std::string::npos);
  corners[1] = 1, vertices[4] = support::nan;
  expect(HGRID_ERROR_NONFINITE, create(), "vertices");
  vertices[4] = 0, given.payload = -1;
  expect(HGRID_ERROR_SIZE_MISMATCH, create(), "payload");
  given.payload = 0, given.vertices.ndim = 1;
  expect(bad, create(), "vertices");
  given.vertices = support::c_array(vertices, {2, 3}), given.corners = {};
  expect(HGRID_ERROR_SIZE_MISMATCH, create(), "vertices");  // two points are no triangle
  given.vertices = support::c_array(vertices, {3, 3}), given.corners = support::c_array(vertices, {1, 3});
  expect(bad, create(), "corners");
  given.corners = support::c_array(corners, {1, 3});
  auto flat = options_;
  flat.dimension = 2;
  support::DoorGrid in_2d;
  ASSERT_EQ(hgrid_create(&flat, nullptr, &in_2d.grid), HGRID_OK);
  expect(HGRID_ERROR_UNSUPPORTED, hgrid_mesh_create(in_2d.grid, &given, &mesh.mesh), "grid");
  ASSERT_EQ(mesh.mesh, nullptr);
  ASSERT_EQ(create(), HGRID_OK);
  auto list = sized<hgrid_wall_list>();
  list.size = 77;
  hgrid_particles fewer = p_;
  fewer.positions.shape[0] = fewer.radii.shape[0] = 3;
  expect(HGRID_ERROR_SIZE_MISMATCH, hgrid_mesh_contacts(mesh.mesh, &fewer, 0, &list));
  expect(bad, hgrid_mesh_contacts(mesh.mesh, &p_, -1, &list));
  expect(bad, hgrid_mesh_contacts(mesh.mesh, nullptr, 0, &list));
  expect(bad, hgrid_mesh_contacts(nullptr, &p_, 0, &list), "mesh");
  expect(bad, hgrid_mesh_vertices(mesh.mesh, nullptr, nullptr), "vertices");
  EXPECT_EQ(list.size, 77);
  EXPECT_EQ(hgrid_mesh_contacts(mesh.mesh, &p_, 0, &list), HGRID_OK);
  double* written = nullptr;
  std::int64_t count = 0;
  ASSERT_EQ(hgrid_mesh_vertices(mesh.mesh, &written, &count), HGRID_OK);
  written[0] = support::nan;
  expect(HGRID_ERROR_NONFINITE, hgrid_mesh_contacts(mesh.mesh, &p_, 0, &list));
  written[0] = 0, written[1] = 1e16;
  expect(HGRID_ERROR_RANGE, hgrid_mesh_contacts(mesh.mesh, &p_, 0, &list));
  written[1] = 0, written[3] += 71;
  expect(HGRID_ERROR_BOX_TOO_SMALL, hgrid_mesh_contacts(mesh.mesh, &p_, 0, &list));  // over seven periods wide
}

// The caller wraps all or some vertices of a wall. Along open axes vertices may move anywhere.
TEST_F(CDoorErrors, OfMovedMeshes) {
  double vertices[9] = {9, 0, 0, 9.5, 5, 0, 8, 0, 5};
  auto given = sized<hgrid_triangles>();
  given.vertices = support::c_array(vertices, {3, 3}), given.payload = 1;
  DoorMesh mesh;
  ASSERT_EQ(hgrid_mesh_create(door_.grid, &given, &mesh.mesh), HGRID_OK);
  double* at = nullptr;
  std::int64_t count = 0;
  ASSERT_EQ(hgrid_mesh_vertices(mesh.mesh, &at, &count), HGRID_OK);
  auto list = sized<hgrid_wall_list>();
  const auto ask = [&] { return hgrid_mesh_contacts(mesh.mesh, &p_, 0, &list); };
  for (int v = 0; v < 3; ++v) at[3 * v] += 20;  // before the first contacts there is nothing to follow
  ASSERT_EQ(ask(), HGRID_OK);
  for (int step = 0; step < 10; ++step) {
    for (int v = 0; v < 3; ++v) at[3 * v] += 4.9, at[3 * v + 1] -= 30;  // over the face, and on
    ASSERT_EQ(ask(), HGRID_OK);
  }
  auto before = sized<hgrid_history>(), after = before;
  ASSERT_EQ(hgrid_mesh_history(mesh.mesh, &before), HGRID_OK);
  at[3] -= 10;
  const support::Verdict one = expect(HGRID_ERROR_RANGE, ask(), "vertices");
  EXPECT_EQ(one.index, 1);
  EXPECT_EQ(one.value, -1);
  EXPECT_NE(one.message.find("vertex 1 has moved by half a period"), std::string::npos);
  at[0] -= 10, at[6] -= 10;
  EXPECT_EQ(expect(HGRID_ERROR_RANGE, ask(), "vertices").index, 0);
  ASSERT_EQ(hgrid_mesh_history(mesh.mesh, &after), HGRID_OK);
  EXPECT_EQ(before.from, after.from);
  EXPECT_EQ(before.size, after.size);
  for (int v = 0; v < 3; ++v) at[3 * v] += 10;
  EXPECT_EQ(ask(), HGRID_OK);
}

// A triangle without area is its edges, as in the library.
TEST_F(CDoorErrors, MeshesWithoutArea) {
  double vertices[9] = {0, 4, 4, 9, 4, 4, 3, 4, 4}, x[3] = {2, 4, 4.5}, r[1] = {1};
  auto given = sized<hgrid_triangles>();
  given.vertices = support::c_array(vertices, {3, 3});
  support::DoorGrid grid;
  ASSERT_EQ(hgrid_create(&options_, nullptr, &grid.grid), HGRID_OK);
  auto ball = sized<hgrid_particles>();
  ball.positions = support::c_array(x, {1, 3}), ball.radii = support::c_array(r, {1});
  ASSERT_EQ(hgrid_build(grid.grid, &ball, 0), HGRID_OK);
  DoorMesh mesh;
  ASSERT_EQ(hgrid_mesh_create(grid.grid, &given, &mesh.mesh), HGRID_OK);
  auto list = sized<hgrid_wall_list>();
  ASSERT_EQ(hgrid_mesh_contacts(mesh.mesh, &ball, 0, &list), HGRID_OK);
  ASSERT_EQ(list.size, 1);
  for (const int k : {0, 1, 2}) EXPECT_EQ(list.points[k], k == 0 ? 2 : 4);
}

// A plane of two triangles that cover the periodic box.
TEST_F(CDoorErrors, PlanesOfTwoTriangles) {
  support::Random random(1);
  for (int system = 0; system < 50; ++system) {
    constexpr int n = 40;
    auto box = sized<hgrid_box>();
    for (int k = 0; k < 2; ++k) box.hi[k] = random.real(2, 6), box.periodic[k] = 1;
    const double a = box.hi[0], b = box.hi[1], z = random.real(-1, 1);
    const double points[18] = {0, 0, z, a, 0, z, 0, b, z, a, 0, z, a, b, z, 0, b, z};
    std::vector<double> x, r;
    std::set<std::int32_t> touching, found;
    for (int i = 0; i < n; ++i) {
      for (int k = 0; k < 2; ++k)
        x.push_back(random.chance(0.2) ? box.hi[k] * random.integer(-1, 2) : random.real(-1, 2) * box.hi[k]);
      x.push_back(z + random.real(-1, 1)), r.push_back(random.real(0.1, 0.9));
      if (std::fabs(x.back() - z) < r.back()) touching.insert(i);
    }
    support::DoorGrid grid;
    ASSERT_EQ(hgrid_create(&options_, &box, &grid.grid), HGRID_OK);
    auto balls = sized<hgrid_particles>();
    balls.positions = support::c_array(x.data(), {n, 3}), balls.radii = support::c_array(r.data(), {n});
    ASSERT_EQ(hgrid_build(grid.grid, &balls, 0), HGRID_OK);
    auto given = sized<hgrid_triangles>();
    given.vertices = support::c_array(points, {6, 3});
    DoorMesh mesh;
    ASSERT_EQ(hgrid_mesh_create(grid.grid, &given, &mesh.mesh), HGRID_OK);
    auto list = sized<hgrid_wall_list>();
    ASSERT_EQ(hgrid_mesh_contacts(mesh.mesh, &balls, 0, &list), HGRID_OK);
    found.insert(list.neighbours, list.neighbours + list.size);
    EXPECT_EQ(found, touching);
    EXPECT_EQ(list.size, static_cast<std::int64_t>(touching.size())) << "one contact a ball";
  }
}

}  // namespace
