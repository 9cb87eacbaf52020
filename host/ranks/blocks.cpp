// SPDX-License-Identifier: BSD-3-Clause
#include "hgrid/ranks/blocks.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <new>

#include "host/ranks/bisection.hpp"

namespace hgrid::inline v0_1::detail {
namespace {

constexpr double blocks_of_rank = 16384;

/// After cuts by work, ranks differ because these cuts have changed what particles cost. They will change it back in part, so
/// this part of the difference (of logarithms) is not believed: else cuts may swing between two states.
constexpr double doubt = 0.3;

// The number of the first block of this rank, if numbers go on from rank to rank.
unsigned first_number(const Communicator& comm, std::size_t blocks) {
  auto own = static_cast<unsigned>(blocks), before = 0u;
  MPI_Exscan(&own, &before, 1, MPI_UNSIGNED, MPI_SUM, comm.get());
  return comm.rank() == 0 ? 0 : before;
}

template <int D>
double length(const RankBox<D>& box, int axis) {
  return box.hi[axis] - box.lo[axis];
}

/// Cuts, and those of them that are across a side less than half as long as another; a cut counts for each rank that it bounds.
struct Wear {
  std::size_t cuts = 0, worn = 0;
};

// The part of the bounds that ranks have, which are numbered along the cuts. Counts the cuts between them.
template <int D>
RankBox<D> inspect_cuts(std::span<const RankBox<D>> ranks, const RankBox<D>& bounds, Wear& wear) {
  RankBox<D> all;
  if (ranks.size() == 1) {
    for (int k = 0; k < D; ++k) {
      all.lo[k] = std::max(ranks[0].lo[k], bounds.lo[k]), all.hi[k] = std::min(ranks[0].hi[k], bounds.hi[k]);
    }
    return all;
  }
  const std::size_t middle = (ranks.size() + 1) / 2;
  const RankBox<D> below = inspect_cuts(ranks.first(middle), bounds, wear);
  const RankBox<D> above = inspect_cuts(ranks.subspan(middle), bounds, wear);
  double longest = 0, cut = 0;
  for (int k = 0; k < D; ++k) {
    all.lo[k] = std::min(below.lo[k], above.lo[k]), all.hi[k] = std::max(below.hi[k], above.hi[k]);
    longest = std::max(longest, length(all, k));
    if (below.hi[k] <= above.lo[k]) cut = std::max(cut, length(all, k));
  }
  wear.cuts += ranks.size();
  if (2 * cut < longest) wear.worn += ranks.size();
  return all;
}

template <int D>
bool is_worn(std::span<const RankBox<D>> ranks, const RankBox<D>& bounds) {
  Wear wear;
  inspect_cuts(ranks, bounds, wear);
  return 8 * wear.worn > wear.cuts;
}

// Of the blocks of all ranks.
template <int D>
RankBox<D> bounds_of(const Communicator& comm, const std::vector<Weighed<D>>& blocks) {
  double ends[2 * D];  // the least of them, of negative upper ends
  std::ranges::fill(ends, HUGE_VAL);
  for (const Weighed<D>& block : blocks) {
    for (int k = 0; k < D; ++k) ends[k] = std::min(ends[k], block.x[k]), ends[D + k] = std::min(ends[D + k], -block.x[k]);
  }
  MPI_Allreduce(MPI_IN_PLACE, ends, 2 * D, MPI_DOUBLE, MPI_MIN, comm.get());
  RankBox<D> bounds;
  for (int k = 0; k < D; ++k) bounds.lo[k] = ends[k], bounds.hi[k] = -ends[D + k];
  return bounds;
}

template <int D>
std::vector<RankBox<D>> boxes_of(const std::vector<Part>& parts, const Box<D>& box) {
  std::vector<RankBox<D>> boxes;
  for (const Part& part : parts) {
    RankBox<D> of_rank;
    for (int k = 0; k < D; ++k) {
      of_rank.lo[k] = part.lo[static_cast<std::size_t>(k)], of_rank.hi[k] = part.hi[static_cast<std::size_t>(k)];
      if (!box.wraps[k]) continue;
      of_rank.lo[k] = std::max(of_rank.lo[k], box.lo[k]), of_rank.hi[k] = std::min(of_rank.hi[k], box.hi[k]);
    }
    boxes.push_back(of_rank);
  }
  return boxes;
}

}  // namespace

template <int D>
double Blocks<D>::sum_of(std::span<const Weighed<D>> entries) {
  double sum = 0;
  for (const Weighed<D>& entry : entries) sum += entry.weight;
  return sum;
}

template <int D>
void Blocks<D>::set_work(std::vector<Weighed<D>> work, index_t owned) {
  const double all = sum_of(work);
  work.resize(static_cast<std::size_t>(owned));
  const double own = sum_of(work);
  for (Weighed<D>& entry : work) entry.weight *= all / own;
  work_ = std::move(work), counted_ = owned;
}

// Halves what weighs too much, across its longest side, until nothing does. A block lies at the mean of its entries, so hardly
// any two share a coordinate, and space may be cut anywhere.
template <int D>
void Blocks<D>::gather(std::span<Weighed<D>> entries, double most, std::vector<Weighed<D>>& blocks) {
  Weighed<D> block{{}, sum_of(entries)};
  if (block.weight == 0) return;
  Vec<double, D> lo = entries.front().x, hi = lo;
  for (const Weighed<D>& entry : entries) {
    for (int k = 0; k < D; ++k) {
      block.x[k] += entry.weight / block.weight * entry.x[k];
      lo[k] = std::min(lo[k], entry.x[k]), hi[k] = std::max(hi[k], entry.x[k]);
    }
  }
  int longest = 0;
  for (int k = 1; k < D; ++k) longest = hi[k] - lo[k] > hi[longest] - lo[longest] ? k : longest;
  if (block.weight <= most || !(lo[longest] < hi[longest])) return blocks.push_back(block);
  const auto middle = entries.begin() + static_cast<std::ptrdiff_t>(entries.size() / 2);
  std::ranges::nth_element(entries, middle, {}, [&](const Weighed<D>& entry) { return entry.x[longest]; });
  gather({entries.begin(), middle}, most, blocks);
  gather({middle, entries.end()}, most, blocks);
}

template <int D>
std::vector<RankBox<D>> Blocks<D>::cut(const Communicator& comm, const Box<D>& box, LastCuts& last) try {
  if (comm.size() == 1) return {RankBox<D>::all_of(box)};
  const double own_work = sum_of(work_);
  double total[] = {sum_of(particles_), own_work, counted_};
  MPI_Allreduce(MPI_IN_PLACE, total, 3, MPI_DOUBLE, MPI_SUM, comm.get());
  if (total[0] == 0) {  // space is cut evenly
    Weighed<D> alone{{}, total[0] = 1};
    for (int k = 0; k < D; ++k) {
      const double share = (comm.rank() + 0.5) / comm.size();
      alone.x[k] = box.wraps[k] ? box.lo[k] + share * box.length(k) : share;
    }
    particles_.push_back(alone);
  }
  const double share = total[1] > 0 ? std::max(0.0, 1 - total[2] / total[0]) : 1, most = 1 / (blocks_of_rank * comm.size());
  const double over_mean = own_work * comm.size() / total[1], believed = last.by_work ? std::pow(over_mean, -doubt) : 1;
  for (Weighed<D>& particle : particles_) particle.weight *= share / total[0];
  for (Weighed<D>& work : work_) work.weight *= believed * (1 - share) / total[1];
  std::vector<Weighed<D>> blocks;
  gather(particles_, most, blocks);
  gather(work_, most, blocks);

  std::vector<WeightedPoint> points;
  unsigned number = first_number(comm, blocks.size());
  for (const Weighed<D>& block : blocks) {
    points.push_back({{}, static_cast<float>(block.weight), number++});
    std::copy_n(block.x.v, D, points.back().x.begin());
  }
  Bisection cuts = bisect(comm, D, points, last.directions);
  std::vector<RankBox<D>> boxes = boxes_of(cuts.parts, box);
  if (!last.directions.empty() && is_worn<D>(boxes, bounds_of(comm, blocks))) {
    cuts = bisect(comm, D, points, {});
    boxes = boxes_of(cuts.parts, box);
  }
  last = {std::move(cuts.directions), total[1] > 0};
  return boxes;
} catch (const std::bad_alloc&) {
  std::terminate();  // other ranks wait for this one
}

template class Blocks<2>;
template class Blocks<3>;

}  // namespace hgrid::inline v0_1::detail
