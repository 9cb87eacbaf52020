// SPDX-License-Identifier: BSD-3-Clause
// All pairs: N (N - 1) / 2 tests, no assumption, nothing to get wrong.
#pragma once

#include "papers/systems/pair_tester.hpp"

namespace hgrid::reference {

/// Tests every body against every other (003, introduction). Domain: 2-D and 3-D, open and periodic. Counts
/// `tests`.
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

}  // namespace hgrid::reference
