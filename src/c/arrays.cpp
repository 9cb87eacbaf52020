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

std::uintptr_t alignment_of(int type) { return type > 0 ? static_cast<std::uintptr_t>(type % 256) / 8 : 0; }

}  // namespace

bool is_given(const hgrid_array& array) { return array.data != nullptr || array.ndim != 0 || array.type != 0; }

void Place::require(const hgrid_array& array, const char* name) const {
  const std::int32_t at = array.device_type;
  if (at == unset || at == pinned || (at == type && (type == host || array.device_id == id))) return;
  if (at == managed && type == cuda) return;
  const auto in_words = [](std::int32_t a_type, std::int32_t an_id) {
    return a_type == host ? std::string("on the host") : "on device " + std::to_string(a_type) + ":" + std::to_string(an_id);
  };
  refuse(name, "is " + in_words(at, array.device_id) + " (DLPack's numbers), and the grid works " + in_words(type, id), at,
         ErrorCode::unsupported);
}

Array::Array(const hgrid_array& given, const char* name, int ndim, const Place& place) : array_(given), name_(name) {
  if (!is_given(given)) refuse(name, "is not there");
  place.require(given, name);
  require_zero(given.reserved, name);
  if (given.ndim != ndim) {
    refuse(name, "has " + detail::counted(given.ndim, "index", "indices") + " (ndim); it needs " + std::to_string(ndim),
           given.ndim);
  }
  bool empty = false;
  for (int k = 0; k < ndim; ++k) {
    if (given.shape[k] < 0) refuse(name, "has a negative size", static_cast<double>(given.shape[k]), ErrorCode::size_mismatch);
    empty = empty || given.shape[k] == 0;
  }
  if (given.data == nullptr && !empty) refuse(name, "has null data");
  const std::uintptr_t alignment = alignment_of(given.type);
  if (!empty && alignment > 0 && reinterpret_cast<std::uintptr_t>(given.data) % alignment != 0) {
    refuse(name, "does not lie at a multiple of the size of its numbers, " + std::to_string(alignment) + " bytes");
  }
  if (given.strided != 0 && given.strided != 1) refuse(name, "has a `strided` that is neither 0 nor 1", given.strided);
  if (given.strided == 1) return;
  std::int64_t stride = 1;
  for (int k = ndim - 1; k >= 0; --k) {
    array_.stride[k] = stride;
    if (__builtin_mul_overflow(stride, given.shape[k], &stride)) {
      refuse(name, "is larger than any memory", static_cast<double>(given.shape[k]), ErrorCode::size_mismatch);
    }
  }
}

const Array& Array::require(int k, std::int64_t n) const {
  if (size(k) == n) return *this;
  throw Error(ErrorCode::size_mismatch,
              std::string(name_) + " has a size of " + std::to_string(size(k)) + " along index " + std::to_string(k) + "; " +
                  std::to_string(n) + " are needed",
              {.argument = name_, .value = static_cast<double>(size(k)), .needed = n});
}

void Array::require_type(int type) const {
  const bool flags = type == HGRID_UINT8 && array_.type == HGRID_BOOL;
  if (array_.type == type || flags) return;
  refuse(name_, "is of " + type_in_words(array_.type) + "; it must be of " + type_in_words(type), array_.type);
}

void Array::require_real() const {
  if (array_.type == HGRID_FLOAT32 || array_.type == HGRID_FLOAT64) return;
  refuse(name_, "is of " + type_in_words(array_.type) + "; it must be of float64 or float32", array_.type);
}

void Array::require_contiguous() const {
  std::int64_t stride = 1;
  for (int k = array_.ndim - 1; k >= 0; --k) {
    if (array_.shape[k] == 0) return;
    if (array_.shape[k] > 1 && array_.stride[k] != stride) {
      refuse(name_, "has strides; copy it into one piece", static_cast<double>(array_.stride[k]), ErrorCode::unsupported);
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
