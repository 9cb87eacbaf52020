// SPDX-License-Identifier: BSD-3-Clause
// A client like codes that fuse the search with a kernel of their own: the view of a built grid, copied into their own loop
// over slots, which runs on their threads. The margin of the grid is in proportion to the size of a particle, not a skin.
#include <hgrid/core/search.hpp>
#include <hgrid/hgrid.hpp>

#include <algorithm>
#include <thread>

#include "system.hpp"

int main() {
  System system(1200);
  const auto n = static_cast<std::size_t>(system.size());

  // [docs: margin]
  auto particles = hgrid::particles<3>(system.x.data(), system.r.data(), system.size());
  hgrid::Grid grid{hgrid::SerialExec{}, hgrid::Box3::open()};
  auto widened = particles;
  widened.radius_scale = 1.1;  // pairs with a gap up to a tenth of both radii are taken
  grid.build(widened);
  bool good = grid.valid(particles);  // while every particle has moved by at most a tenth of its radius
  // [docs: end]
  require(good, "unmoved particles");

  std::vector<int> contacts(n);
  // [docs: kernel]
  const auto view = grid.view();  // pointers and counts, to be copied into any kernel; of the last build
  const auto kernel = [&, view](hgrid::index_t slot) {
    const hgrid::index_t i = view.id[slot];
    hgrid::for_each_partner(view, slot, [&](hgrid::index_t j, hgrid::Image) {
      if (system.touch(i, j)) ++contacts[static_cast<std::size_t>(i)];  // the view's radii are the widened ones
    });
  };
  // [docs: end]
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&, t] {
      for (hgrid::index_t slot = t; slot < view.slots(); slot += 3) kernel(slot);
    });
  }
  for (std::thread& thread : threads) thread.join();

  std::vector<int> expected(n);
  for (const auto& [i, j] : system.contacts([](int, int) { return true; })) {
    ++expected[static_cast<std::size_t>(i)], ++expected[static_cast<std::size_t>(j)];
  }
  require(contacts == expected, "the contacts of a kernel of one's own");

  const auto largest = static_cast<std::size_t>(std::max_element(system.r.begin(), system.r.end()) - system.r.begin());
  const auto smallest = static_cast<std::size_t>(std::min_element(system.r.begin(), system.r.end()) - system.r.begin());
  system.x[3 * largest] += 0.099 * system.r[largest];
  require(grid.valid(particles), "a large particle may move by a tenth of its radius");
  system.x[3 * smallest] += 0.101 * system.r[smallest];
  require(!grid.valid(particles), "a small one by no more either");
}
