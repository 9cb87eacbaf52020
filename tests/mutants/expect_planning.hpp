// SPDX-License-Identifier: BSD-3-Clause
// What planning is told of the radii, and when it is asked again.
#pragma once

#include <cmath>

#include "hgrid/engine/inspect.hpp"
#include "hgrid/engine/judged_inputs.hpp"
#include "host/engine/input_batches.hpp"
#include "support/fail.hpp"
#include "support/pieces_exec.hpp"
#include "support/random.hpp"
#include "support/user_arrays.hpp"

// Radii lie in their classes, and all that take part are counted, each once, however many parts count.
template <class Exec>
void expect_radius_classes() {
  support::Random random(13);
  oracle::System s;
  s.skip_nonfinite = true;
  std::vector<hgrid::offset_t> expected(hgrid::detail::radius_classes);
  for (int i = 0; i < 3000; ++i) {
    const double r = i % 9 == 0 ? 0 : random.log_real(1e-15, 1e15);
    const int c = hgrid::detail::radius_class(r);
    if (r == 0 ? c != 0 : !(hgrid::detail::radius_class_begin(c) <= r && r < hgrid::detail::radius_class_begin(c + 1)))
      support::fail("a radius outside its class");
    s.particles.push_back({.radius = i % 7 == 0 ? std::nan("") : r, .active = i % 5 != 0});
    if (i % 7 != 0 && i % 5 != 0) ++expected[static_cast<std::size_t>(c)];
  }
  const support::UserArrays<double, 3> arrays(s);
  std::vector<hgrid::offset_t> counts(hgrid::detail::radius_classes);
  const hgrid::detail::CountRadius<Exec, double, 3> count{arrays.view(), counts.data()};
  for (hgrid::offset_t i = 0; i < arrays.view().count; ++i) count(i);
  if (counts != expected) support::fail("radii miscounted one by one");
  for (const int parts : {1, 4}) {
    std::vector<hgrid::offset_t> by_part(static_cast<std::size_t>(parts) * hgrid::detail::radius_classes),
        sum(hgrid::detail::radius_classes);
    hgrid::detail::count_radii(support::PiecesExec<4>(), arrays.view(), parts, by_part.data());
    for (std::size_t k = 0; k < by_part.size(); ++k) sum[k % hgrid::detail::radius_classes] += by_part[k];
    if (sum != expected) support::fail("radii miscounted");
    for (int part = 0; part < parts; ++part) {
      if (by_part[static_cast<std::size_t>(part) * hgrid::detail::radius_classes] == 0)
        support::fail("a part that counts elsewhere");
    }
  }
}

// Levels are judged anew where numbers or the largest radius leave what was judged, not where they return to it.
inline void expect_judged() {
  hgrid::detail::JudgedInputs judged;
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
