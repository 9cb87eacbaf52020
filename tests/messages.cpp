// SPDX-License-Identifier: BSD-3-Clause
// Messages of errors: in the user's words, about the user's numbers.
#include "hgrid/core/turn.hpp"
#include "hgrid/queries.hpp"
#include "support/gas.hpp"

namespace {

using hgrid::Box3;
using hgrid::ErrorCode;
using Vector = hgrid::Vec<double, 3>;

/// Returns whether f throws with that text in the message.
template <class F>
testing::AssertionResult says(const std::string& text, const F& f) {
  try {
    f();
  } catch (const hgrid::Error& e) {
    if (std::string(e.what()).find(text) != std::string::npos) return testing::AssertionSuccess();
    return testing::AssertionFailure() << e.what();
  }
  return testing::AssertionFailure() << "no error";
}

const Box3 cube = Box3::periodic({0, 0, 0}, {1, 1, 1});
const Box3 crystal = hgrid::box_of_vectors<3>({{{0, 2, 2}, {2, 0, 2}, {2, 2, 0}}}, {true, true, true});
const Box3 swapped = hgrid::box_of_vectors<3>({{{1, 0, 0}, {0, 0, 1}, {0, 1, 0}}}, {true, true, true});
const Box3 diagonal = hgrid::box_of_vectors<3>({{{3, 3, 3}, {0, 0, 0}, {0, 0, 0}}}, {true, false, false});

// A position is too far along the box's own vectors, while coordinates are the user's: a message has both, and mixes neither.
TEST(Messages, PositionsAreThoseGiven) {
  const auto build = [](const Box3& box, const Vector& x, double radius) {
    return [=] {
      hgrid::Grid grid{hgrid::SerialExec{}, box};
      grid.build(hgrid::particles<3>(x.v, &radius, 1));
    };
  };
  EXPECT_TRUE(says("positions of particle 0 (of 1 bad): y = 1e+15 is more than 2^30 periods outside the box",
                   build(cube, {0, 1e15, 0}, 0.1)));
  EXPECT_TRUE(says("x = 1e+15 is more than 2^29 times vector a outside the box", build(crystal, {1e15, 0, 0}, 0.1)));
  EXPECT_TRUE(says("z = -9e+14 is more than 2^29 times vector a outside the box", build(crystal, {0, 3, -9e14}, 0.1)));
  EXPECT_TRUE(says("y = 1e+15 is more than 2^30 times vector c outside the box", build(swapped, {0, 1e15, 0}, 0.1)));
  // Three vectors a come off with each vector b.
  EXPECT_TRUE(says("y = 500000000 is more than 2^29 times vector a", build(hgrid::tilted(cube, {3, 0, 0}), {0, 5e8, 0}, 0.1)));
  EXPECT_TRUE(says("x = 9e+14 leads beyond 1e15 along axis b of the turned box", build(diagonal, {9e14, -9e14, 0}, 1)));
  EXPECT_TRUE(says("needs more than 7 periodic images along axis a of the turned box; its period 1 must be at least 1.14",
                   build(swapped, {0.5, 0.5, 0.5}, 4)));
  EXPECT_TRUE(says("needs more than 7 periodic images along axis x; its period 1 must be", build(cube, {0.5, 0.5, 0.5}, 4)));
}

TEST(Messages, BoxesAreThoseGiven) {
  const auto of_vectors = [] {
    hgrid::Grid{hgrid::SerialExec{}, hgrid::box_of_vectors<2>({{{0, 1e-16}, {1, 0}}}, {true, true})};
  };
  EXPECT_TRUE(says("axis a of the turned box from 0 to 1e-16 is no period", of_vectors));
  EXPECT_TRUE(says("axis y from 0 to -1 is no period", [] {
    hgrid::Grid{hgrid::SerialExec{}, hgrid::Box2::periodic({0, 0}, {1, -1})};
  }));
}

TEST(Messages, RegionsFarOutsideAreNotCalledWide) {
  const double x[] = {0.1, 0.2, 0.3}, r[] = {0.2};
  for (const Box3& box : {cube, crystal}) {
    hgrid::Grid grid{hgrid::SerialExec{}, box};
    grid.build(hgrid::particles<3>(x, r, 1));
    const auto far = hgrid::Region<3>::point({0.1, -1e15, 0.3});
    const auto ask = [&] { grid.count(hgrid::Regions{&far, 1}); };
    EXPECT_EQ(support::expect_error(ErrorCode::range_error, ask).value, -1e15);
    EXPECT_TRUE(says("region 0: -1e+15 is more than 2^30 periods outside the box (2^29 if tilted)", ask));
    EXPECT_TRUE(says("radius_scale is -1; it must be from 0 to 1e15", [&] {
      grid.count(hgrid::Regions{&far, 1, hgrid::Take::touching, -1});
    }));
  }
}

TEST(Messages, RegionsSayWhatIsTheirRadius) {
  const double x[] = {0.1, 0.2, 0.3}, r[] = {0.2};
  hgrid::Grid grid{hgrid::SerialExec{}, Box3::open()};
  grid.build(hgrid::particles<3>(x, r, 1));
  const auto ask = [&](const Vector& at, double radius) {
    return [&grid, region = hgrid::Region<3>::sphere(at, radius)] { grid.count(hgrid::Regions{&region, 1}); };
  };
  EXPECT_TRUE(says("region 0: radius nan is not finite", ask({}, std::nan(""))));
  EXPECT_TRUE(says("region 0: radius -1 is negative", ask({}, -1)));
  EXPECT_TRUE(says("region 0: nan is not finite", ask({0, std::nan(""), 0}, 1)));
}

TEST(Messages, OneIsNotMany) {
  const double x[] = {0.1, 0.2, 0.3}, r[] = {0.2};
  hgrid::Grid grid{hgrid::SerialExec{}, Box3::open()};
  grid.build(hgrid::particles<3>(x, r, 1));
  std::int32_t room[2] = {};
  EXPECT_TRUE(says("a matrix of 2 lines for 1 particle", [&] {
    grid.find(hgrid::NeighbourMatrix<std::int32_t>{room, 2, 1}, {.kind = hgrid::ListKind::full});
  }));
  EXPECT_TRUE(says("a matrix of 0 lines for 1 particle", [&] {
    grid.find(hgrid::NeighbourMatrix<std::int32_t>{room, 0, 1}, {.kind = hgrid::ListKind::full});
  }));
  grid.set_boxes({cube});
  EXPECT_TRUE(says("1 box for 0 worlds", [&] { grid.build(hgrid::particles<3>(x, r, 1)); }));
}

}  // namespace
