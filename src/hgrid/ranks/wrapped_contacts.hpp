// SPDX-License-Identifier: BSD-3-Clause
// Contacts on ranks whose positions are wrapped between builds: each rank counts the vectors of its own particles, and the images
// of its contacts go along with these and with the vectors of ghosts.
#pragma once

#include "hgrid/core/contact.hpp"
#include "hgrid/loop/remembered_build.hpp"
#include "hgrid/ranks/device_vector.hpp"

namespace hgrid::inline v0_2::detail {

/// Moves the image of contact k.
struct MoveImages {
  PairColumns<const index_t> contacts;
  const Image* since;  // [held]
  Image* images;

  HGRID_HD void operator()(offset_t k) const {
    const Contact c = contacts[k];
    images[k] = image_now(c.image, since, c.i, c.j);
  }
};

/// Counts by how many vectors each owned particle was wrapped since it was last counted; none if these are not the particles of
/// the build.
template <class Exec, class Real, int D>
void count_wraps(const Exec& exec, RememberedBuild<Exec, D>& built, const Particles<Real, D>& now, bool are_of_build,
                 const Box<D>& box, RankArray<Exec, Image>& since) {
  set_size(since, static_cast<std::size_t>(built.count()));
  auto each = built.counting(now, box, nullptr);
  each.before = nullptr, each.counted = 0, each.since = since.data();
  if (!are_of_build || now.count != built.count()) each.count = 0;
  exec.for_each("hgrid::count_periods", built.count(), each);
}

}  // namespace hgrid::inline v0_2::detail
