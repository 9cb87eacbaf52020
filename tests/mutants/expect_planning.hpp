// SPDX-License-Identifier: BSD-3-Clause
// What planning is told of the radii, and when it is asked again.
#pragma once

#include <cmath>

#include "hgrid/build/inspect.hpp"
#include "hgrid/build/judged_inputs.hpp"
#include "support/fail.hpp"
#include "support/random.hpp"
#include "support/user_arrays.hpp"

// Radii lie in their classes, and all that take part are counted, each once, however many pieces count.
template <class Exec>
void expect_radius_classes() {
  support::Random random(13);
  oracle::System s;
  s.skip_nonfinite = true;
  std::vector<hgrid::offset_t> expected(hgrid::radius_classes);
  for (int i = 0; i < 3000; ++i) {
    const double r = i % 9 == 0 ? 0 : random.log_real(1e-15, 1e15);
    const int c = hgrid::radius_class(r);
    if (r == 0 ? c != 0 : !(hgrid::radius_class_begin(c) <= r && r < hgrid::radius_class_begin(c + 1)))
      support::fail("a radius outside its class");
    s.particles.push_back({.radius = i % 7 == 0 ? std::nan("") : r, .active = i % 5 != 0});
    if (i % 7 != 0 && i % 5 != 0) ++expected[static_cast<std::size_t>(c)];
  }
  const support::UserArrays<double, 3> arrays(s);
  for (const int pieces : {1, 4}) {
    std::vector<hgrid::offset_t> counts(static_cast<std::size_t>(pieces) * hgrid::radius_classes), sum(hgrid::radius_classes);
    const hgrid::CountRadii<Exec, double, 3> count{arrays.view(), pieces, counts.data()};
    for (int piece = 0; piece < pieces; ++piece) {
      count(piece);
      if (counts[static_cast<std::size_t>(piece) * hgrid::radius_classes] == 0) support::fail("a piece that counts elsewhere");
    }
    for (std::size_t k = 0; k < counts.size(); ++k) sum[k % hgrid::radius_classes] += counts[k];
    if (sum != expected) support::fail("radii miscounted");
  }
}

// Levels are judged anew where numbers or the largest radius leave what was judged, not where they return to it.
inline void expect_judged() {
  hgrid::JudgedInputs judged;
  if (judged.covers(1000, 1)) support::fail("inputs that were never judged");
  judged.add(1000, 1), judged.add(2000, 2);
  for (const double radius : {1.0, 1.5, 2.0}) {
    for (const hgrid::offset_t n : {1000, 1500, 2000}) {
      if (!judged.covers(n, radius)) support::fail("judged inputs are forgotten");
    }
  }
  for (const hgrid::offset_t n : {700, 2700}) {
    if (judged.covers(n, 1.5)) support::fail("numbers that were not judged");
  }
  for (const double radius : {0.8, 2.3}) {
    if (judged.covers(1500, radius)) support::fail("radii that were not judged");
  }
}
