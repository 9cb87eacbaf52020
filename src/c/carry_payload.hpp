// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstring>

#include "hgrid/core/macros.hpp"
#include "hgrid/core/types.hpp"

namespace hgrid::c {

/// A number of any type, again and again; zeros if it has no bytes.
struct Pattern {
  static constexpr std::size_t most = 16;
  std::byte value[most] = {};
  std::size_t bytes = 0;
};

/// Brings the bytes of each entry to where the entry is now; those of one that is new are `fresh`.
struct CarryPayload {
  const offset_t* from;
  std::size_t bytes;  // of an entry
  const std::byte* before;
  std::byte* now;
  Pattern fresh = {};

  HGRID_HD void operator()(offset_t k) const {
    std::byte* const to = now + static_cast<std::size_t>(k) * bytes;
    if (from[k] >= 0) {
      memcpy(to, before + static_cast<std::size_t>(from[k]) * bytes, bytes);
    } else {
      for (std::size_t b = 0; b < bytes; ++b) to[b] = fresh.bytes == 0 ? std::byte{0} : fresh.value[b % fresh.bytes];
    }
  }
};

}  // namespace hgrid::c
