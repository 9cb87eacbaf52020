// SPDX-License-Identifier: BSD-3-Clause
// Particles on their way to the ranks in whose boxes they lie, with all fields that belong to them.
#pragma once

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "hgrid/core/types.hpp"
#include "hgrid/ranks/exchange.hpp"
#include "hgrid/ranks/field.hpp"
#include "hgrid/ranks/neighbour_record.hpp"

namespace hgrid::inline v0_1::detail {

/// Records of the particles that leave a rank, by the rank that they go to. A record has the entries of all fields, one after
/// the other.
class Migration {
 public:
  /// `to[i]` is the rank of particle i, `record_bytes` the entries of all fields together.
  template <class Exec>
  Migration(const Exec&, const std::vector<int>& to, const Communicator& comm, std::size_t record_bytes)
      : to_(to), record_(record_bytes) {
    begin_.assign(static_cast<std::size_t>(comm.size()) + 1, 0);
    here_ = comm.rank();
    for (const int rank : to_) begin_[static_cast<std::size_t>(rank) + 1] += rank != here_;
    for (std::size_t rank = 1; rank < begin_.size(); ++rank) begin_[rank] += begin_[rank - 1];
    leaving_.resize(begin_.back() * record_);
    for (int rank = 0; rank < comm.size(); ++rank) {
      const std::size_t first = begin_[static_cast<std::size_t>(rank)], end = begin_[static_cast<std::size_t>(rank) + 1];
      if (first < end) parcels_.push_back({rank, leaving_.data() + first * record_, end - first});
    }
  }

  /// Copies the entries of a field into the records of those that leave.
  template <class T>
  void pack(const Field<T>& field) {
    const auto entry = [&](std::size_t i, std::size_t) { return field.values.data() + i * field.width; };
    pack_records(field.width * sizeof(T), entry);
  }

  const std::vector<Parcel>& parcels() const { return parcels_; }

  std::vector<Destination> destinations() const {
    std::vector<Destination> all;
    std::vector<index_t> placed(begin_.size());
    for (const int rank : to_) all.push_back({rank, placed[static_cast<std::size_t>(rank)]++});
    return all;
  }
  bool all_stay() const { return leaving() == 0; }
  /// How many stay.
  index_t staying() const { return static_cast<index_t>(to_.size() - leaving()); }

  /// Takes room in a field for those that come. From here on nothing can fail.
  template <class T>
  void reserve(Field<T>& field, const std::vector<Parcel>& received) const {
    field.values.reserve((to_.size() + count(received)) * field.width);
  }

  /// Closes the gaps of those that have left a field, in order, and adds those that come, by the rank that they come from.
  template <class T>
  void unpack(Field<T>& field, const std::vector<Parcel>& received) {
    auto kept = field.values.begin();
    for (std::size_t i = 0; i < to_.size(); ++i) {
      if (to_[i] == here_)
        kept = std::copy_n(field.values.begin() + static_cast<std::ptrdiff_t>(i * field.width), field.width, kept);
    }
    std::size_t next = static_cast<std::size_t>(kept - field.values.begin());
    field.values.resize(next + count(received) * field.width);
    const std::size_t bytes = field.width * sizeof(T);
    unpack_records(bytes, received, [&](const std::byte* entry) {
      std::memcpy(field.values.data() + next, entry, bytes);
      next += field.width;
    });
  }

 protected:
  std::size_t leaving() const { return begin_.back(); }

  /// f(particle, record) for those that leave.
  template <class F>
  void for_each_leaver(const F& f) const {
    std::vector<std::size_t> at(begin_.begin(), begin_.end() - 1);
    for (std::size_t i = 0; i < to_.size(); ++i) {
      if (to_[i] != here_) f(i, at[static_cast<std::size_t>(to_[i])]++);
    }
  }

  /// Copies the entries of the next field, each from entry(particle, record).
  template <class Entry>
  void pack_records(std::size_t bytes, const Entry& entry) {
    for_each_leaver([&](std::size_t i, std::size_t record) {
      std::memcpy(leaving_.data() + record * record_ + packed_, entry(i, record), bytes);
    });
    packed_ += bytes;
  }

  /// take(bytes of its entry of the next field) for each particle that comes.
  template <class Take>
  void unpack_records(std::size_t bytes, const std::vector<Parcel>& received, const Take& take) {
    for (const Parcel& parcel : received) {
      for (std::size_t k = 0; k < parcel.records; ++k) take(parcel.data + k * record_ + unpacked_);
    }
    unpacked_ += bytes;
  }

  static std::size_t count(const std::vector<Parcel>& received) {
    std::size_t records = 0;
    for (const Parcel& parcel : received) records += parcel.records;
    return records;
  }

 private:
  const std::vector<int>& to_;
  std::size_t record_, packed_ = 0, unpacked_ = 0;
  int here_;
  std::vector<std::size_t> begin_;  // of the records for each rank
  std::vector<std::byte> leaving_;
  std::vector<Parcel> parcels_;
};

}  // namespace hgrid::inline v0_1::detail
