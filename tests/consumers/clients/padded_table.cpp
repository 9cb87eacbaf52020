// SPDX-License-Identifier: BSD-3-Clause
// A client like codes with a table of fixed width, which grows by doubling: the neighbors of each particle, -1 after the last,
// and a byte of status bits for each particle. One bit says that it takes part.
#include <hgrid/hgrid.hpp>

#include "system.hpp"

namespace {

enum Status : std::uint8_t { exists = 1, moves = 2, marked = 4 };

}  // namespace

int main() {
  const System system(1000);
  std::vector<std::uint8_t> status(static_cast<std::size_t>(system.size()));
  for (std::size_t i = 0; i < status.size(); ++i) status[i] = static_cast<std::uint8_t>((i % 3 != 0 ? exists : 0) | marked);

  // [docs: padded_table]
  auto particles = hgrid::particles<3>(system.x.data(), system.r.data(), system.size());
  particles.active = status.data();
  particles.active_bits = exists;  // one bit of several

  hgrid::Grid grid{hgrid::OpenMPExec{}, hgrid::Box3::open()};
  grid.build(particles);
  std::vector<int> table, counts(status.size());
  for (hgrid::offset_t width = 4;; width *= 2) {
    table.resize(static_cast<std::size_t>(width) * status.size());
    try {
      grid.find(hgrid::NeighbourMatrix<int>{table.data(), system.size(), width, counts.data()});
      break;
    } catch (const hgrid::Error& e) {
      if (e.code() != hgrid::ErrorCode::capacity) throw;  // detail().needed is the width that suffices
    }
  }
  // [docs: end]

  std::set<std::pair<int, int>> found;
  const std::size_t width = table.size() / status.size();
  std::size_t entries = 0;
  for (std::size_t i = 0; i < status.size(); ++i) {
    for (std::size_t k = 0; k < width; ++k) {
      const int j = table[i * width + k];
      require((j >= 0) == (k < static_cast<std::size_t>(counts[i])), "the padding");
      if (j < 0) continue;
      ++entries;
      found.insert(std::minmax(static_cast<int>(i), j));
    }
  }
  const auto expected = system.contacts([&](int i, int j) { return (status[i] & exists) != 0 && (status[j] & exists) != 0; });
  require(found == expected && entries == 2 * found.size() && found.size() > 100, "the padded table");
}
