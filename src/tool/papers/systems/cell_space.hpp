// SPDX-License-Identifier: BSD-3-Clause
// The cell space of PFC (004): pieces mapped into cells by enlarged extents, remapped only after they have moved.
#pragma once

#include <optional>

#include "hgrid/threads/openmp_exec.hpp"
#include "papers/systems/embedded_space.hpp"
#include "papers/systems/pair_tester.hpp"

namespace hgrid::reference {

template <int D>
struct CellSpaceOptions {
  std::optional<Bounds<D>> domain;         ///< the model domain; by default the bounds of the first pieces
  double parents = D == 2 ? 1000 : 10000;  ///< parent cells, about
  double velocity = 0;                     ///< epsilon_v of Eq. 1
  double extent = 0.05;                    ///< epsilon_e
  double constant = 0;                     ///< epsilon_c
  double timestep = 0;                     ///< Delta t
  double interaction = 0;                  ///< r_i: pieces this far apart are still in proximity
  Refinement refinement;
  int threads = 1;
};

/// The work of the cell space; all counts except `pieces` start at its construction.
struct CellSpaceCounts {
  std::int64_t pieces = 0;                  ///< in the space now
  std::int64_t dirty = 0;                   ///< pieces that were mapped or remapped
  std::int64_t mapped = 0;                  ///< entries made in lists of parent cells
  std::int64_t refined = 0, unrefined = 0;  ///< cells
  friend bool operator==(const CellSpaceCounts&, const CellSpaceCounts&) = default;
};

/// A cell space over pieces in open space, 2-D or 3-D.
///
/// `update` is the cycle point of 004: it makes a dirty list of the pieces that are new or have moved more than their epsilon
/// along any axis since they were mapped, and remaps only these. Threads work without locks: each takes a share of the dirty
/// pieces to find their new cells, then a share of the parent cells to change their lists. A parent cell and the spaces
/// embedded in it belong to one thread, which makes changes in the order of the pieces. So the lists are equal for any number
/// of threads.
///
/// No pair is missed: if two pieces are within r_i of each other, a point between them is within r_i / 2 of
/// both. Neither has moved more than sqrt(D) epsilon, which is below 2 epsilon, so the point lies inside both
/// conformal surfaces, and the cell that holds it lists both.
template <int D>
class CellSpace {
 public:
  explicit CellSpace(const CellSpaceOptions<D>& options = {});

  /// Brings the space up to date; piece i is the one that was piece i before. Throws, and leaves the space unchanged:
  /// Error(nonfinite) and Error(range_error) for a vertex, Error(negative_radius) for a radius, naming the piece.
  void update(std::span<const Piece<D>> pieces);

  /// The iterator over a search window: calls f(piece) for pieces in cells that meet the window; a piece may come several
  /// times.
  template <class F>
  void for_each_in(const Bounds<D>& window, F&& f) const {
    if (space_) space_->for_each_in(window, f);
  }

  /// Calls f(q) once for every piece q that may be in proximity of piece p, except if both are facets or have one owner. `seen`
  /// is scratch of the caller's, empty at first and kept between calls.
  template <class F>
  void for_each_partner(index_t p, std::vector<index_t>& seen, F&& f) const {
    seen.resize(mapped_.size(), -1);
    const MappedPiece<D>& of_p = mapped_[static_cast<std::size_t>(p)];
    for_each_in(of_p.cell_extent, [&](index_t q) {
      if (q == p || seen[static_cast<std::size_t>(q)] == p) return;
      seen[static_cast<std::size_t>(q)] = p;
      if (may_meet(of_p.piece, mapped_[static_cast<std::size_t>(q)].piece)) f(q);
    });
  }

  /// Calls f(p, q) once for every two pieces, p < q, that may be in proximity.
  template <class F>
  void for_each_pair(F&& f) const {
    std::vector<index_t> seen;
    for (index_t p = 0; p < static_cast<index_t>(mapped_.size()); ++p) {
      for_each_partner(p, seen, [&](index_t q) {
        if (p < q) f(p, q);
      });
    }
  }

  const std::vector<index_t>& dirty() const { return dirty_; }  ///< pieces that the last update remapped, ascending
  /// Returns the parent cells into which a piece is mapped, ascending.
  const std::vector<index_t>& cells_of(index_t piece) const { return cells_[static_cast<std::size_t>(piece)]; }
  double tolerance(index_t piece) const { return mapped_[static_cast<std::size_t>(piece)].tolerance; }
  const EmbeddedSpace<D>& parents() const { return *space_; }  ///< after the first update
  const CellSpaceCounts& counts() const { return counts_; }

 private:
  struct Change {
    index_t cell, piece;
    bool insert;
  };

  static bool may_meet(const Piece<D>& p, const Piece<D>& q) {
    return !(p.is_facet() && q.is_facet()) && (p.owner < 0 || p.owner != q.owner);
  }
  void check(std::span<const Piece<D>> pieces) const;
  void make_space(std::span<const Piece<D>> pieces);
  MappedPiece<D> map(const Piece<D>& piece) const;
  std::vector<Change> changes(std::size_t before, std::size_t after) const;
  void change_lists(const std::vector<Change>& changes, const std::vector<MappedPiece<D>>& before);

  CellSpaceOptions<D> options_;
  OpenMPExec exec_;
  std::optional<EmbeddedSpace<D>> space_;
  std::vector<MappedPiece<D>> mapped_;
  std::vector<std::vector<index_t>> cells_, next_cells_;
  std::vector<index_t> dirty_;
  CellSpaceCounts counts_;
};

/// Returns contacts of bodies by a cell space that maps them as balls. Its parent cells are at least about as wide as the mean
/// diameter. Domain: 2-D and 3-D, open and periodic. Counts `tests`, `dirty` (all pieces: the space is new), `mapped`,
/// `parents`, `refined`, `unrefined`.
template <int D>
Contacts cell_space(const Bodies<D>& bodies, const CellSpaceOptions<D>& options = {});

}  // namespace hgrid::reference
