// SPDX-License-Identifier: BSD-3-Clause
// Lists of the contacts that a client's predicate confirms.
#pragma once

#include "support/fail.hpp"
#include "support/narrow_cases.hpp"
#include "support/packings.hpp"

/// Checks a random system.
template <int D, class Exec>
void expect_narrow(const Exec& exec, const support::Case& c) {
  if (const std::string difference = support::check_narrow<double, D>(exec, c); !difference.empty())
    support::fail("a predicate in system " + std::to_string(c.seed) + ": " + difference);
}

template <class Exec, class F>
void expect_narrow_throws(const Exec& exec, hgrid::Grid<Exec, 3>& grid, const F& f) {
  auto list = grid.make_pairs();
  grid.find(list, hgrid::only([](hgrid::index_t, hgrid::index_t, const hgrid::Image&) { return true; }));
  const support::Contacts before = support::as_listed(exec, list);
  try {
    grid.find(list, hgrid::only([&](hgrid::index_t i, hgrid::index_t, const hgrid::Image&) { return f(i); }));
    support::fail("a predicate's exception is lost");
  } catch (const hgrid::Error& e) {
    if (e.code() != hgrid::ErrorCode::reentrancy) support::fail("a predicate may use the grid");
  } catch (int) {
  }
  if (support::as_listed(exec, list) != before) support::fail("an exception changes the list");
}

/// So many that batches are full and memory grows; exceptions; a predicate that uses the grid.
template <class Exec>
void expect_narrow(const Exec& exec) {
  for (const bool periodic : {false, true}) {
    const oracle::System s = support::polydisperse(1500, 10, periodic, 9);
    auto grid = support::built(exec, s);
    if (const std::string difference = support::check_narrow(grid, s, {6}); !difference.empty()) support::fail(difference);
    expect_narrow_throws(exec, grid, [](hgrid::index_t i) { return i > 1000 ? throw 1 : true; });
    auto other = grid.make_pairs();
    expect_narrow_throws(exec, grid, [&](hgrid::index_t) {
      grid.find(other, hgrid::only([](hgrid::index_t, hgrid::index_t, const hgrid::Image&) { return true; }));
      return true;
    });
  }
}
