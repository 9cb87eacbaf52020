// SPDX-License-Identifier: BSD-3-Clause
// Fields on a device and the messages of its rank: only entries that go to other ranks or come from them cross to the host.
#pragma once

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "hgrid/engine/reserve.hpp"
#include "hgrid/ranks/device_vector.hpp"
#include "hgrid/ranks/migration.hpp"
#include "hgrid/ranks/routes.hpp"

namespace hgrid::inline v0_1::detail {

/// Entries of some particles, packed, on their way between device and host.
template <class Exec>
class StagedEntries {
 public:
  explicit StagedEntries(const Exec& exec) : exec_(exec) {}

  std::byte* here() { return here_.data(); }

  /// Room for that number of bytes here.
  void reserve(std::size_t bytes) { reserve_all(exec_, Need{here_, with_margin(static_cast<offset_t>(bytes), here_.size())}); }
  void reserve_there(std::size_t bytes) {
    reserve_all(exec_, Need{there_, with_margin(static_cast<offset_t>(bytes), there_.size())});
  }

  /// Those of the particles `ids`, a list on the device, come here. Waits.
  template <class Values>
  void gather(const Values& values, const index_t* ids, std::size_t count, std::size_t entry) {
    reserve_there(count * entry), reserve(count * entry);
    gather_entries(exec_, values.data(), ids, static_cast<offset_t>(count), entry, there_.data());
    exec_.copy_out(here_.data(), static_cast<const std::byte*>(there_.data()), static_cast<offset_t>(count * entry));
  }
  /// Those that have come here go there. Waits.
  template <class T>
  const T* bring(std::size_t bytes) {
    exec_.copy_in(there_.data(), static_cast<const std::byte*>(here_.data()), static_cast<offset_t>(bytes));
    return reinterpret_cast<const T*>(there_.data());
  }

 private:
  Exec exec_;
  typename Exec::template Buffer<std::byte> there_;
  StagingBuffer<Exec, std::byte> here_;
};

/// The interface of HostTraffic.
template <class Exec>
class DeviceTraffic {
 public:
  explicit DeviceTraffic(const Exec& exec) : exec_(exec), ids_(exec), owned_(exec), ghosts_(exec) {}

  void follow(const Routes& routes) { ids_.assign(routes.ids()); }
  void reserve(const Routes& routes, std::size_t entry) {
    owned_.reserve(ids_.size() * entry), owned_.reserve_there(ids_.size() * entry);
    ghosts_.reserve(routes.ghosts() * entry);
  }

  template <class T>
  Routes::Passage to_ghosts(const Routes& routes, const Field<T, DeviceVector<Exec, T>>& field, std::size_t) {
    const std::size_t entry = field.width * sizeof(T);
    reserve(routes, entry);
    owned_.gather(field.values, ids_.data(), ids_.size(), entry);
    return {owned_.here(), ghosts_.here()};
  }
  template <class T>
  void take_ghosts(const Routes& routes, const Field<T, DeviceVector<Exec, T>>& field, std::size_t owned) {
    exec_.copy_in(field.values.data() + owned * field.width, reinterpret_cast<const T*>(ghosts_.here()),
                  static_cast<offset_t>(routes.ghosts() * field.width));
  }

  template <class T>
  Routes::Passage from_ghosts(const Routes& routes, const Field<T, DeviceVector<Exec, T>>& field, std::size_t owned) {
    const std::size_t entry = field.width * sizeof(T);
    reserve(routes, entry);
    exec_.copy_out(reinterpret_cast<T*>(ghosts_.here()), static_cast<const T*>(field.values.data()) + owned * field.width,
                   static_cast<offset_t>(routes.ghosts() * field.width));
    return {ghosts_.here(), owned_.here()};
  }
  // One rank after the other: of those that went to one, no particle is there twice, so that sums do not depend on the device.
  template <class T>
  void add_returned(const Routes& routes, const Field<T, DeviceVector<Exec, T>>& field) {
    const T* const returned = owned_.template bring<T>(ids_.size() * field.width * sizeof(T));
    for (const Routes::Way& way : routes.sends()) {
      exec_.for_each("hgrid::add_entries", static_cast<offset_t>(way.count * field.width),
                     AddEntries<T>{returned + way.first * field.width, ids_.data() + way.first,
                                   static_cast<offset_t>(field.width), field.values.data()});
    }
  }

 private:
  Exec exec_;
  DeviceVector<Exec, index_t> ids_;  // those that are sent, by rank
  StagedEntries<Exec> owned_, ghosts_;
};

/// Migration of fields on a device. Only entries of particles that leave or come cross to the host.
template <class Exec>
class DeviceMigration : public Migration {
 public:
  DeviceMigration(const Exec& exec, const std::vector<int>& to, const Communicator& comm, std::size_t record_bytes)
      : Migration(exec, to, comm, record_bytes), exec_(exec), leave_(exec), stay_(exec), staged_(exec) {
    std::vector<index_t> stay, leave(leaving());
    for_each_leaver([&](std::size_t i, std::size_t record) { leave[record] = static_cast<index_t>(i); });
    for (std::size_t i = 0; i < to.size(); ++i) {
      if (to[i] == comm.rank()) stay.push_back(static_cast<index_t>(i));
    }
    leave_.assign(leave), stay_.assign(stay);
  }

  template <class T>
  void pack(const Field<T, DeviceVector<Exec, T>>& field) {
    const std::size_t bytes = field.width * sizeof(T);
    staged_.gather(field.values, leave_.data(), leave_.size(), bytes);
    pack_records(bytes, [&](std::size_t, std::size_t record) { return staged_.here() + record * bytes; });
  }

  template <class T>
  void reserve(Field<T, DeviceVector<Exec, T>>& field, const std::vector<Parcel>& received) {
    staged_.reserve(count(received) * field.width * sizeof(T));
    reserve_all(exec_, Need{field.values.next_, static_cast<offset_t>((stay_.size() + count(received)) * field.width)});
  }

  template <class T>
  void unpack(Field<T, DeviceVector<Exec, T>>& field, const std::vector<Parcel>& received) {
    const std::size_t bytes = field.width * sizeof(T), kept = stay_.size(), came = count(received);
    auto& values = field.values;
    gather_entries(exec_, values.data(), stay_.data(), static_cast<offset_t>(kept), bytes, values.next_.data());
    std::byte* to = staged_.here();
    unpack_records(bytes, received, [&](const std::byte* from) { to = std::copy_n(from, bytes, to); });
    exec_.copy_in(values.next_.data() + kept * field.width, reinterpret_cast<const T*>(staged_.here()),
                  static_cast<offset_t>(came * field.width));
    std::swap(values.memory_, values.next_);
    values.next_ = {}, values.size_ = (kept + came) * field.width;
  }

 private:
  Exec exec_;
  DeviceVector<Exec, index_t> leave_, stay_;  // by record, and in order
  StagedEntries<Exec> staged_;
};

}  // namespace hgrid::inline v0_1::detail
