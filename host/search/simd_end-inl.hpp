// SPDX-License-Identifier: BSD-3-Clause
// Closes the namespaces that simd_begin-inl.hpp opens. Code that chooses a variant follows under HWY_ONCE.
#ifdef HGRID_WITH_HIGHWAY
}  // namespace hgrid::inline v0_2::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#if HWY_ONCE
#include "host/search/simd_dispatch.hpp"
#endif
#else
}  // namespace
}  // namespace hgrid::inline v0_2::detail
#endif
