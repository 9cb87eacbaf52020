// SPDX-License-Identifier: BSD-3-Clause
// The particles as records in buckets of consecutive cells, in the order of ids within each part of the input: the first half
// of the sort of hosts for dense row-major tables.
#pragma once

#include <algorithm>
#include <bit>
#include <mutex>

#include "hgrid/cells/stages.hpp"
#include "hgrid/memory/generation.hpp"
#include "hgrid/memory/reserve.hpp"
#include "hgrid/plan.hpp"
#include "hgrid/threads/host_exec.hpp"
#include "host/sort/input_batches.hpp"
#include "host/sort/packed_periods.hpp"

namespace hgrid::inline v0_1::detail {

template <int D>
class Partition {
 public:
  struct Record {
    double x[D], radius;
    index_t id;
    std::uint32_t key;
  };

  static constexpr int most_cell_bits = 13;  // of a bucket: its counters fit the first-level cache

  static int cell_bits(const Plan<D>& plan) {
    const int bits = static_cast<int>(std::bit_width(plan.levels.cells)) - wanted_bucket_bits;
    return std::clamp(bits, least_cell_bits, most_cell_bits);
  }
  static offset_t buckets(const Plan<D>& plan) { return static_cast<offset_t>((plan.levels.cells - 1) >> cell_bits(plan)) + 1; }

  /// `outside`: particles of the last build lay outside the box, so that periods are worth keeping.
  void reserve(const HostExec& exec, offset_t n, const Plan<D>& plan, bool outside) {
    const offset_t portions = exec.parts_of(n) * buckets(plan);
    if (portions > portions_.size()) filled_ = 0;  // whatever fails after this, in this build or the next
    reserve_all(exec, Need{records_, records_needed(n, portions)}, Need{portions_, portions}, Need{starts_, buckets(plan) + 1},
                Need{periods_, outside ? n : 0});
  }

  /// Tries to inspect and to partition the particles in one pass over them. From one build to the next most stay in their
  /// buckets, so the last build tells how much room each bucket needs. False if that is not known or does not suffice:
  /// nothing has happened then, nor if the watch throws `stopped`. `grid` is the view of the last build, under the new skin.
  template <class Real>
  bool inspect_and_run(const HostExec& exec, const InspectOnHost<Real, D>& inspect, const Plan<D>& plan,
                       const GridView<D>& grid, const Watch& watch, InputSummary<D>* summary) {
    const offset_t n = inspect.particles.count, portions = exec.parts_of(n) * buckets(plan);
    if (portions != filled_ || records_.size() < records_needed(n, portions)) return false;
    if (pause_ > 0) {
      --pause_;
      return false;
    }
    if (lay_out(plan, exec.parts_of(n), [](offset_t last) { return last + spare(last); }) > records_.size()) return false;
    if (move(exec, inspect, plan, grid, watch, summary)) return true;
    pause_ = 8;  // the order of the input may be another each time: a pass in vain is not worth it then
    return false;
  }

  /// Partitions particles that have been inspected.
  template <class Real>
  void run(const HostExec& exec, const InspectOnHost<Real, D>& inspect, const Plan<D>& plan, const GridView<D>& grid) {
    count_buckets(exec, inspect, plan, grid);
    lay_out(plan, exec.parts_of(inspect.particles.count), [](offset_t count) { return count; });
    InputSummary<D> again;
    move(exec, inspect, plan, grid, Watch{}, &again);
  }

  /// After either: finds the first slot of each bucket, and lets the next build try one pass.
  void settle(const Plan<D>& plan) {
    index_t sum = 0;
    for (offset_t b = 0; b < buckets(plan); ++b) {
      starts_.data()[b] = sum;
      for_each_portion(plan, b, [&](const Portion& s) { sum += s.next - s.begin; });
    }
    starts_.data()[buckets(plan)] = sum;
    filled_ = parts_ * buckets(plan);
  }

  /// [buckets + 1] first slot of each bucket; the last is the number of slots.
  const index_t* starts() const { return starts_.data(); }
  /// [max_levels] largest radius of each level.
  const double* radius_max() const { return radius_max_; }
  /// All records, bucket by bucket, with room between them.
  HostBuffer<Record>& records() { return records_; }

  template <class F>
  void for_each_in(const Plan<D>& plan, offset_t bucket, const F& f) const {
    for_each_portion(plan, bucket, [&](const Portion& s) {
      for (const Record *r = records_.data() + s.begin, *end = records_.data() + s.next; r < end; ++r) f(*r);
    });
  }

  /// [particles] periods of each, packed; null if they were not kept.
  const std::int32_t* periods() const { return has_periods_ ? periods_.data() : nullptr; }

  /// The first bucket of which all records, and those of all that follow, lie at or behind number `record`.
  offset_t first_behind(const Plan<D>& plan, offset_t record) const {
    offset_t b = 0;
    while (b < buckets(plan) && portions_.data()[b].begin < record) ++b;
    return b;
  }

  std::size_t bytes() const { return records_.bytes() + portions_.bytes() + starts_.bytes() + periods_.bytes(); }

 private:
  static constexpr int least_cell_bits = 8;
  static constexpr int wanted_bucket_bits = 10;  // as many buckets as can be written to at once

  // Where a part of the input puts its particles of one bucket: [begin, next) are there, and there is room up to `end`.
  struct Portion {
    index_t begin, next, end;
  };

  Portion* portions_of(const Plan<D>& plan, offset_t part) { return portions_.data() + part * buckets(plan); }
  template <class F>
  void for_each_portion(const Plan<D>& plan, offset_t bucket, const F& f) const {
    for (offset_t part = 0; part < parts_; ++part) f(portions_.data()[part * buckets(plan) + bucket]);
  }

  // By how much a portion may grow from one build to the next, and room for that, where portions are long enough for it.
  static offset_t spare(offset_t count) { return count / 32 + 8; }
  static offset_t records_needed(offset_t n, offset_t portions) {
    const offset_t roomy = n + n / 32 + 8 * portions;
    return n < 64 * portions || roomy > INT32_MAX ? n : roomy;
  }

  // Places the portions, bucket by bucket and part by part, given the room that so many particles want.
  template <class Room>
  offset_t lay_out(const Plan<D>& plan, offset_t parts, const Room& room) {
    filled_ = 0;
    parts_ = parts;
    offset_t at = 0;
    for (offset_t b = 0; b < buckets(plan); ++b) {
      for (offset_t part = 0; part < parts; ++part) {
        Portion& s = portions_of(plan, part)[b];
        const offset_t end = at + room(s.next - s.begin);
        s.begin = s.next = static_cast<index_t>(at), s.end = static_cast<index_t>(end);
        at = end;
      }
    }
    return at;
  }

  template <class Real>
  void count_buckets(const HostExec& exec, const InspectOnHost<Real, D>& inspect, const Plan<D>& plan,
                     const GridView<D>& grid) {
    const offset_t n = inspect.particles.count, parts = exec.parts_of(n);
    exec.for_each_worker("hgrid::count_buckets", parts, [&](offset_t part) {
      Portion* const own = portions_of(plan, part);
      std::fill_n(own, buckets(plan), Portion{});
      InputSummary<D> found = InputSummary<D>::identity();
      double radius_max[max_levels] = {};
      for_each_record(inspect, grid, Watch{}, n * part / parts, n * (part + 1) / parts, found, radius_max, nullptr,
                      [&](const Record& r) { return ++own[r.key >> cell_bits(plan)].next; });
    });
  }

  // Inspects the particles and moves them into their portions. False if these were too short.
  template <class Real>
  bool move(const HostExec& exec, const InspectOnHost<Real, D>& inspect, const Plan<D>& plan, const GridView<D>& grid,
            const Watch& watch, InputSummary<D>* summary) {
    const offset_t n = inspect.particles.count, parts = exec.parts_of(n);
    has_periods_ = periods_.size() >= n && n > 0;
    *summary = InputSummary<D>::identity();
    std::fill_n(radius_max_, max_levels, 0.0);
    std::mutex joining;
    bool fits = true;
    exec.for_each_worker("hgrid::partition", parts, [&](offset_t part) {
      Portion* const own = portions_of(plan, part);
      Record* const records = records_.data();
      const int shift = cell_bits(plan);
      InputSummary<D> found = InputSummary<D>::identity();
      double radius_max[max_levels] = {};
      const bool all = for_each_record(
          inspect, grid, watch, n * part / parts, n * (part + 1) / parts, found, radius_max,
          has_periods_ ? periods_.data() : nullptr, [&](const Record& r) {
            Portion& s = own[r.key >> shift];
            if (s.next == s.end) return false;
            Record* const to = records + s.next++;
            *to = r;
            __builtin_prefetch(to + 2, 1);  // will be there when this bucket's turn comes again, after some hundreds
            return true;
          });
      const std::lock_guard lock(joining);
      fits = fits && all;
      summary->join(found);
      for (int h = 0; h < plan.levels.count; ++h) radius_max_[h] = std::max(radius_max_[h], radius_max[h]);
    });
    return fits;
  }

  // Inspects particles [begin, end) and calls f for each that takes part, until it says no; returns whether it did not.
  // `periods`, unless null, receives those of all, packed.
  template <class Real, class F>
  static bool for_each_record(const InspectOnHost<Real, D>& inspect, const GridView<D>& grid, const Watch& watch,
                              offset_t begin, offset_t end, InputSummary<D>& found, double* radius_max, std::int32_t* periods,
                              const F& f) {
    const Particles<Real, D>& p = inspect.particles;
    ParticleBatch<D> batch;
    std::uint32_t key[particles_per_batch];
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
        for (index_t j = 0; j < batch.count; ++j) {
          Record r;
          for (int k = 0; k < D; ++k) r.x[k] = batch.x[k][j];
          r.radius = batch.radius[j], r.id = static_cast<index_t>(first + j), r.key = key[j];
          if (!f(r)) return false;
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
        for (int k = 0; k < D; ++k) r.x[k] = s.x[k];
        r.radius = s.radius, r.id = static_cast<index_t>(i), r.key = static_cast<std::uint32_t>(key_of(grid, s, h));
        radius_max[h] = std::max(radius_max[h], s.radius);
        if (!f(r)) return false;
      }
    }
    return true;
  }

  HostBuffer<Record> records_;
  HostBuffer<Portion> portions_;
  HostBuffer<index_t> starts_;
  HostBuffer<std::int32_t> periods_;
  bool has_periods_ = false;            // of the build in hand
  double radius_max_[max_levels] = {};  // of the build in hand
  offset_t parts_ = 0;                  // of the input, in the build in hand
  ClearedByMove<offset_t> filled_;      // portions that hold the particles of the last build
  int pause_ = 0;                       // builds for which one pass is not tried
};

}  // namespace hgrid::inline v0_1::detail
