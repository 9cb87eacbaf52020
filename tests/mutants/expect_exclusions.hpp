// SPDX-License-Identifier: BSD-3-Clause
// Exclusions that no build accepts.
#pragma once

#include "support/fail.hpp"
#include "support/packings.hpp"

/// The list of particle 1 is bad, and is told to be.
template <class Exec>
void expect_exclusion_errors(const Exec& exec) {
  const oracle::System s = support::polydisperse(100, 2, true);
  const support::UserArrays<double, 3> arrays(s);
  auto view = arrays.view();
  auto grid = support::built(exec, s);
  std::vector<hgrid::offset_t> begin(101, 2);
  begin[0] = begin[1] = 0;
  const std::pair<std::vector<hgrid::index_t>, hgrid::ErrorCode> bad[] = {{{7, 3}, hgrid::ErrorCode::invalid_argument},
                                                                          {{3, 100}, hgrid::ErrorCode::range_error},
                                                                          {{-1, 3}, hgrid::ErrorCode::range_error}};
  for (const auto& [ids, code] : bad) {
    view.exclusions = hgrid::Exclusions::in_lists(begin.data(), ids.data(), 2);
    bool accepted = true;
    try {
      grid.build(view);
    } catch (const hgrid::Error& e) {
      accepted = false;
      if (e.code() != code || e.detail().index != 1 || e.detail().count != 1) support::fail(e.what());
    }
    if (accepted) support::fail("bad exclusions are accepted");
  }
}
