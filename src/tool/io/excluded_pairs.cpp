// SPDX-License-Identifier: BSD-3-Clause
#include "io/excluded_pairs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "hgrid/core/error.hpp"
#include "io/columns.hpp"
#include "io/printable.hpp"
#include "io/table_rows.hpp"

namespace hgrid::io {
namespace {

using Fields = std::vector<std::string_view>;

/// The columns of the ids.
struct IdColumns {
  std::size_t i = 0, j = 1, count = 2;
};

IdColumns named_columns(const Fields& names, const LineReader& lines) {
  const auto place_of = [&](std::string_view name) {
    const auto found = std::ranges::find(names, name);
    if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
    fail_at_line(lines.name(), lines.number(), fmt::format("no column {}; the columns found are: {}", name, list_of(names)));
  };
  return {place_of("i"), place_of("j"), names.size()};
}

index_t id_at(const Fields& fields, std::size_t column, const ParticleTable& particles, const LineReader& lines) {
  const auto fail = [&](const std::string& why) {
    fail_at_line(lines.name(), lines.number(), fmt::format("column {}: '{}' {}", column + 1, printable(fields[column]), why));
  };
  std::int64_t id = 0;
  if (!parse_count(fields[column], id)) fail("is no id");
  if (particles.id.empty()) {
    if (id >= particles.size()) fail(fmt::format("is the id of no particle; there are {}, from 0", particles.size()));
    return static_cast<index_t>(id);
  }
  const auto at = std::ranges::lower_bound(particles.id, id);
  if (at == particles.id.end() || *at != id) fail("is the id of no particle");
  return static_cast<index_t>(at - particles.id.begin());
}

}  // namespace

std::vector<Pair> read_excluded_pairs(const std::string& path, const ParticleTable& particles) {
  ByteSource source(path, ReadOptions{});
  LineReader lines(source, ReadOptions{}.max_line);
  std::vector<Pair> pairs;
  IdColumns columns;
  for_each_table_row(lines, [&](const Fields& fields, bool is_header) {
    if (is_header) {
      columns = named_columns(fields, lines);
      return;
    }
    if (fields.size() != columns.count) {
      fail_at_line(lines.name(), lines.number(),
                   fmt::format("{} where a pair has {}", detail::counted(fields.size(), "column"), columns.count));
    }
    const index_t i = id_at(fields, columns.i, particles, lines), j = id_at(fields, columns.j, particles, lines);
    pairs.push_back({std::min(i, j), std::max(i, j)});
  });
  std::ranges::sort(pairs, {}, [](const Pair& p) { return std::pair(p.i, p.j); });
  return pairs;
}

}  // namespace hgrid::io
