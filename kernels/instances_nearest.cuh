// SPDX-License-Identifier: BSD-3-Clause
// Names the kernels of the nearest particles. The library compiles them, and programs that link it only declare them.
#pragma once

#include "hgrid/find/nearest.hpp"
#include "kernels/cuda_reduce.cuh"

#ifndef HGRID_KERNELS_ARE
#define HGRID_KERNELS_ARE extern template
#endif

namespace hgrid::inline v0_2 {

#define HGRID_EACH(...) HGRID_KERNELS_ARE void CudaExec::for_each(const char*, offset_t, const __VA_ARGS__&) const;

#define HGRID_INSTANCES_OF_SEARCH(surfaces, ...)                   \
  HGRID_EACH(detail::NearByCells<CudaExec, surfaces, __VA_ARGS__>) \
  HGRID_EACH(detail::NearByBoxes<surfaces, __VA_ARGS__>)           \
  HGRID_EACH(detail::FinishNearest<surfaces, __VA_ARGS__>)

#define HGRID_INSTANCES_OF_STAGES(...)          \
  HGRID_INSTANCES_OF_SEARCH(false, __VA_ARGS__) \
  HGRID_INSTANCES_OF_SEARCH(true, __VA_ARGS__)

#define HGRID_INSTANCES_OF_VIEW(...)                                                                       \
  HGRID_INSTANCES_OF_STAGES(__VA_ARGS__)                                                                   \
  HGRID_EACH(detail::MeasureSpacing<__VA_ARGS__>)                                                          \
  HGRID_EACH(detail::CellsOfPoints<__VA_ARGS__>)                                                           \
  HGRID_KERNELS_ARE void CudaExec::reduce(const char*, offset_t, const detail::InspectPoint<__VA_ARGS__>&, \
                                          const detail::PointCheck&, detail::PointCheck*) const;

#define HGRID_INSTANCES_OF_DIMENSION(D)                        \
  HGRID_INSTANCES_OF_STAGES(GridView<D, detail::UprightWorld>) \
  HGRID_INSTANCES_OF_VIEW(GridView<D, detail::OneWorld>)       \
  HGRID_INSTANCES_OF_VIEW(GridView<D, detail::ManyWorlds>)     \
  HGRID_EACH(detail::BoxSlots<D>)                              \
  HGRID_EACH(detail::BoxBoxes<D>)

HGRID_INSTANCES_OF_DIMENSION(2)
HGRID_INSTANCES_OF_DIMENSION(3)
HGRID_EACH(detail::ClearNearest)

}  // namespace hgrid::inline v0_2

#undef HGRID_EACH
#undef HGRID_INSTANCES_OF_DIMENSION
#undef HGRID_INSTANCES_OF_SEARCH
#undef HGRID_INSTANCES_OF_STAGES
#undef HGRID_INSTANCES_OF_VIEW
