// SPDX-License-Identifier: BSD-3-Clause
// Sorts particles into cells through buckets, on devices. Each particle is moved twice. The first move goes to scattered
// places, but the device writes to all buckets side by side, so the second-level cache combines the writes. A radix sort moves
// keys and ids once per digit, and then reads positions from scattered places. For row-major keys and dense tables; other plans
// sort by keys. Slots are the same in both cases.
#pragma once

#include "hgrid/cells/radix_cells.hpp"
#include "hgrid/device/bucket_stages.hpp"

namespace hgrid::inline v0_2::detail {

/// Has the interface of RadixCells.
template <class Exec, int D>
class BucketCells {
 public:
  template <class Real>
  void reserve(const Exec& exec, const Particles<Real, D>& p, const Plan<D>& plan) {
    if (!applies(plan)) return radix_.reserve(exec, p, plan);
    const offset_t buckets = Buckets::of(plan.levels.cells, p.count).count();
    reserve_all(exec, Need{drawn_, p.count}, Need{moved_, p.count}, Need{records_, room_of_records<Real>(p.count)},
                Need{counts_, buckets + 1}, Need{next_, 1});
    exec.template reserve_scan<index_t>(buckets);
  }

  template <class Real>
  bool has_room(const Particles<Real, D>& p, const Plan<D>& plan) const {
    return applies(plan) ? records_.size() >= room_of_records<Real>(p.count) : radix_.has_room(p, plan);
  }

  template <class Real>
  void run(const Exec& exec, const Particles<Real, D>& p, const InputSummary<D>* input, const Plan<D>& plan,
           const GridView<D>& grid, const SlotArrays<D>& out) {
    if (!applies(plan)) return radix_.run(exec, p, input, plan, grid, out);
    const offset_t n = p.count;
    if (n == 0) return;
    const Buckets buckets = Buckets::of(plan.levels.cells, n);
    auto* const record = reinterpret_cast<InputRecord<Real>*>(records_.data());
    auto* const arrivals = reinterpret_cast<Arrival*>(drawn_.data());  // its memory is free after all particles have moved
    exec.for_each("hgrid::clear_buckets", buckets.count(), ClearBuckets{counts_.data(), next_.data()});
    StageByKind()(exec, "hgrid::draw_numbers", n,
                  DrawNumber<Exec, Real, D>{p, grid, input, out.radius_max, buckets.bits, counts_.data(), drawn_.data()});
    exec.exclusive_scan("hgrid::scan_buckets", counts_.data(), buckets.count());
    exec.for_each("hgrid::move_to_buckets", n,
                  MoveToBucket<Real, D>{p, input, buckets.bits, counts_.data(), drawn_.data(), moved_.data(), record});
    for_worlds(grid, [&](const auto& view) {
      const SortBuckets<Real, D> body{from_records(p, record), grid,     input,        buckets, counts_.data(),
                                      moved_.data(),           arrivals, next_.data(), out};
      exec.launch("hgrid::sort_buckets", body.scratch_bytes(), body.in(view));
    });
  }

  std::size_t bytes() const {
    return radix_.bytes() + drawn_.bytes() + moved_.bytes() + records_.bytes() + counts_.bytes() + next_.bytes();
  }

 private:
  static bool applies(const Plan<D>& plan) {
    return plan.sort == SortKind::counting && plan.keys == KeyOrder::row_major && plan.table == TableKind::dense &&
           plan.levels.cells < UINT32_MAX;
  }

  RadixCells<Exec, D> radix_;
  typename Exec::template Buffer<DrawnNumber> drawn_;
  typename Exec::template Buffer<MovedParticle> moved_;
  typename Exec::template Buffer<InputRecord<double>> records_;  // or twice that number of floats
  typename Exec::template Buffer<index_t> counts_;               // sizes of buckets, later where they begin
  typename Exec::template Buffer<word_t> next_;
};

}  // namespace hgrid::inline v0_2::detail
