// SPDX-License-Identifier: BSD-3-Clause
// The readers: any bytes give a table or a typed error. The first byte selects the format, the rest is the file.
#include <cmath>
#include <limits>

#include "hgrid/core/error.hpp"
#include "io/read_particles.hpp"
#include "io/walls.hpp"
#include "memory_file.hpp"

namespace {

using namespace hgrid::io;

void expect_table(const ParticleTable& table, const ReadOptions& options) {
  const std::size_t n = table.x.size();
  fuzz::require(table.y.size() == n && table.z.size() == n && (table.r.empty() || table.r.size() == n),
                "columns differ in length");
  fuzz::require(table.dimension == 2 || table.dimension == 3, "a dimension of neither 2 nor 3");
  fuzz::require(table.skipped_rows >= 0, "a negative number of skipped rows");
  fuzz::require(options.bad_rows == BadRows::skip || table.skipped_rows == 0, "rows were skipped unasked");
  for (std::size_t i = 0; i < n; ++i) {
    fuzz::require(std::isfinite(table.x[i]) && std::isfinite(table.y[i]) && std::isfinite(table.z[i]),
                  "a coordinate that is not finite came through");
    fuzz::require(table.dimension == 3 || table.z[i] == 0, "two dimensions with a third");
    if (!table.r.empty()) fuzz::require(std::isfinite(table.r[i]), "a radius that is not finite came through");
  }
}

void expect_walls(const std::string& path) {
  for (const WallTriangle& triangle : read_walls(path)) {
    for (double x : triangle) fuzz::require(std::isfinite(x), "a vertex that is not finite came through");
  }
}

void readers(fuzz::Input input) {
  if (input.empty()) return;
  static fuzz::MemoryFile file;
  const int how = input[0];
  file.fill({reinterpret_cast<const char*>(input.data()) + 1, input.size() - 1});
  static const std::string paths[] = {file.path("input"), file.path("input.npy"), file.path("input.data"),
                                      file.path("input.csv")};
  ReadOptions options;
  if (how & 4) options.bad_rows = BadRows::skip;
  if (how & 8) options.radius = 0.5;
  if (how & 16) options.frames = FrameRange::one(how >> 5 & 3);
  options.max_line = how & 128 ? 64 : 4096;
  try {
    how >= 0xfc ? expect_walls(paths[0]) : expect_table(read_particles(paths[how & 3], options), options);
  } catch (const hgrid::Error& error) {
    fuzz::require(std::string(error.what()).size() < 1200, "an unbounded message");
    for (const char c : std::string(error.what())) {
      fuzz::require(static_cast<unsigned char>(c) >= 0x20, "a control character in a message");
    }
  }
}

}  // namespace

HGRID_FUZZ_TARGET(readers)
