// SPDX-License-Identifier: BSD-3-Clause
// The hierarchical grid of its papers (Ogarko and Luding 2012, section 2; Krijgsman, Ogarko and Luding 2014, section 2): cubic
// cells, a hash table of the occupied ones, a loop over particles, look-ups cell by cell, and axis-aligned boxes tested before
// spheres. It counts the quantities that the papers' cost model predicts, finds the contacts, and shares with the library only
// the predicate.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "hgrid/core/grid_view.hpp"

namespace hgrid::reference {

struct Hgrid2012Options {
  std::vector<double> sizes;  ///< s_1 < ... < s_L, sides of cells; s_L at least the largest diameter (and the skin)
  Direction direction = Direction::top_down;
};

/// Operations of a search, over all particles.
struct Hgrid2012Work {
  std::int64_t tests = 0;     ///< pair tests, boxes first: N T^cd
  std::int64_t box_hits = 0;  ///< of these, pairs whose boxes overlap: tests of spheres
  std::int64_t contacts = 0;
  double cells = 0;  ///< cell accesses, including empty cells and cells outside the domain: N T^ca

  /// Returns T, Eq. 27 of 2014, for a cell access that costs `cell_cost` pair tests; divided by N it is per particle.
  double total(double cell_cost) const { return static_cast<double>(tests) + cell_cost * cells; }
};

/// Called for each contact like the functor of `report_contact` (contract C3).
using ContactVisitor = std::function<void(index_t i, index_t j, const Image& image)>;

/// The mapping phase is the constructor, the contact detection phase is `search`.
///
/// On an axis of period A cells are stretched to A / floor(A / s), so that whole cells fit; particles are inserted by the
/// stretched sizes. Departures from the papers' text, which change no count: cells are wider by 2^-20, which makes the search
/// of adjacent cells sound in floating point; at most 2^21 fit along an axis, so finer ones are coarsened; and a search box of
/// more cells than the level has occupied ones is counted as such but loops over the occupied ones, so that any ratio of sizes
/// ends.
template <int D>
class Hgrid2012 {
 public:
  /// `particles` are slots 0 .. count - 1 of a view, whose levels and cells are not used; the view's memory must outlive this
  /// object. Throws `invalid_levels` for sizes that do not ascend, are not positive and finite, or end below the largest
  /// diameter.
  Hgrid2012(const GridView<D>& particles, index_t count, const Hgrid2012Options& options);
  ~Hgrid2012();

  /// Returns the sides of cells, stretched to the period if all axes are periodic (their mean over the axes).
  std::vector<double> sides() const;
  /// Returns the number of particles of each level.
  std::vector<index_t> particles() const;
  /// Finds the contacts; without a visitor they are only counted.
  Hgrid2012Work search(const ContactVisitor& visit = {}) const;

 private:
  struct Level;
  class Searcher;

  void add_level(double size);
  void insert(index_t slot);

  GridView<D> slots_;
  index_t count_;
  Direction direction_;
  Vec<double, D> origin_, extent_;
  std::vector<Level> levels_;
  std::vector<int> level_of_;  // per slot
  std::vector<index_t> next_;  // per slot: the next one in its cell, or -1
};

extern template class Hgrid2012<2>;
extern template class Hgrid2012<3>;

}  // namespace hgrid::reference
