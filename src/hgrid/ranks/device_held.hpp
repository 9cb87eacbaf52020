// SPDX-License-Identifier: BSD-3-Clause
// The particles that a rank holds on a device, and which contacts of a list there it reports.
#pragma once

#include <utility>
#include <vector>

#include "hgrid/engine/reserve.hpp"
#include "hgrid/lists.hpp"
#include "hgrid/ranks/device_vector.hpp"
#include "hgrid/ranks/ghosts.hpp"
#include "hgrid/ranks/outbox.hpp"

namespace hgrid::inline v0_1::detail {

/// The interface of HeldParticles.
template <class Exec, int D>
class DeviceHeld {
 public:
  explicit DeviceHeld(const Exec& exec) : exec_(exec), x_(exec), radius_(exec), id_(exec), owner_(exec) {}

  template <class Real>
  void take(const Exec&, const Particles<Real, D>& p, const std::int64_t* id, const std::vector<Parcel>& received, int rank) {
    offset_t ghosts = 0;
    for (const Parcel& parcel : received) ghosts += static_cast<offset_t>(parcel.records);
    const auto count = static_cast<std::size_t>(p.count + ghosts);
    rank_ = rank, owned_ = p.count;
    x_.clear(), radius_.clear(), id_.clear(), owner_.clear(), id_here_.clear();
    x_.resize(D * count), radius_.resize(count), id_.resize(count), owner_.resize(static_cast<std::size_t>(ghosts));
    reserve_all(exec_, Need{there_, with_margin(ghosts, there_.size())});
    reserve_all(exec_, Need{here_, there_.size()});
    StagedParticle<D>* to = here_.data();
    for (const Parcel& parcel : received) {
      for_each_record<GhostRecord<D>>(parcel, [&](const GhostRecord<D>& ghost) {
        *to++ = {ghost.x, ghost.radius, ghost.id, parcel.rank};
      });
    }
    const HeldArrays<D> out{x_.data(), radius_.data(), id_.data()};
    exec_.for_each("hgrid::take_owned", p.count, TakeOwned<Real, D>{p, id, out});
    exec_.copy_in(there_.data(), static_cast<const StagedParticle<D>*>(here_.data()), ghosts);
    exec_.for_each("hgrid::take_ghosts", ghosts, TakeGhost<D>{there_.data(), owned_, out, owner_.data()});
  }

  Particles<double, D> view() const {
    return particles<D>(x_.data(), radius_.data(), static_cast<std::int64_t>(radius_.size()));
  }
  index_t owned() const { return static_cast<index_t>(owned_); }
  index_t count() const { return static_cast<index_t>(radius_.size()); }
  int owner(index_t k) const { return k < owned_ ? rank_ : static_cast<int>(here_.data()[k - owned_].number); }
  const DeviceVector<Exec, double>& positions() const { return x_; }
  const DeviceVector<Exec, double>& radii() const { return radius_; }
  const DeviceVector<Exec, std::int64_t>& ids() const { return id_; }
  /// Copies them at the first call after `take`.
  const std::vector<std::int64_t>& ids_on_host() const {
    if (id_here_.size() != id_.size()) id_here_ = id_.on_host();
    return id_here_;
  }

  HeldView<D> view_in(const Box<D>& box, const RankBox<D>& own, double skin) const {
    return {box, own, skin, x_.data(), radius_.data(), id_.data(), owner_.data(), owned()};
  }

 private:
  Exec exec_;
  int rank_ = 0;
  offset_t owned_ = 0;
  DeviceVector<Exec, double> x_, radius_;
  DeviceVector<Exec, std::int64_t> id_;
  DeviceVector<Exec, int> owner_;  // of ghosts
  mutable std::vector<std::int64_t> id_here_;
  typename Exec::template Buffer<StagedParticle<D>> there_;
  StagingBuffer<Exec, StagedParticle<D>> here_;
};

/// Leaves the contacts in a list that the rank reports, in order.
template <class Exec>
class DevicePairFilter {
 public:
  explicit DevicePairFilter(const Exec& exec) : exec_(exec) {}

  /// Waits for their number.
  template <int D>
  void keep_reported(PairArrays<typename Exec::Memory>& list, const HeldView<D>& held) {
    const offset_t count = list.size;
    list.size = 0;
    reserve_all(exec_, Need{place_, with_margin(count + 1, place_.size())}, Need{pairs_, list.entries.size()},
                Need{images_, list.images.size()});
    exec_.template reserve_scan<offset_t>(count);
    const Image* const images = list.has_images ? list.images.data() : nullptr;
    exec_.for_each("hgrid::mark_reported", count, MarkReported<D>{held, list.entries.data(), images, place_.data()});
    exec_.exclusive_scan("hgrid::scan_reported", place_.data(), count);
    exec_.for_each("hgrid::keep_pairs", count,
                   KeepMarkedPairs{place_.data(), list.entries.data(), images, pairs_.data(), images_.data()});
    list.size = exec_.read_back(static_cast<const offset_t*>(place_.data()) + count);
    std::swap(list.entries, pairs_), std::swap(list.images, images_);
  }

 private:
  Exec exec_;
  typename Exec::template Buffer<offset_t> place_;
  typename Exec::template Buffer<Pair> pairs_;
  typename Exec::template Buffer<Image> images_;
};

/// The same on a host.
struct HostPairFilter {
  explicit HostPairFilter(const HostExec&) {}

  template <class Arrays, int D>
  void keep_reported(Arrays& list, const HeldView<D>& held) const {
    keep_pairs(list, [&](const Contact& c) { return held.reports(c.i, c.j, c.image); });
  }
};

}  // namespace hgrid::inline v0_1::detail
