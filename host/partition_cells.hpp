// SPDX-License-Identifier: BSD-3-Clause
// Sorting particles into cells on a host, for row-major keys and a dense table: one pass moves whole particles into
// buckets of consecutive cells, a counting sort then orders each bucket inside the cache and writes slots and cell
// starts in place. Both passes keep the order of ids, so slots are the same as by RadixCells.
#pragma once

#include "hgrid/build/radix_cells.hpp"
#include "hgrid/host/buckets.hpp"
#include "hgrid/host/buffer.hpp"

namespace hgrid {

template <class Exec, int D>
class PartitionCells {
 public:
  void reserve(const Exec& exec, offset_t n, const Plan<D>& plan) {
    if (!applies(plan)) return radix_.reserve(exec, n, plan);
    const offset_t room = exec.chunks(n) * buckets(plan) + 1;
    reserve_all(exec, Need{records_, n}, Need{counts_, room}, Need{starts_, buckets(plan) + 1});
  }

  template <class Real>
  void run(const Exec& exec, const Particles<Real, D>& p, const InputSummary<D>* input, const Plan<D>& plan,
           const GridView<D>& grid, const SlotArrays<D>& out) {
    if (!applies(plan)) return radix_.run(exec, p, input, plan, grid, out);
    const offset_t n = p.count, chunks = exec.chunks(n);
    auto* key = reinterpret_cast<std::uint32_t*>(out.id);  // ids are written last: their memory holds the keys
    exec.for_each_worker("hgrid::make_keys", chunks, [&](offset_t chunk) {
      make_keys(p, plan, grid, out, key, n * chunk / chunks, n * (chunk + 1) / chunks, counts_of(plan, chunk));
    });
    const auto used = static_cast<index_t>(scan_buckets(counts_.data(), starts_.data(), buckets(plan), chunks));
    exec.for_each_worker("hgrid::partition", chunks, [&](offset_t chunk) {
      partition(p, plan, grid, key, n * chunk / chunks, n * (chunk + 1) / chunks, counts_of(plan, chunk));
    });
    exec.for_each_block("hgrid::sort_buckets", buckets(plan), [&](offset_t b) { sort_bucket(plan, out, b); });
    out.cell_begin[plan.levels.cells] = used;
    for (int h = 0; h < plan.levels.count; ++h) {
      out.level_begin[h] = out.cell_begin[plan.levels.level[h].first_cell];
    }
    out.level_begin[plan.levels.count] = used;
    if (out.group != nullptr || out.wraps != nullptr) {
      exec.for_each("hgrid::gather_rest", used, [&](offset_t slot) {
        const index_t i = out.id[slot];
        if (out.group != nullptr) out.group[slot] = p.group[i];
        if (out.wraps != nullptr) out.wraps[slot] = stored(p, grid.box, i).wraps;
      });
    }
  }

  std::size_t bytes() const { return radix_.bytes() + records_.bytes() + counts_.bytes() + starts_.bytes(); }

 private:
  static constexpr std::uint32_t left_out = ~std::uint32_t{0};
  static constexpr int most_cell_bits = 13;    // of a bucket: its counters fit the first-level cache
  static constexpr int wanted_bucket_bits = 11;

  struct Record {
    double x[D], radius;
    index_t id;
    std::uint32_t key;
  };

  static bool applies(const Plan<D>& plan) {
    return plan.keys == KeyOrder::row_major && plan.table == TableKind::dense && plan.levels.cells < left_out;
  }
  static int cell_bits(const Plan<D>& plan) {
    const int bits = std::bit_width(plan.levels.cells) - wanted_bucket_bits;
    return bits < 0 ? 0 : (bits < most_cell_bits ? bits : most_cell_bits);
  }
  static offset_t buckets(const Plan<D>& plan) {
    return static_cast<offset_t>((plan.levels.cells - 1) >> cell_bits(plan)) + 1;
  }
  offset_t* counts_of(const Plan<D>& plan, offset_t chunk) { return counts_.data() + chunk * buckets(plan); }

  template <class Real>
  void make_keys(const Particles<Real, D>& p, const Plan<D>& plan, const GridView<D>& grid, const SlotArrays<D>& out,
                 std::uint32_t* key, offset_t begin, offset_t end, offset_t* counts) {
    const int shift = cell_bits(plan);
    const bool all = p.active == nullptr && p.nonfinite == NonFinite::error;
    double radius_max[max_levels] = {};
    for (offset_t b = 0; b < buckets(plan); ++b) counts[b] = 0;
    for (offset_t i = begin; i < end; ++i) {
      key[i] = left_out;
      if (!all && !takes_part(p, i)) continue;
      const Stored<D> s = stored(p, grid.box, i);
      int h;
      key[i] = static_cast<std::uint32_t>(key_of(grid, s, h));
      radius_max[h] = s.radius > radius_max[h] ? s.radius : radius_max[h];
      ++counts[key[i] >> shift];
    }
    for (int h = 0; h < plan.levels.count; ++h) Exec::atomic_max(&out.radius_max[h], radius_max[h]);
  }

  template <class Real>
  void partition(const Particles<Real, D>& p, const Plan<D>& plan, const GridView<D>& grid, const std::uint32_t* key,
                 offset_t begin, offset_t end, offset_t* next) {
    const int shift = cell_bits(plan);
    for (offset_t i = begin; i < end; ++i) {
      if (key[i] == left_out) continue;
      const Stored<D> s = stored(p, grid.box, i);
      Record& r = records_.data()[next[key[i] >> shift]++];
      for (int k = 0; k < D; ++k) r.x[k] = s.x[k];
      r.radius = s.radius;
      r.id = static_cast<index_t>(i);
      r.key = key[i];
    }
  }

  void sort_bucket(const Plan<D>& plan, const SlotArrays<D>& out, offset_t bucket) {
    const int shift = cell_bits(plan);
    const cell_key_t first_cell = static_cast<cell_key_t>(bucket) << shift;
    const cell_key_t rest = plan.levels.cells - first_cell;
    const index_t cells = static_cast<index_t>(rest < (cell_key_t{1} << shift) ? rest : cell_key_t{1} << shift);
    const Record* const begin = records_.data() + starts_.data()[bucket];
    const Record* const end = records_.data() + starts_.data()[bucket + 1];
    index_t next[1 << most_cell_bits];
    for (index_t c = 0; c < cells; ++c) next[c] = 0;
    for (const Record* r = begin; r < end; ++r) ++next[r->key - first_cell];
    index_t sum = static_cast<index_t>(starts_.data()[bucket]);
    for (index_t c = 0; c < cells; ++c) {
      const index_t here = next[c];
      out.cell_begin[first_cell + c] = next[c] = sum;
      sum += here;
    }
    for (const Record* r = begin; r < end; ++r) {
      const index_t slot = next[r->key - first_cell]++;
      for (int k = 0; k < D; ++k) out.x[k][slot] = r->x[k];
      out.radius[slot] = r->radius;
      out.id[slot] = r->id;
    }
  }

  RadixCells<Exec, D> radix_;
  HostBuffer<Record> records_;
  HostBuffer<offset_t> counts_, starts_;
};

}  // namespace hgrid
