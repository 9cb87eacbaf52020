// SPDX-License-Identifier: BSD-3-Clause
// Contacts with walls, against all pairs of sphere and triangle by other formulas.
#include "hgrid/core/names.hpp"
#include "papers/systems/walls.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "io/walls.hpp"
#include "support/real_data.hpp"

namespace {

using namespace hgrid::reference;
using hgrid::Vec;
using Real = long double;

// Returns the distance by the region of the plane over which the point lies (Ericson, Real-Time Collision Detection, 5.1.5), in
// long double.
Real oracle_distance(const Vec<double, 3>& point, const Triangle& t) {
  Real a[3], ab[3], ac[3], nearest[3];
  const auto dot = [](const Real* u, const Real* v) { return u[0] * v[0] + u[1] * v[1] + u[2] * v[2]; };
  for (int k = 0; k < 3; ++k) {
    ab[k] = static_cast<Real>(t.vertex[1][k]) - t.vertex[0][k];
    ac[k] = static_cast<Real>(t.vertex[2][k]) - t.vertex[0][k];
    a[k] = static_cast<Real>(point[k]) - t.vertex[0][k];
  }
  const Real bb = dot(ab, ab), bc = dot(ab, ac), cc = dot(ac, ac);
  const Real d1 = dot(ab, a), d2 = dot(ac, a), d3 = d1 - bb, d4 = d2 - bc, d5 = d1 - bc, d6 = d2 - cc;
  const Real vc = d1 * d4 - d3 * d2, vb = d5 * d2 - d1 * d6, va = d3 * d6 - d5 * d4;
  Real v = 0, w = 0;
  if (d1 <= 0 && d2 <= 0) {
  } else if (d3 >= 0 && d4 <= d3) {
    v = 1;
  } else if (vc <= 0 && d1 >= 0 && d3 <= 0) {
    v = d1 / (d1 - d3);
  } else if (d6 >= 0 && d5 <= d6) {
    w = 1;
  } else if (vb <= 0 && d2 >= 0 && d6 <= 0) {
    w = d2 / (d2 - d6);
  } else if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    w = (d4 - d3) / ((d4 - d3) + (d5 - d6)), v = 1 - w;
  } else {
    v = vb / (va + vb + vc), w = vc / (va + vb + vc);
  }
  for (int k = 0; k < 3; ++k) nearest[k] = v * ab[k] + w * ac[k] - a[k];
  return std::sqrt(dot(nearest, nearest));
}

// Returns whether all vertices lie beyond the sphere along an axis: most pairs then need no formula.
bool apart(const Vec<double, 3>& x, double radius, const Triangle& t) {
  for (int k = 0; k < 3; ++k) {
    const auto [lo, hi] = std::minmax({t.vertex[0][k], t.vertex[1][k], t.vertex[2][k]});
    if (x[k] + 1.001 * radius < lo || x[k] - 1.001 * radius > hi) return true;
  }
  return false;
}

struct Spheres {
  std::vector<double> xyz, radius;
  hgrid::Particles<double, 3> view() const {
    return hgrid::particles<3>(xyz.data(), radius.data(), static_cast<std::int64_t>(radius.size()));
  }
};

// Each pair that is clearly in contact must be found, each clearly apart must not; returns their number.
std::size_t expect_all_pairs(const Spheres& s, const std::vector<Triangle>& facets, double skin, int threads) {
  CellSpaceOptions<3> options;
  options.threads = threads;
  const auto found = wall_contacts(Bodies<3>(s.view(), hgrid::Box3::open(), skin), facets, options);
  std::size_t next = 0;
  for (std::size_t b = 0; b < s.radius.size(); ++b) {
    const Vec<double, 3> x = {s.xyz[3 * b], s.xyz[3 * b + 1], s.xyz[3 * b + 2]};
    for (std::size_t f = 0; f < facets.size(); ++f) {
      if (apart(x, s.radius[b] + 2 * skin, facets[f])) continue;  // so a contact here would be one too many below
      const Real overlap = s.radius[b] - oracle_distance(x, facets[f]);
      const bool here =
          next < found.size() && found[next].ball == static_cast<int>(b) && found[next].facet == static_cast<int>(f);
      if (std::fabs(overlap + skin) > 1e-15L * (1 + std::fabs(x[0]))) {
        EXPECT_EQ(here, overlap + skin > 0) << "ball " << b << ", facet " << f;
      }
      if (!here) continue;
      EXPECT_NEAR(found[next].overlap, static_cast<double>(overlap), 1e-12);
      ++next;
    }
  }
  EXPECT_EQ(next, found.size()) << "not in order, or twice";
  return found.size();
}

TEST(ReferenceWalls, RandomTriangles) {
  std::mt19937_64 engine(1);
  std::uniform_real_distribution<double> place(-5, 5);
  std::vector<Triangle> facets;
  for (int f = 0; f < 60; ++f) {
    Triangle t;
    for (auto& v : t.vertex) v = {place(engine), place(engine), place(engine)};
    if (f % 10 == 1) t.vertex[2] = t.vertex[1];                         // a segment
    if (f % 10 == 2) t.vertex[2] = t.vertex[1] = t.vertex[0];           // a point
    if (f % 10 == 3) t.vertex[2][0] = t.vertex[1][0] = t.vertex[0][0];  // along an axis
    facets.push_back(t);
  }
  Spheres s;
  for (int b = 0; b < 1500; ++b) {
    for (int k = 0; k < 3; ++k) s.xyz.push_back(place(engine));
    s.radius.push_back(b % 50 == 0 ? 2 : 0.3);
  }
  for (const int threads : {1, 3}) EXPECT_GT(expect_all_pairs(s, facets, 0.05 * (threads - 1), threads), 800u);
}

void expect_real(const char* name, bool radius_first, const char* walls, std::size_t expected) {
  const support::Table table = support::read_table(name, radius_first);
  if (table.radius.empty()) GTEST_SKIP() << "no " << name << " in " << support::data_folder();
  std::vector<Triangle> facets;
  for (const auto& w : hgrid::io::read_walls(support::data_folder() + "/" + walls)) {
    facets.push_back({{{w[0], w[1], w[2]}, {w[3], w[4], w[5]}, {w[6], w[7], w[8]}}});
  }
  EXPECT_EQ(expect_all_pairs({table.xyz, table.radius}, facets, 0, 2), expected);
}

TEST(ReferenceWalls, RotatingDrum) { expect_real("drum-38k.txt", true, "drum-walls.txt", 2625); }
TEST(ReferenceWalls, Penetration) { expect_real("penetration-25k-intruder.csv", false, "penetration-walls.txt", 2263); }

TEST(ReferenceWalls, BadInput) {
  const Spheres s{{0, 0, 0}, {1}};
  const auto code = [&](const hgrid::Box3& box, const Triangle& bad) {
    try {
      wall_contacts(Bodies<3>(s.view(), box, 0), std::vector<Triangle>{Triangle{}, bad});
    } catch (const hgrid::Error& e) {
      return std::string(hgrid::name_of(e.code())) + " " + std::to_string(e.detail().index);
    }
    return std::string("none");
  };
  EXPECT_EQ(code(hgrid::Box3::open(), {{{0, 0, 0}, {NAN, 0, 0}, {1, 1, 1}}}), "nonfinite 1");
  EXPECT_EQ(code(hgrid::Box3::open(), {{{0, 0, 0}, {1, 0, 0}, {1, 1, -1e16}}}), "range_error 1");
  EXPECT_EQ(code(hgrid::Box3::periodic({0, 0, 0}, {9, 9, 9}), {}), "unsupported -1");
  EXPECT_EQ(code(hgrid::Box3::open(), {}), "none");
}

}  // namespace
