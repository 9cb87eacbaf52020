// SPDX-License-Identifier: BSD-3-Clause
// Rows of results: JSON, one object a line.
#pragma once

#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

namespace gpu_bench {

struct Times {
  double min, median, max;  // ms
};

inline Times summary(std::vector<float> ms) {
  std::sort(ms.begin(), ms.end());
  return {ms.front(), ms[ms.size() / 2], ms.back()};
}

/// A row of results: fields in the order of their addition.
class Row {
 public:
  Row& add(const char* name, const std::string& text) {
    std::string quoted = "\"";
    for (const char c : text) {
      if (c == '"' || c == '\\') quoted += '\\';
      quoted += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
    return raw(name, quoted + '"');
  }
  Row& add(const char* name, double number) {
    char text[40];
    std::snprintf(text, sizeof text, "%.12g", number);
    return raw(name, text);
  }
  Row& add(const Times& t) { return add("min_ms", t.min).add("median_ms", t.median).add("max_ms", t.max); }
  std::string text() const { return "{" + text_ + "}"; }

 private:
  Row& raw(const char* name, const std::string& value) {
    text_ += (text_.empty() ? "" : ", ") + ('"' + std::string(name) + "\": ") + value;
    return *this;
  }

  std::string text_;
};

/// Rows, appended to a file as they come, so that a run that is cut short keeps them.
class Results {
 public:
  explicit Results(const char* path) : file_(std::fopen(path, "a")) {
    if (file_ == nullptr) throw std::runtime_error(std::string(path) + " cannot be written");
  }
  Results(const Results&) = delete;
  ~Results() { std::fclose(file_); }

  void add(const Row& row) {
    std::fprintf(file_, "%s\n", row.text().c_str());
    std::fflush(file_);
    std::printf("%s\n", row.text().c_str());
    std::fflush(stdout);
  }

  /// Measures one case. An exception becomes a row, so that the next case runs.
  template <class F>
  void attempt(Row about, const F& measure) {
    try {
      measure();
    } catch (const std::exception& e) {
      failed_ = true;
      add(about.add("error", e.what()));
    }
  }
  bool failed() const { return failed_; }

 private:
  std::FILE* file_;
  bool failed_ = false;
};

}  // namespace gpu_bench
