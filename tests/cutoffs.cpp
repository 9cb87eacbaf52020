// SPDX-License-Identifier: BSD-3-Clause
// Cut-offs by type, in addition to the random systems: their errors, and lists in a time loop.
#include "hgrid/core/names.hpp"
#include "hgrid/loop.hpp"
#include "support/executors.hpp"
#include "support/packings.hpp"
#include "support/results.hpp"

namespace {

using hgrid::ErrorCode;

/// The error of a build, and the particle, the value and the number of faulty particles that it must name.
struct Expected {
  ErrorCode code;
  const char* argument;
  std::int64_t index;
  double value;
  std::int64_t count = 1;
};

// Three types of a salt in a solvent: like ions never meet, the solvent is small.
oracle::System salt(bool periodic = true) {
  oracle::System s = support::polydisperse(1500, 1.01, periodic);
  s.types = 3;
  s.cutoffs = {0, 3, 2.5, 3, 0, 1.5, 2.5, 1.5, 1};
  const double radius[] = {1.5, 1.5, 1.25};
  for (std::size_t i = 0; i < s.particles.size(); ++i) {
    oracle::Particle& p = s.particles[i];
    p.type = static_cast<int>(i % 3), p.radius = radius[p.type];
  }
  return s;
}

template <class Exec>
class CutoffsOf : public ::testing::Test {
 protected:
  const oracle::System system = salt();
  const Exec exec = support::make_executor<Exec>(2);
  hgrid::Grid<Exec, 3> grid = support::built(exec, system);

  // The grid is as it was.
  void expect(const hgrid::Particles<double, 3>& particles, const Expected& expected) {
    const support::Contacts before = support::pairs_of(grid);
    try {
      grid.build(particles);
      ADD_FAILURE() << "accepted; expected " << hgrid::name_of(expected.code);
    } catch (const hgrid::Error& e) {
      EXPECT_EQ(e.code(), expected.code) << e.what();
      EXPECT_EQ(e.detail().argument, expected.argument);
      EXPECT_EQ(e.detail().index, expected.index) << e.what();
      EXPECT_EQ(e.detail().value, expected.value) << e.what();
      EXPECT_EQ(e.detail().count, expected.count) << e.what();
    }
    EXPECT_EQ(support::pairs_of(grid), before) << "the grid has changed";
  }

  void expect(const oracle::System& s, const Expected& expected) { expect(support::UserArrays<double, 3>(s).view(), expected); }
};
TYPED_TEST_SUITE(CutoffsOf, support::Executors);

TYPED_TEST(CutoffsOf, ArePredicatesOfTheirOwn) {
  const support::Contacts expected = oracle::contacts(this->system);
  EXPECT_GT(expected.size(), 500u);
  for (const oracle::Contact& c : expected) {
    EXPECT_FALSE(c.i % 3 == c.j % 3 && c.i % 3 < 2) << "like ions";
  }
  EXPECT_EQ(support::pairs_of(this->grid, hgrid::Order::sorted), expected);
  EXPECT_EQ(this->grid.count(), static_cast<hgrid::offset_t>(expected.size()));
  EXPECT_EQ(support::visited_contacts(this->grid), expected);
  oracle::System by_radius = this->system;
  by_radius.types = 0;
  EXPECT_GT(oracle::contacts(by_radius).size(), expected.size());
  this->grid.build(support::UserArrays<double, 3>(by_radius).view());
  EXPECT_EQ(support::pairs_of(this->grid, hgrid::Order::sorted), oracle::contacts(by_radius)) << "cut-offs are forgotten";
}

// Radii may be larger than the cut-offs need.
TYPED_TEST(CutoffsOf, DoNotDependOnRadii) {
  oracle::System s = this->system;
  for (oracle::Particle& p : s.particles) p.radius = 2, p.extra = 0.25;
  this->grid.build(support::UserArrays<double, 3>(s).view());
  EXPECT_EQ(support::pairs_of(this->grid, hgrid::Order::sorted), oracle::contacts(this->system));
}

TYPED_TEST(CutoffsOf, FaultyOnes) {
  using enum ErrorCode;
  oracle::System s = this->system;
  s.particles[7].type = 3, s.particles[900].type = -1;
  this->expect(s, {range_error, "types", 7, 3, 2});
  s = this->system, s.particles[7].type = -5;
  this->expect(s, {range_error, "types", 7, -5});
  s = this->system, s.cutoffs[1] = 2;
  this->expect(s, {invalid_argument, "cutoffs", 0, 2, 1000});
  s = this->system, s.cutoffs[8] = -1;
  this->expect(s, {invalid_argument, "cutoffs", 2, -1, 500});
  s = this->system, s.cutoffs[8] = 1.1e15;
  this->expect(s, {invalid_argument, "cutoffs", 2, 1.1e15, 500});
  s = this->system, s.particles[4].radius = std::nextafter(1.5, 0);
  this->expect(s, {invalid_argument, "radii", 4, 3});
  s.particles[3].radius = -1;
  this->expect(s, {negative_radius, "radii", 3, -1});
}

TYPED_TEST(CutoffsOf, FaultyArguments) {
  using enum ErrorCode;
  const support::UserArrays<double, 3> arrays(this->system);
  auto view = arrays.view();
  const auto table = view.cutoffs;
  view.cutoffs.types = -1;
  this->expect(view, {invalid_argument, "cutoffs", -1, -1, 0});
  view.cutoffs.types = 4097;
  this->expect(view, {invalid_argument, "cutoffs", -1, 4097, 0});
  view.cutoffs = {nullptr, table.distance, 3};
  this->expect(view, {invalid_argument, "cutoffs", -1, 3, 0});
  view.cutoffs = {table.type, nullptr, 3};
  this->expect(view, {invalid_argument, "cutoffs", -1, 3, 0});
  for (const hgrid::Rule rule : {hgrid::Rule::max, hgrid::Rule::gather}) {
    hgrid::Grid<TypeParam, 3> other(this->exec, support::box_of<3>(this->system), {.rule = rule});
    EXPECT_THROW(other.build(arrays.view()), hgrid::Error);
  }
}

// The data of empty arrays may be null.
TYPED_TEST(CutoffsOf, OfNoParticles) {
  oracle::System none = this->system;
  none.particles.clear();
  const support::UserArrays<double, 3> arrays(none);
  auto view = arrays.view();
  view.cutoffs = {nullptr, this->system.cutoffs.data(), 3};
  this->grid.build(view);
  EXPECT_EQ(this->grid.count(), 0);
  view.cutoffs.distance = nullptr;
  this->expect(view, {ErrorCode::invalid_argument, "cutoffs", -1, 3, 0});
}

// The user's memory may go after the build.
TYPED_TEST(CutoffsOf, AreKept) {
  {
    support::UserArrays<double, 3> arrays(this->system);
    auto view = arrays.view();
    std::vector<double> distance = this->system.cutoffs;
    std::vector<hgrid::index_t> type(view.cutoffs.type, view.cutoffs.type + view.count);
    view.cutoffs = {type.data(), distance.data(), 3};
    this->grid.build(view);
    std::fill(distance.begin(), distance.end(), -1), std::fill(type.begin(), type.end(), 99);
  }
  EXPECT_EQ(support::pairs_of(this->grid, hgrid::Order::sorted), oracle::contacts(this->system));
}

TYPED_TEST(CutoffsOf, InATimeLoop) {
  oracle::System s = this->system;
  hgrid::VerletList list(this->grid, {.skin = 0.3});
  EXPECT_TRUE(list.update(support::UserArrays<double, 3>(s).view()));
  const support::Contacts listed = support::as_listed(list.neighbours());
  oracle::System wide = s;
  wide.skin = 0.3;
  EXPECT_EQ(listed, oracle::contacts(wide));
  EXPECT_FALSE(list.update(support::UserArrays<double, 3>(s).view()));
  for (oracle::Particle& p : s.particles) p.x[0] += 0.14;
  EXPECT_FALSE(list.update(support::UserArrays<double, 3>(s).view()));
  for (oracle::Particle& p : s.particles) p.extra = 1;
  EXPECT_TRUE(list.update(support::UserArrays<double, 3>(s).view())) << "a radius that grows uses up margins";
  for (oracle::Particle& p : s.particles) p.extra = 0, p.x[0] += 0.2;
  EXPECT_TRUE(list.update(support::UserArrays<double, 3>(s).view())) << "one that shrinks gives none back";
  s.particles[3].type = 1;
  const hgrid::Validity validity = this->grid.validity(support::UserArrays<double, 3>(s).view());
  EXPECT_EQ(validity.changed, 1);
  EXPECT_EQ(validity.first, 3);
  EXPECT_TRUE(list.update(support::UserArrays<double, 3>(s).view())) << "another type";
  s.types = 0;
  EXPECT_FALSE(this->grid.validity(support::UserArrays<double, 3>(s).view()).comparable);
}

// A float that holds half a cut-off is rounded up.
TEST(Cutoffs, RadiiOfThem) {
  support::Random random(3);
  for (int n = 0; n < 10000; ++n) {
    const double cutoff = random.log_real(1e-14, 1e14);
    EXPECT_EQ(hgrid::radius_of_cutoff<double>(cutoff), 0.5 * cutoff);
    const float radius = hgrid::radius_of_cutoff<float>(cutoff);
    EXPECT_GE(2.0 * radius, cutoff);
    EXPECT_LT(2.0 * std::nextafter(radius, 0.0f), cutoff);
  }
  EXPECT_EQ(hgrid::radius_of_cutoff<float>(0), 0);
}

}  // namespace
