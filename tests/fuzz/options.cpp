// SPDX-License-Identifier: BSD-3-Clause
// The command line: any lines, taken as arguments, are understood or refused by a typed error. Nothing is
// run. What follows a line "{" is the file that --plan and --exclude name: no other file is opened, nor standard input.
#include <sstream>

#include "../../src/tool/commands.hpp"
#include "../../src/tool/contacts.hpp"
#include "memory_file.hpp"

namespace {

using namespace hgrid::tool;

struct CommandLine {
  std::vector<std::string> arguments;
  std::string plan;
};

CommandLine split(fuzz::Input input) {
  CommandLine line;
  std::string text(reinterpret_cast<const char*>(input.data()), input.size());
  const std::size_t plan = text.find("\n{");
  if (plan != text.npos) line.plan = text.substr(plan + 1), text.resize(plan);
  std::istringstream lines(text);
  for (std::string argument; std::getline(lines, argument);) line.arguments.push_back(argument);
  if (line.arguments.size() > 40) line.arguments.resize(40);
  return line;
}

hgrid::io::ParticleTable some_table(bool flat, bool boxed, std::size_t chosen) {
  hgrid::io::ParticleTable table;
  table.x = {0, 1}, table.y = {0, 0}, table.z = {0, flat ? 0.0 : 0.5}, table.r = {0.5, 0.75};
  table.dimension = flat ? 2 : 3;
  table.more.assign(chosen, {3, 1});
  if (boxed) table.box = hgrid::io::BoxBounds{{0, 0, 0}, {2, 2, 2}};
  return table;
}

void expect_search(const ContactsOptions& o) {
  for (int kind = 0; kind < 4; ++kind) {
    try {
      const SearchOptions s = search_options(o, some_table(kind & 1, kind & 2, o.chosen.size()));
      fuzz::require(s.dimension == 2 || s.dimension == 3, "a dimension of neither 2 nor 3");
      fuzz::require(s.skin >= 0 && s.skin - s.skin == 0, "a skin that is no length");
      fuzz::require(s.threads >= 1, "no threads");
      fuzz::require(s.dimension == 3 || !s.box.wraps[2], "a periodic axis that is not there");
    } catch (const hgrid::Error& error) {
      fuzz::require(std::string(error.what()).size() < 1200, "an unbounded message");
    }
  }
}

/// The subcommands, declared once: declaring takes longer than understanding.
struct Declared {
  CLI::App app;
  Action action;
  ContactsOptions o;
  CLI::App* contacts = app.add_subcommand("contacts");

  Declared() {
    declare(*contacts, o);
    add_generate(app, action);
    add_plan(app, action);
    app.require_subcommand(1);
  }
};

void options(fuzz::Input input) {
  const CommandLine line = split(input);
  static fuzz::MemoryFile file;
  static const std::string plan = file.path("plan.json");
  static Declared declared;
  file.fill(line.plan);
  declared.o = {};
  std::vector<std::string> reversed(line.arguments.rbegin(), line.arguments.rend());
  try {
    require_no_empty_file_name(declared.app, line.arguments);
    declared.app.parse(reversed);
  } catch (const CLI::ParseError&) {
    return;
  } catch (const hgrid::Error&) {
    return;
  }
  for (std::string* name : {&declared.o.plan, &declared.o.exclude}) {
    if (!name->empty()) *name = plan;
  }
  if (declared.contacts->parsed()) expect_search(declared.o);
}

}  // namespace

HGRID_FUZZ_TARGET(options)
