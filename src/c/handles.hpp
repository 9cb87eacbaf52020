// SPDX-License-Identifier: BSD-3-Clause
// Contents of the handles of hgrid.h, and access to them.
#pragma once

#include "c/any_grid.hpp"

/// Lists and meshes share ownership of their grid, because some languages free handles in any order.
struct hgrid_grid {
  std::shared_ptr<hgrid::c::AnyGrid> grid;
};
struct hgrid_verlet {
  std::shared_ptr<hgrid::c::AnyGrid> grid;
  std::unique_ptr<hgrid::c::AnyVerlet> list;
};
struct hgrid_mesh {
  std::shared_ptr<hgrid::c::AnyGrid> grid;
  std::unique_ptr<hgrid::c::AnyMesh> mesh;
};
struct hgrid_memory {
  hgrid::c::Owner owner;
};

namespace hgrid::c {

/// Returns an object for calls that change nothing. Callbacks of the grid may make these, too.
inline const AnyGrid& seen(const hgrid_grid* grid) {
  if (grid == nullptr) refuse("grid", "is null");
  return *grid->grid;
}
inline const AnyVerlet& seen(const hgrid_verlet* list) {
  if (list == nullptr) refuse("list", "is null");
  return *list->list;
}

/// Returns an object for all other calls. Throws `reentrancy` in a callback of the grid.
inline AnyGrid& of(const hgrid_grid* grid, const char* name = "grid") {
  if (grid == nullptr) refuse(name, "is null");
  grid->grid->watching.begin();
  return *grid->grid;
}
inline AnyVerlet& of(const hgrid_verlet* list) {
  if (list == nullptr) refuse("list", "is null");
  list->grid->watching.begin();
  return *list->list;
}

inline AnyMesh& of(const hgrid_mesh* mesh) {
  if (mesh == nullptr) refuse("mesh", "is null");
  mesh->grid->watching.begin();
  return *mesh->mesh;
}

template <class What>
void give_bytes(What& what, const void** bytes, std::int64_t* size) {
  const void*& to = written(bytes, "bytes");
  std::int64_t& number = written(size, "size");
  const std::span<const std::byte> saved = what.save();
  to = saved.data(), number = static_cast<std::int64_t>(saved.size());
}

inline std::span<const std::byte> checkpoint_of(const void* bytes, std::int64_t size) {
  if (size < 0) refuse("size", "is negative", static_cast<double>(size), ErrorCode::size_mismatch);
  if (bytes == nullptr) refuse("bytes", "is null");
  return {static_cast<const std::byte*>(bytes), static_cast<std::size_t>(size)};
}

}  // namespace hgrid::c
