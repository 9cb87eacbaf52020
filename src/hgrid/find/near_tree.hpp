// SPDX-License-Identifier: BSD-3-Clause
// The particles of a built grid in a spatial order, and boxes around consecutive particles, on hosts. Its height grows with the
// logarithm of the number of particles, for any density and cells.
#pragma once

#include <algorithm>

#include "hgrid/cells/near_order.hpp"
#include "hgrid/core/near_kernels.hpp"
#include "hgrid/find/slot_boxes.hpp"

namespace hgrid::inline v0_2::detail {

/// Uses the executor's memory. Particles of one level and world have the same range of places as of slots.
template <class Exec, int D>
class NearTree {
 public:
  /// Builds the tree. Throws `out_of_memory`, and is then unchanged.
  void build(const Exec& exec, const GridView<D>& g) {
    const offset_t n = g.slots(), padded = n + slot_padding;
    reserve_all(exec, Need{records_, n}, Need{columns_, (D + 1) * padded}, Need{id_, n}, Need{slot_, n});
    NearRecord<D>* const records = records_.data();
    exec.for_each("hgrid::near_records", n, [&](offset_t q) {
      const auto slot = static_cast<index_t>(q);
      records[q] = {g.position(slot), slot, g.id[slot]};
    });
    order(exec, g, n);
    for (int k = 0; k < D; ++k) view_.x[k] = columns_.data() + k * padded;
    view_.radius = columns_.data() + D * padded, view_.id = id_.data(), view_.slot = slot_.data();
    exec.for_each("hgrid::near_columns", padded, [&](offset_t place) {
      const NearRecord<D> own = place < n ? records[place] : NearRecord<D>{};
      for (int k = 0; k < D; ++k) columns_.data()[k * padded + place] = own.x[k];
      columns_.data()[D * padded + place] = place < n ? g.radius[own.slot] : 0;
      if (place < n) id_.data()[place] = own.id, slot_.data()[place] = own.slot;
    });
    boxes_.build(exec, view_.x, {view_.radius, nullptr, view_.id}, n);
    view_.boxes = boxes_.view();
  }

  const NearTreeView<D>& view() const { return view_; }
  std::size_t bytes() const { return records_.bytes() + columns_.bytes() + id_.bytes() + slot_.bytes() + boxes_.bytes(); }

 private:
  static constexpr int children = ChildBoxes<D>::children;

  // Orders block by block, from the root's children to blocks of eight places.
  void order(const Exec& exec, const GridView<D>& g, offset_t n) {
    constexpr offset_t of_thread = children * children * children * children;  // places that one thread orders alone
    offset_t size = children;
    while (size < n) size *= children;
    for (; size > of_thread; size /= children) order_within(exec, g, n, size, size / children);
    order_within(exec, g, n, size, children);
  }

  // Orders blocks of `size` down to blocks of `to`.
  void order_within(const Exec& exec, const GridView<D>& g, offset_t n, offset_t size, offset_t to) {
    exec.for_each_item("hgrid::order_blocks", (n + size - 1) / size, [&](offset_t block) {
      for (offset_t begin = block * size, last = std::min(n, begin + size), end; begin < last; begin = end) {
        end = std::min<offset_t>(last, end_of_range(g, static_cast<index_t>(begin)));
        for (offset_t blocks = size / children; blocks >= to; blocks /= children)
          order_parts(records_.data(), begin, end, blocks);
      }
    });
  }

  // Returns the end of the range of a slot's level and world.
  static index_t end_of_range(const GridView<D>& g, index_t slot) {
    int level = 0;
    while (g.level_begin[level + 1] <= slot) ++level;
    return g.slots_on(level, g.world_of(slot)).end;
  }

  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

  Buffer<NearRecord<D>> records_;
  Buffer<double> columns_;
  Buffer<index_t> id_, slot_;
  CrowdBoxes<Exec, D> boxes_;
  NearTreeView<D> view_{};
};

}  // namespace hgrid::inline v0_2::detail
