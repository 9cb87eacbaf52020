// SPDX-License-Identifier: BSD-3-Clause
// Values of pairs between two lists, each at the pair's particle with the smaller global id: as ranks send them, and as they
// are kept. On a device only values that other ranks send or get cross to the host.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "hgrid/cells/stages.hpp"
#include "hgrid/memory/reserve.hpp"
#include "hgrid/ranks/device_vector.hpp"
#include "hgrid/ranks/pair_stages.hpp"
#include "hgrid/ranks/rank_rules.hpp"
#include "hgrid/ranks/routes.hpp"
#include "hgrid/threads/host_exec.hpp"

namespace hgrid::inline v0_2::detail {

/// A value in a message. Each rank that it passes renumbers the particle.
template <class T>
struct PairRecord {
  NeighbourRecord of;
  T value;
};

/// Where the particles of a rank go: the first ones stay where they are, and the others have destinations.
struct Moves {
  int here;
  index_t first;
  std::vector<Destination> others;

  MovesView view(const Destination* there) const { return {here, first, there}; }
  MovesView view() const { return view(others.data()); }
};

/// The values of a list, and the home values: values kept by the owners of their pairs' first particles while there is no list.
template <class T>
class HostPairs {
 public:
  using Record = PairRecord<T>;

  HostPairs() = default;
  explicit HostPairs(const HostExec&) {}

  T* data() { return values_.data(); }
  const T* data() const { return values_.data(); }
  offset_t size() const { return static_cast<offset_t>(values_.size()); }

  /// Keeps the values whose particles stay on this rank; puts the others into the outbox.
  void leave_list(const OrientedView& list, const Moves& moves, Outbox<Record>& outbox) {
    next_.clear();
    for (offset_t k = 0; k < size(); ++k) move({list.record(k), values_[static_cast<std::size_t>(k)]}, moves.view(), outbox);
  }
  /// Moves the home values in the same way. The present ones stay until `arrive`.
  void leave_home(const Moves& moves, Outbox<Record>& outbox) {
    next_.clear();
    for (const Record& record : home_) move(record, moves.view(), outbox);
  }
  /// Adds values that came from other ranks.
  void add(const std::vector<Record>& came) { next_.insert(next_.end(), came.begin(), came.end()); }
  void arrive() { std::swap(home_, next_); }
  void forget() { home_.clear(); }
  const std::vector<Record>& at_home() const { return home_; }
  void take_home(const std::vector<Record>& records) { home_ = records; }

  /// Returns the home values of some particles. `owned` is the number of owned particles.
  std::vector<Record> of(const std::vector<index_t>& particles, index_t owned) const {
    std::vector<char> chosen(static_cast<std::size_t>(owned));
    for (const index_t i : particles) chosen[static_cast<std::size_t>(i)] = 1;
    std::vector<Record> records;
    std::ranges::copy_if(home_, std::back_inserter(records),
                         [&](const Record& r) { return chosen[static_cast<std::size_t>(r.of.particle)] != 0; });
    return records;
  }

  /// Makes the values of a list from the home values and `others`; contacts without a value get `fresh`. They become the values
  /// at `take`.
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
  std::vector<Record> home_, next_;  // kept until a list has the values again
};

/// HostPairs for a device, with an equal interface. A host would take twice as long with it.
template <class Exec, class T>
class DevicePairs {
 public:
  using Record = PairRecord<T>;

  explicit DevicePairs(const Exec& exec)
      : exec_(exec),
        values_(exec),
        next_values_(exec),
        all_(exec),
        home_(exec),
        next_(exec),
        some_(exec),
        moves_(exec),
        particles_(exec) {}

  T* data() { return values_.data(); }
  const T* data() const { return values_.data(); }
  offset_t size() const { return static_cast<offset_t>(values_.size()); }

  void leave_list(const OrientedView& list, const Moves& moves, Outbox<Record>& outbox) {
    all_.clear(), all_.resize(values_.size());
    exec_.for_each("hgrid::make_records", size(), MakeRecords{list, all_.data()});
    leave(all_, values_, moves, outbox);
  }
  void leave_home(const Moves& moves, Outbox<Record>& outbox) { leave(home_.records, home_.values, moves, outbox); }
  void add(const std::vector<Record>& came) { add(came, next_); }
  void arrive() { std::swap(home_, next_); }
  void forget() { home_.clear(); }
  std::vector<Record> at_home() const { return home_.on_host(); }
  void take_home(const std::vector<Record>& records) { home_.clear(), add(records, home_); }

  std::vector<Record> of(const std::vector<index_t>& particles, index_t owned) {
    reserve_all(exec_, Need{chosen_, with_margin(owned, chosen_.size())});
    particles_.assign(particles);
    exec_.for_each("hgrid::clear_chosen", owned, Fill<index_t>{chosen_.data(), 0});
    exec_.for_each("hgrid::choose_particles", static_cast<offset_t>(particles.size()),
                   ChooseParticles{particles_.data(), chosen_.data()});
    some_.clear();
    take_marked(home_.records, home_.values, some_, [&](offset_t* marks) {
      return MarkChosen{home_.records.data(), chosen_.data(), marks};
    });
    return some_.on_host();
  }

  void fill(const OrientedView& list, const std::vector<Record>& others, const T& fresh) {
    const std::vector<T> one{fresh};
    const DeviceVector<Exec, T> first(exec_, one);
    next_values_.clear(), next_values_.resize(static_cast<std::size_t>(list.contacts.size));
    as_units([&]<class As>(As, offset_t per_entry) {
      exec_.for_each("hgrid::fill_values", list.contacts.size * per_entry,
                     RepeatEntry<As>{units<As>(first), per_entry, units<As>(next_values_)});
    });
    put(home_, list);
    some_.clear(), add(others, some_);
    put(some_, list);
  }
  void take() { std::swap(values_, next_values_); }

 private:
  struct Records {
    explicit Records(const Exec& exec) : records(exec), values(exec) {}

    void clear() { records.clear(), values.clear(); }
    std::vector<Record> on_host() const {
      const std::vector<NeighbourRecord> of = records.on_host();
      const std::vector<T> value = values.on_host();
      std::vector<Record> all;
      for (std::size_t k = 0; k < of.size(); ++k) all.push_back({of[k], value[k]});
      return all;
    }

    DeviceVector<Exec, NeighbourRecord> records;
    DeviceVector<Exec, T> values;
  };

  // Calls f(unit, units of a value). Values are copied as bytes, so that kernels do not depend on their type.
  template <class F>
  static void as_units(const F& f) {
    constexpr bool words = sizeof(T) % sizeof(AsWords::Unit) == 0;
    using As = std::conditional_t<words, AsWords, AsBytes>;
    f(As{}, static_cast<offset_t>(sizeof(T) / sizeof(typename As::Unit)));
  }
  template <class As>
  static auto units(DeviceVector<Exec, T>& values) {
    return reinterpret_cast<typename As::Unit*>(values.data());
  }
  template <class As>
  static auto units(const DeviceVector<Exec, T>& values) {
    return reinterpret_cast<const typename As::Unit*>(values.data());
  }

  void leave(const DeviceVector<Exec, NeighbourRecord>& records, const DeviceVector<Exec, T>& values, const Moves& moves,
             Outbox<Record>& outbox) {
    moves_.assign(moves.others);
    const MovesView there = moves.view(moves_.data());
    const auto mark = [&](bool leaving) {
      return [&, leaving](offset_t* marks) { return MarkMoves{records.data(), there, leaving, marks}; };
    };
    some_.clear(), next_.clear();
    take_marked(records, values, some_, mark(true));
    for (Record record : some_.on_host()) {
      const Destination to = moves.view().of(record.of.particle);
      record.of.particle = to.place;
      outbox.add(to.rank, record);
    }
    take_marked(records, values, next_, mark(false));
    exec_.for_each("hgrid::renumber_records", static_cast<offset_t>(next_.records.size()),
                   RenumberRecords{there, next_.records.data()});
  }

  // Copies marked records to `out`. `marker(marks)` is a kernel that marks them. Waits for their number.
  template <class Marker>
  void take_marked(const DeviceVector<Exec, NeighbourRecord>& records, const DeviceVector<Exec, T>& values, Records& out,
                   const Marker& marker) {
    const auto count = static_cast<offset_t>(records.size());
    reserve_all(exec_, Need{place_, with_margin(count + 1, place_.size())});
    exec_.template reserve_scan<offset_t>(count);
    exec_.for_each("hgrid::mark_records", count, marker(place_.data()));
    exec_.exclusive_scan("hgrid::scan_records", place_.data(), count);
    const offset_t taken = exec_.read_back(static_cast<const offset_t*>(place_.data()) + count);
    reserve_all(exec_, Need{from_, with_margin(taken, from_.size())});
    out.records.resize(static_cast<std::size_t>(taken)), out.values.resize(static_cast<std::size_t>(taken));
    exec_.for_each("hgrid::take_records", count, TakeRecords{records.data(), place_.data(), out.records.data(), from_.data()});
    gather_entries(exec_, values.data(), static_cast<const offset_t*>(from_.data()), taken, sizeof(T), out.values.data());
  }

  void add(const std::vector<Record>& came, Records& to) {
    std::vector<NeighbourRecord> records;
    std::vector<T> values;
    for (const Record& record : came) records.push_back(record.of), values.push_back(record.value);
    to.records.append(records), to.values.append(values);
  }

  // Writes the values whose pairs are in a list to their places.
  void put(const Records& from, const OrientedView& list) {
    const auto count = static_cast<offset_t>(from.records.size());
    reserve_all(exec_, Need{place_, with_margin(count, place_.size())});
    exec_.for_each("hgrid::seek_records", count, SeekRecords{list, from.records.data(), place_.data()});
    as_units([&]<class As>(As, offset_t per_entry) {
      exec_.for_each("hgrid::scatter_values", count * per_entry,
                     PutEntries<As>{units<As>(from.values), place_.data(), per_entry, units<As>(next_values_)});
    });
  }

  Exec exec_;
  DeviceVector<Exec, T> values_, next_values_;
  DeviceVector<Exec, NeighbourRecord> all_;  // records of the list
  Records home_, next_, some_;               // some: records that arrive or leave
  DeviceVector<Exec, Destination> moves_;
  DeviceVector<Exec, index_t> particles_;
  typename Exec::template Buffer<index_t> chosen_;
  typename Exec::template Buffer<offset_t> place_, from_;
};

}  // namespace hgrid::inline v0_2::detail
