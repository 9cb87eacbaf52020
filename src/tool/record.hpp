// SPDX-License-Identifier: BSD-3-Clause
// The report of a command. Each fact is stated once, with a name for programs and a phrase for people.
#pragma once

#include <fmt/format.h>

#include <concepts>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hgrid::tool {

/// Returns, for example, 1234567 as 1,234,567.
std::string grouped(std::int64_t n);

/// Facts in order, as the text of a report and as one JSON object.
class Record {
 public:
  using Json = nlohmann::ordered_json;

  /// Begins a line of the text with a label; an empty label continues the line above. If `shown` is false, only programs see
  /// the facts that follow, up to the next labelled line.
  Record& line(std::string_view label, bool shown = true);
  /// Begins a line of a table.
  Record& row();

  /// Adds words to the line.
  template <class... Values>
  Record& say(fmt::format_string<Values...> phrase, Values&&... values) {
    return write(fmt::format(phrase, std::forward<Values>(values)...));
  }

  /// Adds a fact for programs; the name `a/b` is member b of object a.
  Record& add(const std::string& name, const Json& value);
  /// Adds a fact for both. The phrase has {} for the value, or for `shown` instead. Whole numbers are grouped.
  template <class Value, class Shown>
  Record& add(const std::string& name, const Value& value, std::string_view phrase, const Shown& shown) {
    const auto& read = readable(shown);
    add(name, Json(value));
    return write(fmt::vformat(phrase, fmt::make_format_args(read)));
  }
  template <class Value>
  Record& add(const std::string& name, const Value& value, std::string_view phrase) {
    return add(name, value, phrase, value);
  }
  /// Adds a list of sentences, each on a line with this label.
  Record& add_lines(const std::string& name, std::string_view label, const std::vector<std::string>& sentences);
  /// Adds a record to a list of records; its text is one line.
  Record& add_row(const std::string& list, const Record& row);

  std::string text() const { return text_ + "\n"; }
  std::string json() const { return json_.dump(2) + "\n"; }
  const Json& facts() const { return json_; }

 private:
  template <class Value>
  static decltype(auto) readable(const Value& value) {
    if constexpr (std::integral<Value>)
      return grouped(static_cast<std::int64_t>(value));
    else
      return (value);
  }

  Record& write(std::string_view text);

  std::string text_;
  Json json_ = Json::object();
  bool shown_ = true;
};

}  // namespace hgrid::tool
