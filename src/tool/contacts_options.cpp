// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <utility>

#include "contacts.hpp"
#include "exits.hpp"
#include "io/fields.hpp"
#include "io/printable.hpp"

namespace hgrid::tool {
namespace {

/// Returns the values of an enum and a word for no value.
template <Named Enum>
Words<std::optional<Enum>> words_and(const std::string& none) {
  auto words = words_of<Enum, std::optional<Enum>>();
  words.emplace(words.begin(), none, std::nullopt);
  return words;
}

/// Parses the frames in a text; returns false if it is invalid.
bool parse_frames(const std::string& text, ContactsOptions& o) {
  o.frames_given = true;
  o.series = text == "all" || text.find(':') != text.npos;
  o.frames.reset();
  if (text == "-1") return true;
  io::FrameRange frames;
  if (text != "all") {
    const auto number = [](std::string_view part, std::int64_t& value) { return part.empty() || io::parse_count(part, value); };
    const std::size_t first = std::min(text.find(':'), text.size()), second = std::min(text.find(':', first + 1), text.size());
    const std::string_view part(text);
    if (!number(part.substr(0, first), frames.first)) return false;
    if (first == text.size()) {
      if (text.empty() || frames.first == INT64_MAX) return false;
      frames = io::FrameRange::one(frames.first);
    } else if (!number(part.substr(first + 1, second - first - 1), frames.end) ||
               !number(part.substr(std::min(second + 1, text.size())), frames.step)) {
      return false;
    }
  }
  o.frames = frames;
  return frames.step > 0 && frames.first < frames.end;
}

void add_frames(CLI::App& command, ContactsOptions& o) {
  command
      .add_option_function<std::string>(
          "--frames",
          [&o](const std::string& text) {
            if (!parse_frames(text, o)) {
              throw CLI::ValidationError(
                  "--frames", "takes all, -1, K, A:B or A:B:STEP, counted from 0, not '" + io::printable(text) + "'");
            }
          },
          "Frames of a FILE with several, from 0: all, A to before B, one, or -1, the last (default: -1)")
      ->option_text("all|A:B[:STEP]|K|-1");
}

}  // namespace

void declare_file(CLI::App& command, ContactsOptions& o, bool several) {
  const std::string help =
      "Particles: a text table, MercuryDPM .data or .restart, a LAMMPS dump or data file, (extended) XYZ, VTK (.vtk, .vtp, "
      ".vtu), .npy, each also .gz, or GSD; - is stdin";
  if (several) {
    command.add_option("FILE", o.files, help + ". Several files are a series")->option_text("...");
  } else {
    command
        .add_option_function<std::string>(
            "FILE", [&o](const std::string& file) { o.files = {file}; }, help)
        ->option_text(" ");
  }
  add_number(command, "--radius", o.radius, "Radius of all particles, for a FILE without radii", 0)->option_text("R");
  add_number(command, "--radius-scale", o.radius_scale,
             "Multiplies the radii, or half extents, of FILE: 0.5 for diameters, 1000 for metres to mm", 0)
      ->option_text("S");
  const auto take_names = [&o](const std::string& text) {
    std::vector<std::string_view> names;
    io::split_fields(text, ',', names);
    o.columns.assign(names.begin(), names.end());
  };
  command
      .add_option_function<std::string>("--columns", take_names,
                                        "Names of all columns, such as id,x,y,z,r, instead of a header that FILE may have")
      ->option_text("NAME,...");
  add_frames(command, o);
  add_choice(command, "--bad-rows", o.bad_rows, "What a bad row does: stop, or be left out and counted (default: error)");
}

void declare_particles(CLI::App& command, ContactsOptions& o) {
  declare_file(command, o, true);
  command.add_flag("--demo", o.demo, "Generated particles instead of a FILE");
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

namespace {

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
  for (const OptionalColumn& column : optional_columns) {
    const auto choose = [&](const std::string& name) {
      if (!name.empty()) o.chosen.push_back({&column, name});
    };
    command.add_option_function<std::string>(column.option(), choose, column.help)->option_text("NAME");
  }
  auto* plan =
      add_file(command, "--plan", o.plan, "Levels from a file; a report of --json or hgrid plan --json is one", "F.json");
  add_numbers(command, "--cells", o.cells, "Levels with these cell sizes, finest first, each for radii up to half of it", 0)
      ->excludes(plan)
      ->option_text("s1,s2,...");
  add_choice(command, "--direction", o.direction, "Of the search across levels (default: top-down)");
  add_choice(command, "--keys", o.keys, "Order of the cells in memory (default: row)");
  add_choice(command, "--order", o.order, "Order of the contacts in --out (default: sorted; .csv always is)");
  add_choice(command, "--backend", o.backend,
             "What to search on (default: auto, which takes openmp, or mpi where mpirun has started several ranks)",
             words_and<Backend>("auto"));
  command.add_option("--threads", o.threads, "Threads (default: OMP_NUM_THREADS, else one per core)")
      ->check(CLI::Range(1, 1 << 30))
      ->option_text("N");
  add_file(command, "--out", o.out,
           "Writes the contacts, by the name's end as .csv, .npy or .vtp, or of --frames as .pvd with a .vtp beside it for "
           "each frame;\n"
           "- is CSV to stdout and the report to stderr",
           "F");
  add_file(command, "--particles-out", o.particles_out,
           "Writes the particles with their contacts as CSV: id,x,y,z,r,contacts,largest_overlap (of boxes hx,hy,hz for r)",
           "F.csv");
  auto* summary = add_file(command, "--summary", o.summary,
                           "Writes a line for each frame as CSV: time, coordination number, overlaps, ...", "F.csv");
  add_file(command, "--plot", o.plot, "Draws the summary over time, as .png, .svg or .pdf, by hgrid-plot and matplotlib",
           "F.png")
      ->needs(summary);
  command.add_flag("--count", o.count, "Counts the pairs only, which takes no memory for them: no analysis, no --out");
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
  command.footer(
      "A text table has commas, semicolons, or blanks between columns, and a header that names x y z (or x y), r or diameter,\n"
      "or hx hy hz, half extents of boxes, and what else it likes; without one, nor --columns, they are x y, x y z, or x y z "
      "r.\n"
      "\"# box x0 y0 z0 x1 y1 z1\" states the box. .npy: N x 2, 3, 4 (x y z r) or 6 (x y z hx hy hz) numbers.\n"
      "In --out, i and j are the ids of FILE or, where it has none, count the particles taken, from 0; contacts of several\n"
      "frames are one table with a column frame. The vector between their centres is\n"
      "x_i - x_j - (ix, iy, iz) * box; overlap is r_i + r_j, or what --rule takes, minus its length, negative for pairs that\n"
      "only --skin takes; of boxes the least overlap along the axes.\n"
      "Exits: 0 done, 2 usage, 3 data, 4 files, 5 memory or device, 70 internal error, 128 and its number for a signal:\n"
      "130 interrupted, 141 nobody reads the output any more.\n\n"
      "Example: hgrid contacts particles.csv --periodic xyz --box 0,0,0,1,1,1 --out pairs.vtp");
}

io::OutputFormat pair_format(const ContactsOptions& o) {
  return o.out.empty() ? io::OutputFormat::csv : io::pair_format(o.out);
}

void take_series(ContactsOptions& o) {
  if (o.files.size() < 2 || o.frames_given) return;
  o.series = true, o.frames = io::FrameRange{};
}

void require_options_that_fit(const ContactsOptions& o) {
  if (o.files.empty() == !o.demo) refuse("a FILE or --demo is needed, and not both");
  if (o.count && !(o.out.empty() && o.particles_out.empty()))
    refuse("--count keeps no pairs to write; leave out --count or the outputs");
  const io::OutputFormat format = pair_format(o);
  if (o.series && format != io::OutputFormat::csv && format != io::OutputFormat::pvd) {
    refuse(
        "--out of several frames is one table, which ends in .csv, or a series for ParaView, which ends in .pvd; --frames K "
        "takes one frame");
  }
  for (const auto& [name, given] :
       {std::pair{"--box", !o.box.empty()}, std::pair{"--tilt", !o.tilt.empty()}, std::pair{"--cell", !o.cell.empty()}}) {
    if (given && !any(o.periodic)) print_error(fmt::format("note: {} has no effect without --periodic", name));
  }
}

}  // namespace hgrid::tool
