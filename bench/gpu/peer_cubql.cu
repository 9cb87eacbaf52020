// SPDX-License-Identifier: BSD-3-Clause
// A peer for bench/gpu.sh on cuBQL, a library of bounding volume hierarchies that you have: the half pair list of a file of
// particles, by a binary tree over their boxes. It differs from hgrid in two ways: everything is single precision, so that
// pairs which just touch may count otherwise, and each pair is met from both sides. peer_cubql PARTICLES
#define CUBQL_GPU_BUILDER_IMPLEMENTATION 1
#include "cuBQL/bvh.h"  // before its builders

#include "cuBQL/builder/cuda.h"
#include "cuBQL/builder/cuda/rebinMortonBuilder.h"
#include "cuBQL/traversal/fixedBoxQuery.h"

#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/scan.h>

#include "particles.hpp"
#include "timing.cuh"

namespace {

using Tree = cuBQL::BinaryBVH<float, 3>;
using Box = cuBQL::box_t<float, 3>;

struct Spheres {
  const float *x, *r;

  __device__ Box box(unsigned i) const {
    Box b;
    b.lower = {x[3 * i] - r[i], x[3 * i + 1] - r[i], x[3 * i + 2] - r[i]};
    b.upper = {x[3 * i] + r[i], x[3 * i + 1] + r[i], x[3 * i + 2] + r[i]};
    return b;
  }
  __device__ bool touch(unsigned i, unsigned j) const {
    const float dx = x[3 * j] - x[3 * i], dy = x[3 * j + 1] - x[3 * i + 1], dz = x[3 * j + 2] - x[3 * i + 2];
    const float s = r[i] + r[j];
    return dx * dx + dy * dy + dz * dz <= s * s;
  }
};

struct MakeBox {
  Spheres spheres;
  Box* box;
  __device__ void operator()(unsigned i) const { box[i] = spheres.box(i); }
};

/// Finds the partners of the particle of a leaf: counts without an output, else writes from the scan's place.
struct Search {
  Tree tree;
  Spheres spheres;
  unsigned long long* begin;
  uint2* out;

  __device__ void operator()(unsigned leaf) const {
    const unsigned i = tree.primIDs[leaf];  // adjacent threads walk the tree alike
    unsigned long long found = out == nullptr ? 0 : begin[leaf];
    cuBQL::fixedBoxQuery::forEachPrim(
        [&](unsigned j) {
          if (j > i && spheres.touch(i, j)) {
            if (out != nullptr) out[found] = {i, j};
            ++found;
          }
          return CUBQL_CONTINUE_TRAVERSAL;
        },
        tree, spheres.box(i));
    if (out == nullptr) begin[leaf] = found;
  }
};

void run(const char* path) {
  const gpu_bench::HostParticles p = gpu_bench::read_particles(path);
  const auto n = static_cast<unsigned>(p.size());
  const thrust::device_vector<float> x = p.x, r = p.r;
  thrust::device_vector<Box> boxes(n);
  thrust::device_vector<unsigned long long> begin(n + 1);
  thrust::device_vector<uint2> pairs;
  const Spheres spheres{thrust::raw_pointer_cast(x.data()), thrust::raw_pointer_cast(r.data())};
  cudaStream_t stream;
  hgrid::detail::check_cuda(cudaStreamCreate(&stream), "cudaStreamCreate");
  const auto each = [&](const auto& f) {
    const thrust::counting_iterator<unsigned> first(0);
    thrust::for_each(thrust::cuda::par_nosync.on(stream), first, first + n, f);
  };
  const auto step = [&] {
    each(MakeBox{spheres, thrust::raw_pointer_cast(boxes.data())});
    Tree tree;
    cuBQL::cuda::rebinRadixBuilder(tree, thrust::raw_pointer_cast(boxes.data()), n, cuBQL::BuildConfig(), stream);
    Search search{tree, spheres, thrust::raw_pointer_cast(begin.data()), nullptr};
    each(search);
    thrust::exclusive_scan(thrust::cuda::par_nosync.on(stream), begin.begin(), begin.end(), begin.begin());
    search.out = thrust::raw_pointer_cast(pairs.data());
    if (!pairs.empty()) each(search);
    cuBQL::cuda::free(tree, stream, cuBQL::defaultGpuMemResource());
    hgrid::detail::check_cuda(cudaGetLastError(), "a kernel");
  };
  step();  // counts
  hgrid::detail::check_cuda(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  const unsigned long long found = begin.back();
  pairs.resize(found);
  const gpu_bench::Times t = gpu_bench::time_of(stream, step);
  if (begin.back() != found) throw std::runtime_error("the last step finds other pairs than the first");
  std::printf("%s\n", gpu_bench::Row().add(t).add("pairs", double(found)).text().c_str());
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 2) return std::fprintf(stderr, "peer_cubql PARTICLES\n"), 2;
  return run(argv[1]), 0;
} catch (const std::exception& e) {
  return std::fprintf(stderr, "%s\n", e.what()), 1;
}
