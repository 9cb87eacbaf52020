// SPDX-License-Identifier: BSD-3-Clause
#include "io/gsd_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "hgrid/core/error.hpp"
#include "io/npy_header.hpp"
#include "io/printable.hpp"
#include "io/row_parser.hpp"

namespace hgrid::io {
namespace {

/// Returns a number of the layout, lowest byte first.
template <class T>
T number_at(std::string_view bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof(T));
  return value;
}

/// Returns the text up to the first NUL.
std::string_view text_of(std::string_view bytes) { return bytes.substr(0, std::min(bytes.find('\0'), bytes.size())); }

/// Returns the type with this number; of size 0 if there is none.
VtkType type_of(unsigned number) {
  if (number >= 1 && number <= 4) return {VtkType::natural, 1 << (number - 1)};
  if (number >= 5 && number <= 8) return {VtkType::whole, 1 << (number - 5)};
  if (number == 9 || number == 10) return {VtkType::real, number == 9 ? 4 : 8};
  return {VtkType::natural, number == 11 ? 1 : 0};  // text
}

constexpr std::int64_t header_bytes = 256, entry_bytes = 32, name_bytes = 64;

}  // namespace

GsdFile::GsdFile(ByteSource& source) : source_(source) {
  if (!source.size()) {
    throw Error(ErrorCode::unsupported,
                source.name() + ": parts of a GSD file are read again, so it can be neither compressed nor a stream");
  }
  size_ = *source.size();
  const std::string header = bytes(0, header_bytes, "its header");
  const auto version = number_at<std::uint32_t>(header, 44);
  if (version >> 16 != 1 && version >> 16 != 2) {
    fail_at_byte(source.name(), 44, fmt::format("GSD of version {}.{}, which is not read", version >> 16, version & 0xFFFF));
  }
  application_ = printable(text_of(std::string_view(header).substr(48, 64)));
  schema_ = printable(text_of(std::string_view(header).substr(112, 64)));
  read_names(number_at<std::int64_t>(header, 24), number_at<std::int64_t>(header, 32), version >> 16 == 1);
  read_index(number_at<std::int64_t>(header, 8), number_at<std::int64_t>(header, 16));
}

std::string GsdFile::bytes(std::int64_t location, std::int64_t count, const char* of) {
  if (location < 0 || location > size_ || count < 0 || count > size_ - location) {
    fail_at_byte(source_.name(), size_, fmt::format("the file ends within {}, {} bytes from byte {} on", of, count, location));
  }
  source_.go_to(location, location + count);
  std::string all(static_cast<std::size_t>(count), '\0');
  std::size_t got = 0;
  for (std::size_t more = 1; more > 0 && got < all.size(); got += more) more = source_.read(std::span(all).subspan(got));
  if (got < all.size()) fail_at_byte(source_.name(), source_.offset(), fmt::format("the file ends within {}", of));
  return all;
}

/// Names end with a NUL; in version 1 each has a block.
void GsdFile::read_names(std::int64_t location, std::int64_t blocks, bool blocks_apart) {
  if (blocks < 0 || blocks > size_ / name_bytes) fail_at_byte(source_.name(), 32, fmt::format("{} blocks of names", blocks));
  const std::string all = bytes(location, blocks * name_bytes, "its names");
  for (std::size_t at = 0; at < all.size();) {
    const std::string_view name = text_of(std::string_view(all).substr(at));
    if (name.empty()) return;
    names_.emplace_back(name);
    at += blocks_apart ? static_cast<std::size_t>(name_bytes) : name.size() + 1;
  }
}

void GsdFile::read_index(std::int64_t location, std::int64_t entries) {
  static constexpr std::int64_t most = 1 << 11;
  if (entries < 0 || entries > size_ / entry_bytes) fail_at_byte(source_.name(), 16, fmt::format("an index of {}", entries));
  for (std::int64_t done = 0; done < entries;) {
    const std::int64_t some = std::min(entries - done, most), begin = location + done * entry_bytes;
    const std::string block = bytes(begin, some * entry_bytes, "its index");
    for (std::int64_t k = 0; k < some; ++k) {
      const char* const entry = block.data() + k * entry_bytes;
      if (number_at<std::int64_t>({entry, entry_bytes}, 16) == 0) return;  // the index ends at an entry without a chunk
      add_entry(entry, begin + k * entry_bytes);
    }
    done += some;
  }
}

void GsdFile::add_entry(const char* entry, std::int64_t byte) {
  const std::string_view bytes(entry, entry_bytes);
  const auto rows = number_at<std::uint64_t>(bytes, 8), columns = std::uint64_t{number_at<std::uint32_t>(bytes, 24)};
  const auto name = number_at<std::uint16_t>(bytes, 28);
  const GsdChunk chunk{number_at<std::int64_t>(bytes, 0), static_cast<std::int64_t>(rows), static_cast<std::int64_t>(columns),
                       number_at<std::int64_t>(bytes, 16), type_of(number_at<std::uint8_t>(bytes, 30))};
  const auto fail = [&](const std::string& why) { fail_at_byte(source_.name(), byte, "the index: " + why); };
  if (name >= names_.size()) fail(fmt::format("a chunk of name {} of {}", name, names_.size()));
  if (chunk.type.size == 0) fail(fmt::format("a chunk of type {}", number_at<std::uint8_t>(bytes, 30)));
  if (chunk.frame < frames_ - 1) fail(fmt::format("frame {} comes after {}", chunk.frame, frames_ - 1));
  if (chunk.frame > frames_ + (1 << 20)) fail(fmt::format("frame {} follows {}", chunk.frame, frames_ - 1));
  const auto size = static_cast<std::uint64_t>(size_);
  if (rows > size || columns > size || rows * columns > size / static_cast<std::uint64_t>(chunk.type.size)) {
    fail(fmt::format("a chunk of {} x {} numbers, more than the file has bytes", rows, columns));
  }
  frames_ = chunk.frame + 1;
  chunks_[names_[name]].push_back(chunk);
}

const GsdChunk* GsdFile::find(const std::string& name, std::int64_t frame) const {
  const auto at = chunks_.find(name);
  if (at == chunks_.end()) return nullptr;
  const auto chunk = std::ranges::lower_bound(at->second, frame, {}, &GsdChunk::frame);
  return chunk == at->second.end() || chunk->frame != frame ? nullptr : &*chunk;
}

}  // namespace hgrid::io
