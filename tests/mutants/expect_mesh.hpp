// SPDX-License-Identifier: BSD-3-Clause
// Contacts with meshes of triangles.
#pragma once

#include "support/asked.hpp"
#include "support/fail.hpp"
#include "support/mesh_grooves.hpp"
#include "support/mesh_history.hpp"
#include "support/mesh_periods.hpp"

template <class Exec>
void expect_mesh(const Exec& exec) {
  const auto expect = [](const std::string& wrong) {
    if (!wrong.empty()) support::fail(wrong);
  };
  std::array<int, 4> seen{};
  int carried = 0, across = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) expect(support::check_mesh(exec, seed, seen));
  for (std::uint64_t seed = 1; seed <= 6; ++seed) expect(support::check_periodic_mesh(exec, seed, across));
  for (std::uint64_t seed = 1; seed <= 8; ++seed) expect(support::check_mesh_history(exec, seed, carried));
  if (carried < 100) support::fail("balls that take nothing along");
  int rolled = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) expect(support::check_groove(exec, seed, rolled));
  expect(support::check_what_is_left(exec));
  if (rolled < 20) support::fail("balls that stay where they are");
  expect(support::check_planes(6));
  expect(support::check_periodic_planes(10));
  const hgrid::Triangles roof{{{-4, -4, 0}, {5, -4, 0.1}, {-4, 5, 0.1}, {5, 5, 0}}, {{0, 1, 2}, {1, 2, 3}}};
  expect(support::check_touching(roof, 300));

  // Searches with a margin in a grid of earlier positions.
  double x[] = {0, 0, 0.8}, r = 0.5;
  hgrid::Grid grid{exec, hgrid::Box3::open()};
  hgrid::Mesh mesh{exec, roof};
  grid.build(hgrid::particles<3>(x, &r, 1));
  x[2] = 0.5;
  if (grid.count(hgrid::OnMesh{mesh, hgrid::particles<3>(x, &r, 1), 0.3}) != 1) support::fail("a margin");
}
