// SPDX-License-Identifier: BSD-3-Clause
// Particles with extents: faults of them, the distance of touching, and lists that grow stale.
#pragma once

#include "support/fail.hpp"
#include "support/gas.hpp"
#include "support/random.hpp"
#include "support/results.hpp"

struct ExtendedSystem {
  std::vector<double> x, h;

  hgrid::Particles<double, 3> view() const {
    return hgrid::extended_particles<3>(x.data(), h.data(), static_cast<std::int64_t>(x.size() / 3));
  }
};

inline ExtendedSystem random_boxes(int n) {
  support::Random random(5);
  ExtendedSystem s;
  for (int i = 0; i < 3 * n; ++i) s.x.push_back(random.real(0, 30)), s.h.push_back(random.real(0.1, 1));
  return s;
}

/// Expects that a particle with a bad extent along any axis is named, on hosts at once, on a device by the next call.
template <class Exec>
void expect_bad_extents(const Exec& exec) {
  using hgrid::ErrorCode;
  const std::pair<double, ErrorCode> bad[] = {{std::nan(""), ErrorCode::nonfinite},
                                              {-1, ErrorCode::negative_radius},
                                              {1e-16, ErrorCode::range_error},
                                              {1e16, ErrorCode::range_error},
                                              {300, ErrorCode::box_too_small}};
  for (const auto& [value, code] : bad) {
    for (std::size_t k = 0; k < 3; ++k) {
      ExtendedSystem s = random_boxes(50);
      hgrid::Grid<Exec, 3> grid(exec, hgrid::Box3::periodic({0, 0, 0}, {30, 30, 30}));
      grid.build(s.view());
      s.h[3 * 17 + k] = value;
      bool accepted = true;
      try {
        grid.build(s.view());
        grid.count();
      } catch (const hgrid::Error& e) {
        accepted = e.code() != code || e.detail().index != 17 || e.detail().argument != "extents";
      }
      if (accepted) support::fail("a bad extent");
    }
  }
}

/// A bad extra distance is named, too.
template <class Exec>
void expect_bad_extra(const Exec& exec) {
  const ExtendedSystem s = random_boxes(50);
  std::vector<double> extra(50, 0.1);
  extra[17] = -1;
  auto view = s.view();
  view.extra = extra.data();
  hgrid::Grid<Exec, 3> grid(exec);
  bool accepted = true;
  try {
    grid.build(view);
    grid.count();
  } catch (const hgrid::Error& e) {
    accepted = e.detail().index != 17 || e.detail().argument != "extra";
  }
  if (accepted) support::fail("a bad extra distance of a box");
}

/// A period hardly longer than the shortest length.
template <class Exec>
void expect_short_period(const Exec& exec) {
  ExtendedSystem s = random_boxes(300);
  for (std::size_t i = 0; i < 300; ++i) s.x[3 * i] = s.h[3 * i] = 0, s.h[3 * i + 1] *= i % 10 == 0 ? 20 : 0.1;
  const hgrid::GridOptions many_levels{.costs = hgrid::SearchCosts{1, 0.5, 60, 0.5, 0.5, 1}};
  hgrid::Grid<Exec, 3> open(exec, hgrid::Box3::open(), many_levels);
  hgrid::Grid<Exec, 3> tiny(exec, hgrid::Box3::periodic({0, 0, 0}, {1e-15, 1, 1}, {{true, false, false}}), many_levels);
  open.build(s.view()), tiny.build(s.view());
  if (open.count() != tiny.count()) support::fail("boxes in the shortest period");
}

/// Puts a plate, and cubes at the distance at which they touch it along an axis, give or take the resolution of single
/// precision.
template <class Exec>
void expect_border_of_plate(const Exec& exec) {
  support::Random random(6);
  ExtendedSystem s{{1000, 1000, 1000}, {300, 300, 0.5}};
  for (int i = 0; i < 600; ++i) {
    const int axis = random.integer(0, 2);
    for (int k = 0; k < 3; ++k) {
      const double reach = s.h[static_cast<std::size_t>(k)] + 1;
      s.x.push_back(1000 + random.sign() * reach * (k == axis ? 1 + random.real(-8, 8) * 0x1p-24 : random.real()));
      s.h.push_back(1);
    }
  }
  hgrid::Grid<Exec, 3> grid(exec), plain(exec, hgrid::Box3::open(), {.schedule = hgrid::Schedule::plain});
  grid.build(s.view()), plain.build(s.view());
  auto found = grid.make_pairs(), expected = plain.make_pairs();
  grid.find(found, {.order = hgrid::Order::sorted}), plain.find(expected, {.order = hgrid::Order::sorted});
  if (support::as_listed(exec, found) != support::as_listed(exec, expected)) support::fail("the border of a plate");
}

/// A list is stale once an extent has grown, along whichever axis.
template <class Exec>
void expect_stale_extents(const Exec& exec) {
  for (std::size_t k = 0; k < 3; ++k) {
    ExtendedSystem s = random_boxes(50);
    hgrid::Grid<Exec, 3> grid(exec);
    grid.build(s.view(), {.skin = 0.2});
    if (!grid.valid(s.view())) support::fail("boxes that stay are stale");
    s.h[3 * 17 + k] += 0.09;
    if (!grid.valid(s.view())) support::fail("boxes within their margins are stale");
    s.h[3 * 17 + k] += 0.02;
    if (grid.valid(s.view())) support::fail("boxes that have grown are not stale");
  }
}

template <class Exec>
void expect_extents(const Exec& exec) {
  expect_bad_extents(exec);
  expect_bad_extra(exec);
  expect_short_period(exec);
  expect_border_of_plate(exec);
  expect_stale_extents(exec);
}
