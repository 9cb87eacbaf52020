// SPDX-License-Identifier: BSD-3-Clause
// The inner loops of the host's sorts and check: plain loops, which compilers vectorise, compiled for each instruction set and
// chosen at run time.
#pragma once

#include <type_traits>

#include "hgrid/cells/stages.hpp"
#include "hgrid/inputs/validity.hpp"
#include "host/search/filter_columns.hpp"
#include "host/sort/entry_word.hpp"
#include "host/sort/sort_words.hpp"

namespace hgrid::inline v0_2::detail {

inline constexpr index_t particles_per_batch = RoundedParticles<3>::particles;

/// Reads numbers that lie one beside the other for each particle, x y z x y z, into D columns.
template <class Real, int D>
void read_interleaved(const Real* from, index_t n, double (*columns)[particles_per_batch]);

/// Consecutive particles of the input as columns that stay in the first-level cache, filled up to a multiple of `lanes` with
/// the last particle.
template <int D>
struct ParticleBatch {
  static constexpr index_t lanes = 16;

  index_t count;
  index_t world;  ///< of all of them
  alignas(64) double x[D][particles_per_batch];
  double radius[particles_per_batch];

  /// Returns whether batches can hold these particles: all of them are active, without extra distances.
  template <class Real>
  static bool suits(const Particles<Real, D>& p) {
    return p.active == nullptr && p.extra == nullptr;
  }

  /// Returns the end of a batch of particles from `first` on: limited by its room, and by the end of the world.
  template <class Real>
  static offset_t end_of(const Particles<Real, D>& p, offset_t first, offset_t end) {
    if (end - first > particles_per_batch) end = first + particles_per_batch;
    if (p.worlds.count == 0) return end;
    offset_t next = first + 1;
    while (next < end && p.worlds.of[next] == p.worlds.of[first]) ++next;
    return next;
  }

  /// Reads particles [first, first + count), count > 0, all of one world, unchanged.
  template <class Real>
  void load(const Particles<Real, D>& p, offset_t first, index_t n) {
    count = n, world = p.world(first);
    bool interleaved = p.stride == D;
    for (int k = 1; k < D; ++k) interleaved = interleaved && p.position[k] == p.position[0] + k;
    if (interleaved) read_interleaved<Real, D>(p.position[0] + first * D, n, x);
    for (int k = 0; k < D && !interleaved; ++k) {
      const Real* const from = p.position[k] + first * p.stride;
      if (p.stride == 1) {
        for (index_t j = 0; j < n; ++j) x[k][j] = from[j];
      } else {
        for (index_t j = 0; j < n; ++j) x[k][j] = from[j * p.stride];
      }
    }
    const auto read_radii = [&](auto stride) {  // never -0, whose bits belong to no class
      const Real* const from = p.radius + first * stride;
      for (index_t j = 0; j < n; ++j) radius[j] = mul_rn(p.radius_scale, static_cast<double>(from[j * stride])) + 0.0;
    };
    p.radius_stride == 1 ? read_radii(std::integral_constant<index_t, 1>()) : read_radii(p.radius_stride);
    fill_lanes();
  }

  /// Repeats the last particle up to the end of its lanes.
  void fill_lanes() {
    for (index_t n = count; n % lanes != 0; ++n) {
      for (int k = 0; k < D; ++k) x[k][n] = x[k][count - 1];
      radius[n] = radius[count - 1];
    }
  }
};

/// Does the work of InspectParticle, for a batch whose particles are all good and inside the box. Returns false without doing
/// anything if they are not.
template <int D>
bool inspect_batch(const ParticleBatch<D>& batch, const Box<D>& box, double skin, InputSummary<D>& summary);

/// Wraps the particles of a batch into a periodic box, but not the copies that fill its lanes. `periods` [particles_per_batch],
/// unless null, receives how many periods were taken off. Returns the number of coordinates that lay outside, or -1 if a build
/// does not accept some particle.
template <int D>
index_t wrap_batch(ParticleBatch<D>& batch, const Box<D>& box, Image* periods);

/// Does the work of `inspect_batch` for particles that may lie outside the box, and wraps them into it. For `periods` see
/// `wrap_batch`.
template <int D>
bool inspect_anywhere(ParticleBatch<D>& batch, const Box<D>& box, double skin, InputSummary<D>& summary, Image* periods) {
  if (!box.turned && inspect_batch(batch, box, skin, summary)) {
    for (index_t j = 0; j < batch.count && periods != nullptr; ++j) periods[j] = {};
    return true;
  }
  const index_t outside = box.any_periodic() ? wrap_batch(batch, box, periods) : 0;
  if (outside < 0 || (outside == 0 && !box.turned)) return false;
  batch.fill_lanes();
  if (!inspect_batch(batch, box, skin, summary)) return false;
  summary.outside += outside;
  return true;
}

/// Fills keys [particles_per_batch], for row-major grids and particles inside the box, and updates the largest radius of each
/// level. `Key` is std::uint32_t for fewer than 2^31 cells, or cell_key_t.
template <int D, class Key>
void make_batch_keys(const GridView<D>& grid, const ParticleBatch<D>& batch, Key* key, double* radius_max);

/// Fills the columns of slots [first, last).
template <int D>
void fill_filter_columns(const GridView<D>& grid, index_t first, index_t last, const FilterColumns<D>& columns);

/// Runs MeasureValidity for the particles of a batch that begins with particle `first`, in a box with upright axes that has not
/// been deformed since the build. Returns false if any of them is beyond its margin, or took no part in the build. Otherwise
/// raises `excess` to the largest, or to a bound that is within half the skin, too.
template <int D>
bool within_margins(const ParticleBatch<D>& batch, const BuiltParticles<D>& built, const ChangedBox<D>& box, offset_t first,
                    double& excess);

/// Prefetches memory for writing, so that stores need not wait for it. Inlined, because GCC drops calls of functions that do
/// nothing else.
template <class T>
[[gnu::always_inline]] inline void fetch_to_write(const T* begin, const T* end) {
  for (auto line = reinterpret_cast<const std::byte*>(begin); line < reinterpret_cast<const std::byte*>(end); line += 64) {
    __builtin_prefetch(line, 1);
  }
}

inline constexpr index_t most_ranked = 192;

/// Lists of entries, each one word; the entries of list k are in [begin[k], begin[k + 1]). Ids of neighbors have `id_bits`. A
/// list of more than `most_ranked` entries is sorted by digits, by means of `other`, which has room for all of them.
struct RankedLists {
  EntryWord *words, *other;
  const index_t* begin;
  index_t lists;
  int id_bits;
};

/// Sorts the lists and writes them to the same places. `images` may be null.
void rank_lists(const RankedLists& in, index_t* neighbours, Image* images);
void rank_lists(const RankedLists& in, PackedNeighbour* out);

}  // namespace hgrid::inline v0_2::detail
