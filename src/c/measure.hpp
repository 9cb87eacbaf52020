// SPDX-License-Identifier: BSD-3-Clause
// Data that the C API computes for pairs and lists: distances, and the list of each entry.
#pragma once

#include "c/inputs.hpp"
#include "hgrid/find/measured_lists.hpp"
#include "hgrid/memory/reserve.hpp"

namespace hgrid::c {

/// Positions in the caller's memory.
template <class Real, int D>
struct GivenPositions {
  const Real* axis[D];
  std::ptrdiff_t stride;
  HGRID_HD Vec<double, D> position_of(offset_t i) const {
    Vec<double, D> x;
    for (int k = 0; k < D; ++k) x[k] = axis[k][i * stride];
    return x;
  }
};

/// Pairs in the caller's memory.
struct GivenPairs {
  const void* side[2];
  const Image* images;  // or null
  std::ptrdiff_t stride;
  bool is_wide;  // int64

  HGRID_HD offset_t id(offset_t k, int of) const {
    const std::ptrdiff_t at = k * stride;
    return is_wide ? static_cast<const std::int64_t*>(side[of])[at] : static_cast<const std::int32_t*>(side[of])[at];
  }
  HGRID_HD Image image(offset_t k) const { return images == nullptr ? Image{} : images[k]; }
};

/// Output of real numbers, n for each pair, of either type; null data: no output.
template <int n>
struct WrittenReals {
  void* data;
  bool is_double;

  HGRID_HD void set(offset_t pair, const Vec<double, n>& values) const {
    if (data == nullptr) return;
    for (int k = 0; k < n; ++k) {
      if (is_double)
        static_cast<double*>(data)[n * pair + k] = values[k];
      else
        static_cast<float*>(data)[n * pair + k] = static_cast<float>(values[k]);
    }
  }
};

/// The number of pairs, or particles, with a bad id, type or world, and the first one.
struct NumberCheck {
  offset_t bad = 0, first = INT64_MAX, value = 0;

  /// Checks that number `number` of entry k is at least 0 and below `numbers`.
  HGRID_HD void inspect(offset_t k, offset_t number, offset_t numbers) {
    if (number >= 0 && number < numbers) return;
    ++bad;
    if (k < first) first = k, value = number;
  }
  HGRID_HD void join(const NumberCheck& o) {
    bad += o.bad;
    if (o.first < first) first = o.first, value = o.value;
  }
};

struct InspectIds {
  GivenPairs pairs;
  offset_t particles;

  HGRID_HD void operator()(offset_t k, NumberCheck& check) const {
    for (int side = 0; side < 2; ++side) check.inspect(k, pairs.id(k, side), particles);
  }
};

/// Checks the types or worlds of all particles, also of particles that take no part now: they may have entries from the build.
struct InspectNumbers {
  const index_t* of;
  index_t count;
  HGRID_HD void operator()(offset_t i, NumberCheck& check) const { check.inspect(i, of[i], count); }
};

template <class Real, int D>
struct MeasurePairs {
  GivenPositions<Real, D> positions;
  detail::BoxVectors<D> box;
  GivenPairs pairs;
  WrittenReals<1> distances;
  WrittenReals<D> vectors;

  HGRID_HD void operator()(offset_t k) const {
    const auto d = detail::vector_between(positions.position_of(pairs.id(k, 0)), positions.position_of(pairs.id(k, 1)),
                                          pairs.image(k), box);
    distances.set(k, {detail::length_of(d)});
    vectors.set(k, d);
  }
};

struct WriteListIds {
  const offset_t* offsets;
  std::int32_t* lists;

  HGRID_HD void operator()(offset_t list) const {
    for (offset_t k = offsets[list]; k < offsets[list + 1]; ++k) lists[k] = static_cast<std::int32_t>(list);
  }
};

struct ClearBytes {
  std::uint64_t* words;
  HGRID_HD void operator()(offset_t k) const { words[k] = 0; }
};

template <class Number>
struct CopyNumbers {
  const Number* from;
  Number* to;
  HGRID_HD void operator()(offset_t k) const { to[k] = from[k]; }
};

inline offset_t size_of_memory(std::int64_t bytes) {
  if (bytes < 0) refuse("bytes", "are fewer than none", static_cast<double>(bytes), ErrorCode::size_mismatch);
  return bytes;
}

}  // namespace hgrid::c
