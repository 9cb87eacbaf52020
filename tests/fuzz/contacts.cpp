// SPDX-License-Identifier: BSD-3-Clause
// The grid against brute force: any system gives exactly the oracle's contacts, or a typed error just where the contract says
// that it must.
#include "decode_case.hpp"
#include "support/run_case.hpp"

namespace {

template <class Real, int D>
void expect_refused(const support::Case& c) {
  try {
    auto grid = support::grid_in<hgrid::Grid<hgrid::SerialExec, D>>(hgrid::SerialExec{}, c.system, support::options_of(c));
    grid.build(support::UserArrays<Real, D>(c.system).view(), {.skin = c.system.skin});
  } catch (const hgrid::Error&) {
    return;
  }
  fuzz::require(false, "accepted, though the contract refuses it");
}

template <class Real, int D>
void expect_equal(const support::Case& c) {
  if (!fuzz::is_valid<D>(c)) return expect_refused<Real, D>(c);
  try {
    const support::Outcome outcome = support::run_case<Real, D>(hgrid::SerialExec{}, c);
    fuzz::require(outcome.difference.empty(), outcome.difference);
  } catch (const hgrid::Error& error) {
    fuzz::require(false, std::string("refused, though the contract allows it: ") + error.what());
  }
}

void contacts(fuzz::Input input) {
  const support::Case c = fuzz::decode_case(input);
  const bool single = c.choice[support::real] == 1;
  if (c.choice[support::dimension] == 0) {
    single ? expect_equal<float, 2>(c) : expect_equal<double, 2>(c);
  } else {
    single ? expect_equal<float, 3>(c) : expect_equal<double, 3>(c);
  }
}

}  // namespace

HGRID_FUZZ_TARGET(contacts)
