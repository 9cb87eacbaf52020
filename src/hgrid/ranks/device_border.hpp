// SPDX-License-Identifier: BSD-3-Clause
// The search for ghosts where particles lie on a device: it finds the few that a host must look at, and copies these.
#pragma once

#include <algorithm>
#include <vector>

#include "hgrid/engine/reserve.hpp"
#include "hgrid/host/serial_exec.hpp"
#include "hgrid/ranks/device_vector.hpp"
#include "hgrid/ranks/ghosts.hpp"
#include "hgrid/ranks/rank_input.hpp"

namespace hgrid::inline v0_1::detail {

/// Ids on a device: their signs are looked at together with the particles.
template <class Exec>
void check_ids(const DeviceVector<Exec, std::int64_t>& id, offset_t particles) {
  require_id_count(static_cast<std::int64_t>(id.size()), particles);
}

/// The particles of a device that need a second look, in host memory and in order.
template <class Exec, int D>
class DeviceBorder {
 public:
  explicit DeviceBorder(const Exec& exec) : exec_(exec) {}

  /// Throws `range_error` for a negative id. Waits.
  template <class Real>
  void find(const Interior<D>& interior, const Particles<Real, D>& p, const std::int64_t* id) {
    reserve_all(exec_, Need{place_, with_margin(p.count + 1, place_.size())});
    exec_.template reserve_scan<offset_t>(p.count);
    exec_.for_each("hgrid::mark_border", p.count, MarkBorder<Real, D>{p, id, interior, place_.data()});
    exec_.exclusive_scan("hgrid::scan_border", place_.data(), p.count);
    const offset_t count = exec_.read_back(static_cast<const offset_t*>(place_.data()) + p.count);
    reserve_all(exec_, Need{there_, with_margin(count, there_.size())});
    reserve_all(exec_, Need{here_, there_.size()});
    exec_.for_each("hgrid::take_border", p.count, TakeBorder<Real, D>{p, id, place_.data(), there_.data()});
    exec_.copy_out(here_.data(), static_cast<const StagedParticle<D>*>(there_.data()), count);
    ids_.clear(), numbers_.clear();
    for (offset_t k = 0; k < count; ++k) {
      const StagedParticle<D>& each = here_.data()[k];
      if (each.id < 0) throw_negative_id(each.number, each.id);
      ids_.push_back(each.id), numbers_.push_back(static_cast<index_t>(each.number));
    }
  }

  Particles<double, D> particles() const {
    static_assert(sizeof(StagedParticle<D>) % sizeof(double) == 0);
    Particles<double, D> p{};
    if (numbers_.empty()) return p;
    for (int k = 0; k < D; ++k) p.position[k] = &here_.data()->x.v[k];
    p.radius = &here_.data()->radius;
    p.stride = p.radius_stride = sizeof(StagedParticle<D>) / sizeof(double);
    p.count = static_cast<std::int64_t>(numbers_.size());
    return p;
  }
  const std::vector<std::int64_t>& ids() const { return ids_; }
  /// Their places among all particles.
  const std::vector<index_t>& numbers() const { return numbers_; }

 private:
  Exec exec_;
  typename Exec::template Buffer<offset_t> place_;
  typename Exec::template Buffer<StagedParticle<D>> there_;
  StagingBuffer<Exec, StagedParticle<D>> here_;
  std::vector<std::int64_t> ids_;
  std::vector<index_t> numbers_;
};

/// The interface of GhostSearch.
template <class Exec, int D>
class DeviceGhostSearch {
 public:
  explicit DeviceGhostSearch(const Exec& exec) : border_(exec) {}

  template <class Real>
  void run(const Exec&, const Box<D>& box, const RankBoxes<D>& boxes, const Communicator& comm, const Particles<Real, D>& p,
           const std::int64_t* id, double skin) {
    border_.find({box, boxes.of_ranks()[static_cast<std::size_t>(comm.rank())], skin}, p, id);
    search_.run(SerialExec{}, box, boxes, comm, border_.particles(), border_.ids().data(), skin, border_.numbers().data());
  }

  template <class Real>
  std::vector<int> owners(const Exec&, const Box<D>& box, const RankBoxes<D>& boxes, int rank, const Particles<Real, D>& p,
                          const std::int64_t* id) {
    check_arguments(p, 0);
    border_.find({box, boxes.of_ranks()[static_cast<std::size_t>(rank)], 0}, p, id);
    const auto& numbers = border_.numbers();
    const auto of_border = owners_of(SerialExec{}, box, boxes, rank, border_.particles(), numbers.data());
    std::vector<int> owners(static_cast<std::size_t>(p.count), rank);
    for (std::size_t k = 0; k < numbers.size(); ++k) owners[static_cast<std::size_t>(numbers[k])] = of_border[k];
    return owners;
  }

  const std::vector<Parcel>& parcels() const { return search_.parcels(); }
  Routes& routes() { return search_.routes(); }

 private:
  DeviceBorder<Exec, D> border_;
  GhostSearch<D> search_;
};

}  // namespace hgrid::inline v0_1::detail
