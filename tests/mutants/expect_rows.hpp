// SPDX-License-Identifier: BSD-3-Clause
// Lists and matrices of neighbors.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "support/fail.hpp"
#include "support/packings.hpp"
#include "support/results.hpp"

/// Expects a matrix with the list's entries, and nothing after them.
template <class Grid, class List>
bool matrix_equals(Grid& grid, const List& list, hgrid::ListKind kind) {
  const hgrid::offset_t n = list.lists();
  hgrid::offset_t width = 0;  // one more than is needed
  for (hgrid::offset_t i = 0; i < n; ++i) width = std::max(width, list.offsets()[i + 1] - list.offsets()[i] + 1);
  std::vector<hgrid::index_t> neighbours(static_cast<std::size_t>(n * width)), counts(static_cast<std::size_t>(n));
  std::vector<hgrid::Image> images(neighbours.size());
  grid.find(hgrid::NeighbourMatrix<hgrid::index_t>{neighbours.data(), n, width, counts.data(), images.data()}, {.kind = kind});
  bool equal = true;
  for (hgrid::offset_t i = 0; i < n; ++i) {
    const hgrid::offset_t begin = list.offsets()[i], here = list.offsets()[i + 1] - begin;
    equal = equal && counts[static_cast<std::size_t>(i)] == here;
    for (hgrid::offset_t k = 0; k < width; ++k) {
      equal = equal && neighbours[static_cast<std::size_t>(i * width + k)] == (k < here ? list.neighbours()[begin + k] : -1);
    }
  }
  return equal;
}

/// Expects a packed list with equal entries.
template <class Exec>
bool packed_equals(const hgrid::PackedList<Exec>& list, const hgrid::NeighbourList<Exec>& other) {
  const hgrid::PackedView packed(list);
  const hgrid::ListView view(other);
  bool equal = packed.lists == view.lists && list.size() == other.size();
  for (hgrid::index_t i = 0; equal && i < view.lists; ++i) {
    equal = packed.offsets[i + 1] == view.offsets[i + 1];
    for (hgrid::offset_t k = view.offsets[i]; equal && k < view.offsets[i + 1]; ++k) {
      equal = packed.neighbour(k) == view.neighbour(k) && packed.image(i, k) == view.image(k);
    }
  }
  return equal;
}

/// Fills lists of every length, with one neighbor under several images or not, in several buckets and pieces. Lists are filled
/// twice: their earlier contents must not matter.
template <class Exec>
void expect_rows(const Exec& exec) {
  oracle::System tiny;
  support::Random random(11);
  for (int k = 0; k < 3; ++k) tiny.lo[k] = 0, tiny.hi[k] = 1, tiny.periodic[k] = true;
  for (int i = 0; i < 20; ++i) {
    tiny.particles.push_back({.x = {random.real(), random.real(), random.real()}, .radius = 0.02 + 0.05 * i});
  }
  oracle::System systems[] = {tiny, support::polydisperse(1100, 20, false), support::polydisperse(256, 9, true)};
  for (std::size_t k = 0; k < 256; k += 5)
    systems[2].particles[k].x[k % 3] += 3 * (systems[2].hi[k % 3] - systems[2].lo[k % 3]);
  for (const oracle::System& s : systems) {
    auto grid = support::built(exec, s);
    const support::Contacts half = oracle::contacts(s);
    for (const auto kind : {hgrid::ListKind::half, hgrid::ListKind::full}) {
      auto list = grid.make_list(kind);
      for (int turn = 0; turn < 2; ++turn) grid.find(list);
      const bool whole = list.lists() == static_cast<hgrid::index_t>(s.particles.size()) && list.offsets()[0] == 0 &&
                         list.offsets()[list.lists()] == list.size();
      const auto& expected = kind == hgrid::ListKind::half ? half : oracle::from_both_sides(half);
      if (!whole || support::as_listed(list) != expected) support::fail(std::string("rows by ") + exec.name());
      auto packed = grid.make_packed_list(kind);
      grid.find(packed);
      if (!packed_equals(packed, list)) support::fail(std::string("packed rows by ") + exec.name());
      if (!matrix_equals(grid, list, kind)) support::fail(std::string("a matrix by ") + exec.name());
    }
  }
  tiny.tilt[0] = 100.3;
  auto grid = support::built(exec, tiny);
  auto packed = grid.make_packed_list();
  try {
    grid.find(packed);
  } catch (const hgrid::Error& e) {
    if (e.code() == hgrid::ErrorCode::unsupported) return;
  }
  support::fail(std::string("images that may not fit a packed list, by ") + exec.name());
}
