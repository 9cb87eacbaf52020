// SPDX-License-Identifier: BSD-3-Clause
// A whole time loop in one CUDA graph: check of the neighbor list, a new one where it must be, forces, motion. The host
// launches the graph thousands of times and waits for none of them.
#include <hgrid/cuda.hpp>
#include <hgrid/loop.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

namespace {

using hgrid::detail::check_cuda;

constexpr double dt = 1e-3, stiffness = 2e3, damping = 4, pull = 2;

struct Spheres {  // on the device; coordinates interleaved
  double *x, *v, *r;
  int n;
};

// [docs: guarded]
// One thread a sphere sums its forces from a full list, with a spring for each entry, and moves it. Where the guard does not
// hold, the list lacks contacts, and all stays as it is.
__global__ void push(Spheres s, hgrid::ListView list, double* springs, double* force, hgrid::ListGuard guard) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= s.n || !guard.holds()) return;
  double f[3] = {};
  for (hgrid::offset_t k = list.offsets[i]; k < list.offsets[i + 1]; ++k) {
    const hgrid::index_t j = list.neighbours[k];
    double d[3], squared = 0, approach = 0;
    for (int a = 0; a < 3; ++a) d[a] = s.x[3 * i + a] - s.x[3 * j + a], squared += d[a] * d[a];
    const double distance = sqrt(squared), overlap = s.r[i] + s.r[j] - distance;
    if (overlap < 0 || distance == 0) {
      springs[k] = 0;  // a neighbor that does not touch
      continue;
    }
    springs[k] += overlap * dt;
    for (int a = 0; a < 3; ++a) approach += (s.v[3 * i + a] - s.v[3 * j + a]) * d[a] / distance;
    const double strength = stiffness * (overlap + springs[k]) - damping * approach;
    for (int a = 0; a < 3; ++a) f[a] += strength * d[a] / distance;
  }
  for (int a = 0; a < 3; ++a) force[3 * i + a] = f[a];
}

__global__ void move(Spheres s, const double* force, hgrid::ListGuard guard) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= 3 * s.n || !guard.holds()) return;
  const double r = s.r[k / 3];
  s.v[k] += dt * (force[k] / (r * r * r) - pull * s.x[k]);
  s.x[k] += dt * s.v[k];
}
// [docs: end]

class Array {
 public:
  explicit Array(const std::vector<double>& values) : size_(values.size()) {
    check_cuda(cudaMalloc(&data_, size_ * sizeof(double)), "cudaMalloc");
    check_cuda(cudaMemcpy(data_, values.data(), size_ * sizeof(double), cudaMemcpyHostToDevice), "cudaMemcpy");
  }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  ~Array() { cudaFree(data_); }
  double* data() const { return data_; }
  double mean_distance() const {  // from the middle
    std::vector<double> x(size_);
    check_cuda(cudaMemcpy(x.data(), data_, size_ * sizeof(double), cudaMemcpyDeviceToHost), "cudaMemcpy");
    double sum = 0;
    for (std::size_t k = 0; k < size_; k += 3) sum += std::hypot(x[k], x[k + 1], x[k + 2]);
    return 3 * sum / static_cast<double>(size_);
  }

 private:
  double* data_ = nullptr;
  std::size_t size_;
};

int run(int n, int steps) {
  std::vector<double> positions, radii;
  const double side = std::cbrt(6.0 * n);
  for (int i = 0; i < n; ++i) {
    for (const double a : {0.819172513396, 0.671043606704, 0.549700477901}) {
      positions.push_back(side * (a * i - std::floor(a * i) - 0.5));
    }
    radii.push_back(i % 50 == 0 ? 1.5 : 0.5);
  }
  const Array x(positions), v(std::vector<double>(positions.size(), 0)), force(positions), r(radii);
  const Spheres spheres{x.data(), v.data(), r.data(), n};
  const double before = x.mean_distance();
  cudaStream_t stream;
  check_cuda(cudaStreamCreate(&stream), "cudaStreamCreate");
  {
    hgrid::Grid grid{hgrid::CudaExec{stream}};
    hgrid::VerletList list{grid, {.kind = hgrid::ListKind::full, .skin = 0.3}};
    hgrid::PairArray<hgrid::CudaExec, double> springs{grid.exec()};
    const auto particles = hgrid::particles<3>(spheres.x, spheres.r, n);
    cudaGraphExec_t step = nullptr;
    int graphs = 0;
    // [docs: graph-loop]
    while (list.counters().steps < steps) {
      if (list.wait(particles, springs)) {  // at first, and where the list has outgrown its memory
        if (step != nullptr) cudaGraphExecDestroy(step);
        grid.exec().forget_graphs();  // frees the memory that only they used
        cudaGraph_t graph;
        check_cuda(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "capture");
        list.enqueue_update(particles, springs);
        push<<<(n + 127) / 128, 128, 0, stream>>>(spheres, hgrid::ListView(list.neighbours()), springs.data(), force.data(),
                                                  list.guard());
        move<<<(3 * n + 127) / 128, 128, 0, stream>>>(spheres, force.data(), list.guard());
        check_cuda(cudaStreamEndCapture(stream, &graph), "capture");
        check_cuda(cudaGraphInstantiate(&step, graph, 0), "cudaGraphInstantiate");
        cudaGraphDestroy(graph);
        ++graphs;
      }
      for (int k = 0; k < 50; ++k) check_cuda(cudaGraphLaunch(step, stream), "cudaGraphLaunch");
    }
    // [docs: end]
    std::printf("%lld steps, %lld lists, %d graphs\n", static_cast<long long>(list.counters().steps),
                static_cast<long long>(list.counters().builds), graphs);
    cudaGraphExecDestroy(step);
  }
  cudaStreamDestroy(stream);
  const double after = x.mean_distance();
  std::printf("mean distance from the middle %.3f -> %.3f\n", before, after);
  return after < before ? 0 : 1;
}

}  // namespace

int main(int argc, char* argv[]) {
  const hgrid::CudaDevices found = hgrid::cuda_devices();
  if (found.devices.empty()) {
    std::printf("no CUDA device: %s\n", found.reason.c_str());
    return 0;
  }
  return argc > 2 ? run(std::atoi(argv[1]), std::atoi(argv[2])) : run(20000, 2000);
}
