// SPDX-License-Identifier: BSD-3-Clause
// Measures the entries of a list on any executor, one thread for each particle. Hosts have a faster way (host/neighbours).
// Lists of a query are measured from its points and spheres.
#pragma once

#include <string>

#include "hgrid/core/measured_entries.hpp"
#include "hgrid/find/askers.hpp"
#include "hgrid/grid.hpp"

namespace hgrid::inline v0_2::detail {

/// The entries of a list that the caller wants.
template <class Real, int D>
struct MeasuredList {
  WantedEntries<Real, D> wanted;
  ListView list;

  /// Calls f(j, image, vector, distance) for the wanted entries of particle i.
  template <class F>
  HGRID_HD void for_each(index_t i, const F& f) const {
    if (wanted.has_itself(i)) f(i, Image{}, Vec<double, D>{}, 0.0);
    const Vec<double, D> from = wanted.position_of(i);
    const BoxVectors<D>& box = wanted.box_of(i);
    for (offset_t k = list.offsets[i], end = list.offsets[i + 1]; k < end; ++k) {
      const index_t j = list.neighbours[k];
      const Image image = list.image(k);
      const Vec<double, D> d = vector_between(from, wanted.particles.position_of(j), image, box);
      const double length = length_of(d);
      if (length < wanted.limit(i, j)) f(j, image, d, length);
    }
  }
};

template <class Real, int D>
struct CountMeasured {
  MeasuredList<Real, D> entries;
  offset_t* counts;

  HGRID_HD void operator()(offset_t list) const {
    offset_t n = 0;
    entries.for_each(static_cast<index_t>(list), [&](index_t, const Image&, const Vec<double, D>&, double) { ++n; });
    counts[list] = n;
  }
};

template <class Real, int D>
struct WriteMeasured {
  MeasuredList<Real, D> entries;
  EntryColumns to;

  /// Writes the entries of a list, from `at` on. Returns where they end.
  HGRID_HD offset_t write(index_t list, offset_t at) const {
    entries.for_each(list, [&](index_t j, const Image& image, const Vec<double, D>& d, double length) {
      to.particles[at] = list, to.neighbours[at] = j;
      if (to.images != nullptr) to.images[at] = image;
      for (int k = 0; k < D && to.wide_images != nullptr; ++k) to.wide_images[D * at + k] = image[k];
      if (to.distances != nullptr) to.distances[at] = length;
      for (int k = 0; k < D && to.vectors != nullptr; ++k) to.vectors[D * at + k] = d[k];
      ++at;
    });
    return at;
  }
};

template <class Real, int D>
struct WriteCounted {
  WriteMeasured<Real, D> entries;
  const offset_t* offsets;

  HGRID_HD void operator()(offset_t list) const { entries.write(static_cast<index_t>(list), offsets[list]); }
};

/// Writes as if all entries are wanted, and counts them at the same time.
template <class Real, int D>
struct WriteExpected {
  WriteMeasured<Real, D> entries;
  offset_t* counts;

  HGRID_HD void operator()(offset_t list) const {
    const MeasuredList<Real, D>& of = entries.entries;
    const offset_t from = of.list.offsets[list] + (of.wanted.itself ? list : 0);
    counts[list] = entries.write(static_cast<index_t>(list), from) - from;
  }
};

/// Writes the entries of all lists. Returns their number. Waits.
template <class Exec, class Real, int D>
offset_t write_entries(const Exec& exec, const MeasuredList<Real, D>& entries, const EntryOutput& out) {
  const offset_t lists = entries.list.lists;
  const bool expects_all = entries.wanted.expects_all;
  const offset_t most = expects_all ? exec.read_back(entries.list.offsets + lists) + (entries.wanted.itself ? lists : 0) : 0;
  exec.template reserve_scan<offset_t>(lists);
  if (expects_all) {
    exec.for_each("hgrid::write_entries", lists, WriteExpected<Real, D>{{entries, out.room(most)}, out.offsets});
  } else {
    exec.for_each("hgrid::count_entries", lists, CountMeasured<Real, D>{entries, out.offsets});
  }
  exec.exclusive_scan("hgrid::scan_entries", out.offsets, lists);
  const offset_t size = exec.read_back(out.offsets + lists);
  if (expects_all && size == most) return size;
  exec.for_each("hgrid::write_entries", lists, WriteCounted<Real, D>{{entries, out.room(size)}, out.offsets});
  return size;
}

/// Writes the particles of a query as spheres.
template <class Real, int D>
struct WriteSphere {
  Particles<Real, D> particles;
  Region<D>* spheres;

  HGRID_HD void operator()(offset_t i) const {
    const Vec<double, D> x = particles.position_of(i);
    spheres[i] = {x, x, particles.has_extents() ? 0 : particles.scaled_radius(i), particles.world(i)};
  }
};

/// Finds regions with an extent.
template <int D>
struct InspectExtent {
  const Region<D>* regions;

  HGRID_HD void operator()(offset_t q, RegionCheck& check) const {
    for (int k = 0; k < D; ++k) {
      const double extent = regions[q].hi[k] - regions[q].lo[k];
      if (extent > 0) return check.join({1, q, extent, RegionFault::extended});
    }
  }
};

/// Returns the points and spheres from which lists are measured. Throws `unsupported` if a region is a box. Waits.
template <class Exec, int D>
MeasuredFrom<D> measured_from(const Exec& exec, const Regions<D>& regions, RegionCheck* in_memory) {
  exec.reduce("hgrid::inspect_extents", regions.count, InspectExtent<D>{regions.regions}, RegionCheck{}, in_memory);
  const RegionCheck found = exec.read_back(in_memory);
  if (found.bad > 0) {
    throw Error(ErrorCode::unsupported,
                "region " + std::to_string(found.first) + " has an extent; distances are measured from points and spheres",
                {.argument = "regions", .index = found.first, .value = found.value, .count = found.bad});
  }
  return {regions.regions, regions.count, regions.take == Take::touching ? regions.radius_scale : 0};
}

/// Returns another grid's particles, as they are now, from which its lists are measured. Writes them into `spheres`
/// [particles.count], in the executor's memory.
template <class Exec, class Real, int D>
MeasuredFrom<D> measured_from(const Exec& exec, const Particles<Real, D>& asking, Region<D>* spheres) {
  exec.for_each("hgrid::write_spheres", asking.count, WriteSphere<Real, D>{asking, spheres});
  return {spheres, asking.count, 1, asking.cutoffs};
}

/// Writes the entries of a grid's own lists, or of a given list.
struct GridEntries {
  /// Whether the executor measures entries without a list. A list is then made only where it is needed.
  template <class Exec, int D>
  static constexpr bool without_list = requires(typename Exec::template Engine<D>& engine, const Exec& exec,
                                                const WantedEntries<double, D>& wanted, const EntryOutput& out) {
    engine.write_entries(exec, ListKind::full, wanted, out);
  };

  template <class Exec, class Real, int D>
  static offset_t write(Grid<Exec, D>& grid, ListKind kind, const WantedEntries<Real, D>& wanted, const EntryOutput& out) {
    Access::require_lists(grid, kind);
    return Access::engine(grid).write_entries(grid.exec(), kind, wanted, out);
  }
  template <class Exec, class Real, int D>
  static offset_t write(Grid<Exec, D>& grid, const ListView& list, const WantedEntries<Real, D>& wanted,
                        const EntryOutput& out) {
    if constexpr (without_list<Exec, D>) {
      return Access::engine(grid).write_entries(grid.exec(), list, wanted, out);
    } else {
      return write_entries(grid.exec(), MeasuredList<Real, D>{wanted, list}, out);
    }
  }
};

}  // namespace hgrid::inline v0_2::detail
