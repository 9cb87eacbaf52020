// SPDX-License-Identifier: BSD-3-Clause
// The nearest particles on the host execution spaces of Kokkos, and by the executor that devices of Kokkos have: in a memory
// space of its own, which is the host's under another name.
#include <cstring>

#include "kokkos_session.hpp"
#include "support/nearest_on_devices.hpp"
#include "support/random_suite.hpp"

namespace support {

struct OfDevice {
  static constexpr const char* get_name() { return "OfDevice"; }
};
using KokkosHost = Kokkos::DefaultHostExecutionSpace;
using KokkosDeviceMemory = Kokkos::Experimental::LogicalMemorySpace<Kokkos::HostSpace, KokkosHost, OfDevice>;

/// Copies as Kokkos does for device memory. For host memory it copies nothing that is const.
struct CopyOnHost {
  CopyOnHost(const KokkosHost& space, void* to, const void* from, std::size_t bytes) {
    space.fence();
    std::memcpy(to, from, bytes);
  }
  CopyOnHost(void* to, const void* from, std::size_t bytes) { std::memcpy(to, from, bytes); }
};

}  // namespace support

template <>
struct Kokkos::Impl::DeepCopy<support::KokkosDeviceMemory, Kokkos::HostSpace, support::KokkosHost> : support::CopyOnHost {
  using CopyOnHost::CopyOnHost;
};
template <>
struct Kokkos::Impl::DeepCopy<Kokkos::HostSpace, support::KokkosDeviceMemory, support::KokkosHost> : support::CopyOnHost {
  using CopyOnHost::CopyOnHost;
};
template <>
struct Kokkos::Impl::MemorySpaceAccess<Kokkos::AnonymousSpace, support::KokkosDeviceMemory> {
  enum : bool { assignable = true, accessible = true, deepcopy = true };
};

namespace {

using Host = support::KokkosHost;
using DeviceExec = hgrid::KokkosExec<Host, support::KokkosDeviceMemory>;
static_assert(!DeviceExec::on_host);

TEST(NearestKokkos, OfRandomSystems) {
  const std::uint64_t first = support::from_environment("HGRID_SEED", 1);
  const std::uint64_t systems = support::from_environment("HGRID_SYSTEMS", 300);
  for (std::uint64_t seed = first; seed < first + systems; ++seed) {
    const support::Case c = support::of_spheres(support::make_case(seed));
    ASSERT_EQ(support::check_nearest(DeviceExec(), c), "") << "seed " << seed << "\n" << support::to_text(c);
    if (seed % 4 != 0) continue;
    ASSERT_EQ(support::check_nearest(hgrid::make_exec(Host()), c), "") << "seed " << seed;
  }
}

TEST(NearestKokkos, EqualsTheHost) {
  const oracle::System s = support::polydisperse(6000, 20, true, 3);
  support::expect_nearest_as_on_hosts(DeviceExec(), s, support::turned_over(s));
  support::expect_errors_of_nearest(DeviceExec());
}

}  // namespace
