// SPDX-License-Identifier: BSD-3-Clause
#include "backends.hpp"

#include <fmt/format.h>

#include "ranks.hpp"

#ifdef HGRID_HAS_CUDA
#include "hgrid/device/devices.hpp"
#endif

namespace hgrid::tool {

Backends find_backends() {
  Backends found{{name_of(Backend::serial), name_of(Backend::openmp)}, {}, {}};
#ifdef HGRID_HAS_CUDA
  const CudaDevices cuda = cuda_devices();
  for (const CudaDevice& d : cuda.devices) {
    found.devices.push_back(fmt::format("{}, compute capability {}.{}, {:.1f} GiB", d.name, d.compute_capability / 10,
                                        d.compute_capability % 10, static_cast<double>(d.memory) / (1 << 30)));
  }
  if (cuda.devices.empty()) {
    found.why_no_cuda = "no CUDA device: " + cuda.reason;
  } else {
    found.names.push_back(name_of(Backend::cuda));
  }
#else
  found.why_no_cuda = "no CUDA device: this hgrid was built without CUDA; build it with -DHGRID_CUDA=ON";
#endif
#ifdef HGRID_HAS_MPI
  found.names.push_back(name_of(Backend::mpi));
#endif
  return found;
}

void require_ranks() {
#ifdef HGRID_HAS_MPI
  if (launched_ranks() > 1) return;
  throw Error(ErrorCode::environment, "--backend mpi needs several ranks: mpirun -n 4 hgrid contacts FILE",
              {.argument = "backend"});
#else
  throw Error(ErrorCode::environment,
              "this hgrid was built without MPI, and works on no ranks; build it with -DHGRID_MPI=ON, or run it without mpirun",
              {.argument = "backend"});
#endif
}

Backend choose_backend(std::optional<Backend> asked) {
  const Backend backend = asked.value_or(launched_ranks() > 1 ? Backend::mpi : Backend::openmp);
  if (backend == Backend::mpi) require_ranks();
  if (backend != Backend::cuda) return backend;
  const Backends found = find_backends();
  if (found.why_no_cuda.empty()) return backend;
  throw Error(ErrorCode::device, found.why_no_cuda + "; --backend openmp works here", {.argument = "backend"});
}

}  // namespace hgrid::tool
