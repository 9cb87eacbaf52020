// SPDX-License-Identifier: BSD-3-Clause
// Reads XML in bounded memory, by expat, and reports tags and text as calls, in their order.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <string_view>

#include "io/byte_source.hpp"

struct XML_ParserStruct;

namespace hgrid::io {

inline bool is_xml_blank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

/// The attributes of a tag, valid during the call with them.
class XmlAttributes {
 public:
  explicit XmlAttributes(const char* const* pairs) : pairs_(pairs) {}
  /// Returns the value of a name; `missing` if there is none.
  std::string_view get(std::string_view name, std::string_view missing = {}) const;

 private:
  const char* const* pairs_;
};

class XmlEvents {
 public:
  virtual ~XmlEvents() = default;
  virtual void begin(std::string_view tag, const XmlAttributes& attributes) = 0;
  virtual void text(std::string_view piece) = 0;
  virtual void end(std::string_view tag) = 0;
};

class XmlReader {
 public:
  XmlReader(ByteSource& source, XmlEvents& events);

  /// Reads up to the end. Throws Error(format) naming the line if the text is not well-formed, has a document type, whose
  /// entities can have any size, or a tag of more than a mebibyte; also throws the errors of the events.
  void read();
  /// Ends `read` after the tag that begins now, if other bytes than XML follow. Returns the bytes after it that have been read
  /// already.
  std::string stop();

  std::int64_t line() const;

 private:
  struct Free {
    void operator()(XML_ParserStruct* parser) const;
  };
  template <class F>
  void guarded(F&& f);
  [[noreturn]] void fail(const std::string& reason) const;

  ByteSource& source_;
  XmlEvents& events_;
  std::unique_ptr<XML_ParserStruct, Free> parser_;
  std::exception_ptr thrown_;
  bool stopped_ = false;
  std::int64_t seen_ = 0;  // bytes up to the last call
};

}  // namespace hgrid::io
