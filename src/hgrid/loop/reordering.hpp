// SPDX-License-Identifier: BSD-3-Clause
// Sorts the user's particles along the grid's slots: neighbors in space become neighbors in memory.
#pragma once

#include "hgrid/grid.hpp"

namespace hgrid::inline v0_2 {

namespace detail {

/// Marks the particles that have a slot.
struct MarkSlots {
  const index_t* id;
  const index_t* slots;
  index_t* left_out;
  HGRID_HD void operator()(offset_t slot) const {
    if (slot < *slots) left_out[id[slot]] = 0;
  }
};

/// Numbers particles: old ids by new id, and the reverse. Slots come first, then the particles that take no part, in the order
/// of their ids.
struct NumberParticles {
  const index_t* id;
  const index_t* slots;
  const index_t* left_out_before;  // prefix sums
  index_t* old_id;
  index_t* new_id;
  HGRID_HD void operator()(offset_t i) const {
    if (i < *slots) {
      old_id[i] = id[i];
      new_id[id[i]] = static_cast<index_t>(i);
    }
    if (left_out_before[i] == left_out_before[i + 1]) return;
    const index_t to = *slots + left_out_before[i];
    old_id[to] = static_cast<index_t>(i);
    new_id[i] = to;
  }
};

template <class T>
struct GatherValues {
  const index_t* old_id;
  const T* from;
  T* to;
  int components;
  HGRID_HD void operator()(offset_t i) const {
    for (int k = 0; k < components; ++k) to[i * components + k] = from[offset_t{old_id[i]} * components + k];
  }
};

}  // namespace detail

/// A permutation of all particles of a build into the order of its slots. Ids change with it: pass `old_id()` to
/// History::remap, renumber the entries of exclusions by `new_id()`, and build again. Keeps its capacity.
template <class Exec>
class Reordering {
 public:
  explicit Reordering(const Exec& exec) : exec_(exec), old_id_(exec, 0), new_id_(exec, 0), left_out_(exec, 0) {}

  /// Takes the order of the grid's last build. Throws `not_built` or `out_of_memory`.
  template <int D>
  void take(const Grid<Exec, D>& grid) {
    const GridView<D> g = grid.view();
    const offset_t n = grid.particle_count();
    detail::reserve_all(exec_, detail::Need{old_id_, n}, detail::Need{new_id_, n}, detail::Need{left_out_, n + 1});
    exec_.template reserve_scan<index_t>(n);
    size_ = n;
    const index_t* slots = g.level_begin + g.level_count;
    exec_.for_each("hgrid::clear_marks", size_, detail::Fill<index_t>{left_out_.data(), 1});
    exec_.for_each("hgrid::mark_slots", size_, detail::MarkSlots{g.id, slots, left_out_.data()});
    exec_.exclusive_scan("hgrid::scan_marks", left_out_.data(), size_);
    exec_.for_each("hgrid::number_particles", size_,
                   detail::NumberParticles{g.id, slots, left_out_.data(), old_id_.data(), new_id_.data()});
  }

  offset_t size() const { return size_; }
  const index_t* old_id() const { return old_id_.data(); }  ///< [size] by new id
  const index_t* new_id() const { return new_id_.data(); }  ///< [size] by old id

  /// Copies to[new id] = from[old id], for values of `components` components each. The arrays must not overlap.
  template <class T>
  void apply(const T* from, T* to, int components = 1) const {
    exec_.for_each("hgrid::gather_values", size_, detail::GatherValues<T>{old_id(), from, to, components});
  }

 private:
  Exec exec_;
  typename Exec::template Buffer<index_t> old_id_, new_id_, left_out_;
  detail::ClearedByMove<offset_t> size_;
};

}  // namespace hgrid::inline v0_2
