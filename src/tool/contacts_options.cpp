// SPDX-License-Identifier: BSD-3-Clause
#include "contacts.hpp"

namespace hgrid::tool {
namespace {

/// The values of an enum and a word for none of them.
template <Named Enum>
Words<std::optional<Enum>> words_and(const std::string& none) {
  auto words = words_of<Enum, std::optional<Enum>>();
  words.emplace(words.begin(), none, std::nullopt);
  return words;
}

void declare_particles(CLI::App& command, ContactsOptions& o) {
  command
      .add_option("FILE", o.file, "Particles: a text table, MercuryDPM .data, a LAMMPS dump, extended XYZ or .npy; - is stdin")
      ->option_text(" ");
  command.add_flag("--demo", o.demo, "Generated particles instead of a FILE");
  add_number(command, "--radius", o.radius, "Radius of all particles, for a FILE without radii", 0)->option_text("R");
  command.add_option("--frame", o.frame, "Frame, from 0, of a FILE with several (default: the last)")->option_text("K");
  add_choice(command, "--bad-rows", o.bad_rows, "What a bad row does: stop, or be left out and counted (default: error)");
  add_dimension(command, o.dimension, "Dimensions; 2 reads x and y only (default: as in FILE)");
  add_choice(command, "--real", o.single_precision,
             "float rounds positions and radii once to single precision (default: double)",
             {{"double", false}, {"float", true}});
  add_axes(command, "--periodic", o.periodic, "Periodic axes, such as xyz or x (default: none, all are open)")
      ->option_text("AXES");
  add_numbers(command, "--cell", o.cell, "The box by its vectors, one after the other, instead of --box and --tilt")
      ->option_text("ax,ay,az,bx,by,bz,cx,cy,cz (ax,ay,bx,by in 2-D)");
  add_numbers(command, "--tilt", o.tilt, "Tilts of the box, as of a sheared one (default: what FILE states)")
      ->option_text("XY[,XZ,YZ]");
  add_numbers(command, "--box", o.box, "The box for --periodic (default: what FILE states)")
      ->option_text("x0,y0,z0,x1,y1,z1 (x0,y0,x1,y1 in 2-D)");
}

void declare_search(CLI::App& command, ContactsOptions& o) {
  add_number(command, "--skin", o.skin, "Also take pairs up to this much apart, in the unit of the positions (default: 0)", 0)
      ->option_text("LENGTH");
  add_choice(command, "--rule", o.rule,
             "Which pairs: within r_i + r_j, within the larger of both, or within r_i, each as i, j and not the reverse\n"
             "(default: sum)");
  add_choice(command, "--algorithm", o.algorithm,
             "The grid, or one of the papers' other systems, serial and with its counters (default: grid)",
             words_and<reference::Algorithm>("grid"));
  add_file(command, "--exclude", o.exclude, "Pairs that are never reported: two ids a line, as i and j in --out", "F");
  command.add_option("--world", o.world, "Column of integers that tells worlds apart: only particles of equal ones pair")
      ->option_text("NAME");
  auto* plan =
      add_file(command, "--plan", o.plan, "Levels from a file; a report of --json or hgrid plan --json is one", "F.json");
  add_numbers(command, "--cells", o.cells, "Levels with these cell sizes, finest first, each for radii up to half of it", 0)
      ->excludes(plan)
      ->option_text("s1,s2,...");
  add_choice(command, "--direction", o.direction, "Of the search across levels (default: top-down)");
  add_choice(command, "--keys", o.keys, "Order of the cells in memory (default: row)");
  add_choice(command, "--order", o.order, "Of the contacts in --out (default: sorted; .csv always is)");
  add_choice(command, "--backend", o.backend, "What to search on (default: auto, which takes openmp)",
             words_and<Backend>("auto"));
  command.add_option("--threads", o.threads, "OpenMP threads (default: OMP_NUM_THREADS, else one per core)")
      ->check(CLI::Range(1, 1 << 30))
      ->option_text("N");
  add_file(command, "--out", o.out,
           "Writes the contacts, by the name's end as .csv, .npy or .vtp; - is CSV to stdout and the report to stderr", "F");
  auto* walls = add_file(command, "--walls", o.walls,
                         "Also find contacts with the triangles of this file: nine vertex coordinates a line, or STL", "F");
  add_file(command, "--walls-out", o.walls_out, "Writes those contacts as CSV: ball,facet,overlap", "F.csv")->needs(walls);
  add_overwrite(command, o.overwrite, "F");
  command.add_flag("--json", o.json, "The report as one JSON object");
}

}  // namespace

void declare(CLI::App& command, ContactsOptions& o) {
  declare_particles(command, o);
  declare_search(command, o);
}

}  // namespace hgrid::tool
