// SPDX-License-Identifier: BSD-3-Clause
// Contacts of balls with meshes, against exact arithmetic: meshes with small whole coordinates, turned and moved in double.
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "hgrid/hgrid.hpp"
#include "support/answers.hpp"
#include "support/asked.hpp"

namespace support {

using Whole = std::array<std::int64_t, 3>;
using Vertices = std::array<hgrid::index_t, 3>;  // of a feature, ascending; -1 after the last

inline Whole operator-(const Whole& a, const Whole& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
inline std::int64_t inner(const Whole& a, const Whole& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline Whole cross(const Whole& a, const Whole& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// Coordinates from 0 to 4, so that two features that differ do so by far more than the tolerance of a mesh.
struct WholeMesh {
  std::vector<Whole> x;
  std::vector<std::array<hgrid::index_t, 3>> triangle;

  /// The nearest feature of a triangle, and the square of its distance as a fraction.
  struct Nearest {
    Vertices feature;
    std::int64_t over, under;
  };
  Nearest nearest(std::size_t t, const Whole& centre) const {
    std::array<hgrid::index_t, 3> v = triangle[t];
    std::sort(v.begin(), v.end());
    Nearest best{{-1, -1, -1}, 1, 0};
    const auto look_at = [&](const Vertices& feature, std::int64_t over, std::int64_t under) {
      if (over * best.under < best.over * under) best = {feature, over, under};
    };
    for (const hgrid::index_t a : v) look_at({a, -1, -1}, inner(centre - at(a), centre - at(a)), 1);
    for (int k = 0; k < 3; ++k) {
      const hgrid::index_t a = v[k == 2 ? 1 : 0], b = v[k == 0 ? 1 : 2];
      const Whole from = centre - at(a), edge = at(b) - at(a);
      const std::int64_t part = inner(from, edge), length = inner(edge, edge);
      if (part > 0 && part < length) look_at({a, b, -1}, inner(from, from) * length - part * part, length);
    }
    const Whole from = centre - at(v[0]), ab = at(v[1]) - at(v[0]), ac = at(v[2]) - at(v[0]), normal = cross(ab, ac);
    const std::int64_t s = inner(cross(from, ac), normal), u = inner(cross(ab, from), normal), area = inner(normal, normal);
    if (s > 0 && u > 0 && s + u < area) look_at({v[0], v[1], v[2]}, inner(from, normal) * inner(from, normal), area);
    return best;
  }

  /// The features at which the distance is a local minimum, each with its distance.
  std::map<Vertices, double> minima(const Whole& centre) const {
    std::vector<Nearest> all;
    for (std::size_t t = 0; t < triangle.size(); ++t) all.push_back(nearest(t, centre));
    std::map<Vertices, double> found;
    for (const Nearest& one : all) {
      bool least = true;
      for (std::size_t t = 0; t < triangle.size() && least; ++t) least = all[t].feature == one.feature || !has(t, one.feature);
      if (least) found[one.feature] = std::sqrt(static_cast<double>(one.over) / static_cast<double>(one.under));
    }
    return found;
  }

  bool has(std::size_t t, const Vertices& feature) const {
    const std::array<hgrid::index_t, 3>& of = triangle[t];
    return std::all_of(feature.begin(), feature.end(),
                       [&](hgrid::index_t v) { return v < 0 || v == of[0] || v == of[1] || v == of[2]; });
  }

  void add(hgrid::index_t a, hgrid::index_t b, hgrid::index_t c) {
    if (const Whole n = cross(at(b) - at(a), at(c) - at(a)); inner(n, n) > 0) triangle.push_back({a, b, c});
  }

 private:
  const Whole& at(hgrid::index_t v) const { return x[static_cast<std::size_t>(v)]; }
};

/// Triangles in any order, with any winding.
inline void shuffle(WholeMesh& mesh, Random& random) {
  for (std::size_t t = mesh.triangle.size(); t > 1; --t) {  // any order, any winding
    std::swap(mesh.triangle[t - 1], mesh.triangle[static_cast<std::size_t>(random.integer(0, static_cast<int>(t) - 1))]);
    std::rotate(mesh.triangle[t - 1].begin(), mesh.triangle[t - 1].begin() + random.integer(0, 2), mesh.triangle[t - 1].end());
    if (random.chance(0.5)) std::swap(mesh.triangle[t - 1][0], mesh.triangle[t - 1][1]);
  }
}

/// A floor of 4 by 4 squares, flat or rough; on opposite rims as high, if it is to go on there.
inline WholeMesh draw_floor(Random& random, int high, bool is_periodic) {
  WholeMesh mesh;
  for (int c = 0; c < 25; ++c) {
    const int same = is_periodic ? c % 5 % 4 + 5 * (c / 5 % 4) : c;
    mesh.x.push_back({c % 5, c / 5, same < c ? mesh.x[static_cast<std::size_t>(same)][2] : random.integer(0, high)});
  }
  for (int c = 0; c < 20; ++c) {
    if (c % 5 == 4) continue;
    const bool other = random.chance(0.5);
    mesh.add(c, c + 1, other ? c + 5 : c + 6), mesh.add(other ? c + 1 : c, c + 6, c + 5);
  }
  shuffle(mesh, random);
  return mesh;
}

/// Floors, flat or rough, boxes, and triangles anyhow.
inline WholeMesh draw_mesh(Random& random) {
  const int kind = random.integer(0, 3);
  if (kind < 2) return draw_floor(random, kind * random.integer(1, 3), false);
  WholeMesh mesh;
  if (kind == 2) {  // a box: its corners by bits
    for (int c = 0; c < 8; ++c) mesh.x.push_back({4 * (c & 1), 3 * (c >> 1 & 1), 2 * (c >> 2)});
    for (const auto [a, b, c, d] :
         {std::array{0, 1, 3, 2}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 3, 7, 5}}) {
      const bool other = random.chance(0.5);
      mesh.add(a, b, other ? d : c), mesh.add(other ? b : a, c, d);
    }
  } else {
    const int n = random.integer(3, 8);
    std::set<Whole> points;
    while (points.size() < static_cast<std::size_t>(n))
      points.insert({random.integer(0, 4), random.integer(0, 4), random.integer(0, 4)});
    mesh.x.assign(points.begin(), points.end());
    for (int t = random.integer(1, 8); t > 0; --t)
      mesh.add(random.integer(0, n - 1), random.integer(0, n - 1), random.integer(0, n - 1));
  }
  shuffle(mesh, random);
  return mesh;
}

/// To the user's coordinates: turned, stretched and moved.
struct Placing {
  hgrid::Vec<double, 3> axis[3], shift;

  explicit Placing(Random& random) {
    double q[4], square = 0;  // a quaternion
    for (double& part : q) part = random.real(-1, 1), square += part * part;
    const double scale = random.log_real(1e-3, 1e3);
    if (random.chance(0.2) || square == 0) q[0] = square = 1, q[1] = q[2] = q[3] = 0;
    const double s = 2 / square;
    const double m[3][3] = {
        {1 - s * (q[2] * q[2] + q[3] * q[3]), s * (q[1] * q[2] - q[3] * q[0]), s * (q[1] * q[3] + q[2] * q[0])},
        {s * (q[1] * q[2] + q[3] * q[0]), 1 - s * (q[1] * q[1] + q[3] * q[3]), s * (q[2] * q[3] - q[1] * q[0])},
        {s * (q[1] * q[3] - q[2] * q[0]), s * (q[2] * q[3] + q[1] * q[0]), 1 - s * (q[1] * q[1] + q[2] * q[2])}};
    for (int k = 0; k < 3; ++k) {
      for (int j = 0; j < 3; ++j) axis[k][j] = scale * m[k][j];
      shift[k] = random.chance(0.3) ? 0 : random.real(-1000, 1000) * scale;
    }
  }

  double scale() const { return std::sqrt(hgrid::detail::inner_product(axis[0], axis[0])); }
  hgrid::Vec<double, 3> operator()(const Whole& x) const {
    hgrid::Vec<double, 3> y = shift;
    for (int k = 0; k < 3; ++k) {
      for (int j = 0; j < 3; ++j) y[k] += axis[k][j] * static_cast<double>(x[static_cast<std::size_t>(j)]);
    }
    return y;
  }
};

/// A plane of n by n vertices, moved a little, with an outline that is square; triangles in any order.
inline hgrid::Triangles plane_of(const hgrid::Vec<double, 3>& corner, const hgrid::Vec<double, 3>& u,
                                 const hgrid::Vec<double, 3>& w, int n, double thin, Random& random) {
  hgrid::Triangles plane;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const double a = i + (i % (n - 1) == 0 ? 0 : random.real(-0.2, 0.2)),
                   b = j + (j % (n - 1) == 0 ? 0 : random.real(-0.2, 0.2));
      plane.vertices.push_back(hgrid::detail::advanced(hgrid::detail::advanced(corner, a, u), b * thin, w));
    }
  }
  for (int i = 0; i < n - 1; ++i) {
    for (int j = 0; j < n - 1; ++j) {
      const int c = i * n + j;
      const bool other = random.chance(0.5);
      plane.corners.push_back({c, c + 1, other ? c + n : c + n + 1}),
          plane.corners.push_back({other ? c + 1 : c, c + n + 1, c + n});
    }
  }
  for (std::size_t t = plane.corners.size(); t > 1; --t)
    std::swap(plane.corners[t - 1], plane.corners[static_cast<std::size_t>(random.integer(0, static_cast<int>(t) - 1))]);
  return plane;
}

/// Expects that each ball has one contact at each local minimum of the exact distance, on a triangle there, and no other.
/// Returns the fault; `seen` counts contacts by the vertices of their features.
template <class Exec>
std::string check_mesh(const Exec& exec, std::uint64_t seed, std::array<int, 4>& seen) {
  Random random(seed);
  const WholeMesh whole = draw_mesh(random);
  const Placing place(random);
  hgrid::Triangles triangles;
  for (const Whole& x : whole.x) triangles.vertices.push_back(place(x));
  for (const auto& t : whole.triangle) triangles.corners.push_back({t[0], t[1], t[2]});

  constexpr int balls = 24;
  std::vector<Whole> centre;
  std::vector<double> x, r;
  for (int b = 0; b < balls; ++b) {
    const int beyond = random.integer(0, 3);  // whole coordinates often lie above an edge or a vertex, exactly
    for (std::int64_t& coordinate : centre.emplace_back()) coordinate = random.integer(-beyond, 4 + beyond);
    const hgrid::Vec<double, 3> at = place(centre.back());
    x.insert(x.end(), at.v, at.v + 3);
    r.push_back(random.real(0.5, 8) * place.scale());
  }
  hgrid::Grid grid{exec, hgrid::Box3::open()};
  grid.build(hgrid::particles<3>(x.data(), r.data(), balls));
  hgrid::Mesh mesh{exec, triangles};
  const auto particles = hgrid::particles<3>(x.data(), r.data(), balls);
  const auto found = asked(grid, hgrid::OnMesh{mesh, particles});
  const std::string text = check_answers(grid, hgrid::OnMesh{mesh, particles}, mesh.size(), as_listed(found), seed);
  if (!text.empty()) return text;

  for (std::size_t b = 0; b < balls; ++b) {
    std::map<Vertices, double> expected = whole.minima(centre[b]);
    std::erase_if(expected, [&](const auto& one) { return one.second * place.scale() > r[b]; });
    for (std::size_t t = 0; t < whole.triangle.size(); ++t) {
      const auto* const begin = found.neighbours() + found.offsets()[t];
      if (!std::binary_search(begin, found.neighbours() + found.offsets()[t + 1], static_cast<hgrid::index_t>(b))) continue;
      const Vertices feature = whole.nearest(t, centre[b]).feature;
      if (expected.erase(feature) == 0)
        return "ball " + std::to_string(b) + " has a contact too many, on triangle " + std::to_string(t);
      ++seen[static_cast<std::size_t>(std::count_if(feature.begin(), feature.end(), [](hgrid::index_t v) { return v >= 0; }))];
    }
    if (!expected.empty()) return "ball " + std::to_string(b) + " lacks a contact";
  }
  return "";
}

/// How many contacts a ball has with a mesh.
inline int contacts(const hgrid::MeshView& mesh, const hgrid::Vec<double, 3>& x, double r) {
  int n = 0;
  for (hgrid::index_t t = 0; t < mesh.size; ++t) n += mesh.touches(t, x, r);
  return n;
}

/// Expects one contact above edges and vertices of a plane. Rounding decides for each triangle separately whether the ball is
/// above it. Returns the fault.
inline std::string check_planes(int repeats) {
  for (const double ratio : {1e-2, 1e-1, 1.0, 1e2, 1e5, 2.6e5}) {  // ratio of a triangle's size to the radius
    Random random(7);
    for (int repeat = 0; repeat < repeats; ++repeat) {
      const Placing place(random);
      const hgrid::Vec<double, 3> shift{random.real(0, 1000) * place.scale(), 0, random.real(0, 1000) * place.scale()};
      const hgrid::Triangles plane = plane_of(shift, place.axis[0], place.axis[1], 5, repeat % 3 == 0 ? 0.01 : 1, random);
      const hgrid::Mesh mesh{hgrid::SerialExec{}, plane};
      for (int ball = 0; ball < 40; ++ball) {
        const auto& t = plane.corners[static_cast<std::size_t>(random.integer(0, mesh.size() - 1))];
        const auto& a = plane.vertices[static_cast<std::size_t>(t[0])];
        const auto& b = plane.vertices[static_cast<std::size_t>(t[1])];
        const double along = ball % 4 == 0 ? 0 : random.real(), r = place.scale() / ratio;
        hgrid::Vec<double, 3> x = hgrid::detail::advanced(a, along, hgrid::detail::difference(b, a));
        x = hgrid::detail::advanced(x, random.real(0.1, 0.99) / ratio, place.axis[2]);
        const int n = contacts(mesh.view(), x, r);
        if (n != 1)
          return std::to_string(n) + " contacts with a plane, sizes " + std::to_string(ratio) + ", repeat " +
                 std::to_string(repeat);
      }
    }
  }
  return "";
}

/// A ball that just touches has a contact, and one that clearly does not has none.
inline std::string check_touching(const hgrid::Triangles& triangles, int balls) {
  const hgrid::Mesh mesh{hgrid::SerialExec{}, triangles};
  Random random(3);
  for (int ball = 0; ball < balls; ++ball) {
    hgrid::Vec<double, 3> x;
    for (double& coordinate : x.v) coordinate = random.real(-4, 5);
    double least = HUGE_VAL;
    for (hgrid::index_t t = 0; t < mesh.size(); ++t) {
      const hgrid::Vec<double, 3> way = hgrid::detail::difference(x, mesh.view().nearest(t, x));
      least = std::fmin(least, std::sqrt(hgrid::detail::inner_product(way, way)));
    }
    if (contacts(mesh.view(), x, least * (1 + 1e-15)) < 1)
      return "ball " + std::to_string(ball) + " touches and has no contact";
    if (contacts(mesh.view(), x, least * (1 - 1e-8)) > 0)
      return "ball " + std::to_string(ball) + " has a contact and does not touch";
  }
  return "";
}

}  // namespace support
