// SPDX-License-Identifier: BSD-3-Clause
// Moves particles to the ranks whose boxes contain them, with all their fields.
#pragma once

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "hgrid/memory/reserve.hpp"
#include "hgrid/ranks/device_vector.hpp"
#include "hgrid/ranks/messages.hpp"
#include "hgrid/ranks/rank_rules.hpp"

namespace hgrid::inline v0_2::detail {

/// Records of the particles that leave a rank, by target rank. A record has the entries of all fields, one after the other.
/// They are packed and unpacked in the memory of the fields.
template <class Exec>
class Migration {
 public:
  /// `to[i]` is the target rank of particle i, `record_bytes` the size of its entries of all fields together.
  Migration(const Exec& exec, bool directly, const std::vector<int>& to, const Communicator& comm, std::size_t record_bytes)
      : exec_(exec),
        to_(to),
        record_(record_bytes),
        here_(comm.rank()),
        leave_(rank_array<Exec, index_t>(exec)),
        stay_(rank_array<Exec, index_t>(exec)),
        leaving_(exec, directly),
        came_(exec, directly) {
    begin_.assign(static_cast<std::size_t>(comm.size()) + 1, 0);
    for (const int rank : to_) begin_[static_cast<std::size_t>(rank) + 1] += rank != here_;
    for (std::size_t rank = 1; rank < begin_.size(); ++rank) begin_[rank] += begin_[rank - 1];
    leaving_.reserve(begin_.back() * record_);
    if constexpr (!Exec::on_host) {
      std::vector<index_t> stay, leave(begin_.back());
      for_each_leaver([&](std::size_t i, std::size_t record) { leave[record] = static_cast<index_t>(i); });
      for (std::size_t i = 0; i < to_.size(); ++i) {
        if (to_[i] == here_) stay.push_back(static_cast<index_t>(i));
      }
      leave_.assign(leave), stay_.assign(stay);
    }
  }

  /// Copies the entries of the next field into the records of leaving particles.
  template <class T, class Values>
  void pack(const Field<T, Values>& field) {
    const std::size_t bytes = field.width * sizeof(T);
    const auto* const from = reinterpret_cast<const std::byte*>(std::as_const(field.values).data());
    std::byte* const to = leaving_.there() + packed_;
    if constexpr (Exec::on_host) {
      for_each_leaver([&](std::size_t i, std::size_t record) { std::memcpy(to + record * record_, from + i * bytes, bytes); });
    } else {
      const EntryBytes of{.entry = bytes, .from_record = bytes, .to_record = record_};
      gather_entries(exec_, from, std::as_const(leave_).data(), static_cast<offset_t>(begin_.back()), of, to);
    }
    packed_ += bytes;
  }

  /// Returns the records as parcels, after all fields are packed.
  const std::vector<Parcel>& parcels() {
    const std::byte* const records = leaving_.fetch(begin_.back() * record_);
    parcels_.clear();
    for (std::size_t rank = 0; rank + 1 < begin_.size(); ++rank) {
      const std::size_t first = begin_[rank], end = begin_[rank + 1];
      if (first < end) parcels_.push_back({static_cast<int>(rank), records + first * record_, end - first});
    }
    return parcels_;
  }

  /// Returns memory for records that are about to arrive.
  std::byte* room_for(std::size_t records) { return came_.room(records * record_); }

  std::vector<Destination> destinations() const {
    std::vector<Destination> all;
    std::vector<index_t> placed(begin_.size());
    for (const int rank : to_) all.push_back({rank, placed[static_cast<std::size_t>(rank)]++});
    return all;
  }
  bool all_stay() const { return begin_.back() == 0; }
  /// Returns the number of particles that stay.
  index_t staying() const { return static_cast<index_t>(to_.size() - begin_.back()); }

  /// Reserves room in a field for the arrived particles. From here on nothing can fail.
  template <class T, class Values>
  void reserve(Field<T, Values>& field, std::size_t came) {
    if constexpr (Exec::on_host) {
      field.values.reserve((to_.size() + came) * field.width);
    } else {
      reserve_all(exec_, Need{field.values.next_, static_cast<offset_t>((stay_.size() + came) * field.width)});
    }
  }

  /// Brings all arrived records to where kernels reach them. Waits.
  void arrive(std::size_t came) { came_.bring(came * record_); }

  /// Closes the gaps of leaving particles in the next field, in order, and appends the arrived ones, by source rank.
  template <class T, class Values>
  void unpack(Field<T, Values>& field, std::size_t came) {
    const std::size_t bytes = field.width * sizeof(T);
    const std::byte* const from = came_.there() + unpacked_;
    auto& values = field.values;
    if constexpr (Exec::on_host) {
      auto kept = values.begin();
      for (std::size_t i = 0; i < to_.size(); ++i) {
        if (to_[i] == here_)
          kept = std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(i * field.width), field.width, kept);
      }
      const auto next = static_cast<std::size_t>(kept - values.begin());
      values.resize(next + came * field.width);
      auto* to = reinterpret_cast<std::byte*>(values.data() + next);
      for (std::size_t k = 0; k < came; ++k) to = std::copy_n(from + k * record_, bytes, to);
    } else {
      const std::size_t kept = stay_.size();
      gather_entries(exec_, values.data(), std::as_const(stay_).data(), static_cast<offset_t>(kept), bytes,
                     values.next_.data());
      const EntryBytes of{.entry = bytes, .from_record = record_, .to_record = bytes};
      gather_entries(exec_, from, static_cast<const index_t*>(nullptr), static_cast<offset_t>(came), of,
                     values.next_.data() + kept * field.width);
      std::swap(values.memory_, values.next_);
      values.next_ = {}, values.size_ = (kept + came) * field.width;
    }
    unpacked_ += bytes;
  }

 private:
  /// Calls f(particle, record) for the particles that leave.
  template <class F>
  void for_each_leaver(const F& f) const {
    std::vector<std::size_t> at(begin_.begin(), begin_.end() - 1);
    for (std::size_t i = 0; i < to_.size(); ++i) {
      if (to_[i] != here_) f(i, at[static_cast<std::size_t>(to_[i])]++);
    }
  }

  Exec exec_;
  const std::vector<int>& to_;
  std::size_t record_, packed_ = 0, unpacked_ = 0;
  int here_;
  std::vector<std::size_t> begin_;  // first record of each rank
  std::vector<Parcel> parcels_;
  RankArray<Exec, index_t> leave_, stay_;  // on a device: particles that leave, by record; particles that stay, in order
  Staged<Exec, std::byte> leaving_, came_;
};

/// Moves the entries of all fields. `ranks()` returns the target ranks of particles, and throws if they are bad.
/// riders(migration, received), which is collective, sends data that moves with particles but is not a field; it runs before
/// anything has moved. If anything fails on one rank, all throw, and nothing has moved.
template <class Exec, class Ranks, class Riders, class... Fields>
void migrate(const Exec& exec, bool directly, Communicator& comm, Exchange& by, Arguments call, const Ranks& ranks,
             const Riders& riders, Fields... fields) {
  const std::size_t record = (std::size_t{0} + ... + (fields.width * sizeof(*fields.values.data())));
  std::vector<int> to;
  std::optional<Migration<Exec>> migration;
  std::vector<Parcel> parcels;
  const std::exception_ptr error = attempt([&] {
    to = ranks();
    migration.emplace(exec, directly, to, comm, record);
    (migration->pack(fields), ...);
    parcels = migration->parcels();
  });
  announce(by, comm, error, call << record, parcels);
  const std::size_t came = by.records();
  const std::exception_ptr no_room = carry(by, comm, parcels, record, [&] { return migration->room_for(came); });
  riders(*migration, by.received());
  agree(comm, Arguments("moved") << record, [&] {
    if (no_room) std::rethrow_exception(no_room);
    migration->arrive(came);
    (migration->reserve(fields, came), ...);
  });
  (migration->unpack(fields, came), ...);
}

}  // namespace hgrid::inline v0_2::detail
