// SPDX-License-Identifier: BSD-3-Clause
// Particles on the CUDA devices of several ranks: forces between all of them, and a time loop in which each contact remembers
// since when it touches. mpirun -n 4 cuda_ranks [PARTICLES]
#include <hgrid/cuda.hpp>
#include <hgrid/mpi.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <vector>

namespace {

constexpr double stiffness = 1;

// A linear spring, called once for each contact, on one rank only; i and j are owned particles or ghosts.
struct AddForce {
  hgrid::Box3 box;
  const double *x, *r;
  double* f;

  __device__ void operator()(hgrid::index_t i, hgrid::index_t j, hgrid::Image m) const {
    double d[3];
    for (int k = 0; k < 3; ++k) d[k] = hgrid::separation(box, k, x[3 * i + k], x[3 * j + k], m);
    const double distance = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]), overlap = r[i] + r[j] - distance;
    if (overlap <= 0 || distance == 0) return;
    for (int k = 0; k < 3; ++k) {
      const double force = stiffness * overlap * d[k] / distance;
      atomicAdd(&f[3 * i + k], force);
      atomicAdd(&f[3 * j + k], -force);
    }
  }
};

struct Drift {
  double *x, *v, dt;

  __device__ void operator()(hgrid::offset_t k) const { x[k] += dt * v[k]; }
};

// Called for each contact of a list; it may be within the skin only.
struct Age {
  hgrid::Box3 box;
  hgrid::PairColumns<const hgrid::index_t> contacts;
  const double *x, *r;
  double *ages, dt;

  __device__ void operator()(hgrid::offset_t k) const {
    const auto [i, j, m] = contacts[k];
    double squared = 0;
    for (int a = 0; a < 3; ++a) {
      const double d = hgrid::separation(box, a, x[3 * i + a], x[3 * j + a], m);
      squared += d * d;
    }
    ages[k] = sqrt(squared) < r[i] + r[j] ? ages[k] + dt : 0;
  }
};

int run(int rank, int ranks, int all) {
  const auto n = static_cast<std::size_t>(all / ranks);
  const double length = 2 * std::cbrt(all);
  std::mt19937 random(static_cast<unsigned>(rank));
  std::uniform_real_distribution<double> coordinate(0, length), radius(0.2, 2);
  std::vector<double> first_x(3 * n), first_r(n), first_v(3 * n);
  std::vector<std::int64_t> first_id(n);
  for (double& c : first_x) c = coordinate(random);
  for (double& a : first_r) a = radius(random);
  std::iota(first_id.begin(), first_id.end(), static_cast<std::int64_t>(n) * rank);

  for (double& c : first_v) c = coordinate(random) - 0.5 * length;
  double sum = 0, size = 0, oldest = 0;
  {
    const hgrid::Box3 box = hgrid::Box3::periodic({0, 0, 0}, {length, length, length});
    // [docs: cuda-ranks]
    hgrid::use_cuda_device(hgrid::rank_on_node(MPI_COMM_WORLD));    // each rank of a node takes one in turn
    const hgrid::CudaExec exec;                                     // on the device that is this rank's current one
    hgrid::DeviceVector x(exec, first_x), r(exec, first_r), v(exec, first_v);
    hgrid::DeviceVector id(exec, first_id);
    hgrid::DistributedGrid grid{exec, box, MPI_COMM_WORLD};
    grid.rebalance(x, r);
    grid.migrate(x, r, id, hgrid::Field{v, 3});
    grid.build(x, r, id, {.skin = 0.05});
    hgrid::DeviceVector f(exec, std::vector<double>());
    for (int step = 0; step < 3; ++step) {                          // a time loop would move the particles
      grid.update(hgrid::Field{x, 3});                              // only entries of ghosts leave the device
      f.assign(x.size(), 0);
      grid.for_each_contact(AddForce{box, x.data(), grid.radii().data(), f.data()});
      grid.add_back(hgrid::Field{f, 3});
    }
    // [docs: end]
    const std::vector<double> forces = f.on_host();
    for (int i = 0; i < grid.owned(); ++i) sum += forces[3 * i], size += std::fabs(forces[3 * i]);
    std::printf("rank %d: %d particles and %d ghosts\n", rank, grid.owned(), grid.ghosts());

    const double dt = 0.01 / length;
    // [docs: cuda-loop]
    hgrid::DistributedVerletList list{grid, {.skin = 0.05}};
    hgrid::DistributedPairArray<double, hgrid::CudaExec> ages(exec);  // ages of contacts, 0 at first
    for (int step = 0; step < 10; ++step) {
      exec.for_each("drift", 3 * static_cast<hgrid::offset_t>(id.size()), Drift{x.data(), v.data(), dt});
      list.update(x, r, id, hgrid::Field{v, 3}, ages);                // builds if it must; ages follow their contacts
      exec.for_each("age", list.size(), Age{box, list.contacts(), x.data(), grid.radii().data(), ages.data(), dt});
    }
    // [docs: end]
    std::vector<double> here(static_cast<std::size_t>(ages.size()));
    exec.copy_out(here.data(), static_cast<const double*>(ages.data()), ages.size());
    for (const double age : here) oldest = std::fmax(oldest, age / dt);
  }
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &size, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &oldest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  if (rank == 0) std::printf("forces of %.3g along x, whose sum is %.1e; contacts of %.0f steps\n", size, sum, oldest);
  return size > 0 && std::fabs(sum) < 1e-9 * size && std::round(oldest) == 10 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, ranks = 1, failed = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const hgrid::CudaDevices found = hgrid::cuda_devices();
  if (found.devices.empty()) {
    std::printf("no CUDA device: %s\n", found.reason.c_str());
  } else {
    failed = run(rank, ranks, argc > 1 ? std::atoi(argv[1]) : 100000);
  }
  MPI_Finalize();
  return failed;
}
