// SPDX-License-Identifier: BSD-3-Clause
// The contacts of a rank in an order that does not depend on how its particles are numbered.
#pragma once

#include <algorithm>
#include <vector>

#include "hgrid/host/host_exec.hpp"
#include "hgrid/lists.hpp"
#include "hgrid/ranks/global_lists.hpp"
#include "hgrid/ranks/oriented_view.hpp"

namespace hgrid::inline v0_1::detail {

/// Contacts by the ids of a rank, each with the particle of the smaller global id: by that particle, then by the other's global
/// id, then by image.
class OrientedList {
 public:
  explicit OrientedList(const HostExec&) {}

  /// Contacts of particles with these global ids. Throws std::bad_alloc.
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
  /// With the ids of the particles.
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

}  // namespace hgrid::inline v0_1::detail
