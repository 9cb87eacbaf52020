// SPDX-License-Identifier: BSD-3-Clause
// History on ranks: one value for each pair of a list, which goes to whichever rank reports the pair after the next build.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "hgrid/ranks/agreement.hpp"
#include "hgrid/ranks/migration.hpp"
#include "hgrid/ranks/oriented_list.hpp"
#include "hgrid/ranks/outbox.hpp"

namespace hgrid::inline v0_1 {

namespace detail {

/// A value on its way, with the pair's particle of the smaller global id. Each rank that it passes numbers that particle anew.
template <class T>
struct PairRecord {
  index_t particle;
  Image image;
  std::int64_t neighbour;
  T value;
};

/// That by which values travel: the ranks, and an exchange of their own.
struct PairTraffic {
  Communicator& comm;
  Exchange& by;

  /// Sends the records of the outbox, unless there is an error, and then calls take(parcels). If either fails on one rank, all throw.
  template <class Record, class Take>
  void run(const char* name, const std::exception_ptr& error, Outbox<Record>& outbox, const Take& take) const {
    const Arguments arguments = Arguments(name) << sizeof(Record);
    std::vector<Parcel> parcels;
    const std::exception_ptr any = error ? error : attempt([&] { parcels = outbox.parcels(comm.size()); });
    exchange(by, comm, any, arguments, parcels, sizeof(Record));
    agree(comm, arguments, [&] { take(by.received()); });
  }
};

}  // namespace detail

/// One value for each contact of a DistributedVerletList, in its order, such as a tangential spring. Passed to each `update` of the
/// list, it follows the contacts to new lists and other ranks: `list.update(x, r, id, springs)`. A contact is always seen from the
/// particle of the smaller global id, so values need no mirror. Values go as bytes.
template <class T>
class DistributedPairArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  /// Contacts that are new get the value `fresh`.
  explicit DistributedPairArray(const T& fresh = {}) : fresh_(fresh) {}

  T* data() { return values_.data(); }
  const T* data() const { return values_.data(); }
  offset_t size() const { return static_cast<offset_t>(values_.size()); }
  T& operator[](offset_t k) { return values_[static_cast<std::size_t>(k)]; }
  const T& operator[](offset_t k) const { return values_[static_cast<std::size_t>(k)]; }

 private:
  template <class E, int D>
  friend class DistributedVerletList;
  using Record = detail::PairRecord<T>;

  // Throws unless the values are of a list's last build, or there are none yet.
  void require_of(offset_t build) const {
    if (of_build_ == 0 || of_build_ == build) return;
    throw Error(ErrorCode::stale,
                "the array has values of build " + std::to_string(of_build_) + ", the list is of build " +
                    std::to_string(build) + "; pass the array to each update of one list",
                {.argument = "values", .count = of_build_, .needed = build});
  }
  void forget() { home_.clear(); }
  void belong_to(offset_t build) { of_build_ = build; }

  // First: values go to the owner of their contact's first particle, by the numbers of the build that is about to end.
  template <int D>
  void bring_home(const detail::PairTraffic& ranks, const detail::OrientedList& list, const detail::HeldParticles<D>& held,
                  const detail::Routes& routes) {
    const std::exception_ptr error = detail::attempt([&] {
      outbox_.clear(), next_.clear();
      for (offset_t k = 0; k < size(); ++k) {
        const Contact c = list.contacts()[k];
        Record record{c.i, c.image, held.id(c.j), (*this)[k]};
        if (held.is_owned(c.i)) {
          next_.push_back(record);
        } else {
          record.particle = routes.place_of(static_cast<std::size_t>(c.i - held.owned())).at;
          outbox_.add(held.owner(c.i), record);
        }
      }
    });
    ranks.run("home", error, outbox_, [&](const std::vector<detail::Parcel>& received) {
      for (const detail::Parcel& parcel : received) {
        detail::for_each_record<Record>(parcel, [&](Record record) {
          record.particle = routes.sent_to(parcel.rank, record.particle);
          next_.push_back(record);
        });
      }
    });
    std::swap(home_, next_);
  }

  // Then with their particles: `number[i]` is that of particle i since, or -1, or all are as they were and it is empty; `particles`
  // are those that came. Nothing has changed until `arrive`.
  void travel(const detail::PairTraffic& ranks, const std::vector<index_t>& number, const detail::Migration& migration,
              const std::vector<detail::Parcel>& particles) {
    const std::exception_ptr error = detail::attempt([&] {
      outbox_.clear(), next_.clear();
      const auto to = migration.destinations();
      for (Record record : home_) {
        if (!number.empty()) record.particle = number[static_cast<std::size_t>(record.particle)];
        if (record.particle < 0) continue;
        const auto [rank, place] = to[static_cast<std::size_t>(record.particle)];
        record.particle = place;
        if (rank == ranks.comm.rank()) {
          next_.push_back(record);
        } else {
          outbox_.add(rank, record);
        }
      }
    });
    ranks.run("travel", error, outbox_, [&](const std::vector<detail::Parcel>& received) {
      auto from = particles.begin();
      index_t first = migration.staying();
      for (const detail::Parcel& parcel : received) {
        for (; from->rank != parcel.rank; ++from) first += static_cast<index_t>(from->records);
        detail::for_each_record<Record>(parcel, [&](Record record) {
          record.particle += first;
          next_.push_back(record);
        });
      }
    });
  }
  void arrive() { std::swap(home_, next_); }

  // Last: from owners to all ranks that hold the first particle, which take the values of the contacts that they report.
  template <int D>
  void follow(const detail::PairTraffic& ranks, const detail::OrientedList& list, const detail::HeldParticles<D>& held,
              const detail::Routes& routes) {
    const std::exception_ptr error = detail::attempt([&] {
      outbox_.clear();
      group(home_, {}, held.owned());
      for (const detail::Routes::Way& way : routes.sends()) {
        for (std::size_t at = 0; at < way.count; ++at) {
          const auto i = static_cast<std::size_t>(routes.ids()[way.first + at]);
          for (offset_t k = begin_[i]; k < begin_[i + 1]; ++k) {
            Record record = *grouped_[static_cast<std::size_t>(k)];
            record.particle = static_cast<index_t>(at);
            outbox_.add(way.rank, record);
          }
        }
      }
    });
    ranks.run("follow", error, outbox_, [&](const std::vector<detail::Parcel>& received) {
      next_.clear();
      for (const detail::Parcel& parcel : received) {
        detail::for_each_record<Record>(parcel, [&](Record record) {
          record.particle = held.owned() + static_cast<index_t>(routes.ghost_from(parcel.rank, record.particle));
          next_.push_back(record);
        });
      }
      group(home_, next_, held.count());
      next_values_.resize(static_cast<std::size_t>(list.size()));
      for (index_t i = 0; i < held.count(); ++i) merge(i, list, held);
    });
    std::swap(values_, next_values_);
  }

  static GlobalContact key(const Record& record) { return {0, record.neighbour, record.image}; }

  // Records by particle, those of each in the order of lists.
  void group(const std::vector<Record>& own, const std::vector<Record>& others, index_t particles) {
    begin_.assign(static_cast<std::size_t>(particles) + 2, 0), grouped_.resize(own.size() + others.size());
    for (const auto* records : {&own, &others}) {
      for (const Record& record : *records) ++begin_[static_cast<std::size_t>(record.particle) + 2];
    }
    for (std::size_t i = 2; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
    for (const auto* records : {&own, &others}) {
      for (const Record& record : *records) {
        grouped_[static_cast<std::size_t>(begin_[static_cast<std::size_t>(record.particle) + 1]++)] = &record;
      }
    }
    for (std::size_t i = 0; i < static_cast<std::size_t>(particles); ++i) {
      std::sort(grouped_.begin() + begin_[i], grouped_.begin() + begin_[i + 1],
                [](const Record* a, const Record* b) { return key(*a) < key(*b); });
    }
  }

  // Both ascend, so one walk along them finds the contacts.
  template <int D>
  void merge(index_t i, const detail::OrientedList& list, const detail::HeldParticles<D>& held) {
    offset_t old = begin_[static_cast<std::size_t>(i)];
    const offset_t old_end = begin_[static_cast<std::size_t>(i) + 1];
    for (offset_t k = list.begin(i); k < list.begin(i + 1); ++k) {
      const Contact c = list.contacts()[k];
      const GlobalContact now{0, held.id(c.j), c.image};
      while (old < old_end && key(*grouped_[static_cast<std::size_t>(old)]) < now) ++old;
      const bool known = old < old_end && key(*grouped_[static_cast<std::size_t>(old)]) == now;
      next_values_[static_cast<std::size_t>(k)] = known ? grouped_[static_cast<std::size_t>(old)]->value : fresh_;
    }
  }

  T fresh_;
  std::vector<T> values_, next_values_;
  offset_t of_build_ = 0;            // of the list, by number
  std::vector<Record> home_, next_;  // by the owner of the first particle; kept until the values are those of a list again
  detail::Outbox<Record> outbox_;
  std::vector<offset_t> begin_;  // of the particles in `grouped_`
  std::vector<const Record*> grouped_;
};

}  // namespace hgrid::inline v0_1
