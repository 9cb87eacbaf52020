// SPDX-License-Identifier: BSD-3-Clause
// Between the fields of a rank and the messages on its routes: entries of owned particles that are sent, and those of ghosts.
#pragma once

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "hgrid/memory/reserve.hpp"
#include "hgrid/ranks/device_vector.hpp"
#include "hgrid/ranks/field.hpp"
#include "hgrid/ranks/messages.hpp"
#include "hgrid/ranks/routes.hpp"

namespace hgrid::inline v0_2::detail {

/// Of the fields of one rank. Ghosts' entries are sent from the field and come into it, where MPI goes to the executor's
/// memory; else only entries that go to other ranks or come from them cross to the host.
template <class Exec>
class FieldTraffic {
 public:
  FieldTraffic(const Exec& exec, bool directly)
      : exec_(exec), ids_(rank_array<Exec, index_t>(exec)), owned_(exec, directly), ghosts_(exec, directly) {}

  /// Those that are sent, by rank, on a device.
  void follow(RankArray<Exec, index_t>& ids) { std::swap(ids_, ids); }
  /// Room for entries of that size, so that none of the calls below takes memory.
  void reserve(const Routes& routes, std::size_t entry) {
    owned_.reserve(routes.ids().size() * entry);
    ghosts_.reserve_here(routes.ghosts() * entry);
  }

  /// Packs the entries that go to ghosts. The field has entries for all particles that the rank holds, `owned` of which are its
  /// own.
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
  /// After they have arrived.
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
  /// Adds the entries that came back to those of their owners, in the order of ranks: of those that went to one, no particle is
  /// there twice, so that sums do not depend on the device.
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
  RankArray<Exec, index_t> ids_;  // on a device those that are sent, by rank
  Staged<Exec, std::byte> owned_, ghosts_;
};

/// `update` and `add_back`: calls that all ranks make, in which each hears of its neighbours only. An error of another rank, or
/// of arguments that differ, is heard with the next call.
template <class Traffic>
struct FieldCalls {
  Communicator& comm;
  Routes& routes;
  Traffic& traffic;
  std::size_t owned, held;

  /// `check()` throws what is wrong with the grid. `work()` runs while entries are under way; its exception is thrown when
  /// they have come.
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
  // take() takes the entries that came, unless a neighbour has failed.
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

/// The base of a grid whose ghosts get entries and give them back. Its members are of `DistributedGrid`, and public there.
template <class Grid>
class GhostFields {
 public:
  /// Gives the ghosts the entries of their owners: `update(Field{x, 3})`. The field gets as many entries as this rank holds
  /// particles; those of its own come first, and are given. Collective, with neighbours only and without waiting for others:
  /// an error of a rank that is no neighbour is thrown by the next collective call. Throws `not_built`, `size_mismatch`.
  /// Allocates nothing once the field has its size.
  template <class F>
  void update(F&& field) {
    update_during([] {}, field);
  }
  /// The same, and calls work() while the entries are under way. It sees those of owned particles only, and makes no
  /// collective call of this grid (`reentrancy`). Its exception is thrown when all have come.
  template <class Work, class F>
  void update_during(const Work& work, F&& field) {
    Grid& g = grid();
    g.fields().forward(
        g.operation("update"), [&] { g.require_built(); }, work, Field{field});
  }

  /// Adds the entries of ghosts to those of their owners, in the order of ranks; those of ghosts stay. The field has entries
  /// for all that this rank holds. Collective as `update`, with the same errors.
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
