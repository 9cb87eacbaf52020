// SPDX-License-Identifier: BSD-3-Clause
#include "io/csv_pairs.hpp"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <iterator>

namespace hgrid::io {

void write_pairs_csv(AtomicFile& file, const PairSource& pairs) {
  fmt::memory_buffer text;
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "i,j,ix,iy,iz,overlap\n");
  for_each_batch(pairs, [&](std::int64_t, std::span<const PairRow> rows) {
    for (const auto& [c, overlap] : rows) {
      fmt::format_to(out, FMT_COMPILE("{},{},{},{},{},{}\n"), c.i, c.j, c.image[0], c.image[1], c.image[2], overlap);
    }
    file.write_when_full(text);
  });
  file.write({text.data(), text.size()});
}

}  // namespace hgrid::io
