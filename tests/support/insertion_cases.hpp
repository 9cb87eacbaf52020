// SPDX-License-Identifier: BSD-3-Clause
// Particles of random systems that are inserted one by one into a grid of the others, against all pairs.
#pragma once

#include "hgrid/find/insertions.hpp"
#include "support/run_case.hpp"

namespace support {

/// Returns the contacts of particle i with earlier particles and with its own images, sorted: (i, j, image).
inline std::vector<Contacts> touched_by_each(const oracle::System& s) {
  std::vector<Contacts> of(s.particles.size());
  for (const oracle::Contact& c : oracle::contacts(s)) {
    const oracle::Contact other{c.j, c.i, {-c.m[0], -c.m[1], -c.m[2]}};
    of[static_cast<std::size_t>(c.j)].push_back(other);
    if (c.i == c.j) of[static_cast<std::size_t>(c.j)].push_back(c);
  }
  for (Contacts& contacts : of) contacts = sorted(contacts);
  return of;
}

/// Returns the system as insertions see it: by radii only.
inline oracle::System by_radii(oracle::System s) {
  s.skin = 0, s.types = 0, s.owned = -1;
  s.excluded.clear();
  for (oracle::Particle& p : s.particles) p.group = -1;
  return s;
}

template <int D>
hgrid::Vec<double, D> position_of(const oracle::Particle& p) {
  hgrid::Vec<double, D> x;
  for (int k = 0; k < D; ++k) x[k] = p.x[k];
  return x;
}

/// Inserts all particles from number `built` on into a grid of the particles before. Expects invalid particles to be refused.
template <class Real, int D, class Exec>
std::string check_insertions(const Exec& exec, const Case& c, std::size_t built) {
  oracle::System all = c.system;
  std::vector<oracle::Particle> refused;
  for (std::size_t i = built; i < all.particles.size();) {
    oracle::Particle& p = all.particles[i];
    p.active = true;
    const bool is_good = oracle::takes_part(c.system, p) || !c.system.skip_nonfinite;
    if (is_good) ++i;
    if (!is_good) refused.push_back(p), all.particles.erase(all.particles.begin() + static_cast<std::ptrdiff_t>(i));
  }
  oracle::System before = all;
  before.particles.resize(built);
  std::erase_if(before.excluded,
                [&](const auto& e) { return std::max(e.first, e.second) >= static_cast<std::int64_t>(built); });
  before.owned = std::min(before.owned, static_cast<std::int64_t>(built));

  auto grid = grid_in<hgrid::Grid<Exec, D>>(exec, c.system, options_of(c));
  const UserArrays<Real, D> arrays(before, c.choice[layout], c.choice[exclusions]);
  grid.build(arrays.view(), {.skin = c.system.skin});
  hgrid::Insertions insertions(grid);
  const auto radius_of = [&](const oracle::Particle& p) { return c.system.radius_scale * p.radius + p.extra; };
  const auto world_of = [&](const oracle::Particle& p) { return c.system.worlds > 0 ? p.world : 0; };
  if (c.system.rule == oracle::Rule::gather) {
    try {
      insertions.touches(position_of<D>(all.particles[0]), 1);
      return "a gather has insertions\n";
    } catch (const hgrid::Error& e) {
      return e.code() == hgrid::ErrorCode::unsupported ? "" : e.what();
    }
  }
  std::string text;
  const std::vector<Contacts> expected = touched_by_each(by_radii(all));
  for (std::size_t i = built; i < all.particles.size(); ++i) {
    const oracle::Particle& p = all.particles[i];
    Contacts found;
    insertions.for_each_touching(
        position_of<D>(p), radius_of(p),
        [&](hgrid::index_t j, const hgrid::Image& image) { found.push_back(contact(static_cast<std::int64_t>(i), j, &image)); },
        world_of(p));
    text += difference("inserted", sorted(found), expected[i]);
    if (insertions.touches(position_of<D>(p), radius_of(p), world_of(p)) != !found.empty()) text += "touches\n";
    if (insertions.insert(position_of<D>(p), radius_of(p), world_of(p)) != static_cast<hgrid::index_t>(i)) text += "id\n";
  }
  insertions.clear();
  std::vector<std::int64_t> id_of(all.particles.size(), -1);  // for particles that are there
  for (std::size_t i = 0; i < built; ++i) id_of[i] = static_cast<std::int64_t>(i);
  auto next = static_cast<hgrid::index_t>(built);
  for (std::size_t i = built; i < all.particles.size(); ++i) {
    const oracle::Particle& p = all.particles[i];
    const bool is_free = std::ranges::none_of(
        expected[i], [&](const auto& e) { return e.j == e.i || id_of[static_cast<std::size_t>(e.j)] >= 0; });
    const auto id = insertions.insert_if_free(position_of<D>(p), radius_of(p), world_of(p));
    if (id.has_value() != is_free || (is_free && *id != next)) text += "insert_if_free of " + std::to_string(i) + "\n";
    if (is_free) id_of[i] = next++;
  }
  for (const oracle::Particle& p : refused) {
    try {
      insertions.insert(position_of<D>(p), radius_of(p), world_of(p));
      text += "a bad particle was inserted\n";
    } catch (const hgrid::Error& e) {
      if (e.code() != hgrid::ErrorCode::nonfinite || e.detail().index != next) text += e.what();
    }
  }
  if (insertions.count() != next - static_cast<hgrid::index_t>(built)) text += "count\n";
  return text;
}

/// Checks insertions into a built part of the particles that the case draws, from none to all but one.
template <class Exec>
std::string check_insertions(const Exec& exec, const Case& c) {
  Random random(c.seed + 47);
  const auto n = static_cast<int>(c.system.particles.size());
  const auto built = static_cast<std::size_t>(random.chance(0.1) ? 0 : random.integer(0, n - 1));
  const bool is_double = c.choice[real] == 0;
  if (c.choice[dimension] == 0)
    return is_double ? check_insertions<double, 2>(exec, c, built) : check_insertions<float, 2>(exec, c, built);
  return is_double ? check_insertions<double, 3>(exec, c, built) : check_insertions<float, 3>(exec, c, built);
}

}  // namespace support
