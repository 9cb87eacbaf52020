// SPDX-License-Identifier: BSD-3-Clause
// The Kokkos header: hgrid::Grid on any Kokkos execution space, from Kokkos Views. Kokkos 3.4 to 5.x.
#pragma once

#include <Kokkos_Core.hpp>
#include <string>

#include "hgrid/grid.hpp"
#include "hgrid/kokkos_exec.hpp"
#ifdef KOKKOS_ENABLE_CUDA
#include "hgrid/cuda.hpp"
#endif

namespace hgrid::inline v0_2 {

/// Keeps Kokkos initialised for its lifetime, unless it has been initialised already.
class KokkosSession {
 public:
  KokkosSession() : mine_(!Kokkos::is_initialized()) {
    if (mine_) Kokkos::initialize();
  }
  KokkosSession(const KokkosSession&) = delete;
  KokkosSession& operator=(const KokkosSession&) = delete;
  ~KokkosSession() {
    if (mine_) Kokkos::finalize();
  }

 private:
  bool mine_;
};

/// Returns the version of Kokkos with which this header was compiled, e.g. "4.7.1".
inline std::string kokkos_version() {
  return std::to_string(KOKKOS_VERSION / 10000) + "." + std::to_string(KOKKOS_VERSION / 100 % 100) + "." +
         std::to_string(KOKKOS_VERSION % 100);
}

namespace detail {

/// Returns a view of particles in Kokkos Views.
template <int D, class Space, class Positions, class Sizes>
auto particles_of_views(const Positions& x, const Sizes& sizes) {
  using Real = typename Sizes::non_const_value_type;
  using Element = typename Positions::non_const_value_type;
  static_assert(Kokkos::SpaceAccessibility<Space, typename Positions::memory_space>::accessible &&
                    Kokkos::SpaceAccessibility<Space, typename Sizes::memory_space>::accessible,
                "wrong space: the views must live where the execution space can read them");
  constexpr bool of_structs = Positions::rank == 1, of_numbers = std::is_arithmetic_v<Element>;
  constexpr bool boxes = Sizes::rank == 2;
  static_assert(boxes || Sizes::rank == 1, "radii are a View of rank 1, half extents of boxes one of rank 2, [n][D]");
  static_assert(of_structs ? !of_numbers : Positions::rank == 2,
                "positions are a View of rank 2, such as View<double*[3]>, or of rank 1 of structs; 3 n numbers of rank 1 are "
                "one without a copy: View<const double*[3], LayoutRight, MemoryUnmanaged>(x.data(), n)");
  constexpr bool begins_with_numbers =
      std::is_standard_layout_v<Element> && sizeof(Element) >= D * sizeof(Real) && sizeof(Element) % sizeof(Real) == 0;
  static_assert(of_structs ? of_numbers || begins_with_numbers : std::is_same_v<Element, Real>,
                "positions and radii need the same real type");
  bool fits = x.extent(0) == sizes.extent(0);
  if constexpr (!of_structs) fits = fits && x.extent(1) == D;
  if constexpr (boxes) fits = fits && sizes.extent(1) == D;
  if (!fits) {
    throw Error(ErrorCode::size_mismatch, "positions [" + std::to_string(x.extent(0)) + "][" +
                                              std::to_string(of_structs ? D : x.extent(1)) + "] and " +
                                              (boxes ? "half extents [" : "radii [") + std::to_string(sizes.extent(0)) +
                                              (boxes ? "][" + std::to_string(sizes.extent(1)) : "") + "] do not fit");
  }
  Particles<Real, D> p{};
  for (int k = 0; k < D; ++k) {
    p.position[k] = reinterpret_cast<const Real*>(x.data());
    if (p.position[k] != nullptr) p.position[k] += of_structs ? k : k * x.stride(1);
  }
  p.stride = of_structs ? x.stride(0) * (sizeof(Element) / sizeof(Real)) : x.stride(0);
  if constexpr (boxes) {
    static constexpr Real of_none = 0;  // replaces the null data of no particles, so that they still count as boxes
    for (int k = 0; k < D; ++k) p.extent[k] = sizes.data() == nullptr ? &of_none : sizes.data() + k * sizes.stride(1);
    p.extent_stride = sizes.stride(0);
  } else {
    p.radius = sizes.data();
    p.radius_stride = sizes.stride(0);
  }
  p.count = static_cast<std::int64_t>(x.extent(0));
  return p;
}

}  // namespace detail

/// Returns a view of particles in Kokkos Views: positions `[n][D]` in any layout, or `[n]` of a struct that begins with D
/// coordinates; sizes are radii `[n]`, or half extents `[n][D]` of boxes. Both must be accessible from the execution space
/// (checked at compile time). Throws `size_mismatch`.
template <int D, class Space, class PositionType, class... P, class SizeType, class... S>
auto as_particles(const KokkosExec<Space>&, const Kokkos::View<PositionType, P...>& x,
                  const Kokkos::View<SizeType, S...>& sizes) {
  return detail::particles_of_views<D, Space>(x, sizes);
}

#ifdef KOKKOS_ENABLE_CUDA
/// Returns the library's own executor for CUDA, on the instance's stream.
inline CudaExec make_exec(const Kokkos::Cuda& space) { return CudaExec(space.cuda_stream()); }

template <int D, class PositionType, class... P, class SizeType, class... S>
auto as_particles(const CudaExec&, const Kokkos::View<PositionType, P...>& x, const Kokkos::View<SizeType, S...>& sizes) {
  return detail::particles_of_views<D, Kokkos::Cuda>(x, sizes);
}
#endif

/// Returns the executor for an execution space instance.
template <class Space>
KokkosExec<Space> make_exec(const Space& space) {
  return KokkosExec<Space>(space);
}

/// Returns the executor for the default execution space.
inline auto make_exec() { return make_exec(Kokkos::DefaultExecutionSpace()); }

}  // namespace hgrid::inline v0_2
