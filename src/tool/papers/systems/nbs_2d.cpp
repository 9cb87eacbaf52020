// SPDX-License-Identifier: BSD-3-Clause
// Section 5 of 002; the loops have the paper's numbers.
#include "papers/systems/nbs.hpp"

namespace hgrid::reference {
namespace {

index_t after(const std::vector<index_t>& next, index_t i) { return next[static_cast<std::size_t>(i)]; }

}  // namespace

void Nbs2::begin(const Bodies<2>& bodies, const Lattice<2>& lattice) {
  bodies_ = &bodies;
  lattice_ = lattice;
  const auto n = static_cast<std::size_t>(bodies.size());
  nextx.resize(n), nexty.resize(n);
  heady.reserve(lattice.cells[1]);
  for (MarkedHeads& headx : headsx) headx.reserve(lattice.cells[0]);
  counts_ = {};
  counts_.memory = lattice.cells[1] + 2 * std::int64_t{lattice.cells[0]} + 2 * std::int64_t{bodies.size()};
}

void Nbs2::place_in_rows() {
  for (index_t i = 0; i < bodies_->size(); ++i) {
    ++counts_.loop[1];
    heady.push(row(i), i, nexty);
  }
}

void Nbs2::place_in_columns(index_t iy, int which) {
  for (index_t i = heady.first(iy); i >= 0; i = after(nexty, i)) {
    ++counts_.loop[which == 0 ? 3 : 4];
    headsx[which].push(column(i), i, nextx);
  }
}

void Nbs2::remove_columns(index_t iy, int which) {
  for (index_t i = heady.first(iy); i >= 0; i = after(nexty, i)) {
    ++counts_.loop[which == 0 ? 6 : 7];
    headsx[which].remove(column(i));
  }
}

void Nbs2::remove_rows() {
  for (index_t i = 0; i < bodies_->size(); ++i) {
    ++counts_.loop[8];
    heady.remove(row(i));
  }
}

// Figure 12: tests the discs of cell (ix, iy) against the discs of the cell itself, of its left neighbor, and of the three
// neighbors in the row below.
void Nbs2::check_cell(index_t ix, PairTester<2>& pairs) const {
  for (index_t i = headsx[0].first(ix); i >= 0; i = after(nextx, i)) {
    for (index_t j = after(nextx, i); j >= 0; j = after(nextx, j)) pairs.test(i, j);
    const auto test_all = [&](const MarkedHeads& headx, index_t column) {
      if (column < 0 || column >= lattice_.cells[0]) return;
      for (index_t j = headx.first(column); j >= 0; j = after(nextx, j)) pairs.test(i, j);
    };
    test_all(headsx[0], ix - 1);
    for (index_t column = ix - 1; column <= ix + 1; ++column) test_all(headsx[1], column);
  }
}

void Nbs2::search(const Bodies<2>& bodies, const Lattice<2>& lattice, PairTester<2>& pairs) {
  begin(bodies, lattice);
  place_in_rows();
  for (index_t i = 0; i < bodies.size(); ++i) {  // loop 2
    ++counts_.loop[2];
    const index_t iy = row(i);
    if (!heady.is_new(iy)) continue;
    heady.mark_old(iy);
    place_in_columns(iy, 0);
    if (iy > 0) place_in_columns(iy - 1, 1);
    for_each_new_list(iy, [&](index_t ix, index_t) { check_cell(ix, pairs); });
    remove_columns(iy, 0);
    if (iy > 0) remove_columns(iy - 1, 1);
  }
  remove_rows();
  counts_.tests = pairs.tests();
}

}  // namespace hgrid::reference
