// SPDX-License-Identifier: BSD-3-Clause
// Cuts space for ranks: by blocks of their particles and work, and recursive coordinate bisection of the blocks with Zoltan.
#include "hgrid/ranks/rebalance.hpp"

#include <zoltan.h>

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <exception>
#include <new>
#include <vector>

namespace hgrid::inline v0_2::detail {

namespace {

struct WeightedPoint {
  std::array<double, 3> x;
  float weight;
  unsigned id;  ///< unique among all points of all ranks
};

struct Part {
  std::array<double, 3> lo, hi;  ///< infinite outside
};

struct Bisection {
  std::vector<Part> parts;       ///< one for each rank, numbered along the cuts
  std::vector<char> directions;  ///< directions of the cuts, in Zoltan's own format
};

struct Input {
  int dimension;
  const std::vector<WeightedPoint>* points;
};

const std::vector<WeightedPoint>& points_of(void* data) { return *static_cast<const Input*>(data)->points; }

int count(void* data, int*) { return static_cast<int>(points_of(data).size()); }

void list(void* data, int, int, ZOLTAN_ID_PTR ids, ZOLTAN_ID_PTR numbers, int, float* weights, int*) {
  const std::vector<WeightedPoint>& points = points_of(data);
  for (std::size_t k = 0; k < points.size(); ++k) {
    ids[k] = points[k].id, numbers[k] = static_cast<ZOLTAN_ID_TYPE>(k), weights[k] = points[k].weight;
  }
}

int dimensions(void* data, int*) { return static_cast<const Input*>(data)->dimension; }

void place(void* data, int, int, ZOLTAN_ID_PTR, ZOLTAN_ID_PTR number, double* x, int*) {
  const WeightedPoint& point = points_of(data)[*number];
  for (int k = 0; k < static_cast<const Input*>(data)->dimension; ++k) x[k] = point.x[static_cast<std::size_t>(k)];
}

// Throws for an error of Zoltan. Lack of memory is an error of one rank, for which the others would wait, so callers cannot
// handle it.
void require(int result) {
  if (result == ZOLTAN_OK || result == ZOLTAN_WARN) return;
  if (result == ZOLTAN_MEMERR) throw std::bad_alloc();
  throw Error(ErrorCode::environment, "Zoltan could not cut space for ranks",
              {.argument = "Zoltan", .value = static_cast<double>(result)});
}

class Zoltan {
 public:
  explicit Zoltan(const Communicator& comm) {
    float version = 0;
    require(Zoltan_Initialize(0, nullptr, &version));
    zoltan_ = Zoltan_Create(comm.get());
    if (zoltan_ == nullptr) require(ZOLTAN_MEMERR);
  }
  Zoltan(const Zoltan&) = delete;
  ~Zoltan() { Zoltan_Destroy(&zoltan_); }

  void set(const char* name, const char* value) { require(Zoltan_Set_Param(zoltan_, name, value)); }
  Zoltan_Struct* get() { return zoltan_; }

 private:
  Zoltan_Struct* zoltan_ = nullptr;
};

double end_of(double cut) { return std::fabs(cut) >= DBL_MAX ? std::copysign(HUGE_VAL, cut) : cut; }

/// Cuts space into parts of about equal weight, by the points of all ranks. Uses the directions of an earlier bisection; if
/// these are empty, cuts each part across its longest side. Collective. Throws `environment` if Zoltan fails.
Bisection bisect(const Communicator& comm, int dimension, const std::vector<WeightedPoint>& points,
                 const std::vector<char>& directions) {
  Zoltan zoltan(comm);
  if (directions.empty()) {
    zoltan.set("DEBUG_LEVEL", "0");
    zoltan.set("LB_METHOD", "RCB");
    zoltan.set("IMBALANCE_TOL", "1.001");
    zoltan.set("OBJ_WEIGHT_DIM", "1");
    zoltan.set("KEEP_CUTS", "1");
    zoltan.set("RCB_LOCK_DIRECTIONS", "1");     // of an earlier bisection
    zoltan.set("RCB_RECTILINEAR_BLOCKS", "1");  // points at one coordinate stay together
    zoltan.set("REMAP", "0");                   // ranks are numbered along the cuts
    zoltan.set("RETURN_LISTS", "NONE");
  } else {
    std::vector<char> bytes = directions;
    if (Zoltan_Deserialize(zoltan.get(), bytes.size(), bytes.data()) != ZOLTAN_OK) throw std::bad_alloc();
  }
  Input input{dimension, &points};
  require(Zoltan_Set_Num_Obj_Fn(zoltan.get(), count, &input));
  require(Zoltan_Set_Obj_List_Fn(zoltan.get(), list, &input));
  require(Zoltan_Set_Num_Geom_Fn(zoltan.get(), dimensions, &input));
  require(Zoltan_Set_Geom_Fn(zoltan.get(), place, &input));

  int changes = 0, id_size = 0, number_size = 0, imports = 0, exports = 0;
  ZOLTAN_ID_PTR none[4] = {};
  int *ranks[2] = {}, *parts[2] = {};
  require(Zoltan_LB_Partition(zoltan.get(), &changes, &id_size, &number_size, &imports, &none[0], &none[1], &ranks[0],
                              &parts[0], &exports, &none[2], &none[3], &ranks[1], &parts[1]));

  Bisection cut{std::vector<Part>(static_cast<std::size_t>(comm.size())),
                std::vector<char>(Zoltan_Serialize_Size(zoltan.get()))};
  for (int rank = 0; rank < comm.size(); ++rank) {
    Part& box = cut.parts[static_cast<std::size_t>(rank)];
    int axes = 0;
    require(Zoltan_RCB_Box(zoltan.get(), rank, &axes, &box.lo[0], &box.lo[1], &box.lo[2], &box.hi[0], &box.hi[1], &box.hi[2]));
    for (double& end : box.lo) end = end_of(end);
    for (double& end : box.hi) end = end_of(end);
  }
  require(Zoltan_Serialize(zoltan.get(), cut.directions.size(), cut.directions.data()));
  return cut;
}

constexpr double blocks_of_rank = 16384;

/// After cuts by work, ranks differ because these cuts have changed what particles cost. The next cuts will undo part of this
/// change, so this part of the difference (of logarithms) is ignored: otherwise cuts may swing between two states.
constexpr double doubt = 0.3;

// Returns the number of the first block of this rank, if numbers continue from rank to rank.
unsigned first_number(const Communicator& comm, std::size_t blocks) {
  auto own = static_cast<unsigned>(blocks), before = 0u;
  MPI_Exscan(&own, &before, 1, MPI_UNSIGNED, MPI_SUM, comm.get());
  return comm.rank() == 0 ? 0 : before;
}

template <int D>
double length(const RankBox<D>& box, int axis) {
  return box.hi[axis] - box.lo[axis];
}

/// Counts cuts, and worn cuts: cuts across a side less than half as long as another side. A cut counts for each rank that it
/// bounds.
struct Wear {
  std::size_t cuts = 0, worn = 0;
};

// Returns the part of the bounds that these ranks have. They are numbered along the cuts. Counts the cuts between them.
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

// Returns the bounds of the blocks of all ranks.
template <int D>
RankBox<D> bounds_of(const Communicator& comm, const std::vector<Weighed<D>>& blocks) {
  double ends[2 * D];  // minima; upper ends are negated
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

// Halves entries whose weight exceeds `most`, across their longest side, and so on. A block lies at the mean of its entries. So
// hardly any two blocks share a coordinate, and space may be cut anywhere.
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

}  // namespace hgrid::inline v0_2::detail
