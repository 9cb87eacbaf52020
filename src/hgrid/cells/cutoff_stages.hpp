// SPDX-License-Identifier: BSD-3-Clause
// The stages of a build for cut-offs by type: it inspects the table with the rest of the input, and keeps a copy.
#pragma once

#include "hgrid/cells/stages.hpp"
#include "hgrid/core/pair_filter.hpp"
#include "hgrid/inputs/inspect.hpp"

namespace hgrid::inline v0_2::detail {

/// Folds particle i, and the cut-offs of its type, into the summary: first fault and number of faulty particles.
template <class Real, int D>
struct InspectCutoffs {
  Particles<Real, D> particles;

  HGRID_HD void operator()(offset_t i, InputSummary<D>& s) const {
    if (!takes_part(particles, i)) return;
    const Cutoffs& c = particles.cutoffs;
    const index_t type = c.type[i];
    if (type < 0 || type >= c.types) return blame(s, i, Fault::type_range, type);
    double largest = 0;
    for (index_t t = 0; t < c.types; ++t) {
      const double cutoff = c.distance[offset_t{type} * c.types + t], mirrored = c.distance[offset_t{t} * c.types + type];
      if (!(cutoff >= 0) || cutoff > largest_length || cutoff != mirrored) return blame(s, i, Fault::cutoff, cutoff);
      largest = cutoff > largest ? cutoff : largest;
    }
    if (!(2 * stored_radius(particles, i) >= largest)) blame(s, i, Fault::cutoff_beyond_radius, largest);
  }

 private:
  HGRID_HD static void blame(InputSummary<D>& s, offset_t i, Fault fault, double value) {
    ++s.bad;
    if (i < s.first_bad) s.first_bad = i, s.fault = fault, s.value = value;
  }
};

/// Copies entry k of an array that the user may free. Copies nothing if the input is bad, because the host may not know it yet.
template <class T>
struct KeepEntry {
  const T* from;
  const std::int64_t* bad;
  T* to;

  HGRID_HD void operator()(offset_t k) const {
    if (*bad == 0) to[k] = from[k];
  }
};

}  // namespace hgrid::inline v0_2::detail
