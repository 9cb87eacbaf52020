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

struct InspectTypes {
  Cutoffs cutoffs;
  HGRID_HD void operator()(offset_t i, NumberCheck& check) const { check.inspect(i, cutoffs.type[i], cutoffs.types); }
};

/// Checks all worlds, also of particles that take no part now: they may have entries from the build.
struct InspectWorlds {
  Worlds worlds;
  HGRID_HD void operator()(offset_t i, NumberCheck& check) const { check.inspect(i, worlds.of[i], worlds.count); }
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

/// Computes distances and lists' ids for a grid.
template <class Exec, int D>
class Measurements {
 public:
  Measurements(const Exec& exec, const Place& place) : exec_(exec), place_(place), check_(exec, 1), scratch_(exec, 0) {}

  /// Computes distances. known: the ids of the pairs are known to be below that number; 0: they are checked.
  void measure(const hgrid_measured& given, const detail::BoxVectors<D>& box, offset_t known) {
    const Array positions(given.positions, "positions", 2, place_), ids(given.pairs, "pairs", 2, place_);
    positions.require(1, D), ids.require(1, 2);
    positions.require_real();
    positions.type() == HGRID_FLOAT32 ? measure_as<float>(given, positions, ids, box, known)
                                      : measure_as<double>(given, positions, ids, box, known);
  }

  void list_ids(const hgrid_array& given_offsets, const hgrid_array& given_lists) {
    const Array offsets(given_offsets, "offsets", 1, place_), lists(given_lists, "lists", 1, place_);
    const auto* const begin = offsets.contiguous<std::int64_t>();
    auto* const to = lists.contiguous<std::int32_t>();
    const offset_t n = offsets.size(0) - 1;
    if (n < 0) refuse("offsets", "are none", 0, ErrorCode::size_mismatch);
    lists.require(0, exec_.read_back(begin + n));
    exec_.for_each("hgrid::write_list_ids", n, WriteListIds{begin, to});
  }

  /// Throws `range_error` for a bad number among n, which `inspect` finds. Waits.
  template <class Inspect>
  void require(const char* argument, const char* what, offset_t n, const Inspect& inspect) {
    exec_.reduce("hgrid::inspect_numbers", n, inspect, NumberCheck{}, check_.data());
    const NumberCheck found = exec_.read_back(check_.data());
    if (found.bad == 0) return;
    throw Error(
        ErrorCode::range_error,
        std::string(argument) + "[" + std::to_string(found.first) + "]: " + std::to_string(found.value) + " is no " + what,
        {.argument = argument, .index = found.first, .value = static_cast<double>(found.value), .count = found.bad});
  }

  void* scratch(std::int64_t bytes) {
    const offset_t words = size_of_memory(bytes) / 8 + (bytes % 8 > 0);
    detail::reserve_all(exec_, detail::Need{scratch_, detail::with_margin(words, scratch_.size())});
    exec_.for_each("hgrid::clear_bytes", words, ClearBytes{scratch_.data()});
    return scratch_.data();
  }

 private:
  template <class Real>
  void measure_as(const hgrid_measured& given, const Array& positions, const Array& ids, const detail::BoxVectors<D>& box,
                  offset_t known) {
    const offset_t n = ids.size(0);
    MeasurePairs<Real, D> f{};
    f.box = box;
    f.positions.stride = positions.stride(0);
    for (int k = 0; k < D && positions.size(0) > 0; ++k) {
      f.positions.axis[k] = positions.data<Real>() + k * positions.stride(1);
    }
    with_integer(ids, [&](auto id) {
      const auto* const at = ids.data<decltype(id)>();
      f.pairs = {{at, n == 0 ? at : at + ids.stride(1)}, nullptr, ids.stride(0), sizeof id == 8};
    });
    if (is_given(given.images))
      f.pairs.images = images_of(Array(given.images, "images", 2, place_).require(0, n).require(1, 3));
    if (is_given(given.distances)) f.distances = written<1>(Array(given.distances, "distances", 1, place_).require(0, n));
    if (is_given(given.vectors)) f.vectors = written<D>(Array(given.vectors, "vectors", 2, place_).require(0, n).require(1, D));
    if (known == 0 || positions.size(0) < known) require("pairs", "particle", n, InspectIds{f.pairs, positions.size(0)});
    exec_.for_each("hgrid::measure_pairs", n, f);
  }

  template <int n>
  static WrittenReals<n> written(const Array& reals) {
    reals.require_real();
    const bool is_double = reals.type() == HGRID_FLOAT64;
    return {is_double ? static_cast<void*>(reals.contiguous<double>()) : reals.contiguous<float>(), is_double};
  }

  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

  Exec exec_;
  Place place_;
  Buffer<NumberCheck> check_;
  Buffer<std::uint64_t> scratch_;
};

}  // namespace hgrid::c
