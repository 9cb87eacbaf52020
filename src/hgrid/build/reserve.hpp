// SPDX-License-Identifier: BSD-3-Clause
// Growing several buffers or none: the strong guarantee of build and of list filling.
#pragma once

#include <tuple>
#include <utility>

#include "hgrid/build/executor.hpp"

namespace hgrid {

/// A buffer and the number of elements that it must hold.
template <class Buffer>
struct Need {
  Buffer& buffer;
  offset_t size;
};
template <class Buffer>
Need(Buffer&, offset_t) -> Need<Buffer>;

/// Room to ask for where n entries must fit and their number fluctuates from step to step.
inline offset_t with_margin(offset_t n, offset_t size) { return n > size ? n + n / 8 : n; }

/// Makes every buffer at least as large as asked; contents of those that grow are lost. If one allocation fails,
/// none has changed (`out_of_memory` passes through).
template <Executor Exec, class... Buffer>
void reserve_all(const Exec& exec, Need<Buffer>... need) {
  std::tuple<Buffer...> fresh;
  std::apply(
      [&](Buffer&... f) {
        ((need.size > need.buffer.size() ? void(f = Buffer(exec, need.size)) : void()), ...);
        ((f.size() > 0 ? void(need.buffer = std::move(f)) : void()), ...);
      },
      fresh);
}

/// Scratch of the executor's own for a scan of n elements, if it keeps any, so that the scan need not allocate. Throws
/// `out_of_memory`.
template <class T, Executor Exec>
void reserve_scan(const Exec& exec, offset_t n) {
  if constexpr (requires { exec.template reserve_scan<T>(n); }) exec.template reserve_scan<T>(n);
}

/// The same for `sort_keys` of n items.
template <class Key, Executor Exec>
void reserve_sort(const Exec& exec, offset_t n, int key_bits) {
  if constexpr (requires { exec.template reserve_sort<Key>(n, key_bits); }) exec.template reserve_sort<Key>(n, key_bits);
}

/// The same for `sort_rows` of `rows` rows with `count` entries in all.
template <Executor Exec>
void reserve_rows(const Exec& exec, offset_t rows, offset_t count) {
  if constexpr (requires { exec.reserve_rows(rows, count); }) exec.reserve_rows(rows, count);
}

}  // namespace hgrid
