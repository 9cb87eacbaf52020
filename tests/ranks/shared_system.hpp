// SPDX-License-Identifier: BSD-3-Clause
// A system of the random suite that every rank knows, and the share of it that a rank holds.
#pragma once

#include <gtest/gtest.h>

#include "hgrid/mpi.hpp"
#include "support/random_case.hpp"
#include "support/rank_systems.hpp"
#include "support/results.hpp"

namespace support {

/// Collectives that waited, so far, where the program counts them (errors.cpp).
inline int blocking = 0;

/// True during a call with messages in device memory, if MPI takes such memory (device_mpi.cpp).
inline bool messages_of_device = false;

template <class Call>
void with_messages_of_device(const Call& call) {
  messages_of_device = true;
  call();
  messages_of_device = false;
}

/// The ranks of a test: all, or some that stand for another run.
inline MPI_Comm ranks = MPI_COMM_WORLD;

inline int this_rank() {
  int rank = 0;
  MPI_Comm_rank(ranks, &rank);
  return rank;
}

inline int all_ranks() {
  int all = 1;
  MPI_Comm_size(ranks, &all);
  return all;
}

/// Returns whether `here` holds on all ranks.
inline bool everywhere(bool here) {
  int all = here ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, ranks);
  return all != 0;
}

/// The values of all ranks, on all, by rank.
template <class T>
std::vector<T> gathered(const std::vector<T>& mine) {
  std::vector<int> bytes(static_cast<std::size_t>(all_ranks())), begin(bytes.size() + 1);
  const int own = static_cast<int>(mine.size() * sizeof(T));
  MPI_Allgather(&own, 1, MPI_INT, bytes.data(), 1, MPI_INT, ranks);
  for (std::size_t k = 0; k < bytes.size(); ++k) begin[k + 1] = begin[k] + bytes[k];
  std::vector<T> all(static_cast<std::size_t>(begin.back()) / sizeof(T));
  MPI_Allgatherv(mine.data(), own, MPI_BYTE, all.data(), bytes.data(), begin.data(), MPI_BYTE, ranks);
  return all;
}

/// Particle i of the system has this number on all ranks: one of 64 bits in every other system.
inline std::int64_t global_id(std::uint64_t seed, std::size_t i) {
  return static_cast<std::int64_t>(3 * i) + (seed % 2 == 0 ? 5'000'000'000 : 0);
}

inline bool has_groups(const oracle::System& s) {
  return std::ranges::any_of(s.particles, [](const oracle::Particle& p) { return p.group >= 0; });
}

template <class T>
void append(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

/// The particles that a rank passes to its grid.
template <class Real, int D>
struct Share {
  std::vector<Real> x, r;
  std::vector<std::int64_t> id;
  std::vector<hgrid::index_t> group, type;
  std::vector<std::int64_t> partner;  // of each as many as of the one with most, which are one at least
  hgrid::index_t partners_each = 1;
  std::size_t width = 1;  // of sizes: radii, or half extents

  void add(const oracle::Particle& p, std::int64_t number) {
    group.push_back(p.group), type.push_back(p.type);
    for (int k = 0; k < D; ++k) x.push_back(static_cast<Real>(p.x[k]));
    for (std::size_t k = 0; k < width; ++k) r.push_back(static_cast<Real>(width > 1 ? p.extent[k] : p.radius));
    id.push_back(number);
  }
  void append(const Share& other) {
    support::append(x, other.x), support::append(r, other.r), support::append(id, other.id);
    support::append(group, other.group), support::append(type, other.type), support::append(partner, other.partner);
  }
  auto sizes() { return hgrid::Field{r, width}; }

  auto partners() { return hgrid::Field{partner, static_cast<std::size_t>(partners_each)}; }

  /// Returns the labels of a system, where it has some.
  template <class Exec = hgrid::OpenMPExec>
  hgrid::RankLabels<Exec> labels(const oracle::System& s) const {
    return {.groups = has_groups(s) ? &group : nullptr,
            .types = s.types > 0 ? &type : nullptr,
            .cutoffs = s.types > 0 ? &s.cutoffs : nullptr,
            .type_count = s.types,
            .partners = s.excluded.empty() ? nullptr : &partner,
            .partners_each = partners_each};
  }
};

/// Returns the share of this rank, in whichever rank's box a particle lies. Its kind: all on one rank, in turn, or at random.
template <class Real, int D>
Share<Real, D> share_of(const oracle::System& s, std::uint64_t seed) {
  Random random(seed);
  const int kind = random.integer(0, 2), only = random.integer(0, all_ranks() - 1);
  Share<Real, D> share;
  if (s.extended) share.width = D;
  std::vector<std::vector<std::int64_t>> partners(s.particles.size());  // one of both names the other
  for (auto [i, j] : s.excluded) {
    if ((i + j) % 2 == 0) std::swap(i, j);
    partners[static_cast<std::size_t>(i)].push_back(global_id(seed, static_cast<std::size_t>(j)));
  }
  std::size_t most = 1;
  for (const auto& each : partners) most = std::max(most, each.size());
  share.partners_each = static_cast<hgrid::index_t>(most);
  for (std::size_t i = 0; i < s.particles.size(); ++i) {
    const int anyone = random.integer(0, all_ranks() - 1);
    const int rank = kind == 0 ? only : kind == 1 ? static_cast<int>(i) % all_ranks() : anyone;
    if (rank != this_rank()) continue;
    share.add(s.particles[i], global_id(seed, i));
    partners[i].resize(most, -1);
    share.partner.insert(share.partner.end(), partners[i].begin(), partners[i].end());
  }
  return share;
}

inline oracle::Contact as_oracle(const hgrid::GlobalContact& c) { return contact(c.i, c.j, &c.image); }

/// The contacts of all ranks by the numbers of the oracle, sorted.
template <class Exec, int D, class... Only>
Contacts contacts_of_ranks(hgrid::DistributedGrid<Exec, D>& grid, const Only&... only) {
  std::vector<hgrid::GlobalContact> mine;
  auto list = grid.make_pairs();
  grid.find(list, only...);
  for (const oracle::Contact& c : as_listed(grid.exec(), list)) {
    hgrid::Image image{};
    for (int a = 0; a < 3; ++a) image[a] = static_cast<std::int32_t>(c.m[static_cast<std::size_t>(a)]);
    mine.push_back(grid.global(static_cast<hgrid::index_t>(c.i), static_cast<hgrid::index_t>(c.j), image));
  }
  Contacts all;
  for (const hgrid::GlobalContact& c : gathered(mine)) all.push_back(as_oracle(c));
  return sorted(std::move(all));
}

/// Contacts of the oracle by global ids.
inline Contacts numbered(Contacts contacts, std::uint64_t seed) {
  for (oracle::Contact& c : contacts) {
    c.i = global_id(seed, static_cast<std::size_t>(c.i)), c.j = global_id(seed, static_cast<std::size_t>(c.j));
  }
  return contacts;
}

}  // namespace support
