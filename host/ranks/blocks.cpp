// SPDX-License-Identifier: BSD-3-Clause
#include "hgrid/ranks/blocks.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <new>

#include "host/ranks/bisection.hpp"

namespace hgrid::inline v0_1::detail {
namespace {

std::size_t power(std::size_t base, int exponent) { return exponent == 0 ? 1 : base * power(base, exponent - 1); }

// As few as give each rank thousands, so that cuts are fine enough, and as all ranks have room for.
std::size_t blocks_per_axis(int ranks, int dimension) {
  constexpr std::size_t of_rank = 16384, most = std::size_t{1} << 21;
  const std::size_t wanted = std::min(of_rank * static_cast<std::size_t>(ranks), most);
  std::size_t per_axis = 1;
  while (power(per_axis, dimension) < wanted) per_axis *= 2;
  return power(per_axis, dimension) > most ? per_axis / 2 : per_axis;
}

// The sums over all ranks of an equal share of the numbers, as many as `share`.
std::vector<double> sums_of_share(const Communicator& comm, std::vector<double> numbers, std::size_t share) {
  numbers.resize(share * static_cast<std::size_t>(comm.size()), 0.0);
  std::vector<double> sums(share);
  MPI_Reduce_scatter_block(numbers.data(), sums.data(), static_cast<int>(share), MPI_DOUBLE, MPI_SUM, comm.get());
  return sums;
}

}  // namespace

template <int D>
Blocks<D>::Blocks(int ranks, const Box<D>& box, Vec<double, D> lo, Vec<double, D> hi)
    : box_(box), per_axis_(blocks_per_axis(ranks, D)), particles_(power(per_axis_, D)), work_(particles_.size()) {
  for (int k = 0; k < D; ++k) {
    if (box.wraps[k]) lo[k] = box.lo[k], hi[k] = box.hi[k];
    lo_[k] = lo[k], size_[k] = hi[k] > lo[k] ? (hi[k] - lo[k]) / static_cast<double>(per_axis_) : 1;
  }
}

template <int D>
std::size_t Blocks<D>::block_of(const Vec<double, D>& x) const {
  const double last = static_cast<double>(per_axis_ - 1);
  std::size_t block = 0;
  for (int k = 0; k < D; ++k) {
    block = block * per_axis_ + static_cast<std::size_t>(std::clamp((x[k] - lo_[k]) / size_[k], 0.0, last));
  }
  return block;
}

template <int D>
Vec<double, D> Blocks<D>::centre(std::size_t block) const {
  Vec<double, D> x;
  for (int k = D - 1; k >= 0; --k, block /= per_axis_)
    x[k] = lo_[k] + (static_cast<double>(block % per_axis_) + 0.5) * size_[k];
  return x;
}

template <int D>
std::vector<RankBox<D>> Blocks<D>::cut(const Communicator& comm) const try {
  if (comm.size() == 1) return {RankBox<D>::all_of(box_)};
  const auto ranks = static_cast<std::size_t>(comm.size());
  const std::size_t share = (particles_.size() + ranks - 1) / ranks, first = share * static_cast<std::size_t>(comm.rank());
  const std::vector<double> particles = sums_of_share(comm, particles_, share), work = sums_of_share(comm, work_, share);
  double total[2] = {};
  for (std::size_t b = 0; b < share; ++b) total[0] += particles[b], total[1] += work[b];
  MPI_Allreduce(MPI_IN_PLACE, total, 2, MPI_DOUBLE, MPI_SUM, comm.get());

  std::vector<WeightedPoint> points;
  for (std::size_t b = 0; b < share && first + b < particles_.size(); ++b) {
    // Without a particle anywhere all blocks weigh the same.
    double weight = total[0] > 0 ? particles[b] / total[0] : 1;
    if (total[1] > 0) weight += work[b] / total[1];
    if (weight == 0) continue;
    WeightedPoint point{{}, static_cast<float>(weight), static_cast<unsigned>(first + b)};
    const Vec<double, D> x = centre(first + b);
    std::copy_n(x.v, D, point.x.begin());
    points.push_back(point);
  }
  std::vector<RankBox<D>> boxes;
  for (const Part& part : bisect(comm, D, points)) {
    RankBox<D> box;
    for (int k = 0; k < D; ++k) {
      box.lo[k] = part.lo[static_cast<std::size_t>(k)], box.hi[k] = part.hi[static_cast<std::size_t>(k)];
      if (box_.wraps[k]) box.lo[k] = std::max(box.lo[k], box_.lo[k]), box.hi[k] = std::min(box.hi[k], box_.hi[k]);
    }
    boxes.push_back(box);
  }
  return boxes;
} catch (const std::bad_alloc&) {
  std::terminate();  // other ranks wait for this one
}

template class Blocks<2>;
template class Blocks<3>;

}  // namespace hgrid::inline v0_1::detail
