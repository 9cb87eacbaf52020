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
    hgrid::Vec<double, D> x;
    std::copy_n(p.x, D, x.v);
    double at = hgrid::wrap(box, x).inside[k];
    if (random.chance(0.5)) at += random.real(-1, 1) * (s.extended ? p.extent[k] : p.radius);
    if (!(whole.lo[k] < at && at < whole.hi[k])) at = whole.lo[k];  // the half is empty then
    whole.hi[k] = half.lo[k] = at;
    boxes.push_back(half);
  }
  return boxes;
}

/// Returns whether a rank must hold a copy of a particle.
template <int D>
bool is_known(const hgrid::Box<D>& box, const hgrid::RankBox<D>& rank, const oracle::Particle& p, bool extended, double skin,
              hgrid::Rule rule = hgrid::Rule::sum) {
  const auto one = extended ? hgrid::extended_particles<D>(p.x, p.extent, 1) : hgrid::particles<D>(p.x, &p.radius, 1);
  const auto inside = hgrid::wrap(box, one.position_of(0)).inside;
  const double margin = hgrid::detail::margin_of(rule, skin);
  const auto known = hgrid::detail::known_within(box, inside, hgrid::detail::body_of(one, 0), margin);
  bool touched = false;
  hgrid::detail::for_each_image_near(box, inside, known.half,
                                     [&](const auto& image) { touched = touched || known.meets(rank, image); });
  return touched;
}

/// One set of a system as a rank holds it: the particles with even or with odd numbers.
template <int D>
class SetOfRank {
 public:
  SetOfRank(const oracle::System& s, const std::vector<hgrid::RankBox<D>>& boxes, const std::vector<int>& owners, int rank,
            std::size_t parity, double skin)
      : box_(support::box_of<D>(s)), own_(boxes[static_cast<std::size_t>(rank)]), skin_(skin), places_(s.particles.size(), -1) {
    sizes_ = s.extended ? D : 1;
    for (const bool ghosts : {false, true}) {
      for (std::size_t i = parity; i < s.particles.size(); i += 2) {
        const oracle::Particle& p = s.particles[i];
        if ((owners[i] != rank) != ghosts || (ghosts && !is_known(box_, own_, p, s.extended, skin))) continue;
        places_[i] = static_cast<hgrid::index_t>(ids_.size());
        ids_.push_back(static_cast<std::int64_t>(i / 2));  // both sets have equal ids
        x_.insert(x_.end(), p.x, p.x + D);
        const double* const size = s.extended ? p.extent : &p.radius;
        size_.insert(size_.end(), size, size + sizes_);
        ghosts ? ghost_owners_.push_back(owners[i]) : void(++owned_);
      }
    }
  }
  /// Or -1.
  hgrid::index_t place(std::int64_t particle) const { return places_[static_cast<std::size_t>(particle)]; }
  hgrid::detail::HeldView<D> view() const {
    return {box_, own_, skin_, x_.data(), size_.data(), sizes_, ids_.data(), ghost_owners_.data(), owned_, false};
  }

 private:
  hgrid::Box<D> box_;
  hgrid::RankBox<D> own_;
  double skin_;
  int sizes_;
  std::vector<hgrid::index_t> places_;
  std::vector<double> x_, size_;
  std::vector<std::int64_t> ids_;
  std::vector<int> ghost_owners_;
  hgrid::index_t owned_ = 0;
};

/// Finds contacts between two sets, whose skins differ; any rank may own a particle.
template <int D>
void expect_one_reporter_of_two(const oracle::System& s, support::Random& random) {
  const auto boxes = cut_at_random<D>(s, support::box_of<D>(s), random.integer(2, 9), random);
  const double share = random.real(0, 2);
  std::vector<int> owners;
  for (std::size_t i = 0; i < s.particles.size(); ++i) owners.push_back(random.integer(0, static_cast<int>(boxes.size()) - 1));
  std::vector<std::array<std::int64_t, 2>> pairs;
  std::vector<hgrid::Image> images;
  for (const oracle::Contact& c : oracle::from_both_sides(oracle::contacts(s))) {
    if (c.i % 2 != 0 || c.j % 2 != 1) continue;
    pairs.push_back({c.i, c.j}), images.emplace_back();
    for (int k = 0; k < D; ++k) images.back()[k] = static_cast<std::int32_t>(c.m[static_cast<std::size_t>(k)]);
  }
  std::vector<int> reporters(pairs.size());
  for (int rank = 0; rank < static_cast<int>(boxes.size()); ++rank) {
    const SetOfRank<D> asking(s, boxes, owners, rank, 0, share * s.skin);
    const SetOfRank<D> asked(s, boxes, owners, rank, 1, (2 - share) * s.skin);
    const hgrid::detail::HeldSets<D> held{asking.view(), asked.view()};
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      const hgrid::index_t i = asking.place(pairs[k][0]), j = asked.place(pairs[k][1]);
      if (i >= 0 && j >= 0) reporters[k] += held.reports(i, j, images[k]);
    }
  }
  for (const int number : reporters) {
    if (number != 1) support::fail("a contact of two sets has no rank, or several");
  }
}

template <int D>
void expect_one_reporter(const oracle::System& s, support::Random& random) {
  const auto box = support::box_of<D>(s);
  const auto boxes = cut_at_random<D>(s, box, random.integer(2, 9), random);
  const auto partner = [&](std::int64_t id) {
    const oracle::Particle& p = s.particles[static_cast<std::size_t>(id)];
    const auto one = s.extended ? hgrid::extended_particles<D>(p.x, p.extent, 1) : hgrid::particles<D>(p.x, &p.radius, 1);
    auto half = hgrid::detail::body_of(one, 0).half;
    for (int k = 0; k < D; ++k) half[k] += 0.5 * s.skin;
    return hgrid::detail::Partner<D>{hgrid::wrap(box, one.position_of(0)), half, id};
  };
  const auto knows = [&](const hgrid::RankBox<D>& rank, const hgrid::detail::Partner<D>& p) {
    return is_known(box, rank, s.particles[static_cast<std::size_t>(p.id)], s.extended, s.skin);
  };
  for (const auto& rank : boxes) {
    const hgrid::detail::Interior<D> interior(box, rank, s.skin, 0.5 * s.skin);
    for (const oracle::Particle& p : s.particles) {
      const auto one = s.extended ? hgrid::extended_particles<D>(p.x, p.extent, 1) : hgrid::particles<D>(p.x, &p.radius, 1);
      if (!interior.holds(one.position_of(0), hgrid::detail::body_of(one, 0))) continue;
      for (const auto& other : boxes) {
        if (!(other == rank) && !other.is_empty() && is_known(box, other, p, s.extended, s.skin))
          support::fail("a particle goes to no rank, and another one needs it");
      }
    }
  }
  for (const oracle::Contact& c : oracle::contacts(s)) {
    if (c.i == c.j) continue;
    hgrid::Image image{};
    for (int k = 0; k < D; ++k) image[k] = static_cast<std::int32_t>(c.m[static_cast<std::size_t>(k)]);
    const auto i = partner(c.i), j = partner(c.j);
    const auto point = hgrid::detail::contact_point(box, i, j, image);
    if (!(point == hgrid::detail::contact_point(box, j, i, -image))) support::fail("ranks differ in a contact point");
    int reporters = 0;
    for (const auto& rank : boxes) {
      if (!rank.owns(point)) continue;
      ++reporters;
      if (!knows(rank, i) || !knows(rank, j)) support::fail("a rank does not know what it has to report");
    }
    if (reporters != 1) support::fail("a contact has no rank, or several");
  }
}

/// Finds neighbors of one-sided searches. The rank whose box has the neighbor's centre must know both particles.
template <int D>
void expect_neighbours_known(const oracle::System& s, support::Random& random) {
  const auto box = support::box_of<D>(s);
  const auto boxes = cut_at_random<D>(s, box, random.integer(2, 9), random);
  const auto particle = [&](std::int64_t id) -> const oracle::Particle& { return s.particles[static_cast<std::size_t>(id)]; };
  for (const oracle::Contact& c : oracle::neighbours(s)) {
    hgrid::Vec<double, D> centre;
    std::copy_n(particle(c.j).x, D, centre.v);
    centre = hgrid::wrap(box, centre).inside;
    int reporters = 0;
    for (const auto& rank : boxes) {
      if (!rank.owns(centre)) continue;
      ++reporters;
      for (const std::int64_t id : {c.i, c.j}) {
        if (!is_known(box, rank, particle(id), false, s.skin, hgrid::Rule::gather))
          support::fail("a rank does not know what it has to report of a one-sided search");
      }
    }
    if (reporters != 1) support::fail("a neighbor has no rank, or several");
  }
}

inline void expect_ranks(std::uint64_t last) {
  for (std::uint64_t seed = 1; seed <= last; ++seed) {
    const oracle::System s = support::system_for_ranks(seed);
    if (s.particles.size() > 200) continue;
    support::Random random(seed);
    for (const oracle::System& each : {s, support::system_for_ranks(seed, true)})
      each.dimension == 2 ? expect_one_reporter<2>(each, random) : expect_one_reporter<3>(each, random);
    s.dimension == 2 ? expect_one_reporter_of_two<2>(s, random) : expect_one_reporter_of_two<3>(s, random);
    const oracle::System gathers = support::system_for_ranks(seed, true, true);
    gathers.dimension == 2 ? expect_neighbours_known<2>(gathers, random) : expect_neighbours_known<3>(gathers, random);
  }
}
