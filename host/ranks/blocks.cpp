// SPDX-License-Identifier: BSD-3-Clause
#include "hgrid/ranks/blocks.hpp"

#include <algorithm>
#include <exception>
#include <new>

#include "host/ranks/bisection.hpp"

namespace hgrid::inline v0_1::detail {
namespace {

constexpr double blocks_of_rank = 16384;

// The number of the first block of this rank, if numbers go on from rank to rank.
unsigned first_number(const Communicator& comm, std::size_t blocks) {
  auto own = static_cast<unsigned>(blocks), before = 0u;
  MPI_Exscan(&own, &before, 1, MPI_UNSIGNED, MPI_SUM, comm.get());
  return comm.rank() == 0 ? 0 : before;
}

}  // namespace

template <int D>
double Blocks<D>::sum_of(std::span<const Weighed<D>> entries) {
  double sum = 0;
  for (const Weighed<D>& entry : entries) sum += entry.weight;
  return sum;
}

// Halves what weighs too much, across its longest side, until nothing does. A block lies at the mean of its entries, so hardly any two
// share a coordinate, and space may be cut anywhere.
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
std::vector<RankBox<D>> Blocks<D>::cut(const Communicator& comm, const Box<D>& box) try {
  if (comm.size() == 1) return {RankBox<D>::all_of(box)};
  double total[] = {sum_of(particles_), sum_of(work_), counted_};
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
  for (Weighed<D>& particle : particles_) particle.weight *= share / total[0];
  for (Weighed<D>& work : work_) work.weight *= (1 - share) / total[1];
  std::vector<Weighed<D>> blocks;
  gather(particles_, most, blocks);
  gather(work_, most, blocks);

  std::vector<WeightedPoint> points;
  unsigned number = first_number(comm, blocks.size());
  for (const Weighed<D>& block : blocks) {
    points.push_back({{}, static_cast<float>(block.weight), number++});
    std::copy_n(block.x.v, D, points.back().x.begin());
  }
  std::vector<RankBox<D>> boxes;
  for (const Part& part : bisect(comm, D, points)) {
    RankBox<D> of_rank;
    for (int k = 0; k < D; ++k) {
      of_rank.lo[k] = part.lo[static_cast<std::size_t>(k)], of_rank.hi[k] = part.hi[static_cast<std::size_t>(k)];
      if (!box.wraps[k]) continue;
      of_rank.lo[k] = std::max(of_rank.lo[k], box.lo[k]), of_rank.hi[k] = std::min(of_rank.hi[k], box.hi[k]);
    }
    boxes.push_back(of_rank);
  }
  return boxes;
} catch (const std::bad_alloc&) {
  std::terminate();  // other ranks wait for this one
}

template class Blocks<2>;
template class Blocks<3>;

}  // namespace hgrid::inline v0_1::detail
