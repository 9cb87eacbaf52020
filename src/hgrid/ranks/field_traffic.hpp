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

namespace hgrid::inline v0_1::detail {

/// Of the fields of one rank. On a host ghosts' entries are sent from the field and come into it; on a device only entries that
/// go to other ranks or come from them cross to the host.
template <class Exec>
class FieldTraffic {
 public:
  explicit FieldTraffic(const Exec& exec) : exec_(exec), ids_(rank_array<Exec, index_t>(exec)), owned_(exec), ghosts_(exec) {}

  void follow(const Routes& routes) {
    if constexpr (!Exec::on_host) ids_.assign(routes.ids());
  }
  /// Room for entries of that size, so that none of the calls below takes memory.
  void reserve(const Routes& routes, std::size_t entry) {
    owned_.reserve(routes.ids().size() * entry);
    if constexpr (!Exec::on_host) ghosts_.reserve_here(routes.ghosts() * entry);
  }

  /// Packs the entries that go to ghosts. The field has entries for all particles that the rank holds, `owned` of which are its
  /// own.
  template <class T, class Values>
  Routes::Passage to_ghosts(const Routes& routes, const Field<T, Values>& field, std::size_t owned) {
    const std::size_t entry = field.width * sizeof(T), count = routes.ids().size();
    reserve(routes, entry);
    if constexpr (Exec::on_host) {
      const auto* const from = reinterpret_cast<const std::byte*>(field.values.data());
      for (std::size_t k = 0; k < count; ++k) {
        std::memcpy(owned_.here() + k * entry, from + static_cast<std::size_t>(routes.ids()[k]) * entry, entry);
      }
    } else {
      gather_entries(exec_, std::as_const(field.values).data(), std::as_const(ids_).data(), static_cast<offset_t>(count), entry,
                     owned_.there());
      owned_.fetch(count * entry);
    }
    return {owned_.here(), ghosts_of(field, owned)};
  }
  /// After they have arrived.
  template <class T, class Values>
  void take_ghosts(const Routes& routes, const Field<T, Values>& field, std::size_t owned) {
    if constexpr (!Exec::on_host) {
      exec_.copy_in(field.values.data() + owned * field.width, reinterpret_cast<const T*>(ghosts_.here()),
                    static_cast<offset_t>(routes.ghosts() * field.width));
    }
  }

  template <class T, class Values>
  Routes::Passage from_ghosts(const Routes& routes, const Field<T, Values>& field, std::size_t owned) {
    reserve(routes, field.width * sizeof(T));
    if constexpr (!Exec::on_host) {
      exec_.copy_out(reinterpret_cast<T*>(ghosts_.here()), std::as_const(field.values).data() + owned * field.width,
                     static_cast<offset_t>(routes.ghosts() * field.width));
    }
    return {ghosts_of(field, owned), owned_.here()};
  }
  /// Adds the entries that came back to those of their owners, in the order of ranks: of those that went to one, no particle is
  /// there twice, so that sums do not depend on the device.
  template <class T, class Values>
  void add_returned(const Routes& routes, const Field<T, Values>& field) {
    if constexpr (Exec::on_host) {
      const std::byte* from = owned_.here();
      for (const index_t i : routes.ids()) {
        T* const to = field.values.data() + static_cast<std::size_t>(i) * field.width;
        for (std::size_t k = 0; k < field.width; ++k, from += sizeof(T)) {
          T value;
          std::memcpy(&value, from, sizeof value);
          to[k] += value;
        }
      }
    } else {
      const T* const returned = reinterpret_cast<const T*>(owned_.bring(ids_.size() * field.width * sizeof(T)));
      for (const Routes::Way& way : routes.sends()) {
        exec_.for_each("hgrid::add_entries", static_cast<offset_t>(way.count * field.width),
                       AddEntries<T>{returned + way.first * field.width, ids_.data() + way.first,
                                     static_cast<offset_t>(field.width), field.values.data()});
      }
    }
  }

 private:
  template <class T, class Values>
  std::byte* ghosts_of(const Field<T, Values>& field, std::size_t owned) {
    if constexpr (Exec::on_host) {
      return reinterpret_cast<std::byte*>(field.values.data() + owned * field.width);
    } else {
      return ghosts_.here();
    }
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

  /// `check()` throws what is wrong with the grid.
  template <class Check, class T, class Values>
  void forward(Arguments call, const Check& check, Field<T, Values> field) {
    const std::size_t entry = field.width * sizeof(T);
    const auto prepare = [&] {
      check();
      if (field.values.size() != held * field.width) require_size(field, owned);
      field.values.resize(held * field.width);
      return traffic.to_ghosts(routes, field, owned);
    };
    const auto way = [&](const Routes::Passage& entries) { return routes.forward(comm, entries, entry); };
    run(call << entry, prepare, way, [&] { traffic.take_ghosts(routes, field, owned); });
  }

  template <class Check, class T, class Values>
  void reverse(Arguments call, const Check& check, Field<T, Values> field) {
    const std::size_t entry = field.width * sizeof(T);
    const auto prepare = [&] {
      check();
      require_size(field, held);
      return traffic.from_ghosts(routes, field, owned);
    };
    const auto way = [&](const Routes::Passage& entries) { return routes.reverse(comm, entries, entry); };
    run(call << entry, prepare, way, [&] { traffic.add_returned(routes, field); });
  }

 private:
  // way() returns a neighbour that has failed, or -1; then take() takes the entries that came.
  template <class Prepare, class Way, class Take>
  void run(const Arguments& call, const Prepare& prepare, const Way& way, const Take& take) {
    comm.settle();
    Routes::Passage entries{};
    std::exception_ptr error = attempt([&] { entries = prepare(); });
    const int failed = way(error ? Routes::Passage{} : entries);
    if (!error && failed < 0) error = attempt(take);
    comm.post(report_of(comm, call, error), error != nullptr);
    if (error) std::rethrow_exception(error);
    if (failed >= 0) comm.settle();
  }
};
template <class Traffic>
FieldCalls(Communicator&, Routes&, Traffic&, std::size_t, std::size_t) -> FieldCalls<Traffic>;

}  // namespace hgrid::inline v0_1::detail
