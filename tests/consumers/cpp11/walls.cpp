// SPDX-License-Identifier: BSD-3-Clause
// A floor of triangles: balls roll over it, each with one contact wherever triangles meet, and a value that stays with it. Then
// the floor goes down.
#include <cmath>

#include "all_pairs.hpp"

namespace {

/// A plane of two triangles that cover the periodic box: each ball that reaches it has one contact.
void test_planes() {
  Random random(3);
  for (int system = 0; system < 50; ++system) {
    const double a = random(2, 6), b = random(2, 6), z = random(-1, 1);
    std::vector<double> x, r;
    std::set<int> touching, found;
    for (int i = 0; i < 40; ++i) {
      for (const double c : {random(-1, 2) * a, i % 5 == 0 ? b : random(-1, 2) * b, z + random(-1, 1)}) x.push_back(c);
      r.push_back(random(0.1, 0.9));
      if (std::fabs(x.back() - z) < r.back()) touching.insert(i);
    }
    hgrid11::Grid3 grid(hgrid11::Box3::periodic({0, 0, 0}, {a, b, 0}, {true, true, false}));
    grid.build({x, r});
    hgrid11::Mesh plane(grid, {0, 0, z, a, 0, z, 0, b, z, a, 0, z, a, b, z, 0, b, z});
    const hgrid11::WallList walls = plane.contacts({x, r});
    for (std::int64_t t = 0; t < walls.lists(); ++t) {
      for (const hgrid11::Neighbour n : walls[t]) found.insert(n.id);
    }
    require(found == touching && walls.size() == static_cast<std::int64_t>(touching.size()), "one contact with a plane");
  }
}

/// Random triangles. Some share vertices, and some have no area. Contacts, places and history equal the C library's.
void test_random_walls(int systems) {
  Random random(11);
  std::int64_t contacts = 0;
  for (int system = 0; system < systems; ++system) {
    std::vector<double> vertices, x, r;
    std::vector<std::int32_t> corners;
    for (int k = 0; k < 3 * 20; ++k) vertices.push_back(random(0, 4));
    for (int k = 0; k < 3 * 15; ++k) corners.push_back(static_cast<std::int32_t>(random(0, 20)));
    for (int k = 0; k < 3 * 30; ++k) x.push_back(random(0, 4));
    for (int k = 0; k < 30; ++k) r.push_back(random(0.1, 0.8));
    const hgrid11::Particles3 particles(x, r);
    hgrid11::Grid3 grid(system % 2 == 0 ? hgrid11::Box3::open() : hgrid11::Box3::periodic({0, 0, 0}, {4, 4, 4}));
    grid.build(particles, 0.2);
    hgrid11::Mesh mesh(grid, vertices, corners);
    hgrid_triangles given = hgrid11::detail::sized<hgrid_triangles>();
    given.vertices = hgrid_array_2d(vertices.data(), HGRID_FLOAT64, 20, 3);
    given.corners = hgrid_array_2d(corners.data(), HGRID_INT32, 15, 3);
    hgrid_mesh* plain = nullptr;
    require(hgrid_mesh_create(grid.get(), &given, &plain) == HGRID_OK, "a mesh in C");
    for (int step = 0; step < 3; ++step) {
      const hgrid11::WallList found = mesh.contacts(particles, 0.03 * step);
      hgrid_wall_list expected = hgrid11::detail::sized<hgrid_wall_list>();
      require(hgrid_mesh_contacts(plain, particles.get(), 0.03 * step, &expected) == HGRID_OK, "contacts in C");
      require(found.lists() == expected.lists && found.size() == expected.size, "as many contacts as in C");
      require(found.has_images() == (expected.images != nullptr), "images in a periodic box");
      for (std::int64_t t = 0; t < found.lists(); ++t) {
        require(found.offsets()[t + 1] == expected.offsets[t + 1], "the offsets of C");
        for (const hgrid11::Neighbour n : found[t]) {
          require(n.id == expected.neighbours[n.entry], "the particle of C");
          for (int k = 0; k < 3; ++k) {
            require(found.point(n.entry)[k] == expected.points[3 * n.entry + k], "the point of C");
            require(!found.has_images() || n.image[k] == expected.images[3 * n.entry + k], "the image of C");
          }
          hgrid_history history = hgrid11::detail::sized<hgrid_history>();
          require(hgrid_mesh_history(plain, &history) == HGRID_OK, "a history in C");
          require(mesh.history().from[n.entry] == history.from[n.entry], "the history of C");
        }
      }
      contacts += found.size();
      for (double& c : x) c += random(-0.03, 0.03) / 2;
    }
    hgrid_mesh_destroy(plain);
  }
  require(contacts > 20 * systems, "there are contacts");
}

template <class F>
void require_error(hgrid11::ErrorCode code, std::int64_t index, const F& f) {
  try {
    f();
    require(false, "an error");
  } catch (const hgrid11::Error& e) {
    require(e.code() == code && e.index() == index, e.what());
  }
}

void test_bad_walls() {
  const std::vector<double> x = {2, 4, 4.5}, r = {1};
  hgrid11::Grid3 grid(hgrid11::Box3::periodic({0, 0, 0}, {10, 10, 10}));
  grid.build({x, r});
  hgrid11::Mesh line(grid, {0, 4, 4, 9, 4, 4, 3, 4, 4});  // a triangle without area is its edges
  const hgrid11::WallList walls = line.contacts({x, r});
  require(walls.size() == 1 && walls.point(0)[0] == 2 && walls.point(0)[2] == 4, "the place on a triangle without area");
  const double wide = 10;
  require(hgrid11::Mesh(grid, {0, 0, 0, wide, 0, 0, 0, wide, 0}).vertex_count() == 3,
          "a list in braces that begins with zeros");
  line.vertices()[5] += 10;
  require_error(hgrid11::ErrorCode::range_error, 1, [&] { line.contacts({x, r}); });  // it was wrapped
  line.vertices()[5] += NAN;
  require_error(hgrid11::ErrorCode::nonfinite, 0, [&] { line.contacts({x, r}); });
}

}  // namespace

void test_walls() {
  test_planes();
  const char* const systems = std::getenv("HGRID_SYSTEMS");
  test_random_walls(systems == nullptr ? 60 : std::atoi(systems));
  test_bad_walls();
  std::vector<double> points;  // as files have them: three points for each triangle
  for (int i = 0; i < 36; ++i) {
    const double u = i % 6, w = i / 6;
    for (const double n : {u, w, 0.0, u + 1, w, 0.0, u, w + 1, 0.0, u + 1, w, 0.0, u + 1, w + 1, 0.0, u, w + 1, 0.0})
      points.push_back(n);
  }
  std::vector<double> x, r;
  for (int i = 0; i < 9; ++i) {
    r.push_back(0.2 + 0.02 * i);
    for (const double c : {1.0 + 0.01 * i, 1.0 + 0.3 * i, 0.9 * r.back()}) x.push_back(c);
  }
  hgrid11::Grid3 grid;
  hgrid11::Mesh mesh(grid, points);
  require(mesh.vertex_count() == 49, "equal points are one vertex");
  hgrid11::PairArray<int> ages(7);
  for (int step = 0; step < 40; ++step) {
    grid.build({x, r});
    const hgrid11::WallList walls = mesh.contacts({x, r}, 0, ages);
    require(walls.lists() == 72 && walls.size() == 9 && ages.size() == 9, "one contact a ball");
    for (std::int64_t t = 0; t < walls.lists(); ++t) {
      for (const hgrid11::Neighbour n : walls[t]) {
        const double* const point = walls.point(n.entry);
        const double* const centre = &x[3 * static_cast<std::size_t>(n.id)];
        const double away = std::fabs(point[0] - centre[0]) + std::fabs(point[1] - centre[1]) + std::fabs(point[2]);
        require(away < 1e-12, "the point below the ball");
        require(ages[n.entry]++ == 7 + step, "a value rolls with its ball");
      }
    }
    for (std::size_t i = 0; i < r.size(); ++i) x[3 * i] += 0.09, x[3 * i + 1] += 0.03;
  }
  for (std::int64_t v = 0; v < mesh.vertex_count(); ++v) mesh.vertices()[3 * v + 2] = -1;
  require(mesh.contacts({x, r}).size() == 0, "the floor has gone down");

  const std::vector<double> corner = {0, 0, 0, 9, 0, 0, 0, 9, 0};
  const std::vector<std::int32_t> vertices = {0, 1, 2}, wrong = {0, 1, 3};
  require(hgrid11::Mesh(grid, corner, vertices).vertex_count() == 3, "vertices and corners");
  try {
    hgrid11::Mesh(grid, corner, wrong);
    require(false, "no such vertex");
  } catch (const hgrid11::Error& e) {
    require(e.code() == hgrid11::ErrorCode::range_error && e.argument() == "corners" && e.index() == 0, "which triangle");
  }
  try {
    hgrid11::Mesh(grid, {1, 2});
    require(false, "no row");
  } catch (const hgrid11::Error& e) {
    require(e.code() == hgrid11::ErrorCode::size_mismatch && e.argument() == "vertices", "no rows of three");
  }
}
