// SPDX-License-Identifier: BSD-3-Clause
// Grows several buffers together or none: the strong guarantee of builds and of list filling.
#pragma once

#include <cstdint>
#include <tuple>
#include <utility>

#include "hgrid/core/types.hpp"

namespace hgrid::inline v0_2::detail {

/// A buffer and the number of elements that it must hold.
template <class Buffer>
struct Need {
  Buffer& buffer;
  offset_t size;
};
template <class Buffer>
Need(Buffer&, offset_t) -> Need<Buffer>;

/// Returns how much room to reserve for n entries if their number fluctuates from step to step.
inline offset_t with_margin(offset_t n, offset_t size) { return n > size ? n + n / 8 : n; }

/// Makes every buffer at least as large as asked, and returns the bytes of all. Buffers that grow lose their contents. If one
/// allocation fails, no buffer has changed (`out_of_memory` passes through). An executor may keep outgrown memory for graphs
/// that were captured.
template <class Exec, class... Buffer>
std::size_t reserve_all(const Exec& exec, Need<Buffer>... need) {
  std::tuple<Buffer...> fresh;
  std::apply(
      [&](Buffer&... f) {
        ((need.size > need.buffer.size() ? void(f = Buffer(exec, need.size)) : void()), ...);
        ((f.size() > 0 ? std::swap(need.buffer, f) : void()), ...);
        if constexpr (requires { exec.keep_outgrown(f...); }) exec.keep_outgrown(f...);
      },
      fresh);
  return (std::size_t{0} + ... + need.buffer.bytes());
}

/// Tells the executor that a call may be captured in a graph; from then on it frees no memory that its users outgrow. Returns
/// the number of the capture, or 0 if there is none.
template <class Exec>
std::uint64_t notice_capture(const Exec& exec) {
  if constexpr (requires { exec.capture(); }) return exec.capture();
  return 0;
}

}  // namespace hgrid::inline v0_2::detail
