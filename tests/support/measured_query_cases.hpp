// SPDX-License-Identifier: BSD-3-Clause
// Measured lists of points, spheres and another grid's particles in random systems, against the contacts of an oracle.
#pragma once

#include <cmath>
#include <functional>
#include <utility>

#include "hgrid/find/measured_lists.hpp"
#include "support/found_nearest.hpp"
#include "support/region_cases.hpp"
#include "support/two_sets_cases.hpp"

namespace support {

struct MeasuredEntry {
  std::int64_t i, j;
  std::array<std::int64_t, 3> image;
  std::array<double, 3> vector;
  double distance;
  friend bool operator==(const MeasuredEntry&, const MeasuredEntry&) = default;
};

/// A query in host memory: the position of i, and the limit of the distance between i and j.
struct HostQuery {
  std::function<double(std::int64_t i, int k)> position;
  std::function<double(std::int64_t i, std::int64_t j)> limit;
  std::function<hgrid::index_t(std::int64_t i)> world;
};

/// Measures contacts one by one.
template <class Real, int D>
std::vector<MeasuredEntry> measured(const Contacts& contacts, const HostQuery& query, const hgrid::Particles<Real, D>& now,
                                    const std::vector<hgrid::detail::BoxVectors<D>>& boxes, bool nearer) {
  std::vector<MeasuredEntry> entries;
  for (const oracle::Contact& c : contacts) {
    MeasuredEntry e{c.i, c.j, c.m, {}, 0};
    const auto& box = boxes[boxes.size() > 1 ? static_cast<std::size_t>(query.world(c.i)) : 0];
    for (int k = 0; k < D; ++k) {
      double shift = 0;
      for (int axis = 0; axis < D; ++axis) shift += static_cast<double>(c.m[axis]) * box[axis][k];
      e.vector[k] = now.coordinate(c.j, k) - query.position(c.i, k) + shift;
    }
    for (int k = 0; k < D; ++k) e.distance += e.vector[k] * e.vector[k];
    e.distance = std::sqrt(e.distance);
    if (!nearer || e.distance < query.limit(c.i, c.j)) entries.push_back(e);
  }
  return entries;
}

/// Returns the entries that the library writes for a list.
template <class Exec, class Real, int D>
std::vector<MeasuredEntry> written(hgrid::Grid<Exec, D>& grid, const hgrid::NeighbourList<Exec>& list,
                                   const hgrid::detail::WantedEntries<Real, D>& wanted) {
  const Exec& exec = grid.exec();
  typename Exec::template Buffer<hgrid::offset_t> offsets(exec, list.lists() + 1);
  typename Exec::template Buffer<std::int64_t> ids(exec, 0), wide(exec, 0);
  typename Exec::template Buffer<hgrid::Image> images(exec, 0);
  typename Exec::template Buffer<double> distances(exec, 0), vectors(exec, 0);
  hgrid::offset_t room = 0;
  const auto make_room = [&](hgrid::offset_t n) {
    using hgrid::detail::Need;
    room = n;
    hgrid::detail::reserve_all(exec, Need{ids, 2 * n}, Need{wide, D * n}, Need{images, n}, Need{distances, n},
                               Need{vectors, D * n});
    return hgrid::detail::EntryColumns{ids.data(),  ids.data() + n,   images.data(),
                                       wide.data(), distances.data(), vectors.data()};
  };
  const hgrid::offset_t n = hgrid::detail::GridEntries::write(grid, hgrid::ListView(list), wanted,
                                                              hgrid::detail::EntryOutput{offsets.data(), make_room});
  const auto read = [&](const auto& buffer, hgrid::offset_t first, hgrid::offset_t count) {
    return n == 0 ? decltype(copied(exec, std::as_const(buffer).data(), 0)){} : copied(exec, buffer.data() + first, count);
  };
  const auto lists = read(ids, 0, n), neighbours = read(ids, room, n), numbers = read(wide, 0, D * n);
  const auto image = read(images, 0, n);
  const auto distance = read(distances, 0, n), vector = read(vectors, 0, D * n);
  std::vector<MeasuredEntry> entries;
  for (std::size_t e = 0; e < static_cast<std::size_t>(n); ++e) {
    MeasuredEntry entry{lists[e], neighbours[e], {}, {}, distance[e]};
    for (int k = 0; k < D; ++k) {
      const std::size_t at = D * e + static_cast<std::size_t>(k);
      entry.image[k] = image[e][k], entry.vector[k] = vector[at];
      if (numbers[at] != image[e][k]) entry.i = -1;
    }
    entries.push_back(entry);
  }
  return entries;
}

/// Draws the vectors of boxes, which may be any numbers.
template <int D>
std::vector<hgrid::detail::BoxVectors<D>> draw_vectors(const oracle::System& s, Random& random) {
  std::vector<hgrid::detail::BoxVectors<D>> boxes(s.worlds > 1 ? static_cast<std::size_t>(s.worlds) : 1);
  for (auto& box : boxes) {
    for (int j = 0; j < D; ++j) {
      for (int k = 0; k < D; ++k) box[j][k] = random.real(-2, 2);
    }
  }
  return boxes;
}

/// Checks the measured lists of a query; `from` is the query in the executor's memory.
template <class Exec, class Real, int D, class Asker, class Placed>
std::string check_measured_query(hgrid::Grid<Exec, D>& grid, Asker&& asker, const hgrid::detail::MeasuredFrom<D>& from,
                                 const HostQuery& query, const hgrid::Particles<Real, D>& now, const Placed& now_there,
                                 const Contacts& contacts, const oracle::System& s, Random& random) {
  const Exec& exec = grid.exec();
  const auto boxes = draw_vectors<D>(s, random);
  const auto boxes_there = there(exec, boxes);
  std::string text;
  for (const bool nearer : {false, true}) {
    if (nearer && s.extended) continue;
    for (const bool expects_all : {false, true}) {
      hgrid::detail::WantedEntries<Real, D> wanted{
          now_there, boxes[0], boxes.size() > 1 ? boxes_there.data() : nullptr, false, nearer, expects_all, from};
      auto list = grid.make_list(hgrid::ListKind::full);
      grid.find(list, asker);
      if (written(grid, list, wanted) != measured(contacts, query, now, boxes, nearer))
        text += nearer ? "measured: other entries that are nearer\n" : "measured: other entries\n";
      if constexpr (Exec::on_host) {
        const Drawn drawn{static_cast<std::uint64_t>(contacts.size())};
        Contacts confirmed;
        std::ranges::copy_if(contacts, std::back_inserter(confirmed), drawn);
        grid.find(list, asker, hgrid::only(drawn));
        if (written(grid, list, wanted) != measured(confirmed, query, now, boxes, nearer))
          text += "measured: other entries of those confirmed\n";
      }
    }
  }
  return text;
}

template <class Real, int D, class Exec>
std::string check_measured_queries(const Exec& exec, const Case& c) {
  Random random(c.seed + 91);
  const TwoSets sets = cut(c.system, random);
  auto asking = grid_in<hgrid::Grid<Exec, D>>(exec, sets.asking, options_of(c));
  auto grid = grid_in<hgrid::Grid<Exec, D>>(exec, sets.asked, options_of(c));
  const UserArrays<Real, D> of_asking(sets.asking, c.choice[layout], c.choice[exclusions]),
      of_asked(sets.asked, c.choice[layout], c.choice[exclusions]);
  const UserExclusions between(sets.excluded, sets.asking.particles.size(), c.choice[exclusions]);
  hgrid::Particles<Real, D> excluding = of_asking.view();
  excluding.exclusions = between.view();
  const hgrid::Particles<Real, D> first = of_asking.view(), second = of_asked.view();
  const auto first_there = placed(exec, first), second_there = placed(exec, second);
  asking.build(first_there.view(), {.skin = sets.asking.skin});
  grid.build(second_there.view(), {.skin = sets.asked.skin});

  // Asked by a grid whose particles have moved on since, and whose table of cut-offs is another one.
  oracle::System moved = sets.asking;
  for (oracle::Particle& p : moved.particles) {
    for (int k = 0; k < D; ++k) p.x[k] *= 1 + 0.25 * random.integer(-1, 1);
  }
  const UserArrays<Real, D> of_moved(moved, c.choice[layout], c.choice[exclusions]);
  hgrid::Particles<Real, D> now = of_moved.view();
  const auto types = static_cast<std::size_t>(now.cutoffs.types);
  std::vector<double> table(now.cutoffs.distance, now.cutoffs.distance + types * types);
  for (double& distance : table) distance *= random.real(0.5, 1.5);
  if (types > 0) now.cutoffs.distance = table.data();
  const auto now_there = placed(exec, now);
  typename Exec::template Buffer<hgrid::Region<D>> spheres(exec, now.count);
  HostQuery query;
  query.position = [&](std::int64_t i, int k) { return now.coordinate(i, k); };
  query.world = [&](std::int64_t i) { return now.world(i); };
  query.limit = [&](std::int64_t i, std::int64_t j) {
    const hgrid::Cutoffs &a = now.cutoffs, &b = second.cutoffs;
    if (b.types == 0) return now.scaled_radius(i) + second.scaled_radius(j);
    const hgrid::offset_t at = hgrid::offset_t{a.type[i]} * b.types + b.type[j];
    return std::min(a.distance[at], b.distance[at]);
  };
  const auto from = hgrid::detail::measured_from(exec, now_there.view(), spheres.data());
  const hgrid::Excluding bonds(grid, asking, placed(exec, excluding).view().exclusions);
  std::string text =
      check_measured_query(grid, bonds, from, query, second, second_there.view(), sets.expected, c.system, random);

  // Points and spheres.
  if (c.system.extended || sets.asked.particles.empty()) return text;
  const auto regions = draw_regions<D>(sets.asked, random, true);
  const auto regions_there = there(exec, regions);
  const auto n = static_cast<hgrid::offset_t>(regions.size());
  const double scale = random.chance(0.5) ? random.real(0, 2) : 1;
  const bool touch = random.chance(0.5);
  const auto of = [&](std::int64_t i) { return regions[static_cast<std::size_t>(i)]; };
  query.position = [&](std::int64_t i, int k) { return of(i).lo[k]; };
  query.world = [&](std::int64_t i) { return of(i).world; };
  query.limit = [&](std::int64_t i, std::int64_t j) { return of(i).radius + (touch ? scale : 0) * second.scaled_radius(j); };
  const hgrid::Regions asked{regions_there.data(), n, touch ? hgrid::Take::touching : hgrid::Take::centres, scale};
  typename Exec::template Buffer<hgrid::detail::RegionCheck> check(exec, 1);
  hgrid::Particles<Real, D> without_types = second, there_without = second_there.view();
  without_types.cutoffs = there_without.cutoffs = {};
  return text + check_measured_query(grid, asked, hgrid::detail::measured_from(exec, asked, check.data()), query, without_types,
                                     there_without, in_regions<D>(sets.asked, regions, asked.take, scale), c.system, random);
}

}  // namespace support
