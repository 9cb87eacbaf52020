// SPDX-License-Identifier: BSD-3-Clause
// What `hgrid contacts` was asked for, and what that means.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "search.hpp"

namespace CLI {
class App;
}

namespace hgrid::tool {

/// The options as given; empty: not given.
struct ContactsOptions {
  std::string file;
  bool demo = false;
  std::string dimension, radius, box, periodic, skin, plan, cells, direction, keys;
  std::optional<std::int64_t> frame;
  std::string order, algorithm = "grid", backend = "auto", real = "double", bad_rows = "error";
  int threads = 0;
  std::string out, walls, walls_out;
  bool overwrite = false, json = false;
};

/// Adds the options to the command line.
void declare(CLI::App& command, ContactsOptions& o);

/// The particles. Throws what the readers throw, and Error(invalid_argument) where radii are missing.
io::ParticleTable read_input(const ContactsOptions& o);

/// How to search them. Throws Error(invalid_argument) for options that do not fit them or each other.
SearchOptions search_options(const ContactsOptions& o, const io::ParticleTable& table);

}  // namespace hgrid::tool
