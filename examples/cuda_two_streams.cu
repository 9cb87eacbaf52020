// SPDX-License-Identifier: BSD-3-Clause
// Contact detection at the same time as the dynamics: two grids on streams of their own take turns to list the neighbors of
// positions some steps ago, while spheres move by the list before. A margin covers their motion meanwhile. The host waits for
// neither.
#include <hgrid/cuda.hpp>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <vector>

namespace {

using hgrid::detail::check_cuda;

constexpr double dt = 2e-4, stiffness = 100, pull = 2;
constexpr int steps_of_list = 5;  // steps made while the next list is found
// distances in lists may exceed contact by that; positions are up to 2 * steps_of_list steps old
constexpr double margin = 0.4;

struct Spheres {  // on the device; coordinates interleaved
  double *x, *v, *r, *force;
  int n;
};

__global__ void push(Spheres s, hgrid::ListView list) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= s.n) return;
  double f[3] = {};
  for (hgrid::offset_t k = list.offsets[i]; k < list.offsets[i + 1]; ++k) {
    const hgrid::index_t j = list.neighbours[k];
    double d[3], squared = 0;
    for (int a = 0; a < 3; ++a) d[a] = s.x[3 * i + a] - s.x[3 * j + a], squared += d[a] * d[a];
    const double distance = sqrt(squared), overlap = s.r[i] + s.r[j] - distance;
    if (overlap < 0 || distance == 0) continue;  // a neighbor that does not touch
    for (int a = 0; a < 3; ++a) f[a] += stiffness * overlap * d[a] / distance;
  }
  for (int a = 0; a < 3; ++a) s.force[3 * i + a] = f[a];
}

__global__ void move(Spheres s) {
  const int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= 3 * s.n) return;
  s.v[k] += dt * (s.force[k] - pull * s.x[k]);
  s.x[k] += dt * s.v[k];
}

class Array {
 public:
  explicit Array(const std::vector<double>& values) : bytes_(values.size() * sizeof(double)) {
    check_cuda(cudaMalloc(&data_, bytes_), "cudaMalloc");
    check_cuda(cudaMemcpy(data_, values.data(), bytes_, cudaMemcpyHostToDevice), "cudaMemcpy");
  }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  ~Array() { cudaFree(data_); }
  double* data() const { return data_; }
  void take(const double* from, cudaStream_t stream) const {
    check_cuda(cudaMemcpyAsync(data_, from, bytes_, cudaMemcpyDeviceToDevice, stream), "cudaMemcpyAsync");
  }
  std::vector<double> copied() const {
    std::vector<double> values(bytes_ / sizeof(double));
    check_cuda(cudaMemcpy(values.data(), data_, bytes_, cudaMemcpyDeviceToHost), "cudaMemcpy");
    return values;
  }

 private:
  double* data_ = nullptr;
  std::size_t bytes_;
};

struct Stream {
  cudaStream_t stream = nullptr;
  cudaEvent_t done = nullptr;
  Stream() {
    check_cuda(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreate");
    check_cuda(cudaEventCreateWithFlags(&done, cudaEventDisableTiming), "cudaEventCreate");
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() { cudaEventDestroy(done), cudaStreamDestroy(stream); }
  void record() const { check_cuda(cudaEventRecord(done, stream), "cudaEventRecord"); }
  void wait_for(const Stream& other) const { check_cuda(cudaStreamWaitEvent(stream, other.done), "cudaStreamWaitEvent"); }
};

// Lists that have no room for all entries are empty.
__global__ void notice(const hgrid::offset_t* found, hgrid::offset_t capacity, double* lacks) {
  if (*found < 0 || *found > capacity) *lacks = 1;
}

// A grid and its list, with an executor of its own, because copies of one executor share their scratch memory.
struct Detection {
  Stream own;
  Array positions;
  hgrid::Grid<hgrid::CudaExec, 3> grid{hgrid::CudaExec{own.stream}};
  hgrid::NeighbourList<hgrid::CudaExec> list = grid.make_list(hgrid::ListKind::full);
  const double* radii;
  int n;
  Array lacks{{0.0}};  // 1 once entries found no room

  Detection(const std::vector<double>& x, const double* r) : positions(x), radii(r), n(static_cast<int>(x.size() / 3)) {
    grid.build(hgrid::particles<3>(positions.data(), radii, n), {.skin = margin});
    grid.find(list);  // makes room
    own.record();
  }
  void enqueue() {
    grid.build(hgrid::particles<3>(positions.data(), radii, n), {.skin = margin});
    grid.enqueue(list);
    notice<<<1, 1, 0, own.stream>>>(list.found(), list.capacity(), lacks.data());
  }
  void require_whole() {  // waits
    check_cuda(cudaStreamSynchronize(own.stream), "cudaStreamSynchronize");
    if (lacks.copied()[0] != 0) throw std::runtime_error("entries found no room: go on from an earlier step, with more memory");
  }
};

// Returns where the spheres are after some steps, with the detection beside the dynamics, or before each step.
std::vector<double> positions_after(int steps, const std::vector<double>& at, const std::vector<double>& radii, bool beside) {
  const int n = static_cast<int>(radii.size());
  const Array x(at), v(std::vector<double>(at.size(), 0)), force(at), r(radii);
  const Spheres spheres{x.data(), v.data(), r.data(), force.data(), n};
  check_cuda(cudaDeviceSynchronize(), "cudaDeviceSynchronize");  // all is there, for streams that do not wait for others
  const Stream dynamics;
  const auto step_by = [&](const hgrid::ListView& list) {
    push<<<(n + 127) / 128, 128, 0, dynamics.stream>>>(spheres, list);
    move<<<(3 * n + 127) / 128, 128, 0, dynamics.stream>>>(spheres);
  };
  if (!beside) {
    Detection each(at, r.data());
    for (int k = 0; k < steps; ++k) {
      each.positions.take(x.data(), dynamics.stream), dynamics.record();
      each.own.wait_for(dynamics), each.enqueue(), each.own.record();
      dynamics.wait_for(each.own), step_by(hgrid::ListView(each.list));
    }
    each.require_whole();
    check_cuda(cudaStreamSynchronize(dynamics.stream), "cudaStreamSynchronize");
    return x.copied();
  }
  // [docs: two-streams]
  std::array<std::optional<Detection>, 2> detections;
  for (auto& d : detections) d.emplace(at, r.data());
  for (int k = 0; k < steps; ++k) {
    const int turn = k / steps_of_list;
    if (k % steps_of_list == 0) {
      Detection& next = *detections[turn % 2];  // its last list was read up to here
      next.positions.take(x.data(), dynamics.stream), dynamics.record();
      next.own.wait_for(dynamics), next.enqueue(), next.own.record();
      dynamics.wait_for(detections[(turn + 1) % 2]->own);
    }
    step_by(hgrid::ListView(detections[(turn + 1) % 2]->list));
    if (k % 100 == 99) {  // now and then the host checks that lists were whole, and the margin wide enough
      for (auto& d : detections) d->require_whole();
      check_cuda(cudaStreamSynchronize(dynamics.stream), "cudaStreamSynchronize");
      detections[(turn + 1) % 2]->grid.require_valid(hgrid::particles<3>(x.data(), r.data(), n));
    }
  }
  // [docs: end]
  for (auto& d : detections) d->require_whole();
  check_cuda(cudaStreamSynchronize(dynamics.stream), "cudaStreamSynchronize");
  return x.copied();
}

int run(int n, int steps) {
  std::vector<double> positions, radii;
  const double side = std::cbrt(6.0 * n);
  for (int i = 0; i < n; ++i) {
    for (const double a : {0.819172513396, 0.671043606704, 0.549700477901}) {
      positions.push_back(side * (a * i - std::floor(a * i) - 0.5));
    }
    radii.push_back(i % 50 == 0 ? 1.5 : 0.5);
  }
  const auto a = positions_after(steps, positions, radii, true), b = positions_after(steps, positions, radii, false);
  std::printf("%d steps beside the detection, and after it at each step: %s positions\n", steps, a == b ? "the same" : "other");
  return a == b && a != positions ? 0 : 1;
}

}  // namespace

int main(int argc, char* argv[]) {
  const hgrid::CudaDevices found = hgrid::cuda_devices();
  if (found.devices.empty()) {
    std::printf("no CUDA device: %s\n", found.reason.c_str());
    return 0;
  }
  return argc > 2 ? run(std::atoi(argv[1]), std::atoi(argv[2])) : run(20000, 1000);
}
