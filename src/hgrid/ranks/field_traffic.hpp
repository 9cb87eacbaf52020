// SPDX-License-Identifier: BSD-3-Clause
// Between the fields of a rank and the messages on its routes: entries of owned particles that are sent, and those of ghosts.
#pragma once

#include <cstring>
#include <vector>

#include "hgrid/ranks/agreement.hpp"
#include "hgrid/ranks/field.hpp"
#include "hgrid/ranks/routes.hpp"

namespace hgrid::inline v0_1::detail {

/// Of fields in host memory. Ghosts' entries are sent from the field and come into it.
class HostTraffic {
 public:
  template <class Exec>
  explicit HostTraffic(const Exec&) {}

  void follow(const Routes&) {}
  /// Room for entries of that size, so that neither of the calls below takes memory.
  void reserve(const Routes& routes, std::size_t entry) {
    if (buffer_.size() < routes.ids().size() * entry) buffer_.resize(routes.ids().size() * entry);
  }

  /// Packs the entries that go to ghosts. The field has entries for all particles that the rank holds, `owned` of which are its
  /// own.
  template <class T>
  Routes::Passage to_ghosts(const Routes& routes, const Field<T>& field, std::size_t owned) {
    const std::size_t entry = field.width * sizeof(T);
    reserve(routes, entry);
    const auto* const from = reinterpret_cast<const std::byte*>(field.values.data());
    for (std::size_t k = 0; k < routes.ids().size(); ++k) {
      std::memcpy(buffer_.data() + k * entry, from + static_cast<std::size_t>(routes.ids()[k]) * entry, entry);
    }
    return {buffer_.data(), ghosts_of(field, owned)};
  }
  /// After they have arrived.
  template <class T>
  void take_ghosts(const Routes&, const Field<T>&, std::size_t) {}

  template <class T>
  Routes::Passage from_ghosts(const Routes& routes, const Field<T>& field, std::size_t owned) {
    reserve(routes, field.width * sizeof(T));
    return {ghosts_of(field, owned), buffer_.data()};
  }
  /// Adds the entries that came back to those of their owners, in the order of ranks.
  template <class T>
  void add_returned(const Routes& routes, const Field<T>& field) const {
    const std::byte* from = buffer_.data();
    for (const index_t i : routes.ids()) {
      T* const to = field.values.data() + static_cast<std::size_t>(i) * field.width;
      for (std::size_t k = 0; k < field.width; ++k, from += sizeof(T)) {
        T value;
        std::memcpy(&value, from, sizeof value);
        to[k] += value;
      }
    }
  }

 private:
  template <class T>
  static std::byte* ghosts_of(const Field<T>& field, std::size_t owned) {
    return reinterpret_cast<std::byte*>(field.values.data() + owned * field.width);
  }

  std::vector<std::byte> buffer_;
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
