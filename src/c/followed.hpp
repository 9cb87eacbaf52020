// SPDX-License-Identifier: BSD-3-Clause
// Values of the caller, as bytes, that follow their entries from list to list.
#pragma once

#include <cstddef>
#include <cstring>
#include <utility>

#include "c/arrays.hpp"
#include "hgrid/core/macros.hpp"
#include "hgrid/loop/history.hpp"

namespace hgrid::c {

/// Copies the bytes of each entry to its new place. A new entry gets a number of any type, repeated; zeros if it has no bytes.
struct CarryPayload {
  static constexpr std::size_t most = 16;

  const offset_t* from;
  std::size_t bytes;  // per entry
  const std::byte* before;
  std::byte* now;
  std::byte fresh[most] = {};
  std::size_t bytes_of_fresh = 0;

  HGRID_HD void operator()(offset_t k) const {
    std::byte* const to = now + static_cast<std::size_t>(k) * bytes;
    if (from[k] >= 0) {
      memcpy(to, before + static_cast<std::size_t>(from[k]) * bytes, bytes);
    } else {
      for (std::size_t b = 0; b < bytes; ++b) to[b] = bytes_of_fresh == 0 ? std::byte{0} : fresh[b % bytes_of_fresh];
    }
  }
};

/// The history of a list, and its payload of `bytes` per entry.
template <class Exec>
struct Followed {
  using Bytes = typename Exec::template Buffer<std::byte>;

  Followed(const Exec& on, std::int64_t bytes_of_entry) : exec(on), bytes(bytes_of_entry), history(on) {
    if (bytes < 0) refuse("payload", "is negative", static_cast<double>(bytes), ErrorCode::size_mismatch);
  }

  hgrid_history given() {
    return {0, history.size(), history.size_before(), history.from(), bytes > 0 ? payload.data() : nullptr};
  }

  /// Brings the payload to the list of a history. Throws `out_of_memory` and `capacity`; the payload is then unchanged.
  void carry_payload(const History<Exec>& to) {
    if (bytes == 0) return;
    offset_t size;
    if (__builtin_mul_overflow(to.size(), bytes, &size)) {
      refuse("payload", "exceeds the address space", static_cast<double>(bytes), ErrorCode::capacity);
    }
    detail::reserve_all(exec, detail::Need{next, detail::with_margin(size, next.size())});
    exec.for_each("hgrid::carry_payload", to.size(),
                  CarryPayload{to.from(), static_cast<std::size_t>(bytes), payload.data(), next.data()});
    std::swap(payload, next);
  }

  /// Brings values of the caller to that list; `fresh` may be null.
  void carry(const hgrid_array* given_before, const hgrid_array* given_now, const void* fresh, const Place& place) {
    const Array before(written(given_before, "before"), "before", 2, place), now(written(given_now, "now"), "now", 2, place);
    before.require(0, history.size_before()), now.require(0, history.size()).require(1, before.size(1));
    if (before.type() != now.type()) refuse("now", "is of another type than before", now.type());
    const auto each = static_cast<std::size_t>(before.bytes_of_number());
    if (each == 0 || each > CarryPayload::most)
      refuse("before", "has numbers of no whole bytes, or of more than 16", before.type());
    CarryPayload copy{history.from(), static_cast<std::size_t>(before.size(1)) * each,
                      static_cast<const std::byte*>(before.any()), static_cast<std::byte*>(now.any())};
    if (fresh != nullptr) std::memcpy(copy.fresh, fresh, copy.bytes_of_fresh = each);
    exec.for_each("hgrid::carry_payload", history.size(), copy);
  }

  std::size_t held() const { return history.bytes() + payload.bytes() + next.bytes(); }

  Exec exec;
  std::int64_t bytes;
  History<Exec> history;
  Bytes payload, next;
};

}  // namespace hgrid::c
