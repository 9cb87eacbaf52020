// SPDX-License-Identifier: BSD-3-Clause
// The cell space (004): which pieces are remapped, by how many threads, when cells are refined, and that no pair is missed.
#include "hgrid/core/names.hpp"
#include "papers/systems/cell_space.hpp"

#include <gtest/gtest.h>

#include <numbers>
#include <random>
#include <set>

#include "papers/systems/walls.hpp"

namespace {

using namespace hgrid::reference;
using hgrid::index_t;
using hgrid::Vec;

double uniform(std::mt19937_64& engine, double lo, double hi) { return std::uniform_real_distribution<double>(lo, hi)(engine); }

template <int D>
std::vector<Piece<D>> scattered(int count, double side, double radius, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  std::vector<Piece<D>> pieces;
  for (int i = 0; i < count; ++i) {
    Vec<double, D> x;
    for (int k = 0; k < D; ++k) x[k] = uniform(engine, 0, side);
    pieces.push_back(ball(x, radius * uniform(engine, 0.5, 1)));
  }
  return pieces;
}

template <int D>
std::string listing(const EmbeddedSpace<D>& space) {
  std::string text;
  for (const auto& cell : space.cells()) {
    text += "[";
    for (const index_t id : cell.pieces) text += std::to_string(id) + " ";
    if (cell.child) text += listing(*cell.child);
    text += "] ";
  }
  return text;
}

TEST(ReferenceCellSpace, EquationOne) {
  CellSpaceOptions<3> options;
  options.velocity = 2, options.timestep = 0.1, options.extent = 0.25, options.constant = 0.01;
  Piece<3> moving = ball<3>({0, 0, 0}, 1);
  moving.velocity = {3, 0, 4};
  const std::vector<Piece<3>> pieces = {moving, facet<3>({{0, 0, 0}, {3, 0, 0}, {0, 6, 0}})};
  CellSpace<3> space(options);
  space.update(pieces);
  EXPECT_DOUBLE_EQ(space.tolerance(0), 2 * 5 * 0.1 + 0.25 * 2 + 0.01);
  EXPECT_DOUBLE_EQ(space.tolerance(1), 0.25 * (3 + 6 + 0) / 3 + 0.01);  // the mean side of the minimum extent
}

// One piece in a hundred moves beyond its tolerance: only these pieces are remapped.
TEST(ReferenceCellSpace, OnlyMovedPiecesAreRemapped) {
  std::vector<Piece<3>> pieces = scattered<3>(5000, 40, 1, 1);
  CellSpace<3> space;
  space.update(pieces);
  EXPECT_EQ(space.counts().dirty, 5000);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    pieces[i].vertex[0][1] += (i % 100 == 7 ? 1.01 : 0.99) * space.tolerance(static_cast<index_t>(i));
  }
  space.update(pieces);
  ASSERT_EQ(space.dirty().size(), 50u);  // 1 %
  for (const index_t i : space.dirty()) EXPECT_EQ(i % 100, 7);
  EXPECT_EQ(space.counts().dirty, 5050);
  space.update(pieces);
  EXPECT_TRUE(space.dirty().empty());
}

TEST(ReferenceCellSpace, MovementIsCumulative) {
  std::vector<Piece<2>> pieces = scattered<2>(10, 10, 1, 2);
  CellSpace<2> space;
  space.update(pieces);
  for (const std::size_t dirty : {0u, 0u, 1u, 0u}) {
    pieces[3].vertex[0][0] += 0.4 * space.tolerance(3);
    space.update(pieces);
    EXPECT_EQ(space.dirty().size(), dirty);
  }
}

TEST(ReferenceCellSpace, RotationIsMovement) {
  const Clump<3> still{{5, 5, 5}, rotation<3>(0, 1, 0), {{{0, 0, 0}, 1}, {{3, 0, 0}, 1}}};
  Clump<3> turned = still;
  turned.orientation = rotation<3>(0, 1, 0.1);
  std::vector<Piece<3>> before, after;
  still.append_to(before, 0), turned.append_to(after, 0);
  before.push_back(facet<3>({{5, 5, 5}, {9, 5, 5}, {5, 6, 5}}));
  after.push_back(before.back());
  for (auto& v : after.back().vertex) v = rotated(v, Vec<double, 3>{5, 5, 5}, rotation<3>(1, 2, std::numbers::pi / 2));
  CellSpace<3> space;
  space.update(before);
  space.update(after);
  EXPECT_EQ(space.dirty(), (std::vector<index_t>{1, 2}));  // pebble 0 is the centroid
  EXPECT_NEAR(after[1].vertex[0][0], 5 + 3 * std::cos(0.1), 1e-14);
  EXPECT_NEAR(after[1].vertex[0][1], 5 + 3 * std::sin(0.1), 1e-14);
}

// A ball of three cells' radius meets fewer cells than its bounding box does (Fig. 3).
TEST(ReferenceCellSpace, ConformalSurface) {
  CellSpaceOptions<3> options;
  options.domain = Bounds<3>{{0, 0, 0}, {10, 10, 10}};
  options.parents = 1000, options.extent = 0;
  CellSpace<3> space(options);
  space.update(std::vector<Piece<3>>{ball<3>({5, 5, 5}, 2.9), facet<3>({{1.5, 1.5, 1.5}, {8.5, 1.5, 8.5}, {1.5, 8.5, 1.5}})});
  EXPECT_EQ(space.parents().cells().size(), 1000u);
  int meet = 0;
  for (int i = 0; i < 1000; ++i) {  // cells x, y, z .. + 1 whose nearest point is within the ball
    double squared = 0;
    for (const int at : {i % 10, i / 10 % 10, i / 100}) {
      const double d = std::max(0.0, std::max(at - 5.0, 5.0 - (at + 1)));
      squared += d * d;
    }
    meet += squared <= 2.9 * 2.9;
  }
  EXPECT_EQ(space.cells_of(0).size(), static_cast<std::size_t>(meet));
  EXPECT_LT(meet, 6 * 6 * 6);
  EXPECT_LT(space.cells_of(1).size(), 8u * 8 * 8 / 2);
}

template <int D>
CellSpaceOptions<D> eager(int threads) {
  CellSpaceOptions<D> options;
  options.parents = 40, options.extent = 0.1, options.threads = threads;
  options.refinement = {.above = 5, .target = 4, .factor = 2};
  return options;
}

TEST(ReferenceCellSpace, ThreadsMakeTheSameLists) {
  CellSpace<3> one(eager<3>(1)), two(eager<3>(2)), seven(eager<3>(7));
  std::vector<Piece<3>> pieces = scattered<3>(2000, 30, 1, 3);
  std::mt19937_64 engine(4);
  for (int step = 0; step < 6; ++step) {
    if (step == 3) pieces.resize(1500);
    if (step == 4) pieces.resize(1800, ball<3>({15, 15, 15}, 0.5));
    for (CellSpace<3>* space : {&one, &two, &seven}) space->update(pieces);
    ASSERT_EQ(listing(one.parents()), listing(two.parents())) << step;
    ASSERT_EQ(listing(one.parents()), listing(seven.parents())) << step;
    EXPECT_EQ(one.counts(), seven.counts());
    for (Piece<3>& p : pieces) p.vertex[0][0] += uniform(engine, -0.5, 0.5);
  }
  EXPECT_GT(one.counts().refined, 10);
}

TEST(ReferenceCellSpace, CrowdedCellsAreRefinedAndThenNot) {
  CellSpaceOptions<2> options;
  options.domain = Bounds<2>{{0, 0}, {10, 10}};
  options.parents = 100;
  std::vector<Piece<2>> pieces = scattered<2>(60, 0.9, 0.02, 5);  // all in one parent cell
  CellSpace<2> space(options);
  space.update(pieces);
  ASSERT_NE(space.parents().cells()[0].child, nullptr);
  EXPECT_EQ(space.parents().cells()[0].centroids, 60);
  EXPECT_EQ(space.counts().unrefined, 0);
  for (std::size_t i = 1; i < pieces.size(); ++i) pieces[i].vertex[0] = {9.5, 0.1 * static_cast<double>(i)};
  space.update(pieces);
  EXPECT_EQ(space.parents().cells()[0].child, nullptr);  // one piece is below two
  EXPECT_GE(space.counts().unrefined, 1);
  for (Piece<2>& p : pieces) p.vertex[0] = {0.5, 0.5}, p.radius = 0.3;  // many, but as large as the cell
  space.update(pieces);
  EXPECT_EQ(space.parents().cells()[0].centroids, 60);
  EXPECT_EQ(space.parents().cells()[0].child, nullptr);
}

// Returns the gap between two pieces. The first is a ball or pebble.
double gap(const Piece<3>& p, const Piece<3>& q) {
  double centre = 0;
  for (int k = 0; k < 3; ++k) centre = std::hypot(centre, p.vertex[0][k] - q.vertex[0][k]);
  if (q.is_facet()) centre = std::sqrt(squared_distance(p.vertex[0], {{q.vertex[0], q.vertex[1], q.vertex[2]}}));
  return centre - p.radius - q.radius;
}

struct Scene {
  std::vector<Clump<3>> clumps;
  std::vector<Piece<3>> balls, facets;

  std::vector<Piece<3>> pieces() const {
    std::vector<Piece<3>> all = balls;
    for (std::size_t c = 0; c < clumps.size(); ++c) clumps[c].append_to(all, 1 + static_cast<index_t>(c));
    all.insert(all.end(), facets.begin(), facets.end());
    return all;
  }
};

Scene make_scene(std::mt19937_64& engine) {
  Scene scene;
  scene.balls = scattered<3>(250, 12, 0.6, engine());
  const auto point = [&] { return Vec<double, 3>{uniform(engine, 0, 12), uniform(engine, 0, 12), uniform(engine, 0, 12)}; };
  for (int c = 0; c < 20; ++c) {
    scene.clumps.push_back({point(), rotation<3>(0, 1, 0), {{{0.5, 0, 0}, 0.4}, {{-0.5, 0.2, 0}, 0.3}, {{0, 0, 1}, 0.5}}});
  }
  for (int f = 0; f < 40; ++f) scene.facets.push_back(facet<3>({point(), point(), point()}, 0));
  return scene;
}

// Balls, clumps and walls that move and turn, some far out of the domain: after each step every pair within
// the interaction distance is among the candidates.
TEST(ReferenceCellSpace, NoPairIsMissedWhileAllMove) {
  std::mt19937_64 engine(6);
  for (int round = 0; round < 12; ++round) {
    Scene scene = make_scene(engine);
    CellSpaceOptions<3> options = eager<3>(1 + round % 3);
    options.domain = Bounds<3>{{1, 1, 1}, {11, 11, 11}};  // pieces lie outside, too
    options.interaction = 0.1 * (round % 4), options.extent = 0.05 * (round % 5);
    CellSpace<3> space(options);
    for (int step = 0; step < 5; ++step) {
      const std::vector<Piece<3>> pieces = scene.pieces();
      space.update(pieces);
      std::set<std::pair<index_t, index_t>> candidates;
      space.for_each_pair([&](index_t p, index_t q) { EXPECT_TRUE(candidates.insert({p, q}).second); });
      std::size_t near = 0;
      for (index_t p = 0; p < 310; ++p) {
        for (index_t q = p + 1; q < static_cast<index_t>(pieces.size()); ++q) {
          const Piece<3>&a = pieces[static_cast<std::size_t>(p)], &b = pieces[static_cast<std::size_t>(q)];
          if ((a.owner >= 0 && a.owner == b.owner) || gap(a, b) > options.interaction) continue;
          ++near;
          ASSERT_TRUE(candidates.contains({p, q})) << p << " " << q << " round " << round << " step " << step;
        }
      }
      EXPECT_GT(near, 50u);
      const double far = 0.1 * step;
      for (Piece<3>& b : scene.balls) b.vertex[0][step % 3] += uniform(engine, -far, far);
      for (Clump<3>& c : scene.clumps) {
        c.orientation = rotation<3>(step % 3, (step + 1) % 3, uniform(engine, -3, 3));
        c.centroid[1] += uniform(engine, -far, far);
      }
      for (auto& f : scene.facets) {
        for (auto& v : f.vertex) v = rotated(v, Vec<double, 3>{6, 6, 6}, rotation<3>(0, 2, 0.02 * step));
      }
    }
  }
}

template <class F>
std::string code_of(F&& f) {
  try {
    f();
  } catch (const hgrid::Error& e) {
    return std::string(name_of(e.code())) + " " + std::to_string(e.detail().index);
  }
  return "none";
}

TEST(ReferenceCellSpace, BadInput) {
  std::vector<Piece<3>> pieces = scattered<3>(20, 5, 1, 8);
  CellSpace<3> space;
  space.update(pieces);
  const std::string lists = listing(space.parents());
  const auto with = [&](auto&& change) {
    std::vector<Piece<3>> bad = pieces;
    change(bad[13]);
    return code_of([&] { space.update(bad); });
  };
  EXPECT_EQ(with([](Piece<3>& p) { p.vertex[0][2] = NAN; }), "nonfinite 13");
  EXPECT_EQ(with([](Piece<3>& p) { p.vertex[0][2] = 1e16; }), "range_error 13");
  EXPECT_EQ(with([](Piece<3>& p) { p.radius = -1; }), "negative_radius 13");
  EXPECT_EQ(with([](Piece<3>& p) { p.radius = HUGE_VAL; }), "nonfinite 13");
  EXPECT_EQ(with([](Piece<3>& p) { p.velocity[0] = NAN; }), "nonfinite 13");
  EXPECT_EQ(listing(space.parents()), lists);
  CellSpaceOptions<3> options;
  options.extent = -1;
  EXPECT_EQ(code_of([&] { CellSpace<3>{options}; }), "invalid_argument -1");
  options = {}, options.refinement.factor = 0.5;
  EXPECT_EQ(code_of([&] { CellSpace<3>{options}; }), "invalid_argument -1");
  space.update({});
  EXPECT_EQ(space.counts().pieces, 0);
}

}  // namespace
