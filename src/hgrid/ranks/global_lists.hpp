// SPDX-License-Identifier: BSD-3-Clause
// Contacts by the numbers that tell particles apart on all ranks.
#pragma once

#include <algorithm>
#include <tuple>
#include <vector>

#include "hgrid/ranks/rank_rules.hpp"
#include "hgrid/ranks/routes.hpp"

namespace hgrid::inline v0_2 {

/// A pair of global ids and its image. Results have i < j, or i = j and an image that is lexicographically positive.
struct GlobalContact {
  std::int64_t i, j;
  Image image;

  friend bool operator==(const GlobalContact&, const GlobalContact&) = default;
  /// The order of sorted lists.
  friend bool operator<(const GlobalContact& a, const GlobalContact& b) {
    return std::tie(a.i, a.j, a.image[0], a.image[1], a.image[2]) < std::tie(b.i, b.j, b.image[0], b.image[1], b.image[2]);
  }
};

/// The neighbours of each particle of a rank (CSR), or the particles of each region, sorted by global id, then image: those of
/// particle i are `ids[offsets[i]]` to `ids[offsets[i + 1] - 1]`. It is a full list, so each contact is with both of its
/// particles.
struct GlobalNeighbours {
  std::vector<offset_t> offsets;  ///< [owned + 1], or [regions + 1]
  std::vector<std::int64_t> ids;
  std::vector<Image> images;
};

namespace detail {

/// Sorts entries, and makes lists of particles [0, count) of them.
inline void fill_lists(std::vector<NeighbourRecord>& entries, index_t count, GlobalNeighbours& list) {
  std::sort(entries.begin(), entries.end(), [](const NeighbourRecord& a, const NeighbourRecord& b) {
    return GlobalContact{a.particle, a.neighbour, a.image} < GlobalContact{b.particle, b.neighbour, b.image};
  });
  list.offsets.assign(static_cast<std::size_t>(count) + 1, 0);
  list.ids.clear(), list.images.clear();
  for (const NeighbourRecord& entry : entries) {
    ++list.offsets[static_cast<std::size_t>(entry.particle) + 1];
    list.ids.push_back(entry.neighbour), list.images.push_back(entry.image);
  }
  for (std::size_t i = 1; i < list.offsets.size(); ++i) list.offsets[i] += list.offsets[i - 1];
}

/// Collects entries of full lists, and makes lists of those of this rank's own particles. An entry of another rank's particle
/// goes to that one, with the place of the particle on the way to here.
class NeighbourCollector {
 public:
  /// The global ids of the particles that the rank holds, the first of which it owns, in host memory.
  NeighbourCollector(const std::vector<std::int64_t>& ids, index_t owned, const Routes& routes)
      : ids_(ids), owned_(owned), routes_(routes), sent_(routes.receives().size()) {}

  void add(const PairColumns<const index_t>& contacts) {
    for (offset_t k = 0; k < contacts.size; ++k) {
      const Contact c = contacts[k];
      add_entry(c.i, c.j, c.image);
      add_entry(c.j, c.i, -c.image);
    }
  }

  std::vector<Parcel> parcels() const {
    std::vector<Parcel> parcels;
    for (std::size_t k = 0; k < sent_.size(); ++k) {
      if (sent_[k].empty()) continue;
      parcels.push_back({routes_.receives()[k].rank, reinterpret_cast<const std::byte*>(sent_[k].data()), sent_[k].size()});
    }
    return parcels;
  }

  void fill(const std::vector<Parcel>& received, GlobalNeighbours& list) {
    for (const Parcel& parcel : received) {
      for_each_record<NeighbourRecord>(parcel, [&](NeighbourRecord entry) {
        entry.particle = routes_.sent_to(parcel.rank, entry.particle);
        own_.push_back(entry);
      });
    }
    fill_lists(own_, owned_, list);
  }

 private:
  void add_entry(index_t particle, index_t partner, const Image& image) {
    const std::int64_t neighbour = ids_[static_cast<std::size_t>(partner)];
    if (particle < owned_) return own_.push_back({particle, image, neighbour});
    const Routes::Place place = routes_.place_of(static_cast<std::size_t>(particle - owned_));
    sent_[place.way].push_back({place.at, image, neighbour});
  }

  const std::vector<std::int64_t>& ids_;
  index_t owned_;
  const Routes& routes_;
  std::vector<NeighbourRecord> own_;
  std::vector<std::vector<NeighbourRecord>> sent_;  // by the ways of ghosts
};

}  // namespace detail

}  // namespace hgrid::inline v0_2
