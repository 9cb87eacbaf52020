// SPDX-License-Identifier: BSD-3-Clause
#include "host/ranks/bisection.hpp"

#include <zoltan.h>

#include <cfloat>
#include <cmath>
#include <new>

namespace hgrid::inline v0_1::detail {
namespace {

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

// Lack of memory is that of one rank, for which the others would wait: it is none of the errors that callers hear of.
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

}  // namespace

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

}  // namespace hgrid::inline v0_1::detail
