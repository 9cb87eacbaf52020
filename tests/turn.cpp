// SPDX-License-Identifier: BSD-3-Clause
// Boxes along any vectors. random_systems compares their pairs with brute force.
#include "hgrid/core/turn.hpp"

#include "hgrid/loop.hpp"
#include "hgrid/queries.hpp"
#include "support/executors.hpp"
#include "support/gas.hpp"
#include "support/turned.hpp"

namespace {

using hgrid::Box2;
using hgrid::Box3;
using hgrid::ErrorCode;
using support::Contacts;
using support::expect_error;
using Vector = hgrid::Vec<double, 3>;
using Vectors = hgrid::Vec<Vector, 3>;

Vectors random_vectors(support::Random& random) {
  Vectors v;
  for (int j = 0; j < 3; ++j) {
    for (int k = 0; k < 3; ++k) v[j][k] = random.real(-1, 1) + (j == k ? 2 * random.sign() : 0);
  }
  return v;
}

/// Returns the box vectors by which contacts shift.
template <int D>
hgrid::Vec<hgrid::Vec<double, D>, D> vectors_of(const hgrid::Box<D>& box) {
  hgrid::Vec<hgrid::Vec<double, D>, D> v;
  for (int j = 0; j < D; ++j) {
    hgrid::Image image{};
    image[j] = 1;
    v[j] = hgrid::detail::shift_of(box, image);
  }
  return v;
}

TEST(Turn, BoxesRepeatAlongTheVectorsGiven) {
  support::Random random(2);
  int left_handed = 0;
  for (int n = 0; n < 20000; ++n) {
    Vectors v = random_vectors(random);
    hgrid::Vec<bool, 3> periodic;
    for (int k = 0; k < 3; ++k) {
      periodic[k] = random.chance(0.8);
      if (!periodic[k] && random.chance(0.5)) v[k] = {};
    }
    if (n % 3 == 0) v[1] = {v[1][0] + 900 * v[0][0], v[1][1] + 900 * v[0][1], v[1][2] + 900 * v[0][2]};
    const Box3 box = hgrid::box_of_vectors<3>(v, periodic, {random.real(-9, 9), random.real(-9, 9), random.real(-9, 9)});
    hgrid::Grid{hgrid::SerialExec{}, box};  // which checks the axes
    const Vectors found = vectors_of(box);
    for (int j = 0; j < 3; ++j) {
      ASSERT_EQ(box.wraps[j], periodic[j]);
      for (int k = 0; k < 3 && periodic[j]; ++k) ASSERT_NEAR(found[j][k], v[j][k], 1e-14 * (1 + std::fabs(v[1][0])) * 10);
    }
    const auto& e = box.axes;
    left_handed += (e[0][1] * e[1][2] - e[0][2] * e[1][1]) * e[2][0] + (e[0][2] * e[1][0] - e[0][0] * e[1][2]) * e[2][1] +
                       (e[0][0] * e[1][1] - e[0][1] * e[1][0]) * e[2][2] <
                   0;
  }
  EXPECT_GT(left_handed, 5000);
}

TEST(Turn, VectorsInStandardFormAreNotTurned) {
  const Box3 box = hgrid::box_of_vectors<3>({{{4, 0, 0}, {1, 5, 0}, {-3, 2, 6}}}, {true, true, true});
  EXPECT_EQ(box, hgrid::tilted(Box3::periodic({0, 0, 0}, {4, 5, 6}), {1, -3, 2}));
  EXPECT_EQ(hgrid::box_of_vectors<2>({{{4, 0}, {0, 5}}}, {true, true}, {1, 2}), Box2::periodic({1, 2}, {5, 7}));
  const Box3 slab = hgrid::box_of_vectors<3>({{{4, 0, 0}, {1, 5, 0}, {0, 0, 0}}}, {true, true, false});
  EXPECT_EQ(slab, hgrid::tilted(Box3::periodic({0, 0, 0}, {4, 5, 0}, {true, true, false}), {1, 0, 0}));
  EXPECT_TRUE((hgrid::box_of_vectors<2>({{{0, 5}, {4, 0}}}, {true, true}).turned));
}

// Rounding makes no tilts of right angles, which would cost images: five to a side instead of seven.
TEST(Turn, VectorsAtRightAnglesAreNotTilted) {
  support::Random random(7);
  for (int n = 0; n < 2000; ++n) {
    oracle::System s;
    support::draw_axes(s, random);
    Vectors v;
    for (int j = 0; j < 3; ++j) {
      const double length = random.log_real(1e-3, 1e3);
      for (int k = 0; k < 3; ++k) v[j][k] = length * s.axes[j][k];
    }
    ASSERT_FALSE(hgrid::box_of_vectors<3>(v, {random.chance(0.7), true, random.chance(0.7)}).tilted);
  }
}

TEST(Turn, ErrorsNameTheVector) {
  const hgrid::Vec<bool, 3> all{true, true, true};
  const auto index_of = [&](const Vectors& v) {
    return expect_error(ErrorCode::invalid_box, [&] { hgrid::box_of_vectors<3>(v, all); }).index;
  };
  EXPECT_EQ(index_of({{{0, 0, 0}, {0, 1, 0}, {0, 0, 1}}}), 0);
  EXPECT_EQ(index_of({{{1, 1, 0}, {2, 2, 1e-9}, {0, 0, 1}}}), 1);
  EXPECT_EQ(index_of({{{1, 1, 0}, {0, 1, 1}, {1, 2, 1}}}), 2);
  EXPECT_EQ(index_of({{{1, 1, 0}, {0, std::nan(""), 1}, {1, 2, 1}}}), 1);
  EXPECT_EQ(index_of({{{1, 1, 0}, {0, 1, 0}, {1, 2e15, 1}}}), 2);
  EXPECT_NO_THROW((hgrid::box_of_vectors<3>({{{1, 1, 0}, {0, 1, 0}, {1, std::nan(""), 1}}}, {true, true, false})));
  const Box3 cube = Box3::periodic({0, 0, 0}, {1, 1, 1});
  const auto detail = expect_error(ErrorCode::invalid_box, [&] {
    hgrid::Grid{hgrid::SerialExec{}, hgrid::turned(cube, {{{1, 0, 0}, {0, 1, 1}, {0, 0, 1}}})};
  });
  EXPECT_EQ(detail.index, 1);
  // Beyond 1e15 along an axis of the box only.
  const double far[] = {9e14, 9e14, 9e14}, r[] = {1};
  hgrid::Grid grid{hgrid::SerialExec{}, hgrid::box_of_vectors<3>({{{3, 3, 3}, {0, 0, 0}, {0, 0, 0}}}, {true, false, false})};
  expect_error(ErrorCode::range_error, [&] { grid.build(hgrid::particles<3>(far, r, 1)); });
}

// One atom in the primitive cell of a lattice has the number of neighbors known from crystallography.
TEST(Turn, AtomsOfCrystalsHaveTheirNeighbours) {
  const auto neighbours = [](const Vectors& v, double distance) {
    hgrid::Grid grid{hgrid::SerialExec{}, hgrid::box_of_vectors<3>(v, {true, true, true}, {0.3, -0.7, 0.2})};
    const double x[] = {0.1, 0.2, 0.3}, r[] = {0.5 * distance * (1 + 1e-9)};
    grid.build(hgrid::particles<3>(x, r, 1));
    return 2 * static_cast<int>(support::pairs_of(grid, hgrid::Order::sorted).size());
  };
  EXPECT_EQ(neighbours({{{0, 2, 2}, {2, 0, 2}, {2, 2, 0}}}, std::sqrt(8.0)), 12);       // face-centred
  EXPECT_EQ(neighbours({{{2, 2, 0}, {2, 0, 2}, {0, 2, 2}}}, std::sqrt(8.0)), 12);       // left-handed axes
  EXPECT_EQ(neighbours({{{-1, 1, 1}, {1, -1, 1}, {1, 1, -1}}}, std::sqrt(3.0)), 8);     // body-centred
  EXPECT_EQ(neighbours({{{-1, 1, 1}, {1, -1, 1}, {1, 1, -1}}}, 2), 14);                 // and the second shell
  EXPECT_EQ(neighbours({{{1, 0, 0}, {-0.5, std::sqrt(0.75), 0}, {0, 0, 3}}}, 1.0), 6);  // hexagonal planes
}

// Particles along other axes have equal pairs, under equal images.
TEST(Turn, TurningAllChangesNothing) {
  support::Random random(8);
  for (int n = 0; n < 40; ++n) {
    oracle::System s = support::polydisperse(300, 6, true, static_cast<std::uint64_t>(n));
    s.tilt[0] = random.real(-3, 3), s.tilt[1] = random.real(-3, 3), s.tilt[2] = random.real(-3, 3);
    auto grid = support::built(hgrid::OpenMPExec{2}, s);
    const Contacts expected = support::pairs_of(grid, hgrid::Order::sorted);
    oracle::System other = s;
    support::draw_axes(other, random);
    Vectors v = vectors_of(support::box_of<3>(s));
    for (int j = 0; j < 3; ++j) std::copy_n(oracle::from_axes(other, v[j].v).data(), 3, v[j].v);
    for (oracle::Particle& p : other.particles) std::copy_n(oracle::from_axes(other, p.x).data(), 3, p.x);
    const Vector corner{s.lo[0], s.lo[1], s.lo[2]};
    Vector origin;
    std::copy_n(oracle::from_axes(other, corner.v).data(), 3, origin.v);
    hgrid::Grid turned{hgrid::OpenMPExec{2}, hgrid::box_of_vectors<3>(v, {true, true, true}, origin)};
    turned.build(support::UserArrays<double, 3>(other).view());
    EXPECT_EQ(support::pairs_of(turned, hgrid::Order::sorted), expected);  // rounding would show in pairs that just touch
    for (const oracle::Contact& c : expected) {
      const hgrid::Contact contact{
          static_cast<hgrid::index_t>(c.i), static_cast<hgrid::index_t>(c.j), {{int(c.m[0]), int(c.m[1]), int(c.m[2])}}};
      const Vector d = contact.separation(turned.box(), other.particles[c.i].x, other.particles[c.j].x);
      for (int k = 0; k < 3; ++k) {
        double exact = other.particles[c.i].x[k] - other.particles[c.j].x[k];
        for (int j = 0; j < 3; ++j) exact -= static_cast<double>(c.m[j]) * v[j][k];
        ASSERT_NEAR(d[k], exact, 1e-12);
      }
    }
  }
}

// Two particles near touching, by arithmetic that is 2000 times finer than the bound.
TEST(Turn, DistancesAreWithinTheBoundOfTheContract) {
  support::Random random(11);
  constexpr long double u = 0x1p-53L;
  int reported = 0, beyond = 0;
  for (int n = 0; n < 20000; ++n) {
    oracle::System s;
    s.turned = true, s.particles.resize(2);
    for (int k = 0; k < 3; ++k) s.periodic[k] = true, s.lo[k] = random.real(-9, 9), s.hi[k] = s.lo[k] + random.real(5, 9);
    for (double& tilt : s.tilt) tilt = random.real(-2, 2);
    support::draw_axes(s, random);
    long double apart[3] = {0, 0, 0};
    double x[2][3], direction[3], squared = 0;
    for (double& c : direction) c = random.real(-1, 1), squared += c * c;
    const double a = random.real(0.1, 1), b = random.real(0.1, 1), distance = (a + b) * (1 + random.real(-60, 60) * 0x1p-53);
    const hgrid::Image image{{random.integer(-2, 2), random.integer(-2, 2), random.integer(-2, 2)}};
    const Vector vector[3] = {
        {s.hi[0] - s.lo[0], 0, 0}, {s.tilt[0], s.hi[1] - s.lo[1], 0}, {s.tilt[1], s.tilt[2], s.hi[2] - s.lo[2]}};
    for (int j = 0; j < 3; ++j) {
      for (int k = 0; k < 3; ++k)
        for (int c = 0; c < 3; ++c) apart[c] += image[j] * static_cast<long double>(s.axes[k][c]) * vector[j][k];
    }
    for (int c = 0; c < 3; ++c) {
      x[0][c] = random.real(-20, 20);
      x[1][c] =
          static_cast<double>(x[0][c] - apart[c] - static_cast<long double>(distance * direction[c] / std::sqrt(squared)));
      s.particles[0].x[c] = x[0][c], s.particles[1].x[c] = x[1][c];
    }
    s.particles[0].radius = a, s.particles[1].radius = b;
    long double exact = 0, size = 0;
    for (int c = 0; c < 3; ++c) {
      const long double d = static_cast<long double>(x[0][c]) - x[1][c] - apart[c];
      exact += d * d, size += std::fabs(x[0][c]) + std::fabs(x[1][c]);
    }
    exact = std::sqrt(exact);
    const long double r = static_cast<long double>(a) + b;
    // C2 of a tilted box for positions of at most 30 that were wrapped, and the error of turning.
    const long double tau = 5 * u * r + 6 * u * 120 + 2 * u * 18 + 16 * u * r + 8 * u * size;
    auto grid = support::built(hgrid::SerialExec{}, s);
    bool found = false;
    for (const oracle::Contact& c : support::pairs_of(grid, hgrid::Order::sorted))
      found = found || (c.i != c.j && c.m == std::array<std::int64_t, 3>{image[0], image[1], image[2]});
    ASSERT_TRUE(found ? exact <= r + tau : exact > r - tau) << n;
    reported += found, beyond += !found;
  }
  EXPECT_GT(reported, 5000);
  EXPECT_GT(beyond, 5000);
}

TEST(Turn, RegionsArePointsAndSpheres) {
  hgrid::Grid grid{hgrid::SerialExec{}, hgrid::box_of_vectors<3>({{{0, 2, 2}, {2, 0, 2}, {2, 2, 0}}}, {true, true, true})};
  const double x[] = {0.1, 0.2, 0.3}, r[] = {0.2};
  grid.build(hgrid::particles<3>(x, r, 1));
  const auto at = hgrid::Region<3>::point({0.1, 4.2, 4.3});  // the particle's image by two vectors
  EXPECT_EQ(grid.count(hgrid::Regions{&at, 1}), 1);
  const auto box = hgrid::Region<3>::box({0, 0, 0}, {0, 1, 0});
  EXPECT_EQ(expect_error(ErrorCode::unsupported, [&] { grid.count(hgrid::Regions{&box, 1}); }).value, 1);
}

template <class Exec>
class TurnedLoop : public ::testing::Test {};
TYPED_TEST_SUITE(TurnedLoop, support::Executors);

// All vectors and all particles go by a matrix that shears and turns; its shear may be along any axis, across any other.
TYPED_TEST(TurnedLoop, ListsMissNoContact) {
  support::Random random(5);
  oracle::System s = support::polydisperse(200, 3, true, 6);
  const Vectors at_first = random_vectors(random);
  const auto moved = [](const Vector& x, double time) {
    const double angle = 0.3 * time;
    const Vector sheared{x[0], x[1] + 0.2 * time * x[0], x[2] - 0.1 * time * x[1]};
    return Vector{std::cos(angle) * sheared[0] - std::sin(angle) * sheared[2], sheared[1],
                  std::sin(angle) * sheared[0] + std::cos(angle) * sheared[2]};
  };
  const double size = s.hi[0] - s.lo[0];
  std::vector<Vector> start;
  for (const oracle::Particle& p : s.particles) start.push_back({p.x[0], p.x[1], p.x[2]});
  std::vector<Vector> drift;
  for (std::size_t i = 0; i < start.size(); ++i) drift.push_back({random.real(-1, 1), random.real(-1, 1), random.real(-1, 1)});
  hgrid::Grid<TypeParam, 3> grid(support::make_executor<TypeParam>(2), Box3::periodic({0, 0, 0}, {9, 9, 9}));
  hgrid::VerletList list(grid, {.skin = 0.4});
  int contacts = 0;
  for (int step = 0; step < 300; ++step) {
    const double time = 0.01 * step;
    Vectors v;
    for (int j = 0; j < 3; ++j) {
      const Vector along{size * at_first[j][0] / 2, size * at_first[j][1] / 2, size * at_first[j][2] / 2};
      v[j] = moved(along, time);
    }
    for (std::size_t i = 0; i < start.size(); ++i) {
      Vector x = start[i];
      for (int k = 0; k < 3; ++k) x[k] += time * drift[i][k];
      std::copy_n(moved(x, time).v, 3, s.particles[i].x);
    }
    const Box3 box = hgrid::box_of_vectors<3>(v, {true, true, true});
    s.turned = true;
    for (int k = 0; k < 3; ++k) {
      s.lo[k] = box.lo[k], s.hi[k] = box.hi[k], s.tilt[k] = hgrid::tilts_of(box)[k];
      std::copy_n(box.axes[k].v, 3, s.axes[k]);
    }
    grid.set_box(box);
    list.update(support::UserArrays<double, 3>(s).view());
    if (step % 10 == 0) {
      ASSERT_TRUE(support::holds_all(list.neighbours(), s)) << "step " << step;
      contacts += static_cast<int>(oracle::contacts(s).size());
    }
  }
  EXPECT_LT(list.counters().builds, 100);
  EXPECT_GT(list.counters().builds, 10);
  EXPECT_GT(contacts, 1000);
}

}  // namespace
