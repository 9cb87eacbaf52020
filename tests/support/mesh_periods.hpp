// SPDX-License-Identifier: BSD-3-Clause
// Contacts with a floor that goes on across periodic faces, as with copies of it side by side, by exact arithmetic.
#pragma once

#include "support/asked.hpp"
#include "support/mesh_cases.hpp"

namespace support {

/// Returns the fault; `across` counts contacts with features on a face.
template <class Exec>
std::string check_periodic_mesh(const Exec& exec, std::uint64_t seed, int& across) {
  Random random(seed);
  const WholeMesh floor = draw_floor(random, random.integer(0, 2), true);
  const int cells = static_cast<int>(floor.triangle.size());
  constexpr int copies = 2;  // on each side
  WholeMesh all;
  std::map<Whole, hgrid::index_t> vertex;
  for (int copy = 0; copy < 25; ++copy) {
    const Whole by{4 * (copy % 5 - copies), 4 * (copy / 5 - copies), 0};
    for (const auto& t : floor.triangle) {
      auto& corners = all.triangle.emplace_back();
      for (std::size_t k = 0; k < 3; ++k) {
        const Whole& x = floor.x[static_cast<std::size_t>(t[k])];
        const auto [place, fresh] =
            vertex.try_emplace({x[0] + by[0], x[1] + by[1], x[2]}, static_cast<hgrid::index_t>(all.x.size()));
        if (fresh) all.x.push_back(place->first);
        corners[k] = place->second;
      }
    }
  }

  const double scale = random.log_real(1e-3, 1e3), lo = random.chance(0.3) ? 0 : random.real(-100, 100) * scale;
  const auto place = [&](const Whole& x) {
    return hgrid::Vec<double, 3>{lo + static_cast<double>(x[0]) * scale, lo + static_cast<double>(x[1]) * scale,
                                 lo + static_cast<double>(x[2]) * scale};
  };
  const auto box = hgrid::Box3::periodic(place({0, 0, 0}), place({4, 4, 4}), {true, true, false});
  hgrid::Triangles triangles;
  for (const Whole& x : floor.x) triangles.vertices.push_back(place(x));
  for (const auto& t : floor.triangle) triangles.corners.push_back({t[0], t[1], t[2]});
  constexpr int balls = 4;
  std::vector<Whole> centre, periods;
  std::vector<double> x, r;
  for (int b = 0; b < balls; ++b) {
    centre.push_back({random.integer(0, 4), random.integer(0, 4), random.integer(-1, 4)});
    periods.push_back({random.integer(-2, 2), random.integer(-2, 2), 0});
    const Whole& by = periods.back();
    const hgrid::Vec<double, 3> at = place({centre.back()[0] + 4 * by[0], centre.back()[1] + 4 * by[1], centre.back()[2]});
    x.insert(x.end(), at.v, at.v + 3), r.push_back(random.real(0.5, 4) * scale);
  }
  hgrid::Grid grid{exec, box};
  const auto particles = hgrid::particles<3>(x.data(), r.data(), balls);
  grid.build(particles);
  hgrid::Mesh mesh{exec, triangles, box};
  const auto found = asked(grid, hgrid::OnMesh{mesh, particles});
  const std::string text = check_answers(grid, hgrid::OnMesh{mesh, particles}, mesh.size(), as_listed(found), seed);
  if (!text.empty()) return text;
  for (std::size_t b = 0; b < balls; ++b) {
    std::map<Vertices, double> expected = all.minima(centre[b]);
    std::erase_if(expected, [&](const auto& one) { return one.second * scale > r[b]; });
    for (int t = 0; t < cells; ++t) {
      for (auto k = found.offsets()[t]; k < found.offsets()[t + 1]; ++k) {
        if (found.neighbours()[k] != static_cast<hgrid::index_t>(b)) continue;
        const hgrid::Image& m = found.images()[k];  // the ball's, which sees the floor moved the other way
        const auto copy = (copies - m[0] - periods[b][0]) + 5 * (copies - m[1] - periods[b][1]);
        const WholeMesh::Nearest nearest = all.nearest(static_cast<std::size_t>(copy * cells + t), centre[b]);
        if (expected.erase(nearest.feature) == 0)
          return "ball " + std::to_string(b) + " has a contact too many, on triangle " + std::to_string(t);
        const Whole& first = all.x[static_cast<std::size_t>(nearest.feature[0])];
        across += nearest.feature[2] < 0 && (first[0] % 4 == 0 || first[1] % 4 == 0);
        const hgrid::Vec<double, 3> point = mesh.view().nearest(t, {x[3 * b], x[3 * b + 1], x[3 * b + 2]}, m);
        const hgrid::Vec<double, 3> way = hgrid::detail::difference({x[3 * b], x[3 * b + 1], x[3 * b + 2]}, point);
        const double distance = std::sqrt(static_cast<double>(nearest.over) / static_cast<double>(nearest.under)) * scale;
        if (std::fabs(std::sqrt(hgrid::detail::inner_product(way, way)) - distance) > 1e-9 * scale)
          return "the nearest point is elsewhere";
      }
    }
    if (!expected.empty()) return "ball " + std::to_string(b) + " lacks a contact";
  }
  return "";
}

/// On a plane across periodic faces a ball has one contact, above the edges there, too, where each side computes from its own.
inline std::string check_periodic_planes(int repeats) {
  Random random(9);
  for (int repeat = 0; repeat < repeats; ++repeat) {
    const double period = random.log_real(1e-2, 1e2), lo = random.real(-10, 10) * period;
    hgrid::Triangles plane;
    plane = plane_of({lo, lo, random.real(-1, 1) * period}, {period / 4, 0, 0}, {0, period / 4, 0}, 5, 1, random);
    for (std::size_t v = 0; v < 25; ++v) {  // the rims, which are moved alike
      hgrid::Vec<double, 3>& x = plane.vertices[v];
      if (v / 5 == 4) x = plane.vertices[v - 20], x[0] = lo + period;
      if (v % 5 == 4) x = plane.vertices[v - 4], x[1] = lo + period;
    }
    const auto box = hgrid::Box3::periodic({lo, lo, 0}, {lo + period, lo + period, 0}, {true, true, false});
    const hgrid::Mesh mesh{hgrid::SerialExec{}, plane, box};
    for (int ball = 0; ball < 30; ++ball) {
      const double r = random.log_real(1e-3, 0.4) * period;
      hgrid::Vec<double, 3> x = plane.vertices[0];
      x[2] += random.real(0.1, 0.99) * r;
      for (int k = 0; k < 2; ++k)
        x[k] = random.chance(0.4) ? ulps_away(lo + (random.chance(0.5) ? period : 0), random.integer(-2, 2))
                                  : lo + random.real() * period;
      int n = 0;
      for (int number = 0; number < 25; ++number) {
        for (hgrid::index_t t = 0; t < mesh.size(); ++t)
          n += mesh.view().touches(t, x, r, {{number % 5 - 2, number / 5 - 2, 0}});
      }
      if (n != 1) return std::to_string(n) + " contacts with a periodic plane, repeat " + std::to_string(repeat);
    }
  }
  return "";
}

}  // namespace support
