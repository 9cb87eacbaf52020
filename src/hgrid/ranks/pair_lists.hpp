// SPDX-License-Identifier: BSD-3-Clause
// The contacts of a rank: selects from a list the contacts that it reports, and sorts them in an order that does not depend on
// the numbering of its particles.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "hgrid/cells/radix_sort.hpp"
#include "hgrid/find/list_entries.hpp"
#include "hgrid/lists.hpp"
#include "hgrid/memory/reserve.hpp"
#include "hgrid/ranks/device_vector.hpp"
#include "hgrid/ranks/ghosts.hpp"
#include "hgrid/ranks/global_lists.hpp"
#include "hgrid/ranks/pair_stages.hpp"
#include "hgrid/ranks/routes.hpp"
#include "hgrid/threads/host_exec.hpp"

namespace hgrid::inline v0_2::detail {

/// Keeps the contacts in a list for which `keeps(contact)` is true, in order.
template <class Arrays, class Keeps>
void keep_pairs(Arrays& list, const Keeps& keeps) {
  Pair* const pairs = list.entries.data();
  Image* const images = list.has_images ? list.images.data() : nullptr;
  offset_t kept = 0;
  for (offset_t k = 0; k < list.size; ++k) {
    const Image image = images == nullptr ? Image{} : images[k];
    if (!keeps(Contact{pairs[k].i, pairs[k].j, image})) continue;
    pairs[kept] = pairs[k];
    if (images != nullptr) images[kept] = image;
    ++kept;
  }
  list.size = kept;
}

/// Keeps the contacts in a list that the rank reports, in order.
template <class Exec>
class DevicePairFilter {
 public:
  explicit DevicePairFilter(const Exec& exec) : exec_(exec) {}

  /// Filters the list. Waits for the number of contacts.
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

/// Keeps the reported contacts on a host, in place, without memory for marks and a second list.
struct HostPairFilter {
  explicit HostPairFilter(const HostExec&) {}

  template <class Arrays, int D>
  void keep_reported(Arrays& list, const HeldView<D>& held) const {
    keep_pairs(list, [&](const Contact& c) { return held.reports(c.i, c.j, c.image); });
  }
};

/// Calls f(contacts) with the contacts of a list in host memory.
template <class Exec, class F>
void with_pairs_on_host(const Exec& exec, const PairList<Exec>& list, const F& f) {
  if constexpr (Exec::on_host) {
    f(list.columns());
  } else {
    const auto pairs = copy_on_host(exec, list.pairs(), list.size());
    const auto images = copy_on_host(exec, list.images(), list.has_images() ? list.size() : 0);
    f(columns_of(pairs.data(), list.has_images() ? images.data() : nullptr, list.size()));
  }
}

/// Calls f(lists) with their entries in host memory.
template <class Exec, class F>
void with_lists_on_host(const Exec& exec, const NeighbourList<Exec>& list, const F& f) {
  if constexpr (Exec::on_host) {
    f(ListView(list));
  } else {
    const auto offsets = copy_on_host(exec, list.offsets(), offset_t{list.lists()} + 1);
    const auto neighbours = copy_on_host(exec, list.neighbours(), list.size());
    const auto images = copy_on_host(exec, list.images(), list.has_images() ? list.size() : 0);
    f(ListView(offsets.data(), neighbours.data(), list.has_images() ? images.data() : nullptr, list.lists()));
  }
}

/// Contacts by the ids of a rank, each at the particle with the smaller global id: sorted by that particle, then by the other's
/// global id, then by image.
class OrientedList {
 public:
  explicit OrientedList(const HostExec&) {}

  /// Takes contacts of particles with these global ids. Throws std::bad_alloc.
  template <class Exec>
  void take(const Exec& exec, const std::vector<std::int64_t>& ids, const PairList<Exec>& found) {
    const PairColumns<const index_t> contacts = found.columns();
    const auto id = [&](index_t i) { return ids[static_cast<std::size_t>(i)]; };
    const auto oriented = [&](offset_t k) {
      const Contact c = contacts[k];
      return is_oriented(id(c.i), id(c.j), c.image) ? c : c.mirrored();
    };
    const std::size_t particles = ids.size(), count = static_cast<std::size_t>(contacts.size);
    offsets_.assign(particles + 2, 0), partners_.resize(count);
    first_.resize(count), second_.resize(count), images_.resize(contacts.image == nullptr ? 0 : count);
    for (offset_t k = 0; k < contacts.size; ++k) ++offsets_[static_cast<std::size_t>(oriented(k).i) + 2];
    for (std::size_t i = 2; i < offsets_.size(); ++i) offsets_[i] += offsets_[i - 1];
    for (offset_t k = 0; k < contacts.size; ++k) {
      const Contact c = oriented(k);
      const auto to = static_cast<std::size_t>(offsets_[static_cast<std::size_t>(c.i) + 1]++);
      partners_[to] = {id(c.j), c.image, c.j};
    }
    exec.for_each_part("hgrid::sort_contacts", static_cast<offset_t>(particles), [&](offset_t begin, offset_t end) {
      for (offset_t i = begin; i < end; ++i) sort(i);
    });
  }

  offset_t size() const { return static_cast<offset_t>(first_.size()); }
  PairColumns<const index_t> contacts() const {
    return {first_.data(), second_.data(), 1, images_.empty() ? nullptr : images_.data(), size()};
  }
  Image* images() { return images_.empty() ? nullptr : images_.data(); }
  /// Returns a view with the ids of the particles.
  OrientedView view(const std::int64_t* ids) const { return {offsets_.data(), contacts(), ids}; }

 private:
  struct Partner {
    std::int64_t id;
    Image image;
    index_t held;
  };

  void sort(offset_t i) {
    const offset_t begin = offsets_[static_cast<std::size_t>(i)], end = offsets_[static_cast<std::size_t>(i) + 1];
    std::sort(partners_.begin() + begin, partners_.begin() + end, [](const Partner& a, const Partner& b) {
      return GlobalContact{0, a.id, a.image} < GlobalContact{0, b.id, b.image};
    });
    for (offset_t k = begin; k < end; ++k) {
      const auto at = static_cast<std::size_t>(k);
      first_[at] = static_cast<index_t>(i), second_[at] = partners_[at].held;
      if (!images_.empty()) images_[at] = partners_[at].image;
    }
  }

  std::vector<offset_t> offsets_;
  std::vector<Partner> partners_;
  std::vector<index_t> first_, second_;
  std::vector<Image> images_;
};

/// OrientedList for a device, with an equal interface. A host would take twice as long with it.
template <class Exec>
class DeviceOrientedList {
 public:
  explicit DeviceOrientedList(const Exec& exec) : exec_(exec) {}

  /// Takes the contacts without copies to the host. If it throws, there are no contacts.
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
    lists_.run(exec_, in, ListArrays{offsets_.data(), ListEntries{second_.data(), has_images_ ? images_.data() : nullptr}});
    exec_.for_each("hgrid::name_particles", particles, NameParticles{offsets_.data(), by_id, first_.data(), second_.data()});
    size_ = count;
  }

  offset_t size() const { return size_; }
  PairColumns<const index_t> contacts() const {
    return {first_.data(), second_.data(), 1, has_images_ ? images_.data() : nullptr, size()};
  }
  Image* images() { return has_images_ ? images_.data() : nullptr; }
  /// Returns a view with the ids of the particles, in the executor's memory.
  OrientedView view(const std::int64_t* ids) const { return {offsets_.data(), contacts(), ids}; }

 private:
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;
  using Sort = SortBuffers<Exec, std::uint64_t>;
  static constexpr int id_bits = 63;

  // Returns the particles, sorted by id.
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

}  // namespace hgrid::inline v0_2::detail
