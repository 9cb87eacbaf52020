// SPDX-License-Identifier: BSD-3-Clause
// Copies between the fields of a rank and the messages on its routes: entries of owned particles to send, and entries of
// ghosts.
#pragma once

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "hgrid/memory/access.hpp"
#include "hgrid/memory/reserve.hpp"
#include "hgrid/ranks/device_vector.hpp"
#include "hgrid/ranks/field.hpp"
#include "hgrid/ranks/messages.hpp"
#include "hgrid/ranks/routes.hpp"

namespace hgrid::inline v0_2::detail {

/// Buffers for the fields of one rank. If MPI uses the executor's memory, ghosts' entries are sent from the field and received
/// into it. Otherwise only the entries that are sent or received are copied to and from the host.
template <class Exec>
class FieldTraffic {
 public:
  FieldTraffic(const Exec& exec, bool directly)
      : exec_(exec), ids_(rank_array<Exec, index_t>(exec)), owned_(exec, directly), ghosts_(exec, directly) {}

  /// Sets the ids of the particles that are sent, by rank, on a device.
  void follow(RankArray<Exec, index_t>& ids) { std::swap(ids_, ids); }
  /// Reserves room for entries of that size, so that the calls below do not allocate.
  void reserve(const Routes& routes, std::size_t entry) {
    owned_.reserve(routes.ids().size() * entry);
    ghosts_.reserve_here(routes.ghosts() * entry);
  }

  /// Packs the entries for ghosts on other ranks. The field has entries for all particles that this rank holds; the first
  /// `owned` are its own.
  template <class T, class Values>
  Routes::Passage to_ghosts(const Routes& routes, const Field<T, Values>& field, std::size_t owned) {
    const std::size_t entry = field.width * sizeof(T), count = routes.ids().size();
    reserve(routes, entry);
    const auto* const from = bytes_of(std::as_const(field.values).data());
    if constexpr (Exec::on_host) {
      for (std::size_t k = 0; k < count; ++k) {
        std::memcpy(owned_.there() + k * entry, from + static_cast<std::size_t>(routes.ids()[k]) * entry, entry);
      }
    } else {
      gather_entries(exec_, from, std::as_const(ids_).data(), static_cast<offset_t>(count), entry, owned_.there());
    }
    return {owned_.fetch(count * entry), ghosts_.here_for(bytes_of(field.values.data() + owned * field.width))};
  }
  /// Copies ghosts' entries into the field, after they have arrived.
  template <class T, class Values>
  void take_ghosts(const Routes& routes, const Field<T, Values>& field, std::size_t owned) {
    ghosts_.bring_to(bytes_of(field.values.data() + owned * field.width), routes.ghosts() * field.width * sizeof(T));
  }

  template <class T, class Values>
  Routes::Passage from_ghosts(const Routes& routes, const Field<T, Values>& field, std::size_t owned) {
    const std::size_t entry = field.width * sizeof(T);
    reserve(routes, entry);
    const auto* const from = bytes_of(std::as_const(field.values).data() + owned * field.width);
    return {ghosts_.fetch_from(from, routes.ghosts() * entry), owned_.here()};
  }
  /// Adds returned entries to the entries of their owners, in the order of ranks. No particle occurs twice among the entries of
  /// one rank, so sums do not depend on the device.
  template <class T, class Values>
  void add_returned(const Routes& routes, const Field<T, Values>& field) {
    const std::byte* from = owned_.bring(routes.ids().size() * field.width * sizeof(T));
    if constexpr (Exec::on_host) {
      for (const index_t i : routes.ids()) {
        T* const to = field.values.data() + static_cast<std::size_t>(i) * field.width;
        for (std::size_t k = 0; k < field.width; ++k, from += sizeof(T)) {
          T value;
          std::memcpy(&value, from, sizeof value);
          to[k] += value;
        }
      }
    } else {
      const T* const returned = reinterpret_cast<const T*>(from);
      for (const Routes::Way& way : routes.sends()) {
        exec_.for_each("hgrid::add_entries", static_cast<offset_t>(way.count * field.width),
                       AddEntries<T>{returned + way.first * field.width, ids_.data() + way.first,
                                     static_cast<offset_t>(field.width), field.values.data()});
      }
    }
  }

 private:
  template <class T>
  static std::byte* bytes_of(T* p) {
    return reinterpret_cast<std::byte*>(p);
  }
  template <class T>
  static const std::byte* bytes_of(const T* p) {
    return reinterpret_cast<const std::byte*>(p);
  }

  Exec exec_;
  RankArray<Exec, index_t> ids_;  // on a device: particles that are sent, by rank
  Staged<Exec, std::byte> owned_, ghosts_;
};

/// Runs `update` and `add_back`: collective calls in which each rank hears only from its neighbors. An error of another rank,
/// or different arguments, are noticed at the next call.
template <class Traffic>
struct FieldCalls {
  Communicator& comm;
  Routes& routes;
  Traffic& traffic;
  std::size_t owned, held;

  /// Copies entries of owners to ghosts. `check()` throws if the grid is not ready. `work()` runs while entries are on the way;
  /// its exception is thrown after they have arrived.
  template <class Check, class Work, class T, class Values>
  void forward(Arguments call, const Check& check, const Work& work, Field<T, Values> field) {
    const std::size_t entry = field.width * sizeof(T);
    const auto prepare = [&] {
      check();
      if (field.width == 0 || field.values.size() != held * field.width) require_size(field, owned);
      field.values.resize(held * field.width);
      return traffic.to_ghosts(routes, field, owned);
    };
    run(call << entry, Routes::Heading::to_ghosts, entry, prepare, work, [&] { traffic.take_ghosts(routes, field, owned); });
  }

  template <class Check, class T, class Values>
  void reverse(Arguments call, const Check& check, Field<T, Values> field) {
    const std::size_t entry = field.width * sizeof(T);
    const auto prepare = [&] {
      check();
      require_size(field, held);
      return traffic.from_ghosts(routes, field, owned);
    };
    run(
        call << entry, Routes::Heading::to_owners, entry, prepare, [] {}, [&] { traffic.add_returned(routes, field); });
  }

 private:
  // Sends and receives the entries. take() takes what has arrived, unless a neighbor has failed.
  template <class Prepare, class Work, class Take>
  void run(const Arguments& call, Routes::Heading heading, std::size_t entry, const Prepare& prepare, const Work& work,
           const Take& take) {
    comm.settle();
    Routes::Passage entries{};
    std::exception_ptr error = attempt([&] { entries = prepare(); });
    if (error) entries = {};
    routes.send(comm, heading, entries.from, entry);
    const std::exception_ptr of_work = error ? nullptr : comm.run_meanwhile(work);
    const int failed = routes.receive(comm, heading, entries.to, entry);
    if (!error && failed < 0) error = attempt(take);
    if (!error) error = of_work;
    comm.post(report_of(comm, call, error), error != nullptr);
    if (error) std::rethrow_exception(error);
    if (failed >= 0) comm.settle();
  }
};
template <class Traffic>
FieldCalls(Communicator&, Routes&, Traffic&, std::size_t, std::size_t) -> FieldCalls<Traffic>;

/// The base of `DistributedGrid`, with the members that send entries to ghosts and back.
template <class Grid>
class Access::GhostFields {
 public:
  /// Copies the entries of owners to their ghosts: `update(Field{x, 3})`. The field gets one entry for each particle that this
  /// rank holds; pass it with the entries of owned particles first. Collective, but each rank exchanges messages only with its
  /// neighbors and does not wait for others: the next collective call throws the error of a rank that is not a neighbor. Throws
  /// `not_built`, `size_mismatch`. Allocates nothing once the field has its size.
  template <class F>
  void update(F&& field) {
    update_during([] {}, field);
  }
  /// Calls `update`, and work() while the entries are on the way. work() may use only entries of owned particles, and must make
  /// no collective call of this grid (`reentrancy`). An exception of work() is thrown after all entries have arrived.
  template <class Work, class F>
  void update_during(const Work& work, F&& field) {
    Grid& g = grid();
    g.fields().forward(
        g.operation("update"), [&] { g.require_built(); }, work, Field{field});
  }

  /// Adds the entries of ghosts to the entries of their owners, in the order of ranks. Entries of ghosts stay. The field has
  /// entries for all particles that this rank holds. Collective like `update`, with the same errors.
  template <class F>
  void add_back(F&& field) {
    Grid& g = grid();
    g.fields().reverse(
        g.operation("add_back"), [&] { g.require_built(); }, Field{field});
  }

 private:
  Grid& grid() { return static_cast<Grid&>(*this); }
};

}  // namespace hgrid::inline v0_2::detail
