// SPDX-License-Identifier: BSD-3-Clause
// The contacts of a rank for threads and kernels, and the kernels of a device for lists of a time loop and the values of their
// pairs.
#pragma once

#include "hgrid/core/entry_order.hpp"
#include "hgrid/ranks/device_stages.hpp"
#include "hgrid/ranks/rank_rules.hpp"

namespace hgrid::inline v0_2::detail {

/// Contacts sorted by the particle with the smaller global id, then by the global id of the other, then by image.
struct OrientedView {
  const offset_t* offsets;  // [particles + 1]
  PairColumns<const index_t> contacts;
  const std::int64_t* id;  // of each particle

  /// Returns contact k as a record to send.
  HGRID_HD NeighbourRecord record(offset_t k) const {
    const Contact c = contacts[k];
    return {c.i, c.image, id[c.j]};
  }

  /// Returns the contact of a record's particle with its neighbor, or -1.
  HGRID_HD offset_t find(const NeighbourRecord& r) const {
    return find_sorted(offsets[r.particle], offsets[r.particle + 1], [&](offset_t k) { return compare(k, r); });
  }

 private:
  HGRID_HD int compare(offset_t k, const NeighbourRecord& r) const {
    const NeighbourRecord own = record(k);
    if (own.neighbour != r.neighbour) return own.neighbour < r.neighbour ? -1 : 1;
    for (int a = 0; a < 3; ++a) {
      if (own.image[a] != r.image[a]) return own.image[a] < r.image[a] ? -1 : 1;
    }
    return 0;
  }
};

/// Moves the image of contact k along with positions that were wrapped.
struct MoveImages {
  PairColumns<const index_t> contacts;
  const Image* since;  // [particles]
  Image* images;

  HGRID_HD void operator()(offset_t k) const {
    const Contact c = contacts[k];
    images[k] = image_now(c.image, since, c.i, c.j);
  }
};

/// Writes ids as sort keys, with their particles.
struct MakeIdKeys {
  const std::int64_t* id;
  std::uint64_t* key;
  index_t* particle;

  HGRID_HD void operator()(offset_t i) const {
    key[i] = static_cast<std::uint64_t>(id[i]), particle[i] = static_cast<index_t>(i);
  }
};

/// Finds the place of each particle among all, by global id.
struct PlaceParticles {
  const index_t* by_id;
  index_t* place;

  HGRID_HD void operator()(offset_t k) const { place[by_id[k]] = static_cast<index_t>(k); }
};

/// Writes each contact with the particle of the smaller global id first, and the place of the other, by which lists are then
/// sorted.
struct OrientPairs {
  const Pair* pairs;
  const Image* images;  // or null
  const std::int64_t* id;
  const index_t* place;
  Pair* out;
  Image* out_images;

  HGRID_HD void operator()(offset_t k) const {
    Contact c{pairs[k].i, pairs[k].j, images == nullptr ? Image{} : images[k]};
    if (!is_oriented(id[c.i], id[c.j], c.image)) c = c.mirrored();
    out[k] = {c.i, place[c.j]};
    if (images != nullptr) out_images[k] = c.image;
  }
};

/// Writes the particles of the contacts of a list, whose entries are places.
struct NameParticles {
  const offset_t* offsets;
  const index_t* by_id;
  index_t *first, *second;

  HGRID_HD void operator()(offset_t i) const {
    for (offset_t k = offsets[i]; k < offsets[i + 1]; ++k) first[k] = static_cast<index_t>(i), second[k] = by_id[second[k]];
  }
};

/// Writes the contacts of a list as records.
struct MakeRecords {
  OrientedView list;
  NeighbourRecord* out;

  HGRID_HD void operator()(offset_t k) const { out[k] = list.record(k); }
};

/// Marks with 1 the records that stay, or the records that leave.
struct MarkMoves {
  const NeighbourRecord* records;
  MovesView moves;
  bool leaving;
  offset_t* marks;

  HGRID_HD void operator()(offset_t k) const {
    const Destination to = moves.of(records[k].particle);
    marks[k] = to.place >= 0 && (to.rank != moves.here) == leaving ? 1 : 0;
  }
};

/// Gives records that stay the new numbers of their particles.
struct RenumberRecords {
  MovesView moves;
  NeighbourRecord* records;

  HGRID_HD void operator()(offset_t k) const { records[k].particle = moves.of(records[k].particle).place; }
};

/// Marks particles as chosen. A particle may occur several times; all threads write an equal value.
struct ChooseParticles {
  const index_t* particles;
  index_t* chosen;  // 0 before

  HGRID_HD void operator()(offset_t k) const { chosen[particles[k]] = 1; }
};

/// Marks with 1 the records of chosen particles.
struct MarkChosen {
  const NeighbourRecord* records;
  const index_t* chosen;
  offset_t* marks;

  HGRID_HD void operator()(offset_t k) const { marks[k] = chosen[records[k].particle]; }
};

/// Collects the marked records, and their places; `place` is the sum of the marks before each.
struct TakeRecords {
  const NeighbourRecord* records;
  const offset_t* place;
  NeighbourRecord* out;
  offset_t* from;

  HGRID_HD void operator()(offset_t k) const {
    if (place[k] == place[k + 1]) return;
    out[place[k]] = records[k], from[place[k]] = k;
  }
};

/// Finds the contact of each record in a list, or -1.
struct SeekRecords {
  OrientedView list;
  const NeighbourRecord* records;
  offset_t* to;

  HGRID_HD void operator()(offset_t k) const { to[k] = list.find(records[k]); }
};

/// Copies each entry to its place in `to_entry`, unless that is -1.
template <class As>
struct PutEntries {
  const typename As::Unit* from;
  const offset_t* to_entry;
  offset_t per_entry;
  typename As::Unit* to;

  HGRID_HD void operator()(offset_t k) const {
    const offset_t entry = to_entry[k / per_entry];
    if (entry >= 0) to[entry * per_entry + k % per_entry] = from[k];
  }
};

/// Copies one entry to all places.
template <class As>
struct RepeatEntry {
  const typename As::Unit* from;
  offset_t per_entry;
  typename As::Unit* to;

  HGRID_HD void operator()(offset_t k) const { to[k] = from[k % per_entry]; }
};

/// Rounds coordinates to the user's precision.
template <class Real>
struct RoundTo {
  const double* from;
  Real* to;

  HGRID_HD void operator()(offset_t k) const { to[k] = static_cast<Real>(from[k]); }
};

}  // namespace hgrid::inline v0_2::detail
