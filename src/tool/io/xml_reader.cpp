// SPDX-License-Identifier: BSD-3-Clause
#include "io/xml_reader.hpp"

#include <expat.h>
#include <fmt/format.h>

#include <new>

#include "hgrid/core/error.hpp"
#include "io/line_reader.hpp"

namespace hgrid::io {

std::string_view XmlAttributes::get(std::string_view name, std::string_view missing) const {
  for (const char* const* pair = pairs_; *pair != nullptr; pair += 2) {
    if (name == pair[0]) return pair[1];
  }
  return missing;
}

void XmlReader::Free::operator()(XML_ParserStruct* parser) const { XML_ParserFree(parser); }

/// Calls f. No exception may pass through expat, which is C: it is kept, and thrown again afterwards.
template <class F>
void XmlReader::guarded(F&& f) {
  seen_ = XML_GetCurrentByteIndex(parser_.get());
  if (stopped_) return;
  try {
    f();
  } catch (...) {
    thrown_ = std::current_exception();
    stopped_ = true;
    XML_StopParser(parser_.get(), XML_FALSE);
  }
}

XmlReader::XmlReader(ByteSource& source, XmlEvents& events)
    : source_(source), events_(events), parser_(XML_ParserCreate(nullptr)) {
  if (!parser_) throw std::bad_alloc();
  XML_Parser parser = parser_.get();
  XML_SetUserData(parser, this);
  XML_SetElementHandler(
      parser,
      [](void* self, const XML_Char* tag, const XML_Char** pairs) {
        auto& reader = *static_cast<XmlReader*>(self);
        reader.guarded([&] { reader.events_.begin(tag, XmlAttributes(pairs)); });
      },
      [](void* self, const XML_Char* tag) {
        auto& reader = *static_cast<XmlReader*>(self);
        reader.guarded([&] { reader.events_.end(tag); });
      });
  XML_SetCharacterDataHandler(parser, [](void* self, const XML_Char* text, int size) {
    auto& reader = *static_cast<XmlReader*>(self);
    reader.guarded([&] { reader.events_.text({text, static_cast<std::size_t>(size)}); });
  });
  XML_SetDefaultHandler(parser, [](void* self, const XML_Char*, int) { static_cast<XmlReader*>(self)->guarded([] {}); });
  XML_SetStartDoctypeDeclHandler(parser, [](void* self, const XML_Char*, const XML_Char*, const XML_Char*, int) {
    auto& reader = *static_cast<XmlReader*>(self);
    reader.guarded([&] { reader.fail("a document type, which is not read"); });
  });
}

void XmlReader::fail(const std::string& reason) const { fail_at_line(source_.name(), line(), reason); }

std::int64_t XmlReader::line() const { return static_cast<std::int64_t>(XML_GetCurrentLineNumber(parser_.get())); }

std::string XmlReader::stop() {
  stopped_ = true;
  int offset = 0, size = 0;
  const char* const buffer = XML_GetInputContext(parser_.get(), &offset, &size);
  const int behind = offset + XML_GetCurrentByteCount(parser_.get());
  XML_StopParser(parser_.get(), XML_FALSE);
  return std::string(buffer + behind, static_cast<std::size_t>(size - behind));
}

void XmlReader::read() {
  static constexpr int block = 1 << 16;
  static constexpr std::int64_t longest_tag = 1 << 20;
  for (std::int64_t fed = 0; !stopped_;) {
    char* const buffer = static_cast<char*>(XML_GetBuffer(parser_.get(), block));
    if (buffer == nullptr) throw std::bad_alloc();
    const auto got = static_cast<int>(source_.read({buffer, block}));
    const XML_Status status = XML_ParseBuffer(parser_.get(), got, got == 0);
    if (thrown_) std::rethrow_exception(thrown_);
    if (stopped_) return;
    const XML_Error error = XML_GetErrorCode(parser_.get());
    if (error == XML_ERROR_NO_MEMORY) throw std::bad_alloc();
    if (status != XML_STATUS_OK) {
      const bool ended = got == 0 && (error == XML_ERROR_NO_ELEMENTS || error == XML_ERROR_UNCLOSED_TOKEN);
      fail(ended ? "the file ends within its XML" : fmt::format("the XML is not well-formed: {}", XML_ErrorString(error)));
    }
    if (got == 0) return;
    fed += got;
    if (fed - seen_ > longest_tag) fail(fmt::format("a tag of more than {} bytes", longest_tag));
  }
}

}  // namespace hgrid::io
