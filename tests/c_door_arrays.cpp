// SPDX-License-Identifier: BSD-3-Clause
// Bad arrays of particles, passed to each function of the C API that takes some.
#include "support/c_door_errors.hpp"

namespace {

using support::c_array;
using support::CDoorErrors;
using support::nan;

TEST_F(CDoorErrors, ArraysOfParticles) {
  std::vector<std::int32_t> group(4, -1), types(4, 0), ids{1, 0};
  std::vector<std::int64_t> begin{0, 1, 2, 2, 2};
  std::vector<std::uint8_t> active(4, 1);
  std::vector<double> cutoffs{1, 1, 1, 1}, extra(4, 0);
  const hgrid_particles plain = p_;
  const auto with = [&](const auto& add, const auto& check) {
    p_ = plain;
    add(), check();
    p_ = plain;
  };
  expect_array(
      "positions", [](auto& p) -> hgrid_array& { return p.positions; }, HGRID_INT64);
  expect_array(
      "radii", [](auto& p) -> hgrid_array& { return p.radii; }, HGRID_FLOAT32);
  const std::vector<double> halves(12, 0.1);
  with(
      [&] {
        p_.extents = c_array(halves.data(), {4, 3}), p_.radii = {};
      },
      [&] {
        expect_array(
            "extents", [](auto& p) -> hgrid_array& { return p.extents; }, HGRID_FLOAT32);
      });
  with([&] { p_.extra = c_array(extra.data(), {4}); },
       [&] {
         expect_column(
             "extra", [](auto& p) -> hgrid_array& { return p.extra; }, HGRID_FLOAT32);
       });
  with([&] { p_.group = c_array(group.data(), {4}); },
       [&] {
         expect_column(
             "group", [](auto& p) -> hgrid_array& { return p.group; }, HGRID_INT64);
       });
  with([&] { p_.active = c_array(active.data(), {4}); },
       [&] {
         expect_column(
             "active", [](auto& p) -> hgrid_array& { return p.active; }, HGRID_INT32);
       });
  with(
      [&] {
        p_.excluded_pairs = c_array(ids.data(), {1, 2});
      },
      [&] {
        expect_array(
            "excluded_pairs", [](auto& p) -> hgrid_array& { return p.excluded_pairs; }, HGRID_INT64);
      });
  const auto lists = [&] { p_.excluded_begin = c_array(begin.data(), {5}), p_.excluded_ids = c_array(ids.data(), {2}); };
  with(lists, [&] {
    expect_column(
        "excluded_begin", [](auto& p) -> hgrid_array& { return p.excluded_begin; }, HGRID_INT32, 5);
  });
  with(lists, [&] {
    expect_array(
        "excluded_ids", [](auto& p) -> hgrid_array& { return p.excluded_ids; }, HGRID_INT64);
  });
  const auto table = [&] { p_.types = c_array(types.data(), {4}), p_.cutoffs = c_array(cutoffs.data(), {2, 2}); };
  with(table, [&] {
    expect_column(
        "types", [](auto& p) -> hgrid_array& { return p.types; }, HGRID_INT64);
  });
  with(table, [&] {
    expect_array(
        "cutoffs", [](auto& p) -> hgrid_array& { return p.cutoffs; }, HGRID_FLOAT32);
  });
  const auto worlds = [&] { p_.world = c_array(types.data(), {4}), p_.worlds = 2; };
  with(worlds, [&] {
    expect_column(
        "world", [](auto& p) -> hgrid_array& { return p.world; }, HGRID_INT64);
  });
  const auto columns = [&] {
    p_.positions = {};
    for (int k = 0; k < 3; ++k) p_.columns[k] = c_array(x_.data() + 4 * k, {4});
  };
  for (const int k : {1, 2}) {
    with(columns, [&] {
      expect_array(
          "columns", [&](auto& p) -> hgrid_array& { return p.columns[k]; }, HGRID_FLOAT32);
    });
  }
}

TEST_F(CDoorErrors, ArraysThatDoNotGoTogether) {
  std::vector<std::int32_t> ids{1, 0};
  std::vector<double> cutoffs{1, 1, 1, 1};
  const auto refuse = [&](int status, const char* argument, const std::function<void(hgrid_particles&)>& change) {
    expect_particles(status, change, argument);
  };
  constexpr int bad = HGRID_ERROR_INVALID_ARGUMENT, size = HGRID_ERROR_SIZE_MISMATCH;
  refuse(size, "positions", [](auto& p) { p.positions.shape[1] = 2; });
  refuse(size, "radii", [](auto& p) { p.positions.shape[0] = 3; });
  refuse(size, "positions", [](auto& p) { p.positions.shape[0] = std::numeric_limits<std::int64_t>::max(); });
  refuse(HGRID_ERROR_TOO_MANY_PARTICLES, "positions", [](auto& p) { p.positions.shape[0] = std::int64_t{1} << 31; });
  refuse(bad, "positions", [](auto& p) { p.positions = {}, p.columns[0] = {}; });
  refuse(bad, "radii", [](auto& p) { p.radii = {}; });
  refuse(bad, "columns", [&](auto& p) { p.columns[0] = c_array(x_.data(), {4}); });
  refuse(bad, "columns", [&](auto& p) {
    p.positions = {};
    for (int k = 0; k < 3; ++k) p.columns[k] = c_array(x_.data(), {4}, {k == 2 ? 2 : 1});
  });
  refuse(size, "excluded_pairs", [&](auto& p) { p.excluded_pairs = c_array(ids.data(), {2, 1}); });
  refuse(bad, "excluded_begin", [&](auto& p) { p.excluded_ids = c_array(ids.data(), {2}); });
  refuse(bad, "excluded_pairs", [&](auto& p) { p.excluded_pairs = c_array(ids.data(), {1, 2}), p.excluded_ids = p.radii; });
  refuse(bad, "types", [&](auto& p) { p.cutoffs = c_array(cutoffs.data(), {2, 2}); });
  refuse(size, "cutoffs", [&](auto& p) { p.cutoffs = c_array(cutoffs.data(), {4, 1}), p.types = p.radii; });
  refuse(bad, "cutoffs", [&](auto& p) { p.cutoffs = c_array(cutoffs.data(), {0, 0}), p.types = p.radii; });
  for (const int n : {-1, 0, (1 << 20) + 1}) {
    refuse(bad, "worlds", [&](auto& p) { p.world = c_array(ids.data(), {2}), p.worlds = n; });
  }
  refuse(bad, "world", [](auto& p) { p.worlds = 2; });
  for (const int bits : {-1, 256}) refuse(bad, "active_bits", [&](auto& p) { p.active_bits = bits; });
  for (const int n : {-1, 5, std::numeric_limits<int>::min()}) refuse(size, "ghosts", [&](auto& p) { p.ghosts = n; });
  for (const int n : {-1, 2}) refuse(bad, "nonfinite", [&](auto& p) { p.nonfinite = n; });
  for (const double scale : {-1.0, nan, HUGE_VAL}) {
    p_.radius_scale = scale;
    expect(bad, build());
  }
  p_.radius_scale = 0;
  for (const double skin : {-1.0, nan, HUGE_VAL}) expect(bad, hgrid_build(door_.grid, &p_, skin));
}

TEST_F(CDoorErrors, DataNamesParticleAndValue) {
  const auto expect_build = [&](int status, std::int64_t index, double value) {
    const support::Verdict v = expect(status, build());
    EXPECT_EQ(v.index, index);
    EXPECT_TRUE(v.value == value || (std::isnan(value) && std::isnan(v.value))) << v.value;
    EXPECT_EQ(v.count, 1);
  };
  for (const double bad : {nan, HUGE_VAL}) {
    const double before = std::exchange(x_[7], bad);
    expect_build(HGRID_ERROR_NONFINITE, 2, bad);
    x_[7] = before;
  }
  for (const auto& [radius, status] :
       {std::pair{-2.0, HGRID_ERROR_NEGATIVE_RADIUS}, {1e16, HGRID_ERROR_RANGE}, {200.0, HGRID_ERROR_BOX_TOO_SMALL}}) {
    const double before = std::exchange(r_[1], radius);
    expect_build(status, 1, radius);
    r_[1] = before;
  }
  const std::vector<std::int32_t> ids{1, 7};
  p_.excluded_pairs = c_array(ids.data(), {1, 2});
  EXPECT_EQ(expect(HGRID_ERROR_RANGE, build()).value, 7);
}

// numpy's empty arrays may lie anywhere.
TEST_F(CDoorErrors, AnArrayOfNothingMayLieAnywhere) {
  const auto* const odd = reinterpret_cast<const char*>(x_.data()) + 1;
  p_.positions = hgrid_array_2d(odd, HGRID_FLOAT64, 0, 3), p_.radii = hgrid_array_1d(odd, HGRID_FLOAT64, 0);
  EXPECT_EQ(hgrid_build(empty_.grid, &p_, 0), HGRID_OK) << support::verdict_of_door(8).message;
  p_.positions.shape[0] = 1;
  EXPECT_EQ(hgrid_build(empty_.grid, &p_, 0), HGRID_ERROR_INVALID_ARGUMENT);
}

}  // namespace
