// SPDX-License-Identifier: BSD-3-Clause
// The head of an .npy file: magic, version, and a Python dictionary of dtype, order and shape.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/byte_source.hpp"

namespace hgrid::io {

inline constexpr std::string_view npy_magic = "\x93NUMPY";

struct NpyHeader {
  std::string dtype;  ///< such as "<f8"; "structured" for a list of fields
  bool fortran_order = false;
  std::vector<std::int64_t> shape;
};

/// Reads up to the first data byte; versions 1.0, 2.0 and 3.0. Throws Error(format) naming the byte.
NpyHeader read_npy_header(ByteSource& source);

/// Returns the head of version 1.0 for an array in C order. `dtype` is a Python literal, "'<f8'" or "[('i', '<i8')]", and so is
/// `shape`.
std::string make_npy_header(std::string_view dtype, std::string_view shape);

/// Throws Error(format) "NAME, byte N: reason".
[[noreturn]] void fail_at_byte(const std::string& name, std::int64_t byte, const std::string& reason);

}  // namespace hgrid::io
