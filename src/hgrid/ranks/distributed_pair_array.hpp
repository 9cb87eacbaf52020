// SPDX-License-Identifier: BSD-3-Clause
// History on ranks: one value for each pair of a list. It moves to the rank that reports the pair after the next build.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "hgrid/ranks/messages.hpp"
#include "hgrid/ranks/migration.hpp"
#include "hgrid/ranks/pair_values.hpp"
#include "hgrid/ranks/routes.hpp"

namespace hgrid::inline v0_2 {

namespace detail {

/// The ranks, and an exchange for values of pairs.
struct PairTraffic {
  Communicator& comm;
  Exchange& by;

  /// Sends the records of the outbox, unless there is an error, and then calls take(records). `number(rank, record)` gives the
  /// particle of each record its number on this rank. If either fails on one rank, all throw.
  template <class Record, class Number, class Take>
  void run(const char* name, const std::exception_ptr& error, Outbox<Record>& outbox, const Number& number,
           const Take& take) const {
    const Arguments arguments = Arguments(name) << sizeof(Record);
    std::vector<Parcel> parcels;
    const std::exception_ptr any = error ? error : attempt([&] { parcels = outbox.parcels(comm.size()); });
    exchange(by, comm, any, arguments, parcels, sizeof(Record));
    agree(comm, arguments, [&] {
      std::vector<Record> came;
      for (const Parcel& parcel : by.received()) {
        for_each_record<Record>(parcel, [&](Record record) {
          record.of.particle = number(parcel.rank, record.of.particle);
          came.push_back(record);
        });
      }
      take(came);
    });
  }
};

}  // namespace detail

/// One value for each contact of a DistributedVerletList, in its order, such as a tangential spring. Passed to each `update` of
/// the list, it follows the contacts to new lists and other ranks: `list.update(x, r, id, springs)`. A contact is always seen
/// from the particle with the smaller global id, so values need no mirror. Values are sent as bytes.
///
/// They are in the memory of the list's executor, in the order of its stream: `DistributedPairArray<double> springs` on a host,
/// and `DistributedPairArray<double, CudaExec> springs(exec)` on a device, where values that stay on a rank never leave the
/// device.
template <class T, class Exec = HostExec>
class DistributedPairArray {
  static_assert(std::is_trivially_copyable_v<T> && !std::is_same_v<T, bool>,
                "values go as bytes, from arrays; for flags take char");

 public:
  using Value = T;

  /// New contacts get the value `fresh`.
  explicit DistributedPairArray(const T& fresh = {}) requires(Exec::on_host) : fresh_(fresh) {}
  explicit DistributedPairArray(const Exec& exec, const T& fresh = {}) : fresh_(fresh), pairs_(exec) {}

  T* data() { return pairs_.data(); }
  const T* data() const { return pairs_.data(); }
  offset_t size() const { return pairs_.size(); }
  T& operator[](offset_t k) requires(Exec::on_host) { return data()[k]; }
  const T& operator[](offset_t k) const requires(Exec::on_host) { return data()[k]; }

 private:
  template <class E, int D>
  friend class DistributedVerletList;
  friend struct detail::Access;
  using Record = detail::PairRecord<T>;

  // Throws unless the values belong to the list's last build, or there are no values yet.
  void require_of(offset_t build) const {
    if (of_build_ == 0 || of_build_ == build) return;
    throw Error(ErrorCode::stale,
                "the array has values of build " + std::to_string(of_build_) + ", the list is of build " +
                    std::to_string(build) + "; pass the array to each update of one list",
                {.argument = "values", .count = of_build_, .needed = build});
  }
  void forget() { pairs_.forget(); }
  void belong_to(offset_t build) { of_build_ = build; }

  // Step 1: values go to the owner of their contact's first particle, by the numbers of the build that is about to end.
  template <class Held>
  void bring_home(const detail::PairTraffic& ranks, const detail::OrientedView& list, const Held& held,
                  const detail::Routes& routes) {
    const std::exception_ptr error = detail::attempt([&] {
      detail::Moves moves{ranks.comm.rank(), held.owned(), {}};
      for (index_t k = held.owned(); k < held.count(); ++k) {
        moves.others.push_back({held.owner(k), routes.place_of(static_cast<std::size_t>(k - held.owned())).at});
      }
      outbox_.clear();
      pairs_.leave_list(list, moves, outbox_);
    });
    ranks.run(
        "home", error, outbox_, [&](int rank, index_t at) { return routes.sent_to(rank, at); },
        [&](const std::vector<Record>& came) { pairs_.add(came); });
    pairs_.arrive();
  }

  // Step 2: values move with their particles. `number[i]` is the present number of old particle i, or -1; it is empty if
  // nothing has changed. `particles` are the particles that came. Nothing changes until `arrive`.
  template <class Migration>
  void travel(const detail::PairTraffic& ranks, const std::vector<index_t>& number, const Migration& migration,
              const std::vector<detail::Parcel>& particles) {
    const std::exception_ptr error = detail::attempt([&] {
      detail::Moves moves{ranks.comm.rank(), 0, {}};
      const bool as_they_were = number.empty() && migration.all_stay();
      if (as_they_were) moves.first = migration.staying();
      if (!as_they_were) moves.others = migration.destinations();
      if (!number.empty()) {
        std::vector<detail::Destination> of_old;
        for (const index_t i : number)
          of_old.push_back(i < 0 ? detail::Destination{0, -1} : moves.others[static_cast<std::size_t>(i)]);
        moves.others = std::move(of_old);
      }
      outbox_.clear();
      pairs_.leave_home(moves, outbox_);
    });
    const auto number_of = [&](int rank, index_t place) {
      for (const detail::Parcel& parcel : particles) {
        if (parcel.rank == rank) break;
        place += static_cast<index_t>(parcel.records);
      }
      return migration.staying() + place;
    };
    ranks.run("travel", error, outbox_, number_of, [&](const std::vector<Record>& came) { pairs_.add(came); });
  }
  void arrive() { pairs_.arrive(); }

  // Step 3: values go from owners to all ranks that hold the first particle. Each rank takes the values of the contacts that it
  // reports.
  void follow(const detail::PairTraffic& ranks, const detail::OrientedView& list, index_t owned, const detail::Routes& routes) {
    const std::exception_ptr error = detail::attempt([&] {
      outbox_.clear();
      std::vector<Record> known = pairs_.of(routes.ids(), owned);
      const auto particle = [](const Record& record) { return record.of.particle; };
      std::ranges::sort(known, {}, particle);
      for (const detail::Routes::Way& way : routes.sends()) {
        for (std::size_t at = 0; at < way.count; ++at) {
          const index_t i = routes.ids()[way.first + at];
          for (auto of_i = std::ranges::lower_bound(known, i, {}, particle); of_i != known.end() && particle(*of_i) == i;
               ++of_i) {
            outbox_.add(way.rank, {{static_cast<index_t>(at), of_i->of.image, of_i->of.neighbour}, of_i->value});
          }
        }
      }
    });
    ranks.run(
        "follow", error, outbox_,
        [&](int rank, index_t at) { return owned + static_cast<index_t>(routes.ghost_from(rank, at)); },
        [&](const std::vector<Record>& came) { pairs_.fill(list, came, fresh_); });
    pairs_.take();
  }

  T fresh_;
  std::conditional_t<Exec::on_host, detail::HostPairs<T>, detail::DevicePairs<Exec, T>> pairs_;
  offset_t of_build_ = 0;  // number of the list's build
  detail::Outbox<Record> outbox_;
};

}  // namespace hgrid::inline v0_2
