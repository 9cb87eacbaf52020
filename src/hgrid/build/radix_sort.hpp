// SPDX-License-Identifier: BSD-3-Clause
// A stable radix sort of (key, id), least significant digit first, written over the executor: each chunk counts
// its digits, one scan turns the counts into destinations, each chunk moves its items. Stability makes the result
// independent of the number of chunks, hence of the threads.
#pragma once

#include "hgrid/build/executor.hpp"

namespace hgrid {

template <class Exec>
struct SortBuffers {
  typename Exec::template Buffer<cell_key_t> key[2];
  typename Exec::template Buffer<index_t> id[2];
  typename Exec::template Buffer<offset_t> counts;
  int current = 0;  ///< which of the two holds the data

  static offset_t counts_needed(const Exec& exec, offset_t n) {
    return (exec.chunks(n) << Exec::radix_bits) + 1;
  }
};

template <int Bits>
struct CountDigits {
  const cell_key_t* key;
  offset_t* counts;  // [digit][chunk]
  offset_t n, chunks;
  int shift;

  HGRID_HD void operator()(offset_t chunk) const {
    offset_t local[1 << Bits] = {};
    for (offset_t i = n * chunk / chunks, end = n * (chunk + 1) / chunks; i < end; ++i) {
      ++local[(key[i] >> shift) & ((1 << Bits) - 1)];
    }
    for (int d = 0; d < 1 << Bits; ++d) counts[d * chunks + chunk] = local[d];
  }
};

template <int Bits>
struct MoveByDigit {
  const cell_key_t* key;
  const index_t* id;
  cell_key_t* key_out;
  index_t* id_out;
  const offset_t* counts;
  offset_t n, chunks;
  int shift;

  HGRID_HD void operator()(offset_t chunk) const {
    offset_t next[1 << Bits];
    for (int d = 0; d < 1 << Bits; ++d) next[d] = counts[d * chunks + chunk];
    for (offset_t i = n * chunk / chunks, end = n * (chunk + 1) / chunks; i < end; ++i) {
      const offset_t to = next[(key[i] >> shift) & ((1 << Bits) - 1)]++;
      key_out[to] = key[i];
      id_out[to] = id[i];
    }
  }
};

/// Sorts the n items of `s.key[s.current]`, `s.id[s.current]` by the low `key_bits` bits of the key and switches
/// `s.current`. Asynchronous on a device.
template <Executor Exec>
void radix_sort(const Exec& exec, SortBuffers<Exec>& s, offset_t n, int key_bits) {
  constexpr int bits = Exec::radix_bits;
  const offset_t chunks = exec.chunks(n);
  for (int shift = 0; shift < key_bits; shift += bits) {
    const int from = s.current, to = 1 - from;
    exec.for_each("hgrid::count_digits", chunks,
                  CountDigits<bits>{s.key[from].data(), s.counts.data(), n, chunks, shift});
    exec.exclusive_scan("hgrid::scan_digits", s.counts.data(), chunks << bits);
    exec.for_each("hgrid::move_by_digit", chunks,
                  MoveByDigit<bits>{s.key[from].data(), s.id[from].data(), s.key[to].data(), s.id[to].data(),
                                    s.counts.data(), n, chunks, shift});
    s.current = to;
  }
}

}  // namespace hgrid
