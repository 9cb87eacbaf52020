// SPDX-License-Identifier: BSD-3-Clause
// Groups, types and exclusions of particles on ranks, and the exclusions that a rank must know.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "hgrid/cells/cutoff_stages.hpp"
#include "hgrid/core/contact.hpp"
#include "hgrid/inputs/input_error.hpp"
#include "hgrid/ranks/device_vector.hpp"
#include "hgrid/ranks/messages.hpp"
#include "hgrid/ranks/routes.hpp"

namespace hgrid::inline v0_2 {

/// Optional data of a rank's own particles, which decide which of them pair. Null: none. All ranks give data of equal kinds.
/// Arrays are where the grid works, in the order of its particles.
template <class Exec>
struct RankLabels {
  template <class T>
  using Array = typename detail::RankMemory<Exec::on_host>::template Array<Exec, T>;

  const Array<index_t>* groups = nullptr;  ///< [owned], as `Particles::group`
  const Array<index_t>* types = nullptr;   ///< [owned], from 0, with `cutoffs`
  const Array<double>* cutoffs = nullptr;  ///< [types * types], equal on all ranks, as `Cutoffs::distance`
  index_t type_count = 0;
  /// [owned * partners_each]: global ids of particles with which each particle never pairs, such as bonded ones; negative
  /// entries are ignored. It is enough if one particle of a pair names the other. Ids that no particle has are ignored, too.
  const Array<std::int64_t>* partners = nullptr;
  index_t partners_each = 0;
};

namespace detail {

/// Two particles by their global ids.
struct GlobalPair {
  std::int64_t i, j;
  friend bool operator==(const GlobalPair&, const GlobalPair&) = default;
  friend auto operator<=>(const GlobalPair&, const GlobalPair&) = default;
};

/// Throws `size_mismatch` or `invalid_argument` unless labels suit that number of particles.
template <class Exec>
void check_labels(const RankLabels<Exec>& labels, offset_t particles) {
  const auto require = [](const char* what, std::size_t count, offset_t needed) {
    if (static_cast<offset_t>(count) == needed) return;
    throw Error(ErrorCode::size_mismatch,
                std::string(what) + " has " + std::to_string(count) + " entries, and " + std::to_string(needed) + " are needed",
                {.argument = what, .count = static_cast<std::int64_t>(count), .needed = needed});
  };
  if (labels.groups != nullptr) require("groups", labels.groups->size(), particles);
  if (labels.partners != nullptr) require("partners", labels.partners->size(), labels.partners_each * particles);
  if ((labels.types == nullptr) != (labels.cutoffs == nullptr)) {
    throw Error(ErrorCode::invalid_argument, "types and cutoffs are given together", {.argument = "types"});
  }
  if (labels.types == nullptr) return;
  require("types", labels.types->size(), particles);
  require("cutoffs", labels.cutoffs->size(), offset_t{labels.type_count} * labels.type_count);
}

/// Returns which kinds of labels there are, as a number.
inline constexpr std::size_t partners_kind = 2;
inline std::size_t kinds_of(bool has_groups, bool has_partners, bool has_types, index_t types) {
  return (has_groups ? 1u : 0u) + (has_partners ? partners_kind : 0u) +
         (has_types ? 4u * static_cast<std::size_t>(types) + 4 : 0u);
}
template <class Exec>
std::size_t kinds_of(const RankLabels<Exec>& labels) {
  return kinds_of(labels.groups != nullptr, labels.partners != nullptr, labels.types != nullptr, labels.type_count);
}

/// Returns how many ids the record of a ghost has: the second one is its group and type.
template <class Exec>
int ids_of_ghost(const RankLabels<Exec>& labels) {
  return labels.groups != nullptr || labels.types != nullptr ? 2 : 1;
}

/// Returns the bytes of the record of a ghost with this number of sizes.
template <int D, class Exec>
std::size_t record_bytes(std::size_t sizes, const RankLabels<Exec>& labels) {
  return (D + sizes + static_cast<std::size_t>(ids_of_ghost(labels))) * sizeof(Word);
}

/// Throws for types or cut-offs that a build would refuse, before other ranks learn of the particles. Waits if there are types.
template <class Exec, class Real, int D>
void check_types(const Exec& exec, const Particles<Real, D>& p) {
  if (p.cutoffs.types == 0) return;
  typename Exec::template Buffer<InputSummary<D>> found(exec, 1);
  exec.reduce("hgrid::inspect_cutoffs", p.count, InspectCutoffs<Real, D>{p}, InputSummary<D>::identity(), found.data());
  throw_if_bad(exec.read_back(static_cast<const InputSummary<D>*>(found.data())), Box<D>{}, 0);
}

/// Gives particles their groups and types.
template <class Exec, class Real, int D>
void label(Particles<Real, D>& p, const RankLabels<Exec>& labels) {
  if (labels.groups != nullptr) p.group = labels.groups->data();
  if (labels.types != nullptr) p.cutoffs = {labels.types->data(), labels.cutoffs->data(), labels.type_count};
}

/// The exclusions of the particles that a rank holds.
template <class Exec>
class HeldExclusions {
 public:
  explicit HeldExclusions(const Exec& exec) : exec_(exec), pairs_(rank_array<Exec, Pair>(exec)) {}

  /// Keeps the own pairs of the rank, and sends the pairs of each particle along the ways on which it becomes a ghost.
  /// Collective. If a rank brings an error, all throw.
  void send(Exchange& by, Communicator& comm, const std::exception_ptr& error, const Arguments& call, const Routes& routes,
            const RankArray<Exec, std::int64_t>& owned, const RankLabels<Exec>& labels) {
    const std::vector<Parcel>* parcels = &no_parcels_;
    const std::exception_ptr any = error ? error : attempt([&] {
      known_.clear(), sent_.clear();
      const std::vector<std::int64_t>&ids = on_host(owned), &partners = on_host(*labels.partners);
      const auto each = static_cast<std::size_t>(labels.partners_each);
      for (std::size_t k = 0; k < partners.size(); ++k) {
        if (partners[k] >= 0) add({ids[k / each], partners[k]});
      }
      std::ranges::sort(known_);
      for (const Routes::Way& way : routes.sends()) {
        for (std::size_t k = way.first; k < way.first + way.count; ++k) {
          const std::int64_t id = ids[static_cast<std::size_t>(routes.ids()[k])];
          const auto first = std::ranges::lower_bound(known_, id, {}, &GlobalPair::i);
          for (auto pair = first; pair != known_.end() && pair->i == id; ++pair) sent_.add(way.rank, *pair);
        }
      }
      parcels = &sent_.parcels(comm.size());
    });
    exchange(by, comm, any, call, *parcels, sizeof(GlobalPair));
    for (const Parcel& parcel : by.received()) for_each_record<GlobalPair>(parcel, [&](const GlobalPair& pair) { add(pair); });
    std::ranges::sort(known_);
    known_.erase(std::unique(known_.begin(), known_.end()), known_.end());
  }

  /// Returns the pairs of held particles by their places among `ids`, in the executor's memory.
  Exclusions among(const std::vector<std::int64_t>& ids) {
    std::vector<std::int64_t> first, second;
    for (const GlobalPair& pair : known_) first.push_back(pair.i), second.push_back(pair.j);
    const std::vector<index_t> i = numbers_of(first, ids), j = numbers_of(second, ids);
    std::vector<Pair> pairs;
    for (std::size_t k = 0; k < i.size(); ++k) {
      if (i[k] >= 0 && j[k] >= 0) pairs.push_back({i[k], j[k]});
    }
    std::ranges::sort(pairs, [](const Pair& a, const Pair& b) { return a.i != b.i ? a.i < b.i : a.j < b.j; });
    pairs_ = rank_array(exec_, pairs);
    return Exclusions::in_pairs(pairs_.data(), static_cast<offset_t>(pairs.size()));
  }

 private:
  void add(const GlobalPair& pair) { known_.push_back(pair), known_.push_back({pair.j, pair.i}); }

  Exec exec_;
  std::vector<GlobalPair> known_;  // each pair from both sides
  Outbox<GlobalPair> sent_;
  const std::vector<Parcel> no_parcels_;
  RankArray<Exec, Pair> pairs_;
};

}  // namespace detail

}  // namespace hgrid::inline v0_2
