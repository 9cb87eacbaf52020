// SPDX-License-Identifier: BSD-3-Clause
// hgrid bench --report: one page for a browser, in one file, with the results measured here and the documents' figures.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "bench.hpp"
#include "hgrid/version.hpp"
#include "kept_results.hpp"
#include "src/tool/record.hpp"

namespace hgrid::tool {
namespace {

constexpr const char* page_style = R"(
body { font: 16px/1.5 system-ui, sans-serif; max-width: 64rem; margin: 2rem auto; padding: 0 1rem; color: #222; background: #fff }
div { overflow-x: auto }
table { border-collapse: collapse; white-space: nowrap }
th, td { padding: .2rem .7rem; text-align: right; border-bottom: 1px solid #ccc }
th:nth-child(-n+2), td:nth-child(-n+2) { text-align: left }
svg { width: 100%; height: auto; font: 13px system-ui, sans-serif }
.here { fill: #4477aa } .there { fill: #bbbbbb } b.here { color: #4477aa } b.there { color: #888888 }
)";

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '<') {
      out += "&lt;";
    } else if (c == '&') {
      out += "&amp;";
    } else {
      out += c;
    }
  }
  return out;
}

/// A code's kept figures: with one thread, or with the two of that machine.
struct Kept {
  double ns, ratio;
  int threads;
};

class KeptResults {
 public:
  explicit KeptResults(const BenchOptions& o)
      : kept_(nlohmann::json::parse(kept_results)),
        case_(o.order != Order::fixed ? "none"
              : o.relaxed             ? "relaxed"
                                      : "random") {}
  /// The machine and the day.
  std::string where() const { return kept_.at("where"); }
  std::optional<Kept> of(const BenchRow& row) const {
    const std::string run = row.threads == 1 ? "1" : "2";
    const nlohmann::json& rows = kept_.at("rows");
    const auto found = std::ranges::find_if(rows, [&](const nlohmann::json& kept) {
      return kept.at("part") == "peers" && kept.at("case") == case_ && kept.at("workload") == row.workload &&
             kept.at("code") == row.code && kept.at("run") == run;
    });
    if (found == rows.end()) return std::nullopt;
    return Kept{found->at("ns"), found->at("ratio"), row.threads == 1 ? 1 : 2};
  }

 private:
  nlohmann::json kept_;
  std::string case_;
};

/// Two bars for each workload: hgrid on one thread, here and there.
std::string bars(const BenchReport& report, const KeptResults& kept) {
  std::vector<std::pair<const BenchRow*, std::optional<Kept>>> shown;
  double most = 1;
  for (const BenchRow& row : report.rows) {
    if (row.code != "hgrid" || row.threads != 1) continue;
    shown.emplace_back(&row, kept.of(row));
    most = std::max({most, row.median, shown.back().second ? shown.back().second->ns : 0});
  }
  constexpr int left = 90, height = 44;
  constexpr double width = 560;
  std::string out =
      fmt::format("<svg viewBox='0 0 720 {}' role='img' aria-label='Times of hgrid, here and there'>\n", height * shown.size());
  int y = 0;
  const auto bar = [&](const char* name, double ns, int at) {
    const double length = width * ns / most;
    out += fmt::format("<rect class='{}' x='{}' y='{}' width='{:.1f}' height='15'/><text x='{:.1f}' y='{}'>{:.0f} ns</text>\n",
                       name, left, at, length, left + length + 6, at + 12, ns);
  };
  for (const auto& [row, before] : shown) {
    out += fmt::format("<text x='0' y='{}'>{}</text>\n", y + 24, row->workload);
    bar("here", row->median, y + 4);
    if (before) bar("there", before->ns, y + 21);
    y += height;
  }
  return out + "</svg>\n";
}

std::string table(const BenchReport& report, const KeptResults& kept) {
  std::string out =
      "<div><table>\n<tr><th>Particles</th><th>Code</th><th>Threads</th><th>ns a particle</th><th>least to most</th>"
      "<th>over hgrid</th><th>There</th><th>over hgrid</th></tr>\n";
  for (const BenchRow& row : report.rows) {
    const bool is_ours = row.code == "hgrid";
    out += fmt::format(
        "<tr><td>{}</td><td>{}</td><td>{}</td><td><b class='here'>{:.1f}</b></td><td>{:.1f} to {:.1f}</td><td>{}</td>",
        row.workload, row.code, row.threads, row.median, row.least, row.most, is_ours ? "" : fmt::format("{:.2f}", row.ratio));
    const auto before = kept.of(row);
    const std::string on = before && before->threads != row.threads ? fmt::format(" ({} threads)", before->threads) : "";
    out += before ? fmt::format("<td><b class='there'>{:.1f}</b>{}</td>", before->ns, on) : "<td></td>";
    out += fmt::format("<td>{}</td></tr>\n", before && !is_ours ? fmt::format("{:.2f}", before->ratio) : "");
  }
  return out + "</table></div>\n";
}

}  // namespace

std::string page_of(const BenchReport& report, const BenchOptions& o) {
  const KeptResults kept(o);
  std::string out = fmt::format(
      "<!doctype html>\n<html lang='en'><head><meta charset='utf-8'><meta name='viewport' content='width=device-width'>"
      "<title>hgrid on this machine</title><style>{}</style></head><body>\n<h1>hgrid {} on this machine</h1>\n",
      page_style, HGRID_VERSION);
  out += fmt::format(
      "<p><b class='here'>Here</b>: {}; {} particles, {}.<br>\n<b class='there'>There</b>: {}, order fixed; the figures "
      "of docs/performance.md, for pairs in that order.</p>\n",
      escaped(report.machine), grouped(o.n), o.relaxed ? "relaxed" : "at random", escaped(kept.where()));
  out += fmt::format(
      "<p>One step builds the grid from unsorted positions and lists all contacts, in an open box at packing "
      "fraction 0.62, with warm buffers. A time is the median of {} steps.</p>\n",
      o.repeat);
  out += "<h2>hgrid on one thread</h2>\n" + bars(report, kept) + "<h2>All codes</h2>\n" + table(report, kept);
  for (const auto& [what, lines] : {std::pair{"Not run", &report.skipped}, std::pair{"Not in this build", &report.absent}}) {
    if (!lines->empty()) out += fmt::format("<p>{}: {}.</p>\n", what, escaped(fmt::format("{}", fmt::join(*lines, "; "))));
  }
  out += fmt::format(
      "<p>Times of a machine that others share vary: measure twice. <code>hgrid bench --workloads {} --n {} --repeat "
      "{}{}{}{}{} --report FILE</code></p>\n</body></html>\n",
      escaped(o.workloads), o.n, o.repeat, o.threads > 0 ? fmt::format(" --threads {}", o.threads) : "",
      o.order == Order::sorted ? " --order sorted" : "", o.relaxed ? " --relaxed" : "", o.peers ? " --peers" : "");
  return out;
}

}  // namespace hgrid::tool
