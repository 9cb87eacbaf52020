// SPDX-License-Identifier: BSD-3-Clause
// The reports of several frames as tables.
#include <fmt/format.h>

#include <map>

#include "record.hpp"
#include "report.hpp"

namespace hgrid::tool {
namespace {

template <class Value>
std::string field(const std::optional<Value>& value) {
  return value ? fmt::format("{}", *value) : "";
}

}  // namespace

std::string summary_header() {
  return "frame,step,time,particles,pairs,packing_fraction,contacts,coordination,rattlers,coordination_without_rattlers,"
         "overlap_mean,overlap_max,wall_pairs\n";
}

std::string summary_row(const Report& r) {
  std::string row = fmt::format("{},{},{},{},{},{}", r.frame, field(r.step), field(r.time), r.particles, r.pairs,
                                field(r.sizes.packing_fraction));
  if (const auto& a = r.analysis) {
    row += fmt::format(",{},{},{},{}", a->contacts, a->coordination, a->rattlers, a->coordination_without_rattlers);
    row += r.rule == "sum" ? fmt::format(",{},{}", a->overlap_mean, a->overlap_max) : ",,";
  } else {
    row += ",,,,,,";
  }
  return row + (r.facets >= 0 ? fmt::format(",{}\n", r.wall_pairs) : ",\n");
}

std::string series_text(const std::vector<Report>& frames) {
  std::string text = fmt::format("{:>6} {:>12} {:>12} {:>12} {:>8} {:>12} {:>10}\n", "frame", "time", "particles", "contacts",
                                 "Z", "rattlers", "overlap %");
  std::map<std::string, std::vector<std::int64_t>> notes;
  for (const Report& r : frames) {
    const std::string time = r.time ? fmt::format("{:.6g}", *r.time) : r.step ? fmt::format("step {}", *r.step) : "";
    text += fmt::format("{:>6} {:>12} {:>12}", r.frame, time, grouped(r.particles));
    if (const auto& a = r.analysis) {
      text += fmt::format(" {:>12} {:>8.3f} {:>12} {:>10.3g}", grouped(a->contacts), a->coordination, grouped(a->rattlers),
                          100 * a->overlap_mean);
    } else {
      text += fmt::format(" {:>12}", grouped(r.pairs));
    }
    text += '\n';
    for (const std::string& note : r.notes) notes[note].push_back(r.frame);
  }
  text += "Z is the coordination number; overlaps are in % of the smaller diameter, of boxes of the least width, on average\n";
  for (const auto& [note, of] : notes) {
    const std::string more = of.size() > 1 ? fmt::format(" and {} more", of.size() - 1) : "";
    text += fmt::format("note       frame {}{}: {}\n", of.front(), more, note);
  }
  return text;
}

std::string series_json(const std::vector<Report>& frames) {
  Record::Json list = Record::Json::array();
  for (const Report& frame : frames) list.push_back(record_of(frame).facts());
  return list.dump(2) + "\n";
}

}  // namespace hgrid::tool
