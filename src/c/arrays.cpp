// SPDX-License-Identifier: BSD-3-Clause
#include "c/arrays.hpp"

namespace hgrid::c {
namespace {

// Returns DLPack's code and bits as text.
std::string type_in_words(int type) {
  static constexpr const char* kinds[] = {"int", "uint", "float", "opaque", "bfloat", "complex", "bool"};
  if (type <= 0 || type / 256 > 6) return "no type that hgrid knows";
  return kinds[type / 256] + std::to_string(type % 256);
}

// Numbers of a size that is no power of two may lie anywhere.
std::uintptr_t alignment_of(int type) {
  const std::uintptr_t bytes = type > 0 ? static_cast<std::uintptr_t>(type % 256) / 8 : 0;
  return bytes != 0 && (bytes & (bytes - 1)) == 0 ? bytes : 1;
}

std::string in_words(const Place& place) {
  if (place.type == Place::host) return "on the host";
  return "on device " + std::to_string(place.type) + ":" + std::to_string(place.id);
}

}  // namespace

bool is_given(const hgrid_array& array) { return array.data != nullptr || array.ndim != 0 || array.type != 0; }

Array::Array(const hgrid_array& given, const char* name, int ndim, const Place& place) : array_(given), name_(name) {
  if (!is_given(given)) refuse(name, "is not there");
  if (!place.reads(given)) {
    const Place at{given.device_type, given.device_id};
    refuse(name, "is " + in_words(at) + " (DLPack's numbers), and the grid works " + in_words(place), at.type,
           ErrorCode::unsupported);
  }
  require_zero(given.reserved, name);
  if (given.ndim != ndim) {
    refuse(name, "has " + detail::counted(given.ndim, "index", "indices") + " (ndim); it needs " + std::to_string(ndim),
           given.ndim);
  }
  if (given.strided != 0 && given.strided != 1) refuse(name, "has a `strided` that is neither 0 nor 1", given.strided);
  bool empty = false;
  std::int64_t stride = 1;
  for (int k = ndim - 1; k >= 0; --k) {
    const std::int64_t size = given.shape[k];
    if (size < 0) refuse(name, "has a negative size", static_cast<double>(size), ErrorCode::size_mismatch);
    empty = empty || size == 0;
    stride_[k] = given.strided == 1 ? given.stride[k] : stride;
    if (given.strided == 0 && __builtin_mul_overflow(stride, size, &stride)) {
      refuse(name, "is larger than any memory", static_cast<double>(size), ErrorCode::size_mismatch);
    }
  }
  if (given.data == nullptr && !empty) refuse(name, "has null data");
  const std::uintptr_t alignment = alignment_of(given.type);
  if (!empty && (reinterpret_cast<std::uintptr_t>(given.data) & (alignment - 1)) != 0) {
    refuse(name, "does not lie at a multiple of the size of its numbers, " + std::to_string(alignment) + " bytes");
  }
}

void Array::refuse_size(int k, std::int64_t needed) const {
  throw Error(ErrorCode::size_mismatch,
              std::string(name_) + " has a size of " + std::to_string(size(k)) + " along index " + std::to_string(k) + "; " +
                  std::to_string(needed) + " are needed",
              {.argument = name_, .value = static_cast<double>(size(k)), .needed = needed});
}

void Array::refuse_type(int needed) const {
  refuse(name_, "is of " + type_in_words(array_.type) + "; it must be of " + type_in_words(needed), array_.type);
}

void Array::require_real() const {
  if (array_.type == HGRID_FLOAT32 || array_.type == HGRID_FLOAT64) return;
  refuse(name_, "is of " + type_in_words(array_.type) + "; it must be of float64 or float32", array_.type);
}

void Array::require_contiguous() const {
  std::int64_t stride = 1;
  for (int k = array_.ndim - 1; k >= 0; --k) {
    if (array_.shape[k] == 0) return;
    if (array_.shape[k] > 1 && stride_[k] != stride) {
      refuse(name_, "has strides; copy it into one piece", static_cast<double>(stride_[k]), ErrorCode::unsupported);
    }
    if (__builtin_mul_overflow(stride, array_.shape[k], &stride)) {
      refuse(name_, "is larger than any memory", static_cast<double>(array_.shape[k]), ErrorCode::size_mismatch);
    }
  }
}

RealColumn Array::column(std::int64_t k) const {
  require_real();
  const bool is_single = array_.type == HGRID_FLOAT32;
  const std::ptrdiff_t bytes = (is_single ? sizeof(float) : sizeof(double)) * (array_.ndim > 1 ? k * stride(1) : 0);
  return {size(0) == 0 ? nullptr : static_cast<const char*>(array_.data) + bytes, stride(0), is_single};
}

}  // namespace hgrid::c
