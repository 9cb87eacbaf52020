// SPDX-License-Identifier: BSD-3-Clause
// Particles on their way to the ranks in whose boxes they lie, with all fields that belong to them.
#pragma once

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "hgrid/memory/reserve.hpp"
#include "hgrid/ranks/device_vector.hpp"
#include "hgrid/ranks/messages.hpp"
#include "hgrid/ranks/rank_rules.hpp"

namespace hgrid::inline v0_1::detail {

/// Records of the particles that leave a rank, by the rank that they go to. A record has the entries of all fields, one after
/// the other. From a device only entries of particles that leave or come cross to the host.
template <class Exec>
class Migration {
 public:
  /// `to[i]` is the rank of particle i, `record_bytes` the entries of all fields together.
  Migration(const Exec& exec, const std::vector<int>& to, const Communicator& comm, std::size_t record_bytes)
      : exec_(exec),
        to_(to),
        record_(record_bytes),
        here_(comm.rank()),
        leave_(rank_array<Exec, index_t>(exec)),
        stay_(rank_array<Exec, index_t>(exec)),
        staged_(exec) {
    begin_.assign(static_cast<std::size_t>(comm.size()) + 1, 0);
    for (const int rank : to_) begin_[static_cast<std::size_t>(rank) + 1] += rank != here_;
    for (std::size_t rank = 1; rank < begin_.size(); ++rank) begin_[rank] += begin_[rank - 1];
    leaving_.resize(begin_.back() * record_);
    for (int rank = 0; rank < comm.size(); ++rank) {
      const std::size_t first = begin_[static_cast<std::size_t>(rank)], end = begin_[static_cast<std::size_t>(rank) + 1];
      if (first < end) parcels_.push_back({rank, leaving_.data() + first * record_, end - first});
    }
    if constexpr (!Exec::on_host) {
      std::vector<index_t> stay, leave(begin_.back());
      for_each_leaver([&](std::size_t i, std::size_t record) { leave[record] = static_cast<index_t>(i); });
      for (std::size_t i = 0; i < to_.size(); ++i) {
        if (to_[i] == here_) stay.push_back(static_cast<index_t>(i));
      }
      leave_.assign(leave), stay_.assign(stay);
    }
  }

  /// Copies the entries of the next field into the records of those that leave.
  template <class T, class Values>
  void pack(const Field<T, Values>& field) {
    const std::size_t bytes = field.width * sizeof(T);
    const auto* from = reinterpret_cast<const std::byte*>(std::as_const(field.values).data());
    if constexpr (!Exec::on_host) {
      staged_.reserve(begin_.back() * bytes);
      gather_entries(exec_, from, std::as_const(leave_).data(), static_cast<offset_t>(begin_.back()), bytes, staged_.there());
      staged_.fetch(begin_.back() * bytes);
      from = staged_.here();
    }
    for_each_leaver([&](std::size_t i, std::size_t record) {
      std::memcpy(leaving_.data() + record * record_ + packed_, from + (Exec::on_host ? i : record) * bytes, bytes);
    });
    packed_ += bytes;
  }

  const std::vector<Parcel>& parcels() const { return parcels_; }

  std::vector<Destination> destinations() const {
    std::vector<Destination> all;
    std::vector<index_t> placed(begin_.size());
    for (const int rank : to_) all.push_back({rank, placed[static_cast<std::size_t>(rank)]++});
    return all;
  }
  bool all_stay() const { return begin_.back() == 0; }
  /// How many stay.
  index_t staying() const { return static_cast<index_t>(to_.size() - begin_.back()); }

  /// Takes room in a field for those that come. From here on nothing can fail.
  template <class T, class Values>
  void reserve(Field<T, Values>& field, const std::vector<Parcel>& received) {
    const std::size_t came = count(received);
    if constexpr (Exec::on_host) {
      field.values.reserve((to_.size() + came) * field.width);
    } else {
      staged_.reserve_here(came * field.width * sizeof(T));
      reserve_all(exec_, Need{field.values.next_, static_cast<offset_t>((stay_.size() + came) * field.width)});
    }
  }

  /// Closes the gaps of those that have left the next field, in order, and adds those that come, by the rank that they come
  /// from.
  template <class T, class Values>
  void unpack(Field<T, Values>& field, const std::vector<Parcel>& received) {
    const std::size_t bytes = field.width * sizeof(T), came = count(received);
    auto& values = field.values;
    if constexpr (Exec::on_host) {
      auto kept = values.begin();
      for (std::size_t i = 0; i < to_.size(); ++i) {
        if (to_[i] == here_)
          kept = std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(i * field.width), field.width, kept);
      }
      const auto next = static_cast<std::size_t>(kept - values.begin());
      values.resize(next + came * field.width);
      take_next(bytes, received, reinterpret_cast<std::byte*>(values.data() + next));
    } else {
      const std::size_t kept = stay_.size();
      gather_entries(exec_, values.data(), std::as_const(stay_).data(), static_cast<offset_t>(kept), bytes,
                     values.next_.data());
      take_next(bytes, received, staged_.here());
      exec_.copy_in(values.next_.data() + kept * field.width, reinterpret_cast<const T*>(staged_.here()),
                    static_cast<offset_t>(came * field.width));
      std::swap(values.memory_, values.next_);
      values.next_ = {}, values.size_ = (kept + came) * field.width;
    }
    unpacked_ += bytes;
  }

 private:
  /// f(particle, record) for those that leave.
  template <class F>
  void for_each_leaver(const F& f) const {
    std::vector<std::size_t> at(begin_.begin(), begin_.end() - 1);
    for (std::size_t i = 0; i < to_.size(); ++i) {
      if (to_[i] != here_) f(i, at[static_cast<std::size_t>(to_[i])]++);
    }
  }

  // The entries of the next field, of those that come.
  void take_next(std::size_t bytes, const std::vector<Parcel>& received, std::byte* to) const {
    for (const Parcel& parcel : received) {
      for (std::size_t k = 0; k < parcel.records; ++k) to = std::copy_n(parcel.data + k * record_ + unpacked_, bytes, to);
    }
  }

  static std::size_t count(const std::vector<Parcel>& received) {
    std::size_t records = 0;
    for (const Parcel& parcel : received) records += parcel.records;
    return records;
  }

  Exec exec_;
  const std::vector<int>& to_;
  std::size_t record_, packed_ = 0, unpacked_ = 0;
  int here_;
  std::vector<std::size_t> begin_;  // of the records for each rank
  std::vector<std::byte> leaving_;
  std::vector<Parcel> parcels_;
  RankArray<Exec, index_t> leave_, stay_;  // on a device: by record, and in order
  Staged<Exec, std::byte> staged_;         // on a device
};

}  // namespace hgrid::inline v0_1::detail
