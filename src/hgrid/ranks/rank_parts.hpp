// SPDX-License-Identifier: BSD-3-Clause
// The parts of a checkpoint of ranks: what each rank writes and reads, and whether all parts are there.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "hgrid/engine/checkpoint.hpp"
#include "hgrid/loop/loop_progress.hpp"
#include "hgrid/ranks/field.hpp"
#include "hgrid/ranks/messages.hpp"
#include "hgrid/ranks/rank_boxes.hpp"
#include "hgrid/ranks/rank_rules.hpp"
#include "hgrid/ranks/rebalance.hpp"

namespace hgrid::inline v0_2::detail {

using Bytes = std::vector<std::byte>;

template <class A>
void archive(A& a, NeighbourRecord& r) {
  a(r.particle, r.image.m, r.neighbour);
}

/// The state of a list that all ranks share.
template <int D>
struct SharedState {
  std::int64_t ranks = 0, sizes = 1;  // sizes: numbers that give the size of a particle
  Box<D> box{}, built_box{};          // at present, and of the last build, if the box shears
  Rule rule = Rule::sum;
  std::uint64_t labels = 0;  // which kinds there are
  double since_build = 0;
  std::vector<std::uint64_t> values;  // bytes of a value of each array of pairs
  VerletOptions options;
  LoopProgress loop{.chooser = SkinChooser(0)};

  template <class A>
  void archive(A& a) {
    a(ranks, sizes, box, built_box, rule, labels, since_build, values);
    loop.archive(options, a);
    a.require("the state of a list on ranks", [&] {
      return ranks > 0 && ranks <= INT32_MAX && (sizes == 1 || sizes == D) && std::fabs(since_build) <= 1e50 && loop.built &&
             built_box.wraps == box.wraps &&
             std::ranges::all_of(values, [](std::uint64_t bytes) { return bytes > 0 && bytes <= UINT32_MAX; });
    });
  }
};

/// The particles of a rank in the last build, and the values of the pairs that are at home with them.
template <int D>
struct RankState {
  RankBox<D> box{};
  std::vector<double> x, size;
  std::vector<std::int64_t> id;
  std::vector<index_t> group, type;    // 0 if there are none
  std::vector<NeighbourRecord> pairs;  // in the order of each array
  std::vector<Bytes> values;

  template <class A>
  void archive(A& a) {
    a(box.lo, box.hi, x, size, id, group, type, pairs, values);
  }

  /// Throws `format` unless the numbers fit each other.
  template <class A>
  void check(const SharedState<D>& shared, A& a) const {
    a.require("particles of a rank", [&] {
      const std::size_t n = id.size();
      return n <= static_cast<std::size_t>(most_particles) && x.size() == D * n &&
             size.size() == static_cast<std::size_t>(shared.sizes) * n && group.size() == n && type.size() == n &&
             std::ranges::all_of(id, [](std::int64_t i) { return i >= 0; });
    });
    a.require("values of pairs of a rank", [&] {
      bool fit = values.size() == shared.values.size();
      for (std::size_t k = 0; fit && k < values.size(); ++k) fit = values[k].size() == shared.values[k] * pairs.size();
      return fit && std::ranges::all_of(pairs, [&](const NeighbourRecord& r) {
               return r.particle >= 0 && static_cast<std::size_t>(r.particle) < id.size() && r.neighbour >= 0;
             });
    });
  }

  /// Appends the particles of another part.
  void add(const RankState& other) {
    const auto before = static_cast<index_t>(id.size());
    const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
    append(x, other.x), append(size, other.size), append(id, other.id), append(group, other.group), append(type, other.type);
    const std::size_t first = pairs.size();
    append(pairs, other.pairs);
    for (std::size_t k = first; k < pairs.size(); ++k) pairs[k].particle += before;
    values.resize(other.values.size());
    for (std::size_t k = 0; k < values.size(); ++k) append(values[k], other.values[k]);
  }
};

/// A part as it is told from others. The number differs for checkpoints of different states.
template <int D>
struct PartName {
  std::uint64_t number = 0;
  std::int64_t rank = 0, ranks = 0;
  RankBox<D> box{};
};

/// The entries of all ranks, by rank. Collective. If memory runs out the program ends, on all ranks.
template <class T>
std::vector<T> gathered(const Communicator& comm, const std::vector<T>& own) noexcept {
  std::vector<int> bytes(static_cast<std::size_t>(comm.size())), begin(bytes.size() + 1);
  const int mine = static_cast<int>(own.size() * sizeof(T));
  MPI_Allgather(&mine, 1, MPI_INT, bytes.data(), 1, MPI_INT, comm.get());
  for (std::size_t k = 0; k < bytes.size(); ++k) begin[k + 1] = begin[k] + bytes[k];
  std::vector<T> all(static_cast<std::size_t>(begin.back()) / sizeof(T));
  MPI_Allgatherv(own.data(), mine, MPI_BYTE, all.data(), bytes.data(), begin.data(), MPI_BYTE, comm.get());
  return all;
}

/// Sorts the parts of all ranks. Throws `format` unless they are all parts of one checkpoint, each once.
template <int D>
void require_all_parts(std::vector<PartName<D>>& parts) {
  const auto refuse = [&](const std::string& why, std::int64_t part, std::int64_t needed) {
    throw Error(ErrorCode::format, why + "; nothing was restored",
                {.argument = "parts", .index = part, .count = std::ssize(parts), .needed = needed});
  };
  std::ranges::sort(parts, {}, &PartName<D>::rank);
  const std::int64_t ranks = parts.empty() ? 1 : parts.front().ranks;
  for (std::int64_t k = 0; k < std::max(ranks, std::ssize(parts)); ++k) {
    const auto part = [&](std::int64_t at) -> const PartName<D>& { return parts[static_cast<std::size_t>(at)]; };
    const bool ends = k >= std::ssize(parts);
    if (!ends && (part(k).number != part(0).number || part(k).ranks != ranks)) {
      refuse("parts of different checkpoints: part " + std::to_string(part(k).rank) + " is not of the same as part " +
                 std::to_string(part(0).rank),
             part(k).rank, ranks);
    }
    if (ends || part(k).rank > k) {
      refuse("part " + std::to_string(k) + " of " + std::to_string(ranks) + " of the checkpoint is missing", k, ranks);
    }
    if (part(k).rank < k) refuse("part " + std::to_string(part(k).rank) + " is there more than once", part(k).rank, ranks);
  }
}

/// Returns whether boxes tile a box, as recursive bisection cuts it: ranks are numbered along the cuts.
template <int D>
bool tile(const PartName<D>* parts, std::int64_t ranks, const RankBox<D>& whole) {
  if (ranks == 1) return parts->box == whole;
  const std::int64_t first = (ranks + 1) / 2;
  const Vec<double, D>& cut = parts[first - 1].box.hi;  // along the other axes it is the end of the whole
  for (int k = 0; k < D; ++k) {
    RankBox<D> below = whole, above = whole;
    below.hi[k] = above.lo[k] = cut[k];
    const bool cuts = whole.lo[k] <= cut[k] && cut[k] <= whole.hi[k];
    if (cuts && tile(parts, first, below) && tile(parts + first, ranks - first, above)) return true;
    if (cut[k] < whole.hi[k]) return false;
  }
  return false;
}

template <int D, class... Numbers>
Bytes bytes_of(Numbers&... state) {
  Saver saver(Saved::rank_part, D);
  saver(state...);
  return std::move(saver).bytes();
}

/// Reads a part, and appends it to the parts of this rank.
template <int D>
void read(const Bytes& part, Bytes& shared_bytes, RankState<D>& own, std::vector<PartName<D>>& names) {
  Restorer a(part, Saved::rank_part, D);
  PartName<D> name;
  SharedState<D> shared;
  RankState<D> state;
  a(name.number, name.rank, shared, state), a.finish();
  state.check(shared, a);
  a.require("a part", [&] {
    return name.rank >= 0 && name.rank < shared.ranks &&
           own.id.size() + state.id.size() <= static_cast<std::size_t>(most_particles);
  });
  const Bytes shared_here = bytes_of<D>(shared);
  if (names.empty()) shared_bytes = shared_here;
  a.require("parts of one checkpoint", [&] { return shared_bytes == shared_here; });
  own.add(state);
  name.ranks = shared.ranks, name.box = state.box;
  names.push_back(name);
}

/// Gives all ranks the state that they share. If memory runs out the program ends, on all ranks.
inline void share(const Communicator& comm, bool is_here, Bytes& bytes) noexcept {
  int root = is_here ? comm.rank() : -1;
  MPI_Allreduce(MPI_IN_PLACE, &root, 1, MPI_INT, MPI_MAX, comm.get());
  auto size = static_cast<int>(bytes.size());
  MPI_Bcast(&size, 1, MPI_INT, root, comm.get());
  bytes.resize(static_cast<std::size_t>(size));
  MPI_Bcast(bytes.data(), size, MPI_BYTE, root, comm.get());
}

inline void require_ids(const std::vector<std::int64_t>& ids, const std::vector<std::int64_t>& saved) {
  require_id_count(std::ssize(ids), std::ssize(saved));
  const auto [id, wanted] = std::ranges::mismatch(ids, saved);
  if (id == ids.end()) return;
  throw Error(ErrorCode::invalid_argument,
              "particle " + std::to_string(id - ids.begin()) + " has the id " + std::to_string(*id) + ", and " +
                  std::to_string(*wanted) + " in the checkpoint: pass particles in the order of the parts",
              {.argument = "ids", .index = id - ids.begin(), .value = static_cast<double>(*id)});
}

template <int D>
Particles<double, D> particles_of(const RankState<D>& own, const SharedState<D>& shared) {
  return particles_of_width<D>(own.x.data(), own.size.data(), static_cast<std::size_t>(shared.sizes), std::ssize(own.id));
}
template <int D>
RankBoxes<D> boxes_of(const std::vector<PartName<D>>& names) {
  std::vector<RankBox<D>> boxes;
  for (const PartName<D>& name : names) boxes.push_back(name.box);
  return RankBoxes<D>(std::move(boxes));
}

}  // namespace hgrid::inline v0_2::detail
