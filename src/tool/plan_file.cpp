// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "contacts.hpp"
#include "hgrid/core/names.hpp"
#include "host/planning/plan.hpp"
#include "io/byte_source.hpp"
#include "io/printable.hpp"

namespace hgrid::tool {
namespace {

using Json = nlohmann::json;

constexpr std::size_t largest_plan = 1 << 20;  // in bytes; 64 levels need a few thousand

/// A value in the file and the path to it, so that each error can name the place and the expected value.
class Field {
 public:
  Field(const std::string& file, const Json& json) : Field(file, "", json) {}

  bool has(const char* name) const { return json_.contains(name); }

  Field at(const char* name) const {
    const std::string path = path_.empty() ? name : fmt::format("{}.{}", path_, name);
    if (!json_.is_object()) fail("an object is expected");
    const auto found = json_.find(name);
    if (found == json_.end()) throw Error(ErrorCode::format, fmt::format("{}: {}: missing", file_, path));
    return {file_, path, *found};
  }

  std::vector<Field> elements(const char* expected) const {
    if (!json_.is_array()) fail(expected);
    std::vector<Field> fields;
    for (const Json& element : json_) {
      fields.push_back({file_, fmt::format("{}[{}]", path_, fields.size()), element});
    }
    return fields;
  }

  double number() const {
    if (!json_.is_number()) fail("a number is expected");
    return json_.get<double>();
  }

  template <Named Choice>
  Choice choice() const {
    const auto found = json_.is_string() ? from_name<Choice>(json_.get_ref<const std::string&>()) : std::nullopt;
    if (!found) fail(fmt::format("\"{}\" is expected", fmt::join(enum_names<Choice>, "\" or \"")));
    return *found;
  }

  [[noreturn]] void fail(const std::string& expected, std::string found = {}) const {
    if (found.empty()) found = found_kind();
    throw Error(ErrorCode::format, fmt::format("{}: {}{}{}, not {}", file_, path_, path_.empty() ? "" : ": ", expected, found));
  }

 private:
  Field(const std::string& file, std::string path, const Json& json) : file_(file), path_(std::move(path)), json_(json) {}

  std::string found_kind() const {
    if (json_.is_string()) return fmt::format("\"{}\"", io::printable(json_.get_ref<const std::string&>()));
    if (json_.is_null()) return "null";
    return fmt::format("{} {}", json_.is_array() || json_.is_object() ? "an" : "a", json_.type_name());
  }

  const std::string& file_;
  std::string path_;
  const Json& json_;
};

LevelSpec level_of(const Field& field, int dimension) {
  const Field radius = field.at(field.has("radius_bound") ? "radius_bound" : "radius_max");
  LevelSpec level{radius.number(), {}};
  const Field cell = field.at("cell_size");
  const std::string expected = fmt::format("{} numbers are expected", dimension);
  const std::vector<Field> sizes = cell.elements(expected.c_str());
  if (sizes.size() < static_cast<std::size_t>(dimension) || sizes.size() > 3) cell.fail(expected, std::to_string(sizes.size()));
  std::ranges::transform(sizes, level.cell_size, &Field::number);
  return level;
}

Json parse(std::string_view text, const std::string& file) {
  const auto fail = [&](const std::string& why) { throw Error(ErrorCode::format, file + ": no plan: " + why); };
  if (text.size() > largest_plan) fail("it has more than 1 MiB");
  try {
    return Json::parse(text);
  } catch (const Json::exception& e) {
    const std::string why = e.what();  // "[json.exception.parse_error.101] parse error at line ..."
    fail(io::printable(why.substr(why.find("] ") + 2), 200));
  }
  return {};
}

}  // namespace

GridOptions read_plan(const std::string& path, int dimension) {
  io::ByteSource source(path, {});
  const Json json = parse(source.peek(largest_plan + 1), source.name());
  const Field plan(source.name(), json);
  GridOptions options;
  for (const Field& level : plan.at("levels").elements("an array is expected")) {
    options.levels.push_back(level_of(level, dimension));
  }
  if (plan.has("direction")) options.direction = plan.at("direction").choice<Direction>();
  if (plan.has("keys")) options.keys = plan.at("keys").choice<KeyOrder>();
  try {
    detail::check_levels(options.levels, dimension);
  } catch (const Error& e) {
    const char* what = e.what() + std::strlen(name_of(e.code())) + 2;  // after the code
    throw Error(e.code(), fmt::format("{}: {}", source.name(), what), e.detail());
  }
  return options;
}

}  // namespace hgrid::tool
