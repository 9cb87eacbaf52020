// SPDX-License-Identifier: BSD-3-Clause
// Boxes along any vectors, tilts and shears: which are refused, and the numbers of some.
#pragma once

#include "support/fail.hpp"
#include "support/packings.hpp"

template <class Make>
void expect_refused_box(const Make& make) {
  try {
    make();
  } catch (const hgrid::Error& e) {
    if (e.code() != hgrid::ErrorCode::invalid_box) support::fail(e.what());
    return;
  }
  support::fail("a box that is none is accepted");
}

template <int D>
void expect_boxes_of(const hgrid::Vec<hgrid::Vec<double, D>, D>& vectors) {
  hgrid::Vec<bool, D> all{}, first{};
  for (int k = 0; k < D; ++k) all[k] = true;
  first[0] = true;
  const auto box = hgrid::box_of_vectors<D>(vectors, all);
  for (int j = 0; j < D; ++j) {
    hgrid::Image image{};
    image[j] = 1;
    const auto shift = hgrid::detail::shift_of(box, image);
    for (int k = 0; k < D; ++k)
      if (std::fabs(shift[k] - vectors[j][k]) > 1e-12) support::fail("a vector of a box");
  }
  hgrid::box_of_vectors<D>(vectors, first);
  for (int change = 0; change < 3; ++change) {
    auto bad = vectors;
    for (int k = 0; k < D; ++k) bad[1][k] = change == 0 ? std::nan("") : change == 1 ? 0 : 2 * bad[0][k];
    expect_refused_box([&] { hgrid::box_of_vectors<D>(bad, all); });
  }
  hgrid::Vec<double, D> lo{}, hi{};
  for (int k = 0; k < D; ++k) hi[k] = 2 + k;
  const auto cube = hgrid::Box<D>::periodic(lo, hi);
  auto mirrored = hgrid::sheared(cube, 0.5, 1, 0);
  if (!mirrored.turned || mirrored != hgrid::sheared(mirrored, 0, 1, 0)) support::fail("a shear along a later axis");
  hgrid::sheared(mirrored, 0.25, 1, 0), hgrid::sheared(cube, 0.25);
  if (hgrid::sheared(hgrid::Box<D>::periodic(lo, hi, first), 0.5, 1, 0).wraps[1]) support::fail("an open axis");
  for (const auto& [along, across] : {std::pair{0, 0}, {-1, 1}, {0, D}, {D, 0}})
    expect_refused_box([&, a = along, b = across] { hgrid::sheared(cube, 0.5, a, b); });
  for (const double tilt : {std::nan(""), 1e30, 0x1p30}) {
    hgrid::Vec<double, hgrid::Box<D>::tilts> tilts{};
    tilts[0] = tilt;
    expect_refused_box([&] { hgrid::tilted(cube, tilts); });
    tilts[0] = 0.5;
    expect_refused_box([&] { hgrid::tilted(hgrid::Box<D>::periodic(lo, hi, first), tilts); });
  }
  if (hgrid::Box<D>::of_axes(mirrored) != mirrored) support::fail("the axes of a box");
}

inline void expect_boxes() {
  expect_boxes_of<2>({{{1, 2}, {-1, 1}}});
  expect_boxes_of<2>({{{2, 0}, {0.5, 3}}});
  expect_boxes_of<3>({{{0, 1, 1}, {1, 0, 1}, {1, 1, 0}}});
  expect_boxes_of<3>({{{2, 0, 0}, {0.3, 2, 0}, {0.1, 0.2, 3}}});
}
