// SPDX-License-Identifier: BSD-3-Clause
#include "papers/systems/nbs.hpp"

#include <type_traits>

namespace hgrid::reference {

// The origin lies one radius outside the least centre: the discs are entirely in the space, and centres on a regular spacing of
// one diameter, as in the paper's examples, fall into the middle of their cells.
template <int D>
Lattice<D> nbs_lattice(const Bodies<D>& bodies, const NbsOptions<D>& options) {
  if (options.space) require_inside(bodies, *options.space);
  const Bounds<D> centres = options.space.value_or(bodies.bounds());
  const double margin = options.space ? 0 : bodies.largest_reach();
  Lattice<D> lattice{};
  for (int k = 0; k < D; ++k) {
    const double length = centres.hi[k] - centres.lo[k] + 2 * margin;
    lattice.origin[k] = centres.lo[k] - margin;
    lattice.cell_size[k] = std::max({2 * bodies.largest_reach(), length / (most_cells_per_axis - 1), 0x1p-500});
    lattice.cells[k] = most_cells_per_axis;
    lattice.cells[k] = lattice.cell(k, centres.hi[k]) + 1;
  }
  return lattice;
}

template <int D>
Contacts nbs(const Bodies<D>& bodies, const NbsOptions<D>& options) {
  Contacts found;
  PairTester<D> pairs(bodies, found);
  std::conditional_t<D == 2, Nbs2, Nbs3> search;
  search.search(bodies, nbs_lattice(bodies, options), pairs);

  const NbsCounts counts = search.counts();
  std::int64_t loops = 0;
  found.counters = {{"tests", counts.tests}};
  for (std::size_t k = 1; k < counts.loop.size(); ++k) {
    found.counters.push_back({"loop_" + std::to_string(k), counts.loop[k]});
    loops += counts.loop[k];
  }
  found.counters.push_back({"loops", loops + counts.layer_loops});
  if (D == 3) found.counters.push_back({"layer_loops", counts.layer_loops});
  found.counters.push_back({"memory", counts.memory});
  return found;
}

template Lattice<2> nbs_lattice(const Bodies<2>&, const NbsOptions<2>&);
template Lattice<3> nbs_lattice(const Bodies<3>&, const NbsOptions<3>&);
template Contacts nbs(const Bodies<2>&, const NbsOptions<2>&);
template Contacts nbs(const Bodies<3>&, const NbsOptions<3>&);

}  // namespace hgrid::reference
