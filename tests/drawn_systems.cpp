// SPDX-License-Identifier: BSD-3-Clause
// Systems drawn by a number: equal on all platforms, as their recipes say, and valid for grids.
#include "hgrid/packing/drawn.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "hgrid/hgrid.hpp"
#include "hgrid/packing/repeatable.hpp"
#include "support/results.hpp"
#include "support/user_arrays.hpp"

namespace {

using hgrid::PackedSystem;
using hgrid::Recipe;

/// FNV-1a of all bits, eight bytes at a time.
std::uint64_t checksum(const PackedSystem& s) {
  std::uint64_t sum = 0xcbf29ce484222325;
  const auto add = [&](double value) { sum = (sum ^ std::bit_cast<std::uint64_t>(value)) * 0x100000001b3; };
  for (const double length : s.length) add(length);
  for (const auto* column : {&s.x, &s.y, &s.z, &s.r}) std::ranges::for_each(*column, add);
  return sum;
}

oracle::System as_oracle(const PackedSystem& s) {
  oracle::System system;
  system.dimension = s.dimension;
  for (int k = 0; k < s.dimension; ++k) system.hi[k] = s.length[k], system.periodic[k] = s.periodic[k];
  for (std::size_t i = 0; i < s.r.size(); ++i) {
    system.particles.push_back({.x = {s.x[i], s.y[i], s.z[i]}, .radius = s.r[i]});
  }
  return system;
}

template <int D>
support::Contacts found_by_grid(const oracle::System& s) {
  hgrid::Grid<hgrid::SerialExec, D> grid(hgrid::SerialExec{}, support::box_of<D>(s));
  grid.build(support::UserArrays<double, D>(s).view());
  return support::pairs_of(grid, hgrid::Order::sorted);
}

support::Contacts found_by_grid(const oracle::System& s) {
  return s.dimension == 2 ? found_by_grid<2>(s) : found_by_grid<3>(s);
}

TEST(Repeatable, PowersAndLogarithms) {
  for (const double x : {-30.7, -1.0, -1e-9, 0.0, 0.3, 1.0, 9.965784, 700.25}) {
    EXPECT_NEAR(hgrid::two_to(x) / std::exp2(x), 1, 1e-11) << x;
    EXPECT_NEAR(hgrid::log_two(std::exp2(x)), x, 1e-11) << x;
  }
  EXPECT_EQ(hgrid::two_to(10), 1024);
  EXPECT_EQ(hgrid::log_two(1024), 10);
  EXPECT_NEAR(hgrid::root_of(27, 3), 3, 1e-10);
}

// Published figures name these numbers: a seed must give one system on every platform and in each version.
TEST(DrawnSystems, SeedsMeanTheSameEverywhere) {
  const std::uint64_t sums[] = {12832226512722757857u, 7678796188461060528u, 16668115048338676517u,
                                1600334885138218633u,  4456503059843339616u, 5080799403726358582u};
  for (std::uint64_t seed = 1; seed <= std::size(sums); ++seed) {
    EXPECT_EQ(checksum(hgrid::drawn_system(seed, 500)), sums[seed - 1]) << seed;
  }
}

TEST(DrawnSystems, AreWithinTheirLimits) {
  int flat = 0, plane = 0, periodic = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    const Recipe recipe = hgrid::drawn_recipe(seed);
    const PackedSystem s = hgrid::drawn_system(seed, 100);
    ASSERT_EQ(s.r.size(), 100u) << seed;
    EXPECT_TRUE(recipe.fraction >= 0.99e-5 && recipe.fraction <= 0.64) << seed;
    for (const hgrid::Population& p : recipe.populations) {
      EXPECT_TRUE(p.sizes.least >= 1 && p.sizes.least * p.sizes.ratio <= 1000.01) << seed;
      EXPECT_TRUE(p.share >= 0.99e-5 && p.share <= 1.01) << seed;
    }
    const double widest = *std::ranges::max_element(s.r);
    EXPECT_GE(*std::ranges::min_element(s.r), 1) << seed;
    EXPECT_LE(widest, 1000.01) << seed;
    for (int k = 0; k < 3; ++k) {
      ASSERT_EQ(s.axis(k).size(), 100u) << seed;
      const double length = k < s.dimension ? s.length[k] : 0;
      for (const double x : s.axis(k)) EXPECT_TRUE(x >= 0 && (x < length || x == 0)) << seed << ": " << x;
      EXPECT_TRUE(!s.periodic[k] || length >= 2 * widest / hgrid::max_images) << seed;
    }
    EXPECT_LE(hgrid::estimated_contacts(s), recipe.most_contacts) << seed;
    flat += recipe.flatness > 1, plane += recipe.dimension == 2, periodic += s.periodic[0];
  }
  for (const int kind : {flat, plane, periodic}) EXPECT_TRUE(kind > 40 && kind < 200) << kind;
}

TEST(DrawnSystems, GridsFindTheirContacts) {
  std::size_t contacts = 0;
  for (std::uint64_t seed = 1; seed <= 48; ++seed) {
    const oracle::System s = as_oracle(hgrid::drawn_system(seed, 300));
    const support::Contacts expected = oracle::contacts(s);
    EXPECT_EQ(found_by_grid(s), expected) << to_text(hgrid::drawn_recipe(seed));
    contacts += expected.size();
  }
  EXPECT_GT(contacts, 48u * 300);
}

// With few particles all are counted, so the estimate is exact except for a particle's own images.
TEST(DrawnSystems, ContactsAreCounted) {
  for (std::uint64_t seed = 1; seed <= 24; ++seed) {
    const PackedSystem packed = hgrid::drawn_system(seed, 200);
    double others = 0;
    for (const oracle::Contact& c : oracle::contacts(as_oracle(packed))) others += c.i != c.j;
    EXPECT_NEAR(hgrid::estimated_contacts(packed), 2 * others / 200, 1e-9) << seed;
  }
}

TEST(DrawnSystems, ThoseWithNamesAreAsDescribed) {
  std::vector<std::string_view> names;
  for (const auto& [name, recipe] : hgrid::named_recipes()) {
    names.push_back(name);
    const oracle::System s = as_oracle(make_system(recipe, 400, 1));
    EXPECT_EQ(found_by_grid(s), oracle::contacts(s)) << name;
  }
  const std::vector<std::string_view> expected{"two-sizes", "cluster-1", "cluster-10", "dilute-2",
                                               "dilute-3",  "dilute-4",  "dilute-5"};
  EXPECT_EQ(names, expected);
  const PackedSystem two = make_system(hgrid::named_recipes().front().recipe, 1000, 1);
  EXPECT_EQ(std::ranges::count(two.r, 100.0), 10);
  EXPECT_EQ(std::ranges::count(two.r, 1.0), 990);
}

TEST(DrawnSystems, PopulationsLieWhereTheirRecipesSay) {
  using Kind = hgrid::PopulationPlace::Kind;
  Recipe recipe{.fraction = 0.1, .most_contacts = HUGE_VAL};
  recipe.populations = {{.place = {.kind = Kind::layered, .parts = 5, .axis = 1, .share = 0.2}}};
  PackedSystem s = make_system(recipe, 2000, 1);
  for (const double y : s.y) EXPECT_LT(std::fmod(y, s.length[1] / 5), 0.2001 * s.length[1] / 5);
  recipe.populations = {{.place = {.kind = Kind::graded, .axis = 2, .doublings = 4}}};
  s = make_system(recipe, 20000, 1);
  const auto below = std::ranges::count_if(s.z, [&](double z) { return z < 0.25 * s.length[2]; });
  EXPECT_NEAR(static_cast<double>(below) / 20000, 0.5 * 16 / 15, 0.02);  // half as dense at each quarter
  recipe.populations = {{.place = {.kind = Kind::clustered, .parts = 1, .share = 1e-3}}};
  s = make_system(recipe, 2000, 1);
  const auto [lo, hi] = std::ranges::minmax(s.x);
  EXPECT_NEAR((hi - lo) / s.length[0], 0.1, 0.002);
}

TEST(DrawnSystems, EachPopulationNeedsAParticle) {
  EXPECT_THROW(hgrid::make_system({}, 10, 1), hgrid::Error);
  EXPECT_THROW(hgrid::drawn_system(2, 3), hgrid::Error);  // has four
  EXPECT_EQ(hgrid::drawn_system(2, 4).r.size(), 4u);
}

}  // namespace
