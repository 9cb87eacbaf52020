// SPDX-License-Identifier: BSD-3-Clause
// Sort by distance and the linked cell method against their paper (003): tests, contacts, rankings.
#include <gtest/gtest.h>

#include <random>

#include "hgrid/core/names.hpp"
#include "papers/systems/find_contacts.hpp"

namespace {

using namespace hgrid::reference;

constexpr double smallest[] = {0.05, 0.02, 0.005}, largest[] = {0.1, 0.05, 0.02};  // the diameters of A, B and C

// np particles in a square or cube of side nx, uniform, with uniform diameters.
template <int D>
struct Sample {
  Sample(int np, double nx, double least, double most, std::uint64_t seed) {
    std::mt19937_64 engine(seed);
    std::uniform_real_distribution<double> place(0, nx), diameter(least, most);
    for (int i = 0; i < np; ++i) {
      for (int k = 0; k < D; ++k) x.push_back(place(engine));
      r.push_back(diameter(engine) / 2);
    }
    for (int k = 0; k < D; ++k) space.lo[k] = 0, space.hi[k] = nx;
  }

  Bodies<D> bodies() const {
    return Bodies<D>(hgrid::particles<D>(x.data(), r.data(), static_cast<std::int64_t>(r.size())), hgrid::Box<D>::open(), 0);
  }
  Contacts sorted() const { return distance_sort(bodies()); }
  Contacts cells(double per_cell) const { return linked_cell(bodies(), {.per_cell = per_cell, .space = space}); }

  std::vector<double> x, r;
  Bounds<D> space;
};

template <int D>
double side(int np) {
  return std::pow(np / (D == 2 ? 100.0 : 1000.0), 1.0 / D);
}

template <int D>
double mean_tests(int np, int samples, int& contacts) {
  double sum = 0;
  for (int s = 0; s < samples; ++s) {
    const Contacts found = Sample<D>(np, side<D>(np), smallest[0], largest[0], 100 + s).sorted();
    sum += static_cast<double>(found.counted("tests")) / np;
    contacts += static_cast<int>(found.pairs.size());
  }
  return sum / samples;
}

TEST(ReferenceSorting, TestsPerParticleOfPackingA) {
  int flat = 0, deep = 0;
  EXPECT_NEAR(mean_tests<2>(1000, 30, flat), 23.3048, 0.02 * 23.3048);
  EXPECT_NEAR(flat / 30e3, 0.8795, 0.02);
  EXPECT_NEAR(mean_tests<2>(10000, 4, flat), 74.1043, 0.02 * 74.1043);
  EXPECT_NEAR(mean_tests<3>(1000, 30, deep), 75.4213, 0.02 * 75.4213);
  EXPECT_NEAR(deep / 30e3, 0.8616, 0.02);
  EXPECT_NEAR(mean_tests<3>(10000, 4, deep), 355.753, 0.02 * 355.753);
}

// x 3.16 a decade in 2-D, x 4.64 in 3-D: N^(1/2) and N^(2/3), within 5 %.
TEST(ReferenceSorting, TestsGrowAsTheLawSays) {
  int contacts = 0;
  EXPECT_NEAR(mean_tests<2>(100000, 1, contacts) / mean_tests<2>(10000, 4, contacts), 3.162, 0.05 * 3.162);
  EXPECT_NEAR(mean_tests<3>(100000, 1, contacts) / mean_tests<3>(10000, 4, contacts), 4.642, 0.05 * 4.642);
}

// LCM1 in 3-D is no case here: 22 cells along an axis, as in the reference values, would be smaller than d_max.
TEST(ReferenceSorting, LinkedCellTests) {
  const auto tests = [](const Contacts& found) { return static_cast<double>(found.counted("tests")) / 10000; };
  const Sample<2> flat(10000, side<2>(10000), smallest[0], largest[0], 5);
  const Sample<3> deep(10000, side<3>(10000), smallest[0], largest[0], 5);
  EXPECT_NEAR(tests(flat.cells(1)), 4.43965, 0.02 * 4.43965);
  EXPECT_NEAR(tests(flat.cells(5)), 21.59917, 0.02 * 21.59917);
  EXPECT_NEAR(tests(flat.cells(10)), 42.17426, 0.02 * 42.17426);
  EXPECT_NEAR(tests(deep.cells(5)), 52.31842, 0.02 * 52.31842);
  EXPECT_NEAR(tests(deep.cells(10)), 109.64812, 0.02 * 109.64812);
  EXPECT_EQ(deep.cells(1).counted("cells"), 21 * 21 * 21);  // Eq. 2
}

// Table 1: LCM100 < novel < LCM204 < LCM625 < LCM1111, by the tests that make the times.
TEST(ReferenceSorting, Table1) {
  const Sample<2> sample(10000, 10, 0.02, 1, 7);
  const Contacts novel = sample.sorted();
  EXPECT_NEAR(static_cast<double>(novel.counted("tests")), 4917280, 0.02 * 4917280);
  EXPECT_NEAR(static_cast<double>(novel.pairs.size()), 444783, 0.03 * 444783);
  const double per_cell[] = {100, 204, 625, 1111};
  const std::int64_t cells[] = {100, 49, 16, 9}, tests[] = {3867130, 7433703, 19242967, 29977820};
  std::int64_t before = 0;
  for (int k = 0; k < 4; ++k) {
    const Contacts found = sample.cells(per_cell[k]);
    EXPECT_EQ(found.counted("cells"), cells[k]);
    EXPECT_NEAR(static_cast<double>(found.counted("tests")), static_cast<double>(tests[k]), 0.02 * tests[k]);
    EXPECT_EQ(found.pairs.size(), novel.pairs.size());
    EXPECT_GT(found.counted("tests"), before);
    EXPECT_EQ(found.counted("tests") < novel.counted("tests"), k == 0) << "LCM" << per_cell[k];
    before = found.counted("tests");
  }
}

// Table 3: one big particle leaves the linked cell method a single cell.
TEST(ReferenceSorting, Table3) {
  Sample<2> sample(100, 5.64, 0.1, 0.3, 9);
  sample.x.push_back(2.8), sample.x.push_back(2.8), sample.r.push_back(2.82);
  const Contacts cells = sample.cells(101);
  EXPECT_EQ(cells.counted("cells"), 1);
  EXPECT_EQ(cells.counted("tests"), 101 * 100 / 2);
  const Contacts novel = sample.sorted();
  EXPECT_LT(novel.counted("tests"), 600);
  EXPECT_EQ(novel.pairs.size(), cells.pairs.size());
}

TEST(ReferenceSorting, BadOptions) {
  const Bodies<2> bodies = Sample<2>(10, 1, 0.1, 0.2, 1).bodies();
  const auto code = [](auto&& f) {
    try {
      f();
    } catch (const hgrid::Error& e) {
      return std::string(name_of(e.code()));
    }
    return std::string("none");
  };
  EXPECT_EQ(code([&] { linked_cell(bodies, {.per_cell = 0, .space = {}}); }), "invalid_argument");
  EXPECT_EQ(code([&] { linked_cell(bodies, {.cell_size = 0.05, .space = {}}); }), "invalid_argument");
  EXPECT_EQ(code([&] { linked_cell(bodies, {.space = Bounds<2>{{0, 0}, {0.1, 0.1}}}); }), "range_error");
  EXPECT_EQ(code([&] { distance_sort(bodies, {.reference_point = hgrid::Vec<double, 2>{NAN, 0}}); }), "nonfinite");
  EXPECT_EQ(code([&] { distance_sort(bodies, {.reference_point = hgrid::Vec<double, 2>{0, 1e16}}); }), "range_error");
}

}  // namespace
