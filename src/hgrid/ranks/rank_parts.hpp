// SPDX-License-Identifier: BSD-3-Clause
// Of what a distributed grid is made: on a host, and where particles and lists lie on a device.
#pragma once

#include <vector>

#include "hgrid/grid.hpp"
#include "hgrid/ranks/blocks.hpp"
#include "hgrid/ranks/device_border.hpp"
#include "hgrid/ranks/device_held.hpp"
#include "hgrid/ranks/device_oriented.hpp"
#include "hgrid/ranks/device_pairs.hpp"
#include "hgrid/ranks/device_traffic.hpp"
#include "hgrid/ranks/field_traffic.hpp"
#include "hgrid/ranks/oriented_list.hpp"
#include "hgrid/ranks/pair_records.hpp"
#include "hgrid/ranks/region_answers.hpp"

namespace hgrid::inline v0_1::detail {

template <bool is_host>
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
  template <class Exec, int D>
  using Answers = HostAnswers<D>;
  template <class Exec>
  using List = OrientedList;
  template <class Exec, class T>
  using Pairs = HostPairs<T>;

  /// A functor of the user's as it is passed on: on a host all threads call the same one.
  template <class F>
  using Passed = const F&;

  /// For that which is done rarely, on the host: particles, a list of pairs and an array in host memory, and an executor for
  /// them.
  template <class Real, int D>
  class OnHost {
   public:
    template <class Exec>
    const Particles<Real, D>& operator()(const Exec&, const Particles<Real, D>& p) const {
      return p;
    }
  };
  class PairsOnHost {
   public:
    template <class Exec>
    PairColumns<const index_t> operator()(const Exec&, const PairList<Exec>& list) const {
      return list.columns();
    }
  };
  template <class T>
  static const std::vector<T>& on_host(const std::vector<T>& array) {
    return array;
  }
  static const HostExec& host(const HostExec& exec) { return exec; }

  /// An array in the executor's memory, of elements in that of the host.
  template <class T>
  static std::vector<T> array(const HostExec&, std::vector<T> from) {
    return from;
  }
  /// Whether two arrays have the same ids.
  static bool are_same(const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b) { return a == b; }
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
  template <class Exec, int D>
  using Answers = DeviceAnswers<Exec, D>;
  template <class Exec>
  using List = DeviceOrientedList<Exec>;
  template <class Exec, class T>
  using Pairs = DevicePairs<Exec, T>;
  template <class F>
  using Passed = F;

  template <class Real, int D>
  class OnHost {
   public:
    /// Copies at the first call.
    template <class Exec>
    Particles<Real, D> operator()(const Exec& exec, const Particles<Real, D>& p) {
      check_arguments(p, 0);
      if (r_.empty()) {
        x_ = copy_on_host(exec, p.position[0], D * p.count);
        r_ = copy_on_host(exec, p.radius, p.count);
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
  class PairsOnHost {
   public:
    template <class Exec>
    PairColumns<const index_t> operator()(const Exec& exec, const PairList<Exec>& list) {
      pairs_ = copy_on_host(exec, list.pairs(), list.size());
      images_ = copy_on_host(exec, list.images(), list.has_images() ? list.size() : 0);
      return columns_of(pairs_.data(), list.has_images() ? images_.data() : nullptr, list.size());
    }

   private:
    std::vector<Pair> pairs_;
    std::vector<Image> images_;
  };
  template <class Exec, class T>
  static std::vector<T> on_host(const DeviceVector<Exec, T>& array) {
    return array.on_host();
  }
  template <class Exec, class T>
  static DeviceVector<Exec, T> array(const Exec& exec, const std::vector<T>& from) {
    return DeviceVector(exec, from);
  }
  template <class Exec>
  static bool are_same(const DeviceVector<Exec, std::int64_t>& a, const DeviceVector<Exec, std::int64_t>& b) {
    if (a.size() != b.size()) return false;
    typename Exec::template Buffer<Differing> found(a.exec(), 1);
    a.exec().reduce("hgrid::compare_ids", static_cast<offset_t>(a.size()), CompareIds{a.data(), b.data()}, Differing{},
                    found.data());
    return a.exec().read_back(static_cast<const Differing*>(found.data())).ids == 0;
  }
  template <class Exec, int D>
  static std::vector<Weighed<D>> work(const Exec& exec, const Grid<Exec, D>& grid) {
    const offset_t count = grid.particle_count();
    typename Exec::template Buffer<Weighed<D>> there(exec, count);
    exec.for_each("hgrid::place_work", count, PlaceWork<D>{{grid.view(), grid.plan(), count}, there.data()});
    return copy_on_host(exec, static_cast<const Weighed<D>*>(there.data()), count);
  }
};

}  // namespace hgrid::inline v0_1::detail
