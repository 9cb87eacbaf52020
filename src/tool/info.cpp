// SPDX-License-Identifier: BSD-3-Clause
// hgrid info: what this hgrid is and what it can use here.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <omp.h>

#include "backends.hpp"
#include "commands.hpp"
#include "exits.hpp"
#include "hgrid/host/simd_target.hpp"
#include "hgrid/version.hpp"
#include "values.hpp"
#ifdef HGRID_HAS_KOKKOS
#include "hgrid/kokkos.hpp"
#endif

namespace hgrid::tool {
namespace {

#ifdef __clang__
constexpr const char* compiler = __VERSION__;  // says Clang itself
#else
constexpr const char* compiler = "GCC " __VERSION__;
#endif

std::string kokkos() {
#ifdef HGRID_HAS_KOKKOS
  return kokkos_version() + " (for programs that use the library; the tool searches without it)";
#else
  return "not built in";
#endif
}

void run() {
  const Backends backends = find_backends();
  std::string text = fmt::format("hgrid      {}\n", HGRID_VERSION);
  text += fmt::format("compiler   {}\n", compiler);
  text += fmt::format("openmp     {} threads, {} cores\n", usable_threads(0), omp_get_num_procs());
  text += fmt::format("simd       {}\n", simd_target());
  text += fmt::format("kokkos     {}\n", kokkos());
  text += fmt::format("backends   {}\n", fmt::join(backends.names, ", "));
  for (const std::string& device : backends.devices) text += fmt::format("device     {}\n", device);
  text += fmt::format("cuda       {}\n", backends.why_no_cuda.empty() ? "ready" : backends.why_no_cuda);
  print(false, text + "next       hgrid contacts --demo\n");
}

}  // namespace

void add_info(CLI::App& app, Action& action) {
  app.add_subcommand("info", "Show version, compiler, backends and devices")->callback([&action] {
    action = [] { run(); };
  });
}

}  // namespace hgrid::tool
