// SPDX-License-Identifier: BSD-3-Clause
// A small complete DEM in raw CUDA: spheres of many sizes fall onto a floor, in a box that is periodic sideways. Contacts
// come from a functor that hgrid calls on the device; no list is made, and the time loop neither waits nor allocates.
#include <hgrid/cuda.hpp>

#include <cstdio>
#include <vector>

namespace {

struct Spheres {  // structure of arrays on the device; coordinates interleaved
  double *x, *v, *f, *r;
  int n;
};

constexpr double width = 30, gravity = 1, stiffness = 2e3, damping = 4, dt = 1e-3;

__device__ double mass(double r) { return r * r * r; }

// A linear spring and dashpot along the line of centres; called once per contact, from many threads.
struct AddContactForce {
  Spheres s;
  hgrid::Box3 box;

  __device__ void operator()(hgrid::index_t i, hgrid::index_t j, hgrid::Image m) const {
    double d[3], distance = 0, approach = 0;
    for (int k = 0; k < 3; ++k) {
      d[k] = hgrid::separation(box, k, s.x[3 * i + k], s.x[3 * j + k], m);
      distance += d[k] * d[k];
    }
    distance = sqrt(distance);
    if (distance == 0) return;
    for (int k = 0; k < 3; ++k) approach += (s.v[3 * i + k] - s.v[3 * j + k]) * d[k] / distance;
    const double push = stiffness * (s.r[i] + s.r[j] - distance) - damping * approach;
    for (int k = 0; k < 3; ++k) {
      atomicAdd(&s.f[3 * i + k], push * d[k] / distance);
      atomicAdd(&s.f[3 * j + k], -push * d[k] / distance);
    }
  }
};

__global__ void fill(Spheres s) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= s.n) return;
  const double a[3] = {0.819172513396, 0.671043606704, 0.549700477901};
  for (int k = 0; k < 3; ++k) {
    const double u = a[k] * i;
    s.x[3 * i + k] = width * (u - floor(u)) * (k == 2 ? 2 : 1) + 1;
    s.v[3 * i + k] = s.f[3 * i + k] = 0;
  }
  s.r[i] = i % 100 == 0 ? 1.0 : 0.2 + 0.2 * ((i * 37) % 100) / 100.0;
}

__global__ void integrate(Spheres s) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= s.n) return;
  const double m = mass(s.r[i]), into_floor = s.r[i] - s.x[3 * i + 2];
  if (into_floor > 0) s.f[3 * i + 2] += stiffness * into_floor - damping * s.v[3 * i + 2];
  s.f[3 * i + 2] -= m * gravity;
  for (int k = 0; k < 3; ++k) {
    s.v[3 * i + k] += dt * s.f[3 * i + k] / m;
    s.x[3 * i + k] += dt * s.v[3 * i + k];
    s.f[3 * i + k] = 0;
  }
}

template <class T>
T* device_array(std::size_t n) {
  T* p = nullptr;
  hgrid::detail::check_cuda(cudaMalloc(&p, n * sizeof(T)), "cudaMalloc");
  return p;
}

double height(const Spheres& s) {  // mean height of the centres
  std::vector<double> x(3 * s.n);
  hgrid::detail::check_cuda(cudaMemcpy(x.data(), s.x, x.size() * sizeof(double), cudaMemcpyDeviceToHost), "cudaMemcpy");
  double sum = 0;
  for (int i = 0; i < s.n; ++i) sum += x[3 * i + 2];
  return sum / s.n;
}

int run() {
  const int n = 50000, blocks = (n + 255) / 256;
  const Spheres s{device_array<double>(3 * n), device_array<double>(3 * n), device_array<double>(3 * n),
                  device_array<double>(n), n};
  cudaStream_t stream;
  hgrid::detail::check_cuda(cudaStreamCreate(&stream), "cudaStreamCreate");
  bool fell = false;
  {
    const auto box = hgrid::Box3::periodic({0, 0, 0}, {width, width, 1}, {true, true, false});
    hgrid::Grid grid{hgrid::CudaExec{stream}, box};
    fill<<<blocks, 256, 0, stream>>>(s);
    const double before = height(s);
    for (int step = 0; step < 2000; ++step) {
      grid.build(hgrid::particles<3>(s.x, s.r, n));
      grid.for_each_contact(AddContactForce{s, box});
      integrate<<<blocks, 256, 0, stream>>>(s);
    }
    const double after = height(s);  // waits
    grid.check();
    std::printf("mean height %.3f -> %.3f, %lld contacts\n", before, after, static_cast<long long>(grid.count()));
    fell = after < before && after > 0;
  }
  cudaStreamDestroy(stream);
  for (double* p : {s.x, s.v, s.f, s.r}) cudaFree(p);
  return fell ? 0 : 1;
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
