// SPDX-License-Identifier: BSD-3-Clause
// The search, written once: for one particle the runs of candidates on each level and image, the candidates that
// are partners, and which partners make each pair appear once. Everything that lists, counts or visits contacts
// is a loop over slots around these functions; users' kernels may call the last two.
#pragma once

#include "hgrid/core/periodic.hpp"
#include "hgrid/core/predicate.hpp"

namespace hgrid {

/// Which partners of a particle a search visits: each pair of the system from one side only, or all.
enum class Visit { once, all };

/// Calls f(begin, end, shift) for each run of slots on level j that may hold partners of slot p. With
/// Visit::once and p's own level, runs are cut so that every unordered pair is a candidate of one side only: of
/// the slots under shift 0 those after p, and of the shifts those that are lexicographically positive. A run may be
/// empty (begin >= end): it still was a look-up.
template <Visit visit, int D, class F>
HGRID_HD void for_each_run(const GridView<D>& g, index_t p, int own_level, int j, F&& f) {
  const index_t level_begin = g.level_begin[j], level_end = g.level_begin[j + 1];
  if (level_begin == level_end) return;
  const bool once = visit == Visit::once && j == own_level;
  const Level<D>& level = g.level[j];

  const Vec<double, D> x = g.position(p);
  const double distance = g.radius[p] + g.radius_max[j] + g.skin;
  Vec<double, D> reach;
  for (int k = 0; k < D; ++k) reach[k] = search_reach(distance, x[k], g.box.length(k));

  const ImageRange<D> images = images_in_reach(g.box, x, reach);
  Vec<int, D> m = images.first;
  while (true) {
    Image image{};
    for (int k = 0; k < D; ++k) image.m[k] = m[k];
    const int sign = lexicographic_sign(image);
    if (!once || sign >= 0) {
      Shift<D> shift{m, {}};
      Vec<double, D> centre;
      for (int k = 0; k < D; ++k) {
        shift.by[k] = mul_rn(m[k], g.box.length(k));
        centre[k] = x[k] - shift.by[k];
      }
      const index_t from = once && sign == 0 ? p + 1 : level_begin;
      const auto from_on = [&](index_t begin, index_t end) { f(begin < from ? from : begin, end, shift); };
      CellRange<D> range = cells_around(level, centre, reach);
      // Slots of one level ascend with the cell's last coordinate, so later slots are in no earlier layer.
      if (once && sign == 0 && g.keys == KeyOrder::row_major) {
        range.first[D - 1] = cell_coordinate(level, D - 1, x[D - 1]);
      }
      if (g.look_ups(range) > level_end - level_begin) {
        from_on(level_begin, level_end);  // fewer particles than cells: bounds the work at any size ratio
      } else {
        Vec<index_t, D> row = range.first;
        index_t hint = 0;
        for (offset_t rows = range.rows(); rows > 0; --rows) {
          g.for_each_run(j, row, range.last[0], hint, from_on);
          if (++row[1] > range.last[1]) {
            row[1] = range.first[1];
            if constexpr (D == 3) ++row[2];
          }
        }
      }
    }
    int k = 0;  // next image
    while (k < D && m[k] == images.last[k]) m[k] = images.first[k], ++k;
    if (k == D) return;
    ++m[k];
  }
}

/// Calls f(begin, end, shift) for the candidate runs of slot p on every level that the visit and the grid's
/// direction ask for: once, Top-Down: own level and finer ones; once, Bottom-Up: own and coarser ones.
template <Visit visit, int D, class F>
HGRID_HD void for_each_candidate_run(const GridView<D>& g, index_t p, F&& f) {
  const int own = g.level_of_slot(p);
  const bool down = visit == Visit::all || g.direction == Direction::top_down;
  const bool up = visit == Visit::all || g.direction == Direction::bottom_up;
  for (int j = down ? 0 : own; j < (up ? g.level_count : own + 1); ++j) for_each_run<visit>(g, p, own, j, f);
}

/// Calls f(q, shift) for the partners of slot p; q is a slot.
template <Visit visit, int D, class F>
HGRID_HD void for_each_partner_slot(const GridView<D>& g, index_t p, F&& f) {
  for_each_candidate_run<visit>(g, p, [&](index_t begin, index_t end, const Shift<D>& shift) {
    const bool in_place = lexicographic_sign({shift.m[0], shift.m[1], D == 3 ? shift.m[D - 1] : 0}) == 0;
    for (index_t q = begin; q < end; ++q) {
      if (q == p && in_place) continue;  // a particle is no partner of itself
      if (in_contact(g, p, q, shift) && may_pair(g, p, q)) f(q, shift);
    }
  });
}

/// Calls f(i, j, image) for touching slots p and q, in the orientation of contract C3.
template <int D, class F>
HGRID_HD void report_contact(const GridView<D>& g, index_t p, index_t q, const Shift<D>& shift, F&& f) {
  const index_t i = g.id[p], j = g.id[q];
  const Image image = user_image(g, p, q, shift);
  if (i < j || (i == j && lexicographic_sign(image) > 0)) {
    f(i, j, image);
  } else {
    f(j, i, -image);
  }
}

/// Calls f(i, j, image) for every contact whose search belongs to slot p; over all slots each contact appears
/// once, with i < j, or i == j and a lexicographically positive image (contract C3).
template <int D, class F>
HGRID_HD void for_each_contact(const GridView<D>& g, index_t p, F&& f) {
  for_each_partner_slot<Visit::once>(
      g, p, [&](index_t q, const Shift<D>& shift) { report_contact(g, p, q, shift, f); });
}

/// Calls f(j, image) for all partners of the particle in slot p, that is of id g.id[p]: a gather, for forces
/// that are summed by one thread each in one order.
template <int D, class F>
HGRID_HD void for_each_partner(const GridView<D>& g, index_t p, F&& f) {
  for_each_partner_slot<Visit::all>(
      g, p, [&](index_t q, const Shift<D>& shift) { f(g.id[q], user_image(g, p, q, shift)); });
}

}  // namespace hgrid
