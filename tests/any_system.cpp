// SPDX-License-Identifier: BSD-3-Clause
// A search takes little more work than a search of one size with as many particles and contacts, wherever particles lie.
#include <gtest/gtest.h>

#include <cmath>

#include "hgrid/packing/repeatable.hpp"
#include "support/counted_work.hpp"
#include "support/shaped_systems.hpp"
#include "support/worst_mixtures.hpp"

namespace {

using hgrid::PackedSystem;
using support::CountedWork;

/// Half of the particles lie anywhere in a box of side 1, and half in a cluster in its middle. Radii are in units of the mean
/// distance of neighbors.
struct ClusterInASea {
  int dimension;
  bool periodic;
  std::int64_t n;
  double width, radius_of_sea, radius_of_cluster;

  PackedSystem system() const {
    hgrid::RepeatableRandom random(1);
    PackedSystem s;
    s.dimension = dimension;
    for (int k = 0; k < dimension; ++k) s.length[k] = 1, s.periodic[k] = periodic;
    for (std::int64_t i = 0; i < n; ++i) {
      const bool inside = i >= n / 2;
      const double side = inside ? width : 1, apart = side * spacing();
      for (int k = 0; k < 3; ++k) {
        const double x = side * random.below_one();
        s.axis(k).push_back(k == dimension ? 0 : inside ? 0.5 + x : x);
      }
      s.r.push_back((inside ? radius_of_cluster : radius_of_sea) * apart);
    }
    return s;
  }

  double spacing() const { return std::pow(static_cast<double>(n), -1.0 / dimension); }
};

std::string text_of(const ClusterInASea& c) {
  return std::to_string(c.dimension) + "-D, " + (c.periodic ? "periodic, " : "open, ") + std::to_string(c.n) +
         " particles, width 1e" + std::to_string(std::lround(std::log10(c.width))) + ", radii " +
         std::to_string(c.radius_of_sea) + " and " + std::to_string(c.radius_of_cluster);
}

class ClustersInASea : public testing::TestWithParam<std::tuple<int, bool, int>> {
 protected:
  ClusterInASea cluster(double width, double radius_of_sea, double radius_of_cluster) const {
    const auto [dimension, periodic, n] = GetParam();
    return {dimension, periodic, n, width, radius_of_sea, radius_of_cluster};
  }

  void expect_little_work(const ClusterInASea& c, double skin, double most) const {
    EXPECT_LT(support::counted_work(c.system(), skin).over(one_size_), most) << text_of(c) << ", skin " << skin;
  }

 private:
  CountedWork one_size_ = support::work_of_one_size(std::get<0>(GetParam()), std::get<2>(GetParam()));
};

// The best plan is Bottom-Up, on islands or compacted; either alone costs n / 8 candidates a particle.
TEST_P(ClustersInASea, OfSmallGrains) {
  for (double width = 0.1; width > 5e-7; width *= 0.1) {
    for (const double radius : {0.3, 1e-2, 1e-5}) expect_little_work(cluster(width, 0.3, radius), 0, 2.3);
  }
}

// Points touch where they coincide, and nowhere else.
TEST_P(ClustersInASea, OfPoints) {
  for (const double width : {0.5, 1e-3, 1e-6}) {
    const ClusterInASea points = cluster(width, 0, 0), among_others = cluster(width, 0.3, 0);
    for (const double skin : {0.0, 1e-9, 0.3 * width * points.spacing()}) {
      // In 2-D the one row of a compacted table alone is 3 times the work of one size.
      expect_little_work(points, skin, points.dimension == 2 ? 3.4 : 3);
    }
    expect_little_work(among_others, 0, 2);
  }
}

/// Returns the work of as many particles in 2-D and in 3-D.
class OneSizes {
 public:
  explicit OneSizes(std::int64_t n) : n_(n), work_{support::work_of_one_size(2, n), support::work_of_one_size(3, n)} {}

  double figure(const support::Mixture& m) const {
    const support::MixedSystem s = system_of(m, n_);
    return support::counted_work(s.particles, s.skin).over(work_[s.particles.dimension - 2]);
  }

 private:
  std::int64_t n_;
  CountedWork work_[2];
};

// A compacted table costs up to 5 times one size in 2-D.
TEST(AnySystem, DrawnMixtures) {
  const OneSizes one_size(2000);
  hgrid::RepeatableRandom random(7);
  std::vector<double> figures;
  for (int k = 0; k < 500; ++k) figures.push_back(one_size.figure(support::drawn_mixture(random)));
  std::ranges::sort(figures);
  EXPECT_LT(figures[250], 1);
  EXPECT_LT(figures[490], 4);
  EXPECT_LT(figures.back(), 7);
}

// The worst that bench/regret/worst.cpp has found; their bounds are to fall.
TEST(AnySystem, WorstMixtures) {
  const OneSizes one_size(4000);
  for (const support::WorstMixture& worst : support::worst_mixtures) {
    EXPECT_LT(one_size.figure({worst.number}), 1.25 * worst.figure) << worst.name;
  }
}

// Piles, jets, aggregates and the like. The worst have compacted tables, or boxes over slots.
TEST(AnySystem, Shapes) {
  constexpr std::int64_t n = 10000;
  const CountedWork one_size = support::work_of_one_size(3, n);
  std::vector<double> figures;
  for (const auto& shaped : support::shapes::shaped_systems(n, 1)) {
    figures.push_back(support::counted_work(shaped.system).over(one_size));
    EXPECT_LT(figures.back(), 2.1) << shaped.name;
  }
  std::ranges::sort(figures);
  EXPECT_LT(figures[figures.size() / 2], 1.1);
  EXPECT_LT(figures[figures.size() * 4 / 5], 1.65);
}

// One in fifty lies far away, as close together as the others. Cells end before, so that all of these share one.
TEST(AnySystem, OutliersInOneCell) {
  constexpr std::int64_t n = 50000;
  PackedSystem s = hgrid::make_system({.fraction = 0.62, .populations = {{}}}, n, 1);
  const double side = std::cbrt(0.02) * s.length[0];
  for (std::size_t i = 0; i < s.r.size(); ++i) {
    if (s.x[i] > side || s.y[i] > side || s.z[i] > side) continue;
    for (int k = 0; k < 3; ++k) s.axis(k)[i] += 1e4 * s.length[0];
  }
  EXPECT_LT(support::counted_work(s).over(support::work_of_one_size(3, n)), 1.3);
}

INSTANTIATE_TEST_SUITE_P(AnySystem, ClustersInASea,
                         testing::Combine(testing::Values(2, 3), testing::Bool(), testing::Values(4000, 16000)));

}  // namespace
