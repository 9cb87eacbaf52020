// SPDX-License-Identifier: BSD-3-Clause
// Particles with half extents on ranks: which ranks get them as ghosts, and their errors.
#include <limits>

#include "ranks/drifting.hpp"
#include "ranks/rank_errors.hpp"

namespace {

using support::RankErrors;

/// Boxes that are shared out, and the last rank, which errs.
class RanksOfBoxes : public RankErrors {
 protected:
  using Share = support::Share<double, 3>;

  RanksOfBoxes() {
    grid.rebalance(boxes.x, boxes.sizes());
    grid.migrate(boxes.x, boxes.sizes(), boxes.id);
    build(boxes);
  }

  void build(Share& from) { grid.build(from.x, from.sizes(), from.id, {.skin = 0.01}); }
  support::Contacts expected() const { return support::numbered(oracle::contacts(flat), 2); }

  static oracle::System flattened(oracle::System s) {
    s.extended = true, s.skin = 0.01;
    support::Random random(4);
    for (oracle::Particle& p : s.particles) {
      for (double& h : p.extent) h = p.radius * random.log_real(0.01, 4);
    }
    return s;
  }

  const oracle::System flat = flattened(system);
  Share boxes = support::share_of<double, 3>(flat, 2);
};

// One too few would be a wrong result, and one too many a message in vain.
TEST_F(RanksOfBoxes, AreGhostsWhereTheyMeetTheBoxOfARank) {
  std::int64_t ghosts = 0, around = 0;  // and of spheres around them
  for (const oracle::Particle& p : flat.particles) {
    const auto home = hgrid::wrap(grid.box(), {p.x[0], p.x[1], p.x[2]}).inside;
    const double radius = *std::max_element(p.extent, p.extent + 3) + 0.005;
    for (const auto& rank : grid.boxes()) {
      bool meets = false, is_near = false;
      for (int m = 0; m < 27; ++m) {
        double squared = 0;
        bool together = true;
        for (int k = 0, rest = m; k < 3; ++k, rest /= 3) {
          const double x = home[k] + (rest % 3 - 1) * grid.box().length(k);
          const double beyond = std::max({0.0, rank.lo[k] - x, x - rank.hi[k]});
          together = together && beyond <= p.extent[k] + 0.005;
          squared += beyond * beyond;
        }
        meets = meets || together, is_near = is_near || squared <= radius * radius;
      }
      ghosts += meets && !rank.owns(home), around += is_near && !rank.owns(home);
    }
  }
  std::int64_t own = grid.ghosts(), all = 0;
  MPI_Allreduce(&own, &all, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  EXPECT_EQ(all, ghosts);
  EXPECT_TRUE(last == 0 || 2 * ghosts < around) << ghosts << " of " << around;
  EXPECT_TRUE(support::everywhere(support::contacts_of_ranks(grid) == expected()));
}

TEST_F(RanksOfBoxes, HaveExtentsAndNoRadii) {
  std::vector<double> half = boxes.r;
  grid.update(hgrid::Field{half, 3});
  EXPECT_TRUE(support::everywhere(half == grid.extents() && grid.radii().empty()));
  RankErrors::build();
  EXPECT_TRUE(support::everywhere(grid.extents().empty() && grid.radii().size() == grid.ids().size()));
  expect_as_before();
}

TEST_F(RanksOfBoxes, ErrorsOfOneReachAll) {
  const double no_number = std::numeric_limits<double>::quiet_NaN(), wide = 4 * grid.box().length(1);
  const std::pair<double, ErrorCode> faults[] = {{no_number, ErrorCode::nonfinite},
                                                 {-1, ErrorCode::negative_radius},
                                                 {1e-17, ErrorCode::range_error},
                                                 {wide, ErrorCode::box_too_small}};
  for (const auto& [value, code] : faults) {
    Share wrong = boxes;
    if (errs) wrong.r[3 * 7 + 1] = value;
    expect_everywhere(code, 7, [&] { build(wrong); });
    expect_everywhere(code, 7, [&] { grid.rebalance(wrong.x, wrong.sizes()); });
    expect_everywhere(code, 7, [&] { grid.migrate(wrong.x, wrong.sizes(), wrong.id); });
  }
  Share wrong = boxes;
  if (errs) wrong.x[3 * 7] = wrong.r[3 * 7] = no_number;
  expect_everywhere(ErrorCode::nonfinite, 7, [&] { build(wrong); });
  wrong = boxes;
  if (errs) wrong.r.pop_back();
  expect_everywhere(ErrorCode::size_mismatch, -1, [&] { build(wrong); });
  EXPECT_TRUE(support::everywhere(support::contacts_of_ranks(grid) == expected())) << "the grid is as it was";
}

TEST_F(RanksOfBoxes, OtherWidthsAreRefused) {
  EXPECT_EQ(thrown([&] {
              grid.build(boxes.x, hgrid::Field{boxes.r, 2}, boxes.id);
            }).code,
            static_cast<int>(ErrorCode::size_mismatch));
  if (last == 0) return;
  std::vector<double> radii(boxes.id.size(), 0.01);
  const auto code = thrown([&] { grid.build(boxes.x, errs ? hgrid::Field{radii} : boxes.sizes(), boxes.id); }).code;
  EXPECT_TRUE(support::everywhere(code == static_cast<int>(ErrorCode::invalid_argument))) << code;
}

TEST_F(RanksOfBoxes, RegionsAreForSpheres) {
  hgrid::DistributedQueries queries(grid);
  hgrid::GlobalNeighbours found;
  EXPECT_EQ(thrown([&] { queries.find({}, found); }).code, static_cast<int>(ErrorCode::unsupported));
  EXPECT_EQ(thrown([&] { queries.for_each({}, [](auto&&...) {}); }).code, static_cast<int>(ErrorCode::unsupported));
}

// A list of spheres is rebuilt for boxes at equal places, and keeps their springs.
TEST_F(RanksOfBoxes, ReplaceSpheresInAList) {
  hgrid::DistributedVerletList list(grid, {.skin = 0.01});
  EXPECT_TRUE(list.update(share.x, share.r, share.id));
  EXPECT_FALSE(list.update(share.x, share.r, share.id));
  Share same = share;
  same.x.resize(3 * same.id.size()), same.r.clear(), same.width = 3;
  for (const std::int64_t id : same.id) {
    const auto& p = flat.particles[static_cast<std::size_t>((id - support::global_id(2, 0)) / 3)];
    same.r.insert(same.r.end(), p.extent, p.extent + 3);
  }
  EXPECT_TRUE(list.update(same.x, same.sizes(), same.id));
  EXPECT_FALSE(list.update(same.x, same.sizes(), same.id));
  EXPECT_TRUE(support::everywhere(support::contacts_of_ranks(grid) == expected()));
  if (errs) same.r[0] += 0.006;
  EXPECT_TRUE(list.update(same.x, same.sizes(), same.id)) << "one has grown by more than half the skin";
}

// Ranks without particles learn that other ranks' particles are boxes.
TEST(RanksWithoutBoxes, TakePart) {
  hgrid::DistributedGrid<hgrid::SerialExec, 3> grid(hgrid::SerialExec{}, hgrid::Box3{}, MPI_COMM_WORLD);
  std::vector<double> x, half;
  std::vector<std::int64_t> id;
  if (support::this_rank() == 0) x = {0, 0, 0, 1, 0, 0}, half = {0.5, 0, 0, 0.5, 1, 0}, id = {4, 9};
  grid.rebalance(x, hgrid::Field{half, 3});
  grid.migrate(x, hgrid::Field{half, 3}, id);
  grid.build(x, hgrid::Field{half, 3}, id);
  EXPECT_EQ(support::contacts_of_ranks(grid).size(), 1U);
  hgrid::DistributedVerletList list(grid, {.skin = 0.1});
  EXPECT_TRUE(list.update(x, hgrid::Field{half, 3}, id));
  EXPECT_FALSE(list.update(x, hgrid::Field{half, 3}, id));
}

}  // namespace
