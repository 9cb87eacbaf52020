// SPDX-License-Identifier: BSD-3-Clause
#include "hgrid/core/predicate.hpp"

#include <gtest/gtest.h>

#include "support/packings.hpp"
#include "support/results.hpp"

namespace {

support::Contacts contacts_of(const oracle::System& s) {
  auto grid = support::built(hgrid::SerialExec{}, s);
  return support::pairs_of(grid, hgrid::Order::sorted);
}

oracle::System two(double dx, double dy, double dz, double r, double q) {
  oracle::System s;
  s.particles = {{.x = {1, 1, 1}, .radius = r}, {.x = {1 + dx, 1 + dy, 1 + dz}, .radius = q}};
  return s;
}

TEST(Predicate, TouchingExactlyIsContact) {
  EXPECT_EQ(contacts_of(two(3, 4, 0, 2, 3)).size(), 1u);
  EXPECT_EQ(contacts_of(two(0, 3, 4, 4, 1)).size(), 1u);
  EXPECT_EQ(contacts_of(two(2, 3, 6, 3, 4)).size(), 1u);
  EXPECT_EQ(contacts_of(two(3, 4, 0, 2, 3 - 0x1p-50)).size(), 0u);  // a sum that rounds down
}

TEST(Predicate, PointsTouchWhereTheyCoincide) {
  EXPECT_EQ(contacts_of(two(0, 0, 0, 0, 0)).size(), 1u);
  EXPECT_EQ(contacts_of(two(0x1p-40, 0, 0, 0, 0)).size(), 0u);
}

// Squares below the range of double are 0: such points touch by P, and the search must agree.
TEST(Predicate, UnderflowIsContact) {
  oracle::System s;
  s.particles = {{.x = {0, 0, 0}, .radius = 0}, {.x = {1e-170, 0, 0}, .radius = 0}, {.x = {1, 0, 0}, .radius = 0.1}};
  EXPECT_EQ(contacts_of(s), oracle::contacts(s));
  EXPECT_EQ(contacts_of(s).size(), 1u);
}

TEST(Predicate, SkinAndExtraCount) {
  oracle::System s = two(5, 0, 0, 2, 2);
  EXPECT_EQ(contacts_of(s).size(), 0u);
  s.skin = 1;
  EXPECT_EQ(contacts_of(s).size(), 1u);
  s.skin = 0;
  s.particles[0].extra = s.particles[1].extra = 0.5;
  EXPECT_EQ(contacts_of(s).size(), 1u);
}

TEST(Predicate, IsSymmetric) {
  support::Random random(5);
  for (int n = 0; n < 100000; ++n) {
    double x[2], y[2], z[2], r[2];
    for (int i = 0; i < 2; ++i) x[i] = random.real(), y[i] = random.real(), z[i] = random.real(), r[i] = 0.5 * random.real();
    hgrid::GridView<3> g{};
    g.x[0] = x, g.x[1] = y, g.x[2] = z, g.radius = r;
    g.skin = 0.1 * random.real();
    const double by = random.real(-1, 1);
    const hgrid::detail::Shift<3> forth{{{1, 0, 0}}, {{by, 0, 0}}}, back{{{-1, 0, 0}}, {{-by, 0, 0}}};
    ASSERT_EQ(hgrid::detail::in_contact(g, 0, 1, forth), hgrid::detail::in_contact(g, 1, 0, back));
  }
}

TEST(Predicate, SignedZerosAreTheSamePlace) {
  for (double zero : {0.0, -0.0}) {
    oracle::System s;
    s.particles = {{.x = {zero, 0, 0}, .radius = zero}, {.x = {-zero, -0.0, 0}, .radius = 0}, {.x = {1, 1, 1}, .radius = 1}};
    EXPECT_EQ(contacts_of(s), (support::Contacts{{0, 1, {0, 0, 0}}}));
  }
}

}  // namespace
