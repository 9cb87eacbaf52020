// SPDX-License-Identifier: BSD-3-Clause
// NBS, "no binary search" (002, Munjiza and Andrews 1998): linear in the number of bodies at any density.
#pragma once

#include <array>
#include <optional>

#include "papers/systems/lattice.hpp"
#include "papers/systems/pair_tester.hpp"

namespace hgrid::reference {

template <int D>
struct NbsOptions {
  /// x_min .. x_max, y_min .. y_max (002, section 2). By default the space that holds all discs entirely.
  std::optional<Bounds<D>> space;
};

/// The work of NBS. Loops are numbered as in section 5 of 002; in 3-D `layer_loops` are the loops of the third dimension.
struct NbsCounts {
  std::array<std::int64_t, 9> loop{};  ///< bodies visited by loops 1 .. 8; [0] is unused
  std::int64_t layer_loops = 0;
  std::int64_t tests = 0;
  std::int64_t memory = 0;  ///< integers in heads and lists, Eq. 13
};

/// Singly connected lists of bodies: a head per list, a next per body, -1 for "none" (002, Figs. 8 to 11). A head also carries
/// the list's mark: it is i >= 0 while the list is new, -2 - i once it is old, so marks take no memory.
class MarkedHeads {
 public:
  void reserve(index_t lists) {
    if (static_cast<std::size_t>(lists) > head_.size()) head_.assign(static_cast<std::size_t>(lists), -1);
  }
  /// Returns the last body placed onto the list, whether it is new or old.
  index_t first(index_t list) const {
    const index_t head = head_[static_cast<std::size_t>(list)];
    return head >= -1 ? head : -2 - head;
  }
  /// Places a body at the front of the list, and marks the list as new.
  void push(index_t list, index_t body, std::vector<index_t>& next) {
    next[static_cast<std::size_t>(body)] = first(list);
    head_[static_cast<std::size_t>(list)] = body;
  }
  bool is_new(index_t list) const { return head_[static_cast<std::size_t>(list)] >= 0; }
  void mark_old(index_t list) { head_[static_cast<std::size_t>(list)] = -2 - first(list); }
  void remove(index_t list) { head_[static_cast<std::size_t>(list)] = -1; }

 private:
  std::vector<index_t> head_;
};

/// The algorithm in two dimensions, step by step as in section 5 of 002. The heads stay empty between searches, so no search
/// loops over cells; only the first one, and one in a larger space, clears memory.
class Nbs2 {
 public:
  /// Calls pairs.test once for each pair of discs in one cell or in neighboring ones.
  void search(const Bodies<2>& bodies, const Lattice<2>& lattice, PairTester<2>& pairs);

  NbsCounts counts() const { return counts_; }

  // The steps, for a reader of the paper and for the test of its Figs. 7 to 11.
  void begin(const Bodies<2>& bodies, const Lattice<2>& lattice);
  void place_in_rows();                          ///< loop 1: the lists Y_iy
  void place_in_columns(index_t iy, int which);  ///< loops 3 and 4: the lists (X_ix, Y_iy) into headsx[which]
  /// Loop 5: calls f(ix, iy) for each new list (X_ix, Y_iy) of the row, and marks it as old.
  template <class F>
  void for_each_new_list(index_t iy, F&& f) {
    for (index_t i = heady.first(iy); i >= 0; i = nexty[static_cast<std::size_t>(i)]) {
      ++counts_.loop[5];
      const index_t ix = column(i);
      if (!headsx[0].is_new(ix)) continue;
      headsx[0].mark_old(ix);
      f(ix, iy);
    }
  }
  void remove_columns(index_t iy, int which);  ///< loops 6 and 7
  void remove_rows();                          ///< loop 8

  MarkedHeads heady, headsx[2];
  std::vector<index_t> nexty, nextx;

 private:
  index_t column(index_t i) const { return lattice_.cell(0, bodies_->x(0, i)); }  // Eq. 8
  index_t row(index_t i) const { return lattice_.cell(1, bodies_->x(1, i)); }     // Eq. 9
  void check_cell(index_t ix, PairTester<2>& pairs) const;

  const Bodies<2>* bodies_ = nullptr;
  Lattice<2> lattice_{};
  NbsCounts counts_;
};

/// The extension to three dimensions that the paper leaves to its reader, with equal properties: Z lists of layers, Y lists of
/// two layers, X lists of five rows; no loop over cells; memory ncelz + 2 ncely + 5 ncelx + 3 N.
class Nbs3 {
 public:
  void search(const Bodies<3>& bodies, const Lattice<3>& lattice, PairTester<3>& pairs);
  NbsCounts counts() const { return counts_; }

 private:
  struct Row {
    int y, z;  // offset from the current row
  };
  static constexpr Row rows_[5] = {{0, 0}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};

  index_t cell(int k, index_t i) const { return lattice_.cell(k, bodies_->x(k, i)); }
  void search_layer(index_t iz, PairTester<3>& pairs);
  void search_row(index_t iy, index_t iz, PairTester<3>& pairs);
  void check_cell(index_t ix, PairTester<3>& pairs) const;
  // Calls f(i) for the bodies of the layer, or of a row of it whose lists are in headsy_[which].
  template <class F>
  void for_each_in_layer(index_t iz, F&& f);
  template <class F>
  void for_each_in_row(index_t iy, int which, int loop, F&& f);

  MarkedHeads headz_, headsy_[2], headsx_[5];
  std::vector<index_t> nextz_, nexty_, nextx_;
  const Bodies<3>* bodies_ = nullptr;
  Lattice<3> lattice_{};
  NbsCounts counts_;
};

/// Returns the cells of NBS: squares or cubes of the largest diameter 2r (Eqs. 4 and 5). A space that would have more than 2^20
/// cells along an axis gets larger ones, which cost tests but never lose a pair. Throws Error(range_error) for a body outside a
/// stated space.
template <int D>
Lattice<D> nbs_lattice(const Bodies<D>& bodies, const NbsOptions<D>& options = {});

/// Returns contacts by NBS. All bodies are treated as discs of the largest size (section 2), so it is meant for bodies of
/// similar size; pairs are reported by the real sizes. Domain: 2-D as written, 3-D by extension; open and periodic. Counts
/// `tests`, `loop_1` .. `loop_8`, `loops` (their sum), `layer_loops` (3-D) and `memory` (Eq. 13).
template <int D>
Contacts nbs(const Bodies<D>& bodies, const NbsOptions<D>& options = {});

}  // namespace hgrid::reference
