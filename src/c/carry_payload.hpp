// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstring>

#include "hgrid/core/macros.hpp"
#include "hgrid/core/types.hpp"

namespace hgrid::c {

/// Brings the bytes of each entry to where the entry is now; zeros for one that is new.
struct CarryPayload {
  const offset_t* from;
  std::size_t bytes;  // of an entry
  const std::byte* before;
  std::byte* now;

  HGRID_HD void operator()(offset_t k) const {
    std::byte* const to = now + static_cast<std::size_t>(k) * bytes;
    from[k] < 0 ? memset(to, 0, bytes) : memcpy(to, before + static_cast<std::size_t>(from[k]) * bytes, bytes);
  }
};

}  // namespace hgrid::c
