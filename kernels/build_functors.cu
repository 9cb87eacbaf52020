// SPDX-License-Identifier: BSD-3-Clause
// Every functor of core and build as a kernel, so that what the host tests prove is known to compile for the
// device: no host-only call, no unsupported type. Launches and the tuned search come with the CUDA executor.
#include "hgrid/build/cell_tables.hpp"
#include "hgrid/build/neighbours.hpp"
#include "hgrid/build/radix_sort.hpp"
#include "hgrid/build/rows.hpp"
#include "hgrid/build/stages.hpp"
#include "hgrid/kernels/cuda_atomics.cuh"

namespace hgrid {

/// One thread an item: the plainest way to run a functor.
template <class F>
__global__ void run_functor(F f, offset_t n) {
  const offset_t i = blockIdx.x * static_cast<offset_t>(blockDim.x) + threadIdx.x;
  if (i < n) f(i);
}

/// The same for functors that fold into a value.
template <class F, class V>
__global__ void run_fold(F f, offset_t n, V* values) {
  const offset_t i = blockIdx.x * static_cast<offset_t>(blockDim.x) + threadIdx.x;
  if (i < n) f(i, values[i]);
}

namespace {

struct AddOne {  // stands for the user's functor
  offset_t* contacts;
  HGRID_HD void operator()(index_t i, index_t, const Image&) const {
    CudaAtomics::atomic_add(&contacts[i], offset_t{1});
  }
};

}  // namespace

#define HGRID_KERNELS_OF_INPUT(Real, D)                                                                  \
  template __global__ void run_fold(InspectParticle<Real, D>, offset_t, InputSummary<D>*);               \
  template __global__ void run_functor(SampleParticle<Real, D>, offset_t);                               \
  template __global__ void run_functor(MakeKey<CudaAtomics, Real, D>, offset_t);                         \
  template __global__ void run_functor(GatherSlot<Real, D>, offset_t);

#define HGRID_KERNELS_OF_GRID(D)                                              \
  HGRID_KERNELS_OF_INPUT(float, D)                                            \
  HGRID_KERNELS_OF_INPUT(double, D)                                           \
  template __global__ void run_functor(FillDenseRows<D>, offset_t);           \
  template __global__ void run_functor(FillDenseCells<D>, offset_t);          \
  template __global__ void run_functor(MarkCells<D>, offset_t);               \
  template __global__ void run_functor(FillCompacted<D>, offset_t);           \
  template __global__ void run_functor(CountContacts<D>, offset_t);           \
  template __global__ void run_functor(WriteContacts<D>, offset_t);           \
  template __global__ void run_functor(VisitContacts<D, AddOne>, offset_t);   \
  template __global__ void run_functor(VisitPartners<D, AddOne>, offset_t);   \
  template __global__ void run_fold(CountWork<D>, offset_t, WorkCount*);

HGRID_KERNELS_OF_GRID(2)
HGRID_KERNELS_OF_GRID(3)

template __global__ void run_functor(Fill<double>, offset_t);
template __global__ void run_functor(Fill<index_t>, offset_t);
template __global__ void run_functor(Fill<offset_t>, offset_t);
template __global__ void run_functor(rows::Copy, offset_t);
template __global__ void run_functor(CountDigits<4>, offset_t);
template __global__ void run_functor(MoveByDigit<4>, offset_t);
template __global__ void run_functor(CountRows<CudaAtomics>, offset_t);
template __global__ void run_functor(ScatterToRows<CudaAtomics>, offset_t);
template __global__ void run_functor(SortRows, offset_t);
template __global__ void run_functor(WriteSortedPairs<std::int32_t>, offset_t);
template __global__ void run_functor(WriteSortedPairs<std::uint32_t>, offset_t);

}  // namespace hgrid
