// SPDX-License-Identifier: BSD-3-Clause
// The rule of ranks, without ranks: space is cut at random, and each contact of the oracle must be reported on one rank, which
// knows both of its particles.
#pragma once

#include "hgrid/ranks/rank_rules.hpp"
#include "support/fail.hpp"
#include "support/rank_systems.hpp"
#include "support/user_arrays.hpp"

/// Cuts a box at random, often just at a particle.
template <int D>
std::vector<hgrid::RankBox<D>> cut_at_random(const oracle::System& s, const hgrid::Box<D>& box, int ranks,
                                             support::Random& random) {
  std::vector boxes{hgrid::RankBox<D>::all_of(box)};
  while (static_cast<int>(boxes.size()) < ranks) {
    auto& whole = boxes[static_cast<std::size_t>(random.integer(0, static_cast<int>(boxes.size()) - 1))];
    auto half = whole;
    const int k = random.integer(0, D - 1);
    const auto& p = s.particles[static_cast<std::size_t>(random.integer(0, static_cast<int>(s.particles.size()) - 1))];
    double at = box.wraps[k] ? hgrid::wrap(p.x[k], box.lo[k], box.hi[k]).inside : p.x[k];
    if (random.chance(0.5)) at += random.real(-1, 1) * (s.extended ? p.extent[k] : p.radius);
    if (!(whole.lo[k] < at && at < whole.hi[k])) at = whole.lo[k];  // the half is empty then
    whole.hi[k] = half.lo[k] = at;
    boxes.push_back(half);
  }
  return boxes;
}

template <int D>
void expect_one_reporter(const oracle::System& s, support::Random& random) {
  const auto box = support::box_of<D>(s);
  const auto boxes = cut_at_random<D>(s, box, random.integer(2, 9), random);
  const auto partner = [&](std::int64_t id) {
    const oracle::Particle& p = s.particles[static_cast<std::size_t>(id)];
    const auto one = s.extended ? hgrid::extended_particles<D>(p.x, p.extent, 1) : hgrid::particles<D>(p.x, &p.radius, 1);
    return hgrid::detail::Partner<D>{hgrid::wrap(box, one.position_of(0)), hgrid::detail::body_of(one, 0).half, id};
  };
  const auto knows = [&](const hgrid::RankBox<D>& rank, const hgrid::detail::Partner<D>& p) {
    const auto known = hgrid::detail::known_within(box, p.at.inside, {p.half, s.extended}, s.skin);
    bool touched = false;
    hgrid::detail::for_each_image_near(box, p.at.inside, known.half,
                                       [&](const auto& image) { touched = touched || known.meets(rank, image); });
    return touched;
  };
  for (const oracle::Contact& c : oracle::contacts(s)) {
    if (c.i == c.j) continue;
    hgrid::Image image{};
    for (int k = 0; k < D; ++k) image[k] = static_cast<std::int32_t>(c.m[static_cast<std::size_t>(k)]);
    const auto i = partner(c.i), j = partner(c.j);
    const auto point = hgrid::detail::contact_point(box, i, j, image, s.skin);
    if (!(point == hgrid::detail::contact_point(box, j, i, -image, s.skin))) support::fail("ranks differ in a contact point");
    int reporters = 0;
    for (const auto& rank : boxes) {
      if (!rank.owns(point)) continue;
      ++reporters;
      if (!knows(rank, i) || !knows(rank, j)) support::fail("a rank does not know what it has to report");
    }
    if (reporters != 1) support::fail("a contact has no rank, or several");
  }
}

inline void expect_ranks() {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const oracle::System s = support::system_for_ranks(seed);
    if (s.particles.size() > 200) continue;
    support::Random random(seed);
    s.dimension == 2 ? expect_one_reporter<2>(s, random) : expect_one_reporter<3>(s, random);
  }
}
