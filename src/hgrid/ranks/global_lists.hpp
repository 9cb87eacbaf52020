// SPDX-License-Identifier: BSD-3-Clause
// Contacts by global ids.
#pragma once

#include <algorithm>
#include <optional>
#include <tuple>
#include <vector>

#include "hgrid/lists.hpp"
#include "hgrid/ranks/messages.hpp"
#include "hgrid/ranks/rank_rules.hpp"
#include "hgrid/ranks/routes.hpp"

namespace hgrid::inline v0_2 {

/// A pair of global ids and its image. Results have i < j, or i = j and a lexicographically positive image.
struct GlobalContact {
  std::int64_t i, j;
  Image image;

  friend bool operator==(const GlobalContact&, const GlobalContact&) = default;
  /// Compares in the order of sorted lists.
  friend bool operator<(const GlobalContact& a, const GlobalContact& b) {
    return std::tie(a.i, a.j, a.image[0], a.image[1], a.image[2]) < std::tie(b.i, b.j, b.image[0], b.image[1], b.image[2]);
  }
};

/// The neighbors of each particle of a rank (CSR), or the particles of each region, sorted by global id, then image. Neighbors
/// of particle i are `ids[offsets[i]]` to `ids[offsets[i + 1] - 1]`. It is a full list: each contact is listed at both
/// particles, or between two sets at the query particle.
struct GlobalNeighbours {
  std::vector<offset_t> offsets;  ///< [owned + 1], or [regions + 1]
  std::vector<std::int64_t> ids;
  std::vector<Image> images;
};

namespace detail {

/// Returns the contact of particles with these ids, oriented as in results.
inline GlobalContact oriented(std::int64_t i, std::int64_t j, const Image& image) {
  return is_oriented(i, j, image) ? GlobalContact{i, j, image} : GlobalContact{j, i, -image};
}

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

/// Collects entries of full lists, and makes lists of this rank's own particles. An entry of another rank's particle is sent to
/// that rank, with the particle's place on the route to this rank.
class NeighbourCollector {
 public:
  /// Collects for particles of which the rank owns the first ones; the others came by these routes. `ids` are global ids, in
  /// host memory, of the neighbors: of these particles, or of another set.
  NeighbourCollector(index_t owned, const Routes& routes, const std::vector<std::int64_t>& ids)
      : ids_(ids), owned_(owned), routes_(routes), sent_(routes.receives().size()) {}

  void add(const PairColumns<const index_t>& contacts) {
    for (offset_t k = 0; k < contacts.size; ++k) {
      const Contact c = contacts[k];
      add_entry(c.i, c.j, c.image);
      add_entry(c.j, c.i, -c.image);
    }
  }
  /// Adds entries of lists whose neighbors are of another set.
  void add(const ListView& lists) {
    for (index_t i = 0; i < lists.lists; ++i) {
      for (offset_t k = lists.offsets[i]; k < lists.offsets[i + 1]; ++k) add_entry(i, lists.neighbour(k), lists.image(k));
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
  std::vector<std::vector<NeighbourRecord>> sent_;  // by the routes of ghosts
};

/// Fills the lists of the particles that ranks own. collect(collector) makes the collector of the entries that this rank
/// reports, and may throw. Collective; if it throws on one rank, all throw.
template <class Collect>
void fill_lists_of_all(Communicator& comm, Exchange& by, const Arguments& call, const Collect& collect,
                       GlobalNeighbours& list) {
  comm.settle();
  std::optional<NeighbourCollector> collector;
  std::vector<Parcel> parcels;
  const std::exception_ptr error = attempt([&] {
    collect(collector);
    parcels = collector->parcels();
  });
  exchange(by, comm, error, call, parcels, sizeof(NeighbourRecord));
  agree(comm, Arguments("filled"), [&] { collector->fill(by.received(), list); });
}

}  // namespace detail

}  // namespace hgrid::inline v0_2
