// SPDX-License-Identifier: BSD-3-Clause
// NBS against its paper (002): the lists of Figs. 7 to 11, and loops, tests and memory of Examples I to III.
#include "papers/systems/nbs.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace {

using namespace hgrid::reference;
using hgrid::index_t;

template <int D>
Bodies<D> bodies_at(const std::vector<double>& positions, double diameter) {
  const std::vector<double> radius(positions.size() / D, diameter / 2);
  return Bodies<D>(hgrid::particles<D>(positions.data(), radius.data(), static_cast<std::int64_t>(radius.size())),
                   hgrid::Box<D>::open(), 0);
}

// A lattice of n x n discs of diameter 1.
std::vector<double> spaced(int n, double dx, double dy) {
  std::vector<double> xy;
  for (int i = 0; i < n * n; ++i) xy.push_back(i % n * dx), xy.push_back(i / n * dy);
  return xy;
}

struct Example {
  const char* name;
  int n;
  double dx, dy;
  std::int64_t memory, next_rows, tests, touching;  // next_rows: discs passed by loop 4, and by loop 7
};

// The reference values of the project, counted by an independent implementation.
constexpr Example examples[] = {
    {"I, N = 100", 10, 1, 2, 239, 0, 90, 90},
    {"I, N = 10000", 100, 1, 2, 20399, 0, 9900, 9900},
    {"II, S = 2", 100, 2, 2, 20597, 0, 0, 0},
    {"II, S = 10", 100, 10, 2, 22181, 0, 0, 0},
    {"III, S = 1", 100, 1, 1, 20300, 9900, 39402, 19800},
    {"III, S = 1.5", 100, 1.5, 1.5, 20447, 5000, 15000, 0},
    {"III, S = 5", 100, 5, 5, 21488, 0, 0, 0},
    {"III, S = 200", 100, 200, 200, 79403, 0, 0, 0},
};

TEST(ReferenceNbs, CountsOfTheExamples) {
  for (const Example& e : examples) {
    const std::int64_t n = e.n * e.n;
    const Contacts found = nbs(bodies_at<2>(spaced(e.n, e.dx, e.dy), 1));
    for (const char* loop : {"loop_1", "loop_2", "loop_3", "loop_5", "loop_6", "loop_8"}) {
      EXPECT_EQ(found.counted(loop), n) << e.name << ", " << loop;
    }
    EXPECT_EQ(found.counted("loop_4"), e.next_rows) << e.name;
    EXPECT_EQ(found.counted("loop_7"), e.next_rows) << e.name;
    EXPECT_EQ(found.counted("loops"), 6 * n + 2 * e.next_rows) << e.name;
    EXPECT_EQ(found.counted("tests"), e.tests) << e.name;
    EXPECT_EQ(found.counted("memory"), e.memory) << e.name;
    EXPECT_EQ(static_cast<std::int64_t>(found.pairs.size()), e.touching) << e.name;
  }
}

// "In 2-D a 25-fold decrease in packing density results in less than 5-fold increase in memory."
TEST(ReferenceNbs, MemoryGrowsLittleWithDilution) {
  const double dense = static_cast<double>(nbs(bodies_at<2>(spaced(100, 1, 1), 1)).counted("memory"));
  const double dilute = static_cast<double>(nbs(bodies_at<2>(spaced(100, 5, 5), 1)).counted("memory"));
  EXPECT_LT(dilute, 1.07 * dense);
}

// Fig. 7: disc 0 in cell (2,2), 1 in (3,1), 3 in (5,5); row 2 holds 7, 6, 5, 4 and 0 in columns 4, 4, 6, 5
// and 2.
class Figure7 : public ::testing::Test {
 protected:
  Figure7() {
    nbs.begin(bodies, nbs_lattice(bodies, NbsOptions<2>{.space = Bounds<2>{{0, 0}, {7.5, 7.5}}}));
    nbs.place_in_rows();
  }

  std::vector<double> xy = {2.5, 2.5, 3.5, 1.5, 1.5, 4.5, 5.5, 5.5, 5.5, 2.5, 6.5, 2.5, 4.4, 2.4, 4.6, 2.6};
  Bodies<2> bodies = bodies_at<2>(xy, 1);
  Nbs2 nbs;
};

TEST_F(Figure7, RowLists) {
  EXPECT_EQ(nbs.heady.first(0), -1);  // "row 0 of cells has no discs"
  EXPECT_EQ(nbs.heady.first(2), 7);
  EXPECT_EQ(nbs.nexty[7], 6);
  EXPECT_EQ(nbs.nexty[6], 5);
  EXPECT_EQ(nbs.nexty[5], 4);
  EXPECT_EQ(nbs.nexty[4], 0);
  EXPECT_EQ(nbs.nexty[0], -1);
  EXPECT_TRUE(nbs.heady.is_new(2));
}

TEST_F(Figure7, ColumnListsInTheOrderInWhichTheyAreFoundNew) {
  nbs.place_in_columns(2, 0);
  for (const index_t empty : {0, 1, 3, 7}) EXPECT_EQ(nbs.headsx[0].first(empty), -1);
  EXPECT_EQ(nbs.headsx[0].first(5), 4);
  EXPECT_EQ(nbs.nextx[4], -1);
  EXPECT_EQ(nbs.headsx[0].first(4), 6);
  EXPECT_EQ(nbs.nextx[6], 7);
  EXPECT_EQ(nbs.nextx[7], -1);
  std::vector<index_t> order;
  nbs.for_each_new_list(2, [&](index_t ix, index_t) { order.push_back(ix); });
  EXPECT_EQ(order, (std::vector<index_t>{4, 6, 5, 2}));
  nbs.for_each_new_list(2, [&](index_t, index_t) { ADD_FAILURE() << "all lists are old by now"; });
  EXPECT_EQ(nbs.headsx[0].first(4), 6);  // old, yet readable
}

TEST_F(Figure7, RemovalLeavesNothing) {
  nbs.place_in_columns(2, 0);
  nbs.remove_columns(2, 0);
  nbs.remove_rows();
  for (index_t k = 0; k < 8; ++k) {
    EXPECT_EQ(nbs.headsx[0].first(k), -1);
    EXPECT_EQ(nbs.heady.first(k), -1);
  }
}

TEST(ReferenceNbs, OneObjectSearchesAgainAndInAnotherSpace) {
  Nbs2 nbs;
  for (const double spacing : {1.0, 1.0, 3.0, 0.5, 1.0}) {
    const Bodies<2> bodies = bodies_at<2>(spaced(20, spacing, spacing), 1);
    Contacts again;
    PairTester<2> pairs(bodies, again);
    nbs.search(bodies, nbs_lattice(bodies), pairs);
    EXPECT_EQ(again.pairs, hgrid::reference::nbs(bodies).pairs) << spacing;
  }
}

// Puts cubes on a lattice of touching spheres: each layer, row and cell has its neighbors.
TEST(ReferenceNbs, ThreeDimensions) {
  std::vector<double> xyz;
  const int n = 12;
  for (int i = 0; i < n * n * n; ++i) {
    for (const int at : {i % n, i / n % n, i / (n * n)}) xyz.push_back(at);
  }
  const Contacts found = nbs(bodies_at<3>(xyz, 1));
  const std::int64_t all = n * n * n, line = n * n * (n - 1), face = n * (n - 1) * (n - 1),
                     corner = (n - 1) * (n - 1) * (n - 1);
  EXPECT_EQ(static_cast<std::int64_t>(found.pairs.size()), 3 * line);
  EXPECT_EQ(found.counted("tests"), 3 * line + 6 * face + 4 * corner);  // the 13 neighbors of each cell
  EXPECT_EQ(found.counted("memory"), n + 2 * n + 5 * n + 3 * all);
  for (const char* loop : {"loop_1", "loop_2", "loop_3", "loop_5", "loop_6", "loop_8"}) {
    EXPECT_EQ(found.counted(loop), all) << loop;
  }
  EXPECT_LE(found.counted("loops"), 19 * all);
  EXPECT_EQ(found.counted("layer_loops"), 3 * all + 2 * n * n * (n - 1));
}

TEST(ReferenceNbs, BodyOutsideTheStatedSpace) {
  const Bodies<2> bodies = bodies_at<2>({0, 0, 1, 1, 5, 1}, 1);
  try {
    nbs(bodies, {.space = Bounds<2>{{0, 0}, {4, 4}}});
    ADD_FAILURE() << "a body outside was accepted";
  } catch (const hgrid::Error& e) {
    EXPECT_EQ(e.code(), hgrid::ErrorCode::range_error);
    EXPECT_EQ(e.detail().index, 2);
    EXPECT_EQ(e.detail().value, 5);
  }
  EXPECT_NO_THROW(nbs(bodies, {.space = Bounds<2>{{0, 0}, {5, 4}}}));
}

}  // namespace
