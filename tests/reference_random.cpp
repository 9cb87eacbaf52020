// SPDX-License-Identifier: BSD-3-Clause
// The reference algorithms on the random suite: their pairs equal the oracle's, in their whole domain.
#include "papers/systems/find_contacts.hpp"
#include "support/random_suite.hpp"

namespace {

using namespace hgrid::reference;

support::Contacts as_contacts(const Contacts& found) {
  support::Contacts result;
  for (std::size_t k = 0; k < found.pairs.size(); ++k) {
    result.push_back(support::contact(found.pairs[k].i, found.pairs[k].j, found.images.empty() ? nullptr : &found.images[k]));
  }
  return support::sorted(std::move(result));
}

// Options that change the candidates, never the contacts.
template <int D>
Options<D> odd_options(const support::Case& c, const Bodies<D>& bodies) {
  support::Random random(c.seed + 1);
  Options<D> options;
  if (random.chance(0.5)) options.linked_cell.per_cell = random.log_real(0.1, 100);
  if (random.chance(0.3)) options.linked_cell.cell_size = 2 * bodies.largest_reach() * random.real(1, 3);
  if (random.chance(0.5)) {
    hgrid::Vec<double, D> x0;
    for (int k = 0; k < D; ++k) {
      const double lo = bodies.bounds().lo[k], hi = bodies.bounds().hi[k];
      x0[k] = lo + (hi - lo) * random.real(-2, 3);
    }
    options.distance_sort.reference_point = x0;
  }
  if (random.chance(0.5)) options.cell_space.parents = random.log_real(1, 1000);
  options.cell_space.extent = random.chance(0.5) ? 0 : random.real(0, 1);
  options.cell_space.refinement.enabled = random.chance(0.7);
  options.cell_space.refinement.factor = random.log_real(1, 20);
  options.cell_space.refinement.above = options.cell_space.refinement.target = random.integer(3, 15);
  options.cell_space.threads = random.integer(1, 3);
  return options;
}

template <class Real, int D>
support::Outcome run(const support::Case& c) {
  const support::Contacts expected = oracle::contacts(c.system);
  const support::UserArrays<Real, D> arrays(c.system, c.choice[support::layout]);
  const Bodies<D> bodies(arrays.view(), support::box_of<D>(c.system), c.system.skin);
  const Options<D> options = odd_options(c, bodies);
  support::Outcome outcome{"", expected.size(), 2};
  for (const Algorithm algorithm : hgrid::values_of<Algorithm>()) {
    const Contacts found = find_contacts(algorithm, bodies, options);
    outcome.difference += support::difference(hgrid::name_of(algorithm), as_contacts(found), expected);
  }
  return outcome;
}

support::Outcome run_any(const support::Case& any) {
  const support::Case c = support::case_for_papers(any);
  const bool flat = c.choice[support::dimension] == 0, is_double = c.choice[support::real] == 0;
  try {
    if (flat) return is_double ? run<double, 2>(c) : run<float, 2>(c);
    return is_double ? run<double, 3>(c) : run<float, 3>(c);
  } catch (const hgrid::Error& e) {
    return {std::string("unexpected error: ") + e.what() + "\n"};
  }
}

TEST(ReferenceRandom, EqualAllPairs) { support::expect_random_systems(800, run_any); }

}  // namespace
