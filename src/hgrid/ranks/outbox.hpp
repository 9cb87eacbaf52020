// SPDX-License-Identifier: BSD-3-Clause
// Records that are collected one by one, whoever they go to.
#pragma once

#include <cstring>
#include <type_traits>
#include <vector>

#include "hgrid/ranks/exchange.hpp"

namespace hgrid::inline v0_1::detail {

template <class Record>
class Outbox {
  static_assert(std::is_trivially_copyable_v<Record>);

 public:
  void clear() { added_.clear(); }
  void add(int rank, const Record& record) { added_.push_back({rank, record}); }

  /// All that was added, by rank, those to one rank in order.
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

/// f(record) for those of a parcel, whose bytes lie anywhere.
template <class Record, class F>
void for_each_record(const Parcel& parcel, const F& f) {
  for (std::size_t k = 0; k < parcel.records; ++k) {
    Record record;
    std::memcpy(&record, parcel.data + k * sizeof record, sizeof record);
    f(record);
  }
}

}  // namespace hgrid::inline v0_1::detail
