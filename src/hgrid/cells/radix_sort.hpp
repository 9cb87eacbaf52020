// SPDX-License-Identifier: BSD-3-Clause
// A stable radix sort of (key, id) with keys of 32 or 64 bits, least significant digit first, written over the executor: each
// part counts its digits, one scan turns the counts into destinations, and each part moves its items. Because the sort is
// stable, the result does not depend on the number of parts, and so not on the number of threads.
#pragma once

#include "hgrid/core/types.hpp"

namespace hgrid::inline v0_2::detail {

template <class Exec, class Key>
struct SortBuffers {
  typename Exec::template Buffer<Key> key[2];
  typename Exec::template Buffer<index_t> id[2];
  typename Exec::template Buffer<offset_t> counts;
  int current = 0;  ///< which of the two buffers holds the data

  static offset_t counts_needed(const Exec& exec, offset_t n) { return (exec.parts_of(n) << Exec::radix_bits) + 1; }

  std::size_t bytes() const { return counts.bytes() + key[0].bytes() + key[1].bytes() + id[0].bytes() + id[1].bytes(); }
};

template <int Bits, class Key>
struct CountDigits {
  const Key* key;
  offset_t* counts;  // [digit][part]
  offset_t n, parts;
  int shift;

  HGRID_HD void operator()(offset_t part) const {
    offset_t local[1 << Bits] = {};
    for (offset_t i = n * part / parts, end = n * (part + 1) / parts; i < end; ++i) {
      ++local[(key[i] >> shift) & ((1 << Bits) - 1)];
    }
    for (int d = 0; d < 1 << Bits; ++d) counts[d * parts + part] = local[d];
  }
};

template <int Bits, class Key>
struct MoveByDigit {
  const Key* key;
  const index_t* id;
  Key* key_out;
  index_t* id_out;
  const offset_t* counts;
  offset_t n, parts;
  int shift;

  HGRID_HD void operator()(offset_t part) const {
    offset_t next[1 << Bits];
    for (int d = 0; d < 1 << Bits; ++d) next[d] = counts[d * parts + part];
    for (offset_t i = n * part / parts, end = n * (part + 1) / parts; i < end; ++i) {
      const offset_t to = next[(key[i] >> shift) & ((1 << Bits) - 1)]++;
      key_out[to] = key[i];
      id_out[to] = id[i];
    }
  }
};

/// Sorts the n items of `s.key[s.current]`, `s.id[s.current]` by the low `key_bits` bits of the key and updates `s.current`.
/// Asynchronous on a device.
template <class Exec, class Key>
void radix_sort(const Exec& exec, SortBuffers<Exec, Key>& s, offset_t n, int key_bits) {
  constexpr int bits = Exec::radix_bits;
  const offset_t parts = exec.parts_of(n);
  for (int shift = 0; shift < key_bits; shift += bits) {
    const int from = s.current, to = 1 - from;
    exec.for_each("hgrid::count_digits", parts, CountDigits<bits, Key>{s.key[from].data(), s.counts.data(), n, parts, shift});
    exec.exclusive_scan("hgrid::scan_digits", s.counts.data(), parts << bits);
    exec.for_each("hgrid::move_by_digit", parts,
                  MoveByDigit<bits, Key>{s.key[from].data(), s.id[from].data(), s.key[to].data(), s.id[to].data(),
                                         s.counts.data(), n, parts, shift});
    s.current = to;
  }
}

}  // namespace hgrid::inline v0_2::detail
