// SPDX-License-Identifier: BSD-3-Clause
// hgrid info: the version of hgrid, and the back ends that it can use here.
#include <fmt/ranges.h>
#include <omp.h>

#include "backends.hpp"
#include "commands.hpp"
#include "exits.hpp"
#include "hgrid/threads/simd_target.hpp"
#include "hgrid/version.hpp"
#include "record.hpp"
#include "values.hpp"
#ifdef HGRID_HAS_KOKKOS
#include "hgrid/kokkos.hpp"
#endif

namespace hgrid::tool {
namespace {

#ifdef __clang__
constexpr const char* compiler = __VERSION__;  // includes Clang's name
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
  Record out;
  out.line("hgrid").say("{}", HGRID_VERSION);
  out.line("compiler").say("{}", compiler);
  out.line("openmp").say("{}, {}", detail::counted(usable_threads(0), "thread"), detail::counted(omp_get_num_procs(), "core"));
  out.line("simd").say("{}", simd_target());
  out.line("kokkos").say("{}", kokkos());
  out.line("backends").say("{}", fmt::join(backends.names, ", "));
  for (const std::string& device : backends.devices) out.line("device").say("{}", device);
  out.line("cuda").say("{}", backends.why_no_cuda.empty() ? "ready" : backends.why_no_cuda);
  out.line("next").say("hgrid contacts --demo");
  print(false, out.text());
}

}  // namespace

void add_info(CLI::App& app, Action& action) {
  app.add_subcommand("info", "Show version, compiler, backends and devices")->callback([&action] { action = [] { run(); }; });
}

}  // namespace hgrid::tool
