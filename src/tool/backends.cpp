// SPDX-License-Identifier: BSD-3-Clause
#include "backends.hpp"

#include <fmt/format.h>

#include "hgrid/core/error.hpp"
#include "hgrid/version.hpp"
#ifdef HGRID_HAS_CUDA
#include "hgrid/kernels/devices.hpp"
#endif

namespace hgrid::tool {

Backends find_backends() {
  Backends found{{"serial", "openmp"}, {}, {}};
#ifdef HGRID_HAS_CUDA
  const CudaDevices cuda = cuda_devices();
  for (const CudaDevice& d : cuda.devices) {
    found.devices.push_back(fmt::format("{}, compute capability {}.{}, {:.1f} GiB", d.name,
                                        d.compute_capability / 10, d.compute_capability % 10,
                                        static_cast<double>(d.memory) / (1 << 30)));
  }
  found.why_no_cuda =
      cuda.devices.empty()
          ? "no CUDA device: " + cuda.reason
          : fmt::format("there is a CUDA device, but version {} of hgrid does not search on it yet",
                        HGRID_VERSION);
#else
  found.why_no_cuda = "no CUDA device: this hgrid was built without CUDA; build it with -DHGRID_CUDA=ON";
#endif
  return found;
}

std::string choose_backend(const std::string& asked) {
  if (asked == "auto") return "openmp";
  if (asked != "cuda") return asked;
  throw Error(ErrorCode::device, find_backends().why_no_cuda + "; --backend openmp works here",
              {.argument = "backend"});
}

}  // namespace hgrid::tool
