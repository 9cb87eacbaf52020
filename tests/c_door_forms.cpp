// SPDX-License-Identifier: BSD-3-Clause
// Arguments that a caller of the C API may leave out or pass in another form, and systems without particles.
#include "support/c_door.hpp"

#include "hgrid/version.hpp"

namespace {

using support::c_array;
using support::sized;

class CDoorForms : public ::testing::Test {
 protected:
  CDoorForms() {
    auto options = sized<hgrid_options>();
    options.dimension = 2;
    EXPECT_EQ(hgrid_create(&options, nullptr, &door_.grid), HGRID_OK);
    p_.positions = c_array(x_.data(), {4, 2});
    p_.radii = c_array(r_.data(), {4});
  }

  using Ids = std::vector<std::int32_t>;

  Ids pairs() {
    EXPECT_EQ(hgrid_build(door_.grid, &p_, 0), HGRID_OK);
    auto list = sized<hgrid_pair_list>();
    EXPECT_EQ(hgrid_pairs(door_.grid, HGRID_SORTED, &list), HGRID_OK);
    return {list.pairs, list.pairs + 2 * list.size};
  }

  Ids found(const hgrid_regions& regions) {
    auto list = sized<hgrid_neighbour_list>();
    EXPECT_EQ(hgrid_query(door_.grid, &regions, &list), HGRID_OK);
    Ids ids{list.neighbours, list.neighbours + list.size};
    for (int q = 0; q <= list.lists; ++q) ids.push_back(static_cast<int>(list.offsets[q]));
    return ids;
  }

  std::vector<double> x_{0, 0, 1, 0, 2.5, 0, 2.5, 1}, r_{0.6, 0.6, 1.0, 0.1};
  hgrid_particles p_ = sized<hgrid_particles>();
  support::DoorGrid door_;
};

TEST_F(CDoorForms, ZerosAreTheDefaults) {
  EXPECT_STREQ(hgrid_version(), HGRID_VERSION);
  EXPECT_EQ(pairs(), (Ids{0, 1, 1, 2, 2, 3}));
}

TEST_F(CDoorForms, OptionsOfAHeaderWithoutStreams) {
  auto options = sized<hgrid_options>();
  options.dimension = 2, options.struct_size = offsetof(hgrid_options, stream);
  options.stream = &options;  // after the last field of that header
  support::DoorGrid door;
  EXPECT_EQ(hgrid_create(&options, nullptr, &door.grid), HGRID_OK);
}

TEST_F(CDoorForms, RegionsOfAHeaderWithoutScales) {
  ASSERT_EQ(hgrid_build(door_.grid, &p_, 0), HGRID_OK);
  const std::vector<double> at{1.3, 0};
  auto regions = sized<hgrid_regions>();
  regions.lo = c_array(at.data(), {1, 2});
  regions.radius_scale = 0.2, regions.one_radius = 99;
  regions.struct_size = offsetof(hgrid_regions, radius_scale);
  EXPECT_EQ(found(regions), (Ids{1, 0, 1}));
  regions.struct_size = sizeof regions;
  EXPECT_EQ(found(regions), (Ids{0, 1, 2, 3, 0, 4}));
  regions.one_radius = 0.19;
  EXPECT_EQ(found(regions), (Ids{1, 0, 1})) << "0.3 away, and a fifth of 0.6 is left";
  regions.radius_scale = 0.1;
  EXPECT_EQ(found(regions), (Ids{0, 0}));
  regions.radius_scale = -1;
  auto list = sized<hgrid_neighbour_list>();
  EXPECT_EQ(hgrid_query(door_.grid, &regions, &list), HGRID_ERROR_INVALID_ARGUMENT);
}

TEST_F(CDoorForms, OneRadiusForAll) {
  const double one = 0.51;
  p_.radii = c_array(&one, {4}, {0});
  EXPECT_EQ(pairs(), (Ids{0, 1, 2, 3}));
  p_.radius_scale = 2;
  EXPECT_EQ(pairs(), (Ids{0, 1, 1, 2, 1, 3, 2, 3}));
  p_.radii = {}, p_.radius_scale = one;
  EXPECT_EQ(pairs(), (Ids{0, 1, 2, 3}));
  p_.radius_scale = 0.76;
  EXPECT_EQ(pairs(), (Ids{0, 1, 1, 2, 2, 3}));
}

TEST_F(CDoorForms, FlagsMayBeBool) {
  const std::vector<std::uint8_t> active{1, 1, 0, 1};
  p_.active = hgrid_array_1d(active.data(), HGRID_BOOL, 4);
  EXPECT_EQ(pairs(), (Ids{0, 1}));
}

TEST_F(CDoorForms, GhostsAreTheLast) {
  p_.ghosts = 2;
  EXPECT_EQ(pairs(), (Ids{0, 1, 1, 2}));
  p_.ghosts = 4;
  EXPECT_EQ(pairs(), Ids{});
}

TEST_F(CDoorForms, StridesMayBeNegative) {
  p_.positions = c_array(x_.data() + 6, {4, 2}, {-2, 1});
  p_.radii = c_array(r_.data() + 3, {4}, {-1});
  EXPECT_EQ(pairs(), (Ids{0, 1, 1, 2, 2, 3}));
}

TEST_F(CDoorForms, RegionsWithoutExtentAreSpheresAndPoints) {
  pairs();
  const std::vector<double> at{0.5, 0, 2.5, 0.95}, none{0, 0}, some{0.2, 0.2};
  const std::vector<float> single{0.5f, 0, 2.5f, 0.95f};
  auto regions = sized<hgrid_regions>();
  regions.lo = c_array(at.data(), {2, 2});
  const Ids points = found(regions);
  EXPECT_EQ(points, (Ids{0, 1, 2, 3, 0, 2, 4}));
  regions.hi = regions.lo, regions.radius = c_array(none.data(), {2});
  EXPECT_EQ(found(regions), points);
  regions.hi = {}, regions.radius = c_array(some.data(), {2}), regions.take = HGRID_CENTRES;
  EXPECT_EQ(found(regions), (Ids{3, 0, 0, 1}));
  regions.lo = c_array(single.data(), {2, 2});
  EXPECT_EQ(found(regions), (Ids{3, 0, 0, 1}));
}

TEST_F(CDoorForms, ABoxMayBeSetAndTakenBack) {
  auto box = sized<hgrid_box>();
  box.periodic[0] = 1, box.hi[0] = 3.5;
  EXPECT_EQ(hgrid_set_box(door_.grid, &box), HGRID_OK);
  EXPECT_EQ(pairs(), (Ids{0, 1, 0, 2, 1, 2, 2, 3}));
  EXPECT_EQ(hgrid_set_box(door_.grid, nullptr), HGRID_OK);
  EXPECT_EQ(pairs(), (Ids{0, 1, 1, 2, 2, 3}));
}

TEST_F(CDoorForms, NoParticlesAndNoRegions) {
  for (const bool in_columns : {false, true}) {
    p_ = sized<hgrid_particles>();
    p_.radii = hgrid_array_1d(nullptr, HGRID_FLOAT64, 0);
    if (in_columns) p_.columns[0] = p_.columns[1] = p_.radii;
    if (!in_columns) p_.positions = hgrid_array_2d(nullptr, HGRID_FLOAT64, 0, 2);
    EXPECT_EQ(pairs(), Ids{});
    auto list = sized<hgrid_neighbour_list>();
    EXPECT_EQ(hgrid_neighbours(door_.grid, HGRID_FULL, &list), HGRID_OK);
    EXPECT_TRUE(list.lists == 0 && list.size == 0 && list.offsets[0] == 0);
    const hgrid_array nothing = hgrid_array_2d(nullptr, HGRID_INT32, 0, 2);
    std::int64_t number = 77;
    EXPECT_EQ(hgrid_pairs_into(door_.grid, &nothing, nullptr, &number), HGRID_OK);
    EXPECT_EQ(number, 0);
    auto regions = sized<hgrid_regions>();
    regions.lo = hgrid_array_2d(nullptr, HGRID_FLOAT32, 0, 2);
    EXPECT_EQ(found(regions), Ids{0});
    auto matrix = sized<hgrid_neighbour_matrix>();
    matrix.neighbours = nothing, matrix.neighbours.shape[1] = 0;
    EXPECT_EQ(hgrid_matrix(door_.grid, HGRID_FULL, &matrix, &number), HGRID_OK);
    EXPECT_EQ(number, 0);
  }
}

}  // namespace
