// SPDX-License-Identifier: BSD-3-Clause
#include "record.hpp"

namespace hgrid::tool {

std::string grouped(std::int64_t n) {
  std::string digits = std::to_string(n);
  const std::size_t first = n < 0 ? 1 : 0;
  for (std::size_t at = digits.size(); at > first + 3; digits.insert(at, 1, ',')) at -= 3;
  return digits;
}

Record& Record::line(std::string_view label, bool shown) {
  shown_ = shown;
  return row().say("{:<11}", label);
}

Record& Record::row() { return text_.empty() ? *this : write("\n"); }

Record& Record::add(const std::string& name, const Json& value) {
  json_[Json::json_pointer("/" + name)] = value;
  return *this;
}

Record& Record::add_lines(const std::string& name, std::string_view label, const std::vector<std::string>& sentences) {
  for (const std::string& sentence : sentences) line(label).say("{}", sentence);
  return add(name, sentences);
}

Record& Record::add_row(const std::string& list, const Record& row) {
  json_[list].push_back(row.json_);
  return this->row().write(row.text_);
}

Record& Record::write(std::string_view text) {
  if (shown_) text_ += text;
  return *this;
}

}  // namespace hgrid::tool
