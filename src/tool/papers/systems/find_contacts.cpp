// SPDX-License-Identifier: BSD-3-Clause
#include "papers/systems/find_contacts.hpp"
#include "papers/systems/pair_tester.hpp"

#include <algorithm>

namespace hgrid::reference {

/// Tests every body against every other (003, introduction). Domain: 2-D and 3-D, open and periodic. Counts `tests`.
template <int D>
Contacts all_pairs(const Bodies<D>& bodies) {
  Contacts found;
  PairTester<D> pairs(bodies, found);
  for (index_t a = 0; a < bodies.originals(); ++a) {  // two images need no test
    for (index_t b = a + 1; b < bodies.size(); ++b) pairs.test(a, b);
  }
  found.counters = {{"tests", pairs.tests()}};
  return found;
}

namespace {

// Returns diameters that double, up to the diameter of the largest body.
template <int D>
std::vector<double> doubling_sizes(const Bodies<D>& bodies) {
  constexpr int most = 30;
  double smallest = bodies.largest_reach();
  for (index_t b = 0; b < bodies.originals(); ++b) smallest = std::min(smallest, bodies.reach(b));
  std::vector<double> sizes = {2 * bodies.largest_reach()};
  while (sizes.size() < most && sizes.back() > 4 * smallest) sizes.push_back(0.5 * sizes.back());
  std::reverse(sizes.begin(), sizes.end());
  return sizes;
}

// The hierarchical grid wraps cells by itself, so it gets only the originals. Counts `tests`, `box_hits`, `cells`.
template <int D>
Contacts hgrid_2012(const Bodies<D>& bodies, Hgrid2012Options options) {
  Contacts found;
  Hgrid2012Work work;
  if (bodies.originals() > 0) {
    if (options.sizes.empty()) options.sizes = doubling_sizes(bodies);
    const GridView<D> slots = bodies.slots();
    work = Hgrid2012<D>(slots, bodies.originals(), options).search([&](index_t i, index_t j, const Image& image) {
      found.add({i, j, image}, slots.periodic);
    });
  }
  found.counters = {{"tests", work.tests}, {"box_hits", work.box_hits}, {"cells", static_cast<std::int64_t>(work.cells)}};
  return found;
}

}  // namespace

template <int D>
Contacts find_contacts(Algorithm algorithm, const Bodies<D>& bodies, const Options<D>& options) {
  switch (algorithm) {
    case Algorithm::linked_cell:
      return linked_cell(bodies, options.linked_cell);
    case Algorithm::nbs:
      return nbs(bodies, options.nbs);
    case Algorithm::distance_sort:
      return distance_sort(bodies, options.distance_sort);
    case Algorithm::cell_space:
      return cell_space(bodies, options.cell_space);
    case Algorithm::hgrid_2012:
      return hgrid_2012(bodies, options.hgrid_2012);
    case Algorithm::all_pairs:
      return all_pairs(bodies);
  }
  throw Error(ErrorCode::invalid_argument, "no such algorithm", {.argument = "algorithm"});
}

template Contacts find_contacts(Algorithm, const Bodies<2>&, const Options<2>&);
template Contacts find_contacts(Algorithm, const Bodies<3>&, const Options<3>&);

}  // namespace hgrid::reference
