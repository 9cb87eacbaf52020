// SPDX-License-Identifier: BSD-3-Clause
// Arrays of the caller, as the functions of hgrid.h take them. Include hgrid.h.
#ifndef HGRID_ARRAY_H
#define HGRID_ARRAY_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
// clang-format off
/// Types of numbers: DLPack's code * 256 + bits; -1: vectors, which hgrid does not support.
#define HGRID_TYPE(code, bits, lanes) ((lanes) == 1 ? (code) * 256 + (bits) : -1)
enum hgrid_type {
  HGRID_INT32 = HGRID_TYPE(0, 32, 1), HGRID_INT64 = HGRID_TYPE(0, 64, 1), HGRID_UINT8 = HGRID_TYPE(1, 8, 1),
  HGRID_FLOAT32 = HGRID_TYPE(2, 32, 1), HGRID_FLOAT64 = HGRID_TYPE(2, 64, 1), HGRID_BOOL = HGRID_TYPE(6, 8, 1)
};
// clang-format on

/// An array of the caller, with all data of a DLTensor. All zeros: no array.
typedef struct hgrid_array {
  void* data;           ///< element with the indices 0, 0, 0
  int32_t type;         ///< hgrid_type
  int32_t ndim;         ///< 1 to 3
  int64_t shape[3];     ///< [ndim]
  int64_t stride[3];    ///< [ndim], in elements, of any sign; read only if `strided`
  int32_t strided;      ///< 0: rows follow each other without gaps, the last index runs fastest
  int32_t device_type;  ///< DLPack's: 1 the host, 2 CUDA, 3 pinned memory of the host, 13 managed; 0: where the grid works
  int32_t device_id;    ///< number of the device
  int32_t reserved;     ///< 0
} hgrid_array;

/// Returns an array on the host; null strides: rows without gaps. Data that hgrid only reads may be const.
static inline hgrid_array hgrid_array_of(const void* data, int32_t type, int32_t ndim, const int64_t* shape,
                                         const int64_t* stride) {
  hgrid_array a;
  int k;
  a.data = (void*)(uintptr_t)data, a.type = type, a.ndim = ndim;
  for (k = 0; k < 3; ++k) a.shape[k] = k < ndim ? shape[k] : 0, a.stride[k] = k < ndim && stride ? stride[k] : 0;
  a.strided = stride != NULL, a.device_type = 1, a.device_id = 0, a.reserved = 0;
  return a;
}
static inline hgrid_array hgrid_array_1d(const void* data, int32_t type, int64_t n) {
  return hgrid_array_of(data, type, 1, &n, NULL);
}
static inline hgrid_array hgrid_array_2d(const void* data, int32_t type, int64_t n, int64_t m) {
  const int64_t shape[2] = {n, m};
  return hgrid_array_of(data, type, 2, shape, NULL);
}
static inline hgrid_array hgrid_array_on(hgrid_array a, int32_t device_type, int32_t device_id) {
  return a.device_type = device_type, a.device_id = device_id, a;
}
/// Makes an array of a DLTensor*; dlpack.h may be included before or after.
#define HGRID_ARRAY_OF_DLTENSOR(t)                                                                                         \
  hgrid_array_on(                                                                                                          \
      hgrid_array_of((const char*)(t)->data + (t)->byte_offset,                                                            \
                     HGRID_TYPE((t)->dtype.code, (t)->dtype.bits, (t)->dtype.lanes), (t)->ndim, (t)->shape, (t)->strides), \
      (int32_t)(t)->device.device_type, (t)->device.device_id)

#ifdef __cplusplus
}
#endif
#endif
