// SPDX-License-Identifier: BSD-3-Clause
// The contacts of a rank on a device, in the order of OrientedList.
#pragma once

#include "hgrid/engine/list_entries.hpp"
#include "hgrid/engine/radix_sort.hpp"
#include "hgrid/engine/reserve.hpp"
#include "hgrid/lists.hpp"
#include "hgrid/ranks/device_vector.hpp"
#include "hgrid/ranks/oriented_view.hpp"

namespace hgrid::inline v0_1::detail {

/// The interface of OrientedList.
template <class Exec>
class DeviceOrientedList {
 public:
  explicit DeviceOrientedList(const Exec& exec) : exec_(exec) {}

  /// Nothing crosses to the host. Where it throws, there are no contacts.
  void take(const Exec&, const DeviceVector<Exec, std::int64_t>& ids, const PairList<Exec>& found) {
    const auto particles = static_cast<offset_t>(ids.size());
    const offset_t count = found.size(), room = with_margin(count, first_.size()), images = found.has_images() ? room : 0;
    size_ = 0, has_images_ = found.has_images();
    reserve_all(exec_, Need{offsets_, particles + 1}, Need{place_, particles}, Need{pairs_, room}, Need{pair_images_, images},
                Need{first_, room}, Need{second_, room}, Need{images_, images});
    const ListInput in{pairs_.data(), has_images_ ? pair_images_.data() : nullptr, count, static_cast<index_t>(particles),
                       false};
    lists_.reserve(exec_, in);
    const index_t* const by_id = sorted(ids.data(), particles);
    exec_.for_each("hgrid::place_particles", particles, PlaceParticles{by_id, place_.data()});
    exec_.for_each("hgrid::orient_pairs", count,
                   OrientPairs{found.pairs(), found.images(), ids.data(), place_.data(), pairs_.data(), pair_images_.data()});
    lists_.run(exec_, in, {offsets_.data(), {second_.data(), has_images_ ? images_.data() : nullptr}});
    exec_.for_each("hgrid::name_particles", particles, NameParticles{offsets_.data(), by_id, first_.data(), second_.data()});
    size_ = count;
  }

  offset_t size() const { return size_; }
  PairColumns<const index_t> contacts() const {
    return {first_.data(), second_.data(), 1, has_images_ ? images_.data() : nullptr, size()};
  }
  /// With the ids of the particles, in the executor's memory.
  OrientedView view(const std::int64_t* ids) const { return {offsets_.data(), contacts(), ids}; }

 private:
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;
  using Sort = SortBuffers<Exec, std::uint64_t>;
  static constexpr int id_bits = 63;

  // The particles, by id.
  const index_t* sorted(const std::int64_t* ids, offset_t particles) {
    reserve_all(exec_, Need{sort_.key[0], particles}, Need{sort_.key[1], particles}, Need{sort_.id[0], particles},
                Need{sort_.id[1], particles}, Need{sort_.counts, Sort::counts_needed(exec_, particles)});
    exec_.template reserve_sort<std::uint64_t>(particles, id_bits);
    sort_.current = 0;
    exec_.for_each("hgrid::make_id_keys", particles, MakeIdKeys{ids, sort_.key[0].data(), sort_.id[0].data()});
    exec_.sort_keys(sort_, particles, id_bits);
    return sort_.id[sort_.current].data();
  }

  Exec exec_;
  Buffer<offset_t> offsets_;
  Buffer<index_t> place_, first_, second_;
  Buffer<Pair> pairs_;
  Buffer<Image> pair_images_, images_;
  Sort sort_;
  typename Exec::ListSort lists_;
  offset_t size_ = 0;
  bool has_images_ = false;
};

}  // namespace hgrid::inline v0_1::detail
