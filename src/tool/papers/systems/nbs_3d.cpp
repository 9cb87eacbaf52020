// SPDX-License-Identifier: BSD-3-Clause
// NBS with a third dimension: layers of rows of cells, like the paper's rows of cells.
#include "papers/systems/nbs.hpp"

namespace hgrid::reference {
namespace {

index_t after(const std::vector<index_t>& next, index_t i) { return next[static_cast<std::size_t>(i)]; }

}  // namespace

template <class F>
void Nbs3::for_each_in_layer(index_t iz, F&& f) {
  for (index_t i = headz_.first(iz); i >= 0; i = after(nextz_, i)) {
    ++counts_.layer_loops;
    f(i);
  }
}

template <class F>
void Nbs3::for_each_in_row(index_t iy, int which, int loop, F&& f) {
  if (iy < 0 || iy >= lattice_.cells[1]) return;
  for (index_t i = headsy_[which].first(iy); i >= 0; i = after(nexty_, i)) {
    ++counts_.loop[static_cast<std::size_t>(loop)];
    f(i);
  }
}

// Tests the thirteen neighbors that come before a cell: the left one, and three in each of the other four rows.
void Nbs3::check_cell(index_t ix, PairTester<3>& pairs) const {
  for (index_t i = headsx_[0].first(ix); i >= 0; i = after(nextx_, i)) {
    for (index_t j = after(nextx_, i); j >= 0; j = after(nextx_, j)) pairs.test(i, j);
    for (int row = 0; row < 5; ++row) {
      for (index_t column = ix - 1; column <= (row == 0 ? ix - 1 : ix + 1); ++column) {
        if (column < 0 || column >= lattice_.cells[0]) continue;
        for (index_t j = headsx_[row].first(column); j >= 0; j = after(nextx_, j)) pairs.test(i, j);
      }
    }
  }
}

// Loops 3 to 7 of 002, with four rows instead of the one below.
void Nbs3::search_row(index_t iy, index_t iz, PairTester<3>& pairs) {
  const auto for_each_row = [&](int first_loop, auto&& f) {
    for (int r = 0; r < 5; ++r) {
      if (iz + rows_[r].z < 0) continue;
      for_each_in_row(iy + rows_[r].y, -rows_[r].z, first_loop + (r > 0), [&](index_t i) { f(r, i); });
    }
  };
  for_each_row(3, [&](int r, index_t i) { headsx_[r].push(cell(0, i), i, nextx_); });
  for_each_in_row(iy, 0, 5, [&](index_t i) {
    const index_t ix = cell(0, i);
    if (!headsx_[0].is_new(ix)) return;
    headsx_[0].mark_old(ix);
    check_cell(ix, pairs);
  });
  for_each_row(6, [&](int r, index_t i) { headsx_[r].remove(cell(0, i)); });
}

// The additions of the third dimension: Y lists of this layer and of the one below, a search for new ones, their removal.
void Nbs3::search_layer(index_t iz, PairTester<3>& pairs) {
  const auto push = [&](int which) { return [this, which](index_t i) { headsy_[which].push(cell(1, i), i, nexty_); }; };
  const auto remove = [&](int which) { return [this, which](index_t i) { headsy_[which].remove(cell(1, i)); }; };
  for_each_in_layer(iz, push(0));
  if (iz > 0) for_each_in_layer(iz - 1, push(1));
  for_each_in_layer(iz, [&](index_t i) {
    const index_t iy = cell(1, i);
    if (!headsy_[0].is_new(iy)) return;
    headsy_[0].mark_old(iy);
    search_row(iy, iz, pairs);
  });
  for_each_in_layer(iz, remove(0));
  if (iz > 0) for_each_in_layer(iz - 1, remove(1));
}

void Nbs3::search(const Bodies<3>& bodies, const Lattice<3>& lattice, PairTester<3>& pairs) {
  bodies_ = &bodies;
  lattice_ = lattice;
  const index_t n = bodies.size();
  for (auto* next : {&nextx_, &nexty_, &nextz_}) next->resize(static_cast<std::size_t>(n));
  headz_.reserve(lattice.cells[2]);
  for (MarkedHeads& heady : headsy_) heady.reserve(lattice.cells[1]);
  for (MarkedHeads& headx : headsx_) headx.reserve(lattice.cells[0]);
  counts_ = {};
  counts_.memory =
      lattice.cells[2] + 2 * std::int64_t{lattice.cells[1]} + 5 * std::int64_t{lattice.cells[0]} + 3 * std::int64_t{n};

  for (index_t i = 0; i < n; ++i) {
    ++counts_.loop[1];
    headz_.push(cell(2, i), i, nextz_);
  }
  for (index_t i = 0; i < n; ++i) {
    ++counts_.loop[2];
    const index_t iz = cell(2, i);
    if (!headz_.is_new(iz)) continue;
    headz_.mark_old(iz);
    search_layer(iz, pairs);
  }
  for (index_t i = 0; i < n; ++i) {
    ++counts_.loop[8];
    headz_.remove(cell(2, i));
  }
  counts_.tests = pairs.tests();
}

}  // namespace hgrid::reference
