// SPDX-License-Identifier: BSD-3-Clause
// Cells that hold many particles far smaller than the cell. Other levels give equal results, and work does not grow with the
// number of particles in a cell.
#include <gtest/gtest.h>

#include <cmath>

#include "hgrid/hgrid.hpp"
#include "hgrid/packing/repeatable.hpp"
#include "hgrid/queries.hpp"

namespace {

using hgrid::index_t;

/// Half of the particles lie in a box of side 1, and half in a crowd far smaller than a cell of the level that fits the others.
struct Crowd {
  int dimension;
  std::vector<double> x, r;
  std::vector<index_t> group;
  double cell;

  Crowd(int d, index_t n, double width) : dimension(d), cell(2.02 * 0.3 * std::pow(n, -1.0 / d)) {
    hgrid::RepeatableRandom random(3);
    for (index_t i = 0; i < n; ++i) {
      const double side = i % 2 == 0 ? 1 : width;
      for (int k = 0; k < d; ++k) x.push_back(side == 1 ? random.below_one() : 0.5 + width * random.below_one());
      r.push_back(0.3 * side * std::pow(n, -1.0 / d));
    }
  }

  template <int D>
  hgrid::Particles<double, D> view() const {
    auto v = hgrid::particles<D>(x.data(), r.data(), static_cast<index_t>(r.size()));
    if (!group.empty()) v.group = group.data();
    return v;
  }
  template <int D>
  hgrid::GridOptions one_level() const {
    hgrid::LevelSpec level{0.5 * cell, {}};
    for (int k = 0; k < D; ++k) level.cell_size[k] = cell;
    return {.levels = {level}};
  }
};

template <int D>
hgrid::Box<D> box(bool periodic) {
  hgrid::Box<D> b = hgrid::Box<D>::open();
  for (int k = 0; k < D && periodic; ++k) b.lo[k] = 0, b.hi[k] = 1, b.wraps[k] = true;
  return b;
}

template <class Grid>
std::vector<hgrid::Contact> pairs(Grid& grid, hgrid::Order order) {
  auto list = grid.make_pairs();
  grid.find(list, {.order = order});
  std::vector<hgrid::Contact> found;
  for (hgrid::offset_t k = 0; k < list.size(); ++k)
    found.push_back({list.pairs()[k].i, list.pairs()[k].j, list.has_images() ? list.images()[k] : hgrid::Image{}});
  return found;
}

template <int D>
void expect_answers_of_other_levels(bool periodic, hgrid::TableKind table) {
  const Crowd crowd(D, 3000, 1e-5);
  const hgrid::SerialExec exec;
  hgrid::GridOptions options = crowd.one_level<D>();
  options.table = table;
  hgrid::Grid<hgrid::SerialExec, D> crowded(exec, box<D>(periodic), options), planned(exec, box<D>(periodic));
  crowded.build(crowd.view<D>()), planned.build(crowd.view<D>());
  ASSERT_GT(crowded.view().boxes.heights, 1);
  ASSERT_EQ(planned.view().boxes.heights, 0);
  const auto expected = pairs(planned, hgrid::Order::sorted);
  EXPECT_GT(expected.size(), 300u);
  EXPECT_EQ(pairs(crowded, hgrid::Order::sorted), expected);
  EXPECT_EQ(crowded.count(), static_cast<hgrid::offset_t>(expected.size()));
  hgrid::offset_t partners = 0;
  crowded.for_each_partner([&](index_t, index_t, const hgrid::Image&) { ++partners; });
  EXPECT_EQ(partners, 2 * static_cast<hgrid::offset_t>(expected.size()));

  EXPECT_EQ(crowded.count(crowded), planned.count(planned));
  std::vector<hgrid::Region<D>> regions;
  for (index_t i = 1; i < 200; i += 2) {
    hgrid::Vec<double, D> at;
    for (int k = 0; k < D; ++k) at[k] = crowd.x[static_cast<std::size_t>(D * i + k)];
    regions.push_back(hgrid::Region<D>::sphere(at, 1e-7));
    for (int k = 0; k < D; ++k) at[k] += 1e-7;
    regions.push_back(hgrid::Region<D>::point(at));
  }
  for (const double scale : {0.0, 0.5, 1.0, 3.0}) {
    const hgrid::Regions asker{regions.data(), static_cast<hgrid::offset_t>(regions.size()), hgrid::Take::touching, scale};
    const auto found = crowded.count(asker);
    EXPECT_GT(found, scale < 1 ? 50 : 100);
    EXPECT_EQ(found, planned.count(asker)) << "radii scaled by " << scale;
    hgrid::offset_t found_by_few = 0;  // which are not sorted into a grid of their own
    for (std::size_t k = 0; k < regions.size(); k += 40) {
      found_by_few += crowded.count(hgrid::Regions{regions.data() + k, 40, hgrid::Take::touching, scale});
    }
    EXPECT_EQ(found_by_few, found) << "radii scaled by " << scale;
  }
  const auto touched = [&](const auto& grid) {
    std::vector<std::pair<index_t, hgrid::Image>> found;
    for (const hgrid::Region<D>& region : regions) {
      hgrid::Insertions(grid).for_each_touching(region.lo, 1e-7, [&](index_t j, const hgrid::Image& m) {
        found.push_back({j, m});
      });
    }
    std::ranges::sort(found, {}, [](const auto& f) { return std::pair(f.first, std::vector(f.second.m, f.second.m + 3)); });
    return found;
  };
  const auto found = touched(crowded);
  EXPECT_GT(found.size(), 100u);
  EXPECT_EQ(found, touched(planned));
}

TEST(Crowds, AnswersAreThoseOfOtherLevels) {
  for (const bool periodic : {false, true}) {
    for (const auto table : {hgrid::TableKind::dense, hgrid::TableKind::compacted}) {
      expect_answers_of_other_levels<2>(periodic, table);
      expect_answers_of_other_levels<3>(periodic, table);
    }
  }
}

double steps_each(const Crowd& crowd) {
  hgrid::Grid<hgrid::SerialExec, 3> grid(hgrid::SerialExec{}, box<3>(false), crowd.one_level<3>());
  grid.build(crowd.view<3>());
  const hgrid::WorkCount work = grid.work();
  return static_cast<double>(work.candidates + 7 * work.rows + 4 * work.boxes) / static_cast<double>(crowd.r.size());
}

TEST(Crowds, WorkGrowsHardly) {
  const double of_few = steps_each(Crowd(3, 4000, 1e-5)), of_many = steps_each(Crowd(3, 32000, 1e-5));
  EXPECT_LT(of_few, 200);  // 500 candidates without boxes
  EXPECT_LT(of_many, 1.6 * of_few);
}

TEST(Crowds, OfOneGroupOrOfGhostsArePassedOver) {
  Crowd crowd(3, 20000, 1e-9);
  for (std::size_t i = 1; i < crowd.r.size(); i += 2) crowd.r[i] = crowd.r[0];
  crowd.group.assign(crowd.r.size(), -1);
  for (std::size_t i = 1; i < crowd.r.size(); i += 2) crowd.group[i] = i % 200 == 1 ? 8 : 7;
  EXPECT_LT(steps_each(crowd), 1000);  // 100 of the other group are found
  for (std::size_t i = 1; i < crowd.r.size(); i += 2) crowd.group[i] = 7;
  EXPECT_LT(steps_each(crowd), 300);

  Crowd ghosts(3, 20000, 1e-9);
  for (std::size_t i = 0; i < 10000; ++i) {  // the crowd comes last
    for (std::size_t k = 0; k < 3; ++k) ghosts.x[3 * i + k] = ghosts.x[6 * i + k];
  }
  for (std::size_t i = 10000; i < 20000; ++i) {
    for (std::size_t k = 0; k < 3; ++k) ghosts.x[3 * i + k] = 0.5;
    ghosts.r[i] = ghosts.r[0];
  }
  auto view = ghosts.view<3>();
  view.owned = 10000;
  hgrid::Grid<hgrid::SerialExec, 3> grid(hgrid::SerialExec{}, box<3>(false), ghosts.one_level<3>());
  grid.build(view);
  EXPECT_LT(grid.work().candidates + grid.work().boxes, 20000 * 100);
}

TEST(Crowds, OrderFixedIsThatOfAnyThreads) {
  const Crowd crowd(3, 20000, 1e-5);
  std::vector<hgrid::Contact> first;
  for (const int threads : {1, 2, 7, 2}) {
    hgrid::Grid<hgrid::OpenMPExec, 3> grid(hgrid::OpenMPExec(threads), box<3>(false), crowd.one_level<3>());
    grid.build(crowd.view<3>());
    const auto found = pairs(grid, hgrid::Order::fixed);
    if (first.empty()) first = found;
    EXPECT_EQ(found, first);
  }
}

// If bounding boxes of a crowd stayed after it has gone, they would hide contacts.
TEST(Crowds, MayDisperse) {
  Crowd crowd(3, 3000, 1e-5);
  hgrid::Grid<hgrid::SerialExec, 3> grid(hgrid::SerialExec{}, box<3>(false), crowd.one_level<3>());
  grid.build(crowd.view<3>());
  EXPECT_GT(grid.view().boxes.heights, 0);
  const Crowd spread(3, 3000, 0.9);
  grid.build(spread.view<3>());
  EXPECT_EQ(grid.view().boxes.heights, 0);
  hgrid::Grid<hgrid::SerialExec, 3> planned(hgrid::SerialExec{});
  planned.build(spread.view<3>());
  EXPECT_EQ(pairs(grid, hgrid::Order::sorted), pairs(planned, hgrid::Order::sorted));
}

}  // namespace
