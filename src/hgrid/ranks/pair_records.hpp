// SPDX-License-Identifier: BSD-3-Clause
// Values of pairs between two lists, each with the pair's particle of the smaller global id: as ranks send them, and on a host.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "hgrid/host/host_exec.hpp"
#include "hgrid/ranks/neighbour_record.hpp"
#include "hgrid/ranks/oriented_view.hpp"
#include "hgrid/ranks/outbox.hpp"

namespace hgrid::inline v0_1::detail {

/// A value on its way. Each rank that it passes numbers the particle anew.
template <class T>
struct PairRecord {
  NeighbourRecord of;
  T value;
};

/// Where the particles of a rank go: the first ones stay as they are, and the others have destinations.
struct Moves {
  int here;
  index_t first;
  std::vector<Destination> others;

  MovesView view(const Destination* there) const { return {here, first, there}; }
  MovesView view() const { return view(others.data()); }
};

/// The values of a list, and those that are at home: with the owners of their pairs' first particles, wherever lists are.
template <class T>
class HostPairs {
 public:
  using Record = PairRecord<T>;

  HostPairs() = default;
  explicit HostPairs(const HostExec&) {}

  T* data() { return values_.data(); }
  const T* data() const { return values_.data(); }
  offset_t size() const { return static_cast<offset_t>(values_.size()); }

  /// Those of a list that stay are the next ones at home; others go into the outbox.
  void leave_list(const OrientedView& list, const Moves& moves, Outbox<Record>& outbox) {
    next_.clear();
    for (offset_t k = 0; k < size(); ++k) move({list.record(k), values_[static_cast<std::size_t>(k)]}, moves.view(), outbox);
  }
  /// The same of those at home, which stay there until `arrive`.
  void leave_home(const Moves& moves, Outbox<Record>& outbox) {
    next_.clear();
    for (const Record& record : home_) move(record, moves.view(), outbox);
  }
  /// More of the next ones.
  void add(const std::vector<Record>& came) { next_.insert(next_.end(), came.begin(), came.end()); }
  void arrive() { std::swap(home_, next_); }
  void forget() { home_.clear(); }

  /// Those at home of some particles, of `owned` ones.
  std::vector<Record> of(const std::vector<index_t>& particles, index_t owned) const {
    std::vector<char> chosen(static_cast<std::size_t>(owned));
    for (const index_t i : particles) chosen[static_cast<std::size_t>(i)] = 1;
    std::vector<Record> records;
    std::ranges::copy_if(home_, std::back_inserter(records),
                         [&](const Record& r) { return chosen[static_cast<std::size_t>(r.of.particle)] != 0; });
    return records;
  }

  /// Makes the values of a list, of those at home and of others, `fresh` where there are none. They are the values from `take`
  /// on.
  void fill(const OrientedView& list, const std::vector<Record>& others, const T& fresh) {
    next_values_.assign(static_cast<std::size_t>(list.contacts.size), fresh);
    for (const auto* records : {&std::as_const(home_), &others}) {
      for (const Record& record : *records) {
        const offset_t k = list.find(record.of);
        if (k >= 0) next_values_[static_cast<std::size_t>(k)] = record.value;
      }
    }
  }
  void take() { std::swap(values_, next_values_); }

 private:
  void move(Record record, const MovesView& moves, Outbox<Record>& outbox) {
    const Destination to = moves.of(record.of.particle);
    if (to.place < 0) return;
    record.of.particle = to.place;
    if (to.rank == moves.here) {
      next_.push_back(record);
    } else {
      outbox.add(to.rank, record);
    }
  }

  std::vector<T> values_, next_values_;
  std::vector<Record> home_, next_;  // kept until the values are those of a list again
};

}  // namespace hgrid::inline v0_1::detail
