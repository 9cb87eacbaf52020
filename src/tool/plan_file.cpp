// SPDX-License-Identifier: BSD-3-Clause
#include "plan_file.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "hgrid/host/io/byte_source.hpp"
#include "hgrid/host/io/printable.hpp"

namespace hgrid::tool {
namespace {

using Json = nlohmann::json;

constexpr std::size_t largest_plan = 1 << 20;  // bytes; 64 levels need a few thousand

LevelSpec level_of(const Json& json, int dimension) {
  const char* bound = json.contains("radius_bound") ? "radius_bound" : "radius_max";
  LevelSpec level{json.at(bound).get<double>(), {}};
  const auto sizes = json.at("cell_size").get<std::vector<double>>();
  if (sizes.size() < static_cast<std::size_t>(dimension) || sizes.size() > 3) {
    throw Error(ErrorCode::format,
                fmt::format("cell_size has {} numbers, {} are needed", sizes.size(), dimension));
  }
  std::copy(sizes.begin(), sizes.end(), level.cell_size);
  return level;
}

}  // namespace

GridOptions read_plan(const std::string& path, int dimension) {
  io::ByteSource source(path, {});
  const std::string_view text = source.peek(largest_plan + 1);
  const auto fail = [&](const std::string& why) {
    throw Error(ErrorCode::format, fmt::format("{}: no plan: {}", source.name(), io::printable(why, 200)));
  };
  if (text.size() > largest_plan) fail("it has more than 1 MiB");
  GridOptions options;
  try {
    const Json json = Json::parse(text);
    for (const Json& level : json.at("levels")) options.levels.push_back(level_of(level, dimension));
    if (json.contains("direction"))
      options.direction = parse_direction(json.at("direction").get<std::string>());
    if (json.contains("keys")) options.keys = parse_keys(json.at("keys").get<std::string>());
  } catch (const Json::exception& e) {
    fail(e.what());
  } catch (const Error& e) {
    fail(e.what());
  }
  check_levels(options.levels, dimension);
  return options;
}

std::vector<LevelSpec> levels_of_cells(const std::vector<double>& cell_sizes) {
  std::vector<LevelSpec> levels;
  for (const double s : cell_sizes) levels.push_back({s / 2, {s, s, s}});
  return levels;
}

Direction parse_direction(const std::string& text) {
  for (const Direction direction : {Direction::top_down, Direction::bottom_up}) {
    if (text == name(direction)) return direction;
  }
  throw Error(ErrorCode::invalid_argument, "the direction is top-down or bottom-up, not " + text);
}

KeyOrder parse_keys(const std::string& text) {
  for (const KeyOrder keys : {KeyOrder::row_major, KeyOrder::morton}) {
    if (text == name(keys)) return keys;
  }
  throw Error(ErrorCode::invalid_argument, "keys are row or morton, not " + text);
}

const char* name(Direction direction) { return direction == Direction::top_down ? "top-down" : "bottom-up"; }

const char* name(KeyOrder keys) { return keys == KeyOrder::row_major ? "row" : "morton"; }

}  // namespace hgrid::tool
