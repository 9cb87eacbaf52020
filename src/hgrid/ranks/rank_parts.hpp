// SPDX-License-Identifier: BSD-3-Clause
// Of what a distributed grid is made: on a host, and where particles and lists lie on a device.
#pragma once

#include <vector>

#include "hgrid/grid.hpp"
#include "hgrid/ranks/blocks.hpp"
#include "hgrid/ranks/device_border.hpp"
#include "hgrid/ranks/device_held.hpp"
#include "hgrid/ranks/device_traffic.hpp"
#include "hgrid/ranks/field_traffic.hpp"

namespace hgrid::inline v0_1::detail {

template <bool on_host>
struct RankParts {
  template <class Exec, class T>
  using Array = std::vector<T>;
  template <class Exec, int D>
  using Search = GhostSearch<D>;
  template <class Exec, int D>
  using Held = HeldParticles<D>;
  template <class Exec>
  using Traffic = HostTraffic;
  template <class Exec>
  using Migration = detail::Migration;
  template <class Exec>
  using PairFilter = HostPairFilter;

  /// The particles of a rank in host memory, for that which is done rarely; and an executor for them.
  template <class Real, int D>
  class OnHost {
   public:
    template <class Exec>
    const Particles<Real, D>& operator()(const Exec&, const Particles<Real, D>& p) const {
      return p;
    }
  };
  static const HostExec& host(const HostExec& exec) { return exec; }
  template <class Exec, int D>
  static std::vector<Weighed<D>> work(const Exec& exec, const Grid<Exec, D>& grid) {
    const GridView<D> view = grid.view();
    std::vector<Weighed<D>> work(static_cast<std::size_t>(view.slots()));
    exec.for_each("hgrid::place_work", view.slots(), PlaceWork<D>{{view, grid.plan(), view.slots()}, work.data()});
    return work;
  }
};

template <>
struct RankParts<false> {
  template <class Exec, class T>
  using Array = DeviceVector<Exec, T>;
  template <class Exec, int D>
  using Search = DeviceGhostSearch<Exec, D>;
  template <class Exec, int D>
  using Held = DeviceHeld<Exec, D>;
  template <class Exec>
  using Traffic = DeviceTraffic<Exec>;
  template <class Exec>
  using Migration = DeviceMigration<Exec>;
  template <class Exec>
  using PairFilter = DevicePairFilter<Exec>;

  template <class Real, int D>
  class OnHost {
   public:
    /// Copies at the first call.
    template <class Exec>
    Particles<Real, D> operator()(const Exec& exec, const Particles<Real, D>& p) {
      check_arguments(p, 0);
      if (r_.empty()) {
        const auto count = static_cast<std::size_t>(p.count);
        x_.resize(D * count), r_.resize(count);
        exec.copy_out(x_.data(), p.position[0], D * p.count);
        exec.copy_out(r_.data(), p.radius, p.count);
      }
      return particles<D>(static_cast<const Real*>(x_.data()), static_cast<const Real*>(r_.data()), p.count);
    }

   private:
    std::vector<Real> x_, r_;
  };
  template <class Exec>
  static SerialExec host(const Exec&) {
    return SerialExec{};
  }
  template <class Exec, int D>
  static std::vector<Weighed<D>> work(const Exec& exec, const Grid<Exec, D>& grid) {
    const offset_t count = grid.particle_count();
    typename Exec::template Buffer<Weighed<D>> there(exec, count);
    exec.for_each("hgrid::place_work", count, PlaceWork<D>{{grid.view(), grid.plan(), count}, there.data()});
    std::vector<Weighed<D>> here(static_cast<std::size_t>(count));
    exec.copy_out(here.data(), static_cast<const Weighed<D>*>(there.data()), count);
    return here;
  }
};

}  // namespace hgrid::inline v0_1::detail
