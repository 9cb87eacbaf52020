// SPDX-License-Identifier: BSD-3-Clause
// The particles as records in buckets of consecutive cells, in the order of ids within each part of the input: the first half
// of the host's sort for row-major keys. One pass over the input partitions and inspects it.
#pragma once

#include <algorithm>
#include <mutex>

#include "hgrid/cells/stages.hpp"
#include "hgrid/core/types.hpp"
#include "host/sort/input_batches.hpp"
#include "host/sort/record_pages.hpp"

namespace hgrid::inline v0_2::detail {

inline constexpr std::int32_t unpackable = INT32_MIN;

/// Returns ten bits for each axis, or `unpackable`.
inline std::int32_t packed(const Image& periods) {
  std::int32_t bits = 0;
  bool fits = true;
  for (int k = 0; k < 3; ++k) {
    fits = fits & (periods[k] >= -512) & (periods[k] < 512);
    bits |= (periods[k] & 1023) << (10 * k);
  }
  return fits ? bits : unpackable;
}

inline Image unpacked(std::int32_t bits) {
  Image periods;
  for (int k = 0; k < 3; ++k) periods[k] = (((bits >> (10 * k)) & 1023) ^ 512) - 512;
  return periods;
}

/// `Key` is std::uint32_t for fewer than 2^31 cells, or cell_key_t. `Number` is float if floats represent the slots' values
/// exactly.
template <int D, class Key, class Number>
struct ParticleRecord {
  Number x[D], radius;
  Key key;
  index_t id;
};

/// Writes a record to its slot; some arrays are gathered later.
template <int D, class Record>
void put_slot(const SlotArrays<D>& out, index_t slot, const Record& r) {
  for (int k = 0; k < D; ++k) out.x[k][slot] = r.x[k];
  out.radius[slot] = r.radius;
  out.id[slot] = r.id;
}

template <int D, class Key, class Number>
class Partition {
 public:
  using Record = ParticleRecord<D, Key, Number>;

  /// Reserves memory. `outside`: particles of the last build lay outside the box, so periods are worth keeping.
  void reserve(const HostExec& exec, offset_t n, offset_t buckets, bool outside) {
    pages_.reserve(exec, n, buckets);
    reserve_all(exec, Need{periods_, outside ? n : 0});
  }
  bool has_room(const HostExec& exec, offset_t n, offset_t buckets) const { return pages_.has_room(exec, n, buckets); }

  /// Partitions the particles into `buckets.count` buckets; `buckets.find` returns the bucket of a key. `alike`: the buckets
  /// are those of the last run. Also inspects the particles, and writes the summary. `grid` is a view of the grid to be built
  /// or, under an equal plan, of the last build's. If the watch throws `stopped`, only scratch memory has changed.
  template <class Real, class Buckets>
  void run(const HostExec& exec, const InspectOnHost<Real, D>& inspect, const Buckets& buckets, bool alike,
           const GridView<D>& grid, const Watch& watch, InputSummary<D>* summary) {
    const offset_t n = inspect.particles.count;
    has_periods_ = periods_.size() >= n && n > 0;
    if (!alike || !pages_.empty_alike(exec, n, buckets.count) || !move(exec, inspect, buckets, grid, watch, summary)) {
      pages_.empty(exec, n, buckets.count);
      move(exec, inspect, buckets, grid, watch, summary);
    }
    pages_.settle();
  }

  const RecordPages<Record>& pages() const { return pages_; }
  /// Returns the largest radius of each level, [max_levels].
  const double* radius_max() const { return radius_max_; }
  HostBuffer<Record>& memory() { return pages_.memory(); }

  /// Returns the packed periods of each particle, [particles]; null if they were not kept.
  const std::int32_t* periods() const { return has_periods_ ? periods_.data() : nullptr; }

  std::size_t bytes() const { return pages_.bytes() + periods_.bytes(); }

 private:
  // Moves the particles into buckets. Returns false if there were not enough pages.
  template <class Real, class Buckets>
  bool move(const HostExec& exec, const InspectOnHost<Real, D>& inspect, const Buckets& buckets, const GridView<D>& grid,
            const Watch& watch, InputSummary<D>* summary) {
    const offset_t n = inspect.particles.count, parts = pages_.parts();
    *summary = InputSummary<D>::identity();
    std::fill_n(radius_max_, max_levels, 0.0);
    std::mutex joining;
    bool fits = true;
    exec.for_each_worker("hgrid::partition", parts, [&](offset_t part) {
      typename RecordPages<Record>::Writer writer(pages_, part);
      InputSummary<D> found = InputSummary<D>::identity();
      double radius_max[max_levels] = {};
      const bool all = for_each_record(inspect, grid, watch, n * part / parts, n * (part + 1) / parts, found, radius_max,
                                       has_periods_ ? periods_.data() : nullptr, buckets, writer.put());
      const std::lock_guard lock(joining);
      fits = fits && all;
      summary->join(found);
      for (int h = 0; h < grid.level_count; ++h) radius_max_[h] = std::max(radius_max_[h], radius_max[h]);
    });
    return fits;
  }

  // Inspects particles [begin, end) and calls f(bucket, record) for each that takes part, until f returns false. Returns
  // whether it never did. `periods`, unless null, receives the packed periods of all.
  template <class Real, class Buckets, class F>
  static bool for_each_record(const InspectOnHost<Real, D>& inspect, const GridView<D>& grid, const Watch& watch,
                              offset_t begin, offset_t end, InputSummary<D>& found, double* radius_max, std::int32_t* periods,
                              const Buckets& buckets, F f) {
    const Particles<Real, D>& p = inspect.particles;
    ParticleBatch<D> batch;
    Key key[particles_per_batch];
    index_t bucket[particles_per_batch];
    Image image[particles_per_batch];
    for (offset_t first = begin, next; first < end; first = next) {
      next = ParticleBatch<D>::end_of(p, first, end);
      const bool plain = suits_vectors(p, first, static_cast<index_t>(next - first));
      watch.ask();
      if (begin == 0) watch.tell(static_cast<double>(next) / static_cast<double>(end));
      if (plain) batch.load(p, first, static_cast<index_t>(next - first));
      if (plain &&
          inspect_anywhere(batch, inspect.boxes[batch.world], inspect.skin, found, periods == nullptr ? nullptr : image)) {
        for (index_t j = 0; j < batch.count && periods != nullptr; ++j) periods[first + j] = packed(image[j]);
        make_batch_keys(grid, batch, key, radius_max);
        buckets.find(key, batch.count, bucket);
        for (index_t j = 0; j < batch.count; ++j) {
          Record r;
          for (int k = 0; k < D; ++k) r.x[k] = static_cast<Number>(batch.x[k][j]);
          r.radius = static_cast<Number>(batch.radius[j]), r.key = key[j], r.id = static_cast<index_t>(first + j);
          if (!f(bucket[j], r)) return false;
        }
        continue;
      }
      for (offset_t i = first; i < next; ++i) {
        const std::int64_t used = found.used;
        inspect(i, found);
        if (found.used == used) continue;
        const Stored<D> s = stored(p, inspect.boxes, i);
        if (periods != nullptr) periods[i] = packed(s.wraps);
        int h;
        Record r;
        for (int k = 0; k < D; ++k) r.x[k] = static_cast<Number>(s.x[k]);
        r.radius = static_cast<Number>(s.radius), r.key = static_cast<Key>(key_of(grid, s, h)), r.id = static_cast<index_t>(i);
        radius_max[h] = std::max(radius_max[h], s.radius);
        buckets.find(&r.key, 1, bucket);
        if (!f(*bucket, r)) return false;
      }
    }
    return true;
  }

  RecordPages<Record> pages_;
  HostBuffer<std::int32_t> periods_;
  bool has_periods_ = false;  // of the current build, also the next
  double radius_max_[max_levels] = {};
};

}  // namespace hgrid::inline v0_2::detail
