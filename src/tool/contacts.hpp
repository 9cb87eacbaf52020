// SPDX-License-Identifier: BSD-3-Clause
// What `hgrid contacts` was asked for, and what that means.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "io/atomic_file.hpp"
#include "search.hpp"
#include "values.hpp"

namespace hgrid::tool {

/// The options; an empty one was not given.
struct ContactsOptions {
  std::string file;
  bool demo = false;
  std::optional<double> radius;
  std::optional<std::int64_t> frame;
  io::BadRows bad_rows = io::BadRows::error;
  std::optional<int> dimension;
  bool single_precision = false;
  Axes periodic{};
  std::vector<double> box, tilt, cell;
  double skin = 0;
  Rule rule = Rule::sum;
  std::optional<reference::Algorithm> algorithm;  ///< none: the grid
  std::string plan;
  std::vector<double> cells;
  std::optional<Direction> direction;
  std::optional<KeyOrder> keys;
  Order order = Order::sorted;
  std::optional<Backend> backend;  ///< none: the tool's choice
  int threads = 0;
  std::string exclude, world, out, walls, walls_out;
  bool overwrite = false, json = false;
};

/// Adds the options to the command line.
void declare(CLI::App& command, ContactsOptions& o);

/// The particles. Throws what the readers throw, and Error(invalid_argument) where radii are missing.
io::ParticleTable read_input(const ContactsOptions& o);

/// How to search them. Throws Error(invalid_argument) for options that do not fit them or each other, and what the readers
/// throw for the files that options name.
SearchOptions search_options(const ContactsOptions& o, const io::ParticleTable& table);

/// Finds the contacts of particles with the walls that the options name, reports them, and writes them as
/// rows ball,facet,overlap if there is a file.
void search_walls(const ContactsOptions& o, const io::ParticleTable& table, const SearchOptions& options, io::AtomicFile* out,
                  Progress& progress, Report& report);

}  // namespace hgrid::tool
