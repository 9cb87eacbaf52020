// SPDX-License-Identifier: BSD-3-Clause
// One array of VTK's XML, with values as text, as base64 or as bytes.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/base64.hpp"
#include "io/vtk_blocks.hpp"
#include "io/vtk_values.hpp"

namespace hgrid::io {

enum class VtkForm { ascii, base64, raw };

class VtkArray {
 public:
  using Sink = std::function<void(std::span<const double>)>;

  /// `sink` takes the values in their order, some at a time; `fail(reason)` throws an error.
  VtkArray(VtkForm form, const VtkEncoding& encoding, const VtkType& type, std::int64_t count, Sink sink,
           std::function<void(const std::string&)> fail);
  VtkArray(const VtkArray&) = delete;
  VtkArray& operator=(const VtkArray&) = delete;

  /// Takes the array's part off the front of `text`; the rest comes after the array.
  void take(std::string_view& text);
  /// Returns whether all values are there. An array of words ends only at `finish`.
  bool is_complete() const;
  /// Fails if text after a complete array is neither blank nor padding.
  void require_end(std::string_view rest) const;
  /// Fails unless the array is complete.
  void finish();

 private:
  void take_words(std::string_view text);
  void take_word(std::string_view word);
  void take_bytes(std::string_view bytes);
  void put(const char* bytes, std::size_t count);

  VtkForm form_;
  VtkEncoding encoding_;
  VtkType type_;
  std::int64_t count_, done_ = 0;
  Sink sink_;
  std::function<void(const std::string&)> fail_;
  VtkBlocks blocks_;
  Base64 base64_;
  std::string decoded_, partial_;  // bytes of base64, and the begin of a word or a number
  std::vector<double> values_;     // that the sink is to take
};

}  // namespace hgrid::io
