// SPDX-License-Identifier: BSD-3-Clause
// Closes what simd_begin-inl.hpp opens. What chooses among the variants follows where HWY_ONCE holds.
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
