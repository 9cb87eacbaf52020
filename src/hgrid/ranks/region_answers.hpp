// SPDX-License-Identifier: BSD-3-Clause
// The particles of regions that a rank reports, for messages: on a host, and on a device, from which only these cross.
#pragma once

#include <mutex>
#include <vector>

#include "hgrid/host/host_exec.hpp"
#include "hgrid/loop/queries.hpp"
#include "hgrid/ranks/device_vector.hpp"
#include "hgrid/ranks/region_rule.hpp"

namespace hgrid::inline v0_1::detail {

template <int D>
class HostAnswers {
 public:
  explicit HostAnswers(const HostExec&) {}

  /// In no particular order, with the numbers of the regions; until the next call.
  template <class Exec>
  const std::vector<NeighbourRecord>& of(Queries<Exec, D>& local, const HeldView<D>& held,
                                         const std::vector<Region<D>>& regions, Take take) {
    found_.clear();
    std::mutex one_at_a_time;
    const auto collect = [&](const NeighbourRecord& record) {
      const std::lock_guard lock(one_at_a_time);
      found_.push_back(record);
    };
    local.for_each(regions.data(), static_cast<offset_t>(regions.size()),
                   IfAnswered<D, const decltype(collect)&>{held, regions.data(), collect}, take);
    return found_;
  }

 private:
  std::vector<NeighbourRecord> found_;
};

/// The same on a device.
template <class Exec, int D>
class DeviceAnswers {
 public:
  explicit DeviceAnswers(const Exec& exec) : exec_(exec), found_(exec), count_(exec) {}

  /// Visits the regions once more if there was no room.
  std::vector<NeighbourRecord> of(Queries<Exec, D>& local, const HeldView<D>& held,
                                  const DeviceVector<Exec, Region<D>>& regions, Take take) {
    for (;;) {
      const auto room = static_cast<offset_t>(found_.size());
      count_.assign(1, 0);
      const CollectRecords<Exec> collect{found_.data(), room, count_.data()};
      local.for_each(regions.data(), static_cast<offset_t>(regions.size()),
                     IfAnswered<D, CollectRecords<Exec>>{held, regions.data(), collect}, take);
      const offset_t count = exec_.read_back(static_cast<const offset_t*>(count_.data()));
      if (count <= room) return copy_on_host(exec_, static_cast<const NeighbourRecord*>(found_.data()), count);
      found_.clear(), found_.resize(static_cast<std::size_t>(with_margin(count, room)));
    }
  }

 private:
  Exec exec_;
  DeviceVector<Exec, NeighbourRecord> found_;  // as many as there is room for
  DeviceVector<Exec, offset_t> count_;
};

}  // namespace hgrid::inline v0_1::detail
