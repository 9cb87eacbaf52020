// SPDX-License-Identifier: BSD-3-Clause
// A floor of triangles: balls roll over it, each with one contact wherever triangles meet, and a value that stays with it. Then
// the floor goes down.
#include <cmath>

#include "all_pairs.hpp"

void test_walls() {
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
