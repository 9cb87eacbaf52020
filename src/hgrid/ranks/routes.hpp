// SPDX-License-Identifier: BSD-3-Clause
// Where the records and entries of this rank go: an outbox of records for other ranks, and the routes of fields from owners to
// ghosts and back.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <type_traits>
#include <vector>

#include "hgrid/core/types.hpp"
#include "hgrid/ranks/messages.hpp"

namespace hgrid::inline v0_2::detail {

template <class Record>
class Outbox {
  static_assert(std::is_trivially_copyable_v<Record>);

 public:
  void clear() { added_.clear(); }
  void add(int rank, const Record& record) { added_.push_back({rank, record}); }

  /// Returns everything that was added, by rank, and in order for each rank.
  const std::vector<Parcel>& parcels(int ranks) {
    begin_.assign(static_cast<std::size_t>(ranks) + 1, 0);
    for (const Added& each : added_) ++begin_[static_cast<std::size_t>(each.rank) + 1];
    for (std::size_t rank = 1; rank < begin_.size(); ++rank) begin_[rank] += begin_[rank - 1];
    records_.resize(added_.size());
    parcels_.clear();
    for (int rank = 0; rank < ranks; ++rank) {
      const std::size_t first = begin_[static_cast<std::size_t>(rank)], end = begin_[static_cast<std::size_t>(rank) + 1];
      if (first < end) parcels_.push_back({rank, reinterpret_cast<const std::byte*>(records_.data() + first), end - first});
    }
    for (const Added& each : added_) records_[begin_[static_cast<std::size_t>(each.rank)]++] = each.record;
    return parcels_;
  }

 private:
  struct Added {
    int rank;
    Record record;
  };

  std::vector<Added> added_;
  std::vector<Record> records_;
  std::vector<std::size_t> begin_;
  std::vector<Parcel> parcels_;
};

/// Calls f(record) for the records of a parcel, whose bytes may be unaligned.
template <class Record, class F>
void for_each_record(const Parcel& parcel, const F& f) {
  for (std::size_t k = 0; k < parcel.records; ++k) {
    Record record;
    std::memcpy(&record, parcel.data + k * sizeof record, sizeof record);
    f(record);
  }
}

/// Routes of the entries of ghosts. Fields have entries of `entry` bytes. A rank that has failed passes null entries: it sends
/// empty messages, from which its neighbors see the failure, so no rank hangs. Entries of another size also count as a failure.
class Routes {
 public:
  struct Send {
    int rank;
    index_t id;
  };
  struct Way {
    int rank;
    std::size_t first, count;  ///< range of the particles that are sent, or of the ghosts
  };

  /// Sets the particles that are sent, from the parts of a loop. Particles for one rank stay in order.
  void set_sends(const std::vector<std::vector<Send>>& of_parts, int ranks);
  /// Replaces indices among the searched particles by indices among all.
  void renumber(const index_t* numbers) {
    for (index_t& id : ids_) id = numbers[id];
  }
  /// Sets the ghosts that came, by rank.
  void set_receives(const std::vector<Parcel>& received);

  const std::vector<Way>& sends() const { return sends_; }
  const std::vector<Way>& receives() const { return receives_; }
  const std::vector<index_t>& ids() const { return ids_; }  ///< particles that are sent, by rank
  /// The route of a ghost, and its place there. Its owner knows the same place.
  struct Place {
    std::size_t way;
    index_t at;
  };
  Place place_of(std::size_t ghost) const {
    const auto after = std::ranges::upper_bound(receives_, ghost, {}, &Way::first);
    const auto way = static_cast<std::size_t>(after - receives_.begin()) - 1;
    return {way, static_cast<index_t>(ghost - receives_[way].first)};
  }
  /// Returns the particle at a place of the route to a rank.
  index_t sent_to(int rank, index_t at) const {
    const auto way = std::ranges::lower_bound(sends_, rank, {}, &Way::rank);
    return ids_[way->first + static_cast<std::size_t>(at)];
  }
  /// Returns the ghost at a place of the route from a rank: the reverse of `place_of`.
  std::size_t ghost_from(int rank, index_t at) const {
    return std::ranges::lower_bound(receives_, rank, {}, &Way::rank)->first + static_cast<std::size_t>(at);
  }
  std::size_t ghosts() const { return receives_.empty() ? 0 : receives_.back().first + receives_.back().count; }

  enum class Heading { to_ghosts, to_owners };
  /// Entries on the routes in one direction: where MPI reads and writes them.
  struct Passage {
    const std::byte* from;
    std::byte* to;
  };
  /// Begins to send, without waiting.
  void send(const Communicator& comm, Heading heading, const std::byte* from, std::size_t entry);
  /// Receives what others have sent, and waits for all messages of this rank. Returns a rank that has failed, or -1.
  int receive(const Communicator& comm, Heading heading, std::byte* to, std::size_t entry);
  /// Sends empty messages in place of the next messages of either direction.
  void abandon(const Communicator& comm) noexcept;

 private:
  std::vector<Way> sends_, receives_;
  std::vector<index_t> ids_;
  std::vector<std::size_t> begin_;
  std::vector<std::byte> discarded_;
  std::vector<MPI_Request> sent_;
};

}  // namespace hgrid::inline v0_2::detail
