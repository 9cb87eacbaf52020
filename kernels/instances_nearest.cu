// SPDX-License-Identifier: BSD-3-Clause
// The kernels of the nearest particles, for all programs that link the library.
#include "hgrid/loop/nearest.hpp"
#include "kernels/cuda_reduce.cuh"

namespace hgrid::inline v0_2 {

using namespace detail;

#define HGRID_EACH(...) template void CudaExec::for_each(const char*, offset_t, const __VA_ARGS__&) const;

#define HGRID_INSTANCES_OF_SEARCH(surfaces, ...)           \
  HGRID_EACH(NearByCells<CudaExec, surfaces, __VA_ARGS__>) \
  HGRID_EACH(NearByBoxes<surfaces, __VA_ARGS__>)           \
  HGRID_EACH(FinishNearest<surfaces, __VA_ARGS__>)

#define HGRID_INSTANCES_OF_STAGES(...)          \
  HGRID_INSTANCES_OF_SEARCH(false, __VA_ARGS__) \
  HGRID_INSTANCES_OF_SEARCH(true, __VA_ARGS__)

#define HGRID_INSTANCES_OF_VIEW(...)      \
  HGRID_INSTANCES_OF_STAGES(__VA_ARGS__)  \
  HGRID_EACH(MeasureSpacing<__VA_ARGS__>) \
  HGRID_EACH(CellsOfPoints<__VA_ARGS__>)  \
  template void CudaExec::reduce(const char*, offset_t, const InspectPoint<__VA_ARGS__>&, const PointCheck&, PointCheck*) const;

#define HGRID_INSTANCES_OF_DIMENSION(D)                \
  HGRID_INSTANCES_OF_STAGES(GridView<D, UprightWorld>) \
  HGRID_INSTANCES_OF_VIEW(GridView<D, OneWorld>)       \
  HGRID_INSTANCES_OF_VIEW(GridView<D, ManyWorlds>)     \
  HGRID_EACH(BoxSlots<D>)                              \
  HGRID_EACH(BoxBoxes<D>)

HGRID_INSTANCES_OF_DIMENSION(2)
HGRID_INSTANCES_OF_DIMENSION(3)
HGRID_EACH(ClearNearest)

}  // namespace hgrid::inline v0_2
