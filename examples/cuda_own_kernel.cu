// SPDX-License-Identifier: BSD-3-Clause
// Kernels of one's own in a CUDA graph: one searches through the grid's view, another reads neighbor lists that the graph
// makes.
#include <hgrid/cuda.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

namespace {

using hgrid::detail::check_cuda;

// [docs: own-kernel]
// The partners of a particle belong to one thread, so that nothing is added atomically. Slots are the particles in the grid's
// order; the device knows their number.
__global__ void sum_reaches(hgrid::GridView<3> grid, const double* r, double* reaches) {
  const auto slot = static_cast<hgrid::index_t>(blockIdx.x * blockDim.x + threadIdx.x);
  if (slot >= grid.slots()) return;
  const hgrid::index_t i = grid.id[slot];
  double sum = 0;
  hgrid::for_each_partner(grid, slot, [&](hgrid::index_t j, const hgrid::Image&) { sum += r[i] + r[j]; });
  reaches[i] = sum;
}

// Sums from lists: at most `capacity` neighbors, or all lists are empty.
__global__ void sum_reaches_of_list(hgrid::ListView list, const double* r, double* reaches) {
  const auto i = static_cast<hgrid::index_t>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= list.lists) return;
  double sum = 0;
  for (hgrid::offset_t k = list.offsets[i]; k < list.offsets[i + 1]; ++k) sum += r[i] + r[list.neighbours[k]];
  reaches[i] = sum;
}
// [docs: end]

struct Array {
  double* data = nullptr;
  explicit Array(const std::vector<double>& values) {
    check_cuda(cudaMalloc(&data, values.size() * sizeof(double)), "cudaMalloc");
    check_cuda(cudaMemcpy(data, values.data(), values.size() * sizeof(double), cudaMemcpyHostToDevice), "cudaMemcpy");
  }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  ~Array() { cudaFree(data); }
  std::vector<double> copied(int n) const {
    std::vector<double> values(static_cast<std::size_t>(n));
    check_cuda(cudaMemcpy(values.data(), data, values.size() * sizeof(double), cudaMemcpyDeviceToHost), "cudaMemcpy");
    return values;
  }
};

int run() {
  const int n = 4000, blocks = (n + 127) / 128;
  std::vector<double> positions, radii;
  for (int i = 0; i < n; ++i) {
    for (const double a : {0.819172513396, 0.671043606704, 0.549700477901}) positions.push_back(20 * (a * i - std::floor(a * i)));
    radii.push_back(i % 100 == 0 ? 2.0 : 0.5);
  }
  const Array x(positions), r(radii), searched(radii), listed(radii);
  cudaStream_t stream;
  check_cuda(cudaStreamCreate(&stream), "cudaStreamCreate");
  bool same = false;
  {
    hgrid::Grid grid{hgrid::CudaExec{stream}, hgrid::Box3::open()};
    auto list = grid.make_list(hgrid::ListKind::full);
    const auto particles = hgrid::particles<3>(x.data, r.data, n);
    // [docs: graph]
    grid.build(particles);
    grid.find(list);  // once before the capture, so that nothing has to grow in it
    cudaGraph_t graph;
    cudaGraphExec_t step;
    check_cuda(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "capture");
    grid.build(particles);
    grid.enqueue(list);
    sum_reaches<<<blocks, 128, 0, stream>>>(grid.view(), r.data, searched.data);
    sum_reaches_of_list<<<blocks, 128, 0, stream>>>(hgrid::ListView(list), r.data, listed.data);
    check_cuda(cudaStreamEndCapture(stream, &graph), "capture");
    check_cuda(cudaGraphInstantiate(&step, graph, 0), "cudaGraphInstantiate");
    // [docs: end]
    for (int replay = 0; replay < 3; ++replay) check_cuda(cudaGraphLaunch(step, stream), "cudaGraphLaunch");
    grid.wait(list);
    const std::vector<double> a = searched.copied(n), b = listed.copied(n);
    same = list.size() > 0 && std::equal(a.begin(), a.end(), b.begin(), [](double s, double l) { return std::abs(s - l) < 1e-9; });
    std::printf("%lld neighbours, the same sums from both kernels: %s\n", static_cast<long long>(list.size()), same ? "yes" : "no");
    cudaGraphExecDestroy(step);
    cudaGraphDestroy(graph);
  }
  cudaStreamDestroy(stream);
  return same ? 0 : 1;
}

}  // namespace

int main() {
  const hgrid::CudaDevices found = hgrid::cuda_devices();
  if (found.devices.empty()) {
    std::printf("no CUDA device: %s\n", found.reason.c_str());
    return 0;
  }
  return run();
}
